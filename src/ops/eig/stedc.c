/* Eigenvalues and eigenvectors of a real symmetric tridiagonal matrix, given by its diagonal d and e beside it: by divide and
 * conquer, all or neighbouring ones (stedc); eigenvalues alone (sterf); times a matrix (steqr). */
#include "ops/qr/qr.h"

tsl_status tsl_stedc(tsl_context *x, tsl_view d, tsl_view e, int64_t first, tsl_view Z, int64_t *info)
{
    return tsl_execute_info(x, &(tsl_call){.op = TSL_OP_STEDC, .eig = {.first = first}, .v = {Z, d, e}}, info);
}

tsl_status tsl_sterf(tsl_context *x, tsl_view d, tsl_view e, int64_t *info)
{
    return tsl_execute_info(x, &(tsl_call){.op = TSL_OP_STERF, .v = {d, e}}, info);
}

tsl_status tsl_steqr(tsl_context *x, tsl_view d, tsl_view e, tsl_view Z, int64_t *info)
{
    return tsl_execute_info(x, &(tsl_call){.op = TSL_OP_STEQR, .steqr = {.by_qr = true}, .v = {Z, d, e}}, info);
}

static tsl_status check_vectors(tsl_context *x, const tsl_call *c)
{
    int64_t n = c->v[0].m;
    tsl_status st = tsl_need_general(x, c, 0);
    if (!st) st = tsl_need_stored(x, c, 0);
    if (!st) st = tsl_need_column_of(x, c, 1, n);
    return st ? st : tsl_need_column_of(x, c, 2, tsl_max(0, n - 1));
}

static tsl_status check_pairs(tsl_context *x, const tsl_call *c)
{
    tsl_status st = check_vectors(x, c);
    if (st || (c->eig.first >= 0 && c->eig.first <= c->v[0].m - c->v[0].n)) return st;
    return tsl_refuse(x, c, TSL_ERR_SIZE, "there are %lld eigenpairs, not %lld from number %lld on", (long long)c->v[0].m, (long long)c->v[0].n, (long long)c->eig.first);
}

static tsl_status check_product(tsl_context *x, const tsl_call *c)
{
    tsl_status st = check_vectors(x, c);
    return st || c->v[0].m == c->v[0].n ? st : tsl_misfit(x, c, "Z must be square");
}

static tsl_status check_values(tsl_context *x, const tsl_call *c)
{
    int64_t n = c->v[0].m;
    if (tsl_is_complex(c->v[0].mat->type)) return tsl_refuse(x, c, TSL_ERR_TYPE, "d is %c, must be real", tsl_type_letter(c->v[0].mat->type));
    tsl_status st = tsl_need_column_of(x, c, 0, n);
    return st ? st : tsl_need_column_of(x, c, 1, tsl_max(0, n - 1));
}

static int64_t order(const tsl_call *c) { return c->v[0].m; }
static bool wants_qr(const tsl_call *c) { return c->steqr.by_qr; }

const tsl_rules tsl_stedc_rules = {.check = check_pairs, .order = order};
const tsl_rules tsl_sterf_rules = {.check = check_values, .order = order};
const tsl_rules tsl_steqr_rules = {.check = check_product, .has_leaf = wants_qr, .order = order};
