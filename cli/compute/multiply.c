#include <stdio.h>
#include <stdlib.h>

#include "cli/compute/job.h"

/* op(A) of the letter N, T or H. */
static bool seen(char letter, tsl_view *A)
{
    if (letter == 'T' || letter == 't')
        *A = tsl_trans(*A);
    else if (letter == 'H' || letter == 'h' || letter == 'C' || letter == 'c')
        *A = tsl_herm(*A);
    else
        return letter == 'N' || letter == 'n';
    return true;
}

static int product(cli_job *job, const char *trans, cli_array *C, int64_t *k)
{
    tsl_matrix *A = NULL, *B = NULL, *to = NULL;
    int status = cli_job_wrap(job, &job->array[0], &A);
    if (!status)
        status = cli_job_wrap(job, &job->array[1], &B);
    tsl_view a = status ? (tsl_view){0} : tsl_whole(A), b = status ? (tsl_view){0} : tsl_whole(B);
    if (!status && (!trans[0] || !trans[1] || trans[2] || !seen(trans[0], &a) || !seen(trans[1], &b)))
        status = cli_usage("multiply: --trans takes two letters of N, T and H, not '%s'", trans);
    if (!status && tsl_cols(a) != tsl_rows(b))
        status = cli_fail("multiply: %lld x %lld times %lld x %lld: the second must have as many rows as the first has columns", (long long)tsl_rows(a), (long long)tsl_cols(a), (long long)tsl_rows(b),
                          (long long)tsl_cols(b));
    if (!status)
        status = cli_array_make(C, job->out, job->wanted, tsl_rows(a), tsl_cols(b));
    if (!status)
        status = cli_job_wrap(job, C, &to);
    cli_job_begin(job);
    if (!status)
        status = cli_job_status(job, tsl_gemm(job->ctx, 1, a, b, 0, tsl_whole(to)));
    if (!status)
        status = cli_job_status(job, tsl_wait(job->ctx));
    *k = status ? 0 : tsl_cols(a);
    tsl_matrix_free(A);
    tsl_matrix_free(B);
    tsl_matrix_free(to);
    return status;
}

static int tell(cli_job *job, const cli_array *C, int64_t k)
{
    char sentence[128];
    double m = (double)C->m, n = (double)C->n;
    snprintf(sentence, sizeof sentence, "%lld x %lld = product over %lld", (long long)C->m, (long long)C->n, (long long)k);
    const cli_fact facts[] = {{"m", NULL, m}, {"n", NULL, n}, {"k", NULL, (double)k}, {NULL, NULL, 0}};
    return cli_job_tell(job, sentence, (job->wanted >= TSL_C ? 8 : 2) * m * n * (double)k, facts);
}

static int run(int argc, char **argv)
{
    cli_job job = {.command = "multiply"};
    const char *trans = "NN", *words[2];
    const cli_option options[] = {CLI_JOB_OPTIONS(job), {"--trans", &trans, NULL}, {NULL, NULL, NULL}};
    int count = cli_parse("multiply", argc, argv, options, words, 2);
    if (count < 0)
        return CLI_USAGE;
    if (count < 2)
        return cli_usage("multiply: two files are needed, A and B");
    cli_array C = {0};
    int64_t k = 0;
    int status = cli_job_open(&job, words, 2);
    if (!status)
        status = product(&job, trans, &C, &k);
    if (!status) {
        C.vector = job.array[1].vector && (trans[1] == 'N' || trans[1] == 'n');
        status = cli_job_write(&job, &C);
    }
    if (!status)
        status = tell(&job, &C, k);
    cli_array_free(&C);
    cli_job_close(&job);
    return status;
}

const cli_command cli_multiply = {
    "multiply",
    run,
    "the product of two matrices in files",
    "tesela multiply A B [-o C] [--trans NN]\n"
    "C = op(A) op(B).\n" CLI_JOB_HELP
    "  --trans XY       op of A and of B: N, T (transposed) or H (conjugate transposed)\n"
    CLI_JOB_STATUS(CLI_JOB_STRANGE),
    NULL,
};
