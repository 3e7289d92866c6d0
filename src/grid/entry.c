/* The entry points of programs that do not link MPI. */
#include "grid/entry.h"

#include <string.h>

#include "grid/grid.h"

static tsl_status open_grid(int rows, int cols, tsl_grid **grid, int *rank, int *local)
{
    MPI_Comm machine;
    tsl_status st = tsl_grid_create(MPI_COMM_WORLD, rows, cols, grid);
    if (st) return st;
    *rank = *local = 0;
    if (TSL_MPI(MPI_Comm_rank((*grid)->comm, rank))) return TSL_ERR_MPI;
    if (TSL_MPI(MPI_Comm_split_type((*grid)->comm, MPI_COMM_TYPE_SHARED, *rank, MPI_INFO_NULL, &machine))) return TSL_ERR_MPI;
    TSL_MPI(MPI_Comm_rank(machine, local));
    TSL_MPI(MPI_Comm_free(&machine));
    return TSL_OK;
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
    if (tsl_all_reduce(g, &mine, &all, 1, MPI_MAX)) memcpy(&seconds, &all, sizeof seconds);
    return seconds;
}

static void together(tsl_grid *g) { largest(g, 0); }

const tsl_mpi_entry *tsl_mpi_entry_points(void)
{
    static const tsl_mpi_entry entry = {open_grid, tsl_grid_free, whole, matrix, together, largest};
    return &entry;
}

bool tsl_grid_touched(const tsl_grid *g) { return g->touched; }
