/* Contexts and threads: one each, one for all, the default one; work that is still running; the order of the end. */
#include <pthread.h>

#include "reference.h"
#include "threads.h"

enum { THREADS = 4, ROUNDS = 6, N = 48 };

static tsl_context *make(const char *devices)
{
    tsl_config cfg = tsl_config_default();
    tsl_context *x = NULL;
    cfg.devices = devices;
    return tsl_context_create(&cfg, &x) == TSL_OK ? x : NULL;
}

/* A product and a factorisation through x, in typed form, checked. Says what was wrong; for use in any thread. */
static const char *some_work(tsl_context *x, tsl_type t, uint64_t seed)
{
    dense A = dense_make(t, N, N, CANARY_NAN), B = dense_make(t, N, N, CANARY_NAN), C = dense_make(t, N, N, CANARY_FINITE);
    dense_random(&A, seed), dense_random(&B, seed + 1), dense_random(&C, seed + 2);
    env e = {.ctx = x, .via = VIA_TYPED};
    job g = {.op = TSL_OP_GEMM, .alpha = 1, .beta = -1, .v = {{.d = &A}, {.d = &B, .op = TSL_TRANS}, {.d = &C}}};
    const char *wrong = job_check(&e, &g);
    dense_dominant(&C, seed);
    dense was = dense_copy(&C);
    job f = {.op = TSL_OP_POTRF, .v = {{.d = &C, .uplo = TSL_LOWER}}, .info = -1};
    operand before = {.d = &was, .uplo = TSL_LOWER};
    if (!wrong && (job_run(&e, &f) != TSL_OK || f.info != 0)) wrong = "potrf failed";
    if (!wrong && ref_residual(&before, &f.v[0]) > 4.0 * (N + 4) * tsl_type_eps(t)) wrong = "potrf is wrong";
    dense_free(&A), dense_free(&B), dense_free(&C), dense_free(&was);
    return wrong;
}

typedef struct worker {
    tsl_context *shared; /* NULL: a context of its own, or the default one */
    const char *devices; /* of its own */
    int number;
    const char *wrong;
    tsl_context *used;
} worker;

static void *work(void *arg)
{
    worker *w = arg;
    tsl_context *x = w->devices ? make(w->devices) : w->shared;
    if (w->devices && !x) w->wrong = "no context";
    for (int r = 0; r < ROUNDS && !w->wrong; r++)
        w->wrong = some_work(x, all_types[(w->number + r) % 4], (uint64_t)(100 * w->number + r));
    if (!w->devices && !w->shared) tsl_default_context(&w->used);
    if (w->devices) tsl_context_destroy(x);
    return NULL;
}

static void run_threads(worker *w, const char *what)
{
    pthread_t t[THREADS];
    for (int i = 0; i < THREADS; i++) {
        w[i].number = i;
        check(pthread_create(&t[i], NULL, work, &w[i]) == 0, "%s: thread %d", what, i);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(t[i], NULL);
        check(!w[i].wrong, "%s: thread %d: %s", what, i, w[i].wrong);
    }
    checked("%s", what);
}

static void test_threads(void)
{
    static const char *const specs[THREADS] = {"host", "host:2,mem=64M", "host", "host:1"};
    worker own[THREADS] = {0}, shared[THREADS] = {0}, host[THREADS] = {0}, common[THREADS] = {0};
    tsl_context *x = make("host:2,mem=64M"), *y = make("host");
    for (int i = 0; i < THREADS; i++) own[i].devices = specs[i], shared[i].shared = x, host[i].shared = y;
    run_threads(own, "a context for each thread");
    run_threads(shared, "one context for all threads, virtual devices");
    run_threads(host, "one context for all threads, host");
    run_threads(common, "the default context, made by whoever comes first");
    for (int i = 1; i < THREADS; i++) ok(common[i].used && common[i].used == common[0].used, "thread %d saw the same one", i);
    tsl_context_destroy(x);
    tsl_context_destroy(y);
}

/* A call on host arrays waits, so the caller's thread computes it, on a virtual device too; and what is one tile is not shared
 * out. */
