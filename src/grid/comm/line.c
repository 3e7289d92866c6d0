/* What the processes along an axis find together: in log2 p rounds each exchanges what it has with another one and combines
 * the two. Of p that is no power of two the last ones give what they have to others first, and are told in the end. All have
 * the same bits then, if combining two is commutative. */
#include <string.h>

#include "grid/grid.h"

enum { TAG = 4 };

/* Those along ALL are numbered down the grid's columns, and ranks along its rows. */
int tsl_line_rank(const tsl_grid *g, tsl_over over, int q)
{
    return over == TSL_OVER_ALL ? q % g->size[0] * g->size[1] + q / g->size[0] : q;
}

/* Sends `out` to process q of the line and receives `in`; either may be NULL. */
static bool exchange(tsl_grid *g, tsl_over over, int q, const void *out, void *in, size_t bytes)
{
    MPI_Request req[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    MPI_Comm comm = tsl_comm(g, over);
    int rank = tsl_line_rank(g, over, q);
    bool bad = in && TSL_MPI(MPI_Irecv(in, (int)bytes, MPI_BYTE, rank, TAG, comm, &req[0]));
    bad = bad || (out && TSL_MPI(MPI_Isend(out, (int)bytes, MPI_BYTE, rank, TAG, comm, &req[1])));
    if (bad) tsl_break(g);
    return !bad && tsl_await(g, 2, req);
}

void tsl_line_combine(tsl_grid *g, tsl_over over, void *mine, void *other, size_t bytes, tsl_combine combine, const void *with)
{
    int p = tsl_axis_size(g, over), me = tsl_axis_index(g, over, g->at), even = 1;
    if (p == 1 || g->rehearsing || g->broken) return;
    while (2 * even <= p) even *= 2;
    if (me >= even) {
        if (exchange(g, over, me - even, mine, NULL, bytes)) exchange(g, over, me - even, NULL, mine, bytes);
        return;
    }
    if (me + even < p && exchange(g, over, me + even, NULL, other, bytes)) combine(mine, other, with);
    for (int bit = 1; bit < even && !g->broken; bit *= 2)
        if (exchange(g, over, me ^ bit, mine, other, bytes)) combine(mine, other, with);
    if (me + even < p && !g->broken) exchange(g, over, me + even, mine, NULL, bytes);
}
