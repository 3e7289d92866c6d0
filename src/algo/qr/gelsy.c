/* Least squares of any rank: of the X with least |A X - B| that of least |X|. By QR with column pivoting of A, A P = Q [R11
 * R12; 0 0] up to what counts as zero, and LQ of the rows that are left, [R11 R12] = [L 0] Z; or by singular values. */
#include <float.h>
#include <math.h>

#include "algo/qr/qrp.h"
#include "core/values.h"

/* What is not a number is in all of X */
static tsl_status spoilt(tsl_context *x, tsl_view B)
{
    tsl_scale(x, NAN, B);
    return TSL_OK;
}

static bool is_finite(tsl_context *x, tsl_view A)
{
    return tsl_rows(A) == 0 || tsl_cols(A) == 0 || isfinite(tsl_largest(x, TSL_TRIANGULAR, A));
}

/* Q^H B, its first rows over the triangle, and Z^H of that: X, in the order of P's columns. A keeps the triangle: R, or L^H
 * where the rank is less than n. Where A lies in several pieces all d rows of R go along, those after the rank as zeros: then
 * what is sent, and the memory for it, does not depend on the rank. */
static void solve(tsl_context *x, tsl_view A, tsl_view tau, tsl_view B, int64_t rank, bool apart)
{
    int64_t n = tsl_cols(A), m = tsl_rows(A), d = tsl_rows(tau), k = tsl_cols(B);
    int64_t e = apart ? d : rank;
    tsl_view R = tsl_sub(A, 0, 0, e, e), X = tsl_sub(B, 0, 0, n, k), X1 = tsl_sub(B, 0, 0, e, k);
    /* B := Q^H B */            tsl_ormqr(x, TSL_LEFT, TSL_HERM, tsl_sub(A, 0, 0, m, d), tau, tsl_sub(B, 0, 0, m, k));
    if (rank == n) {
        /* X := inv(R) B1 */    tsl_trsm(x, TSL_LEFT, 1, tsl_upper(R), X1);
        return;
    }
    /* X2 := 0 */               tsl_scale(x, 0, tsl_sub(X, rank, 0, n - rank, k));
    if (e == 0) return;
    tsl_view F = tsl_temp_of(x, A, TSL_IN_PANELS, TSL_OF_TYPE, n, e), f = tsl_temp_of(x, A, TSL_PER_COLUMN, TSL_OF_TYPE, e, 1);
    tsl_view F1 = tsl_sub(F, 0, 0, e, e), none = tsl_sub(F1, rank, rank, e - rank, e - rank);
    /* F := [R11 R12]^H */      tsl_copy(x, tsl_herm(tsl_sub(A, 0, 0, e, n)), F);
                                tsl_expand(x, TSL_TRIANGULAR, tsl_lower(F1), F1);
                                tsl_scale(x, 0, tsl_sub(F, 0, rank, n, e - rank));
    /* F := Q2 L^H */           tsl_geqrf(x, F, f);
    /* L := [L 0; 0 I] */       tsl_expand(x, TSL_TRIANGULAR, tsl_unit(tsl_lower(none)), none);
    /* X1 := inv(L) B1 */       tsl_trsm(x, TSL_LEFT, 1, tsl_herm(tsl_upper(F1)), X1);
    /* R := L^H */              tsl_copy(x, tsl_upper(F1), tsl_upper(R));
    /* X := Q2 X */             tsl_ormqr(x, TSL_LEFT, TSL_NOTRANS, F, f, X);
}

/* X := P X, some columns at a time where it lies in several pieces */
static void back_in_place(tsl_context *x, const tsl_call *c, tsl_view X, tsl_view p, bool apart)
{
    int64_t all = tsl_cols(X), nb = apart ? tsl_panel(x, c) : tsl_max(1, all);
    for (int64_t k = 0; k < all; k += nb) tsl_permute_columns(x, tsl_trans(tsl_block_cols(X, k, nb).A1), p, true);
}

tsl_status tsl_gelsy_parts(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0], p = c->v[1], B = c->v[2], r = tsl_temp_of(x, A, TSL_IN_ONE, TSL_OF_INDEX, 1, 1);
    int64_t m = tsl_rows(A), n = tsl_cols(A), d = tsl_min(m, n);
    bool apart = tsl_is_apart(A) || tsl_is_apart(B); /* asks: then what is sent must not depend on the rank */
    if (!is_finite(x, A) || !is_finite(x, tsl_sub(B, 0, 0, m, tsl_cols(B)))) {
        tsl_in_order(x, p, c->v[3]);
        return spoilt(x, B);
    }
    double a = tsl_bring_into_range(x, A);
    tsl_view tau = tsl_temp_of(x, A, TSL_PER_COLUMN, TSL_OF_TYPE, tsl_max(1, d), 1);
    if (a == 0 || d == 0) {
        tsl_in_order(x, p, c->v[3]);
        return tsl_scale(x, 0, B);
    }
    double b = tsl_bring_into_range(x, tsl_sub(B, 0, 0, m, tsl_cols(B)));
    /* A P := Q R */            tsl_geqp3(x, A, p, tau);
    /* r := the rank of R */    tsl_rank_of(x, tsl_sub(A, 0, 0, d, n), r, c->rank.tolerance, false);
    int64_t k = (int64_t)tsl_read_one(x, r, (double)tsl_min(d, n - 1)); /* what takes the most workspace */
    tsl_copy(x, r, c->v[3]);
    if (tsl_is_dry(x) && d == n) solve(x, A, tau, B, n, apart);
    solve(x, A, tau, B, k, apart);
    /* the triangle as A was */ tsl_scale(x, 1 / a, tsl_upper(tsl_sub(A, 0, 0, k, k)));
    tsl_view X = tsl_sub(B, 0, 0, n, tsl_cols(B));
    /* X := P X */              back_in_place(x, c, X, p, apart);
    /* (a A) X = b B */         tsl_scale(x, b ? a / b : 1, X);
    return TSL_OK;
}

