#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/model/plan.h"
#include "cli/records.h"
#include "tesela_grid.h"

typedef struct bench_job {
    bench_session session;
    FILE *table;
    bool json;
    int total, done, status;
    bool quiet; /* another process of the grid speaks */
} bench_job;

static void count_case(void *user, const bench_routine *r, const bench_case *c)
{
    (void)r;
    (void)c;
    ++*(int *)user;
}

/* A line that the next one overwrites, for people who watch. */
static void progress(const bench_job *job, const bench_routine *r, const bench_case *c)
{
    if (isatty(STDERR_FILENO) && !job->quiet)
        fprintf(stderr, "[%d/%d] %c%s n = %lld ...\033[K\r", job->done + 1, job->total, tsl_type_letter(c->type), r->name,
                (long long)c->n);
}

static void run_case(void *user, const bench_routine *r, const bench_case *c)
{
    bench_job *job = user;
    bench_record record;
    char line[BENCH_LINE] = "", params[64];
    progress(job, r, c);
    bool ran = bench_measure(&job->session, r, c, &record, line);
    if (isatty(STDERR_FILENO) && !job->quiet)
        fputs("\033[K", stderr);
    if (job->json && !cli_records_add(&job->session, &record)) { /* before it is shown: nothing is shown that is not kept */
        job->json = false;
        job->status = CLI_FAILED;
    }
    bench_table_row(job->table, &job->session, &record);
    if (!ran && !job->quiet) {
        bench_params(c, params);
        cli_fail("%c%s n = %lld (%s): %s", tsl_type_letter(c->type), r->name, (long long)c->n, params, line);
    }
    if (!ran || !record.ok)
        job->status = CLI_FAILED;
    job->done++;
}

static bool on_gpu(tsl_context *ctx)
{
    tsl_device_info d;
    return !tsl_device_query(ctx, 0, &d) && !strcmp(d.backend, "cuda");
}

/* The devices by a name that makes the same context again. */
static const char *devices_name(tsl_context *ctx, const char *asked)
{
    const char *set = getenv("TESELA_DEVICES");
    if (asked || (set && *set))
        return asked ? asked : set;
    return on_gpu(ctx) ? "cuda" : "host";
}

/* As asked, else as the environment says where that is a name; NULL: auto */
static const char *products_name(tsl_context *ctx, const char *asked)
{
    const char *set = getenv("TESELA_PRODUCTS"), *name = asked ? asked : set;
    bool known = name && *name && !tsl_set(ctx, "products", name);
    return known && strcmp(name, "auto") ? name : NULL;
}

static int set_options(tsl_context *ctx, const cli_plan *plan)
{
    const struct {
        const char *option, *value;
    } set[] = {{"tile", plan->tile}, {"variant", plan->variant}, {"shape", plan->shape}, {"products", plan->products},
               {"policy", plan->policy}, {"dist", plan->dist}, {"diag-on", plan->diag_on}, {"path", plan->path}};
    for (size_t i = 0; i < sizeof set / sizeof *set; i++) {
        tsl_status st = set[i].value ? tsl_set(ctx, set[i].option, set[i].value) : TSL_OK;
        if (st == TSL_ERR_OPTION)
            return cli_usage("bench: --%s %s: %s", set[i].option, set[i].value, tsl_error(ctx));
        if (st)
            return cli_fail("bench: --%s %s: %s", set[i].option, set[i].value, tsl_status_text(st));
    }
    for (int i = 0; i < plan->routines && plan->variant && strcmp(plan->variant, "auto"); i++)
        if (!bench_takes_variants(plan->routine[i]))
            return cli_usage("bench: --variant %s: %s has no variants", plan->variant, plan->routine[i]->name);
    return CLI_OK;
}

/* Every rival must be there and have something to do, and every routine must have a rival if any was asked for. */
static int open_rivals(bench_session *s, const cli_plan *plan)
{
    for (int i = 0; i < plan->routines && plan->rivals; i++) {
        bool any = false;
        for (int j = 0; j < plan->rivals; j++)
            any |= plan->rival[j]->offers(plan->routine[i]);
        if (!any)
            return cli_fail("bench: --vs: none of the rivals offers %s", plan->routine[i]->name);
    }
    for (int j = 0; j < plan->rivals; j++) {
        char line[BENCH_LINE];
        bool any = false;
        for (int i = 0; i < plan->routines; i++)
            any |= plan->rival[j]->offers(plan->routine[i]);
        if (!any)
            return cli_fail("bench: --vs %s: it offers none of these routines", plan->rival[j]->name);
        if (!plan->rival[j]->open(s->ctx, &s->state[j], line))
            return cli_fail("bench: --vs %s: %s", plan->rival[j]->name, line);
        s->rival[s->rivals++] = plan->rival[j];
    }
    return CLI_OK;
}

