#include <cblas.h>
#include <lapacke.h>
#include <math.h>

#include "bench/measure/measure.h"

double bench_openblas_solve(int64_t n, double *A, double *b)
{
    double start = bench_now();
    int order = (int)n;
    if (LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', order, A, order))
        return NAN;
    cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, order, 1, 1, A, order, b, order);
    cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, CblasTrans, CblasNonUnit, order, 1, 1, A, order, b, order);
    return bench_now() - start;
}
