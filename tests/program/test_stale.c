/* Whose memory is it? Outside a region a wrapped array is the caller's between calls: every call sees what is in it then,
 * whoever wrote it. In a region devices keep copies, and calls of the library on the same memory are seen all the same. */
#include "dense.h"
#include "tiled.h"

enum { N = 40, NB = 16 };

static const char *const specs[] = {"host:1", "host:2", "host:3,mem=64K", "host:1+host", "host"};
enum { SPECS = sizeof specs / sizeof *specs };

static tsl_matrix *wrap(tsl_context *x, const dense *d, int64_t nb)
{
    tsl_matrix *A = NULL;
    tsl_status st = nb ? tsl_tiled_wrap(x, d->t, d->m, d->n, d->data, d->ld, nb, &A) : tsl_matrix_wrap(x, d->t, d->m, d->n, d->data, d->ld, &A);
    check(!st && A, "wrap: %s", tsl_error(x));
    return A;
}

static bool all(const dense *d, double v)
{
    for (int64_t j = 0; j < d->n; j++)
        for (int64_t i = 0; i < d->m; i++)
            if (dense_get(d, i, j) != v) return false;
    return true;
}

/* C := A B with all elements of A and of B the same: C's are N times their product. */
static bool product(tsl_context *x, tsl_view A, tsl_view B, tsl_view C, const dense *c, double want)
{
    dense_fill(c, NAN);
    return !tsl_gemm(x, 1, A, B, 0, C) && all(c, want);
}

/* Between two calls the caller writes, or lets the library write, without saying so. */
static void test_between(tsl_context *x, const char *name, tsl_type t)
{
    dense A = dense_make(t, N, N, CANARY_FINITE), B = dense_make(t, N, N, CANARY_FINITE), C = dense_make(t, N, N, CANARY_FINITE);
    dense_fill(&A, 1), dense_fill(&B, 2);
    tsl_matrix *a = wrap(x, &A, NB), *b = wrap(x, &B, NB), *c = wrap(x, &C, NB), *flat = wrap(x, &A, 0), *other = wrap(x, &A, 7);
    tsl_view VA = tsl_whole(a), VB = tsl_whole(b), VC = tsl_whole(c);
    check(product(x, VA, VB, VC, &C, 2 * N), "%s: at first", name);
    dense_fill(&A, 3);
    check(product(x, VA, VB, VC, &C, 6 * N), "%s: a factor the caller has filled again", name);
    dense_fill(&C, 1);
    check(!tsl_gemm(x, 1, VA, VB, 1, VC) && all(&C, 6 * N + 1), "%s: a result the caller has filled again", name);
    check(!tsl_scale(x, 2, tsl_whole(flat)) && product(x, VA, VB, VC, &C, 12 * N), "%s: scaled as a flat matrix", name);
    check(!tsl_scale(x, 0.5, tsl_whole(other)) && product(x, VA, VB, VC, &C, 6 * N), "%s: scaled by other tiles", name);
    for (int64_t j = 0; j < N && t == TSL_D; j++) check(!tsl_dscal(x, N, 2, (double *)dense_at(&A, 0, j), 1), "dscal");
    for (int64_t j = 0; j < N && t == TSL_Z; j++) check(!tsl_zscal(x, N, 2, (tsl_cdouble *)dense_at(&A, 0, j), 1), "zscal");
    check(product(x, VA, VB, VC, &C, 12 * N), "%s: scaled by a typed call", name);
    check(!tsl_begin(x), "begin");
    dense_fill(&C, NAN);
    check(!tsl_gemm(x, 1, VA, VB, 0, VC) && !tsl_wait(x) && all(&C, 12 * N), "%s: in a region", name);
    dense_fill(&A, 5);
    check(product(x, VA, VB, VC, &C, 10 * N), "%s: filled again after a region", name);
    dense_fill(&A, 7);
    check(!tsl_begin(x) && !tsl_gemm(x, 1, VA, VB, 0, VC) && !tsl_wait(x) && all(&C, 14 * N), "%s: and before the next", name);
    tsl_matrix_free(a), tsl_matrix_free(b), tsl_matrix_free(c), tsl_matrix_free(flat), tsl_matrix_free(other);
    dense_free(&A), dense_free(&B), dense_free(&C);
}

/* In a region: tiled calls, and between them calls on the same memory as a flat matrix, by other tiles, by typed calls large
 * and small. */
