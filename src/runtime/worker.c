/* The thread of a device, which fills its queues; and what it shares with the cores'. */
#include "runtime/runtime.h"
#include "tune/numbers.h"

enum {
    QUEUED = 2, /* tasks on an executor's queue: one computes, the next waits behind it */
    FARTHEST = 256, /* slots: every step looks at all tasks that are fetched */
    REACH = 2,      /* tasks for each slot: a few passes over the tiles that are there */
};

/* Behind the others; or, sorted, before those that go after it. */
static void insert(tsl_list *l, tsl_task *t, bool sorted)
{
    tsl_task **at = &l->first;
    if (!sorted && l->last) at = &l->last->next;
    while (*at && tsl_goes_before(*at, t)) at = &(*at)->next;
    t->next = *at;
    *at = t;
    if (!t->next) l->last = t;
}

static void take(tsl_list *l, tsl_task *t)
{
    tsl_task **at = &l->first, *before = NULL;
    while (*at != t) before = *at, at = &(*at)->next;
    *at = t->next;
    if (l->last == t) l->last = before;
}

tsl_call tsl_local_call(const tsl_site *s, tsl_context *e, const tsl_task *t, tsl_matrix mat[TSL_MAX_OPERANDS])
{
    tsl_call c = t->call;
    for (int i = 0; i < tsl_operands(&c); ++i) {
        tsl_view *v = &c.v[i];
        const tsl_tile *tile = tsl_tile_at(v);
        if (!tile) {
            mat[i] = (tsl_matrix){.ctx = e, .type = v->mat->type, .m = v->mat->m, .n = v->mat->n, .ld = tsl_max(1, v->mat->m), .home = s->dev};
            v->mat = &mat[i];
            continue;
        }
        const tsl_slot *slot = *tsl_slot_at(tile, s->space);
        v->i %= tile->of->mb;
        v->j %= tile->of->nb;
        mat[i] = (tsl_matrix){.ctx = e, .type = tile->of->type, .m = tsl_max(tile->m, v->i + v->m), .n = tsl_max(tile->n, v->j + v->n),
                              .home = s->dev, .reversed = v->mat->reversed};
        mat[i].data = slot ? slot->p : tile->data;
        mat[i].ld = tsl_max(mat[i].m, slot ? tsl_slot_ld(tile) : tile->ld); /* an empty view may be higher than its tile */
        v->mat = &mat[i];
    }
    e->rest.info = &e->infos[t->info_word];
    e->rest.products = t->hints.products;
    e->rest.origin = c.v[0].mat;
    e->rest.origin_at = c.v[0].j - t->hints.info_base;
    return c;
}

/* On a thread of the driver's or of a queue's: it waits for nobody. Once the task is on the list it is the worker's. */
static void ended(void *task, tsl_status st)
{
    tsl_task *t = task;
    tsl_site *s = t->site;
    t->outcome = st;
    t->next = __atomic_load_n(&s->ended, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(&s->ended, &t->next, t, true, __ATOMIC_RELEASE, __ATOMIC_RELAXED)) continue;
    tsl_site_ring(s);
}

/* All that have ended by now, oldest first. */
static tsl_task *take_ended(tsl_site *s)
{
    tsl_task *oldest = NULL, *next;
    for (tsl_task *t = __atomic_exchange_n(&s->ended, NULL, __ATOMIC_ACQUIRE); t; t = next) {
        next = t->next;
        t->next = oldest;
        oldest = t;
    }
    return oldest;
}

static int least_loaded(const tsl_site *s)
{
    int e = 0;
    for (int i = 1; i < s->executors; ++i)
        if (s->load[i] < s->load[e]) e = i;
    return e;
}

static tsl_status reserve(tsl_runtime *rt, tsl_context *e, const tsl_call *c)
{
    tsl_runtime_unlock(rt);
    tsl_status st = rt->reserve(e, c);
    tsl_runtime_lock(rt);
    return st;
}

