/* Nonsymmetric eigenproblems: to Hessenberg form (gehrd) and with its Q (orghr, ormhr), the QR iteration (hseqr), eigenpairs
 * (geev), Schur form (gees). */
#include <complex.h>
#include <math.h>
#include <string.h>

#include "ops/schur/geev.h"
#include "ops/qr/qr.h"

/* The block of rows and columns ilo .. ihi, from 1 on, is of order k from row `first` on; of order 0 there is none. */
static void set_block(tsl_context *x, tsl_call *c, int64_t ilo, int64_t ihi)
{
    int64_t n = c->v[0].m;
    c->schur.first = ilo - 1, c->schur.order = ihi - ilo + 1;
    if (c->v[0].mat && (n ? ilo < 1 || ihi < ilo || ihi > n : ilo != 1 || ihi != 0))
        c->refused = tsl_refuse(x, c, TSL_ERR_SIZE, "no block of rows and columns %lld to %lld of %lld", (long long)ilo, (long long)ihi, (long long)n);
}

tsl_status tsl_gehrd(tsl_context *x, int64_t ilo, int64_t ihi, tsl_view A, tsl_view tau)
{
    tsl_status st = tsl_enter(&x);
    if (st) return st;
    tsl_call c = {.op = TSL_OP_GEHRD, .v = {A, tau}};
    set_block(x, &c, ilo, ihi);
    return tsl_leave(x, tsl_execute(x, &c));
}

/* Outside the block Q is the identity; within, that of a reduction to tridiagonal form with the same reflectors, which is what
 * is checked of all of A. The block first: all else needs no memory. */
tsl_status tsl_orghr(tsl_context *x, int64_t ilo, int64_t ihi, tsl_view A, tsl_view tau)
{
    tsl_status st = tsl_enter(&x);
    if (st) return st;
    tsl_args name = {.x = x, .routine = "orghr", .type = -1};
    tsl_call whole = {.op = TSL_OP_ORGTR, .args = &name, .uplo = TSL_LOWER, .v = {A, tau}};
    set_block(x, &whole, ilo, ihi);
    st = tsl_check_call(x, &whole, false);
    if (!st) st = tsl_need_general(x, &whole, 0);
    int64_t n = A.m, at = ilo - 1, k = ihi - ilo + 1, after = n - ihi;
    if (!st && k) st = tsl_orgtr(x, tsl_lower(tsl_sub(A, at, at, k, k)), tsl_sub(tau, at, 0, k - 1, 1));
    if (!st && at) st = tsl_laset(x, 0, 1, tsl_block_cols(A, 0, at).A1);
    if (!st && after) st = tsl_laset(x, 0, 0, tsl_sub(A, 0, ihi, ihi, after));
    if (!st && after) st = tsl_laset(x, 0, 1, tsl_sub(A, ihi, ihi, after, after));
    if (!st && at) st = tsl_laset(x, 0, 0, tsl_sub(A, 0, at, at, k));
    if (!st && after) st = tsl_laset(x, 0, 0, tsl_sub(A, ihi, at, after, k));
    return tsl_leave(x, st);
}

/* The reflectors are QR's, of the rows but the first of the block. */
tsl_status tsl_ormhr(tsl_context *x, tsl_side side, tsl_op trans, int64_t ilo, int64_t ihi, tsl_view A, tsl_view tau, tsl_view C)
{
    tsl_status st = tsl_enter(&x);
    if (st) return st;
    tsl_args name = {.x = x, .routine = "ormhr", .type = -1};
    tsl_call whole = tsl_product_with_q(x, TSL_OP_ORMTR, &name, side, trans, tsl_lower(A), tau, C);
    if (!whole.refused) set_block(x, &whole, ilo, ihi);
    tsl_call given = whole;
    given.v[0] = A;
    whole.refused = tsl_check_operands(x, &given);
    if (!whole.refused) whole.refused = tsl_need_general(x, &given, 0);
    st = tsl_check_call(x, &whole, false);
    int64_t k = tsl_max(0, ihi - ilo);
    if (!st && k)
        st = tsl_ormqr(x, side, trans, tsl_sub(A, ilo, ilo - 1, k, k), tsl_sub(tau, ilo - 1, 0, k, 1),
                       side == TSL_RIGHT ? tsl_sub(C, 0, ilo, tsl_rows(C), k) : tsl_sub(C, ilo, 0, k, tsl_cols(C)));
    return tsl_leave(x, st);
}

