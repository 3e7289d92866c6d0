/* A X = B: the library's tsl_solve, which leaves A and B and says how good X is; where that needs more memory than there is, the factors of
 * the type itself by tiles. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/job.h"

static const char *const precisions[] = {[TSL_AUTO] = "auto", [TSL_FP64] = "fp64", [TSL_FP32] = "fp32",
                                         [TSL_TF32] = "tf32", [TSL_BF16] = "bf16", [TSL_FP16] = "fp16"};
static const char *const methods[] = {[TSL_BY_CORRECTIONS] = "corrections", [TSL_BY_GMRES] = "GMRES", [TSL_BY_FACTORS] = "factors"};
enum { PRECISIONS = sizeof precisions / sizeof *precisions };

typedef struct solve_request {
    const char *uplo, *precision, *accuracy; /* options */
    tsl_solve_options options;
} solve_request;

static int read_request(solve_request *r)
{
    if (r->uplo && strcmp(r->uplo, "L") && strcmp(r->uplo, "U"))
        return cli_usage("solve: --pos takes L or U, not '%s'", r->uplo);
    int p = 0;
    while (r->precision && p < PRECISIONS && strcmp(r->precision, precisions[p]))
        p++;
    if (p == PRECISIONS)
        return cli_usage("solve: no precision '%s'; there are auto, fp64, fp32, tf32, bf16 and fp16", r->precision);
    char *end = NULL;
    r->options.lowest = (tsl_precision)p;
    r->options.accuracy = r->accuracy ? strtod(r->accuracy, &end) : 0;
    if (r->accuracy && (*end || end == r->accuracy || !(r->options.accuracy >= 0)))
        return cli_usage("solve: --accuracy takes a number, not '%s'", r->accuracy);
    return CLI_OK;
}

static tsl_view triangle(tsl_matrix *A, const char *uplo)
{
    tsl_view all = tsl_whole(A);
    return !uplo ? all : *uplo == 'L' ? tsl_lower(all) : tsl_upper(all);
}

/* |B - A X| / (|A| |X|) of all of X; R comes as B. */
static tsl_status backward_error(tsl_context *ctx, tsl_view A, tsl_view X, tsl_view R, double *error)
{
    double a = 0, x = 0, r = 0;
    tsl_status st = A.uplo ? tsl_hemm(ctx, TSL_LEFT, -1, A, X, 1, R) : tsl_gemm(ctx, -1, A, X, 1, R);
    if (!st)
        st = tsl_norm(ctx, TSL_NORM_INF, TSL_HERMITIAN, A, &a);
    if (!st)
        st = tsl_norm(ctx, TSL_NORM_MAX, TSL_HERMITIAN, X, &x);
    if (!st)
        st = tsl_norm(ctx, TSL_NORM_MAX, TSL_HERMITIAN, R, &r);
    *error = r == 0 ? 0 : r / (a * x);
    return st;
}

/* X comes as B. Factors overwrite a copy of A. */
static int by_factors(cli_job *job, const char *uplo, tsl_matrix *A, tsl_matrix *X, tsl_solution *s)
{
    cli_array F = {0}, p = {0}, R = job->array[1];
    size_t bytes = (size_t)job->array[0].m * (size_t)job->array[0].n * tsl_type_size(job->array[0].type);
    tsl_matrix *factors = NULL, *pivots = NULL, *residual = NULL;
    int status = cli_array_make(&F, "the factors", job->array[0].type, job->array[0].m, job->array[0].n);
    if (!status)
        status = cli_array_make(&p, "the pivots", TSL_INDEX, job->array[0].m, 1);
    if (!status) {
        memcpy(F.data, job->array[0].data, bytes);
        status = cli_job_wrap(job, &F, &factors);
    }
    if (!status)
        status = cli_job_wrap(job, &p, &pivots);
    if (!status)
        status = cli_job_wrap(job, &R, &residual);
    *s = (tsl_solution){.method = TSL_BY_FACTORS, .precision = TSL_FP64, .forward_error = NAN};
    if (!status)
        status = cli_job_status(job, uplo ? tsl_posv(job->ctx, triangle(factors, uplo), tsl_whole(X), &s->info)
                                          : tsl_gesv(job->ctx, tsl_whole(factors), tsl_whole(pivots), tsl_whole(X), &s->info));
    if (!status && !s->info)
        status = cli_job_status(job, backward_error(job->ctx, triangle(A, uplo), tsl_whole(X), tsl_whole(residual), &s->backward_error));
    tsl_matrix_free(factors);
    tsl_matrix_free(pivots);
    tsl_matrix_free(residual);
    cli_array_free(&F);
    cli_array_free(&p);
    return status;
}

