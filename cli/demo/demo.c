/* The library's main job on whatever is here: factor a symmetric positive definite A and solve A x = b, beside OpenBLAS; and in
 * other ways. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/problem/elements.h"
#include "bench/measure/measure.h"
#include "cli/cli.h"

enum { RUNS = 3, ONE_RUN_FROM = 4096 };

typedef struct demo_system {
    int64_t n;
    double *A, *b;   /* as made: A both triangles */
    double *A2, *b2; /* a copy, for OpenBLAS to overwrite and for x */
} demo_system;

static bool make_system(demo_system *s, int64_t n)
{
    *s = (demo_system){n, bench_zeros(n, n, sizeof *s->A), bench_zeros(n, 1, sizeof *s->b), bench_zeros(n, n, sizeof *s->A),
                       bench_zeros(n, 1, sizeof *s->b)};
    if (!s->A || !s->b || !s->A2 || !s->b2)
        return false;
    uint64_t state = 1;
    for (int64_t j = 0; j < n; j++) {
        s->b[j] = bench_uniform(&state);
        for (int64_t i = j; i < n; i++)
            s->A[i + j * n] = s->A[j + i * n] = bench_uniform(&state) + (i == j ? (double)n : 0);
    }
    return true;
}

static void free_system(demo_system *s)
{
    free(s->A);
    free(s->b);
    free(s->A2);
    free(s->b2);
}

static void copy_system(demo_system *s)
{
    memcpy(s->A2, s->A, (size_t)s->n * (size_t)s->n * sizeof *s->A);
    memcpy(s->b2, s->b, (size_t)s->n * sizeof *s->b);
}

/* |b - A x| / (eps |A|_F |x|) */
static double scaled_residual(const demo_system *s, const double *x)
{
    double *r = bench_zeros(s->n, 1, sizeof *r), norm_r = 0, norm_x = 0, norm_A = 0;
    if (!r)
        return INFINITY;
    memcpy(r, s->b, (size_t)s->n * sizeof *r);
    for (int64_t j = 0; j < s->n; j++)
        for (int64_t i = 0; i < s->n; i++) {
            double a = s->A[i + j * s->n];
            r[i] -= a * x[j];
            norm_A += a * a;
        }
    for (int64_t i = 0; i < s->n; i++) {
        norm_r += r[i] * r[i];
        norm_x += x[i] * x[i];
    }
    free(r);
    return sqrt(norm_r) / (tsl_type_eps(TSL_D) * sqrt(norm_A) * sqrt(norm_x));
}

/* A = L L^H, then L y = b, then L^H x = y: the solution replaces b. */
static tsl_status solve(tsl_context *ctx, tsl_matrix *A, tsl_matrix *b, double *seconds)
{
    tsl_view L = tsl_lower(tsl_whole(A)), x = tsl_whole(b);
    int64_t info = 0;
    tsl_status st = tsl_timer_start(ctx);
    if (!st)
        st = tsl_potrf(ctx, L, &info);
    if (!st)
        st = tsl_trsm(ctx, TSL_LEFT, 1, L, x);
    if (!st)
        st = tsl_trsm(ctx, TSL_LEFT, 1, tsl_herm(L), x);
    if (!st)
        st = tsl_timer_stop(ctx, seconds);
    if (info)
        *seconds = NAN;
    return st;
}

/* The same in mixed precision: factors in a lower one, also where those of double precision would be faster, the solution
 * refined. */
static const tsl_solve_options mixed = {.lowest = TSL_FP32};

static tsl_status solve_mixed(tsl_context *ctx, tsl_matrix *A, tsl_matrix *b, tsl_matrix *x, tsl_solution *solution, double *seconds)
{
    tsl_status st = tsl_timer_start(ctx);
    if (!st)
        st = tsl_solve(ctx, tsl_lower(tsl_whole(A)), tsl_whole(b), tsl_whole(x), &mixed, solution);
    if (!st)
        st = tsl_timer_stop(ctx, seconds);
    return st;
}

