/* Tests on a grid of processes: the grid is the program's first argument, RxC; only rank 0 speaks, for all. */
#ifndef TEST_GRID_H
#define TEST_GRID_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "extent.h"
#include "tap.h"
#include "tesela_mpi.h"

typedef struct team {
    tsl_grid *grid;
    int rows, cols, rank, size;
} team;

/* True if it is true on all processes. */
static inline int everywhere(int cond)
{
    int all = 0;
    MPI_Allreduce(&cond, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return all;
}

/* A check of all processes; each that fails says so. */
__attribute__((format(printf, 3, 4))) static inline void all_ok(const team *t, int cond, const char *fmt, ...)
{
    char text[600];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    int good = everywhere(cond);
    for (int r = 0; r < t->size && !good; r++) {
        if (r == t->rank && !cond) printf("# rank %d: %s\n", r, text), fflush(stdout);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    tap_failed += t->rank != 0 && !good;
    if (t->rank == 0) ok(good, "%s", text);
}

static inline team team_open(int argc, char **argv)
{
    team t = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &t.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &t.size);
    if (argc < 2 || sscanf(argv[1], "%dx%d", &t.rows, &t.cols) != 2) t.rows = t.cols = 0;
    all_ok(&t, !tsl_grid_create(MPI_COMM_WORLD, t.rows, t.cols, &t.grid), "a grid of %dx%d", t.rows, t.cols);
    if (!t.grid) {
        MPI_Finalize();
        exit(1);
    }
    t.rows = tsl_grid_rows(t.grid), t.cols = tsl_grid_cols(t.grid);
    return t;
}

static inline int team_close(team *t)
{
    tsl_grid_free(t->grid);
    int failed = !everywhere(!tap_failed);
    int mine = t->rank == 0 ? tap_done() : 0;
    MPI_Finalize();
    return failed ? 1 : mine;
}

static inline tsl_context *team_context(const team *t, const char *devices)
{
    tsl_config config = tsl_config_default();
    tsl_context *ctx = NULL;
    const char *other = getenv("TESELA_TEST_DEVICES"); /* as on a GPU: cuda:0 */
    config.devices = devices = other && *other ? other : devices;
    tsl_status st = tsl_context_create(&config, &ctx);
    all_ok(t, !st, "%s: context (%s)", devices, tsl_status_name(st));
    return ctx;
}

/* A choice among `count` for the turn-th case, the same on all processes and in every run. */
static inline unsigned pick(unsigned turn, unsigned what, unsigned count)
{
    return drawn_by(turn * 16 + what + 1) % count;
}

#endif