static int solved(cli_job *job, const solve_request *r, cli_array *X, tsl_solution *s)
{
    tsl_matrix *A = NULL, *B = NULL, *to = NULL;
    int status = cli_job_wrap(job, &job->array[0], &A);
    if (!status)
        status = cli_job_wrap(job, &job->array[1], &B);
    if (!status)
        status = cli_job_wrap(job, X, &to);
    if (!status) {
        tsl_status st = tsl_solve(job->ctx, triangle(A, r->uplo), tsl_whole(B), tsl_whole(to), &r->options, s);
        if (st == TSL_ERR_DEVICE_MEMORY || st == TSL_ERR_LAYOUT) {
            memcpy(X->data, job->array[1].data, (size_t)X->m * (size_t)X->n * tsl_type_size(X->type));
            status = by_factors(job, r->uplo, A, to, s);
        } else {
            status = cli_job_status(job, st);
        }
    }
    if (!status && s->info)
        status = cli_fail(r->uplo ? "solve: %s is not positive definite: its leading minor of order %lld is not"
                                  : "solve: %s is singular: a pivot is zero, number %lld",
                          job->input[0], (long long)s->info);
    tsl_matrix_free(A);
    tsl_matrix_free(B);
    tsl_matrix_free(to);
    return status;
}

static void tell(cli_job *job, const solve_request *r, const cli_array *X, const tsl_solution *s)
{
    char sentence[256];
    double n = (double)X->m, k = (double)X->n;
    snprintf(sentence, sizeof sentence, "solved %lld x %lld, %lld right-hand sides: %s factors, %s, %lld iterations, backward error %.2g",
             (long long)X->m, (long long)X->m, (long long)X->n, precisions[s->precision], methods[s->method], (long long)s->iterations,
             s->backward_error);
    const cli_fact facts[] = {{"n", NULL, n},
                              {"nrhs", NULL, k},
                              {"precision", precisions[s->precision], 0},
                              {"method", methods[s->method], 0},
                              {"iterations", NULL, (double)s->iterations},
                              {"backward_error", NULL, s->backward_error},
                              {"forward_error", NULL, s->forward_error},
                              {NULL, NULL, 0}};
    double parts = job->wanted >= TSL_C ? 4 : 1;
    cli_job_tell(job, sentence, parts * ((r->uplo ? 1 : 2) * n * n * n / 3 + 2 * n * n * k), facts);
}

static int solve(cli_job *job, solve_request *r)
{
    cli_array X = {0}, *A = &job->array[0], *B = &job->array[1];
    tsl_solution s = {0};
    if (A->m != A->n || B->m != A->m)
        return cli_fail("solve: A is %lld x %lld and B %lld x %lld", (long long)A->m, (long long)A->n, (long long)B->m, (long long)B->n);
    tsl_type type = cli_wider(job->wanted, TSL_D); /* residuals are of double precision */
    int status = cli_array_convert(A, job->input[0], type);
    if (!status)
        status = cli_array_convert(B, job->input[1], type);
    if (!status)
        status = cli_array_make(&X, job->out, type, B->m, B->n);
    X.vector = B->vector;
    cli_job_begin(job);
    if (!status)
        status = solved(job, r, &X, &s);
    if (!status) {
        tell(job, r, &X, &s);
        status = cli_job_write(job, &X);
    }
    cli_array_free(&X);
    return status;
}

static int run(int argc, char **argv)
{
    cli_job job = {.command = "solve"};
    solve_request r = {0};
    const char *words[2];
    const cli_option options[] = {CLI_JOB_OPTIONS(job), {"--pos", &r.uplo, NULL}, {"--precision", &r.precision, NULL},
                                  {"--accuracy", &r.accuracy, NULL}, {NULL, NULL, NULL}};
    int count = cli_parse("solve", argc, argv, options, words, 2);
    if (count < 0)
        return CLI_USAGE;
    if (count < 2)
        return cli_usage("solve: two files are needed, A and B");
    int status = read_request(&r);
    if (!status)
        status = cli_job_open(&job, words, 2);
    if (!status)
        status = solve(&job, &r);
    cli_job_close(&job);
    return status;
}

const cli_command cli_solve = {
    "solve",
    run,
    "the solution of A X = B, matrices in files",
    "tesela solve A B [-o X] [--pos L|U] [--precision P] [--accuracy E]\n"
    "X as accurate as by factors of double precision, whatever was fastest; its backward error is told.\n" CLI_JOB_HELP
    "  --pos L|U        A is symmetric (Hermitian) positive definite; that triangle of it is read\n"
    "  --precision P    the lowest precision of the factors: auto, fp64, fp32, tf32, bf16, fp16\n"
    "  --accuracy E     a backward error that is enough\n",
    NULL,
};
