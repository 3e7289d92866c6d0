#include "cli/model/plan.h"

#include <ctype.h>
#include <string.h>

#include "cli/cli.h"
#include "grid/entry.h"

enum { LARGEST = 1000000000, USUAL_BAND = 64, USUAL_BATCH = 32 };

static const struct {
    bench_flag flag;
    const char *option, *usual;
} flags[] = {
    {BENCH_SIDE, "--side", "L"}, {BENCH_UPLO, "--uplo", "L"}, {BENCH_TRANS, "--trans", "N"}, {BENCH_DIAG, "--diag", "N"}, {BENCH_NORM, "--norm", "F"},
    {BENCH_JOBZ, "--jobz", "V"}};
enum { FLAGS = sizeof flags / sizeof *flags };

bool cli_plan_routines(cli_plan *plan, const char *list)
{
    const char *item;
    size_t length;
    while (cli_item(&list, &item, &length)) {
        const bench_routine *r = bench_find(item, length);
        if (!r)
            return !cli_usage_list(bench_names(), "%s: no routine '%.*s'; there are", plan->command, (int)length, item);
        if (plan->routines == PLAN_ROUTINES)
            return !cli_usage("%s: more than %d routines", plan->command, PLAN_ROUTINES);
        plan->routine[plan->routines++] = r;
    }
    return true;
}

bool cli_plan_types(cli_plan *plan, const char *list)
{
    const char *item, *at;
    size_t length;
    while (cli_item(&list, &item, &length)) {
        if (length != 1 || !(at = strchr("sdcz", *item)) || plan->types == 4)
            return !cli_usage("%s: -t %.*s: a type is one of s, d, c, z", plan->command, (int)length, item);
        plan->type[plan->types++] = (tsl_type)(at - "sdcz");
    }
    return true;
}

/* N, or LO:HI:STEP */
static bool read_range(cli_plan *plan, const char *item, size_t length)
{
    int64_t v[3] = {0, 0, 1};
    const char *end = item + length, *colon;
    int parts = 0;
    do {
        colon = memchr(item, ':', (size_t)(end - item));
        if (parts == 3 || !cli_number(item, (size_t)((colon ? colon : end) - item), 1, LARGEST, &v[parts++]))
            return false;
        item = colon ? colon + 1 : end;
    } while (colon);
    if (parts == 1)
        v[1] = v[0];
    if (parts == 2 || v[0] > v[1])
        return false;
    for (int64_t n = v[0]; n <= v[1]; n += v[2]) {
        if (plan->sizes == PLAN_SIZES)
            return false;
        plan->n[plan->sizes++] = n;
    }
    return true;
}

bool cli_plan_sizes(cli_plan *plan, const char *option, const char *list)
{
    const char *item;
    size_t length;
    while (cli_item(&list, &item, &length))
        if (!read_range(plan, item, length))
            return !cli_usage("%s: %s %.*s: a size is N or LO:HI:STEP, from 1 to %d, at most %d of them", plan->command, option, (int)length,
                              item, LARGEST, PLAN_SIZES);
    return true;
}

static bool anyone_has_size(const cli_plan *plan, char size)
{
    for (int i = 0; i < plan->routines; i++)
        if (strchr(plan->routine[i]->sizes, size))
            return true;
    return false;
}

static bool any_batch(const cli_plan *plan)
{
    for (int i = 0; i < plan->routines; i++)
        if (plan->routine[i]->batch_of)
            return true;
    return false;
}

static bool read_other_sizes(cli_plan *plan, const char *m, const char *k, const char *count)
{
    if (count && !any_batch(plan))
        return !cli_usage("bench: --count: none of these routines is of batches");
    if (count && !cli_number(count, strlen(count), 1, LARGEST, &plan->count))
        return !cli_usage("bench: --count %s: a number from 1 to %d is wanted", count, LARGEST);
    if ((m && !anyone_has_size(plan, 'm')) || (k && !anyone_has_size(plan, 'k')))
        return !cli_usage("bench: %s: none of these routines has it", m && !anyone_has_size(plan, 'm') ? "-m" : "-k");
    if (m && !cli_number(m, strlen(m), 1, LARGEST, &plan->m))
        return !cli_usage("bench: -m %s: a number from 1 to %d is wanted", m, LARGEST);
    if (k && !cli_number(k, strlen(k), 1, LARGEST, &plan->k))
        return !cli_usage("bench: -k %s: a number from 1 to %d is wanted", k, LARGEST);
    return true;
}

