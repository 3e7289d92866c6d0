/* What a small call takes through libtesela_blas and in the host library itself: the least of many times, taken in turns. Build
 * and run it with
 *     ninja -C build bench_dropin_calls && OPENBLAS_NUM_THREADS=1 build/bench_dropin_calls */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { MOST = 64, ROUNDS = 200 };

static double start[MOST * MOST], a[MOST * MOST], b[MOST * MOST], c[MOST * MOST];

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static void run_gemm(void *f, int n)
{
    const double one = 1, zero = 0;
    ((void (*)(const char *, const char *, int *, int *, int *, const double *, double *, int *, double *, int *, const double *, double *, int *))f)(
        "N", "N", &n, &n, &n, &one, a, &n, b, &n, &zero, c, &n);
}

static void run_gemv(void *f, int n)
{
    const double one = 1, zero = 0;
    int step = 1;
    ((void (*)(const char *, int *, int *, const double *, double *, int *, double *, int *, const double *, double *, int *))f)(
        "N", &n, &n, &one, a, &n, b, &step, &zero, c, &step);
}

static void run_dot(void *f, int n)
{
    int step = 1;
    c[0] = ((double (*)(int *, double *, int *, double *, int *))f)(&n, a, &step, b, &step);
}

static void run_potrf(void *f, int n)
{
    int info;
    memcpy(c, start, (size_t)(n * n) * sizeof *c);
    ((void (*)(const char *, int *, double *, int *, int *))f)("L", &n, c, &n, &info);
}

static void run_getrf(void *f, int n)
{
    int info, piv[MOST];
    memcpy(c, start, (size_t)(n * n) * sizeof *c);
    ((void (*)(int *, int *, double *, int *, int *, int *))f)(&n, &n, c, &n, piv, &info);
}

static const struct { const char *symbol; void (*run)(void *, int); } calls[] = {
    {"dgemm_", run_gemm}, {"dgemv_", run_gemv}, {"ddot_", run_dot}, {"dpotrf_", run_potrf}, {"dgetrf_", run_getrf}};

static void measure(int which, void *const f[2], int n, double best[2])
{
    int turns = n < 32 ? 300 : 30;
    best[0] = best[1] = 1e18;
    for (int r = 0; r < ROUNDS; ++r)
        for (int k = 0; k < 2; ++k) {
            double from = now();
            for (int i = 0; i < turns; ++i) calls[which].run(f[k], n);
            double each = (now() - from) / turns;
            if (each < best[k]) best[k] = each;
        }
}

int main(void)
{
    void *host = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
    if (!host) return fprintf(stderr, "dropin_calls: no libopenblas.so.0 to compare with\n"), 1;
    for (int w = 0; w < (int)(sizeof calls / sizeof *calls); ++w)
        for (int n = 4; n <= MOST; n *= 4) {
            void *f[2] = {dlsym(host, calls[w].symbol), dlsym(RTLD_DEFAULT, calls[w].symbol)};
            double best[2] = {0};
            for (int i = 0; i < n * n; ++i) a[i] = b[i] = cos(i), start[i] = 0.1 * cos(i);
            for (int i = 0; i < n; ++i) start[i * (n + 1)] = n;
            measure(w, f, n, best);
            printf("%-8s n = %2d  %7.0f ns  %7.0f ns of the host library's own, %.3f\n", calls[w].symbol, n, best[1], best[0], best[1] / best[0]);
        }
    return 0;
}
