/* Matrices whose elements are near the ends of the range: scaled by powers of two, which round nothing, and back. Two rules: where
 * squares of elements must be numbers (LAPACK's), and where a method wants the largest element to be about one. */
#include <math.h>

#include "algo/algo.h"
#include "core/values.h"

double tsl_into_range(tsl_context *x, tsl_structure structure, tsl_view A, double *size)
{
    *size = tsl_is_there(A) ? tsl_largest(x, structure, A) : 0;
    double by = tsl_range_factor(tsl_matrix_type(A.mat), *size);
    if (by != 1) tsl_scale(x, by, A);
    return by;
}

double tsl_bring_into_range(tsl_context *x, tsl_view A)
{
    double size, by = tsl_into_range(x, TSL_TRIANGULAR, A, &size);
    return size == 0 ? 0 : by;
}

int tsl_exponent_of(double size)
{
    enum { MODERATE = 20 };
    int at = size > 0 && isfinite(size) ? ilogb(size) : 0;
    return at > MODERATE || at < -MODERATE ? at : 0;
}

/* By factors that any type has, and their inverses too */
void tsl_scale_by(tsl_context *x, int by, tsl_view A)
{
    enum { MOST = 100 };
    for (int step; by; by -= step) {
        step = by > MOST ? MOST : by < -MOST ? -MOST : by;
        tsl_scale(x, ldexp(1, step), A);
    }
}
