/* What the library writes: traces that are whole JSON from every rank, in every locale, however the process ends, but for the
 * closing bracket of a write that was cut; files that cannot be written are told. `test_output json FILE` says by its exit
 * status whether a file is JSON, `test_output pages FILE` whether it would be, with the bracket, were it cut at the end of any
 * page; other words are the children of its tests. */
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tap.h"
#include "json.h"
#include "tesela.h"

static char dir[] = "/tmp/tesela-output-XXXXXX";
static double A[64 * 64], B[64 * 64];

static char *slurp(const char *name)
{
    FILE *f = fopen(name, "r");
    if (!f) return NULL;
    fseek(f, 0, SEEK_END);
    long size = ftell(f);
    rewind(f);
    char *text = calloc(1, (size_t)size + 1);
    if (text) text[fread(text, 1, (size_t)size, f)] = 0;
    fclose(f);
    return text;
}

/* The closing bracket is all that it may lack. */
static bool nearly_whole(const char *text)
{
    size_t length = strlen(text);
    char *closed = malloc(length + 2);
    if (!closed) return false;
    memcpy(closed, text, length);
    strcpy(closed + length, "]");
    bool good = json_valid(text) || json_valid(closed);
    free(closed);
    return good;
}

/* A write that the system cuts ends where a page does. */
static bool whole_pages(char *text)
{
    size_t length = text ? strlen(text) : 0;
    bool good = length && json_valid(text);
    for (size_t cut = length / 4096 * 4096; good && cut > 0; cut -= 4096) {
        text[cut] = 0;
        good = nearly_whole(text);
    }
    return good;
}

static tsl_context *make(const char *devices)
{
    tsl_context *x = NULL;
    tsl_config cfg = tsl_config_default();
    cfg.devices = devices;
    return tsl_context_create(&cfg, &x) ? NULL : x;
}

static int work(tsl_context *x)
{
    for (int i = 0; i < 64 * 64; i++) A[i] = i % 65 ? 0 : 4, B[i] = 1;
    return tsl_dpotrf(x, 'L', 64, A, 64, NULL) || tsl_dgemm(x, 'N', 'N', 64, 64, 64, 1, A, 64, A, 64, 0, B, 64);
}

/* Contexts one after the other, the first without any work, the last never destroyed. */
static int child_plain(void)
{
    for (int round = 0; round < 4; round++) {
        tsl_context *x = make("host:2");
        if (!x || (round > 0 && work(x))) return 1;
        if (round < 3) tsl_context_destroy(x);
    }
    return 0;
}

/* Works until it is killed. */
static int child_endless(void)
{
    tsl_context *x = make("host:1");
    while (x && !work(x)) continue;
    return 1;
}

/* A file that may not grow past 100000 bytes. */
static int child_limited(void)
{
    const struct rlimit limit = {100000, 100000};
    signal(SIGXFSZ, SIG_IGN);
    tsl_context *x = make("host:1");
    if (!x || setrlimit(RLIMIT_FSIZE, &limit)) return 1;
    for (int i = 0; i < 100000 && !tsl_trace_flush(); i++)
        if (work(x)) return 1;
    tsl_status st = tsl_trace_flush();
    tsl_context_destroy(x);
    return st == TSL_ERR_FILE ? 0 : 2;
}

/* A child of fork() has the trace too: it must add nothing. */
static int child_forks(void)
{
    int status = 1;
    tsl_context *x = make("host:1");
    if (!x || work(x)) return 1;
    pid_t twin = fork();
    if (twin == 0) exit(0);
    waitpid(twin, &status, 0);
    tsl_context_destroy(x);
    return status;
}

static int child_refused(void)
{
    tsl_context *x = make("host:1");
    if (!x || work(x)) return 1;
    tsl_status st = tsl_trace_flush();
    bool told = strstr(tsl_error(NULL), "cannot be written: ");
    tsl_context_destroy(x);
    return st == TSL_ERR_FILE && told ? 0 : 2;
}

/* In a locale whose numbers have a comma. */
static int child_comma(void)
{
    char text[4096], digits[16];
    if (!setlocale(LC_ALL, "de_DE.UTF-8")) return 77;
    snprintf(digits, sizeof digits, "%.1f", 0.5);
    if (strcmp(digits, "0,5")) return 77;
    tsl_context *x = make("host:1");
    if (!x || work(x)) return 1;
    if (tsl_explain(x, "dgemm", 5000, 5000, 5000, text, sizeof text)) return 2;
    for (const char *at = text; (at = strchr(at, ',')); ++at)
        if (at > text && at[-1] >= '0' && at[-1] <= '9' && at[1] >= '0' && at[1] <= '9') return 3;
    if (!strchr(text, '.')) return 4;
    tsl_context_destroy(x);
    return 0;
}

