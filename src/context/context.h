/* The context: devices, lanes, options, workspace, counters, errors; and the matrices that belong to it. */
#ifndef TSL_CONTEXT_H
#define TSL_CONTEXT_H

#include <pthread.h>
#include <stdbool.h>

#include "core/log.h"
#include "core/matrix.h"
#include "core/numbers/products.h"
#include "device/device.h"
#include "tesela.h"

/* matrix.c: the table of the first distributed operand of a call; NULL: there is none. An invalid view does not say what it was
 * to be a view of. So a call of which no operand has a matrix is, in a context with distributed matrices, taken for one on
 * those: the other processes, whose views are good, must hear of it. */
const tsl_remote_ops *tsl_remote_of(const tsl_context *x, const tsl_call *c);

/* matrix.c: a description of the caller's array for the length of one call; nothing is allocated. */
tsl_matrix tsl_borrow(tsl_context *x, tsl_type t, int64_t m, int64_t n, const void *data, int64_t ld);

/* arena.c. Workspace is a stack of device memory per lane: an operation takes what it needs and gives all of it back when it
 * returns. The next operation on the same lane may reuse it at once because the lane is ordered. */
typedef struct tsl_chunk {
    struct tsl_chunk *next;
    char *base;
    size_t size, top;
} tsl_chunk;

typedef struct tsl_arena {
    tsl_device *dev;
    tsl_chunk *first, *current; /* current: what is taken from now; NULL: nothing is in use */
    size_t held;
    bool dry;  /* counts what is asked for, and gives nothing */
    bool busy; /* work on the lane may still use it: reserve must not exchange it for a larger one */
    size_t dry_top, dry_peak;
} tsl_arena;

typedef struct tsl_mark {
    tsl_chunk *chunk;
    size_t top;
} tsl_mark;

#define TSL_WORKSPACE_ALIGN ((size_t)256) /* of all that is taken */

tsl_status tsl_arena_get(tsl_arena *a, size_t bytes, void **p);
bool tsl_arena_has(const tsl_arena *a, size_t bytes);     /* in one piece */
tsl_mark tsl_arena_mark(const tsl_arena *a);
void tsl_arena_back(tsl_arena *a, tsl_mark m);
tsl_status tsl_arena_reserve(tsl_arena *a, size_t bytes); /* nothing is taken: the next `bytes` will be there */
void tsl_arena_trim(tsl_arena *a, size_t keep); /* only when the lane is idle and all is given back */
void tsl_arena_strip(tsl_arena *a, size_t keep, tsl_chunk **taken); /* the same, but what it loses goes before *taken */
void tsl_chunks_release(tsl_device *dev, tsl_chunk *c);

/* Two lanes of execution on one device: the main one and one for work on the critical path. */
typedef enum tsl_lane_id { TSL_MAIN, TSL_AHEAD, TSL_LANES } tsl_lane_id;

typedef struct tsl_lane {
    tsl_queue *q;
    tsl_event *point;
    tsl_arena arena;
} tsl_lane;

#define TSL_MAX_DEVICES 63 /* and the host: a tile's directory has a bit for each memory (runtime/coherence.h) */
#define TSL_MAX_TEMPS 32
#define TSL_INFOS 32

/* exec/info.c: outcomes (info) of the calls in a region, or of the one at work by tiles */
typedef struct tsl_outcomes {
    int calls;               /* that have a word, in the order of the program */
    int64_t told[TSL_INFOS]; /* those of calls that were not cut into tasks; of the others 0, their words are with the executors */
    int64_t first;           /* of calls before these, whose words were taken again, the first outcome that is not 0 */
} tsl_outcomes;

/* The account of option "watch" (watch.c), in flops. Notices on the main lane tell when leaves have ended; tasks tell it
 * themselves. */
enum { TSL_MARKS = 64 };
typedef struct tsl_watch {
    bool on;    /* there is an account: the option says so, or there is somebody to tell */
    bool asked; /* the option */
    int (*tell)(void *user, double done, double total);
    void *user;
    int64_t told; /* what was done then */
    int64_t due;  /* atomic: when so much is done he is to be told again */
    bool telling; /* he is being told, by the thread that has the context's lock */
    int64_t total, launched, done; /* atomic */
    int64_t call;                  /* the present call's part of the total */
    int64_t unmarked;              /* launched since the last mark */
    struct tsl_mark_ahead {
        tsl_notice notice;
        struct tsl_watch *of;
        int64_t flops;
        bool taken; /* atomic */
    } mark[TSL_MARKS];
} tsl_watch;

/* What goes with one call: the caller's own, a task, a dry run of either, or a part that an algorithm asks for. It is a value
 * of whoever makes the call, and begins as that of the call around it is (tsl_run_begin); the context knows the one at
 * work. */
