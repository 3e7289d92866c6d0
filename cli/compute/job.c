#include "cli/compute/job.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "bench/measure/json.h"
#include "bench/measure/measure.h"

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

/* A character, or the name of one. */
static int read_text_options(cli_job *job)
{
    const char *d = job->delimiter;
    job->text.delimiter = !d ? 0 : !strcmp(d, "tab") ? '\t' : !strcmp(d, "space") ? ' ' : *d;
    job->text.skip = -1;
    if (d && job->text.delimiter == *d && (strlen(d) != 1 || strchr("\n\r\"#.+-", *d) || (*d >= '0' && *d <= '9') || *d & 128))
        return cli_usage("%s: --delimiter takes a character that is not part of a number, or tab, or space, not '%s'", job->command, d);
    if (job->skip && !cli_number(job->skip, strlen(job->skip), 0, INT64_MAX, &job->text.skip))
        return cli_usage("%s: --skip takes a number of lines, not '%s'", job->command, job->skip);
    if (job->text.header && strchr(job->text.header, '\n'))
        return cli_usage("%s: --header takes one line", job->command);
    return CLI_OK;
}

static int read_options(cli_job *job, tsl_type *type)
{
    *type = TSL_D;
    if (job->type && !is_type(job->type, type))
        return cli_usage("%s: no type '%s'; there are s, d, c and z", job->command, job->type);
    return read_text_options(job);
}

static int read_output_options(cli_job *job)
{
    job->to = CLI_BY_NAME;
    job->out = job->out ? job->out : "-";
    if (settle(job, &job->out) || settle(job, &job->second) || settle(job, &job->third))
        return CLI_USAGE;
    if (job->format && !cli_format_of(job->format, &job->to))
        return cli_usage("%s: no format '%s'; there are npy, mtx, csv and raw", job->command, job->format);
    if (job->json && !strcmp(job->out, "-"))
        return cli_usage("%s: --json goes to standard output; the result needs -o FILE", job->command);
    const char *const to[] = {job->second, job->third, job->out};
    int status = CLI_OK;
    for (int i = 0; i < 3 && !status; i++)
        for (int j = i + 1; j < 3 && !status; j++)
            if (to[i] && to[j] && cli_same_place(to[i], to[j]))
                status = cli_usage("%s: both results go to '%s'", job->command, to[i]);
    for (int i = 0; i < 3 && !status; i++)
        status = to[i] ? cli_may_name(to[i], job->to) : CLI_OK;
    for (int i = 0; i < 3 && !status; i++)
        status = to[i] ? cli_may_write(to[i], job->input, job->inputs) : CLI_OK;
    return status;
}

/* All operands in one type: the widest of the files', or the one asked for. */
static int read_operands(cli_job *job, tsl_type type)
{
    int status = CLI_OK;
    for (int i = 0; i < job->inputs && !status; i++)
        status = cli_read(job->input[i], type, &job->text, &job->array[i]);
    job->wanted = job->type ? type : job->array[0].type;
    for (int i = 0; i < job->inputs && !status && !job->type; i++)
        job->wanted = cli_wider(job->wanted, job->array[i].type);
    for (int i = 0; i < job->inputs && !status; i++)
        status = cli_array_convert(&job->array[i], job->input[i], job->wanted);
    return status;
}

static bool writes_csv(const cli_job *job, const char *name)
{
    cli_format format = job->to;
    if (!name || (format == CLI_BY_NAME && !cli_format_by_name(name, &format)))
        return false;
    return format == CLI_CSV;
}

