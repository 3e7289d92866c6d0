/* What singular values say of a matrix in a file: its rank, and its condition in the 2-norm. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/compute/job.h"

/* s, descending, of the first input, which is overwritten */
static int find(cli_job *job, cli_array *s)
{
    const cli_array *a = &job->array[0];
    tsl_matrix *A = NULL, *to = NULL;
    int64_t info = 0;
    tsl_view none = {0};
    int status = cli_array_make(s, "the singular values", job->wanted == TSL_C ? TSL_S : job->wanted == TSL_Z ? TSL_D : job->wanted, a->m < a->n ? a->m : a->n, 1);
    if (!status)
        status = cli_job_wrap(job, a, &A);
    if (!status)
        status = cli_job_wrap(job, s, &to);
    cli_job_begin(job);
    if (!status)
        status = cli_job_status(job, tsl_gesvd(job->ctx, tsl_whole(A), TSL_SVD_AUTO, tsl_whole(to), none, none, &info));
    if (!status && info)
        status = cli_fail("%s: singular values were not found: %s has an element that is NaN or infinite, or the iteration failed", job->command, job->input[0]);
    tsl_matrix_free(A);
    tsl_matrix_free(to);
    return status;
}

/* Value number i; NaN: there is none. */
static double at(const cli_array *s, int64_t i)
{
    double v[2] = {NAN, 0};
    if (i >= 0 && i < s->m)
        cli_array_get(s, i, v);
    return v[0];
}

static double work(const cli_job *job)
{
    char name[] = "?gesvd";
    name[0] = tsl_type_letter(job->wanted);
    return tsl_flops(name, job->array[0].m, job->array[0].n, 0);
}

static bool tolerance(const char *command, const char *option, const char *word, double *value)
{
    char *end;
    if (!word)
        return true;
    *value = strtod(word, &end);
    return (*word && !*end && *value >= 0 && isfinite(*value)) || !cli_usage("%s: %s takes a number from 0 on, not '%s'", command, option, word);
}

/* As NumPy's matrix_rank: those above max(m, n) eps s1 count. */
static int tell_rank(cli_job *job, const cli_array *s, const char *tol, double absolute, const char *rtol, double relative)
{
    char sentence[300], next[48] = "";
    int64_t m = job->array[0].m, n = job->array[0].n, rank = 0;
    double most = s->m ? at(s, 0) : 0, limit = tol ? absolute : (rtol ? relative : (double)(m > n ? m : n) * 2 * tsl_type_eps(job->wanted)) * most;
    while (rank < s->m && at(s, rank) > limit)
        rank++;
    if (rank < s->m)
        snprintf(next, sizeof next, ", the next %.6g", at(s, rank));
    snprintf(sentence, sizeof sentence, "rank %lld of %lld x %lld: singular values above %.6g count; the largest %.6g, the last %.6g%s", (long long)rank, (long long)m,
             (long long)n, limit, most, rank ? at(s, rank - 1) : 0, next);
    const cli_fact facts[] = {{"m", NULL, (double)m},       {"n", NULL, (double)n},          {"rank", NULL, (double)rank}, {"tolerance", NULL, limit},
                              {"largest", NULL, most}, {"last", NULL, at(s, rank - 1)}, {"next", NULL, at(s, rank)},  {NULL, NULL, 0}};
    return cli_job_tell(job, sentence, work(job), facts);
}

static int tell_cond(cli_job *job, const cli_array *s)
{
    char sentence[200];
    int64_t m = job->array[0].m, n = job->array[0].n;
    double most = s->m ? at(s, 0) : 0, least = s->m ? at(s, s->m - 1) : 0, condition = !s->m ? 0 : least == 0 ? INFINITY : most / least;
    snprintf(sentence, sizeof sentence, "condition number of %lld x %lld in the 2-norm: %.6g; singular values %.6g down to %.6g", (long long)m, (long long)n, condition,
             most, least);
    const cli_fact facts[] = {{"m", NULL, (double)m},       {"n", NULL, (double)n},      {"condition", NULL, condition}, {"reciprocal", NULL, s->m ? 1 / condition : INFINITY},
                              {"largest", NULL, most}, {"least", NULL, least}, {NULL, NULL, 0}};
    return cli_job_tell(job, sentence, work(job), facts);
}

static int run_rank(int argc, char **argv)
{
    cli_job job = {.command = "rank", .numbers = true};
    cli_array s = {0};
    const char *word, *tol = NULL, *rtol = NULL;
    double absolute = 0, relative = 0;
    const cli_option options[] = {CLI_JOB_INPUTS(job), {"--tol", &tol, NULL}, {"--rtol", &rtol, NULL}, {NULL, NULL, NULL}};
    int count = cli_parse("rank", argc, argv, options, &word, 1);
    if (count < 0 || !tolerance("rank", "--tol", tol, &absolute) || !tolerance("rank", "--rtol", rtol, &relative))
        return CLI_USAGE;
    if (count < 1 || (tol && rtol))
        return cli_usage("rank: %s", count < 1 ? "a file is needed" : "--tol and --rtol: one of them at most");
    int status = cli_job_open(&job, &word, 1);
    if (!status)
        status = find(&job, &s);
    if (!status)
        status = tell_rank(&job, &s, tol, absolute, rtol, relative);
    cli_array_free(&s);
    cli_job_close(&job);
    return status;
}

static int run_cond(int argc, char **argv)
{
    cli_job job = {.command = "cond", .numbers = true};
    cli_array s = {0};
    const char *word;
    const cli_option options[] = {CLI_JOB_INPUTS(job), {NULL, NULL, NULL}};
    int count = cli_parse("cond", argc, argv, options, &word, 1);
    if (count < 0)
        return CLI_USAGE;
    if (count < 1)
        return cli_usage("cond: a file is needed");
    int status = cli_job_open(&job, &word, 1);
    if (!status)
        status = find(&job, &s);
    if (!status)
        status = tell_cond(&job, &s);
    cli_array_free(&s);
    cli_job_close(&job);
    return status;
}

#define STATUS "Exit status: 0 done; 1 failed; 2 the words make no sense.\n"

const cli_command cli_rank = {
    "rank",
    run_rank,
    "the rank of a matrix in a file",
    "tesela rank A [--tol T | --rtol R]\n"
    "How many singular values of A are above a tolerance; by default max(m, n) eps times the largest, as NumPy has it. The values at that border are told.\n"
    CLI_JOB_NUMBERS_HELP
    "  --tol T          those above T count\n"
    "  --rtol R         those above R times the largest count\n"
    STATUS,
    NULL,
};

const cli_command cli_cond = {
    "cond",
    run_cond,
    "the condition number of a matrix in a file, by its singular values",
    "tesela cond A\n"
    "The largest singular value over the least: the condition number in the 2-norm, of matrices of any shape; infinite where the least is zero. `tesela\n"
    "condition` estimates that of a square matrix in the 1-norm, in less time.\n" CLI_JOB_NUMBERS_HELP STATUS,
    NULL,
};
