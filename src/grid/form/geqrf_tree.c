/* QR factorization of a panel on devices, in few steps. Every process factors the rows it has, R and all, and comes to know the
 * triangles of the others; it factors them as one matrix. So its rows of Q are those of its own times a block of that: with
 * both, A = Q R. All these blocks are triangles, and multiply as such from the right, so that what is no number in a column
 * stays out of those before it.
 *
 * Then the reflectors are found again, by everybody from a copy of the first n rows: Q - S = V U without pivots, S diagonal,
 * each sign chosen such that the pivot is 1 in size at least. The columns of V are LAPACK's reflectors, -U S V1^-H is their
 * triangle, and S R the factor (Ballard, Demmel, Grigori, Jacquelin, Knight, Nguyen, 2015). */
#include "grid/form/form.h"

typedef struct tree {
    tsl_context *x;
    tsl_grid *g;
    tsl_type type;
    tsl_matrix mat[9];
    int used;
} tree;

static tsl_view make(tree *t, tsl_type type, int64_t m, int64_t n)
{
    return tsl_work_dense(t->x, t->g, &t->mat[t->used++], type, m, n);
}

static void here(tsl_context *x, tsl_grid *g, tsl_call c)
{
    if (tsl_rows(c.v[tsl_output(c.op)]) && tsl_cols(c.v[tsl_output(c.op)])) tsl_locally(x, g, &c);
}

static void call(const tree *t, tsl_call c) { here(t->x, t->g, c); }

static void copy(const tree *t, tsl_view A, tsl_view B) { call(t, (tsl_call){.op = TSL_OP_COPY, .v = {A, B}}); }

/* B := what a triangle stands for, zeros written out */
static void expand(const tree *t, tsl_view A, tsl_view B)
{
    call(t, (tsl_call){.op = TSL_OP_EXPAND, .norm = {.structure = TSL_TRIANGULAR}, .v = {A, B}});
}

static void factor(const tree *t, tsl_view A, tsl_view T, tsl_view Y, tsl_view tau)
{
    call(t, (tsl_call){.op = TSL_OP_GEQRT, .v = {T, Y, tau, A}});
}

void tsl_triangle_here(tsl_context *x, tsl_grid *g, bool solve, tsl_scalar alpha, tsl_view U, tsl_view B)
{
    here(x, g, (tsl_call){.op = solve ? TSL_OP_TRSM : TSL_OP_TRMM, .side = TSL_RIGHT, .alpha = alpha, .v = {U, B}});
}

static void triangle(const tree *t, bool solve, tsl_scalar alpha, tsl_view U, tsl_view B)
{
    tsl_triangle_here(t->x, t->g, solve, alpha, U, B);
}

/* Of reflectors Y, Y1 their first rows, T: Q [C; 0] = [C; 0] - Y W. T := W = T Y1^H C, C an upper triangle; NULL: the unit
 * matrix. M has room for a triangle. */
static void weigh(const tree *t, tsl_view T, tsl_view Y1, const tsl_view *C, tsl_view M)
{
    copy(t, tsl_herm(Y1), M);
    if (C) triangle(t, false, 1, tsl_upper(*C), M);
    triangle(t, false, 1, tsl_upper(M), T);
}

/* Q := C - Y W, C being as many rows of its first columns' */
static void spread(const tree *t, tsl_view Y, tsl_view W, tsl_view C, tsl_view Q)
{
    copy(t, Y, Q);
    triangle(t, false, -1, tsl_upper(W), Q);
    call(t, (tsl_call){.op = TSL_OP_GEADD, .alpha = 1, .beta = 1, .v = {C, tsl_sub(Q, 0, 0, C.m, C.n)}});
}

static void clear(const tree *t, tsl_view A) { call(t, (tsl_call){.op = TSL_OP_SCALE, .v = {A}}); }