static bool read_rivals(cli_plan *plan, const char *list)
{
    const char *item;
    size_t length;
    while (cli_item(&list, &item, &length)) {
        const bench_rival *r = bench_rival_find(item, length);
        if (!r)
            return !cli_usage("bench: --vs %.*s: there are %s", (int)length, item, bench_rival_names());
        for (int i = 0; i < plan->rivals; i++)
            if (plan->rival[i] == r)
                return !cli_usage("bench: --vs names %s twice", r->name);
        plan->rival[plan->rivals++] = r;
    }
    return true;
}

/* Is this letter one of the flag's for every routine that has the flag and every type? */
static bool legal(const cli_plan *plan, const char *option, bench_flag f, char letter)
{
    for (int i = 0; i < plan->routines; i++)
        for (int t = 0; t < plan->types; t++) {
            const char *letters = bench_letters(plan->routine[i], plan->type[t], f, BENCH_TYPED);
            if (*letters && !strchr(letters, letter))
                return !cli_usage("bench: %s %c: %c%s takes one of the letters %s", option, letter,
                                  tsl_type_letter(plan->type[t]), plan->routine[i]->name, letters);
        }
    return true;
}

static bool anyone_has(const cli_plan *plan, bench_flag f)
{
    for (int i = 0; i < plan->routines; i++)
        if (*bench_letters(plan->routine[i], plan->type[0], f, BENCH_TYPED))
            return true;
    return false;
}

/* One letter, or for --trans two: the ops of gemm's A and B. */
static bool read_letters(cli_plan *plan, bench_flag f, const char *option, const char *list)
{
    plan_letters *l = &plan->letters[f];
    const char *item;
    size_t length;
    if (l->given && !anyone_has(plan, f))
        return !cli_usage("bench: %s: none of these routines has it", option);
    while (cli_item(&list, &item, &length)) {
        bool pair = length == 2 && f == BENCH_TRANS;
        if ((length != 1 && !pair) || l->count == PLAN_LETTERS)
            return !cli_usage("bench: %s %.*s: a letter is wanted%s", option, (int)length, item,
                              f == BENCH_TRANS ? ", or two for gemm" : "");
        char first = (char)toupper((unsigned char)item[0]), second = (char)toupper((unsigned char)item[length - 1]);
        for (int i = 0; pair && i < plan->routines; i++)
            if (!*bench_letters(plan->routine[i], TSL_D, BENCH_TRANSB, BENCH_TYPED))
                return !cli_usage("bench: %s %.2s: %s takes one letter", option, item, plan->routine[i]->name);
        if (!legal(plan, option, f, first) || (f == BENCH_TRANS && !legal(plan, option, BENCH_TRANSB, second)))
            return false;
        l->value[l->count][0] = first;
        l->value[l->count++][1] = second;
    }
    return true;
}

bool cli_grid_shape(const char *text, int *rows, int *cols)
{
    const char *x = strchr(text, 'x');
    int64_t r, c;
    if (!x && cli_number(text, strlen(text), 1, LARGEST, &c)) {
        tsl_grid_square((int)c, rows, cols);
        return true;
    }
    if (!x || !cli_number(text, (size_t)(x - text), 1, LARGEST, &r) || !cli_number(x + 1, strlen(x + 1), 1, LARGEST, &c))
        return false;
    *rows = (int)r;
    *cols = (int)c;
    return true;
}

