/* Small calls on the host take a short way to their leaf (exec/small.c). It must not be seen in anything but time: the same bits as
 * by views, counted the same, after what is under way, from several threads, and not where the caller asked for something else. */
#include <pthread.h>
#include <string.h>

#include "dense.h"
#include "tap.h"

enum { N = 17, MANY = 10000 };

static tsl_context *make(void)
{
    tsl_context *x = NULL;
    tsl_config cfg = tsl_config_default();
    cfg.devices = "host";
    return tsl_context_create(&cfg, &x) ? NULL : x;
}

static int64_t launches(tsl_context *x)
{
    tsl_counters c = {0};
    tsl_counters_get(x, &c);
    return c.launches;
}

static double A[N * N], B[N * N];

static void fill(void)
{
    uint64_t seed = 5;
    for (int i = 0; i < N * N; i++) A[i] = dense_uniform(&seed), B[i] = dense_uniform(&seed);
    for (int i = 0; i < N; i++) A[i + i * N] = 4;
}

/* One typed call and its form on views, on fresh copies of B; kind counts through the routines. */
static tsl_status typed(tsl_context *x, int kind, double *C)
{
    switch (kind) {
    case 0: return tsl_dgemm(x, 'T', 'N', N, N, N, 0.7, A, N, B, N, 0.3, C, N);
    case 1: return tsl_dsymm(x, 'R', 'U', N, N, 0.7, A, N, B, N, 0.3, C, N);
    case 2: return tsl_dsyrk(x, 'U', 'T', N, N, 0.7, A, N, 0.3, C, N);
    case 3: return tsl_dsyr2k(x, 'L', 'N', N, N, 0.7, A, N, B, N, 0.3, C, N);
    case 4: return tsl_dtrmm(x, 'R', 'L', 'T', 'U', N, N, 0.7, A, N, C, N);
    default: return tsl_dtrsm(x, 'L', 'U', 'N', 'N', N, N, 0.7, A, N, C, N);
    }
}

static tsl_status views(tsl_context *x, int kind, double *C)
{
    tsl_matrix *a, *b, *c;
    tsl_matrix_wrap(x, TSL_D, N, N, A, N, &a), tsl_matrix_wrap(x, TSL_D, N, N, B, N, &b), tsl_matrix_wrap(x, TSL_D, N, N, C, N, &c);
    tsl_view va = tsl_whole(a), vb = tsl_whole(b), vc = tsl_whole(c);
    tsl_status st = kind == 0   ? tsl_gemm(x, 0.7, tsl_trans(va), vb, 0.3, vc)
                    : kind == 1 ? tsl_symm(x, TSL_RIGHT, 0.7, tsl_upper(va), vb, 0.3, vc)
                    : kind == 2 ? tsl_syrk(x, 0.7, tsl_trans(va), 0.3, tsl_upper(vc))
                    : kind == 3 ? tsl_syr2k(x, 0.7, va, vb, 0.3, tsl_lower(vc))
                    : kind == 4 ? tsl_trmm(x, TSL_RIGHT, 0.7, tsl_trans(tsl_unit(tsl_lower(va))), vc)
                                : tsl_trsm(x, TSL_LEFT, 0.7, tsl_upper(va), vc);
    tsl_matrix_free(a), tsl_matrix_free(b), tsl_matrix_free(c);
    return st;
}

static void same_bits(tsl_context *x)
{
    for (int kind = 0; kind < 6; kind++) {
        double C[N * N], D[N * N];
        memcpy(C, B, sizeof C), memcpy(D, B, sizeof D);
        int64_t before = launches(x);
        check(!typed(x, kind, C) && launches(x) == before + 1, "routine %d: one leaf", kind);
        check(!views(x, kind, D) && !memcmp(C, D, sizeof C), "routine %d: other bits by views", kind);
    }
    checked("the same bits by typed calls and by views, and one leaf each");
}

