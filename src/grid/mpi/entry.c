/* The entry points of programs that do not link MPI. */
#include "grid/entry.h"

#include <stdlib.h>
#include <string.h>

#include "grid/grid.h"
#include "tesela_mpi.h"

static tsl_status open_grid(int rows, int cols, tsl_grid **grid, int *rank, int *local)
{
    tsl_status st = tsl_grid_create(MPI_COMM_WORLD, rows, cols, grid);
    if (st) return st;
    tsl_grid *g = *grid;
    int64_t *machine = calloc((size_t)g->wire->size, sizeof *machine);
    *rank = g->wire->rank, *local = 0;
    if (!machine) tsl_break(g);
    else if (tsl_grid_machines(g, machine))
        for (int i = 0; i < *rank; ++i) *local += machine[i] == machine[*rank];
    if (!tsl_held(g)) free(machine);
    return g->broken ? tsl_broken(NULL, g) : TSL_OK;
}

static tsl_status whole(tsl_context *x, tsl_grid *g, tsl_type type, int64_t m, int64_t n, void *data, int64_t ld, tsl_matrix **A)
{
    tsl_layout l = tsl_layout_whole(g, TSL_EVERY, TSL_EVERY);
    return tsl_matrix_wrap_on(x, &l, type, m, n, data, ld, A);
}

static tsl_status matrix(tsl_context *x, tsl_grid *g, int64_t nb, bool on_device, tsl_type type, int64_t m, int64_t n,
                         tsl_matrix **A)
{
    tsl_layout l = tsl_layout_matrix(g, nb);
    l.scheme = on_device ? TSL_ON_DEVICE : TSL_IN_HOST;
    return tsl_matrix_create_on(x, &l, type, m, n, A);
}

/* The bits of numbers that are not negative are in the same order as they. */
static double largest(tsl_grid *g, double seconds)
{
    int64_t mine, all;
    memcpy(&mine, &seconds, sizeof mine);
    if (tsl_all_reduce(g, &mine, &all, 1, TSL_LARGEST)) memcpy(&seconds, &all, sizeof seconds);
    return seconds;
}

static void together(tsl_grid *g) { largest(g, 0); }

static void shape(const tsl_grid *g, int *rows, int *cols) { *rows = g->size[0], *cols = g->size[1]; }
static void sent(const tsl_grid *g, int64_t *messages, int64_t *bytes) { *messages = g->sent, *bytes = g->bytes_sent; }

const tsl_mpi_entry *tsl_mpi_entry_points(void)
{
    static const tsl_mpi_entry entry = {open_grid, tsl_grid_free, whole, matrix, together, largest, shape, sent};
    return &entry;
}

bool tsl_grid_touched(const tsl_grid *g) { return g->touched; }
