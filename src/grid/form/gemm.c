/* Matrix products. C stationary: for each panel of the inner dimension, columns of A go to where the rows of C are and rows of
 * B to where its columns are, the next panel's on its way while this one's product is computed. A stationary, where C and B are
 * narrow: B goes to where the columns of A are, and the local products are summed into C. B stationary is that of the
 * transposes. A symmetric A stays in another way (symm.c). */
#include <complex.h>
#include <math.h>

#include "grid/form/form.h"

void tsl_product_here(tsl_context *x, tsl_grid *g, tsl_scalar alpha, tsl_view A, tsl_view B, tsl_scalar beta, tsl_view C)
{
    tsl_call c = {.op = TSL_OP_GEMM, .alpha = alpha, .beta = beta, .v = {A, B, C}};
    if (tsl_rows(C) && tsl_cols(C)) tsl_locally(x, g, &c);
}

/* A factor that is symmetric or Hermitian, by a triangle, or any matrix. */
typedef struct factor {
    tsl_view A;
    bool symmetric, herm;
} factor;

/* A panel on its way: columns [k, k + kb) of a factor, in the layout of T. */
typedef struct fetch {
    tsl_dmatrix T, D, E;
    tsl_transfer way[3];
    int ways;
} fetch;

static tsl_view mirror(const factor *f, tsl_view A) { return f->herm ? tsl_herm(A) : tsl_trans(A); }

static void begin(fetch *f, tsl_context *x, tsl_view from, tsl_view to)
{
    if (to.m && to.n) tsl_transfer_begin(&f->way[f->ways++], x, from, to, false);
}

/* The diagonal block of a symmetric matrix, made whole where it is needed. */
static void expand(fetch *f, tsl_context *x, const factor *F, tsl_view A11, tsl_view T1)
{
    tsl_grid *g = tsl_grid_of(T1);
    tsl_layout everywhere = tsl_layout_whole(g, TSL_EVERY, TSL_EVERY);
    everywhere.scheme = tsl_dist(T1)->layout.scheme;
    int64_t n = A11.m;
    tsl_view D = tsl_work_matrix(x, &f->D, &everywhere, A11.mat->type, n, n);
    tsl_view E = tsl_work_matrix(x, &f->E, &everywhere, A11.mat->type, n, n);
    tsl_transfer t;
    tsl_transfer_begin(&t, x, tsl_general(A11), D, false);
    tsl_transfer_end(&t);
    tsl_view own = tsl_triangle(A11) == TSL_LOWER ? tsl_lower(tsl_local(D)) : tsl_upper(tsl_local(D));
    tsl_locally(
        x, g, &(tsl_call){.op = TSL_OP_EXPAND, .norm = {.structure = F->herm ? TSL_HERMITIAN : TSL_SYMMETRIC}, .v = {own, tsl_local(E)}});
    begin(f, x, E, T1);
}

/* T := columns [k, k + kb) of F, begun; T is seen with its columns as those. */
static void fetch_begin(fetch *f, tsl_context *x, const factor *F, int64_t k, int64_t kb, tsl_view T)
{
    if (!F->symmetric) {
        begin(f, x, tsl_block_cols(F->A, k, kb).A1, T);
        return;
    }
    bool lower = tsl_triangle(F->A) == TSL_LOWER;
    tsl_part3 P = tsl_partition(F->A, k, kb);
    tsl_strips S = tsl_block_rows(T, k, kb);
    /* T0 := A01 */ begin(f, x, lower ? mirror(F, P.A10) : P.A01, S.A0);
    /* T1 := A11 */ expand(f, x, F, P.A11, S.A1);
    /* T2 := A21 */ begin(f, x, lower ? P.A21 : mirror(F, P.A12), S.A2);
}

static void fetch_end(fetch *f)
{
    for (int i = 0; i < f->ways; ++i) tsl_transfer_end(&f->way[i]);
}

/* Both panels of one step. */
typedef struct step {
    fetch left, right;
    tsl_view L, R;
} step;

/* Does it lie with C already? Then it is used where it is. */
static bool lies(const factor *F, tsl_view C, int d) { return !F->symmetric && tsl_lies_with(F->A, C, d); }

static void step_begin(step *s, tsl_context *x, const factor *A, const factor *B, tsl_view C, int64_t k, int64_t kb)
{
    tsl_layout rows = tsl_panel_layout(C, 0), cols = tsl_panel_layout(C, 1);
    s->left.ways = s->right.ways = 0;
    if (lies(A, C, 0)) s->L = tsl_block_cols(A->A, k, kb).A1;
    else {
        s->L = tsl_work_matrix(x, &s->left.T, &rows, C.mat->type, tsl_rows(C), kb);
        fetch_begin(&s->left, x, A, k, kb, s->L);
    }
    if (lies(B, C, 1)) s->R = tsl_block_rows(B->A, k, kb).A1;
    else {
        factor turned = {tsl_trans(B->A), B->symmetric, B->herm};
        s->R = tsl_work_matrix(x, &s->right.T, &cols, C.mat->type, kb, tsl_cols(C));
        fetch_begin(&s->right, x, &turned, k, kb, tsl_trans(s->R));
    }
}

