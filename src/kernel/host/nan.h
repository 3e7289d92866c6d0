/* NaN among what LAPACK computed: it was seen to return some of finite numbers, and to say nothing of it. */
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

static inline bool array_has_nan(tsl_type t, const tsl_array *v) { return v->m > 0 && has_nan(t, v->m, v->n, v->p, v->ld); }

#endif
