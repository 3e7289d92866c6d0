/* Counts times sizes that do not fit: refused before anything is made of them. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "context/context.h"
#include "tap.h"

static void test_arithmetic(void)
{
    const size_t most = SIZE_MAX;
    ok(tsl_times(0, most) == 0 && tsl_times(1, most) == most && tsl_times(most / 2, 2) == most - 1, "products that fit");
    ok(tsl_times(most, 2) == most && tsl_times((size_t)1 << 32, (size_t)1 << 32) == most && tsl_times(tsl_times(most, 3), 5) == most,
       "products that do not, and what is made of them");
    ok(tsl_plus(most - 1, 1) == most && tsl_plus(most, most) == most && tsl_plus(2, 3) == 5, "sums");
    ok(tsl_pieces(0, 7) == 0 && tsl_pieces(7, 7) == 1 && tsl_pieces(8, 7) == 2 && tsl_pieces(INT64_MAX, INT64_MAX) == 1 &&
           tsl_pieces(INT64_MAX, 2) == INT64_MAX / 2 + 1, "pieces");
    ok(tsl_rounded(0, 256) == 0 && tsl_rounded(257, 256) == 512 && tsl_rounded(most, 256) == most, "rounding up");
    ok(tsl_dense_bytes(TSL_Z, (int64_t)1 << 31, (int64_t)1 << 31) == most && tsl_dense_bytes(TSL_D, 3, 5) == 120, "dense matrices");
    static const tsl_allocator plain;
    ok(!tsl_host_alloc(&plain, most) && !tsl_host_alloc(&plain, (size_t)PTRDIFF_MAX + 1), "of so many bytes there are none");
}

static void test_tiles(tsl_context *x, const char *devices)
{
    static const struct { int64_t m, n, nb; } shape[] = {
        {(int64_t)1 << 30, (int64_t)1 << 30, 1}, {(int64_t)1 << 29, (int64_t)1 << 31, 1}, {(int64_t)1 << 31, (int64_t)1 << 30, 3},
        {(int64_t)1 << 60, 1, 1},                {1, (int64_t)1 << 60, 1},
    };
    static float data[4];
    for (size_t i = 0; i < sizeof shape / sizeof *shape; i++) {
        tsl_matrix *A = (tsl_matrix *)data, *B = A;
        tsl_status made = tsl_tiled_create(x, TSL_S, shape[i].m, shape[i].n, shape[i].nb, &A);
        check(made == TSL_ERR_OVERFLOW && !A && strstr(tsl_error(x), "tiled_create"), "shape %zu, create: %s", i, tsl_status_name(made));
        made = tsl_tiled_wrap(x, TSL_S, shape[i].m, shape[i].n, data, shape[i].m, shape[i].nb, &B);
        check(made == TSL_ERR_OVERFLOW && !B && strstr(tsl_error(x), "tiled_wrap"), "shape %zu, wrap: %s", i, tsl_status_name(made));
    }
    checked("%s: more tiles than can be counted in bytes", devices);
    /* none at all, however long the other side */
    for (int i = 0; i < 4; i++) {
        tsl_matrix *A = NULL;
        int64_t m = i % 2 ? 0 : INT64_MAX, n = i % 2 ? INT64_MAX : 0;
        check(!tsl_tiled_create(x, TSL_Z, m, n, i < 2 ? INT64_MAX : 1, &A), "created: %s", tsl_error(x));
        check(!tsl_scale(x, 2, tsl_sub(tsl_whole(A), m / 2, n / 2, m / 2, n / 2)), "scaled: %s", tsl_error(x));
        tsl_matrix_free(A);
        check(!tsl_matrix_create(x, TSL_Z, m, n, &A) || m == INT64_MAX, "flat: %s", tsl_error(x));
        tsl_matrix_free(A);
    }
    checked("%s: empty matrices with the longest side", devices);
}

static void test_option(tsl_context *x, const char *devices)
{
    enum { N = 90 };
    static double a[N * N];
    int64_t info = -1;
    for (int i = 0; i < N * N; i++) a[i] = i % (N + 1) ? 0 : 4;
    check(!tsl_set(x, "tile", "9223372036854775807") && !tsl_set(x, "path", "tiles"), "options");
    check(!tsl_dpotrf(x, 'L', N, a, N, &info) && !info && a[0] == 2 && a[N * N - 1] == 2, "by tiles: %s", tsl_error(x));
    check(!tsl_set(x, "path", "one") && !tsl_dpotrf(x, 'U', N, a, N, &info) && !info, "in one piece: %s", tsl_error(x));
    check(!tsl_set(x, "path", "auto") && !tsl_set(x, "tile", "0"), "options");
    checked("%s: the largest tile there is", devices);
}

/* explain takes sizes of arrays that nobody has: what one cannot address is refused, what does not add up in 64 bits is still
 * told. */
static void test_explain(tsl_context *x, const char *devices)
{
    static const char *const names[] = {"dgemm", "zgemmt", "spotrf", "cposv", "zgbmv", "dsbmv", "sspmv", "ctpsv", "zlange", "dgetrf",
                                        "zgesv", "cgeqrf", "sormqr", "dgels", "zgels_inc", "cgesv_incpiv", "dsgesv"};
    static const int64_t sizes[] = {4000000000, (int64_t)1 << 32, (int64_t)1 << 33, (int64_t)1 << 62, INT64_MAX};
    char text[2048];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (size_t j = 0; j < sizeof sizes / sizeof *sizes; j++) {
            tsl_status st = tsl_explain(x, names[i], sizes[j], sizes[j], sizes[j], text, sizeof text);
            check(st == TSL_ERR_OVERFLOW && strstr(tsl_error(x), names[i]) && strstr(tsl_error(x), "too large to address"), "%s of %lld: %s '%s'",
                  names[i], (long long)sizes[j], tsl_status_name(st), tsl_error(x));
        }
    check(!tsl_explain(x, "daxpy", 0, (int64_t)1 << 58, 0, text, sizeof text), "the longest vectors: %s", tsl_error(x));
    tsl_status st = tsl_explain(x, "dgemm", 1000000000, 1000000000, 1000000000, text, sizeof text);
    bool moves = strchr(devices, '='); /* 8e18 bytes each: three of them are more than 2^64 */
    check(!st && strstr(text, "path: ") && strstr(text, moves ? "moved: 2.4e+10 GB to devices, 8e+09 GB back" : "moved: nothing"), "dgemm of 10^9: %s '%s'",
          tsl_error(x), text);
    checked("%s: explain", devices);
}

int main(void)
{
    static const char *const specs[] = {"host", "host:2,mem=16M"};
    alarm(200);
    test_arithmetic();
    for (int i = 0; i < 2; i++) {
        tsl_config cfg = tsl_config_default();
        tsl_context *x = NULL;
        cfg.devices = specs[i];
        ok(!tsl_context_create(&cfg, &x), "%s: a context", specs[i]);
        test_tiles(x, specs[i]);
        test_option(x, specs[i]);
        test_explain(x, specs[i]);
        tsl_context_destroy(x);
    }
    return tap_done();
}
