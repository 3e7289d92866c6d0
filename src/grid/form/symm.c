/* Products with a symmetric or Hermitian matrix that stays where it is, for narrow factors. Each process has a part of one of
 * its triangles, and uses it twice: A1 X belongs to the rows that A1 has in the matrix, and A1^H V, by symmetry, to those that
 * are its columns. So B goes to where the columns of A are and to where its rows are, and two sums make the result. */
#include <complex.h>

#include "grid/form/form.h"

typedef struct halves {
    tsl_context *x;
    tsl_grid *g;
    tsl_opcode op; /* of blocks on the diagonal */
    tsl_scalar alpha;
    bool herm;
    tsl_view A, X, V, Y, Z; /* local: Y := alpha A X, Z := alpha A^H V */
} halves;

static tsl_view rows_of(tsl_view X, int64_t i, int64_t m) { return tsl_sub(X, i, 0, m, X.n); }

static void piece(void *user, int64_t i, int64_t j, int64_t m, int64_t n, bool diagonal)
{
    const halves *h = user;
    tsl_view A = tsl_sub(h->A, i, j, m, n), Y = rows_of(h->Y, i, m), Z = rows_of(h->Z, j, n);
    if (diagonal) {
        tsl_call c = {.op = h->op, .alpha = h->alpha, .beta = 1, .v = {tsl_lower(A), rows_of(h->X, j, n), Y}};
        tsl_locally(h->x, h->g, &c);
        return;
    }
    tsl_product_here(h->x, h->g, h->alpha, A, rows_of(h->X, j, n), 1, Y);
    tsl_product_here(h->x, h->g, h->alpha, h->herm ? tsl_herm(A) : tsl_trans(A), rows_of(h->V, i, m), 1, Z);
}

static void clear(tsl_context *x, tsl_view Y)
{
    tsl_locally(x, tsl_grid_of(Y), &(tsl_call){.op = TSL_OP_SCALE, .alpha = 0, .v = {tsl_local(Y)}});
}

/* A matrix like B, but in that layout */
static tsl_view laid_out(tsl_context *x, tsl_dmatrix *D, const tsl_layout *l, tsl_view B)
{
    tsl_view S = tsl_work_matrix(x, D, l, B.mat->type, B.m, B.n);
    S.op = B.op;
    return S;
}

/* C := C + Y + Z: sums over the processes that have parts of each. Where several have to sum the same each takes a share of it,
 * so that nothing is sent to all of them but the end. */
static void sum_up(tsl_context *x, tsl_view Y, tsl_view Z, tsl_view C)
{
    tsl_layout l;
    tsl_dmatrix D[2];
    tsl_view S = C, T = Z;
    if (tsl_transfer_shares(Z, Z, &l)) {
        T = laid_out(x, &D[0], &l, Z);
        clear(x, T);
        tsl_transfer_now(x, Z, T, true);
    }
    if (tsl_transfer_shares(Y, C, &l)) {
        S = laid_out(x, &D[1], &l, C);
        tsl_transfer_now(x, C, S, false);
    }
    tsl_transfer_now(x, Y, S, true);
    tsl_transfer_now(x, T, S, true);
    if (S.mat != C.mat) tsl_transfer_now(x, S, C, false);
}

/* C := alpha A B + C, A from the left */
static void strip(tsl_context *x, const tsl_call *c, bool herm, tsl_view A, tsl_view B, tsl_view C)
{
    tsl_grid *g = tsl_grid_of(C);
    tsl_work_mark mark = tsl_work_now(g);
    tsl_layout rows = tsl_panel_layout(A, 0), cols = tsl_panel_layout(tsl_trans(A), 0);
    tsl_type type = A.mat->type;
    int64_t n = tsl_rows(B), w = tsl_cols(B);
    tsl_dmatrix S[4];
    tsl_view X = tsl_work_matrix(x, &S[0], &cols, type, n, w), V = tsl_work_matrix(x, &S[1], &rows, type, n, w);
    tsl_view Y = tsl_work_matrix(x, &S[2], &rows, type, n, w), Z = tsl_work_matrix(x, &S[3], &cols, type, n, w);
    halves h = {x, g, c->op, c->alpha, herm, tsl_local(A), tsl_local(X), tsl_local(V), tsl_local(Y), tsl_local(Z)};
    tsl_transfer_now(x, B, X, false);
    tsl_transfer_now(x, B, V, false);
    clear(x, Y);
    clear(x, Z);
    tsl_triangle_walk(A, piece, &h);
    sum_up(x, Y, Z, C);
    tsl_work_back(g, mark);
}

void tsl_symm_in_place(tsl_context *x, const tsl_call *given, bool herm)
{
    tsl_call c = *given;
    tsl_view (*turn)(tsl_view) = herm ? tsl_herm : tsl_trans;
    tsl_view A = tsl_general(tsl_seen_lower(c.v[0], herm)), B = c.v[1], C = c.v[2];
    if (c.side == TSL_RIGHT) B = turn(B), C = turn(C); /* (B A)^H = A B^H */
    if (c.side == TSL_RIGHT && herm) c.alpha = conj(c.alpha);
    tsl_dist_scale(x, &(tsl_call){.op = TSL_OP_SCALE, .alpha = c.beta, .v = {c.v[2]}});
    for (int64_t j = 0; j < tsl_cols(C); j += TSL_WIDE_COLUMNS)
        strip(x, &c, herm, A, tsl_block_cols(B, j, TSL_WIDE_COLUMNS).A1, tsl_block_cols(C, j, TSL_WIDE_COLUMNS).A1);
}
