/* Updates of a triangle: C := beta C + the sum of one or two products, on a triangle of C. Panels of the left factors go to
 * where the rows of C are; from there, turned, to where its columns are. */
#include <complex.h>

#include "grid/form/form.h"

typedef struct term {
    tsl_scalar alpha;
    tsl_view A, B; /* alpha A B */
} term;

/* The product of two panels that are in place, on the part of C that is here. */
static void piece(void *user, int64_t i, int64_t j, int64_t m, int64_t n, bool diagonal)
{
    const tsl_product *p = user;
    tsl_view A = tsl_block_rows(tsl_local(p->L), i, m).A1, B = tsl_block_cols(tsl_local(p->R), j, n).A1;
    tsl_view C = tsl_sub(tsl_local(p->C), i, j, m, n);
    tsl_call c = {.op = TSL_OP_GEMM, .alpha = p->alpha, .beta = p->beta, .v = {A, B, C}};
    if (diagonal) c.op = p->diagonal, c.herm = p->herm, c.v[tsl_output(p->diagonal)] = tsl_lower(C);
    tsl_locally(p->x, tsl_grid_of(p->C), &c);
    tsl_ahead_poll(p->x, tsl_grid_of(p->C));
}

/* A A^T or A A^H, of one factor */
static bool is_rank_k(tsl_opcode op) { return tsl_trait(op, TSL_PRODUCT) && tsl_ops[op].operands == 2; }

void tsl_product_triangle(const tsl_product *p) { tsl_triangle_walk(p->C, piece, (void *)p); }

bool tsl_product_in_place(tsl_context *x, const tsl_call *c)
{
    tsl_view L = c->v[0], R = c->v[1], C = c->v[tsl_output(c->op)];
    tsl_grid *g = tsl_grid_of(C);
    bool herm = tsl_is_hermitian(c->op);
    if (tsl_is_general_product(c->op)) {
        if (!tsl_lies_with(L, C, 0) || !tsl_lies_with(R, C, 1)) return false;
        tsl_call here = *c;
        for (int i = 0; i < 3; ++i) here.v[i] = tsl_local(c->v[i]);
        if (here.v[2].m && here.v[2].n) tsl_locally(x, g, &here); /* C need not be on every process that has its factors */
        tsl_ahead_poll(x, g);
        return true;
    }
    if (!is_rank_k(c->op)) return false;
    C = tsl_general(tsl_seen_lower(C, herm));
    R = herm ? tsl_herm(L) : tsl_trans(L);
    if (!tsl_lies_with(L, C, 0) || !tsl_brought(x, &R, C, 1)) return false;
    tsl_product_triangle(&(tsl_product){.x = x, .diagonal = c->op, .alpha = c->alpha, .beta = c->beta, .L = L, .R = R, .C = C});
    return true;
}

/* Is C symmetric or Hermitian, as what is added to it? Else (gemmt) a triangle of a product is meant. */
static bool is_mirrored(tsl_opcode op) { return tsl_has_operand(op, TSL_IS_SYMMETRIC | TSL_IS_HERMITIAN); }

/* The products of a call whose C is seen as a lower triangle. */
static int terms(const tsl_call *c, bool swapped, term out[2])
{
    tsl_view A = c->v[0], B = is_rank_k(c->op) ? A : c->v[1];
    bool herm = tsl_is_hermitian(c->op);
    if (!is_mirrored(c->op)) out[0] = swapped ? (term){c->alpha, tsl_trans(B), tsl_trans(A)} : (term){c->alpha, A, B};
    else out[0] = (term){c->alpha, A, herm ? tsl_herm(B) : tsl_trans(B)};
    if (!is_mirrored(c->op) || is_rank_k(c->op)) return 1;
    out[1] = (term){herm ? conj(c->alpha) : c->alpha, B, herm ? tsl_herm(A) : tsl_trans(A)};
    return 2;
}

void tsl_dist_update(tsl_context *x, const tsl_call *c)
{
    tsl_view C = c->v[tsl_ops[c->op].operands - 1];
    tsl_grid *g = tsl_grid_of(C);
    bool upper = tsl_triangle(C) == TSL_UPPER, turns = is_mirrored(c->op), herm = tsl_is_hermitian(c->op);
    term t[2];
    int count = terms(c, upper, t);
    C = tsl_general(tsl_seen_lower(C, herm));
    tsl_product p = {.x = x, .diagonal = is_rank_k(c->op) ? c->op : TSL_OP_GEMMT, .C = C,
                     .herm = (herm || c->herm) && tsl_is_complex(C.mat->type)};
    tsl_layout rows = tsl_panel_layout(C, 0), cols = tsl_panel_layout(C, 1);
    int64_t k = tsl_cols(t[0].A), n = tsl_rows(C), kb = tsl_min(k, TSL_WIDE_UPDATE);
    for (int64_t at = 0; at < k; at += kb) {
        tsl_work_mark mark = tsl_work_now(g);
        tsl_dmatrix S[2], T[2];
        tsl_view L[2], R[2];
        int64_t w = tsl_min(kb, k - at);
        for (int i = 0; i < count; ++i) {
            L[i] = tsl_work_matrix(x, &S[i], &rows, C.mat->type, n, w);
            R[i] = tsl_work_matrix(x, &T[i], &cols, C.mat->type, w, n);
            tsl_transfer_now(x, tsl_block_cols(t[i].A, at, w).A1, L[i], false);
        }
        for (int i = 0; i < count; ++i) {
            tsl_view from = L[count - 1 - i]; /* the right factor is the other left one, turned */
            tsl_transfer_now(x, !turns ? tsl_block_rows(t[i].B, at, w).A1 : herm ? tsl_herm(from) : tsl_trans(from), R[i], false);
            p.L = L[i], p.R = R[i];
            p.alpha = t[i].alpha;
            p.beta = at == 0 && i == 0 ? c->beta : 1;
            tsl_product_triangle(&p);
        }
        tsl_work_back(g, mark);
    }
}
