/* Functions of a square matrix: the exponential (expm), the principal square root (sqrtm) and logarithm (logm). */
#include "ops/ops.h"

tsl_status tsl_expm(tsl_context *x, tsl_view A, int64_t *info) { return tsl_execute_info(x, &(tsl_call){.op = TSL_OP_EXPM, .v = {A}}, info); }

tsl_status tsl_sqrtm(tsl_context *x, tsl_view A, int64_t *info) { return tsl_execute_info(x, &(tsl_call){.op = TSL_OP_SQRTM, .v = {A}}, info); }

tsl_status tsl_logm(tsl_context *x, tsl_view A, int64_t *info) { return tsl_execute_info(x, &(tsl_call){.op = TSL_OP_LOGM, .v = {A}}, info); }

static tsl_status check(tsl_context *x, const tsl_call *c)
{
    tsl_status st = tsl_need_plain(x, c, 0);
    return st || c->v[0].m == c->v[0].n ? st : tsl_misfit(x, c, "A must be square");
}

static int64_t order(const tsl_call *c) { return c->v[0].m; }

/* By tiles no task is larger than those of a solution by LU. */
static int parts(const tsl_context *x, const tsl_call *c, tsl_matrix *mat, tsl_call part[])
{
    tsl_view A = c->v[0];
    (void)x;
    mat[0] = (tsl_matrix){.ctx = A.mat->ctx, .type = TSL_INDEX, .m = A.m, .n = 1};
    mat[1] = (tsl_matrix){.ctx = A.mat->ctx, .type = A.mat->type, .m = A.m, .n = A.n};
    part[0] = (tsl_call){.op = TSL_OP_GETRF, .v = {A, tsl_whole(&mat[0])}};
    part[1] = (tsl_call){.op = TSL_OP_GETRS, .v = {A, tsl_whole(&mat[0]), tsl_whole(&mat[1])}};
    return 2;
}

const tsl_rules tsl_expm_rules = {.check = check, .order = order, .parts = parts};
const tsl_rules tsl_sqrtm_rules = {.check = check, .order = order};
const tsl_rules tsl_logm_rules = {.check = check, .order = order, .parts = parts};
const tsl_rules tsl_trsqrt_rules = {.check = check, .order = order};
