/* QR with column pivoting, A P = Q R, as LAPACK's: columns that are fixed come first, and their QR without pivoting; then the
 * longest of the others, step by step: of a small matrix all steps at once, of a large one by panels, after each of which what
 * is right of it is changed. */
#include "algo/qr/qrp.h"
#include "core/values.h"

/* Columns 0..f: A1 = Q1 R1, A2 := Q1^H A2 */
static void factor_fixed(tsl_context *x, tsl_view A, tsl_view tau, int64_t f)
{
    tsl_strips C = tsl_block_cols(A, 0, f);
    int64_t steps = tsl_min(f, tsl_rows(A));
    tsl_view tau1 = tsl_sub(tau, 0, 0, steps, 1);
    /* A1 := Q1 R1 */           tsl_geqrf(x, C.A1, tau1);
    /* A2 := Q1^H A2 */         tsl_ormqr(x, TSL_LEFT, TSL_HERM, tsl_sub(C.A1, 0, 0, tsl_rows(A), steps), tau1, C.A2);
}

/* The rows above, and P, in the order q that a part from column k on has found */
static void reorder(tsl_context *x, const tsl_call *c, int64_t k, int64_t above, tsl_view q)
{
    int64_t left = tsl_cols(c->v[0]) - k;
    tsl_permute_columns(x, tsl_sub(c->v[0], 0, k, above, left), q, false);
    tsl_permute_columns(x, tsl_trans(tsl_sub(c->v[1], k, 0, left, 1)), q, false);
}

/* From column k and row i on */
static void by_panels(tsl_context *x, const tsl_call *c, int64_t k, int64_t i, tsl_view q)
{
    tsl_view A = c->v[0];
    int64_t m = tsl_rows(A), n = tsl_cols(A), left = tsl_min(m - i, n - k);
    int64_t most = tsl_leaf_order(x, &(tsl_call){.op = TSL_OP_LAQPS, .k = left, .v = {A, q, c->v[2]}}), nb = tsl_min(left, tsl_min(most, tsl_panel(x, c))), b;
    tsl_view F = tsl_temp(x, A, n, nb);
    for (; i < m && k < n; k += b, i += b) {
        b = tsl_min(nb, tsl_min(m - i, n - k));
        tsl_view R = tsl_sub(A, i, k, m - i, n - k), q1 = tsl_sub(q, 0, 0, n - k, 1), F1 = tsl_sub(F, 0, 0, n - k, b);
        /* [R, F] := its panel */ tsl_laqps(x, b, R, q1, tsl_sub(c->v[2], i, 0, b, 1), F1);
        reorder(x, c, k, i, q1);
        tsl_part2 P = tsl_partition2(R, b, b);
        /* R22 := R22 - V F2^H */ tsl_gemm(x, -1, P.BL, tsl_herm(tsl_sub(F1, b, 0, n - k - b, b)), 1, P.BR);
    }
}

static void factor(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0], p = c->v[1], tau = c->v[2];
    int64_t m = tsl_rows(A), n = tsl_cols(A);
    tsl_view q = tsl_temp_of(x, A, TSL_PER_COLUMN, TSL_OF_INDEX, n, 1),
             count = tsl_temp_of(x, A, TSL_IN_ONE, TSL_OF_INDEX, 1, 1),
             room = tsl_temp_of(x, A, TSL_PER_COLUMN, TSL_OF_TYPE, tsl_min(m, n), 1);
    /* p := fixed ones first */ tsl_fixed(x, p, count);
    int64_t f = (int64_t)tsl_read_one(x, count, (double)(tsl_min(m, n) / 2)), above = tsl_min(f, m);
    if (f > 0) {
        /* A := A P */          tsl_permute_columns(x, A, p, false);
        factor_fixed(x, A, tau, f);
    }
    if (tsl_is_dry(x)) f = above = 0;
    if (above == m || f == n) return;
    tsl_view R = tsl_sub(A, above, f, m - above, n - f), q2 = tsl_sub(q, 0, 0, n - f, 1), tau2 = tsl_sub(room, 0, 0, tsl_min(m - above, n - f), 1);
    tsl_call whole = {.op = TSL_OP_LAQP2, .k = tsl_rows(tau2), .v = {R, q2, tau2}};
    if (tsl_leaf_order(x, &whole) < tsl_rows(R)) {
        by_panels(x, c, f, above, q);
        return;
    }
    /* R P2 := Q2 R2 */         tsl_execute(x, &whole);
    tsl_copy(x, tau2, tsl_sub(tau, above, 0, tsl_rows(tau2), 1));
    reorder(x, c, f, above, q2);
}

tsl_status tsl_geqp3_panels(tsl_context *x, const tsl_call *c)
{
    int at = tsl_moderate(x, c->v[0]);
    factor(x, c);
    tsl_moderate_back(x, at, c->v[0], tsl_min(tsl_rows(c->v[0]), tsl_cols(c->v[0])));
    return TSL_OK;
}