/* Q - S = V U in place of its first rows, Q(n x n); tau and S. below: rows after these */
static void find_reflectors(const tree *t, tsl_view Q, tsl_view tau, tsl_view s, int64_t below)
{
    int64_t n = tsl_cols(Q), most = t->x->dev->be->kernels[TSL_OP_ORHR]->limit;
    if (n <= most) {
        call(t, (tsl_call){.op = TSL_OP_ORHR, .k = below, .v = {Q, tau, s}});
        return;
    }
    int64_t h = tsl_pieces(tsl_pieces(n, 2), most) * most, rest = n - h;
    tsl_part2 q = tsl_partition2(Q, h, h);
    find_reflectors(t, q.TL, tsl_sub(tau, 0, 0, h, 1), tsl_sub(s, 0, 0, h, 1), below + rest);
    triangle(t, true, 1, tsl_upper(q.TL), q.BL);
    call(t, (tsl_call){.op = TSL_OP_TRSM, .side = TSL_LEFT, .alpha = 1, .v = {tsl_unit(tsl_lower(q.TL)), q.TR}});
    tsl_product_here(t->x, t->g, -1, q.BL, q.TR, 1, q.BR);
    find_reflectors(t, q.BR, tsl_sub(tau, h, 0, rest, 1), tsl_sub(s, h, 0, rest, 1), below);
}

/* The rows that are here, as high as wide at least: if need be with zeros below */
static tsl_view padded(tree *t, tsl_view own, int64_t n)
{
    if (own.m >= n) return own;
    tsl_view F = make(t, t->type, n, n);
    clear(t, F);
    copy(t, own, tsl_sub(F, 0, 0, own.m, n));
    return F;
}

/* The triangles of all processes, without the rows that only padding has: whose Q could be there. *at: where the rows of this
 * process begin, *mine: how many there are. */
static tsl_view stacked(tree *t, tsl_view R, tsl_axis rows, int64_t m, int64_t *at, int64_t *mine)
{
    int64_t n = R.n, p = R.m / n, me = tsl_axis_index(t->g, rows.over, t->g->at), count[2] = {0};
    tsl_view all = R;
    for (int pass = 0; pass < 2; ++pass)
        for (int64_t i = count[pass] = 0; i < p; ++i) {
            int64_t k = tsl_min(n, tsl_axis_before(t->g, rows, (int)i, m));
            if (i == me) *at = count[pass], *mine = k;
            if (pass && all.mat != R.mat) copy(t, tsl_sub(R, i * n, 0, k, n), tsl_sub(all, count[1], 0, k, n));
            count[pass] += k;
            if (!pass && i == p - 1 && count[0] < R.m) all = make(t, t->type, count[0], n);
        }
    return all;
}

/* Of one process: what it has of the panel, F, and of that Y and, of n x n elements, the triangle W; B, its rows of Q of all R;
 * room M */
typedef struct part {
    tsl_view own, F, Y, W, M, B;
} part;

static void factor_own(tree *t, part *p, tsl_view R, tsl_view tau)
{
    int64_t n = R.n;
    p->F = padded(t, p->own, n);
    p->Y = make(t, t->type, p->F.m, n), p->W = make(t, t->type, n, n);
    p->M = make(t, t->type, n, n), p->B = make(t, t->type, n, n);
    factor(t, p->F, p->W, p->Y, tau);
    expand(t, tsl_upper(tsl_sub(p->F, 0, 0, n, n)), R);
}

/* The Q of all R, [B; ..], is a triangle in every process's rows, and times [B; 0] each Q of its own is a part of the
 * panel's. */
static void factor_all(tree *t, part *p, tsl_view R, int64_t at, int64_t mine, tsl_view W, tsl_view tau, tsl_view Q)
{
    int64_t n = R.n, ones = tsl_max(0, tsl_min(mine, n - at));
    tsl_view Y = make(t, t->type, R.m, n), M = tsl_sub(p->M, 0, 0, mine, n), to = p->F.mat == p->own.mat ? Q : p->F;
    factor(t, R, p->B, Y, tau);
    expand(t, tsl_upper(p->B), W);
    weigh(t, W, tsl_sub(Y, 0, 0, n, n), NULL, p->M);
    clear(t, p->M), clear(t, p->B);
    call(t, (tsl_call){.op = TSL_OP_LASET, .beta = 1, .v = {tsl_sub(p->M, 0, tsl_min(at, n - ones), ones, ones)}});
    spread(t, tsl_sub(Y, at, 0, mine, n), W, M, tsl_sub(p->B, 0, 0, mine, n));
    expand(t, tsl_upper(p->W), W);
    weigh(t, W, tsl_sub(p->Y, 0, 0, n, n), &p->B, p->M);
    spread(t, p->Y, W, p->B, to);
    if (to.mat != Q.mat) copy(t, tsl_sub(to, 0, 0, Q.m, n), Q);
}

