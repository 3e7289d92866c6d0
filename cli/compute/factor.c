#include <stdio.h>
#include <string.h>

#include "cli/compute/job.h"

typedef struct factor_request {
    const char *what, *uplo, *pivots, *tau, *r; /* the word, and options */
    cli_array second;                            /* pivots, tau or R */
} factor_request;

/* Zeros in the part of A that is not the triangle `uplo`. */
static void keep_triangle(cli_array *a, char uplo)
{
    size_t size = tsl_type_size(a->type);
    for (int64_t j = 0; j < a->n; j++) {
        int64_t begin = uplo == 'L' ? 0 : j + 1, end = uplo == 'L' ? j : a->m;
        if (end > a->m)
            end = a->m;
        if (begin < end)
            memset((char *)a->data + (size_t)(begin + j * a->m) * size, 0, (size_t)(end - begin) * size);
    }
}

static int64_t least(const cli_array *a) { return a->m < a->n ? a->m : a->n; }

static int cholesky(cli_job *job, factor_request *r)
{
    cli_array *a = &job->array[0];
    char uplo = r->uplo ? *r->uplo : 'L';
    tsl_matrix *A = NULL;
    int64_t info = 0;
    if (a->m != a->n)
        return cli_fail("factor: %s is %lld x %lld, and must be square", job->input[0], (long long)a->m, (long long)a->n);
    int status = cli_job_wrap(job, a, &A);
    if (!status) {
        tsl_view all = tsl_whole(A);
        status = cli_job_status(job, tsl_potrf(job->ctx, uplo == 'L' ? tsl_lower(all) : tsl_upper(all), &info));
    }
    if (!status && info)
        status = cli_fail("factor: %s is not positive definite: its leading minor of order %lld is not", job->input[0], (long long)info);
    tsl_matrix_free(A);
    if (!status)
        keep_triangle(a, uplo);
    return status;
}

static int lu(cli_job *job, factor_request *r)
{
    cli_array *a = &job->array[0];
    tsl_matrix *A = NULL, *p = NULL;
    int64_t info = 0;
    int status = cli_array_make(&r->second, r->pivots, TSL_INDEX, least(a), 1);
    r->second.vector = true;
    if (!status)
        status = cli_job_wrap(job, a, &A);
    if (!status)
        status = cli_job_wrap(job, &r->second, &p);
    if (!status)
        status = cli_job_status(job, tsl_getrf(job->ctx, tsl_whole(A), tsl_whole(p), &info));
    if (!status && info)
        status = cli_fail("factor: %s is singular: a pivot is zero, number %lld", job->input[0], (long long)info);
    tsl_matrix_free(A);
    tsl_matrix_free(p);
    return status;
}

/* R, min(m,n) x n, is the upper triangle that geqrf leaves; Q then takes its place: its first min(m,n) columns. */
static int q_and_r(cli_job *job, cli_array *R, tsl_matrix *A, tsl_matrix *tau)
{
    cli_array *a = &job->array[0];
    size_t size = tsl_type_size(a->type);
    int64_t k = least(a);
    for (int64_t j = 0; j < a->n && k; j++)
        memcpy((char *)R->data + (size_t)(j * k) * size, (char *)a->data + (size_t)(j * a->m) * size, (size_t)k * size);
    keep_triangle(R, 'U');
    return cli_job_status(job, tsl_orgqr(job->ctx, tsl_sub(tsl_whole(A), 0, 0, a->m, k), tsl_whole(tau)));
}

static int qr(cli_job *job, factor_request *r)
{
    cli_array *a = &job->array[0];
    cli_array tau;
    tsl_matrix *A = NULL, *t = NULL;
    int status = cli_array_make(&tau, "tau", a->type, least(a), 1);
    tau.vector = true;
    if (!status && r->r) /* before there is anything to lose */
        status = cli_array_make(&r->second, r->r, a->type, least(a), a->n);
    if (!status)
        status = cli_job_wrap(job, a, &A);
    if (!status)
        status = cli_job_wrap(job, &tau, &t);
    if (!status)
        status = cli_job_status(job, tsl_geqrf(job->ctx, tsl_whole(A), tsl_whole(t)));
    if (!status)
        status = cli_job_status(job, tsl_wait(job->ctx));
    if (!status && r->r)
        status = q_and_r(job, &r->second, A, t);
    if (!status)
        status = cli_job_status(job, tsl_wait(job->ctx));
    tsl_matrix_free(A);
    tsl_matrix_free(t);
    if (r->r) {
        a->n = status ? a->n : least(a);
        cli_array_free(&tau);
    } else {
        r->second = tau;
    }
    return status;
}

