/* Matrices for tests of LU, and LAPACK's own answers. Pivots are arrays of TSL_INDEX with canaries like all others. */
#ifndef LU_H
#define LU_H

#include <complex.h>
#define lapack_complex_float float _Complex
#define lapack_complex_double double _Complex
#include <lapacke.h>

#include "reference.h"

/* PLANTED: P^T L U with multipliers of at most 1/2, so that no rounding decides a pivot. The pivots of
 * ONES and of WILKINSON, whose U grows to 2^(n-1), are the first of equals. */
typedef enum lu_kind { RANDOM, PLANTED, GRADED, ILL, WILKINSON, ZEROS, ZERO_COLUMN, ONES, LU_KINDS } lu_kind;
static const char *const lu_kind_name[LU_KINDS] = {"random", "planted", "graded", "ill-conditioned", "wilkinson", "zeros",
                                                   "zero column", "ones"};
/* Are its pivots those of any right algorithm? */
static inline bool lu_unique(lu_kind kind) { return kind != RANDOM && kind != GRADED && kind != ILL; }

static inline int64_t lu_min(int64_t a, int64_t b) { return a < b ? a : b; }

static inline void lu_planted(const dense *A, uint64_t seed)
{
    int64_t d = lu_min(A->m, A->n);
    dense F = dense_make(TSL_Z, A->m, A->n, CANARY_FINITE), X = dense_make(TSL_Z, A->m, A->n, CANARY_FINITE);
    dense_random(&F, seed);
    for (int64_t j = 0; j < A->n; j++)
        for (int64_t i = 0; i < A->m; i++) {
            tsl_scalar v = dense_get(&F, i, j);
            if (!tsl_is_complex(A->t)) v = creal(v) * M_SQRT2;
            dense_put(&F, i, j, i == j ? 1.5 + 0.25 * v : i > j ? 0.5 / M_SQRT2 * v : v / (double)d);
        }
    for (int64_t j = 0; j < A->n; j++)
        for (int64_t i = 0; i < A->m; i++) {
            tsl_scalar sum = 0;
            for (int64_t k = 0; k < d && k <= j && k <= i; k++) sum += (k == i ? 1 : dense_get(&F, i, k)) * dense_get(&F, k, j);
            dense_put(&X, i, j, sum);
        }
    for (int64_t j = 0; j < A->n; j++) /* the rows in another order */
        for (int64_t i = 0; i < A->m; i++) dense_put(A, (i + A->m / 3 + 1) % A->m, j, dense_get(&X, i, j));
    dense_free(&F), dense_free(&X);
}

static inline dense lu_matrix(tsl_type t, int64_t m, int64_t n, lu_kind kind, uint64_t seed)
{
    dense A = dense_make(t, m, n, CANARY_FINITE);
    dense_random(&A, seed);
    if (kind == PLANTED || kind == ZERO_COLUMN) lu_planted(&A, seed);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < m; i++) {
            tsl_scalar v = dense_get(&A, i, j);
            double step = (double)(i + 2 * j) / (double)(m + 2 * n);
            if (kind == GRADED) v *= exp2(-20 * step);
            if (kind == ILL) v = 1 / (double)(i + j + 1);
            if (kind == WILKINSON) v = i == j || j == n - 1 ? 1 : i > j ? -1 : 0;
            if (kind == ZEROS || (kind == ZERO_COLUMN && j == n / 2)) v = 0;
            if (kind == ONES) v = 1;
            dense_put(&A, i, j, v);
        }
    return A;
}

static inline dense lu_pivots(int64_t count)
{
    dense p = dense_make(TSL_INDEX, count, 1, CANARY_FINITE);
    for (int64_t i = 0; i < count; i++) *(int64_t *)dense_at(&p, i, 0) = -4711;
    return p;
}

static inline int64_t lu_pivot(const dense *p, int64_t i) { return *(const int64_t *)dense_at(p, i, 0); }

