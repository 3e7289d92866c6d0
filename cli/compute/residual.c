/* How good a result is, found out from the result as it is written. */
#include <math.h>

#include "cli/compute/job.h"

tsl_status cli_residual(cli_job *job, tsl_view A, const cli_array *X, const cli_array *R)
{
    tsl_matrix *x = NULL, *r = NULL;
    tsl_status st = tsl_matrix_wrap(job->ctx, X->type, X->m, X->n, X->data, X->m > 0 ? X->m : 1, &x);
    if (!st)
        st = tsl_matrix_wrap(job->ctx, R->type, R->m, R->n, R->data, R->m > 0 ? R->m : 1, &r);
    if (!st)
        st = A.uplo ? tsl_hemm(job->ctx, TSL_LEFT, -1, A, tsl_whole(x), 1, tsl_whole(r))
                    : tsl_gemm(job->ctx, -1, A, tsl_whole(x), 1, tsl_whole(r));
    if (!st)
        st = tsl_wait(job->ctx);
    tsl_matrix_free(x);
    tsl_matrix_free(r);
    return st;
}

/* NaN if there is one. */
static double largest(const cli_array *a, int64_t column)
{
    double most = 0;
    for (int64_t i = 0; i < a->m; i++) {
        double v = cli_array_magnitude(a, i + column * a->m);
        if (!(v <= most))
            most = v;
        if (isnan(v))
            break;
    }
    return most;
}

double cli_backward_error(double a, const cli_array *X, const cli_array *R)
{
    double most = 0;
    for (int64_t j = 0; j < X->n && !isnan(most); j++) {
        double r = largest(R, j), error = r == 0 ? 0 : r / (a * largest(X, j));
        if (!(error <= most))
            most = error;
    }
    return most;
}
