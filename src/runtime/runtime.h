/* Tiles, tasks and the places that run them. One lock guards all of it; it is given up around everything that may take long:
 * putting transfers on queues, launching, computing, taking memory. Nobody uses a device under it, and a function the driver
 * calls back never waits for it: whatever the driver waits for goes on. */
#ifndef TSL_RUNTIME_H
#define TSL_RUNTIME_H

#include <semaphore.h>
#include <stdio.h>

#include "context/context.h"
#include "runtime/coherence.h"

typedef struct tsl_runtime tsl_runtime;
typedef struct tsl_task tsl_task;
typedef struct tsl_slot tsl_slot;
typedef struct tsl_site tsl_site;
typedef struct tsl_tile tsl_tile;

/* A task that may be over and its memory used again: then the numbers differ. */
typedef struct tsl_task_ref {
    tsl_task *task;
    uint64_t id;
} tsl_task_ref;

typedef struct tsl_reader {
    struct tsl_reader *next;
    tsl_task_ref ref;
} tsl_reader;

/* One tile: a block of at most mb x nb elements. */
struct tsl_tile {
    tsl_line line;
    struct tsl_tiles *of;
    void *data;         /* its storage at home; NULL: taken when first needed there */
    int64_t m, n, ld;
    tsl_event *landed;  /* of the last transfer home; NULL: it is there */
    tsl_device *lander; /* the device whose event that is */
    tsl_task_ref writer;
    tsl_reader *readers; /* since that writer */
    int owner;           /* index of the device it belongs to */
};

/* tiles.c. A tiled matrix's own part; every tile has a row of slots, by space. */
struct tsl_tiles {
    struct tsl_tiles *prev, *next;
    struct tsl_runtime *rt;
    int64_t mb, nb, mt, nt; /* rows and columns of a tile; tiles in a column and in a row */
    tsl_type type;
    int spaces;
    bool wraps; /* the caller's storage: made current whenever the work is waited for, and read again after it was the caller's */
    tsl_tile *tile;
    tsl_slot **slot;
};

enum { TSL_SLOT_SIZES = 64 };

/* Memory for one tile on a device, or on the host for one that lives on a device. */
struct tsl_slot {
    tsl_slot *prev, *next; /* in its site's list: those in use from the least to the most recently used, or the empty ones */
    tsl_device *by;        /* whose queues carry to and from it, and whose its events are: its own, or on the host the home's */
    void *p;
    size_t bytes;
    tsl_tile *tile; /* NULL: empty */
    int pins;       /* tasks and transfers that need it where it is */
    tsl_event *in;  /* when its contents have arrived; `arrives`: it has been recorded */
    tsl_event *out; /* when they have been copied home; `leaves`: it has been recorded */
    bool arrives, leaves;
    bool still;       /* empty since all was last waited for: nothing is on its way to or from it */
    bool leaving;     /* its tile is to go home: it is in its site's list of those, */
    tsl_slot *behind; /* before this one */
};

typedef struct tsl_edge {
    struct tsl_edge *next;
    tsl_task *to;
} tsl_edge;

/* A tile a task uses, once, however many of its operands lie in it. */
typedef struct tsl_use {
    tsl_tile *tile;
    tsl_slot *slot, *source; /* pinned: where it is on the task's site, and where it is copied from */
    bool writes, overwrites; /* overwrites: its old contents do not matter */
    bool here;               /* or on its way, in a queue */
} tsl_use;

/* What the submitter knows of a task: its cost, relative to others; the number of its first column in the caller's operand,
 * from which info counts; how its products are computed; and whether the host's cores are to run it, which must be open then,
 * whoever owns what it writes. */
typedef struct tsl_hints {
    double weight;
    double flops; /* where the context is watched */
    int64_t info_base;
    tsl_products products;
    bool on_cores;
} tsl_hints;

/* A product in place may take so many tiles of a column of its result at once, then as many of its first factor, and one of the
 * second. A task has room for so many uses; where there are more, they are in memory of their own. */
enum { TSL_STRIP = 4, TSL_FEW_USES = 2 * TSL_STRIP + 1 };

/* Uses of a task that is over: they are given back when the lock is not held. */
typedef struct tsl_spent {
    struct tsl_spent *next;
    size_t bytes;
} tsl_spent;

struct tsl_task {
    tsl_call call; /* operands lie in one tile each, or in place */
    uint64_t id;   /* changes when the task is over */
    int64_t deps;  /* tasks it still waits for, and one for being held back until its batch is let go */
    double urgency; /* the length of the longest path from it on, to the end of its batch */
    tsl_hints hints;
    int info_word; /* its call's, of the executor's infos */
    tsl_edge *out;
    tsl_site *site;
    int uses;
    tsl_use *use, few[TSL_FEW_USES];
    size_t many; /* bytes of `use`; 0: it is `few` */
    int executor;
    tsl_notice notice;  /* of its end on a device */
    tsl_status outcome; /* what that said */
    bool spared; /* all kept workspace has been given back for it */
    tsl_task *next, *child; /* in its site's queue; next alone in its lists, and in the batch */
};

