#define _GNU_SOURCE /* memmem */
/* What is refused changes nothing: for every public call (refused/views.def, refused/typed.inc) every argument wrong in every way there is, every pair of operands in one place,
 * every option, layout and variant that it has no form for, each allocation refused. The status is right, and no operand has changed a byte. */
#include <glob.h>
#include <malloc.h>
#include <signal.h>
#include <unistd.h>

#include "core/variant.h"
#include "refused/wrong.h"

/* Options one at a time at each of their values */
static void settings(trial *t)
{
    char text[40];
    for (int i = 0; i < t->l->count; ++i) {
        const argument *a = &t->l->arguments[i];
        value was = t->a[i];
        if (a->kind != LETTER && a->kind != MEMBER) continue;
        for (const char *c = a->flags; *c; ++c) {
            if (a->kind == LETTER) t->a[i].c = *c;
            else t->a[i].i = *c - '0';
            snprintf(text, sizeof text, " %s=%c", a->name, *c);
            t->setting = text;
            if (c != a->flags) wrong_overlap(t, a->lax);
        }
        t->a[i] = was, t->setting = "";
    }
}

static void variants(trial *t)
{
    char text[40];
    for (int i = 0; i < TSL_VARIANT_COUNT; ++i) {
        bool seen = false;
        for (int k = 0; k < i && !seen; ++k) seen = !strcmp(tsl_variants[k].name, tsl_variants[i].name);
        if (seen || tsl_set(t->w->x, "variant", tsl_variants[i].name)) continue;
        snprintf(text, sizeof text, " by %s", tsl_variants[i].name);
        t->setting = text;
        if (!attempt(t, t->a, ANY, "as it is")) wrong_memory(t, false);
    }
    t->setting = "";
    (void)tsl_set(t->w->x, "variant", "auto");
    (void)tsl_set(t->w->x, "shape", "77");
    attempt(t, t->a, ANY, "with shape 77");
    (void)tsl_set(t->w->x, "shape", "0");
}

static void try_line(world *w, const line *l, tsl_type type)
{
    trial t;
    trial_open(&t, w, l, type);
    tsl_status st = attempt(&t, t.a, w->tile ? ANY : ST(TSL_OK), "as it should be");
    if (!st || w->tile)
        for (int i = 0; i < l->count; ++i) wrong_argument(&t, i);
    wrong_overlap(&t, st != TSL_OK);
    settings(&t);
    wrong_memory(&t, true);
    if (!w->tile) variants(&t);
    trial_close(&t);
}

static void table(world *w, const line *lines, const char *types, const char *only)
{
    for (const line *l = lines; l->name; ++l)
        for (const char *c = l->types; *c; ++c)
            if (strchr(types, *c) && (!only || !strcmp(only, l->name))) try_line(w, l, *c == 's' ? TSL_S : *c == 'd' ? TSL_D : *c == 'c' ? TSL_C : TSL_Z);
}

static bool in_views(const char *name, size_t length)
{
    const line *l = refused_views;
    while (l->name && (strlen(l->name) != length || strncmp(l->name, name, length))) ++l;
    return l->name != NULL;
}

static bool in_typed(const char *function, size_t length)
{
    const line *l = refused_typed;
    while (l->name && (strlen(l->function) != length || strncmp(l->function, function, length))) ++l;
    return l->name != NULL;
}

/* Calls that are tested elsewhere: test_mixed_refused.c; test_batch.c */
static bool elsewhere(const char *function, size_t length)
{
    return !strncmp(function, "tsl_solve_sized", length) || (length > 9 && !strncmp(function + length - 9, "_pointers", 9));
}

static bool mentions(const char *from, const char *to, const char *word) { return memmem(from, (size_t)(to - from), word, strlen(word)) != NULL; }

/* tsl_dgemm, tsl_idamax: a letter of its type and arrays of that */
static bool is_typed(const char *function, const char *arguments, const char *end)
{
    static const char *const arrays[] = {"float *", "double *"}; /* of tsl_cfloat and tsl_cdouble too */
    return strchr("sdczi", function[4]) && (mentions(arguments, end, arrays[0]) || mentions(arguments, end, arrays[1]));
}

/* The public headers, one after the other */
static const char *all_headers(void)
{
    static char text[1 << 20];
    size_t size = 0;
    glob_t files = {0};
    check(glob(HEADERS, GLOB_BRACE, NULL, &files) == 0 && files.gl_pathc > 10, "%s: %zu headers", HEADERS, files.gl_pathc);
    for (size_t i = 0; i < files.gl_pathc; ++i) {
        FILE *f = fopen(files.gl_pathv[i], "r");
        if (f) size += fread(text + size, 1, sizeof text - 1 - size, f);
        if (f) fclose(f);
    }
    globfree(&files);
    check(size < sizeof text - 1, "%zu bytes of headers", size);
    return text;
}

