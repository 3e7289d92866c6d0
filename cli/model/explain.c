#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "bench/measure/json.h"
#include "cli/cli.h"
#include "cli/model/model.h"
#include "cli/model/plan.h"
#include "grid/clock/clock.h"

/* An H200 per process, double precision. Measured: dgemm of order 16384 at 56 Tflop/s (bench/results), dpotrf of order 512 at
 * 234 Gflop/s (src/tune/h200.inc), 240 times slower. Assumed: panels 4 times slower than products; a network of 400 Gbit/s and
 * 5 us. */
static const model_machine usual = {.message = 5e-6, .byte = 1 / 50e9, .flop = 1 / 56e12, .panel = 4, .diagonal = 240};

enum { LARGEST = 1000000000 };

typedef struct explain_options {
    const char *devices, *n, *m, *k, *nb, *type, *grids, *latency, *bandwidth, *rate, *panel, *diagonal, *fit, *variant;
    const char *node, *scatter, *seed, *table, *column, *places, *jobz;
    bool weak, json, clock, peers;
} explain_options;

static bool positive(const char *text, const char *option, double *value)
{
    char *end;
    if (!text)
        return true;
    *value = strtod(text, &end);
    return (end != text && !*end && *value > 0 && isfinite(*value)) ||
           !cli_usage("explain: %s %s: a positive number is wanted", option, text);
}

static bool read_machine(const explain_options *o, model_machine *m)
{
    double rate = 0, bandwidth = 0;
    *m = usual;
    if (o->fit && !model_fit(o->fit, m))
        return false;
    if (!positive(o->panel, "--panel", &m->panel) || !positive(o->diagonal, "--diagonal", &m->diagonal) ||
        !positive(o->latency, "--latency", &m->message) || !positive(o->bandwidth, "--bandwidth", &bandwidth) ||
        !positive(o->rate, "--rate", &rate))
        return false;
    if (bandwidth > 0)
        m->byte = 1 / bandwidth;
    if (rate > 0)
        m->flop = 1 / rate;
    return true;
}

static bool size(const char *text, const char *option, double *value)
{
    int64_t v;
    if (!text)
        return true;
    if (!cli_number(text, strlen(text), 1, LARGEST, &v))
        return !cli_usage("explain: %s %s: a number from 1 to %d is wanted", option, text, LARGEST);
    *value = (double)v;
    return true;
}

static bool read_problem(const explain_options *o, const char *routine, model_problem *p)
{
    const char *letter = strchr("sdcz", *o->type);
    model_cost c;
    bool named = o->variant && strcmp(o->variant, "auto");
    *p = (model_problem){.routine = routine, .variant = named ? o->variant : NULL, .nb = 512, .rows = 1, .cols = 1,
                         .cores = o->devices && !strncmp(o->devices, "host", 4)};
    if (!letter || !*letter || o->type[1])
        return !cli_usage("explain: -t %s: a type is one of s, d, c, z", o->type);
    p->type = (tsl_type)(letter - "sdcz");
    if (!size(o->n, "-n", &p->n) || !size(o->nb, "--nb", &p->nb))
        return false;
    p->m = p->k = p->n;
    p->values = o->jobz && !strcmp(o->jobz, "N");
    if (o->jobz && (strcmp(routine, "syev") || (!p->values && strcmp(o->jobz, "V"))))
        return !cli_usage("explain: --jobz %s: of syev N or V is wanted", o->jobz);
    if (!size(o->m, "-m", &p->m) || !size(o->k, "-k", &p->k))
        return false;
    if (o->clock && !model_clock_knows(routine))
        return !cli_usage("explain: the clock does not know '%s'; it knows %s", routine, tsl_clock_routines);
    if (!o->clock && !model_count(p, NULL, &c))
        return !cli_usage("explain: no model of '%s'; there are %s", routine, model_routines);
    return !o->variant || model_variant(routine, o->variant, &p->plain) || /* what the library refuses has no time */
           !cli_usage("explain: --variant %s: of %s on a grid there are %s", o->variant, routine, model_variants(routine));
}

