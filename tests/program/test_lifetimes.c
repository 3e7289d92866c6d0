/* Beginnings that fail and ends in the wrong order: what failed is NULL and says why, and an end too many, too early, or of
 * what is not the caller's does no harm. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "device/device.h"
#include "tap.h"
#include "threads.h"
#include "tesela.h"

enum { N = 30, TILE = 8 };

static const char *const specs[] = {"host", "host:2,mem=16M"};
static char junk; /* where a pointer points that nobody has set */

/* Host memory that is given out and not given back. */
static long live;

static void *count_alloc(void *user, int device, size_t bytes)
{
    (void)user, (void)device;
    void *p = malloc(bytes);
    if (p) __atomic_fetch_add(&live, 1, __ATOMIC_RELAXED);
    return p;
}

static void count_free(void *user, int device, void *p, size_t bytes)
{
    (void)user, (void)device, (void)bytes;
    __atomic_fetch_sub(&live, 1, __ATOMIC_RELAXED);
    free(p);
}

static tsl_context *make(const char *devices)
{
    static const tsl_allocator counting = {count_alloc, count_free, NULL};
    tsl_config cfg = tsl_config_default();
    tsl_context *x = NULL;
    cfg.devices = devices;
    cfg.allocator = &counting;
    check(tsl_context_create(&cfg, &x) == TSL_OK && x, "%s: a context", devices);
    return x;
}

/* The thread's line names every one of the words. */
static int says(const char *a, const char *b) { return strstr(tsl_error(NULL), a) && strstr(tsl_error(NULL), b); }

static void test_failed(void)
{
    tsl_config cfg = tsl_config_default();
    tsl_context *x = (tsl_context *)&junk;
    cfg.devices = "host+fpga:2";
    ok(tsl_context_create(&cfg, &x) == TSL_ERR_SPEC && !x, "a context that cannot be made is NULL");
    ok(says("context", "'fpga'"), "and why is told: %s", tsl_error(NULL));
    cfg.devices = "host:x3";
    ok(tsl_context_create(&cfg, &x) == TSL_ERR_SPEC && says("host:x3", "1 to"), "each time: %s", tsl_error(NULL));
    x = (tsl_context *)&junk;
    cfg.size = 1 << 20;
    ok(tsl_context_create(&cfg, &x) == TSL_ERR_SIZE && !x && says("context", "1048576"), "of a wrong configuration: %s", tsl_error(NULL));

    x = make("host");
    ok(tsl_dpotrf(x, 'X', 1, NULL, 1, NULL) == TSL_ERR_FLAG && !strcmp(tsl_error(x), tsl_error(NULL)) && says("dpotrf", "uplo"),
       "NULL is told of this thread's last failure on any context");
    tsl_type none = (tsl_type)9;
    double a[4] = {0};
    tsl_matrix *A = (tsl_matrix *)&junk, *B = A, *C = A, *D = A;
    check(tsl_matrix_create(x, none, 2, 2, &A) == TSL_ERR_FLAG && !A, "matrix_create");
    check(tsl_matrix_wrap(x, TSL_D, 2, 2, a, 1, &B) == TSL_ERR_LD && !B, "matrix_wrap");
    check(tsl_tiled_create(x, TSL_D, 2, 2, 0, &C) == TSL_ERR_SIZE && !C, "tiled_create");
    check(tsl_tiled_wrap(x, TSL_D, 2, 2, NULL, 2, 1, &D) == TSL_ERR_NULL && !D, "tiled_wrap");
    checked("matrices that cannot be made are NULL");
    ok(tsl_tiled_place(NULL, NULL, NULL) == TSL_ERR_NULL && says("tiled_place", "matrix"), "no matrix to place: %s", tsl_error(NULL));
    tsl_context_destroy(x);
}

static void *ask(void *line)
{
    strcpy(line, tsl_error(NULL));
    return NULL;
}

static void test_threads_line(void)
{
    pthread_t t;
    char line[300] = "?";
    tsl_config cfg = tsl_config_default();
    tsl_context *x;
    cfg.devices = "quantum";
    check(tsl_context_create(&cfg, &x) == TSL_ERR_SPEC, "refused");
    check(!pthread_create(&t, NULL, ask, line) && !pthread_join(t, NULL), "a thread");
    check(!*line && says("quantum", ""), "'%s', here '%s'", line, tsl_error(NULL));
    checked("another thread's failures are its own");
}

