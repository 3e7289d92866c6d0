/* A collective call: rehearsal, workspace, agreement, the work, and agreement on its outcome. */
#include <string.h>

#include "grid/grid.h"

/* Where work is told each slot of the host's has 256 GB of addresses; the sanitizer of threads has not as many. */
#ifdef __SANITIZE_THREAD__
enum { TOLD_ROOM_LOG = 34 };
#else
enum { TOLD_ROOM_LOG = 38 };
#endif

/* More than was rehearsed: a rehearsal is wrong. The call fails, and what it still does stays within this memory. */
static void *beyond(tsl_grid *g, tsl_stack *s, size_t bytes)
{
    if (tsl_is_told(g)) g->failed = TSL_OK; /* which only kept local work away */
    tsl_grid_fail(g, TSL_ERR_MEMORY);
    s->top = s->peak;
    return bytes <= s->peak ? s->base : NULL;
}

static void *get(tsl_grid *g, tsl_stack *s, size_t bytes)
{
    void *p = s->base ? s->base + s->top : NULL;
    s->top = tsl_plus(s->top, tsl_rounded(bytes, TSL_WORK_UNIT));
    if (s->top <= s->peak) return p;
    if (!g->rehearsing) return beyond(g, s, bytes);
    s->peak = s->top;
    return p;
}

void *tsl_work_get(tsl_grid *g, bool device, size_t bytes)
{
    return get(g, &g->stack[device ? TSL_PLACE_DEVICE : TSL_PLACE_HOST][g->slot], bytes);
}

void *tsl_work_shared(tsl_grid *g, size_t bytes) { return get(g, &g->stack[TSL_PLACE_SHARED][g->slot], bytes); }

tsl_work_mark tsl_work_now(const tsl_grid *g)
{
    tsl_work_mark m;
    for (int place = 0; place < TSL_PLACES; ++place) m.top[place] = g->stack[place][g->slot].top;
    return m;
}

void tsl_work_back(tsl_grid *g, tsl_work_mark m)
{
    for (int place = 0; place < TSL_PLACES; ++place) g->stack[place][g->slot].top = m.top[place];
}

void tsl_work_slot(tsl_grid *g, int slot) { g->slot = slot; }

void tsl_work_fresh(tsl_context *x, tsl_grid *g, int slot)
{
    if (g->crossing >> slot & 1) {
        tsl_status st = tsl_work_wait(x, g);
        if (st) tsl_grid_fail(g, st);
    }
    g->slot = slot;
    for (int place = 0; place < TSL_PLACES; ++place) g->stack[place][slot].top = 0;
}

tsl_view tsl_work_matrix(tsl_context *x, tsl_dmatrix *D, const tsl_layout *l, tsl_type type, int64_t m, int64_t n)
{
    size_t bytes = 0;
    tsl_dist_describe(D, x, l, type, m, n);
    if (!tsl_block_bytes(type, D->local.m, D->local.n, D->local.ld, &bytes)) tsl_grid_fail(l->grid, TSL_ERR_OVERFLOW);
    else if (bytes) D->local.data = tsl_work_get(l->grid, l->scheme == TSL_ON_DEVICE, bytes);
    return tsl_whole(&D->head);
}

tsl_view tsl_work_like(tsl_context *x, tsl_dmatrix *D, tsl_layout l, tsl_view A, int64_t m, int64_t n)
{
    bool turned = A.op & TSL_TRANS;
    tsl_axis rows = l.rows;
    if (turned) l.rows = l.cols, l.cols = rows;
    tsl_view v = tsl_work_matrix(x, D, &l, A.mat->type, turned ? n : m, turned ? m : n);
    v.op = A.op;
    return v;
}

tsl_view tsl_work_dense(tsl_context *x, tsl_grid *g, tsl_matrix *A, tsl_type type, int64_t m, int64_t n)
{
    *A = (tsl_matrix){.ctx = x, .type = type, .m = m, .n = n, .ld = tsl_max(1, m), .home = x->dev,
                      .data = tsl_work_get(g, true, tsl_dense_bytes(type, m, n))};
    return tsl_whole(A);
}

