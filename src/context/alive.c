/* What is alive in this process: contexts, matrices and grids. Whoever ends one asks here first, so an end too many is no harm; and a
 * process that was forked knows here what is its parent's.
 *
 * The tables are of addresses alone: a handle that is looked for is not read. */
#include <stdint.h>

#include "context/context.h"
#include "hostlib/routines.h"

enum { ROWS = 1024 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static tsl_handle *row[ROWS];
static bool gpus, gpus_were; /* opened in this process; or in one it was forked from */
static __thread int forking; /* this thread is, and holds the locks: how many of its handlers have said so */

static tsl_handle **row_of(const tsl_handle *h) { return &row[(uintptr_t)h / 64 * 0x9e3779b97f4a7c15u >> 54]; }

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

/* The parent's threads and devices are not here: its contexts answer with a status, and the end of anything of its own does nothing. */
static void in_child(void)
{
    if (--forking) return;
    for (int r = 0; r < ROWS; ++r) {
        for (tsl_handle *h = row[r]; h; h = h->next)
            if (h->context) tsl_context_left(h->context, TSL_ERR_PROCESS);
        row[r] = NULL;
    }
    gpus_were |= gpus;
    gpus = false;
    tsl_crew_left();
    after_fork(TSL_FORK_CHILD);
}

/* Before anybody takes one of the locks: a fork that began earlier would leave it taken in the child. And after the host library has registered its own
 * handlers, which end its threads: those that come later run first, and wait for the leaves that use these. */
__attribute__((constructor)) static void watch_forks(void)
{
    (void)tsl_hostlib_fill();
    (void)pthread_atfork(before_fork, in_parent, in_child);
}

void tsl_fork(tsl_fork_step step)
{
    (step == TSL_FORK_BEFORE ? before_fork : step == TSL_FORK_PARENT ? in_parent : in_child)();
}

void tsl_alive(tsl_handle *h, tsl_context *context)
{
    pthread_mutex_lock(&lock);
    h->context = context;
    h->next = *row_of(h);
    *row_of(h) = h;
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
    pthread_mutex_unlock(&lock);
    return there;
}

void tsl_gpus_used(void)
{
    pthread_mutex_lock(&lock);
    gpus = true;
    pthread_mutex_unlock(&lock);
}

bool tsl_gpus_left_behind(void) { return gpus_were; } /* written only where there is one thread */
