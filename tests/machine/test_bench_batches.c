/* The benchmark's batches: every row, type and combination of letters, as the library computes it, judged as one problem is. */
#include "sweep.h"

static void run_one(sweep *s, bench_case *c, bench_place place)
{
    bench_problem p;
    tsl_status st = bench_open(s->ctx, s->r, c, place, &p);
    if (st) {
        sweep_describe(s, c, place, BENCH_TYPED, tsl_status_name(st));
        return;
    }
    st = bench_restore(&p, place);
    if (!st) st = bench_run(&p, BENCH_TYPED);
    for (int i = 0; i < p.count && !st; i++) st = bench_fetch(&p, i);
    if (!st) st = tsl_wait(s->ctx);
    double residual = st ? INFINITY : bench_residual(&p), work = bench_flops(s->r, c), bytes = bench_bytes(s->r, c);
    if (!(residual < BENCH_OK)) sweep_describe(s, c, place, BENCH_TYPED, st ? tsl_error(s->ctx) : "wrong");
    else if (bench_trespass(&p)) sweep_describe(s, c, place, BENCH_TYPED, "it changed what it must not");
    else if (!(work > 0 && bytes > 0)) sweep_describe(s, c, place, BENCH_TYPED, "its work is not counted");
    s->worst = worse(s->worst, residual);
    s->ran++;
    bench_close(&p);
}

static void run_rows(tsl_context *ctx, const char *devices)
{
    static const int64_t shapes[][3] = {{12, 9, 5}, {9, 12, 3}, {7, 7, 7}};
    const bench_routine *r;
    int rows = 0;
    for (int i = 0; (r = bench_routine_at(i)); i++)
        for (int t = TSL_S; t <= TSL_Z && r->batch_of; t++) {
            sweep s = {.ctx = ctx, .devices = devices, .r = r, .type = (tsl_type)t};
            if (!bench_has_type(r, s.type)) continue;
            bench_case c = {.type = s.type, .count = 4, .alpha = r->alpha, .beta = r->beta};
            sweep_first_flags(&s, BENCH_TYPED, &c);
            do
                for (size_t shape = 0; shape < COUNT(shapes); shape++) {
                    c.m = shapes[shape][0], c.n = shapes[shape][1], c.k = shapes[shape][2];
                    run_one(&s, &c, shape % 2 ? BENCH_DEVICE : BENCH_HOST);
                }
            while (sweep_next_flags(&s, BENCH_TYPED, &c));
            sweep_report(&s, "");
            rows++;
        }
    ok(rows > 80, "%d batches of the benchmark on %s", rows, devices);
}

int main(void)
{
    sweep_on("host", run_rows);
    sweep_on("host:2,mem=64M", run_rows);
    sweep_on("cuda", run_rows);
    return tap_done();
}