static bool read_grid(cli_plan *plan, const char *grid, const char *nb, const char *storage, const char *ranks)
{
    for (int i = 0; grid && i < plan->routines; i++)
        if (!plan->routine[i]->views)
            return !cli_usage("bench: --grid: %s has no form on a grid", plan->routine[i]->name);
    plan->nb = 256;
    plan->on_grid = grid;
    if (grid && strcmp(grid, "auto") && !cli_grid_shape(grid, &plan->grid_rows, &plan->grid_cols))
        return !cli_usage("bench: --grid %s: a grid is RxC, a number of processes, or auto", grid);
    if ((nb || storage || ranks) && !grid)
        return !cli_usage("bench: --nb, --storage and --ranks go with --grid");
    plan->of_threads = ranks && !strcmp(ranks, "threads");
    if (ranks && !plan->of_threads && strcmp(ranks, "mpi"))
        return !cli_usage("bench: --ranks %s: they are mpi or threads", ranks);
    if (plan->of_threads && !plan->grid_rows)
        return !cli_usage("bench: --grid auto is of mpirun's processes; with --ranks threads a shape or a number is wanted");
    if (nb && !cli_number(nb, strlen(nb), 1, LARGEST, &plan->nb))
        return !cli_usage("bench: --nb %s: a number from 1 to %d is wanted", nb, LARGEST);
    plan->on_device = storage && !strcmp(storage, "device");
    if (storage && !plan->on_device && strcmp(storage, "host"))
        return !cli_usage("bench: --storage %s: it is host or device", storage);
    return true;
}

/* Those asked for, which every routine must have; else double precision, complex where a routine is only that. */
static bool read_types(cli_plan *plan, const char *list)
{
    plan->usual_types = !list;
    if (!cli_plan_types(plan, list ? list : "d"))
        return false;
    for (int i = 0; i < plan->routines; i++)
        for (int t = 0; t < plan->types; t++)
            if (list && !bench_has_type(plan->routine[i], plan->type[t]))
                return !cli_usage("bench: -t %c: %s is of the types %s", tsl_type_letter(plan->type[t]), plan->routine[i]->name,
                                  plan->routine[i]->types);
    bool all = true;
    for (int i = 0; i < plan->routines; i++)
        all &= bench_has_type(plan->routine[i], TSL_D);
    return list || all || cli_plan_types(plan, "z");
}

bool cli_plan_read(cli_plan *plan, int argc, char **argv)
{
    const char *types = NULL, *n = NULL, *m = NULL, *k = NULL, *batch = NULL, *vs = NULL, *reps = NULL, *word = NULL, *energy = NULL;
    const char *grid = NULL, *nb = NULL, *storage = NULL, *ranks = NULL;
    plan_letters *l = plan->letters;
    *plan = (cli_plan){.command = "bench"};
    const cli_option options[] = {
        {"-t", &types, NULL},
        {"-m", &m, NULL},
        {"-n", &n, NULL},
        {"-k", &k, NULL},
        {"--count", &batch, NULL},
        {"--uplo", &l[BENCH_UPLO].given, NULL},
        {"--trans", &l[BENCH_TRANS].given, NULL},
        {"--side", &l[BENCH_SIDE].given, NULL},
        {"--diag", &l[BENCH_DIAG].given, NULL},
        {"--norm", &l[BENCH_NORM].given, NULL},
        {"--jobz", &l[BENCH_JOBZ].given, NULL},
        {"--devices", &plan->devices, NULL},
        {"--tile", &plan->tile, NULL},
        {"--variant", &plan->variant, NULL},
        {"--shape", &plan->shape, NULL},
        {"--products", &plan->products, NULL},
        {"--policy", &plan->policy, NULL},
        {"--dist", &plan->dist, NULL},
        {"--diag-on", &plan->diag_on, NULL},
        {"--path", &plan->path, NULL},
        {"--place", &plan->place, NULL},
        {"--vs", &vs, NULL},
        {"--reps", &reps, NULL},
        {"--check", NULL, &plan->check},
        {"--energy", &energy, NULL},
        {"--json", &plan->json, NULL},
        {"--grid", &grid, NULL},
        {"--nb", &nb, NULL},
        {"--storage", &storage, NULL},
        {"--ranks", &ranks, NULL},
        {NULL, NULL, NULL},
    };
    int words = cli_parse("bench", argc, argv, options, &word, 1);
    if (words < 0)
        return false;
    if (words == 0)
        return !cli_usage_list(bench_names(), "bench: which routine? There are");
    if (!cli_plan_routines(plan, word) || !read_types(plan, types) || !cli_plan_sizes(plan, "-n", n) ||
        !read_other_sizes(plan, m, k, batch) || !read_rivals(plan, vs) || !read_grid(plan, grid, nb, storage, ranks))
        return false;
    if (plan->place && strcmp(plan->place, "host") && strcmp(plan->place, "pinned") && strcmp(plan->place, "device"))
        return !cli_usage("bench: --place %s: host, pinned or device is wanted", plan->place);
    int64_t count = 0;
    if (reps && !cli_number(reps, strlen(reps), 1, BENCH_MAX_REPS, &count))
        return !cli_usage("bench: --reps %s: a number from 1 to %d is wanted", reps, BENCH_MAX_REPS);
    plan->reps = (int)count;
    if (energy && !cli_seconds(energy, &plan->energy))
        return !cli_usage("bench: --energy %s: seconds from 0.1 to 600 are wanted", energy);
    if (energy && plan->on_grid)
        return !cli_usage("bench: --energy is of one process: not with --grid");
    for (int f = 0; f < FLAGS; f++) {
        const char *given = l[flags[f].flag].given;
        if (!read_letters(plan, flags[f].flag, flags[f].option, given ? given : flags[f].usual))
            return false;
    }
    return true;
}

