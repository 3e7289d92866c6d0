/* Triangles for tests: well-conditioned, with NaN wherever an operation must not look. */
#ifndef TRIANGLE_H
#define TRIANGLE_H

#include "reference.h"

enum { TRIANGLE_DIRECTED, TRIANGLE_POSITIVE }; /* what the diagonal is: of any sign or direction, or positive as a Cholesky factor's */

static inline dense triangle_make(tsl_type t, int64_t n, tsl_uplo uplo, tsl_diag diag, int sign)
{
    dense A = dense_make(t, n, n, CANARY_FINITE);
    dense_random(&A, (uint64_t)n + 17);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++) {
            tsl_scalar v = dense_get(&A, i, j), size = 1.5 + 0.25 * creal(v);
            tsl_scalar turn = tsl_is_complex(t) ? cexp(CMPLX(0, (double)j)) : j % 3 ? 1 : -1;
            if (i == j) v = sign == TRIANGLE_POSITIVE ? size : size * turn;
            else v /= (double)n;
            if (!in_triangle(uplo, i, j) || (i == j && diag == TSL_UNIT)) v = CMPLX(NAN, NAN);
            dense_put(&A, i, j, v);
        }
    return A;
}

/* Element (i,j) of the Hermitian matrix whose triangle the operand is, as seen */
static inline tsl_scalar seen_hermitian(const operand *o, int64_t i, int64_t j)
{
    return in_triangle(seen_uplo(o), i, j) ? seen(o, i, j) : conj(seen(o, j, i));
}

/* Element (i,j) of the matrix a Cholesky factor stands for: L L^H or U^H U, as seen */
static inline tsl_scalar seen_factored(const operand *o, int64_t i, int64_t j)
{
    tsl_scalar sum = 0;
    for (int64_t k = 0; k < o->d->n; k++)
        sum += seen_uplo(o) == TSL_LOWER ? seen(o, i, k) * conj(seen(o, j, k)) : conj(seen(o, k, i)) * seen(o, k, j);
    return sum;
}

typedef tsl_scalar (*element)(const operand *o, int64_t i, int64_t j);

/* All elements, n x n by columns; to be freed */
static inline tsl_scalar *all_of(const operand *o, element of)
{
    int64_t n = o->d->n;
    tsl_scalar *v = malloc((size_t)(n * n + 1) * sizeof *v);
    if (!v) abort();
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++) v[i + j * n] = of(o, i, j);
    return v;
}

/* Worst element of X A - I; infinite if anything is not a number */
static inline double off_identity(const operand *X, element of_X, const operand *A, element of_A)
{
    int64_t n = A->d->n;
    tsl_scalar *x = all_of(X, of_X), *a = all_of(A, of_A);
    double worst = 0;
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++) {
            tsl_scalar sum = i == j ? -1 : 0;
            for (int64_t k = 0; k < n; k++) sum += x[i + k * n] * a[k + j * n];
            double e = cabs(sum);
            worst = e <= worst ? worst : isnan(e) ? INFINITY : e;
        }
    free(x), free(a);
    return worst;
}

#endif
