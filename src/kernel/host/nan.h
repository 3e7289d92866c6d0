/* What is no number: elements that are not finite, of which LAPACK is not asked to compute anything; and NaN among what it
 * computed, since it was seen to return some of finite numbers, and to say nothing of it. */
#ifndef TSL_HOST_NAN_H
#define TSL_HOST_NAN_H

#include <math.h>

#include "core/leaf.h"
#include "core/values.h"

static inline bool has_nan(tsl_type t, int64_t m, int64_t n, const void *A, int64_t ld)
{
    const int64_t parts = tsl_is_complex(t) ? 2 : 1;
    bool bad = false;
    for (int64_t j = 0; j < n; ++j)
        for (int64_t i = j * ld * parts; i < (j * ld + m) * parts; ++i)
            bad |= tsl_real_type(t) == TSL_S ? isnan(((const float *)A)[i]) : isnan(((const double *)A)[i]);
    return bad;
}

/* count of them, side by side */
static inline bool are_finite(tsl_type t, int64_t count, const void *v)
{
    const int64_t numbers = count * (tsl_is_complex(t) ? 2 : 1);
    bool good = true;
    if (tsl_real_type(t) == TSL_S)
        for (int64_t i = 0; i < numbers; ++i) good &= (bool)isfinite(((const float *)v)[i]);
    else
        for (int64_t i = 0; i < numbers; ++i) good &= (bool)isfinite(((const double *)v)[i]);
    return good;
}

static inline bool all_finite(tsl_type t, int64_t m, int64_t n, const void *A, int64_t ld)
{
    bool good = true;
    for (int64_t j = 0; j < n; ++j) good &= are_finite(t, m, (const char *)A + (size_t)(j * ld) * tsl_type_size(t));
    return good;
}

/* A diagonal of n, and the one beside it */
static inline bool diagonals_are_finite(tsl_type t, int64_t n, const void *d, const void *e)
{
    return are_finite(t, n, d) && are_finite(t, n - 1, e);
}

static inline bool array_has_nan(tsl_type t, const tsl_array *v) { return v->m > 0 && has_nan(t, v->m, v->n, v->p, v->ld); }

#endif
