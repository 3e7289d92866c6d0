/* The processes of mpirun as a grid. libtesela_mpi is loaded when it is asked for, so the program runs where there is no MPI. */
#include <dlfcn.h>
#include <stdlib.h>

#include "bench/measure/measure.h"
#include "cli/cli.h"
#include "cli/model/plan.h"
#include "grid/entry.h"

struct cli_grid {
    bench_grid bench; /* first: its functions are given this */
    const tsl_mpi_entry *mpi;
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
        st = g->mpi->whole(p->ctx, g->grid, a->type, a->ld, a->width, a->first, a->ld, &a->source);
        if (!st)
            st = g->mpi->whole(p->ctx, g->grid, a->type, a->ld, a->width, a->work, a->ld, &a->result);
        if (!st)
            st = g->mpi->matrix(p->ctx, g->grid, b->nb, b->on_device, a->type, a->ld, a->width, &a->device);
    }
    return st;
}

static void together(const bench_grid *b) { own(b)->mpi->together(own(b)->grid); }
static void sent(const bench_grid *b, int64_t *messages, int64_t *bytes) { own(b)->mpi->sent(own(b)->grid, messages, bytes); }
static double longest(const bench_grid *b, double seconds) { return own(b)->mpi->largest(own(b)->grid, seconds); }

cli_grid *cli_grid_open(const cli_plan *plan)
{
    void *library = dlopen("libtesela_mpi.so.0", RTLD_NOW | RTLD_GLOBAL);
    if (!library) {
        cli_fail("bench: --grid: %s", dlerror());
        if (cli_first_here()) /* another machine may have it */
            cli_speak();
        return NULL;
    }
    const tsl_mpi_entry *(*points)(void) = (const tsl_mpi_entry *(*)(void))dlsym(library, "tsl_mpi_entry_points");
    cli_grid *g = calloc(1, sizeof *g);
    if (!points || !g) {
        cli_fail("bench: --grid: libtesela_mpi is not what it should be");
        free(g);
        return NULL;
    }
    g->mpi = points();
    tsl_status st = g->mpi->open(plan->grid_rows, plan->grid_cols, &g->grid, &g->rank, &g->local);
    if (st) {
        if (plan->grid_rows)
            cli_fail("bench: --grid %dx%d: %s (is it mpirun -np %d?)", plan->grid_rows, plan->grid_cols, tsl_status_text(st),
                     plan->grid_rows * plan->grid_cols);
        else
            cli_fail("bench: --grid auto: %s", tsl_status_text(st));
        free(g);
        return NULL;
    }
    g->bench = (bench_grid){0, 0, plan->nb, plan->on_device, distribute, together, longest, sent};
    g->mpi->shape(g->grid, &g->bench.rows, &g->bench.cols);
    return g;
}

const bench_grid *cli_grid_bench(cli_grid *g, tsl_context *ctx)
{
    bool reachable = !g->bench.on_device || bench_place_of(ctx) == BENCH_HOST; /* by a library that computes in host memory */
    if (reachable)
        bench_scalapack_on(g->bench.rows, g->bench.cols, g->bench.nb);
    return &g->bench;
}

int cli_grid_rank(const cli_grid *g) { return g->rank; }
int cli_grid_local(const cli_grid *g) { return g->local; }

bool cli_grid_failed(const cli_grid *g, bool here)
{
    int all = g->bench.rows * g->bench.cols, first = all - (int)g->mpi->largest(g->grid, here ? all - g->rank : 0);
    if (first == g->rank)
        cli_speak();
    return first < all;
}

void cli_grid_close(cli_grid *g)
{
    if (!g)
        return;
    g->mpi->close(g->grid);
    free(g);
}
