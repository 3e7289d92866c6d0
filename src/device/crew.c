/* Moving a block of host memory by all cores together: one copies at a fraction of the speed of the memory, or of a link to a GPU. */
#define _GNU_SOURCE /* sched_getaffinity */
#include <sched.h>
#include <string.h>
#include <unistd.h>

#include "core/log.h"
#include "core/values.h"
#include "device/device.h"

enum { HELPERS = 15, LOOKS = 32 };
static const size_t CHUNK = (size_t)128 << 10; /* bytes somebody takes at a time: some microseconds */
static const double PATIENCE = 100e-6;         /* seconds a helper looks for the next block before it sleeps: waking takes as long */

/* What is to be moved, cut into chunks: of several columns, or of a part of one. They are numbered down the columns. */
typedef struct block {
    char *dst;
    const char *src;
    size_t dst_pitch, src_pitch, rows, cols;
    size_t high, wide; /* of a chunk */
    size_t down;       /* chunks a column is cut into */
    size_t chunks;
} block;

/* Threads of the process, started when first needed; they end with it. A process that was forked has none of them, and does not get
 * here: only GPUs need them, and those are the parent's.
 *
 * A block is there for helpers while `number` is odd. A helper is counted in before it looks, and the caller looks who is in after it has
 * closed the block, both in one order for all: so either the helper finds it closed, or the caller waits for the helper. */
static struct {
    pthread_mutex_t turn; /* one block at a time */
    block job;
    size_t next;     /* atomic: the first chunk nobody has taken */
    uint64_t number; /* atomic */
    int inside;      /* atomic: helpers that may be looking at the job */
    int asleep;      /* atomic, and changed under the lock: helpers that have to be woken */
    pthread_mutex_t lock;
    pthread_cond_t work;
    bool started;
} crew = {.turn = PTHREAD_MUTEX_INITIALIZER, .lock = PTHREAD_MUTEX_INITIALIZER, .work = PTHREAD_COND_INITIALIZER};

static block cut(char *dst, size_t dst_pitch, const char *src, size_t src_pitch, size_t rows, size_t cols)
{
    block b = {dst, src, dst_pitch, src_pitch, rows, cols, .high = rows, .wide = 1, .down = 1};
    if (rows > CHUNK) {
        b.high = CHUNK;
        b.down = (rows - 1) / CHUNK + 1;
    } else {
        b.wide = CHUNK / rows;
    }
    b.chunks = b.down * ((cols - 1) / b.wide + 1);
    return b;
}

/* Takes chunks of the present block until there are none left. */
static void carry(void)
{
    const block *b = &crew.job;
    for (size_t k; (k = __atomic_fetch_add(&crew.next, 1, __ATOMIC_RELAXED)) < b->chunks;) {
        size_t top = k % b->down * b->high, height = b->rows - top < b->high ? b->rows - top : b->high;
        size_t left = k / b->down * b->wide, right = b->cols - left < b->wide ? b->cols : left + b->wide;
        for (size_t c = left; c < right; ++c) memcpy(b->dst + c * b->dst_pitch + top, b->src + c * b->src_pitch + top, height);
    }
}

static bool is_news(uint64_t seen)
{
    uint64_t number = __atomic_load_n(&crew.number, __ATOMIC_SEQ_CST);
    return number % 2 && number != seen;
}

/* Until there is a block after `seen`. Blocks come one after the other: it looks for a while, and lets others have the core. */
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

static void *help(void *unused)
{
    uint64_t seen = 0;
    (void)unused;
    for (;;) {
        await(seen);
        __atomic_fetch_add(&crew.inside, 1, __ATOMIC_SEQ_CST);
        seen = __atomic_load_n(&crew.number, __ATOMIC_SEQ_CST);
        if (seen % 2) carry();
        __atomic_fetch_sub(&crew.inside, 1, __ATOMIC_RELEASE);
    }
    return NULL;
}

static int cores(void)
{
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) ? (int)sysconf(_SC_NPROCESSORS_ONLN) : CPU_COUNT(&set); /* more than a set holds */
}

/* One for each core beside the caller's; without any the caller does it alone. */
static void start(void)
{
    pthread_attr_t attr;
    pthread_t t;
    crew.started = true;
    if (pthread_attr_init(&attr)) return;
    (void)pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    for (int i = 1, most = (int)tsl_min(HELPERS + 1, cores()); i < most; ++i)
        if (pthread_create(&t, &attr, help, NULL)) break;
    pthread_attr_destroy(&attr);
}

void tsl_crew_move(char *dst, size_t dst_pitch, const char *src, size_t src_pitch, size_t rows, size_t cols)
{
    if (rows == 0 || cols == 0) return;
    pthread_mutex_lock(&crew.turn);
    if (!crew.started) start();
    crew.job = cut(dst, dst_pitch, src, src_pitch, rows, cols);
    __atomic_store_n(&crew.next, 0, __ATOMIC_RELAXED);
    __atomic_fetch_add(&crew.number, 1, __ATOMIC_SEQ_CST); /* open */
    if (__atomic_load_n(&crew.asleep, __ATOMIC_SEQ_CST)) {
        pthread_mutex_lock(&crew.lock);
        pthread_cond_broadcast(&crew.work);
        pthread_mutex_unlock(&crew.lock);
    }
    carry();
    __atomic_fetch_add(&crew.number, 1, __ATOMIC_SEQ_CST); /* closed */
    while (__atomic_load_n(&crew.inside, __ATOMIC_SEQ_CST)) sched_yield();
    pthread_mutex_unlock(&crew.turn);
}
