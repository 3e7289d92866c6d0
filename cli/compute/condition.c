/* |A| |inv(A)| in the 1-norm, the second by Hager's and Higham's estimate from a few solutions with the factors (ACM TOMS 14,
 * 1988): a lower bound that is rarely off by more than a factor of 3. */
#include <math.h>
#include <stdio.h>

#include "cli/compute/job.h"

enum { STEPS = 5 };

typedef struct estimate {
    cli_job *job;
    const cli_square *s;
    cli_array x, signs; /* a column each */
    tsl_matrix *X;
} estimate;

/* x := inv(A) x, or inv(A)^H x */
static tsl_status solve(estimate *e, bool transposed)
{
    tsl_view A = tsl_whole(e->s->A);
    return e->s->uplo ? tsl_potrs(e->job->ctx, cli_triangle(e->s->A, e->s->uplo), tsl_whole(e->X))
                      : tsl_getrs(e->job->ctx, transposed ? tsl_herm(A) : A, tsl_whole(e->s->p), tsl_whole(e->X));
}

static double sum(const cli_array *x)
{
    double all = 0;
    for (int64_t i = 0; i < x->m; i++)
        all += cli_array_magnitude(x, i);
    return all;
}

static int64_t largest(const cli_array *x)
{
    int64_t at = 0;
    for (int64_t i = 1; i < x->m; i++)
        if (cli_array_magnitude(x, i) > cli_array_magnitude(x, at))
            at = i;
    return at;
}

/* x := x / |x|, element by element, 1 for zero; false: they are what they were before */
static bool take_signs(estimate *e)
{
    bool changed = false;
    for (int64_t i = 0; i < e->x.m; i++) {
        double v[2], before[2], size = cli_array_magnitude(&e->x, i);
        cli_array_get(&e->x, i, v);
        cli_array_get(&e->signs, i, before);
        v[0] = size > 0 ? v[0] / size : 1;
        v[1] = size > 0 ? v[1] / size : 0;
        changed |= v[0] != before[0] || v[1] != before[1];
        cli_array_set(&e->x, i, v);
        cli_array_set(&e->signs, i, v);
    }
    return changed;
}

static void fill(cli_array *x, double first, double step)
{
    for (int64_t i = 0; i < x->m; i++)
        cli_array_set(x, i, (double[]){first + step * (double)i, 0});
}

/* From a column of inv(A) to the one that promises the largest sum, until none promises more. */
static tsl_status climb(estimate *e, double *norm)
{
    int64_t n = e->x.m, column = -1;
    fill(&e->x, 1 / (double)n, 0);
    tsl_status st = solve(e, false);
    *norm = sum(&e->x);
    for (int step = 0; !st && step < STEPS; step++) {
        if (!take_signs(e))
            break;
        st = solve(e, true);
        int64_t next = largest(&e->x);
        if (st || (column >= 0 && !(cli_array_magnitude(&e->x, next) > cli_array_magnitude(&e->x, column))))
            break;
        column = next;
        fill(&e->x, 0, 0);
        cli_array_set(&e->x, column, (double[]){1, 0});
        st = solve(e, false);
        double better = sum(&e->x);
        if (better <= *norm)
            break;
        *norm = better;
    }
    return st;
}

/* Where cancellation misleads the search this vector does better. */
static tsl_status alternate(estimate *e, double *norm)
{
    int64_t n = e->x.m;
    for (int64_t i = 0; i < n; i++)
        cli_array_set(&e->x, i, (double[]){(i % 2 ? -1 : 1) * (1 + (n > 1 ? (double)i / (double)(n - 1) : 0)), 0});
    tsl_status st = solve(e, false);
    double other = 2 * sum(&e->x) / (3 * (double)n);
    if (!(other <= *norm))
        *norm = other;
    return st;
}

static int inverse_norm(cli_job *job, const cli_square *s, double *norm)
{
    estimate e = {.job = job, .s = s};
    int64_t n = job->array[0].n;
    *norm = n ? INFINITY : 0;
    if (!n || s->info)
        return CLI_OK;
    int status = cli_array_make(&e.x, "a vector", job->array[0].type, n, 1);
    if (!status)
        status = cli_array_make(&e.signs, "a vector", job->array[0].type, n, 1);
    if (!status)
        status = cli_job_wrap(job, &e.x, &e.X);
    if (!status)
        status = cli_job_status(job, climb(&e, norm));
    if (!status)
        status = cli_job_status(job, alternate(&e, norm));
    tsl_matrix_free(e.X);
    cli_array_free(&e.x);
    cli_array_free(&e.signs);
    return status;
}

static int tell(cli_job *job, const cli_square *s, double inverse)
{
    char sentence[200];
    double n = (double)job->array[0].n, condition = n > 0 ? s->norm * inverse : 0, reciprocal = 1 / condition;
    if (s->norm == 0 && n > 0)
        condition = INFINITY, reciprocal = 0;
    if (isnan(condition))
        cli_job_doubt(job, "A or its factors have NaN or infinite elements");
    snprintf(sentence, sizeof sentence, "condition number of %.0f x %.0f in the 1-norm: about %.6g; reciprocal %.6g, |A| %.6g", n, n, condition,
             reciprocal, s->norm);
    const cli_fact facts[] = {{"n", NULL, n},           {"condition", NULL, condition},   {"reciprocal", NULL, reciprocal},
                              {"norm", NULL, s->norm}, {"inverse_norm", NULL, inverse}, {NULL, NULL, 0}};
    return cli_job_tell(job, sentence, (job->wanted >= TSL_C ? 4 : 1) * (s->uplo ? 1 : 2) * n * n * n / 3, facts);
}

static int run(int argc, char **argv)
{
    cli_job job = {.command = "condition", .numbers = true};
    cli_square s = {.uplo = NULL};
    const char *word;
    double inverse = NAN;
    const cli_option options[] = {CLI_JOB_INPUTS(job), {"--pos", &s.uplo, NULL}, {NULL, NULL, NULL}};
    int count = cli_parse("condition", argc, argv, options, &word, 1);
    if (count < 0)
        return CLI_USAGE;
    if (count < 1)
        return cli_usage("condition: a file is needed");
    if (!cli_uplo("condition", s.uplo))
        return CLI_USAGE;
    int status = cli_job_open(&job, &word, 1);
    if (!status)
        status = cli_square_factor(&job, &s, CLI_NORM_NEEDED);
    if (!status)
        status = inverse_norm(&job, &s, &inverse);
    if (!status)
        status = tell(&job, &s, inverse);
    cli_square_free(&s);
    cli_job_close(&job);
    return status;
}

const cli_command cli_condition = {
    "condition",
    run,
    "the condition number of a matrix in a file",
    "tesela condition A [--pos L|U]\n"
    "|A| |inv(A)| in the 1-norm: by about that factor relative errors of A and B grow in the solution of A X = B. By LU with partial pivoting, or\n"
    "Cholesky, and an estimate of |inv(A)| from a few solutions: a lower bound, seldom more than 3 times too small. Of a singular matrix it is\n"
    "infinite.\n" CLI_JOB_NUMBERS_HELP
    "  --pos L|U        A is symmetric (Hermitian) positive definite; that triangle of it is read\n"
    CLI_JOB_STATUS("A or its\nfactors have NaN or infinite elements"),
    NULL,
};
