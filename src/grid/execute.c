/* From a public call on distributed views to what computes it. */
#include <string.h>

#include "algo/algo.h"
#include "grid/grid.h"

typedef void (*native)(tsl_context *x, const tsl_call *c);

/* What an operation is computed by: in one go, or while its triangle is larger than a block, or where that is all, by the text. */
static const struct form {
    native fn;
    tsl_algo text;
} forms[TSL_OP_COUNT] = {
    [TSL_OP_COPY] = {tsl_dist_copy, NULL},
    [TSL_OP_SCALE] = {tsl_dist_scale, NULL},
    [TSL_OP_SCAL] = {tsl_dist_vectors, NULL},
    [TSL_OP_AXPY] = {tsl_dist_vectors, NULL},
    [TSL_OP_DOT] = {tsl_dist_number, NULL},
    [TSL_OP_NRM2] = {tsl_dist_number, NULL},
    [TSL_OP_ASUM] = {tsl_dist_number, NULL},
    [TSL_OP_NORM] = {tsl_dist_norm, NULL},
    [TSL_OP_GEMV] = {tsl_dist_gemv, NULL},
    [TSL_OP_SYMV] = {tsl_dist_symv, NULL},
    [TSL_OP_HEMV] = {tsl_dist_symv, NULL},
    [TSL_OP_GEMM] = {tsl_dist_gemm, NULL},
    [TSL_OP_SYMM] = {tsl_dist_gemm, NULL},
    [TSL_OP_HEMM] = {tsl_dist_gemm, NULL},
    [TSL_OP_GEMMT] = {tsl_dist_update, NULL},
    [TSL_OP_SYRK] = {tsl_dist_update, NULL},
    [TSL_OP_HERK] = {tsl_dist_update, NULL},
    [TSL_OP_SYR2K] = {tsl_dist_update, NULL},
    [TSL_OP_HER2K] = {tsl_dist_update, NULL},
    [TSL_OP_TRMM] = {tsl_dist_trxm, tsl_trmm_pp},
    [TSL_OP_TRSM] = {tsl_dist_trxm, tsl_trsm_pp},
    [TSL_OP_POTRF] = {tsl_dist_small, tsl_potrf_1},
    [TSL_OP_SINGULAR] = {tsl_dist_singular, NULL},
    [TSL_OP_TRTRI] = {tsl_dist_small, tsl_trtri_sweep},
    [TSL_OP_LAUUM] = {tsl_dist_small, tsl_lauum_sweep},
    [TSL_OP_POTRI] = {NULL, tsl_potri_parts},
    [TSL_OP_POTRS] = {NULL, tsl_potrs_parts},
    [TSL_OP_POSV] = {NULL, tsl_posv_parts},
};

/* Texts for grids, with look-ahead, in place of those unless the caller names another variant of the operation. */
static const tsl_algo tuned[TSL_OP_COUNT] = {[TSL_OP_POTRF] = tsl_dist_potrf, [TSL_OP_TRSM] = tsl_dist_trsm};

static bool plain(const tsl_context *x, tsl_opcode op)
{
    int variant;
    return tsl_find_variant(op, x->variant, &variant) && variant >= 0 && strcmp(x->variant, "ahead") != 0;
}

/* Those a caller may name here; looking ahead is another text than on one process, but does the same. */
static bool takes(tsl_opcode op, int variant)
{
    tsl_algo text = tsl_text_of(variant);
    return text == forms[op].text || text == tsl_potrf_ahead;
}

static tsl_algo text_of(const tsl_context *x, tsl_opcode op) { return tuned[op] && !plain(x, op) ? tuned[op] : forms[op].text; }

/* What one process can compute by itself: a triangle no larger than the blocks it is dealt out in. */
static int64_t block(const tsl_call *c)
{
    const tsl_layout *l = &tsl_dist(c->v[0])->layout;
    return l->rows.over ? l->rows.nb : l->cols.over ? l->cols.nb : INT64_MAX / 2;
}

