/* The thread pool: work on host memory by all cores together. One core copies at a fraction of the speed of memory, or of a
 * link to a GPU. */
#define _GNU_SOURCE /* sched_getaffinity */
#include <sched.h>
#include <unistd.h>

#include "core/log.h"
#include "core/values.h"
#include "device/device.h"

enum { HELPERS = 15, LOOKS = 32 };
static const double PATIENCE = 100e-6; /* seconds a helper looks for the next job before it sleeps: waking takes as long */

#define ALONE __attribute__((aligned(128))) /* in its cache line: all look there at once */

/* Parts of a job that one takes first, and others when they have no more of their own. They are the same ones of every job of a
 * size: the next may be about memory beside that of this one, of which a core has lines in its caches, and the pages. */
typedef struct share {
    ALONE size_t next; /* atomic: the first part nobody has taken */
    size_t end;
} share;

/* Threads of the process, started when first needed; they end with it. A process that was forked has none of them, and starts
 * its own.
 *
 * A job is there for helpers while `number` is odd. A helper is counted in before it looks, and the caller looks who is in
 * after it has closed the job, both in one order for all: so either the helper finds it closed, or the caller waits for the
 * helper. */
static struct pool {
    pthread_mutex_t turn; /* one job at a time */
    tsl_thread_pool_part part;
    const void *job;
    share share[HELPERS + 1]; /* the caller's, and those of the helpers */
    int helpers;
    ALONE uint64_t number; /* atomic */
    ALONE int inside;      /* atomic: helpers that may be looking at the job */
    ALONE int asleep;      /* atomic, and changed under the lock: helpers that have to be woken */
    pthread_mutex_t lock;
    pthread_cond_t work;
    bool started;
} pool = {.turn = PTHREAD_MUTEX_INITIALIZER, .lock = PTHREAD_MUTEX_INITIALIZER, .work = PTHREAD_COND_INITIALIZER};

/* Takes parts of the present job until there are none left. */
static void carry(int me)
{
    for (int i = 0; i <= pool.helpers; ++i) {
        share *s = &pool.share[(me + i) % (pool.helpers + 1)];
        while (__atomic_load_n(&s->next, __ATOMIC_RELAXED) < s->end) {
            size_t k = __atomic_fetch_add(&s->next, 1, __ATOMIC_RELAXED);
            if (k < s->end) pool.part(pool.job, k);
        }
    }
}

static bool is_news(uint64_t seen)
{
    uint64_t number = __atomic_load_n(&pool.number, __ATOMIC_SEQ_CST);
    return number % 2 && number != seen;
}

/* Until there is a job after `seen`. Jobs come one after the other: it looks for a while, and lets others have the core. */
static void await(uint64_t seen)
{
    double until = tsl_now() + PATIENCE;
    do {
        for (int i = 0; i < LOOKS; ++i) {
            if (is_news(seen)) return;
            sched_yield();
        }
    } while (tsl_now() < until);
    pthread_mutex_lock(&pool.lock);
    __atomic_fetch_add(&pool.asleep, 1, __ATOMIC_SEQ_CST);
    while (!is_news(seen)) pthread_cond_wait(&pool.work, &pool.lock);
    __atomic_fetch_sub(&pool.asleep, 1, __ATOMIC_SEQ_CST);
    pthread_mutex_unlock(&pool.lock);
}

static void *help(void *mine)
{
    uint64_t seen = 0;
    int me = (int)((share *)mine - pool.share);
    for (;;) {
        await(seen);
        __atomic_fetch_add(&pool.inside, 1, __ATOMIC_SEQ_CST);
        seen = __atomic_load_n(&pool.number, __ATOMIC_SEQ_CST);
        if (seen % 2) carry(me);
        __atomic_fetch_sub(&pool.inside, 1, __ATOMIC_RELEASE);
    }
    return NULL;
}

static int cores(void)
{
    cpu_set_t set;
    /* more than a set holds */
    return sched_getaffinity(0, sizeof set, &set) ? (int)sysconf(_SC_NPROCESSORS_ONLN) : CPU_COUNT(&set);
}

void tsl_thread_pool_left(void)
{
    pool = (struct pool){.turn = PTHREAD_MUTEX_INITIALIZER, .lock = PTHREAD_MUTEX_INITIALIZER, .work = PTHREAD_COND_INITIALIZER};
}

/* One for each core beside the caller's; without any the caller does it alone. */
static void start(void)
{
    pthread_attr_t attr;
    pthread_t t;
    pool.started = true;
    if (pthread_attr_init(&attr)) return;
    (void)pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    for (int most = (int)tsl_min(HELPERS, cores() - 1); pool.helpers < most; ++pool.helpers)
        if (pthread_create(&t, &attr, help, &pool.share[pool.helpers + 1])) break;
    pthread_attr_destroy(&attr);
}

/* The caller has the turn. */
static void work(tsl_thread_pool_part part, const void *job, size_t parts)
{
    if (!pool.started) start();
    pool.part = part;
    pool.job = job;
    for (int i = 0, all = pool.helpers + 1; i < all; ++i) {
        size_t each = parts / (size_t)all, more = parts % (size_t)all, at = (size_t)i;
        pool.share[i].end = (at + 1) * each + tsl_min(at + 1, more);
        __atomic_store_n(&pool.share[i].next, at * each + tsl_min(at, more), __ATOMIC_RELAXED);
    }
    __atomic_fetch_add(&pool.number, 1, __ATOMIC_SEQ_CST); /* open */
    if (__atomic_load_n(&pool.asleep, __ATOMIC_SEQ_CST)) {
        pthread_mutex_lock(&pool.lock);
        pthread_cond_broadcast(&pool.work);
        pthread_mutex_unlock(&pool.lock);
    }
    carry(0);
    __atomic_fetch_add(&pool.number, 1, __ATOMIC_SEQ_CST); /* closed */
    while (__atomic_load_n(&pool.inside, __ATOMIC_SEQ_CST)) sched_yield();
}

void tsl_thread_pool_work(tsl_thread_pool_part part, const void *job, size_t parts)
{
    pthread_mutex_lock(&pool.turn);
    work(part, job, parts);
    pthread_mutex_unlock(&pool.turn);
}

bool tsl_thread_pool_try(tsl_thread_pool_part part, const void *job, size_t parts)
{
    if (pthread_mutex_trylock(&pool.turn)) return false;
    work(part, job, parts);
    pthread_mutex_unlock(&pool.turn);
    return true;
}