/* Every operation on views with a matrix that could not be made. */
static void test_no_matrix(void)
{
    tsl_context *x = make("host");
    tsl_view v = tsl_whole(NULL), s = tsl_sub(tsl_trans(v), 0, 0, 0, 0), L = tsl_lower(v);
    tsl_scalar z;
    double r, param[5] = {-2};
    int64_t i, info;
    const tsl_status st[] = {
        tsl_copy(x, v, s), tsl_scale(x, 2, v), tsl_scal(x, 2, v), tsl_axpy(x, 1, v, s), tsl_swap(x, v, s), tsl_rot(x, v, v, 1, 0),
        tsl_rotm(x, v, v, param), tsl_dot(x, v, v, &z), tsl_nrm2(x, v, &r), tsl_asum(x, v, &r), tsl_iamax(x, v, &i),
        tsl_gemv(x, 1, v, v, 0, v), tsl_symv(x, 1, L, v, 0, v), tsl_hemv(x, 1, L, v, 0, v), tsl_ger(x, 1, v, v, v), tsl_syr(x, 1, v, L),
        tsl_her(x, 1, v, L), tsl_syr2(x, 1, v, v, L), tsl_her2(x, 1, v, v, L), tsl_trmv(x, L, v), tsl_trsv(x, L, v),
        tsl_gbmv(x, TSL_NOTRANS, 1, 1, 0, 0, 1, v, v, 0, v), tsl_gemm(x, 1, v, v, 0, v), tsl_gemmt(x, 1, v, v, 0, L),
        tsl_symm(x, TSL_LEFT, 1, L, v, 0, v), tsl_hemm(x, TSL_LEFT, 1, L, v, 0, v), tsl_syrk(x, 1, v, 0, L), tsl_herk(x, 1, v, 0, L),
        tsl_syr2k(x, 1, v, v, 0, L), tsl_her2k(x, 1, v, v, 0, L), tsl_trmm(x, TSL_LEFT, 1, L, v), tsl_trsm(x, TSL_LEFT, 1, L, v),
        tsl_potrf(x, L, &info), tsl_trtri(x, L, &info), tsl_lauum(x, L), tsl_potri(x, L, &info), tsl_potrs(x, L, v),
        tsl_posv(x, L, v, &info), tsl_norm(x, TSL_NORM_ONE, TSL_TRIANGULAR, v, &r),
    };
    for (size_t k = 0; k < sizeof st / sizeof *st; k++) check(st[k] == TSL_ERR_VIEW, "operation %zu: %s", k, tsl_status_name(st[k]));
    check(tsl_rows(s) == 0 && tsl_cols(v) == 0 && !tsl_partition(v, 0, 1).A11.mat && !tsl_block_rows(v, 0, 1).A1.mat, "parts of it");
    checked("operations on a matrix that could not be made");
    tsl_context_destroy(x);
}

/* One of each kind, the last with work on it that has not been waited for. */
static int matrices(tsl_context *x, double *a, double *b, tsl_matrix *M[4])
{
    for (int i = 0; i < N * N; i++) a[i] = b[i] = i % (N + 1) ? 0 : 4;
    return !tsl_matrix_create(x, TSL_D, N, N, &M[0]) && !tsl_matrix_wrap(x, TSL_D, N, N, a, N, &M[1]) &&
           !tsl_tiled_create(x, TSL_D, N, N, TILE, &M[2]) && !tsl_tiled_wrap(x, TSL_D, N, N, b, N, TILE, &M[3]) &&
           !tsl_copy(x, tsl_whole(M[1]), tsl_whole(M[0])) && !tsl_copy(x, tsl_whole(M[1]), tsl_whole(M[2])) && !tsl_begin(x) &&
           !tsl_potrf(x, tsl_lower(tsl_whole(M[3])), NULL);
}