static const struct {
    const char *word;
    int (*run)(void);
} children[] = {{"plain", child_plain}, {"endless", child_endless}, {"limited", child_limited},
              {"forks", child_forks}, {"refused", child_refused},   {"comma", child_comma}};

/* Starts this program again as a child, with TESELA_TRACE and one more variable. */
static pid_t start(const char *word, const char *trace, const char *variable, const char *value)
{
    pid_t child = fork();
    if (child) return child;
    setenv("TESELA_TRACE", trace, 1);
    if (variable) setenv(variable, value, 1);
    execl("/proc/self/exe", "test_output", word, (char *)NULL);
    _exit(127);
}

static int ends(pid_t child)
{
    int status = -1;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

static char *path(const char *name)
{
    static char full[256];
    snprintf(full, sizeof full, "%s/%s", dir, name);
    return full;
}

static void test_trace(void)
{
    ok(ends(start("plain", path("t.json"), NULL, NULL)) == 0, "the traced program ends well");
    char *text = slurp(path("t.json"));
    ok(text && json_valid(text), "the trace is whole");
    static const char *const wanted[] = {"\"ph\":\"X\"", "potrf", "gemm", "copy2d", "{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":1,",
                                         "\"args\":{\"name\":\"device 1: ", "\"args\":{\"name\":\"main lane\"}"};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) ok(text && strstr(text, wanted[i]), "the trace has %s", wanted[i]);
    free(text);
    ok(ends(start("forks", path("f.json"), NULL, NULL)) == 0, "a traced program that forks ends well");
    text = slurp(path("f.json"));
    int begun = 0;
    for (const char *at = text; at && (at = strstr(at, "main lane")); ++at) begun++;
    ok(text && json_valid(text) && begun == 1, "its trace is whole, and each event there once");
    free(text);
}

static void test_ranks(void)
{
    static const struct {
        const char *variable, *value, *asked, *file;
    } row[] = {{"OMPI_COMM_WORLD_RANK", "3", "a.json", "a.3.json"}, {"PMI_RANK", "12", "b", "b.12"}, {"PMIX_RANK", "0", "c.d/x", "c.d/x.0"},
               {"SLURM_PROCID", "1", "r%r.json", "r1.json"}, {"NOBODY", "1", "s%r.json", "s0.json"}};
    static const char *const all[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "MV2_COMM_WORLD_RANK", "SLURM_PROCID"};
    for (int i = 0; i < 5; i++) unsetenv(all[i]);
    if (system("true") == -1) return;
    char folder[256];
    snprintf(folder, sizeof folder, "mkdir %s/c.d", dir);
    check(system(folder) == 0, "mkdir");
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        check(ends(start("plain", path(row[i].asked), row[i].variable, row[i].value)) == 0, "%s=%s", row[i].variable, row[i].value);
        char *text = slurp(path(row[i].file));
        check(text && json_valid(text), "TESELA_TRACE=%s with %s=%s writes %s", row[i].asked, row[i].variable, row[i].value, row[i].file);
        check(!text || i == 4 || strstr(text, "rank "), "%s names the rank", row[i].file);
        free(text);
    }
    pid_t child = start("plain", path("p%p.json"), NULL, NULL);
    char name[32];
    snprintf(name, sizeof name, "p%ld.json", (long)child);
    check(ends(child) == 0 && access(path(name), R_OK) == 0, "%%p is the process id");
    checked("a trace of its own for every rank");
}

/* Killed at any time, sometimes in the midst of a write. */
static void test_killed(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGKILL};
    int cut = 0;
    for (int i = 0; i < 6; i++) {
        pid_t child = start("endless", path("k.json"), NULL, NULL);
        char *text = NULL;
        for (int turn = 0; turn < 1000 && !(text && strstr(text, "gemm")); turn++) { /* until it has written some */
            free(text);
            usleep(10000 + 1000 * i);
            text = slurp(path("k.json"));
        }
        kill(child, signals[i % 3]);
        check(ends(child) == 1000 + signals[i % 3], "ended by signal %d", signals[i % 3]);
        free(text);
        text = slurp(path("k.json"));
        check(text && nearly_whole(text) && strstr(text, "gemm"), "after signal %d: not whole", signals[i % 3]);
        cut += text && !json_valid(text);
        free(text);
        unlink(path("k.json"));
    }
    checked("a trace of a killed process is whole JSON, but for the bracket (%d of 6)", cut);
}

/* Every file that the system may leave of this one. */
static void test_pages(void)
{
    check(ends(start("limited", path("l.json"), NULL, NULL)) == 0, "a file that cannot grow is told");
    char *text = slurp(path("l.json"));
    check(text && strlen(text) > 60000 && json_valid(text), "what was written before is whole");
    checked("a trace that a full disk ended");
    ok(whole_pages(text), "no event lies across the end of a page");
    free(text);
}

