/* Matrices for tests of the reduction to a band, and what it left: A - Q B Q^H by reflectors in double complex. */
#ifndef SY2SB_H
#define SY2SB_H

#include "qr.h"

#define BOUND 30.0

typedef enum kind { ANY, ZERO, DIAGONAL, BANDED, RANK_ONE, GRADED_ONES, KINDS } kind;
static const char *const kind_name[KINDS] = {"random", "zeros", "diagonal", "banded", "of rank one", "graded"};

/* The lower triangle, or the upper, the other one NaN; a complex diagonal, of which only the real parts count */
static inline dense matrix(tsl_type t, int64_t n, kind k, bool upper)
{
    dense A = dense_make(t, n, n, CANARY_FINITE), r = dense_make(t, n, n, CANARY_FINITE);
    dense_random(&r, (uint64_t)(n + 3 * k));
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++) {
            int64_t p = qr_max(i, j), q = qr_min(i, j);
            tsl_scalar v = k == RANK_ONE ? dense_get(&r, p, 0) * conj(dense_get(&r, q, 0)) : dense_get(&r, p, q);
            if (k == ZERO || (k == DIAGONAL && p > q) || (k == BANDED && p - q > 2)) v = 0;
            if (k == GRADED_ONES) v *= exp2(-30 * (double)(p + q) / (double)n);
            if (i == j) v = CMPLX(creal(v), 0.5 * creal(v));
            dense_put(&A, i, j, upper ? i > j ? CMPLX(NAN, NAN) : conj(v) : i < j ? CMPLX(NAN, NAN) : v);
        }
    dense_free(&r);
    return A;
}

/* Element (i,j) of what the triangle stands for */
static inline tsl_scalar stands_for(const dense *A, bool upper, int64_t i, int64_t j)
{
    tsl_scalar v = i >= j ? (upper ? conj(dense_get(A, j, i)) : dense_get(A, i, j)) : conj(upper ? conj(dense_get(A, i, j)) : dense_get(A, j, i));
    return i == j ? creal(v) : v;
}

typedef struct reduced {
    dense A, AB, T, was, tau;
    int64_t kd;
    bool upper;
    tsl_status st;
} reduced;

/* The triangle of A that is given, as a lower one */
static inline tsl_view triangle(const reduced *r, tsl_view A) { return r->upper ? tsl_herm(tsl_upper(A)) : tsl_lower(A); }

static inline void done(reduced *r) { dense_free(&r->A), dense_free(&r->AB), dense_free(&r->T), dense_free(&r->was), dense_free(&r->tau); }

/* X := Q X, or Q^H X, n x cols */
static inline void reflect(const reduced *r, bool inverse, tsl_scalar *X, int64_t cols)
{
    int64_t n = r->A.n, kd = r->kd, m = n - kd;
    if (m <= 0) return;
    dense F = r->A;
    F.data = dense_at(&r->A, r->upper ? 0 : kd, r->upper ? kd : 0), F.m = F.n = m;
    operand o = {.d = &F, .op = r->upper ? qr_herm(F.t) : TSL_NOTRANS};
    tsl_scalar *Y = qr_room(m, cols);
    for (int64_t j = 0; j < cols; j++) memcpy(Y + j * m, X + kd + j * n, (size_t)m * sizeof *Y);
    qr_reflect(&o, &r->tau, inverse, Y, cols);
    for (int64_t j = 0; j < cols; j++) memcpy(X + kd + j * n, Y + j * m, (size_t)m * sizeof *Y);
    free(Y);
}

static inline void turn(tsl_scalar *X, int64_t n)
{
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i <= j; i++) {
            tsl_scalar a = X[i + j * n];
            X[i + j * n] = conj(X[j + i * n]), X[j + i * n] = conj(a);
        }
}

/* |A - Q B Q^H| / (|A| n eps) */
static inline double residual(const reduced *r)
{
    int64_t n = r->A.n;
    tsl_scalar *A = qr_room(n, n), *X = qr_room(n, n);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++) {
            A[i + j * n] = stands_for(&r->was, r->upper, i, j);
            if (i >= j && i - j <= r->kd) X[i + j * n] = dense_get(&r->AB, i - j, j), X[j + i * n] = conj(X[i + j * n]);
        }
    reflect(r, false, X, n), turn(X, n), reflect(r, false, X, n);
    double size = qr_norm(A, n, n);
    for (int64_t i = 0; i < n * n; i++) X[i] -= A[i];
    double off = qr_norm(X, n, n);
    free(A), free(X);
    return off == 0 ? 0 : off / size / ((double)n * tsl_type_eps(r->A.t));
}

#endif
