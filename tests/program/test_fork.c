/* A process that was forked: its parent's contexts are refused, its own work; whatever other threads of the parent do
 * meanwhile. */
#include <cblas.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "device/device.h"
#include "tap.h"
#include "tesela.h"

enum { N = 300, TILE = 64, SMALL = 24, WHILE = 100000 };

static double *A, *B; /* N x N each */
static tsl_context *x;
static tsl_matrix *flat, *tiled;

static void fill(double *a)
{
    for (int i = 0; i < N * N; i++) a[i] = i % (N + 1) ? 0 : 9;
}

/* By tiles, by the device's own routine and by the way of small calls: 0 if all is right. */
static int compute(tsl_context *ctx)
{
    tsl_matrix *M = NULL;
    int64_t info = -1;
    int wrong = 0;
    fill(B);
    if (tsl_dgemm(ctx, 'N', 'N', 8, 8, 8, 1, B, N, B, N, 0, B + N * (N - 8), N) || B[N * (N - 8)] != 81) wrong |= 1;
    fill(B);
    if (tsl_dpotrf(ctx, 'L', N, B, N, &info) || info || B[N * N - 1] != 3) wrong |= 2;
    fill(B);
    if (tsl_tiled_wrap(ctx, TSL_D, N, N, B, N, TILE, &M) || tsl_potrf(ctx, tsl_lower(tsl_whole(M)), &info) || B[N * N - 1] != 3) wrong |= 4;
    tsl_matrix_free(M);
    return wrong;
}

static int refused(tsl_status st) { return st == TSL_ERR_PROCESS && strstr(tsl_error(NULL), "fork") != NULL; }

/* In the child: what is the parent's answers with a status, at once. */
static int parents(void)
{
    tsl_matrix *M = (tsl_matrix *)&x;
    int64_t info;
    double done, total;
    int good = refused(tsl_wait(x)) && refused(tsl_dgemm(x, 'N', 'N', 8, 8, 8, 1, B, N, B, N, 0, A, N)) &&
               refused(tsl_dpotrf(x, 'L', N, B, N, &info)) && refused(tsl_potrf(x, tsl_lower(tsl_whole(tiled)), NULL)) &&
               refused(tsl_scale(x, 2, tsl_whole(flat))) && refused(tsl_matrix_create(x, TSL_D, 4, 4, &M)) && !M &&
               refused(tsl_set(x, "tile", "4")) && refused(tsl_progress(x, &done, &total)) && tsl_device_count(x) == 0 && strstr(tsl_error(x), "fork");
    tsl_matrix_free(flat);
    tsl_matrix_free(tiled);
    tsl_context_destroy(x);
    return good ? 0 : 8;
}

static int own(void)
{
    tsl_config cfg = tsl_config_default();
    tsl_context *y = NULL;
    cfg.devices = "host:2,mem=16M";
    if (tsl_context_create(&cfg, &y)) return 16;
    int wrong = compute(y);
    if (tsl_scale(y, 2, tsl_whole(flat)) != TSL_ERR_CONTEXT) wrong |= 32;
    tsl_context_destroy(y);
    return wrong | compute(NULL);
}

static int in_child(int (*what)(void))
{
    int status = -1;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        alarm(15);
        exit(what()); /* with the ends a program has */
    }
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int both(void) { return own() | parents(); }

static int stop;

/* Keeps the context, its runtime and the default context busy: the first by tiles, the other by so many leaves that one is
 * always at work. */
static void *busy(void *ctx)
{
    double *a = calloc(N * N, sizeof *a);
    int64_t info, n = ctx ? N : SMALL;
    while (a && !__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
        fill(a);
        if (tsl_dpotrf(ctx, 'L', n, a, N, &info)) break;
    }
    free(a);
    return NULL;
}

static void test_busy(int threads)
{
    enum { BUSY = 4 };
    pthread_t t[BUSY];
    int before = openblas_get_num_threads();
    openblas_set_num_threads(threads);
    check(!tsl_set(x, "path", "tiles"), "path");
    __atomic_store_n(&stop, 0, __ATOMIC_RELAXED);
    for (int i = 0; i < BUSY; i++) check(!pthread_create(&t[i], NULL, busy, i ? NULL : x), "thread");
    for (int r = 0; r < 20; r++) {
        int wrong = in_child(both);
        check(wrong == 0, "child %d: %d", r, wrong);
    }
    __atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
    for (int i = 0; i < BUSY; i++) check(!pthread_join(t[i], NULL), "thread");
    check(!tsl_set(x, "path", "auto"), "path");
    openblas_set_num_threads(before);
    checked("children of a process whose contexts are at work, OpenBLAS with %d", threads);
}

