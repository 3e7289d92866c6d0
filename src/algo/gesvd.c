/* Singular values and vectors by the polar decomposition: A = P H with P unitary and H Hermitian, semidefinite, H = V S V^H, so A = (P V) S V^H. */
#include "algo/algo.h"
#include "core/values.h"

static bool is_there(tsl_view v) { return tsl_rows(v) > 0 && tsl_cols(v) > 0; }

/* s := -w, and zero where that is negative, as (|w| - w) / 2. The largest element of a column of one is its size. */
void tsl_descending(tsl_context *x, tsl_view A, tsl_view w, tsl_view s)
{
    int64_t n = tsl_rows(w);
    tsl_view size = tsl_temp_of(x, A, TSL_OF_DOUBLE, n, 1, 0, 0);
    if (!size.mat) return;
    tsl_laset(x, 0, 0, size);
    /* size := |w| */           tsl_colnorm(x, TSL_NORM_MAX, TSL_TRIANGULAR, tsl_trans(w), size);
    if (tsl_matrix_type(s.mat) == TSL_D) tsl_copy(x, size, s);
    else tsl_add_converted(x, 1, size, 0, s);
    /* s := (|w| - w) / 2 */    tsl_geadd(x, -0.5, w, 0.5, s);
}

/* U, whose first rows and columns are those of R, := Q U for A = Q R */
void tsl_append_q(tsl_context *x, tsl_view A, tsl_view tau, tsl_view U)
{
    int64_t m = tsl_rows(A), n = tsl_cols(A), more = tsl_cols(U) - n;
    /* U := [U 0; 0 I] */       tsl_laset(x, 0, 0, tsl_sub(U, n, 0, m - n, n));
    tsl_laset(x, 0, 0, tsl_sub(U, 0, n, n, more));
    tsl_laset(x, 0, 1, tsl_sub(U, n, n, m - n, more));
    /* U := Q U */              if (n) tsl_execute(x, &(tsl_call){.op = TSL_OP_ORMQR, .v = {A, tau, U}});
}

/* Of an A with at least as many rows as columns; V, seen as V^H */
static tsl_status upright(tsl_context *x, tsl_view A, tsl_view s, tsl_view U, tsl_view VT)
{
    int64_t m = tsl_rows(A), n = tsl_cols(A);
    bool vectors = is_there(U) || is_there(VT);
    if (n == 0) return tsl_append_q(x, A, A, U), TSL_OK;
    double factor = tsl_range_factor(tsl_matrix_type(A.mat), tsl_largest(x, TSL_TRIANGULAR, A));
    tsl_view P = tsl_temp(x, A, n, n), H = tsl_temp(x, A, n, n), w = tsl_temp_of(x, A, TSL_OF_REAL, n, 1, 0, 0), tau = tsl_temp_factors(x, A, n);
    tsl_view V = vectors ? tsl_temp(x, A, n, n) : tsl_sub(H, 0, 0, n, 0);
    if (!P.mat || !H.mat || !w.mat || !tau.mat || !V.mat) return TSL_OK; /* there was no memory, and x knows */
    /* A := A factor */         tsl_scale(x, factor, A);
    if (m > n) {
        /* A = Q R */           tsl_execute(x, &(tsl_call){.op = TSL_OP_GEQRF, .v = {A, tau}});
        /* P := R */            tsl_expand(x, TSL_TRIANGULAR, tsl_upper(tsl_sub(A, 0, 0, n, n)), P);
    } else {
        /* P := A */            tsl_copy(x, A, P);
    }
    /* P H := P */              tsl_execute(x, &(tsl_call){.op = TSL_OP_POLAR, .v = {P, H}});
    /* H := -H: ascending */    tsl_scale(x, -1, H);
    /* H = V W V^H */           tsl_execute(x, &(tsl_call){.op = TSL_OP_SYEV, .uplo = TSL_LOWER, .v = {H, w, V}});
    /* S := -W / factor */      tsl_descending(x, A, w, s);
    tsl_scale(x, 1 / factor, s);
    if (is_there(VT)) {
        /* VT := V^H */         tsl_copy(x, tsl_herm(V), VT);
    }
    if (is_there(U)) {
        /* U := P V */          tsl_gemm(x, 1, P, V, 0, tsl_sub(U, 0, 0, n, n));
        /* U := Q U */          if (m > n) tsl_append_q(x, A, tau, U);
    }
    return TSL_OK;
}

tsl_status tsl_gesvd_by(tsl_context *x, const tsl_call *c, tsl_status (*upright_by)(tsl_context *, tsl_view, tsl_view, tsl_view, tsl_view))
{
    tsl_view A = c->v[0], U = c->v[2], VT = c->v[3], W = A;
    int64_t m = tsl_rows(A), n = tsl_cols(A), d = tsl_min(m, n);
    bool left = c->vectors && c->side == TSL_LEFT, right = c->vectors && c->side == TSL_RIGHT;
    if (left) U = W = tsl_temp(x, A, m, d);
    if (right) VT = W = tsl_temp(x, A, d, n);
    if (!W.mat) return TSL_OK;
    /* a wide one: A^H = V S U^H */
    tsl_status st = m >= n ? upright_by(x, A, c->v[1], U, VT) : upright_by(x, tsl_herm(A), c->v[1], tsl_herm(VT), tsl_herm(U));
    if (!st && c->vectors) tsl_copy(x, W, tsl_sub(A, 0, 0, tsl_rows(W), tsl_cols(W)));
    return st;
}

tsl_status tsl_gesvd_polar(tsl_context *x, const tsl_call *c) { return tsl_gesvd_by(x, c, upright); }
