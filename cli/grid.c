/* The processes of mpirun as a grid, or threads. libtesela_mpi is loaded when it is asked for, so the program runs where there
 * is no MPI. */
#include <dlfcn.h>
#include <stdlib.h>

#include "bench/measure/measure.h"
#include "cli/cli.h"
#include "cli/model/plan.h"
#include "grid/entry.h"
#include "tesela_grid.h"

struct cli_grid {
    bench_grid bench; /* first: its functions are given this */
    const tsl_grid_entry *by;
    struct tsl_grid *grid;
    int rank, local;
};

static const cli_grid *own(const bench_grid *g) { return (const cli_grid *)g; }

/* The arrays become objects that every process has all of; between them lie distributed matrices. */
static tsl_status distribute(const bench_grid *b, bench_problem *p)
{
    const cli_grid *g = own(b);
    tsl_status st = TSL_OK;
    p->place = BENCH_DEVICE;
    for (int i = 0; i < p->count && !st; i++) {
        bench_array *a = &p->a[i];
        tsl_matrix_free(a->source);
        tsl_matrix_free(a->result);
        a->source = a->result = NULL;
        st = g->by->whole(p->ctx, g->grid, a->type, a->ld, a->width, a->first, a->ld, &a->source);
        if (!st)
            st = g->by->whole(p->ctx, g->grid, a->type, a->ld, a->width, a->work, a->ld, &a->result);
        if (!st)
            st = g->by->matrix(p->ctx, g->grid, b->nb, b->on_device, a->type, a->ld, a->width, &a->device);
    }
    return st;
}

static void together(const bench_grid *b) { own(b)->by->together(own(b)->grid); }
static void sent(const bench_grid *b, int64_t *messages, int64_t *bytes) { own(b)->by->sent(own(b)->grid, messages, bytes); }
static double longest(const bench_grid *b, double seconds) { return own(b)->by->largest(own(b)->grid, seconds); }

static cli_grid *begun(cli_grid *g, const cli_plan *plan)
{
    g->bench = (bench_grid){0, 0, plan->nb, plan->on_device, distribute, together, longest, sent};
    g->by->shape(g->grid, &g->bench.rows, &g->bench.cols);
    return g;
}

cli_grid *cli_grid_open(const cli_plan *plan)
{
    void *library = dlopen("libtesela_mpi.so.0", RTLD_NOW | RTLD_GLOBAL);
    if (!library) {
        cli_fail("bench: --grid: %s", dlerror());
        if (cli_first_here()) /* another machine may have it */
            cli_speak();
        return NULL;
    }
    const tsl_grid_entry *(*points)(void) = (const tsl_grid_entry *(*)(void))dlsym(library, "tsl_mpi_entry_points");
    cli_grid *g = calloc(1, sizeof *g);
    if (!points || !g) {
        cli_fail("bench: --grid: libtesela_mpi is not what it should be");
        free(g);
        return NULL;
    }
    g->by = points();
    tsl_status st = g->by->open(plan->grid_rows, plan->grid_cols, &g->grid, &g->rank, &g->local);
    if (st) {
        if (plan->grid_rows)
            cli_fail("bench: --grid %dx%d: %s (is it mpirun -np %d?)", plan->grid_rows, plan->grid_cols, tsl_status_text(st),
                     plan->grid_rows * plan->grid_cols);
        else
            cli_fail("bench: --grid auto: %s", tsl_status_text(st));
        free(g);
        return NULL;
    }
    return begun(g, plan);
}

cli_grid *cli_grid_of_threads(const cli_plan *plan, struct tsl_grid *grid)
{
    cli_grid *g = calloc(1, sizeof *g);
    if (!g)
        return NULL;
    g->by = tsl_grid_entry_points();
    g->grid = grid;
    g->rank = g->local = tsl_grid_row(grid) * tsl_grid_cols(grid) + tsl_grid_col(grid);
    return begun(g, plan);
}

const bench_grid *cli_grid_bench(cli_grid *g, tsl_context *ctx)
{
    bool in_host = !g->bench.on_device || bench_place_of(ctx) == BENCH_HOST;
    bool reachable = in_host && g->by->open; /* by a library of processes that computes in host memory */
    if (reachable)
        bench_scalapack_on(g->bench.rows, g->bench.cols, g->bench.nb);
    return &g->bench;
}

int cli_grid_rank(const cli_grid *g) { return g->rank; }
int cli_grid_local(const cli_grid *g) { return g->local; }

bool cli_grid_failed(const cli_grid *g, bool here)
{
    int all = g->bench.rows * g->bench.cols, first = all - (int)g->by->largest(g->grid, here ? all - g->rank : 0);
    if (first == g->rank)
        cli_speak();
    return first < all;
}

void cli_grid_close(cli_grid *g)
{
    if (!g)
        return;
    if (g->by->open) /* else it is who started the threads that ends it */
        g->by->close(g->grid);
    free(g);
}