/* ---- leaves at work, and threads that wait for their turn ----------------------------------------------------------------- */

static int at_work; /* leaves */

typedef struct turn {
    unsigned after; /* so many microseconds it begins */
    bool task;
    pthread_t thread;
} turn;

static void *leaf(void *arg)
{
    const turn *t = arg;
    usleep(t->after);
    int begun = tsl_blas_begin(t->task);
    __atomic_fetch_add(&at_work, 1, __ATOMIC_SEQ_CST);
    usleep(WHILE);
    __atomic_fetch_sub(&at_work, 1, __ATOMIC_SEQ_CST);
    tsl_blas_end(begun);
    return NULL;
}

static int begin_leaves(turn *t, int count)
{
    int failed = 0;
    tsl_blas_hold();
    for (int i = 0; i < count; i++) failed |= pthread_create(&t[i].thread, NULL, leaf, &t[i]);
    return failed;
}

static int end_leaves(turn *t, int count)
{
    int failed = 0;
    for (int i = 0; i < count; i++) failed |= pthread_join(t[i].thread, NULL);
    tsl_blas_let_go();
    return failed;
}

/* Nobody is at work here, and who waits in the child waits for its own threads only. */
static int takes_turns(void)
{
    int wrong = __atomic_load_n(&at_work, __ATOMIC_SEQ_CST) ? 64 : 0;
    for (int r = 0; r < 3; r++) {
        turn t[] = {{.task = true}, {.after = WHILE / 4}};
        if (begin_leaves(t, 2) || end_leaves(t, 2)) wrong |= 1;
    }
    return wrong | both();
}

/* A task's leaf is at work, and one that is none waits for its turn, which it has before the fork. The others begin while the
 * fork waits, and most of them wait on when it goes on. */
static void test_leaves(void)
{
    enum { LEAVES = 10 };
    turn t[LEAVES] = {{.task = true}, {.after = WHILE / 4}};
    int before = openblas_get_num_threads();
    openblas_set_num_threads(2);
    for (int i = 2; i < LEAVES; i++) t[i] = (turn){.after = WHILE, .task = i % 2};
    check(!begin_leaves(t, LEAVES), "threads");
    usleep(WHILE / 2);
    int wrong = in_child(takes_turns);
    check(!end_leaves(t, LEAVES), "threads");
    check(openblas_get_num_threads() == 2, "threads of OpenBLAS");
    openblas_set_num_threads(before);
    ok(wrong == 0, "a fork waits for leaves, and its child for nobody (%d)", wrong);
}

/* ---- the first context of all --------------------------------------------------------------------------------------------- */

static char fifo[] = "test_fork.fifo.json";

static void *make_default(void *unused)
{
    tsl_context *y = NULL;
    (void)unused;
    return tsl_default_context(&y) ? NULL : y;
}

static void *read_fifo(void *unused)
{
    char text[256];
    usleep(2 * WHILE);
    FILE *f = fopen(fifo, "r");
    while (f && fread(text, 1, sizeof text, f)) continue;
    if (f) fclose(f);
    return unused;
}

static int by_default(void) { return compute(NULL); }

/* In a program of its own: a thread is about to make the default context, and waits, with all locks of that, for somebody to
 * read its trace. */
static int first_fork(void)
{
    pthread_t maker, reader;
    setenv("TESELA_TRACE", fifo, 1);
    setenv("TESELA_DEVICES", "host", 1);
    if (pthread_create(&maker, NULL, make_default, NULL)) return 1;
    usleep(WHILE);
    if (pthread_create(&reader, NULL, read_fifo, NULL) || pthread_detach(reader)) return 1; /* the trace ends with the program */
    int wrong = in_child(by_default);
    void *made = NULL;
    pthread_join(maker, &made);
    return wrong || !made || compute(NULL);
}

