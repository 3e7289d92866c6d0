/* Drivers of the symmetric eigenproblem: of a tridiagonal matrix (stev), of a symmetric or Hermitian one (syev), and of two
 * (sygst, sygv). */
#include <math.h>

#include "ops/inner.h"
#include "ops/eig/syev.h"
#include "tune/numbers.h"

/* The eigenpairs that are wanted, of n; what is wrong with the selection goes to c->refused. */
static void choose(tsl_context *x, tsl_call *c, const tsl_selection *which, int64_t n)
{
    if (c->refused || !which || which->range == TSL_RANGE_ALL) return;
    c->eig.range = which->range;
    c->eig.first = which->range == TSL_RANGE_INDEX ? which->il - 1 : 0;
    c->eig.count = which->range == TSL_RANGE_INDEX ? which->iu - which->il + 1 : 0;
    c->eig.least = which->range == TSL_RANGE_VALUE ? which->vl : 0;
    c->eig.most = which->range == TSL_RANGE_VALUE ? which->vu : 0;
    if (which->range == TSL_RANGE_INDEX) {
        if (which->il < 1 || which->iu > n || which->iu < which->il - 1)
            c->refused = tsl_fail(x, TSL_ERR_SIZE, "%s: there are eigenpairs 1 to %lld, not %lld to %lld", tsl_ops[c->op].name, (long long)n, (long long)which->il,
                                  (long long)which->iu);
    } else if (which->range != TSL_RANGE_VALUE) {
        c->refused = tsl_fail(x, TSL_ERR_FLAG, "%s: no range %d", tsl_ops[c->op].name, (int)which->range);
    } else if (!(which->vl < which->vu)) {
        c->refused = tsl_fail(x, TSL_ERR_SIZE, "%s: no eigenvalue is above %g and not above %g", tsl_ops[c->op].name, which->vl, which->vu);
    }
}

tsl_status tsl_execute_pairs(tsl_context *x, tsl_call *c, int64_t *m, int64_t *info)
{
    tsl_results results = {.count = -1}; /* of a call that is refused it stays so */
    bool asks = m && c->eig.range == TSL_RANGE_VALUE;
    c->results = asks ? &results : NULL;
    tsl_status st = tsl_execute_info(x, c, info);
    c->results = NULL;
    bool few = asks && st == TSL_ERR_SHAPE && results.count >= 0;
    if ((!st || few) && m) *m = asks ? tsl_max(0, results.count) : c->eig.range == TSL_RANGE_INDEX ? c->eig.count : tsl_rule[c->op]->order(c);
    return few ? tsl_refuse(x, c, st, "%lld eigenvalues are in the interval, and the vectors have fewer columns", (long long)results.count) : st;
}

/* No columns of a view's matrix, which all that is checked of V lets pass */
static tsl_view columnless(tsl_view A) { return (tsl_view){.mat = A.mat, .i = A.i, .j = A.j, .m = A.m}; }

tsl_status tsl_syev(tsl_context *x, tsl_view A, const tsl_selection *which, tsl_view w, tsl_view V, int64_t *m, int64_t *info)
{
    tsl_status st = tsl_enter(&x);
    if (st) return st;
    tsl_call c = {.op = TSL_OP_SYEV, .v = {A, w, V.mat ? V : columnless(A)}};
    tsl_put_triangle(x, &c, 0, A);
    choose(x, &c, which, A.m);
    return tsl_leave(x, tsl_execute_pairs(x, &c, m, info));
}

tsl_status tsl_stev(tsl_context *x, tsl_view d, tsl_view e, const tsl_selection *which, tsl_view w, tsl_view Z, int64_t *m, int64_t *info)
{
    tsl_status st = tsl_enter(&x);
    if (st) return st;
    tsl_call c = {.op = TSL_OP_STEV, .v = {Z.mat ? Z : columnless(d), d, e, w}};
    choose(x, &c, which, d.m);
    return tsl_leave(x, tsl_execute_pairs(x, &c, m, info));
}

