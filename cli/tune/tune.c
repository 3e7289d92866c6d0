#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/model/plan.h"
#include "cli/tune/tune.h"

enum { LONGEST = 1000000, LARGEST_TILE = 4096, NARROW = 4, PANEL = 128 };

static volatile sig_atomic_t stopped; /* set by the signal, read between runs */

static void stop(int signal)
{
    (void)signal;
    stopped = 1;
}

bool tune_missing(const tune_job *job, const char *key) { return job->again || !tune_holds(&job->file, key); }

static bool wanted(const tune_job *job, const tune_problem *p)
{
    char key[TUNE_KEY];
    tune_key(p, "", key);
    return p->r->typed[p->c.type] && tune_missing(job, key);
}

static void count(tune_job *job, const tune_problem *p)
{
    job->kept += p->r->typed[p->c.type] && !wanted(job, p);
    job->total += wanted(job, p);
}

void tune_save(tune_job *job, const char *key, const char *entry)
{
    printf("%s\n", entry);
    fflush(stdout);
    if (!tune_put(&job->file, key, entry))
        job->status = CLI_FAILED;
}

static void save_link(tune_job *job)
{
    char entry[TUNE_ENTRY];
    if (job->linked || !tune_missing(job, "link"))
        return;
    if (tune_link(job->ctx, entry))
        tune_save(job, "link", entry);
    else
        job->status = CLI_FAILED;
    job->linked = true;
}

/* Beside a rate of potrf, of a size that tiles have, go those it is compared with. */
static void tune_beside(tune_job *job, const tune_problem *p)
{
    char entry[TUNE_ENTRY], key[TUNE_KEY];
    tune_key(p, "", key);
    if (!job->apart || strcmp(p->r->name, "potrf") || p->order > LARGEST_TILE || !tune_holds(&job->file, key))
        return;
    save_link(job);
    tune_key(p, "core ", key);
    if (job->status || !tune_missing(job, key))
        return;
    if (tune_core(p->r, &p->c, entry))
        tune_save(job, key, entry);
    else
        job->status = CLI_FAILED;
}

/* A product with a tall or wide matrix is not like that with a square one of which an entry is: these are left to the rules. */
static void save_narrow(tune_job *job, const tune_problem *p)
{
    char entry[TUNE_KEY + 8], key[TUNE_KEY];
    tune_problem narrow = *p;
    narrow.width = p->order / NARROW;
    if (narrow.width < 1 || tune_has_variants(p->r) || !*bench_letters(p->r, p->c.type, BENCH_TRANS, BENCH_TYPED))
        return;
    tune_key(&narrow, "", key);
    snprintf(entry, sizeof entry, "%s - auto", key);
    tune_save(job, key, entry);
}

/* One entry, in its share of the time left. */
static void search(tune_job *job, const tune_problem *p)
{
    double now = bench_now();
    char entry[TUNE_ENTRY], line[BENCH_LINE], label[80], key[TUNE_KEY];
    snprintf(label, sizeof label, "[%d/%d] %c%s n = %lld", job->seen + 1, job->total, tsl_type_letter(p->c.type), p->r->name,
             (long long)p->order);
    bool watched = isatty(STDERR_FILENO);
    tune_search s = {now + (job->end - now) / (job->total - job->seen), &stopped, watched ? label : NULL};
    bool done = tune_case(job->ctx, &s, p, entry, line);
    if (watched)
        fputs("\033[K", stderr);
    job->seen++;
    if (!done && *line)
        job->status = cli_fail("tune: %s: %s", strchr(label, ' ') + 1, line);
    if (!done)
        return;
    tune_key(p, "", key);
    tune_save(job, key, entry);
    save_narrow(job, p);
    job->found += !job->status;
}

