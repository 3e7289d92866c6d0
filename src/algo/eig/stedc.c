/* Eigenpairs of a tridiagonal matrix where the device has no leaf for them, and eigenvectors times a matrix. */
#include "algo/algo.h"

tsl_status tsl_wholly_by_host(tsl_context *x, const tsl_call *c)
{
    tsl_by_host(x, c);
    return TSL_OK;
}

tsl_status tsl_steqr_product(tsl_context *x, const tsl_call *c)
{
    tsl_view Z = c->v[0], Q = tsl_temp(x, Z, tsl_rows(Z), tsl_cols(Z)), W = tsl_temp(x, Z, tsl_rows(Z), tsl_cols(Z));
    /* T = Q L Q^T, d := L */ tsl_stedc(x, c->v[1], c->v[2], 0, Q, NULL);
    /* W := Z Q */            tsl_gemm(x, 1, Z, Q, 0, W);
    /* Z := W */              tsl_copy(x, W, Z);
    return TSL_OK;
}
