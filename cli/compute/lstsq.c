#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/compute/job.h"

/* B in an array of max(m,n) rows, as gels wants it. */
static void spread(cli_array *tall, const cli_array *B)
{
    size_t size = tsl_type_size(B->type), rows = (size_t)B->m * size;
    for (int64_t j = 0; j < B->n && rows; j++)
        memcpy((char *)tall->data + (size_t)(j * tall->m) * size, (char *)B->data + (size_t)(j * B->m) * size, rows);
}

/* Its first rows only, in place. */
static void keep_rows(cli_array *a, int64_t rows)
{
    size_t size = tsl_type_size(a->type);
    for (int64_t j = 1; j < a->n && rows; j++)
        memmove((char *)a->data + (size_t)(j * rows) * size, (char *)a->data + (size_t)(j * a->m) * size, (size_t)rows * size);
    a->m = rows;
}

/* The place, from 1 on, of an element of the diagonal of R or L, which gels left in A, that is zero but for rounding; 0: there
 * is none. It is held against the largest of its column of R, or row of L: the others may be of any size. Beside what is not
 * finite nothing is known of it. */
static int64_t dependent(const cli_array *A)
{
    bool wide = A->m < A->n;
    int64_t low = wide ? A->m : A->n, high = wide ? A->n : A->m;
    for (int64_t j = 0; j < low; j++) {
        double most = 0;
        for (int64_t i = 0; i <= j && isfinite(most); i++) {
            double size = cli_array_magnitude(A, wide ? j + i * A->m : i + j * A->m);
            most = size <= most ? most : size;
        }
        if (isfinite(most) && cli_array_magnitude(A, j + j * A->m) <= 2 * tsl_type_eps(A->type) * (double)high * most) return j + 1;
    }
    return 0;
}

/* X comes as B in its first rows. Factors overwrite a copy of A. */
static int solved(cli_job *job, cli_array *X)
{
    cli_array F = {0};
    tsl_matrix *a = NULL, *b = NULL;
    int64_t info = 0;
    int status = cli_array_copy(&F, "the factors", &job->array[0]);
    if (!status)
        status = cli_job_wrap(job, &F, &a);
    if (!status)
        status = cli_job_wrap(job, X, &b);
    if (!status)
        status = cli_job_status(job, tsl_gels(job->ctx, tsl_whole(a), tsl_whole(b), &info));
    if (!status && !info && X->n) /* without right-hand sides nothing was factored */
        info = dependent(&F);
    if (!status && info)
        status = cli_fail("lstsq: %s has not full rank: element %lld of the diagonal of R is zero, or is but for rounding", job->input[0],
                          (long long)info);
    tsl_matrix_free(a);
    tsl_matrix_free(b);
    cli_array_free(&F);
    return status;
}

/* The root of the sum of squares of B - A X, which takes B's place. */
static tsl_status residual(cli_job *job, const cli_array *X, double *norm)
{
    cli_array *A = &job->array[0], *B = &job->array[1];
    tsl_matrix *a = NULL, *b = NULL;
    tsl_status st = tsl_matrix_wrap(job->ctx, A->type, A->m, A->n, A->data, A->m > 0 ? A->m : 1, &a);
    if (!st)
        st = cli_residual(job, tsl_whole(a), X, B);
    if (!st)
        st = tsl_matrix_wrap(job->ctx, B->type, B->m, B->n, B->data, B->m > 0 ? B->m : 1, &b);
    if (!st)
        st = tsl_norm(job->ctx, TSL_NORM_FRO, TSL_SYMMETRIC, tsl_whole(b), norm);
    tsl_matrix_free(a);
    tsl_matrix_free(b);
    return st;
}

static int tell(cli_job *job, const cli_array *X)
{
    cli_array *A = &job->array[0];
    char sentence[200], told[32] = "not known";
    double norm = NAN, m = (double)A->m, n = (double)A->n, low = m < n ? m : n, high = m < n ? n : m;
    if (cli_job_known(job, "the residual", residual(job, X, &norm)))
        snprintf(told, sizeof told, "%.6g", norm);
    snprintf(sentence, sizeof sentence, "%s of %lld x %lld, %lld right-hand sides, |B - A X| = %s", A->m < A->n ? "least X" : "least squares",
             (long long)A->m, (long long)A->n, (long long)X->n, told);
    const cli_fact facts[] = {{"m", NULL, m}, {"n", NULL, n}, {"nrhs", NULL, (double)X->n}, {"residual", NULL, norm}, {NULL, NULL, 0}};
    return cli_job_tell(job, sentence, (job->wanted >= TSL_C ? 4 : 1) * 2 * low * low * (high - low / 3), facts);
}

static int least_squares(cli_job *job)
{
    cli_array X = {0}, *A = &job->array[0], *B = &job->array[1];
    if (A->m != B->m)
        return cli_fail("lstsq: A is %lld x %lld and B %lld x %lld; they must have as many rows", (long long)A->m, (long long)A->n, (long long)B->m, (long long)B->n);
    int status = cli_array_make(&X, job->out, job->wanted, A->m > A->n ? A->m : A->n, B->n);
    X.vector = B->vector;
    cli_job_begin(job);
    if (!status) {
        spread(&X, B);
        status = solved(job, &X);
    }
    if (!status) {
        keep_rows(&X, A->n);
        status = cli_job_write(job, &X);
    }
    if (!status)
        status = tell(job, &X);
    cli_array_free(&X);
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
    int status = cli_job_open(&job, words, 2);
    if (!status)
        status = least_squares(&job);
    cli_job_close(&job);
    return status;
}

const cli_command cli_lstsq = {
    "lstsq",
    run,
    "the X of least |A X - B|, matrices in files",
    "tesela lstsq A B [-o X]\n"
    "A m x n of full rank. m >= n: the X of least |A X - B|; m < n: of the X with A X = B the least. By QR or LQ. Told is the residual\n"
    "|B - A X|, the root of the sum of its squares, of X as it is written.\n" CLI_JOB_HELP CLI_JOB_STATUS(CLI_JOB_STRANGE),
    NULL,
};
