/* What goes with a call: an inner call begins as the one around it is, and what it changes ends with it, but for a failure and
 * a lack of memory. So does a task. */
#include "context.h"
#include "exec/exec.h"
#include "tap.h"

static tsl_one_run around, inside, later;
static tsl_matrix *M;

static tsl_call part(void) { return (tsl_call){.op = TSL_OP_POTRF, .v = {tsl_lower(tsl_sub(tsl_whole(M), 0, 0, 2, 2))}}; }

static tsl_status inner(tsl_context *x, const tsl_call *c)
{
    inside = *x->run;
    tsl_on(x, TSL_ON_AHEAD);
    tsl_products_in(x, TSL_PRODUCTS_FP16);
    x->run->origin = NULL;
    tsl_temp(x, c->v[0], c->v[0].m, c->panel); /* of too many elements, if the call says so */
    return TSL_OK;
}

static int64_t wide;
static tsl_status outer(tsl_context *x, const tsl_call *c)
{
    tsl_call less = part();
    around = *x->run;
    (void)c;
    tsl_products_in(x, TSL_PRODUCTS_BF16);
    less.panel = wide;
    tsl_by(x, &less, inner);
    later = *x->run;
    return TSL_OK;
}

static void go(tsl_context *x, const tsl_call *c, bool dry, tsl_status st)
{
    tsl_one_run counts, run;
    size_t bytes[TSL_LANES];
    if (dry) tsl_dry_begin(x, &counts);
    tsl_call_begin(x, c, &run);
    run.origin = M;
    tsl_status got = tsl_run_algorithm(x, c, outer);
    check(got == st && run.failed == st && run.lane == TSL_MAIN && run.products == TSL_PRODUCTS_AUTO && run.level == 1,
          "the call: %s", tsl_status_name(got));
    tsl_run_end(x);
    if (dry) tsl_dry_end(x, bytes);
    check(around.level == 1 && around.products == TSL_PRODUCTS_AUTO && around.dry == dry && around.cut == c, "its algorithm");
    check(inside.level == 2 && inside.products == TSL_PRODUCTS_BF16 && inside.dry == dry && inside.cut != c &&
          inside.origin == M, "in");
    check(later.level == 1 && later.products == TSL_PRODUCTS_BF16 && later.lane == TSL_MAIN && later.failed == st &&
          later.cut == c && later.origin == M, "after that: lane %d, %s", later.lane, tsl_status_name(later.failed));
    check(x->run == &x->rest && !x->rest.level && !x->rest.products && x->rest.lane == TSL_MAIN && !x->rest.failed, "at rest");
}

/* Products of all tasks are computed as the call's that they are cut from. */
static void by_tiles(void)
{
    tsl_context *x = context_on("host:2");
    tsl_matrix *A = NULL;
    int64_t info = -1, tasks = 0;
    tsl_enter_own(x);
    x->rest.products = TSL_PRODUCTS_BF16;
    check(!tsl_tiled_create(x, TSL_S, 20, 20, 4, &A) && !tsl_laset(x, 0, 1, tsl_whole(A)), "tiles: %s", tsl_error(x));
    check(!tsl_potrf(x, tsl_lower(tsl_whole(A)), &info) && !info, "%s", tsl_error(x));
    for (int s = 0; s < x->runtime->sites; s++)
        for (int e = 0; e < x->runtime->site[s].executors; e++) {
            const tsl_context *on = x->runtime->site[s].executor[e];
            check(on->rest.products == TSL_PRODUCTS_BF16 || !on->count.launches, "executor %d of site %d", e, s);
            tasks += on->count.launches;
        }
    check(tasks > 10, "%d tasks", (int)tasks);
    tsl_leave(x, TSL_OK);
    tsl_matrix_free(A);
    tsl_context_destroy(x);
    checked("tasks have their products as their call has");
}

int main(void)
{
    tsl_context *x = context_on("host");
    check(x && !tsl_matrix_create(x, TSL_D, 4, 4, &M), "a matrix");
    tsl_call c = {.op = TSL_OP_POTRF, .v = {tsl_lower(tsl_whole(M))}};
    tsl_enter_own(x);
    for (int dry = 0; dry < 2; dry++) go(x, &c, dry, TSL_OK);
    checked("a run begins as the one around it is, and ends with its call");
    wide = INT64_MAX / 16;
    go(x, &c, false, TSL_ERR_OVERFLOW);
    checked("a failure is the whole call's");
    tsl_leave(x, TSL_OK);
    tsl_matrix_free(M);
    tsl_context_destroy(x);
    by_tiles();
    return tap_done();
}