/* Takes the workspace the task needs beforehand: once it has begun to overwrite its tiles it must not fail for lack of memory.
 * While the executor is busy its workspace stays as it is. An executor is one thread's, and the task's slots are pinned: so the
 * lock may be given up. */
tsl_status tsl_reserve_at(tsl_site *s, tsl_context *e, bool busy, const tsl_call *c)
{
    for (int l = 0; l < TSL_LANES; ++l) e->lanes[l].arena.busy = busy;
    tsl_status st = reserve(s->rt, e, c);
    while (st == TSL_ERR_DEVICE_MEMORY && !busy) {
        st = tsl_slots_make_room(s);
        if (!st) st = reserve(s->rt, e, c);
        else break;
    }
    return st;
}

/* TSL_ERR_DEVICE_MEMORY: nothing has happened yet, and it may go better later. */
static tsl_status launch(tsl_site *s, tsl_task *t)
{
    tsl_runtime *rt = s->rt;
    tsl_matrix mat[TSL_MAX_OPERANDS];
    int i = t->executor = least_loaded(s);
    tsl_context *e = s->executor[i];
    tsl_queue *q = e->lanes[TSL_MAIN].q;
    tsl_call c = tsl_local_call(s, e, t, mat);
    tsl_tasks_cancelled(rt);
    tsl_status st = rt->failed ? TSL_OK : tsl_reserve_at(s, e, s->load[i], &c);
    if (st == TSL_ERR_DEVICE_MEMORY) return st;
    take(&s->fetching, t);
    s->fetched--;
    s->running++;
    s->load[i]++;
    bool runs = !st && !rt->failed;
    tsl_task_failed(rt, st);
    tsl_runtime_unlock(rt);
    if (!runs) (void)s->dev->be->queue_wait(s->in); /* it may be copied to still, from slots that are free once it is over */
    for (int k = 0; k < t->uses && runs && !st; ++k) st = tsl_use_after(q, &t->use[k]);
    if (runs && !st) st = rt->compute(e, &c);
    t->notice = (tsl_notice){ended, t};
    tsl_status told = s->dev->be->notify(q, &t->notice);
    if (told) ended(t, told);
    tsl_runtime_lock(rt);
    tsl_task_failed(rt, st);
    return TSL_OK;
}

void tsl_survey(const tsl_site *s, const tsl_task *t, bool *kept, bool *loose)
{
    *kept = false;
    *loose = tsl_slots_loose(s);
    for (const tsl_slot *v = s->used.next; v != &s->used; v = v->next) {
        int own = 0;
        for (int i = 0; i < t->uses; ++i) own += t->use[i].slot == v;
        *kept |= v->pins > own;
        *loose |= v->pins == 0;
    }
}

/* It is taken from them under the lock: they may begin to work at any time. */
bool tsl_spare_workspace(tsl_site *s, const tsl_context *but)
{
    tsl_chunk *taken = NULL;
    for (int i = 0; i < s->executors; ++i)
        for (int l = 0; l < TSL_LANES && !s->load[i] && s->executor[i] != but; ++l)
            tsl_arena_strip(&s->executor[i]->lanes[l].arena, 0, &taken);
    if (!taken) return false;
    tsl_runtime_unlock(s->rt);
    tsl_chunks_release(s->dev, taken);
    tsl_runtime_lock(s->rt);
    return true;
}

/* There is no room for t now. Those behind it give way, and what it holds of other devices' memory is let go, so that no two
 * devices wait for each other; then only tasks that are sure to end can be in its way. *again: it may go better at once. */
static tsl_status give_way(tsl_site *s, tsl_task *t, bool *again)
{
    bool kept;
    tsl_status st = tsl_let_sources_go(s);
    for (tsl_task *o = t->next; o; o = o->next) tsl_unfetch(o);
    tsl_survey(s, t, &kept, again);
    if (st || *again || kept || s->running) return st;
    if (t->spared) return TSL_ERR_DEVICE_MEMORY;
    t->spared = *again = true; /* now there is all the memory there can be */
    (void)tsl_spare_workspace(s, NULL);
    return TSL_OK;
}

