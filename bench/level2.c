/* Level 2 is level 3 with one column, or with an inner dimension of one: so are its residuals and references. */
#include "bench/bench.h"

/* y := alpha op(A) x + beta y. BLAS leaves y alone where there is no matrix. */
static bench_problem as_gemm(const bench_problem *p)
{
    bench_problem q = *p;
    q.c.m = p->a[2].is.rows;
    q.c.k = p->a[1].is.rows;
    q.c.n = 1;
    q.c.flag[BENCH_TRANSB] = 'N';
    if (!p->c.m || !p->c.n)
        q.c.beta = 1;
    return q;
}

/* y := alpha H x + beta y */
static bench_problem as_symm(const bench_problem *p)
{
    bench_problem q = *p;
    q.c.m = p->c.n;
    q.c.n = 1;
    q.c.flag[BENCH_SIDE] = 'L';
    return q;
}

/* A := alpha x y^T + A */
static bench_problem as_outer(const bench_problem *p)
{
    bench_problem q = *p;
    q.c.k = 1;
    q.c.beta = 1;
    q.c.flag[BENCH_TRANS] = 'N';
    q.c.flag[BENCH_TRANSB] = 'T';
    return q;
}

/* x := inv(op(A)) x */
static bench_problem as_trsm(const bench_problem *p)
{
    bench_problem q = as_symm(p);
    q.c.alpha = 1;
    return q;
}

typedef bench_problem (*likeness)(const bench_problem *);

static double residual(const bench_problem *p, likeness as, double (*of)(const bench_problem *))
{
    bench_problem q = as(p);
    return of(&q);
}

static double reference(const bench_problem *p, tsl_scalar *out, likeness as, double (*of)(const bench_problem *, tsl_scalar *))
{
    bench_problem q = as(p);
    return of(&q, out);
}

double bench_residual_gemv(const bench_problem *p) { return residual(p, as_gemm, bench_residual_gemm); }
double bench_residual_symv(const bench_problem *p) { return residual(p, as_symm, bench_residual_symm); }
double bench_residual_hemv(const bench_problem *p) { return residual(p, as_symm, bench_residual_hemm); }
double bench_residual_ger(const bench_problem *p) { return residual(p, as_outer, bench_residual_gemm); }
double bench_residual_trsv(const bench_problem *p) { return residual(p, as_trsm, bench_residual_trsm); }

double bench_reference_gemv(const bench_problem *p, tsl_scalar *out)
{
    return reference(p, out, as_gemm, bench_reference_gemm);
}

double bench_reference_symv(const bench_problem *p, tsl_scalar *out)
{
    return reference(p, out, as_symm, bench_reference_symm);
}

double bench_reference_hemv(const bench_problem *p, tsl_scalar *out)
{
    return reference(p, out, as_symm, bench_reference_hemm);
}

double bench_reference_ger(const bench_problem *p, tsl_scalar *out)
{
    return reference(p, out, as_outer, bench_reference_gemm);
}

double bench_reference_trsv(const bench_problem *p, tsl_scalar *out)
{
    return reference(p, out, as_trsm, bench_reference_trsm);
}

tsl_status bench_views_gemv(bench_problem *p)
{
    if (!p->c.m || !p->c.n)
        return TSL_OK; /* the formula would have y := beta y */
    tsl_view A = bench_view(p, 0, p->c.flag[BENCH_TRANS]);
    return tsl_gemv(p->ctx, p->c.alpha, A, bench_view(p, 1, 'N'), p->c.beta, bench_view(p, 2, 'N'));
}

tsl_status bench_views_symv(bench_problem *p)
{
    return tsl_symv(p->ctx, p->c.alpha, bench_view(p, 0, 'N'), bench_view(p, 1, 'N'), p->c.beta, bench_view(p, 2, 'N'));
}

tsl_status bench_views_hemv(bench_problem *p)
{
    return tsl_hemv(p->ctx, p->c.alpha, bench_view(p, 0, 'N'), bench_view(p, 1, 'N'), p->c.beta, bench_view(p, 2, 'N'));
}

tsl_status bench_views_ger(bench_problem *p)
{
    return tsl_ger(p->ctx, p->c.alpha, bench_view(p, 0, 'N'), bench_view(p, 1, 'N'), bench_view(p, 2, 'N'));
}

tsl_status bench_views_trsv(bench_problem *p)
{
    return tsl_trsv(p->ctx, bench_view(p, 0, p->c.flag[BENCH_TRANS]), bench_view(p, 1, 'N'));
}
