/* Systems of a given condition for tests of mixed precision, and their solutions' backward errors in long double. */
#ifndef MIXED_H
#define MIXED_H

#include <complex.h>
#define lapack_complex_float float _Complex
#define lapack_complex_double double _Complex
#include <lapacke.h>

#include "job.h"

/* Singular values: GEOMETRIC between 1 and the least, ONE_SMALL the least alone, ONE_LARGE 1 alone */
typedef enum spectrum { GEOMETRIC, ONE_SMALL, ONE_LARGE, SPECTRA } spectrum;
typedef long double _Complex wide;

static inline tsl_scalar mixed_number(tsl_type t, uint64_t *seed)
{
    double re = dense_uniform(seed), im = dense_uniform(seed);
    return tsl_is_complex(t) ? CMPLX(re, im) : re;
}

/* A := H A or A H, H the reflection of a random vector */
static inline void mixed_reflect(const dense *A, uint64_t seed, bool left)
{
    int64_t n = A->n;
    tsl_scalar *v = malloc((size_t)(n + 1) * sizeof *v);
    double size = 0;
    if (!v) abort();
    for (int64_t i = 0; i < n; i++) v[i] = mixed_number(A->t, &seed), size += creal(v[i] * conj(v[i]));
    for (int64_t j = 0; j < n; j++) {
        tsl_scalar dot = 0;
        for (int64_t i = 0; i < n; i++) dot += left ? conj(v[i]) * dense_get(A, i, j) : dense_get(A, j, i) * v[i];
        dot *= 2 / size;
        for (int64_t i = 0; i < n; i++) {
            if (left) dense_put(A, i, j, dense_get(A, i, j) - dot * v[i]);
            else dense_put(A, j, i, dense_get(A, j, i) - dot * conj(v[i]));
        }
    }
    free(v);
}

/* Of condition 10^exponent; definite: Hermitian, and as positive definite as roundoff leaves it */
static inline dense mixed_matrix(tsl_type t, int64_t n, double exponent, spectrum kind, bool definite, uint64_t seed)
{
    dense A = dense_make(t, n, n, CANARY_FINITE);
    double least = pow(10, -exponent);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++) {
            double s = kind == GEOMETRIC ? pow(least, (double)i / (double)(n > 1 ? n - 1 : 1)) : kind == ONE_SMALL ? (i == n - 1 ? least : 1) : i ? least : 1;
            dense_put(&A, i, j, i == j ? s : 0);
        }
    for (uint64_t k = 0; k < 3; k++) {
        mixed_reflect(&A, seed + k, true);
        mixed_reflect(&A, definite ? seed + k : seed + 100 + k, false);
    }
    for (int64_t j = 0; j < n && definite; j++)
        for (int64_t i = 0; i <= j; i++) dense_put(&A, i, j, i == j ? creal(dense_get(&A, j, j)) : conj(dense_get(&A, j, i)));
    return A;
}

/* The largest |b - A x| / (|A| |x|) of a column, A as seen through op; infinite if anything is not a number */
static inline double mixed_backward(const dense *A, tsl_op op, const dense *B, const dense *X)
{
    double size = 0, worst = 0;
    for (int64_t i = 0; i < A->n; i++) {
        double sum = 0;
        for (int64_t j = 0; j < A->n; j++) sum += cabs(op & 1 ? dense_get(A, j, i) : dense_get(A, i, j));
        size = tsl_larger(size, sum);
    }
    for (int64_t k = 0; k < B->n; k++) {
        double most = 0, x = 0;
        for (int64_t i = 0; i < A->n; i++) {
            long double _Complex r = dense_get(B, i, k);
            for (int64_t j = 0; j < A->n; j++) {
                tsl_scalar a = op & 1 ? dense_get(A, j, i) : dense_get(A, i, j);
                r -= (long double _Complex)(op & 2 ? conj(a) : a) * dense_get(X, j, k);
            }
            double e = (double)cabsl(r);
            most = isnan(e) ? INFINITY : fmax(most, e);
            x = tsl_larger(x, cabs(dense_get(X, i, k)));
        }
        worst = worse(worst, most == 0 ? 0 : most / (size * x));
    }
    return worst;
}

/* The largest |x - exact| / |x| of a column, A as seen through op: the exact solution by LU in long double. Negative: that has
 * a zero pivot. */
static inline double mixed_forward(const dense *A, tsl_op op, const dense *B, const dense *X)
{
    int64_t n = A->n, k = B->n;
    wide *F = malloc((size_t)(n * (n + k) + 1) * sizeof *F), *E = F + n * n;
    double worst = 0;
    if (!F) abort();
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++) {
            tsl_scalar a = op & 1 ? dense_get(A, j, i) : dense_get(A, i, j);
            F[i + j * n] = op & 2 ? conj(a) : a;
        }
    for (int64_t j = 0; j < k; j++)
        for (int64_t i = 0; i < n; i++) E[i + j * n] = dense_get(B, i, j);
    for (int64_t c = 0; c < n; c++) {
        int64_t p = c;
        for (int64_t i = c; i < n; i++) p = cabsl(F[i + c * n]) > cabsl(F[p + c * n]) ? i : p;
        if (F[p + c * n] == 0) return free(F), -1;
        for (int64_t j = 0; j < n + k; j++) { /* E's columns follow F's */
            wide t = F[c + j * n];
            F[c + j * n] = F[p + j * n], F[p + j * n] = t;
        }
        for (int64_t i = c + 1; i < n; i++) {
            wide f = F[i + c * n] / F[c + c * n];
            for (int64_t j = c + 1; j < n + k; j++) F[i + j * n] -= f * F[c + j * n];
        }
    }
    for (int64_t j = 0; j < k; j++) {
        double most = 0, x = 0;
        for (int64_t i = n - 1; i >= 0; i--) {
            for (int64_t l = i + 1; l < n; l++) E[i + j * n] -= F[i + l * n] * E[l + j * n];
            E[i + j * n] /= F[i + i * n];
            most = worse(most, (double)cabsl(E[i + j * n] - dense_get(X, i, j)));
            x = tsl_larger(x, cabs(dense_get(X, i, j)));
        }
        worst = worse(worst, most == 0 ? 0 : most / x);
    }
    free(F);
    return worst;
}