static void end(tsl_site *s, tsl_task *t)
{
    s->done = t->next;
    s->running--;
    s->load[t->executor]--;
    tsl_task_failed(s->rt, t->outcome);
    tsl_task_failed(s->rt, tsl_release(s, t));
    tsl_task_over(s->rt, t);
    tsl_runtime_moved(s->rt);
}

/* Fetches and launches what it can, in order. True: something has changed. */
static bool advance(tsl_site *s)
{
    tsl_runtime *rt = s->rt;
    for (tsl_task *t = s->fetching.first; t; t = t->next) {
        bool all = true, again;
        tsl_status st = rt->failed ? TSL_OK : tsl_fetch(s, t, &all);
        if (!st && all && s->load[least_loaded(s)] < QUEUED) {
            bool busy = s->load[least_loaded(s)];
            st = launch(s, t);
            if (!st) return true;
            if (busy && st == TSL_ERR_DEVICE_MEMORY) return false; /* when the executor has done what it has */
        }
        if (st == TSL_ERR_DEVICE_MEMORY) {
            st = give_way(s, t, &again);
            if (!st) return again;
        }
        if (st) {
            tsl_task_failed(rt, st);
            return true;
        }
    }
    return false;
}

/* Tasks whose operands are fetched while others compute. Where memory is short there is more to be moved than at other times,
 * and tasks come in the order of the program: the more room the more of them. The policy's number is for 24 tiles; a task takes
 * a few, which leaves some to those that are computed. */
static int ahead_of(const tsl_runtime *rt)
{
    int64_t usual = rt->policy->ahead, slots = tsl_min(rt->slots, FARTHEST);
    int64_t meant = tsl_tuned(rt->x, TSL_TUNED_USUAL_SLOTS);
    return (int)(slots > meant ? usual * slots / meant : usual);
}

/* Is the next task so far behind those that are over that it belongs to another block of results, whose tiles would drive out
 * those of the present one? Then it is for the time when there is nothing else to do. */
static bool is_far(const tsl_site *s)
{
    const tsl_runtime *rt = s->rt;
    const tsl_task *t = s->ready.top;
    return rt->slots && t && s->running + s->fetched > 0 && t->id > rt->submitted - (uint64_t)rt->unfinished + REACH * (uint64_t)rt->slots;
}

/* Is a tile of it still copied from another device's slot? That must stay until then. */
static bool has_sources(const tsl_task *t)
{
    for (int i = 0; i < t->uses; ++i)
        if (t->use[i].source) return true;
    return false;
}

/* The last of those that are fetched ahead waits, where one before it has become ready: the block it belongs to is finished
 * first. */
static bool put_back(tsl_site *s)
{
    tsl_task *t = s->fetching.last;
    if (!s->rt->slots || !t || !s->ready.top || !tsl_goes_before(s->ready.top, t) || has_sources(t)) return false;
    tsl_unfetch(t);
    t->spared = false; /* where it runs next there may be more to give back */
    take(&s->fetching, t);
    s->fetched--;
    tsl_ready_again(s, t);
    return true;
}

/* One step: something has ended, or was launched, or is to be fetched. False: nothing to do until there are news. */
static bool step(tsl_site *s)
{
    int ahead = ahead_of(s->rt), room = ahead ? ahead + s->executors * QUEUED : 1;
    if (!s->done) s->done = take_ended(s);
    if (s->done) {
        end(s, s->done);
        return true;
    }
    if (advance(s)) return true;
    if (is_far(s)) return false;
    if ((s->fetched > ahead || s->running + s->fetched >= room) && !put_back(s)) return false;
    tsl_task *t = tsl_next_task(s);
    if (!t) return false;
    insert(&s->fetching, t, s->rt->slots);
    s->fetched++;
    return true;
}

void *tsl_device_worker(void *site)
{
    tsl_site *s = site;
    tsl_own_thread = true;
    tsl_runtime_lock(s->rt);
    while (!s->rt->closing)
        if (!step(s)) tsl_site_rest(s, 0);
    tsl_runtime_unlock(s->rt);
    return NULL;
}
