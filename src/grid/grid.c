/* Process grids. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grid/grid.h"

#if defined(OPEN_MPI) && OPEN_MPI
#include <mpi-ext.h>
#endif

static pid_t starter; /* the process that initialised MPI; no child of it */

/* MPI_Finalize waits for all processes. One that fails, or ends in the middle of a collective call of another thread, leaves
 * others that wait for it: then the end without it lets the launcher end them. */
static void finalize(int status, void *unused)
{
    (void)unused;
    if (status == EXIT_SUCCESS && getpid() == starter && !__atomic_load_n(&tsl_collectives, __ATOMIC_SEQ_CST)) tsl_mpi_finalize();
}

/* Ours only if nobody else has done it. */
static tsl_status start_mpi(void)
{
    int started, done, level;
    if (MPI_Initialized(&started) || MPI_Finalized(&done)) return tsl_fail(NULL, TSL_ERR_MPI, "grid: MPI does not answer");
    if (done) return tsl_fail(NULL, TSL_ERR_MPI, "grid: MPI has been finalized");
    if (started) return TSL_OK;
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &level)) return tsl_fail(NULL, TSL_ERR_MPI, "grid: MPI_Init_thread failed");
    starter = getpid();
    on_exit(finalize, NULL);
    return TSL_OK;
}

static bool takes_device_memory(void)
{
#if defined(MPIX_CUDA_AWARE_SUPPORT)
    return MPIX_Query_cuda_support() == 1;
#else
    return false;
#endif
}

enum { MESSAGE = 1 << 30 }; /* bytes: MPI counts with int */

static size_t message_limit(void)
{
    const char *text = getenv("TESELA_MESSAGE"); /* smaller ones, to test that messages are cut */
    char *end = NULL;
    if (!text || !*text) return MESSAGE;
    long long asked = strtoll(text, &end, 10);
    if (!*end && asked > 0 && asked <= MESSAGE) return (size_t)asked;
    tsl_ignored(TSL_SETTING_MESSAGE, "TESELA_MESSAGE=%s ignored: it must be a number of bytes up to %d", text, MESSAGE);
    return MESSAGE;
}

static void square(int p, int *rows, int *cols)
{
    *rows = 1;
    for (int r = 1; r <= p / r; ++r)
        if (p % r == 0) *rows = r;
    *cols = p / *rows;
}

/* What is wrong with the shape asked for, of p processes. */
static tsl_status check(int rows, int cols, int p)
{
    if (rows >= 1 && cols >= 1 && rows <= p && cols <= p && rows * cols == p) return TSL_OK;
    if (rows < 1 || cols < 1) return tsl_fail(NULL, TSL_ERR_GRID, "grid: %d x %d processes; both must be positive, or both 0", rows, cols);
    return tsl_fail(NULL, TSL_ERR_GRID, "grid: %d x %d processes asked for, the communicator has %d", rows, cols, p);
}

/* A call of all processes that fails on one of them is made once more there: the others are waiting in it. */
#define INSIST(call) (TSL_MPI(call) && TSL_MPI(call))

/* Waits for what all processes take part in. After TSL_ERR_LATE MPI may still write where it was told to: that must stay. */
static tsl_status awaited(MPI_Request *req)
{
    int done = 0;
    tsl_patience patience = tsl_patience_now(tsl_deadline());
    while (!done) {
        if (TSL_MPI(MPI_Testall(1, req, &done, MPI_STATUSES_IGNORE))) return TSL_ERR_MPI;
        if (!done && tsl_patience_ends(&patience))
            return tsl_fail(NULL, TSL_ERR_LATE, "grid: not all processes of the communicator have come within the deadline");
    }
    return TSL_OK;
}

/* The worst of all processes' statuses; and whether they ask for the same shape. Where there is no memory for a grid it takes
 * part all the same. */
static tsl_status agreed(tsl_grid *g, MPI_Comm comm, tsl_status st, int rows, int cols)
{
    static _Thread_local int64_t spare[2][5];
    int64_t *mine = g ? g->said : spare[0], *most = g ? g->heard : spare[1];
    MPI_Request req;
    memcpy(mine, (int64_t[]){st, rows, -rows, cols, -cols}, sizeof spare[0]);
    if (INSIST(MPI_Iallreduce(mine, most, 5, MPI_INT64_T, MPI_MAX, comm, &req)))
        return tsl_fail(NULL, TSL_ERR_MPI, "grid: agreement failed");
    tsl_status end = awaited(&req);
    if (end) return end == TSL_ERR_LATE ? end : tsl_fail(NULL, end, "grid: agreement failed");
    tsl_status worst = (tsl_status)most[0];
    if (worst && st != worst) return tsl_fail(NULL, worst, "grid: on another process: %s", tsl_status_text(worst));
    if (worst) return worst;
    if (most[1] == -most[2] && most[3] == -most[4]) return TSL_OK;
    return tsl_fail(NULL, TSL_ERR_GRID, "grid: %d x %d asked for here, another shape on another process", rows, cols);
}

