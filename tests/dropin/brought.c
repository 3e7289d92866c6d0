/* A library that a program brings along, as the wheels of NumPy do: one function of BLAS under a name of its own. It adds a
 * mark. */
#include <stdint.h>

void scipy_dscal_64_(const int64_t *n, const double *alpha, double *x, const int64_t *incx)
{
    for (int64_t i = 0; i < *n; ++i) x[i * *incx] = x[i * *incx] * *alpha + 1000;
}
