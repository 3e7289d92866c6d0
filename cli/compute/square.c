#include <math.h>
#include <string.h>

#include "cli/compute/job.h"

bool cli_uplo(const char *command, const char *word)
{
    return !word || !strcmp(word, "L") || !strcmp(word, "U") || !cli_usage("%s: --pos takes L or U, not '%s'", command, word);
}

tsl_view cli_triangle(tsl_matrix *A, const char *uplo)
{
    tsl_view all = tsl_whole(A);
    return !uplo ? all : *uplo == 'L' ? tsl_lower(all) : tsl_upper(all);
}

static int norm_of(cli_job *job, cli_square *s, cli_norm asked)
{
    double norm = NAN;
    if (asked == CLI_NO_NORM)
        return CLI_OK;
    tsl_status st = tsl_norm(job->ctx, TSL_NORM_ONE, TSL_HERMITIAN, cli_triangle(s->A, s->uplo), &norm);
    s->norm = st ? NAN : norm;
    if (asked == CLI_NORM_NEEDED)
        return cli_job_status(job, st);
    cli_job_known(job, "the condition number", st);
    return CLI_OK;
}

int cli_square_factor(cli_job *job, cli_square *s, cli_norm norm)
{
    cli_array *a = &job->array[0];
    if (a->m != a->n)
        return cli_fail("%s: %s is %lld x %lld, and must be square", job->command, job->input[0], (long long)a->m, (long long)a->n);
    int status = cli_array_make(&s->pivots, "the pivots", TSL_INDEX, a->m, 1);
    if (!status)
        status = cli_job_wrap(job, a, &s->A);
    if (!status)
        status = cli_job_wrap(job, &s->pivots, &s->p);
    cli_job_begin(job);
    if (!status)
        status = norm_of(job, s, norm);
    if (!status)
        status = cli_job_status(job, s->uplo ? tsl_potrf(job->ctx, cli_triangle(s->A, s->uplo), &s->info)
                                             : tsl_getrf(job->ctx, tsl_whole(s->A), tsl_whole(s->p), &s->info));
    if (!status && s->uplo && s->info)
        status = cli_fail("%s: %s is not positive definite: its leading minor of order %lld is not", job->command, job->input[0], (long long)s->info);
    return status;
}

void cli_square_free(cli_square *s)
{
    tsl_matrix_free(s->A);
    tsl_matrix_free(s->p);
    cli_array_free(&s->pivots);
}
