/* What a context tells and can be told: info, counters, timer, tile and variant, its threads, and a device too small. */

#include "context/context.h"
#include "reference.h"
#include "threads.h"
#include "tiled.h"

/* C := A B on host arrays of order n. */
static tsl_status product(tsl_context *x, int64_t n, double *A, double *B, double *C)
{
    return tsl_dgemm(x, 'N', 'N', n, n, n, 1, A, n, B, n, 0, C, n);
}

/* potrf that does not wait, and the outcome asked for later; of the last one, and as often as one likes. */
static void test_info(const char *devices)
{
    enum { N = 40 };
    tsl_context *x = make(devices);
    dense A = dense_make(TSL_Z, N, N, CANARY_FINITE);
    tsl_matrix *host = NULL, *good = NULL, *bad = NULL;
    int64_t info = -1;
    dense_dominant(&A, 3);
    check(tsl_matrix_wrap(x, TSL_Z, N, N, A.data, A.ld, &host) == TSL_OK, "wrap");
    check(tsl_matrix_create(x, TSL_Z, N, N, &good) == TSL_OK && tsl_matrix_create(x, TSL_Z, N, N, &bad) == TSL_OK, "create");
    check(tsl_info(x, &info) == TSL_OK && info == 0, "before any call: %d", (int)info);
    check(tsl_copy(x, tsl_whole(host), tsl_whole(good)) == TSL_OK, "copy");
    dense_put(&A, 22, 22, -1);
    check(tsl_copy(x, tsl_whole(host), tsl_whole(bad)) == TSL_OK, "copy");
    check(tsl_potrf(x, tsl_lower(tsl_whole(bad)), NULL) == TSL_OK, "potrf of an indefinite matrix");
    check(tsl_info(x, &info) == TSL_OK && info == 23, "info %d", (int)info);
    check(tsl_info(x, &info) == TSL_OK && info == 23, "info %d the second time", (int)info);
    check(tsl_potrf(x, tsl_upper(tsl_whole(good)), NULL) == TSL_OK, "potrf of a definite matrix");
    check(tsl_info(x, &info) == TSL_OK && info == 0, "info %d afterwards", (int)info);
    tsl_view corner = tsl_sub(tsl_whole(bad), 9, 9, N - 9, N - 9);
    check(tsl_copy(x, tsl_whole(host), tsl_whole(bad)) == TSL_OK, "copy");
    check(tsl_potrf(x, tsl_upper(corner), NULL) == TSL_OK, "potrf of a corner");
    check(tsl_info(x, &info) == TSL_OK && info == 23 - 9, "info counts from the corner: %d", (int)info);
    tsl_matrix_free(host), tsl_matrix_free(good), tsl_matrix_free(bad);
    tsl_context_destroy(x);
    dense_free(&A);
    checked("%s: info is kept until it is asked for", devices);
}

static void test_counters(const char *devices, int moves)
{
    enum { N = 32, BYTES = N * N * (int)sizeof(double) };
    static double A[N * N], B[N * N], C[N * N];
    tsl_context *x = make(devices);
    tsl_counters n;
    check(tsl_counters_get(x, &n) == TSL_OK && !n.to_device && !n.launches, "zero at first");
    check(product(x, N, A, B, C) == TSL_OK && tsl_counters_get(x, &n) == TSL_OK, "product");
    check(n.launches > 0, "leaf computations: %d", (int)n.launches);
    check(n.to_device == 2 * moves && n.bytes_to_device == 2 * moves * BYTES, "A and B go: %d", (int)n.to_device);
    check(n.to_host == moves && n.bytes_to_host == moves * BYTES, "C comes back: %d", (int)n.to_host);
    check(n.peer == 0 && n.bytes_peer == 0, "nothing between devices");
    check(tsl_counters_reset(x) == TSL_OK && tsl_counters_get(x, &n) == TSL_OK, "reset");
    check(!n.to_device && !n.to_host && !n.bytes_to_device && !n.bytes_to_host && !n.launches, "zero again");
    check(tsl_gemm(x, 1, tsl_whole(NULL), tsl_whole(NULL), 0, tsl_whole(NULL)) == TSL_ERR_VIEW, "a refused call");
    check(tsl_counters_get(x, &n) == TSL_OK && !n.to_device && !n.launches, "a refused call does not count");
    double seconds = -1;
    check(tsl_timer_start(x) == TSL_OK && product(x, N, A, B, C) == TSL_OK, "timed product");
    check(tsl_timer_stop(x, &seconds) == TSL_OK && seconds >= 0, "time: %g", seconds);
    tsl_context_destroy(x);
    checked("%s: counters and timer", devices);
}

