/* Copies between any two layouts, sums over copies, scaling. */
#include <string.h>

#include "grid/form/form.h"

typedef struct pieces {
    tsl_context *x;
    const tsl_call *c;
    tsl_view own, other; /* local views of the output, and of the input laid out the same way */
    tsl_grid *g;
} pieces;

static tsl_view cut(tsl_view own, int64_t i, int64_t j, int64_t m, int64_t n, bool diagonal)
{
    tsl_view v = tsl_sub(own, i, j, m, n);
    return diagonal ? tsl_lower(v) : v;
}

static void copy_piece(void *user, int64_t i, int64_t j, int64_t m, int64_t n, bool diagonal)
{
    const pieces *p = user;
    tsl_locally(p->x, p->g,
                &(tsl_call){.op = TSL_OP_COPY, .v = {tsl_sub(p->other, i, j, m, n), cut(p->own, i, j, m, n, diagonal)}});
}

static void scale_piece(void *user, int64_t i, int64_t j, int64_t m, int64_t n, bool diagonal)
{
    const pieces *p = user;
    tsl_locally(p->x, p->g,
                &(tsl_call){.op = TSL_OP_SCALE,
                            .herm = p->c->herm && diagonal,
                            .alpha = p->c->alpha,
                            .v = {cut(p->own, i, j, m, n, diagonal)}});
}

/* Of a triangle all is brought here, and only the triangle is put in place. A number may go to a place that each process has
 * for it. */
void tsl_dist_copy(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0], B = c->v[1];
    if (!B.mat->remote) {
        tsl_dist_read(x, A, tsl_at(&B));
        return;
    }
    tsl_grid *g = tsl_grid_of(B);
    if (A.uplo == TSL_GENERAL && B.uplo == TSL_GENERAL) {
        tsl_transfer_now(x, A, B, false);
        return;
    }
    bool upper = (A.uplo ? tsl_triangle(A) : tsl_triangle(B)) == TSL_UPPER;
    A = tsl_general(A), B = tsl_general(B);
    if (upper) A = tsl_trans(A), B = tsl_trans(B);
    tsl_work_mark mark = tsl_work_now(g);
    tsl_dmatrix like;
    tsl_layout l = tsl_dist(B)->layout;
    l.rows = tsl_axis_shift(l.rows, B.i), l.cols = tsl_axis_shift(l.cols, B.j);
    tsl_view T = tsl_work_matrix(x, &like, &l, A.mat->type, B.m, B.n); /* as B is stored */
    T.op = B.op;
    tsl_transfer_now(x, A, T, false);
    pieces p = {.x = x, .c = c, .g = g, .own = tsl_local(B), .other = tsl_local(T)};
    tsl_triangle_walk(B, copy_piece, &p);
    tsl_work_back(g, mark);
}

void tsl_dist_scale(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0];
    pieces p = {.x = x, .c = c, .g = tsl_grid_of(A)};
    if (A.uplo == TSL_GENERAL) {
        tsl_locally(x, p.g, &(tsl_call){.op = TSL_OP_SCALE, .alpha = c->alpha, .v = {tsl_local(A)}});
        return;
    }
    if (tsl_triangle(A) == TSL_UPPER) A = tsl_trans(A);
    p.own = tsl_general(tsl_local(A));
    tsl_triangle_walk(A, scale_piece, &p);
}

static void expand_piece(void *user, int64_t i, int64_t j, int64_t m, int64_t n, bool diagonal)
{
    const pieces *p = user;
    tsl_view block = tsl_sub(p->own, i, j, m, n);
    tsl_uplo uplo = p->other.uplo;
    tsl_view half = uplo == TSL_LOWER ? tsl_lower(block) : tsl_upper(block);
    half.diag = p->other.diag;
    if (diagonal) tsl_locally(p->x, p->g, &(tsl_call){.op = TSL_OP_EXPAND, .norm = {.structure = TSL_TRIANGULAR}, .v = {half, block}});
    else tsl_locally(p->x, p->g, &(tsl_call){.op = TSL_OP_SCALE, .alpha = 0, .v = {block}});
}