/* Counts through the letters of the flags the routine has; the others stay at their first. False when all have been seen. */
static bool next_letters(const cli_plan *plan, const bench_routine *r, tsl_type t, int at[FLAGS])
{
    for (int f = FLAGS - 1; f >= 0; f--) {
        bool has = *bench_letters(r, t, flags[f].flag, BENCH_TYPED);
        if (has && ++at[f] < plan->letters[flags[f].flag].count)
            return true;
        at[f] = 0;
    }
    return false;
}

static void walk_sizes(const cli_plan *plan, const bench_routine *r, bench_case c, plan_visit visit, void *user)
{
    for (int i = 0; i < plan->sizes || i == 0; i++) {
        c.n = plan->sizes ? plan->n[i] : r->batch_of ? USUAL_BATCH : plan->usual;
        c.m = plan->m ? plan->m : c.n;
        c.k = plan->k ? plan->k : r->banded ? (c.n <= USUAL_BAND ? c.n - 1 : USUAL_BAND) : c.n;
        c.count = 0;
        if (r->batch_of)
            c.count = plan->count ? plan->count : bench_usual_count(r, &c, plan->usual_bytes);
        visit(user, r, &c);
    }
}

void cli_plan_walk(const cli_plan *plan, plan_visit visit, void *user)
{
    for (int i = 0; i < plan->routines; i++)
        for (int t = 0; t < plan->types; t++) {
            const bench_routine *r = plan->routine[i];
            if (plan->usual_types && (plan->type[t] == TSL_D) != bench_has_type(r, TSL_D))
                continue;
            bench_case c = {.type = plan->type[t], .alpha = r->alpha, .beta = r->beta, .seed = 1, .dominant = bench_no_pivots(plan->variant)};
            int at[FLAGS] = {0};
            do {
                for (int f = 0; f < FLAGS; f++) {
                    const char *value = plan->letters[flags[f].flag].value[at[f]];
                    if (*bench_letters(r, c.type, flags[f].flag, BENCH_TYPED))
                        c.flag[flags[f].flag] = value[0];
                    if (flags[f].flag == BENCH_TRANS && *bench_letters(r, c.type, BENCH_TRANSB, BENCH_TYPED))
                        c.flag[BENCH_TRANSB] = value[1];
                }
                walk_sizes(plan, r, c, visit, user);
            } while (next_letters(plan, r, c.type, at));
        }
}
