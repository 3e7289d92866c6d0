/* tsl_progress: what a context that is watched says of its work, while it goes on and after it. */
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>

#include "device/device.h"
#include "tap.h"
#include "tesela.h"

static tsl_context *open_on(const char *devices)
{
    tsl_config cfg = tsl_config_default();
    tsl_context *x = NULL;
    cfg.devices = devices;
    tsl_status st = tsl_context_create(&cfg, &x);
    if (st == TSL_ERR_NO_DEVICE) return NULL;
    if (st || tsl_set(x, "watch", "on")) exit(1);
    return x;
}

static double done_of(tsl_context *x)
{
    double done = -1, total = -1;
    tsl_progress(x, &done, &total);
    return done == total ? done : -1;
}

static tsl_view made(tsl_context *x, tsl_type type, int64_t m, int64_t n)
{
    tsl_matrix *A = NULL;
    if (tsl_matrix_create(x, type, m, n, &A) || (type != TSL_INDEX && tsl_scale(x, 0, tsl_whole(A)))) exit(1);
    return tsl_whole(A);
}

/* On views, from either side and seen through an op: as much as the typed call of the same sizes is said to take. */
static void formulas(void)
{
    tsl_context *x = open_on("host");
    enum { M = 90, N = 70, K = 80 };
    tsl_view A = made(x, TSL_D, M, K), B = made(x, TSL_D, K, N), C = made(x, TSL_D, M, N), S = made(x, TSL_D, N, N), p = made(x, TSL_INDEX, N, 1);
    tsl_view Z = made(x, TSL_Z, M, M), W = made(x, TSL_Z, M, N);
    double before = done_of(x);
#define TAKES(call, flops, text)                                                       \
    do {                                                                               \
        tsl_status st = call;                                                          \
        if (!st) st = tsl_wait(x);                                                     \
        double now = done_of(x);                                                       \
        ok(!st && now - before == (double)(int64_t)(flops), text " takes %.0f, %.0f", flops, now - before); \
        before = now;                                                                  \
    } while (0)
    TAKES(tsl_gemm(x, 1, A, B, 0, C), tsl_flops("dgemm", M, N, K), "gemm");
    TAKES(tsl_gemm(x, 1, tsl_trans(B), tsl_trans(A), 0, tsl_trans(C)), tsl_flops("dgemm", N, M, K), "gemm, all transposed,");
    TAKES(tsl_trsm(x, TSL_RIGHT, 1, tsl_unit(tsl_lower(S)), C), tsl_flops("dtrsm", N, M, 0), "trsm from the right");
    TAKES(tsl_syrk(x, 1, tsl_trans(C), 0, tsl_upper(S)), tsl_flops("dsyrk", 0, N, M), "syrk");
    TAKES(tsl_getrf(x, S, p, NULL), tsl_flops("dgetrf", N, N, 0), "getrf");
    TAKES(tsl_trmm(x, TSL_LEFT, 1, tsl_lower(Z), W), tsl_flops("ztrmm", M, N, 0), "trmm of complex elements");
#undef TAKES
    ok(tsl_hemm(x, TSL_LEFT, 1, tsl_lower(Z), W, 0, W) == TSL_ERR_OVERLAP && !tsl_wait(x) && done_of(x) == before, "one that is refused takes nothing");
    ok(!tsl_set(x, "watch", "off") && !tsl_gemm(x, 1, A, B, 0, C) && !tsl_wait(x) && done_of(x) == before, "nothing is counted once it is off");
    ok(tsl_set(x, "watch", "perhaps") == TSL_ERR_OPTION && tsl_progress(x, NULL, &before) == TSL_ERR_NULL, "what is refused");
    tsl_context_destroy(x);
}

static void fill(double *a, int64_t n)
{
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++) a[i + j * n] = i == j ? (double)n : 1.0 / (double)(1 + i + j);
}