/* B := A, which may be B, then zeros in the other triangle, seen as a lower one. Of a symmetric matrix in one place. */
void tsl_dist_expand(tsl_context *x, const tsl_call *c)
{
    if (c->norm.structure != TSL_TRIANGULAR) return tsl_dist_place(x, c);
    tsl_view A = c->v[0], B = c->v[1];
    bool lower = tsl_triangle(A) == TSL_LOWER;
    if (A.mat != B.mat || A.i != B.i || A.j != B.j) tsl_transfer_now(x, tsl_general(A), B, false);
    if (lower) B = tsl_trans(B);
    pieces p = {.x = x, .c = c, .g = tsl_grid_of(B), .own = tsl_local(B), .other = lower ? tsl_trans(A) : A};
    p.other.uplo = TSL_UPPER; /* what stays, as B is seen now */
    tsl_triangle_walk(B, expand_piece, &p);
}

static void laset_piece(void *user, int64_t i, int64_t j, int64_t m, int64_t n, bool diagonal)
{
    const pieces *p = user;
    if (!diagonal && p->c->v[0].uplo == TSL_GENERAL) return; /* it has its numbers */
    tsl_view v = tsl_sub(p->own, i, j, m, n);
    tsl_locally(p->x, p->g, &(tsl_call){.op = TSL_OP_LASET, .alpha = p->c->alpha, .beta = diagonal ? p->c->beta : p->c->alpha,
                                        .v = {diagonal && p->c->v[0].uplo ? tsl_lower(v) : v}});
}

/* All of it := alpha; then blocks on the diagonal. Of a triangle piece by piece. */
void tsl_dist_laset(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0];
    pieces p = {.x = x, .c = c, .g = tsl_grid_of(A)};
    int64_t d = tsl_min(A.m, A.n);
    if (A.uplo == TSL_GENERAL) tsl_locally(x, p.g, &(tsl_call){.op = TSL_OP_LASET, .alpha = c->alpha, .beta = c->alpha, .v = {tsl_local(A)}});
    else if (tsl_triangle(A) == TSL_UPPER) A = tsl_trans(A);
    A = tsl_sub(tsl_general(A), 0, 0, c->v[0].uplo ? tsl_rows(A) : d, c->v[0].uplo ? tsl_cols(A) : d);
    p.own = tsl_local(A);
    tsl_triangle_walk(A, laset_piece, &p);
}

/* The numbers depend on an element's place in A as seen: of a part here every block gets its own. */
static void random_piece(void *user, int64_t i0, int64_t j0, int64_t m0, int64_t n0, bool diagonal)
{
    const pieces *p = user;
    tsl_view A = p->other;
    tsl_axis row = tsl_seen_axis(A, 0), col = tsl_seen_axis(A, 1);
    bool turned = tsl_triangle(p->c->v[0]) == TSL_UPPER;
    for (int64_t j = j0, n; j < j0 + n0; j += n) {
        int64_t c = tsl_global_col(A, j);
        n = tsl_min(tsl_axis_run(p->g, col, c), j0 + n0 - j);
        for (int64_t i = i0, m; i < i0 + m0; i += m) {
            int64_t r = tsl_global_row(A, i);
            m = tsl_min(tsl_axis_run(p->g, row, r), i0 + m0 - i);
            tsl_view v = tsl_sub(p->own, i, j, m, n);
            if (diagonal) v = tsl_lower(v);
            tsl_locally(p->x, p->g, &(tsl_call){.op = TSL_OP_RANDOM, .fill = {.seed = p->c->fill.seed, .row = turned ? c : r, .col = turned ? r : c},
                                                .v = {turned ? tsl_trans(v) : v}});
        }
    }
}

