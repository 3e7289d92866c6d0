/* The host library's own threads. Its bits depend on how many it uses, their number is one for the whole process, and they would fight with the
 * runtime's: tasks have one, calls of their own (flat ones) have as many as the caller lets them.
 *
 * Every leaf says which it is, from its beginning to its end. Leaves of one kind run side by side, those of the other kind wait; when
 * they are through, all who wait by then have their turn. A leaf waits for nothing itself, so every turn ends, however long a region
 * is left open. While no runtime has tasks there is one kind only, and a leaf is but counted, by its thread, in a place of its own.
 *
 * OpenBLAS has locks that a fork in the middle of a leaf would leave taken in the child for ever, and threads that it ends before a fork,
 * their work with them. So a fork waits for the leaves at work, and none begins until it is over. */
#include <time.h>
#include <unistd.h>

#include "core/values.h"
#include "device/device.h"
#include "hostlib/hostlib.h"

typedef enum kind { TASK, FLAT } kind;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int users;     /* runtimes with tasks */
static int forking;   /* forks about to be */
static bool attended; /* one of these: leaves are more than counted; changed under the lock, read without */
static int saved;     /* threads of flat calls, while there are users */
static bool settled;  /* leaves that were only counted are over */
static kind present;  /* whose turn it is, */
static int inside;    /* so many of them at work, */
static int waiting[2];
static unsigned turns[2];
static struct { int leaves; char apart[124]; } counted[TSL_COUNTERS];

static _Thread_local int leaves_here;

bool tsl_in_leaf(void) { return leaves_here > 0; }

void tsl_blas_asks(bool begins) { leaves_here += begins ? 1 : -1; }

unsigned tsl_thread_slot(void)
{
    static uint64_t threads;
    static _Thread_local unsigned here; /* 1 + the slot; 0: none yet */
    if (!here) {
        uint64_t before = __atomic_fetch_add(&threads, 1, __ATOMIC_RELAXED), own = TSL_OWN_COUNTERS;
        here = 1 + (unsigned)(before < own ? before : own + before % (TSL_COUNTERS - own));
    }
    return here - 1;
}

static void turn_to(kind k)
{
    present = k;
    tsl_hostlib_set_threads(k == TASK ? 1 : saved);
}

/* Under the lock */
static void attend(void) { __atomic_store_n(&attended, users || forking, __ATOMIC_SEQ_CST); }

/* Whoever counted himself before leaves were attended is waited for; all others see that they are. */
static void settle(void)
{
    for (int i = 0; i < TSL_COUNTERS; ++i)
        while (__atomic_load_n(&counted[i].leaves, __ATOMIC_SEQ_CST)) nanosleep(&(struct timespec){.tv_nsec = 20000}, NULL);
}

void tsl_blas_hold(void)
{
    pthread_mutex_lock(&lock);
    if (users++) {
        while (!settled) pthread_cond_wait(&changed, &lock);
    } else {
        saved = tsl_hostlib_threads();
        attend();
        pthread_mutex_unlock(&lock);
        settle();
        pthread_mutex_lock(&lock);
        while (inside) pthread_cond_wait(&changed, &lock); /* flat ones that began while there were users before */
        settled = true;
        turn_to(TASK);
        pthread_cond_broadcast(&changed);
    }
    pthread_mutex_unlock(&lock);
}

void tsl_blas_let_go(void)
{
    pthread_mutex_lock(&lock);
    if (--users == 0) {
        attend();
        settled = false;
        tsl_hostlib_set_threads(saved);
        pthread_cond_broadcast(&changed);
    }
    pthread_mutex_unlock(&lock);
}

/* Under the lock, with users. Those whose turn it is let nobody in before those who wait. */
static void take_turn(kind k)
{
    if (!inside && !waiting[TASK] && !waiting[FLAT]) {
        if (present != k) turn_to(k);
        inside = 1;
    } else if (present == k && !waiting[!k]) {
        inside++;
    } else {
        unsigned now = turns[k];
        waiting[k]++;
        while (turns[k] == now) pthread_cond_wait(&changed, &lock);
    }
}