typedef struct watcher {
    tsl_context *x;
    double total;
    bool asks, over, grows, between; /* the first two: atomic */
} watcher;

/* A thread that asks all the time, while another is inside the call. */
static void *watch(void *arg)
{
    watcher *w = arg;
    double last = 0, done = 0, total = 0;
    while (!__atomic_load_n(&w->over, __ATOMIC_ACQUIRE)) {
        tsl_progress(w->x, &done, &total);
        w->grows = w->grows && done >= last && done <= total;
        if (done > 0 && done < total) w->between = true, w->total = total;
        last = done;
        __atomic_store_n(&w->asks, true, __ATOMIC_RELEASE);
        sched_yield();
    }
    return NULL;
}

static void under_way(const char *devices, const char *path)
{
    enum { N = 1400 };
    watcher w = {.x = open_on(devices), .grows = true};
    if (!w.x) {
        skip("%s: no GPU here", devices);
        return;
    }
    double *a = malloc(sizeof(double[N]) * N), done = 0, total = 0, flops = tsl_flops("dpotrf", 0, N, 0);
    pthread_t thread;
    int64_t info = -1;
    fill(a, N);
    tsl_status st = tsl_set(w.x, "tile", "64");
    if (!st) st = tsl_set(w.x, "path", path);
    if (st || pthread_create(&thread, NULL, watch, &w)) exit(1);
    while (!__atomic_load_n(&w.asks, __ATOMIC_ACQUIRE)) sched_yield();
    st = tsl_dpotrf(w.x, 'L', N, a, N, &info);
    __atomic_store_n(&w.over, true, __ATOMIC_RELEASE);
    pthread_join(thread, NULL);
    ok(!st && !info && w.grows, "%s, %s: it only grows", devices, path);
    ok(w.between && w.total == (double)(int64_t)flops, "%s, %s: seen between beginning and end, of %.0f", devices, path, w.total);
    tsl_progress(w.x, &done, &total);
    ok(done == total && total > 0.95 * flops && total < 1.4 * flops, "%s, %s: %.0f of %.0f done in the end", devices, path, done, total);
    tsl_context_destroy(w.x);
    free(a);
}

/* Where one routine of the host's library would compute it all on a few cores, there is more than one step if somebody watches;
 * with the same result. */
static void cut_to_be_seen(void)
{
    enum { N = 1400 };
    double *a = malloc(sizeof(double[N]) * N), *b = malloc(sizeof(double[N]) * N), *c[2];
    int64_t launches[2] = {0};
    fill(a, N), fill(b, N);
    tsl_status st = TSL_OK;
    for (int on = 0; on < 2; on++) {
        tsl_context *x = open_on("host");
        tsl_counters n = {0};
        c[on] = calloc(N * N, sizeof(double));
        st = st ? st : tsl_set(x, "watch", on ? "on" : "off");
        st = st ? st : tsl_dgemm(x, 'N', 'N', N, N, N, 1, a, N, b, N, 0, c[on], N);
        st = st ? st : tsl_counters_get(x, &n);
        launches[on] = n.launches;
        tsl_context_destroy(x);
    }
    double worst = 0;
    for (int64_t i = 0; i < (int64_t)N * N; i++)
        worst = fabs(c[0][i] - c[1][i]) <= worst ? worst : isnan(c[0][i] - c[1][i]) ? INFINITY : fabs(c[0][i] - c[1][i]);
    ok(!st && launches[0] == 1 && (tsl_blas_cores() <= 4 ? launches[1] >= 4 : launches[1] == 1) && worst <= 1e-9, "a large product in %lld steps on %d cores",
       (long long)launches[1], tsl_blas_cores());
    free(a), free(b), free(c[0]), free(c[1]);
}

int main(void)
{
    formulas();
    under_way("host", "one");
    under_way("host:1", "one");
    under_way("host:2", "tiles");
    under_way("cuda:0", "one");
    under_way("cuda:0", "tiles");
    cut_to_be_seen();
    return tap_done();
}
