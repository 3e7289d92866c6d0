/* What tests of the reduction to tridiagonal form share: matrices of every kind, and residuals. */
#ifndef SYTRD_H
#define SYTRD_H

#include "qr.h"

#define BOUND 30.0

typedef enum eig_kind { EIG_RANDOM, EIG_GRADED, EIG_ZEROS, EIG_DIAGONAL, EIG_TRIDIAGONAL, EIG_RANK_ONE, EIG_REPEATED, EIG_TINY, EIG_HUGE, EIG_MIXED, EIG_KINDS } eig_kind;
static const char *const kind_name[EIG_KINDS] = {"random", "graded", "zeros", "diagonal", "tridiagonal", "of rank one", "of repeated eigenvalues", "tiny",
                                                 "huge", "with a tiny column"};

static inline tsl_type real_of(tsl_type t) { return t == TSL_C ? TSL_S : t == TSL_Z ? TSL_D : t; }

/* Element (i,j), i >= j, of a random one in r */
static inline tsl_scalar element(const dense *r, eig_kind kind, tsl_type t, int64_t i, int64_t j)
{
    double least = qr_single(t) ? 1e-36 : 1e-304, n = (double)r->n;
    tsl_scalar v = dense_get(r, i, j), u = dense_get(r, i, 0) * conj(dense_get(r, j, 0));
    switch (kind) {
    case EIG_GRADED: return v * exp2(-30 * (double)(i + j) / n);
    case EIG_ZEROS: return 0;
    case EIG_DIAGONAL: return i == j ? v : 0;
    case EIG_TRIDIAGONAL: return i - j <= 1 ? v : 0;
    case EIG_RANK_ONE: return u;
    case EIG_REPEATED: return (i == j ? 1 : 0) - u / n;
    case EIG_TINY: return v * least;
    case EIG_HUGE: return v * 1e-3 / least;
    case EIG_MIXED: return j == 0 && i > 0 ? v * least : v;
    default: return v;
    }
}

/* A triangle of it, the other one NaN; a complex diagonal, of which only the real parts count */
static inline dense matrix(tsl_type t, int64_t n, eig_kind kind, tsl_uplo uplo)
{
    dense A = dense_make(t, n, n, CANARY_FINITE), r = dense_make(t, n, n, CANARY_FINITE);
    dense_random(&r, (uint64_t)(n + 3 * kind));
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++) {
            tsl_scalar v = i >= j ? element(&r, kind, t, i, j) : conj(element(&r, kind, t, j, i));
            if (i == j) v = CMPLX(creal(v), 0.5 * creal(v));
            dense_put(&A, i, j, in_triangle(uplo, i, j) ? v : CMPLX(NAN, NAN));
        }
    dense_free(&r);
    return A;
}

/* What the triangle stands for, times `by` */
static inline tsl_scalar *whole(const dense *A, tsl_uplo uplo, double by)
{
    int64_t n = A->n;
    tsl_scalar *X = qr_room(n, n);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++) {
            bool in = in_triangle(uplo, i, j);
            tsl_scalar v = by * (in ? dense_get(A, i, j) : conj(dense_get(A, j, i)));
            X[i + j * n] = i == j ? CMPLX(creal(v), 0) : v;
        }
    return X;
}

/* X := Q X, or Q^H X, of `cols` columns, by reflectors as LAPACK stores them */
static inline void reflect(const dense *F, const dense *tau, tsl_uplo uplo, bool inverse, tsl_scalar *X, int64_t cols)
{
    int64_t n = F->n, count = tau->m;
    tsl_scalar *v = qr_room(n, 1);
    bool lower = uplo == TSL_LOWER, forward = lower == inverse; /* the first reflector meets X first */
    for (int64_t s = 0; s < count; s++) {
        int64_t k = forward ? s : count - 1 - s;
        tsl_scalar by = inverse ? conj(dense_get(tau, k, 0)) : dense_get(tau, k, 0);
        for (int64_t i = 0; i < n; i++) {
            if (lower) v[i] = i <= k ? 0 : i == k + 1 ? 1 : dense_get(F, i, k);
            else v[i] = i > k ? 0 : i == k ? 1 : dense_get(F, i, k + 1);
        }
        for (int64_t j = 0; j < cols && by != 0; j++) {
            tsl_scalar *x = X + j * n, sum = 0;
            for (int64_t i = 0; i < n; i++) sum += conj(v[i]) * x[i];
            for (int64_t i = 0; i < n; i++) x[i] -= by * sum * v[i];
        }
    }
    free(v);
}

static inline tsl_scalar *q_of(const dense *F, const dense *tau, tsl_uplo uplo)
{
    int64_t n = F->n;
    tsl_scalar *Q = qr_room(n, n);
    for (int64_t i = 0; i < n; i++) Q[i + i * n] = 1;
    reflect(F, tau, uplo, false, Q, n);
    return Q;
}

/* X := X^H */
static inline void turn(tsl_scalar *X, int64_t n)
{
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i <= j; i++) {
            tsl_scalar a = X[i + j * n];
            X[i + j * n] = conj(X[j + i * n]), X[j + i * n] = conj(a);
        }
}

/* |A - Q T Q^H| / (|A| n eps) */
static inline double residual(const dense *was, const dense *F, const dense *d, const dense *e, const dense *tau, tsl_uplo uplo, double by)
{
    int64_t n = F->n;
    tsl_scalar *A = whole(was, uplo, by), *X = qr_room(n, n);
    for (int64_t i = 0; i < n; i++) {
        X[i + i * n] = by * dense_get(d, i, 0);
        if (i + 1 < n) X[i + 1 + i * n] = X[i + (i + 1) * n] = by * dense_get(e, i, 0);
    }
    reflect(F, tau, uplo, false, X, n);
    turn(X, n); /* T is Hermitian */
    reflect(F, tau, uplo, false, X, n);
    double size = qr_norm(A, n, n);
    for (int64_t i = 0; i < n * n; i++) X[i] -= A[i];
    double off = qr_norm(X, n, n);
    free(A), free(X);
    return off == 0 ? 0 : off / size / ((double)n * tsl_type_eps(F->t));
}

static inline double apart(const dense *F, const dense *tau, tsl_uplo uplo)
{
    tsl_scalar *Q = q_of(F, tau, uplo);
    double off = F->n ? qr_apart(Q, F->n, F->n, F->t) : 0;
    free(Q);
    return off;
}

/* The trace of T and the sum of its squares are A's, up to eps n |A| and eps n |A|^2. */
static inline bool same_sums(const dense *was, const dense *d, const dense *e, tsl_uplo uplo, double by)
{
    int64_t n = was->n;
    tsl_scalar *A = whole(was, uplo, by);
    double sum = 0, squares = 0, size = 0, eps = BOUND * (double)n * tsl_type_eps(was->t);
    for (int64_t i = 0; i < n * n; i++) squares -= creal(A[i] * conj(A[i])), size += creal(A[i] * conj(A[i]));
    for (int64_t i = 0; i < n; i++) {
        double di = by * creal(dense_get(d, i, 0)), ei = i + 1 < n ? by * creal(dense_get(e, i, 0)) : 0;
        sum += di - creal(A[i + i * n]), squares += di * di + 2 * ei * ei;
    }
    free(A);
    return fabs(sum) <= eps * sqrt(size) && fabs(squares) <= eps * size;
}

#endif
