/* Singular values and vectors. A tall matrix goes by QR first, a wide one is the conjugate transpose of a tall one.
 *   polar       A = P H with P unitary and H Hermitian, semidefinite, H = V S V^H, so A = (P V) S V^H
 *   bidiagonal  A = Q B P^H, B = W S Z^T, so A = (Q W) S (P Z)^H
 *   two         the same in two stages (gesvd_two.c) */
#include <math.h>

#include "algo/svd/bidiagonal.h"
#include "core/values.h"

/* s := -w, and zero where that is negative, as (|w| - w) / 2. The largest element of a column of one is its size. */
void tsl_descending(tsl_context *x, tsl_view A, tsl_view w, tsl_view s)
{
    int64_t n = tsl_rows(w);
    tsl_view size = tsl_temp_of(x, A, TSL_IN_ONE, TSL_OF_DOUBLE, n, 1);
    tsl_laset(x, 0, 0, size);
    /* size := |w| */           tsl_colnorm(x, TSL_NORM_MAX, TSL_TRIANGULAR, tsl_trans(w), size);
    if (tsl_matrix_type(s.mat) == TSL_D) tsl_copy(x, size, s);
    else tsl_add_converted(x, 1, size, 0, s);
    /* s := (|w| - w) / 2 */    tsl_geadd(x, -0.5, w, 0.5, s);
}

/* U, whose first rows and columns are set, := [U 0; 0 I] */
static void extend(tsl_context *x, tsl_view U, int64_t n)
{
    int64_t rest = tsl_rows(U) - n, more = tsl_cols(U) - n;
    tsl_laset(x, 0, 0, tsl_sub(U, n, 0, rest, n));
    tsl_laset(x, 0, 0, tsl_sub(U, 0, n, n, more));
    tsl_laset(x, 0, 1, tsl_sub(U, n, n, rest, more));
}

/* A is square. */
static void by_polar(tsl_context *x, const tsl_call *c, tsl_view A, tsl_view s, tsl_view U, tsl_view VT)
{
    int64_t n = tsl_cols(A);
    bool vectors = tsl_is_there(U) || tsl_is_there(VT);
    tsl_view P = tsl_temp(x, A, n, n), H = tsl_temp(x, A, n, n), w = tsl_temp_of(x, A, TSL_IN_ONE, TSL_OF_REAL, n, 1);
    tsl_view V = vectors ? tsl_temp(x, A, n, n) : tsl_sub(H, 0, 0, n, 0);
    (void)c;
    /* P := A */                tsl_copy(x, A, P);
    /* P H := P */              tsl_polar(x, P, H, NULL);
    /* H := -H: ascending */    tsl_scale(x, -1, H);
    /* H = V W V^H */           tsl_syev(x, tsl_lower(H), NULL, w, V, NULL, NULL);
    /* S := -W */               tsl_descending(x, A, w, s);
    /* VT := V^H */             if (tsl_is_there(VT)) tsl_copy(x, tsl_herm(V), VT);
    /* U := P V */              if (tsl_is_there(U)) tsl_gemm(x, 1, P, V, 0, U);
}

static void by_bidiagonal(tsl_context *x, const tsl_call *c, tsl_view A, tsl_view s, tsl_view U, tsl_view VT)
{
    int64_t n = tsl_cols(A);
    bool left = tsl_is_there(U), right = tsl_is_there(VT);
    tsl_view none = tsl_sub(A, 0, 0, 0, 0), B = A.op == TSL_NOTRANS ? A : tsl_temp(x, A, tsl_rows(A), n),
             e = tsl_temp_of(x, A, TSL_IN_ONE, TSL_OF_REAL, n - 1, 1);
    tsl_view tauq = tsl_temp_of(x, B, TSL_PER_COLUMN, TSL_OF_TYPE, n, 1),
             taup = tsl_temp_of(x, B, TSL_PER_COLUMN, TSL_OF_TYPE, n, 1), W = left ? tsl_temp(x, B, n, n) : none,
             Z = right ? tsl_temp(x, B, n, n) : none;
    if (A.op != TSL_NOTRANS) tsl_copy(x, A, B);
    /* A = Q B P^H */           tsl_gebrd(x, B, s, e, tauq, taup);
    /* B = W S Z */             tsl_decompose(x, c, W, s, e, Z);
    if (left) {
        /* U := Q W */          tsl_copy(x, W, tsl_sub(U, 0, 0, n, n));
        extend(x, U, n);
        tsl_ormbr(x, TSL_LEFT, TSL_LEFT, TSL_NOTRANS, B, tauq, U);
    }
    if (right) {
        /* VT := Z P^H */       tsl_copy(x, Z, VT);
        tsl_ormbr(x, TSL_RIGHT, TSL_RIGHT, TSL_HERM, B, taup, VT);
    }
}

