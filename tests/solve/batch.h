/* Batches for tests: problems laid out in memory in several ways, with sentinels around them, the typed calls behind one
 * signature, random and definite problems, some of which fail, and residuals. */
#ifndef BATCH_H
#define BATCH_H

#include <complex.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tap.h"
#include "tesela.h"

/* One after the other; with gaps in columns and between problems; side by side in one large matrix; each at a pointer, last
 * first */
typedef enum layout { DENSE, GAPS, BESIDE, POINTERS, LAYOUTS } layout;

typedef struct stack {
    tsl_type t;
    layout how;
    int64_t m, n, count, ld, stride;
    size_t elements;
    char *data;
    void **each;
} stack;

static inline size_t element_size(tsl_type t) { return t == TSL_INDEX ? sizeof(int64_t) : tsl_type_size(t); }

static inline stack stack_make(tsl_type t, layout how, int64_t m, int64_t n, int64_t count)
{
    stack s = {.t = t, .how = how, .m = m, .n = n, .count = count, .ld = m > 0 ? m : 1};
    if (how == GAPS || how == POINTERS) s.ld += 3;
    if (how == BESIDE) s.ld = m * count + 2;
    if (s.ld < 1) s.ld = 1;
    s.stride = how == BESIDE ? m : how == DENSE ? m * n : s.ld * n + 5;
    s.elements = (size_t)(how == BESIDE ? s.ld * n : s.stride * count) + 1;
    s.data = malloc(s.elements * element_size(t));
    memset(s.data, 0x5a, s.elements * element_size(t));
    s.each = calloc((size_t)count + 1, sizeof *s.each);
    for (int64_t k = 0; k < count; k++) s.each[k] = s.data + (size_t)((how == POINTERS ? count - 1 - k : k) * s.stride) * element_size(t);
    return s;
}

static inline void stack_free(stack *s) { free(s->data), free(s->each); }

static inline stack stack_copy(const stack *s)
{
    stack c = stack_make(s->t, s->how, s->m, s->n, s->count);
    memcpy(c.data, s->data, s->elements * element_size(s->t));
    return c;
}

static inline void *stack_at(const stack *s, int64_t k, int64_t i, int64_t j) { return (char *)s->each[k] + (size_t)(i + j * s->ld) * element_size(s->t); }

static inline tsl_scalar stack_get(const stack *s, int64_t k, int64_t i, int64_t j)
{
    const void *p = stack_at(s, k, i, j);
    switch (s->t) {
    case TSL_S: return *(const float *)p;
    case TSL_D: return *(const double *)p;
    case TSL_C: return *(const tsl_cfloat *)p;
    case TSL_Z: return *(const tsl_cdouble *)p;
    default: return (double)*(const int64_t *)p;
    }
}

static inline void stack_set(const stack *s, int64_t k, int64_t i, int64_t j, tsl_scalar a)
{
    void *p = stack_at(s, k, i, j);
    switch (s->t) {
    case TSL_S: *(float *)p = (float)creal(a); break;
    case TSL_D: *(double *)p = creal(a); break;
    case TSL_C: *(tsl_cfloat *)p = (tsl_cfloat)a; break;
    case TSL_Z: *(tsl_cdouble *)p = a; break;
    default: *(int64_t *)p = (int64_t)creal(a);
    }
}

/* Are all elements outside of the problems as they were? */
static inline int stack_intact(const stack *s, const stack *was)
{
    size_t size = element_size(s->t);
    char *mine = calloc(s->elements, 1);
    for (int64_t k = 0; k < s->count; k++)
        for (int64_t j = 0; j < s->n; j++)
            for (int64_t i = 0; i < s->m; i++) mine[(size_t)((char *)stack_at(s, k, i, j) - s->data) / size] = 1;
    int good = 1;
    for (size_t e = 0; e < s->elements; e++) good &= mine[e] || !memcmp(s->data + e * size, was->data + e * size, size);
    free(mine);
    return good;
}

