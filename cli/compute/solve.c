/* A X = B: the library's tsl_solve, which leaves A and B and says how good X is; where that needs more memory than there is,
 * the factors of the type itself by tiles. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/compute/job.h"

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
    if (!cli_uplo("solve", r->uplo))
        return CLI_USAGE;
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

/* What tsl_solve says of X; or, if it was not for that, what is found out later. */
typedef struct solve_outcome {
    tsl_solution s;
    bool measured;
} solve_outcome;

/* X comes as B. Factors overwrite a copy of A. */
static int by_factors(cli_job *job, const char *uplo, tsl_matrix *X, tsl_solution *s)
{
    cli_array F = {0}, p = {0};
    tsl_matrix *factors = NULL, *pivots = NULL;
    int status = cli_array_copy(&F, "the factors", &job->array[0]);
    if (!status)
        status = cli_array_make(&p, "the pivots", TSL_INDEX, F.m, 1);
    if (!status)
        status = cli_job_wrap(job, &F, &factors);
    if (!status)
        status = cli_job_wrap(job, &p, &pivots);
    *s = (tsl_solution){.method = TSL_BY_FACTORS, .precision = TSL_FP64, .backward_error = NAN, .forward_error = NAN};
    if (!status)
        status = cli_job_status(job, uplo ? tsl_posv(job->ctx, cli_triangle(factors, uplo), tsl_whole(X), &s->info)
                                          : tsl_gesv(job->ctx, tsl_whole(factors), tsl_whole(pivots), tsl_whole(X), &s->info));
    tsl_matrix_free(factors);
    tsl_matrix_free(pivots);
    cli_array_free(&F);
    cli_array_free(&p);
    return status;
}

static int solved(cli_job *job, const solve_request *r, cli_array *X, solve_outcome *o)
{
    tsl_matrix *A = NULL, *B = NULL, *to = NULL;
    int status = cli_job_wrap(job, &job->array[0], &A);
    if (!status)
        status = cli_job_wrap(job, &job->array[1], &B);
    if (!status)
        status = cli_job_wrap(job, X, &to);
    if (!status) {
        tsl_status st = tsl_solve(job->ctx, cli_triangle(A, r->uplo), tsl_whole(B), tsl_whole(to), &r->options, &o->s);
        o->measured = !st;
        if (st == TSL_ERR_DEVICE_MEMORY || st == TSL_ERR_LAYOUT) {
            memcpy(X->data, job->array[1].data, (size_t)X->m * (size_t)X->n * tsl_type_size(X->type));
            status = by_factors(job, r->uplo, to, &o->s);
        } else {
            status = cli_job_status(job, st);
        }
    }
    if (!status && o->s.info)
        status = cli_fail(r->uplo ? "solve: %s is not positive definite: its leading minor of order %lld is not"
                                  : "solve: %s is singular: a pivot is zero, number %lld",
                          job->input[0], (long long)o->s.info);
    tsl_matrix_free(A);
    tsl_matrix_free(B);
    tsl_matrix_free(to);
    return status;
}

/* The backward error of X as it was written, in the precision of A. */
static tsl_status backward_error(cli_job *job, const char *uplo, const cli_array *X, double *error)
{
    cli_array written = {0}, R = {0}, *A = &job->array[0];
    tsl_matrix *a = NULL;
    double norm = 0;
    tsl_status st = cli_array_copy(&written, "X", X) || cli_array_convert(&written, "X", A->type) || cli_array_copy(&R, "B - A X", &job->array[1])
                        ? TSL_ERR_MEMORY
                        : tsl_matrix_wrap(job->ctx, A->type, A->m, A->n, A->data, A->m > 0 ? A->m : 1, &a);
    if (!st)
        st = cli_residual(job, cli_triangle(a, uplo), &written, &R);
    if (!st)
        st = tsl_norm(job->ctx, TSL_NORM_INF, TSL_HERMITIAN, cli_triangle(a, uplo), &norm);
    *error = st ? NAN : cli_backward_error(norm, &written, &R);
    tsl_matrix_free(a);
    cli_array_free(&written);
    cli_array_free(&R);
    return st;
}

