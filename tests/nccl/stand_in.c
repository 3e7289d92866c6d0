/* A stand-in for NCCL, so that messages between devices can be tested where its rule, a GPU for every rank, cannot be kept: on
 * virtual host devices (whose stream is NULL), and on one GPU for all processes of a machine. It calls itself version 0.
 *
 * Ranks meet in shared memory: for each ordered pair of them a ring of bytes, so what one sends another it receives in order.
 * As with NCCL a group begins all it has before it waits for any of it, and all of it is ordered on its stream.
 *
 * NCCL_STAND_IN=init:R: rank R of the first communicator does not get in. group:R:K: its K-th group fails, of which the others
 * hear nothing. slow:R:M: its groups begin M milliseconds late. */
#include <fcntl.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#ifdef TSL_WITH_CUDA
#include <cuda_runtime_api.h>
#endif

#define API __attribute__((visibility("default")))

enum { SUCCESS, CUDA_ERROR, SYSTEM_ERROR, INTERNAL_ERROR, INVALID_ARGUMENT, INVALID_USAGE, REMOTE_ERROR }; /* ncclResult_t */
enum { RING = 1 << 15, PATIENCE = 120 /* seconds */ };

typedef struct ring {
    atomic_size_t put, got;
    char bytes[RING];
} ring;

typedef struct room {
    atomic_int arrived, broken;
    ring ring[]; /* from i to j: i * size + j */
} room;

typedef struct comm {
    room *room;
    size_t bytes;
    int rank, size, groups;
    int fails_at;       /* which group */
    int late;           /* milliseconds */
    atomic_int aborted, failed;
    struct comm *next;  /* of those: a thread may still look at them */
} comm;

typedef struct id {
    char name[128];
} id;

typedef struct op {
    comm *c;
    int send, peer;
    char *p;
    size_t bytes, done;
    void *stream;
} op;

static _Thread_local struct { int depth, count, room; op *op; } group;

static ring *between(const comm *c, int from, int to) { return &c->room->ring[from * c->size + to]; }

/* Moves what there is room for, or what has come; how much. */
static size_t step(op *o)
{
    ring *r = o->send ? between(o->c, o->c->rank, o->peer) : between(o->c, o->peer, o->c->rank);
    size_t put = atomic_load(&r->put), got = atomic_load(&r->got), moved = 0;
    size_t most = o->send ? RING - (put - got) : put - got, at = (o->send ? put : got) % RING;
    while (moved < most && o->done < o->bytes) {
        size_t n = o->bytes - o->done;
        if (n > most - moved) n = most - moved;
        if (n > RING - at) n = RING - at;
        if (o->send) memcpy(r->bytes + at, o->p + o->done, n);
        else memcpy(o->p + o->done, r->bytes + at, n);
        o->done += n, moved += n, at = (at + n) % RING;
    }
    if (moved) atomic_fetch_add(o->send ? &r->put : &r->got, moved);
    return moved;
}

/* Those between the same two ranks, the same way, one after the other; others as they come. */
static int turn_of(const op *ops, int i)
{
    for (int j = 0; j < i; j++)
        if (ops[j].done < ops[j].bytes && ops[j].c == ops[i].c && ops[j].send == ops[i].send && ops[j].peer == ops[i].peer)
            return 0;
    return 1;
}

static int run(op *ops, int count)
{
    for (int left = count; left > 0;) {
        size_t moved = 0;
        left = 0;
        for (int i = 0; i < count; i++) {
            if (ops[i].done < ops[i].bytes && turn_of(ops, i)) moved += step(&ops[i]);
            left += ops[i].done < ops[i].bytes;
            if (atomic_load(&ops[i].c->aborted)) return INTERNAL_ERROR;
        }
        if (left && !moved) sched_yield();
    }
    return SUCCESS;
}

#ifdef TSL_WITH_CUDA
/* A group on a stream: what is sent comes to pinned memory, a function of the host exchanges it, what was received goes on from
 * there. Once the stream has got past it the next may use its memory. */
