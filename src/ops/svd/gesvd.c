/* Singular values and vectors (gesvd), and the polar decomposition (polar). */
#include "ops/inner.h"
#include "ops/qr/qr.h"

tsl_status tsl_gesvd(tsl_context *x, tsl_view A, tsl_svd_driver driver, tsl_view s, tsl_view U, tsl_view VT, int64_t *info)
{
    tsl_status st = tsl_enter(&x);
    if (st) return st;
    tsl_call c = {.op = TSL_OP_GESVD, .svd = {.driver = driver}, .v = {A, s, tsl_or_none(U, A), tsl_or_none(VT, A)}};
    return tsl_leave(x, tsl_execute_info(x, &c, info));
}

tsl_status tsl_polar(tsl_context *x, tsl_view A, tsl_view H, int64_t *info)
{
    tsl_status st = tsl_enter(&x);
    if (st) return st;
    return tsl_leave(x, tsl_execute_info(x, &(tsl_call){.op = TSL_OP_POLAR, .v = {A, tsl_or_none(H, A)}}, info));
}

static bool is_wanted(const tsl_view *v) { return v->m > 0 && v->n > 0; }

static tsl_status need_block(tsl_context *x, const tsl_call *c, int i)
{
    tsl_status st = tsl_need_general(x, c, i);
    return st ? st : tsl_need_stored(x, c, i);
}

static tsl_status check_gesvd(tsl_context *x, const tsl_call *c)
{
    const tsl_view *A = &c->v[0], *U = &c->v[2], *VT = &c->v[3];
    int64_t d = tsl_min(A->m, A->n);
    tsl_status st = (unsigned)c->svd.driver > TSL_SVD_POLAR ? tsl_refuse(x, c, TSL_ERR_FLAG, "no driver %d", (int)c->svd.driver) : need_block(x, c, 0);
    if (!st) st = tsl_need_column_of(x, c, 1, d);
    for (int i = 2; i < 4 && !st; ++i) st = need_block(x, c, i);
    if (!st && is_wanted(U) && (U->m != A->m || (U->n != d && U->n != A->m)))
        st = tsl_misfit(x, c, "U must have as many rows as A, and as many columns as there are singular values, or rows");
    if (!st && is_wanted(VT) && (VT->n != A->n || (VT->m != d && VT->m != A->n)))
        st = tsl_misfit(x, c, "VT must have as many columns as A, and as many rows as there are singular values, or columns");
    return st;
}

static tsl_status check_polar(tsl_context *x, const tsl_call *c)
{
    const tsl_view *A = &c->v[0], *H = &c->v[1];
    tsl_status st = need_block(x, c, 0);
    if (!st) st = need_block(x, c, 1);
    if (!st && A->m < A->n) st = tsl_misfit(x, c, "A must not have more columns than rows");
    return st || !is_wanted(H) || (H->m == A->n && H->n == A->n) ? st : tsl_misfit(x, c, "H must be square, with as many columns as A");
}

static bool has_leaf(const tsl_call *c) { return c->svd.driver != TSL_SVD_POLAR; }
static int64_t order(const tsl_call *c) { return tsl_min(c->v[0].m, c->v[0].n); }

/* To bidiagonal form; vectors, as Golub and Van Loan count them: of a tall matrix by QR first, of all of U by its reflectors
 * too */
static double flops_gesvd(const tsl_call *c)
{
    double d = (double)order(c), longest = (double)tsl_max(c->v[0].m, c->v[0].n), one = tsl_is_complex(c->v[0].mat->type) ? 4 : 1;
    bool vectors = c->svd.vectors || is_wanted(&c->v[2]) || is_wanted(&c->v[3]), full = c->v[2].n > d || c->v[3].m > d;
    if (!vectors) return one * (4 * longest * d * d - d * d * d * 4 / 3);
    return one * (6 * longest * d * d + 20 * d * d * d + (full ? 4 * longest * (longest - d) * d : 0));
}

/* Seven steps, as of a matrix of moderate condition: X^H X, Cholesky, two solves; QR and the inverse of R; H */
static double flops_polar(const tsl_call *c)
{
    double n = (double)c->v[0].n, m = (double)c->v[0].m, one = tsl_is_complex(c->v[0].mat->type) ? 4 : 1;
    return one * (n * n * n * (7 * 10 / 3. + 5 / 3. + 2) + (m > n ? 4 * m * n * n : 0));
}

/* The reduction of a square matrix to a band; QR of a tall one, else products with the band's Q. The square one, vectors
 * and factors of reflectors are mat[0], side by side, the band is mat[1]. */
int tsl_parts_of_svd(const tsl_context *x, const tsl_call *c, tsl_matrix mat[2], tsl_call part[])
{
    tsl_view A = c->v[0].m < c->v[0].n ? tsl_herm(c->v[0]) : c->v[0];
    int64_t n = tsl_cols(A);
    mat[0] = (tsl_matrix){.ctx = A.mat->ctx, .type = A.mat->type, .m = n, .n = 2 * n + 2};
    mat[1] = (tsl_matrix){.ctx = A.mat->ctx, .type = A.mat->type, .m = tsl_band_width(x, n) + 1, .n = n};
    tsl_view all = tsl_whole(mat), R = tsl_sub(all, 0, 0, n, n), Z = tsl_sub(all, 0, n, n, n);
    tsl_view tauq = tsl_sub(all, 0, 2 * n, n, 1), taup = tsl_sub(all, 0, 2 * n + 1, n, 1);
    part[0] = (tsl_call){.op = TSL_OP_GE2GB, .v = {R, tsl_whole(&mat[1]), tauq, taup}};
    if (tsl_rows(A) > n) part[1] = (tsl_call){.op = TSL_OP_GEQRF, .v = {A, tauq}};
    else part[1] = (tsl_call){.op = TSL_OP_ORMQR, .v = {R, tauq, Z}};
    return 2;
}

/* Those that QR makes square */
static bool cuts_batch(const tsl_call *c)
{
    return c->svd.driver == TSL_SVD_AUTO && c->v[0].m != c->v[0].n && order(c) <= TSL_MANY_MOST;
}

const tsl_rules tsl_gesvd_rules = {
    .check = check_gesvd, .cuts_batch = cuts_batch, .has_leaf = has_leaf, .order = order, .flops = flops_gesvd,
    .parts = tsl_parts_of_svd};
const tsl_rules tsl_polar_rules = {.check = check_polar, .leaf_for_small = true, .order = order, .flops = flops_polar};
