/* Host arrays of any element type with a margin of canaries around the matrix: rows past m and columns past n. */
#ifndef DENSE_H
#define DENSE_H

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "context/context.h"
#include "core/numbers/largest.h"
#include "tesela.h"

enum { DENSE_ROWS_PAST = 3, DENSE_COLS_PAST = 2 };

/* What the margin holds: an operand only read gets NaNs, which spoil any result that used them; a written one gets a finite
 * pattern, because NaN times anything keeps its bits and would hide a write. */
enum { CANARY_NAN = 0xff, CANARY_FINITE = 0x5a };

typedef struct dense {
    tsl_type t;
    int64_t m, n, ld, cols;
    size_t bytes;
    unsigned char *data;
} dense;

static inline dense dense_make(tsl_type t, int64_t m, int64_t n, int canary)
{
    dense d = {t, m, n, m + DENSE_ROWS_PAST, n + DENSE_COLS_PAST, 0, NULL};
    d.bytes = (size_t)(d.ld * d.cols) * tsl_type_size(t);
    d.data = malloc(d.bytes);
    if (!d.data) abort(); /* the test's own memory; nothing to test without it */
    memset(d.data, canary, d.bytes);
    return d;
}

static inline void dense_free(dense *d)
{
    free(d->data);
    d->data = NULL;
}

static inline dense dense_copy(const dense *d)
{
    dense c = *d;
    c.data = malloc(d->bytes);
    if (!c.data) abort();
    memcpy(c.data, d->data, d->bytes);
    return c;
}

static inline int dense_same(const dense *a, const dense *b) { return memcmp(a->data, b->data, a->bytes) == 0; }

static inline void *dense_at(const dense *d, int64_t i, int64_t j)
{
    return d->data + (size_t)(i + j * d->ld) * tsl_type_size(d->t);
}

static inline tsl_scalar dense_get(const dense *d, int64_t i, int64_t j)
{
    const void *p = dense_at(d, i, j);
    switch (d->t) {
    case TSL_S: return CMPLX(*(const float *)p, 0);
    case TSL_D: return CMPLX(*(const double *)p, 0);
    case TSL_C: return CMPLX(((const float *)p)[0], ((const float *)p)[1]);
    default: return CMPLX(((const double *)p)[0], ((const double *)p)[1]);
    }
}

static inline void dense_put(const dense *d, int64_t i, int64_t j, tsl_scalar v)
{
    void *p = dense_at(d, i, j);
    switch (d->t) {
    case TSL_S: *(float *)p = (float)creal(v); break;
    case TSL_D: *(double *)p = creal(v); break;
    case TSL_C: ((float *)p)[0] = (float)creal(v), ((float *)p)[1] = (float)cimag(v); break;
    default: ((double *)p)[0] = creal(v), ((double *)p)[1] = cimag(v);
    }
}

/* In [-1, 1), from a generator of our own: the same numbers on every machine. */
static inline double dense_uniform(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(int64_t)(*seed >> 11) / 4503599627370496.0 - 1.0;
}

static inline void dense_random(const dense *d, uint64_t seed)
{
    for (int64_t j = 0; j < d->n; j++)
        for (int64_t i = 0; i < d->m; i++) {
            double re = dense_uniform(&seed), im = dense_uniform(&seed);
            dense_put(d, i, j, CMPLX(re, im));
        }
}

static inline void dense_fill(const dense *d, tsl_scalar v)
{
    for (int64_t j = 0; j < d->n; j++)
        for (int64_t i = 0; i < d->m; i++) dense_put(d, i, j, v);
}

/* Random, Hermitian and diagonally dominant: positive definite, and well conditioned as a triangle. */
static inline void dense_dominant(const dense *d, uint64_t seed)
{
    dense_random(d, seed);
    for (int64_t j = 0; j < d->n; j++) {
        for (int64_t i = 0; i < j; i++) dense_put(d, i, j, conj(dense_get(d, j, i)));
        dense_put(d, j, j, 2.0 * (double)d->n + 2.0);
    }
}

/* Is the stored element (i,j) in the triangle? */
static inline int in_triangle(tsl_uplo uplo, int64_t i, int64_t j)
{
    return uplo == TSL_GENERAL || (uplo == TSL_LOWER ? i >= j : i <= j);
}

/* The triangle of a positive definite matrix. The strict other one holds NaN: it must be neither read nor written. */
static inline dense dense_definite(tsl_type t, int64_t n, tsl_uplo uplo)
{
    dense A = dense_make(t, n, n, CANARY_FINITE);
    dense_dominant(&A, (uint64_t)n);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++)
            if (!in_triangle(uplo, i, j)) dense_put(&A, i, j, CMPLX(NAN, NAN));
    return A;
}

static inline int bits_differ(const dense *a, const dense *b, int64_t j, int64_t from, int64_t to)
{
    return to > from && memcmp(dense_at(a, from, j), dense_at(b, from, j), (size_t)(to - from) * tsl_type_size(a->t)) != 0;
}

/* Columns with a change of bits outside the matrix's triangle, margin included. */
static inline int64_t dense_strays(const dense *now, const dense *was, tsl_uplo uplo)
{
    int64_t strays = 0;
    for (int64_t j = 0; j < now->cols; j++) {
        int64_t from = uplo == TSL_LOWER && j < now->m ? j : 0, to = uplo == TSL_UPPER && j < now->m ? j + 1 : now->m;
        if (j >= now->n) from = to = 0;
        strays += bits_differ(now, was, j, 0, from) || bits_differ(now, was, j, to, now->ld);
    }
    return strays;
}

static inline int scalar_finite(tsl_scalar v) { return isfinite(creal(v)) && isfinite(cimag(v)); }
static inline int scalar_nan(tsl_scalar v) { return isnan(creal(v)) || isnan(cimag(v)); }

#endif
