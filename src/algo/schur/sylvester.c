/* A X + X B = s C by Schur forms: A = U S U^H and B = V T V^H, so S Y + Y T = s U^H C V with Y = U^H X V. */
#include <math.h>

#include "algo/algo.h"
#include "core/values.h"

/* A := its Schur form, U := the vectors; false: there is none, and the info, counted from `base` on, says why */
static bool to_schur(tsl_context *x, tsl_view A, tsl_view U, int64_t base)
{
    int64_t n = tsl_rows(A);
    bool real = !tsl_is_complex(tsl_matrix_type(A.mat));
    tsl_view w = tsl_temp(x, A, n, 1), wi = tsl_temp(x, A, real ? n : 0, 1);
    if (!n) return true;
    tsl_gees_unsorted(x, A, w, wi, U);
    if (tsl_good_so_far(x)) return true;
    tsl_count_from(x, A, base);
    return false;
}

/* C := U (the solution with S, T and U^H C V) V^H; W is as large as C */
static void solve(tsl_context *x, tsl_view S, tsl_view U, tsl_view T, tsl_view V, tsl_view C, tsl_view W, tsl_view s)
{
    /* W := U^H C */              tsl_gemm(x, 1, tsl_herm(U), C, 0, W);
    /* C := W V */                tsl_gemm(x, 1, W, V, 0, C);
    /* S Y + Y T = s C, C := Y */ tsl_trsyl(x, 1, S, T, C, s, NULL);
    /* W := U C */                tsl_gemm(x, 1, U, C, 0, W);
    /* C := W V^H */              tsl_gemm(x, 1, W, tsl_herm(V), 0, C);
}

tsl_status tsl_sylvester_schur(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0], B = c->v[1], C = c->v[2];
    int64_t m = tsl_rows(C), n = tsl_cols(C);
    tsl_view U = tsl_temp(x, A, m, m), V = tsl_temp(x, A, n, n), W = tsl_temp(x, A, m, n);
    if (to_schur(x, A, U, 1) && to_schur(x, B, V, 1 + m)) solve(x, A, U, B, V, C, W, c->v[3]);
    else tsl_scale(x, NAN, C);
    return TSL_OK;
}

tsl_status tsl_lyapunov_schur(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0], C = c->v[1];
    int64_t n = tsl_rows(A);
    tsl_view U = tsl_temp(x, A, n, n), W = tsl_temp(x, A, n, n);
    if (to_schur(x, A, U, 1)) solve(x, A, U, tsl_herm(A), U, C, W, c->v[2]);
    else tsl_scale(x, NAN, C);
    return TSL_OK;
}