static void test_inside(tsl_context *x, const char *name)
{
    dense A = dense_make(TSL_D, N, N, CANARY_FINITE), E = dense_make(TSL_D, N, N, CANARY_FINITE);
    tsl_matrix *a = wrap(x, &A, NB), *flat = wrap(x, &A, 0), *other = wrap(x, &A, 7);
    tsl_view V = tsl_whole(a), row = tsl_sub(tsl_whole(flat), N - 1, 0, 1, N);
    double norm = -1, *p = (double *)A.data;
    dense_fill(&A, 1), dense_fill(&E, 0);
    dense_put(&E, 0, 0, 2);
    check(!tsl_begin(x) && !tsl_scale(x, 3, V) && !tsl_norm(x, TSL_NORM_MAX, TSL_TRIANGULAR, tsl_whole(flat), &norm) && norm == 3,
          "%s: a norm, %g", name, norm);
    check(!tsl_scale(x, 2, V) && !tsl_scale(x, 3, tsl_whole(flat)) && !tsl_scale(x, 2, V), "%s: scale: %s", name, tsl_error(x)); /* 36 */
    check(!tsl_scale(x, 0.5, tsl_whole(other)) && !tsl_scale(x, 3, V), "%s: other tiles: %s", name, tsl_error(x)); /* 54 */
    for (int64_t j = 0; j < N; j++) check(!tsl_dscal(x, N, 0.5, p + j * A.ld, 1), "dscal"); /* 27 */
    check(!tsl_scale(x, 2, V), "scale: %s", tsl_error(x)); /* 54 */
    check(!tsl_wait(x) && all(&A, 54), "%s: wait: %s, %g", name, tsl_error(x), creal(dense_get(&A, 0, 0)));
    check(!tsl_begin(x) && !tsl_scale(x, 0.5, V), "begin"); /* 27 */
    for (int64_t j = 0; j < 8; j++) /* small calls, straight to BLAS: by 4 */
        check(!tsl_dtrmm(x, 'R', 'L', 'N', 'N', 8, 1, 2, (double *)E.data, E.ld, p + j * A.ld, A.ld), "dtrmm");
    check(!tsl_scale(x, 10, V) && !tsl_nrm2(x, row, &norm) && fabs(norm - 270 * sqrt(N)) < 1e-9, "%s: nrm2 %g", name, norm);
    check(!tsl_wait(x), "%s: wait: %s", name, tsl_error(x));
    for (int64_t j = 0; j < N; j++)
        for (int64_t i = 0; i < N; i++) check(dense_get(&A, i, j) == (i < 8 && j < 8 ? 1080 : 270), "%s: %g", name, creal(dense_get(&A, i, j)));
    tsl_matrix_free(a), tsl_matrix_free(flat), tsl_matrix_free(other);
    dense_free(&A), dense_free(&E);
}

/* Two wraps that overlap, and calls on parts of them that do not: tiles move whole, so each must see what the other has done. */
static void test_parts(tsl_context *x, const char *name)
{
    enum { STRIP = 10 };
    dense A = dense_make(TSL_D, N, N, CANARY_FINITE);
    tsl_matrix *a = wrap(x, &A, NB), *strip = NULL;
    dense_fill(&A, 1);
    check(!tsl_tiled_wrap(x, TSL_D, STRIP, N, A.data, A.ld, 4, &strip), "wrap: %s", tsl_error(x));
    tsl_view rest = tsl_sub(tsl_whole(a), STRIP, 0, N - STRIP, N);
    check(!tsl_begin(x), "begin");
    for (int i = 0; i < 4; i++) check(!tsl_scale(x, 2, tsl_whole(strip)) && !tsl_scale(x, 3, rest), "%s: scale: %s", name, tsl_error(x));
    check(!tsl_wait(x), "%s: wait: %s", name, tsl_error(x));
    for (int64_t j = 0; j < N; j++)
        for (int64_t i = 0; i < N; i++) check(dense_get(&A, i, j) == (i < STRIP ? 16 : 81), "%s: parts: %g", name, creal(dense_get(&A, i, j)));
    tsl_matrix_free(a), tsl_matrix_free(strip);
    dense_free(&A);
}

