/* What only a GPU can show: virtual devices on one, their limits, and a stream adopted from somebody else. */
#define _GNU_SOURCE
#include <complex.h>
#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>

#include "tap.h"
#include "tesela.h"

enum { N = 200 };

static tsl_context *make(const char *devices, void *stream)
{
    tsl_config cfg = tsl_config_default();
    tsl_context *x = NULL;
    cfg.devices = devices;
    cfg.stream = stream;
    return tsl_context_create(&cfg, &x) ? NULL : x;
}

/* Factors 4 I by host pointers, which is 2 I, and by a matrix on the device. */
static void computes(tsl_context *x, const char *what)
{
    static double A[N * N];
    int64_t info = -1;
    for (int i = 0; i < N * N; i++) A[i] = i % (N + 1) ? 0 : 4;
    tsl_matrix *host = NULL, *device = NULL;
    check(!tsl_matrix_wrap(x, TSL_D, N, N, A, N, &host) && !tsl_matrix_create(x, TSL_D, N, N, &device), "matrices");
    check(!tsl_copy(x, tsl_whole(host), tsl_whole(device)) && !tsl_potrf(x, tsl_lower(tsl_whole(device)), &info) && info == 0,
          "potrf on the device: %s", tsl_error(x));
    check(!tsl_copy(x, tsl_whole(device), tsl_whole(host)) && A[0] == 2 && A[N * N - 1] == 2, "the factor is 2 I");
    check(!tsl_dpotrf(x, 'U', N, A, N, &info) && info == 0 && A[0] * A[0] > 1.99 && A[0] * A[0] < 2.01, "potrf of host data");
    tsl_matrix_free(host), tsl_matrix_free(device);
    checked("%s computes", what);
}

static void test_virtual(void)
{
    tsl_context *x = make("cuda:0x4,mem=8G", NULL);
    ok(x && tsl_device_count(x) == 4, "cuda:0x4 is four devices");
    if (!x) return;
    for (int d = 0; d < 4; d++) {
        tsl_device_info i;
        check(!tsl_device_query(x, d, &i) && i.is_virtual && i.ordinal == 0 && i.limit == (size_t)8 << 30, "device %d", d);
    }
    checked("each is virtual, on GPU 0, with 8G");
    computes(x, "cuda:0x4,mem=8G");
    tsl_context_destroy(x);

    x = make("cuda:0x2,mem=64M", NULL);
    tsl_matrix *large = NULL;
    ok(x && tsl_matrix_create(x, TSL_D, 4096, 4096, &large) == TSL_ERR_DEVICE_MEMORY && !large, "a limit of 64M is kept");
    if (x) computes(x, "the device after that");
    tsl_context_destroy(x);
}

static void test_beside_cores(void)
{
    tsl_context *x = make("cuda:0+host", NULL);
    ok(x && tsl_device_count(x) == 2, "a GPU and the host's cores");
    if (x) computes(x, "cuda:0+host");
    tsl_context_destroy(x);
    ok(!make("cuda:0+host:2", NULL), "virtual host devices do not go beside a GPU");
}

static void test_adopted(void)
{
    tsl_context *owner = make("cuda:0", NULL);
    void *stream = owner ? tsl_stream(owner) : NULL;
    tsl_context *x = stream ? make("cuda:0", stream) : NULL;
    ok(x && tsl_stream(x) == stream, "a context on an adopted stream");
    if (x) computes(x, "the adopted stream");
    tsl_context_destroy(x);
    if (owner) computes(owner, "the stream's owner, after the adopter is gone,");
    tsl_context_destroy(owner);
}