typedef struct job {
    struct job *next;
    cudaEvent_t past;
    char *pinned;
    size_t bytes;
    int count;
    op *op;
} job;

static job *jobs;

static void CUDART_CB exchange(void *arg)
{
    job *j = arg;
    (void)run(j->op, j->count);
}

static void give_back(void)
{
    for (job *j = jobs, *next; j; j = next) {
        next = j->next;
        cudaEventSynchronize(j->past);
        cudaEventDestroy(j->past);
        cudaFreeHost(j->pinned);
        free(j->op);
        free(j);
    }
    jobs = NULL;
}

static job *job_of(size_t bytes)
{
    for (job *j = jobs; j; j = j->next)
        if (j->bytes >= bytes && cudaEventQuery(j->past) == cudaSuccess) return j;
    job *j = calloc(1, sizeof *j);
    j->bytes = bytes < 65536 ? 65536 : bytes;
    if (cudaHostAlloc((void **)&j->pinned, j->bytes, cudaHostAllocDefault) ||
        cudaEventCreateWithFlags(&j->past, cudaEventDisableTiming))
        return NULL;
    j->next = jobs;
    return jobs = j;
}

static int on_stream(const op *ops, int count)
{
    cudaStream_t stream = ops[0].stream;
    size_t bytes = 0, at = 0;
    int bad = 0;
    for (int i = 0; i < count; i++) bytes += ops[i].bytes;
    job *j = job_of(bytes);
    if (!j) return CUDA_ERROR;
    j->op = realloc(j->op, (size_t)count * sizeof *ops);
    memcpy(j->op, ops, (size_t)count * sizeof *ops);
    j->count = count;
    for (int i = 0; i < count && !bad; at += ops[i++].bytes) {
        j->op[i].p = j->pinned + at;
        if (ops[i].send) bad = cudaMemcpyAsync(j->op[i].p, ops[i].p, ops[i].bytes, cudaMemcpyDeviceToHost, stream);
    }
    bad = bad || cudaLaunchHostFunc(stream, exchange, j);
    for (int i = 0; i < count && !bad; i++)
        if (!ops[i].send) bad = cudaMemcpyAsync(ops[i].p, j->op[i].p, ops[i].bytes, cudaMemcpyHostToDevice, stream);
    return bad || cudaEventRecord(j->past, stream) ? CUDA_ERROR : SUCCESS;
}
#else
static void give_back(void) {}

static int on_stream(const op *ops, int count)
{
    (void)ops, (void)count;
    return INVALID_ARGUMENT;
}
#endif

static int add(op o)
{
    if (o.peer < 0 || o.peer >= o.c->size) return INVALID_ARGUMENT;
    if (group.depth == 0) return INVALID_USAGE;
    if (group.count == group.room) {
        int more = group.room ? 2 * group.room : 16;
        op *p = realloc(group.op, (size_t)more * sizeof *p);
        if (!p) return SYSTEM_ERROR;
        group.op = p, group.room = more;
    }
    group.op[group.count++] = o;
    return SUCCESS;
}

API int ncclGetVersion(int *version)
{
    *version = 0;
    return SUCCESS;
}

API const char *ncclGetErrorString(int result)
{
    return result == SUCCESS ? "no error" : result == REMOTE_ERROR ? "another rank" : "stand-in";
}

API int ncclGetUniqueId(id *made)
{
    static atomic_int count;
    struct timespec now; /* a killed run may have left memory under the same process number */
    clock_gettime(CLOCK_REALTIME, &now);
    snprintf(made->name, sizeof made->name, "/tesela-nccl-%ld-%lld-%ld-%d", (long)getpid(), (long long)now.tv_sec, now.tv_nsec,
             atomic_fetch_add(&count, 1));
    return SUCCESS;
}

