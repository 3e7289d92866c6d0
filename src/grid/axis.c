/* How one dimension is distributed: index g is number offset + g of a template of blocks of nb, which the processes have in
 * turn. */
#include "grid/grid.h"

/* By 32 bits where that is enough: many processors take three times as long by 64. */
static int64_t over(int64_t a, int64_t b)
{
    return ((uint64_t)a | (uint64_t)b) >> 32 ? a / b : (int64_t)((uint32_t)a / (uint32_t)b);
}

int tsl_axis_size(const tsl_grid *g, tsl_over over)
{
    return (over & TSL_OVER_ROWS ? g->size[0] : 1) * (over & TSL_OVER_COLS ? g->size[1] : 1);
}

/* Of all processes: down the columns of the grid, so that block b of such a vector is in process row b mod r, where block b of
 * a matrix's rows is. */
int tsl_axis_index(const tsl_grid *g, tsl_over over, const int at[2])
{
    int row = over & TSL_OVER_ROWS ? at[0] : 0, col = over & TSL_OVER_COLS ? at[1] : 0;
    return over == TSL_OVER_ALL ? row + col * g->size[0] : row + col;
}

int tsl_axis_owner(const tsl_grid *g, tsl_axis a, int64_t index)
{
    int64_t block = over(a.offset + index, a.nb), p = tsl_axis_size(g, a.over);
    return (int)(block - over(block, p) * p);
}

/* Of the template's first t numbers, how many process i of p has. */
static int64_t count(int64_t nb, int p, int i, int64_t t)
{
    int64_t blocks = over(t, nb), rounds = over(blocks, p), last = blocks - rounds * p;
    return rounds * nb + (last > i ? nb : last == i ? t - blocks * nb : 0);
}

int64_t tsl_axis_before(const tsl_grid *g, tsl_axis a, int i, int64_t index)
{
    int p = tsl_axis_size(g, a.over);
    return p == 1 ? index : count(a.nb, p, i, a.offset + index) - count(a.nb, p, i, a.offset);
}

int64_t tsl_axis_next(const tsl_grid *g, tsl_axis a, int i, int64_t index)
{
    int p = tsl_axis_size(g, a.over);
    int64_t block = over(a.offset + index, a.nb), wait = i - (block - over(block, p) * p);
    wait += wait < 0 ? p : 0;
    return wait == 0 ? index : (block + wait) * a.nb - a.offset;
}

int64_t tsl_axis_run(const tsl_grid *g, tsl_axis a, int64_t index)
{
    int64_t t = a.offset + index;
    return tsl_axis_size(g, a.over) == 1 ? INT64_MAX / 2 : a.nb - (t - over(t, a.nb) * a.nb);
}

tsl_cyclic tsl_axis_cyclic(const tsl_grid *g, tsl_axis a)
{
    int64_t first = tsl_axis_next(g, a, tsl_axis_index(g, a.over, g->at), 0);
    return (tsl_cyclic){.first = first, .run = tsl_axis_run(g, a, first), .nb = a.nb, .processes = tsl_axis_size(g, a.over)};
}

bool tsl_axis_same(const tsl_grid *g, tsl_axis a, tsl_axis b)
{
    int p = tsl_axis_size(g, a.over);
    if (a.over != b.over) return false;
    return p == 1 || (a.nb == b.nb && (a.offset - b.offset) % (a.nb * p) == 0);
}

bool tsl_axis_single(const tsl_grid *g, tsl_axis a, int64_t n) { return n <= tsl_axis_run(g, a, 0); }

tsl_axis tsl_axis_shift(tsl_axis a, int64_t by)
{
    a.offset += by;
    return a;
}
