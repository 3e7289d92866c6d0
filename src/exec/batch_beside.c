/* Problems that no step takes together, several at once: each of some executors of the device, with queues and a thread of its
 * own, takes the next one. What the main lane has so far goes before them, and they before what it has next. */
#include <pthread.h>

#include "exec/batch.h"

enum { HANDS = 8, FEW = 4 }; /* FEW: fewer problems do not pay for executors that may have to be opened */

/* The problems, and what has become of them; the last three are atomic */
typedef struct crew {
    tsl_context *x;
    const tsl_call *c;
    tsl_some s;
    int64_t next;
    tsl_status failed; /* the first */
    bool faults;
} crew;

typedef struct hand {
    crew *of;
    tsl_context *on;
    pthread_t thread;
} hand;

static void fail(crew *w, tsl_status st)
{
    tsl_status none = TSL_OK;
    if (st) __atomic_compare_exchange_n(&w->failed, &none, st, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

/* A fault, as of pivots that are no rows, is x's. */
static tsl_status compute(tsl_context *on, crew *w, int64_t k)
{
    tsl_matrix mat[TSL_MAX_OPERANDS];
    tsl_call one = tsl_problem_of(w->c, k, mat);
    tsl_results results = {0}; /* a batch tells no number */
    tsl_one_run run;
    int64_t *fault = on->fault;
    one.results = &results;
    tsl_enter_own(on);
    on->fault = w->x->fault;
    tsl_call_begin(on, &one, &run);
    run.products = w->x->run->products;
    run.origin = one.v[0].mat;
    run.origin_at = one.v[0].j;
    run.skips = false;
    run.heeds = on->parent;
    if (tsl_trait(one.op, TSL_HAS_INFO)) run.info = w->x->run->info + k;
    tsl_status st = tsl_run_flat(on, &one);
    if (!st) st = run.failed;
    tsl_run_end(on);
    if (on->faults) __atomic_store_n(&w->faults, true, __ATOMIC_RELAXED);
    on->fault = fault, on->faults = false;
    return tsl_leave(on, st);
}

static void *work(void *hand_)
{
    const hand *h = hand_;
    crew *w = h->of;
    for (;;) {
        int64_t k = __atomic_fetch_add(&w->next, 1, __ATOMIC_RELAXED);
        if (k >= w->s.from + w->s.count || __atomic_load_n(&w->failed, __ATOMIC_RELAXED)) return NULL;
        if (w->s.known && w->s.known[k - w->s.from] != w->s.only) continue;
        fail(w, tsl_is_cancelled(h->on->parent) ? TSL_ERR_CANCELLED : compute(h->on, w, k));
    }
}

/* The main lanes of both: what is on `first` goes before what is put on `second`. */
static tsl_status in_order(tsl_context *first, tsl_context *second)
{
    const tsl_backend *be = first->dev->be;
    tsl_lane *a = &first->lanes[TSL_MAIN], *b = &second->lanes[TSL_MAIN];
    tsl_status st = be->event_record(a->q, a->point);
    return st ? st : be->event_after(b->q, a->point);
}

/* Executors with memory for a problem each */
static int gather(crew *w, hand each[HANDS])
{
    tsl_context *x = w->x, *of = x->parent ? x->parent : x;
    tsl_matrix mat[TSL_MAX_OPERANDS];
    tsl_call one = tsl_problem_of(w->c, w->s.from, mat);
    tsl_runtime *rt;
    int hands = 0;
    if (tsl_by_tiles.runtime(of, &rt)) return 0;
    const tsl_site *site = &rt->site[x->dev->index];
    for (int e = 0; e < site->executors && hands < HANDS && hands < w->s.count; ++e) {
        tsl_context *on = site->executor[e];
        if (on == x) continue;
        on->run->products = x->run->products; /* what they are computed by counts */
        if (tsl_reserve(on, &one) || in_order(x, on)) continue;
        each[hands++] = (hand){.of = w, .on = on};
    }
    return hands;
}

tsl_status tsl_batch_beside(tsl_context *x, const tsl_call *c, tsl_some s, bool *taken)
{
    crew w = {.x = x, .c = c, .s = s, .next = s.from};
    hand each[HANDS];
    int hands = 0, begun = 1;
    *taken = x->dev->be->accelerator && !x->run->dry && x->run->level == 1 && !x->watch.on && s.count >= FEW;
    if (*taken) hands = gather(&w, each), *taken = hands > 1;
    if (!*taken) return TSL_OK;
    while (begun < hands && !pthread_create(&each[begun].thread, NULL, work, &each[begun])) ++begun;
    (void)work(&each[0]);
    for (int h = 1; h < begun; ++h) pthread_join(each[h].thread, NULL);
    for (int h = 0; h < begun; ++h) fail(&w, in_order(each[h].on, x));
    x->faults |= w.faults;
    *tsl_computes() = true;
    return w.failed;
}