/* Of X as it is in its file: rounded, if the type asked for is of single precision. */
static void measure(cli_job *job, const solve_request *r, const cli_array *X, solve_outcome *o)
{
    if (o->measured && X->type == job->array[0].type)
        return;
    cli_job_known(job, "the backward error", backward_error(job, r->uplo, X, &o->s.backward_error));
    if (o->measured)
        o->s.forward_error += tsl_type_eps(X->type);
}

static int tell(cli_job *job, const solve_request *r, const cli_array *X, const solve_outcome *o)
{
    char sentence[320], backward[32] = "not known", forward[32] = "not known";
    const tsl_solution *s = &o->s;
    double n = (double)X->m, k = (double)X->n;
    if (!*job->unknown)
        snprintf(backward, sizeof backward, "%.2g", s->backward_error);
    if (o->measured)
        snprintf(forward, sizeof forward, "%.2g", s->forward_error);
    if (o->measured && X->n > 0 && !(s->forward_error < 1))
        cli_job_doubt(job, "no digit of the result is sure: A is singular to working precision, or nearly so");
    snprintf(sentence, sizeof sentence,
             "solved %lld x %lld, %lld right-hand sides: %s factors, %s, %lld iterations, backward error %s, forward error %s", (long long)X->m,
             (long long)X->m, (long long)X->n, precisions[s->precision], methods[s->method], (long long)s->iterations, backward, forward);
    const cli_fact facts[] = {{"n", NULL, n},
                              {"nrhs", NULL, k},
                              {"precision", precisions[s->precision], 0},
                              {"method", methods[s->method], 0},
                              {"iterations", NULL, (double)s->iterations},
                              {"backward_error", NULL, s->backward_error},
                              {"forward_error", NULL, s->forward_error},
                              {NULL, NULL, 0}};
    double parts = job->wanted >= TSL_C ? 4 : 1;
    return cli_job_tell(job, sentence, parts * ((r->uplo ? 1 : 2) * n * n * n / 3 + 2 * n * n * k), facts);
}

static int solve(cli_job *job, solve_request *r)
{
    cli_array X = {0}, *A = &job->array[0], *B = &job->array[1];
    solve_outcome o = {.measured = false};
    if (A->m != A->n || B->m != A->m)
        return cli_fail("solve: A is %lld x %lld and B %lld x %lld; %s", (long long)A->m, (long long)A->n, (long long)B->m, (long long)B->n,
                        A->m != A->n ? "A must be square (lstsq solves in the sense of least squares)" : "they must have as many rows");
    tsl_type type = cli_wider(job->wanted, TSL_D); /* residuals are of double precision */
    int status = cli_array_convert(A, job->input[0], type);
    if (!status)
        status = cli_array_convert(B, job->input[1], type);
    if (!status)
        status = cli_array_make(&X, job->out, type, B->m, B->n);
    X.vector = B->vector;
    cli_job_begin(job);
    if (!status)
        status = solved(job, r, &X, &o);
    if (!status)
        status = cli_job_write(job, &X);
    if (!status) {
        measure(job, r, &X, &o);
        status = tell(job, r, &X, &o);
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
    "X as accurate as by factors of double precision, whatever was fastest. Told are, of X as it is written, the backward error\n"
    "|B - A X| / (|A| |X|) and an estimate of the forward error |X - exact| / |X|.\n" CLI_JOB_HELP
    "  --pos L|U        A is symmetric (Hermitian) positive definite; that triangle of it is read\n"
    "  --precision P    the lowest precision of the factors: auto, fp64, fp32, tf32, bf16, fp16\n"
    "  --accuracy E     a backward error that is enough\n"
    CLI_JOB_STATUS("the forward error is\n1 or more, so that no digit of X is sure, or " CLI_JOB_STRANGE),
    NULL,
};
