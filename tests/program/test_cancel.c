/* tsl_cancel and tsl_on_progress: calls that are ended in the middle, by another thread and by the function that is told of
 * their progress: on one device, by tiles, in a region; of a call that is over, and of none. Then the context goes on as ever,
 * inputs are as they were, nothing is left over. Whoever is told is told on the caller's thread, of numbers that grow, up to
 * the end. */
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tap.h"
#include "tesela.h"

enum { N = 900, TILE = 48 };

static tsl_context *open_on(const char *devices, const char *path)
{
    tsl_config cfg = tsl_config_default();
    tsl_context *x = NULL;
    cfg.devices = devices;
    tsl_status st = tsl_context_create(&cfg, &x);
    if (st == TSL_ERR_NO_DEVICE) return NULL;
    if (st || tsl_set(x, "tile", "48") || (path && tsl_set(x, "path", path))) exit(1);
    return x;
}

static double *matrix(int64_t n)
{
    double *a = malloc((size_t)(n * n) * sizeof *a);
    if (!a) exit(1);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++) a[i + j * n] = i == j ? (double)n : 1.0 / (double)(1 + i + j);
    return a;
}

/* The first column of the factor tells a whole factorization from what is left of one. */
static bool factored(const double *l, int64_t n)
{
    double last = 0;
    for (int64_t k = 0; k < n; k++) last += l[n - 1 + k * n] * l[n - 1 + k * n];
    return fabs(last - (double)n) < 1e-9 * (double)n && fabs(l[0] * l[0] - (double)n) < 1e-9 * (double)n;
}

static tsl_status potrf(tsl_context *x, int64_t n, int64_t *info, bool *right)
{
    double *a = matrix(n);
    tsl_status st = tsl_dpotrf(x, 'L', n, a, n, info);
    *right = factored(a, n);
    free(a);
    return st;
}

/* Another thread cancels the call while the one that made it is inside: it waits there, in the function that is told of its
 * progress, until that has happened. */
typedef struct canceller {
    tsl_context *x;
    bool asked, done, over; /* atomic */
    int calls;
} canceller;

static bool is(const bool *flag) { return __atomic_load_n(flag, __ATOMIC_ACQUIRE); }
static void set(bool *flag, bool to) { __atomic_store_n(flag, to, __ATOMIC_RELEASE); }

static void *cancel(void *arg)
{
    canceller *c = arg;
    while (!is(&c->over)) {
        if (is(&c->asked) && !is(&c->done)) {
            if (tsl_cancel(c->x)) exit(1);
            set(&c->done, true);
        }
        sched_yield();
    }
    return NULL;
}

static int ask(void *user, double done, double total)
{
    canceller *c = user;
    if (done < total) set(&c->asked, true);
    while (is(&c->asked) && !is(&c->done)) sched_yield();
    return 0;
}

static void in_the_middle(const char *devices, const char *path)
{
    enum { TIMES = 4, TRIALS = 40 };
    tsl_context *x = open_on(devices, path);
    if (!x) {
        skip("%s: no GPU here", devices);
        return;
    }
    canceller c = {.x = x};
    pthread_t thread;
    int cancelled = 0, whole = 0, trials = 0;
    bool good = true, right;
    if (pthread_create(&thread, NULL, cancel, &c)) exit(1);
    for (; cancelled < TIMES && trials < TRIALS && good; trials++) { /* by tiles all may be done before the other thread's turn comes */
        int64_t info = -77;
        set(&c.asked, false), set(&c.done, false);
        tsl_status st = tsl_on_progress(x, ask, &c);
        if (!st) st = potrf(x, N, &info, &right);
        good = st == TSL_ERR_CANCELLED ? info == -77 && strstr(tsl_error(x), "ancelled") : !st && !info && right;
        if (!good) printf("# %s, %s: %s, info %d, %s\n", devices, path, tsl_status_name(st), (int)info, tsl_error(x));
        cancelled += st == TSL_ERR_CANCELLED;
        info = -77;
        st = tsl_on_progress(x, NULL, NULL);
        if (!st) st = potrf(x, 200, &info, &right); /* the next one is not */
        whole += !st && info == 0 && right;
    }
    set(&c.over, true);
    pthread_join(thread, NULL);
    ok(good && cancelled == TIMES && whole == trials, "%s, %s: %d of %d cancelled by another thread, %d whole ones between", devices, path, cancelled, trials,
       whole);
    tsl_context_destroy(x);
}

typedef struct told {
    tsl_context *x;
    pthread_t by;
    int times, stop_at;
    double done, total;
    bool grows, here, refused;
} told;