/* A panel of a large triangle is several small blocks wide, so that products with it are efficient; its own triangle is then cut
 * into panels of one block, whose diagonal block is on one process. */
static int64_t panel(const tsl_call *c)
{
    enum { WIDE = 256 };
    int64_t nb = block(c), wide = nb < WIDE ? WIDE / nb * nb : nb;
    return c->v[0].m > 2 * wide ? wide : nb;
}

void tsl_share_info(tsl_context *x, tsl_grid *g)
{
    int64_t mine = g->info ? g->info : INT64_MAX, first = 0;
    if (g->rehearsing) return;
    tsl_wire_watch(x, g);
    tsl_all_reduce(g, &mine, &first, 1, MPI_MIN);
    g->info = first = first == INT64_MAX ? 0 : first;
    tsl_status st = tsl_copy_word(x, x->info, &first, sizeof first, TSL_TO_DEVICE), late = tsl_work_wait(x, g);
    if (st || late) tsl_blame(g, st ? st : late);
}

static void perform(tsl_context *x, const void *arg)
{
    const tsl_call *given = arg;
    tsl_call c = tsl_simplified(given);
    const struct form *f = &forms[c.op];
    tsl_grid *g = tsl_grid_of(c.v[0]);
    tsl_opcode outer = g->text;
    if (!tsl_is_trivial(&c)) {
        g->text = c.op;
        if (f->text && (!f->fn || c.v[0].m > block(&c))) text_of(x, c.op)(x, &c);
        else f->fn(x, &c);
        g->text = outer;
    }
    if (tsl_trait(c.op, TSL_HAS_INFO) && outer != c.op) tsl_share_info(x, g); /* not the blocks of one text: the next text may ask */
}

static bool same_processes(const tsl_grid *a, const tsl_grid *b)
{
    int result;
    return a == b || (!TSL_MPI(MPI_Comm_compare(a->comm, b->comm, &result)) && result != MPI_UNEQUAL);
}

static bool same_axis(tsl_axis a, tsl_axis b) { return a.over == b.over && a.nb == b.nb && a.offset == b.offset; }

/* One matrix, or one array that two describe alike, as ScaLAPACK's callers do with its parts. */
static bool same_storage(tsl_view a, tsl_view b)
{
    const tsl_layout *k = &tsl_dist(a)->layout, *l = &tsl_dist(b)->layout;
    if (a.mat == b.mat) return true;
    return a.mat->data && a.mat->data == b.mat->data && a.mat->ld == b.mat->ld && a.mat->m == b.mat->m && k->grid == l->grid &&
           same_axis(k->rows, l->rows) && same_axis(k->cols, l->cols);
}

tsl_area tsl_dist_locate(const tsl_call *c, int i, int k)
{
    tsl_view v = c->v[i], here = tsl_general(tsl_local(v));
    tsl_area a = tsl_area_of(&here);
    a.unplaced = !same_storage(v, c->v[k]);
    if (a.unplaced) return a;
    a = tsl_area_of(&v);
    a.space = v.mat == c->v[k].mat ? (void *)v.mat : v.mat->data;
    a.ld = tsl_max(1, v.mat->m);
    a.at = (size_t)(v.i + v.j * a.ld) * a.size;
    return a;
}

