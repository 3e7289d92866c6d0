/* Cholesky of a matrix larger than the device's memory, by the ordinary call:
 *     out_of_core [N [DEVICES]]       out_of_core 92680 cuda,mem=16G factors 64 GiB on a GPU limited to 16
 * The matrix is given by a formula, so that the factor can be checked without a copy of it. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "tesela.h"

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Entries in [-1,1), and a diagonal that makes it positive definite. */
static double entry(int64_t i, int64_t j, int64_t n)
{
    if (i == j) return (double)n + 2;
    uint64_t z = (uint64_t)i * 0x9E3779B97F4A7C15u ^ (uint64_t)j * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 31) * 0x94D049BB133111EBu;
    return (double)(int64_t)(z ^ z >> 29) * 0x1p-63;
}

/* max |A x - L L^T x| as a multiple of n |A| |x| eps, of an x with entries below 1 */
static double residual(const double *L, int64_t n, double *x, double *y)
{
    double worst = 0;
    for (int64_t i = 0; i < n; ++i) x[i] = cos(0.7 * (double)i), y[i] = 0;
    for (int64_t j = 0; j < n; ++j) {
        double up = 0, w = 0;
        for (int64_t i = j; i < n; ++i) w += L[i + j * n] * x[i]; /* (L^T x)_j */
        for (int64_t i = j; i < n; ++i) {
            double a = entry(i, j, n);
            y[i] += a * x[j] - L[i + j * n] * w;
            if (i > j) up += a * x[i];
        }
        y[j] += up;
    }
    for (int64_t i = 0; i < n; ++i) worst = fmax(worst, fabs(y[i]));
    return worst / ((double)n * 2 * (double)n * 0x1p-53);
}

int main(int argc, char **argv)
{
    int64_t n = argc > 1 ? atoll(argv[1]) : 1500, info = -1;
    if (n < 1 || n > INT32_MAX) {
        fprintf(stderr, "usage: %s [N [DEVICES]]\n", argv[0]);
        return 1;
    }
    tsl_config cfg = tsl_config_default();
    tsl_context *ctx;
    tsl_counters moved;
    cfg.devices = argc > 2 ? argv[2] : "host:1,mem=4M";
    double *A = malloc((size_t)n * (size_t)n * sizeof *A), *work = malloc(2 * (size_t)n * sizeof *work);
    if (!A || !work || tsl_context_create(&cfg, &ctx)) {
        fprintf(stderr, "%s\n", A && work ? tsl_error(NULL) : "no memory for the matrix");
        return 1;
    }
    for (int64_t j = 0; j < n; ++j)
        for (int64_t i = j; i < n; ++i) A[i + j * n] = entry(i, j, n);

    char text[1024];
    if (!tsl_explain(ctx, "dpotrf", n, n, n, text, sizeof text)) fputs(text, stdout);
    double start = now();
    tsl_status st = tsl_dpotrf(ctx, 'L', n, A, n, &info);
    double seconds = now() - start;
    if (st || info || tsl_counters_get(ctx, &moved)) {
        fprintf(stderr, "%s; info %lld\n", tsl_error(ctx), (long long)info);
        return 1;
    }
    double r = residual(A, n, work, work + n);
    printf("%.3g s, %.3g Gflop/s; %.3g GB to the device, %.3g GB back, %lld tiles left it; residual %.2g\n", seconds,
           1e-9 * tsl_flops("dpotrf", n, n, 0) / seconds, 1e-9 * (double)moved.bytes_to_device, 1e-9 * (double)moved.bytes_to_host,
           (long long)moved.evictions, r);
    tsl_context_destroy(ctx);
    free(A), free(work);
    return !(r < 30);
}
