/* LU on a grid where memory is refused: each allocation fails in turn; then the grid has the bits it had before. */
#ifndef LU_STARVED_H
#define LU_STARVED_H

#include "problem.h"
#include "shortage.h"

typedef struct starved { problem k; const team *t; dense first; } starved;

static inline tsl_status ready(void *of, tsl_context *x) { return put(&((starved *)of)->k, x); }

static inline tsl_status call(void *of, tsl_context *x)
{
    starved *s = of;
    return tsl_getrf(x, tsl_whole(s->k.A), tsl_whole(s->k.p), NULL);
}

static inline int same(void *of, tsl_context *x, tsl_status st)
{
    (void)st;
    starved *s = of;
    return !factor(&s->k, s->t, x) && dense_same(&s->first, &s->k.f);
}

/* variant: NULL, or one that is asked for */
static inline void memory(const team *t, const char *devices, tsl_scheme scheme, const char *variant)
{
    enum { N = 75 };
    tsl_context *x = shortage_context(t, devices);
    starved s = {.t = t};
    if (!x || (variant && tsl_set(x, "variant", variant))) return;
    all_ok(t, !make(&s.k, t, x, layout(t, 1, 16, scheme), 0, TSL_D, N, N, 0) && !factor(&s.k, t, x), "a factorization");
    s.first = dense_copy(&s.k.f);
    shortage_trials(t, x, devices, 400, &(trial){ready, call, same, &s});
    dense_free(&s.first);
    drop(&s.k);
    tsl_context_destroy(x);
}

#endif