typedef struct demo_mixed {
    double seconds;
    tsl_solution solution;
} demo_mixed;

/* The best of a few runs on device copies of the system; x comes back in s->b2. */
static tsl_status run_tesela(tsl_context *ctx, demo_system *s, double *best, demo_mixed *refined)
{
    tsl_matrix *A = NULL, *b = NULL, *x = NULL, *from_A = NULL, *from_b = NULL, *to_x = NULL;
    tsl_status st = tsl_matrix_create(ctx, TSL_D, s->n, s->n, &A);
    if (!st)
        st = tsl_matrix_create(ctx, TSL_D, s->n, 1, &b);
    if (!st)
        st = tsl_matrix_create(ctx, TSL_D, s->n, 1, &x);
    if (!st)
        st = tsl_matrix_wrap(ctx, TSL_D, s->n, s->n, s->A, s->n, &from_A);
    if (!st)
        st = tsl_matrix_wrap(ctx, TSL_D, s->n, 1, s->b, s->n, &from_b);
    if (!st)
        st = tsl_matrix_wrap(ctx, TSL_D, s->n, 1, s->b2, s->n, &to_x);
    for (int i = 0; i < RUNS && !st; i++) {
        double seconds = NAN;
        st = tsl_copy(ctx, tsl_whole(from_A), tsl_whole(A));
        if (!st)
            st = tsl_copy(ctx, tsl_whole(from_b), tsl_whole(b));
        if (!st)
            st = solve_mixed(ctx, A, b, x, &refined->solution, &seconds);
        refined->seconds = i ? fmin(refined->seconds, seconds) : seconds;
        if (!st)
            st = solve(ctx, A, b, &seconds);
        *best = i ? fmin(*best, seconds) : seconds;
    }
    if (!st)
        st = tsl_copy(ctx, tsl_whole(b), tsl_whole(to_x));
    tsl_matrix_free(to_x);
    tsl_matrix_free(from_b);
    tsl_matrix_free(from_A);
    tsl_matrix_free(x);
    tsl_matrix_free(b);
    tsl_matrix_free(A);
    return st;
}

static double run_openblas(demo_system *s)
{
    double best = INFINITY;
    for (int i = 0; i < (s->n < ONE_RUN_FROM ? RUNS : 1); i++) {
        copy_system(s);
        best = fmin(best, bench_openblas_solve(s->n, s->A2, s->b2));
    }
    return best;
}

/* One line of the table; false when the result is not right. */
static bool one_size(tsl_context *ctx, int64_t n)
{
    demo_system s;
    double seconds = NAN, flops = tsl_flops("dposv", n, n, 1);
    bool right = make_system(&s, n);
    if (!right) {
        cli_fail("n = %lld: out of memory", (long long)n);
        free_system(&s);
        return false;
    }
    double host = run_openblas(&s);
    demo_mixed refined = {.seconds = NAN};
    tsl_status st = run_tesela(ctx, &s, &seconds, &refined);
    double residual = st ? NAN : scaled_residual(&s, s.b2);
    right = !st && residual < BENCH_OK && refined.solution.backward_error < BENCH_OK * tsl_type_eps(TSL_D);
    if (st)
        cli_fail("n = %lld: %s: %s", (long long)n, tsl_status_text(st), tsl_error(ctx));
    else
        printf("%8lld %11.4f %10.1f %11.4f %10.1f %7.2fx %9.2g %10.4f %6lld %9.1e %9.1e  %s\n", (long long)n, seconds, flops / seconds / 1e9,
               host, flops / host / 1e9, host / seconds, residual, refined.seconds, (long long)refined.solution.iterations,
               refined.solution.backward_error, refined.solution.forward_error, right ? "ok" : "WRONG");
    fflush(stdout);
    free_system(&s);
    return right;
}

/* Other ways, which do not know that A is symmetric: x replaces b, and A is overwritten. */
typedef struct demo_way {
    const char *name, *counted;
    tsl_status (*solve)(tsl_context *ctx, tsl_matrix *A, tsl_matrix *b, tsl_solution *told);
} demo_way;