static tsl_status check(tsl_context *x, const tsl_call *c, const tsl_grid *g)
{
    tsl_status st = tsl_check_operands(x, c);
    for (int i = 0; i < tsl_ops[c->op].operands && !st; ++i) {
        const tsl_grid *own = c->v[i].mat->remote ? tsl_grid_of(c->v[i]) : NULL;
        if (!own) st = tsl_fail(x, TSL_ERR_GRID, "%s: %s is not distributed and others are", tsl_ops[c->op].name, tsl_ops[c->op].operand[i]);
        else if (c->op == TSL_OP_COPY ? !same_processes(own, g) : own != g)
            st = tsl_fail(x, TSL_ERR_GRID, "%s: %s is on another grid, of %d x %d, than others, of %d x %d",
                          tsl_ops[c->op].name, tsl_ops[c->op].operand[i], own->size[0], own->size[1], g->size[0], g->size[1]);
    }
    if (!st) st = tsl_rule[c->op]->check(x, c);
    if (!st && !forms[c->op].fn && !forms[c->op].text && g->size[0] * g->size[1] > 1)
        st = tsl_fail(x, TSL_ERR_LAYOUT, "%s: no form for distributed operands", tsl_ops[c->op].name);
    if (!st && g->size[0] * g->size[1] > 1) st = tsl_check_variant(x, c, takes, " on a grid of processes");
    if (st) return st;
    tsl_call s = tsl_simplified(c);
    return tsl_is_trivial(&s) ? TSL_OK : tsl_check_apart(x, &s, tsl_dist_locate);
}

/* What must be the same on all processes: the call, and what its steps depend on. */
static tsl_terms terms_of(const tsl_context *x, const tsl_call *c)
{
    tsl_terms t = {.call = tsl_ops[c->op].name, .kind = c->op};
    int64_t alpha[2], beta[2], settings = 0;
    memcpy(alpha, &c->alpha, sizeof alpha);
    memcpy(beta, &c->beta, sizeof beta);
    tsl_term_operands(&t, tsl_ops[c->op].operand, c->v, tsl_ops[c->op].operands);
    tsl_term_of(&t, "side, structure or kind", (int64_t[]){c->side, c->structure, c->kind}, 3);
    tsl_term_of(&t, "alpha", alpha, 2);
    tsl_term_of(&t, "beta", beta, 2);
    if (forms[c->op].text || forms[c->op].fn == tsl_dist_gemm)
        tsl_term_add(&t, "whether they compute in host memory", x->dev->shares_host);
    for (int op = 0; op < TSL_OP_COUNT && forms[c->op].text; ++op) /* a text may call any of them */
        if (tuned[op]) settings = settings << 1 | plain(x, (tsl_opcode)op);
    tsl_term_of(&t, "the variant", &settings, 1);
    return t;
}

/* One process: the local arrays are the matrices. How far a call got that failed is not known; arguments are looked at first. */
static tsl_status alone(tsl_context *x, tsl_grid *g, const tsl_call *given)
{
    tsl_call c = *given;
    for (int i = 0; i < tsl_ops[c.op].operands; ++i) c.v[i] = tsl_local(c.v[i]);
    tsl_status st = tsl_execute(x, &c);
    g->touched = st == TSL_OK || st == TSL_ERR_MEMORY || st == TSL_ERR_DEVICE_MEMORY || st == TSL_ERR_DEVICE;
    return st;
}

static tsl_status execute(tsl_context *x, const tsl_call *c)
{
    if (x->level > 0) {
        perform(x, c);
        return TSL_OK; /* what failed here is kept until all processes are through */
    }
    for (int i = 0; i < tsl_ops[c->op].operands; ++i)
        if (c->v[i].mat && c->v[i].mat->remote && !tsl_is_dist(c->v[i])) /* as on all processes */
            return tsl_bad(x, c, i, c->v[i].mat->ctx != x ? TSL_ERR_CONTEXT : TSL_ERR_GRID);
    tsl_grid *g = tsl_grid_meant(x, c->v, tsl_ops[c->op].operands);
    if (!g) return tsl_check_operands(x, c); /* no operand has a matrix, and there is none whose grid is still there */
    g->info = 0;
    g->touched = false;
    g->text = TSL_OP_COUNT;
    g->origin = c->v[0].mat;
    g->origin_at = c->v[0].j;
    tsl_status st = check(x, c, g);
    if (g->size[0] * g->size[1] == 1) return st ? st : alone(x, g, c);
    tsl_terms terms = terms_of(x, c);
    return tsl_collective(x, g, st, &terms, perform, c);
}

const tsl_remote_ops tsl_dist_ops = {execute, panel, tsl_dist_release, sizeof(tsl_dmatrix)};