static void test_first(char *program)
{
    int status = -1;
    remove(fifo);
    check(!mkfifo(fifo, 0600), "a pipe");
    pid_t child = fork();
    if (child == 0) {
        alarm(60);
        execl("/proc/self/exe", program, fifo, (char *)NULL);
        _exit(1);
    }
    check(child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0, "status %x", (unsigned)status);
    remove(fifo);
    checked("a fork while the first context is being made");
}

/* --------------------------------------------------------------------------------------------------------------------------- */

static const char trace[] = "test_fork.trace.json";

static long size_of_trace(void)
{
    struct stat is;
    return stat(trace, &is) ? -1 : (long)is.st_size;
}

static long written;

static int traced(void)
{
    long before = size_of_trace();
    return (before <= written ? 1 : 0) | compute(NULL); /* a fork lets out what there is */
}

static void test_trace(void)
{
    setenv("TESELA_TRACE", trace, 1);
    tsl_config cfg = tsl_config_default();
    tsl_context *y = NULL;
    cfg.devices = "host";
    ok(!tsl_context_create(&cfg, &y) && !compute(y), "a context with a trace");
    written = 0;
    ok(in_child(traced) == 0, "a child computes");
    long after = size_of_trace();
    ok(!compute(y), "its parent does");
    tsl_context_destroy(y);
    unsetenv("TESELA_TRACE");
    FILE *f = fopen(trace, "r");
    long events = 0, starts = 0, ends = 0;
    for (int c = f ? fgetc(f) : EOF; c != EOF; c = fgetc(f)) events += c == '{', starts += c == '[', ends += c == ']';
    if (f) fclose(f);
    ok(after > 0 && size_of_trace() > after && events > 0 && starts == 1 && ends == 1, "the trace is the parent's alone, and whole");
    remove(trace);
}

static int without_gpus(void)
{
    tsl_config cfg = tsl_config_default();
    tsl_context *y = NULL;
    int wrong = 0;
    unsetenv("TESELA_DEVICES");
    if (!refused(tsl_default_context(&y)) || y) wrong |= 1;
    cfg.devices = "cuda:0";
    if (!refused(tsl_context_create(&cfg, &y)) || y) wrong |= 2;
    cfg.devices = "host";
    if (tsl_context_create(&cfg, &y) || compute(y)) wrong |= 4;
    tsl_context_destroy(y);
    return wrong;
}

static void test_gpu(void)
{
    tsl_config cfg = tsl_config_default();
    tsl_context *gpu = NULL;
    cfg.devices = "cuda:0";
    if (tsl_context_create(&cfg, &gpu)) {
        skip("no GPU here");
        return;
    }
    int wrong = in_child(without_gpus);
    ok(wrong == 0, "a child of a process with GPUs has none, and is told (%d)", wrong);
    tsl_context_destroy(gpu);
}

int main(int count, char **arg)
{
    alarm(200); /* a hang is a failure */
    setenv("TESELA_DEVICES", "host", 1);
    tsl_config cfg = tsl_config_default();
    cfg.devices = "host:2,mem=16M";
    A = calloc(N * N, sizeof *A), B = calloc(N * N, sizeof *B);
    if (!A || !B) return 1;
    if (count > 1) return first_fork();
    test_first(arg[0]);
    test_trace(); /* before there is another context */
    ok(!tsl_context_create(&cfg, &x) && !tsl_matrix_create(x, TSL_D, N, N, &flat) && !tsl_scale(x, 0, tsl_whole(flat)) &&
           !tsl_tiled_create(x, TSL_D, N, N, TILE, &tiled) && !tsl_scale(x, 0, tsl_whole(tiled)), "a context and matrices");
    int wrong = in_child(both); /* before there is a default context */
    ok(wrong == 0, "a child makes a default context (%d)", wrong);
    ok(!compute(NULL) && !compute(x), "so does its parent");
    wrong = in_child(both);
    ok(wrong == 0, "a child makes one of its own (%d)", wrong);
    ok(!compute(NULL) && !compute(x), "and its parent keeps what it has");
    test_busy(1);
    test_busy(2);
    test_leaves();
    ok(!compute(NULL) && !compute(x), "and works on");
    test_gpu();
    tsl_matrix_free(flat);
    tsl_matrix_free(tiled);
    tsl_context_destroy(x);
    free(A), free(B);
    return tap_done();
}