void tsl_dist_random(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0];
    if (tsl_triangle(A) == TSL_UPPER) A = tsl_trans(A);
    pieces p = {.x = x, .c = c, .g = tsl_grid_of(A), .other = tsl_general(A)};
    p.own = tsl_local(p.other);
    if (A.uplo) tsl_triangle_walk(p.other, random_piece, &p);
    else random_piece(&p, 0, 0, tsl_rows(p.own), tsl_cols(p.own), false);
}

/* The part of A that has the band comes to everybody who has some of AB. */
void tsl_dist_band(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0], AB = c->v[1];
    tsl_grid *g = tsl_grid_of(A);
    int64_t n = tsl_cols(A), rows = tsl_min(tsl_rows(A), n + AB.m - 1);
    tsl_work_mark mark = tsl_work_now(g);
    tsl_layout everywhere = tsl_layout_whole(g, TSL_EVERY, TSL_EVERY);
    everywhere.scheme = tsl_dist(AB)->layout.scheme;
    tsl_dmatrix S[2];
    tsl_view D = tsl_work_matrix(x, &S[0], &everywhere, A.mat->type, rows, n), B = tsl_work_matrix(x, &S[1], &everywhere, A.mat->type, AB.m, n);
    tsl_transfer_now(x, tsl_block_rows(A, 0, rows).A1, D, false);
    tsl_locally(x, g, &(tsl_call){.op = TSL_OP_BAND, .v = {tsl_local(D), tsl_local(B)}});
    tsl_transfer_now(x, B, AB, false);
    tsl_work_back(g, mark);
}

typedef struct sum {
    tsl_view A, B;
    tsl_scalar beta;
} sum;

static void reduce(tsl_context *x, const void *arg)
{
    const sum *s = arg;
    if (s->B.m == 0 || s->B.n == 0) return;
    tsl_dist_scale(x, &(tsl_call){.op = TSL_OP_SCALE, .alpha = s->beta, .v = {s->B}});
    tsl_transfer_now(x, s->A, s->B, true);
}

/* B is scaled before A is read: not even the same place will do. */
static bool share(const tsl_call *c)
{
    tsl_area a = tsl_dist_locate(c, 0, 1), b = tsl_dist_locate(c, 1, 0);
    return tsl_areas_meet(&a, &b, false);
}

tsl_status tsl_reduce(tsl_context *x, tsl_view A, tsl_scalar beta, tsl_view B)
{
    tsl_status st = tsl_enter_public(&x);
    if (st) return st;
    tsl_args args = {.x = x, .routine = "reduce", .type = -1};
    tsl_call c = {.op = TSL_OP_COPY, .args = &args, .v = {A, B}};
    bool far[2] = {tsl_is_dist(A), tsl_is_dist(B)};
    tsl_grid *g = tsl_grid_meant(x, c.v, 2);
    if (!g) return tsl_leave(x, tsl_fail(x, TSL_ERR_GRID, "reduce: the operands are not distributed"));
    st = tsl_check_operands(x, &c);
    if (!st && !(far[0] && far[1] && tsl_grid_of(A) == g)) st = tsl_bad(x, &c, 1, TSL_ERR_GRID);
    if (!st && (tsl_rows(A) != tsl_rows(B) || tsl_cols(A) != tsl_cols(B))) st = tsl_misfit(x, &c, "A and B differ in size");
    if (!st && A.mat->type == TSL_INDEX) st = tsl_bad(x, &c, 0, TSL_ERR_TYPE);
    if (!st && (A.uplo || B.uplo)) st = tsl_bad(x, &c, A.uplo ? 0 : 1, TSL_ERR_UPLO);
    if (!st && share(&c)) st = tsl_fail(x, TSL_ERR_OVERLAP, "reduce: B overlaps A");
    sum s = {A, B, beta};
    tsl_terms t = {.call = "reduce", .kind = TSL_CALL_REDUCE};
    int64_t factor[2];
    memcpy(factor, &beta, sizeof factor);
    tsl_term_operands(&t, c.op, c.v, 2);
    tsl_term_of(&t, "beta", factor, 2);
    st = tsl_collective(x, g, st, &t, reduce, &s);
    return tsl_leave(x, st);
}
