/* How the largest and the least singular value of a triangle are estimated while it grows by a column (incremental condition
 * estimation, Bischof): with |x| = 1, |x^H R| = s and a = x^H w, the triangle [R w; 0 g] has, for vectors (c1 x; c2), the
 * values of the 2 x 2 triangle [s a; 0 g]. For C and CUDA. */
#ifndef TSL_GROWTH_H
#define TSL_GROWTH_H

#include <math.h>

#ifdef __CUDACC__
#define TSL_BOTH __host__ __device__
#else
#define TSL_BOTH
#endif

/* The singular values of [s a; 0 g] by sizes, and the vector on the left of the largest: (p1, p2 e), e = conj(a) g / |a g|;
 * that of the least is (-p2 conj(e), p1). */
typedef struct tsl_growth {
    double largest, least, p1, p2;
} tsl_growth;

static inline TSL_BOTH tsl_growth tsl_grow(double s, double a, double g)
{
    double most = fmax(s, fmax(a, g));
    tsl_growth to = {most, most, 1, 0}; /* of zeros; NaN stays */
    if (!(most > 0) || most > 1.7976931348623157e308 || s != s || a != a || g != g) {
        if (s + a + g != s + a + g || most > 1.7976931348623157e308) to.largest = to.least = s + a + g - (s + a + g);
        return to;
    }
    s /= most, a /= most, g /= most;
    double half = (s * s + a * a - g * g) / 2, cross = a * g, root = hypot(half, cross), size;
    to.p1 = half >= 0 ? half + root : cross;
    to.p2 = half >= 0 ? cross : root - half;
    size = hypot(to.p1, to.p2);
    if (size > 0) to.p1 /= size, to.p2 /= size;
    else to.p1 = 1, to.p2 = 0;
    double largest = sqrt((s * s + a * a + g * g) / 2 + root);
    to.largest = largest * most;
    to.least = largest > 0 ? s / largest * g * most : 0; /* their product is the determinant */
    return to;
}

#endif
