/* Sizes 100..1100, sampled: for each routine and type, on every kind of device, each combination of letters meets one of the
 * shapes below, on the host two (not in full: every third one meets one); other types meet others. Only the residual is
 * computed, in m n operations. Most shapes are long in one direction, which finds the edges of blocks as well as square ones
 * do, and a hundred times cheaper; each routine and type (not in full: two types) solves a large square problem too, and each
 * routine one of order 1100 in one type. What else makes a case is drawn (sweep.h). */
#include "sweep.h"

static const struct {
    int64_t m, n, k;
} shapes[] = {{100, 100, 100}, {129, 128, 127}, {200, 131, 67}, {67, 257, 129}, {257, 40, 300}, {511, 3, 65},  {3, 513, 33}, {300, 310, 5},
              {640, 17, 17},   {17, 777, 5},    {901, 1, 9},    {1, 1023, 31},  {1025, 35, 2},  {33, 1100, 16}, {384, 12, 1000}},
  squares[] = {{520, 512, 500}, {1100, 1031, 1009}};

static void some_shapes(sweep *s, bench_case *c, unsigned combination, bench_interface by)
{
    unsigned many = in_full() ? strcmp(s->devices, "host") ? 1 : 2 : (combination + (unsigned)s->type) % 3 == 0;
    for (unsigned i = 0; i < many; i++) {
        unsigned at = (2 * combination + i + 4 * (unsigned)s->type) % COUNT(shapes);
        s->turn++;
        c->m = shapes[at].m;
        c->n = shapes[at].n;
        c->k = shapes[at].k;
        sweep_case(s, c, by);
    }
}

/* The square problems, with the combination of letters that the type and the square draw; of each routine one type has the
 * larger too */
static void large_squares(sweep *s, bool larger)
{
    for (unsigned i = 0; i < (larger ? 2 : 1); i++) {
        bench_case c = {.type = s->type, .m = squares[i].m, .n = squares[i].n, .k = squares[i].k};
        bench_interface by = sweep_pick(++s->turn, 4, 2) ? BENCH_TYPED : BENCH_VIEWS;
        sweep_first_flags(s, by, &c);
        for (unsigned skip = sweep_pick(s->turn, 7, 24); skip > 0; skip--)
            sweep_next_flags(s, by, &c);
        sweep_case(s, &c, by);
    }
}

static void sweep_all(tsl_context *ctx, const char *devices)
{
    const bench_routine *r;
    for (int i = 0; (r = bench_routine_at(i)); i++)
        for (int t = TSL_S; t <= TSL_Z && r->reference; t++) {
            sweep s = {.ctx = ctx, .devices = devices, .r = r, .type = (tsl_type)t,
                       .turn = (unsigned)(i * 4 + t) << 12};
            for (int by = BENCH_TYPED; by <= BENCH_VIEWS; by++) {
                bench_case c = {.type = s.type};
                unsigned combination = 0;
                sweep_first_flags(&s, (bench_interface)by, &c);
                do
                    some_shapes(&s, &c, combination++, (bench_interface)by);
                while (sweep_next_flags(&s, (bench_interface)by, &c));
            }
            if (in_full() || (i + t) % 2 == 0) large_squares(&s, i % 4 == t);
            sweep_report(&s, "");
        }
}

int main(void)
{
    sweep_on("host", sweep_all);
    sweep_on("host:3,mem=1G", sweep_all);
    sweep_on("cuda", sweep_all);
    return tap_done();
}
