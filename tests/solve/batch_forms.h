/* Typed calls on batches for tests: one text for four types, at a stride and by pointers; and dense matrices of widest numbers
 * for residuals. Call lists are macros LIST(M, V): M is a matrix, V a column. */
#ifndef BATCH_FORMS_H
#define BATCH_FORMS_H

#include "batch.h"

#define STRIDED_M(s) (void *)(s).data, (s).ld, (s).stride
#define STRIDED_V(s) (void *)(s).data, (s).stride
#define POINTERS_M(s) (void *)(s).each, (s).ld
#define POINTERS_V(s) (void *)(s).each
#define BY_TYPE(t, real, cplx, ...)                                                                                            \
    ((t) == TSL_S   ? tsl_s##real(__VA_ARGS__)                                                                                 \
     : (t) == TSL_D ? tsl_d##real(__VA_ARGS__)                                                                                 \
     : (t) == TSL_C ? tsl_c##cplx(__VA_ARGS__)                                                                                 \
                    : tsl_z##cplx(__VA_ARGS__))
#define BY_FORM(t, how, real, cplx, LIST)                                                                                      \
    ((how) == POINTERS ? BY_TYPE(t, real##_batch_pointers, cplx##_batch_pointers, ctx, LIST(POINTERS_M, POINTERS_V))           \
                       : BY_TYPE(t, real##_batch, cplx##_batch, ctx, LIST(STRIDED_M, STRIDED_V)))
/* Of calls whose real and complex types have other arguments */
#define REAL_FORM(t, how, name, LIST)                                                                                          \
    ((how) == POINTERS ? ((t) == TSL_S ? tsl_s##name##_batch_pointers(ctx, LIST(POINTERS_M, POINTERS_V))                       \
                                       : tsl_d##name##_batch_pointers(ctx, LIST(POINTERS_M, POINTERS_V)))                      \
                       : ((t) == TSL_S ? tsl_s##name##_batch(ctx, LIST(STRIDED_M, STRIDED_V))                                  \
                                       : tsl_d##name##_batch(ctx, LIST(STRIDED_M, STRIDED_V))))
#define COMPLEX_FORM(t, how, name, LIST)                                                                                       \
    ((how) == POINTERS ? ((t) == TSL_C ? tsl_c##name##_batch_pointers(ctx, LIST(POINTERS_M, POINTERS_V))                       \
                                       : tsl_z##name##_batch_pointers(ctx, LIST(POINTERS_M, POINTERS_V)))                      \
                       : ((t) == TSL_C ? tsl_c##name##_batch(ctx, LIST(STRIDED_M, STRIDED_V))                                  \
                                       : tsl_z##name##_batch(ctx, LIST(STRIDED_M, STRIDED_V))))

enum { BOUND = 60 };

static inline int is_complex(tsl_type t) { return t == TSL_C || t == TSL_Z; }
static inline tsl_type real_of(tsl_type t) { return t == TSL_C ? TSL_S : t == TSL_Z ? TSL_D : t; }

/* A dense matrix; op: seen as it is (N), transposed (T), and conjugated too (C) */
typedef struct dense {
    int64_t m, n;
    tsl_scalar *a;
} dense;

static inline dense dense_make(int64_t m, int64_t n) { return (dense){m, n, calloc((size_t)(m * n) + 1, sizeof(tsl_scalar))}; }
static inline tsl_scalar *dense_at(const dense *d, int64_t i, int64_t j) { return &d->a[i + j * d->m]; }
static inline void dense_free(dense *d) { free(d->a); }

static inline dense dense_of(const stack *s, int64_t k)
{
    dense d = dense_make(s->m, s->n);
    for (int64_t j = 0; j < s->n; j++)
        for (int64_t i = 0; i < s->m; i++)
            *dense_at(&d, i, j) = stack_get(s, k, i, j);
    return d;
}

/* Of a triangle the whole: mirrored, conjugated or not, or zeros in the other half (what 'T'; unit: ones on the diagonal) */
static inline dense dense_half(const stack *s, int64_t k, char uplo, char what)
{
    dense d = dense_make(s->m, s->m);
    for (int64_t j = 0; j < s->m; j++)
        for (int64_t i = 0; i < s->m; i++) {
            int stored = uplo == 'L' ? i >= j : i <= j;
            tsl_scalar a = stored ? stack_get(s, k, i, j) : stack_get(s, k, j, i);
            if (what == 'H')
                a = i == j ? creal(a) : stored ? a : conj(a);
            *dense_at(&d, i, j) = what == 'T' && !stored ? 0 : a;
        }
    return d;
}

static inline tsl_scalar dense_seen(const dense *d, char op, int64_t i, int64_t j)
{
    return op == 'N' ? *dense_at(d, i, j) : op == 'T' ? *dense_at(d, j, i) : conj(*dense_at(d, j, i));
}

static inline dense dense_times(char opa, const dense *A, char opb, const dense *B)
{
    int64_t m = opa == 'N' ? A->m : A->n, k = opa == 'N' ? A->n : A->m, n = opb == 'N' ? B->n : B->m;
    dense C = dense_make(m, n);
    for (int64_t j = 0; j < n; j++)
        for (int64_t l = 0; l < k; l++) {
            tsl_scalar b = dense_seen(B, opb, l, j);
            for (int64_t i = 0; i < m; i++)
                *dense_at(&C, i, j) += dense_seen(A, opa, i, l) * b;
        }
    return C;
}

static inline double dense_size(const dense *A)
{
    double most = 0;
    for (int64_t i = 0; i < A->m * A->n; i++)
        most = worse(most, cabs(A->a[i]));
    return most;
}

/* The largest |op(A) op(B) - C| in units of eps, sizes and the inner dimension */
static inline double dense_error(tsl_type t, char opa, const dense *A, char opb, const dense *B, const dense *C)
{
    dense P = dense_times(opa, A, opb, B);
    double worst = 0, size = dense_size(A) * dense_size(B) + dense_size(C) + 1e-300;
    for (int64_t i = 0; i < P.m * P.n; i++)
        worst = worse(worst, cabs(P.a[i] - C->a[i]));
    dense_free(&P);
    return worst / (size * eps(t) * (double)(A->m + A->n + 1));
}

static inline dense dense_unit(int64_t n)
{
    dense unit = dense_make(n, n);
    for (int64_t i = 0; i < n; i++)
        *dense_at(&unit, i, i) = 1;
    return unit;
}

/* Columns that are orthonormal: |Q^H Q - unit| */
static inline double dense_unitary(tsl_type t, const dense *Q)
{
    dense unit = dense_unit(Q->n);
    double e = dense_error(t, 'C', Q, 'N', Q, &unit);
    dense_free(&unit);
    return e;
}

/* Column j times the j-th number of a column of the batch */
static inline dense dense_scaled(const dense *A, const stack *w, int64_t k)
{
    dense S = dense_make(A->m, A->n);
    for (int64_t j = 0; j < A->n; j++)
        for (int64_t i = 0; i < A->m; i++)
            *dense_at(&S, i, j) = *dense_at(A, i, j) * stack_get(w, k, j, 0);
    return S;
}

static inline int all_nan(const stack *s, int64_t k)
{
    int all = 1;
    for (int64_t j = 0; j < s->n; j++)
        for (int64_t i = 0; i < s->m; i++)
            all &= isnan(creal(stack_get(s, k, i, j)));
    return all;
}

/* Some problems have a NaN, which must not be seen in others. */
enum { BAD_EVERY = 6 };
static inline int is_spoiled(int64_t k) { return k % BAD_EVERY == 4; }
static inline void spoil(stack *s)
{
    for (int64_t k = 0; k < s->count; k++)
        if (is_spoiled(k) && s->m && s->n)
            stack_set(s, k, s->m / 2, s->n / 2 < s->m / 2 ? s->n / 2 : s->m / 2, NAN);
}

#endif
