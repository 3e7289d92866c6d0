#include "cli/job.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "bench/measure.h"

static bool is_type(const char *word, tsl_type *type)
{
    for (int t = TSL_S; t <= TSL_Z; t++)
        if (word[0] == tsl_type_letter((tsl_type)t) && !word[1]) {
            *type = (tsl_type)t;
            return true;
        }
    return false;
}

/* Another name of standard output is "-" from here on, where the format that it says would be forgotten. */
static int settle(const cli_job *job, const char **name)
{
    cli_format said;
    if (!*name || !cli_is_output(*name))
        return CLI_OK;
    if (!job->format && (cli_format_by_name(*name, &said), said != CLI_MTX))
        return cli_usage("%s: %s is standard output, which is MatrixMarket; say --format", job->command, *name);
    *name = "-";
    return CLI_OK;
}

static int read_options(cli_job *job, tsl_type *type)
{
    *type = TSL_D;
    job->to = CLI_BY_NAME;
    job->out = job->out ? job->out : "-";
    if (settle(job, &job->out) || settle(job, &job->second))
        return CLI_USAGE;
    if (job->type && !is_type(job->type, type))
        return cli_usage("%s: no type '%s'; there are s, d, c and z", job->command, job->type);
    if (job->format && !cli_format_of(job->format, &job->to))
        return cli_usage("%s: no format '%s'; there are npy, mtx and raw", job->command, job->format);
    if (job->json && !strcmp(job->out, "-"))
        return cli_usage("%s: --json goes to standard output; the result needs -o FILE", job->command);
    if (job->second && cli_same_place(job->second, job->out))
        return cli_usage("%s: both results go to '%s'", job->command, job->second);
    int status = job->second ? cli_may_name(job->second, job->to) : CLI_OK;
    return status ? status : cli_may_name(job->out, job->to);
}

/* All operands in one type: the widest of the files', or the one asked for. */
static int read_operands(cli_job *job, tsl_type type)
{
    int status = CLI_OK;
    for (int i = 0; i < job->inputs && !status; i++)
        status = cli_read(job->input[i], type, &CLI_TEXT, &job->array[i]);
    job->wanted = job->type ? type : job->array[0].type;
    for (int i = 0; i < job->inputs && !status && !job->type; i++)
        job->wanted = cli_wider(job->wanted, job->array[i].type);
    for (int i = 0; i < job->inputs && !status; i++)
        status = cli_array_convert(&job->array[i], job->input[i], job->wanted);
    return status;
}

int cli_job_open(cli_job *job, const char *const *inputs, int count)
{
    tsl_type type;
    int pipes = 0;
    for (int i = 0; i < count; i++) {
        job->input[i] = inputs[i];
        pipes += !strcmp(inputs[i], "-");
    }
    job->inputs = count;
    if (pipes > 1)
        return cli_usage("%s: one file at most is standard input", job->command);
    int status = read_options(job, &type);
    if (!status)
        status = cli_may_write(job->out, job->input, count);
    if (!status && job->second)
        status = cli_may_write(job->second, job->input, count);
    if (!status)
        status = read_operands(job, type);
    if (!status)
        job->ctx = cli_context(job->devices, &status);
    if (!status)
        status = cli_job_status(job, tsl_set(job->ctx, "watch", "on")); /* whether anybody does or not: results are the same */
    return status;
}

void cli_job_begin(cli_job *job)
{
    job->begin = bench_now();
    cli_progress_begin(job->command, job->ctx);
}

void cli_job_close(cli_job *job)
{
    cli_progress_end();
    tsl_context_destroy(job->ctx);
    for (int i = 0; i < job->inputs; i++)
        cli_array_free(&job->array[i]);
}

int cli_job_status(cli_job *job, tsl_status st)
{
    return st ? cli_fail("%s: %s", job->command, *tsl_error(job->ctx) ? tsl_error(job->ctx) : tsl_status_text(st)) : CLI_OK;
}

int cli_job_wrap(cli_job *job, const cli_array *a, tsl_matrix **A)
{
    return cli_job_status(job, tsl_matrix_wrap(job->ctx, a->type, a->m, a->n, a->data, a->m > 0 ? a->m : 1, A));
}

static bool piped(const cli_job *job) { return !strcmp(job->out, "-") || (job->second && !strcmp(job->second, "-")); }

int cli_job_write(cli_job *job, cli_array *a)
{
    int status = a->type == TSL_INDEX ? CLI_OK : cli_array_convert(a, job->out, job->wanted);
    if (!status)
        status = cli_write(job->out, job->to, &CLI_TEXT, a);
    if (!status)
        fputs(job->told, piped(job) && !job->json ? stderr : stdout);
    return status;
}

/* Facts are few and short: they fit. */
__attribute__((format(printf, 2, 3))) static void add(cli_job *job, const char *format, ...)
{
    size_t at = strlen(job->told);
    va_list args;
    va_start(args, format);
    vsnprintf(job->told + at, sizeof job->told - at, format, args);
    va_end(args);
}

static void add_number(cli_job *job, const char *name, double v)
{
    if (isfinite(v))
        add(job, ", \"%s\": %.6g", name, v);
    else
        add(job, ", \"%s\": null", name);
}

void cli_job_tell(cli_job *job, const char *sentence, double flops, const cli_fact *facts)
{
    double seconds = bench_now() - job->begin, rate = flops / seconds * 1e-9;
    cli_progress_end();
    job->told[0] = 0;
    if (!job->json) {
        add(job, "%s; %.3g s, %.4g Gflop/s\n", sentence, seconds, rate);
        return;
    }
    add(job, "{\"command\": \"%s\", \"type\": \"%c\"", job->command, tsl_type_letter(job->wanted));
    for (; facts->name; facts++)
        if (facts->text)
            add(job, ", \"%s\": \"%s\"", facts->name, facts->text);
        else
            add_number(job, facts->name, facts->number);
    add_number(job, "seconds", seconds);
    add_number(job, "gflops", rate);
    add(job, "}\n");
}
