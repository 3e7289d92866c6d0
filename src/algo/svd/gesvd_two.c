/* Singular values and vectors by bidiagonal form in two stages (two_stages.c): A = Q C P^H, C = U S V^T. */
#include "algo/svd/bidiagonal.h"
#include "core/values.h"

/* Of a square R, as it is stored, with elements about 1 at most */
static void by_stages(tsl_context *x, const tsl_call *c, tsl_view R, tsl_view s, tsl_view U, tsl_view VT)
{
    int64_t n = tsl_rows(R);
    bool left = tsl_is_there(U), right = tsl_is_there(VT);
    tsl_view e = tsl_temp_of(x, R, TSL_IN_ONE, TSL_OF_REAL, n - 1, 1), none = tsl_sub(R, 0, 0, 0, 0);
    tsl_two_stages by;
    /* R = Q C P^H */        tsl_reduce_by_band(x, R, s, e, left || right, &by);
    tsl_view W = right ? tsl_temp_of(x, R, TSL_IN_PANELS, TSL_OF_TYPE, n, n) : none,
             V = right ? tsl_temp_of(x, R, TSL_IN_PANELS, TSL_OF_TYPE, n, n) : none;
    tsl_view L = left ? tsl_temp_of(x, R, TSL_IN_PANELS, TSL_OF_TYPE, n, n) : none;
    /* C = L S W */          tsl_decompose(x, c, L, s, e, W);
    if (left) {
        /* L := Q L */       tsl_times_q(x, &by, L);
        /* U := L */         tsl_copy(x, L, U);
    }
    if (right) {
        /* V := W^T */       tsl_copy(x, tsl_trans(W), V);
        /* V := P V */       tsl_times_p(x, &by, V);
        /* VT := V^H */      tsl_copy(x, tsl_herm(V), VT);
    }
}

tsl_status tsl_gesvd_two(tsl_context *x, const tsl_call *c) { return tsl_gesvd_by(x, c, &(tsl_svd_method){by_stages, true}); }
