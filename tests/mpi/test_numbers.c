/* What makes numbers of distributed matrices and vectors, and level 1. */
#include <math.h>

#include "values.h"

/* Norms of blocks, whole and triangular, seen both ways. */
static void norms(const team *t, tsl_context *x, tsl_type type, unsigned layout)
{
    tsl_layout l = kind(t, layout);
    tsl_matrix *A = NULL;
    double worst = 0;
    int good = !tsl_matrix_create_on(x, &l, type, M, N, &A) && put_values(x, tsl_whole(A), 1);
    for (int k = TSL_NORM_MAX; k <= TSL_NORM_FRO && good; k++)
        for (int s = 0; s < 6; s++) {
            tsl_structure st = (tsl_structure)(s % 3);
            tsl_view v = tsl_sub(tsl_whole(A), 2, 1, st == TSL_TRIANGULAR ? M - 2 : N - 1, N - 1);
            if (s) v = s % 2 ? tsl_lower(v) : tsl_upper(v);
            if (s == 5) v = tsl_unit(v);
            double got = -1, sum[2][M] = {{0}}, max = 0, square = 0;
            for (int64_t j = 0; j < v.n; j++)
                for (int64_t i = 0; i < v.m; i++) {
                    int64_t gi = v.i + i, gj = v.j + j;
                    bool low = v.uplo == TSL_LOWER ? i > j : i < j;
                    tsl_scalar e = v.uplo == TSL_GENERAL || low || i == j ? value(gi, gj)
                                   : st == TSL_TRIANGULAR                 ? 0
                                                                          : value(v.i + j, v.j + i);
                    if (type < TSL_C) e = creal(e);
                    if (i == j && v.uplo) e = v.diag == TSL_UNIT ? 1 : st == TSL_HERMITIAN ? creal(e) : e;
                    double size = cabs(e);
                    sum[0][j] += size, sum[1][i] += size, max = tsl_larger(max, size), square += size * size;
                }
            double want = k == TSL_NORM_MAX ? max : sqrt(square);
            if (k == TSL_NORM_ONE || k == TSL_NORM_INF)
                for (int64_t i = want = 0; i < M; i++) want = tsl_larger(want, sum[k == TSL_NORM_INF][i]);
            bool flip = s % 2 && k != TSL_NORM_MAX; /* as seen through a transposition, columns are rows */
            tsl_norm_kind ask = flip && k != TSL_NORM_FRO ? (tsl_norm_kind)(TSL_NORM_ONE + TSL_NORM_INF - k) : (tsl_norm_kind)k;
            good &= !tsl_norm(x, ask, st, flip ? tsl_herm(v) : v, &got);
            worst = worse(worst, fabs(got - want) / (want * tsl_type_eps(type)));
        }
    all_ok(t, good && worst < 30, "%c: norms of layout %u, off by %.2g", tsl_type_letter(type), layout, worst);
    tsl_matrix_free(A);
}