/* All but its description. Tolerates one that is only partly made. Of a broken grid nothing is freed: MPI may still write
 * there, and freeing a communicator is collective. */
static void dispose(tsl_grid *g)
{
    int done;
    tsl_channel_close(g, g->broken);
    if (g->broken) return;
    if (!MPI_Finalized(&done) && !done) {
        for (int d = 0; d < 2; ++d)
            if (g->line[d] != MPI_COMM_NULL) TSL_MPI(MPI_Comm_free(&g->line[d]));
        if (g->group != MPI_GROUP_NULL) TSL_MPI(MPI_Group_free(&g->group));
        if (g->comm != MPI_COMM_NULL) TSL_MPI(MPI_Comm_free(&g->comm));
    }
}

/* Every process goes all the way, whatever failed on it, unless some are late: to split a communicator is to wait inside of
 * MPI, so nobody begins with that before all are there. */
static tsl_status connect(tsl_grid *g, MPI_Comm comm)
{
    MPI_Request req;
    tsl_status st = INSIST(MPI_Comm_idup(comm, &g->comm, &req)) ? TSL_ERR_MPI : awaited(&req);
    if (st == TSL_ERR_LATE) return st;
    if (st) tsl_fail(NULL, st, "grid: the communicator could not be duplicated");
    st = agreed(g, comm, st, g->size[0], g->size[1]);
    if (st) return st;
    bool bad = TSL_MPI(MPI_Comm_set_errhandler(g->comm, MPI_ERRORS_RETURN));
    bad |= TSL_MPI(MPI_Comm_group(g->comm, &g->group)) != MPI_SUCCESS;
    for (int d = 0; d < 2; ++d) bad |= INSIST(MPI_Comm_split(g->comm, g->at[!d], g->at[d], &g->line[d]));
    for (int d = 0; d < 2 && !bad; ++d) bad |= TSL_MPI(MPI_Comm_set_errhandler(g->line[d], MPI_ERRORS_RETURN)) != MPI_SUCCESS;
    return bad ? tsl_fail(NULL, TSL_ERR_MPI, "grid: a communicator could not be made") : TSL_OK;
}

tsl_status tsl_grid_create(MPI_Comm comm, int rows, int cols, tsl_grid **grid)
{
    if (grid) *grid = NULL;
    tsl_status st = start_mpi();
    int p = 0, me = 0;
    if (st) return st;
    if (comm == MPI_COMM_NULL) return tsl_fail(NULL, TSL_ERR_MPI, "grid: no communicator");
    if (!tsl_mpi_allowed()) return tsl_fail(NULL, TSL_ERR_MPI, TSL_NOT_THIS_THREAD);
    if (TSL_MPI(MPI_Comm_size(comm, &p)) || TSL_MPI(MPI_Comm_rank(comm, &me)))
        st = tsl_fail(NULL, TSL_ERR_MPI, "grid: the communicator cannot be used");
    if (rows == 0 && cols == 0) square(p, &rows, &cols);
    tsl_grid *g = calloc(1, sizeof *g);
    if (!st && !g) st = tsl_fail(NULL, TSL_ERR_MEMORY, "grid: no host memory");
    if (!st) st = check(rows, cols, p);
    if (!st && !grid) st = tsl_fail(NULL, TSL_ERR_NULL, "grid: no place for the result");
    st = agreed(g, comm, st, rows, cols);
    if (st) {
        if (st != TSL_ERR_LATE) free(g);
        return st;
    }
    *g = (tsl_grid){.comm = MPI_COMM_NULL,
                    .group = MPI_GROUP_NULL,
                    .line = {MPI_COMM_NULL, MPI_COMM_NULL},
                    .size = {rows, cols},
                    .at = {me / cols, me % cols},
                    .limit = message_limit(),
                    .patience = tsl_deadline(),
                    .device_messages = takes_device_memory(),
                    .ops = &tsl_dist_ops,
                    .perform = tsl_perform};
    st = connect(g, comm);
    if (st != TSL_ERR_LATE) st = agreed(g, comm, st, rows, cols);
    if (st == TSL_ERR_LATE) return st;
    if (st) {
        dispose(g);
        free(g);
        return st;
    }
    tsl_alive(&g->handle, NULL);
    *grid = g;
    return TSL_OK;
}

void tsl_grid_free(tsl_grid *g)
{
    if (!g || !tsl_ends(&g->handle)) return;
    dispose(g);
    g->ended = true;
    if (!g->matrices && !g->broken) free(g);
}

int tsl_grid_rows(const tsl_grid *g) { return g ? g->size[0] : 0; }
int tsl_grid_cols(const tsl_grid *g) { return g ? g->size[1] : 0; }
int tsl_grid_row(const tsl_grid *g) { return g ? g->at[0] : -1; }
int tsl_grid_col(const tsl_grid *g) { return g ? g->at[1] : -1; }
