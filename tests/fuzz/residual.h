/* What residuals are made of: naive products, norms, reflectors, and spectra by Jacobi's rotations, which share nothing with
 * the library. */
#ifndef FUZZ_RESIDUAL_H
#define FUZZ_RESIDUAL_H

#include "plain.h"

static inline plain plain_herm(const plain *A) { return plain_op(A, TSL_HERM); }

static inline plain plain_times(const plain *A, const plain *B)
{
    plain C = plain_make(A->m, B->n);
    plain_product(1, A, B, &C);
    return C;
}

static inline plain plain_identity(int64_t m, int64_t n)
{
    plain p = plain_make(m, n);
    for (int64_t i = 0; i < m && i < n; i++) *plain_at(&p, i, i) = 1;
    return p;
}

static inline plain plain_block(const plain *A, int64_t i, int64_t j, int64_t m, int64_t n)
{
    plain p = plain_make(m, n);
    for (int64_t c = 0; c < n; c++)
        for (int64_t r = 0; r < m; r++) *plain_at(&p, r, c) = *plain_at(A, i + r, j + c);
    return p;
}

static inline plain plain_diagonal(const plain *d, int64_t m, int64_t n)
{
    plain p = plain_make(m, n);
    for (int64_t i = 0; i < d->m && i < m && i < n; i++) *plain_at(&p, i, i) = d->a[i];
    return p;
}

/* Zero above the given diagonal, or below it */
static inline plain plain_from(const plain *A, int64_t diagonal, bool lower)
{
    plain p = plain_copy(A);
    for (int64_t j = 0; j < p.n; j++)
        for (int64_t i = 0; i < p.m; i++)
            if (lower ? j - i > diagonal : j - i < diagonal) *plain_at(&p, i, j) = 0;
    return p;
}

/* The largest element; NaN is larger than any */
static inline double plain_size(const plain *A)
{
    double most = 0;
    for (int64_t k = 0; k < A->m * A->n; k++) {
        double v = cabs(A->a[k]);
        if (!(v <= most)) most = isnan(v) ? INFINITY : v;
    }
    return most;
}

static inline bool plain_finite(const plain *A) { return isfinite(plain_size(A)); }

static inline double plain_off(const plain *A, const plain *B)
{
    plain D = plain_copy(A);
    if (A->m != B->m || A->n != B->n) abort(); /* a mistake of the test's */
    for (int64_t k = 0; k < D.m * D.n; k++) D.a[k] -= B->a[k];
    double off = plain_size(&D);
    plain_free(&D);
    return off;
}

/* C := (I - tau v v^H) C, v zero above row r, one in it */
static inline void plain_reflect(const tsl_scalar *v, int64_t r, tsl_scalar tau, plain *C)
{
    for (int64_t j = 0; j < C->n; j++) {
        tsl_scalar sum = *plain_at(C, r, j);
        for (int64_t i = r + 1; i < C->m; i++) sum += conj(v[i]) * *plain_at(C, i, j);
        *plain_at(C, r, j) -= tau * sum;
        for (int64_t i = r + 1; i < C->m; i++) *plain_at(C, i, j) -= v[i] * tau * sum;
    }
}

/* The first n columns of H(1) H(2) .. H(k), vectors in the columns of V with their one in row i + shift of column i, m x m */
static inline plain plain_reflectors(const plain *V, const plain *tau, int64_t shift, int64_t n)
{
    plain Q = plain_identity(V->m, n);
    for (int64_t i = tau->m * tau->n - 1; i >= 0; i--)
        if (i + shift < V->m) plain_reflect(&V->a[i * V->m], i + shift, tau->a[i], &Q);
    return Q;
}

/* A rotation of columns p and q such that they are orthogonal: c, and s with its phase, of [a b; conj(b) d] */
static inline bool jacobi_angle(double a, double d, tsl_scalar b, double tiny, double *c, tsl_scalar *s)
{
    double size = cabs(b);
    if (!(size > tiny)) return false;
    double t = (d - a) / (2 * size), u = (t >= 0 ? 1 : -1) / (fabs(t) + hypot(1, t));
    *c = 1 / hypot(1, u);
    *s = *c * u * (b / size);
    return true;
}

