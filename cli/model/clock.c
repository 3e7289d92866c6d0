/* What the clock says of a call on a grid (src/grid/clock): a line, or a member of the JSON list, for each grid. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/measure/json.h"
#include "cli/cli.h"
#include "cli/model/model.h"
#include "grid/clock/clock.h"

bool model_clock_table(const char *file, tsl_clock_table *t)
{
    enum { MOST = 1 << 16 };
    *t = (tsl_clock_table){0};
    if (!file)
        return !tsl_clock_read(tsl_clock_h200, t);
    FILE *f = fopen(file, "r");
    char *text = f ? calloc(MOST, 1) : NULL;
    bool read = text && fread(text, 1, MOST - 1, f) > 0 && !ferror(f);
    bool good = read && !tsl_clock_read(text, t);
    if (f)
        fclose(f);
    free(text);
    return good || !cli_fail("explain: --table %s: %s", file, read ? tsl_error(NULL) : "it cannot be read");
}

bool model_clock_knows(const char *routine)
{
    char word[32];
    snprintf(word, sizeof word, "%s ", routine);
    const char *at = strstr(tsl_clock_routines, word);
    return at && (at == tsl_clock_routines || at[-1] == ' ');
}

static double efficiency(const model_problem *p, double best, double seconds)
{
    char name[32];
    snprintf(name, sizeof name, "%c%s", tsl_type_letter(p->type), p->routine);
    double flops = tsl_flops(name, (int64_t)p->m, (int64_t)p->n, (int64_t)p->k);
    if (p->values)
        flops *= 2. / 7; /* 4/3 n^3 of 14/3 */
    return flops / best / p->rows / p->cols / seconds;
}

void model_clock_head(const model_problem *p, const tsl_clock_machine *m, int places, bool as_json)
{
    const tsl_clock_table *t = &m->table;
    const char *devices = m->cores ? "host" : "cuda";
    if (as_json) {
        printf("{\"routine\": \"%c%s\", \"nb\": %.0f, \"devices\": \"%s\"", tsl_type_letter(p->type), p->routine, p->nb,
               devices);
        if (p->variant)
            printf(", \"variant\": \"%s\"", p->variant);
        if (p->values)
            printf(", \"jobz\": \"N\"");
        json_number(stdout, "latency", t->message);
        json_number(stdout, "bandwidth", 1 / t->byte);
        json_number(stdout, "rate", t->best);
        json_number(stdout, "near_latency", t->near_message);
        json_number(stdout, "near_bandwidth", 1 / t->near_byte);
        json_number(stdout, "node", t->node);
        json_number(stdout, "lu_column", t->lu_column);
        json_number(stdout, "qr_column", t->qr_column);
        json_number(stdout, "scatter", m->scatter);
        if (m->peers)
            printf(", \"peers\": true");
        printf(", \"seed\": %llu, \"places\": %d", (unsigned long long)m->seed, places);
        printf(", \"grids\": [");
        return;
    }
    printf("%c%s%s%s by the clock, nothing of it measured: %s, %.3g flop/s; %.3g s a message, %.3g byte/s a process; "
           "nodes of %.0f\n",
           tsl_type_letter(p->type), p->routine, p->variant ? " by " : "", p->variant ? p->variant : "", m->cores ? "cores" : "GPUs", t->best, t->message, 1 / t->byte, t->node);
}

/* Percent of the path; WORKS: what is no work */
static double part(const tsl_clock_result *r, tsl_clock_work work)
{
    double rest = r->seconds;
    for (int i = 0; i < TSL_CLOCK_WORKS; i++)
        rest -= r->path[i];
    return 100 * (work == TSL_CLOCK_WORKS ? rest : r->path[work]) / r->seconds;
}

/* Of a composite the seconds of its parts, for each of those that take any; the rest are its own. */
static void parts(const tsl_clock_result *r, bool as_json)
{
    int count = 0;
    for (int i = 0; i <= TSL_CLOCK_NO_PART; i++) {
        const char *name = i == TSL_CLOCK_NO_PART ? "rest" : tsl_ops[i].name;
        if (!(r->part[i] > 0) || r->part[TSL_CLOCK_NO_PART] == r->seconds)
            continue;
        if (as_json)
            printf("%s\"%s\": %.6g", count++ ? ", " : ", \"parts\": {", name, r->part[i]);
        else
            printf("%s%s %.4g", count++ ? ", " : "          parts, s: ", name, r->part[i]);
    }
    if (count)
        fputs(as_json ? "}" : "\n", stdout);
}

