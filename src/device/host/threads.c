/* The host library's own threads. Its bits depend on how many it uses, their number is one for the whole process, and they
 * would fight with the runtime's: tasks have one, calls of their own (flat ones) have as many as the caller lets them.
 *
 * Every leaf says which it is, from its beginning to its end. Leaves of one kind run side by side, those of the other kind
 * wait; when they are through, all who wait by then have their turn. A leaf waits for nothing itself, so every turn ends,
 * however long a region is left open. While no runtime has tasks there is one kind only, and a leaf is but counted, by its
 * thread, in a place of its own.
 *
 * OpenBLAS has locks that a fork in the middle of a leaf would leave taken in the child for ever, and threads that it ends
 * before a fork, their work with them. So a fork waits for the leaves at work, and none begins until it is over.
 *
 * OpenBLAS frees its buffers when the program ends, whoever still computes in them. So the end of the program waits for the
 * leaves at work too, for a while, and all later ones are refused. */
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "core/values.h"
#include "device/device.h"
#include "hostlib/hostlib.h"

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)
#define MAJOR TEXT(TSL_VERSION_MAJOR)

typedef enum kind { TASK, FLAT } kind;
enum { PATIENCE = 10 }; /* seconds, at the end of the program: a thread may have ended in a leaf */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int users;     /* runtimes with tasks */
static int forking;   /* forks about to be */
static bool over;     /* the program has ended: leaves are refused */
static bool attended; /* one of these: leaves are more than counted; changed under the lock, read without */
static int saved;     /* threads of flat calls, while there are users */
static bool settled;  /* leaves that were only counted are over */
static kind present;  /* whose turn it is, */
static int inside;    /* so many of them at work, */
static int waiting[2];
static unsigned turns[2];

/* What a thread is at, in a slot of its own: nothing (0), a leaf, or a context that might be destroyed meanwhile. A slot of
 * several threads only says how many of them are at something, in two counts, of even and of odd epochs. Who waits for them
 * waits until the other epoch's count is 0, begins that epoch, and waits until the former one's is: so for nobody who comes
 * later. */
enum { LEAF = 1 };
static struct { uintptr_t what[2]; char apart[112]; } at[TSL_COUNTERS];
enum { NO_SLOT = 2 * TSL_COUNTERS }; /* it is at something already; other slots are numbered with their counts */
static unsigned epoch; /* atomic */
static pthread_mutex_t epochs = PTHREAD_MUTEX_INITIALIZER; /* one at a time waits for one */

static _Thread_local int leaves_here;
static _Thread_local bool ends_here; /* this thread ends the program: destructors may compute */

/* Where the host library is tried, it may call BLAS by names that libtesela_blas has. */
bool tsl_in_leaf(void) { return leaves_here > 0 || tsl_hostlib_opening(); }

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
static void attend(void) { __atomic_store_n(&attended, users || forking || over, __ATOMIC_SEQ_CST); }

void tsl_pause(void) { nanosleep(&(struct timespec){.tv_nsec = 20000}, NULL); }

static struct timespec now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return t;
}