/* A long product on one context's stream; another context reads its result, and the first one overwrites it after that. */
static void test_order(void)
{
    enum { LARGE = 4096 };
    tsl_context *a = make("cuda:0", NULL), *b = make("cuda:0", NULL);
    tsl_matrix *A = NULL, *C = NULL, *seen = NULL, *out = NULL;
    static double corner[1];
    tsl_matrix *host = NULL;
    bool made = a && b && !tsl_matrix_create(a, TSL_D, LARGE, LARGE, &A) && !tsl_matrix_create(a, TSL_D, LARGE, LARGE, &C) &&
                !tsl_matrix_wrap(b, TSL_D, LARGE, LARGE, tsl_matrix_data(C), tsl_matrix_ld(C), &seen) &&
                !tsl_matrix_create(b, TSL_D, LARGE, LARGE, &out) && !tsl_matrix_wrap(b, TSL_D, 1, 1, corner, 1, &host);
    ok(made, "matrices of two contexts on one GPU");
    for (int i = 0; made && i < 8; i++) {
        tsl_view whole = tsl_whole(A), last = tsl_sub(tsl_whole(out), LARGE - 1, LARGE - 1, 1, 1);
        check(!tsl_scale(a, 0, whole) && !tsl_expand(a, TSL_TRIANGULAR, tsl_unit(tsl_lower(whole)), whole), "the identity");
        check(!tsl_scale(a, 0, tsl_whole(C)) && !tsl_wait(a) && !tsl_wait(b), "begin");
        check(!tsl_gemm(a, 1 + i, whole, whole, 0, tsl_whole(C)) && !tsl_follow(b, tsl_stream(a)), "a product, and who follows it");
        check(!tsl_copy(b, tsl_whole(seen), tsl_whole(out)) && !tsl_precede(b, tsl_stream(a)), "its copy, which precedes");
        check(!tsl_scale(a, 0, tsl_whole(C)), "its end");
        check(!tsl_copy(b, last, tsl_whole(host)) && corner[0] == 1 + i, "the copy has %g, must have %d", corner[0], 1 + i);
    }
    if (made) checked("two contexts, ordered by streams");
    tsl_matrix_free(host), tsl_matrix_free(out), tsl_matrix_free(seen), tsl_matrix_free(C), tsl_matrix_free(A);
    tsl_context_destroy(b), tsl_context_destroy(a);
}

/* An outcome that goes to the device's memory, and is read from there by another call */
static void test_outcome_stays(void)
{
    enum { N = 50 };
    tsl_context *x = make("cuda:0", NULL);
    tsl_matrix *A = NULL, *told = NULL;
    tsl_scalar one;
    bool made = x && !tsl_matrix_create(x, TSL_D, N, N, &A) && !tsl_matrix_create(x, TSL_INDEX, 1, 1, &told);
    check(made, "a matrix and a place: %s", tsl_error(x));
    for (int way = 0; made && way < 4; ++way) {
        bool bad = way % 2, later = way < 2;
        int64_t *place = tsl_matrix_data(told);
        tsl_status st = tsl_laset(x, 0, 1, tsl_whole(A));
        if (!st && bad) st = tsl_set_element(x, tsl_whole(A), 20, 20, -1);
        if (!st) st = tsl_potrf(x, tsl_lower(tsl_whole(A)), later ? NULL : place);
        if (!st && later) st = tsl_info_into(x, place);
        if (!st) st = tsl_get_element(x, tsl_whole(told), 0, 0, &one);
        check(!st && creal(one) == 21 * bad, "outcome %g, %s: %s", creal(one), later ? "later" : "by the call", tsl_error(x));
    }
    checked("outcomes in the device's memory");
    tsl_matrix_free(A), tsl_matrix_free(told), tsl_context_destroy(x);
}