/* [x y] := [x y] times that rotation */
static inline void jacobi_turn(tsl_scalar *x, tsl_scalar *y, double c, tsl_scalar s)
{
    tsl_scalar p = *x, q = *y;
    *x = c * p - conj(s) * q, *y = s * p + c * q;
}

static inline int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The eigenvalues of a Hermitian matrix of order n, ascending, in w. Elements are finite; they are scaled by a power of two. */
static inline void plain_eigenvalues(const plain *H, double *w)
{
    plain A = plain_copy(H);
    int64_t n = A.n;
    int e = 0;
    (void)frexp(plain_size(&A), &e);
    for (int64_t k = 0; k < n * n; k++) A.a[k] = CMPLX(ldexp(creal(A.a[k]), -e), ldexp(cimag(A.a[k]), -e));
    bool turned = true;
    for (int sweep = 0; sweep < 40 && turned; sweep++) {
        turned = false;
        for (int64_t p = 0; p < n; p++)
            for (int64_t q = p + 1; q < n; q++) {
                double c;
                tsl_scalar s;
                if (!jacobi_angle(creal(*plain_at(&A, p, p)), creal(*plain_at(&A, q, q)), *plain_at(&A, p, q), 1e-16, &c, &s)) continue;
                turned = true;
                for (int64_t i = 0; i < n; i++) jacobi_turn(plain_at(&A, i, p), plain_at(&A, i, q), c, s);
                for (int64_t i = 0; i < n; i++) jacobi_turn(plain_at(&A, p, i), plain_at(&A, q, i), c, conj(s));
            }
    }
    for (int64_t i = 0; i < n; i++) w[i] = ldexp(creal(*plain_at(&A, i, i)), e);
    qsort(w, (size_t)n, sizeof *w, by_size);
    plain_free(&A);
}

/* The singular values of a matrix, descending, min(m,n) of them, by making columns orthogonal */
static inline void plain_singular_values(const plain *M, double *s)
{
    plain A = M->m >= M->n ? plain_copy(M) : plain_herm(M);
    int64_t m = A.m, n = A.n;
    int e = 0;
    (void)frexp(plain_size(&A), &e);
    for (int64_t k = 0; k < m * n; k++) A.a[k] = CMPLX(ldexp(creal(A.a[k]), -e), ldexp(cimag(A.a[k]), -e));
    bool turned = true;
    for (int sweep = 0; sweep < 40 && turned; sweep++) {
        turned = false;
        for (int64_t p = 0; p < n; p++)
            for (int64_t q = p + 1; q < n; q++) {
                double a = 0, d = 0, c;
                tsl_scalar b = 0, t;
                for (int64_t i = 0; i < m; i++) {
                    tsl_scalar x = *plain_at(&A, i, p), y = *plain_at(&A, i, q);
                    a += creal(x * conj(x)), d += creal(y * conj(y)), b += conj(x) * y;
                }
                if (!jacobi_angle(a, d, b, 1e-15 * sqrt(a) * sqrt(d) + 1e-36, &c, &t)) continue;
                turned = true;
                for (int64_t i = 0; i < m; i++) jacobi_turn(plain_at(&A, i, p), plain_at(&A, i, q), c, t);
            }
    }
    for (int64_t j = 0; j < n; j++) {
        double sum = 0;
        for (int64_t i = 0; i < m; i++) sum += creal(*plain_at(&A, i, j) * conj(*plain_at(&A, i, j)));
        s[j] = -ldexp(sqrt(sum), e);
    }
    qsort(s, (size_t)n, sizeof *s, by_size);
    for (int64_t j = 0; j < n; j++) s[j] = -s[j];
    plain_free(&A);
}

#endif