static const char grid_options[][12] = {"--nb",    "--latency",  "--bandwidth", "--rate",
                                              "--panel", "--diagonal", "--variant",   "--fit"};

/* What only the clock goes by */
static bool of_clock(const explain_options *o)
{
    return o->node || o->scatter || o->seed || o->table || o->column || o->places || o->jobz || o->peers;
}

/* What only the model of a grid goes by is refused without one. */
static bool without_grid(const explain_options *o)
{
    const char *const given[] = {o->nb, o->latency, o->bandwidth, o->rate, o->panel, o->diagonal, o->variant, o->fit};
    for (size_t i = 0; i < sizeof given / sizeof *given; i++)
        if (given[i])
            return !cli_usage("explain: %s goes with --grid", grid_options[i]);
    if (o->clock || of_clock(o))
        return !cli_usage("explain: --clock and what goes with it go with --grid");
    return !o->weak || !cli_usage("explain: --weak goes with --grid");
}

/* "dpotrf" is "potrf -t d", and "dscal" is "scal -t d" though zdscal's name without its letter is the same. */
static const char *read_name(explain_options *o, const char *word)
{
    static char letter[2];
    if (!*word || !strchr("sdcz", *word) || !bench_find(word + 1, strlen(word + 1)))
        return word;
    letter[0] = *word;
    if (o->type && strcmp(o->type, letter))
        return cli_usage("explain: %s is of type %s, and -t says %s", word, letter, o->type), NULL;
    o->type = letter;
    return word + 1;
}

/* The lines of tsl_explain, "subject: what is said of it", as a list of both; and the time, if it is told. */
static void json_plan(const char *routine, double m, double n, double k, const char *text)
{
    double seconds = NAN;
    printf("{\"routine\": \"%s\", \"m\": %.0f, \"n\": %.0f, \"k\": %.0f, \"plan\": [", routine, m, n, k);
    for (int i = 0; *text; i++) {
        char line[512];
        size_t length = strcspn(text, "\n");
        snprintf(line, sizeof line, "%.*s", (int)length, text);
        text += length + (text[length] == '\n');
        char *colon = strstr(line, ": "), *said = colon ? colon + 2 : line;
        if (colon)
            *colon = 0;
        sscanf(said, "about %lf s", &seconds);
        printf("%s{\"subject\": ", i ? ", " : "");
        json_string(stdout, colon ? line : "");
        json_text(stdout, "text", said);
        putchar('}');
    }
    putchar(']');
    json_number(stdout, "seconds", seconds);
    puts("}");
}

/* Without a grid: what a call in this process will do. */
static int on_this_machine(const explain_options *o, const char *routine)
{
    char text[4096] = "", name[32];
    int status;
    double n = 0, m, k;
    if (o->type && (strlen(o->type) != 1 || !strchr("sdcz", *o->type)))
        return cli_usage("explain: -t %s: a type is one of s, d, c, z", o->type);
    if (!without_grid(o))
        return CLI_USAGE;
    if (!size(o->n, "-n", &n))
        return CLI_USAGE;
    m = k = n;
    if (!size(o->m, "-m", &m) || !size(o->k, "-k", &k))
        return CLI_USAGE;
    tsl_context *ctx = cli_context(o->devices, &status);
    if (!ctx)
        return status;
    bool whole = !o->type && !bench_find(routine, strlen(routine)); /* as the library spells it: idamax, dznrm2 */
    snprintf(name, sizeof name, "%s%s", whole ? "" : o->type ? o->type : bench_usual_type(routine), routine);
    tsl_status st = tsl_explain(ctx, name, (int64_t)m, (int64_t)n, (int64_t)k, text, sizeof text);
    if (st == TSL_ERR_OPTION)
        status = cli_usage_list(bench_names(), "explain: no routine '%s'; there are", name);
    else if (st)
        status = cli_fail("%s", tsl_error(ctx));
    else if (o->json)
        json_plan(name, m, n, k, text);
    else
        printf("%s%s", text, *text && text[strlen(text) - 1] != '\n' ? "\n" : "");
    tsl_context_destroy(ctx);
    return status;
}