static void text(const model_problem *p, const tsl_clock_machine *m, const tsl_clock_result *r, double share, int number)
{
    char grid[24], tile[32] = "";
    if (m->tile[0])
        snprintf(tile, sizeof tile, ", nodes %dx%d", m->tile[0], m->tile[1]);
    snprintf(grid, sizeof grid, "%dx%d", p->rows, p->cols);
    if (!number)
        printf("%9s %9s %10s %10s %12s %12s %11s %11s %10s  %s\n", "grid", "n", "messages", "at most", "bytes", "at most",
               "work s", "seconds", "efficiency", "path: products, panels, copies, messages, tridiagonal");
    printf("%9s %9.0f %10.1f %10.0f %12.4g %12.4g %11.4g %11.4g %9.1f%%  %.0f%% %.0f%% %.0f%% %.0f%% %.0f%%%s\n", grid, p->n,
           r->messages, r->most_messages, r->bytes, r->most_bytes, r->work, r->seconds, 100 * share, part(r, TSL_CLOCK_PRODUCTS), part(r, TSL_CLOCK_PANELS),
           part(r, TSL_CLOCK_COPIES), part(r, TSL_CLOCK_WORKS), part(r, TSL_CLOCK_TRIDIAGONAL), tile);
    parts(r, false);
}

static void json(const model_problem *p, const tsl_clock_machine *m, const tsl_clock_result *r, double share, int number)
{
    printf("%s{\"grid\": \"%dx%d\"", number ? ", " : "", p->rows, p->cols);
    if (m->tile[0])
        printf(", \"tile\": \"%dx%d\"", m->tile[0], m->tile[1]);
    json_number(stdout, "n", p->n);
    json_number(stdout, "messages", r->messages);
    json_number(stdout, "most_messages", r->most_messages);
    json_number(stdout, "bytes", r->bytes);
    json_number(stdout, "most_bytes", r->most_bytes);
    json_number(stdout, "work", r->work);
    json_number(stdout, "seconds", r->seconds);
    json_number(stdout, "path_products", r->path[TSL_CLOCK_PRODUCTS]);
    json_number(stdout, "path_panels", r->path[TSL_CLOCK_PANELS]);
    json_number(stdout, "path_copies", r->path[TSL_CLOCK_COPIES]);
    json_number(stdout, "path_tridiagonal", r->path[TSL_CLOCK_TRIDIAGONAL]);
    json_number(stdout, "efficiency", share);
    parts(r, true);
    putchar('}');
}

/* Nodes as rectangles of the grid, each shape that divides it: that of the least time becomes the machine's. */
static tsl_status choose(const tsl_clock_problem *p, tsl_clock_machine *m, tsl_clock_result *out)
{
    int node = (int)m->table.node;
    tsl_clock_machine trial = *m;
    tsl_clock_result r;
    tsl_status st = TSL_OK;
    m->tile[0] = 0;
    for (int rows = 1; rows <= node && !st; rows++) {
        if (node % rows || p->rows % rows || p->cols % (node / rows))
            continue;
        trial.tile[0] = rows, trial.tile[1] = node / rows;
        st = tsl_clock_run(p, &trial, &r);
        if (st || (m->tile[0] && r.seconds >= out->seconds))
            continue;
        *m = trial, *out = r;
    }
    return st || m->tile[0] ? st : tsl_clock_run(p, m, out);
}

bool model_clock(const model_problem *p, const tsl_clock_machine *machine, int places, bool as_json, int number)
{
    tsl_clock_machine m = *machine;
    tsl_clock_problem problem = {.routine = p->routine, .variant = p->variant, .type = p->type,
                                 .m = (int64_t)p->m, .n = (int64_t)p->n, .k = (int64_t)p->k, .nb = (int64_t)p->nb,
                                 .vectors = !p->values, .rows = p->rows, .cols = p->cols, .places = places};
    tsl_clock_result r;
    if (m.tile[0] == MODEL_BEST_TILE ? choose(&problem, &m, &r) : tsl_clock_run(&problem, &m, &r))
        return !cli_fail("explain: %s", tsl_error(NULL));
    (as_json ? json : text)(p, &m, &r, efficiency(p, m.table.best, r.seconds), number);
    return true;
}