static void tune_one(tune_job *job, const tune_problem *p)
{
    if (stopped || job->status || bench_now() >= job->end)
        return;
    if (wanted(job, p))
        search(job, p);
    if (!stopped && !job->status)
        tune_beside(job, p);
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

/* A word is a list of routines, or "products". */
static bool read_word(cli_plan *plan, const char *word, bool *products)
{
    if (strcmp(word, "products"))
        return cli_plan_routines(plan, word);
    return *products = true;
}

static bool read_plan(cli_plan *plan, cli_plan *widths, int argc, char **argv, const char **out, int64_t *budget,
                      tune_job *job)
{
    const char *types = "d", *n = NULL, *width = NULL, *seconds = NULL, *word[PLAN_ROUTINES];
    const cli_option options[] = {{"-t", &types, NULL},        {"-n", &n, NULL},         {"--devices", &plan->devices, NULL},
                                  {"--width", &width, NULL},   {"--out", out, NULL},     {"--budget", &seconds, NULL},
                                  {"--again", NULL, &job->again},
                                  {NULL, NULL, NULL}};
    int words = cli_parse("tune", argc, argv, options, word, PLAN_ROUTINES);
    if (words < 0)
        return false;
    for (int i = 0; i < words; i++)
        if (!read_word(plan, word[i], &job->products))
            return false;
    if (words == 0)
        job->products = job->all = true;
    if (!cli_plan_types(plan, types) || !cli_plan_sizes(plan, "-n", n) || !cli_plan_sizes(widths, "--width", width))
        return false;
    if (seconds && !cli_number(seconds, strlen(seconds), 1, LONGEST, budget))
        return !cli_usage("tune: --budget %s: seconds from 1 to %d are wanted", seconds, LONGEST);
    if (*out && !**out)
        return !cli_usage("tune: --out needs a file's name");
    return true;
}

static bool has_choice(tsl_context *ctx, const bench_routine *r)
{
    bool shapes = false;
    for (int t = 0; t < 4; t++)
        shapes |= tsl_shape_count(ctx, r->name, (tsl_type)t) > 0;
    return shapes || tune_has_variants(r);
}

/* Those asked for, or all, that have something to choose on this device */
static bool choose_routines(cli_plan *plan, tsl_context *ctx, bool all)
{
    const bench_routine *r;
    for (int i = 0; i < plan->routines; i++)
        if (!has_choice(ctx, plan->routine[i]))
            return !cli_usage("tune: %s has no variants or shapes to choose from", plan->routine[i]->name);
    for (int i = 0; all && (r = bench_routine_at(i)); i++)
        if (has_choice(ctx, r))
            plan->routine[plan->routines++] = r;
    return true;
}

typedef void (*visit)(tune_job *job, const tune_problem *p);

/* A square problem, with the letters that `tesela bench` takes by default; of one with a triangle from the left also those with
 * as many right-hand sides as were asked for; of a factorization whose panels have shapes also a panel; of a product with a
 * vector also that with the transpose. */
static void walk_sizes(const cli_plan *widths, tune_job *job, visit v, tune_problem p)
{
    for (int f = 0; f < BENCH_FLAGS; f++)
        p.c.flag[f] = *bench_letters(p.r, p.c.type, (bench_flag)f, BENCH_TYPED);
    p.c.m = p.c.n = p.c.k = p.order;
    v(job, &p);
    for (int i = 0; i < widths->sizes && p.c.flag[BENCH_SIDE]; i++) {
        tune_problem narrow = p;
        narrow.c.n = narrow.width = widths->n[i];
        v(job, &narrow);
    }
    if (tune_has_panels(p.r) && p.order > PANEL && tsl_shape_count(job->ctx, p.r->name, p.c.type)) {
        tune_problem panel = p;
        panel.c.n = panel.width = PANEL;
        v(job, &panel);
    }
    if (!tune_has_variants(p.r) && p.c.flag[BENCH_TRANS]) {
        p.turned = true;
        p.c.flag[BENCH_TRANS] = 'T';
        v(job, &p);
    }
}

static void walk(const cli_plan *plan, const cli_plan *widths, tune_job *job, visit v)
{
    for (int i = 0; i < plan->routines; i++)
        for (int t = 0; t < plan->types; t++)
            for (int j = 0; j < plan->sizes; j++) {
                const bench_routine *r = plan->routine[i];
                bench_case c = {.type = plan->type[t], .alpha = r->alpha, .beta = r->beta, .seed = 1};
                walk_sizes(widths, job, v, (tune_problem){.r = r, .c = c, .order = plan->n[j]});
            }
}

static int ascending(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static void look_at_device(cli_plan *plan, cli_plan *of_products, tune_job *job)
{
    tsl_device_info d;
    bool known = !tsl_device_query(job->ctx, 0, &d), host = !known || !strcmp(d.backend, "host");
    job->apart = known && (!host || d.is_virtual);
    *of_products = *plan;
    if (!plan->sizes) {
        cli_plan_sizes(plan, "-n", host ? "128,512,1024" : "512,1024,2048,4096,8192,16384");
        cli_plan_sizes(of_products, "-n", host ? "128" : "1024,1536,2048,3072,4096,6144,8192,12288,16384");
    }
    qsort(of_products->n, (size_t)of_products->sizes, sizeof *of_products->n, ascending);
}

static void run_all(tune_job *job, const cli_plan *plan, const cli_plan *of_products, const cli_plan *widths, int64_t budget)
{
    struct sigaction on_stop = {.sa_handler = stop}, before;
    sigaction(SIGINT, &on_stop, &before);
    walk(plan, widths, job, count);
    tune_count_residues(job, of_products);
    job->end = bench_now() + (double)budget;
    tune_residues_of(job, of_products);
    walk(plan, widths, job, tune_one);
    sigaction(SIGINT, &before, NULL);
    fprintf(stderr, "%s: %d found, %d already there", job->file.path, job->found, job->kept);
    if (job->found < job->total)
        fprintf(stderr, ", %d left: the same command goes on", job->total - job->found);
    fputs("\n", stderr);
}

static int run(int argc, char **argv)
{
    cli_plan plan = {.command = "tune"}, widths = {.command = "tune"}, of_products;
    tune_job job = {.status = CLI_OK, .stop = &stopped};
    const char *out = NULL;
    int64_t budget = 60;
    if (!read_plan(&plan, &widths, argc, argv, &out, &budget, &job))
        return CLI_USAGE;
    setenv("TESELA_TUNE", "none", 1); /* candidates are timed under the shipped table, whatever was tuned before */
    job.ctx = cli_context(plan.devices, &job.status);
    if (!job.ctx)
        return job.status;
    if (!choose_routines(&plan, job.ctx, job.all)) {
        tsl_context_destroy(job.ctx);
        return CLI_USAGE;
    }
    look_at_device(&plan, &of_products, &job);
    tsl_set(job.ctx, "products", "native"); /* entries of routines are of native products */
    if (!out)
        make_folders(out = tsl_tuning_file(job.ctx));
    if (!*out)
        job.status = cli_fail("tune: there is no home for a table; --out says where to put it");
    else if (!tune_open(&job.file, out, plan.devices, job.ctx))
        job.status = CLI_FAILED;
    else
        run_all(&job, &plan, &of_products, &widths, budget);
    tune_close(&job.file);
    tsl_context_destroy(job.ctx);
    return job.status;
}

const cli_command cli_tune = {
    "tune",
    run,
    "finds the fastest variant, block size and kernel's shape of routines on this device",
    "tesela tune [ROUTINE...] [options]\n"
    "\n"
    "  ROUTINE             those listed below, and on GPUs gemv, symv, hemv, whose kernels have shapes; with getrf and geqrf\n"
    "                      their panels (all of them)\n"
    "  products            from which sizes products by residues pay, and from which orders operations on wide ones do\n"
    "  -t s,d,c,z          element types (d)\n"
    "  -n N[,N...]         sizes; LO:HI:STEP is a range (128,512,1024; 512,1024,2048 ... 16384 on a GPU; of products 128;\n"
    "                      1024,1536,2048,3072 ... 16384)\n"
    "  --width K[,K...]    also problems with so many right-hand sides, of trsm and others with a triangle (square ones)\n"
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
