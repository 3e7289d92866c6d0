/* What is alive in this process: contexts, matrices and grids. Whoever ends one asks here first, so an end too many is no harm;
 * and a process that was forked knows here what is its parent's.
 *
 * The tables are of addresses alone: a handle that is looked for is not read. */
#include <stdint.h>

#include "context/context.h"
#include "hostlib/routines.h"

enum { ROWS = TSL_LIVE };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static tsl_handle *row[ROWS];
static tsl_handle *behind; /* contexts of a process this one was forked from; as nobody ends them they can be read */
tsl_context *tsl_live[ROWS];
static bool gpus, gpus_were; /* opened in this process; or in one it was forked from */
static __thread int forking; /* this thread is, and holds the locks: how many of its handlers have said so */

static tsl_handle **row_of(const tsl_handle *h) { return &row[tsl_live_row(h)]; }

static void before_fork(void)
{
    if (forking++) return;
    tsl_default_fork(TSL_FORK_BEFORE);
    tsl_blas_fork(TSL_FORK_BEFORE);
    tsl_trace_fork(TSL_FORK_BEFORE);
    pthread_mutex_lock(&lock);
}

static void after_fork(tsl_fork_step step)
{
    pthread_mutex_unlock(&lock);
    tsl_trace_fork(step);
    tsl_blas_fork(step);
    tsl_default_fork(step);
}

static void in_parent(void)
{
    if (--forking == 0) after_fork(TSL_FORK_PARENT);
}

/* The parent's threads and devices are not here: its contexts answer with a status, and the end of anything of its own does
 * nothing. */
static void in_child(void)
{
    if (--forking) return;
    for (int r = 0; r < ROWS; ++r) {
        for (tsl_handle *h = row[r], *next; h; h = next) {
            next = h->next;
            if (!h->context) continue;
            h->next = behind;
            behind = h;
        }
        row[r] = NULL;
        tsl_live[r] = NULL;
    }
    gpus_were |= gpus;
    gpus = false;
    tsl_thread_pool_left();
    after_fork(TSL_FORK_CHILD);
}

/* Before anybody takes one of the locks: a fork that began earlier would leave it taken in the child. And after the host
 * library has registered its own handlers, which end its threads: those that come later run first, and wait for the leaves that
 * use these. */
__attribute__((constructor)) static void watch_forks(void)
{
    (void)tsl_hostlib_fill();
    (void)pthread_atfork(before_fork, in_parent, in_child);
}

void tsl_fork(tsl_fork_step step)
{
    (step == TSL_FORK_BEFORE ? before_fork : step == TSL_FORK_PARENT ? in_parent : in_child)();
}

/* The first context of the row is found without the lock. */
static void show(unsigned r)
{
    tsl_handle *h = row[r];
    while (h && !h->context) h = h->next;
    __atomic_store_n(&tsl_live[r], h ? h->context : NULL, __ATOMIC_SEQ_CST);
}

void tsl_alive(tsl_handle *h, tsl_context *context)
{
    pthread_mutex_lock(&lock);
    h->context = context;
    h->next = *row_of(h);
    *row_of(h) = h;
    show(tsl_live_row(h));
    pthread_mutex_unlock(&lock);
}

/* What points to it; or to nothing, if it is not there. */
static tsl_handle **find(const tsl_handle *h)
{
    tsl_handle **at = row_of(h);
    while (*at && *at != h) at = &(*at)->next;
    return at;
}

bool tsl_is_alive(const tsl_handle *h)
{
    pthread_mutex_lock(&lock);
    bool there = *find(h);
    pthread_mutex_unlock(&lock);
    return there;
}

bool tsl_ends(tsl_handle *h)
{
    pthread_mutex_lock(&lock);
    tsl_handle **at = find(h);
    bool there = *at;
    if (there) *at = h->next;
    show(tsl_live_row(h));
    pthread_mutex_unlock(&lock);
    return there;
}

tsl_status tsl_why_gone(const tsl_context *x)
{
    pthread_mutex_lock(&lock);
    const tsl_handle *h = behind;
    while (h && h->context != x) h = h->next;
    pthread_mutex_unlock(&lock);
    return h ? TSL_ERR_PROCESS : TSL_ERR_CONTEXT;
}

tsl_context *tsl_next_alive(void)
{
    tsl_context *x = NULL;
    pthread_mutex_lock(&lock);
    for (int r = 0; r < ROWS && !x; ++r)
        for (const tsl_handle *h = row[r]; h && !x; h = h->next)
            if (h->context && !h->context->visited) x = h->context;
    if (x) x->visited = true;
    if (x) tsl_hold(x);
    pthread_mutex_unlock(&lock);
    return x;
}

void tsl_gpus_used(void)
{
    pthread_mutex_lock(&lock);
    gpus = true;
    pthread_mutex_unlock(&lock);
}

bool tsl_gpus_left_behind(void) { return gpus_were; } /* written only where there is one thread */
