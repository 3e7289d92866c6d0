/* Work on host memory by all cores together: one copies at a fraction of the speed of the memory, or of a link to a GPU. */
#define _GNU_SOURCE /* sched_getaffinity */
#include <sched.h>
#include <unistd.h>

#include "core/log.h"
#include "core/values.h"
#include "device/device.h"

enum { HELPERS = 15, LOOKS = 32 };
static const double PATIENCE = 100e-6; /* seconds a helper looks for the next job before it sleeps: waking takes as long */

#define ALONE __attribute__((aligned(128))) /* in its cache line: all look there at once */

/* Parts of a job that one takes first, and others when they have no more of their own. They are the same ones of every job of a size: the next
 * may be about memory beside that of this one, of which a core has lines in its caches, and the pages. */
typedef struct share {
    ALONE size_t next; /* atomic: the first part nobody has taken */
    size_t end;
} share;

/* Threads of the process, started when first needed; they end with it. A process that was forked has none of them, and starts its own.
 *
 * A job is there for helpers while `number` is odd. A helper is counted in before it looks, and the caller looks who is in after it has
 * closed the job, both in one order for all: so either the helper finds it closed, or the caller waits for the helper. */
static struct crew {
    pthread_mutex_t turn; /* one job at a time */
    tsl_crew_part part;
    const void *job;
    share share[HELPERS + 1]; /* the caller's, and those of the helpers */
    int helpers;
    ALONE uint64_t number; /* atomic */
    ALONE int inside;      /* atomic: helpers that may be looking at the job */
    ALONE int asleep;      /* atomic, and changed under the lock: helpers that have to be woken */
    pthread_mutex_t lock;
    pthread_cond_t work;
    bool started;
} crew = {.turn = PTHREAD_MUTEX_INITIALIZER, .lock = PTHREAD_MUTEX_INITIALIZER, .work = PTHREAD_COND_INITIALIZER};

/* Takes parts of the present job until there are none left. */
static void carry(int me)
{
    for (int i = 0; i <= crew.helpers; ++i) {
        share *s = &crew.share[(me + i) % (crew.helpers + 1)];
        while (__atomic_load_n(&s->next, __ATOMIC_RELAXED) < s->end) {
            size_t k = __atomic_fetch_add(&s->next, 1, __ATOMIC_RELAXED);
            if (k < s->end) crew.part(crew.job, k);
        }
    }
}

static bool is_news(uint64_t seen)
{
    uint64_t number = __atomic_load_n(&crew.number, __ATOMIC_SEQ_CST);
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
    pthread_mutex_lock(&crew.lock);
    __atomic_fetch_add(&crew.asleep, 1, __ATOMIC_SEQ_CST);
    while (!is_news(seen)) pthread_cond_wait(&crew.work, &crew.lock);
    __atomic_fetch_sub(&crew.asleep, 1, __ATOMIC_SEQ_CST);
    pthread_mutex_unlock(&crew.lock);
}

static void *help(void *mine)
{
    uint64_t seen = 0;
    int me = (int)((share *)mine - crew.share);
    for (;;) {
        await(seen);
        __atomic_fetch_add(&crew.inside, 1, __ATOMIC_SEQ_CST);
        seen = __atomic_load_n(&crew.number, __ATOMIC_SEQ_CST);
        if (seen % 2) carry(me);
        __atomic_fetch_sub(&crew.inside, 1, __ATOMIC_RELEASE);
    }
    return NULL;
}

static int cores(void)
{
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) ? (int)sysconf(_SC_NPROCESSORS_ONLN) : CPU_COUNT(&set); /* more than a set holds */
}

void tsl_crew_left(void)
{
    crew = (struct crew){.turn = PTHREAD_MUTEX_INITIALIZER, .lock = PTHREAD_MUTEX_INITIALIZER, .work = PTHREAD_COND_INITIALIZER};
}

/* One for each core beside the caller's; without any the caller does it alone. */
static void start(void)
{
    pthread_attr_t attr;
    pthread_t t;
    crew.started = true;
    if (pthread_attr_init(&attr)) return;
    (void)pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    for (int most = (int)tsl_min(HELPERS, cores() - 1); crew.helpers < most; ++crew.helpers)
        if (pthread_create(&t, &attr, help, &crew.share[crew.helpers + 1])) break;
    pthread_attr_destroy(&attr);
}

/* The caller has the turn. */
static void work(tsl_crew_part part, const void *job, size_t parts)
{
    if (!crew.started) start();
    crew.part = part;
    crew.job = job;
    for (int i = 0, all = crew.helpers + 1; i < all; ++i) {
        size_t each = parts / (size_t)all, more = parts % (size_t)all, at = (size_t)i;
        crew.share[i].end = (at + 1) * each + tsl_min(at + 1, more);
        __atomic_store_n(&crew.share[i].next, at * each + tsl_min(at, more), __ATOMIC_RELAXED);
    }
    __atomic_fetch_add(&crew.number, 1, __ATOMIC_SEQ_CST); /* open */
    if (__atomic_load_n(&crew.asleep, __ATOMIC_SEQ_CST)) {
        pthread_mutex_lock(&crew.lock);
        pthread_cond_broadcast(&crew.work);
        pthread_mutex_unlock(&crew.lock);
    }
    carry(0);
    __atomic_fetch_add(&crew.number, 1, __ATOMIC_SEQ_CST); /* closed */
    while (__atomic_load_n(&crew.inside, __ATOMIC_SEQ_CST)) sched_yield();
}

void tsl_crew_work(tsl_crew_part part, const void *job, size_t parts)
{
    pthread_mutex_lock(&crew.turn);
    work(part, job, parts);
    pthread_mutex_unlock(&crew.turn);
}

bool tsl_crew_try(tsl_crew_part part, const void *job, size_t parts)
{
    if (pthread_mutex_trylock(&crew.turn)) return false;
    work(part, job, parts);
    pthread_mutex_unlock(&crew.turn);
    return true;
}
