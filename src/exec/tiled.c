/* Calls on tiled matrices: the same texts as on one device, with the tile size as the width of their panels, until every operand
 * lies in one tile; that is a task. */
#include "algo/algo.h"
#include "exec/tiled.h"

/* Tiles the view reaches over, as seen. */
static int64_t over(int64_t at, int64_t count, int64_t nb) { return (at + count - 1) / nb - at / nb + 1; }
static int64_t rows_over(const tsl_view *v)
{
    int64_t nb = v->mat->tiles->nb;
    return v->op & TSL_TRANS ? over(v->j, v->n, nb) : over(v->i, v->m, nb);
}
static int64_t cols_over(const tsl_view *v)
{
    int64_t nb = v->mat->tiles->nb;
    return v->op & TSL_TRANS ? over(v->i, v->m, nb) : over(v->j, v->n, nb);
}

/* Which text cuts the call further: along the columns of the result, then its rows, then the inner dimension. */
static tsl_algo cut_gemm(const tsl_call *c)
{
    if (cols_over(&c->v[2]) > 1) return tsl_gemm_mp;
    return rows_over(&c->v[2]) > 1 ? tsl_gemm_pm : tsl_gemm_pp;
}

static bool wide(const tsl_call *c, int out)
{
    return (c->side == TSL_LEFT ? cols_over(&c->v[out]) : rows_over(&c->v[out])) > 1;
}

static tsl_algo cut(const tsl_context *x, const tsl_call *c)
{
    int variant;
    switch (c->op) {
    case TSL_OP_GEMM: return cut_gemm(c);
    case TSL_OP_GEMMT: return rows_over(&c->v[2]) > 1 ? tsl_gemmt_rec : tsl_gemmt_pp;
    case TSL_OP_SYMM:
    case TSL_OP_HEMM: return wide(c, 2) ? tsl_symm_mp : tsl_symm_pm;
    case TSL_OP_SYRK:
    case TSL_OP_HERK: return rows_over(&c->v[1]) > 1 ? tsl_rank_k_mp : tsl_rank_k_pp;
    case TSL_OP_SYR2K:
    case TSL_OP_HER2K: return rows_over(&c->v[2]) > 1 ? tsl_rank_2k_mp : tsl_rank_2k_pp;
    case TSL_OP_TRMM: return wide(c, 1) ? tsl_trmm_mp : tsl_trmm_pm;
    case TSL_OP_TRSM: return wide(c, 1) ? tsl_trsm_mp : tsl_trsm_pp;
    case TSL_OP_POTRF:
        if (tsl_depth(x) == 1 && tsl_find_variant(c->op, x->variant, &variant) && variant >= 0) return tsl_text_of(variant);
        return x->runtime->in_order ? tsl_potrf_3 : tsl_potrf_1; /* looking left a tile is written once, whatever room there is */
    case TSL_OP_TRTRI: return tsl_trtri_sweep;
    case TSL_OP_LAUUM: return tsl_lauum_sweep;
    case TSL_OP_POTRI: return tsl_potri_parts;
    case TSL_OP_POTRS: return tsl_potrs_parts;
    case TSL_OP_POSV: return tsl_posv_parts;
    default: return NULL;
    }
}

/* Piece by piece, whatever their tiles */
static bool elementwise(tsl_opcode op) { return op == TSL_OP_COPY || op == TSL_OP_SCALE || op == TSL_OP_SINGULAR; }

bool tsl_has_tiled_form(tsl_opcode op)
{
    switch (op) {
    case TSL_OP_COPY: case TSL_OP_SCALE: case TSL_OP_GEMM: case TSL_OP_GEMMT: case TSL_OP_SYMM: case TSL_OP_HEMM: case TSL_OP_SYRK:
    case TSL_OP_HERK: case TSL_OP_SYR2K: case TSL_OP_HER2K: case TSL_OP_TRMM: case TSL_OP_TRSM: case TSL_OP_POTRF:
    case TSL_OP_SINGULAR: case TSL_OP_TRTRI: case TSL_OP_LAUUM: case TSL_OP_POTRI: case TSL_OP_POTRS: case TSL_OP_POSV: return true;
    default: return false;
    }
}

static tsl_status submit(tsl_context *x, const tsl_call *c)
{
    tsl_runtime *rt = x->runtime;
    int64_t info_base = c->v[0].mat == x->origin ? c->v[0].j - x->origin_at : 0;
    pthread_mutex_lock(&rt->lock);
    tsl_status st = tsl_submit(rt, c, info_base);
    pthread_mutex_unlock(&rt->lock);
    return st;
}

tsl_status tsl_tiled_run(tsl_context *x, const tsl_call *c)
{
    bool one = !tsl_ops[c->op].composite;
    for (int i = 0; i < tsl_ops[c->op].operands; ++i) one = one && tsl_in_one_tile(&c->v[i]);
    if (one) return submit(x, c);
    if (elementwise(c->op)) return tsl_tiled_blocks(x, c, submit);
    tsl_algo text = cut(x, c);
    return text ? tsl_run_text(x, c, text) : tsl_fail(x, TSL_ERR_LAYOUT, "%s: there is no tiled form of it", tsl_ops[c->op].name);
}
