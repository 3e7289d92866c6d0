/* Singular values, and vectors, of a matrix in a file. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/compute/job.h"

typedef struct request {
    const char *driver; /* as given */
    tsl_svd_driver by;
    bool full;
    cli_array s, U, VT, A; /* results; where vectors are wanted, a copy of what is overwritten */
} request;

static int read_request(const cli_job *job, request *r)
{
    static const char *const names[] = {"auto", "dc", "qr", "polar"}; /* by tsl_svd_driver */
    bool known = !r->driver;
    for (int i = 0; i < 4 && !known; i++)
        if ((known = !strcmp(r->driver, names[i])))
            r->by = (tsl_svd_driver)i;
    if (!known)
        return cli_usage("svd: --driver takes auto, dc, qr or polar, not '%s'", r->driver);
    if (r->full && !job->second && !job->third)
        return cli_usage("svd: --full is of --u and --vt");
    if (job->json && ((job->second && cli_is_output(job->second)) || (job->third && cli_is_output(job->third))))
        return cli_usage("svd: --json goes to standard output; '-' is not free");
    return CLI_OK;
}

static int64_t values(const cli_job *job) { return job->array[0].m < job->array[0].n ? job->array[0].m : job->array[0].n; }

/* Room for results */
static int make(cli_job *job, request *r)
{
    const cli_array *a = &job->array[0];
    int64_t k = values(job);
    int status = cli_array_make(&r->s, job->out, job->wanted == TSL_C ? TSL_S : job->wanted == TSL_Z ? TSL_D : job->wanted, k, 1);
    r->s.vector = true;
    if (!status && job->second)
        status = cli_array_make(&r->U, job->second, job->wanted, a->m, r->full ? a->m : k);
    if (!status && job->third)
        status = cli_array_make(&r->VT, job->third, job->wanted, r->full ? a->n : k, a->n);
    if (!status && job->second && job->third)
        status = cli_array_copy(&r->A, job->input[0], a);
    return status;
}

static int compute(cli_job *job, request *r)
{
    tsl_matrix *A = NULL, *s = NULL, *U = NULL, *VT = NULL;
    int64_t info = 0;
    int status = cli_job_wrap(job, &job->array[0], &A);
    if (!status)
        status = cli_job_wrap(job, &r->s, &s);
    if (!status && job->second)
        status = cli_job_wrap(job, &r->U, &U);
    if (!status && job->third)
        status = cli_job_wrap(job, &r->VT, &VT);
    if (!status)
        status = cli_job_status(job, tsl_gesvd(job->ctx, tsl_whole(A), r->by, tsl_whole(s), U ? tsl_whole(U) : (tsl_view){0}, VT ? tsl_whole(VT) : (tsl_view){0}, &info));
    if (!status && info)
        status = cli_fail("svd: singular values were not found: %s has an element that is NaN or infinite, or the iteration failed", job->input[0]);
    tsl_matrix_free(A);
    tsl_matrix_free(s);
    tsl_matrix_free(U);
    tsl_matrix_free(VT);
    return status;
}

/* R := U diag(s), of as many columns as there are values; then A V - R */
static tsl_status subtract(cli_job *job, const request *r, cli_array *R)
{
    int64_t k = r->s.m;
    tsl_matrix *A = NULL, *VT = NULL, *to = NULL;
    for (int64_t i = 0; i < R->m * k; i++) {
        double u[2], s[2];
        cli_array_get(&r->U, i, u);
        cli_array_get(&r->s, i / R->m, s);
        cli_array_set(R, i, (double[]){u[0] * s[0], u[1] * s[0]});
    }
    tsl_status st = tsl_matrix_wrap(job->ctx, r->A.type, r->A.m, r->A.n, r->A.data, r->A.m > 0 ? r->A.m : 1, &A);
    if (!st)
        st = tsl_matrix_wrap(job->ctx, r->VT.type, r->VT.m, r->VT.n, r->VT.data, r->VT.m > 0 ? r->VT.m : 1, &VT);
    if (!st)
        st = tsl_matrix_wrap(job->ctx, R->type, R->m, k, R->data, R->m > 0 ? R->m : 1, &to);
    if (!st)
        st = tsl_gemm(job->ctx, 1, tsl_whole(A), tsl_herm(tsl_sub(tsl_whole(VT), 0, 0, k, r->VT.n)), -1, tsl_whole(to));
    if (!st)
        st = tsl_wait(job->ctx);
    tsl_matrix_free(A);
    tsl_matrix_free(VT);
    tsl_matrix_free(to);
    return st;
}

