/* Which ready task is next: the one with the longest path behind it, also where that has become longer after it was let go. */
#include <stdlib.h>

#include "runtime/runtime.h"
#include "tap.h"

enum { CHAIN = 10, MANY = 500 };

static tsl_context context;
static tsl_site site;
static tsl_runtime rt;

static void open_runtime(void)
{
    site = (tsl_site){.rt = &rt};
    rt = (tsl_runtime){.x = &context, .site = &site, .sites = 1, .policy = tsl_policy_find("write-back")};
    pthread_cond_init(&site.wake, NULL);
}

/* Submitted, for the cores; it waits for nobody but to be let go. */
static void add(tsl_task *t, double weight, bool in_order)
{
    *t = (tsl_task){.id = ++rt.submitted, .deps = 1, .hints = {.weight = weight, .on_cores = true}, .in_order = in_order, .older = rt.newest};
    if (rt.newest) rt.newest->newer = t;
    rt.newest = t;
    rt.batched++;
}

static void lead_to(tsl_task *from, tsl_edge *e, tsl_task *to)
{
    *e = (tsl_edge){.next = from->out, .to = to};
    from->out = e;
    to->deps++;
}

static void test_longer_path(void)
{
    tsl_task heavy, root, chain[CHAIN];
    tsl_edge edge[CHAIN];
    open_runtime();
    add(&root, 1, false);
    add(&heavy, 5, false);
    tsl_let_go(&rt);
    check(site.ready.top == &heavy, "the heavier of two that lead nowhere is first");
    for (int i = 0; i < CHAIN; i++) {
        add(&chain[i], 1, false);
        lead_to(i ? &chain[i - 1] : &root, &edge[i], &chain[i]);
    }
    tsl_let_go(&rt);
    check(root.urgency == CHAIN + 1 && heavy.urgency == 5, "urgencies %g and %g", root.urgency, heavy.urgency);
    check(tsl_next_task(&site) == &root && tsl_next_task(&site) == &heavy, "then the one that leads to more");
    check(!tsl_next_task(&site) && chain[0].deps == 1, "the others wait for it");
    checked("a path that has become longer");
}

static void test_order(bool in_order)
{
    static tsl_task task[MANY];
    bool seen[MANY] = {false};
    open_runtime();
    srand(7);
    for (int i = 0; i < MANY; i++) {
        add(&task[i], rand() % 50, in_order);
        if (i % 97 == 0) tsl_let_go(&rt);
        if (i % 5 == 0) { /* one has begun: its queue has been taken apart and put together */
            tsl_let_go(&rt);
            tsl_task *t = tsl_next_task(&site);
            seen[t - task] = true;
        }
    }
    tsl_let_go(&rt);
    tsl_task *before = tsl_next_task(&site), *t;
    for (seen[before - task] = true; (t = tsl_next_task(&site)); before = t) {
        check(!seen[t - task], "task %d comes twice", (int)(t - task));
        seen[t - task] = true;
        check(before->urgency > t->urgency || (before->urgency == t->urgency && before->id < t->id), "order of tasks");
    }
    for (int i = 0; i < MANY; i++) check(seen[i], "task %d was never next", i);
    checked("%d tasks %s", MANY, in_order ? "in their order" : "by urgency");
}

int main(void)
{
    test_longer_path();
    test_order(false);
    test_order(true);
    return tap_done();
}