static void test_alone(void)
{
    enum { NB = 16, SIDE = NB + 1 };
    tsl_context *x = make("host:3,mem=64M");
    double a[SIDE * SIDE] = {0}, c[SIDE * SIDE], v[SIDE * SIDE] = {1}, dot = 0;
    int64_t info = -1;
    for (int64_t i = 0; i < SIDE; i++) a[i + i * SIDE] = 4;
    check(tsl_set(x, "tile", "16") == TSL_OK, "tiles");
    int before = threads();
    check(tsl_dgemm(x, 'N', 'N', NB, NB, NB, 1, a, SIDE, a, SIDE, 0, c, SIDE) == TSL_OK && c[0] == 16, "dgemm: %g", c[0]);
    check(tsl_dpotrf(x, 'L', NB, c, SIDE, &info) == TSL_OK && info == 0 && c[0] == 4, "dpotrf: %g", c[0]);
    check(tsl_ddot(x, SIDE * SIDE, a, 1, v, 1, &dot) == TSL_OK && dot == 4, "ddot: %g", dot);
    int after = threads();
    check(after == before, "%d threads, %d after calls of one tile and on vectors", before, after);
    check(tsl_dgemm(x, 'N', 'N', SIDE, SIDE, SIDE, 1, a, SIDE, a, SIDE, 0, c, SIDE) == TSL_OK && c[SIDE * SIDE - 1] == 16,
          "dgemm of two tiles: %g", c[SIDE * SIDE - 1]);
    check(threads() > before, "two tiles are shared out");
    tsl_context_destroy(x);
    checked("what waits is computed by the caller's thread, and one tile is not shared out");
}

static void test_default(void)
{
    tsl_context *a = NULL, *b = NULL;
    ok(tsl_default_context(&a) == TSL_OK && tsl_default_context(&b) == TSL_OK && a && a == b, "the default context is one");
    ok(!some_work(NULL, TSL_D, 1), "NULL computes in it");
    ok(tsl_dpotrf(NULL, 'X', 1, NULL, 1, NULL) == TSL_ERR_FLAG && !strcmp(tsl_error(NULL), tsl_error(a)) && *tsl_error(a),
       "its errors are told by either name");
    ok(tsl_device_count(NULL) == tsl_device_count(a) && tsl_wait(NULL) == TSL_OK, "and so is the rest");
}

/* Contexts end in another order than they began in, with work still running. */
static void test_ends(void)
{
    tsl_context *x[3] = {make("host"), make("host:2,mem=64M"), make("host:1")};
    static const int order[] = {1, 0, 2};
    for (int i = 0; i < 3; i++) {
        tsl_context *mine = x[order[i]];
        tsl_matrix *A = NULL, *C = NULL;
        check(tsl_matrix_create(mine, TSL_D, 200, 200, &A) == TSL_OK, "A");
        check(tsl_matrix_create(mine, TSL_D, 200, 200, &C) == TSL_OK, "C");
        check(tsl_scale(mine, 0, tsl_whole(A)) == TSL_OK, "scale");
        for (int r = 0; r < 4; r++) check(tsl_gemm(mine, 1, tsl_whole(A), tsl_whole(A), 0, tsl_whole(C)) == TSL_OK, "gemm");
        tsl_matrix_free(A); /* in use by the products just asked for */
        tsl_matrix_free(C);
        check(tsl_scale(mine, 2, tsl_whole(NULL)) == TSL_ERR_VIEW, "an error left untold");
        tsl_context_destroy(mine);
        for (int j = i + 1; j < 3; j++) check(!some_work(x[order[j]], TSL_Z, 2), "context %d after %d ended", order[j], order[i]);
    }
    checked("contexts end in any order");
}