/* Whoever was at something before leaves were attended is waited for, until then or for ever; all others see that they are. */
static void settle(const struct timespec *until)
{
    for (int i = 0; i < 2 * TSL_COUNTERS; ++i)
        while (__atomic_load_n(&at[i / 2].what[i % 2], __ATOMIC_SEQ_CST) && !(until && now().tv_sec >= until->tv_sec)) tsl_pause();
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
        settle(NULL);
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

int tsl_busy_begin(const void *what)
{
    unsigned slot = tsl_thread_slot(), count = 0;
    uintptr_t *word = at[slot].what;
    if (!tsl_slot_is_own(slot)) {
        count = __atomic_load_n(&epoch, __ATOMIC_RELAXED) % 2;
        __atomic_fetch_add(&word[count], 1, __ATOMIC_SEQ_CST);
    } else if (*word) {
        return NO_SLOT;
    } else {
        __atomic_store_n(word, (uintptr_t)what, __ATOMIC_SEQ_CST);
    }
    return (int)(2 * slot + count);
}

void tsl_busy_end(int begun)
{
    if (begun == NO_SLOT) return;
    uintptr_t *word = &at[begun / 2].what[begun % 2];
    if (tsl_slot_is_own((unsigned)begun / 2)) __atomic_store_n(word, 0, __ATOMIC_RELEASE);
    else __atomic_fetch_sub(word, 1, __ATOMIC_RELEASE);
}

/* Of the shared slots, nobody is in that count any more. */
static void await_count(unsigned count)
{
    for (unsigned i = TSL_OWN_COUNTERS; i < TSL_COUNTERS; ++i)
        while (__atomic_load_n(&at[i].what[count], __ATOMIC_SEQ_CST)) tsl_pause();
}

void tsl_busy_wait(const void *what)
{
    for (unsigned i = 0; i < TSL_OWN_COUNTERS; ++i)
        while (__atomic_load_n(at[i].what, __ATOMIC_SEQ_CST) == (uintptr_t)what) tsl_pause();
    pthread_mutex_lock(&epochs);
    unsigned now = __atomic_load_n(&epoch, __ATOMIC_RELAXED) % 2;
    await_count(!now);
    __atomic_fetch_add(&epoch, 1, __ATOMIC_SEQ_CST);
    await_count(now);
    pthread_mutex_unlock(&epochs);
}

bool tsl_leaves_attended(void) { return __atomic_load_n(&attended, __ATOMIC_SEQ_CST); }

int tsl_blas_begin_at(int begun)
{
    leaves_here++;
    return begun;
}

/* Said first, then looked whether leaves are attended: who attends to them looks at the slots later. */
int tsl_blas_begin(bool task)
{
    leaves_here++;
    for (;;) {
        int slot = tsl_busy_begin((void *)(uintptr_t)LEAF);
        if (!tsl_leaves_attended() || ends_here) return slot;
        tsl_busy_end(slot);
        pthread_mutex_lock(&lock);
        while (!over && (forking || (users && !settled))) pthread_cond_wait(&changed, &lock);
        bool refused = over, some = users;
        if (some && !refused) take_turn(task || saved == 1 ? TASK : FLAT);
        pthread_mutex_unlock(&lock);
        if (refused) leaves_here--;
        if (refused || some) return refused ? TSL_REFUSED : TSL_HAS_TURN;
    }
}

void tsl_blas_end(int begun)
{
    leaves_here--;
    if (begun != TSL_HAS_TURN) {
        tsl_busy_end(begun);
        return;
    }
    pthread_mutex_lock(&lock);
    give_turn();
    pthread_mutex_unlock(&lock);
}

/* A program may end in a leaf, as by an error handler of its own: that cannot be waited for. */
static void end_leaves(void)
{
    pthread_mutex_lock(&lock);
    over = ends_here = true;
    attend();
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    if (tsl_in_leaf()) return;
    struct timespec until = now();
    until.tv_sec += PATIENCE;
    settle(&until);
    pthread_mutex_lock(&lock);
    while (inside && !pthread_cond_timedwait(&changed, &lock, &until)) continue;
    pthread_mutex_unlock(&lock);
}

/* libtesela_blas ends when all handlers are through, and still before OpenBLAS, if it was loaded before that. Its calls are
 * good until then. */
static bool ends_later(void)
{
    static const char *const names[] = {"libtesela_blas.so." MAJOR, "libtesela_blas64.so." MAJOR};
    bool later = false;
    for (int i = 0; i < 2 && !later; ++i) {
        void *there = dlopen(names[i], RTLD_LAZY | RTLD_NOLOAD);
        bool (*ask)(void (*)(void)) = there ? (bool (*)(void (*)(void)))dlsym(there, "tesela_blas_ends_later") : NULL;
        later = ask && ask(end_leaves);
    }
    return later;
}

/* After all handlers and destructors of the program's own that were registered since this library was loaded, and before
 * OpenBLAS's. */
static void at_exit(void)
{
    if (!ends_later()) end_leaves();
}

__attribute__((constructor)) static void watch_the_end(void) { (void)atexit(at_exit); }

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

/* Those who had to wait before there was a fork have their turn yet. One that is forked in a leaf, as by a handler of signals,
 * cannot wait for itself. The lock is kept. */
static void await_leaves(void)
{
    pthread_mutex_lock(&lock);
    if (tsl_in_leaf()) return;
    ++forking;
    attend();
    pthread_mutex_unlock(&lock);
    settle(NULL);
    pthread_mutex_lock(&lock);
    while (inside) pthread_cond_wait(&changed, &lock);
}

/* The tasks of the parent do not run in a child, nor does anybody wait there: a condition that was waited for would wait for
 * those. */
static void begin_anew(void)
{
    if (users) tsl_hostlib_set_threads(saved);
    users = forking = inside = waiting[TASK] = waiting[FLAT] = 0;
    settled = false;
    changed = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
    epochs = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    for (int i = 0; i < TSL_COUNTERS; ++i) at[i].what[0] = at[i].what[1] = 0;
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