tsl_status tsl_sygst(tsl_context *x, int64_t itype, tsl_view A, tsl_view B)
{
    return tsl_execute(x, &(tsl_call){.op = TSL_OP_SYGST, .eig = {.itype = itype}, .v = {A, B}});
}

tsl_status tsl_sygv(tsl_context *x, int64_t itype, tsl_view A, tsl_view B, const tsl_selection *which, tsl_view w, tsl_view V,
                    int64_t *m, int64_t *info)
{
    tsl_status st = tsl_enter(&x);
    if (st) return st;
    tsl_call c = {.op = TSL_OP_SYGV, .eig = {.itype = itype}, .v = {B, A, w, V.mat ? V : columnless(A)}};
    tsl_put_triangle(x, &c, 1, A);
    choose(x, &c, which, A.m);
    return tsl_leave(x, tsl_execute_pairs(x, &c, m, info));
}

/* Operands `w`, a column of n elements, and `vectors`, empty or of n rows and as many columns as are known to be wanted */
static tsl_status check_pairs(tsl_context *x, const tsl_call *c, int w, int vectors, int64_t n)
{
    const tsl_view *V = &c->v[vectors];
    int64_t least = c->eig.range == TSL_RANGE_ALL ? n : c->eig.range == TSL_RANGE_INDEX ? c->eig.count : 0;
    tsl_status st = tsl_need_column_of(x, c, w, n);
    if (!st) st = tsl_need_general(x, c, vectors);
    if (!st) st = tsl_need_stored(x, c, vectors);
    if (st || V->n == 0 || (V->m == n && V->n >= least)) return st;
    return tsl_misfit(x, c, "vectors must have as many rows as there are eigenvalues, and a column for each that is wanted");
}

/* Operand i is all of a matrix of which the call's triangle is meant. */
static tsl_status need_stored_triangle(tsl_context *x, const tsl_call *c, int i)
{
    if (c->uplo == TSL_GENERAL) return tsl_refuse(x, c, TSL_ERR_UPLO, "A must be a triangle (tsl_lower or tsl_upper)");
    if (c->v[i].m != c->v[i].n) return tsl_misfit(x, c, "A must be square");
    return tsl_need_stored(x, c, i);
}

static tsl_status need_itype(tsl_context *x, const tsl_call *c)
{
    return c->eig.itype >= 1 && c->eig.itype <= 3 ? TSL_OK : tsl_refuse(x, c, TSL_ERR_FLAG, "itype is %lld, must be 1, 2 or 3", (long long)c->eig.itype);
}

static tsl_status check_syev(tsl_context *x, const tsl_call *c)
{
    tsl_status st = need_stored_triangle(x, c, 0);
    return st ? st : check_pairs(x, c, 1, 2, c->v[0].m);
}

static tsl_status check_stev(tsl_context *x, const tsl_call *c)
{
    int64_t n = c->v[1].m;
    tsl_status st = tsl_need_column_of(x, c, 1, n);
    if (!st) st = tsl_need_column_of(x, c, 2, tsl_max(0, n - 1));
    return st ? st : check_pairs(x, c, 3, 0, n);
}

static tsl_status check_sygst(tsl_context *x, const tsl_call *c)
{
    tsl_status st = need_itype(x, c);
    for (int i = 0; i < 2 && !st; ++i) st = tsl_need_triangle(x, c, i);
    for (int i = 0; i < 2 && !st; ++i) st = tsl_need_stored(x, c, i);
    if (!st) st = tsl_need_diagonal(x, c, 1);
    return st || c->v[0].m == c->v[1].m ? st : tsl_misfit(x, c, "A and B must have one order");
}

static tsl_status check_sygv(tsl_context *x, const tsl_call *c)
{
    tsl_status st = need_itype(x, c);
    if (!st) st = need_stored_triangle(x, c, 1);
    if (!st) st = tsl_need_triangle(x, c, 0);
    if (!st) st = tsl_need_stored(x, c, 0);
    if (!st && c->v[0].m != c->v[1].m) st = tsl_misfit(x, c, "A and B must have one order");
    return st ? st : check_pairs(x, c, 2, 3, c->v[1].m);
}