static void asked(comm *c, const char *what, int *value)
{
    const char *text = getenv("NCCL_STAND_IN");
    int rank = -1, n = 1;
    size_t length = strlen(what);
    if (text && !strncmp(text, what, length) && sscanf(text + length, ":%d:%d", &rank, &n) >= 1 && rank == c->rank) *value = n;
}

API int ncclCommInitRank(void **out, int size, id where, int rank)
{
    static atomic_int communicators;
    comm *c = calloc(1, sizeof *c);
    int first = atomic_fetch_add(&communicators, 1) == 0, refused = 0;
    if (!c) return SYSTEM_ERROR;
    *c = (comm){.rank = rank, .size = size, .bytes = sizeof(room) + (size_t)(size * size) * sizeof(ring), .fails_at = -1};
    int file = shm_open(where.name, O_CREAT | O_RDWR, 0600);
    void *p = MAP_FAILED;
    if (file >= 0 && !ftruncate(file, (off_t)c->bytes)) p = mmap(NULL, c->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (file >= 0) close(file);
    if (p == MAP_FAILED) {
        free(c);
        return SYSTEM_ERROR;
    }
    c->room = p;
    if (first) asked(c, "init", &refused), asked(c, "group", &c->fails_at), asked(c, "slow", &c->late);
    if (refused) atomic_store(&c->room->broken, 1);
    atomic_fetch_add(&c->room->arrived, 1);
    time_t until = time(NULL) + PATIENCE;
    while (atomic_load(&c->room->arrived) < size && time(NULL) < until) sched_yield();
    if (rank == 0) shm_unlink(where.name);
    if (atomic_load(&c->room->arrived) == size && !atomic_load(&c->room->broken)) {
        *out = c;
        return SUCCESS;
    }
    munmap(c->room, c->bytes);
    free(c);
    return refused ? SYSTEM_ERROR : REMOTE_ERROR;
}

API int ncclCommDestroy(void *p)
{
    comm *c = p;
    give_back();
    munmap(c->room, c->bytes);
    free(c);
    return SUCCESS;
}

/* As with NCCL the others are not told. */
API int ncclCommAbort(void *p)
{
    static comm *aborted;
    comm *c = p;
    c->next = aborted;
    aborted = c;
    atomic_store(&c->aborted, 1);
    return SUCCESS;
}

API int ncclCommGetAsyncError(void *p, int *result)
{
    *result = atomic_load(&((comm *)p)->failed);
    return SUCCESS;
}

API int ncclGroupStart(void)
{
    group.depth++;
    return SUCCESS;
}

API int ncclGroupEnd(void)
{
    int result = SUCCESS;
    if (--group.depth || !group.count) return SUCCESS;
    comm *c = group.op[0].c;
    usleep((useconds_t)c->late * 1000);
    if (++c->groups == c->fails_at) atomic_store(&c->failed, result = SYSTEM_ERROR);
    else result = group.op[0].stream ? on_stream(group.op, group.count) : run(group.op, group.count);
    free(group.op);
    group.op = NULL;
    group.count = group.room = 0;
    return result;
}

API int ncclSend(const void *p, size_t count, int type, int rank, void *c, void *stream)
{
    if (type != 1) return INVALID_ARGUMENT;
    return add((op){.c = c, .send = 1, .peer = rank, .p = (char *)p, .bytes = count, .stream = stream});
}

API int ncclRecv(void *p, size_t count, int type, int rank, void *c, void *stream)
{
    if (type != 1) return INVALID_ARGUMENT;
    return add((op){.c = c, .peer = rank, .p = p, .bytes = count, .stream = stream});
}

API int ncclBroadcast(const void *from, void *to, size_t count, int type, int root, void *p, void *stream)
{
    comm *c = p;
    int result = SUCCESS;
    if (c->rank != root) return ncclRecv(to, count, type, root, c, stream);
    for (int rank = 0; rank < c->size && !result; rank++)
        if (rank != root) result = ncclSend(from, count, type, rank, c, stream);
    return result;
}