/* Of the clock: kernels by a table, or all by one rate where that is given */
static bool read_clock(const explain_options *o, bool cores, const model_machine *m, tsl_clock_machine *out)
{
    bool flat = o->rate || o->panel || o->diagonal || o->fit;
    double seed = 0, bandwidth = 0, column = 0;
    tsl_clock_table *t = &out->table;
    *out = (tsl_clock_machine){.cores = cores, .peers = o->peers};
    if (!o->clock && of_clock(o))
        return !cli_usage("explain: --node, --scatter, --seed, --table, --column, --places, --peers and --jobz go with "
                          "--clock");
    if (flat && (o->table || o->column))
        return !cli_usage("explain: --table and --column do not go with --rate, --panel, --diagonal or --fit");
    if (!model_clock_table(o->table, t))
        return false;
    if (flat) {
        tsl_clock_table flat = *t;
        tsl_clock_flat(&flat, 1 / m->flop, m->panel, m->diagonal);
        flat.message = m->message, flat.byte = m->byte, flat.node = 1;
        flat.near_message = t->near_message, flat.near_byte = t->near_byte;
        *t = flat;
    }
    bool best = o->node && !strcmp(o->node, "best"), tile = o->node && strchr(o->node, 'x');
    if (best)
        out->tile[0] = MODEL_BEST_TILE;
    if (tile && !cli_grid_shape(o->node, &out->tile[0], &out->tile[1]))
        return !cli_usage("explain: --node %s: a node has a number of processes, RxC of the grid's, or the best such shape",
                          o->node);
    if (tile)
        t->node = out->tile[0] * out->tile[1];
    if (!size(tile || best ? NULL : o->node, "--node", &t->node) || !positive(o->scatter, "--scatter", &out->scatter) ||
        !size(o->seed, "--seed", &seed) ||
        !positive(o->latency, "--latency", &t->message) || !positive(o->bandwidth, "--bandwidth", &bandwidth) ||
        !positive(o->column, "--column", &column))
        return false;
    if (bandwidth > 0)
        t->byte = 1 / bandwidth;
    if (column > 0)
        t->lu_column = t->qr_column = column;
    out->seed = (uint64_t)seed;
    return true;
}

/* A row for each grid; without a machine, says only whether they are grids. */
static bool each_grid(const explain_options *o, model_problem p, const model_machine *m, const tsl_clock_machine *clock,
                      int places)
{
    const char *list = o->grids, *item;
    size_t length;
    double base = p.n;
    for (int i = 0; cli_item(&list, &item, &length); i++) {
        char text[24] = "";
        snprintf(text, sizeof text, "%.*s", (int)length, item);
        if (!cli_grid_shape(text, &p.rows, &p.cols))
            return !cli_usage("explain: --grid %s: a grid is RxC, or a number of processes", text);
        if (o->weak)
            p.m = p.n = p.k = floor(base * sqrt((double)p.rows * p.cols));
        if (m && o->clock && !model_clock(&p, clock, places, o->json, i))
            return false;
        if (m && !o->clock)
            model_row(&p, m, o->json, i);
    }
    return true;
}

