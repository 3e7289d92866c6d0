/* The routines through the view interface. */
#include "bench/bench.h"

tsl_status bench_views_gemm(bench_problem *p)
{
    tsl_view A = bench_view(p, 0, p->c.flag[BENCH_TRANS]);
    tsl_view B = bench_view(p, 1, p->c.flag[BENCH_TRANSB]);
    return tsl_gemm(p->ctx, p->c.alpha, A, B, p->c.beta, bench_view(p, 2, 'N'));
}

tsl_status bench_views_trsm(bench_problem *p)
{
    tsl_side side = p->c.flag[BENCH_SIDE] == 'L' ? TSL_LEFT : TSL_RIGHT;
    return tsl_trsm(p->ctx, side, p->c.alpha, bench_view(p, 0, p->c.flag[BENCH_TRANS]), bench_view(p, 1, 'N'));
}

tsl_status bench_views_syrk(bench_problem *p)
{
    return tsl_syrk(p->ctx, p->c.alpha, bench_view(p, 0, p->c.flag[BENCH_TRANS]), p->c.beta, bench_view(p, 1, 'N'));
}

tsl_status bench_views_herk(bench_problem *p)
{
    tsl_view A = bench_view(p, 0, p->c.flag[BENCH_TRANS]);
    return tsl_herk(p->ctx, creal(p->c.alpha), A, creal(p->c.beta), bench_view(p, 1, 'N'));
}

tsl_status bench_views_potrf(bench_problem *p) { return tsl_potrf(p->ctx, bench_view(p, 0, 'N'), NULL); }
