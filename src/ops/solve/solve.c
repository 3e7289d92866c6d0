/* A X = B in mixed precision: the precisions A is factored in, one after the other (solve), and one of them (refine) */
#include <math.h>
#include <string.h>

#include "core/sized.h"
#include "ops/lu/lu.h"
#include "ops/solve/solve.h"

static bool definite(const tsl_view *A) { return A->uplo != TSL_GENERAL; }

static tsl_status check(tsl_context *x, const tsl_call *c)
{
    const tsl_view *A = &c->v[0], *p = &c->v[1];
    tsl_status st = definite(A) ? tsl_need_diagonal(x, c, 0) : TSL_OK;
    if (!st && A->m != A->n)
        st = tsl_refuse(x, c, TSL_ERR_SHAPE, "A is %lld x %lld, must be square", (long long)tsl_rows(*A), (long long)tsl_cols(*A));
    if (!st && p->m > 0) st = tsl_need_pivots(x, c, 1, A->m);
    if (!st) st = tsl_need_general(x, c, 2);
    if (!st) st = tsl_need_general(x, c, 3);
    if (st) return st;
    if (tsl_rows(c->v[2]) != A->m) return tsl_misfit(x, c, "A's order must be B's rows");
    bool same = tsl_rows(c->v[2]) == tsl_rows(c->v[3]) && tsl_cols(c->v[2]) == tsl_cols(c->v[3]);
    return same ? TSL_OK : tsl_misfit(x, c, "B and X differ in size");
}

static int64_t order(const tsl_call *c) { return c->v[0].m; }

/* The factors and one solution; corrections come beside. */
static double flops(const tsl_call *c)
{
    tsl_opcode by = definite(&c->v[0]) ? TSL_OP_POSV : TSL_OP_GESV;
    return tsl_flops_of(tsl_ops[by].flops, c->v[0].mat->type, 0, c->v[0].m, tsl_cols(c->v[2]));
}

const tsl_rules tsl_refine_rules = {.check = check, .order = order, .flops = flops};

static bool short_of_memory(tsl_status st) { return st == TSL_ERR_MEMORY || st == TSL_ERR_DEVICE_MEMORY; }

static bool distributed(const tsl_call *c) { return c->v[0].mat->remote; }

/* Variants of refine itself are no variants of what comes beside it, which goes by "auto". */
static bool is_own(const tsl_context *x)
{
    int variant;
    return tsl_find_variant(TSL_OP_REFINE, x->variant, &variant) && variant >= 0;
}

/* The call by factors of A's own precision, in place */
static tsl_call by_own(const tsl_call *c)
{
    if (definite(&c->v[0])) return (tsl_call){.op = TSL_OP_POSV, .args = c->args, .v = {c->v[0], c->v[3]}};
    return (tsl_call){.op = TSL_OP_GESV, .args = c->args, .v = {c->v[0], c->v[1], c->v[3]}};
}

tsl_status tsl_solve_variant(tsl_context *x, const tsl_call *c)
{
    tsl_call own = by_own(c);
    if (tsl_is_tiled(c) && !strcmp(x->variant, "butterfly"))
        return tsl_refuse(x, c, TSL_ERR_OPTION, "there is no variant '%s' of it by tiles", x->variant);
    tsl_status st = is_own(x) ? TSL_OK : tsl_check_variant(x, &own, NULL, "");
    if (st || is_own(x)) return st;
    if (distributed(c)) return c->v[0].mat->remote->check_variant(x, &own);
    if (tsl_takes_variant(x, own.op, tsl_by_tiles.takes) || tsl_by_tiles.decide(x, &own).path != TSL_BY_TILES) return TSL_OK;
    return tsl_check_variant(x, &own, tsl_by_tiles.takes, " by tiles");
}

tsl_status tsl_solve_low(tsl_context *x, const tsl_call *c)
{
    tsl_status st = tsl_execute_info(x, c, NULL);
    if (short_of_memory(st)) c->results->count = TSL_LOW_FAILED;
    return short_of_memory(st) ? TSL_OK : st;
}

tsl_status tsl_solve_double(tsl_context *x, const tsl_call *c, int64_t *info)
{
    char variant[sizeof x->variant];
    tsl_call own = by_own(c);
    memcpy(variant, x->variant, sizeof variant);
    if (is_own(x)) strcpy(x->variant, "auto");
    tsl_status st = tsl_execute(x, &(tsl_call){.op = TSL_OP_COPY, .args = c->args, .v = {c->v[2], c->v[3]}});
    if (!st) st = tsl_execute_info(x, &own, info);
    memcpy(x->variant, variant, sizeof variant);
    return st;
}

/* Up to some order factors of A's own precision are faster: the tables say so by naming none of refine's algorithms. */
static bool pays(const tsl_context *x, const tsl_call *c) { return tsl_tuned_variant(x, c) != TSL_BY_LEAF; }

/* Of A's own precision */
static tsl_precision own_of(tsl_type t) { return tsl_is_double(t) ? TSL_FP64 : TSL_FP32; }

/* The first precision, and the one after it. On tensor cores products as accurate as those of single precision take three times
 * as long as the lowest, and save more corrections than that; without them nothing is below fp32. Nobody has measured what pays
 * of single precision, nor on grids. */
