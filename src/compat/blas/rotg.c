/* rotg and rotmg: numbers alone, computed here. Host libraries have been seen to overflow in them. They have no integers, so
 * names for 32 and for 64 bits are one function. */
#include <complex.h>
#include <math.h>

#include "compat/blas/blas.h"
#include "core/numbers/rotation.h"

#define ALIAS(new, old) extern __typeof__(old) new __attribute__((alias(#old), visibility("default")));
#define ALL_NAMES(name)                   \
    ALIAS(name##_64_, name##_)            \
    ALIAS(scipy_##name##_, name##_)       \
    ALIAS(scipy_##name##_64_, name##_)
#define ALL_CBLAS_NAMES(name)                           \
    ALIAS(cblas_##name##_64, cblas_##name)              \
    ALIAS(cblas_##name##64_, cblas_##name)              \
    ALIAS(scipy_cblas_##name, cblas_##name)             \
    ALIAS(scipy_cblas_##name##64_, cblas_##name)

/* b becomes c and s in one number, by which BLAS means to find them again. */
#define REAL_ROTG(p, T)                                                          \
    TSL_API void p##rotg_(T *a, T *b, T *c, T *s)                                \
    {                                                                            \
        const tsl_rotation g = tsl_rotation_real(*a, *b);                        \
        const bool first = fabs((double)*a) > fabs((double)*b) || *b == 0;       \
        *a = (T)creal(g.r), *c = (T)g.c, *s = (T)creal(g.s);                     \
        *b = first ? *s : *c != 0 ? 1 / *c : 1;                                  \
    }                                                                            \
    TSL_API void cblas_##p##rotg(T *a, T *b, T *c, T *s) { p##rotg_(a, b, c, s); } \
    ALL_NAMES(p##rotg)                                                           \
    ALL_CBLAS_NAMES(p##rotg)
REAL_ROTG(s, float)
REAL_ROTG(d, double)

#define COMPLEX_ROTG(p, T, R)                                                    \
    TSL_API void p##rotg_(T *a, const T *b, R *c, T *s)                          \
    {                                                                            \
        const tsl_rotation g = tsl_rotation_complex(*a, *b);                     \
        *a = (T)g.r, *c = (R)g.c, *s = (T)g.s;                                   \
    }                                                                            \
    TSL_API void cblas_##p##rotg(void *a, void *b, R *c, void *s) { p##rotg_(a, b, c, s); } \
    ALL_NAMES(p##rotg)                                                           \
    ALL_CBLAS_NAMES(p##rotg)
COMPLEX_ROTG(c, tsl_cfloat, float)
COMPLEX_ROTG(z, tsl_cdouble, double)

#define ROTMG(p, T)                                                              \
    TSL_API void cblas_##p##rotmg(T *d1, T *d2, T *x1, T y1, T *param)           \
    {                                                                            \
        tsl_modified m = {.d1 = *d1, .d2 = *d2, .x1 = *x1};                      \
        for (int i = 0; i < 5; ++i) m.param[i] = param[i];                       \
        tsl_modified_rotation(&m, y1);                                           \
        *d1 = (T)m.d1, *d2 = (T)m.d2, *x1 = (T)m.x1;                             \
        for (int i = 0; i < 5; ++i) param[i] = (T)m.param[i];                    \
    }                                                                            \
    TSL_API void p##rotmg_(T *d1, T *d2, T *x1, const T *y1, T *param) { cblas_##p##rotmg(d1, d2, x1, *y1, param); } \
    ALL_NAMES(p##rotmg)                                                          \
    ALL_CBLAS_NAMES(p##rotmg)
ROTMG(s, float)
ROTMG(d, double)
