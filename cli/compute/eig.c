/* Eigenvalues, and eigenvectors, of a symmetric or Hermitian matrix in a file, or of two. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/compute/eig.h"

typedef struct request {
    const char *uplo, *range, *index, *generalized; /* options as given */
    bool general;
    tsl_selection which;
    cli_array w, V, A; /* results; of vectors alone, a copy of what is overwritten */
    int64_t found;
} request;

/* All of a word up to `end` as a number; none stands for `open`. */
static bool bound(const char *text, const char *end, double open, double *value)
{
    char *stop;
    if (text == end)
        return *value = open, true;
    *value = strtod(text, &stop);
    return stop == end && !isnan(*value);
}

static bool read_range(request *r)
{
    const char *colon = strchr(r->range, ':');
    r->which.range = TSL_RANGE_VALUE;
    return colon && bound(r->range, colon, -INFINITY, &r->which.vl) && bound(colon + 1, r->range + strlen(r->range), INFINITY, &r->which.vu) &&
           r->which.vl < r->which.vu;
}

static bool read_index(request *r)
{
    const char *colon = strchr(r->index, ':');
    r->which.range = TSL_RANGE_INDEX;
    return colon && cli_number(r->index, (size_t)(colon - r->index), 1, INT64_MAX, &r->which.il) &&
           cli_number(colon + 1, strlen(colon + 1), r->which.il, INT64_MAX, &r->which.iu);
}

static int read_request(request *r)
{
    if (r->general && (r->range || r->index || r->uplo || r->generalized))
        return cli_usage("eig: --general has all eigenvalues of all of one matrix: no --range, --index, --uplo, --generalized");
    if (r->range && r->index)
        return cli_usage("eig: --range and --index: one of them at most");
    if (r->range && !read_range(r))
        return cli_usage("eig: --range takes two values as LO:HI, the lower one first, not '%s'", r->range);
    if (r->index && !read_index(r))
        return cli_usage("eig: --index takes two numbers from 1 on as I:J, the lower one first, not '%s'", r->index);
    if (r->uplo && strcmp(r->uplo, "L") && strcmp(r->uplo, "U"))
        return cli_usage("eig: --uplo takes L or U, not '%s'", r->uplo);
    return CLI_OK;
}

/* The largest |a(i,j) - conj(a(j,i))| in block (i0, j0), and of |a(i,j)|; NaN counts for nothing here */
static void compare(const cli_array *a, int64_t i0, int64_t j0, int64_t size, double *apart, double *most)
{
    for (int64_t j = j0; j < j0 + size && j < a->n; j++)
        for (int64_t i = i0; i < i0 + size && i < a->m; i++) {
            double x[2], y[2];
            cli_array_get(a, i + j * a->m, x);
            cli_array_get(a, j + i * a->m, y);
            *apart = fmax(*apart, hypot(x[0] - y[0], x[1] + y[1]));
            *most = fmax(*most, hypot(x[0], x[1]));
        }
}

/* Symmetric or Hermitian but for rounding */
static bool is_hermitian(const cli_array *a)
{
    enum { BLOCK = 32 };
    double apart = 0, most = 0;
    for (int64_t j = 0; j < a->n; j += BLOCK)
        for (int64_t i = j; i < a->m; i += BLOCK)
            compare(a, i, j, BLOCK, &apart, &most);
    return apart <= (double)a->n * 2 * tsl_type_eps(a->type) * most;
}

/* Of all inputs, before anything is computed. */
static int check(const cli_job *job, const request *r)
{
    for (int i = 0; i < job->inputs; i++) {
        const cli_array *a = &job->array[i];
        if (a->m != a->n)
            return cli_fail("eig: %s is %lld x %lld, and must be square", job->input[i], (long long)a->m, (long long)a->n);
        if (a->n != job->array[0].n)
            return cli_fail("eig: A is of order %lld and B of %lld; they must be of one order", (long long)job->array[0].n, (long long)a->n);
        if (!r->uplo && !is_hermitian(a))
            return cli_fail("eig: %s is not %s; --general takes it as it is, --uplo L or U one triangle of it for all", job->input[i], job->wanted >= TSL_C ? "Hermitian" : "symmetric");
    }
    if (r->which.iu > job->array[0].n)
        return cli_fail("eig: --index %s: there are eigenvalues 1 to %lld", r->index, (long long)job->array[0].n);
    return CLI_OK;
}

