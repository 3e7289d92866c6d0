/* Matrices for tests of eigenproblems, and their residuals in double complex. */
#ifndef EIG_H
#define EIG_H

#include "eig_calls.h"
#include "qr.h"

#define BOUND 30.0

typedef enum eig_kind {
    EIG_RANDOM, EIG_CLUSTERED, EIG_REPEATED, EIG_GRADED, EIG_GLUED, EIG_ZEROS, EIG_DIAGONAL, EIG_RANK_ONE, EIG_BANDED, EIG_TINY, EIG_HUGE, EIG_KINDS
} eig_kind;
static const char *const eig_name[EIG_KINDS] = {"random", "clustered", "repeated", "graded", "glued Wilkinson", "zeros", "diagonal", "rank one", "banded", "tiny", "huge"};

static inline tsl_type eig_real(tsl_type t) { return t == TSL_C ? TSL_S : t == TSL_Z ? TSL_D : t; }

/* Element (i,j), i >= j, of one with the numbers of r; spectra are of (I - 2 u u^H) D (I - 2 u u^H) */
static inline tsl_scalar eig_element(const dense *r, eig_kind kind, int64_t i, int64_t j, const tsl_scalar *u)
{
    double n = (double)r->n, least = qr_single(r->t) ? 1e-36 : 1e-304, eps = tsl_type_eps(r->t);
    tsl_scalar v = dense_get(r, i, j), sum = 0;
    switch (kind) {
    case EIG_CLUSTERED:
    case EIG_REPEATED:
        for (int64_t k = 0; k < r->n; k++) {
            double d = kind == EIG_REPEATED ? (double)(k % 3) - 1 : 1 + (double)k * eps;
            sum += ((i == k) - 2 * u[i] * conj(u[k])) * d * ((j == k) - 2 * u[k] * conj(u[j]));
        }
        return sum;
    case EIG_GRADED: return v * exp2(-30 * (double)(i + j) / n);
    case EIG_GLUED: return i == j ? fabs((double)(i % 21) - 10) : i == j + 1 ? (i % 21 ? 1 : 1e-4) : 0;
    case EIG_ZEROS: return 0;
    case EIG_DIAGONAL: return i == j ? v : 0;
    case EIG_RANK_ONE: return u[i] * conj(u[j]);
    case EIG_BANDED: return i - j <= 3 ? v : 0;
    case EIG_TINY: return v * least;
    case EIG_HUGE: return v * 1e-3 / least;
    default: return v;
    }
}

/* All of it, both triangles; a real diagonal */
static inline dense eig_matrix(tsl_type t, int64_t n, eig_kind kind)
{
    dense A = dense_make(t, n, n, CANARY_FINITE), r = dense_make(t, n, n, CANARY_FINITE);
    tsl_scalar *u = qr_room(n, 1);
    double size = 0;
    dense_random(&r, (uint64_t)(n + 5 * kind + 1));
    for (int64_t i = 0; i < n; i++) u[i] = dense_get(&r, i, 0), size += creal(u[i] * conj(u[i]));
    for (int64_t i = 0; i < n; i++) u[i] /= sqrt(size);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = j; i < n; i++) {
            tsl_scalar v = eig_element(&r, kind, i, j, u);
            if (i == j) v = creal(v);
            dense_put(&A, i, j, v);
            dense_put(&A, j, i, conj(v));
        }
    dense_free(&r), free(u);
    return A;
}

/* The triangle of it, the other one NaN; imaginary parts of the diagonal do not count */
static inline dense eig_triangle(const dense *A, tsl_uplo uplo)
{
    dense B = dense_copy(A);
    for (int64_t j = 0; j < A->n; j++)
        for (int64_t i = 0; i < A->n; i++)
            if (!in_triangle(uplo, i, j)) dense_put(&B, i, j, CMPLX(NAN, NAN));
            else if (i == j) dense_put(&B, i, j, CMPLX(creal(dense_get(A, i, i)), 0.5));
    return B;
}

/* Numbers in the middle of the range: what extreme ones are multiplied by */
static inline double eig_by(tsl_type t, eig_kind kind)
{
    double up = qr_single(t) ? 0x1p100 : 0x1p900;
    return kind == EIG_TINY ? up : kind == EIG_HUGE ? 1 / up : 1;
}

static inline tsl_scalar *eig_numbers(const dense *A, int64_t cols, double by)
{
    tsl_scalar *X = qr_room(A->m, cols);
    for (int64_t j = 0; j < cols; j++)
        for (int64_t i = 0; i < A->m; i++) X[i + j * A->m] = by * dense_get(A, i, j);
    return X;
}

/* C := A B, n x n times n x cols */
static inline tsl_scalar *eig_product(const tsl_scalar *A, const tsl_scalar *B, int64_t n, int64_t cols)
{
    tsl_scalar *C = qr_room(n, cols);
    qr_product(CblasNoTrans, A, B, C, n, cols, n);
    return C;
}

