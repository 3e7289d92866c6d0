/* On a triangle of C: C := alpha A A^T + beta C (syrk), alpha A A^H + beta C (herk), alpha A B^T + alpha B A^T + beta C
 * (syr2k), alpha A B^H + conj(alpha) B A^H + beta C (her2k) */
#include "ops/ops.h"

static tsl_status one(tsl_context *x, tsl_opcode op, tsl_scalar alpha, tsl_view A, tsl_scalar beta, tsl_view C)
{
    return tsl_execute(x, &(tsl_call){.op = op, .alpha = alpha, .beta = beta, .v = {A, C}});
}

static tsl_status two(tsl_context *x, tsl_opcode op, tsl_scalar alpha, tsl_view A, tsl_view B, tsl_scalar beta, tsl_view C)
{
    return tsl_execute(x, &(tsl_call){.op = op, .alpha = alpha, .beta = beta, .v = {A, B, C}});
}

tsl_status tsl_syrk(tsl_context *x, tsl_scalar alpha, tsl_view A, tsl_scalar beta, tsl_view C)
{
    return one(x, TSL_OP_SYRK, alpha, A, beta, C);
}

tsl_status tsl_herk(tsl_context *x, double alpha, tsl_view A, double beta, tsl_view C)
{
    return one(x, TSL_OP_HERK, alpha, A, beta, C);
}

tsl_status tsl_syr2k(tsl_context *x, tsl_scalar alpha, tsl_view A, tsl_view B, tsl_scalar beta, tsl_view C)
{
    return two(x, TSL_OP_SYR2K, alpha, A, B, beta, C);
}

tsl_status tsl_her2k(tsl_context *x, tsl_scalar alpha, tsl_view A, tsl_view B, double beta, tsl_view C)
{
    return two(x, TSL_OP_HER2K, alpha, A, B, beta, C);
}

/* The place of C among the operands: behind A, or A and B */
static int last(const tsl_call *c) { return tsl_ops[c->op].operands - 1; }

static bool hermitian(const tsl_call *c) { return tsl_is_hermitian(c->op) && tsl_is_complex(c->v[0].mat->type); }

static tsl_status check(tsl_context *x, const tsl_call *c)
{
    const tsl_view *v = c->v;
    int at = last(c);
    tsl_status st = TSL_OK;
    for (int i = 0; i < at && !st; ++i) st = tsl_need_general(x, c, i);
    if (!st) st = tsl_need_triangle(x, c, at);
    if (st) return st;
    if (at == 2 && (tsl_rows(v[1]) != tsl_rows(v[0]) || tsl_cols(v[1]) != tsl_cols(v[0]))) return tsl_misfit(x, c, "A and B differ in size");
    return tsl_rows(v[0]) == v[at].m ? TSL_OK : tsl_misfit(x, c, "C's order must be A's rows");
}

static bool simplify(const tsl_call *c, tsl_call *less)
{
    if (c->alpha != 0 && tsl_cols(c->v[0]) != 0) return false;
    /* by 1: BLAS leaves C alone, imaginary parts of its diagonal too */
    *less = (tsl_call){.op = TSL_OP_SCALE, .herm = hermitian(c) && c->beta != 1, .alpha = c->beta, .v = {c->v[last(c)]}};
    return true;
}

/* If the op of C conjugates its values, A and B are conjugated instead. BLAS has one flag for both: if theirs differ, they are
 * copied as they are seen. */
static tsl_status canon(tsl_context *x, const tsl_call *c, tsl_leaf *l)
{
    int inputs = last(c);
    const tsl_view *C = &c->v[inputs];
    bool herm = hermitian(c), flip = tsl_flips(tsl_reduced(C->op, l->type), herm);
    bool same = inputs == 1 || tsl_reduced(c->v[0].op, l->type) == tsl_reduced(c->v[1].op, l->type);
    for (int i = 0; i < inputs; ++i) {
        const tsl_view *v = &c->v[i];
        tsl_op seen = flip ? tsl_compose(v->op, TSL_CONJ) : v->op;
        tsl_status st = same ? tsl_input(x, v, seen, herm ? TSL_TRANS : TSL_HERM, &l->v[i]) : tsl_plain(x, v, seen, &l->v[i]);
        if (st) return st;
    }
    l->alpha = tsl_seen_scalar(c->alpha, flip ? TSL_CONJ : TSL_NOTRANS);
    l->beta = tsl_seen_scalar(c->beta, flip ? TSL_CONJ : TSL_NOTRANS);
    l->herm = herm;
    l->k = tsl_cols(c->v[0]);
    return TSL_OK;
}

static int64_t order(const tsl_call *c) { return c->v[last(c)].m; }

const tsl_rules tsl_syrk_rules = {.check = check, .simplify = simplify, .canon = canon, .order = order};
const tsl_rules tsl_herk_rules = {.check = check, .simplify = simplify, .canon = canon, .order = order};
const tsl_rules tsl_syr2k_rules = {.check = check, .simplify = simplify, .canon = canon, .order = order};
const tsl_rules tsl_her2k_rules = {.check = check, .simplify = simplify, .canon = canon, .order = order};