static tsl_precision first(const tsl_context *x, const tsl_call *c, const tsl_solve_options *o, bool wide)
{
    tsl_type t = c->v[0].mat->type;
    bool measured = tsl_is_double(t) && !distributed(c);
    tsl_precision wanted = o->lowest == TSL_AUTO ? (measured && pays(x, c) ? TSL_FP32 : own_of(t)) : o->lowest;
    if (wanted > TSL_FP32 && (!x->dev->be->accelerator || wide)) wanted = TSL_FP32;
    return tsl_is_lower(wanted, t) ? wanted : own_of(t);
}

static tsl_precision next(tsl_precision p, tsl_type t) { return p > TSL_FP32 ? TSL_FP32 : own_of(t); }

/* wide: by calls of their own, factors and columns in the host's memory */
static tsl_status by_precision(tsl_context *x, const tsl_call *c, bool wide, int64_t *info)
{
    bool lower = tsl_is_lower(c->refine.precision, c->v[0].mat->type);
    tsl_status st = wide ? tsl_solve_wide(x, c, info) : tsl_execute_info(x, c, lower ? NULL : info);
    if (!lower || !short_of_memory(st)) return st;
    c->results->count = TSL_LOW_FAILED;
    return TSL_OK;
}

static tsl_status by_precisions(tsl_context *x, tsl_call *c, const tsl_solve_options *o, bool wide, bool measured, tsl_solution *s)
{
    tsl_type t = c->v[0].mat->type;
    for (tsl_precision p = first(x, c, o, wide);; p = next(p, t)) {
        bool lower = tsl_is_lower(p, t);
        tsl_results r = {.method = lower ? TSL_BY_CORRECTIONS : TSL_BY_FACTORS};
        int64_t info = 0;
        c->refine.precision = p, c->refine.accuracy = o->accuracy, c->refine.any_size = true, c->refine.measured = measured;
        c->results = &r;
        tsl_status st = by_precision(x, c, wide, &info);
        if (!st && lower && r.count < 0) continue;
        for (int i = 0; info && i < TSL_SCALARS; ++i) r.scalar[i] = INFINITY;
        *s = (tsl_solution){.info = info, .iterations = tsl_max(0, r.count), .method = r.method, .precision = p, .backward_error = r.scalar[TSL_BACKWARD],
                            .forward_error = r.scalar[TSL_FORWARD], .condition = r.scalar[TSL_CONDITION], .singular = isinf(r.scalar[TSL_CONDITION])};
        return st;
    }
}

static tsl_status check_solve(tsl_context *x, const tsl_call *c, const tsl_solve_options *o)
{
    tsl_status st = tsl_check_operands(x, c);
    if (!st) st = check(x, c);
    if (!st && x->region && tsl_is_tiled(c))
        st = tsl_fail(x, TSL_ERR_LAYOUT, "solve: of tiled matrices it is no call of a region");
    if (!st && (unsigned)o->lowest > TSL_FP16) st = tsl_fail(x, TSL_ERR_OPTION, "solve: no precision %d", (int)o->lowest);
    if (!st && !(o->accuracy >= 0)) st = tsl_fail(x, TSL_ERR_OPTION, "solve: an accuracy of %g, must not be negative", o->accuracy);
    if (!st) st = tsl_solve_variant(x, c);
    return st || distributed(c) ? st : tsl_check_apart(x, c, tsl_locate_here);
}

tsl_status tsl_solve_sized(tsl_context *x, tsl_view A, tsl_view B, tsl_view X, const tsl_solve_options *options, size_t options_size,
                           tsl_solution *result, size_t result_size)
{
    tsl_solve_options o = {.lowest = TSL_AUTO};
    tsl_args d = {.routine = "solve", .type = -1};
    tsl_solution s = {.info = 0};
    tsl_status st = tsl_enter(&x);
    if (st) return st;
    tsl_matrix none = tsl_borrow(x, TSL_INDEX, 0, 1, NULL, 1);
    tsl_call c = {.op = TSL_OP_REFINE, .args = &d, .v = {A, tsl_whole(&none), B, X}};
    if (options && !tsl_take_sized(&o, sizeof o, options, options_size))
        st = tsl_fail(x, TSL_ERR_SIZE, "solve: options of %zu bytes, must be %zu with no field of a later version set", options_size, sizeof o);
    tsl_matrix picked[TSL_MAX_OPERANDS];
    if (!st) st = tsl_need_problems(x, &c, picked);
    if (!st) st = check_solve(x, &c, &o);
    if (st && tsl_remote_of(x, &c)) { /* other processes must hear of it */
        c.refused = st;
        st = tsl_execute(x, &c);
    }
    bool wide = !st && tsl_is_tiled(&c);
    if (!st) st = by_precisions(x, &c, &o, wide, result != NULL, &s);
    if (st == TSL_ERR_DEVICE_MEMORY && !wide && !x->region && !distributed(&c)) st = by_precisions(x, &c, &o, true, result != NULL, &s);
    if (!st && result) tsl_give_sized(result, result_size, &s, sizeof s);
    return tsl_leave(x, st);
}
