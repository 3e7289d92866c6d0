#include <math.h>

#include "bench/measure/measure.h"

/* The library, or a rival, at work on a problem */
typedef struct contender {
    bench_problem *p;
    const bench_rival *rival; /* NULL: the library */
    void *state;
    int calls;
} contender;

static bool restore(void *user)
{
    const contender *c = user;
    return !bench_restore(c->p, c->rival ? c->rival->place : c->p->place) && !tsl_wait(c->p->ctx);
}

static bool once(void *user)
{
    const contender *c = user;
    double seconds;
    return c->rival ? bench_timed_rival(c->rival, c->state, c->p, c->calls, &seconds) : !bench_timed_run(c->p, c->calls, &seconds);
}

bool bench_energy_case(bench_session *s, bench_problem *p, int calls, bench_record *out)
{
    bench_keep(p);
    for (int i = 0; i <= s->rivals; i++) {
        contender c = {.p = p, .calls = calls};
        if (i > 0) {
            c.rival = s->rival[i - 1], c.state = s->state[i - 1];
            if (!bench_rival_runs(c.rival, p))
                continue;
        }
        if (!bench_energy(s->meter, &(bench_work){&c, calls, restore, once}, s->energy_seconds, out->joules[i]))
            return false;
    }
    return true;
}