/* Level 1 on vectors that lie in different ways: a column, a row, and one over all processes. */
static void vectors(const team *t, tsl_context *x, tsl_type type)
{
    tsl_layout la = tsl_layout_matrix(t->grid, 3), lv = kind(t, 4);
    tsl_matrix *A = NULL, *V = NULL;
    int good = !tsl_matrix_create_on(x, &la, type, M, N, &A) && !tsl_matrix_create_on(x, &lv, type, N, 1, &V);
    good = good && put_values(x, tsl_whole(A), 1) && put_values(x, tsl_whole(V), 1);
    tsl_view row = tsl_sub(tsl_whole(A), 2, 0, 1, N), col = tsl_sub(tsl_whole(A), 4, 3, N, 1), v = tsl_whole(V);
    bool pairs = type >= TSL_C;
    tsl_scalar dot = 0, want = 0, alpha = pairs ? CMPLX(2, 1) : 2;
    double nrm2 = 0, asum = 0, square = 0, sum = 0, eps = 100 * tsl_type_eps(type);
    for (int64_t i = 0; i < N; i++) {
        tsl_scalar r = value(2, i), c = value(4 + i, 3);
        if (!pairs) r = creal(r), c = creal(c);
        want += conj(r) * c;
        square += creal(c * conj(c)), sum += fabs(creal(c)) + fabs(cimag(c));
    }
    good = good && !tsl_dot(x, tsl_conj(row), col, &dot) && !tsl_nrm2(x, col, &nrm2) && !tsl_asum(x, col, &asum);
    all_ok(t,
           good && cabs(dot - want) <= eps * cabs(want) && fabs(nrm2 - sqrt(square)) <= eps * nrm2 &&
               fabs(asum - sum) <= eps * sum,
           "%c: dot, nrm2, asum", tsl_type_letter(type));
    good = !tsl_scal(x, 3, v) && has_values(x, v, TSL_NOTRANS, 3, 0, 0) && !tsl_axpy(x, alpha, row, v);
    dense d = fetch_local(x, v);
    for (int64_t i = 0; i < d.m; i++) {
        int64_t g = tsl_global_row(v, i);
        tsl_scalar y = 3 * value(g, 0) + alpha * value(2, g);
        good &= dense_get(&d, i, 0) == (pairs ? y : CMPLX(3 * creal(value(g, 0)) + 2 * creal(value(2, g)), 0));
    }
    all_ok(t, good, "%c: scal, axpy", tsl_type_letter(type));
    dense_free(&d);
    tsl_matrix_free(A), tsl_matrix_free(V);
}

/* Random numbers of a block, or a triangle, seen in one of several ways */
static tsl_view some(tsl_matrix *A, int way)
{
    tsl_view v = tsl_sub(tsl_whole(A), 2, 1, N - 2, N - 3);
    return way == 0 ? tsl_whole(A) : way == 1 ? tsl_herm(v) : way == 2 ? tsl_lower(v) : tsl_upper(way == 3 ? v : tsl_trans(v));
}

/* They are those of an ordinary matrix, and the rest stays. */
static void random_numbers(const team *t, tsl_context *x, tsl_type type, unsigned layout)
{
    tsl_layout l = kind(t, layout);
    int good = 1;
    for (int way = 0; way < 5; way++) {
        tsl_matrix *A = NULL, *R = NULL;
        dense r = dense_make(type, M, N, CANARY_FINITE);
        good &= !tsl_matrix_create_on(x, &l, type, M, N, &A) && !tsl_matrix_wrap(x, type, M, N, r.data, r.ld, &R);
        good = good && !tsl_laset(x, 7, 7, tsl_whole(A)) && !tsl_laset(x, 7, 7, tsl_whole(R));
        good = good && !tsl_random(x, 5, some(A, way)) && !tsl_random(x, 5, some(R, way)) && !tsl_wait(x);
        tsl_view all = tsl_whole(A);
        dense d = fetch_local(x, tsl_whole(A));
        for (int64_t j = 0; j < d.n && good; j++)
            for (int64_t i = 0; i < d.m; i++) good &= dense_get(&d, i, j) == dense_get(&r, tsl_global_row(all, i), tsl_global_col(all, j));
        dense_free(&d), dense_free(&r);
        tsl_matrix_free(A), tsl_matrix_free(R);
    }
    all_ok(t, good, "%c: random numbers of layout %u: %s", tsl_type_letter(type), layout, tsl_error(x));
}

int main(int argc, char **argv)
{
    team t = team_open(argc, argv);
    static const char *const specs[] = {"host", "host:1,mem=64M"};
    for (int s = 0; s < 2; s++) {
        tsl_context *x = team_context(&t, specs[s]);
        for (int type = TSL_S; type <= TSL_Z; type++) {
            vectors(&t, x, (tsl_type)type);
            for (unsigned k = (unsigned)type; k < LAYOUTS; k += 4) random_numbers(&t, x, (tsl_type)type, k);
            for (unsigned k = 0; k < 4; k++) norms(&t, x, (tsl_type)type, k == 3 ? 9 : k); /* the last with copies */
        }
        tsl_context_destroy(x);
    }
    return team_close(&t);
}