typedef struct tsl_one_run {
    struct tsl_one_run *outer; /* of the call around it; NULL: the context's own, outside any call */
    const tsl_call *cut;   /* the call that the algorithm at work cuts; NULL: there is none */
    tsl_status (*algorithm)(tsl_context *x, const tsl_call *c); /* which, if this is its run */
    int level;             /* 0 outside any operation, 1 in one the caller made, deeper in those its algorithm makes */
    int composites;        /* those at work; see tsl_depth */
    tsl_status failed;     /* first error so far; later operations of the caller's call do nothing */
    tsl_lane_id lane;
    tsl_products products; /* how they are computed */
    bool dry;              /* calls launch nothing: they only find out what workspace they need */
    bool frugal;           /* memory is short: leaves take no more than their limit */
    bool skips;            /* of a batch: problems that have an outcome are left alone from here on */
    bool takes_pivots;     /* the caller's call has pivots that it did not make itself */
    bool by_tiles;         /* it is cut into tasks, */
    bool on_cores;         /* and in a step for the host's cores */
    int64_t slots;         /* of it: tiles a device has room for; 0: for all */
    size_t task_room;      /* of it: bytes that every device has for one of its tasks */
    struct tsl_dry_run *dry_run; /* tiled/room.c: tasks are not submitted, only weighed; NULL: they are submitted */
    int64_t *info;            /* on the first device: the outcome of the caller's call, of a batch one of each problem; */
    bool fresh;               /* and they have not been set to 0 yet (tsl_info_clear) */
    const tsl_matrix *origin; /* it counts columns of this matrix from column origin_at */
    int64_t origin_at;
    const tsl_context *heeds; /* with which it is cancelled; NULL: its own context, which for a task is nobody */
} tsl_one_run;

struct tsl_context {
    tsl_handle handle;
    pthread_mutex_t lock; /* held for the length of a public call; see tsl_enter */
    tsl_context *outer;   /* in whose call its thread is besides; NULL: in no other */
    int depth;            /* calls on it, one inside the other, of the thread that has the lock */
    int callers;          /* atomic: those inside, or before the lock, or in a small call that has to wait */
    bool cancelled;       /* atomic: the call at work, or the region, is to end (watch.c) */
    bool ending;          /* atomic: it is being destroyed, or the program ends */
    bool orphans;         /* under the lock: the storage of its matrices is gone, */
    bool ended;           /* and it is there only for them */
    bool visited;         /* at the end of the program; under the lock of alive.c */
    tsl_matrix *matrices; /* that the caller has not freed */
    tsl_one_run *run;     /* of the call at work, or `rest` */
    tsl_one_run rest;     /* outside any call */
    bool follows;         /* the main lane waits for a stream of the caller's, or has: no queue of tiles does */
    bool exposed;         /* the main lane is a stream of the caller's, or he was given it: he may put work there too */
    tsl_status pending;   /* first error of work that ran after its call had returned; for tsl_wait */
    char detail[TSL_DETAIL];

    tsl_allocator allocator;
    tsl_device *devices;
    int device_count, device_capacity;
    size_t workspace_limit;

    tsl_device *dev;           /* where calls compute: the first device */
    tsl_lane lanes[TSL_LANES]; /* on it */
    tsl_event *timer[2];

    void *result;             /* on the first device: the value of a reduction, at most one scalar */
    int64_t *infos;           /* there too: TSL_INFOS outcomes, for an executor, which has tasks of several calls; info is one */
    int64_t *fault;           /* the word behind them, or the host's: not 0, a kernel has met a pivot that is no row */
    bool faults;              /* one has been launched that may say so */

    void *host_block;         /* the host's memory for blocks of a device that its cores compute; NULL: none yet */
    size_t host_bytes;
    char *numbers;            /* the host's memory for numbers that algorithms look at, a stack; NULL: none yet */
    size_t numbers_bytes, numbers_used, numbers_need; /* its size; what is in use; what a dry run has come to */
    int holds;                /* workspace is for calls yet to come, and not given back between them */
    size_t host_need;         /* of that, what the steps on the host's cores need which a dry run has come to */

    tsl_matrix temp[TSL_MAX_TEMPS + 1]; /* of the blocked algorithms at work, as a stack; and one of no elements */
    int temps;

    struct tsl_runtime *runtime; /* runtime/runtime.h: of tiled matrices; NULL: none has been used yet */
    struct tsl_tiled_temps *tiled_temps; /* tiled/temp.c: of the call at work */
    bool region;                 /* between tsl_begin and tsl_wait tiled calls only submit */
    tsl_status region_failed;    /* the first error of what was submitted in it; for tsl_wait */
    tsl_outcomes outcomes;
    char policy[16], dist[8], path[8], diag_on[8]; /* options of it */
    char graph[TSL_DETAIL]; /* file for the task graph; "": none */
    tsl_context *parent;         /* of an executor: whose tables it uses; NULL: a context of the caller's */