static tsl_status by_lu(tsl_context *ctx, tsl_matrix *A, tsl_matrix *b, tsl_solution *told)
{
    tsl_matrix *p = NULL;
    tsl_status st = tsl_matrix_create(ctx, TSL_INDEX, tsl_rows(tsl_whole(A)), 1, &p);
    if (!st)
        st = tsl_gesv(ctx, tsl_whole(A), tsl_whole(p), tsl_whole(b), &told->info);
    tsl_matrix_free(p);
    return st;
}

static tsl_status by_qr(tsl_context *ctx, tsl_matrix *A, tsl_matrix *b, tsl_solution *told)
{
    return tsl_gels(ctx, tsl_whole(A), tsl_whole(b), &told->info);
}

static tsl_status by_mixed(tsl_context *ctx, tsl_matrix *A, tsl_matrix *b, tsl_solution *told)
{
    tsl_matrix *x = NULL;
    tsl_status st = tsl_matrix_create(ctx, TSL_D, tsl_rows(tsl_whole(b)), 1, &x);
    if (!st)
        st = tsl_solve(ctx, tsl_whole(A), tsl_whole(b), tsl_whole(x), &mixed, told);
    if (!st)
        st = tsl_copy(ctx, tsl_whole(x), tsl_whole(b));
    tsl_matrix_free(x);
    return st;
}

static const demo_way ways[] = {{"LU", "dgesv", by_lu}, {"QR", "dgels", by_qr}, {"LU, mixed", "dsgesv", by_mixed}};

static bool show_way(tsl_context *ctx, demo_system *s, const demo_way *way)
{
    tsl_matrix *A = NULL, *b = NULL, *from_A = NULL, *x = NULL;
    tsl_solution told = {.info = 0};
    double best = INFINITY, seconds = NAN;
    tsl_status st = tsl_matrix_create(ctx, TSL_D, s->n, s->n, &A);
    if (!st)
        st = tsl_matrix_create(ctx, TSL_D, s->n, 1, &b);
    if (!st)
        st = tsl_matrix_wrap(ctx, TSL_D, s->n, s->n, s->A, s->n, &from_A);
    if (!st)
        st = tsl_matrix_wrap(ctx, TSL_D, s->n, 1, s->b2, s->n, &x);
    for (int i = 0; i < RUNS && !st; i++) {
        memcpy(s->b2, s->b, (size_t)s->n * sizeof *s->b);
        st = tsl_copy(ctx, tsl_whole(from_A), tsl_whole(A));
        if (!st)
            st = tsl_copy(ctx, tsl_whole(x), tsl_whole(b));
        if (!st)
            st = tsl_timer_start(ctx);
        if (!st)
            st = way->solve(ctx, A, b, &told);
        if (!st)
            st = tsl_timer_stop(ctx, &seconds);
        if (!st)
            st = tsl_copy(ctx, tsl_whole(b), tsl_whole(x));
        best = fmin(best, seconds);
    }
    tsl_matrix_free(x);
    tsl_matrix_free(from_A);
    tsl_matrix_free(b);
    tsl_matrix_free(A);
    double residual = st || told.info ? NAN : scaled_residual(s, s->b2);
    if (st)
        return cli_fail("n = %lld: %s: %s", (long long)s->n, tsl_status_text(st), tsl_error(ctx)), false;
    printf("%8lld  %-10s %10.4f %10.1f %9.2g", (long long)s->n, way->name, best, tsl_flops(way->counted, s->n, s->n, 1) / best / 1e9, residual);
    if (way->solve == by_mixed)
        printf(" %6lld %9.1e %9.1e", (long long)told.iterations, told.backward_error, told.forward_error);
    printf("  %s\n", residual < BENCH_OK ? "ok" : "WRONG");
    return residual < BENCH_OK;
}

