/* Numbers that the next step of a text depends on: every process has all of them, and finds the same. */
#include <string.h>

#include "exec/exec.h"
#include "grid/grid.h"

/* A in host memory, as it is stored, on every process. By the first one: copies of it may differ where something has failed,
 * and then processes would part ways. */
static void *everywhere(tsl_context *x, tsl_view A, tsl_dmatrix *D, tsl_view *W)
{
    tsl_layout first = tsl_layout_whole(tsl_grid_of(A), 0, 0), all = tsl_layout_whole(tsl_grid_of(A), TSL_EVERY, TSL_EVERY);
    tsl_dmatrix F;
    tsl_view there = tsl_work_matrix(x, &F, &first, A.mat->type, A.m, A.n);
    *W = tsl_work_matrix(x, D, &all, A.mat->type, A.m, A.n);
    A.op = TSL_NOTRANS;
    tsl_transfer_now(x, A, there, false);
    tsl_transfer_now(x, there, *W, false);
    return D->local.data;
}

void tsl_dist_read(tsl_context *x, tsl_view column, void *to)
{
    tsl_grid *g = tsl_grid_of(column);
    tsl_work_mark mark = tsl_work_now(g);
    tsl_dmatrix D;
    tsl_view W;
    void *numbers = everywhere(x, column, &D, &W);
    if (!g->rehearsing) memcpy(to, numbers, tsl_dense_bytes(column.mat->type, column.m, 1));
    tsl_work_back(g, mark);
}

void tsl_dist_visit(tsl_context *x, tsl_view A, tsl_visitor visit, void *with)
{
    tsl_grid *g = tsl_grid_of(A);
    int64_t count = A.m * A.n;
    size_t size = tsl_type_size(A.mat->type);
    tsl_work_mark mark = tsl_work_now(g);
    tsl_scalar *wide = tsl_work_get(g, false, tsl_times((size_t)count, sizeof *wide));
    tsl_dmatrix D;
    tsl_view W;
    char *numbers = everywhere(x, A, &D, &W);
    if (!g->rehearsing && count) {
        for (int64_t j = 0; j < A.n; ++j)
            memcpy((char *)wide + (size_t)(j * A.m) * size, numbers + (size_t)(j * D.local.ld) * size, (size_t)A.m * size);
        tsl_widen(A.mat->type, count, wide);
        visit(with, A.m, A.n, wide);
        tsl_narrow(A.mat->type, count, wide);
        for (int64_t j = 0; j < A.n; ++j)
            memcpy(numbers + (size_t)(j * D.local.ld) * size, (char *)wide + (size_t)(j * A.m) * size, (size_t)A.m * size);
    }
    A.op = TSL_NOTRANS;
    tsl_transfer_now(x, W, A, false);
    tsl_work_back(g, mark);
}