static int tell(void *user, double done, double total)
{
    told *t = user;
    int64_t info;
    double now, all;
    t->grows = t->grows && done >= t->done && done <= total;
    t->here = t->here && pthread_equal(t->by, pthread_self());
    t->refused = t->refused && tsl_wait(t->x) == TSL_ERR_CONTEXT && tsl_info(t->x, &info) == TSL_ERR_CONTEXT && !tsl_progress(t->x, &now, &all);
    t->done = done, t->total = total;
    return ++t->times == t->stop_at;
}

static void by_function(const char *devices, const char *path)
{
    tsl_context *x = open_on(devices, path);
    if (!x) {
        skip("%s: no GPU here", devices);
        return;
    }
    told t = {.x = x, .by = pthread_self(), .grows = true, .here = true, .refused = true};
    bool queued = !strncmp(devices, "cuda", 4) && !strcmp(path, "one"); /* when somebody is told, all is on the GPU's queue */
    int64_t info = -77;
    bool right;
    tsl_status st = tsl_on_progress(x, tell, &t);
    if (!st) st = potrf(x, N, &info, &right);
    ok(!st && !info && right && t.grows && t.here && t.refused && t.times > 0 && t.times < 200, "%s, %s: told %d times, on this thread: %s", devices, path,
       t.times, tsl_error(x));
    ok(t.done == t.total && t.total > 0.9 * tsl_flops("dpotrf", 0, N, 0), "%s, %s: in the end %.0f of %.0f are done", devices, path, t.done, t.total);
    int cancelled = 0;
    for (int i = 1; i <= 3; i++) {
        t.times = 0, t.stop_at = i;
        info = -77;
        st = potrf(x, N, &info, &right);
        cancelled += st == TSL_ERR_CANCELLED && info == -77;
        t.stop_at = 0;
        st = potrf(x, N, &info, &right);
        if (st || info || !right) printf("# %s after one that was cancelled\n", tsl_status_name(st)), cancelled = -9;
    }
    ok(cancelled > 0 || queued, "%s, %s: cancelled by its function, %d times", devices, path, cancelled);
    t.times = 0;
    st = tsl_on_progress(x, NULL, NULL);
    if (!st) st = potrf(x, N, &info, &right);
    ok(!st && right && t.times == 0, "%s, %s: nobody is told any more", devices, path);
    tsl_context_destroy(x);
}

/* In a region: the calls that follow do nothing, tsl_wait tells; and matrices of the library's own that were only read are as
 * they were, wherever their tiles are. */
static void in_region(const char *devices)
{
    tsl_context *x = open_on(devices, NULL);
    double *a = matrix(N), *b = malloc(sizeof(double[N]) * N);
    tsl_matrix *A, *B, *C, *from, *to;
    if (!b || tsl_matrix_wrap(x, TSL_D, N, N, a, N, &from) || tsl_matrix_wrap(x, TSL_D, N, N, b, N, &to) || tsl_tiled_create(x, TSL_D, N, N, TILE, &A) ||
        tsl_tiled_create(x, TSL_D, N, N, TILE, &B) || tsl_tiled_create(x, TSL_D, N, N, TILE, &C)) exit(1);
    tsl_status st = tsl_copy(x, tsl_whole(from), tsl_whole(A));
    if (!st) st = tsl_scale(x, 2, tsl_whole(A)); /* by the devices: there it is from now on */
    tsl_status late[3];
    int cancelled = 0;
    for (int i = 0; i < 4 && !st; i++) {
        st = tsl_begin(x);
        if (!st) st = tsl_copy(x, tsl_whole(A), tsl_whole(B));
        if (!st) st = tsl_gemm(x, 1, tsl_whole(A), tsl_whole(A), 0, tsl_whole(C));
        if (!st && i < 3) st = tsl_cancel(x);
        late[0] = tsl_potrf(x, tsl_lower(tsl_whole(B)), NULL);
        late[1] = tsl_wait(x);
        late[2] = tsl_wait(x);
        if (i == 3) ok(!st && !late[0] && !late[1], "%s: a region that nobody cancels: %s", devices, tsl_error(x));
        else cancelled += late[0] == TSL_ERR_CANCELLED && late[1] == TSL_ERR_CANCELLED && !late[2];
        if (!st) st = tsl_copy(x, tsl_whole(A), tsl_whole(to));
        for (int64_t k = 0; k < (int64_t)N * N && !st; k++)
            if (b[k] != 2 * a[k]) st = TSL_ERR_DEVICE, printf("# element %lld is lost\n", (long long)k);
    }
    ok(!st && cancelled == 3, "%s: a region that is cancelled, %d times, leaves what it read: %s", devices, cancelled, tsl_status_name(st));
    tsl_matrix_free(A), tsl_matrix_free(B), tsl_matrix_free(C), tsl_matrix_free(from), tsl_matrix_free(to);
    tsl_context_destroy(x);
    free(a), free(b);
}

