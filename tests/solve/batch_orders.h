/* What tests of batches share: all types, layouts and orders on each kind of device. */
#pragma once

#include "batch_forms.h"
#include "context.h"

static const char *where;
static tsl_context *ctx;

/* Is the info of each problem 0, or, where it was spoiled, not? */
static inline int infos_right(const int64_t *info, int64_t count)
{
    int right = 1;
    for (int64_t k = 0; k < count; k++)
        right &= (info[k] != 0) == is_spoiled(k);
    return right;
}

/* Of batches of one type, layout and order, the turn-th; and of a type what is the same for all orders up to the largest. */
typedef void cases(tsl_type t, layout how, int64_t n, int turn, int64_t count);
typedef void further(tsl_type t, int64_t largest);

static inline void all_orders(int64_t largest, cases *of_order, further *of_type, const char *what)
{
    static const int64_t orders[] = {1, 2, 3, 5, 9, 17, 33, 65, 97};
    for (int type = TSL_S; type <= TSL_Z; type++) {
        tsl_type t = (tsl_type)type;
        for (int how = 0; how < LAYOUTS; how++)
            for (int o = 0; o < (int)(sizeof orders / sizeof *orders) && orders[o] <= largest; o++) {
                int64_t n = orders[o];
                state = (uint64_t)(type * 1000 + how * 100 + o);
                if (n <= 17 || o % LAYOUTS == how || in_full())
                    of_order(t, (layout)how, n, o, n <= 5 ? 37 : n <= 17 ? 13 : 5);
            }
        of_type(t, largest);
        checked("%s: %c: %s", where, tsl_type_letter(t), what);
    }
}

/* On each kind of device. */
static inline int run(cases *of_order, further *of_type, const char *what)
{
    static const struct {
        const char *devices;
        int64_t largest;
    } on[] = {{"host", 97}, {"host:3", 17}, {"host:2,mem=300K", 9}, {"cuda", 97}};
    for (size_t i = 0; i < sizeof on / sizeof *on; i++) {
        where = on[i].devices;
        ctx = context_on(where);
        if (!ctx)
            continue;
        all_orders(on[i].largest, of_order, of_type, what);
        tsl_context_destroy(ctx);
    }
    return tap_done();
}
