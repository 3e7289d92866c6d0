/* The device interface: memory, queues, events and copies. Backends: host/ (worker threads) and cuda/ (streams).
 * Nothing here knows mathematics. */
#ifndef TSL_DEVICE_H
#define TSL_DEVICE_H

#include <pthread.h>
#include <stdbool.h>

#include "core/leaf.h"
#include "core/log.h"
#include "core/private.h"
#include "tesela.h"

typedef struct tsl_device tsl_device;
typedef struct tsl_queue tsl_queue; /* each backend's own struct starts with tsl_queue_head */
typedef struct tsl_event tsl_event; /* opaque to all but the backend */

typedef enum tsl_direction { TSL_TO_DEVICE, TSL_TO_HOST, TSL_PEER } tsl_direction;

/* Messages between the devices of several processes, in order on queues of theirs: by NCCL or, of threads, by near.c. A channel
 * joins one device of each. */
typedef struct tsl_channel {
    void *comm;  /* the fabric's; NULL: not open */
    int ordinal; /* of the device here */
    /* Asked now and then while an exchange waits for other ends: is it to be given up? NULL: it waits for ever. */
    bool (*ends)(void *asks);
    void *asks;
} tsl_channel;

typedef struct tsl_ticket { char bytes[128]; } tsl_ticket; /* the same at all ends of a channel: they open it by this */

typedef enum tsl_post_way { TSL_SEND, TSL_RECEIVE, TSL_BROADCAST } tsl_post_way;

typedef struct tsl_channel_message {
    tsl_post_way way;
    void *p;
    size_t bytes;
    int rank; /* on the channel: to, from, or whose it is */
} tsl_channel_message;

typedef struct tsl_fabric {
    /* Is its library here? Then *place is what no two ends of a channel may share; "": they may share everything. */
    bool (*there)(const tsl_device *dev, char *place, size_t size);
    tsl_status (*ticket)(tsl_ticket *t);
    void (*drop)(const tsl_ticket *t); /* by who made it, when all have opened or some never will; NULL: nothing to do */
    tsl_status (*open)(const tsl_device *dev, const tsl_ticket *t, int rank, int size, tsl_channel *ch); /* all ends together */
    void (*close)(tsl_channel *ch, bool broken); /* the same; broken: each by itself, and what is under way is given up */
    /* All of them at once, ordered on q. Every end hands over the same broadcasts in the same order; what one sends to another
     * is received there in that order. */
    tsl_status (*exchange)(const tsl_channel *ch, tsl_queue *q, const tsl_channel_message *message, int count);
    tsl_status (*check)(const tsl_channel *ch); /* has anything gone wrong with what is under way? */
} tsl_fabric;

/* Whom to call; the caller's own, until it has been called. */
typedef struct tsl_notice {
    void (*fn)(void *arg, tsl_status st);
    void *arg;
} tsl_notice;

typedef struct tsl_backend {
    const char *name;
    const tsl_kernel_entry *const *kernels;
    const tsl_batch_entry *const *batches;
    const tsl_fabric *fabric;
    bool accelerator; /* a processor of thousands of threads beside the host: it wants large blocks, and products rather than solves */

    void (*libraries)(char *text, size_t size); /* what it stands on, with versions, a line each */
    int64_t (*counts_to)(void); /* the largest leading dimension or increment its kernels can take; NULL: any */
    int (*count)(void); /* real processors; 0 when the driver or its libraries are not there */
    tsl_status (*open)(tsl_device *dev);
    void (*close)(tsl_device *dev);
    tsl_status (*alloc)(tsl_device *dev, size_t bytes, void **p);
    void (*release)(tsl_device *dev, void *p);
    bool (*owns)(const tsl_device *dev, const void *p); /* does p point into memory this device computes on? */

    /* priority 0 is ordinary, 1 is urgent; adopt: a native queue (cudaStream_t) to use and not destroy */
    tsl_status (*queue_open)(tsl_device *dev, int priority, void *adopt, tsl_queue **q);
    void (*queue_close)(tsl_queue *q);
    tsl_status (*queue_wait)(tsl_queue *q); /* waits; returns the queue's first error and forgets it */
    void *(*queue_native)(tsl_queue *q);
    /* Order, by e, between q and a native queue of somebody else's on the same device: what is on the one now goes before what
     * is put on the other from now on. */
    tsl_status (*queue_after)(tsl_queue *q, void *native, tsl_event *e);
    tsl_status (*queue_before)(tsl_queue *q, void *native, tsl_event *e);
    /* From here on work on q leaves so many of the device's multiprocessors to urgent queues, where it can be parted; 0: it has
     * all of them again. In the same order, by e. NULL: it always has. */
    tsl_status (*queue_leave_room)(tsl_queue *q, int spare, tsl_event *e);
    /* Makes and loads what work on q would need at its first use, when other work is in flight and waited for. */
    tsl_status (*prepare)(tsl_queue *q);

    tsl_status (*event_open)(tsl_device *dev, tsl_event **e);
    void (*event_close)(tsl_device *dev, tsl_event *e);
    tsl_status (*event_record)(tsl_queue *q, tsl_event *e);
    tsl_status (*event_after)(tsl_queue *q, tsl_event *e); /* work put on q from now on waits for e's last record */
    tsl_status (*event_wait)(tsl_event *e); /* the caller waits for e's last record */
    bool (*event_reached)(tsl_event *e); /* would that return at once? */
    tsl_status (*event_elapsed)(tsl_event *from, tsl_event *to, double *seconds); /* waits for both */

    /* rows x cols bytes, column pitches in bytes; ordered on q */
    tsl_status (*copy2d)(tsl_queue *q, void *dst, size_t dst_pitch, const void *src, size_t src_pitch, size_t rows, size_t cols,
                         tsl_direction dir);
    tsl_status (*clear)(tsl_queue *q, void *p, size_t bytes); /* zeros, ordered on q; NULL: they are copied */
    /* numbers of the device's, which are there when it returns; NULL: they are copied, and q is waited for */
    tsl_status (*read)(tsl_queue *q, void *to, const void *from, size_t bytes);
    /* memory of the host's, zeros, that kernels read and write while they run; NULL: kernels and host see the same memory */
    tsl_status (*shared_open)(tsl_device *dev, size_t bytes, void **p);
    void (*shared_close)(tsl_device *dev, void *p);
    /* do kernels on another device of this backend see what is allocated on this one? */
    bool (*seen_by)(const tsl_device *dev, int ordinal);
    tsl_status (*launch)(tsl_queue *q, tsl_kernel fn, const tsl_leaf *l);
    /* Once the work put on q so far is done, or has failed, some thread calls n->fn(n->arg, the queue's error if it is known).
     * Later work on q does not wait for that. The thread may be the driver's: fn must not use a device, nor wait for anybody
     * who does. */
    tsl_status (*notify)(tsl_queue *q, const tsl_notice *n);
} tsl_backend;