static int open_outputs(bench_job *job, const char *json)
{
    if (job->quiet) {
        job->table = fopen("/dev/null", "w");
        return job->table ? CLI_OK : CLI_FAILED;
    }
    bool to_stdout = json && !strcmp(json, "-");
    job->table = to_stdout ? stderr : stdout;
    job->json = json && cli_records_open(json);
    return json && !job->json ? CLI_FAILED : CLI_OK;
}

static void run_all(bench_job *job, const cli_plan *plan)
{
    cli_plan_walk(plan, count_case, &job->total);
    bench_table_head(job->table, &job->session);
    cli_plan_walk(plan, run_case, job);
    if (job->json && !cli_records_close())
        job->status = CLI_FAILED;
}

/* Of the processes on one machine each gets a GPU, in turn, unless devices were asked for. */
static tsl_context *own_context(const cli_plan *plan, const cli_grid *grid, int *status)
{
    tsl_context *ctx = cli_context(plan->devices, status);
    const char *set = getenv("TESELA_DEVICES");
    if (!ctx || !grid || plan->devices || (set && *set) || !on_gpu(ctx))
        return ctx;
    char spec[32];
    snprintf(spec, sizeof spec, "cuda:%d", cli_grid_local(grid) % tsl_device_count(ctx));
    tsl_context_destroy(ctx);
    return cli_context(spec, status);
}

/* grid: NULL, or this process's end of it, which is closed */
static int run_here(const cli_plan *plan, cli_grid *grid)
{
    bench_job job = {.status = CLI_OK};
    tsl_context *ctx = own_context(plan, grid, &job.status);
    if (grid ? cli_grid_failed(grid, !ctx) : !ctx)
        return job.status ? job.status : CLI_FAILED;
    bool gpu = on_gpu(ctx);
    job.quiet = grid && cli_grid_rank(grid) > 0;
    job.session = (bench_session){.ctx = ctx,
                                  .grid = grid ? cli_grid_bench(grid, ctx) : NULL,
                                  .devices = devices_name(ctx, plan->devices),
                                  .reps = plan->reps,
                                  .check = plan->check,
                                  .tile = plan->tile ? strtoll(plan->tile, NULL, 10) : 0,
                                  .variant = plan->variant ? plan->variant : "auto",
                                  .policy = plan->policy ? plan->policy : "auto",
                                  .place = !plan->place          ? bench_place_of(ctx)
                                           : *plan->place == 'd' ? BENCH_DEVICE
                                                                 : BENCH_HOST,
                                  .pinned = plan->place && *plan->place == 'p',
                                  .limit = {-1, -1, -1, -1},
                                  .limit_name = gpu ? "of peak" : "of gemm"};
    bench_machine_look(ctx, &job.session.machine);
    bench_meter meter;
    if (plan->energy > 0) {
        bench_meter_open(&meter, ctx);
        job.session.meter = &meter;
        job.session.energy_seconds = plan->energy;
    }
    cli_plan here = *plan;
    here.usual = gpu ? 8192 : 1000;
    here.usual_bytes = gpu ? 256 << 20 : 8 << 20;
    job.status = set_options(ctx, plan);
    job.session.products = products_name(ctx, plan->products);
    if (!job.status)
        job.status = open_rivals(&job.session, plan);
    if (!job.status)
        job.status = open_outputs(&job, plan->json);
    if (grid && cli_grid_failed(grid, job.status))
        job.status = job.status ? job.status : CLI_FAILED;
    if (!job.status)
        run_all(&job, &here);
    for (int i = 0; i < job.session.rivals; i++)
        job.session.rival[i]->close(job.session.state[i]);
    if (job.session.meter)
        bench_meter_close(&meter);
    tsl_context_destroy(ctx);
    cli_grid_close(grid);
    return job.status;
}

typedef struct crew {
    const cli_plan *plan;
    int status; /* of the first that fails */
} crew;