static int run(int argc, char **argv)
{
    explain_options o = {.n = "16384"};
    const char *word = NULL;
    const cli_option options[] = {
        {"--devices", &o.devices, NULL},
        {"-t", &o.type, NULL},          {"-n", &o.n, NULL},
        {"-m", &o.m, NULL},             {"-k", &o.k, NULL},
        {"--nb", &o.nb, NULL},          {"--grid", &o.grids, NULL},
        {"--latency", &o.latency, NULL}, {"--bandwidth", &o.bandwidth, NULL},
        {"--rate", &o.rate, NULL},      {"--panel", &o.panel, NULL},
        {"--diagonal", &o.diagonal, NULL}, {"--variant", &o.variant, NULL},
        {"--fit", &o.fit, NULL},        {"--weak", NULL, &o.weak},
        {"--json", NULL, &o.json},      {"--clock", NULL, &o.clock},
        {"--node", &o.node, NULL},      {"--scatter", &o.scatter, NULL},
        {"--seed", &o.seed, NULL},      {"--table", &o.table, NULL},
        {"--column", &o.column, NULL},  {"--places", &o.places, NULL},
        {"--jobz", &o.jobz, NULL},       {"--peers", NULL, &o.peers},
        {NULL, NULL, NULL},
    };
    model_machine m;
    model_problem p;
    tsl_clock_machine clock;
    double places = 0;
    int words = cli_parse("explain", argc, argv, options, &word, 1);
    if (words < 0)
        return CLI_USAGE;
    if (words == 0)
        return cli_usage_list(bench_names(), "explain: which routine? There are");
    if (!(word = read_name(&o, word)))
        return CLI_USAGE;
    if (!o.grids)
        return on_this_machine(&o, word);
    if (!o.type)
        o.type = "d";
    if (!read_problem(&o, word, &p))
        return CLI_USAGE;
    if (!each_grid(&o, p, NULL, NULL, 0))
        return CLI_USAGE;
    if (!size(o.places, "--places", &places))
        return CLI_USAGE;
    if (!read_machine(&o, &m))
        return CLI_FAILED;
    if (!read_clock(&o, p.cores, &m, &clock))
        return CLI_USAGE;
    if (o.clock)
        model_clock_head(&p, &clock, (int)places, o.json);
    else
        model_head(&p, &m, o.json);
    bool good = each_grid(&o, p, &m, &clock, (int)places);
    if (o.json)
        puts("]}");
    return good ? CLI_OK : CLI_FAILED;
}

const cli_command cli_explain = {
    "explain",
    run,
    "says what a call will do, and predicts its time and memory, here or on a grid of processes",
    "tesela explain ROUTINE [options]\n"
    "\n"
    "  ROUTINE             one of those listed below, or with its type: dpotrf is potrf -t d\n"
    "  --devices SPEC      the devices of this process\n"
    "  --grid RxC|P[,...]  instead a grid of processes, by a cost model of gemm syrk herk trsm trmm potrf\n"
    "  -t T, -n N, -m M, -k K  element type (d) and sizes (16384; m and k as n)\n"
    "  --json              as JSON: seconds, and the plan line by line; of grids the table\n"
    "With --grid:\n"
    "  --nb B              blocks the matrices are distributed in (512)\n"
    "  --weak              n grows with the square root of the processes: memory stays\n"
    "  --fit FILE          the machine of these runs, records of `tesela bench --grid --json FILE`\n"
    "  --latency S, --bandwidth B, --rate F  seconds a message, byte/s and flop/s of a process\n"
    "  --panel X, --diagonal X  how many times slower panels (4) and diagonal blocks (240) are than large products\n"
    "  --variant V         1 of potrf, pp of trsm: without look-ahead; by the clock others too: tournament of getrf\n"
    "  --devices host      the processes compute on cores, not on GPUs\n"
    "  --clock             instead of the model: run what every process does, without data, on a time axis; others too\n"
    "  --node P|RxC        then P processes in a row, or R x C of the grid's, are on a node (8), with 400 GB/s each way\n"
    "  --node best         then that RxC of 8 that takes least time, of each grid\n"
    "  --scatter S, --seed K  then processes are slower by S |N(0,1)|, relative\n"
    "  --table FILE        then times of kernels, as in src/grid/clock/h200.inc, instead of an H200's\n"
    "  --column S          then seconds a column of a panel of LU or QR takes beside its traffic and messages\n"
    "  --peers             then GPUs of a node exchange pivots in their memory, as those of one program's threads do\n"
    "  --jobz N|V          then of syev: eigenvalues, or vectors too (V)\n"
    "  --places P          then a few steps of potrf, getrf, geqrf, syev at P places, not all\n"
    "\n"
    "Two times: one thing after the other, and with what the routine hides hidden. docs/cluster.md has the formulas.\n",
    cli_any_routine,
};