/* Is problem k as it was, bit for bit? */
static inline int stack_untouched(const stack *s, const stack *was, int64_t k)
{
    for (int64_t j = 0; j < s->n; j++)
        if (s->m && memcmp(stack_at(s, k, 0, j), stack_at(was, k, 0, j), (size_t)s->m * element_size(s->t))) return 0;
    return 1;
}

typedef struct batch_calls {
    tsl_status (*gemm)(tsl_context *x, char ta, char tb, int64_t m, int64_t n, int64_t k, tsl_scalar alpha, const stack *A, const stack *B, tsl_scalar beta, stack *C);
    tsl_status (*trsm)(tsl_context *x, char side, char uplo, char ta, char diag, int64_t m, int64_t n, tsl_scalar alpha, const stack *A, stack *B);
    tsl_status (*potrf)(tsl_context *x, char uplo, int64_t n, stack *A, int64_t *info);
    tsl_status (*potrs)(tsl_context *x, char uplo, int64_t n, int64_t nrhs, const stack *A, stack *B);
    tsl_status (*posv)(tsl_context *x, char uplo, int64_t n, int64_t nrhs, stack *A, stack *B, int64_t *info);
    tsl_status (*getrf)(tsl_context *x, int64_t m, int64_t n, stack *A, stack *p, int64_t *info);
    tsl_status (*getrs)(tsl_context *x, char trans, int64_t n, int64_t nrhs, const stack *A, const stack *p, stack *B);
    tsl_status (*gesv)(tsl_context *x, int64_t n, int64_t nrhs, stack *A, stack *p, stack *B, int64_t *info);
    tsl_status (*geqrf)(tsl_context *x, int64_t m, int64_t n, stack *A, stack *tau);
    tsl_status (*gels)(tsl_context *x, char trans, int64_t m, int64_t n, int64_t nrhs, stack *A, stack *B, int64_t *info);
} batch_calls;

