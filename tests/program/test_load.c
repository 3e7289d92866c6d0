/* The bits of a call do not depend on what else the process does: flat calls by OpenBLAS's own threads, tasks of another
 * context, which have one thread each, and small calls, side by side. */
#include <cblas.h>
#include <pthread.h>
#include <string.h>

#include "dense.h"
#include "tap.h"

enum { LARGE = 300, SMALL = 40, TILED = 160, TIMES = 25, KINDS = 13 };

static tsl_context *make(const char *path, const char *tile)
{
    tsl_context *x = NULL;
    tsl_config cfg = tsl_config_default();
    cfg.devices = "host";
    tsl_status st = tsl_context_create(&cfg, &x);
    if (!st) st = tsl_set(x, "path", path);
    if (!st) st = tsl_set(x, "tile", tile);
    if (st) tsl_context_destroy(x);
    return st ? NULL : x;
}

static double source[LARGE * LARGE], vector[LARGE];
static _Thread_local double beside[LARGE * 5]; /* right-hand sides, factors of reflectors */
static _Thread_local int64_t pivots[LARGE];

/* Of order n, in place of A */
static tsl_status compute(tsl_context *x, int kind, int n, double *A)
{
    int64_t info, iterations;
    tsl_status st;
    for (int i = 0; i < 5 * n; i++) beside[i] = vector[i % LARGE] + i;
    switch (kind) {
    case 0: return tsl_dpotrf(x, 'L', n, A, n, &info);
    case 1: return tsl_dlauum(x, 'L', n, A, n, &info);
    case 2: return tsl_dpotri(x, 'U', n, A, n, &info);
    case 3: return tsl_dgemm(x, 'N', 'T', n, n, n, 1, source, n, source, n, 0.5, A, n);
    case 4: return tsl_dgbmv(x, 'N', n, n, 3, 2, 1, source, n, vector, 1, 0.5, A, 1);
    case 5: return tsl_dspmv(x, 'L', n, 1, source, vector, 1, 0.5, A, 1);
    case 6: return tsl_dgetrf(x, n, n, A, n, pivots, &info);
    case 7: return tsl_dgeqrf(x, n, n, A, n, beside, &info);
    case 8: st = tsl_dgetrf(x, n, n, A, n, pivots, &info); return st ? st : tsl_dgetri(x, n, A, n, pivots, &info);
    case 9: st = tsl_dgels(x, 'N', n, n / 2, 5, A, n, beside, n, &info); break;
    case 10: st = tsl_dgesv_incpiv(x, n, 5, A, n, beside, n, &info); break;
    case 11: st = tsl_dgels_inc(x, n, n / 2, 5, A, n, beside, n, &info); break;
    default: return tsl_dsgesv(x, n, 5, source, LARGE, pivots, beside, n, A, n, &iterations, &info);
    }
    memcpy(A, beside, sizeof(double) * 5 * (size_t)n); /* the solution */
    return st;
}

static void alone(tsl_context *x, int kind, int n, double *A)
{
    for (int j = 0; j < n; j++) memcpy(A + j * n, source + j * LARGE, (size_t)n * sizeof *A);
    if (compute(x, kind, n, A)) A[0] = NAN;
}

typedef struct rival {
    tsl_context *x;
    int stop, rounds, other; /* stop is atomic */
} rival;

static void *tasks(void *arg)
{
    static double A[TILED * TILED], first[TILED * TILED];
    rival *r = arg;
    for (; !__atomic_load_n(&r->stop, __ATOMIC_RELAXED); r->rounds++) {
        alone(r->x, 0, TILED, A);
        if (!r->rounds) memcpy(first, A, sizeof A);
        r->other += memcmp(first, A, sizeof A) != 0;
    }
    return NULL;
}

static void under_load(tsl_context *x, tsl_context *tiled)
{
    static double wanted[KINDS][2][LARGE * LARGE], A[LARGE * LARGE];
    static const int order[2] = {LARGE, SMALL};
    static const char *const name[KINDS] = {"potrf", "lauum", "potri", "gemm", "gbmv", "spmv", "getrf", "geqrf", "getri", "gels",
                                            "gesv_incpiv", "gels_inc", "dsgesv"};
    for (int k = 0; k < KINDS; k++)
        for (int s = 0; s < 2; s++) alone(x, k, order[s], wanted[k][s]);
    rival r = {.x = tiled};
    pthread_t thread;
    if (pthread_create(&thread, NULL, tasks, &r)) {
        ok(0, "a thread");
        return;
    }
    for (int i = 0; i < TIMES; i++)
        for (int k = 0; k < KINDS; k++)
            for (int s = 0; s < 2; s++) {
                alone(x, k, order[s], A);
                check(!memcmp(A, wanted[k][s], (size_t)(order[s] * order[s]) * sizeof *A), "%s of order %d: other bits", name[k], order[s]);
            }
    __atomic_store_n(&r.stop, 1, __ATOMIC_RELAXED);
    pthread_join(thread, NULL);
    check(r.rounds > 0 && !r.other, "of %d results of tasks %d are others", r.rounds, r.other);
    checked("the same bits with tasks of another context beside it (%d rounds of them)", r.rounds);
}

/* A region that stays open keeps nobody waiting; and when all is over OpenBLAS has its threads again. */
static void beside_a_region(tsl_context *x, tsl_context *tiled)
{
    static double A[LARGE * LARGE], wanted[LARGE * LARGE], M[TILED * TILED];
    tsl_matrix *a = NULL;
    alone(x, 0, LARGE, wanted);
    memcpy(M, source, sizeof M);
    tsl_status st = tsl_tiled_wrap(tiled, TSL_D, TILED, TILED, M, TILED, 40, &a);
    if (!st) st = tsl_begin(tiled);
    if (!st) st = tsl_scale(tiled, 0.5, tsl_whole(a));
    alone(x, 0, LARGE, A);
    ok(!st && !memcmp(A, wanted, sizeof A), "a flat call beside an open region");
    st = tsl_wait(tiled);
    ok(!st && openblas_get_num_threads() == 2, "after it OpenBLAS has its threads again");
    tsl_matrix_free(a);
}

int main(void)
{
    openblas_set_num_threads(2);
    uint64_t seed = 3;
    for (int i = 0; i < LARGE * LARGE; i++) source[i] = dense_uniform(&seed);
    for (int i = 0; i < LARGE; i++) source[i + i * LARGE] = LARGE, vector[i] = dense_uniform(&seed);
    tsl_context *x = make("auto", "0"), *tiled = make("tiles", "40");
    ok(x && tiled, "contexts");
    if (x && tiled) {
        under_load(x, tiled);
        beside_a_region(x, tiled);
    }
    tsl_context_destroy(x);
    tsl_context_destroy(tiled);
    return tap_done();
}
