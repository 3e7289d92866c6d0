/* The same grid by MPI and by threads of the first process: the same bits. */
#include "cases.h"
#include "grid/problems.h"

enum { N = 150, NB = 6 }; /* several processes chase its band */

typedef struct both {
    problem what;
    tsl_type type;
    const char *devices;
    outcome by_threads;
} both;

static tsl_context *context_on(const char *devices)
{
    tsl_config config = tsl_config_default();
    tsl_context *x = NULL;
    config.devices = devices;
    return tsl_context_create(&config, &x) ? NULL : x;
}

static tsl_status run(tsl_grid *g, void *user)
{
    both *b = user;
    tsl_context *x = context_on(b->devices);
    outcome o = solved(x, g, b->what, b->type, N, NB);
    tsl_status st = o.st;
    if (tsl_grid_row(g) == 0 && tsl_grid_col(g) == 0) b->by_threads = o;
    else outcome_free(&o);
    tsl_context_destroy(x);
    return st;
}

int main(int argc, char **argv)
{
    team t = team_open(argc, argv);
    tsl_context *x = team_context(&t, "host:1");
    for (problem what = MULTIPLY; what < PROBLEMS; what++)
        for (tsl_type type = TSL_S; type <= TSL_Z; type++) {
            both b = {.what = what, .type = type, .devices = "host:1"};
            outcome o = solved(x, t.grid, what, type, N, NB);
            int good = !o.st;
            if (t.rank == 0) {
                good = good && !tsl_grid_threads(t.rows, t.cols, run, &b) && same_outcome(&o, &b.by_threads);
                outcome_free(&b.by_threads);
            }
            all_ok(&t, good, "%c %s on %dx%d: by MPI and by threads the same bits", tsl_type_letter(type), problem_names[what],
                   t.rows, t.cols);
            outcome_free(&o);
        }
    tsl_context_destroy(x);
    return team_close(&t);
}