static tsl_status run_thread(tsl_grid *g, void *user)
{
    crew *c = user;
    cli_hold(tsl_grid_row(g) + tsl_grid_col(g) > 0);
    cli_grid *grid = cli_grid_of_threads(c->plan, g);
    int status = grid ? run_here(c->plan, grid) : CLI_FAILED, none = CLI_OK;
    if (status)
        __atomic_compare_exchange_n(&c->status, &none, status, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    return TSL_OK;
}

static int run_threads(const cli_plan *plan)
{
    crew c = {plan, CLI_OK};
    tsl_status st = tsl_grid_threads(plan->grid_rows, plan->grid_cols, run_thread, &c);
    return st ? cli_fail("bench: --ranks threads: %s", tsl_status_text(st)) : c.status;
}

static int run(int argc, char **argv)
{
    cli_plan plan;
    cli_grid *grid = NULL;
    for (int i = 0; i < argc; i++)
        if (!strncmp(argv[i], "--grid", 6))
            cli_hold(cli_number_of_all() > 0);
    if (!cli_plan_read(&plan, argc, argv))
        return CLI_USAGE;
    if (plan.of_threads)
        return run_threads(&plan);
    if (plan.on_grid && !(grid = cli_grid_open(&plan)))
        return CLI_FAILED;
    return run_here(&plan, grid);
}

const cli_command cli_bench = {
    "bench",
    run,
    "times routines, checks them, compares them with other libraries",
    "tesela bench ROUTINE[,ROUTINE...] [options]\n"
    "\n"
    "  ROUTINE             one of those listed below\n"
    "  -t s,d,c,z          element types (d; z where a routine has no d)\n"
    "  -n N[,N...]         sizes; LO:HI:STEP is a range (1000; 8192 on a GPU; 32 of batches)\n"
    "  -m M, -k K          the other sizes (as n); of potrs and posv k is the number of right-hand sides, of band matrices\n"
    "                      the diagonals on a side (64)\n"
    "  --count C           problems of a batch (100000, or of large ones as many as are 8 MB, on a GPU 256 MB, an operand)\n"
    "  --side L,R          --uplo L,U   --diag N,U   --trans N,T,C, for gemm NN,NT,... (L, L, N, N)\n"
    "  --norm M,1,I,F      of lange, lansy, lanhe, lantr (F)\n"
    "  --jobz N,V          of syev and heev: eigenvalues, or vectors too (V); syevr and heevr have k pairs\n"
    "  --devices SPEC      host, host:N, cuda, cuda:I, cuda:IxN, each with ,mem=SIZE; joined by + (TESELA_DEVICES)\n"
    "  --tile B            block size of blocked algorithms; 0: tuned\n"
    "  --variant V         algorithm variant; auto: tuned\n"
    "  --shape N           shape of a kernel that has several, from 1 on; 0: tuned\n"
    "  --products P        how products are computed: native, emulated (by residues), emulated-fast; auto: tuned\n"
    "  --policy P          how tiles move: basic, affinity, cache, write-back, auto\n"
    "  --dist D            which device owns a tile: 2d, rows, cols (2d)\n"
    "  --diag-on D         where diagonal blocks are factored: auto, device, host (auto: by the tuning table)\n"
    "  --path P            one: on the first device, tiles: by tiles on all of them, auto\n"
    "  --place P           where the data are: host, pinned (page-locked host memory), device (device, with several devices host)\n"
    "  --vs RIVAL,...      openblas, cublas, cublas-fixed (doubles by its fixed-point numbers), cublasxt, cusolver,\n"
    "                      cusolver-mixed, cusolver-jacobi, scalapack; ratios above 1: Tesela is faster\n"
    "  --reps R            repeats; the median counts (at least 5, or 2 seconds); short calls are timed several in a row\n"
    "  --check             check every result by its scaled residual; with --products also elements of gemm, one by one\n"
    "  --energy SECONDS    joules of a call and Gflop/s per W, by NVML and RAPL: each contender is repeated for so long, and restoring its\n"
    "                      data once more, which is taken off; 3 or more\n"
    "  --json FILE|-       records as JSON; with - the table goes to stderr\n"
    "  --grid RxC|P|auto   under mpirun -np R*C: distributed matrices on a grid of processes, rival scalapack; P processes,\n"
    "                      or all of mpirun's, as square as can be. Messages and bytes: of the process that sends most\n"
    "  --ranks mpi|threads they are mpirun's processes (mpi), or threads of this one\n"
    "  --nb B              they are distributed in blocks of B (256)\n"
    "  --storage host|device  where each process keeps its part (host)\n"
    "\n"
    "Exit status: 0; 1 if a result is wrong, a run failed or a rival is not there; 2 if the words make no sense.\n",
    cli_any_routine,
};
