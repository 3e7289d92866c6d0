/* The demo's joules: one solve by Cholesky, repeated until the machine's counters can tell. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/problem/elements.h"
#include "bench/measure/measure.h"
#include "cli/cli.h"

typedef struct problem {
    tsl_context *ctx;
    int64_t n;
    double *A, *b, *A2, *b2; /* as made; a copy that OpenBLAS overwrites */
    tsl_matrix *kept, *kept_b, *device, *device_b;
} problem;

/* n on the diagonal, 1/2 beside it: what is in it does not change the work. */
static tsl_status make(problem *p)
{
    int64_t n = p->n;
    p->A = bench_zeros(n, n, sizeof *p->A), p->b = bench_zeros(n, 1, sizeof *p->b);
    p->A2 = bench_zeros(n, n, sizeof *p->A), p->b2 = bench_zeros(n, 1, sizeof *p->b);
    if (!p->A || !p->b || !p->A2 || !p->b2)
        return TSL_ERR_MEMORY;
    for (int64_t i = 0; i < n * n; i++)
        p->A[i] = i % (n + 1) ? 0.5 : (double)n;
    for (int64_t i = 0; i < n; i++)
        p->b[i] = 1;
    tsl_matrix *from = NULL, *from_b = NULL;
    tsl_status st = tsl_matrix_create(p->ctx, TSL_D, n, n, &p->kept);
    if (!st)
        st = tsl_matrix_create(p->ctx, TSL_D, n, n, &p->device);
    if (!st)
        st = tsl_matrix_create(p->ctx, TSL_D, n, 1, &p->kept_b);
    if (!st)
        st = tsl_matrix_create(p->ctx, TSL_D, n, 1, &p->device_b);
    if (!st)
        st = tsl_matrix_wrap(p->ctx, TSL_D, n, n, p->A, n, &from);
    if (!st)
        st = tsl_matrix_wrap(p->ctx, TSL_D, n, 1, p->b, n, &from_b);
    if (!st)
        st = tsl_copy(p->ctx, tsl_whole(from), tsl_whole(p->kept));
    if (!st)
        st = tsl_copy(p->ctx, tsl_whole(from_b), tsl_whole(p->kept_b));
    tsl_matrix_free(from);
    tsl_matrix_free(from_b);
    return st;
}

static bool restore(void *user)
{
    problem *p = user;
    return !tsl_copy(p->ctx, tsl_whole(p->kept), tsl_whole(p->device)) && !tsl_copy(p->ctx, tsl_whole(p->kept_b), tsl_whole(p->device_b)) && !tsl_wait(p->ctx);
}

static bool solve(void *user)
{
    problem *p = user;
    int64_t info = 0;
    return restore(p) && !tsl_posv(p->ctx, tsl_lower(tsl_whole(p->device)), tsl_whole(p->device_b), &info) && !tsl_wait(p->ctx) && !info;
}

static bool restore_openblas(void *user)
{
    problem *p = user;
    memcpy(p->A2, p->A, (size_t)p->n * (size_t)p->n * sizeof *p->A);
    memcpy(p->b2, p->b, (size_t)p->n * sizeof *p->b);
    return true;
}

static bool solve_openblas(void *user)
{
    problem *p = user;
    return restore_openblas(p) && isfinite(bench_openblas_solve(p->n, p->A2, p->b2));
}

static void show(const bench_meter *m, const char *who, const double joules[BENCH_PARTS], double computes, double flops)
{
    char text[3 * BENCH_LINE];
    bench_energy_text(m, joules, text, sizeof text);
    printf("  %-10s %s", who, text);
    if (isfinite(computes))
        printf("; %.4g Gflop/s per W", flops / computes / 1e9);
    putchar('\n');
}

bool cli_demo_energy(tsl_context *ctx, int64_t n, double seconds)
{
    bench_meter m;
    problem p = {.ctx = ctx, .n = n};
    double joules[BENCH_PARTS], flops = tsl_flops("dposv", n, n, 1);
    bench_meter_open(&m, ctx);
    printf("\nEnergy of a solve of order %lld, repeated for %g s\n\n", (long long)n, seconds);
    tsl_status st = make(&p);
    bool good = !st && bench_energy(&m, &(bench_work){&p, 1, restore, solve}, seconds, joules);
    if (good) {
        show(&m, "tesela", joules, bench_energy_of(&m, joules), flops);
        good = bench_energy(&m, &(bench_work){&p, 1, restore_openblas, solve_openblas}, seconds, joules);
    }
    if (good)
        show(&m, "OpenBLAS", joules, joules[BENCH_CPU], flops);
    else
        cli_fail("n = %lld: %s", (long long)n, st ? tsl_status_text(st) : "a run for its energy failed");
    bench_meter_close(&m);
    tsl_matrix_free(p.device_b);
    tsl_matrix_free(p.kept_b);
    tsl_matrix_free(p.device);
    tsl_matrix_free(p.kept);
    free(p.b2);
    free(p.A2);
    free(p.b);
    free(p.A);
    return good;
}