/* The first n rows of Q, V, become the panel's, and Q, what is below them here; T and tau. below: rows after the first n */
static void rebuild(tree *t, tsl_view V, tsl_view Q, tsl_view R, int64_t below, tsl_view T, tsl_view tau)
{
    int64_t n = V.n;
    tsl_view s = make(t, tsl_real_type(t->type), n, 1), ones = tsl_sub(s, 0, 0, 0, 1), U = tsl_upper(V);
    find_reflectors(t, V, tau, s, below);
    triangle(t, true, 1, U, Q);
    /* T := -U S inv(V^H) */
    expand(t, U, T);
    call(t, (tsl_call){.op = TSL_OP_EQUIL, .v = {T, ones, s}});
    triangle(t, true, -1, tsl_herm(tsl_unit(tsl_lower(V))), T);
    /* U := S R */
    copy(t, tsl_upper(tsl_sub(R, 0, 0, n, n)), U);
    call(t, (tsl_call){.op = TSL_OP_EQUIL, .v = {U, s, ones}});
}

void tsl_geqrt_tree(tsl_context *x, tsl_view A, tsl_view T, tsl_view tau)
{
    tsl_grid *g = tsl_grid_of(A);
    tsl_layout where = tsl_owner_layout(A, 1), rows = where, stack = where;
    tree t = {.x = x, .g = g, .type = A.mat->type};
    tsl_dmatrix S[5];
    int64_t m = tsl_rows(A), n = tsl_cols(A), at = 0, mine = 0;
    where.scheme = rows.scheme = stack.scheme = TSL_ON_DEVICE;
    rows.rows = tsl_seen_axis(A, 0);
    stack.rows = (tsl_axis){rows.rows.over, n, 0};
    int64_t high = n * tsl_axis_size(g, rows.rows.over);
    tsl_view all = tsl_work_matrix(x, &S[0], &rows, t.type, m, n), Q = tsl_work_matrix(x, &S[1], &rows, t.type, m, n);
    tsl_view R = tsl_work_matrix(x, &S[2], &stack, t.type, high, n);
    tsl_view Rs = tsl_work_matrix(x, &S[3], &where, t.type, high, n), all_R = tsl_local(Rs);
    tsl_view top = tsl_work_matrix(x, &S[4], &where, t.type, n, n), mineQ = tsl_local(Q);
    part p = {.own = tsl_local(all)};
    bool here = tsl_layout_has(&where, g->at);
    tsl_transfer_now(x, A, all, false);
    if (here) factor_own(&t, &p, tsl_local(R), tsl_local(tau));
    tsl_transfer_now(x, R, Rs, false);
    if (here) all_R = stacked(&t, all_R, rows.rows, m, &at, &mine);
    if (here) factor_all(&t, &p, all_R, at, mine, tsl_local(T), tsl_local(tau), mineQ);
    tsl_transfer_now(x, tsl_block_rows(Q, 0, n).A1, top, false);
    int64_t before = here ? tsl_local_row(Q, n) : 0;
    tsl_view below = tsl_sub(mineQ, before, 0, mineQ.m - before, mineQ.n);
    if (here) rebuild(&t, tsl_local(top), below, all_R, m - n, tsl_local(T), tsl_local(tau));
    tsl_transfer_now(x, top, tsl_block_rows(Q, 0, n).A1, false);
    tsl_transfer_now(x, Q, A, false);
}