/* The host library's driver has all of them. */
static bool wants_all(const tsl_call *c) { return c->eig.range == TSL_RANGE_ALL; }
static bool by_index(const tsl_call *c) { return c->eig.range == TSL_RANGE_INDEX; }
static bool one_triangle(const tsl_call *c) { return c->v[0].uplo == c->v[1].uplo; }
static int64_t order(const tsl_call *c) { return c->v[0].m; }
static int64_t order_of_d(const tsl_call *c) { return c->v[1].m; }

/* Eigenvalues alone take the reduction only; a vector takes the back-transformation. */
static double reduction(double n) { return n * n * n * 4 / 3; }
static double flops(const tsl_call *c)
{
    double n = (double)c->v[0].m, k = c->eig.range == TSL_RANGE_INDEX ? (double)c->eig.count : n, one = tsl_is_complex(c->v[0].mat->type) ? 4 : 1;
    return one * (reduction(n) + (c->eig.vectors || c->v[2].n ? reduction(n) + 2 * n * n * k : 0));
}

int64_t tsl_band_width(const tsl_context *x, int64_t n) { return tsl_max(1, tsl_min(n - 1, tsl_tuned(x, TSL_TUNED_BAND_WIDTH))); }

/* The reduction to a band and products with its Q; the band, and a row less the triangles T, are mat. */
static int parts_of(const tsl_context *x, const tsl_call *c, tsl_view A, tsl_view V, tsl_matrix mat[2], tsl_call part[])
{
    int64_t n = A.m, kd = tsl_band_width(x, n);
    mat[0] = (tsl_matrix){.ctx = A.mat->ctx, .type = A.mat->type, .m = kd + 1, .n = n};
    /* vectors that replace A are a matrix of their own until then */
    mat[1] = (tsl_matrix){.ctx = A.mat->ctx, .type = A.mat->type, .m = n, .n = n};
    tsl_view S = tsl_as_lower(c->uplo == TSL_UPPER ? tsl_upper(A) : tsl_lower(A)), Z = c->eig.vectors ? tsl_whole(&mat[1]) : V;
    tsl_view AB = tsl_whole(mat), T = tsl_sub(AB, 0, 0, kd, n);
    part[0] = (tsl_call){.op = TSL_OP_SY2SB, .v = {S, AB, T}};
    part[1] = (tsl_call){.op = TSL_OP_ORMTR_SY2SB, .v = {S, T, Z}};
    return Z.n ? 2 : 1;
}

static int parts_of_syev(const tsl_context *x, const tsl_call *c, tsl_matrix *mat, tsl_call part[])
{
    return parts_of(x, c, c->v[0], c->v[2], mat, part);
}
static int parts_of_sygv(const tsl_context *x, const tsl_call *c, tsl_matrix *mat, tsl_call part[])
{
    return parts_of(x, c, c->v[1], c->v[3], mat, part);
}

const tsl_rules tsl_stev_rules = {.check = check_stev, .order = order_of_d};
const tsl_rules tsl_syev_rules = {.check = check_syev, .has_leaf = wants_all, .has_leaf_of_batches = by_index, .order = order, .flops = flops, .parts = parts_of_syev};
const tsl_rules tsl_sygst_rules = {.check = check_sygst, .has_leaf = one_triangle, .order = order};
static bool one_triangle_of_all(const tsl_call *c) { return wants_all(c) && c->v[0].uplo == c->uplo; }

static bool is_small(const tsl_call *c) { return order(c) <= TSL_MANY_MOST; }

const tsl_rules tsl_sygv_rules = {.check = check_sygv, .cuts_batch = is_small, .has_leaf = one_triangle_of_all,
                                  .leaf_for_small = true, .order = order, .parts = parts_of_sygv};
