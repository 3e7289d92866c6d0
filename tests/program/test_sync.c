/* Every lock and condition the library makes fails once: a status from the call, nothing lost. This program's own
 * pthread_mutex_init and pthread_cond_init stand before the C library's. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "tap.h"
#include "tesela.h"

enum { N = 40, TILE = 16, ENOUGH = 1000 };

static long calls, refused = -1; /* how many so far, and which is refused */
static long live;

static int refuse(void) { return __atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED) == __atomic_load_n(&refused, __ATOMIC_RELAXED); }

int pthread_mutex_init(pthread_mutex_t *m, const pthread_mutexattr_t *attr)
{
    static const pthread_mutex_t plain = PTHREAD_MUTEX_INITIALIZER, recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
    int type = PTHREAD_MUTEX_DEFAULT;
    if (refuse()) return 12; /* ENOMEM */
    if (attr) pthread_mutexattr_gettype(attr, &type);
    *m = type == PTHREAD_MUTEX_RECURSIVE ? recursive : plain;
    return 0;
}

int pthread_cond_init(pthread_cond_t *c, const pthread_condattr_t *attr)
{
    static const pthread_cond_t plain = PTHREAD_COND_INITIALIZER;
    (void)attr;
    if (refuse()) return 12;
    *c = plain;
    return 0;
}

static void *take(void *user, int device, size_t bytes)
{
    (void)user, (void)device;
    void *p = aligned_alloc(256, (bytes + 255) / 256 * 256);
    if (p) __atomic_fetch_add(&live, 1, __ATOMIC_RELAXED);
    return p;
}

static void give(void *user, int device, void *p, size_t bytes)
{
    (void)user, (void)device, (void)bytes;
    __atomic_fetch_sub(&live, 1, __ATOMIC_RELAXED);
    free(p);
}

/* The life of a context with tiles; refusal number `at`. */
static tsl_status life(const char *devices, long at)
{
    static const tsl_allocator counting = {take, give, NULL};
    static double a[N * N];
    tsl_config cfg = tsl_config_default();
    tsl_context *x = NULL;
    tsl_matrix *A = NULL;
    int64_t info = -1;
    cfg.devices = devices;
    cfg.allocator = &counting;
    for (int i = 0; i < N * N; i++) a[i] = i % (N + 1) ? 0 : 4;
    calls = 0;
    __atomic_store_n(&refused, at, __ATOMIC_RELAXED);
    tsl_status st = tsl_context_create(&cfg, &x);
    if (!st) st = tsl_tiled_wrap(x, TSL_D, N, N, a, N, TILE, &A);
    if (!st) st = tsl_potrf(x, tsl_lower(tsl_whole(A)), &info);
    if (!st) check(info == 0 && a[N * N - 1] == 2, "%s, call %ld: another result", devices, at);
    if (st) check(st == TSL_ERR_MEMORY && *tsl_error(NULL), "%s, call %ld: %s", devices, at, tsl_status_name(st));
    __atomic_store_n(&refused, -1, __ATOMIC_RELAXED);
    tsl_matrix_free(A);
    tsl_context_destroy(x);
    check(live == 0, "%s, call %ld: %ld blocks are lost", devices, at, live);
    return st;
}

static void each(const char *devices)
{
    check(!life(devices, -1), "%s: undisturbed", devices);
    long all = calls, failed = 0;
    for (long k = 1; k <= all && k < ENOUGH; k++) failed += life(devices, k) != TSL_OK;
    check(all > 8 && failed > 8, "%s: %ld of %ld refusals were seen", devices, failed, all);
    checked("%s: each of %ld locks and conditions refused", devices, all);
}

int main(void)
{
    alarm(100);
    each("host");
    each("host:2,mem=16M");
    return tap_done();
}
