/* NaN that a host library makes of finite numbers, without a word, is an error: tests/hostlib/silent.c is the host library
 * here. */
#include <math.h>
#include <stdlib.h>

#include "context.h"

enum { N = 5 };

static int64_t info;

static void told(const char *who, tsl_status st)
{
    check(!st && info == N, "%s: status %s, info %d", who, tsl_status_name(st), (int)info);
    info = 0;
}

int main(void)
{
    double A[N * N], d[N], e[N], w[N], Z[N * N], Y[N * N];
    if (!getenv("TESELA_HOST_BLAS")) {
        skip("TESELA_HOST_BLAS names no stand-in");
        return tap_done();
    }
    tsl_context *x = context_on("host:1");
    if (!x) return tap_done();
    for (int i = 0; i < N * N; ++i) A[i] = 1.0 / (1 + i), Z[i] = Y[i] = i % (N + 1) == 0;
    for (int i = 0; i < N; ++i) d[i] = i + 1, e[i] = 1, w[i] = 0;
    told("syevd", tsl_dsyevd(x, 'N', 'L', N, A, N, w, &info));
    told("gesdd", tsl_dgesdd(x, 'N', N, N, A, N, w, Z, N, Y, N, &info));
    told("geev", tsl_dgeev(x, 'N', 'N', N, A, N, w, d, Z, N, Y, N, &info));
    for (int i = 0; i < N; ++i) d[i] = i + 1, e[i] = 1;
    told("sterf", tsl_dsterf(x, N, d, e, &info));
    for (int i = 0; i < N; ++i) d[i] = i + 1, e[i] = 1;
    told("stedc", tsl_dstedc(x, 'I', N, d, e, Z, N, &info));
    for (int i = 0; i < N; ++i) d[i] = i + 1, e[i] = 1;
    told("steqr", tsl_dsteqr(x, 'V', N, d, e, Z, N, &info));
    for (int i = 0; i < N; ++i) d[i] = i + 1, e[i] = 1;
    told("bdsqr", tsl_dbdsqr(x, 'U', N, N, N, 0, d, e, Z, N, Y, N, NULL, 1, &info));
    checked("NaN of finite numbers is told");
    tsl_context_destroy(x);
    return tap_done();
}
