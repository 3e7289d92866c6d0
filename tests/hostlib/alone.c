/* A BLAS without LAPACK, as BLIS is: here of two functions. */
#include <math.h>

double dasum_(const int *n, const double *x, const int *inc)
{
    double sum = 0;
    for (int i = 0; i < *n && *inc > 0; ++i) sum += fabs(x[i * *inc]);
    return sum;
}

void daxpy_(const int *n, const double *alpha, const double *x, const int *incx, double *y, const int *incy)
{
    for (int i = 0; i < *n; ++i) y[(*incy < 0 ? i + 1 - *n : i) * *incy] += *alpha * x[(*incx < 0 ? i + 1 - *n : i) * *incx];
}
