/* To bidiagonal form by a band (two_stages.c), A = Q C P^H, with reflectors of gebrd's own form. Q and P are written out, and
 * their reflectors are found again: Q - S = V U without pivots, S diagonal, each sign chosen such that the pivot is 1 in size
 * at least. Then Q S = H(1) H(2) .. with the columns of V for vectors, and -s u for factors (Ballard, Demmel, Grigori,
 * Jacquelin, Knight, Nguyen). The signs go to C. */
#include <math.h>

#include "algo/svd/bidiagonal.h"
#include "core/values.h"

/* Q, with orthonormal columns, := V and U; factors of the reflectors and signs. `most` columns are a leaf's. */
static void find_reflectors(tsl_context *x, tsl_view Q, tsl_view tau, tsl_view s, int64_t most)
{
    int64_t m = tsl_rows(Q), n = tsl_cols(Q), h = n <= most ? n : tsl_pieces(tsl_pieces(n, 2), most) * most;
    tsl_part2 q = tsl_partition2(Q, h, h);
    if (h == n) {
        /* [Q1, tau, s] := its V and U */   tsl_orhr(x, m - n, q.TL, tau, s);
        /* Q2 := Q2 inv(U) */               if (m > n) tsl_trsm(x, TSL_RIGHT, 1, tsl_upper(q.TL), q.BL);
        return;
    }
    find_reflectors(x, tsl_block_cols(Q, 0, h).A1, tsl_block_rows(tau, 0, h).A1, tsl_block_rows(s, 0, h).A1, most);
    /* Q01 := inv(V00) Q01 */               tsl_trsm(x, TSL_LEFT, 1, tsl_unit(tsl_lower(q.TL)), q.TR);
    /* Q11 := Q11 - V10 Q01 */              tsl_gemm(x, -1, q.BL, q.TR, 1, q.BR);
    find_reflectors(x, q.BR, tsl_block_rows(tau, h, n - h).A1, tsl_block_rows(s, h, n - h).A1, most);
}

/* Those of Q and of P, but for its first row and column, in A, C's diagonals between them */
static void put_together(tsl_context *x, tsl_view A, tsl_view Q, tsl_view P, tsl_view d, tsl_view e, tsl_view tauq, tsl_view taup)
{
    int64_t m = tsl_rows(A), n = tsl_cols(A), most = tsl_leaf_order(x, &(tsl_call){.op = TSL_OP_ORHR, .v = {Q, tauq, d}});
    tsl_view s = tsl_temp_of(x, A, TSL_IN_ONE, TSL_OF_REAL, n, 1), t = tsl_temp_of(x, A, TSL_IN_ONE, TSL_OF_REAL, n, 1);
    find_reflectors(x, Q, tauq, s, most);
    if (m > 1) tsl_copy(x, tsl_lower(tsl_sub(Q, 1, 0, m - 1, n)), tsl_lower(tsl_sub(A, 1, 0, m - 1, n)));
    tsl_laset(x, 1, 1, t), tsl_laset(x, 0, 0, taup);
    if (n > 1) find_reflectors(x, tsl_sub(P, 1, 1, n - 1, n - 1), tsl_block_rows(taup, 0, n - 1).A1, tsl_block_rows(t, 1, n - 1).A1, most);
    if (n > 2) tsl_copy(x, tsl_herm(tsl_lower(tsl_sub(P, 2, 1, n - 2, n - 2))), tsl_upper(tsl_sub(A, 0, 2, n - 2, n - 2)));
    /* C := S C T, in A too */ tsl_bdsign(x, tsl_sub(A, 0, 0, n, n), d, e, s, t);
}

static void by_band(tsl_context *x, const tsl_call *c, tsl_view A, tsl_view d, tsl_view e, tsl_view tauq, tsl_view taup)
{
    int64_t m = tsl_rows(A), n = tsl_cols(A);
    double size = tsl_largest(x, TSL_TRIANGULAR, A);
    int at = tsl_exponent_of(size);
    tsl_two_stages s;
    (void)c;
    if (!isfinite(size)) {
        tsl_view all[] = {A, d, e, tauq, taup};
        for (int i = 0; i < 5; i++) tsl_laset(x, NAN, NAN, all[i]);
        return;
    }
    tsl_scale_by(x, -at, A);
    tsl_reduce_by_band(x, A, d, e, true, &s);
    tsl_view Q = tsl_temp(x, A, m, n), P = tsl_temp(x, A, n, n);
    tsl_scale_by(x, at, d), tsl_scale_by(x, at, e);
    /* Q := Q1 Q2 */         tsl_laset(x, 0, 1, Q), tsl_times_q(x, &s, Q);
    /* P := P1 P2 */         tsl_laset(x, 0, 1, P), tsl_times_p(x, &s, P);
    put_together(x, A, Q, P, d, e, tauq, taup);
}

tsl_status tsl_gebrd_two(tsl_context *x, const tsl_call *c) { return tsl_bidiagonal_by(x, c, by_band); }