/* By singular values: B1 := V diag(1/s) U^H B1, of an F that may be overwritten */
static void by_values(tsl_context *x, const tsl_call *c, tsl_view F, double accuracy)
{
    int64_t m = tsl_rows(F), n = tsl_cols(F), d = tsl_min(m, n), k = tsl_cols(c->v[2]);
    tsl_view U = tsl_temp_of(x, F, TSL_IN_PANELS, TSL_OF_TYPE, m, d), VT = tsl_temp_of(x, F, TSL_IN_PANELS, TSL_OF_TYPE, d, n);
    tsl_view Y = tsl_temp_of(x, F, TSL_IN_PANELS, TSL_OF_TYPE, d, k), B = c->v[2];
    /* F = U S V^H */           tsl_gesvd(x, F, TSL_SVD_AUTO, c->v[1], U, VT, NULL);
    /* Y := U^H B */            tsl_gemm(x, 1, tsl_herm(U), tsl_sub(B, 0, 0, m, k), 0, Y);
    /* Y := inv(S) Y */         tsl_lsdiv(x, accuracy, Y, c->v[1], c->v[3]);
    /* X := V Y */              tsl_gemm(x, 1, tsl_herm(VT), Y, 0, tsl_sub(B, 0, 0, n, k));
}

static double accuracy_of(const tsl_call *c)
{
    bool single = tsl_type_size(tsl_real_type(tsl_matrix_type(c->v[0].mat))) == sizeof(float);
    return c->rank.tolerance >= 0 ? c->rank.tolerance : single ? (double)FLT_EPSILON / 2 : DBL_EPSILON / 2;
}

/* A, or of a tall one R, with B := Q^H B */
static tsl_view square(tsl_context *x, tsl_view A, tsl_view B)
{
    int64_t n = tsl_cols(A);
    if (tsl_rows(A) <= n) return A;
    tsl_view tau = tsl_temp_of(x, A, TSL_PER_COLUMN, TSL_OF_TYPE, n, 1);
    tsl_view R = tsl_temp_of(x, A, TSL_IN_PANELS, TSL_OF_TYPE, n, n);
    /* A := Q R */              tsl_geqrf(x, A, tau);
    /* B := Q^H B */            tsl_ormqr(x, TSL_LEFT, TSL_HERM, A, tau, B);
    tsl_expand(x, TSL_TRIANGULAR, tsl_upper(tsl_sub(A, 0, 0, n, n)), R);
    return R;
}

tsl_status tsl_gelsd_parts(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0], s = c->v[1], B = c->v[2], r = c->v[3];
    int64_t m = tsl_rows(A), n = tsl_cols(A), d = tsl_min(m, n), k = tsl_cols(B);
    double a = is_finite(x, A) ? tsl_bring_into_range(x, A) : 1, b = 0;
    if (is_finite(x, tsl_sub(B, 0, 0, m, k))) b = tsl_bring_into_range(x, tsl_sub(B, 0, 0, m, k));
    else tsl_scale(x, NAN, A); /* an outcome as of gesvd */
    if (a == 0 || d == 0) {
        tsl_scale(x, 0, s);
        tsl_scale(x, 0, B);
        /* r := 0, B's rank */  tsl_rank_of(x, B, r, 0, true);
        return TSL_OK;
    }
    by_values(x, c, square(x, A, tsl_sub(B, 0, 0, m, k)), accuracy_of(c));
    /* s as A was */            tsl_scale(x, 1 / a, s);
    /* (a A) X = b B */         tsl_scale(x, b ? a / b : 1, tsl_sub(B, 0, 0, n, k));
    return TSL_OK;
}

/* Of a batch, whose scales are not looked at */
tsl_status tsl_gelsd_batch(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0], B = tsl_sub(c->v[2], 0, 0, tsl_rows(A), tsl_cols(c->v[2]));
    tsl_view Z = tsl_temp(x, A, tsl_cols(B), tsl_cols(A));
    tsl_scale(x, 0, Z);
    /* A := A + B 0, NaN where B is not finite */ tsl_gemm(x, 1, B, Z, 1, A);
    by_values(x, c, square(x, A, B), accuracy_of(c));
    return TSL_OK;
}