/* Where kernels and host see the same memory, that is any. */
static tsl_status obtain_shared(tsl_context *x, tsl_stack *s)
{
    const tsl_backend *be = x->dev->be;
    void *p = NULL;
    tsl_status st = TSL_OK;
    if (be->shared_open) st = be->shared_open(x->dev, s->peak, &p);
    else if (!(p = tsl_host_alloc(&x->allocator, s->peak))) st = TSL_ERR_MEMORY;
    s->base = p;
    return st;
}

static void give_back_shared(tsl_context *x, tsl_stack *s)
{
    const tsl_backend *be = x->dev->be;
    if (be->shared_open) be->shared_close(x->dev, s->base);
    else tsl_host_free(&x->allocator, s->base, s->peak);
}

static tsl_status obtain(tsl_context *x, tsl_grid *g)
{
    tsl_status st = TSL_OK;
    for (int s = 0; s < TSL_SLOTS && !st; ++s) {
        tsl_stack *host = &g->stack[TSL_PLACE_HOST][s], *dev = &g->stack[TSL_PLACE_DEVICE][s],
                  *both = &g->stack[TSL_PLACE_SHARED][s];
        void *p = NULL;
        if (tsl_is_told(g)) { /* addresses: little of it is ever touched, and nothing on devices */
            host->peak = (size_t)1 << TOLD_ROOM_LOG, dev->peak = SIZE_MAX;
            st = tsl_device_alloc(x->dev, host->peak, &p);
            host->base = p;
            continue;
        }
        if (host->peak && !(host->base = tsl_host_alloc(&x->allocator, host->peak))) st = TSL_ERR_MEMORY;
        if (!st && dev->peak) st = tsl_device_alloc(x->dev, dev->peak, &p);
        dev->base = p;
        if (!st && both->peak) st = obtain_shared(x, both);
    }
    if (st) tsl_fail(x, st, "distributed: workspace: %s", tsl_status_text(st));
    return st;
}

static void give_back(tsl_context *x, tsl_grid *g)
{
    if (tsl_held(g)) return;
    for (int s = 0; s < TSL_SLOTS; ++s) {
        tsl_stack *host = &g->stack[TSL_PLACE_HOST][s], *dev = &g->stack[TSL_PLACE_DEVICE][s],
                  *both = &g->stack[TSL_PLACE_SHARED][s];
        if (tsl_is_told(g)) tsl_device_release(x->dev, host->base);
        else if (host->base) tsl_host_free(&x->allocator, host->base, host->peak);
        if (dev->base) tsl_device_release(x->dev, dev->base);
        if (both->base) give_back_shared(x, both);
        *host = *dev = *both = (tsl_stack){0};
    }
}

tsl_status tsl_work_wait(tsl_context *x, tsl_grid *g)
{
    tsl_channel_watch(x, g);
    tsl_status st = tsl_drain(x);
    x->pending = TSL_OK;
    g->crossing = 0;
    if (st) tsl_channel_give_up(g, tsl_fail(x, st, "distributed: work submitted earlier failed: %s", tsl_status_text(st)));
    return st;
}

/* Runs the job with nothing but its workspace */
static tsl_status rehearse(tsl_context *x, tsl_grid *g, tsl_job job, const void *arg)
{
    tsl_one_run run;
    tsl_run_begin(x, &run);
    g->rehearsing = run.dry = true;
    job(x, arg);
    tsl_part_end(x);
    g->rehearsing = false;
    return g->failed;
}

/* Workspace for the job: as much as it takes in a rehearsal */
static tsl_status prepare(tsl_context *x, tsl_grid *g, tsl_job job, const void *arg)
{
    give_back(x, g);
    g->channels.wanted = tsl_is_told(g); /* as any rehearsal with messages finds */
    tsl_status st = tsl_is_told(g) ? TSL_OK : rehearse(x, g, job, arg);
    if (!st) st = obtain(x, g);
    for (int i = 0; i < TSL_SLOTS * TSL_PLACES; ++i) g->stack[i % TSL_PLACES][i / TSL_PLACES].top = 0;
    return st;
}