tsl_status tsl_hseqr(tsl_context *x, int schur, int64_t ilo, int64_t ihi, tsl_view H, tsl_view w, tsl_view wi, tsl_view Z, int64_t *info)
{
    tsl_status st = tsl_enter(&x);
    if (st) return st;
    tsl_call c = {.op = TSL_OP_HSEQR, .schur = {.wanted = schur}, .v = {H, w, tsl_or_none(wi, H), tsl_or_none(Z, H)}};
    set_block(x, &c, ilo, ihi);
    return tsl_leave(x, tsl_execute_info(x, &c, info));
}

tsl_status tsl_geev(tsl_context *x, tsl_view A, tsl_view w, tsl_view wi, tsl_view VL, tsl_view VR, int64_t *info)
{
    tsl_status st = tsl_enter(&x);
    if (st) return st;
    return tsl_leave(x, tsl_execute_info(x, &(tsl_call){.op = TSL_OP_GEEV, .v = {A, w, tsl_or_none(wi, A), tsl_or_none(VL, A), tsl_or_none(VR, A)}}, info));
}

/* Does the eigenvalue come first? */
static bool sorts_first(tsl_schur_sort sort, double re, double im)
{
    switch (sort) {
    case TSL_SORT_LHP: return re < 0;
    case TSL_SORT_RHP: return re >= 0;
    case TSL_SORT_IUC: return hypot(re, im) <= 1;
    case TSL_SORT_OUC: return hypot(re, im) > 1;
    default: return false;
    }
}

/* They are the first ones. */
static tsl_status count_first(tsl_context *x, tsl_schur_sort sort, tsl_view w, tsl_view wi, int64_t *sdim)
{
    enum { FEW = 64 };
    tsl_cdouble re[FEW], im[FEW];
    tsl_type t = w.mat->type;
    bool is_real = !tsl_is_complex(t), first = true;
    size_t size = tsl_type_size(t);
    tsl_status st = TSL_OK;
    int64_t count = 0;
    for (int64_t i = 0, k; i < w.m && sort && first && !st; i += k) {
        k = tsl_min(FEW, w.m - i);
        st = tsl_read_column(x, w, i, k, re);
        if (!st && is_real) st = tsl_read_column(x, wi, i, k, im);
        for (int64_t j = 0; j < k && first && !st; ++j, count += first) {
            tsl_typed_scalar a = {0}, b = {0};
            memcpy(&a, (char *)re + (size_t)j * size, size);
            if (is_real) memcpy(&b, (char *)im + (size_t)j * size, size);
            tsl_scalar value = tsl_untyped(t, a);
            first = sorts_first(sort, creal(value), is_real ? creal(tsl_untyped(t, b)) : cimag(value));
        }
    }
    if (!st) *sdim = count;
    return st;
}

tsl_status tsl_count_first(tsl_context *x, tsl_schur_sort sort, tsl_view w, tsl_view wi, int64_t *sdim)
{
    if (!w.mat->batch || w.problem) return count_first(x, sort, w, wi, sdim);
    tsl_status st = TSL_OK;
    for (int64_t k = 0; k < w.mat->count && !st; ++k) {
        tsl_matrix picked[TSL_MAX_OPERANDS];
        tsl_call one = {.op = TSL_OP_GEES, .v = {w, wi}};
        one.v[0].problem = one.v[1].problem = (int32_t)k + 1;
        st = tsl_need_problems(x, &one, picked);
        if (!st) st = count_first(x, sort, one.v[0], one.v[1], &sdim[k]);
    }
    return st;
}

tsl_status tsl_gees(tsl_context *x, tsl_view A, tsl_schur_sort sort, tsl_view w, tsl_view wi, tsl_view VS, int64_t *sdim, int64_t *info)
{
    tsl_matrix picked[TSL_MAX_OPERANDS];
    tsl_status st = tsl_enter(&x);
    if (st) return st;
    int64_t count;
    tsl_call c = {.op = TSL_OP_GEES, .schur = {.sort = sort}, .v = {A, w, tsl_or_none(wi, A), tsl_or_none(VS, A)}}, one = c;
    bool one_each = !w.mat || !w.mat->batch || w.problem;
    if (sdim && one_each) st = tsl_need_problems(x, &one, picked);
    if (!st) st = tsl_execute_info(x, &c, info);
    if (!st && (sdim || one.v[1].mat->remote)) st = tsl_count_first(x, sort, one.v[1], one.v[2], sdim ? sdim : &count);
    return tsl_leave(x, st);
}

static tsl_status need_square(tsl_context *x, const tsl_call *c)
{
    tsl_status st = tsl_need_plain(x, c, 0);
    return st || c->v[0].m == c->v[0].n ? st : tsl_misfit(x, c, "the matrix must be square");
}