static inline bool tsl_at_work(tsl_task_ref r) { return r.task && r.task->id == r.id; }

/* Memory in pieces of one size, given back all at once. */
typedef struct tsl_pool {
    size_t size, held;
    void *free;
    struct tsl_slab *slabs;
} tsl_pool;

typedef struct tsl_heap {
    tsl_task *top;
    int64_t count;
} tsl_heap;

typedef struct tsl_core tsl_core;

typedef struct tsl_list {
    tsl_task *first, *last;
} tsl_list;

/* A place that runs tasks: a device with a memory of its own, served by one thread that keeps its queues filled, or the host's
 * cores, a thread each, which share the host's memory. An executor is a context of its own on the site's
 * device, so that tasks run the same leaves and algorithms as any call. */
struct tsl_site {
    tsl_runtime *rt;
    tsl_device *dev;
    int space;
    int threads, executors, room; /* room: for how many the arrays are */
    pthread_t *thread;
    tsl_context **executor;
    tsl_core *core;
    int *load; /* tasks launched on each executor and not over */
    pthread_cond_t wake; /* cores: there are news */
    pthread_cond_t work; /* cores: there is a task, for one of those that rest */
    uint64_t news;       /* cores: grows with everything they may wait for */
    sem_t bell;          /* device: there are news for its thread, which takes no lock to tell */
    bool rung;           /* atomic: it is to look again */
    tsl_task *ended;     /* atomic: those the device has done with, newest first */
    tsl_heap ready;
    tsl_list fetching;
    tsl_task *done; /* of those that have ended, what it has seen, oldest first */
    int fetched, running;
    tsl_queue *in, *out;
    pthread_t porter;     /* device: sends home what is finished; porter_runs: there is one */
    bool porter_runs;
    pthread_cond_t carry; /* there is something for it: */
    tsl_slot *leaving, *leaving_last; /* oldest first */
    tsl_slot used, empty[TSL_SLOT_SIZES]; /* heads of circular lists; of empty ones, those of 2^i bytes up to the next power, the still ones first */
    size_t loose; /* bytes of the empty ones */
    tsl_slot *spare;      /* without memory */
    size_t held;          /* bytes of all slots */
    bool filling;         /* cores: one of them is taking slots */
    int resting;          /* of its threads */
    double idle, counted; /* seconds they rested while there were unfinished tasks, as counted at that time */
};

/* What exec does for tasks, on operands in an executor's memory: it runs a call, or takes the workspace that will need. */
typedef tsl_status (*tsl_executes)(tsl_context *executor, const tsl_call *c);

struct tsl_runtime {
    tsl_context *x;
    pthread_mutex_t lock;
    pthread_cond_t over; /* something the submitting thread may wait for has changed */
    tsl_executes compute, reserve;
    const tsl_policy *policy;
    tsl_site *site; /* one per device of the context, then one for the host's cores if those have no device there */
    int sites, host_site; /* host_site: whose memory is the host's; -1: none's yet */
    tsl_device host;      /* the host's cores beside devices; host_open: it is in use */
    bool host_open;
    bool in_order; /* ready tasks run in the order of the program, which keeps tiles in use together, not by their urgency */
    int64_t slots; /* tiles a device has room for, where that is not all of them; 0: it is */
    bool closing;
    bool ending;   /* nothing is submitted any more until all tasks are over */
    tsl_status failed; /* first; later tasks pass without being run */
    int64_t unfinished, window;
    int64_t leaving; /* slots the porters have to look at */
    uint64_t submitted;
    tsl_task *batch; /* submitted, not yet let go; the newest first */
    int64_t batched, batch_limit;
    tsl_pool tasks, edges, readers;
    tsl_spent *spent;
    struct tsl_tiles *matrices;
    tsl_counters count, before;
    FILE *graph;
    bool started;
};

/* The lock. Whoever holds it may use no device. */
static inline void tsl_runtime_lock(tsl_runtime *rt)
{
    pthread_mutex_lock(&rt->lock);
    tsl_device_barred++;
}

static inline void tsl_runtime_unlock(tsl_runtime *rt)
{
    tsl_device_barred--;
    pthread_mutex_unlock(&rt->lock);
}

/* runtime.c */
/* Gives back device memory it keeps for later, unless tasks are at work; and how much that is on a device, or for another call
 * by tiles, which may have it meanwhile */