static void test_refused(void)
{
    ok(ends(start("refused", path("no/such/t.json"), NULL, NULL)) == 0, "a trace that cannot be opened is told by tsl_trace_flush");
    if (access("/dev/full", W_OK)) skip("there is no /dev/full");
    else ok(ends(start("refused", "/dev/full", NULL, NULL)) == 0, "a trace that cannot be written is told by tsl_trace_flush");
    ok(tsl_trace_flush() == TSL_OK, "no trace, no error");
}

/* Tiled work under option graph. */
static tsl_status drawn(tsl_context *x)
{
    tsl_matrix *M = NULL;
    tsl_status st = tsl_tiled_create(x, TSL_D, 100, 100, 20, &M);
    if (!st) st = tsl_scale(x, 2, tsl_whole(M));
    if (!st) st = tsl_wait(x);
    tsl_matrix_free(M);
    return st;
}

static void test_graph(void)
{
    tsl_context *x = make("host:2");
    char first[256], second[256];
    snprintf(first, sizeof first, "%s/first.dot", dir);
    snprintf(second, sizeof second, "%s/second.dot", dir);
    ok(tsl_set(x, "graph", path("no/such")) == TSL_ERR_FILE && strstr(tsl_error(x), "no/such"), "a graph that cannot be opened: %s", tsl_error(x));
    check(!tsl_set(x, "graph", first) && !drawn(x) && !tsl_set(x, "graph", second) && !drawn(x) && !drawn(x), "drawn: %s", tsl_error(x));
    for (int i = 0; i < 2; i++) {
        char *text = slurp(i ? second : first);
        size_t length = text ? strlen(text) : 0;
        check(length > 40 && !strncmp(text, "digraph", 7) && !strcmp(text + length - 2, "}\n") && strchr(text, '}') == text + length - 2,
              "graph %d is not whole", i);
        free(text);
    }
    checked("a graph is whole when its tasks have been waited for, and another file may follow");
    if (access("/dev/full", W_OK)) skip("there is no /dev/full");
    else {
        ok(!tsl_set(x, "graph", "/dev/full") && drawn(x) == TSL_ERR_FILE && strstr(tsl_error(x), "/dev/full"), "a graph that cannot be written: %s",
           tsl_error(x));
        ok(drawn(x) == TSL_OK, "then no more is drawn");
    }
    tsl_context_destroy(x);
}

static void test_locale(void)
{
    char command[512];
    snprintf(command, sizeof command, "localedef -i de_DE -f UTF-8 %s/de_DE.UTF-8 >%s/localedef 2>&1", dir, dir);
    const char *made = system(command) ? NULL : dir; /* else one that is installed, if any */
    int end = ends(start("comma", path("comma.json"), made ? "LOCPATH" : NULL, made));
    if (end == 77) {
        skip("no locale with a comma is installed, and localedef cannot make one");
        return;
    }
    ok(end == 0, "explain in a comma's locale (%d)", end);
    char *text = slurp(path("comma.json"));
    ok(text && json_valid(text), "a trace in a comma's locale");
    free(text);
}

static void test_checker(void)
{
    static const char *const good[] = {"[]", " [{\"a\":1},\n{\"b\":[-2.5e+3,\"\\u00e9\\\"\"]}]\n", "null", "{\"a\": {}}"};
    static const char *const bad[] = {"", "[", "[,{}]", "[{}{}]", "[{}", "[{]}", "[1,]", "[1,5,0.]", "[01]", "[\"a]", "[] []", "{\"a\" 1}", "[nan]"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) check(json_valid(good[i]), "%s", good[i]);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) check(!json_valid(bad[i]), "%s", bad[i]);
    checked("the check can tell");
}

int main(int argc, char **argv)
{
    if (argc == 3 && !strcmp(argv[1], "json")) {
        char *text = slurp(argv[2]);
        return !(text && json_valid(text));
    }
    if (argc == 3 && !strcmp(argv[1], "pages")) return !whole_pages(slurp(argv[2]));
    for (size_t i = 0; argc > 1 && i < sizeof children / sizeof *children; i++)
        if (!strcmp(argv[1], children[i].word)) return children[i].run();
    if (!mkdtemp(dir)) return 1;
    unsetenv("TESELA_TRACE");
    test_checker();
    test_trace(); /* these fork: before this process has any thread */
    test_ranks();
    test_killed();
    test_pages();
    test_refused();
    test_locale();
    test_graph();
    char command[64];
    snprintf(command, sizeof command, "rm -r %s", dir);
    if (system(command)) printf("# %s stays\n", dir);
    return tap_done();
}
