/* Norms of matrices: general ones, and those a triangle stands for; of whole ones (norm) and of their columns (colnorm). */
#include "ops/inner.h"
#include "ops/ops.h"

tsl_status tsl_norm(tsl_context *x, tsl_norm_kind kind, tsl_structure structure, tsl_view A, double *result)
{
    tsl_typed_scalar value;
    tsl_status st = tsl_enter(&x);
    if (st) return st;
    tsl_call c = {.op = TSL_OP_NORM, .norm = {.kind = kind, .structure = structure}, .v = {A}};
    if (!result) c.refused = tsl_fail(x, TSL_ERR_NULL, "norm: no place for the result");
    if (result && tsl_is_batch(&c)) return tsl_leave(x, tsl_execute_doubles(x, &c, result, 0));
    st = tsl_execute_value(x, &c, &value);
    if (!st) *result = value.d;
    return tsl_leave(x, st);
}

static tsl_status check(tsl_context *x, const tsl_call *c)
{
    const tsl_view *A = &c->v[0];
    if ((unsigned)c->norm.kind > TSL_NORM_FRO) return tsl_fail(x, TSL_ERR_FLAG, "norm: no kind %d", (int)c->norm.kind);
    if ((unsigned)c->norm.structure > TSL_TRIANGULAR) return tsl_fail(x, TSL_ERR_FLAG, "norm: no structure %d", (int)c->norm.structure);
    bool mirrored = A->uplo != TSL_GENERAL && c->norm.structure != TSL_TRIANGULAR;
    tsl_status st = A->uplo == TSL_GENERAL || mirrored ? tsl_need_diagonal(x, c, 0) : TSL_OK;
    return !st && mirrored ? tsl_need_triangle(x, c, 0) : st;
}

/* Conjugation changes no size; transposition makes columns of rows, unless the matrix is its own transpose but for that. */
static tsl_status canon(tsl_context *x, const tsl_call *c, tsl_leaf *l)
{
    (void)x;
    const tsl_view *A = &c->v[0];
    bool sums = c->norm.kind == TSL_NORM_ONE || c->norm.kind == TSL_NORM_INF;
    l->norm.kind = sums && (A->op & TSL_TRANS) ? (tsl_norm_kind)(TSL_NORM_ONE + TSL_NORM_INF - c->norm.kind) : c->norm.kind;
    l->norm.structure = A->uplo == TSL_GENERAL ? TSL_TRIANGULAR : c->norm.structure;
    return TSL_OK;
}

const tsl_rules tsl_norm_rules = {.check = check, .canon = canon};

void tsl_colnorm(tsl_context *x, tsl_norm_kind kind, tsl_structure structure, tsl_view A, tsl_view s)
{
    tsl_execute(x, &(tsl_call){.op = TSL_OP_COLNORM, .norm = {.kind = kind, .structure = structure}, .v = {A, s}});
}

/* Columns as seen are rows of what is stored, if it is seen transposed. */
static tsl_status canon_columns(tsl_context *x, const tsl_call *c, tsl_leaf *l)
{
    tsl_status st = canon(x, c, l);
    l->norm.kind = c->norm.kind;
    l->m = c->v[0].m;
    l->n = c->v[0].n;
    l->A.op = (tsl_op)(c->v[0].op & TSL_TRANS);
    return st;
}

const tsl_rules tsl_colnorm_rules = {.check = check, .canon = canon_columns};