/* By pointers where the layout is that, else at a stride */
#define BATCH_CALLS(P, T)                                                                                                                       \
    static tsl_status P##_gemm(tsl_context *x, char ta, char tb, int64_t m, int64_t n, int64_t k, tsl_scalar alpha, const stack *A, const stack *B, \
                               tsl_scalar beta, stack *C)                                                                                       \
    {                                                                                                                                           \
        if (C->how == POINTERS)                                                                                                                 \
            return tsl_##P##gemm_batch_pointers(x, ta, tb, m, n, k, (T)alpha, (const T *const *)A->each, A->ld, (const T *const *)B->each, B->ld, \
                                                (T)beta, (T *const *)C->each, C->ld, C->count);                                                 \
        return tsl_##P##gemm_batch(x, ta, tb, m, n, k, (T)alpha, (const T *)A->data, A->ld, A->stride, (const T *)B->data, B->ld, B->stride,    \
                                   (T)beta, (T *)C->data, C->ld, C->stride, C->count);                                                          \
    }                                                                                                                                           \
    static tsl_status P##_trsm(tsl_context *x, char side, char uplo, char ta, char diag, int64_t m, int64_t n, tsl_scalar alpha, const stack *A, \
                               stack *B)                                                                                                        \
    {                                                                                                                                           \
        if (B->how == POINTERS)                                                                                                                 \
            return tsl_##P##trsm_batch_pointers(x, side, uplo, ta, diag, m, n, (T)alpha, (const T *const *)A->each, A->ld, (T *const *)B->each, \
                                                B->ld, B->count);                                                                               \
        return tsl_##P##trsm_batch(x, side, uplo, ta, diag, m, n, (T)alpha, (const T *)A->data, A->ld, A->stride, (T *)B->data, B->ld,          \
                                   B->stride, B->count);                                                                                        \
    }                                                                                                                                           \
    static tsl_status P##_potrf(tsl_context *x, char uplo, int64_t n, stack *A, int64_t *info)                                                  \
    {                                                                                                                                           \
        if (A->how == POINTERS) return tsl_##P##potrf_batch_pointers(x, uplo, n, (T *const *)A->each, A->ld, A->count, info);                   \
        return tsl_##P##potrf_batch(x, uplo, n, (T *)A->data, A->ld, A->stride, A->count, info);                                                \
    }                                                                                                                                           \
    static tsl_status P##_potrs(tsl_context *x, char uplo, int64_t n, int64_t nrhs, const stack *A, stack *B)                                   \
    {                                                                                                                                           \
        if (B->how == POINTERS)                                                                                                                 \
            return tsl_##P##potrs_batch_pointers(x, uplo, n, nrhs, (const T *const *)A->each, A->ld, (T *const *)B->each, B->ld, B->count);     \
        return tsl_##P##potrs_batch(x, uplo, n, nrhs, (const T *)A->data, A->ld, A->stride, (T *)B->data, B->ld, B->stride, B->count);          \
    }                                                                                                                                           \
    static tsl_status P##_posv(tsl_context *x, char uplo, int64_t n, int64_t nrhs, stack *A, stack *B, int64_t *info)                           \
    {                                                                                                                                           \
        if (B->how == POINTERS)                                                                                                                 \
            return tsl_##P##posv_batch_pointers(x, uplo, n, nrhs, (T *const *)A->each, A->ld, (T *const *)B->each, B->ld, B->count, info);      \
        return tsl_##P##posv_batch(x, uplo, n, nrhs, (T *)A->data, A->ld, A->stride, (T *)B->data, B->ld, B->stride, B->count, info);           \
    }                                                                                                                                           \
    static tsl_status P##_getrf(tsl_context *x, int64_t m, int64_t n, stack *A, stack *p, int64_t *info)                                        \
    {                                                                                                                                           \
        if (A->how == POINTERS)                                                                                                                 \
            return tsl_##P##getrf_batch_pointers(x, m, n, (T *const *)A->each, A->ld, (int64_t *const *)p->each, A->count, info);               \
        return tsl_##P##getrf_batch(x, m, n, (T *)A->data, A->ld, A->stride, (int64_t *)p->data, p->stride, A->count, info);                    \
    }                                                                                                                                           \
    static tsl_status P##_getrs(tsl_context *x, char trans, int64_t n, int64_t nrhs, const stack *A, const stack *p, stack *B)                  \
    {                                                                                                                                           \
        if (B->how == POINTERS)                                                                                                                 \
            return tsl_##P##getrs_batch_pointers(x, trans, n, nrhs, (const T *const *)A->each, A->ld, (const int64_t *const *)p->each,          \
                                                 (T *const *)B->each, B->ld, B->count);                                                         \
        return tsl_##P##getrs_batch(x, trans, n, nrhs, (const T *)A->data, A->ld, A->stride, (const int64_t *)p->data, p->stride, (T *)B->data, \
                                    B->ld, B->stride, B->count);                                                                                \
    }                                                                                                                                           \
    static tsl_status P##_gesv(tsl_context *x, int64_t n, int64_t nrhs, stack *A, stack *p, stack *B, int64_t *info)                            \
    {                                                                                                                                           \
        if (B->how == POINTERS)                                                                                                                 \
            return tsl_##P##gesv_batch_pointers(x, n, nrhs, (T *const *)A->each, A->ld, (int64_t *const *)p->each, (T *const *)B->each, B->ld,  \
                                                B->count, info);                                                                                \
        return tsl_##P##gesv_batch(x, n, nrhs, (T *)A->data, A->ld, A->stride, (int64_t *)p->data, p->stride, (T *)B->data, B->ld, B->stride,   \
                                   B->count, info);                                                                                             \
    }                                                                                                                                           \
    static tsl_status P##_geqrf(tsl_context *x, int64_t m, int64_t n, stack *A, stack *tau)                                                     \
    {                                                                                                                                           \
        if (A->how == POINTERS) return tsl_##P##geqrf_batch_pointers(x, m, n, (T *const *)A->each, A->ld, (T *const *)tau->each, A->count);     \
        return tsl_##P##geqrf_batch(x, m, n, (T *)A->data, A->ld, A->stride, (T *)tau->data, tau->stride, A->count);                            \
    }                                                                                                                                           \
    static tsl_status P##_gels(tsl_context *x, char trans, int64_t m, int64_t n, int64_t nrhs, stack *A, stack *B, int64_t *info)               \
    {                                                                                                                                           \
        if (B->how == POINTERS)                                                                                                                 \
            return tsl_##P##gels_batch_pointers(x, trans, m, n, nrhs, (T *const *)A->each, A->ld, (T *const *)B->each, B->ld, B->count, info);  \
        return tsl_##P##gels_batch(x, trans, m, n, nrhs, (T *)A->data, A->ld, A->stride, (T *)B->data, B->ld, B->stride, B->count, info);       \
    }

