/* QR with column pivoting, A P = Q R (geqp3), the same with pivots from a random sketch (geqp3_random); least squares of any
 * rank by them and by singular values (gelsy, gelsd); and their parts. A is as it is stored. */
#include "ops/lu/lu.h"
#include "ops/qr/qr.h"

tsl_status tsl_geqp3(tsl_context *x, tsl_view A, tsl_view p, tsl_view tau) { return tsl_execute(x, &(tsl_call){.op = TSL_OP_GEQP3, .v = {A, p, tau}}); }

/* The rank, operand number i, is an element in the caller's memory, of a batch one for each problem. */
static tsl_status with_rank(tsl_context *x, tsl_call *c, int i, int64_t *rank, int64_t *info)
{
    int64_t value = 0;
    tsl_status st = tsl_enter(&x);
    if (st) return st;
    bool batch = tsl_is_batch(c), unasked = batch && !rank;
    size_t bytes = tsl_times((size_t)tsl_problems(c), sizeof value);
    int64_t *ranks = unasked ? tsl_host_alloc(&x->allocator, bytes) : batch ? rank : &value;
    if (!ranks) return tsl_leave(x, tsl_refuse(x, c, TSL_ERR_MEMORY, "%s", tsl_status_text(TSL_ERR_MEMORY)));
    tsl_matrix one = tsl_per_problem(x, c, TSL_INDEX, 1, ranks);
    c->v[i] = tsl_whole(&one);
    st = tsl_trait(c->op, TSL_HAS_INFO) ? tsl_execute_info(x, c, info) : tsl_execute(x, c);
    if (!st && rank && !batch) *rank = value;
    if (unasked) tsl_host_free(&x->allocator, ranks, bytes);
    return tsl_leave(x, st);
}

tsl_status tsl_geqp3_random(tsl_context *x, tsl_view A, tsl_view p, tsl_view tau, int64_t most, double tolerance, int64_t seed, int64_t *rank)
{
    return with_rank(x, &(tsl_call){.op = TSL_OP_GEQP3_RANDOM, .k = most, .rank = {.tolerance = tolerance, .seed = seed}, .v = {A, p, tau}}, 3, rank, NULL);
}

tsl_status tsl_gelsy(tsl_context *x, tsl_view A, tsl_view p, tsl_view B, double rcond, int64_t *rank)
{
    return with_rank(x, &(tsl_call){.op = TSL_OP_GELSY, .rank = {.tolerance = rcond}, .v = {A, p, B}}, 3, rank, NULL);
}

tsl_status tsl_gelsd(tsl_context *x, tsl_view A, tsl_view s, tsl_view B, double rcond, int64_t *rank, int64_t *info)
{
    return with_rank(x, &(tsl_call){.op = TSL_OP_GELSD, .rank = {.tolerance = rcond}, .v = {A, s, B}}, 3, rank, info);
}

static int64_t least_side(const tsl_call *c) { return tsl_min(c->v[0].m, c->v[0].n); }

static tsl_status check(tsl_context *x, const tsl_call *c)
{
    tsl_status st = tsl_need_plain(x, c, 0);
    if (!st) st = tsl_need_pivots(x, c, 1, c->v[0].n);
    return st ? st : tsl_need_column_of(x, c, 2, least_side(c));
}

static tsl_status check_random(tsl_context *x, const tsl_call *c)
{
    tsl_status st = check(x, c);
    if (!st && c->k < 0) st = tsl_refuse(x, c, TSL_ERR_SIZE, "the rank to stop at is %lld", (long long)c->k);
    return st || c->rank.tolerance >= 0 ? st : tsl_refuse(x, c, TSL_ERR_FLAG, "the tolerance is negative, or no number");
}

static tsl_status check_squares(tsl_context *x, const tsl_call *c)
{
    const tsl_view *A = &c->v[0];
    tsl_status st = tsl_need_plain(x, c, 0);
    if (!st) st = tsl_need_plain(x, c, 2);
    return st || c->v[2].m == tsl_max(A->m, A->n) ? st : tsl_misfit(x, c, "B must have as many rows as the longer side of A");
}

static tsl_status check_gelsy(tsl_context *x, const tsl_call *c)
{
    tsl_status st = check_squares(x, c);
    return st ? st : tsl_need_pivots(x, c, 1, c->v[0].n);
}

static tsl_status check_gelsd(tsl_context *x, const tsl_call *c)
{
    tsl_status st = check_squares(x, c);
    return st ? st : tsl_need_column_of(x, c, 1, least_side(c));
}

/* Pivoted QR of A, and a product with the higher of its Q and that of what is as high as A is wide */
static int parts_of_gelsy(const tsl_context *x, const tsl_call *c, tsl_matrix mat[2], tsl_call part[])
{
    (void)x;
    tsl_view A = c->v[0], B = c->v[2];
    int64_t d = least_side(c);
    mat[0] = (tsl_matrix){.ctx = A.mat->ctx, .type = A.mat->type, .m = A.n, .n = d};
    mat[1] = (tsl_matrix){.ctx = A.mat->ctx, .type = A.mat->type, .m = d, .n = 1};
    tsl_view F = A.m < A.n ? tsl_whole(mat) : tsl_sub(A, 0, 0, A.m, d);
    part[0] = (tsl_call){.op = TSL_OP_GEQP3, .v = {A, c->v[1], tsl_whole(&mat[1])}};
    part[1] = (tsl_call){.op = TSL_OP_ORMQR, .trans = TSL_HERM, .v = {F, tsl_whole(&mat[1]), tsl_sub(B, 0, 0, F.m, B.n)}};
    return 2;
}

/* Of a whole matrix its rows, of a panel its columns */
static int64_t rows(const tsl_call *c) { return c->v[0].m; }
static int64_t steps(const tsl_call *c) { return c->k; }

/* Columns as seen may be rows as stored. */
static tsl_status canon_lines(tsl_context *x, const tsl_call *c, tsl_leaf *l)
{
    (void)x;
    l->side = c->v[0].op & TSL_TRANS ? TSL_LEFT : TSL_RIGHT;
    return TSL_OK;
}

const tsl_rules tsl_lapmt_rules = {.check = tsl_unchecked, .canon = canon_lines};
const tsl_rules tsl_fixed_rules = {.check = tsl_unchecked};
const tsl_rules tsl_trrank_rules = {.check = tsl_unchecked};
const tsl_rules tsl_lsdiv_rules = {.check = tsl_unchecked};
const tsl_rules tsl_laqp2_rules = {.check = tsl_unchecked, .order = rows};
const tsl_rules tsl_laqps_rules = {.check = tsl_unchecked, .order = steps};
const tsl_rules tsl_geqp3_rules = {.check = check, .order = least_side};
const tsl_rules tsl_geqp3_random_rules = {.check = check_random, .order = least_side};
const tsl_rules tsl_gelsy_rules = {.check = check_gelsy, .order = least_side, .parts = parts_of_gelsy};
static bool is_small(const tsl_call *c) { return least_side(c) <= TSL_MANY_MOST; }

const tsl_rules tsl_gelsd_rules = {
    .check = check_gelsd, .cuts_batch = is_small, .order = least_side, .parts = tsl_parts_of_svd};