/* The largest element of A V - U diag(s), over s1; NaN if there is one */
static tsl_status backward_error(cli_job *job, const request *r, double *error)
{
    cli_array R = {0};
    double first[2] = {0, 0}, most = 0;
    tsl_status st = cli_array_make(&R, "the residual", r->A.type, r->A.m, r->s.m) ? TSL_ERR_MEMORY : subtract(job, r, &R);
    for (int64_t i = 0; i < R.m * R.n && !st && !isnan(most); i++) {
        double v = cli_array_magnitude(&R, i);
        most = v <= most ? most : v;
    }
    if (r->s.m)
        cli_array_get(&r->s, 0, first);
    if (!st)
        *error = most == 0 ? 0 : most / first[0];
    cli_array_free(&R);
    return st;
}

static int tell(cli_job *job, const request *r)
{
    char sentence[200], range[64] = "", how[48] = "", name[] = "?gesvd";
    int64_t m = job->array[0].m, n = job->array[0].n, k = r->s.m;
    double ends[2] = {NAN, NAN}, error = NAN;
    for (int i = 0; i < 2 && k; i++) {
        double v[2];
        cli_array_get(&r->s, i ? k - 1 : 0, v);
        ends[i] = v[0];
    }
    if (k)
        snprintf(range, sizeof range, ", %.6g down to %.6g", ends[0], ends[1]);
    if (job->second && job->third && cli_job_known(job, "the backward error", backward_error(job, r, &error)))
        snprintf(how, sizeof how, ", backward error %.2g", error);
    snprintf(sentence, sizeof sentence, "%lld singular values of %lld x %lld%s%s", (long long)k, (long long)m, (long long)n, range, how);
    const cli_fact facts[] = {{"m", NULL, (double)m},         {"n", NULL, (double)n},           {"largest", NULL, ends[0]},
                              {"least", NULL, ends[1]}, {"backward_error", NULL, error}, {NULL, NULL, 0}};
    name[0] = tsl_type_letter(job->wanted);
    return cli_job_tell(job, sentence, tsl_flops(name, m, n, 0), facts);
}

static int svd(cli_job *job, request *r)
{
    int status = make(job, r);
    cli_job_begin(job);
    if (!status)
        status = compute(job, r);
    cli_job_end(job);
    if (!status)
        status = cli_job_write_all(job, &r->s, job->second ? &r->U : NULL, job->third ? &r->VT : NULL);
    return status ? status : tell(job, r);
}

static int run(int argc, char **argv)
{
    cli_job job = {.command = "svd"};
    request r = {0};
    const char *word;
    const cli_option options[] = {CLI_JOB_OPTIONS(job), {"--u", &job.second, NULL}, {"--vt", &job.third, NULL}, {"--full", NULL, &r.full}, {"--driver", &r.driver, NULL}, {NULL, NULL, NULL}};
    int count = cli_parse("svd", argc, argv, options, &word, 1);
    if (count < 0)
        return CLI_USAGE;
    if (count < 1)
        return cli_usage("svd: a file is needed");
    int status = read_request(&job, &r);
    if (!status)
        status = cli_job_open(&job, &word, 1);
    if (!status)
        status = svd(&job, &r);
    cli_array_free(&r.s);
    cli_array_free(&r.U);
    cli_array_free(&r.VT);
    cli_array_free(&r.A);
    cli_job_close(&job);
    return status;
}

const cli_command cli_svd = {
    "svd",
    run,
    "singular values and vectors of a matrix in a file",
    "tesela svd A [-o S] [--u U] [--vt VT] [--full] [--driver D]\n"
    "Singular values of A = U diag(S) VT, descending, and their vectors: columns of U, rows of VT (V^H). With both of them the backward error is told, the\n"
    "largest element of A v - s u over the largest s.\n" CLI_JOB_HELP
    "  --u FILE         where the vectors on the left go; without it they are not computed\n"
    "  --vt FILE        those on the right\n"
    "  --full           all of U and VT, square; by default as many vectors as there are values\n"
    "  --driver D       auto (by default), dc: bidiagonal divide and conquer, qr: implicit QR, polar: polar decomposition\n"
    CLI_JOB_STATUS(CLI_JOB_STRANGE),
    NULL,
};