/* Many calls on matrices of the context, none of them waited for, then one wait; the order of the calls shows in the result. */
static void test_async(const char *devices)
{
    tsl_context *x = make(devices);
    dense A = dense_make(TSL_D, N, N, CANARY_NAN), got = dense_make(TSL_D, N, N, CANARY_FINITE);
    tsl_matrix *host = NULL, *out = NULL, *a = NULL, *b = NULL, *c = NULL;
    double expected = 1;
    dense_fill(&A, 1.0 / N);
    tsl_status st = tsl_matrix_wrap(x, TSL_D, N, N, A.data, A.ld, &host);
    if (!st) st = tsl_matrix_wrap(x, TSL_D, N, N, got.data, got.ld, &out);
    if (!st) st = tsl_matrix_create(x, TSL_D, N, N, &a);
    if (!st) st = tsl_matrix_create(x, TSL_D, N, N, &b);
    if (!st) st = tsl_matrix_create(x, TSL_D, N, N, &c);
    if (!st) st = tsl_copy(x, tsl_whole(host), tsl_whole(a));
    if (!st) st = tsl_copy(x, tsl_whole(a), tsl_whole(b));
    for (int r = 0; r < 40 && !st; r++) { /* c := 2 a b is 2 b, since a averages; b := c - b/2 */
        st = tsl_gemm(x, 2, tsl_whole(a), tsl_trans(tsl_whole(b)), 0, tsl_whole(c));
        if (!st) st = tsl_scale(x, -0.5, tsl_whole(b));
        if (!st) st = tsl_gemm(x, 1, tsl_whole(a), tsl_whole(c), 1, tsl_whole(b));
        expected *= 1.5;
    }
    if (!st) st = tsl_wait(x);
    if (!st) st = tsl_copy(x, tsl_whole(b), tsl_whole(out));
    ok(!st, "%s: calls that do not wait: %s", devices, tsl_status_name(st));
    double worst = 0;
    for (int64_t i = 0; i < N * N && !st; i++)
        worst = worse(worst, fabs(creal(dense_get(&got, i % N, i / N)) * N / expected - 1));
    ok(worst <= 40 * N * tsl_type_eps(TSL_D), "%s: done in the order of the calls (off by %g)", devices, worst);
    ok(tsl_wait(x) == TSL_OK, "%s: waiting again is harmless", devices);
    tsl_matrix *all[] = {host, out, a, b, c};
    for (int i = 0; i < 5; i++) tsl_matrix_free(all[i]);
    tsl_context_destroy(x);
    dense_free(&A), dense_free(&got);
}

/* A place for an outcome in the device's memory: a call writes to it, whether it computes in one piece or by tiles. */
static void test_outcome_there(const char *path)
{
    enum { ORDER = 40, BAD = 20 };
    tsl_context *x = make("host:1");
    tsl_matrix *A = NULL, *place = NULL;
    tsl_scalar value;
    int64_t last = -1;
    bool made = x && !tsl_set(x, "path", path) && !tsl_set(x, "tile", "16") &&
                !tsl_matrix_create(x, TSL_D, ORDER, ORDER, &A) && !tsl_matrix_create(x, TSL_INDEX, 1, 1, &place);
    int64_t *info = made ? tsl_matrix_data(place) : NULL;
    check(made, "path %s: a matrix and a place", path);
    for (int bad = 0; made && bad < 2; ++bad) {
        tsl_status st = tsl_laset(x, 0, 1, tsl_whole(A));
        if (!st && bad) st = tsl_set_element(x, tsl_whole(A), BAD, BAD, -1);
        if (!st) st = tsl_potrf(x, tsl_lower(tsl_whole(A)), info);
        if (!st) st = tsl_get_element(x, tsl_whole(place), 0, 0, &value);
        check(!st && creal(value) == (BAD + 1) * bad, "path %s: %g there: %s", path, creal(value), tsl_error(x));
        check(!tsl_info(x, &last) && last == 0, "path %s: the last outcome is %d, as of a batch", path, (int)last);
    }
    bool refused = made && !tsl_begin(x) && tsl_potrf(x, tsl_lower(tsl_whole(A)), info) == TSL_ERR_CONTEXT && !tsl_wait(x);
    check(refused, "path %s: in a region", path);
    checked("an outcome in the device's memory, path %s", path);
    tsl_matrix_free(A), tsl_matrix_free(place), tsl_context_destroy(x);
}

int main(void)
{
    test_outcome_there("one"), test_outcome_there("tiles");
    test_alone();
    test_threads();
    test_default();
    test_ends();
    test_async("host");
    test_async("host:2,mem=64M");
    return tap_done();
}
