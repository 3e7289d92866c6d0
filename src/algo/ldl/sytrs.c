/* What the factors L D L^T, or L D L^H, are for: solutions of A X = B, and the inverse. LAPACK's L is a product of exchanges
 * and columns by turns. A copy of it in which exchanges are made in advance is a triangle: A = P L D L^T P^T. */
#include "algo/lu/lu.h"
#include "core/values.h"

/* A begins with row `first`, and pivots may name so many rows above that. */
static void exchange(tsl_context *x, tsl_view A, tsl_view q, int64_t first, int64_t above, bool backward)
{
    tsl_execute(x, &(tsl_call){.op = TSL_OP_LASWP, .lu = {.first = first, .above = above, .backward = backward}, .v = {A, q}});
}

/* Columns of L are exchanged with others of their block by the leaf; the exchanges of later blocks follow here. Upper: steps go
 * from the last column back. */
static void convert(tsl_context *x, const tsl_call *c, tsl_view F, tsl_view q, bool passing)
{
    tsl_view A = c->v[0];
    int64_t n = tsl_rows(A), nb = tsl_max(1, tsl_min(n, tsl_panel(x, c)));
    bool lower = tsl_triangle(A) == TSL_LOWER;
    /* [F, q] := L, its exchanges */ tsl_syconv(x, c->herm, passing, nb, A, c->v[1], F, q);
    for (int64_t done = nb; done < n; done += nb) {
        int64_t b = tsl_min(nb, n - done), at = lower ? done : n - done - b;
        tsl_view q1 = tsl_sub(q, at, 0, b, 1);
        /* F0 := P(q1) F0 */
        if (lower) exchange(x, tsl_sub(F, at, 0, n - at, done), q1, at, 0, false);
        else exchange(x, tsl_sub(F, at, n - done, b, done), q1, at, at, true);
    }
}

/* B := inv(A) B; waits for D's outcome first, unless passing */
static void solve(tsl_context *x, const tsl_call *c, tsl_view B, bool passing)
{
    tsl_view A = c->v[0];
    int64_t n = tsl_rows(A);
    bool lower = tsl_triangle(A) == TSL_LOWER;
    tsl_view F = tsl_temp_of(x, A, TSL_IN_PANELS, TSL_OF_TYPE, n, n), q = tsl_temp_of(x, A, TSL_IN_ONE, TSL_OF_INDEX, n, 2);
    tsl_view L = tsl_unit(lower ? tsl_lower(F) : tsl_upper(F)), q1 = tsl_sub(q, 0, 0, n, 1);
    convert(x, c, F, q, passing);
    if (!passing && !tsl_good_so_far(x)) return;
    /* B := P^T B */       exchange(x, B, q1, 0, 0, !lower);
    /* B := inv(L) B */    tsl_trsm(x, TSL_LEFT, 1, L, B);
    /* B := inv(D) B */    tsl_sydiv(x, c->herm, A, q, B);
    /* B := inv(L)^T B */  tsl_trsm(x, TSL_LEFT, 1, c->herm ? tsl_herm(L) : tsl_trans(L), B);
    /* B := P B */         exchange(x, B, q1, 0, 0, lower);
}

/* The leaves between have B as it is stored. */
tsl_status tsl_sytrs_parts(tsl_context *x, const tsl_call *c)
{
    tsl_view B = c->v[2];
    if (B.op == TSL_NOTRANS) return solve(x, c, B, true), TSL_OK;
    tsl_view X = tsl_temp_of(x, c->v[0], TSL_IN_PANELS, TSL_OF_TYPE, tsl_rows(B), tsl_cols(B));
    /* X := B */           tsl_copy(x, B, X);
    /* X := inv(A) X */    solve(x, c, X, true);
    /* B := X */           tsl_copy(x, X, B);
    return TSL_OK;
}

/* B is touched only if D has an inverse. */
tsl_status tsl_sysv_parts(tsl_context *x, const tsl_call *c)
{
    /* A, p := L D L^T */  tsl_execute(x, &(tsl_call){.op = TSL_OP_SYTRF, .herm = c->herm, .v = {c->v[0], c->v[1]}});
    if (!tsl_good_so_far(x)) return TSL_OK;
    /* B := inv(A) B */    tsl_sytrs_of(x, c->herm, c->v[0], c->v[1], c->v[2]);
    return TSL_OK;
}

/* A X = I, of which a triangle is kept */
tsl_status tsl_sytri_solve(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0];
    int64_t n = tsl_rows(A), nb = tsl_panel(x, c);
    tsl_view X = tsl_temp_of(x, A, TSL_IN_PANELS, TSL_OF_TYPE, n, n);
    /* X := I */           tsl_scale(x, 0, X);
    for (int64_t k = 0; k < n; k += nb) {
        tsl_part3 P = tsl_partition(X, k, nb);
        /* X11 := I */     tsl_expand(x, TSL_TRIANGULAR, tsl_unit_lower(P.A11), P.A11);
    }
    /* X := inv(A) X */    solve(x, c, X, false);
    if (!tsl_good_so_far(x)) return TSL_OK;
    /* A := X */           tsl_copy(x, tsl_triangle(A) == TSL_LOWER ? tsl_lower(X) : tsl_upper(X), A);
    if (c->herm) tsl_real_diagonal(x, A);
    return TSL_OK;
}
