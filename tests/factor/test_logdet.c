/* Determinants by the factors of LU and Cholesky: against a product of pivots in long double; every type and op, blocks of
 * larger matrices, on devices and by tiles; determinants far beyond the range of numbers; singular matrices, NaN; what is
 * refused. */
#include "mixed.h"

typedef struct answer {
    long double logabs;
    long double _Complex phase;
} answer;

/* By LU with partial pivoting in long double */
static answer exact(const dense *A)
{
    typedef long double _Complex wide;
    int64_t n = A->n;
    wide *F = malloc((size_t)(n * n + 1) * sizeof *F);
    answer a = {0, 1};
    if (!F) abort();
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++) F[i + j * n] = dense_get(A, i, j);
    for (int64_t c = 0; c < n; c++) {
        int64_t p = c;
        for (int64_t i = c; i < n; i++) p = cabsl(F[i + c * n]) > cabsl(F[p + c * n]) ? i : p;
        for (int64_t j = 0; j < n; j++) {
            wide t = F[c + j * n];
            F[c + j * n] = F[p + j * n], F[p + j * n] = t;
        }
        wide d = F[c + c * n];
        a.logabs += logl(cabsl(d));
        a.phase *= (p == c ? 1 : -1) * d / cabsl(d);
        for (int64_t i = c + 1; i < n; i++) {
            wide f = F[i + c * n] / d;
            for (int64_t j = c + 1; j < n; j++) F[i + j * n] -= f * F[c + j * n];
        }
    }
    free(F);
    return a;
}

typedef struct place {
    const char *spec;
    int tile; /* 0: flat */
} place;

/* The block from (2, 1) on, if `inner`; A is n x n there */
static void determinant(tsl_context *x, place at, tsl_type t, int64_t n, bool cholesky, tsl_op op, bool inner, double scale)
{
    int64_t i0 = inner ? 2 : 0, j0 = inner ? 1 : 0;
    dense A = mixed_matrix(t, n, n > 1 ? 2 : 0, GEOMETRIC, cholesky, (uint64_t)n + 1), W = dense_make(t, n + i0, n + j0, CANARY_FINITE);
    dense_random(&W, 3);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++) {
            tsl_scalar v = scale * dense_get(&A, i, j);
            dense_put(&W, i + i0, j + j0, v), dense_put(&A, i, j, v);
        }
    answer want = exact(&A);
    tsl_matrix *a = NULL, *p = NULL;
    tsl_scalar phase = 77;
    double logabs = 77;
    int64_t info = -1, tile = at.tile;
    tsl_status st = tile ? tsl_tiled_wrap(x, t, W.m, W.n, W.data, W.ld, tile, &a) : tsl_matrix_wrap(x, t, W.m, W.n, W.data, W.ld, &a);
    if (!st) st = tsl_matrix_create(x, TSL_INDEX, n, 1, &p);
    tsl_view v = tsl_sub(tsl_whole(a), i0, j0, n, n);
    if (cholesky) v = tsl_lower(v);
    if (!st) st = cholesky ? tsl_potrf(x, v, &info) : tsl_getrf(x, v, tsl_whole(p), &info);
    if (op & TSL_TRANS) v = tsl_trans(v);
    if (op & TSL_CONJ) v = tsl_conj(v);
    if (!st) st = tsl_logdet(x, v, cholesky ? (tsl_view){0} : tsl_whole(p), &phase, &logabs);
    double eps = tsl_type_eps(t), limit = 40 * (double)(n + 1) * eps * 100; /* the condition is 100 */
    long double _Complex turned = op & TSL_CONJ ? conjl(want.phase) : want.phase;
    check(!st && !info, "%s, tile %d: %c, order %d: %s, info %d", at.spec, at.tile, tsl_type_letter(t), (int)n, tsl_error(x), (int)info);
    check(fabsl(logabs - want.logabs) <= limit && cabsl(phase - turned) <= limit && fabs(cabs(phase) - 1) < 4 * tsl_type_eps(TSL_D),
          "%s, tile %d: %c, order %d%s, op %d: %g %g%+gi, not %Lg %Lg%+Lgi", at.spec, at.tile, tsl_type_letter(t), (int)n, cholesky ? ", Cholesky" : "", op,
          logabs, creal(phase), cimag(phase), want.logabs, creall(turned), cimagl(turned));
    if (!at.tile && !op && !inner) { /* the typed call, on the same factors */
        int64_t *piv = malloc((size_t)(n + 1) * sizeof *piv);
        tsl_matrix *q = NULL;
        union { float s; double d; tsl_cfloat c; tsl_cdouble z; } turn = {.z = 77};
        double again = 77;
        char how = cholesky ? 'L' : 'G';
        if (!piv) abort();
        st = tsl_matrix_wrap(x, TSL_INDEX, n, 1, piv, n ? n : 1, &q);
        if (!st) st = tsl_copy(x, tsl_whole(p), tsl_whole(q));
        const int64_t *ipiv = cholesky ? NULL : piv;
        void *data = W.data;
        if (!st && t == TSL_S) st = tsl_slogdet(x, how, n, data, W.ld, ipiv, &turn.s, &again), turn.z = turn.s;
        else if (!st && t == TSL_D) st = tsl_dlogdet(x, how, n, data, W.ld, ipiv, &turn.d, &again), turn.z = turn.d;
        else if (!st && t == TSL_C) st = tsl_clogdet(x, how, n, data, W.ld, ipiv, &turn.c, &again), turn.z = turn.c;
        else if (!st) st = tsl_zlogdet(x, how, n, data, W.ld, ipiv, &turn.z, &again);
        check(!st && again == logabs && cabs(turn.z - phase) <= 2 * eps, "%s: %clogdet, order %d: %s, %g %g", at.spec, tsl_type_letter(t), (int)n,
              tsl_error(x), again, creal(turn.z));
        tsl_matrix_free(q);
        free(piv);
    }
    tsl_matrix_free(a), tsl_matrix_free(p);
    dense_free(&A), dense_free(&W);
}