/* Room for results. The vectors of a range are as many as there turn out to be. */
static int make(cli_job *job, request *r)
{
    int64_t n = job->array[0].n, most = r->index ? r->which.iu - r->which.il + 1 : n;
    int status = cli_array_make(&r->w, job->out, job->wanted == TSL_C ? TSL_S : job->wanted == TSL_Z ? TSL_D : job->wanted, n, 1);
    r->w.vector = true;
    if (!status && job->second)
        status = cli_array_make(&r->V, job->second, job->wanted, n, most);
    if (!status && job->second && job->inputs == 1)
        status = cli_array_copy(&r->A, job->input[0], &job->array[0]);
    return status;
}

static int told(const cli_job *job, int64_t info)
{
    int64_t n = job->array[0].n;
    if (info > n)
        return cli_fail("eig: %s is not positive definite: its leading minor of order %lld is not", job->input[1], (long long)(info - n));
    return info ? cli_fail("eig: eigenvalues were not found: %s has an element that is NaN or infinite, or the iteration failed", job->input[0]) : CLI_OK;
}

static int compute(cli_job *job, request *r)
{
    tsl_matrix *A = NULL, *B = NULL, *w = NULL, *V = NULL;
    const char *uplo = r->uplo ? r->uplo : "L";
    int64_t info = 0;
    int status = cli_job_wrap(job, &job->array[0], &A);
    if (!status && job->inputs > 1)
        status = cli_job_wrap(job, &job->array[1], &B);
    if (!status)
        status = cli_job_wrap(job, &r->w, &w);
    if (!status && job->second)
        status = cli_job_wrap(job, &r->V, &V);
    if (!status) {
        tsl_view to = job->second ? tsl_whole(V) : (tsl_view){0};
        status = cli_job_status(job, B ? tsl_sygv(job->ctx, 1, cli_triangle(A, uplo), cli_triangle(B, uplo), &r->which, tsl_whole(w), to, &r->found, &info)
                                       : tsl_syev(job->ctx, cli_triangle(A, uplo), &r->which, tsl_whole(w), to, &r->found, &info));
    }
    if (!status)
        status = told(job, info);
    tsl_matrix_free(A);
    tsl_matrix_free(B);
    tsl_matrix_free(w);
    tsl_matrix_free(V);
    r->w.m = r->found;
    r->V.n = job->second ? r->found : 0;
    return status;
}

/* The largest |A v - l v| / (|A| |v|), norms inf. It needs room for as many vectors. */
static tsl_status backward_error(cli_job *job, const request *r, double *error)
{
    cli_array R = {0};
    tsl_matrix *A = NULL;
    double norm = NAN;
    tsl_status st = cli_array_copy(&R, "the residual", &r->V) ? TSL_ERR_MEMORY : TSL_OK;
    for (int64_t i = 0; i < R.m * R.n && !st; i++) {
        double x[2], l[2];
        cli_array_get(&R, i, x);
        cli_array_get(&r->w, i / R.m, l);
        cli_array_set(&R, i, (double[]){x[0] * l[0], x[1] * l[0]});
    }
    if (!st)
        st = tsl_matrix_wrap(job->ctx, r->A.type, r->A.m, r->A.n, r->A.data, r->A.m > 0 ? r->A.m : 1, &A);
    if (!st)
        st = tsl_norm(job->ctx, TSL_NORM_INF, TSL_HERMITIAN, cli_triangle(A, r->uplo ? r->uplo : "L"), &norm);
    if (!st)
        st = cli_residual(job, cli_triangle(A, r->uplo ? r->uplo : "L"), &r->V, &R);
    if (!st)
        *error = cli_backward_error(norm, &r->V, &R);
    tsl_matrix_free(A);
    cli_array_free(&R);
    return st;
}