/* Copies are kept where the caller has promised to leave the array alone, and where it is ours: what moves is counted. */
static void test_kept(const char *spec)
{
    enum { T = 3, SIDE = T * NB };
    tsl_context *x = make(spec);
    tsl_counters n;
    dense A = dense_make(TSL_D, 2 * SIDE, SIDE, CANARY_FINITE);
    tsl_matrix *upper = NULL, *lower = NULL, *own = NULL, *flat = wrap(x, &A, 0);
    dense_fill(&A, 1);
    check(!tsl_tiled_wrap(x, TSL_D, SIDE, SIDE, A.data, A.ld, NB, &upper) && !tsl_tiled_create(x, TSL_D, SIDE, SIDE, NB, &own) &&
              !tsl_tiled_wrap(x, TSL_D, SIDE, SIDE, dense_at(&A, SIDE, 0), A.ld, NB, &lower), "wrap: %s", tsl_error(x));
    check(!tsl_set(x, "policy", "write-back") && !tsl_counters_reset(x) && !tsl_begin(x), "begin");
    for (int i = 0; i < 5; i++) check(!tsl_scale(x, 2, tsl_whole(upper)) && !tsl_scale(x, 2, tsl_whole(lower)), "scale: %s", tsl_error(x));
    check(!tsl_wait(x) && !tsl_counters_get(x, &n) && n.to_device == 2 * T * T && n.to_host == 2 * T * T,
          "%s: two blocks of an array in a region: %d and %d tiles move", spec, (int)n.to_device, (int)n.to_host);
    check(dense_get(&A, 0, 0) == 32 && dense_get(&A, 2 * SIDE - 1, SIDE - 1) == 32, "both are scaled");
    check(!tsl_copy(x, tsl_whole(upper), tsl_whole(own)) && !tsl_counters_reset(x), "copy");
    for (int i = 0; i < 5; i++) check(!tsl_scale(x, 2, tsl_whole(own)), "scale: %s", tsl_error(x));
    check(!tsl_counters_get(x, &n) && n.to_device == 0 && n.to_host == 0, "%s: storage of ours, call after call: %d tiles move", spec, (int)n.to_device);
    check(!tsl_counters_reset(x) && !tsl_scale(x, 2, tsl_whole(upper)) && !tsl_scale(x, 2, tsl_whole(upper)) && !tsl_counters_get(x, &n) &&
              n.to_device == 2 * T * T, "%s: the caller's array is read by each call: %d tiles move", spec, (int)n.to_device);
    check(!tsl_copy(x, tsl_whole(own), tsl_whole(upper)) && dense_get(&A, 5, 5) == 32 * 32, "ours: %g", creal(dense_get(&A, 5, 5)));
    tsl_matrix_free(upper), tsl_matrix_free(lower), tsl_matrix_free(own), tsl_matrix_free(flat);
    tsl_context_destroy(x);
    dense_free(&A);
    checked("%s: what is kept", spec);
}

/* Memory of a device's, wrapped: work on it that no call has waited for comes first. */
static void test_on_device(const char *spec)
{
    enum { SIDE = 300 };
    tsl_context *x = make(spec);
    dense A = dense_make(TSL_D, SIDE, SIDE, CANARY_FINITE);
    tsl_matrix *host = wrap(x, &A, 0), *s = NULL, *y = NULL, *tiled = NULL;
    dense_fill(&A, 1);
    check(!tsl_matrix_create(x, TSL_D, SIDE, SIDE, &s) && !tsl_matrix_create(x, TSL_D, SIDE, SIDE, &y) &&
              !tsl_copy(x, tsl_whole(host), tsl_whole(y)) && !tsl_scale(x, 0, tsl_whole(s)), "create: %s", tsl_error(x));
    check(!tsl_tiled_wrap(x, TSL_D, SIDE, SIDE, tsl_matrix_data(s), tsl_matrix_ld(s), 64, &tiled), "wrap: %s", tsl_error(x));
    for (int region = 0; region < 2; region++) {
        if (region) check(!tsl_begin(x), "begin");
        for (int i = 0; i < 4; i++) check(!tsl_gemm(x, 1, tsl_whole(y), tsl_whole(y), 0, tsl_whole(s)), "gemm");
        check(!tsl_copy(x, tsl_whole(y), tsl_whole(s)) && !tsl_scale(x, 3, tsl_whole(tiled)), "%s: scale: %s", spec, tsl_error(x));
        check(!tsl_scale(x, 2, tsl_whole(s)) && !tsl_scale(x, 5, tsl_whole(tiled)) && !tsl_wait(x), "%s: wait: %s", spec, tsl_error(x));
        dense_fill(&A, NAN);
        check(!tsl_copy(x, tsl_whole(s), tsl_whole(host)) && all(&A, 30), "%s, region %d: in order: %g", spec, region, creal(dense_get(&A, 9, 9)));
        dense_fill(&A, 1);
    }
    tsl_matrix_free(host), tsl_matrix_free(s), tsl_matrix_free(y), tsl_matrix_free(tiled);
    tsl_context_destroy(x);
    dense_free(&A);
    checked("%s: a device's memory, wrapped", spec);
}

int main(void)
{
    for (int s = 0; s < SPECS; s++) {
        tsl_context *x = make(specs[s]);
        for (int p = 0; p < 5; p++) {
            char name[40];
            snprintf(name, sizeof name, "%s %s", specs[s], policies[p]);
            check(!tsl_set(x, "policy", policies[p]), "set");
            test_between(x, name, TSL_D);
            test_between(x, name, TSL_Z);
            test_inside(x, name);
            test_parts(x, name);
        }
        tsl_context_destroy(x);
        checked("%s: every call sees what is in the array", specs[s]);
    }
    test_kept("host:1");
    test_kept("host:2");
    test_on_device("host:1");
    test_on_device("host:2");
    return tap_done();
}
