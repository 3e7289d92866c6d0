/* MPI as a grid uses it: nobody waits for ever. No call waits inside of MPI; a process whose call of MPI fails, or whose
 * deadline passes, tells all others, they listen while they wait, and all give the grid up. What MPI may still write to after
 * that is not freed. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "grid/grid.h"

enum { TAG = 3 }; /* a process has given the grid up */

/* Threads take turns, call by call, so MPI_THREAD_SERIALIZED is enough: as no call waits, none keeps the others from theirs. */
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static bool over; /* under the lock */
static bool lost; /* the same: a process has not answered, and MPI_Finalize would wait for it */

/* The program may have finalised MPI itself. */
bool tsl_mpi_lock(void)
{
    int done = 0;
    pthread_mutex_lock(&turn);
    over = over || MPI_Finalized(&done) || done;
    bool there = !over;
    if (!there) pthread_mutex_unlock(&turn);
    return there;
}

bool tsl_mpi_over(void)
{
    bool there = tsl_mpi_lock();
    if (there) tsl_mpi_unlock(MPI_SUCCESS);
    return !there;
}

void tsl_mpi_finalize(void)
{
    int done;
    pthread_mutex_lock(&turn);
    if (!over && !lost && !MPI_Finalized(&done) && !done) MPI_Finalize();
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

static int processes(const tsl_grid *g) { return g->size[0] * g->size[1]; }
static int here(const tsl_grid *g) { return g->at[0] * g->size[1] + g->at[1]; }

/* What another has said: who it is, or NOBODY; FAILED: MPI has. Its word is there when it can be seen: to receive it waits for
 * nothing. */
enum { NOBODY = -1, FAILED = -2 };
static int hear(tsl_grid *g, int *late)
{
    int told = 0;
    MPI_Status from;
    if (TSL_MPI(MPI_Iprobe(MPI_ANY_SOURCE, TAG, g->comm, &told, &from))) return FAILED;
    if (!told) return NOBODY;
    return TSL_MPI(MPI_Recv(late, 1, MPI_INT, from.MPI_SOURCE, TAG, g->comm, MPI_STATUS_IGNORE)) ? FAILED : from.MPI_SOURCE;
}

/* Tells all others. */
static void give_up(tsl_grid *g, bool late)
{
    tsl_grid_fail(g, late ? TSL_ERR_LATE : TSL_ERR_MPI);
    g->broken = true;
    g->late = late;
    for (int rank = 0; rank < processes(g); ++rank) {
        MPI_Request none;
        if (rank != here(g) && !TSL_MPI(MPI_Isend(&g->late, 1, MPI_INT, rank, TAG, g->comm, &none))) TSL_MPI(MPI_Request_free(&none));
    }
}

/* After a deadline. Who waits too hears of it and says so itself: those who have not after a while are late. */
static void call_roll(tsl_grid *g, int first)
{
    enum { LISTED = 8 };
    int p = processes(g), missing = p - 1, listed = 0, who, late;
    bool *spoke = calloc((size_t)p, sizeof *spoke);
    if (!spoke) return;
    spoke[here(g)] = true;
    if (first >= 0) spoke[first] = true, --missing;
    tsl_patience grace = tsl_patience_now(g->patience > 0 && g->patience < 1 ? g->patience : 1);
    while (missing && !tsl_patience_ends(&grace) && (who = hear(g, &late)) != FAILED)
        if (who >= 0 && !spoke[who]) spoke[who] = true, --missing;
    int at = tsl_print(g->why, sizeof g->why, "the deadline passed in a wait for other processes of the grid: %s",
                       !missing ? "all of them answer by now" : missing == 1 ? "no answer from process" : "no answer from processes");
    for (int rank = 0; rank < p && listed < LISTED; ++rank)
        if (!spoke[rank]) at += tsl_print(g->why + at, sizeof g->why - (size_t)at, "%s %d", listed++ ? "," : "", rank);
    if (missing > listed) tsl_print(g->why + at, sizeof g->why - (size_t)at, " and %d more", missing - listed);
    free(spoke);
    pthread_mutex_lock(&turn);
    lost |= missing > 0;
    pthread_mutex_unlock(&turn);
}

void tsl_break(tsl_grid *g)
{
    if (!g->broken) give_up(g, false);
}

void tsl_too_late(tsl_grid *g)
{
    if (g->broken) return;
    give_up(g, true);
    call_roll(g, NOBODY);
}

bool tsl_listen(tsl_grid *g)
{
    int late = 0, who = g->broken ? NOBODY : hear(g, &late);
    if (who == NOBODY) return !g->broken;
    give_up(g, who != FAILED && late);
    if (g->late) call_roll(g, who);
    return false;
}

tsl_patience tsl_patience_now(double seconds) { return (tsl_patience){seconds > 0 ? seconds : INFINITY, seconds > 0 ? tsl_now() : 0}; }

bool tsl_patience_ends(tsl_patience *p)
{
    if (isinf(p->left)) return false;
    double now = tsl_now();
    p->left -= fmin(now - p->seen, 1);
    p->seen = now;
    return p->left <= 0;
}

bool tsl_await(tsl_grid *g, int count, MPI_Request *req)
{
    int done = 0;
    tsl_patience patience = tsl_patience_now(g->patience);
    while (!g->broken && !done) {
        if (TSL_MPI(MPI_Testall(count, req, &done, MPI_STATUSES_IGNORE))) tsl_break(g);
        else if (!done && tsl_listen(g) && tsl_patience_ends(&patience)) tsl_too_late(g);
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
