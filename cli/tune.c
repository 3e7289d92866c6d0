#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/plan.h"
#include "cli/tune.h"

enum { LONGEST = 1000000, LARGEST_TILE = 4096 };

static volatile sig_atomic_t stopped; /* set by the signal, read between runs */

static void stop(int signal)
{
    (void)signal;
    stopped = 1;
}

typedef struct tune_job {
    tsl_context *ctx;
    tune_file file;
    double end;
    bool again;
    bool apart; /* the device has a memory of its own: its table speaks of the host's cores too */
    bool linked;
    int total, seen, found, kept, status;
} tune_job;

/* Is the line to be found, or to be found anew? */
static bool missing(const tune_job *job, const char *key) { return job->again || !tune_holds(&job->file, key); }

static bool wanted(const tune_job *job, const bench_routine *r, const bench_case *c)
{
    char key[TUNE_KEY];
    tune_key(r, c, "", key);
    return r->typed[c->type] && missing(job, key);
}

static void count(void *user, const bench_routine *r, const bench_case *c)
{
    tune_job *job = user;
    job->kept += r->typed[c->type] && !wanted(job, r, c);
    job->total += wanted(job, r, c);
}

static void save(tune_job *job, const char *key, const char *entry)
{
    printf("%s\n", entry);
    fflush(stdout);
    if (!tune_put(&job->file, key, entry))
        job->status = CLI_FAILED;
}

static void save_link(tune_job *job)
{
    char entry[TUNE_ENTRY];
    if (job->linked || !missing(job, "link"))
        return;
    if (tune_link(job->ctx, entry))
        save(job, "link", entry);
    else
        job->status = CLI_FAILED;
    job->linked = true;
}

/* Beside a rate of potrf, of a size that tiles have, go those it is compared with. */
static void tune_beside(tune_job *job, const bench_routine *r, const bench_case *c)
{
    char entry[TUNE_ENTRY], key[TUNE_KEY];
    tune_key(r, c, "", key);
    if (!job->apart || strcmp(r->name, "potrf") || c->n > LARGEST_TILE || !tune_holds(&job->file, key))
        return;
    save_link(job);
    tune_key(r, c, "core ", key);
    if (job->status || !missing(job, key))
        return;
    if (tune_core(r, c, entry))
        save(job, key, entry);
    else
        job->status = CLI_FAILED;
}

/* One entry, in its share of the time left. */
static void search(tune_job *job, const bench_routine *r, const bench_case *c)
{
    double now = bench_now();
    char entry[TUNE_ENTRY], line[BENCH_LINE], label[80], key[TUNE_KEY];
    snprintf(label, sizeof label, "[%d/%d] %c%s n = %lld", job->seen + 1, job->total, tsl_type_letter(c->type), r->name,
             (long long)c->n);
    bool watched = isatty(STDERR_FILENO);
    tune_search s = {now + (job->end - now) / (job->total - job->seen), &stopped, watched ? label : NULL};
    bool done = tune_case(job->ctx, &s, r, c, entry, line);
    if (watched)
        fputs("\033[K", stderr);
    job->seen++;
    if (!done && *line)
        job->status = cli_fail("tune: %s: %s", strchr(label, ' ') + 1, line);
    if (!done)
        return;
    tune_key(r, c, "", key);
    save(job, key, entry);
    job->found += !job->status;
}

static void tune_one(void *user, const bench_routine *r, const bench_case *c)
{
    tune_job *job = user;
    if (stopped || job->status || bench_now() >= job->end)
        return;
    if (wanted(job, r, c))
        search(job, r, c);
    if (!stopped && !job->status)
        tune_beside(job, r, c);
}

/* The folders on the way to the user's own file; whether it can be written shows later. */
static void make_folders(const char *path)
{
    char part[1024];
    for (const char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        snprintf(part, sizeof part, "%.*s", (int)(slash - path), path);
        mkdir(part, 0777);
    }
}

static bool read_plan(cli_plan *plan, int argc, char **argv, const char **out, int64_t *budget, bool *again)
{
    const char *types = "d", *n = NULL, *seconds = NULL, *word[PLAN_ROUTINES];
    const cli_option options[] = {{"-t", &types, NULL},        {"-n", &n, NULL},         {"--devices", &plan->devices, NULL},
                                  {"--out", out, NULL},        {"--budget", &seconds, NULL}, {"--again", NULL, again},
                                  {NULL, NULL, NULL}};
    int words = cli_parse("tune", argc, argv, options, word, PLAN_ROUTINES);
    if (words < 0)
        return false;
    for (int i = 0; i < words; i++)
        if (!cli_plan_routines(plan, word[i]))
            return false;
    for (int i = 0; i < plan->routines; i++)
        if (!tune_has_variants(plan->routine[i]))
            return !cli_usage("tune: %s has no variants to choose from", plan->routine[i]->name);
    const bench_routine *r;
    for (int i = 0; !words && (r = bench_routine_at(i)); i++)
        if (tune_has_variants(r))
            plan->routine[plan->routines++] = r;
    if (!cli_plan_types(plan, types) || !cli_plan_sizes(plan, n))
        return false;
    if (seconds && !cli_number(seconds, strlen(seconds), 1, LONGEST, budget))
        return !cli_usage("tune: --budget %s: seconds from 1 to %d are wanted", seconds, LONGEST);
    if (*out && !**out)
        return !cli_usage("tune: --out needs a file's name");
    return true;
}

