/* What a table says of the host beside its device: the rate of one core, and of the way between their memories. From these, and
 * the device's own entries, the library decides where diagonal blocks are factored. Times are the shortest seen. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/tune/tune.h"

enum { LEAST = 4, RUNS = 20, LINK_ORDER = 2048 };

/* seconds, but no fewer than LEAST runs, the first of which starts threads, and no more than RUNS */
static const double SAMPLE = 2e-2;

/* A task runs on one core: the problem is one tile. */
static tsl_status one_task(tsl_context *ctx, int64_t n)
{
    char tile[24];
    snprintf(tile, sizeof tile, "%lld", (long long)n);
    tsl_status st = tsl_set(ctx, "path", "tiles");
    return st ? st : tsl_set(ctx, "tile", tile);
}

bool tune_core(const bench_routine *r, const bench_case *c, char entry[TUNE_ENTRY])
{
    int status;
    double best = INFINITY, seconds = INFINITY, spent = 0;
    bench_problem p;
    tsl_context *ctx = cli_context("host", &status);
    if (!ctx)
        return false;
    tsl_status st = one_task(ctx, c->n), opened = st ? st : bench_open(ctx, r, c, BENCH_HOST, &p);
    st = opened;
    for (int i = 0; i < RUNS && (i < LEAST || spent < SAMPLE) && !st; i++) {
        st = bench_timed_run(&p, 1, &seconds);
        spent += seconds;
        best = fmin(best, seconds);
    }
    if (st)
        cli_fail("tune: on a core: %s", tsl_error(ctx));
    else
        snprintf(entry, TUNE_ENTRY, "core %s %c %lld * - leaf leaf=%.4f", r->name, tsl_type_letter(c->type), (long long)c->n,
                 fmax(bench_flops(r, c) / best * 1e-9, 1e-4));
    if (!opened)
        bench_close(&p);
    tsl_context_destroy(ctx);
    return !st;
}

/* There and back: what a block that a core factors goes through. */
bool tune_link(tsl_context *ctx, char entry[TUNE_ENTRY])
{
    const int64_t n = LINK_ORDER;
    size_t bytes = (size_t)(n * n) * sizeof(double);
    tsl_matrix *device = NULL, *host = NULL;
    double best = INFINITY, seconds = INFINITY;
    void *data = calloc(1, bytes);
    tsl_status st = data ? tsl_matrix_wrap(ctx, TSL_D, n, n, data, n, &host) : TSL_ERR_MEMORY;
    if (!st)
        st = tsl_matrix_create(ctx, TSL_D, n, n, &device);
    for (int i = 0; i < RUNS && !st; i++) {
        st = tsl_timer_start(ctx);
        if (!st)
            st = tsl_copy(ctx, tsl_whole(host), tsl_whole(device));
        if (!st)
            st = tsl_copy(ctx, tsl_whole(device), tsl_whole(host));
        if (!st)
            st = tsl_timer_stop(ctx, &seconds);
        best = fmin(best, seconds);
    }
    if (st)
        cli_fail("tune: the link: %s", tsl_status_text(st));
    else
        snprintf(entry, TUNE_ENTRY, "link %.4f", fmax(2 * (double)bytes / best * 1e-9, 1e-4));
    tsl_matrix_free(device), tsl_matrix_free(host);
    free(data);
    return !st;
}