int tsl_collectives;

tsl_status tsl_collective(tsl_context *x, tsl_grid *g, tsl_status given, const tsl_terms *terms, tsl_job job, const void *arg)
{
    char before[TSL_DETAIL]; /* the line of an earlier call is none of this one's */
    tsl_status st;
    tsl_one_run run;
    if (g->broken) return tsl_broken(x, g);
    __atomic_fetch_add(&tsl_collectives, 1, __ATOMIC_SEQ_CST);
    strcpy(before, x->detail);
    if (!given) x->detail[0] = 0;
    tsl_run_begin(x, &run);
    g->failed = run.failed = TSL_OK;
    g->touched = false;
    run.level = 1;
    g->channels.on = g->channels.state == TSL_CHANNELS_OPEN;
    do {
        g->channels.kinds = 0;
        st = tsl_agree(x, g, given ? given : prepare(x, g, job, arg), terms, NULL);
    } while (!st && tsl_channel_turn(x, g));
    if (!st) {
        g->touched = true;
        g->sample.step = 0;
        if (tsl_is_told(g)) g->failed = TSL_ERR_CANCELLED; /* where something has failed all local work is left out */
        job(x, arg);
        if (tsl_is_told(g) && g->failed == TSL_ERR_CANCELLED) g->failed = TSL_OK;
        tsl_status late = tsl_work_wait(x, g);
        if (late) tsl_grid_fail(g, late);
        st = tsl_agree(x, g, g->failed, NULL, NULL);
        if (st && g->channels.on) tsl_channel_close_failed(g);
    }
    if (!st) strcpy(x->detail, before);
    tsl_run_end(x);
    give_back(x, g);
    __atomic_fetch_sub(&tsl_collectives, 1, __ATOMIC_SEQ_CST);
    return st;
}

/* The variant the caller has set, and the lane a text is on, are the grid's, not those of what its processes do by
 * themselves. */
void tsl_locally(tsl_context *x, tsl_grid *g, const tsl_call *c)
{
    tsl_tell_call(g, c);
    if (g->rehearsing || g->failed) return;
    tsl_one_run run;
    char variant[sizeof x->variant];
    for (int i = 0; i < tsl_ops[c->op].operands; ++i)
        if (!c->v[i].mat->home) { /* then the call waits for the device */
            tsl_channel_watch(x, g);
            break;
        }
    if (g->failed) return;
    tsl_run_begin(x, &run);
    run.level = 0;
    memcpy(variant, x->variant, sizeof variant);
    strcpy(x->variant, "auto");
    tsl_status st = tsl_execute(x, c);
    memcpy(x->variant, variant, sizeof variant);
    tsl_run_end(x);
    x->run->failed = TSL_OK;
    if (st) tsl_grid_fail(g, st);
}

void tsl_leaf_here(tsl_context *x, tsl_grid *g, const tsl_leaf *l)
{
    if (g->rehearsing || g->failed) return;
    tsl_kernel fn = x->dev->be->kernels[l->op]->fn[l->type];
    tsl_status st = x->dev->shares_host ? fn(NULL, l) : x->dev->be->launch(x->lanes[TSL_MAIN].q, fn, l);
    tsl_count_launch(x);
    if (st) tsl_grid_fail(g, st);
}

void tsl_leaf_on_host(tsl_context *x, tsl_grid *g, const tsl_leaf *l)
{
    if (g->rehearsing || g->failed) return;
    tsl_status st = tsl_host_kernels[l->op]->fn[l->type](NULL, l);
    tsl_count_launch(x);
    if (st) tsl_grid_fail(g, st);
}

void tsl_aside(tsl_context *x, tsl_grid *g, const tsl_call *c)
{
    if (g->rehearsing || g->failed) return;
    tsl_one_run run;
    tsl_run_begin(x, &run);
    run.lane = TSL_AHEAD;
    tsl_status st = tsl_execute(x, c);
    tsl_run_end(x);
    x->run->failed = TSL_OK;
    if (st) tsl_grid_fail(g, st);
}
