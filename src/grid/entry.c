/* The entry points that are the same whatever joins the processes. */
#include "grid/entry.h"

#include <string.h>

#include "grid/grid.h"

tsl_status tsl_entry_whole(tsl_context *x, tsl_grid *g, tsl_type type, int64_t m, int64_t n, void *data, int64_t ld,
                           tsl_matrix **A)
{
    tsl_layout l = tsl_layout_whole(g, TSL_EVERY, TSL_EVERY);
    return tsl_matrix_wrap_on(x, &l, type, m, n, data, ld, A);
}

tsl_status tsl_entry_matrix(tsl_context *x, tsl_grid *g, int64_t nb, bool on_device, tsl_type type, int64_t m, int64_t n,
                            tsl_matrix **A)
{
    tsl_layout l = tsl_layout_matrix(g, nb);
    l.scheme = on_device ? TSL_ON_DEVICE : TSL_IN_HOST;
    return tsl_matrix_create_on(x, &l, type, m, n, A);
}

/* The bits of numbers that are not negative are in the same order as they. */
double tsl_entry_largest(tsl_grid *g, double seconds)
{
    int64_t mine, all;
    memcpy(&mine, &seconds, sizeof mine);
    if (tsl_all_reduce(g, &mine, &all, 1, TSL_LARGEST)) memcpy(&seconds, &all, sizeof seconds);
    return seconds;
}

void tsl_entry_together(tsl_grid *g) { tsl_entry_largest(g, 0); }

void tsl_entry_shape(const tsl_grid *g, int *rows, int *cols) { *rows = g->size[0], *cols = g->size[1]; }
void tsl_entry_sent(const tsl_grid *g, int64_t *messages, int64_t *bytes) { *messages = g->sent, *bytes = g->bytes_sent; }

const tsl_grid_entry *tsl_grid_entry_points(void)
{
    static const tsl_grid_entry entry = {NULL, tsl_grid_free, TSL_GRID_ENTRIES};
    return &entry;
}