/* Square problems, with the letters that `tesela bench` takes by default. */
static void walk(const cli_plan *plan, plan_visit visit, void *user)
{
    for (int i = 0; i < plan->routines; i++)
        for (int t = 0; t < plan->types; t++)
            for (int j = 0; j < plan->sizes; j++) {
                const bench_routine *r = plan->routine[i];
                int64_t n = plan->n[j];
                bench_case c = {.type = plan->type[t], .m = n, .n = n, .k = n, .alpha = r->alpha, .beta = r->beta, .seed = 1};
                for (int f = 0; f < BENCH_FLAGS; f++)
                    c.flag[f] = *bench_letters(r, c.type, (bench_flag)f, BENCH_TYPED);
                visit(user, r, &c);
            }
}

static void look_at_device(cli_plan *plan, tune_job *job)
{
    tsl_device_info d;
    bool known = !tsl_device_query(job->ctx, 0, &d), host = !known || !strcmp(d.backend, "host");
    job->apart = known && (!host || d.is_virtual);
    if (!plan->sizes)
        cli_plan_sizes(plan, host ? "128,512,1024" : "512,1024,2048,4096,8192,16384");
}

static void run_all(tune_job *job, const cli_plan *plan, int64_t budget)
{
    struct sigaction on_stop = {.sa_handler = stop}, before;
    sigaction(SIGINT, &on_stop, &before);
    walk(plan, count, job);
    job->end = bench_now() + (double)budget;
    walk(plan, tune_one, job);
    sigaction(SIGINT, &before, NULL);
    fprintf(stderr, "%s: %d found, %d already there", job->file.path, job->found, job->kept);
    if (job->found < job->total)
        fprintf(stderr, ", %d left: the same command goes on", job->total - job->found);
    fputs("\n", stderr);
}

static int run(int argc, char **argv)
{
    cli_plan plan = {.command = "tune"};
    tune_job job = {.status = CLI_OK};
    const char *out = NULL;
    int64_t budget = 60;
    if (!read_plan(&plan, argc, argv, &out, &budget, &job.again))
        return CLI_USAGE;
    setenv("TESELA_TUNE", "none", 1); /* candidates are timed under the shipped table, whatever was tuned before */
    job.ctx = cli_context(plan.devices, &job.status);
    if (!job.ctx)
        return job.status;
    look_at_device(&plan, &job);
    if (!out)
        make_folders(out = tsl_tuning_file(job.ctx));
    if (!*out)
        job.status = cli_fail("tune: there is no home for a table; --out says where to put it");
    else if (!tune_open(&job.file, out, plan.devices, job.ctx))
        job.status = CLI_FAILED;
    else
        run_all(&job, &plan, budget);
    tune_close(&job.file);
    tsl_context_destroy(job.ctx);
    return job.status;
}

const cli_command cli_tune = {
    "tune",
    run,
    "finds the fastest variant and block size of routines on this device",
    "tesela tune [ROUTINE...] [options]\n"
    "\n"
    "  ROUTINE             those listed below (all of them)\n"
    "  -t s,d,c,z          element types (d)\n"
    "  -n N[,N...]         sizes; LO:HI:STEP is a range (128,512,1024; 512,1024,2048 ... 16384 on a GPU)\n"
    "  --devices SPEC      the first device of SPEC is tuned (TESELA_DEVICES)\n"
    "  --out FILE          the table (the user's own for the device: `tesela info` then names it)\n"
    "  --budget SECONDS    time in all, shared by the entries (60)\n"
    "  --again             search anew for entries the table already has\n"
    "\n"
    "Each entry is printed and saved as soon as it is found. Interrupted, or out of time, the same command goes on\n"
    "where it stopped. The library uses FILE when TESELA_TUNE names it, and the user's own table by itself. Beside each\n"
    "entry of potrf, for a device with a memory of its own, goes one of a core, and the rate of the link between them.\n"
    "\n"
    "Exit status: 0; 1 if a run failed or FILE is not a table for this device or cannot be written; 2 if the words\n"
    "make no sense.\n",
    tune_has_variants,
};