/* A long product is under way on C; the small call reads it. */
static void in_order(tsl_context *x)
{
    enum { LONG = 700 };
    tsl_matrix *a = NULL, *c = NULL;
    double D[N * N] = {0};
    tsl_status st = tsl_matrix_create(x, TSL_D, LONG, LONG, &a);
    if (!st) st = tsl_matrix_create(x, TSL_D, LONG, LONG, &c);
    if (!st) st = tsl_scale(x, 0, tsl_whole(a));
    if (!st) st = tsl_scale(x, 0, tsl_whole(c));
    if (!st) st = tsl_wait(x);
    for (int64_t j = 0; !st && j < LONG; j++)
        for (int64_t i = 0; i < LONG; i++) ((double *)tsl_matrix_data(a))[i + j * tsl_matrix_ld(a)] = 1;
    if (!st) st = tsl_gemm(x, 1, tsl_whole(a), tsl_whole(a), 0, tsl_whole(c)); /* all entries LONG */
    if (!st) st = tsl_dgemm(x, 'N', 'N', N, N, 1, 1, tsl_matrix_data(c), tsl_matrix_ld(c), tsl_matrix_data(a), tsl_matrix_ld(a), 0, D, N);
    int right = 0;
    for (int i = 0; i < N * N; i++) right += D[i] == LONG;
    ok(!st && right == N * N, "a small call waits for what is under way");
    tsl_matrix_free(a), tsl_matrix_free(c);
}

static void as_asked(tsl_context *x)
{
    double C[N * N] = {0};
    int64_t before = launches(x);
    tsl_status st = tsl_set(x, "tile", "8");
    if (!st) st = tsl_set(x, "variant", "rec");
    if (!st) st = typed(x, 4, C);
    ok(!st && launches(x) > before + 1, "a variant and a tile the caller asks for are used");
    tsl_set(x, "tile", "0"), tsl_set(x, "variant", "auto");
    ok(tsl_dgemm(x, 'N', 'N', N, N, N, 1, A, (int64_t)1 << 40, B, N, 0, C, N) == TSL_ERR_OVERFLOW && *tsl_error(x),
       "an array too large for the library underneath is refused: %s", tsl_error(x));
}

typedef struct worker {
    tsl_context *x;
    double sum;
    int failed;
} worker;

/* Every other call is too large for the short way, and some change what may go it. */
static void *add(void *worker_)
{
    enum { LARGE = 65 };
    worker *w = worker_;
    double one = 1, row[LARGE];
    for (int i = 0; i < LARGE; i++) row[i] = 1;
    for (int i = 0; i < MANY; i++) {
        w->failed += tsl_dgemm(w->x, 'N', 'N', 1, 1, 1, 1, &one, 1, &one, 1, 1, &w->sum, 1) != TSL_OK;
        w->failed += tsl_dgemm(w->x, 'N', 'N', 1, 1, LARGE, 1, row, 1, row, LARGE, 1, &w->sum, 1) != TSL_OK;
        if (i % 1000 == 0) w->failed += tsl_set(w->x, "tile", i % 2000 ? "0" : "64") != TSL_OK;
    }
    return NULL;
}

static void side_by_side(tsl_context *x)
{
    worker w[2] = {{.x = x}, {.x = x}};
    pthread_t other;
    double expected = MANY * (1.0 + 65.0);
    int64_t before = launches(x);
    int made = !pthread_create(&other, NULL, add, &w[1]);
    add(&w[0]);
    if (made) pthread_join(other, NULL);
    ok(made && !w[0].failed && !w[1].failed && w[0].sum == expected && w[1].sum == expected,
       "two threads on one context: %g and %g of %g", w[0].sum, w[1].sum, expected);
    ok(launches(x) - before >= 4 * MANY, "... and every leaf is counted");
}

int main(void)
{
    tsl_context *x = make();
    ok(x != NULL, "context");
    if (!x) return tap_done();
    fill();
    same_bits(x);
    in_order(x);
    as_asked(x);
    side_by_side(x);
    tsl_context_destroy(x);
    return tap_done();
}