/* Every variant, small blocks: the right factor, and its bits again on repetition. */
static void test_variants(const char *devices)
{
    static const char *const variants[] = {"1", "ahead", "auto"}, *const tiles[] = {"16", "1", "70", "0"};
    env e = {.ctx = make(devices), .via = VIA_CREATED};
    for (int v = 0; v < 12; v++)
        for (int uplo = TSL_LOWER; uplo <= TSL_UPPER; uplo++) {
            dense A = dense_make(TSL_C, 70, 70, CANARY_FINITE);
            dense_dominant(&A, 5);
            dense was = dense_copy(&A), again = dense_copy(&A);
            job f = {.op = TSL_OP_POTRF, .v = {{.d = &A, .uplo = (tsl_uplo)uplo}}, .info = -1};
            operand before = {.d = &was, .uplo = (tsl_uplo)uplo};
            check(tsl_set(e.ctx, "variant", variants[v % 3]) == TSL_OK && tsl_set(e.ctx, "tile", tiles[v / 3]) == TSL_OK, "set");
            check(job_run(&e, &f) == TSL_OK && f.info == 0, "%s, tile %s: %s", variants[v % 3], tiles[v / 3], tsl_error(e.ctx));
            double r = ref_residual(&before, &f.v[0]);
            check(r <= 4 * 74 * tsl_type_eps(TSL_C), "%s, tile %s: residual %g", variants[v % 3], tiles[v / 3], r);
            f.v[0].d = &again;
            check(job_run(&e, &f) == TSL_OK && dense_same(&A, &again), "%s, tile %s: other bits", variants[v % 3], tiles[v / 3]);
            dense_free(&A), dense_free(&was), dense_free(&again);
        }
    tsl_context_destroy(e.ctx);
    checked("%s: variants and tiles", devices);
}

/* 1 MiB of device memory and three arrays of half that: by tiles it goes, in one piece it is refused, C as it was. Then a call
 * that only fits once the workspace of the one before has been given up. */
static void test_small_device(void)
{
    enum { N = 256, SMALL = 64, MIDDLE = 200 };
    tsl_context *x = make("host:1,mem=1M");
    dense A = dense_make(TSL_D, N, N, CANARY_NAN), B = dense_make(TSL_D, N, N, CANARY_NAN);
    dense C = dense_make(TSL_D, N, N, CANARY_FINITE);
    dense_random(&A, 1), dense_random(&B, 2), dense_random(&C, 3);
    dense was = dense_copy(&C);
    env e = {.ctx = x, .via = VIA_TYPED};
    job g = {.op = TSL_OP_GEMM, .alpha = 1, .beta = 1, .v = {{.d = &A}, {.d = &B}, {.d = &C}}};
    check(job_run(&e, &g) == TSL_OK, "three arrays of half the memory, by tiles");
    memcpy(C.data, was.data, C.bytes);
    check(tsl_set(x, "path", "one") == TSL_OK && job_run(&e, &g) == TSL_ERR_DEVICE_MEMORY, "three arrays of half the memory");
    check(dense_same(&C, &was), "C is as it was");
    check(strstr(tsl_error(x), "gemm") != NULL, "the error names the call: %s", tsl_error(x));
    static const int64_t sizes[] = {SMALL, MIDDLE, SMALL, N, MIDDLE, 100, 150, 190, MIDDLE};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        A.m = A.n = B.m = B.n = C.m = C.n = sizes[i];
        memcpy(C.data, was.data, C.bytes);
        const char *wrong = sizes[i] < N ? job_check(&e, &g) : job_run(&e, &g) != TSL_ERR_DEVICE_MEMORY ? "not refused" : NULL;
        check(!wrong, "order %d, call %d: %s", (int)sizes[i], (int)i, wrong);
    }
    tsl_device_info d;
    check(tsl_device_query(x, 0, &d) == TSL_OK && d.limit == 1 << 20 && d.used <= d.limit && d.peak <= d.limit, "within the limit");
    tsl_matrix *big = NULL;
    check(tsl_matrix_create(x, TSL_D, N, 2 * N, &big) == TSL_ERR_DEVICE_MEMORY && !big, "a matrix past the limit");
    tsl_context_destroy(x);
    dense_free(&A), dense_free(&B), dense_free(&C), dense_free(&was);
    checked("a device too small");
}

/* Workspace is taken once: repeating a call, staged or with a conjugate to be made, does not make the device hold more. */
static void test_workspace(void)
{
    enum { N = 150, WARM = 2, CALLS = 40 };
    env e = {.ctx = make("host:1"), .via = VIA_TYPED};
    dense A = dense_make(TSL_Z, N, N, CANARY_NAN), C = dense_make(TSL_Z, N, N, CANARY_FINITE);
    tsl_device_info d = {.used = 0};
    size_t settled = 0;
    dense_random(&A, 1), dense_random(&C, 2);
    job g = {.op = TSL_OP_GEMM, .alpha = 1, .beta = 0, .v = {{.d = &A}, {.d = &A, .op = TSL_TRANS}, {.d = &C}}};
    for (int i = 0; i < CALLS; i++) {
        e.via = i % 2 ? VIA_TYPED : VIA_CREATED;
        g.v[0].op = i % 2 ? TSL_NOTRANS : TSL_CONJ;
        check(job_run(&e, &g) == TSL_OK && tsl_device_query(e.ctx, 0, &d) == TSL_OK, "call %d", i);
        if (i < WARM) settled = d.used;
        check(d.used <= settled, "call %d: %zu bytes held, %zu at first", i, d.used, settled);
    }
    tsl_context_destroy(e.ctx);
    dense_free(&A), dense_free(&C);
    checked("workspace is used again");
}

