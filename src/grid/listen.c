/* MPI as a grid uses it: nobody waits for ever. No call waits inside of MPI; a process whose call of MPI fails tells all others, they
 * listen while they wait, and all give the grid up. What MPI may still write to after that is not freed. */
#include <string.h>

#include "grid/grid.h"

enum { TAG = 3 }; /* a process has given the grid up */

/* Threads take turns, call by call, so MPI_THREAD_SERIALIZED is enough: as no call waits, none keeps the others from theirs. */
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static bool over; /* under the lock */

bool tsl_mpi_lock(void)
{
    pthread_mutex_lock(&turn);
    if (over) pthread_mutex_unlock(&turn);
    return !over;
}

void tsl_mpi_finalize(void)
{
    int done;
    pthread_mutex_lock(&turn);
    if (!over && !MPI_Finalized(&done) && !done) MPI_Finalize();
    over = true;
    pthread_mutex_unlock(&turn);
}

int tsl_mpi_unlock(int result)
{
    pthread_mutex_unlock(&turn);
    return result;
}

bool tsl_mpi_allowed(void)
{
    int level, first;
    if (TSL_MPI(MPI_Query_thread(&level))) return false;
    return level >= MPI_THREAD_SERIALIZED || (!TSL_MPI(MPI_Is_thread_main(&first)) && first);
}

void tsl_grid_fail(tsl_grid *g, tsl_status st)
{
    if (!g->failed) g->failed = st;
}

void tsl_break(tsl_grid *g)
{
    int p = g->size[0] * g->size[1], me = g->at[0] * g->size[1] + g->at[1];
    tsl_grid_fail(g, TSL_ERR_MPI);
    if (g->broken) return;
    g->broken = true;
    for (int rank = 0; rank < p; ++rank) {
        MPI_Request none;
        if (rank != me && !TSL_MPI(MPI_Isend(NULL, 0, MPI_BYTE, rank, TAG, g->comm, &none))) TSL_MPI(MPI_Request_free(&none));
    }
}

bool tsl_listen(tsl_grid *g)
{
    int told = 0;
    if (!g->broken && (TSL_MPI(MPI_Iprobe(MPI_ANY_SOURCE, TAG, g->comm, &told, MPI_STATUS_IGNORE)) || told)) tsl_break(g);
    return !g->broken;
}

bool tsl_await(tsl_grid *g, int count, MPI_Request *req)
{
    int done = 0;
    while (!g->broken && !done) {
        if (TSL_MPI(MPI_Testall(count, req, &done, MPI_STATUSES_IGNORE))) tsl_break(g);
        else if (!done) tsl_listen(g);
    }
    return !g->broken;
}

/* Begun; then waited for. */
static bool both(tsl_grid *g, int bad, MPI_Request *req)
{
    if (bad) tsl_break(g);
    return !bad && tsl_await(g, 1, req);
}

bool tsl_all_reduce(tsl_grid *g, const int64_t *mine, int64_t *all, int count, MPI_Op op)
{
    MPI_Request req;
    size_t bytes = (size_t)count * sizeof *mine;
    if (g->broken) return false;
    memcpy(g->said, mine, bytes);
    if (!both(g, TSL_MPI(MPI_Iallreduce(g->said, g->heard, count, MPI_INT64_T, op, g->comm, &req)), &req)) return false;
    memcpy(all, g->heard, bytes);
    return true;
}

bool tsl_all_gather(tsl_grid *g, const void *mine, void *all, int bytes)
{
    MPI_Request req;
    if (g->broken) return false;
    return both(g, TSL_MPI(MPI_Iallgather(mine, bytes, MPI_BYTE, all, bytes, MPI_BYTE, g->comm, &req)), &req);
}

bool tsl_from_first(tsl_grid *g, tsl_over over, void *data, int bytes)
{
    MPI_Request req;
    if (g->broken) return false;
    memcpy(g->heard, data, (size_t)bytes);
    if (!both(g, TSL_MPI(MPI_Ibcast(g->heard, bytes, MPI_BYTE, 0, tsl_comm(g, over), &req)), &req)) return false;
    memcpy(data, g->heard, (size_t)bytes);
    return true;
}