/* An option that no file asks for is a mistake. */
static int check_text_options(const cli_job *job)
{
    bool read = false, written = !job->numbers && (writes_csv(job, job->out) || writes_csv(job, job->second) || writes_csv(job, job->third));
    for (int i = 0; i < job->inputs; i++)
        read |= job->array[i].csv;
    const char *idle = job->skip && !read ? "--skip" : job->text.header && !written ? "--header" : job->delimiter && !read && !written ? "--delimiter" : NULL;
    return idle ? cli_usage("%s: %s is of CSV, which no file here is", job->command, idle) : CLI_OK;
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
    if (!status && !job->numbers)
        status = read_output_options(job);
    if (!status)
        status = read_operands(job, type);
    if (!status)
        status = check_text_options(job);
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

void cli_job_end(cli_job *job)
{
    cli_progress_end();
    if (job->seconds == 0)
        job->seconds = bench_now() - job->begin;
}

void cli_job_close(cli_job *job)
{
    cli_progress_end();
    tsl_context_destroy(job->ctx);
    for (int i = 0; i < job->inputs; i++)
        cli_array_free(&job->array[i]);
}

static const char *why(const cli_job *job, tsl_status st) { return *tsl_error(job->ctx) ? tsl_error(job->ctx) : tsl_status_text(st); }

int cli_job_status(cli_job *job, tsl_status st) { return st ? cli_fail("%s: %s", job->command, why(job, st)) : CLI_OK; }

bool cli_job_known(cli_job *job, const char *what, tsl_status st)
{
    if (st)
        snprintf(job->unknown, sizeof job->unknown, "%s is not known: %s", what, why(job, st));
    return !st;
}

void cli_job_doubt(cli_job *job, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    if (!*job->doubt)
        vsnprintf(job->doubt, sizeof job->doubt, format, args);
    va_end(args);
}

void cli_job_inspect(cli_job *job, const char *what, const cli_array *a)
{
    int64_t strange = cli_array_strange(a);
    if (strange)
        cli_job_doubt(job, "%lld of %lld elements of %s are NaN or infinite", (long long)strange, (long long)(a->m * a->n), what);
}

int cli_job_wrap(cli_job *job, const cli_array *a, tsl_matrix **A)
{
    return cli_job_status(job, tsl_matrix_wrap(job->ctx, a->type, a->m, a->n, a->data, a->m > 0 ? a->m : 1, A));
}

static bool is_pipe(const char *name) { return name && !strcmp(name, "-"); }
static bool piped(const cli_job *job) { return is_pipe(job->out) || is_pipe(job->second) || is_pipe(job->third); }

static int write_first(cli_job *job, const cli_array *a)
{
    int status = cli_write(job->out, job->to, &job->text, a);
    if (!status)
        cli_job_inspect(job, "the result", a);
    return status;
}

int cli_job_write(cli_job *job, cli_array *a)
{
    cli_job_end(job);
    int status = a->type == TSL_INDEX ? CLI_OK : cli_array_convert(a, job->out, job->wanted);
    return status ? status : write_first(job, a);
}

/* What is no file stays. */
static void take_back(const char *name)
{
    struct stat there;
    if (!is_pipe(name) && !lstat(name, &there) && S_ISREG(there.st_mode))
        remove(name);
}

int cli_job_write_all(cli_job *job, const cli_array *a, const cli_array *second, const cli_array *third)
{
    const cli_array *const more[] = {second, third};
    const char *const to[] = {job->second, job->third};
    static const char *const names[] = {"the second result", "the third result"};
    int status = CLI_OK, written = 0;
    cli_job_end(job);
    for (; written < 2 && !status; written += !status)
        status = more[written] ? cli_write(to[written], job->to, &job->text, more[written]) : CLI_OK;
    if (!status)
        status = write_first(job, a);
    for (int i = 0; i < written && status; i++)
        if (more[i])
            take_back(to[i]);
    for (int i = 0; i < 2 && !status; i++)
        if (more[i])
            cli_job_inspect(job, names[i], more[i]);
    return status;
}

int cli_job_tell(cli_job *job, const char *sentence, double flops, const cli_fact *facts)
{
    cli_job_end(job);
    double rate = flops / job->seconds * 1e-9;
    FILE *f = !job->json && !job->numbers && piped(job) ? stderr : stdout;
    if (job->json) {
        fprintf(f, "{\"command\": \"%s\", \"type\": \"%c\"", job->command, tsl_type_letter(job->wanted));
        for (; facts->name; facts++)
            if (facts->text)
                json_text(f, facts->name, facts->text);
            else
                json_precise(f, facts->name, 17, facts->number);
        json_number(f, "seconds", job->seconds);
        json_number(f, "gflops", rate);
        if (*job->doubt)
            json_text(f, "warning", job->doubt);
        fputs("}\n", f);
    } else {
        fprintf(f, "%s; %.3g s, %.4g Gflop/s\n", sentence, job->seconds, rate);
    }
    if (*job->unknown)
        cli_warn("%s: %s", job->command, job->unknown);
    return *job->doubt ? cli_warn("%s: %s", job->command, job->doubt) : CLI_OK;
}
