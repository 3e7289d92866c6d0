/* The task graph. Tasks are submitted in the order of the sequential program; a tile's last writer and the readers since then
 * give the dependences: a reader waits for the writer (flow), a writer for the readers (anti) and for the writer (output). */
#include "runtime/runtime.h"

static void depend(tsl_runtime *rt, tsl_task_ref on, tsl_task *t)
{
    if (!tsl_at_work(on) || on.task == t) return;
    tsl_edge *e = tsl_pool_get(rt, &rt->edges);
    if (!e) { /* what follows is passed over, so its order no longer matters */
        if (!rt->failed) rt->failed = TSL_ERR_MEMORY;
        return;
    }
    if (!tsl_at_work(on)) { /* it has ended while there was a wait for memory */
        tsl_pool_put(&rt->edges, e);
        return;
    }
    *e = (tsl_edge){.next = on.task->out, .to = t};
    on.task->out = e;
    t->deps++;
    if (rt->graph) tsl_drawing_edge(rt, on, t);
}

static void will_read(tsl_runtime *rt, tsl_tile *tile, tsl_task *t)
{
    depend(rt, tile->writer, t);
    tsl_reader *r = tile->readers;
    if (!r || tsl_at_work(r->ref)) {
        r = tsl_pool_get(rt, &rt->readers);
        if (!r) {
            if (!rt->failed) rt->failed = TSL_ERR_MEMORY;
            return;
        }
        r->next = tile->readers;
        tile->readers = r;
    }
    r->ref = (tsl_task_ref){t, t->id};
}

static void will_write(tsl_runtime *rt, tsl_tile *tile, tsl_task *t)
{
    if (!tile->readers) depend(rt, tile->writer, t); /* else through a reader, which has waited for it */
    while (tile->readers) {
        tsl_reader *r = tile->readers;
        depend(rt, r->ref, t);
        tile->readers = r->next;
        tsl_pool_put(&rt->readers, r);
    }
    tile->writer = (tsl_task_ref){t, t->id};
}

/* There is room for it. */
static void add_use(tsl_task *t, tsl_tile *tile, bool writes, bool overwrites)
{
    int k = 0;
    while (k < t->uses && t->use[k].tile != tile) ++k;
    if (k < t->uses) {
        t->use[k].overwrites = t->use[k].overwrites && overwrites;
        t->use[k].writes |= writes;
    } else {
        t->use[t->uses++] = (tsl_use){.tile = tile, .writes = writes, .overwrites = overwrites};
    }
}

/* All tiles the view reaches over; overwrites: as far as it covers them. */
static void add_tiles(tsl_task *t, const tsl_view *v, bool writes, bool overwrites)
{
    const struct tsl_tiles *a = v->mat->tiles;
    int64_t mb = a->mb, nb = a->nb;
    for (int64_t j = v->j / nb * nb; j < v->j + v->n; j += nb)
        for (int64_t i = v->i / mb * mb; i < v->i + v->m; i += mb) {
            tsl_tile *tile = &a->tile[i / mb + j / nb * a->mt];
            bool all = v->i <= i && v->i + v->m >= i + tile->m && v->j <= j && v->j + v->n >= j + tile->n;
            add_use(t, tile, writes, overwrites && all);
        }
}

static void add_uses(tsl_task *t)
{
    const tsl_call *c = &t->call;
    for (int i = 0; i < tsl_operands(c); ++i) {
        bool writes = tsl_writes(c, i);
        add_tiles(t, &c->v[i], writes, writes && !tsl_needs_contents(c, i));
    }
}

/* Tiles the operands reach over, those of two counted twice. */
static size_t most_uses(const tsl_call *c)
{
    size_t sum = 0;
    for (int i = 0; i < tsl_operands(c); ++i) {
        const tsl_view *v = &c->v[i];
        const struct tsl_tiles *a = v->mat->tiles;
        int64_t rows = tsl_pieces(v->i % a->mb + v->m, a->mb), cols = tsl_pieces(v->j % a->nb + v->n, a->nb);
        sum = tsl_plus(sum, tsl_times((size_t)rows, (size_t)cols));
    }
    return sum;
}

