/* The routines through the view interface. */
#include "bench/bench.h"

/* A factor as it is seen, and the operand that is written. */
static tsl_view in(const bench_problem *p, int operand) { return bench_view(p, operand, bench_trans(&p->c, operand)); }
static tsl_view out(const bench_problem *p) { return bench_view(p, p->count - 1, 'N'); }

static tsl_side side(const bench_problem *p) { return p->c.flag[BENCH_SIDE] == 'L' ? TSL_LEFT : TSL_RIGHT; }

tsl_status bench_views_gemm(bench_problem *p) { return tsl_gemm(p->ctx, p->c.alpha, in(p, 0), in(p, 1), p->c.beta, out(p)); }

tsl_status bench_views_gemmt(bench_problem *p) { return tsl_gemmt(p->ctx, p->c.alpha, in(p, 0), in(p, 1), p->c.beta, out(p)); }

tsl_status bench_views_symm(bench_problem *p)
{
    return tsl_symm(p->ctx, side(p), p->c.alpha, in(p, 0), in(p, 1), p->c.beta, out(p));
}

tsl_status bench_views_hemm(bench_problem *p)
{
    return tsl_hemm(p->ctx, side(p), p->c.alpha, in(p, 0), in(p, 1), p->c.beta, out(p));
}

tsl_status bench_views_syrk(bench_problem *p) { return tsl_syrk(p->ctx, p->c.alpha, in(p, 0), p->c.beta, out(p)); }

tsl_status bench_views_herk(bench_problem *p)
{
    return tsl_herk(p->ctx, creal(p->c.alpha), in(p, 0), creal(p->c.beta), out(p));
}

tsl_status bench_views_syr2k(bench_problem *p) { return tsl_syr2k(p->ctx, p->c.alpha, in(p, 0), in(p, 1), p->c.beta, out(p)); }

tsl_status bench_views_her2k(bench_problem *p)
{
    return tsl_her2k(p->ctx, p->c.alpha, in(p, 0), in(p, 1), creal(p->c.beta), out(p));
}

tsl_status bench_views_trmm(bench_problem *p) { return tsl_trmm(p->ctx, side(p), p->c.alpha, in(p, 0), out(p)); }

tsl_status bench_views_trsm(bench_problem *p) { return tsl_trsm(p->ctx, side(p), p->c.alpha, in(p, 0), out(p)); }

tsl_status bench_views_potrf(bench_problem *p) { return tsl_potrf(p->ctx, out(p), NULL); }
tsl_status bench_views_trtri(bench_problem *p) { return tsl_trtri(p->ctx, out(p), NULL); }
tsl_status bench_views_lauum(bench_problem *p) { return tsl_lauum(p->ctx, out(p)); }
tsl_status bench_views_potri(bench_problem *p) { return tsl_potri(p->ctx, out(p), NULL); }
tsl_status bench_views_potrs(bench_problem *p) { return tsl_potrs(p->ctx, in(p, 0), out(p)); }
tsl_status bench_views_posv(bench_problem *p) { return tsl_posv(p->ctx, in(p, 0), out(p), NULL); }

/* The pivots stand where the routine's shape has them. */
static tsl_view pivots(const bench_problem *p) { return bench_view(p, p->count - 2, 'N'); }

tsl_status bench_views_getrf(bench_problem *p) { return tsl_getrf(p->ctx, out(p), pivots(p), NULL); }
tsl_status bench_views_getrs(bench_problem *p) { return tsl_getrs(p->ctx, in(p, 0), pivots(p), out(p)); }
tsl_status bench_views_gesv(bench_problem *p) { return tsl_gesv(p->ctx, bench_view(p, 0, 'N'), pivots(p), out(p), NULL); }
tsl_status bench_views_getri(bench_problem *p) { return tsl_getri(p->ctx, out(p), pivots(p), NULL); }
tsl_status bench_views_laswp(bench_problem *p) { return tsl_laswp(p->ctx, out(p), pivots(p), 0); }
