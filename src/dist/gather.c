/* Between a distributed matrix and the array of one process. */
#include "dist/dist.h"

/* The array of the process of that rank, as a matrix of which all others have nothing. */
static tsl_status whole(tsl_context *x, tsl_view A, int rank, const void *data, int64_t ld, tsl_matrix **M)
{
    if (!tsl_is_dist(A)) return tsl_fail(x, TSL_ERR_GRID, "gather, scatter: the matrix is not distributed");
    tsl_grid *g = tsl_grid_of(A);
    int p = g->size[0] * g->size[1], me = g->at[0] * g->size[1] + g->at[1];
    tsl_layout l = tsl_layout_whole(g, rank / g->size[1], rank % g->size[1]);
    if (rank < 0 || rank >= p) l.row = g->size[0]; /* refused by all, with one message */
    return tsl_matrix_wrap_on(x, &l, A.mat->type, tsl_rows(A), tsl_cols(A), (void *)data,
                              me == rank ? ld : tsl_max(1, tsl_rows(A)), M);
}

static tsl_status both(tsl_context *x, tsl_view A, int rank, const void *data, int64_t ld, bool gather)
{
    tsl_matrix *M = NULL;
    tsl_status st = tsl_enter(&x);
    if (st) return st;
    st = whole(x, A, rank, data, ld, &M);
    if (!st) st = gather ? tsl_copy(x, A, tsl_whole(M)) : tsl_copy(x, tsl_whole(M), A);
    tsl_matrix_free(M);
    return tsl_leave(x, st);
}

tsl_status tsl_gather(tsl_context *x, tsl_view A, int rank, void *data, int64_t ld) { return both(x, A, rank, data, ld, true); }
tsl_status tsl_scatter(tsl_context *x, int rank, const void *data, int64_t ld, tsl_view A)
{
    return both(x, A, rank, data, ld, false);
}