static int tell(cli_job *job, const request *r)
{
    char sentence[200], range[64] = "", how[48] = "";
    int64_t n = job->array[0].n, m = r->found;
    double ends[2] = {NAN, NAN}, error = NAN, size = (double)n;
    for (int i = 0; i < 2 && m; i++) {
        double v[2];
        cli_array_get(&r->w, i ? m - 1 : 0, v);
        ends[i] = v[0];
    }
    if (m)
        snprintf(range, sizeof range, ", %.6g to %.6g", ends[0], ends[1]);
    if (job->second && job->inputs == 1 && cli_job_known(job, "the backward error", backward_error(job, r, &error)))
        snprintf(how, sizeof how, ", backward error %.2g", error);
    snprintf(sentence, sizeof sentence, "%lld eigen%s of %lld x %lld%s%s", (long long)m, job->second ? "pairs" : "values", (long long)n, (long long)n, range, how);
    const cli_fact facts[] = {{"n", NULL, size}, {"found", NULL, (double)m}, {"least", NULL, ends[0]}, {"largest", NULL, ends[1]}, {"backward_error", NULL, error},
                              {NULL, NULL, 0}};
    double reduction = size * size * size * 4 / 3, back = job->second ? reduction + 2 * size * size * (double)m : 0;
    return cli_job_tell(job, sentence, (job->wanted >= TSL_C ? 4 : 1) * (reduction + back), facts);
}

static int eig(cli_job *job, request *r)
{
    int status = check(job, r);
    if (!status)
        status = make(job, r);
    cli_job_begin(job);
    if (!status)
        status = compute(job, r);
    cli_job_end(job);
    if (!status)
        status = cli_job_write_all(job, &r->w, job->second ? &r->V : NULL, NULL);
    return status ? status : tell(job, r);
}

static int run(int argc, char **argv)
{
    cli_job job = {.command = "eig"};
    request r = {0};
    const char *words[2];
    const cli_option options[] = {CLI_JOB_OPTIONS(job),          {"--vectors", &job.second, NULL}, {"--range", &r.range, NULL}, {"--index", &r.index, NULL},
                                  {"--uplo", &r.uplo, NULL}, {"--generalized", &r.generalized, NULL}, {"--general", NULL, &r.general}, {NULL, NULL, NULL}};
    int count = cli_parse("eig", argc, argv, options, words, 1);
    if (count < 0)
        return CLI_USAGE;
    if (count < 1)
        return cli_usage("eig: a file is needed");
    words[1] = r.generalized;
    int status = read_request(&r);
    if (!status && job.json && job.second && cli_is_output(job.second))
        status = cli_usage("eig: --json goes to standard output; '-' is not free");
    if (!status)
        status = cli_job_open(&job, words, r.generalized ? 2 : 1);
    if (!status)
        status = r.general ? cli_eig_general(&job) : eig(&job, &r);
    cli_array_free(&r.w);
    cli_array_free(&r.V);
    cli_array_free(&r.A);
    cli_job_close(&job);
    return status;
}

const cli_command cli_eig = {
    "eig",
    run,
    "eigenvalues and eigenvectors of a matrix in a file",
    "tesela eig A [-o W] [--vectors V] [--range LO:HI | --index I:J] [--generalized B] [--uplo L|U] | --general\n"
    "Eigenvalues of a symmetric or Hermitian A, ascending, and of length 1 their eigenvectors, the columns of V. Told is the backward error of the\n"
    "pairs, the largest |A v - l v| / (|A| |v|), norms inf. With --generalized those of A v = l B v, V^H B V = I.\n" CLI_JOB_HELP
    "  --vectors FILE   where the eigenvectors go; without it they are not computed\n"
    "  --range LO:HI    those with LO < eigenvalue <= HI alone; either may be missing\n"
    "  --index I:J      those number I to J alone, from the lowest, which is 1, on\n"
    "  --generalized B  a file with a symmetric (Hermitian) positive definite matrix\n"
    "  --uplo L|U       the triangle of A, and B, that is read; by default a matrix that is not symmetric but for rounding fails\n"
    "  --general        A is any square matrix: all eigenvalues, and vectors, as complex numbers\n"
    CLI_JOB_STATUS(CLI_JOB_STRANGE),
    NULL,
};
