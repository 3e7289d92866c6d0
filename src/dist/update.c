/* Updates of a triangle: C := beta C + the sum of one or two products, on a triangle of C. Panels of the left factors go to
 * where the rows of C are; from there, turned, to where its columns are. */
#include <complex.h>

#include "dist/dist.h"

typedef struct term {
    tsl_scalar alpha;
    tsl_view A, B; /* alpha A B */
} term;

typedef struct update {
    tsl_context *x;
    tsl_grid *g;
    tsl_view own, L, R; /* local: C and the panels of this step */
    tsl_scalar alpha, beta;
    bool herm;
} update;

static void piece(void *user, int64_t i, int64_t j, int64_t m, int64_t n, bool diagonal)
{
    const update *u = user;
    tsl_view A = tsl_block_rows(u->L, i, m).A1, B = tsl_block_cols(u->R, j, n).A1, C = tsl_sub(u->own, i, j, m, n);
    tsl_locally(u->x, u->g, &(tsl_call){.op = diagonal ? TSL_OP_GEMMT : TSL_OP_GEMM, .herm = diagonal && u->herm, .alpha = u->alpha,
                                        .beta = u->beta, .v = {A, B, diagonal ? tsl_lower(C) : C}});
}

/* The products of a call whose C is seen as a lower triangle. */
static int terms(const tsl_call *c, bool swapped, term out[2])
{
    tsl_view A = c->v[0], B = c->v[1];
    bool herm = c->op == TSL_OP_HERK || c->op == TSL_OP_HER2K;
    switch (c->op) {
    case TSL_OP_GEMMT:
        out[0] = swapped ? (term){c->alpha, tsl_trans(B), tsl_trans(A)} : (term){c->alpha, A, B};
        return 1;
    case TSL_OP_SYRK:
    case TSL_OP_HERK:
        out[0] = (term){c->alpha, A, herm ? tsl_herm(A) : tsl_trans(A)};
        return 1;
    default:
        out[0] = (term){c->alpha, A, herm ? tsl_herm(B) : tsl_trans(B)};
        out[1] = (term){herm ? conj(c->alpha) : c->alpha, B, herm ? tsl_herm(A) : tsl_trans(A)};
        return 2;
    }
}

enum { WIDE = 256 };

void tsl_dist_update(tsl_context *x, const tsl_call *c)
{
    tsl_view C = c->v[tsl_ops[c->op].operands - 1];
    tsl_grid *g = tsl_grid_of(C);
    bool upper = tsl_triangle(C) == TSL_UPPER, turns = c->op != TSL_OP_GEMMT, herm = c->op == TSL_OP_HERK || c->op == TSL_OP_HER2K;
    term t[2];
    int count = terms(c, upper, t);
    C = tsl_general(tsl_seen_lower(C, herm));
    update u = {.x = x, .g = g, .own = tsl_local(C), .herm = (herm || c->herm) && tsl_is_complex(C.mat->type)};
    tsl_layout rows = tsl_panel_layout(C, 0), cols = tsl_panel_layout(C, 1);
    int64_t k = tsl_cols(t[0].A), n = tsl_rows(C), kb = tsl_min(k, WIDE);
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
            u.L = tsl_local(L[i]), u.R = tsl_local(R[i]);
            u.alpha = t[i].alpha;
            u.beta = at == 0 && i == 0 ? c->beta : 1;
            tsl_triangle_walk(C, piece, &u);
        }
        tsl_work_back(g, mark);
    }
}