static const struct {
    const char *name, *routine;
    int (*run)(cli_job *, factor_request *);
} kinds[] = {{"chol", "dpotrf", cholesky}, {"lu", "dgetrf", lu}, {"qr", "dgeqrf", qr}};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* The file that the second result goes to; "" if the request makes no sense, which has been said. */
static const char *second_file(const factor_request *r, int kind)
{
    const char *given = r->pivots ? r->pivots : r->tau ? r->tau : r->r;
    bool fits = kind == 0 ? !given : kind == 1 ? r->pivots && !r->tau && !r->r : !r->pivots && !r->tau != !r->r;
    if (r->uplo && (kind || (strcmp(r->uplo, "L") && strcmp(r->uplo, "U"))))
        cli_usage("factor: --uplo L or U is of chol");
    else if (!fits)
        cli_usage("factor: lu needs --pivots FILE, qr --tau FILE or --r FILE, chol none of them");
    else
        return given;
    return "";
}

static int factor(cli_job *job, factor_request *r, int kind, const char *second)
{
    double m = (double)job->array[0].m, n = (double)job->array[0].n;
    int64_t rows = job->array[0].m, cols = job->array[0].n;
    cli_job_begin(job);
    int status = kinds[kind].run(job, r);
    cli_job_end(job);
    if (!status)
        status = cli_job_write_all(job, &job->array[0], second ? &r->second : NULL, NULL);
    if (status)
        return status;
    char sentence[96], routine[16];
    snprintf(sentence, sizeof sentence, "%s of %lld x %lld", kinds[kind].name, (long long)rows, (long long)cols);
    snprintf(routine, sizeof routine, "%c%s", tsl_type_letter(job->wanted), kinds[kind].routine + 1);
    const cli_fact facts[] = {{"factorization", kinds[kind].name, 0}, {"m", NULL, m}, {"n", NULL, n}, {NULL, NULL, 0}};
    return cli_job_tell(job, sentence, tsl_flops(routine, rows, cols, 0), facts);
}

static int run(int argc, char **argv)
{
    cli_job job = {.command = "factor"};
    factor_request r = {0};
    const char *words[2];
    const cli_option options[] = {CLI_JOB_OPTIONS(job), {"--uplo", &r.uplo, NULL}, {"--pivots", &r.pivots, NULL},
                                  {"--tau", &r.tau, NULL}, {"--r", &r.r, NULL}, {NULL, NULL, NULL}};
    int count = cli_parse("factor", argc, argv, options, words, 2), kind = 0;
    if (count < 0)
        return CLI_USAGE;
    if (count < 2)
        return cli_usage("factor: needs chol, lu or qr, and a file");
    while (kind < KINDS && strcmp(words[0], kinds[kind].name))
        kind++;
    if (kind == KINDS)
        return cli_usage("factor: no factorization '%s'; there are chol, lu and qr", words[0]);
    const char *second = second_file(&r, kind);
    if (second && !*second)
        return CLI_USAGE;
    if (second && job.json && cli_is_output(second))
        return cli_usage("factor: --json goes to standard output; '-' is not free");
    job.second = second;
    int status = cli_job_open(&job, words + 1, 1);
    if (!status)
        status = factor(&job, &r, kind, job.second);
    cli_array_free(&r.second);
    cli_job_close(&job);
    return status;
}

const cli_command cli_factor = {
    "factor",
    run,
    "Cholesky, LU or QR of a matrix in a file",
    "tesela factor chol A [-o L] [--uplo L|U]\n"
    "tesela factor lu A [-o LU] --pivots P\n"
    "tesela factor qr A [-o Q] --r R | [-o QR] --tau T\n"
    "chol: A = L L^H or U^H U. lu: P A = L U, both in one array as LAPACK leaves them, pivots from 1. qr: A = Q R, the first min(m,n) columns\n"
    "of Q, or with --tau the reflectors as LAPACK leaves them.\n" CLI_JOB_HELP
    "  --uplo L|U       the triangle of A that is read, and written\n"
    "  --pivots FILE    where the pivots go\n"
    "  --tau FILE       where the reflectors' factors go\n"
    "  --r FILE         where R goes; the result is Q then\n"
    CLI_JOB_STATUS("a result has NaN\nor infinite elements"),
    NULL,
};