BATCH_CALLS(s, float)
BATCH_CALLS(d, double)
BATCH_CALLS(c, tsl_cfloat)
BATCH_CALLS(z, tsl_cdouble)
#define BATCH_ROW(P) {P##_gemm, P##_trsm, P##_potrf, P##_potrs, P##_posv, P##_getrf, P##_getrs, P##_gesv, P##_geqrf, P##_gels}
static const batch_calls batch_of[] = {BATCH_ROW(s), BATCH_ROW(d), BATCH_ROW(c), BATCH_ROW(z)};

static uint64_t state; /* of the random numbers */
static inline double uniform(void)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double)(int64_t)(state >> 11) / (double)((int64_t)1 << 52) - 1;
}

static inline tsl_scalar number(tsl_type t) { return t == TSL_C || t == TSL_Z ? CMPLX(uniform(), uniform()) : uniform(); }
static inline double eps(tsl_type t) { return tsl_type_eps(t); }
static inline char herm(tsl_type t) { return t == TSL_C || t == TSL_Z ? 'C' : 'T'; }

static inline stack random_stack(tsl_type t, layout how, int64_t m, int64_t n, int64_t count)
{
    stack s = stack_make(t, how, m, n, count);
    for (int64_t k = 0; k < count; k++)
        for (int64_t j = 0; j < n; j++)
            for (int64_t i = 0; i < m; i++) stack_set(&s, k, i, j, number(t));
    return s;
}

/* Hermitian and positive definite, but every fifth problem: from its middle column on it is not; and every seventh has a NaN */
enum { INDEFINITE = 5, NOT_A_NUMBER = 7 };
static inline int is_bad(int64_t k) { return k % INDEFINITE == 3; }
static inline int has_nan(int64_t k) { return k % NOT_A_NUMBER == 5 && !is_bad(k); }
static inline int64_t bad_column(int64_t n) { return n / 2; }

static inline stack definite_stack(tsl_type t, layout how, int64_t n, int64_t count)
{
    stack s = random_stack(t, how, n, n, count);
    for (int64_t k = 0; k < count; k++)
        for (int64_t j = 0; j < n; j++) {
            for (int64_t i = 0; i < j; i++) stack_set(&s, k, j, i, conj(stack_get(&s, k, i, j)));
            stack_set(&s, k, j, j, is_bad(k) && j >= bad_column(n) ? -3.0 * (double)n : 3.0 * (double)n);
        }
    return s;
}

static inline tsl_scalar seen(const stack *s, int64_t k, char op, int64_t i, int64_t j)
{
    tsl_scalar a = op == 'N' ? stack_get(s, k, i, j) : stack_get(s, k, j, i);
    return op == 'C' ? conj(a) : a;
}

/* The largest |op(A) X - B| beside |A| |X| + |B|, in units of eps and the order; X has A's columns as rows */
static inline double residual(const stack *A, char op, const stack *X, const stack *B, int64_t k, int64_t m, int64_t n, int64_t nrhs)
{
    double worst = 0, size = 1e-300;
    for (int64_t j = 0; j < nrhs; j++)
        for (int64_t i = 0; i < m; i++) {
            tsl_scalar r = -stack_get(B, k, i, j);
            double scale = cabs(r);
            for (int64_t l = 0; l < n; l++) {
                tsl_scalar p = seen(A, k, op, i, l) * stack_get(X, k, l, j);
                r += p;
                scale += cabs(p);
            }
            worst = worse(worst, cabs(r));
            size = tsl_larger(size, scale);
        }
    return worst / (size * eps(A->t) * (double)(n + 1));
}

#endif