/* w, and wi of a real matrix */
static tsl_status need_values(tsl_context *x, const tsl_call *c)
{
    int64_t n = c->v[0].m;
    bool is_real = !tsl_is_complex(c->v[0].mat->type);
    tsl_status st = need_square(x, c);
    if (!st) st = tsl_need_column_of(x, c, 1, n);
    if (!st && is_real) st = tsl_need_column_of(x, c, 2, n);
    return st || is_real || c->v[2].m == 0 ? st : tsl_misfit(x, c, "eigenvalues of a complex matrix have no wi");
}

/* Empty, or as large as the matrix */
static tsl_status need_vectors(tsl_context *x, const tsl_call *c, int i)
{
    tsl_status st = tsl_need_plain(x, c, i);
    if (st || c->v[i].m == 0 || c->v[i].n == 0 || (c->v[i].m == c->v[0].m && c->v[i].n == c->v[0].m)) return st;
    return tsl_misfit(x, c, "vectors must be as many, and as long, as there are eigenvalues");
}

static tsl_status check_gehrd(tsl_context *x, const tsl_call *c)
{
    tsl_status st = need_square(x, c);
    return st ? st : tsl_need_column_of(x, c, 1, tsl_max(0, c->v[0].m - 1));
}

static tsl_status check_hseqr(tsl_context *x, const tsl_call *c)
{
    tsl_status st = need_values(x, c);
    if (!st) st = need_vectors(x, c, 3);
    return st || c->schur.wanted || c->v[3].m == 0 ? st : tsl_refuse(x, c, TSL_ERR_FLAG, "Z is of the Schur form, which is not wanted");
}

static tsl_status check_geev(tsl_context *x, const tsl_call *c)
{
    tsl_status st = need_values(x, c);
    for (int i = 3; i < 5 && !st; ++i) st = need_vectors(x, c, i);
    return st;
}

static tsl_status check_gees(tsl_context *x, const tsl_call *c)
{
    tsl_status st = (unsigned)c->schur.sort > TSL_SORT_OUC ? tsl_refuse(x, c, TSL_ERR_FLAG, "no order %d", (int)c->schur.sort) : need_values(x, c);
    return st ? st : need_vectors(x, c, 3);
}

static int64_t order(const tsl_call *c) { return c->v[0].m; }

/* As Golub and Van Loan count: eigenvalues 10 n^3, with the Schur form and its Q 25, of which 10/3 and 14/3 are the
 * reduction's */
static double flops_of(const tsl_call *c, double times)
{
    double n = (double)c->v[0].m;
    return (tsl_is_complex(c->v[0].mat->type) ? 4 : 1) * times * n * n * n;
}
static double flops_hseqr(const tsl_call *c) { return flops_of(c, c->v[3].n ? 61 / 3. : c->schur.wanted ? 35 / 3. : 20 / 3.); }
static double flops_geev(const tsl_call *c) { return flops_of(c, c->v[3].n || c->v[4].n ? 25 : 10); }
static double flops_gees(const tsl_call *c) { return flops_of(c, c->v[3].n ? 25 : 15); }

/* The columns of the panel */
static int64_t columns(const tsl_call *c) { return c->v[1].m; }
static tsl_status canon_panel(tsl_context *x, const tsl_call *c, tsl_leaf *l) { return (void)x, l->k = columns(c), TSL_OK; }

const tsl_rules tsl_lahr2_rules = {.check = tsl_unchecked, .canon = canon_panel, .order = columns};
const tsl_rules tsl_laqrs_rules = {.check = tsl_unchecked, .order = order};
const tsl_rules tsl_laqr3_rules = {.check = tsl_unchecked, .order = order};
const tsl_rules tsl_laqr5_rules = {.check = tsl_unchecked, .order = order};
const tsl_rules tsl_laqru_rules = {.check = tsl_unchecked, .order = order};
const tsl_rules tsl_gebal_rules = {.check = tsl_unchecked, .order = order};
const tsl_rules tsl_trevc_rules = {.check = tsl_unchecked, .order = order};
const tsl_rules tsl_gehrd_rules = {.check = check_gehrd, .order = order};
const tsl_rules tsl_hseqr_rules = {.check = check_hseqr, .order = order, .flops = flops_hseqr};
const tsl_rules tsl_geev_rules = {.check = check_geev, .batch_on_cores = true, .order = order, .flops = flops_geev};
const tsl_rules tsl_gees_rules = {.check = check_gees, .batch_on_cores = true, .order = order, .flops = flops_gees};
