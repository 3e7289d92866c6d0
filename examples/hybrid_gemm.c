/* C := A B on a GPU and the host's cores at once: they share the columns of C in the ratio of their speeds. Without a GPU a
 * virtual device takes its place. What is particular is only who owns which tile; the product is the ordinary call. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "tesela.h"

enum { N = 1200, TILE = 100 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Columns of tiles before `*user` belong to device 0, the others to device 1. */
static int by_columns(void *user, int64_t i, int64_t j)
{
    (void)i;
    return j < *(int64_t *)user ? 0 : 1;
}

/* Seconds for the product with `first` columns of tiles on device 0; negative: it failed. */
static double product(tsl_context *x, tsl_matrix *A, tsl_matrix *B, tsl_matrix *C, int64_t first)
{
    if (tsl_tiled_place(C, by_columns, &first)) return -1;
    double start = now();
    return tsl_gemm(x, 1, tsl_whole(A), tsl_whole(B), 0, tsl_whole(C)) ? -1 : now() - start;
}

int main(void)
{
    static const char *const devices[] = {"cuda:0+host", "host:1+host"};
    tsl_config cfg = tsl_config_default();
    tsl_context *x = NULL;
    tsl_matrix *A = NULL, *B = NULL, *C = NULL;
    double *data = malloc(3 * sizeof *data * N * N);
    if (!data) return 1;
    for (long i = 0; i < 3L * N * N; ++i) data[i] = (double)(i * 2654435761u % 1000) / 1000 - 0.5;
    for (int i = 0; i < 2 && !x; ++i) {
        cfg.devices = devices[i];
        if (!tsl_context_create(&cfg, &x)) printf("devices: %s\n", devices[i]);
    }
    if (!x || tsl_tiled_wrap(x, TSL_D, N, N, data, N, TILE, &A) || tsl_tiled_wrap(x, TSL_D, N, N, data + N * N, N, TILE, &B) ||
        tsl_tiled_wrap(x, TSL_D, N, N, data + 2 * N * N, N, TILE, &C)) {
        fprintf(stderr, "%s\n", tsl_error(NULL));
        return 1;
    }

    int64_t columns = N / TILE;
    product(x, A, B, C, columns); /* warms up */
    product(x, A, B, C, 0);
    double alone = product(x, A, B, C, columns), cores = product(x, A, B, C, 0);
    if (alone < 0 || cores < 0) {
        fprintf(stderr, "%s\n", tsl_error(x));
        return 1;
    }
    int64_t first = (int64_t)lround((double)columns * cores / (alone + cores));
    double both = product(x, A, B, C, first);
    printf("device alone %.3g s, cores alone %.3g s; together, %lld of %lld columns of tiles on the device: %.3g s\n", alone, cores,
           (long long)first, (long long)columns, both);

    /* a few entries of C by the definition */
    double worst = 0;
    for (int e = 0; e < 50; ++e) {
        int i = e * 23 % N, j = (e * 24 + 7) % N;
        double sum = 0;
        for (int k = 0; k < N; ++k) sum += data[i + k * N] * data[N * N + k + j * N];
        worst = fmax(worst, fabs(sum - data[2 * N * N + i + j * N]));
    }
    printf("largest error of 50 entries: %.2g\n", worst);
    tsl_matrix_free(A), tsl_matrix_free(B), tsl_matrix_free(C);
    tsl_context_destroy(x);
    free(data);
    return both < 0 || worst > 1e-11;
}
