/* MPI as what joins the processes of a grid. No call waits inside of MPI. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grid/grid.h"
#include "tesela_mpi.h"

#if defined(OPEN_MPI) && OPEN_MPI
#include <mpi-ext.h>
#endif

typedef struct mpi_wire {
    tsl_wire head;
    MPI_Comm comm;
    MPI_Group group;
    bool making; /* a grid is being made, by all or by none: a call that fails is made once more, as the others wait for it */
} mpi_wire;

static _Thread_local mpi_wire spare; /* by which a process without memory takes part in the agreement that there is no grid */

/* Threads take turns, call by call, so MPI_THREAD_SERIALIZED is enough: as no call waits, none keeps the others from theirs. */
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static bool over; /* under the lock */
static bool lost; /* the same: a process has not answered, and MPI_Finalize would wait for it */
static pid_t starter; /* the process that initialised MPI; no child of it */

/* bad = CALL(MPI_Isend(...)) */
#define CALL(call) (lock() ? unlock(call) : MPI_ERR_OTHER)
#define INSIST(call) (CALL(call) && CALL(call))
#define ON(w, call) (CALL(call) && (!(w)->making || CALL(call)))

/* The program may have finalised MPI itself. */
static bool lock(void)
{
    int done = 0;
    pthread_mutex_lock(&turn);
    over = over || MPI_Finalized(&done) || done;
    bool there = !over;
    if (!there) pthread_mutex_unlock(&turn);
    return there;
}

static int unlock(int result)
{
    pthread_mutex_unlock(&turn);
    return result;
}

/* MPI_Finalize waits for all processes. One that fails, or ends in the middle of a collective call of another thread, leaves
 * others that wait for it: then the end without it lets the launcher end them. */
static void finalize(int status, void *unused)
{
    int done;
    (void)unused;
    if (status != EXIT_SUCCESS || getpid() != starter || __atomic_load_n(&tsl_collectives, __ATOMIC_SEQ_CST)) return;
    pthread_mutex_lock(&turn);
    if (!over && !lost && !MPI_Finalized(&done) && !done) MPI_Finalize();
    over = true;
    pthread_mutex_unlock(&turn);
}

static const char *refuses(const tsl_wire *w)
{
    int level, first;
    (void)w;
    if (!lock()) return "MPI has been finalized: distributed matrices can only be freed";
    bool may = !MPI_Query_thread(&level) && (level >= MPI_THREAD_SERIALIZED || (!MPI_Is_thread_main(&first) && first));
    unlock(MPI_SUCCESS);
    return may ? NULL : "MPI was initialised for calls from its main thread only; ask for MPI_THREAD_SERIALIZED";
}

_Static_assert(sizeof(MPI_Request) <= sizeof((tsl_request *)0)->as, "a request of MPI fits");

static MPI_Request request_of(const tsl_request *req)
{
    MPI_Request r;
    memcpy(&r, &req->as, sizeof r);
    return r;
}

static bool keep(tsl_request *req, MPI_Request r, bool bad)
{
    memcpy(&req->as, &r, sizeof r);
    req->pending = !bad;
    return bad;
}

static bool send(tsl_wire *wire, int to, int tag, const void *data, size_t bytes, tsl_request *req)
{
    mpi_wire *w = (mpi_wire *)wire;
    MPI_Request r = MPI_REQUEST_NULL;
    bool bad = ON(w, MPI_Isend(data, (int)bytes, MPI_BYTE, to, tag, w->comm, &r));
    return keep(req, r, bad);
}

static bool receive(tsl_wire *wire, int from, int tag, void *data, size_t bytes, tsl_request *req)
{
    mpi_wire *w = (mpi_wire *)wire;
    MPI_Request r = MPI_REQUEST_NULL;
    bool bad = ON(w, MPI_Irecv(data, (int)bytes, MPI_BYTE, from, tag, w->comm, &r));
    return keep(req, r, bad);
}

static bool test(tsl_wire *wire, tsl_request *req)
{
    mpi_wire *w = (mpi_wire *)wire;
    MPI_Request r = request_of(req);
    int done = 0;
    if (ON(w, MPI_Test(&r, &done, MPI_STATUS_IGNORE))) return true;
    return keep(req, r, false), req->pending = !done, false;
}

static void cancel(tsl_wire *wire, tsl_request *req)
{
    MPI_Request r = request_of(req);
    (void)wire;
    if (req->pending && !CALL(MPI_Cancel(&r))) CALL(MPI_Request_free(&r));
    req->pending = false;
}

static void tell(tsl_wire *wire, int to, int tag, const int *word)
{
    mpi_wire *w = (mpi_wire *)wire;
    MPI_Request none;
    if (!CALL(MPI_Isend(word, 1, MPI_INT, to, tag, w->comm, &none))) CALL(MPI_Request_free(&none));
}

/* The word is there when it can be seen: to receive it waits for nothing. */
static bool hear(tsl_wire *wire, int tag, int *from, int *word)
{
    mpi_wire *w = (mpi_wire *)wire;
    int told = 0;
    MPI_Status status;
    *from = -1;
    if (ON(w, MPI_Iprobe(MPI_ANY_SOURCE, tag, w->comm, &told, &status))) return true;
    if (!told) return false;
    *from = status.MPI_SOURCE;
    return CALL(MPI_Recv(word, 1, MPI_INT, status.MPI_SOURCE, tag, w->comm, MPI_STATUS_IGNORE));
}

