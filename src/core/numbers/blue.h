/* The 2-norm by Blue's and Anderson's accumulators: squares of large, middling and small numbers are summed apart, the outer
 * ones scaled by powers of two, so that no square overflows, or underflows where that would show. Used by host and device;
 * every float is a middling double. (E. Anderson, Algorithm 978: Safe scaling in the level 1 BLAS, ACM TOMS 44, 2017.) */
#ifndef TSL_BLUE_H
#define TSL_BLUE_H

#include <math.h>

#include "core/numbers/largest.h"

#ifdef __CUDACC__
#define TSL_BLUE_INLINE static inline __host__ __device__
#else
#define TSL_BLUE_INLINE static inline
#endif

/* Numbers from SMALLEST to LARGEST are squared as they are; 2^52 squares at least can then be added. */
#define TSL_BLUE_SMALLEST 0x1p-511
#define TSL_BLUE_LARGEST 0x1p486
#define TSL_BLUE_UP 0x1p537    /* scales the small ones */
#define TSL_BLUE_DOWN 0x1p-538 /* and the large ones */

typedef struct tsl_blue {
    double large, middling, small; /* sums of squares, scaled; all zero at first */
} tsl_blue;

/* A NaN is neither large nor small, and so comes into the middling sum. */
TSL_BLUE_INLINE void tsl_blue_add(tsl_blue *s, double x)
{
    double a = fabs(x);
    if (a > TSL_BLUE_LARGEST) {
        a *= TSL_BLUE_DOWN;
        s->large += a * a;
    } else if (a < TSL_BLUE_SMALLEST) {
        a *= TSL_BLUE_UP;
        s->small += a * a;
    } else {
        s->middling += a * a;
    }
}

TSL_BLUE_INLINE void tsl_blue_merge(tsl_blue *s, const tsl_blue *t)
{
    s->large += t->large;
    s->middling += t->middling;
    s->small += t->small;
}

/* |re + i im|: only where squares may have overflowed or lost something is more work done; a NaN makes a NaN. */
TSL_BLUE_INLINE double tsl_modulus(double re, double im)
{
    double s = re * re + im * im;
    if ((s >= 0x1p-900 && s <= 0x1p1000) || s != s) return sqrt(s);
    return hypot(re, im);
}

/* Beside large numbers small ones do not count; beside middling ones they may, if there are many. */
TSL_BLUE_INLINE double tsl_blue_norm(const tsl_blue *s)
{
    if (s->large > 0) return sqrt(s->large + s->middling * TSL_BLUE_DOWN * TSL_BLUE_DOWN) / TSL_BLUE_DOWN;
    double a = sqrt(s->small) / TSL_BLUE_UP, b = sqrt(s->middling);
    if (a == 0 || b == 0) return a + b;
    double low = a < b ? a : b, high = a < b ? b : a, ratio = low / high;
    return high * sqrt(1 + ratio * ratio);
}

#endif
