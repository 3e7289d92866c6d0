/* Families of matrices whose reductions come to blocks that are tiny beside the rest, as users have them, and checks of factors
 * by a few random vectors: they take n^2 operations, so that orders may be large. */
#ifndef FAMILIES_H
#define FAMILIES_H

#include "context.h"
#include "qr.h"

typedef enum family {
    ONES,
    EQUICORRELATION,
    LOW_RANK,
    GRAM,
    BLOCKS,
    STEEP,
    KERNEL,
    LAPLACIAN,
    GLUED,
    FADING,
    NOTHING,
    IDENTITY,
    FAMILIES
} family;
static const char *const family_name[FAMILIES] = {
    "ones",      "equicorrelation", "low rank", "Gram",  "blocks",  "graded", "Gaussian kernel",
    "Laplacian", "glued Wilkinson", "fading",   "zeros", "identity"};

/* Element (i,j) of a symmetric one */
static inline double family_element(family f, tsl_type t, int64_t n, int64_t i, int64_t j)
{
    double a = (double)i / (double)n, b = (double)j / (double)n;
    int64_t size = n / 5 + 1, grid = (int64_t)sqrt((double)n);
    switch (f) {
    case ONES:
        return 1;
    case EQUICORRELATION:
        return i == j ? 1 : 0.5;
    case LOW_RANK:
        return 1 + cos(3 * a) * cos(3 * b) + 1e-3 * sin(7 * a) * sin(7 * b);
    case GRAM:
        return (1 - pow(a * b, 24)) / (1 - a * b); /* of powers 0 .. 23 */
    case BLOCKS:
        return i / size != j / size ? 0 : exp2((qr_single(t) ? -20. : -150.) * (double)(i / size));
    case STEEP:
        return (1 + cos((double)(i * j))) * exp2((qr_single(t) ? -50 : -400) * (a + b));
    case KERNEL:
        return exp(-8 * (a - b) * (a - b));
    case LAPLACIAN:
        return i == j ? 4 : (i - j == 1 && i % grid) || (j - i == 1 && j % grid) || i - j == grid || j - i == grid ? -1 : 0;
    case GLUED:
        return i == j ? fabs((double)(i % 21) - 10) : i - j == 1 ? (i % 21 ? 1 : 1e-9) : j - i == 1 ? (j % 21 ? 1 : 1e-9) : 0;
    case FADING:
        return exp2((qr_single(t) ? -100 : -900) * (a > b ? a : b));
    case IDENTITY:
        return i == j;
    default:
        return 0;
    }
}

/* The complex ones are D A D^H, D of 1, i, -1 and -i. */
static inline dense family_make(family f, tsl_type t, int64_t m, int64_t n)
{
    static const tsl_scalar turn[] = {1, I, -1, -I};
    dense A = dense_make(t, m, n, CANARY_FINITE);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < m; i++) {
            double v = family_element(f, t, m > n ? m : n, i, j);
            dense_put(&A, i, j, tsl_is_complex(t) ? v * turn[i % 4] * conj(turn[j % 4]) : v);
        }
    return A;
}

/* What factors may be off by, beside their size */
static inline double family_unit(const dense *A) { return (double)(A->m > A->n ? A->m : A->n) * tsl_type_eps(A->t); }

static inline tsl_scalar *family_probe(int64_t n, uint64_t seed)
{
    tsl_scalar *x = qr_room(n, 1);
    for (int64_t i = 0; i < n; i++)
        x[i] = dense_uniform(&seed) > 0 ? 1 : -1;
    return x;
}

/* y := A x, or A^H x */
static inline tsl_scalar *family_times(const dense *A, bool herm, const tsl_scalar *x)
{
    tsl_scalar *y = qr_room(herm ? A->n : A->m, 1);
    for (int64_t j = 0; j < A->n; j++)
        for (int64_t i = 0; i < A->m; i++) {
            tsl_scalar a = dense_get(A, i, j), b = herm ? x[i] : x[j], *to = herm ? y + j : y + i;
            double re = creal(a), im = herm ? -cimag(a) : cimag(a);
            *to += CMPLX(re * creal(b) - im * cimag(b), re * cimag(b) + im * creal(b));
        }
    return y;
}

static inline double family_length(const tsl_scalar *x, int64_t n)
{
    double sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += creal(x[i]) * creal(x[i]) + cimag(x[i]) * cimag(x[i]);
    return isnan(sum) ? INFINITY : sqrt(sum);
}

static inline double family_apart(const tsl_scalar *x, const tsl_scalar *y, int64_t n)
{
    tsl_scalar *z = qr_room(n, 1);
    for (int64_t i = 0; i < n; i++)
        z[i] = x[i] - y[i];
    double off = family_length(z, n);
    free(z);
    return off;
}

/* |(Q^H Q - I) x| / (|x| n eps), or of Q Q^H */
static inline double family_orthogonal(const dense *Q, bool rows)
{
    double worst = 0;
    int64_t k = rows ? Q->m : Q->n;
    for (uint64_t seed = 1; seed <= 2; seed++) {
        tsl_scalar *x = family_probe(k, seed), *y = family_times(Q, rows, x), *z = family_times(Q, !rows, y);
        double off = family_apart(z, x, k) / family_length(x, k) / family_unit(Q);
        worst = off <= worst ? worst : off;
        free(x), free(y), free(z);
    }
    return worst;
}

/* |A| as a column sum */
static inline double family_norm(const dense *A)
{
    double most = 0;
    for (int64_t j = 0; j < A->n; j++) {
        double sum = 0;
        for (int64_t i = 0; i < A->m; i++)
            sum += cabs(dense_get(A, i, j));
        if (sum > most)
            most = sum;
    }
    return most;
}

/* |A x - U (S (V x))| / (|A| |x| n eps), S diagonal or, of no elements, I; V as it is, or its conjugate transpose, or, if NULL,
 * I */
static inline double family_residual(const dense *A, const dense *U, const dense *s, const dense *V, bool herm)
{
    double worst = 0, size = family_norm(A);
    for (uint64_t seed = 3; seed <= 4; seed++) {
        tsl_scalar *x = family_probe(A->n, seed), *y = family_times(A, false, x),
                   *z = V ? family_times(V, herm, x) : family_probe(A->n, seed);
        for (int64_t i = 0; s && i < U->n; i++)
            z[i] *= dense_get(s, i, 0);
        tsl_scalar *w = family_times(U, false, z);
        double off = family_apart(y, w, A->m), by = size * family_length(x, A->n) * family_unit(A);
        off = off == 0 ? 0 : off / by;
        worst = off <= worst ? worst : off;
        free(x), free(y), free(z), free(w);
    }
    return worst;
}

#endif
