/* Stands in for norms of a host library as OpenBLAS has them for some processors of Arm: zero of tiny numbers, and NaN of a
 * vector that begins with a subnormal one. It is preloaded, so that LAPACK's own calls come here too. */
#include <float.h>
#include <math.h>

static double norm(long n, const void *x, long inc, int parts, int is_float)
{
    const double least = is_float ? FLT_MIN : DBL_MIN;
    double most = 0, sum = 0;
    for (int pass = 0; pass < 2; ++pass)
        for (long i = 0; i < n * parts && inc > 0; ++i) {
            long at = i / parts * inc * parts + i % parts;
            double a = fabs(is_float ? (double)((const float *)x)[at] : ((const double *)x)[at]);
            if (i == 0 && a > 0 && a < least * 0x1p-18) return NAN;
            if (pass == 0) most = a > most || isnan(a) ? a : most;
            else sum += most > 0 ? a / most * (a / most) : 0;
        }
    return most < least * 0x1p40 ? 0 : isinf(most) ? INFINITY : most * sqrt(sum);
}

float snrm2_(const int *n, const float *x, const int *inc) { return (float)norm(*n, x, *inc, 1, 1); }
double dnrm2_(const int *n, const double *x, const int *inc) { return norm(*n, x, *inc, 1, 0); }
float scnrm2_(const int *n, const void *x, const int *inc) { return (float)norm(*n, x, *inc, 2, 1); }
double dznrm2_(const int *n, const void *x, const int *inc) { return norm(*n, x, *inc, 2, 0); }
