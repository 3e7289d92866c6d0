/* Small calls do not wait for the host library's threads, of which there are two: tests/hostlib/pool.c, preloaded, counts what
 * these are given. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdlib.h>

#include "context.h"

enum { MOST = 64 };

static double A[2 * MOST * MOST], B[2 * MOST * MOST], C[2 * MOST * MOST], w[MOST];
static const long *calls;

static void numbers(int64_t n, bool complex)
{
    for (int64_t j = 0; j < n; ++j)
        for (int64_t i = 0; i < n; ++i)
            for (int part = 0; part <= complex; ++part)
                A[(i + j * n) * (1 + complex) + part] = part ? (i == j ? 0 : i < j ? -1e-2 : 1e-2) : i == j ? (double)n + (double)i : 1 / (double)(1 + i + j);
}

static void alone(const char *who, int64_t n, tsl_status st, long before) { check(!st && *calls == before, "%s of order %d: status %d, %ld calls of threads", who, (int)n, (int)st, *calls - before); }

static void real(tsl_context *x, int64_t n)
{
    int64_t info = 0;
    long before = *calls;
    numbers(n, false);
    alone("dsymv", n, tsl_dsymv(x, 'L', n, 1, A, n, B, 1, 0, w, 1), before);
    alone("dtrmv", n, tsl_dtrmv(x, 'L', 'N', 'N', n, A, n, w, 1), before);
    alone("dsymm", n, tsl_dsymm(x, 'L', 'L', n, n, 1, A, n, B, n, 0, C, n), before);
    alone("dsyr2k", n, tsl_dsyr2k(x, 'L', 'N', n, n, 1, A, n, B, n, 0, C, n), before);
    alone("dsytrd", n, tsl_dsytrd(x, 'L', n, A, n, w, C, C + n, &info), before);
    numbers(n, false);
    alone("dsyevd", n, tsl_dsyevd(x, 'V', 'L', n, A, n, w, &info), before);
    numbers(n, false);
    if (n < MOST) alone("dpotrf", n, tsl_dpotrf(x, 'L', n, A, n, &info), before);
    alone("dgeqrf", n, tsl_dgeqrf(x, n, n, A, n, w, &info), before);
    numbers(n, false);
    alone("dgesdd", n, tsl_dgesdd(x, 'S', n, n, A, n, w, B, n, C, n, &info), before);
    numbers(n, false);
    alone("dgeev", n, tsl_dgeev(x, 'N', 'V', n, A, n, w, C, B, n, B, n, &info), before);
}

static void hermitian(tsl_context *x, int64_t n)
{
    const tsl_cdouble one = 1, zero = 0;
    tsl_cdouble *a = (void *)A, *b = (void *)B, *c = (void *)C;
    int64_t info = 0;
    long before = *calls;
    numbers(n, true);
    alone("zher", n, tsl_zher(x, 'L', n, 1, b, 1, c, n), before);
    alone("zher2", n, tsl_zher2(x, 'L', n, one, b, 1, b, 1, c, n), before);
    alone("zhemm", n, tsl_zhemm(x, 'L', 'L', n, n, one, a, n, b, n, zero, c, n), before);
    alone("zher2k", n, tsl_zher2k(x, 'L', 'N', n, n, one, a, n, b, n, 0, c, n), before);
    alone("zheevd", n, tsl_zheevd(x, 'V', 'L', n, a, n, w, &info), before);
}

int main(void)
{
    calls = dlsym(RTLD_DEFAULT, "tesela_test_pool_calls");
    if (!calls) {
        skip("nobody counts the calls of threads");
        return tap_done();
    }
    tsl_context *x = context_on("host:1");
    for (int64_t n = 2; x && n <= MOST; n += n < 24 ? 1 : 5) {
        real(x, n);
        if (n <= 32) hermitian(x, n);
    }
    checked("calls of threads by small operations");
    tsl_context_destroy(x);
    return tap_done();
}
