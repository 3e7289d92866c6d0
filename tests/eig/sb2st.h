/* Bands, what a chase makes of them, and how right that is: residuals are by reflectors in double complex, eigenvalues are
 * LAPACK's. */
#ifndef TESTS_SB2ST_H
#define TESTS_SB2ST_H

#include "ops/ops.h"
#include "qr.h"

#define BOUND 30.0

typedef enum band_kind { BAND_RANDOM, BAND_ZEROS, BAND_DIAGONAL, BAND_HOLES, BAND_OUTER, BAND_GRADED, BAND_KINDS } band_kind;

static inline tsl_type real_of(tsl_type t) { return t == TSL_C ? TSL_S : t == TSL_Z ? TSL_D : t; }

/* A NaN counts as infinite. */
static inline double larger(double a, double b) { return isnan(b) ? INFINITY : fmax(a, b); }

/* Element (j + r, j) */
static inline tsl_scalar element(const dense *r, band_kind kind, int64_t i, int64_t j)
{
    bool there = kind == BAND_ZEROS ? false
               : kind == BAND_DIAGONAL ? i == 0
               : kind == BAND_HOLES ? i == 0 || j / 3 % 2
               : kind == BAND_OUTER ? i == 0 || i == r->m - 1
               : true;
    return !there ? 0 : kind == BAND_GRADED ? exp2(-20 * (double)j / (double)r->n) * dense_get(r, i, j) : dense_get(r, i, j);
}

/* What is beyond the last row is NaN; a complex diagonal, of which only the real parts count */
static inline dense band(tsl_type t, int64_t n, int64_t kd, band_kind kind)
{
    dense AB = dense_make(t, kd + 1, n, CANARY_FINITE), r = dense_make(t, kd + 1, n, CANARY_FINITE);
    dense_random(&r, (uint64_t)(n + kd));
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i <= kd; i++) dense_put(&AB, i, j, i + j < n ? element(&r, kind, i, j) : CMPLX(NAN, NAN));
    dense_free(&r);
    return AB;
}

/* To a narrower band, B has kb + 1 rows, and of Q only the last n - kb + 1 rows and columns are not those of I. To tridiagonal
 * form B is T's two diagonals. */
typedef struct chased {
    dense AB, d, e, B, V, tau;
    tsl_status st;
} chased;

static inline int64_t rows_above(const chased *r) { return r->B.m - 2; }

/* The operation on matrices around these arrays */
static inline tsl_status run(env *x, tsl_call c, dense *const operand_of[], int count)
{
    tsl_matrix *host[TSL_MAX_OPERANDS] = {0}, *used[TSL_MAX_OPERANDS] = {0};
    tsl_status st = TSL_OK;
    for (int i = 0; i < count && !st; i++) {
        st = job_bind(x, operand_of[i], &host[i], &used[i]);
        if (!st) c.v[i] = job_view(&(operand){.d = operand_of[i]}, used[i]);
    }
    if (!st) st = tsl_execute(x->ctx, &c);
    for (int i = 0; i < count; i++) {
        if (!st && used[i] != host[i]) st = tsl_copy(x->ctx, tsl_whole(used[i]), tsl_whole(host[i]));
        if (used[i] != host[i]) tsl_matrix_free(used[i]);
        tsl_matrix_free(host[i]);
    }
    return st;
}

/* B := T, of d and e */
static inline void tridiagonal(chased *r)
{
    for (int64_t j = 0; j < r->AB.n; j++) {
        dense_put(&r->B, 0, j, dense_get(&r->d, j, 0));
        dense_put(&r->B, 1, j, j + 1 < r->AB.n ? dense_get(&r->e, j, 0) : 0);
    }
}

static inline void done(chased *r)
{
    dense_free(&r->AB), dense_free(&r->d), dense_free(&r->e);
    dense_free(&r->B), dense_free(&r->V), dense_free(&r->tau);
}

/* X := Q X, or Q^H X, of `cols` columns */
static inline void reflect(const chased *r, bool inverse, tsl_scalar *X, int64_t cols)
{
    int64_t ld = r->AB.n, kd = qr_max(1, r->AB.m - 1), n = r->V.n;
    X += ld - n;
    for (int64_t k = 0; k + 1 < n; k++) {
        int64_t s = inverse ? k : n - 2 - k;
        for (int64_t t = 0; s + 1 + t * kd < n; t++) {
            int64_t row = s + 1 + t * kd, end = qr_min(n, row + kd);
            tsl_scalar by = inverse ? conj(dense_get(&r->tau, t, s)) : dense_get(&r->tau, t, s);
            for (int64_t j = 0; j < cols; j++) {
                tsl_scalar sum = 0;
                for (int64_t i = row; i < end; i++) sum += conj(dense_get(&r->V, i, s)) * X[i + j * ld];
                for (int64_t i = row; i < end; i++) X[i + j * ld] -= by * sum * dense_get(&r->V, i, s);
            }
        }
    }
}

static inline tsl_scalar *whole(const dense *AB)
{
    int64_t n = AB->n;
    tsl_scalar *A = qr_room(n, n);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = j; i < qr_min(n, j + AB->m); i++) {
            tsl_scalar v = i == j ? creal(dense_get(AB, 0, j)) : dense_get(AB, i - j, j);
            A[i + j * n] = v, A[j + i * n] = conj(v);
        }
    return A;
}

/* |A Q - Q B| / (|A| n eps), and how far Q is from unitary */
static inline double residual(const chased *r, double *apart)
{
    int64_t n = r->AB.n;
    tsl_scalar *A = whole(&r->AB), *B = whole(&r->B), *Q = qr_room(n, n), *X = qr_room(n, n);
    for (int64_t i = 0; i < n; i++) Q[i + i * n] = 1;
    reflect(r, false, Q, n);
    *apart = n ? qr_apart(Q, n, n, r->AB.t) : 0;
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++) {
            tsl_scalar v = 0;
            for (int64_t k = qr_max(0, j - r->B.m + 1); k < qr_min(n, j + r->B.m); k++) v -= Q[i + k * n] * B[k + j * n];
            for (int64_t k = qr_max(0, i - r->AB.m + 1); k < qr_min(n, i + r->AB.m); k++) v += A[i + k * n] * Q[k + j * n];
            X[i + j * n] = v;
        }
    double size = qr_norm(A, n, n), off = qr_norm(X, n, n);
    free(A), free(B), free(Q), free(X);
    return off == 0 ? 0 : off / size / ((double)n * tsl_type_eps(r->AB.t));
}

/* The largest difference of the result's eigenvalues from the band's, of its size, / (n eps); both in double */
static inline double values_apart(const chased *r)
{
    lapack_int n = (lapack_int)r->AB.n;
    tsl_scalar *A = whole(&r->AB), *B = whole(&r->B);
    double *w = malloc((size_t)(n + 1) * sizeof *w), *d = malloc((size_t)(n + 1) * sizeof *d), most = 0, size = 0;
    if (!w || !d || LAPACKE_zheevd(LAPACK_COL_MAJOR, 'N', 'L', n, A, n, w)) abort();
    if (LAPACKE_zheevd(LAPACK_COL_MAJOR, 'N', 'L', n, B, n, d)) abort();
    for (lapack_int i = 0; i < n; i++) most = larger(most, fabs(d[i] - w[i])), size = tsl_larger(size, fabs(w[i]));
    free(A), free(B), free(w), free(d);
    return most == 0 ? 0 : most / size / ((double)n * tsl_type_eps(r->AB.t));
}

#endif
