/* Which calls on host data a device is worth: what libtesela_blas asks. */
#include <string.h>

#include "api/pays.h"
#include "device/device.h"
#include "tap.h"

static bool pays(tsl_context *x, const char *routine, int64_t m, int64_t n, int64_t k)
{
    const char *why = "";
    bool yes = tsl_pays(x, routine, m, n, k, &why);
    printf("# %s %lld: %s, %s\n", routine, (long long)n, yes ? "pays" : "does not pay", why);
    return yes;
}

static tsl_context *context(const char *devices)
{
    tsl_context *x = NULL;
    tsl_config config = tsl_config_default();
    config.devices = devices;
    return tsl_context_create(&config, &x) ? NULL : x;
}

int main(void)
{
    tsl_context *host = context("host"), *three = context("host:3"), *gpu = context("cuda");
    ok(host && three, "devices of the host's");
    ok(!pays(host, "dgemm", 4000, 4000, 4000), "on the host's cores products are the host library's");
    ok(pays(host, "dpotrf", 20000, 20000, 20000) == (tsl_blas_cores() > 1), "a large Cholesky factorization is not, on more than one of them");
    ok(!pays(host, "dpotrf", 500, 500, 500), "a small one is");
    bool many = tsl_blas_cores() >= 8;
    ok(pays(host, "dgetrf", 20000, 20000, 1) == many && pays(host, "dgeqrf", 20000, 20000, 1) == many, "LU and QR are not, on many cores");
    ok(!pays(three, "dgemm", 4000, 4000, 4000), "virtual devices have the same cores");
    ok(!pays(host, "dnothing", 4000, 4000, 4000) && !pays(host, "dgemm", -1, 1, 1), "no such call");
    if (gpu) {
        ok(pays(gpu, "dgemm", 8192, 8192, 8192) && pays(gpu, "zgesv", 8192, 8192, 1), "large products and factorizations pay on a GPU");
        ok(!pays(gpu, "dgemm", 100, 100, 100) && !pays(gpu, "dgetrs", 16384, 16384, 1), "small ones do not, nor what moves as much as it computes");
    } else {
        skip("no GPU here");
    }
    tsl_context_destroy(gpu);
    tsl_context_destroy(three);
    tsl_context_destroy(host);
    return tap_done();
}