/* Panels wide enough for the local products to be efficient, and ending where blocks of A end. */
static int64_t width(const tsl_context *x, tsl_view A, int64_t k)
{
    tsl_axis a = tsl_seen_axis(A, 1);
    bool distributed = tsl_axis_size(tsl_grid_of(A), a.over) > 1;
    int64_t wide = tsl_width_product(x->dev->shares_host, distributed ? a.nb : 1), left = tsl_cols(A) - k;
    return tsl_min(left, distributed ? wide - (a.offset + k) % a.nb : wide);
}

static void c_stationary(tsl_context *x, const tsl_call *c, factor A, factor B)
{
    tsl_view C = c->v[2], own = tsl_local(C);
    tsl_grid *g = tsl_grid_of(C);
    int64_t n = tsl_cols(A.A), kb = width(x, A.A, 0), next;
    step s[2];
    tsl_work_fresh(x, g, TSL_SLOT_PRODUCT);
    step_begin(&s[0], x, &A, &B, C, 0, kb);
    for (int64_t k = 0, turn = 0; k < n; k += kb, kb = next, turn ^= 1) {
        step *now = &s[turn];
        next = k + kb < n ? width(x, A.A, k + kb) : 0;
        fetch_end(&now->left);
        fetch_end(&now->right);
        tsl_work_fresh(x, g, TSL_SLOT_PRODUCT + !turn);
        if (next) step_begin(&s[turn ^ 1], x, &A, &B, C, k + kb, next);
        /* C := alpha A1 B1 + C, and beta C the first time; C need not be on every process that has its factors */
        tsl_product_here(x, g, c->alpha, tsl_local(now->L), tsl_local(now->R), k == 0 ? c->beta : 1, own);
    }
    tsl_work_slot(g, 0);
}

/* C := alpha A B + beta C in panels of columns of B and C. */
static void a_stationary(tsl_context *x, const tsl_call *c, tsl_view A, tsl_view B, tsl_view C)
{
    tsl_grid *g = tsl_grid_of(C);
    tsl_dist_scale(x, &(tsl_call){.op = TSL_OP_SCALE, .alpha = c->beta, .v = {C}});
    for (int64_t j = 0; j < tsl_cols(C); j += TSL_WIDE_COLUMNS) {
        tsl_view B1 = tsl_block_cols(B, j, TSL_WIDE_COLUMNS).A1, C1 = tsl_block_cols(C, j, TSL_WIDE_COLUMNS).A1;
        tsl_work_mark mark = tsl_work_now(g);
        tsl_layout rows = tsl_panel_layout(A, 0), cols = tsl_panel_layout(tsl_trans(A), 0);
        tsl_dmatrix S, T;
        tsl_view X = tsl_work_matrix(x, &S, &cols, A.mat->type, tsl_rows(B1), tsl_cols(B1));
        tsl_view Y = tsl_work_matrix(x, &T, &rows, A.mat->type, tsl_rows(C1), tsl_cols(C1));
        tsl_transfer_now(x, B1, X, false);
        tsl_locally(
            x, g,
            &(tsl_call){.op = TSL_OP_GEMM, .alpha = c->alpha, .beta = 0, .v = {tsl_local(A), tsl_local(X), tsl_local(Y)}});
        tsl_transfer_now(x, Y, C1, true);
        tsl_work_back(g, mark);
    }
}

/* C^T := alpha B^T A^T + beta C^T, or of conjugates if B is seen as such: no plain conjugate of it is made. */
static void b_stationary(tsl_context *x, const tsl_call *c, tsl_view A, tsl_view B, tsl_view C)
{
    tsl_call turned = *c;
    tsl_view (*turn)(tsl_view) = B.op & TSL_CONJ ? tsl_herm : tsl_trans;
    if (B.op & TSL_CONJ) turned.alpha = conj(c->alpha), turned.beta = conj(c->beta);
    a_stationary(x, &turned, turn(B), turn(A), turn(C));
}

/* Every element of A on one process, and none of its directions left over. */
static bool is_distributed(tsl_view A)
{
    const tsl_layout *l = &tsl_dist(A)->layout;
    return tsl_layout_uses(l, 0) && tsl_layout_uses(l, 1);
}