/* LAPACK's factors, pivots and info */
static inline int64_t lu_lapack(dense *A, dense *p)
{
    int64_t d = lu_min(A->m, A->n);
    lapack_int *ipiv = malloc((size_t)(d + 1) * sizeof *ipiv), info, m = (lapack_int)A->m, n = (lapack_int)A->n, ld = (lapack_int)A->ld;
    if (!ipiv) abort();
    switch (A->t) {
    case TSL_S: info = LAPACKE_sgetrf_work(LAPACK_COL_MAJOR, m, n, (void *)A->data, ld, ipiv); break;
    case TSL_D: info = LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, m, n, (void *)A->data, ld, ipiv); break;
    case TSL_C: info = LAPACKE_cgetrf_work(LAPACK_COL_MAJOR, m, n, (void *)A->data, ld, ipiv); break;
    default: info = LAPACKE_zgetrf_work(LAPACK_COL_MAJOR, m, n, (void *)A->data, ld, ipiv);
    }
    for (int64_t i = 0; i < d; i++) *(int64_t *)dense_at(p, i, 0) = ipiv[i];
    free(ipiv);
    return info;
}

/* In 1..m, and none before its own row */
static inline bool lu_in_range(const dense *p, int64_t m)
{
    for (int64_t i = 0; i < p->m; i++)
        if (lu_pivot(p, i) < i + 1 || lu_pivot(p, i) > m) return false;
    return true;
}

static inline double lu_norm1(const dense *A)
{
    double most = 0;
    for (int64_t j = 0; j < A->n; j++) {
        double sum = 0;
        for (int64_t i = 0; i < A->m; i++) sum += cabs(dense_get(A, i, j));
        most = sum <= most ? most : sum;
    }
    return most;
}

/* |P A - L U| / (max(m,n) eps |A|), in the norm of column sums; infinite if anything is not a number */
static inline double lu_residual(const dense *A, const dense *F, const dense *p)
{
    int64_t m = A->m, n = A->n, d = lu_min(m, n);
    double worst = 0, size = lu_norm1(A);
    tsl_scalar *column = malloc((size_t)(m + 1) * sizeof *column);
    if (!column) abort();
    for (int64_t j = 0; j < n; j++) {
        double sum = 0;
        for (int64_t i = 0; i < m; i++) column[i] = dense_get(A, i, j);
        for (int64_t i = 0; i < d; i++) {
            int64_t with = lu_pivot(p, i) - 1;
            tsl_scalar v = column[i];
            column[i] = column[with], column[with] = v;
        }
        for (int64_t k = 0; k < d && k <= j; k++) {
            tsl_scalar u = dense_get(F, k, j);
            for (int64_t i = k; i < m; i++) column[i] -= (i == k ? 1 : dense_get(F, i, k)) * u;
        }
        for (int64_t i = 0; i < m; i++) sum += cabs(column[i]);
        worst = sum <= worst ? worst : isnan(sum) ? INFINITY : sum;
    }
    free(column);
    return worst == 0 ? 0 : worst / ((double)(m > n ? m : n) * tsl_type_eps(A->t) * size);
}

/* |op(A) X - B| / (n eps |A| |X|) */
static inline double lu_solution_residual(const operand *A, const dense *X, const dense *B)
{
    int64_t n = A->d->n;
    double worst = 0, size = lu_norm1(X);
    for (int64_t j = 0; j < X->n; j++) {
        double sum = 0;
        for (int64_t i = 0; i < n; i++) {
            tsl_scalar r = dense_get(B, i, j);
            for (int64_t k = 0; k < n; k++) r -= seen(A, i, k) * dense_get(X, k, j);
            sum += cabs(r);
        }
        worst = sum <= worst ? worst : isnan(sum) ? INFINITY : sum;
    }
    double of = lu_norm1(A->d) * size; /* of A^T within a factor of n; the matrices here are as large both ways */
    return worst == 0 ? 0 : worst / ((double)n * tsl_type_eps(X->t) * of);
}

static inline job lu_job(tsl_opcode op, dense *A, dense *p, dense *B) { return (job){.op = op, .v = {{.d = A}, {.d = p}, {.d = B}}, .info = -77}; }

#endif