/* Two contexts on one stream: neither waits for the other, nor follows it, and the product is there before it is cleared. */
static void test_adopts(void)
{
    enum { LARGE = 2048 };
    tsl_context *a = make("cuda:0", NULL), *b = make("cuda:0", NULL);
    tsl_matrix *A = NULL, *C = NULL, *seen = NULL;
    void *own = a ? tsl_stream(a) : NULL, *common = (void *)1; /* CUDA's default stream */
    double most;
    bool made = own && b && !tsl_adopt(b, own) && tsl_stream(b) == own && !tsl_matrix_create(a, TSL_D, LARGE, LARGE, &A) &&
                !tsl_matrix_create(a, TSL_D, LARGE, LARGE, &C) &&
                !tsl_matrix_wrap(b, TSL_D, LARGE, LARGE, tsl_matrix_data(C), tsl_matrix_ld(C), &seen);
    check(made, "two contexts: %s", tsl_error(b));
    tsl_view whole = tsl_whole(A), there = tsl_whole(seen);
    for (int i = 0; made && i < 5; ++i) {
        check(!tsl_scale(a, 0, whole) && !tsl_expand(a, TSL_TRIANGULAR, tsl_unit(tsl_lower(whole)), whole), "the identity");
        check(!tsl_gemm(a, 1 + i, whole, whole, 0, tsl_whole(C)), "a product");
        check(!tsl_norm(b, TSL_NORM_MAX, TSL_SYMMETRIC, there, &most) && most == 1 + i, "%g, must be %d", most, 1 + i);
        check(!tsl_scale(b, 0, there), "its end");
    }
    check(made && !tsl_adopt(b, common) && tsl_stream(b) == common, "CUDA's default stream");
    check(made && !tsl_norm(b, TSL_NORM_MAX, TSL_SYMMETRIC, there, &most) && most == 0, "what is computed there");
    check(made && !tsl_adopt(b, NULL) && tsl_stream(b) != common && tsl_stream(b) != own, "a stream of its own again");
    checked("a context that adopts a stream");
    tsl_matrix_free(seen), tsl_matrix_free(C), tsl_matrix_free(A);
    tsl_context_destroy(b), tsl_context_destroy(a);
}

/* What a stream writes to the caller's memory is there for a call by tiles that follows it. The driver's own copy, since ours
 * would wait. */
static void test_followed_by_tiles(void)
{
    enum { LARGE = 8192, PART = 512 };
    void *driver = dlopen("libcuda.so.1", RTLD_NOW);
    int (*pinned)(void **, size_t, unsigned) = driver ? (int (*)(void **, size_t, unsigned))dlsym(driver, "cuMemHostAlloc") : NULL;
    int (*unpin)(void *) = driver ? (int (*)(void *))dlsym(driver, "cuMemFreeHost") : NULL;
    int (*fetch)(void *, void *, size_t, void *) = driver ? (int (*)(void *, void *, size_t, void *))dlsym(driver, "cuMemcpyDtoHAsync_v2") : NULL;
    tsl_context *a = make("cuda:0", NULL), *b = make("cuda:0", NULL);
    tsl_matrix *A = NULL, *C = NULL;
    void *p = NULL;
    static double one[PART * PART], out[PART * PART];
    bool made = a && b && pinned && unpin && fetch && !tsl_matrix_create(a, TSL_D, LARGE, LARGE, &A) && !tsl_matrix_create(a, TSL_D, LARGE, LARGE, &C) &&
                !tsl_wait(a) && !pinned(&p, sizeof one, 0) && !tsl_set(b, "path", "tiles") && !tsl_set(b, "tile", "256");
    ok(made, "two contexts and pinned memory");
    for (int i = 0; i < PART; i++) one[i * (PART + 1)] = 1;
    for (int i = 0; made && i < 3; i++) {
        memset(p, 0, sizeof one);
        check(!tsl_scale(a, 0, tsl_whole(A)) && !tsl_expand(a, TSL_TRIANGULAR, tsl_unit(tsl_lower(tsl_whole(A))), tsl_whole(A)), "the identity");
        check(!tsl_dgemm(b, 'N', 'N', PART, PART, PART, 1, one, PART, one, PART, 0, out, PART), "a call before: %s", tsl_error(b));
        check(!tsl_gemm(a, 1 + i, tsl_whole(A), tsl_whole(A), 0, tsl_whole(C)), "a long product");
        check(!fetch(p, tsl_matrix_data(C), sizeof(double), tsl_stream(a)) && !tsl_follow(b, tsl_stream(a)), "its corner, and who follows it");
        check(!tsl_dgemm(b, 'N', 'N', PART, PART, PART, 1, p, PART, one, PART, 0, out, PART) && out[0] == 1 + i, "by tiles: %g, must be %d", out[0], 1 + i);
    }
    if (made) checked("a call by tiles on host memory follows a stream");
    if (p) unpin(p);
    tsl_matrix_free(C), tsl_matrix_free(A);
    tsl_context_destroy(b), tsl_context_destroy(a);
    if (driver) dlclose(driver);
}

/* LU whose main lane leaves room, more or less of it, computes by another stream meanwhile: what follows the context's stream
 * still finds the factors, of the bits they have without that, or if the context has been waited for. */
