/* The entry points of programs that do not link MPI. */
#include "grid/entry.h"

#include <stdlib.h>

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

const tsl_grid_entry *tsl_mpi_entry_points(void)
{
    static const tsl_grid_entry entry = {open_grid, tsl_grid_free, TSL_GRID_ENTRIES};
    return &entry;
}

bool tsl_grid_touched(const tsl_grid *g) { return g->touched; }
