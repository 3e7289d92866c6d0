/* A distributed matrix brought together on every process, and statuses compared between them. */
#ifndef TEST_WHOLE_H
#define TEST_WHOLE_H

#include "dense.h"
#include "grid.h"

static inline int same_everywhere(tsl_status st)
{
    int mine[2] = {(int)st, -(int)st}, most[2];
    MPI_Allreduce(mine, most, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return most[0] == -most[1];
}

/* A random matrix, diagonally dominant if it is square, which process 0 distributes. */
static inline tsl_matrix *scattered(const team *t, tsl_context *x, tsl_layout l, tsl_type type, int64_t m, int64_t n, uint64_t seed)
{
    tsl_matrix *A = NULL;
    dense d = dense_make(type, m, n, CANARY_FINITE);
    if (m == n) dense_dominant(&d, seed);
    else dense_random(&d, seed);
    tsl_status st = tsl_matrix_create_on(x, &l, type, m, n, &A);
    if (!st) st = tsl_scatter(x, 0, d.data, d.ld, tsl_whole(A));
    all_ok(t, !st, "a %lldx%lld matrix (%s)", (long long)m, (long long)n, tsl_status_name(st));
    dense_free(&d);
    return A;
}

static inline dense everything(tsl_context *x, tsl_matrix *A, int64_t m, int64_t n)
{
    tsl_layout l;
    tsl_matrix *W = NULL;
    dense d = dense_make(tsl_matrix_type(A), m, n, CANARY_FINITE);
    tsl_matrix_layout(A, &l);
    l = tsl_layout_whole(l.grid, TSL_EVERY, TSL_EVERY);
    if (tsl_matrix_wrap_on(x, &l, d.t, m, n, d.data, d.ld, &W) || tsl_copy(x, tsl_whole(A), tsl_whole(W))) dense_fill(&d, NAN);
    tsl_matrix_free(W);
    return d;
}

#endif
