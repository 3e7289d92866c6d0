/* Nobody uses a device under the runtime's lock, and what a device calls back when a task is over waits for nobody who holds
 * it: the two together let a driver wait for its own work in any call. On virtual devices with hardly any memory, under every
 * policy; on those of TESELA_DEVICES, and on three virtual devices of a GPU, if there are any. */
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "dense.h"
#include "exec/exec.h"
#include "tiled.h"

enum { ORDER = 86, SMALL = 3, LARGE = 33, ROWS = 100, COLS = 60, AT_I = 7, AT_J = 5, RHS = 10, HANG = 120 };

/* ---- the check itself ----------------------------------------------------------------------------------------------------- */

/* In a process of its own: a build with assertions ends there. */
static void test_guard(void)
{
    pid_t child = fork();
    if (child == 0) {
        tsl_runtime rt = {.lock = PTHREAD_MUTEX_INITIALIZER};
        tsl_device dev = {.be = &tsl_host_backend, .shares_host = true, .limit = SIZE_MAX, .lock = PTHREAD_MUTEX_INITIALIZER};
        void *p = NULL;
        int before = tsl_device_alloc(&dev, 8, &p) || tsl_device_intrusions;
        if (!freopen("/dev/null", "w", stderr)) _exit(1);
        tsl_runtime_lock(&rt);
        tsl_device_release(&dev, p);
        tsl_runtime_unlock(&rt);
        _exit(before || !tsl_device_intrusions);
    }
    int state = 1;
    check(child > 0 && waitpid(child, &state, 0) == child, "fork");
    check((WIFEXITED(state) && WEXITSTATUS(state) == 0) || (WIFSIGNALED(state) && WTERMSIG(state) == SIGABRT), "state %d", state);
    checked("a device call under the lock is seen");
}

/* ---- a backend whose notices come while the lock is held ------------------------------------------------------------------ */

typedef struct relay {
    tsl_notice own;
    const tsl_notice *given;
    tsl_runtime *rt;
} relay;

static tsl_context *under_test;
static tsl_backend strict_backend;
static long relayed;

/* As if somebody who holds the lock were inside the driver, which waits for this function to return. */
static void pass_on(void *arg, tsl_status st)
{
    relay r = *(relay *)arg;
    free(arg);
    pthread_mutex_lock(&r.rt->lock);
    r.given->fn(r.given->arg, st);
    pthread_mutex_unlock(&r.rt->lock);
    __atomic_fetch_add(&relayed, 1, __ATOMIC_RELAXED);
}

static tsl_status strict_notify(tsl_queue *q, const tsl_notice *n)
{
    relay *r = malloc(sizeof *r);
    if (!r) return TSL_ERR_MEMORY;
    *r = (relay){{pass_on, r}, n, under_test->runtime};
    tsl_status st = tsl_host_backend.notify(q, &r->own);
    if (st) free(r);
    return st;
}

static tsl_context *open_strict(const char *devices)
{
    tsl_context *x = make(devices);
    strict_backend = tsl_host_backend;
    strict_backend.notify = strict_notify;
    for (int d = 0; x && d < x->device_count; d++)
        if (x->devices[d].be == &tsl_host_backend && !x->devices[d].shares_host) x->devices[d].be = &strict_backend;
    return under_test = x;
}

/* ---- programs ------------------------------------------------------------------------------------------------------------- */

static double residual(const dense *S, const dense *B, const dense *X)
{
    double worst = 0;
    for (int64_t j = 0; j < RHS; j++)
        for (int64_t i = 0; i < ORDER; i++) {
            tsl_scalar r = dense_get(B, AT_I + i, AT_J + j);
            for (int64_t k = 0; k < ORDER; k++) r -= dense_get(S, i, k) * dense_get(X, AT_I + k, AT_J + j);
            worst = worse(worst, cabs(r));
        }
    return worst;
}

/* A in small tiles, B a part, off their edges, of a matrix in large ones. */
static void solve(tsl_context *x, tsl_type t, const char *where)
{
    dense S = dense_make(t, ORDER, ORDER, CANARY_FINITE), B = dense_make(t, ROWS, COLS, CANARY_FINITE);
    dense_dominant(&S, 1), dense_random(&B, 2);
    dense F = dense_copy(&S), X = dense_copy(&B);
    tsl_matrix *a = NULL, *b = NULL;
    check(!tsl_tiled_wrap(x, t, ORDER, ORDER, F.data, F.ld, SMALL, &a), "%s: wrap %s", where, tsl_error(x));
    check(!tsl_tiled_wrap(x, t, ROWS, COLS, X.data, X.ld, LARGE, &b), "%s: wrap %s", where, tsl_error(x));
    int64_t info = -1;
    check(!tsl_begin(x), "%s: begin", where);
    check(!tsl_posv(x, tsl_lower(tsl_whole(a)), tsl_sub(tsl_whole(b), AT_I, AT_J, ORDER, RHS), NULL), "%s: posv %s", where, tsl_error(x));
    check(!tsl_wait(x), "%s: wait %s", where, tsl_error(x));
    check(!tsl_info(x, &info) && info == 0, "%s: info %d", where, (int)info);
    double off = residual(&S, &B, &X), bound = (t == TSL_S || t == TSL_C ? 1e-3 : 1e-11) * ORDER;
    check(off < bound, "%s: off by %g", where, off);
    check(tsl_device_intrusions == 0, "%s: %ld device calls under the lock", where, tsl_device_intrusions);
    tsl_matrix_free(a), tsl_matrix_free(b);
    dense_free(&S), dense_free(&B), dense_free(&F), dense_free(&X);
}

static void test_on(const char *devices, int types)
{
    alarm(HANG); /* the default action ends the program: a hang is a failure */
    tsl_context *x = open_strict(devices);
    for (int p = 0; x && p < 5; p++) {
        char where[128];
        snprintf(where, sizeof where, "%s %s", devices, policies[p]);
        check(!tsl_set(x, "policy", policies[p]), "%s: set", where);
        check(!tsl_set(x, "diag-on", p % 2 && x->dev->be != &tsl_host_backend ? "host" : "auto"), "%s: set", where);
        for (int t = TSL_S; t <= TSL_Z; t++)
            if (types >> t & 1) solve(x, (tsl_type)t, where);
    }
    tsl_trim(x);
    tsl_context_destroy(x);
    check(tsl_device_intrusions == 0, "%s: %ld device calls under the lock in the end", devices, tsl_device_intrusions);
    alarm(0);
    checked("%s: posv in a region, tiles of %d and %d", devices, SMALL, LARGE);
}

int main(void)
{
    const int all = 1 << TSL_S | 1 << TSL_D | 1 << TSL_C | 1 << TSL_Z;
    test_guard();
    test_on("host:3,mem=1M", 1 << TSL_S | 1 << TSL_Z);
    test_on("host:1,mem=64K", 1 << TSL_D);
    test_on("host:2,mem=64K", 1 << TSL_Z);
    test_on("host:5", 1 << TSL_C);
    test_on("host:2,mem=64K+host,mem=2M", 1 << TSL_D);
    test_on("host,mem=2M", 1 << TSL_Z);
    ok(relayed > 0, "%ld notices came while the lock was held", relayed);
    if (getenv("TESELA_DEVICES") && *getenv("TESELA_DEVICES")) test_on(getenv("TESELA_DEVICES"), all);
    if (tsl_backends[0] != &tsl_host_backend && tsl_backends[0]->count() > 0) test_on("cuda:0x3,mem=1G", all);
    else skip("cuda:0x3: no GPU here");
    return tap_done();
}