/* Every public call is in the table: the headers' prototypes of calls on views, and those of typed calls. */
static void all_are_there(void)
{
    const char *text = all_headers();
    int views = 0, typed = 0;
    for (const char *at = text; (at = strstr(at, "TSL_API tsl_status tsl_")) != NULL;) {
        at += strlen("TSL_API tsl_status ");
        const char *arguments = strchr(at, '('), *end = strstr(at, ");");
        if (!arguments || !end) break;
        size_t length = (size_t)(arguments - at);
        bool on_views = mentions(arguments, end, "tsl_view"), on_arrays = !on_views && is_typed(at, arguments, end);
        views += on_views, typed += on_arrays;
        if (elsewhere(at, length)) continue;
        if (on_views) check(in_views(at + 4, length - 4), "no line for %.*s", (int)length, at);
        if (on_arrays) check(in_typed(at, length), "no line for %.*s", (int)length, at);
    }
    check(views > 100 && typed > 400, "%d calls on views, %d typed ones", views, typed);
    for (int op = 0; op < TSL_OP_COUNT; ++op) {
        const char *name = tsl_ops[op].name;
        char call[64];
        snprintf(call, sizeof call, " tsl_%s(", name);
        if (strstr(text, call)) check(in_views(name, strlen(name)), "no line for operation %s", name);
    }
    checked("every public call has a line");
}

/* Less memory than calls need: each is refused before it has changed anything, or succeeds */
static void limits(const char *devices, const char *only)
{
    world w = {.devices = devices, .scale = 9};
    trial t;
    if (!world_open(&w)) return;
    for (int typed = 0; typed < 2; ++typed)
        for (const line *l = typed ? refused_typed : refused_views; l->name; ++l) {
            if (!strchr(l->types, typed ? 'c' : 'z') || (only && strcmp(only, l->name))) continue;
            trial_open(&t, &w, l, typed ? TSL_C : TSL_Z);
            attempt(&t, t.a, ANY, "as it should be");
            trial_close(&t);
        }
    checked("%s: less memory than calls need", devices);
    world_close(&w);
}

/* Which call it was: nothing else is left of it */
static void dies(int signal)
{
    static const char text[] = "\nnot ok - the program died in this call\n";
    (void)!write(STDOUT_FILENO, trial_now, strlen(trial_now));
    (void)!write(STDOUT_FILENO, text, sizeof text - 1);
    (void)raise(signal); /* its own action again */
}

int main(int argc, char **argv)
{
    const char *only = argc > 1 ? argv[1] : NULL;
    world worlds[] = {{.devices = "host", .scale = 1}, {.devices = "host:2,mem=64M", .far = true, .scale = 1}, {.devices = "host:2,mem=64M", .tile = 4, .scale = 1},
                      {.devices = "cuda", .far = true, .scale = 1}};
    static char stack[1 << 16]; /* its own may be full */
    (void)sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, NULL);
    static const int deaths[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    for (size_t i = 0; i < sizeof deaths / sizeof *deaths; ++i) (void)sigaction(deaths[i], &(struct sigaction){.sa_handler = dies, .sa_flags = (int)SA_RESETHAND | SA_ONSTACK}, NULL);
    setvbuf(stdout, NULL, _IOLBF, 0);
    mallopt(M_MMAP_THRESHOLD, 1 << 30), mallopt(M_TRIM_THRESHOLD, 1 << 30); /* workspace comes and goes */
    all_are_there();
    for (size_t i = 0; i < sizeof worlds / sizeof *worlds; ++i) {
        world *w = &worlds[i];
        w->loud = argc > 2;
        if (!world_open(w)) continue;
        bool host = !strncmp(w->devices, "host", 4);
        table(w, refused_views, w->tile || !host ? "d" : "dz", only);
        checked("%s, %s: calls on views", w->devices, w->tile ? "tiled" : w->far ? "far" : "flat");
        if (!w->tile) {
            table(w, refused_typed, !host ? "c" : w->far ? "sz" : "dc", only);
            checked("%s, %s: typed calls", w->devices, w->far ? "far" : "flat");
        }
        world_close(w);
    }
    static const char *const few[] = {"host:2,mem=100K", "host:2,mem=200K", "host:2,mem=350K", "host:2,mem=600K"};
    for (size_t i = 0; i < sizeof few / sizeof *few; ++i) limits(few[i], only);
    return tap_done();
}
