/* The demo's eigenproblem: all eigenvalues and eigenvectors of a random symmetric matrix. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/problem/elements.h"
#include "bench/measure/measure.h"
#include "cli/cli.h"

enum { RUNS = 2 };

typedef struct problem {
    int64_t n;
    double *A, *V, *w; /* A as made, and results */
} problem;

static bool make(problem *e, int64_t n)
{
    uint64_t state = 7;
    *e = (problem){n, bench_zeros(n, n, sizeof *e->A), bench_zeros(n, n, sizeof *e->V), bench_zeros(n, 1, sizeof *e->w)};
    if (!e->A || !e->V || !e->w)
        return false;
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = j; i < n; i++)
            e->A[i + j * n] = e->A[j + i * n] = bench_uniform(&state);
    return true;
}

/* |(A V - V L) x| sqrt(n) / (n eps |A| |x|) for a random x */
static double residual(const problem *e)
{
    int64_t n = e->n;
    double *x = bench_zeros(n, 3, sizeof *x), *y = x + n, *r = x + 2 * n, sum = 0, size = 0, norm = 0;
    uint64_t state = 11;
    if (!x)
        return INFINITY;
    for (int64_t j = 0; j < n; j++) {
        x[j] = bench_uniform(&state);
        size += x[j] * x[j];
        for (int64_t i = 0; i < n; i++) {
            y[i] += e->V[i + j * n] * x[j];
            r[i] -= e->V[i + j * n] * e->w[j] * x[j];
            norm += e->A[i + j * n] * e->A[i + j * n];
        }
    }
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++)
            r[i] += e->A[i + j * n] * y[j];
    for (int64_t i = 0; i < n; i++)
        sum += r[i] * r[i];
    free(x);
    return sqrt(sum) / (sqrt((double)n) * tsl_type_eps(TSL_D) * sqrt(norm * size));
}

/* The best of a few runs on copies on the device */
static tsl_status compute(tsl_context *ctx, problem *e, double *best, int64_t *info)
{
    tsl_matrix *A = NULL, *V = NULL, *w = NULL, *from = NULL, *to = NULL, *values = NULL;
    tsl_status st = tsl_matrix_create(ctx, TSL_D, e->n, e->n, &A);
    if (!st)
        st = tsl_matrix_create(ctx, TSL_D, e->n, e->n, &V);
    if (!st)
        st = tsl_matrix_create(ctx, TSL_D, e->n, 1, &w);
    if (!st)
        st = tsl_matrix_wrap(ctx, TSL_D, e->n, e->n, e->A, e->n, &from);
    if (!st)
        st = tsl_matrix_wrap(ctx, TSL_D, e->n, e->n, e->V, e->n, &to);
    if (!st)
        st = tsl_matrix_wrap(ctx, TSL_D, e->n, 1, e->w, e->n, &values);
    for (int i = 0; i < RUNS && !st; i++) {
        double seconds = NAN;
        st = tsl_copy(ctx, tsl_whole(from), tsl_whole(A));
        if (!st)
            st = tsl_timer_start(ctx);
        if (!st)
            st = tsl_syev(ctx, tsl_lower(tsl_whole(A)), NULL, tsl_whole(w), tsl_whole(V), NULL, info);
        if (!st)
            st = tsl_timer_stop(ctx, &seconds);
        *best = i ? fmin(*best, seconds) : seconds;
    }
    if (!st)
        st = tsl_copy(ctx, tsl_whole(V), tsl_whole(to));
    if (!st)
        st = tsl_copy(ctx, tsl_whole(w), tsl_whole(values));
    tsl_matrix_free(values);
    tsl_matrix_free(to);
    tsl_matrix_free(from);
    tsl_matrix_free(w);
    tsl_matrix_free(V);
    tsl_matrix_free(A);
    return st;
}

bool cli_demo_eig(tsl_context *ctx, int64_t n)
{
    problem e;
    double seconds = NAN;
    int64_t info = 0;
    bool right = make(&e, n);
    tsl_status st = right ? compute(ctx, &e, &seconds, &info) : TSL_OK;
    if (!right)
        cli_fail("n = %lld: out of memory", (long long)n);
    else if (st)
        right = !cli_fail("n = %lld: %s: %s", (long long)n, tsl_status_text(st), tsl_error(ctx));
    if (right) {
        double error = info ? NAN : residual(&e);
        right = error < BENCH_OK;
        printf("\nEigenvalues and eigenvectors of a random symmetric matrix\n\n%8s %11s %10s %9s %9s\n", "n", "tesela s", "least", "largest", "residual");
        printf("%8lld %11.4f %10.4g %9.4g %9.2g  %s\n", (long long)n, seconds, e.w[0], e.w[n - 1], error, right ? "ok" : "WRONG");
    }
    free(e.A);
    free(e.V);
    free(e.w);
    return right;
}