/* A table of them, for the order given */
static bool other_ways(tsl_context *ctx, int64_t n)
{
    demo_system s;
    bool right = make_system(&s, n);
    if (!right)
        cli_fail("n = %lld: out of memory", (long long)n);
    printf("\nThe last of them in other ways\n\n%8s  %-10s %10s %10s %9s %6s %9s %9s\n", "n", "by", "tesela s", "Gflop/s", "residual", "steps", "backward", "forward");
    for (size_t i = 0; right && i < sizeof ways / sizeof *ways; i++)
        right = show_way(ctx, &s, &ways[i]);
    free_system(&s);
    return right;
}

static int run(int argc, char **argv)
{
    const char *devices = NULL, *order = NULL, *energy = NULL;
    const cli_option options[] = {{"--devices", &devices, NULL}, {"-n", &order, NULL}, {"--energy", &energy, NULL}, {NULL, NULL, NULL}};
    static const int64_t laptop[] = {500, 1000, 2000}, gpu[] = {2048, 4096, 8192, 16384};
    int64_t n = 0;
    double seconds = 0;
    int status;
    if (cli_parse("demo", argc, argv, options, NULL, 0) < 0)
        return CLI_USAGE;
    if (order && !cli_number(order, strlen(order), 1, 100000, &n))
        return cli_usage("demo: -n %s: a number from 1 to 100000 is wanted", order);
    if (energy && !cli_seconds(energy, &seconds))
        return cli_usage("demo: --energy %s: seconds from 0.1 to 600 are wanted", energy);
    tsl_context *ctx = cli_context(devices, &status);
    if (!ctx)
        return status;
    tsl_device_info d;
    tsl_status st = tsl_device_query(ctx, 0, &d);
    if (!st) {
        bool host = !strcmp(d.backend, "host");
        int64_t most = host ? 1000 : 4096; /* of the eigenproblem */
        const int64_t *sizes = n ? &n : host ? laptop : gpu;
        int count = n ? 1 : host ? sizeof laptop / sizeof *laptop : sizeof gpu / sizeof *gpu;
        printf("Solving A x = b by Cholesky, double precision, on %s (%s)\n\n", d.name, d.backend);
        printf("%8s %11s %10s %11s %10s %8s %9s %10s %6s %9s %9s\n", "n", "tesela s", "Gflop/s", "OpenBLAS s", "Gflop/s", "speedup",
               "residual", "mixed s", "steps", "backward", "forward");
        for (int i = 0; i < count; i++)
            if (!one_size(ctx, sizes[i]))
                status = CLI_FAILED;
        if (!other_ways(ctx, sizes[count - 1]))
            status = CLI_FAILED;
        if (!cli_demo_eig(ctx, sizes[count - 1] < most ? sizes[count - 1] : most))
            status = CLI_FAILED;
        if (energy && !cli_demo_energy(ctx, sizes[count - 1], seconds))
            status = CLI_FAILED;
        printf("\nThe residuals |b - A x| / (eps |A| |x|) and |A V - V L| / (n eps |A|) should be below %.0f. mixed: tsl_solve, by\n"
               "factors in lower precision, with the steps it took and the errors it tells of.\n", BENCH_OK);
    } else {
        status = cli_fail("%s", tsl_status_text(st));
    }
    tsl_context_destroy(ctx);
    return status;
}

const cli_command cli_demo = {
    "demo",
    run,
    "solves a linear system here and shows how fast",
    "tesela demo [--devices SPEC] [-n N] [--energy SECONDS]\n"
    "\n"
    "Makes symmetric positive definite systems A x = b, factors A with tsl_potrf, solves with two tsl_trsm,\n"
    "and in mixed precision with tsl_solve, checks the residuals, and shows time and Gflop/s beside OpenBLAS on the same host.\n"
    "Then the same by LU, by QR, and by LU in mixed precision; and with tsl_syev the eigenvalues and eigenvectors of a symmetric matrix.\n"
    "With --energy also the joules of a solve by Cholesky, repeated for so long (3 or more), where NVML and RAPL can be read.\n"
    "Exit status 1 if a residual is bad.\n",
    NULL,
};
