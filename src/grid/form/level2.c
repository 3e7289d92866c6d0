/* Matrix times vector. The vector is spread to where the columns of A are, multiplied, and the products are summed. And updates
 * by vectors, which are those by matrices of one column. */
#include "grid/form/form.h"

static tsl_view upright(tsl_view v) { return tsl_cols(v) == 1 ? v : tsl_trans(v); }

void tsl_dist_gemv(tsl_context *x, const tsl_call *c)
{
    tsl_dist_gemm(
        x,
        &(tsl_call){.op = TSL_OP_GEMM, .alpha = c->alpha, .beta = c->beta, .v = {c->v[0], upright(c->v[1]), upright(c->v[2])}});
}

/* Local pieces of A's lower triangle: each also stands for its mirror image. */
typedef struct product {
    tsl_context *x;
    tsl_grid *g;
    tsl_opcode op;
    tsl_scalar alpha;
    tsl_view A, x_cols, x_rows, y_rows, y_cols; /* local; x and y as the columns and the rows of A lie */
} product;

static void times(const product *p, tsl_opcode op, tsl_view A, tsl_view X, tsl_view Y)
{
    tsl_locally(p->x, p->g, &(tsl_call){.op = op, .alpha = p->alpha, .beta = 1, .v = {A, X, Y}});
}

static void piece(void *user, int64_t i, int64_t j, int64_t m, int64_t n, bool diagonal)
{
    const product *p = user;
    tsl_view A = tsl_sub(p->A, i, j, m, n), y = tsl_sub(p->y_rows, i, 0, m, 1), X = tsl_sub(p->x_cols, j, 0, n, 1);
    if (diagonal) {
        times(p, p->op, tsl_lower(A), X, y);
        return;
    }
    times(p, TSL_OP_GEMV, A, X, y);
    times(p, TSL_OP_GEMV, tsl_is_hermitian(p->op) ? tsl_herm(A) : tsl_trans(A), tsl_sub(p->x_rows, i, 0, m, 1),
          tsl_sub(p->y_cols, j, 0, n, 1));
}

void tsl_dist_symv(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0], X = upright(c->v[1]), Y = upright(c->v[2]);
    tsl_grid *g = tsl_grid_of(A);
    tsl_type type = A.mat->type;
    A = tsl_seen_lower(A, tsl_is_hermitian(c->op));
    tsl_work_mark mark = tsl_work_now(g);
    tsl_layout rows = tsl_panel_layout(A, 0), cols = tsl_panel_layout(tsl_trans(A), 0);
    tsl_dmatrix S[4];
    tsl_view x_cols = tsl_work_matrix(x, &S[0], &cols, type, A.m, 1), x_rows = tsl_work_matrix(x, &S[1], &rows, type, A.m, 1);
    tsl_view y_cols = tsl_work_matrix(x, &S[2], &cols, type, A.m, 1), y_rows = tsl_work_matrix(x, &S[3], &rows, type, A.m, 1);
    /* x to the columns of A, and to its rows */
    tsl_transfer_now(x, X, x_cols, false);
    tsl_transfer_now(x, X, x_rows, false);
    /* y := A x, in two parts that lie as the columns and as the rows of A */
    tsl_dist_scale(x, &(tsl_call){.op = TSL_OP_SCALE, .alpha = 0, .v = {y_cols}});
    tsl_dist_scale(x, &(tsl_call){.op = TSL_OP_SCALE, .alpha = 0, .v = {y_rows}});
    product p = {.x = x, .g = g, .op = c->op, .alpha = c->alpha, .A = tsl_general(tsl_local(A)), .x_cols = tsl_local(x_cols),
                 .x_rows = tsl_local(x_rows), .y_rows = tsl_local(y_rows), .y_cols = tsl_local(y_cols)};
    tsl_triangle_walk(tsl_general(A), piece, &p);
    /* Y := beta Y + both */
    tsl_dist_scale(x, &(tsl_call){.op = TSL_OP_SCALE, .alpha = c->beta, .v = {Y}});
    tsl_transfer_now(x, y_rows, Y, true);
    tsl_transfer_now(x, y_cols, Y, true);
    tsl_work_back(g, mark);
}

void tsl_dist_rank_1(tsl_context *x, const tsl_call *c)
{
    bool two = tsl_ops[c->op].operands == 3, herm = tsl_is_hermitian(c->op);
    tsl_view X = upright(c->v[0]), Y = upright(c->v[1]), A = c->v[two ? 2 : 1];
    if (tsl_triangle(A) == TSL_GENERAL) {
        /* A := alpha x y^T + A */
        tsl_dist_gemm(x, &(tsl_call){.op = TSL_OP_GEMM, .alpha = c->alpha, .beta = 1, .v = {X, tsl_trans(Y), A}});
        return;
    }
    tsl_opcode one_by = herm ? TSL_OP_HERK : TSL_OP_SYRK, two_by = herm ? TSL_OP_HER2K : TSL_OP_SYR2K;
    tsl_call update = {.op = two ? two_by : one_by, .alpha = c->alpha, .beta = 1, .v = {X, two ? Y : A, A}};
    /* A := alpha x x^T + A, or x^H; of two vectors the second one's turn too */ tsl_dist_update(x, &update);
}
