/* Blocks of matrices on a grid that are factored, and what comes of them. */
#ifndef LU_PROBLEM_H
#define LU_PROBLEM_H

#include "cases.h"
#include "whole.h"

enum { LIMIT = 30 };

/* Everybody has all of d and, after the factorization, of f and p; the block factored is m x n from (at, at) on. */
typedef struct problem {
    tsl_type type;
    int64_t m, n, at, count;
    tsl_matrix *A, *p;
    dense d, f;
    int64_t *piv, info;
} problem;

static inline tsl_view inner(const problem *k, tsl_matrix *A) { return tsl_sub(tsl_whole(A), k->at, k->at, k->m, k->n); }

static inline tsl_status put(const problem *k, tsl_context *x)
{
    return tsl_scatter(x, 0, k->d.data, k->d.ld, tsl_whole(k->A));
}

static inline tsl_status make(problem *k, const team *t, tsl_context *x, tsl_layout l, unsigned pivot_kind, tsl_type type,
                              int64_t m, int64_t n, int64_t at)
{
    *k = (problem){.type = type, .m = m, .n = n, .at = at, .count = m < n ? m : n,
                   .d = dense_make(type, m + at, n + at, CANARY_FINITE)};
    tsl_layout lp = layout_beside(t, pivot_kind, l, TSL_OVER_ROWS);
    k->piv = calloc((size_t)k->count + 1, sizeof *k->piv);
    dense_random(&k->d, (uint64_t)(m + 1000 * n));
    tsl_status st = tsl_matrix_create_on(x, &l, type, m + at, n + at, &k->A);
    return st ? st : tsl_matrix_create_on(x, &lp, TSL_INDEX, k->count, 1, &k->p);
}

static inline void drop(problem *k)
{
    tsl_matrix_free(k->A), tsl_matrix_free(k->p);
    dense_free(&k->d), dense_free(&k->f);
    free(k->piv);
}

static inline tsl_status fetch_pivots(const problem *k, const team *t, tsl_context *x)
{
    tsl_matrix *W = NULL;
    tsl_layout l = tsl_layout_whole(t->grid, TSL_EVERY, TSL_EVERY);
    tsl_status st = tsl_matrix_wrap_on(x, &l, TSL_INDEX, k->count, 1, k->piv, k->count ? k->count : 1, &W);
    if (!st) st = tsl_copy(x, tsl_whole(k->p), tsl_whole(W));
    tsl_matrix_free(W);
    return st;
}

static inline tsl_status factor(problem *k, const team *t, tsl_context *x)
{
    dense_free(&k->f);
    k->info = -1;
    tsl_status st = put(k, x);
    if (!st) st = tsl_getrf(x, inner(k, k->A), tsl_whole(k->p), &k->info);
    if (!st) st = fetch_pivots(k, t, x);
    k->f = everything(x, k->A, k->m + k->at, k->n + k->at);
    return st;
}

/* By this process alone. */
static inline dense alone(const problem *k, tsl_context *x, int64_t *piv, int64_t *info)
{
    dense e = dense_copy(&k->d);
    tsl_matrix *W = NULL, *P = NULL;
    tsl_status st = tsl_matrix_wrap(x, e.t, e.m, e.n, e.data, e.ld, &W);
    if (!st) st = tsl_matrix_wrap(x, TSL_INDEX, k->count, 1, piv, k->count ? k->count : 1, &P);
    if (!st) st = tsl_getrf(x, inner(k, W), tsl_whole(P), info);
    if (st) *info = -2;
    tsl_matrix_free(W), tsl_matrix_free(P);
    return e;
}

/* C := A B - C of dense matrices, by this process. */
static inline void subtract(tsl_context *x, const dense *A, const dense *B, const dense *C)
{
    tsl_matrix *M[3] = {NULL};
    const dense *d[3] = {A, B, C};
    int good = 1;
    for (int i = 0; i < 3; i++) good &= !tsl_matrix_wrap(x, d[i]->t, d[i]->m, d[i]->n, d[i]->data, d[i]->ld, &M[i]);
    if (!good || tsl_gemm(x, 1, tsl_whole(M[0]), tsl_whole(M[1]), -1, tsl_whole(M[2]))) dense_fill(C, NAN);
    for (int i = 0; i < 3; i++) tsl_matrix_free(M[i]);
}

static inline double largest(const dense *d)
{
    double most = 0;
    for (int64_t j = 0; j < d->n; j++)
        for (int64_t i = 0; i < d->m; i++) {
            double v = cabs(dense_get(d, i, j));
            most = isnan(v) ? INFINITY : fmax(most, v);
        }
    return most;
}

/* |P A - L U| / (n eps |A|); infinite if something beside the block was written. */
static inline double residual(const problem *k, tsl_context *x)
{
    int64_t a = k->at, c = k->count;
    dense L = dense_make(k->type, k->m, c, 0), U = dense_make(k->type, c, k->n, 0), R = dense_make(k->type, k->m, k->n, 0);
    for (int64_t i = 0; i < k->m; i++)
        for (int64_t j = 0; j < c; j++) dense_put(&L, i, j, i > j ? dense_get(&k->f, a + i, a + j) : i == j);
    for (int64_t i = 0; i < c; i++)
        for (int64_t j = 0; j < k->n; j++) dense_put(&U, i, j, i <= j ? dense_get(&k->f, a + i, a + j) : 0);
    for (int64_t j = 0; j < k->n; j++)
        for (int64_t i = 0; i < k->m; i++) dense_put(&R, i, j, dense_get(&k->d, a + i, a + j));
    double size = largest(&R), worst = 0;
    for (int64_t i = 0; i < c; i++)
        for (int64_t j = 0, r = k->piv[i] - 1; j < k->n && r >= 0 && r < k->m; j++) {
            tsl_scalar v = dense_get(&R, i, j);
            dense_put(&R, i, j, dense_get(&R, r, j)), dense_put(&R, r, j, v);
        }
    subtract(x, &L, &U, &R);
    worst = largest(&R) / (tsl_type_eps(k->type) * (double)(k->m > k->n ? k->m : k->n) * size);
    for (int64_t j = 0; j < k->n + a; j++)
        for (int64_t i = 0; i < k->m + a; i++)
            if ((i < a || j < a) && dense_get(&k->f, i, j) != dense_get(&k->d, i, j)) worst = INFINITY;
    dense_free(&L), dense_free(&U), dense_free(&R);
    return worst;
}

/* |op(A) X - B| / (n eps |A| |X|) with X as the grid leaves it. */
static inline double misfit(tsl_context *x, const problem *k, tsl_op op, const dense *X, const dense *B)
{
    dense A = dense_make(k->type, k->n, k->n, 0), R = dense_copy(B);
    for (int64_t j = 0; j < k->n; j++)
        for (int64_t i = 0; i < k->n; i++) {
            tsl_scalar v = op & TSL_TRANS ? dense_get(&k->d, j, i) : dense_get(&k->d, i, j);
            dense_put(&A, i, j, op & TSL_CONJ ? conj(v) : v);
        }
    subtract(x, &A, X, &R);
    double off = largest(&R) / (tsl_type_eps(k->type) * (double)k->n * (double)k->n * largest(&A) * largest(X));
    dense_free(&A), dense_free(&R);
    return off;
}

#endif