static void all_of(tsl_context *x, place at)
{
    static const int64_t orders[] = {0, 1, 2, 5, 33, 97};
    for (int t = 0; t < 4; t++)
        for (int k = 0; k < 6; k++)
            for (int op = 0; op < 4; op++)
                for (int cholesky = 0; cholesky < 2; cholesky++)
                    determinant(x, at, all_types[t], orders[k], cholesky, (tsl_op)op, op & 1, 1);
    for (int t = 0; t < 4; t++)
        for (int k = 0; k < 4; k++) determinant(x, at, all_types[t], 33, k & 1, TSL_NOTRANS, false, k & 2 ? 1e30 : 1e-25); /* 1e990, 1e-825 */
    checked("%s%s: determinants", at.spec, at.tile ? ", tiled" : "");
}

static void extremes(tsl_context *x)
{
    double a[] = {1e-310, 0, 1, 1e-310}, huge[] = {1e308, 0, 0, 1e308}, zero[] = {0, 0, 5, 7}, nan[] = {1, 0, 0, NAN}, phase = 7, logabs = 7;
    double complex z[] = {CMPLX(1e308, 1e308), 0, 0, CMPLX(0, -1e308)}, turn;
    int64_t p[] = {1, 2}, swap[] = {2, 2}, bad[] = {1, 3}, low[] = {0, 2};
    check(!tsl_dlogdet(x, 'G', 2, a, 2, p, &phase, &logabs) && phase == 1 && fabs(logabs - 2 * log(1e-310)) < 1e-10, "subnormal: %g", logabs);
    check(!tsl_dlogdet(x, 'g', 2, huge, 2, swap, &phase, &logabs) && phase == -1 && fabs(logabs - 2 * log(1e308)) < 1e-10, "huge: %g", logabs);
    check(!tsl_zlogdet(x, 'G', 2, z, 2, p, &turn, &logabs) && cabs(turn - cexp(-I * acos(-1.0) / 4)) < 1e-15 &&
              fabs(logabs - 2 * log(1e308) - log(2) / 2) < 1e-10, "huge and complex: %g, %g%+gi", logabs, creal(turn), cimag(turn));
    check(!tsl_dlogdet(x, 'G', 2, zero, 2, p, &phase, &logabs) && phase == 0 && logabs == -INFINITY, "singular: %g %g", phase, logabs);
    check(!tsl_dlogdet(x, 'L', 2, zero, 2, NULL, &phase, &logabs) && phase == 0 && logabs == -INFINITY, "singular, Cholesky: %g %g", phase, logabs);
    check(!tsl_dlogdet(x, 'G', 2, nan, 2, p, &phase, &logabs) && isnan(phase) && isnan(logabs), "NaN: %g %g", phase, logabs);
    check(!tsl_dlogdet(x, 'G', 0, NULL, 1, NULL, &phase, &logabs) && phase == 1 && logabs == 0, "order 0: %g %g", phase, logabs);
    phase = logabs = 7;
    check(tsl_dlogdet(x, 'G', 2, a, 2, bad, &phase, &logabs) == TSL_ERR_PIVOT && strstr(tsl_error(x), "dlogdet: pivot 2 is 3"), "%s", tsl_error(x));
    check(tsl_dlogdet(x, 'G', 2, a, 2, low, &phase, &logabs) == TSL_ERR_PIVOT && phase == 7 && logabs == 7, "a pivot of 0: %s", tsl_error(x));
    check(tsl_dlogdet(x, 'X', 2, a, 2, p, &phase, &logabs) == TSL_ERR_FLAG && tsl_dlogdet(x, 'G', -1, a, 2, p, &phase, &logabs) == TSL_ERR_SIZE &&
              tsl_dlogdet(x, 'G', 2, NULL, 2, p, &phase, &logabs) == TSL_ERR_NULL && tsl_dlogdet(x, 'G', 2, a, 1, p, &phase, &logabs) == TSL_ERR_LD &&
              tsl_dlogdet(x, 'G', 2, a, 2, NULL, &phase, &logabs) == TSL_ERR_NULL && tsl_dlogdet(x, 'G', 2, a, 2, p, NULL, &logabs) == TSL_ERR_NULL &&
              tsl_dlogdet(x, 'G', 2, a, 2, p, &phase, NULL) == TSL_ERR_NULL, "bad arguments");
    tsl_matrix *m, *q, *r;
    tsl_scalar t = 7;
    check(!tsl_matrix_create(x, TSL_D, 4, 5, &m) && !tsl_matrix_create(x, TSL_INDEX, 4, 1, &q) && !tsl_matrix_create(x, TSL_D, 4, 1, &r), "matrices");
    tsl_view A = tsl_sub(tsl_whole(m), 0, 0, 4, 4), P = tsl_whole(q);
    check(tsl_logdet(x, tsl_whole(m), P, &t, &logabs) == TSL_ERR_SHAPE && tsl_logdet(x, A, tsl_sub(P, 0, 0, 3, 1), &t, &logabs) == TSL_ERR_SHAPE &&
              tsl_logdet(x, A, tsl_whole(r), &t, &logabs) == TSL_ERR_TYPE && tsl_logdet(x, A, (tsl_view){0}, &t, &logabs) == TSL_ERR_VIEW &&
              tsl_logdet(x, (tsl_view){0}, P, &t, &logabs) == TSL_ERR_VIEW && tsl_logdet(x, tsl_unit(tsl_lower(A)), P, &t, &logabs) == TSL_ERR_UPLO &&
              tsl_logdet(x, A, P, NULL, &logabs) == TSL_ERR_NULL && tsl_logdet(x, A, P, &t, NULL) == TSL_ERR_NULL && t == 7 && logabs == 7, "views");
    check(!strncmp(tsl_error(x), "logdet: ", 8), "says '%s'", tsl_error(x));
    tsl_matrix_free(m), tsl_matrix_free(q), tsl_matrix_free(r);
    checked("beyond the range of numbers, singular, NaN, refused");
}

int main(void)
{
    static const place places[] = {{"host", 0}, {"host:1,mem=64M", 0}, {"host:2", 40}, {NULL, 0}};
    for (int i = 0; i < 4; i++) {
        tsl_config cfg = tsl_config_default();
        tsl_context *x;
        cfg.devices = places[i].spec;
        if (tsl_context_create(&cfg, &x)) return puts("Bail out! no context"), 1;
        all_of(x, (place){places[i].spec ? places[i].spec : "default", places[i].tile});
        if (!places[i].tile) extremes(x);
        tsl_context_destroy(x);
    }
    return tap_done();
}