static void test_context_first(const char *devices)
{
    double a[N * N], b[N * N];
    tsl_context *x = make(devices), *y = make(devices);
    tsl_matrix *M[4] = {0};
    long before = live;
    ok(matrices(x, a, b, M), "%s: matrices of each kind", devices);
    tsl_context_destroy(x);
    int good = 0;
    for (int i = 0; i < N; i++) good += b[i * (N + 1)] == 2;
    ok(good == N, "%s: a context that is destroyed has done its work", devices);
    ok(live < before, "%s: and given its memory back", devices);
    for (int i = 0; i < 4; i++) {
        check(tsl_scale(y, 2, tsl_whole(M[i])) == TSL_ERR_CONTEXT, "%d on another context", i);
        check(tsl_scale(NULL, 2, tsl_whole(M[i])) == TSL_ERR_CONTEXT, "%d on the default one", i);
        check(tsl_scale(x, 2, tsl_whole(M[i])) == TSL_ERR_CONTEXT && says("destroyed", "context"), "%d on its own", i);
    }
    check(tsl_tiled_place(M[2], NULL, NULL) == TSL_ERR_NULL, "place");
    checked("%s: matrices that outlive their context are refused", devices);
    tsl_context_destroy(x); /* once more */
    for (int i = 0; i < 4; i++) tsl_matrix_free(M[(i + 2) % 4]);
    tsl_context_destroy(y);
    ok(live == 0, "%s: and can be freed: %ld blocks are left", devices, live);
}

static void test_twice(const char *devices)
{
    double a[N * N], b[N * N];
    tsl_matrix *M[4] = {0};
    tsl_context *x = make(devices);
    ok(matrices(x, a, b, M), "%s: matrices of each kind", devices);
    for (int i = 0; i < 4; i++) tsl_matrix_free(M[i]);
    for (int i = 0; i < 4; i++) tsl_matrix_free(M[i]);
    ok(tsl_wait(x) == TSL_OK, "%s: matrices freed twice", devices);
    tsl_context_destroy(x);
    tsl_context_destroy(x);
    for (int i = 0; i < 4; i++) tsl_matrix_free(M[i]);
    ok(live == 0, "%s: a context destroyed twice", devices);
}

static void *use_default(void *wrong)
{
    for (int r = 0; r < 200 && !*(int *)wrong; r++) {
        double a[4] = {4, 2, 0, 10};
        int64_t info = -1;
        *(int *)wrong = tsl_dpotrf(NULL, 'L', 2, a, 2, &info) || info || a[0] != 2 || a[3] != 3;
    }
    return NULL;
}

static void test_default(void)
{
    tsl_context *x = NULL, *y = NULL;
    int wrong[2] = {0};
    pthread_t t[2];
    tsl_matrix *A = NULL;
    ok(!tsl_default_context(&x) && x && !tsl_matrix_create(NULL, TSL_D, N, N, &A), "the default context");
    for (int i = 0; i < 2; i++) check(!pthread_create(&t[i], NULL, use_default, &wrong[i]), "thread");
    for (int r = 0; r < 50; r++) tsl_context_destroy(x); /* while others use it */
    for (int i = 0; i < 2; i++) check(!pthread_join(t[i], NULL) && !wrong[i], "thread %d", i);
    checked("the default context is not the caller's to destroy");
    ok(!tsl_scale(NULL, 0, tsl_whole(A)) && !tsl_wait(NULL) && !tsl_default_context(&y) && x == y, "it is there as before");
    tsl_context_destroy(x); /* and A is never freed: both end with the process */
}

/* ---- a context that is destroyed while other threads call it --------------------------------------------------------------- */

enum { CALLERS = 4, LARGE = 90 };

typedef struct caller {
    tsl_context *x;
    int kind;
    int *ended;             /* tsl_context_destroy has returned */
    tsl_status last, wrong; /* of its calls */
    pthread_t thread;
} caller;

static tsl_status call(tsl_context *x, int kind)
{
    double A[LARGE * LARGE], done, total;
    int64_t info, n = kind == 0 ? 6 : LARGE;
    for (int64_t i = 0; i < n * n; i++) A[i] = i % (n + 1) ? 0 : 4;
    if (kind < 2) return tsl_dpotrf(x, 'L', n, A, n, &info);
    if (kind == 3) {
        tsl_error(x);
        return tsl_progress(x, &done, &total);
    }
    tsl_matrix *M = NULL, *T = NULL;
    tsl_status st = tsl_matrix_create(x, TSL_D, n, n, &M);
    if (!st) st = tsl_tiled_create(x, TSL_D, n, n, 32, &T);
    if (!st) st = tsl_scale(x, 0, tsl_whole(M));
    if (!st) st = tsl_copy(x, tsl_whole(M), tsl_whole(T));
    tsl_matrix_free(M), tsl_matrix_free(T);
    return st;
}

static void *keep_calling(void *arg)
{
    caller *c = arg;
    for (int left = 3; left > 0;) {
        int after = __atomic_load_n(c->ended, __ATOMIC_ACQUIRE);
        c->last = call(c->x, c->kind);
        if (c->last && c->last != TSL_ERR_CONTEXT) c->wrong = c->last;
        if (after && !c->last) c->wrong = TSL_ERR_DEVICE; /* it worked on what is no more */
        left -= after;
    }
    return NULL;
}