/* What a tiled factorization of order 4 nb adds to the threads there are. */
static int started_by(tsl_context *x)
{
    enum { NB = 16, N = 4 * NB };
    dense A = dense_make(TSL_D, N, N, CANARY_FINITE);
    tsl_matrix *tiled = NULL;
    int64_t info = -1;
    int before = threads();
    dense_dominant(&A, 5);
    check(tsl_tiled_wrap(x, TSL_D, N, N, A.data, A.ld, NB, &tiled) == TSL_OK, "wrap");
    check(tsl_potrf(x, tsl_lower(tsl_whole(tiled)), &info) == TSL_OK && info == 0, "potrf: info %d", (int)info);
    int after = threads();
    tsl_matrix_free(tiled);
    dense_free(&A);
    return after - before;
}

/* A core's thread computes its tasks itself. A virtual device has, beside the thread that serves it, those of the
 * queues it fills; one of two may have taken all the work. */
static void test_threads(void)
{
    tsl_context *two = make("host:2,mem=16M"), *cores = make("host");
    int served = started_by(two), own = started_by(cores);
    check(served > 2, "virtual devices: %d threads", served);
    check(own == tsl_blas_cores(), "the cores: %d threads of %d", own, tsl_blas_cores());
    tsl_context_destroy(two);
    tsl_context_destroy(cores);
    checked("threads of the runtime");
}

static double idle(tsl_context *x)
{
    tsl_counters n;
    check(tsl_counters_get(x, &n) == TSL_OK, "counters");
    return n.idle;
}

/* Cores that wait for work when there is none are not idle; while there is some, no longer than it lasts. */
static void test_idle(void)
{
    tsl_context *x = make("host");
    (void)started_by(x);
    double before = idle(x), start;
    nanosleep(&(struct timespec){.tv_nsec = 200000000}, NULL);
    check(idle(x) == before, "%g seconds of rest without work", idle(x) - before);
    start = tsl_now();
    (void)started_by(x);
    double most = tsl_blas_cores() * (tsl_now() - start);
    check(idle(x) - before <= most, "idle for %g seconds of %g", idle(x) - before, most);
    tsl_context_destroy(x);
    checked("idle time");
}

/* Is a product of 2 x 2 x 2 tiles right? A is a permutation by one place, C its square. */
static bool small_product(tsl_context *x)
{
    enum { N = 32 };
    static double A[N * N], C[N * N];
    int wrong = 0;
    for (int j = 0; j < N; j++) A[(j + 1) % N + j * N] = 1 + j;
    memset(C, 0, sizeof C);
    check(product(x, N, A, A, C) == TSL_OK, "%s", tsl_error(x));
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) wrong += C[i + j * N] != (i == (j + 2) % N ? (1 + j) * (1 + (j + 1) % N) : 0);
    return !wrong;
}

/* A call with many tiles leaves no more memory for later ones than is to be kept, and these are right. */
static void test_after_many(void)
{
    enum { M = 400000, KEPT = 64 << 10, OWN = 1 << 10 }; /* OWN: for the numbers a device has beside workspace */
    tsl_config cfg = tsl_config_default();
    tsl_context *x = NULL;
    double *long_one = calloc(M, sizeof *long_one), *other = calloc(M, sizeof *other), factor = 2;
    cfg.devices = "host:3";
    cfg.workspace_limit = KEPT;
    check(tsl_context_create(&cfg, &x) == TSL_OK && long_one && other && tsl_set(x, "tile", "16") == TSL_OK, "to begin with");
    check(small_product(x), "a small product before");
    for (int i = 0; i < M; i++) long_one[i] = i % 1000;
    check(tsl_dgemm(x, 'N', 'N', M, 1, 1, 1, long_one, M, &factor, 1, 0, other, M) == TSL_OK, "%s", tsl_error(x));
    int wrong = 0;
    for (int i = 0; i < M; i++) wrong += other[i] != 2 * (i % 1000);
    check(!wrong, "%d elements are wrong", wrong);
    for (int k = 0; k < 3; k++) check(small_product(x), "small product %d after", k);
    size_t most = 0;
    for (int i = 0; i < tsl_device_count(x); i++) {
        tsl_device_info d = {.used = SIZE_MAX};
        check(tsl_device_query(x, i, &d) == TSL_OK && d.used <= KEPT + OWN, "device %d holds %zu bytes, %d are to be kept", i, d.used, KEPT);
        most = d.peak > most ? d.peak : most;
    }
    check(most > 2 * KEPT, "there was nothing to give back: %zu bytes at most", most);
    tsl_context_destroy(x);
    free(long_one), free(other);
    checked("small calls after one of many tiles");
}

int main(void)
{
    test_threads();
    test_idle();
    test_after_many();
    for (int v = 0; v < 2; v++) {
        const char *devices = v ? "host:2,mem=64M" : "host";
        test_info(devices);
        test_counters(devices, v);
        test_variants(devices);
    }
    test_small_device();
    test_workspace();
    return tap_done();
}
