/* A matrix in a file, mapped, larger than all device memory together: factored in place, and the file holds the factor. */
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "dense.h"
#include "tap.h"

enum { N = 700, NB = 64 };

static void fill(double *A)
{
    for (int j = 0; j < N; ++j)
        for (int i = 0; i < N; ++i) A[i + j * N] = i == j ? N : cos(i * 0.37 + j * 0.37) * 0.9;
}

/* max |A - L L^T| over the lower triangle, as multiples of n eps max|A| */
static double residual(const double *A, const double *L)
{
    double worst = 0;
    for (int j = 0; j < N; ++j)
        for (int i = j; i < N; ++i) {
            double sum = 0;
            for (int k = 0; k <= j; ++k) sum += L[i + k * N] * L[j + k * N];
            worst = worse(worst, fabs(A[i + j * N] - sum));
        }
    return worst / (N * tsl_type_eps(TSL_D) * N);
}

static void test(const char *devices)
{
    size_t bytes = sizeof(double) * N * N;
    char name[] = "/tmp/tesela-mapped-XXXXXX", tile[16];
    int fd = mkstemp(name);
    double *A = malloc(bytes), *L = malloc(bytes);
    if (fd < 0 || ftruncate(fd, (off_t)bytes) || !A || !L) {
        skip("%s: no file to map", devices);
        return;
    }
    double *mapped = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    tsl_config cfg = tsl_config_default();
    tsl_context *x = NULL;
    int64_t info = -1;
    tsl_counters n;
    cfg.devices = devices;
    fill(A);
    fill(mapped);
    snprintf(tile, sizeof tile, "%d", NB);
    check(tsl_context_create(&cfg, &x) == TSL_OK && tsl_set(x, "tile", tile) == TSL_OK && tsl_set(x, "path", "tiles") == TSL_OK, "context");
    check(tsl_dpotrf(x, 'L', N, mapped, N, &info) == TSL_OK && info == 0, "potrf: %s, info %d", tsl_error(x), (int)info);
    check(tsl_counters_get(x, &n) == TSL_OK && n.evictions > 0, "tiles had to leave: %d", (int)n.evictions);
    check(munmap(mapped, bytes) == 0 && pread(fd, L, bytes, 0) == (ssize_t)bytes, "the file can be read");
    double r = residual(A, L);
    check(r < 30, "residual %g", r);
    tsl_context_destroy(x);
    close(fd);
    unlink(name);
    free(A), free(L);
    checked("%s: Cholesky of a mapped file", devices);
}

int main(void)
{
    test("host:1,mem=500K");
    test("host:2,mem=300K");
    return tap_done();
}
