#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/job.h"

/* Rows of B, which gels wants max(m,n) of: copied into as many, or out of them. */
static void copy_rows(cli_array *to, const cli_array *from)
{
    size_t size = tsl_type_size(to->type), rows = (size_t)(to->m < from->m ? to->m : from->m) * size;
    for (int64_t j = 0; j < to->n && rows; j++)
        memcpy((char *)to->data + (size_t)(j * to->m) * size, (char *)from->data + (size_t)(j * from->m) * size, rows);
}

/* The root of the sum of squares of what gels left below X. */
static tsl_status residual(cli_job *job, tsl_view B, int64_t n, double *norm)
{
    *norm = 0;
    int64_t rest = tsl_rows(B) - n;
    return rest > 0 ? tsl_norm(job->ctx, TSL_NORM_FRO, TSL_SYMMETRIC, tsl_sub(B, n, 0, rest, tsl_cols(B)), norm) : TSL_OK;
}

static double magnitude(const cli_array *A, int64_t at)
{
    const float *s = A->data;
    const double *d = A->data;
    switch (A->type) {
    case TSL_S: return fabs(s[at]);
    case TSL_D: return fabs(d[at]);
    case TSL_C: return hypot(s[2 * at], s[2 * at + 1]);
    default: return hypot(d[2 * at], d[2 * at + 1]);
    }
}

/* The place, from 1 on, of an element of the diagonal of R or L, which gels left in A, that is zero but for rounding; 0: there is none. It is
 * held against the largest of its column of R, or row of L: the others may be of any size. */
static int64_t dependent(const cli_array *A)
{
    bool wide = A->m < A->n;
    int64_t low = wide ? A->m : A->n, high = wide ? A->n : A->m;
    for (int64_t j = 0; j < low; j++) {
        double most = 0;
        for (int64_t i = 0; i <= j; i++) most = fmax(most, magnitude(A, wide ? j + i * A->m : i + j * A->m));
        if (magnitude(A, j + j * A->m) <= 2 * tsl_type_eps(A->type) * (double)high * most) return j + 1;
    }
    return 0;
}

static int least_squares(cli_job *job, cli_array *X)
{
    cli_array *A = &job->array[0], *B = &job->array[1], tall = {0};
    if (A->m != B->m)
        return cli_fail("lstsq: A is %lld x %lld and B %lld x %lld", (long long)A->m, (long long)A->n, (long long)B->m, (long long)B->n);
    tsl_matrix *a = NULL, *b = NULL;
    int64_t info = 0;
    double norm = 0;
    int status = cli_array_make(&tall, job->out, job->wanted, A->m > A->n ? A->m : A->n, B->n);
    if (!status) {
        copy_rows(&tall, B);
        status = cli_job_wrap(job, A, &a);
    }
    if (!status)
        status = cli_job_wrap(job, &tall, &b);
    cli_job_begin(job);
    if (!status)
        status = cli_job_status(job, tsl_gels(job->ctx, tsl_whole(a), tsl_whole(b), &info));
    if (!status && !info && B->n) /* without right-hand sides nothing was factored */
        info = dependent(A);
    if (!status && info)
        status = cli_fail("lstsq: %s has not full rank: element %lld of the diagonal of R is zero, or is but for rounding", job->input[0],
                          (long long)info);
    if (!status)
        status = cli_job_status(job, residual(job, tsl_whole(b), A->n, &norm));
    if (!status) {
        char sentence[160];
        double m = (double)A->m, n = (double)A->n, low = m < n ? m : n, high = m < n ? n : m;
        snprintf(sentence, sizeof sentence, "%s of %lld x %lld, %lld right-hand sides, |B - A X| = %.6g", A->m < A->n ? "least X" : "least squares",
                 (long long)A->m, (long long)A->n, (long long)B->n, norm);
        const cli_fact facts[] = {{"m", NULL, m}, {"n", NULL, n}, {"nrhs", NULL, (double)B->n}, {"residual", NULL, norm}, {NULL, NULL, 0}};
        cli_job_tell(job, sentence, (job->wanted >= TSL_C ? 4 : 1) * 2 * low * low * (high - low / 3), facts);
        status = cli_array_make(X, job->out, job->wanted, A->n, B->n);
    }
    if (!status)
        copy_rows(X, &tall);
    X->vector = B->vector;
    tsl_matrix_free(a);
    tsl_matrix_free(b);
    cli_array_free(&tall);
    return status;
}

static int run(int argc, char **argv)
{
    cli_job job = {.command = "lstsq"};
    const char *words[2];
    const cli_option options[] = {CLI_JOB_OPTIONS(job), {NULL, NULL, NULL}};
    int count = cli_parse("lstsq", argc, argv, options, words, 2);
    if (count < 0)
        return CLI_USAGE;
    if (count < 2)
        return cli_usage("lstsq: two files are needed, A and B");
    cli_array X = {0};
    int status = cli_job_open(&job, words, 2);
    if (!status)
        status = least_squares(&job, &X);
    if (!status)
        status = cli_job_write(&job, &X);
    cli_array_free(&X);
    cli_job_close(&job);
    return status;
}

const cli_command cli_lstsq = {
    "lstsq",
    run,
    "the X of least |A X - B|, matrices in files",
    "tesela lstsq A B [-o X]\n"
    "A m x n of full rank. m >= n: the X of least |A X - B|; m < n: of the X with A X = B the least. By QR or LQ.\n" CLI_JOB_HELP,
    NULL,
};
