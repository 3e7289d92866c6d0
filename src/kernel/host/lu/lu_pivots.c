/* Host leaves of LU whose pivots are not those of partial pivoting: none, and by tournament. */
#include <complex.h>

#include "core/values.h"
#include "kernel/host/blas.h"
#include "kernel/host/leaf.h"
#include "kernel/host/lu/pivots.h"
#include "kernel/lu_exchanges.h"

enum { GROUP = 4 }; /* rows that play each other, times the columns: so many times fewer are left */

static int64_t group_of(const tsl_leaf *l) { return GROUP * l->n; }

/* Rows left of `count`, of which each group leaves n at most */
static int64_t left_of(int64_t count, int64_t n) { return tsl_pieces(count, GROUP * n) * n; }

/* A group's rows and their pivots, and the numbers of the rows that are left, of this round and the next */
size_t tsl_host_lu_workspace(const tsl_leaf *l)
{
    int64_t h = group_of(l);
    if (l->lu.pivoting != TSL_PIVOTS_TOURNAMENT || l->m <= h) return 0;
    size_t numbers = tsl_times((size_t)(left_of(l->m, l->n) + h), sizeof(int64_t)), pivots = tsl_times((size_t)l->n, sizeof(int64_t));
    return tsl_plus(tsl_plus(numbers, tsl_dense_bytes(l->type, h, l->n)), pivots);
}

#define FN(name) PASTE3(tsl_host_, P, name)
#define BODY "kernel/host/lu/lu_pivots.inc"
#include "core/types.inc"