    tsl_watch watch;

    double deadline; /* seconds a wait for other processes may last; 0: for ever */
    int64_t tile;
    int shape; /* of the kernels of the caller's own calls; 0: as the tables say */
    char variant[16];
    struct tsl_tables *tune; /* tune/tune.h: read once, when the context is made */
    tsl_counters count;

    /* Small calls may go straight to their leaves (api/small.c), from several threads at once: all of these are atomic. */
    bool small;
    int64_t small_info; /* the outcome of the last call that has one, if it went so; 0 after a batch; -1: *info has it */
    struct { int64_t count; char apart[120]; } small_launches[TSL_COUNTERS]; /* a thread counts in its slot: no two wait for a line */
    int64_t launches_before; /* of these, when the counters were last reset; under the lock */
};

/* Of a call inside the one at work, until its end; where that is a part, what it has found out holds for those after it. */
static inline void tsl_run_begin(tsl_context *x, tsl_one_run *run)
{
    *run = *x->run;
    run->outer = x->run;
    run->algorithm = NULL;
    x->run = run;
}
static inline void tsl_run_end(tsl_context *x) { x->run = x->run->outer; }
static inline void tsl_part_end(tsl_context *x)
{
    const tsl_one_run *part = x->run;
    x->run = part->outer;
    x->run->failed = part->failed, x->run->frugal = part->frugal, x->run->skips = part->skips, x->run->fresh = part->fresh;
}

/* The level as choices see it, where the operations of a composite count as the caller's own. */
static inline int tsl_depth(const tsl_context *x) { return x->run->level - x->run->composites; }

#define TSL_DEFAULT_WORKSPACE ((size_t)1 << 30)

/* word.c: a few bytes between the host and x->dev, on the main lane, for a caller who waits for them: where the memory is the
 * same his thread copies them, once all before is done, and no queue's thread has to wake. No other thread may use the lane. */
tsl_status tsl_copy_word(tsl_context *x, void *to, const void *from, size_t bytes, tsl_direction dir);
/* word.c: zeros there, in the order of the main lane; at most TSL_INFOS + 1 words */
tsl_status tsl_clear_words(tsl_context *x, void *words, size_t bytes);
/* word.c: numbers from the device, which are there when it returns; the error of the main lane is its own */
tsl_status tsl_fetch_words(tsl_context *x, void *to, const void *from, size_t bytes);
/* word.c: the same, and waits for all lanes; their first error, once */
tsl_status tsl_read_word(tsl_context *x, void *to, const void *from, size_t bytes);
/* word.c: a block of so many bytes has been moved */
void tsl_count_move(tsl_counters *n, tsl_direction dir, size_t bytes);

/* alive.c: it is there from now on; and its end: false, there is none such (it has ended, or is that of a process we were
 * forked from), and nothing may be done to it */
void tsl_alive(tsl_handle *h, tsl_context *context);
bool tsl_ends(tsl_handle *h);
bool tsl_is_alive(const tsl_handle *h);
/* A context's handle is its address. One who looks for it without a lock is busy with it beforehand (tsl_busy_begin): then it
 * is not freed until he has done, or holds it. */
enum { TSL_LIVE = 1024 };
extern tsl_context *tsl_live[TSL_LIVE]; /* atomic: one of the contexts of each row */
static inline unsigned tsl_live_row(const void *h) { return (unsigned)((uintptr_t)h / 64 * 0x9e3779b97f4a7c15u >> 54); }
static inline bool tsl_lives(const tsl_context *x)
{
    return __atomic_load_n(&tsl_live[tsl_live_row(x)], __ATOMIC_SEQ_CST) == x || tsl_is_alive((const tsl_handle *)x);
}
/* Its memory stays until it is let go. */
static inline void tsl_hold(tsl_context *x) { __atomic_fetch_add(&x->callers, 1, __ATOMIC_ACQ_REL); }
static inline void tsl_let(tsl_context *x) { __atomic_fetch_sub(&x->callers, 1, __ATOMIC_ACQ_REL); }
tsl_status tsl_why_gone(const tsl_context *x); /* TSL_ERR_PROCESS, it is that of a process we were forked from; else TSL_ERR_CONTEXT */
tsl_context *tsl_next_alive(void); /* one that has not been visited, held; NULL: all have been */
/* alive.c: a GPU has been opened. A process that is forked later cannot use GPUs: */
void tsl_gpus_used(void);
bool tsl_gpus_left_behind(void);
void tsl_default_fork(tsl_fork_step step); /* default.c */
/* default.c: the default context, if it has been made; and the same, made if it has not. What makes it is registered by
 * src/api. Before that nobody can have a matrix: an operation on views is refused. */