static void missing(tsl_wire *wire)
{
    (void)wire;
    pthread_mutex_lock(&turn);
    lost = true;
    pthread_mutex_unlock(&turn);
}

static bool same(const tsl_wire *a, const tsl_wire *b)
{
    int result;
    return !CALL(MPI_Comm_compare(((const mpi_wire *)a)->comm, ((const mpi_wire *)b)->comm, &result)) && result != MPI_UNEQUAL;
}

static bool there(const tsl_wire *a, int rank, const tsl_wire *b, int *other)
{
    return CALL(MPI_Group_translate_ranks(((const mpi_wire *)a)->group, 1, &rank, ((const mpi_wire *)b)->group, other));
}

/* Tolerates one that is only partly made. Of a broken one nothing is freed: MPI may still write there, and freeing a
 * communicator is collective. */
static void close_wire(tsl_wire *wire, bool broken)
{
    mpi_wire *w = (mpi_wire *)wire;
    int done;
    if (broken) return;
    if (!MPI_Finalized(&done) && !done) {
        if (w->group != MPI_GROUP_NULL) CALL(MPI_Group_free(&w->group));
        if (w->comm != MPI_COMM_NULL) CALL(MPI_Comm_free(&w->comm));
    }
    if (w != &spare) free(w);
}

static const tsl_wire_ops ops = {.name = "MPI", .lingers = true, .send = send, .receive = receive, .test = test,
                                 .cancel = cancel, .tell = tell, .hear = hear, .missing = missing, .refuses = refuses,
                                 .same = same, .there = there, .close = close_wire};

/* Ours only if nobody else has done it. */
static tsl_status start_mpi(void)
{
    int started, done, level;
    if (MPI_Initialized(&started) || MPI_Finalized(&done)) return tsl_fail(NULL, TSL_ERR_MPI, "grid: MPI does not answer");
    if (done) return tsl_fail(NULL, TSL_ERR_MPI, "grid: MPI has been finalized");
    if (started) return TSL_OK;
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &level))
        return tsl_fail(NULL, TSL_ERR_MPI, "grid: MPI_Init_thread failed");
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

/* A communicator of the grid's own. Waits for what all processes take part in; after TSL_ERR_LATE MPI may still write where it
 * was told to, which must stay. */
static tsl_status duplicate(MPI_Comm comm, MPI_Comm *own)
{
    MPI_Request req;
    int done = 0;
    tsl_patience patience = tsl_patience_now(tsl_deadline());
    tsl_status st = INSIST(MPI_Comm_idup(comm, own, &req)) ? TSL_ERR_MPI : TSL_OK;
    while (!st && !done) {
        if (INSIST(MPI_Test(&req, &done, MPI_STATUS_IGNORE))) st = TSL_ERR_MPI;
        else if (!done && tsl_patience_ends(&patience))
            return tsl_fail(NULL, TSL_ERR_LATE, "grid: not all processes of the communicator have come within the deadline");
    }
    return st ? tsl_fail(NULL, st, "grid: the communicator could not be duplicated") : TSL_OK;
}

/* Every process goes all the way, whatever has failed on it, as the others wait for it. */
static tsl_status connect(MPI_Comm comm, mpi_wire *w)
{
    tsl_status st = TSL_OK;
    if (CALL(MPI_Comm_size(comm, &w->head.size)) || CALL(MPI_Comm_rank(comm, &w->head.rank)))
        st = tsl_fail(NULL, TSL_ERR_MPI, "grid: the communicator cannot be used");
    tsl_status dup = duplicate(comm, &w->comm);
    if (dup) return dup;
    if (st) INSIST(MPI_Comm_size(w->comm, &w->head.size)), INSIST(MPI_Comm_rank(w->comm, &w->head.rank));
    if (CALL(MPI_Comm_set_errhandler(w->comm, MPI_ERRORS_RETURN)) || CALL(MPI_Comm_group(w->comm, &w->group)))
        st = tsl_fail(NULL, TSL_ERR_MPI, "grid: a communicator could not be made");
    return st;
}

tsl_status tsl_grid_create(MPI_Comm comm, int rows, int cols, tsl_grid **grid)
{
    if (grid) *grid = NULL;
    tsl_status st = start_mpi();
    if (st) return st;
    if (comm == MPI_COMM_NULL) return tsl_fail(NULL, TSL_ERR_MPI, "grid: no communicator");
    const char *why = refuses(NULL);
    if (why) return tsl_fail(NULL, TSL_ERR_MPI, "grid: %s", why);
    mpi_wire *w = calloc(1, sizeof *w);
    tsl_status memory = w ? TSL_OK : tsl_fail(NULL, TSL_ERR_MEMORY, "grid: no host memory");
    if (!w) w = &spare;
    *w = (mpi_wire){.head = {.ops = &ops, .left = -1, .most = tsl_wire_most(MESSAGE), .device_messages = takes_device_memory()},
                    .comm = MPI_COMM_NULL, .group = MPI_GROUP_NULL, .making = true};
    st = connect(comm, w);
    if (w->comm == MPI_COMM_NULL || st == TSL_ERR_LATE) return st;
    st = tsl_grid_over(&w->head, st ? st : memory, rows, cols, grid);
    if (!st) w->making = false;
    return st;
}