static void give_turn(void)
{
    if (--inside) return;
    kind next = waiting[!present] ? !present : present;
    if (waiting[next]) {
        if (present != next) turn_to(next);
        inside = waiting[next];
        waiting[next] = 0;
        turns[next]++;
    }
    pthread_cond_broadcast(&changed);
}

/* Counted first, then looked whether leaves are attended: who attends to them looks at the counts later. */
static void count_in(unsigned slot)
{
    int *leaves = &counted[slot].leaves;
    if (tsl_slot_is_own(slot)) __atomic_store_n(leaves, *leaves + 1, __ATOMIC_SEQ_CST);
    else __atomic_fetch_add(leaves, 1, __ATOMIC_SEQ_CST);
}

static void count_out(unsigned slot)
{
    int *leaves = &counted[slot].leaves;
    if (tsl_slot_is_own(slot)) __atomic_store_n(leaves, *leaves - 1, __ATOMIC_RELEASE);
    else __atomic_fetch_sub(leaves, 1, __ATOMIC_RELEASE);
}

int tsl_blas_begin(bool task)
{
    leaves_here++;
    for (;;) {
        unsigned slot = tsl_thread_slot();
        count_in(slot);
        if (!__atomic_load_n(&attended, __ATOMIC_SEQ_CST)) return (int)slot;
        count_out(slot);
        pthread_mutex_lock(&lock);
        while (forking || (users && !settled)) pthread_cond_wait(&changed, &lock);
        bool some = users;
        if (some) take_turn(task || saved == 1 ? TASK : FLAT);
        pthread_mutex_unlock(&lock);
        if (some) return -1;
    }
}

void tsl_blas_end(int begun)
{
    leaves_here--;
    if (begun >= 0) {
        count_out((unsigned)begun);
        return;
    }
    pthread_mutex_lock(&lock);
    give_turn();
    pthread_mutex_unlock(&lock);
}

/* Asked once: the answer is in a file, which takes longer to read than a small call. */
static int online(void)
{
    static int known;
    int count = __atomic_load_n(&known, __ATOMIC_RELAXED);
    if (!count) __atomic_store_n(&known, count = (int)tsl_max(1, sysconf(_SC_NPROCESSORS_ONLN)), __ATOMIC_RELAXED);
    return count;
}

int tsl_blas_cores(void)
{
    pthread_mutex_lock(&lock);
    int allowed = users ? saved : tsl_hostlib_threads();
    pthread_mutex_unlock(&lock);
    return (int)tsl_max(1, tsl_min(online(), allowed));
}

/* Those who had to wait before there was a fork have their turn yet. One that is forked in a leaf, as by a handler of signals, cannot wait
 * for itself. The lock is kept. */
static void await_leaves(void)
{
    pthread_mutex_lock(&lock);
    if (tsl_in_leaf()) return;
    ++forking;
    attend();
    pthread_mutex_unlock(&lock);
    settle();
    pthread_mutex_lock(&lock);
    while (inside) pthread_cond_wait(&changed, &lock);
}

/* The tasks of the parent do not run in a child, nor does anybody wait there: a condition that was waited for would wait for those. */
static void begin_anew(void)
{
    if (users) tsl_hostlib_set_threads(saved);
    users = forking = inside = waiting[TASK] = waiting[FLAT] = 0;
    settled = false;
    changed = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
    for (int i = 0; i < TSL_COUNTERS; ++i) counted[i].leaves = 0;
}

void tsl_blas_fork(tsl_fork_step step)
{
    if (step == TSL_FORK_BEFORE) {
        await_leaves();
        return;
    }
    if (step == TSL_FORK_CHILD) begin_anew();
    else if (!tsl_in_leaf()) --forking;
    attend();
    if (step == TSL_FORK_PARENT) pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}
