/* The end of the program. OpenBLAS ends its threads and frees its buffers in a destructor, whoever still computes with them.
 * So this library's own, which runs after all handlers of the program's and before that one, waits for the calls at work and
 * holds all that come later.
 *
 * Every call says so in a place of its thread's own, by ordinary stores. Who looks at these places first has all processors
 * finish their stores (membarrier): a call either is seen there, or sees that the program ends. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <linux/membarrier.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "compat/blas/blas.h"

enum { PLACES = 1024, PATIENCE = 10 /* seconds: a thread may have ended in its call */ };

bool tsl_blas_ends;
_Thread_local blas_calls *tsl_blas_mine;
static blas_calls places[PLACES];
static _Thread_local bool ends_here; /* this thread ends the program: destructors may compute */
static pthread_key_t key;
static bool has_key;
enum { USERS = 4 };
static void (*user[USERS])(void); /* written and read by the thread that ends the program */
static int users;

static void give_back(void *place)
{
    tsl_blas_mine = NULL;
    __atomic_store_n(&((blas_calls *)place)->taken, false, __ATOMIC_RELEASE);
}

/* With more threads than places the others' calls are not waited for. */
blas_calls *tsl_blas_take_place(void)
{
    static _Thread_local blas_calls without;
    blas_calls *place = &without;
    for (int i = 0; i < PLACES && has_key && place == &without; ++i) {
        bool taken = false;
        if (__atomic_compare_exchange_n(&places[i].taken, &taken, true, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
            place = &places[i];
    }
    if (place != &without && pthread_setspecific(key, place)) {
        place->taken = false;
        place = &without;
    }
    return tsl_blas_mine = place;
}

static void nap(void) { nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL); }

void tsl_blas_stop(void)
{
    if (tsl_blas_mine) __atomic_store_n(&tsl_blas_mine->depth, 0, __ATOMIC_RELEASE);
    for (;;) pause();
}

/* What a call at work calls itself belongs to it. */
void tsl_blas_held(blas_calls *mine)
{
    if (!ends_here && mine->depth == 1) tsl_blas_stop();
}

static void finish_stores(void)
{
    if (syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) && syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0)) nap();
}

/* A program may end in a call, as by an error handler of its own: that one cannot be waited for. */
__attribute__((destructor)) static void end(void)
{
    struct timespec t;
    if (__atomic_exchange_n(&tsl_blas_ends, true, __ATOMIC_SEQ_CST)) return;
    ends_here = true;
    finish_stores();
    clock_gettime(CLOCK_MONOTONIC, &t);
    for (time_t i = 0, until = t.tv_sec + PATIENCE; i < PLACES; ++i)
        while (&places[i] != tsl_blas_mine && __atomic_load_n(&places[i].depth, __ATOMIC_ACQUIRE) && t.tv_sec < until) {
            nap();
            clock_gettime(CLOCK_MONOTONIC, &t);
        }
    for (int i = 0; i < users; ++i) user[i]();
}

/* Does this library end before the host library? It does if it was loaded before: destructors run in that order. */
static bool ends_first(void)
{
    struct link_map *here = NULL, *there = NULL;
    Dl_info unused;
    void *host = tsl_hostlib_raw("dasum_");
    if (!host || !dladdr1(host, &unused, (void **)&there, RTLD_DL_LINKMAP)) return true;
    if (!dladdr1((void *)&tsl_blas_ends, &unused, (void **)&here, RTLD_DL_LINKMAP)) return false;
    while (here && here != there) here = here->l_next;
    return here;
}

static void at_exit(void)
{
    if (!ends_first()) end();
}

bool tesela_blas_ends_later(void (*over)(void))
{
    if (users == USERS || tsl_blas_ends || !ends_first()) return false;
    user[users++] = over;
    return true;
}

/* A child has one thread. */
static void in_child(void)
{
    for (int i = 0; i < PLACES; ++i)
        if (&places[i] != tsl_blas_mine) places[i] = (blas_calls){0};
}

__attribute__((constructor)) static void begin(void)
{
    has_key = !pthread_key_create(&key, give_back);
    (void)syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0);
    (void)pthread_atfork(NULL, NULL, in_child);
    (void)atexit(at_exit);
}
