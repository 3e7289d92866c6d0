/* What Cholesky's factor A = L L^H is for: the inverse, and solutions of A X = B. */
#include "algo/algo.h"

/* inv(A) = inv(L)^H inv(L) */
tsl_status tsl_potri_parts(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0];
    if (!tsl_invertible(x, A)) return TSL_OK;
    /* A := inv(L) */                       tsl_inverse(x, A);
    /* A := inv(L)^H inv(L) */              tsl_lauum(x, A);
    return TSL_OK;
}

tsl_status tsl_potrs_parts(tsl_context *x, const tsl_call *c)
{
    tsl_view L = tsl_as_lower(c->v[0]), B = c->v[1];
    /* B := inv(L) B */                     tsl_trsm(x, TSL_LEFT, 1, L, B);
    /* B := inv(L)^H B */                   tsl_trsm(x, TSL_LEFT, 1, tsl_herm(L), B);
    return TSL_OK;
}

/* B is touched only if A is positive definite. */
tsl_status tsl_posv_parts(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0], B = c->v[1];
    /* A := L, A = L L^H */                 tsl_potrf(x, A, NULL);
    if (!tsl_good_so_far(x)) return TSL_OK;
    /* B := inv(A) B */                     tsl_potrs(x, A, B);
    return TSL_OK;
}
