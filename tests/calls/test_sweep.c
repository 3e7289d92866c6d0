/* Sizes 0..70, every one: for each routine, type and interface each size meets every fourth combination of letters, in full
 * every one, on the host and on virtual devices; on a GPU half of these. Another type sees others. Half of the cases are
 * square, the others have two sizes drawn from 0..70. What else makes a case is drawn (sweep.h). */
#include "sweep.h"

enum { LAST = 70 };

static void sizes_of(sweep *s, bench_case *c, unsigned combination, bench_interface by)
{
    unsigned thin = (strncmp(s->devices, "host", 4) ? 2 : 1) * (in_full() ? 1 : 4) * (s->r->reference ? 1 : 3);
    for (int64_t n = 0; n <= LAST; n++) {
        if (((unsigned)n + combination + (unsigned)s->type) % thin)
            continue;
        bool square = sweep_pick(++s->turn, 4, 2);
        c->n = n;
        c->m = square ? n : sweep_pick(s->turn, 7, LAST + 1);
        c->k = square ? n : sweep_pick(s->turn + 1, 7, LAST + 1);
        sweep_case(s, c, by);
    }
}

static void sweep_all(tsl_context *ctx, const char *devices)
{
    const bench_routine *r;
    for (int i = 0; (r = bench_routine_at(i)); i++)
        for (int t = TSL_S; t <= TSL_Z; t++) {
            if (!sweep_takes(r, (tsl_type)t)) continue;
            sweep s = {.ctx = ctx, .devices = devices, .r = r, .type = (tsl_type)t, .turn = (unsigned)t << 20};
            for (int by = BENCH_TYPED; by <= BENCH_VIEWS; by++) {
                if (!sweep_has(r, s.type, (bench_interface)by)) continue;
                bench_case c = {.type = s.type};
                unsigned combination = 0;
                sweep_first_flags(&s, (bench_interface)by, &c);
                do
                    sizes_of(&s, &c, combination++, (bench_interface)by);
                while (sweep_next_flags(&s, (bench_interface)by, &c));
            }
            sweep_report(&s, "");
        }
}

int main(void)
{
    sweep_on("host", sweep_all);
    sweep_on("host:3,mem=64M", sweep_all);
    sweep_on("cuda", sweep_all);
    return tap_done();
}
