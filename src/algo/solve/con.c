/* Reciprocal conditions from factors: 1 / (|A| |inv(A)|), the norm of the inverse by an estimate, a few solves with a vector
 * each. */
#include <math.h>

#include "algo/lu/lu.h"

/* Of inv(U) inv(L): exchanges of columns change no sums. In the norm inf, that of its adjoint in the norm one */
static void by_lu(tsl_context *x, const tsl_operator *o, tsl_view V, bool adjoint)
{
    tsl_view L = tsl_unit_lower(o->A), U = tsl_upper(o->A);
    bool turned = adjoint != (((const tsl_call *)o->with)->norm.kind == TSL_NORM_INF);
    /* V := inv(L) V */     tsl_trsm(x, TSL_LEFT, 1, turned ? tsl_herm(U) : L, V);
    /* V := inv(U) V */     tsl_trsm(x, TSL_LEFT, 1, turned ? tsl_herm(L) : U, V);
}

static void by_cholesky(tsl_context *x, const tsl_operator *o, tsl_view V, bool adjoint)
{
    tsl_view L = tsl_as_lower(o->A);
    (void)adjoint;
    /* V := inv(L) V */     tsl_trsm(x, TSL_LEFT, 1, L, V);
    /* V := inv(L^H) V */   tsl_trsm(x, TSL_LEFT, 1, tsl_herm(L), V);
}

static void by_triangle(tsl_context *x, const tsl_operator *o, tsl_view V, bool adjoint)
{
    bool turned = adjoint != (((const tsl_call *)o->with)->norm.kind == TSL_NORM_INF);
    /* V := inv(A) V */     tsl_trsm(x, TSL_LEFT, 1, turned ? tsl_herm(o->A) : o->A, V);
}

/* Of a complex symmetric matrix the adjoint is the conjugate, whose sums are the same. */
static void by_ldl(tsl_context *x, const tsl_operator *o, tsl_view V, bool adjoint)
{
    (void)adjoint;
    /* V := inv(A) V */     tsl_sytrs_of(x, ((const tsl_call *)o->with)->herm, o->A, o->B, V);
}

/* What divides by zero, or overflows, has no condition: unless that was NaN before. */
static tsl_status condition(tsl_context *x, const tsl_call *c, const tsl_operator *o, double anorm)
{
    tsl_view V = tsl_temp(x, c->v[0], tsl_rows(c->v[0]), 1);
    double inverse = 0, rcond = 0;
    tsl_estimate(x, o, V, &inverse);
    if (!isfinite(inverse) && !isfinite(tsl_largest(x, TSL_TRIANGULAR, c->v[0]))) rcond = NAN;
    else if (isnan(anorm)) rcond = anorm;
    else if (isfinite(inverse) && isfinite(anorm) && inverse > 0 && anorm > 0) rcond = 1 / inverse / anorm;
    tsl_leave_number(x, &rcond, sizeof rcond);
    return TSL_OK;
}

tsl_status tsl_gecon_estimate(tsl_context *x, const tsl_call *c)
{
    return condition(x, c, &(tsl_operator){.apply = by_lu, .with = c, .A = c->v[0]}, c->norm.anorm);
}

tsl_status tsl_pocon_estimate(tsl_context *x, const tsl_call *c)
{
    return condition(x, c, &(tsl_operator){.apply = by_cholesky, .with = c, .A = c->v[0]}, c->norm.anorm);
}

tsl_status tsl_sycon_estimate(tsl_context *x, const tsl_call *c)
{
    return condition(x, c, &(tsl_operator){.apply = by_ldl, .with = c, .A = c->v[0], .B = c->v[1]}, c->norm.anorm);
}

tsl_status tsl_trcon_estimate(tsl_context *x, const tsl_call *c)
{
    double anorm = 1;
    /* |A| */               tsl_norm(x, c->norm.kind, TSL_TRIANGULAR, c->v[0], &anorm);
    return condition(x, c, &(tsl_operator){.apply = by_triangle, .with = c, .A = c->v[0]}, anorm);
}