static void test_destroyed_meanwhile(const char *devices)
{
    for (int r = 0; r < 12; r++) {
        tsl_context *x = make(devices);
        int ended = 0;
        caller c[CALLERS];
        for (int i = 0; i < CALLERS; i++) {
            c[i] = (caller){.x = x, .kind = (r + i) % 4, .ended = &ended};
            check(!pthread_create(&c[i].thread, NULL, keep_calling, &c[i]), "thread");
        }
        usleep((unsigned)(400 * r));
        tsl_context_destroy(x);
        long now = __atomic_load_n(&live, __ATOMIC_RELAXED);
        check(now <= 2 * CALLERS, "its memory: %ld", now); /* but for matrices a thread has yet to free */
        __atomic_store_n(&ended, 1, __ATOMIC_RELEASE);
        for (int i = 0; i < CALLERS; i++) {
            check(!pthread_join(c[i].thread, NULL), "thread");
            check(!c[i].wrong && c[i].last == TSL_ERR_CONTEXT, "time %d, thread %d: %s", r, i, tsl_status_name(c[i].wrong));
        }
        check(live == 0, "%ld blocks are left", live);
    }
    checked("%s: destroyed while others call it: calls in flight end, later ones are refused", devices);
}

/* The first threads of a process have a counter each for calls without a lock, later ones share some. */
static void use_up_counters(void)
{
    double a[1] = {4};
    tsl_context *x = make("host");
    for (int i = 0; i < TSL_COUNTERS; i++) {
        caller c = {.x = x, .kind = 0, .ended = &(int){1}};
        check(!pthread_create(&c.thread, NULL, keep_calling, &c) && !pthread_join(c.thread, NULL), "thread");
    }
    check(tsl_dpotrf(x, 'L', 1, a, 1, NULL) == TSL_OK, "%s", tsl_error(x));
    tsl_context_destroy(x);
}

/* ---- many ------------------------------------------------------------------------------------------------------------------ */

static void test_many(const char *devices)
{
    int before = 0;
    for (int r = 0; r < 60; r++) {
        double A[LARGE * LARGE];
        int64_t info;
        tsl_config cfg = tsl_config_default();
        tsl_context *x = NULL;
        cfg.devices = devices;
        for (int i = 0; i < LARGE * LARGE; i++) A[i] = i % (LARGE + 1) ? 0 : 4;
        check(!tsl_context_create(&cfg, &x) && !tsl_set(x, "path", "tiles") && !tsl_set(x, "tile", "32") && !tsl_dpotrf(x, 'L', LARGE, A, LARGE, &info),
              "context %d", r);
        tsl_context_destroy(x);
        if (r == 0) before = threads();
    }
    check(threads() <= before, "threads: %d, then %d", before, threads());
    checked("%s: contexts one after the other leave no thread", devices);
}

static tsl_context *at_exit;
static tsl_matrix *of_exit;

/* Runs after the library's own end: it was registered before. */
static void after_all(void)
{
    double a[1] = {9};
    int64_t info = -1;
    tsl_context_destroy(at_exit);
    tsl_matrix_free(of_exit);
    if (tsl_dpotrf(NULL, 'U', 1, a, 1, &info) || a[0] != 3) _exit(3);
}

static int ends_late(void)
{
    setenv("TESELA_DEVICES", "host", 1); /* CUDA may have ended by then */
    atexit(after_all);
    return tsl_default_context(&at_exit) || tsl_tiled_create(NULL, TSL_D, N, N, TILE, &of_exit);
}

int main(int argc, char **argv)
{
    alarm(100); /* a hang is a failure */
    if (argc > 1) return ends_late();
    test_failed();
    test_threads_line();
    test_no_matrix();
    for (int i = 0; i < 2; i++) test_context_first(specs[i]);
    for (int i = 0; i < 2; i++) test_twice(specs[i]);
    for (int i = 0; i < 2; i++) test_destroyed_meanwhile(specs[i]);
    use_up_counters();
    for (int i = 0; i < 2; i++) test_destroyed_meanwhile(specs[i]);
    for (int i = 0; i < 2; i++) test_many(specs[i]);
    test_default();
    char command[4096];
    snprintf(command, sizeof command, "'%s' late", argv[0]);
    ok(system(command) == 0, "the default context's end, then that of what was its, then a new one");
    return tap_done();
}
