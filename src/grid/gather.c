/* Between a distributed matrix and the array of one process, or of each. */
#include "grid/grid.h"

/* The array of the process of that rank, as a matrix of which all others have nothing. */
static tsl_status whole(tsl_context *x, const char *who, tsl_grid *g, tsl_view A, int rank, const void *data, int64_t ld, tsl_matrix **M)
{
    int at[2] = {0, 0}, me = g->wire->rank;
    bool there = tsl_grid_place(g, rank, &at[0], &at[1]);
    tsl_layout l = tsl_layout_whole(g, at[0], at[1]);
    if (!A.mat) return tsl_fail(x, TSL_ERR_VIEW, "%s: the matrix: %s", who, tsl_status_text(TSL_ERR_VIEW));
    if (!A.mat->remote) return tsl_fail(x, TSL_ERR_GRID, "%s: the matrix is not distributed", who);
    if (!there) return tsl_fail(x, TSL_ERR_GRID, "%s: rank is %d, and the grid has %d processes", who, rank, g->wire->size);
    return tsl_wrap_alone(x, &l, A.mat->type, tsl_rows(A), tsl_cols(A), (void *)data, me == rank ? ld : tsl_max(1, tsl_rows(A)), M);
}

static tsl_status both(tsl_context *x, tsl_view A, int rank, const void *data, int64_t ld, bool gather)
{
    tsl_matrix *M = NULL;
    tsl_terms t = {.call = gather ? "gather" : "scatter", .kind = gather ? TSL_CALL_GATHER : TSL_CALL_SCATTER};
    tsl_status st = tsl_enter_public(&x);
    if (st) return st;
    tsl_grid *g = tsl_grid_meant(x, &A, 1);
    if (!g) return tsl_leave(x, tsl_fail(x, TSL_ERR_GRID, "%s: the matrix is not distributed", t.call));
    st = whole(x, t.call, g, A, rank, data, ld, &M);
    tsl_term_add(&t, "rank", rank);
    tsl_term_operands(&t, TSL_OP_COPY, &A, 1);
    st = g->broken ? tsl_broken(x, g) : tsl_agree(x, g, st, &t, NULL);
    if (!st) st = gather ? tsl_copy(x, A, tsl_whole(M)) : tsl_copy(x, tsl_whole(M), A);
    tsl_matrix_free(M);
    return tsl_leave(x, st);
}

tsl_status tsl_gather(tsl_context *x, tsl_view A, int rank, void *data, int64_t ld) { return both(x, A, rank, data, ld, true); }
tsl_status tsl_scatter(tsl_context *x, int rank, const void *data, int64_t ld, tsl_view A)
{
    return both(x, A, rank, data, ld, false);
}

tsl_status tsl_dist_fetch(tsl_context *x, tsl_status given, tsl_view A, void *data, int64_t ld)
{
    tsl_matrix *M = NULL;
    tsl_terms t = {.call = "fetch", .kind = TSL_CALL_FETCH};
    tsl_status st = tsl_enter_public(&x);
    if (st) return st;
    tsl_grid *g = tsl_grid_meant(x, &A, 1);
    if (!g) return tsl_leave(x, given ? given : tsl_fail(x, TSL_ERR_GRID, "the grid of a matrix has been freed"));
    tsl_layout l = tsl_layout_whole(g, TSL_EVERY, TSL_EVERY);
    if (!given && data) given = tsl_wrap_alone(x, &l, A.mat->type, tsl_rows(A), tsl_cols(A), data, ld, &M);
    tsl_term_operands(&t, TSL_OP_COPY, &A, 1);
    st = g->broken ? tsl_broken(x, g) : tsl_agree(x, g, given, &t, NULL);
    if (!st && M) st = tsl_copy(x, A, tsl_whole(M));
    tsl_matrix_free(M);
    return tsl_leave(x, st);
}