static void test_leaves_room(void)
{
    enum { ORDER = 2100, RUNS = 5 };
    static const struct { const char *variant; bool waits; int like; } runs[RUNS] = {
        {"ahead", true, 0}, {"apart", false, 0}, {"window", true, 2}, {"window", false, 2}, {"apart", false, 0},
    };
    static double A[ORDER * ORDER], factors[RUNS][ORDER * ORDER];
    tsl_context *a = make("cuda:0", NULL), *b = make("cuda:0", NULL);
    tsl_matrix *host = NULL, *M = NULL, *p = NULL, *seen = NULL, *out = NULL;
    bool made = a && b && !tsl_matrix_wrap(a, TSL_D, ORDER, ORDER, A, ORDER, &host) && !tsl_matrix_create(a, TSL_D, ORDER, ORDER, &M) &&
                !tsl_matrix_create(a, TSL_INDEX, ORDER, 1, &p) &&
                !tsl_matrix_wrap(b, TSL_D, ORDER, ORDER, tsl_matrix_data(M), tsl_matrix_ld(M), &seen) && !tsl_set(a, "tile", "64");
    ok(made, "matrices of two contexts on one GPU");
    unsigned state = 1;
    for (int i = 0; i < ORDER * ORDER; i++) A[i] = (double)(state = state * 1664525u + 1013904223u) / 4294967296. - 0.5;
    for (int r = 0; made && r < RUNS; r++) {
        const char *variant = runs[r].variant;
        check(!tsl_set(a, "variant", variant) && !tsl_copy(a, tsl_whole(host), tsl_whole(M)), "%s", tsl_error(a));
        void *stream = tsl_stream(a);
        check(!tsl_getrf(a, tsl_whole(M), tsl_whole(p), NULL) && tsl_stream(a) == stream, "%s: %s", variant, tsl_error(a));
        check(runs[r].waits ? !tsl_wait(a) : !tsl_follow(b, stream), "%s, and who follows it", variant);
        check(!tsl_matrix_wrap(b, TSL_D, ORDER, ORDER, factors[r], ORDER, &out) && !tsl_copy(b, tsl_whole(seen), tsl_whole(out)), "what follows");
        tsl_matrix_free(out);
        check(!memcmp(factors[r], factors[runs[r].like], sizeof A) && memcmp(factors[r], A, sizeof A), "%d: other bits by %s", r, variant);
    }
    if (made) checked("LU that leaves room stays in order, with the same bits");
    tsl_matrix_free(seen), tsl_matrix_free(p), tsl_matrix_free(M), tsl_matrix_free(host);
    tsl_context_destroy(b), tsl_context_destroy(a);
}

/* What fits is brought to the device whole, unless so much has to travel that tiles hide it. */
static void test_paths(void)
{
    static const struct { const char *routine; int64_t n; const char *path; } calls[] = {
        {"dgesv", 4096, "one"}, {"dgetrf", 16384, "one"}, {"dgemm", 4096, "one"}, {"dpotrf", 10240, "one"}, {"dgeqrf", 10240, "one"},
        {"dpotrf", 20000, "tiles"}, {"dgemm", 12288, "tiles"},
    };
    tsl_context *x = make("cuda:0", NULL);
    for (int i = 0; x && i < (int)(sizeof calls / sizeof *calls); i++) {
        char text[4096] = "", want[32];
        snprintf(want, sizeof want, "path: %s", calls[i].path);
        int64_t n = calls[i].n;
        check(!tsl_explain(x, calls[i].routine, n, n, n, text, sizeof text) && strstr(text, want), "%s %d: %.60s", calls[i].routine, (int)n, text);
    }
    checked("host data goes to the device whole where that is faster");
    tsl_context_destroy(x);
}

int main(void)
{
    tsl_context *x = make("cuda", NULL);
    if (!x) {
        skip("no GPU here");
        return tap_done();
    }
    tsl_context_destroy(x);
    test_virtual();
    test_beside_cores();
    test_adopted();
    test_order();
    test_adopts();
    test_outcome_stays();
    test_followed_by_tiles();
    test_leaves_room();
    test_paths();
    return tap_done();
}