struct tsl_device {
    const tsl_backend *be;
    int index;        /* in its context; -1: the cores beside its devices */
    int ordinal;      /* which real processor */
    bool is_virtual;
    bool shares_host; /* computes on the host's memory: nothing to copy */
    size_t limit;
    size_t used, peak; /* atomic: by __atomic built-ins, since CUDA sources read this header as C++ */
    size_t total;
    char name[96];
    tsl_allocator allocator; /* host memory of the library, and device memory if hooked is set */
    bool hooked;
    pthread_mutex_t lock;
    struct tsl_block_record *blocks; /* what is allocated and not released: the topmost */
    void *state;                     /* the backend's */
    int queues;                      /* opened so far; atomic, as above */
    int trace;                       /* its number in the trace */
};

/* The number of shapes in which the device's kernel of the operation is compiled, if there are several: they are counted from 1
 * on. */
static inline int tsl_shapes(const tsl_device *dev, tsl_opcode op, tsl_type t)
{
    int (*shapes)(tsl_type t) = dev->be->kernels[op]->shapes;
    return shapes ? shapes(t) : 0;
}

typedef struct tsl_queue_head {
    tsl_device *dev;
    int track;         /* its row in the trace: a number of its own among the device's queues */
    bool inline_calls; /* host: run on the caller's thread once the queue is empty */
    bool tasks;        /* host: of an executor */
} tsl_queue_head;

static inline tsl_queue_head *tsl_head(tsl_queue *q) { return (tsl_queue_head *)q; }

/* How a backend begins a queue's head. */
static inline void tsl_head_open(tsl_queue_head *head, tsl_device *dev)
{
    head->dev = dev;
    head->track = __atomic_fetch_add(&dev->queues, 1, __ATOMIC_RELAXED);
}

/* device/memory.c: the limit, the accounting and the allocator hook around the backend's alloc and release */
tsl_status tsl_device_open(tsl_device *dev);
void tsl_device_close(tsl_device *dev);
size_t tsl_device_room(const tsl_device *dev); /* bytes it may hold: its limit, or nearly all there is; of the host's, a part */
bool tsl_device_holds(const tsl_device *dev, const void *p); /* is p inside a block of tsl_device_alloc? */
TSL_PRIVATE tsl_status tsl_device_alloc(tsl_device *dev, size_t bytes, void **p);
tsl_status tsl_device_alloc_beside(tsl_device *dev, size_t bytes, void **p); /* not counted: what results depend on does not depend on the limit */
TSL_PRIVATE void tsl_device_release(tsl_device *dev, void *p);
/* memory.c: so many bytes, and memory after them that a host library may read: OpenBLAS's gemv reads several columns past a
 * panel, its dot one element past a vector, which along a row is in the next column. An eighth of the bytes, as panels have 32
 * columns or more, up to what four columns of a large matrix take; and `least`, for what has few columns. */
