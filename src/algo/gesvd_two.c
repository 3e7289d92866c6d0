/* Singular values and vectors by bidiagonal form in two stages: A = Q1 B P1^H to a band, B = Q2 C P2^H to bidiagonal form, C = U S V^T. */
#include "algo/algo.h"
#include "core/values.h"

/* Reflectors of the second stage, and their factors */
typedef struct sweeps {
    tsl_view V, tau;
} sweeps;

static sweeps room_for(tsl_context *x, tsl_view A, int64_t n, int64_t kd)
{
    return (sweeps){tsl_temp(x, A, n, n), tsl_temp(x, A, tsl_max(1, tsl_pieces(n - 1, kd)), n)};
}

/* Of a square R, as it is stored, with elements about 1 at most */
static void by_stages(tsl_context *x, const tsl_call *c, tsl_view R, tsl_view s, tsl_view U, tsl_view VT)
{
    int64_t n = tsl_rows(R), kd = tsl_band_width(x, n);
    bool left_there = tsl_is_there(U), right_there = tsl_is_there(VT);
    (void)c;
    tsl_view AB = tsl_temp(x, R, kd + 1, n), tauq = tsl_temp(x, R, n, 1), taup = tsl_temp(x, R, n, 1), e = tsl_temp_of(x, R, TSL_OF_REAL, n, 1, 0, 0), none = tsl_sub(R, 0, 0, 0, 0);
    sweeps left = {none, none}, right = {none, none};
    if (left_there || right_there) left = room_for(x, R, n, kd), right = room_for(x, R, n, kd);
    if (!AB.mat || !tauq.mat || !taup.mat || !e.mat || !left.V.mat || !left.tau.mat || !right.V.mat || !right.tau.mat) return; /* there was no memory, and x knows */
    e = tsl_sub(e, 0, 0, n - 1, 1);
    /* R = Q1 B P1^H */      tsl_ge2gb(x, R, AB, tauq, taup);
    /* B = Q2 C P2^H */      tsl_execute(x, &(tsl_call){.op = TSL_OP_GB2BD, .v = {AB, s, e, left.V, left.tau, right.V, right.tau}});
    tsl_view W = right_there ? tsl_temp(x, R, n, n) : none, V = right_there ? tsl_temp(x, R, n, n) : none, L = left_there ? tsl_temp(x, R, n, n) : none;
    if (!W.mat || !V.mat || !L.mat) return;
    /* C = L S W */          tsl_execute(x, &(tsl_call){.op = TSL_OP_BDSDC, .uplo = TSL_UPPER, .v = {L, s, e, W}});
    if (left_there) {
        /* L := Q2 L */      tsl_execute(x, &(tsl_call){.op = TSL_OP_ORMTR_SB2ST, .k = kd, .v = {left.V, left.tau, L}});
        /* L := Q1 L */      tsl_execute(x, &(tsl_call){.op = TSL_OP_ORMQR, .v = {R, tauq, L}});
        /* U := L */         tsl_copy(x, L, U);
    }
    if (right_there) {
        int64_t less = n - kd;
        /* V := W^T */       tsl_copy(x, tsl_trans(W), V);
        /* V := P2 V */      tsl_execute(x, &(tsl_call){.op = TSL_OP_ORMTR_SB2ST, .k = kd, .v = {right.V, right.tau, V}});
        /* V := P1 V, of rows from kd on */
        if (less > 0) tsl_execute(x, &(tsl_call){.op = TSL_OP_ORMQR, .v = {tsl_herm(tsl_sub(R, 0, kd, less, less)), tsl_sub(taup, 0, 0, less, 1), tsl_sub(V, kd, 0, less, n)}});
        /* VT := V^H */      tsl_copy(x, tsl_herm(V), VT);
    }
}

tsl_status tsl_gesvd_two(tsl_context *x, const tsl_call *c) { return tsl_gesvd_by(x, c, &(tsl_svd_method){by_stages, true}); }