static int lines(tsl_view v, int d) { return tsl_axis_size(tsl_grid_of(v), tsl_seen_axis(v, d).over); }

/* A whole C of factors of which only the inner dimension is distributed is a sum over those who have parts of that. */
static bool sums(tsl_view A, tsl_view C) { return lines(A, 1) > 1 && lines(A, 0) == 1 && lines(C, 0) == 1 && lines(C, 1) == 1; }

/* A, of whose copies those at the first places count */
static tsl_view one_copy(tsl_view A, tsl_dmatrix *D)
{
    *D = *tsl_dist(A);
    if (tsl_layout_fixed(&D->layout, 0) == TSL_EVERY) D->layout.row = 0; /* of a direction that is used it says nothing */
    if (tsl_layout_fixed(&D->layout, 1) == TSL_EVERY) D->layout.col = 0;
    A.mat = &D->head;
    return A;
}

static double share(tsl_view v, int d)
{
    return (double)(d ? tsl_cols(v) : tsl_rows(v)) / lines(v, d);
}

/* The ways of a product, and the elements a process receives, and for sums sends */
typedef struct ways { double by_c, by_a, by_b, by_halves; } ways;

static ways ways_of(const tsl_call *c, const factor *A, const factor *B)
{
    bool plain = tsl_is_general_product(c->op), halves = !plain && is_distributed(c->v[0]);
    tsl_view C = c->v[2], S = c->v[0];
    double k = (double)tsl_cols(A->A), m = (double)tsl_rows(C), n = (double)tsl_cols(C);
    return (ways){.by_c = k * (share(C, 0) + share(C, 1)),
                  .by_a = plain && is_distributed(A->A) ? n * (share(A->A, 0) + share(A->A, 1)) : HUGE_VAL,
                  .by_b = plain && is_distributed(B->A) ? m * (share(B->A, 0) + share(B->A, 1)) : HUGE_VAL,
                  .by_halves = halves ? 2 * (c->side == TSL_RIGHT ? m : n) * (share(S, 0) + share(S, 1)) : HUGE_VAL};
}

void tsl_dist_gemm(tsl_context *x, const tsl_call *c)
{
    bool plain = tsl_is_general_product(c->op), right = !plain && c->side == TSL_RIGHT;
    bool herm = tsl_is_hermitian(c->op) && tsl_is_complex(c->v[0].mat->type);
    /* The operand that is symmetric, if one is, is the call's first; from the right it is the second factor. */
    factor first = {c->v[0], !plain, herm}, second = {c->v[1], false, herm};
    factor A = right ? second : first, B = right ? first : second;
    tsl_view C = c->v[2];
    ways w = ways_of(c, &A, &B);
    tsl_dmatrix D;
    if (w.by_halves < w.by_c) tsl_symm_in_place(x, c, herm);
    else if (plain && sums(A.A, C)) a_stationary(x, c, one_copy(A.A, &D), B.A, C);
    else if (w.by_a < w.by_c && w.by_a <= w.by_b) a_stationary(x, c, A.A, B.A, C);
    else if (w.by_b < w.by_c) b_stationary(x, c, A.A, B.A, C);
    else c_stationary(x, c, A, B);
}

/* As c_stationary, of panels that set out together */
bool tsl_spread_begin(tsl_context *x, const tsl_call *c, tsl_spread *s)
{
    factor A = {c->v[0], false, false}, B = {c->v[1], false, false};
    tsl_view C = c->v[2];
    if (!tsl_is_general_product(c->op) || !tsl_lies_with(A.A, C, 0) || tsl_lies_with(B.A, C, 1)) return false;
    ways w = ways_of(c, &A, &B);
    if (w.by_b < w.by_c) return false;
    tsl_layout cols = tsl_panel_layout(C, 1);
    s->c = *c;
    s->c.v[1] = tsl_work_matrix(x, &s->D, &cols, C.mat->type, tsl_rows(B.A), tsl_cols(C));
    tsl_transfer_begin(&s->way, x, B.A, s->c.v[1], false);
    return true;
}

void tsl_spread_end(tsl_context *x, tsl_spread *s)
{
    tsl_view L = tsl_local(s->c.v[0]), R = tsl_local(s->c.v[1]), C = tsl_local(s->c.v[2]);
    int64_t n = tsl_cols(s->c.v[0]);
    tsl_transfer_end(&s->way);
    for (int64_t k = 0, kb; k < n; k += kb) {
        kb = width(x, s->c.v[0], k);
        tsl_product_here(x, tsl_grid_of(s->c.v[2]), s->c.alpha, tsl_block_cols(L, k, kb).A1, tsl_block_rows(R, k, kb).A1,
                         k == 0 ? s->c.beta : 1, C);
    }
}