void tsl_runtime_trim(tsl_context *x);
size_t tsl_runtime_kept(const tsl_context *x, const tsl_device *dev, bool by_tiles);
void tsl_runtime_close(tsl_context *x); /* waits for its tasks and closes it, if it was ever opened */
/* opens it when first asked for */
tsl_status tsl_runtime_get(tsl_context *x, tsl_executes compute, tsl_executes reserve, tsl_runtime **rt);
/* Waits for all tasks; wrapped matrices are current, and copies of their tiles stay only if `keep`; the first error, once. */
tsl_status tsl_runtime_finish(tsl_runtime *rt, bool keep);
void tsl_runtime_order(tsl_runtime *rt, bool in_order, int64_t slots); /* of tasks submitted from now on, and the room they have */
tsl_status tsl_runtime_quiet(tsl_runtime *rt);  /* waits for all tasks; the first error so far, which finish tells too */
tsl_status tsl_runtime_host(tsl_runtime *rt);   /* opens the host's cores as a site beside the devices, if they are none yet */
tsl_status tsl_runtime_start(tsl_runtime *rt);  /* tasks will be submitted, under the context's options */

/* site.c */
tsl_status tsl_site_open(tsl_runtime *rt, tsl_device *dev, int space, tsl_site *s);
tsl_status tsl_site_start(tsl_site *s);      /* its threads, once all sites are open that were to be */
void tsl_site_close(tsl_site *s);            /* tolerates one that is only partly open */
tsl_status tsl_site_drain(tsl_site *s);      /* waits for its queues; nothing runs on it */

/* news.c; under the lock, but for the first two */
tsl_site *tsl_site_at(tsl_runtime *rt, int space); /* that keeps the slots of that memory, or carries to and from it */
void tsl_site_ring(tsl_site *s);             /* a device's thread is to look for news; anybody may, with or without the lock */
void tsl_site_wake(tsl_site *s);             /* there are news: a tile, memory, a device's task that is over */
void tsl_site_offer(tsl_site *s);            /* a task is ready: one core is woken, or the device's thread */
/* Waits for something to do; `seen` are the news a core knew of before it looked. A device's thread is told of all since it
 * last rested. */
void tsl_site_rest(tsl_site *s, uint64_t seen);
void tsl_count_idle(tsl_site *s); /* up to now; before the number of its resting threads, or whether there is work, changes */
void tsl_runtime_moved(tsl_runtime *rt);  /* a tile or memory may be there that a task waits for */
/* The submitting thread waits for a change, and tells meanwhile how far the call is; gives up the lock */
void tsl_runtime_await(tsl_runtime *rt);
/* The first failure is kept, TSL_OK is none; what only was cancelled gives way to what has failed */
void tsl_task_failed(tsl_runtime *rt, tsl_status st);
void tsl_tasks_cancelled(tsl_runtime *rt); /* tasks that have not begun are not to, if they have been cancelled */

/* tiles.c */
tsl_status tsl_tiles_make(tsl_runtime *rt, tsl_type type, int64_t m, int64_t n, int64_t mb, int64_t nb, void *data, int64_t ld,
                          int home, struct tsl_tiles **out);
void tsl_tiles_free(struct tsl_tiles *a); /* nothing uses it any more */
tsl_tile *tsl_tile_at(const tsl_view *v); /* the tile the view begins in; an empty one may begin after the last, which is then
                                             taken. NULL: the matrix has none */
bool tsl_in_one_tile(const tsl_view *v); /* an empty one is in none */
bool tsl_in_place(const tsl_view *v); /* its tiles are the caller's own array, on which only cores compute, with all memory they like */
static inline size_t tsl_tile_bytes(const tsl_tile *t) { return tsl_dense_bytes(t->of->type, t->m, t->n); }
/* Of its own memory at home: cores compute there too, and a host library may read a vector along a row by one element too many,
 * which is in the next column */
static inline size_t tsl_tile_storage(const tsl_tile *t) { return tsl_dense_bytes(t->of->type, t->m, t->n + 1); }
/* The leading dimension of a tile in a slot. A row with gaps in a device's memory has gaps elsewhere, too: of elements side by
 * side kernels sum in another order, and where a task runs is not to matter. */
static inline int64_t tsl_slot_ld(const tsl_tile *t)
{
    return t->m == 1 && t->n > 1 && t->ld > 1 && t->line.home != TSL_HOST_SPACE ? 2 : t->m;
}
/* Of a slot for any tile of the matrix: the first is its largest */
static inline size_t tsl_slot_bytes(const tsl_tile *t)
{
    const tsl_tile *first = t->of->tile;
    return tsl_dense_bytes(t->of->type, tsl_slot_ld(first), first->n);
}
static inline tsl_slot **tsl_slot_at(const tsl_tile *t, int space)
{
    return &t->of->slot[(t - t->of->tile) * t->of->spaces + space];
}

