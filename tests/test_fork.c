/* A process that was forked: its parent's contexts are refused, its own work. */
#include <cblas.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tap.h"
#include "tesela.h"

enum { N = 300, TILE = 64 };

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
        alarm(50);
        exit(what()); /* with the ends a program has */
    }
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int both(void) { return own() | parents(); }

static int stop;

/* Keeps the context, its runtime and the default context busy. */
static void *busy(void *ctx)
{
    double *a = calloc(N * N, sizeof *a);
    int64_t info;
    while (a && !__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
        fill(a);
        if (tsl_dpotrf(ctx, 'L', N, a, N, &info)) break;
    }
    free(a);
    return NULL;
}

/* OpenBLAS cannot be forked amidst its own threads, nor used in such a child: it has one here, and children only ask. */
static void test_busy(void)
{
    pthread_t t[2];
    int threads = openblas_get_num_threads();
    openblas_set_num_threads(1);
    check(!tsl_set(x, "path", "tiles"), "path");
    for (int i = 0; i < 2; i++) check(!pthread_create(&t[i], NULL, busy, i ? x : NULL), "thread");
    for (int r = 0; r < 20; r++) {
        int wrong = in_child(parents);
        check(wrong == 0, "child %d: %d", r, wrong);
    }
    __atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
    for (int i = 0; i < 2; i++) check(!pthread_join(t[i], NULL), "thread");
    openblas_set_num_threads(threads);
    checked("children of a process whose contexts are at work");
}

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

int main(void)
{
    alarm(200); /* a hang is a failure */
    setenv("TESELA_DEVICES", "host", 1);
    tsl_config cfg = tsl_config_default();
    cfg.devices = "host:2,mem=16M";
    A = calloc(N * N, sizeof *A), B = calloc(N * N, sizeof *B);
    if (!A || !B) return 1;
    test_trace(); /* before there is another context */
    ok(!tsl_context_create(&cfg, &x) && !tsl_matrix_create(x, TSL_D, N, N, &flat) && !tsl_scale(x, 0, tsl_whole(flat)) &&
           !tsl_tiled_create(x, TSL_D, N, N, TILE, &tiled) && !tsl_scale(x, 0, tsl_whole(tiled)), "a context and matrices");
    int wrong = in_child(both); /* before there is a default context */
    ok(wrong == 0, "a child makes a default context (%d)", wrong);
    ok(!compute(NULL) && !compute(x), "so does its parent");
    wrong = in_child(both);
    ok(wrong == 0, "a child makes one of its own (%d)", wrong);
    ok(!compute(NULL) && !compute(x), "and its parent keeps what it has");
    test_busy();
    ok(!compute(NULL) && !compute(x), "and works on");
    test_gpu();
    tsl_matrix_free(flat);
    tsl_matrix_free(tiled);
    tsl_context_destroy(x);
    free(A), free(B);
    return tap_done();
}