extern tsl_context *tsl_the_default; /* atomic */
extern tsl_status (*tsl_make_default)(tsl_context **ctx);
static inline tsl_context *tsl_default_there(void) { return __atomic_load_n(&tsl_the_default, __ATOMIC_ACQUIRE); }
tsl_status tsl_default_get(tsl_context **ctx);
/* alive.c: what its handlers of forks do. Handlers registered during a fork are not called; a late loader calls this instead.
 * Where they are called too, before or after, it is done once. */
TSL_PRIVATE void tsl_fork(tsl_fork_step step);

/* matrix.c: a batch of a typed call */
tsl_matrix tsl_borrow_batch(tsl_context *x, tsl_type t, int64_t count, const tsl_array *v);
/* matrix.c: the matrix, allocated with its context's allocator and described, is the caller's from now on; under the lock */
void tsl_matrix_keep(tsl_matrix *A);

/* context.c: a context with its devices and lanes, of which tuning tables are yet to be read */
tsl_status tsl_context_open(const tsl_config *cfg, tsl_context **out);
tsl_status tsl_context_give_up(tsl_context *x, tsl_status st); /* the end of one whose making has failed; st, with a line about it */
void tsl_context_close(tsl_context *x);                        /* gives back all but the context itself */
void tsl_context_forget(tsl_context *x);                       /* that too: the last of its matrices is gone */
/* context.c. A call on a context: NULL becomes the default one; is it there, and this process's? Then its lock is taken. A call
 * inside another of the same thread only counts. */
tsl_status tsl_enter(tsl_context **x);
tsl_status tsl_leave(tsl_context *x, tsl_status st);  /* gives it back; returns st */
void tsl_enter_own(tsl_context *x);                               /* the same of one that nobody destroys meanwhile, as an executor */
bool tsl_try_enter(tsl_context *x, int seconds);                  /* the same, if its lock is to be had in that time */
bool tsl_is_called(void);                                         /* is this thread inside a call on any? */
bool tsl_is_inside(const tsl_context *x);                         /* or on this one? */
tsl_status tsl_refuse_context(const tsl_context *x);              /* it is not there: why, with a line about it */
tsl_status tsl_drain(tsl_context *x);                 /* waits for all lanes; their first error */
tsl_status tsl_drain_rest(tsl_context *x);            /* the same, when the main one has been waited for */
void tsl_numbers_free(tsl_context *x);                /* nobody uses them */
void tsl_keep_little(tsl_context *x);                 /* of workspace, as much as the caller lets us; nothing is at work */
void tsl_trim_workspace(tsl_context *x);              /* waits, and gives back all workspace */
/* A context for the runtime on one device of x: own lanes and workspace, the same tables and allocator. */
tsl_status tsl_executor_open(tsl_context *x, tsl_device *dev, tsl_context **e);
/* The same for dry runs only: without queues, and it takes no memory of the device. */
tsl_status tsl_executor_open_dry(tsl_context *x, tsl_device *dev, tsl_context **e);
void tsl_executor_close(tsl_context *e);
/* Keeps a line about what went wrong, for the context (NULL: there is none) and for the calling thread; returns st. */
TSL_PRIVATE tsl_status tsl_fail(tsl_context *x, tsl_status st, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* watch.c: of a context that is watched: a call of so many flops begins; a leaf of so many is on the main lane; a task of so
 * many was submitted; one has ended (any thread); and all that was launched has been waited for */
void tsl_watch_call(tsl_context *x, double flops);
void tsl_watch_leaf(tsl_context *x, double flops);
void tsl_watch_submitted(tsl_context *x, double flops);
void tsl_watch_task(tsl_context *x, double flops);
void tsl_watch_settle(tsl_context *x);
void tsl_watch_option(tsl_context *x, bool on);
void tsl_watch_by(tsl_context *x, int (*tell)(void *user, double done, double total), void *user);
/* watch.c, on the thread that made the call: whoever wants to know of its progress is told, if there is some, or if it is over;
 * and he is told while the notices that are under way arrive */
void tsl_watch_tell(tsl_context *x, bool over);
bool tsl_watch_due(const tsl_context *x); /* would he be? Any thread may ask */
void tsl_watch_rest(tsl_context *x);
/* watch.c: a call of the caller's begins: what was cancelled before is over, but for a region. Is the present one to end? Any
 * thread may ask. */
void tsl_cancel_none(tsl_context *x);
static inline bool tsl_is_cancelled(const tsl_context *x) { return __atomic_load_n(&x->cancelled, __ATOMIC_RELAXED); }
/* The same of what the call's own thread is at, which may be a problem that an executor has */
static inline bool tsl_is_to_end(const tsl_context *x) { return tsl_is_cancelled(x->run->heeds ? x->run->heeds : x); }

/* context.c: after the devices are open, or an option is set: may small calls go straight to their leaves (api/small.c)? */
void tsl_small_allow(tsl_context *x);

#endif
