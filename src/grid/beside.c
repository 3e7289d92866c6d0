/* What has waited for a meeting is done, in its order. But beside a product the exchanges of rows of calls after it are on
 * their way, and right factors of the products after it. So a product waits until others have set out, or something needs its
 * result, in the next step too; and an exchange ends where its rows are needed, or its room is. What is begun and computed
 * when depends on the calls alone, so that messages are posted in the same order by all processes. */
#include "grid/form/form.h"
#include "tune/numbers.h"

typedef struct calls {
    tsl_context *x;
    tsl_grid *g;
    const tsl_call *call;
    int count, next; /* exchanges before `next` have begun */
    tsl_exchange way[TSL_EXCHANGES];
    unsigned computed[TSL_EXCHANGES]; /* products, when it began */
    int begun, ended;                 /* of these, in turn */
} calls;

static bool conflict(const tsl_call *a, const tsl_call *b)
{
    for (int i = 0; i < tsl_ops[a->op].operands; ++i)
        for (int j = 0; j < tsl_ops[b->op].operands; ++j)
            if (!(tsl_only_read(a->op, i) && tsl_only_read(b->op, j)) && tsl_overlap(a->v[i], b->v[j])) return true;
    return false;
}

static tsl_spread *product(tsl_grid *g, unsigned number) { return &g->ahead.spread[number % TSL_SPREADS]; }

static void compute(tsl_context *x, tsl_grid *g)
{
    tsl_spread_end(x, product(g, g->ahead.computed++));
    tsl_ahead_poll(x, g);
}

/* After all products that wait up to the last one that is in its way */
void tsl_beside_finish(tsl_context *x, tsl_grid *g, const tsl_call *c)
{
    unsigned end = g->ahead.spreads;
    while (c && end != g->ahead.computed && !conflict(c, &product(g, end - 1)->c)) --end;
    while (g->ahead.computed != end) compute(x, g);
}

/* A product is computed while it is on its way. */
static void end_exchange(calls *l)
{
    int i = l->ended++ % TSL_EXCHANGES;
    const tsl_ahead *a = &l->g->ahead;
    if (l->computed[i] == a->computed && a->computed != a->spreads) compute(l->x, l->g);
    tsl_exchange_end(&l->way[i]);
}

static void finish_for(calls *l, const tsl_call *c)
{
    for (int i = l->begun - 1; i >= l->ended; --i)
        if (conflict(c, &l->way[i % TSL_EXCHANGES].c))
            while (l->ended <= i) end_exchange(l);
    tsl_beside_finish(l->x, l->g, c);
}

/* May exchange i set out, before those from call `at` on that are still to be done? */
static bool is_free(const calls *l, int at, int i)
{
    const tsl_call *c = &l->call[i];
    const tsl_ahead *a = &l->g->ahead;
    bool free = true;
    for (int k = l->ended; k < l->begun; ++k) free &= !conflict(c, &l->way[k % TSL_EXCHANGES].c);
    for (unsigned k = a->computed; k != a->spreads; ++k) free &= !conflict(c, &product(l->g, k)->c);
    for (int k = at; k < i; ++k) free &= (k < l->next && tsl_is_exchange(&l->call[k])) || !conflict(c, &l->call[k]);
    return free;
}

static void prepare(calls *l, const tsl_call *c, int slot)
{
    tsl_ahead_ready(l->x, l->g, c);
    tsl_ahead_depart(l->x, l->g);
    tsl_work_fresh(l->x, l->g, slot);
}

static void begin_exchange(calls *l, int i)
{
    tsl_call c = tsl_simplified(&l->call[i]);
    if (l->begun - l->ended == TSL_EXCHANGES) end_exchange(l);
    int way = l->begun++ % TSL_EXCHANGES;
    prepare(l, &c, TSL_SLOT_EXCHANGE + way);
    tsl_exchange_begin(l->x, &c, &l->way[way]);
    tsl_work_slot(l->g, 0);
    l->computed[way] = l->g->ahead.computed;
    l->next = i + 1;
}

/* Exchanges after call `at`, as far as so many products */
static void begin_exchanges(calls *l, int at, int products)
{
    for (int i = at; i < l->count && products > 0; ++i) {
        products -= tsl_is_general_product(l->call[i].op);
        if (i < l->next || !tsl_is_exchange(&l->call[i]) || tsl_is_trivial(&l->call[i])) continue;
        if (!is_free(l, at, i)) return;
        begin_exchange(l, i);
    }
}

static bool spread(calls *l, const tsl_call *c)
{
    tsl_ahead *a = &l->g->ahead;
    if (!tsl_is_general_product(c->op)) return false;
    if (a->spreads - a->computed == TSL_SPREADS) compute(l->x, l->g);
    prepare(l, c, TSL_SLOT_SPREAD + (int)(a->spreads % TSL_SPREADS));
    bool begun = tsl_spread_begin(l->x, c, product(l->g, a->spreads));
    tsl_work_slot(l->g, 0);
    a->spreads += begun;
    return begun;
}

static void next_call(calls *l, int i)
{
    tsl_call c = tsl_simplified(&l->call[i]);
    if (tsl_is_trivial(&c) || (i < l->next && tsl_is_exchange(&c))) return;
    finish_for(l, &c);
    if (tsl_is_exchange(&c)) {
        begin_exchange(l, i);
        begin_exchanges(l, i, 2);
    } else if (spread(l, &c)) begin_exchanges(l, i, 3);
    else tsl_perform(l->x, &c);
}

void tsl_beside_do(tsl_context *x, tsl_grid *g, const tsl_call *call, int count)
{
    calls l = {.x = x, .g = g, .call = call, .count = count};
    tsl_one_run run;
    tsl_run_begin(x, &run);
    run.lane = TSL_MAIN;
    for (int i = 0; i < count; ++i) next_call(&l, i);
    while (l.ended < l.begun) end_exchange(&l);
    tsl_part_end(x);
}

/* In whole turns of the process columns, so that each has as many; where one process has all rows nothing is sent. */
int64_t tsl_dist_beside(const tsl_context *x, tsl_view A)
{
    const tsl_grid *g = tsl_grid_of(A);
    tsl_axis a = tsl_seen_axis(A, 1);
    int64_t n = tsl_cols(A), lines = tsl_axis_size(g, a.over), most = g->parts, least = a.nb;
    if (most < 0) most = tsl_tuned(x, TSL_TUNED_PARTS_BESIDE), least = tsl_tuned(x, TSL_TUNED_PART_BESIDE);
    int64_t parts = tsl_min(most, n / (lines * least));
    if (parts <= 1 || tsl_axis_size(g, tsl_seen_axis(A, 0).over) == 1) return n;
    return ((n - 1) / parts / (lines * a.nb) + 1) * lines * a.nb;
}