void tsl_give_back_uses(tsl_runtime *rt)
{
    tsl_spent *spent = rt->spent, *next;
    rt->spent = NULL;
    if (!spent) return;
    tsl_runtime_unlock(rt);
    for (; spent; spent = next) {
        next = spent->next;
        tsl_host_free(&rt->x->allocator, spent, spent->bytes);
    }
    tsl_runtime_lock(rt);
}

/* Room for many uses. */
static tsl_use *take_uses(tsl_runtime *rt, size_t bytes)
{
    tsl_give_back_uses(rt);
    tsl_runtime_unlock(rt);
    tsl_use *use = tsl_host_alloc(&rt->x->allocator, bytes);
    tsl_runtime_lock(rt);
    return use;
}

static void drop_uses(tsl_runtime *rt, tsl_task *t)
{
    tsl_spent *spent = (tsl_spent *)t->use;
    if (!t->many) return;
    *spent = (tsl_spent){.next = rt->spent, .bytes = t->many};
    rt->spent = spent;
}

/* Before there is work, or no more. */
static void count_idle(tsl_runtime *rt)
{
    for (int i = 0; i < rt->sites; ++i) tsl_count_idle(&rt->site[i]);
}

tsl_status tsl_submit(tsl_runtime *rt, const tsl_call *c, tsl_hints hints)
{
    while (rt->unfinished >= rt->window && !rt->failed) {
        tsl_let_go(rt);
        tsl_runtime_await(rt);
    }
    size_t uses = most_uses(c), many = uses > TSL_FEW_USES ? tsl_times(uses, sizeof(tsl_use)) : 0;
    tsl_use *use = many && !rt->failed ? take_uses(rt, many) : NULL;
    tsl_task *t = rt->failed || (many && !use) ? NULL : tsl_pool_get(rt, &rt->tasks);
    if (!t) {
        if (use) drop_uses(rt, &(tsl_task){.use = use, .many = many});
        return rt->failed ? rt->failed : TSL_ERR_MEMORY;
    }
    int calls = rt->x->outcomes.calls;
    *t = (tsl_task){.call = *c, .id = ++rt->submitted, .deps = 1, .hints = hints, .info_word = calls ? calls - 1 : 0, .many = many};
    t->use = many ? use : t->few;
    add_uses(t);
    if (rt->graph) tsl_drawing_task(rt, t);
    for (int i = 0; i < t->uses; ++i) {
        if (t->use[i].writes) will_write(rt, t->use[i].tile, t);
        else will_read(rt, t->use[i].tile, t);
    }
    t->next = rt->batch;
    rt->batch = t;
    if (rt->unfinished == 0) count_idle(rt);
    rt->unfinished++;
    if (++rt->batched >= rt->batch_limit) {
        tsl_let_go(rt);
        rt->batch_limit = tsl_min(2 * rt->batch_limit, rt->window / 2 + 1);
    }
    return TSL_OK;
}

/* Newest first: a task's successors have their urgency before it. */
void tsl_let_go(tsl_runtime *rt)
{
    for (tsl_task *t = rt->batch; t; t = t->next) {
        t->urgency = 0;
        if (rt->in_order) continue;
        for (const tsl_edge *e = t->out; e; e = e->next)
            if (e->to->urgency > t->urgency) t->urgency = e->to->urgency;
        t->urgency += t->hints.weight;
    }
    while (rt->batch) {
        tsl_task *t = rt->batch;
        rt->batch = t->next;
        if (--t->deps == 0) tsl_ready(rt, t);
    }
    rt->batched = 0;
}

void tsl_task_over(tsl_runtime *rt, tsl_task *t)
{
    double flops = t->hints.flops;
    while (t->out) {
        tsl_edge *e = t->out;
        t->out = e->next;
        if (--e->to->deps == 0) tsl_ready(rt, e->to);
        tsl_pool_put(&rt->edges, e);
    }
    t->id = 0;
    drop_uses(rt, t);
    tsl_pool_put(&rt->tasks, t);
    rt->count.tasks++;
    if (flops > 0) tsl_watch_task(rt->x, flops);
    if (rt->unfinished == 1) count_idle(rt);
    bool told = flops > 0 && tsl_watch_due(rt->x);
    if (--rt->unfinished == 0 || rt->unfinished == rt->window / 2 || told) pthread_cond_broadcast(&rt->over);
}
