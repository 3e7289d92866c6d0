#include <math.h>
#include <stdio.h>

#include "cli/compute/job.h"

static int tell(cli_job *job, const cli_square *s, double inverse_norm)
{
    char sentence[160];
    const cli_array *a = &job->array[0];
    double n = (double)a->n, condition = a->n ? s->norm * inverse_norm : 0;
    if (condition * tsl_type_eps(job->wanted) >= 1)
        cli_job_doubt(job, "no digit of the result is sure: the condition number is %.2g", condition);
    snprintf(sentence, sizeof sentence, *job->unknown ? "inverse of %lld x %lld" : "inverse of %lld x %lld, condition number %.3g", (long long)a->n,
             (long long)a->n, condition);
    const cli_fact facts[] = {{"n", NULL, n}, {"condition", NULL, condition}, {NULL, NULL, 0}};
    return cli_job_tell(job, sentence, (job->wanted >= TSL_C ? 8 : 2) * (s->uplo ? 0.5 : 1) * n * n * n, facts);
}

static int inverse(cli_job *job, cli_square *s)
{
    double norm = NAN;
    int status = cli_square_factor(job, s, CLI_NORM_WANTED);
    if (!status && !s->info)
        status = cli_job_status(job, s->uplo ? tsl_potri(job->ctx, cli_triangle(s->A, s->uplo), &s->info)
                                             : tsl_getri(job->ctx, tsl_whole(s->A), tsl_whole(s->p), &s->info));
    if (!status && s->info)
        status = cli_fail("inverse: %s is singular: a pivot is zero, number %lld", job->input[0], (long long)s->info);
    if (!status && s->uplo)
        cli_array_mirror(&job->array[0], *s->uplo);
    if (!status)
        status = cli_job_write(job, &job->array[0]);
    if (status)
        return status;
    cli_job_known(job, "the condition number", tsl_norm(job->ctx, TSL_NORM_ONE, TSL_HERMITIAN, cli_triangle(s->A, s->uplo), &norm));
    return tell(job, s, norm);
}

static int run(int argc, char **argv)
{
    cli_job job = {.command = "inverse"};
    cli_square s = {.uplo = NULL};
    const char *word;
    const cli_option options[] = {CLI_JOB_OPTIONS(job), {"--pos", &s.uplo, NULL}, {NULL, NULL, NULL}};
    int count = cli_parse("inverse", argc, argv, options, &word, 1);
    if (count < 0)
        return CLI_USAGE;
    if (count < 1)
        return cli_usage("inverse: a file is needed");
    if (!cli_uplo("inverse", s.uplo))
        return CLI_USAGE;
    int status = cli_job_open(&job, &word, 1);
    if (!status)
        status = inverse(&job, &s);
    cli_square_free(&s);
    cli_job_close(&job);
    return status;
}

const cli_command cli_inverse = {
    "inverse",
    run,
    "the inverse of a matrix in a file",
    "tesela inverse A [-o X] [--pos L|U]\n"
    "By LU with partial pivoting, or Cholesky. Its condition number in the 1-norm is told: about that many times the rounding error of the type\n"
    "is the error of the result. To solve A X = B, `tesela solve` is faster and more accurate.\n" CLI_JOB_HELP
    "  --pos L|U        A is symmetric (Hermitian) positive definite; that triangle of it is read\n"
    CLI_JOB_STATUS("A is singular to\nworking precision, or " CLI_JOB_STRANGE),
    NULL,
};
