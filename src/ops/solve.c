/* A X = B in mixed precision: the ladder of precisions down to which A is factored (solve), and one step of it (refine) */
#include <math.h>
#include <string.h>

#include "algo/algo.h"
#include "core/sized.h"
#include "ops/lu.h"
#include "ops/solve.h"

static bool definite(const tsl_view *A) { return A->uplo != TSL_GENERAL; }

static tsl_status check(tsl_context *x, const tsl_call *c)
{
    const tsl_view *A = &c->v[0], *p = &c->v[1];
    tsl_type t = A->mat->type;
    if (t != TSL_D && t != TSL_Z) return tsl_refuse(x, c, TSL_ERR_TYPE, "A is %c, must be of double precision", tsl_type_letter(t));
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

static void lend(tsl_context *x, const tsl_leaf *l, tsl_matrix mat[TSL_MAX_OPERANDS], tsl_call *c)
{
    c->v[0] = tsl_lent_triangle(x, l, &mat[0], l->m, l->A, l->lda);
    c->v[1] = tsl_lent_pivots(x, l, &mat[1], definite(&c->v[0]) ? 0 : l->m);
    c->v[2] = tsl_lent(x, l, &mat[2], l->m, l->n, l->B, l->ldb);
    c->v[3] = tsl_lent(x, l, &mat[3], l->m, l->n, l->C, l->ldc);
}

static int64_t order(const tsl_call *c) { return c->v[0].m; }

/* The factors and one solution; corrections come beside. */
static double flops(const tsl_call *c)
{
    tsl_opcode by = definite(&c->v[0]) ? TSL_OP_POSV : TSL_OP_GESV;
    return tsl_flops_of(tsl_ops[by].flops, c->v[0].mat->type, 0, c->v[0].m, tsl_cols(c->v[2]));
}

const tsl_rules tsl_refine_rules = {.check = check, .lend = lend, .order = order, .flops = flops};

static bool short_of_memory(tsl_status st) { return st == TSL_ERR_MEMORY || st == TSL_ERR_DEVICE_MEMORY; }

/* Some operand is tiled. */
static bool tiled(const tsl_call *c)
{
    for (int i = 0; i < tsl_ops[c->op].operands; ++i)
        if (c->v[i].mat->tiles) return true;
    return false;
}

/* The variant asked for, set aside where it is one of refine's: the calls beside that operation, which do not have it, go by "auto". */
typedef struct aside {
    char variant[sizeof((tsl_context *)0)->variant];
} aside;

static aside set_aside(tsl_context *x)
{
    aside was;
    int variant;
    memcpy(was.variant, x->variant, sizeof was.variant);
    if (tsl_find_variant(TSL_OP_REFINE, x->variant, &variant) && variant >= 0) strcpy(x->variant, "auto");
    return was;
}

static void put_back(tsl_context *x, aside was) { memcpy(x->variant, was.variant, sizeof was.variant); }

static tsl_status solve_wide(tsl_context *x, const tsl_call *c)
{
    if (!strcmp(x->variant, "butterfly")) return tsl_refuse(x, c, TSL_ERR_OPTION, "there is no variant '%s' of it by tiles", x->variant);
    aside was = set_aside(x);
    tsl_status st = tsl_solve_wide(x, c);
    put_back(x, was);
    return st;
}

tsl_status tsl_solve_low(tsl_context *x, const tsl_call *c)
{
    tsl_status st = tiled(c) ? solve_wide(x, c) : tsl_execute_info(x, c, NULL);
    if (short_of_memory(st)) c->refine->outcome = TSL_LOW_FAILED;
    return short_of_memory(st) ? TSL_OK : st;
}

tsl_status tsl_solve_double(tsl_context *x, tsl_door *d, tsl_view A, tsl_view p, tsl_view B, tsl_view X, int64_t *info)
{
    tsl_call c = {.op = TSL_OP_GESV, .door = d, .v = {A, p, X}};
    if (definite(&A)) c = (tsl_call){.op = TSL_OP_POSV, .door = d, .v = {A, X}};
    aside was = set_aside(x);
    tsl_status st = tsl_execute(x, &(tsl_call){.op = TSL_OP_COPY, .door = d, .v = {B, X}});
    if (!st) st = tsl_execute_info(x, &c, info);
    put_back(x, was);
    return st;
}

/* |A|, inf */
static tsl_status size_of(tsl_context *x, tsl_view A, double *size)
{
    double largest;
    return A.mat->tiles ? tsl_sizes_of(x, A, size, &largest) : tsl_norm(x, TSL_NORM_INF, TSL_HERMITIAN, A, size);
}

/* With F and p, the factors of A: of X the backward error, and the next correction beside X. R and Y are room for as many columns. */
static tsl_status measure(tsl_context *x, tsl_view A, tsl_view F, tsl_view p, tsl_view B, tsl_view X, tsl_view R, tsl_view Y, tsl_solution *s)
{
    double ratio = 0, largest, size = 0;
    aside was = set_aside(x);
    tsl_status st = tsl_copy(x, B, R);
    if (!st) st = tsl_copy(x, X, Y);
    if (!st) st = definite(&A) ? tsl_hemm(x, TSL_LEFT, -1, A, Y, 1, R) : tsl_gemm(x, -1, A, Y, 1, R);
    if (!st) st = size_of(x, A, &size);
    if (!st) st = tsl_ratio(x, R, Y, &ratio, &largest);
    s->backward_error = ratio > 0 ? ratio / size : ratio;
    if (!st) st = definite(&F) ? tsl_potrs(x, F, R) : tsl_getrs(x, F, p, R);
    if (!st) st = tsl_ratio(x, R, Y, &s->forward_error, &largest);
    put_back(x, was);
    return st;
}

/* A matrix like A: on the first device, or of a tiled A, which may be too large for that, in the host's memory */
typedef struct like {
    tsl_held held;
    tsl_matrix *mat;
} like;

static tsl_status make_like(tsl_context *x, const tsl_call *c, tsl_type type, int64_t m, int64_t n, like *l)
{
    *l = (like){.mat = NULL};
    if (!tiled(c)) return tsl_matrix_create(x, type, m, n, &l->mat);
    tsl_status st = tsl_held_make(x, type, m, n, &l->held);
    l->mat = &l->held.mat;
    return st;
}

static void unmake(tsl_context *x, like *l)
{
    if (l->mat != &l->held.mat) tsl_matrix_free(l->mat);
    tsl_held_free(x, &l->held);
}

/* By factors of double precision of a copy of A */
static tsl_status by_factors(tsl_context *x, const tsl_call *c, bool measured, tsl_solution *s)
{
    tsl_view A = c->v[0], B = c->v[2], X = c->v[3];
    like f, p = {.mat = NULL}, r = p, y = p;
    tsl_status st = make_like(x, c, A.mat->type, A.m, A.m, &f);
    if (!st) st = make_like(x, c, TSL_INDEX, definite(&A) ? 0 : A.m, 1, &p);
    if (!st && measured) st = make_like(x, c, A.mat->type, A.m, tsl_cols(B), &r);
    if (!st && measured) st = make_like(x, c, A.mat->type, A.m, tsl_cols(B), &y);
    if (!st) {
        tsl_view F = tsl_whole(f.mat), P = tsl_whole(p.mat);
        if (definite(&A)) F = tsl_triangle(A) == TSL_LOWER ? tsl_lower(F) : tsl_upper(F);
        *s = (tsl_solution){.method = TSL_BY_FACTORS, .precision = TSL_FP64, .backward_error = INFINITY, .forward_error = INFINITY};
        st = tsl_copy(x, A, F);
        if (!st) st = tsl_solve_double(x, NULL, F, P, B, X, &s->info);
        if (!st && measured && !s->info) st = measure(x, A, F, P, B, X, tsl_whole(r.mat), tsl_whole(y.mat), s);
    }
    unmake(x, &y), unmake(x, &r), unmake(x, &p), unmake(x, &f);
    return st;
}

/* Up to some order double factors are faster: the tables say so by naming none of refine's algorithms. */
static bool pays(const tsl_context *x, const tsl_call *c) { return tsl_tuned_variant(x, c) != TSL_BY_LEAF; }

/* The first rung, and the one after it. On tensor cores products as accurate as those of single precision take three times as long as the
 * lowest, and save more corrections than that; without them nothing is below fp32. */
static tsl_precision first(const tsl_context *x, const tsl_call *c, const tsl_solve_options *o)
{
    tsl_precision wanted = o->lowest == TSL_AUTO ? (pays(x, c) ? TSL_FP32 : TSL_FP64) : o->lowest;
    return wanted > TSL_FP32 && (!x->dev->be->accelerator || tiled(c)) ? TSL_FP32 : wanted;
}

static tsl_precision next(tsl_precision p) { return p > TSL_FP32 ? TSL_FP32 : TSL_FP64; }

static tsl_status ladder(tsl_context *x, tsl_call *c, const tsl_solve_options *o, bool measured, tsl_solution *s)
{
    for (tsl_precision p = first(x, c, o); p != TSL_FP64; p = next(p)) {
        tsl_refinement r = {.precision = p, .accuracy = o->accuracy, .any_size = true, .measured = measured};
        c->refine = &r;
        tsl_status st = tsl_solve_low(x, c);
        *s = (tsl_solution){.iterations = r.outcome, .method = r.method, .precision = p, .backward_error = r.backward, .forward_error = r.forward};
        if (st || r.outcome >= 0) return st;
    }
    return by_factors(x, c, measured, s);
}

static tsl_status check_solve(tsl_context *x, const tsl_call *c, const tsl_solve_options *o)
{
    tsl_status st = tsl_check_operands(x, c);
    if (!st) st = check(x, c);
    for (int i = 0; i < tsl_ops[c->op].operands && !st; ++i)
        if (c->v[i].mat->remote) st = tsl_fail(x, TSL_ERR_LAYOUT, "solve: %s is distributed, must be on one process", tsl_ops[c->op].operand[i]);
    if (!st && x->region && tiled(c)) st = tsl_fail(x, TSL_ERR_LAYOUT, "solve: of tiled matrices it is no call of a region");
    if (!st && (unsigned)o->lowest > TSL_FP16) st = tsl_fail(x, TSL_ERR_OPTION, "solve: no precision %d", (int)o->lowest);
    if (!st && !(o->accuracy >= 0)) st = tsl_fail(x, TSL_ERR_OPTION, "solve: an accuracy of %g, must not be negative", o->accuracy);
    return st ? st : tsl_check_apart(x, c, tsl_locate_here);
}

tsl_status tsl_solve_sized(tsl_context *x, tsl_view A, tsl_view B, tsl_view X, const tsl_solve_options *options, size_t options_size,
                           tsl_solution *result, size_t result_size)
{
    tsl_solve_options o = {.lowest = TSL_AUTO};
    tsl_door d = {.routine = "solve", .type = -1};
    tsl_solution s = {.info = 0};
    tsl_status st = tsl_enter(&x);
    if (st) return st;
    tsl_matrix none = tsl_borrow(x, TSL_INDEX, 0, 1, NULL, 1);
    tsl_call c = {.op = TSL_OP_REFINE, .door = &d, .v = {A, tsl_whole(&none), B, X}};
    if (options && !tsl_take_sized(&o, sizeof o, options, options_size))
        st = tsl_fail(x, TSL_ERR_SIZE, "solve: options of %zu bytes, must be %zu with no field of a later version set", options_size, sizeof o);
    if (!st) st = check_solve(x, &c, &o);
    if (!st) st = ladder(x, &c, &o, result != NULL, &s);
    if (!st && result) tsl_give_sized(result, result_size, &s, sizeof s);
    return tsl_leave(x, st);
}