size_t tsl_with_margin(size_t bytes, size_t least);
void *tsl_host_alloc(const tsl_allocator *a, size_t bytes); /* zeroed; NULL when there is none */
void tsl_host_free(const tsl_allocator *a, void *p, size_t bytes);

/* device/guard.c: how many locks the calling thread holds under which nobody may use a device, and how often somebody did.
 * Every entry of a backend asks first; builds with assertions stop there. */
extern __thread int tsl_device_barred;
extern long tsl_device_intrusions; /* atomic, as above */
void tsl_device_intruded(void);
extern __thread bool tsl_own_thread; /* the calling thread is one of the library's that call an allocator of the caller's */
static inline void tsl_device_entry(void)
{
    if (__builtin_expect(tsl_device_barred, 0)) tsl_device_intruded();
}

/* device/host/threads.c */
void tsl_blas_hold(void); /* a runtime is about to have tasks; */
void tsl_blas_let_go(void); /* it has none any more */
/* Around every leaf of the host's. A task's finds OpenBLAS with one thread, any other with as many as the caller lets it have,
 * whatever else the process does. What begin returns is for end; TSL_REFUSED: the program has ended, there is no leaf and no
 * end of it. */
enum { TSL_HAS_TURN = -1, TSL_REFUSED = -2 };
int tsl_blas_begin(bool task);
void tsl_blas_end(int begun);
/* From begin to end this thread is at something, as a context. wait returns when nobody is at it any more who was when it was
 * called. */
int tsl_busy_begin(const void *what);
void tsl_busy_end(int begun);
void tsl_busy_wait(const void *what);
/* A leaf on which this thread is busy already, unless leaves are attended (others take turns, or wait for them); for
 * tsl_blas_end */
int tsl_blas_begin_at(int begun);
bool tsl_leaves_attended(void);
void tsl_pause(void); /* for a moment, before one looks again */
/* Around a question to the library below, as for workspace: it waits for nobody's turn, but it is ours as a leaf is. */
void tsl_blas_asks(bool begins);
TSL_PRIVATE bool tsl_in_leaf(void); /* is this thread between two of these, or does it try the host library? */
void tsl_blas_fork(tsl_fork_step step);
/* Where this thread counts what all count: a slot below TSL_COUNTERS, the same all along. The first threads of a process have
 * one each, and need no atomic addition there; later ones share. */
enum { TSL_COUNTERS = 64, TSL_OWN_COUNTERS = 48 };
unsigned tsl_thread_slot(void);
static inline bool tsl_slot_is_own(unsigned slot) { return slot < TSL_OWN_COUNTERS; }
int tsl_blas_cores(void); /* cores we may use: as many as the caller lets OpenBLAS have */

/* device/thread_pool.c: part(job, k) for all k below parts, by all cores together. Any thread may call; there is one job at a
 * time. While another is at work `work` waits for it, and `try` returns false. */
typedef void (*tsl_thread_pool_part)(const void *job, size_t k);
void tsl_thread_pool_left(void); /* in a child of a fork: its threads are the parent's */
void tsl_thread_pool_work(tsl_thread_pool_part part, const void *job, size_t parts);
bool tsl_thread_pool_try(tsl_thread_pool_part part, const void *job, size_t parts);
/* device/thread_pool_move.c: copies rows x cols bytes of host memory, column pitches in bytes */
void tsl_thread_pool_move(char *dst, size_t dst_pitch, const char *src, size_t src_pitch, size_t rows, size_t cols);
/* y := x, n elements of 4, 8 or 16 bytes that are so many bytes apart, where the caller lets us have several cores and they are
 * not at work; false: nothing was done */
TSL_PRIVATE bool tsl_thread_pool_copy(int64_t n, size_t size, const void *x, int64_t x_step, void *y, int64_t y_step);

/* device/spec.c: a device specification as a list of devices, not yet opened */
typedef struct tsl_device_spec {
    const tsl_backend *be;
    int ordinal;
    bool is_virtual, shares_host;
    size_t limit;
} tsl_device_spec;

/* Reads `text` (NULL: all GPUs, else the host) into at most `max` entries; *count gets how many there are.
 * On failure `detail` gets one line about it. */
tsl_status tsl_parse_devices(const char *text, tsl_device_spec *out, int max, int *count, char *detail, size_t detail_size);

/* device/backend.c: the backends of this build; NULL ends the list */
extern const tsl_backend *const tsl_backends[];
extern const tsl_backend tsl_host_backend;
/* device/host/task.c: called around each task that may touch the memory of virtual host devices; set by a test that guards it,
 * before there is a context; NULL: nobody does */
TSL_PRIVATE extern void (*tsl_host_fence)(bool begins);
/* device/host/backend.c: its kernels, by opcode: registered by kernel/host/table.c when the library starts */
extern const tsl_kernel_entry *tsl_host_kernels[TSL_OP_COUNT];
extern const tsl_batch_entry *tsl_host_batches[TSL_OP_COUNT];

#endif