/* drawing.c; under the lock. TSL_ERR_FILE after a line for tsl_error: it cannot be written, and no more is drawn. */
tsl_status tsl_drawing_open(tsl_runtime *rt); /* if it is asked for and not open */
void tsl_drawing_task(tsl_runtime *rt, const tsl_task *t);
void tsl_drawing_edge(tsl_runtime *rt, tsl_task_ref from, const tsl_task *to);
tsl_status tsl_drawing_flush(tsl_runtime *rt);
tsl_status tsl_drawing_close(tsl_runtime *rt);

/* porter.c */
void tsl_send_home(tsl_site *s, const tsl_task *t, tsl_slot *slot); /* if what t has written there is finished; under the lock */
void *tsl_porter(void *site);                                       /* a device's thread that does it */

/* graph.c; all under the lock, which submission gives up to wait and to take memory */
tsl_status tsl_submit(tsl_runtime *rt, const tsl_call *c, tsl_hints hints);
void tsl_let_go(tsl_runtime *rt);                 /* the batch may run */
void tsl_task_over(tsl_runtime *rt, tsl_task *t); /* its successors may run; its memory is free */
void tsl_give_back_uses(tsl_runtime *rt);         /* of tasks that are over; gives up the lock meanwhile */

/* pool.c; under the lock, which get may give up. Only the submitting thread gets. */
void *tsl_pool_get(tsl_runtime *rt, tsl_pool *p);
void tsl_pool_put(tsl_pool *p, void *piece);
void tsl_pool_free(tsl_runtime *rt, tsl_pool *p);

/* ready.c: which site runs a task, and which task a site runs next */
void tsl_ready(tsl_runtime *rt, tsl_task *t);
bool tsl_goes_before(const tsl_task *a, const tsl_task *b);
void tsl_ready_again(tsl_site *s, tsl_task *t); /* it has not begun, and others go first */
tsl_task *tsl_next_task(tsl_site *s);

/* slot.c; under the lock, which those that may take long give up for a while */
void tsl_slots_open(tsl_site *s);
void tsl_slots_settle(tsl_site *s); /* nothing is on its way any more */
bool tsl_slots_loose(const tsl_site *s); /* is one of them empty? */
void tsl_slots_close(tsl_site *s); /* nothing uses them, and nobody holds the lock */
/* of nobody, for `by` to carry to; TSL_ERR_DEVICE_MEMORY: all is in use */
tsl_status tsl_slot_get(tsl_site *s, tsl_device *by, size_t bytes, tsl_slot **slot);
void tsl_slot_use(tsl_site *s, tsl_slot *slot, tsl_tile *t);         /* the slot, of nobody, becomes the tile's */
void tsl_slot_touch(tsl_site *s, tsl_slot *slot);                    /* is the most recently used */
void tsl_slot_drop(tsl_site *s, tsl_slot *slot);                     /* becomes empty */
void tsl_slots_release(tsl_site *s, size_t keep);                    /* gives memory of empty slots back */
tsl_status tsl_slots_make_room(tsl_site *s);                         /* gives some memory back, a tile's if need be */

/* fetch.c; under the lock, which all but unfetch may give up for a while */
tsl_status tsl_fetch(tsl_site *s, tsl_task *t, bool *all); /* puts on its way what can be; *all: everything is */
void tsl_unfetch(tsl_task *t);                             /* gives all of it back */
tsl_status tsl_let_sources_go(tsl_site *s);                /* waits for what is on its way, so that its sources are free */
tsl_status tsl_clean(tsl_tile *t);                         /* contents go home, if they are queued elsewhere */
tsl_status tsl_come_home(tsl_tile *t);                     /* the same, and there is storage, whether it has contents or not */
tsl_status tsl_use_after(tsl_queue *q, const tsl_use *u);  /* work put on q from now on finds the tile there; not under the lock */
tsl_status tsl_release(tsl_site *s, tsl_task *t);          /* the task is done: what the policy says of its tiles */

/* worker.c: a device's thread; and what it shares with the cores', under the lock */
void *tsl_device_worker(void *site);
/* The task's call on the tiles as they lie in this site's memory. The matrices must outlive the call's submission only. */
tsl_call tsl_local_call(const tsl_site *s, tsl_context *e, const tsl_task *t, tsl_matrix mat[TSL_MAX_OPERANDS]);
tsl_status tsl_reserve_at(tsl_site *s, tsl_context *e, bool busy, const tsl_call *c);
/* Idle executors but one give back the workspace they keep for later. True: there was some. */
bool tsl_spare_workspace(tsl_site *s, const tsl_context *but);
/* Of this site's slots: does somebody other than t keep one where it is? is one free to go? */
void tsl_survey(const tsl_site *s, const tsl_task *t, bool *kept, bool *loose);

/* cores.c */
struct tsl_core {
    tsl_site *site;
    int index;
};
void *tsl_core_worker(void *core);

#endif