/* |A V - V L| / (|A| n eps), the first k columns of V */
static inline double eig_residual(const dense *A, const dense *V, const dense *w, int64_t k, double by)
{
    int64_t n = A->n;
    tsl_scalar *a = eig_numbers(A, n, by), *v = eig_numbers(V, k, 1), *x = eig_product(a, v, n, k);
    for (int64_t j = 0; j < k; j++)
        for (int64_t i = 0; i < n; i++) x[i + j * n] -= v[i + j * n] * by * dense_get(w, j, 0);
    double size = qr_norm(a, n, n), off = qr_norm(x, n, k);
    free(a), free(v), free(x);
    return off == 0 ? 0 : off / size / ((double)n * tsl_type_eps(A->t));
}

static inline double eig_apart(const dense *V, int64_t k)
{
    tsl_scalar *v = eig_numbers(V, k, 1);
    double off = V->m && k ? qr_apart(v, V->m, k, V->t) : 0;
    free(v);
    return off;
}

/* LAPACK's eigenvalues of the lower triangle of a copy */
static inline dense eig_lapack(const dense *A)
{
    dense B = dense_copy(A), w = dense_make(eig_real(A->t), A->n, 1, CANARY_FINITE);
    lapack_int n = (lapack_int)A->n, ld = (lapack_int)A->ld;
    void *a = B.data, *v = w.data;
    switch (A->t) {
    case TSL_S: LAPACKE_ssyev(LAPACK_COL_MAJOR, 'N', 'L', n, a, ld, v); break;
    case TSL_D: LAPACKE_dsyev(LAPACK_COL_MAJOR, 'N', 'L', n, a, ld, v); break;
    case TSL_C: LAPACKE_cheev(LAPACK_COL_MAJOR, 'N', 'L', n, a, ld, v); break;
    default: LAPACKE_zheev(LAPACK_COL_MAJOR, 'N', 'L', n, a, ld, v);
    }
    dense_free(&B);
    return w;
}

/* max |x - y| / (max |y| n eps), of k numbers, those of y from `first` on */
static inline double eig_off(const dense *x, const dense *y, int64_t first, int64_t k)
{
    double size = 0, off = 0;
    for (int64_t i = 0; i < y->m; i++) size = tsl_larger(size, fabs(creal(dense_get(y, i, 0))));
    for (int64_t i = 0; i < k; i++) {
        double d = fabs(creal(dense_get(x, i, 0)) - creal(dense_get(y, first + i, 0)));
        off = d <= off ? off : isnan(d) ? INFINITY : d;
    }
    return off == 0 ? 0 : off / size / ((double)y->m * tsl_type_eps(y->t));
}

/* All of it not a number? */
static inline bool eig_spoiled(const dense *A, int64_t cols)
{
    bool all = true;
    for (int64_t j = 0; j < cols; j++)
        for (int64_t i = 0; i < A->m; i++) all &= scalar_nan(dense_get(A, i, j));
    return all;
}

/* A x = l B x, A B x = l x, B A x = l x: |A X - B X L|, and so on, beside |A| |X| |B| n eps; X^H B X = I, or of the last X^H
 * inv(B) X, which L is for */
static inline void check_two(const char *who, int itype, const dense *A, const dense *B, const dense *X, const dense *w, int64_t k)
{
    int64_t n = A->n;
    tsl_scalar *a = eig_numbers(A, n, 1), *b = eig_numbers(B, n, 1), *v = eig_numbers(X, k, 1), *l = eig_numbers(X, k, 1);
    for (int64_t j = 0; j < k; j++)
        for (int64_t i = 0; i < n; i++) l[i + j * n] *= dense_get(w, j, 0);
    tsl_scalar *first = eig_product(itype == 2 ? b : a, v, n, k), *left = itype == 1 ? eig_product(a, v, n, k) : eig_product(itype == 2 ? a : b, first, n, k);
    tsl_scalar *right = itype == 1 ? eig_product(b, l, n, k) : eig_numbers(X, k, 1);
    double size = qr_norm(a, n, n) * qr_norm(b, n, n) * qr_norm(v, n, k);
    for (int64_t j = 0; j < n * k; j++) left[j] -= itype == 1 ? right[j] : l[j];
    double off = qr_norm(left, n, k) / size / ((double)n * tsl_type_eps(A->t)), q = 0;
    tsl_scalar *bv = eig_product(b, v, n, k);
    for (int64_t j = 0; j < k && itype != 3; j++)
        for (int64_t i = 0; i < k; i++) {
            tsl_scalar sum = i == j ? -1 : 0;
            for (int64_t r = 0; r < n; r++) sum += conj(v[r + i * n]) * bv[r + j * n];
            q = worse(q, cabs(sum));
        }
    q /= (double)n * (double)n * tsl_type_eps(A->t);
    check(off < BOUND && q < BOUND, "%s, itype %d: residual %g, V^H B V %g", who, itype, off, q);
    free(a), free(b), free(v), free(l), free(first), free(left), free(right), free(bv);
}

#endif
