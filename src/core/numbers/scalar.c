/* Scalars of any type, and of one. */
#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>

#include "core/leaf.h"

tsl_typed_scalar tsl_typed(tsl_type t, tsl_scalar a)
{
    tsl_typed_scalar x = {0};
    switch (t) {
    case TSL_S: x.s = (float)creal(a); break;
    case TSL_D: x.d = creal(a); break;
    case TSL_C: x.c = (tsl_cfloat)a; break;
    case TSL_Z: x.z = a; break;
    case TSL_INDEX: x.i = (int64_t)creal(a); break;
    }
    return x;
}

tsl_scalar tsl_untyped(tsl_type t, tsl_typed_scalar a)
{
    switch (t) {
    case TSL_S: return a.s;
    case TSL_D: return a.d;
    case TSL_C: return a.c;
    case TSL_INDEX: return (double)a.i;
    default: return a.z;
    }
}

/* As LAPACK; a power of two, so that nothing is rounded */
double tsl_range_factor(tsl_type t, double size)
{
    bool single = t == TSL_S || t == TSL_C;
    double least = sqrt(single ? (double)FLT_MIN / (double)FLT_EPSILON : DBL_MIN / DBL_EPSILON);
    double to = size > 0 && size < least ? least : size > 1 / least ? 1 / least : size;
    return to == size || !isfinite(size) ? 1 : exp2(floor(log2(to / size)));
}