/* A with at least as many rows as columns; its triangle if it is tall, and always if A must be square */
static void upright(tsl_context *x, const tsl_call *c, const tsl_svd_method *by, tsl_view A, tsl_view s, tsl_view U, tsl_view VT)
{
    int64_t m = tsl_rows(A), n = tsl_cols(A);
    bool qr_first = by->square ? m > n : 2 * m > 3 * n;
    if (n == 0) {
        if (tsl_is_there(U)) extend(x, U, 0);
        return;
    }
    double size = tsl_largest(x, TSL_TRIANGULAR, A);
    int at = tsl_exponent_of(size);
    /* A := A / 2^at */         tsl_scale_by(x, -at, A);
    /* A := NaN: it has some */ if (!isfinite(size)) tsl_laset(x, NAN, NAN, A);
    if (qr_first) {
        tsl_view R = tsl_temp_of(x, A, TSL_IN_PANELS, TSL_OF_TYPE, n, n),
                 tau = tsl_temp_of(x, A, TSL_PER_COLUMN, TSL_OF_TYPE, n, 1);
        /* A = Q R */           tsl_geqrf(x, A, tau);
        tsl_expand(x, TSL_TRIANGULAR, tsl_upper(tsl_sub(A, 0, 0, n, n)), R);
        /* R = U S VT */        by->solve(x, c, R, s, tsl_is_there(U) ? tsl_sub(U, 0, 0, n, n) : U, VT);
        if (tsl_is_there(U)) {
            extend(x, U, n);
            /* U := Q U */      tsl_ormqr(x, TSL_LEFT, TSL_NOTRANS, A, tau, U);
        }
    } else {
        /* A = U S VT */        by->solve(x, c, A, s, U, VT);
    }
    /* S := S 2^at */           tsl_scale_by(x, at, s);
}

tsl_status tsl_gesvd_by(tsl_context *x, const tsl_call *c, const tsl_svd_method *by)
{
    tsl_view A = c->v[0], U = c->v[2], VT = c->v[3], W = A;
    int64_t m = tsl_rows(A), n = tsl_cols(A), d = tsl_min(m, n);
    bool left = c->svd.vectors && c->side == TSL_LEFT, right = c->svd.vectors && c->side == TSL_RIGHT;
    if (left) U = W = tsl_temp_of(x, A, TSL_IN_PANELS, TSL_OF_TYPE, m, d);
    if (right) VT = W = tsl_temp_of(x, A, TSL_IN_PANELS, TSL_OF_TYPE, d, n);
    /* a wide one: A^H = V S U^H */
    if (m >= n) upright(x, c, by, A, c->v[1], U, VT);
    else upright(x, c, by, tsl_herm(A), c->v[1], tsl_herm(VT), tsl_herm(U));
    if (c->svd.vectors) tsl_copy(x, W, tsl_sub(A, 0, 0, tsl_rows(W), tsl_cols(W)));
    return TSL_OK;
}

tsl_status tsl_gesvd_polar(tsl_context *x, const tsl_call *c) { return tsl_gesvd_by(x, c, &(tsl_svd_method){by_polar, true}); }
tsl_status tsl_gesvd_bidiagonal(tsl_context *x, const tsl_call *c) { return tsl_gesvd_by(x, c, &(tsl_svd_method){by_bidiagonal, false}); }

/* Of a batch, an A with more rows than columns: A = Q R, R = U S VT, U := Q [U 0; 0 I] */
static void tall(tsl_context *x, tsl_view A, tsl_view s, tsl_view U, tsl_view VT)
{
    int64_t n = tsl_cols(A);
    tsl_view R = tsl_temp(x, A, n, n), tau = tsl_temp_of(x, A, TSL_PER_COLUMN, TSL_OF_TYPE, n, 1);
    /* A = Q R */               tsl_geqrf(x, A, tau);
    tsl_expand(x, TSL_TRIANGULAR, tsl_upper(tsl_sub(A, 0, 0, n, n)), R);
    /* R = U S VT */            tsl_gesvd(x, R, TSL_SVD_AUTO, s, tsl_is_there(U) ? tsl_sub(U, 0, 0, n, n) : U, VT, NULL);
    if (!tsl_is_there(U)) return;
    extend(x, U, n);
    /* U := Q U */              tsl_ormqr(x, TSL_LEFT, TSL_NOTRANS, A, tau, U);
}

/* The same of a wide A, A^H = V S U^H */
static void wide(tsl_context *x, tsl_view A, tsl_view s, tsl_view U, tsl_view VT)
{
    int64_t m = tsl_rows(A), n = tsl_cols(A);
    tsl_view F = tsl_temp(x, A, n, m), none = tsl_sub(F, 0, 0, 0, 0);
    tsl_view V = tsl_is_there(VT) ? tsl_temp(x, A, n, tsl_rows(VT)) : none, UT = tsl_is_there(U) ? tsl_temp(x, A, m, m) : none;
    tsl_copy(x, tsl_herm(A), F);
    tall(x, F, s, V, UT);
    if (tsl_is_there(VT)) tsl_copy(x, tsl_herm(V), VT);
    if (tsl_is_there(U)) tsl_copy(x, tsl_herm(UT), U);
}

tsl_status tsl_gesvd_batch(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0], U = c->v[2], VT = c->v[3], W = A;
    int64_t m = tsl_rows(A), n = tsl_cols(A), d = tsl_min(m, n);
    bool left = c->svd.vectors && c->side == TSL_LEFT, right = c->svd.vectors && c->side == TSL_RIGHT;
    if (left) U = W = tsl_temp(x, A, m, d);
    if (right) VT = W = tsl_temp(x, A, d, n);
    (m > n ? tall : wide)(x, A, c->v[1], U, VT);
    if (c->svd.vectors) tsl_copy(x, W, tsl_sub(A, 0, 0, tsl_rows(W), tsl_cols(W)));
    return TSL_OK;
}