/* What consists of many calls: refinement on one device, and by tiles */
static void solutions(const char *devices, bool tiled)
{
    tsl_context *x = open_on(devices, NULL);
    told t = {.x = x, .by = pthread_self(), .grows = true, .here = true, .refused = true};
    double *a = matrix(N), *was = matrix(N), b[N], y[N];
    tsl_matrix *A, *B, *Y;
    tsl_solution s;
    int cancelled = 0;
    for (int i = 0; i < N; i++) b[i] = 1;
    if ((tiled ? tsl_tiled_wrap(x, TSL_D, N, N, a, N, TILE, &A) : tsl_matrix_wrap(x, TSL_D, N, N, a, N, &A)) ||
        tsl_matrix_wrap(x, TSL_D, N, 1, b, N, &B) || tsl_matrix_wrap(x, TSL_D, N, 1, y, N, &Y) || tsl_on_progress(x, tell, &t)) exit(1);
    for (int at = 1; at < 400; at = at * 3 / 2 + 1) {
        t.times = 0, t.stop_at = at;
        s.info = -77;
        tsl_status st = tsl_solve(x, tsl_whole(A), tsl_whole(B), tsl_whole(Y), &(tsl_solve_options){.lowest = TSL_FP32}, &s);
        if (st && (st != TSL_ERR_CANCELLED || s.info != -77)) printf("# stopped at %d: %s\n", at, tsl_error(x)), cancelled = -100;
        cancelled += st == TSL_ERR_CANCELLED;
    }
    t.stop_at = 0;
    tsl_status st = tsl_solve(x, tsl_whole(A), tsl_whole(B), tsl_whole(Y), &(tsl_solve_options){.lowest = TSL_FP32}, &s);
    ok(!st && !s.info && s.backward_error < 1e-15 && cancelled > 0 && !memcmp(a, was, sizeof(double[N]) * N), "%s%s: solve, %d times cancelled: %s", devices,
       tiled ? ", tiled" : "", cancelled, tsl_status_name(st));
    tsl_matrix_free(A), tsl_matrix_free(B), tsl_matrix_free(Y);
    tsl_context_destroy(x);
    free(a), free(was);
}

/* Many cancellations at any time, between calls and in them */
static void *at_any_time(void *arg)
{
    canceller *c = arg;
    while (!is(&c->over)) {
        c->calls++, tsl_cancel(c->x);
        for (int i = 0; i < 50; i++) sched_yield();
    }
    return NULL;
}

static void any_time(const char *devices, const char *path)
{
    tsl_context *x = open_on(devices, path);
    canceller c = {.x = x};
    pthread_t thread;
    int cancelled = 0, whole = 0, wrong = 0;
    bool right;
    if (pthread_create(&thread, NULL, at_any_time, &c)) exit(1);
    for (int i = 0; i < 60; i++) {
        int64_t info = -77;
        tsl_status st = potrf(x, 100 + 5 * (i % 20), &info, &right);
        if (st == TSL_ERR_CANCELLED && info == -77) cancelled++;
        else if (!st && info == 0 && right) whole++;
        else wrong++;
    }
    set(&c.over, true);
    pthread_join(thread, NULL);
    int64_t info;
    ok(!wrong && !potrf(x, 100, &info, &right) && right, "%s, %s: %d cancellations: %d calls cancelled, %d whole, %d neither", devices, path, c.calls, cancelled,
       whole, wrong);
    tsl_context_destroy(x);
}

static void of_nothing(void)
{
    tsl_context *x = open_on("host", NULL);
    int64_t info = -1;
    bool right;
    ok(!tsl_cancel(x) && !tsl_cancel(x) && !potrf(x, 200, &info, &right) && right && !info, "none is in flight: the next one is whole");
    ok(!tsl_cancel(x) && !tsl_wait(x) && !tsl_info(x, &info) && info == 0, "one that is over: its outcome is there");
    double a[4] = {4, 2, 2, 5};
    ok(!tsl_cancel(x) && !tsl_dpotrf(x, 'L', 2, a, 2, &info) && info == 0 && a[0] == 2, "a small one");
    ok(!tsl_cancel(NULL), "of the default context");
    ok(!tsl_begin(x) && !tsl_cancel(x) && !tsl_wait(x) && !potrf(x, 200, &info, &right) && right, "a region in which nothing was called");
    tsl_context_destroy(x);
}

int main(void)
{
    of_nothing();
    in_the_middle("host", "one");
    in_the_middle("host:1", "one");
    in_the_middle("host:3", "tiles");
    in_the_middle("host:2,mem=1M", "tiles");
    by_function("host", "one");
    by_function("host:1", "one");
    by_function("host:3", "tiles");
    in_the_middle("cuda:0", "tiles");
    by_function("cuda:0", "one");
    by_function("cuda:0", "tiles");
    in_region("host:3");
    in_region("host");
    solutions("host", false);
    solutions("host:2", true);
    any_time("host", "one");
    any_time("host:3", "tiles");
    return tap_done();
}
