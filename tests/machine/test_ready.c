/* Which ready task is next: the most urgent one, or the oldest. */
#include <stdlib.h>

#include "runtime/runtime.h"
#include "tap.h"

enum { MANY = 500 };

static tsl_context context;
static tsl_device cores = {.shares_host = true};
static tsl_site site;
static tsl_runtime rt;

static void open_runtime(void)
{
    site = (tsl_site){.rt = &rt, .dev = &cores};
    rt = (tsl_runtime){.x = &context, .site = &site, .sites = 1, .policy = tsl_policy_find("write-back")};
    pthread_cond_init(&site.wake, NULL);
    pthread_cond_init(&site.work, NULL);
}

/* Submitted, for the cores; it waits for nobody but to be let go. */
static void add(tsl_task *t, double weight)
{
    *t = (tsl_task){.id = ++rt.submitted, .deps = 1, .hints = {.weight = weight, .on_cores = true}, .next = rt.batch};
    rt.batch = t;
    rt.batched++;
}

static bool goes_before(const tsl_task *a, const tsl_task *b)
{
    return a->urgency > b->urgency || (a->urgency == b->urgency && a->id < b->id);
}

static void test_order(bool in_order)
{
    static tsl_task task[MANY];
    bool seen[MANY] = {false};
    open_runtime();
    rt.in_order = in_order;
    srand(7);
    for (int i = 0; i < MANY; i++) {
        add(&task[i], rand() % 50);
        if (i % 97 == 0) tsl_let_go(&rt);
        if (i % 5 == 0) { /* the first of those let go so far */
            tsl_let_go(&rt);
            tsl_task *t = tsl_next_task(&site);
            seen[t - task] = true;
            for (int k = 0; k <= i; k++) check(seen[k] || !goes_before(&task[k], t), "task %d is before %d", k, (int)(t - task));
        }
    }
    tsl_let_go(&rt);
    tsl_task *before = tsl_next_task(&site), *t;
    for (seen[before - task] = true; (t = tsl_next_task(&site)); before = t) {
        check(!seen[t - task], "task %d comes twice", (int)(t - task));
        seen[t - task] = true;
        check(goes_before(before, t), "order of tasks");
    }
    for (int i = 0; i < MANY; i++) check(seen[i], "task %d was never next", i);
    checked("%d tasks %s", MANY, in_order ? "in their order" : "by urgency");
}

int main(void)
{
    test_order(false);
    test_order(true);
    return tap_done();
}
