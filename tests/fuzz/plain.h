/* Small matrices in double complex and the most naive algorithms on them: what the library's results are compared with. It
 * shares nothing with the library but the names of ops and triangles. */
#ifndef FUZZ_PLAIN_H
#define FUZZ_PLAIN_H

#include <complex.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tesela.h"

typedef struct plain {
    int64_t m, n;
    tsl_scalar *a;
} plain;

static inline tsl_scalar *plain_at(const plain *p, int64_t i, int64_t j) { return &p->a[i + j * p->m]; }

static inline plain plain_make(int64_t m, int64_t n)
{
    plain p = {m, n, calloc((size_t)(m * n) + 1, sizeof *p.a)};
    if (!p.a) abort(); /* the test's own memory; nothing to test without it */
    return p;
}

static inline void plain_free(plain *p)
{
    free(p->a);
    p->a = NULL;
}

static inline plain plain_copy(const plain *p)
{
    plain c = plain_make(p->m, p->n);
    memcpy(c.a, p->a, (size_t)(p->m * p->n) * sizeof *p->a);
    return c;
}

/* op(A) */
static inline plain plain_op(const plain *A, tsl_op op)
{
    plain c = op & 1 ? plain_make(A->n, A->m) : plain_make(A->m, A->n);
    for (int64_t j = 0; j < c.n; j++)
        for (int64_t i = 0; i < c.m; i++) {
            tsl_scalar v = op & 1 ? *plain_at(A, j, i) : *plain_at(A, i, j);
            *plain_at(&c, i, j) = op & 2 ? conj(v) : v;
        }
    return c;
}

/* C := alpha A B + C */
static inline void plain_product(tsl_scalar alpha, const plain *A, const plain *B, plain *C)
{
    for (int64_t j = 0; j < C->n; j++)
        for (int64_t i = 0; i < C->m; i++) {
            tsl_scalar sum = 0;
            for (int64_t l = 0; l < A->n; l++) sum += *plain_at(A, i, l) * *plain_at(B, l, j);
            *plain_at(C, i, j) += alpha * sum;
        }
}

static inline void plain_scale(tsl_scalar alpha, plain *A)
{
    for (int64_t k = 0; k < A->m * A->n; k++) A->a[k] = alpha == 0 ? 0 : alpha * A->a[k];
}

/* B := inv(A) B, by elimination with the largest pivots, whatever A's shape stands for */
static inline void plain_solve(const plain *A, plain *B)
{
    plain L = plain_copy(A);
    for (int64_t k = 0; k < L.n; k++) {
        int64_t best = k;
        for (int64_t i = k + 1; i < L.n; i++)
            if (cabs(*plain_at(&L, i, k)) > cabs(*plain_at(&L, best, k))) best = i;
        for (int64_t j = 0; j < L.n && best != k; j++) {
            tsl_scalar t = *plain_at(&L, k, j);
            *plain_at(&L, k, j) = *plain_at(&L, best, j), *plain_at(&L, best, j) = t;
        }
        for (int64_t j = 0; j < B->n && best != k; j++) {
            tsl_scalar t = *plain_at(B, k, j);
            *plain_at(B, k, j) = *plain_at(B, best, j), *plain_at(B, best, j) = t;
        }
        for (int64_t i = k + 1; i < L.n; i++) {
            tsl_scalar f = *plain_at(&L, i, k) / *plain_at(&L, k, k);
            if (f == 0) continue;
            for (int64_t j = k; j < L.n; j++) *plain_at(&L, i, j) -= f * *plain_at(&L, k, j);
            for (int64_t j = 0; j < B->n; j++) *plain_at(B, i, j) -= f * *plain_at(B, k, j);
        }
    }
    for (int64_t j = 0; j < B->n; j++)
        for (int64_t i = L.n - 1; i >= 0; i--) {
            for (int64_t l = i + 1; l < L.n; l++) *plain_at(B, i, j) -= *plain_at(&L, i, l) * *plain_at(B, l, j);
            *plain_at(B, i, j) /= *plain_at(&L, i, i);
        }
    plain_free(&L);
}

/* L and U in the place of a square matrix, by the largest pivots */
static inline void plain_lu(plain *A)
{
    for (int64_t k = 0; k < A->n; k++) {
        int64_t best = k;
        for (int64_t i = k + 1; i < A->n; i++)
            if (cabs(*plain_at(A, i, k)) > cabs(*plain_at(A, best, k))) best = i;
        for (int64_t j = 0; j < A->n && best != k; j++) {
            tsl_scalar t = *plain_at(A, k, j);
            *plain_at(A, k, j) = *plain_at(A, best, j), *plain_at(A, best, j) = t;
        }
        for (int64_t i = k + 1; i < A->n; i++) {
            tsl_scalar f = *plain_at(A, i, k) /= *plain_at(A, k, k);
            for (int64_t j = k + 1; j < A->n; j++) *plain_at(A, i, j) -= f * *plain_at(A, k, j);
        }
    }
}

/* The lower factor of a Hermitian matrix in its place; the order of the first minor that is not positive, or 0. */
static inline int64_t plain_cholesky(plain *A)
{
    for (int64_t k = 0; k < A->n; k++) {
        double d = creal(*plain_at(A, k, k));
        if (!(d > 0)) return k + 1;
        d = sqrt(d);
        for (int64_t i = k; i < A->n; i++) *plain_at(A, i, k) = i == k ? d : *plain_at(A, i, k) / d;
        for (int64_t j = k + 1; j < A->n; j++)
            for (int64_t i = j; i < A->n; i++) *plain_at(A, i, j) -= *plain_at(A, i, k) * conj(*plain_at(A, j, k));
    }
    for (int64_t j = 0; j < A->n; j++)
        for (int64_t i = 0; i < j; i++) *plain_at(A, i, j) = 0;
    return 0;
}

/* What a square matrix of which only a triangle is stored stands for. */
typedef enum shape { AS_IS, SYMMETRIC, HERMITIAN, TRIANGLE } shape;

static inline plain plain_whole(const plain *A, shape s, tsl_uplo uplo, tsl_diag diag)
{
    plain c = plain_copy(A);
    for (int64_t j = 0; j < c.n && s != AS_IS; j++)
        for (int64_t i = 0; i < c.m; i++) {
            tsl_scalar *v = plain_at(&c, i, j);
            bool stored = uplo == TSL_LOWER ? i >= j : i <= j;
            if (i == j && s == HERMITIAN) *v = creal(*v);
            if (i == j && s == TRIANGLE && diag == TSL_UNIT) *v = 1;
            if (!stored) *v = s == TRIANGLE ? 0 : s == HERMITIAN ? conj(*plain_at(A, j, i)) : *plain_at(A, j, i);
        }
    return c;
}

#endif