/* The backward error as LAPACK measures it, complex numbers by |re| + |im|, with a residual that is exact or nearly so */
static inline double mixed_backward_lapack(const dense *A, const dense *B, const dense *X)
{
    double size = 0, worst = 0;
    for (int64_t i = 0; i < A->n; i++) {
        double sum = 0;
        for (int64_t j = 0; j < A->n; j++) sum += cabs(dense_get(A, i, j));
        size = tsl_larger(size, sum);
    }
    for (int64_t j = 0; j < B->n; j++) {
        double most = 0, x = 0;
        for (int64_t i = 0; i < A->n; i++) {
            wide r = dense_get(B, i, j);
            tsl_scalar b = dense_get(X, i, j);
            for (int64_t l = 0; l < A->n; l++) r -= (wide)dense_get(A, i, l) * dense_get(X, l, j);
            most = worse(most, (double)(fabsl(creall(r)) + fabsl(cimagl(r))));
            x = tsl_larger(x, fabs(creal(b)) + fabs(cimag(b)));
        }
        worst = worse(worst, most == 0 ? 0 : most / (size * x));
    }
    return worst;
}

/* LAPACK's, by factors of double precision, or if `mixed`, without NaN, as dsgesv and its kin do it; X is overwritten, A by
 * what factors there are. */
static inline int64_t mixed_lapack(dense *A, const dense *B, dense *X, bool definite, bool mixed, int64_t *iter)
{
    lapack_int n = (lapack_int)A->n, k = (lapack_int)B->n, la = (lapack_int)A->ld, lb = (lapack_int)B->ld, lx = (lapack_int)X->ld, turns = 0, info;
    lapack_int *p = malloc((size_t)(n + 1) * sizeof *p);
    void *a = A->data, *x = X->data, *b = B->data;
    bool real = A->t == TSL_D;
    if (!p) abort();
    for (int64_t j = 0; j < B->n; j++)
        for (int64_t i = 0; i < B->m; i++) dense_put(X, i, j, dense_get(B, i, j));
    if (!mixed && definite)
        info = real ? LAPACKE_dposv_work(LAPACK_COL_MAJOR, 'L', n, k, a, la, x, lx) : LAPACKE_zposv_work(LAPACK_COL_MAJOR, 'L', n, k, a, la, x, lx);
    else if (!mixed)
        info = real ? LAPACKE_dgesv_work(LAPACK_COL_MAJOR, n, k, a, la, p, x, lx) : LAPACKE_zgesv_work(LAPACK_COL_MAJOR, n, k, a, la, p, x, lx);
    else if (definite)
        info = real ? LAPACKE_dsposv(LAPACK_COL_MAJOR, 'L', n, k, a, la, b, lb, x, lx, &turns)
                    : LAPACKE_zcposv(LAPACK_COL_MAJOR, 'L', n, k, a, la, b, lb, x, lx, &turns);
    else
        info = real ? LAPACKE_dsgesv(LAPACK_COL_MAJOR, n, k, a, la, p, b, lb, x, lx, &turns)
                    : LAPACKE_zcgesv(LAPACK_COL_MAJOR, n, k, a, la, p, b, lb, x, lx, &turns);
    if (iter) *iter = turns;
    free(p);
    return info;
}

/* Ours by the typed call; uplo 0: a general matrix */
static inline tsl_status mixed_typed(tsl_context *x, char uplo, dense *A, int64_t *p, const dense *B, dense *X, int64_t *iter, int64_t *info)
{
    void *a = A->data, *b = B->data, *y = X->data;
    int64_t n = A->n, k = B->n;
    if (A->t == TSL_D)
        return uplo ? tsl_dsposv(x, uplo, n, k, a, A->ld, b, B->ld, y, X->ld, iter, info)
                    : tsl_dsgesv(x, n, k, a, A->ld, p, b, B->ld, y, X->ld, iter, info);
    return uplo ? tsl_zcposv(x, uplo, n, k, a, A->ld, b, B->ld, y, X->ld, iter, info) : tsl_zcgesv(x, n, k, a, A->ld, p, b, B->ld, y, X->ld, iter, info);
}

/* Ours by views of arrays that are wrapped, or copied to the device first */
static inline tsl_status mixed_views(env *e, operand A, operand B, operand X, const tsl_solve_options *o, tsl_solution *s)
{
    const operand all[3] = {A, B, X};
    tsl_matrix *host[3] = {0}, *used[3] = {0};
    tsl_view v[3];
    tsl_status st = TSL_OK;
    for (int i = 0; i < 3 && !st; i++) {
        st = job_bind(e, all[i].d, &host[i], &used[i]);
        if (!st) v[i] = job_view(&all[i], used[i]);
    }
    if (!st) st = tsl_solve(e->ctx, v[0], v[1], v[2], o, s);
    for (int i = 0; i < 3; i++) {
        if (!st && used[i] != host[i]) st = tsl_copy(e->ctx, tsl_whole(used[i]), tsl_whole(host[i]));
        if (used[i] != host[i]) tsl_matrix_free(used[i]);
        tsl_matrix_free(host[i]);
    }
    return st;
}

#endif
