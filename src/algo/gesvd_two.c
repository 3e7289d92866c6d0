/* Singular values and vectors by bidiagonal form in two stages: A = Q1 B P1^H to a band, B = Q2 C P2^H to bidiagonal form, C = U S V^T. */
#include <math.h>

#include "algo/algo.h"
#include "core/values.h"

static bool is_there(tsl_view v) { return tsl_rows(v) > 0 && tsl_cols(v) > 0; }

/* Reflectors of the second stage, and their factors */
typedef struct sweeps {
    tsl_view V, tau;
} sweeps;

static sweeps room_for(tsl_context *x, tsl_view A, int64_t n, int64_t kd)
{
    return (sweeps){tsl_temp(x, A, n, n), tsl_temp(x, A, tsl_max(1, tsl_pieces(n - 1, kd)), n)};
}

/* Of a square R, which is overwritten: s, and vectors U and V, either of which may be empty */
static void of_square(tsl_context *x, tsl_view R, tsl_view s, tsl_view U, tsl_view V)
{
    int64_t n = tsl_rows(R), kd = tsl_band_width(x, n);
    bool vectors = is_there(U) || is_there(V);
    tsl_view AB = tsl_temp(x, R, kd + 1, n), tauq = tsl_temp(x, R, n, 1), taup = tsl_temp(x, R, n, 1), e = tsl_temp_of(x, R, TSL_OF_REAL, n, 1, 0, 0), none = tsl_sub(R, 0, 0, 0, 0);
    sweeps left = {none, none}, right = {none, none};
    if (vectors) left = room_for(x, R, n, kd), right = room_for(x, R, n, kd);
    if (!AB.mat || !tauq.mat || !taup.mat || !e.mat || !left.V.mat || !left.tau.mat || !right.V.mat || !right.tau.mat) return; /* there was no memory, and x knows */
    e = tsl_sub(e, 0, 0, n - 1, 1);
    /* R = Q1 B P1^H */      tsl_ge2gb(x, R, AB, tauq, taup);
    /* B = Q2 C P2^H */      tsl_execute(x, &(tsl_call){.op = TSL_OP_GB2BD, .v = {AB, s, e, left.V, left.tau, right.V, right.tau}});
    tsl_view W = is_there(V) ? tsl_temp(x, R, n, n) : none;
    if (!W.mat) return;
    /* C = U S W */          tsl_execute(x, &(tsl_call){.op = TSL_OP_BDSDC, .uplo = TSL_UPPER, .v = {U, s, e, W}});
    if (is_there(U)) {
        /* U := Q2 U */      tsl_execute(x, &(tsl_call){.op = TSL_OP_ORMTR_SB2ST, .k = kd, .v = {left.V, left.tau, U}});
        /* U := Q1 U */      tsl_execute(x, &(tsl_call){.op = TSL_OP_ORMQR, .v = {R, tauq, U}});
    }
    if (is_there(V)) {
        int64_t less = n - kd;
        /* V := W^T */       tsl_copy(x, tsl_trans(W), V);
        /* V := P2 V */      tsl_execute(x, &(tsl_call){.op = TSL_OP_ORMTR_SB2ST, .k = kd, .v = {right.V, right.tau, V}});
        /* V := P1 V, of rows from kd on */
        if (less > 0) tsl_execute(x, &(tsl_call){.op = TSL_OP_ORMQR, .v = {tsl_herm(tsl_sub(R, 0, kd, less, less)), tsl_sub(taup, 0, 0, less, 1), tsl_sub(V, kd, 0, less, n)}});
    }
}

/* Of the largest element, where that is not about 1, as the second stage wants it */
static int exponent_of(double size)
{
    enum { MODERATE = 20 };
    int at = size > 0 && isfinite(size) ? ilogb(size) : 0;
    return at > MODERATE || at < -MODERATE ? at : 0;
}

/* A := A 2^by, in two steps: of a subnormal number its inverse is out of range */
static void scale_by(tsl_context *x, int by, tsl_view A)
{
    if (!by) return;
    tsl_scale(x, ldexp(1, by / 2), A);
    tsl_scale(x, ldexp(1, by - by / 2), A);
}

/* Of an A with at least as many rows as columns; V, seen as V^H */
static tsl_status upright(tsl_context *x, tsl_view A, tsl_view s, tsl_view U, tsl_view VT)
{
    int64_t m = tsl_rows(A), n = tsl_cols(A);
    if (n == 0) return tsl_append_q(x, A, A, U), TSL_OK;
    double size = tsl_largest(x, TSL_TRIANGULAR, A);
    int at = exponent_of(size);
    tsl_view R = tsl_temp(x, A, n, n), tau = tsl_temp_factors(x, A, n), V = is_there(VT) ? tsl_temp(x, A, n, n) : tsl_sub(R, 0, 0, 0, 0), L = is_there(U) ? tsl_temp(x, A, n, n) : V;
    if (!R.mat || !tau.mat || !V.mat || !L.mat) return TSL_OK; /* there was no memory, and x knows */
    if (!is_there(U)) L = tsl_sub(R, 0, 0, 0, 0);
    /* A := A / 2^at */         scale_by(x, -at, A);
    if (m > n) {
        /* A = Q R */           tsl_execute(x, &(tsl_call){.op = TSL_OP_GEQRF, .v = {A, tau}});
        tsl_expand(x, TSL_TRIANGULAR, tsl_upper(tsl_sub(A, 0, 0, n, n)), R);
    } else {
        /* R := A */            tsl_copy(x, A, R);
    }
    /* R := NaN: A has some */  if (!isfinite(size)) tsl_laset(x, NAN, NAN, R);
    /* R = L S V^H */           of_square(x, R, s, L, V);
    /* S := S 2^at */           scale_by(x, at, s);
    /* VT := V^H */             if (is_there(VT)) tsl_copy(x, tsl_herm(V), tsl_sub(VT, 0, 0, n, n));
    if (is_there(U)) {
        /* U := L */            tsl_copy(x, L, tsl_sub(U, 0, 0, n, n));
        /* U := Q U */          if (m > n) tsl_append_q(x, A, tau, U);
    }
    return TSL_OK;
}

tsl_status tsl_gesvd_two(tsl_context *x, const tsl_call *c) { return tsl_gesvd_by(x, c, upright); }
