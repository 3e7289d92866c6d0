/* Sums of two matrices, also of two precisions, and what refinement asks of columns: geadd, convert, ratio, and a matrix filled
 * with numbers by their places. */
#include <math.h>
#include <string.h>

#include "grid/form/form.h"

typedef struct pieces {
    tsl_context *x;
    const tsl_call *c;
    tsl_view from, to; /* local views, laid out the same way */
    tsl_grid *g;
} pieces;

static void convert_piece(void *user, int64_t i, int64_t j, int64_t m, int64_t n, bool diagonal)
{
    const pieces *p = user;
    tsl_view from = tsl_sub(p->from, i, j, m, n), to = tsl_sub(p->to, i, j, m, n);
    tsl_locally(p->x, p->g,
                &(tsl_call){.op = p->c->op, .alpha = p->c->alpha, .beta = p->c->beta,
                            .v = {from, diagonal ? tsl_lower(to) : to}});
    if (tsl_trait(p->c->op, TSL_HAS_INFO)) tsl_note_at(p->x, p->g, 0);
}

/* Does every process have the same part of both, as they are stored? */
static bool beside(tsl_view A, tsl_view B)
{
    const tsl_grid *g = tsl_grid_of(B);
    const tsl_layout *a = &tsl_dist(A)->layout, *b = &tsl_dist(B)->layout;
    bool same = A.op == B.op && tsl_axis_same(g, tsl_seen_axis(A, 0), tsl_seen_axis(B, 0)) &&
                tsl_axis_same(g, tsl_seen_axis(A, 1), tsl_seen_axis(B, 1));
    for (int d = 0; d < 2; ++d) same = same && tsl_layout_fixed(a, d) == tsl_layout_fixed(b, d);
    return same;
}

/* A, or a copy of it in workspace, so that every process has the same part of it as of B, seen through the same op */
static tsl_view brought(tsl_context *x, tsl_view A, tsl_view B, tsl_dmatrix *D)
{
    tsl_layout l = tsl_dist(B)->layout;
    if (beside(A, B)) return A;
    l.rows = tsl_axis_shift(l.rows, B.i), l.cols = tsl_axis_shift(l.cols, B.j);
    tsl_view T = tsl_work_matrix(x, D, &l, A.mat->type, B.m, B.n); /* as B is stored */
    T.op = B.op;
    tsl_transfer_now(x, A, T, false);
    return T;
}

void tsl_dist_convert(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0], B = c->v[1];
    tsl_grid *g = tsl_grid_of(B);
    tsl_uplo uplo = A.uplo ? tsl_triangle(A) : B.uplo ? tsl_triangle(B) : TSL_GENERAL;
    tsl_work_mark mark = tsl_work_now(g);
    tsl_dmatrix D;
    A = tsl_general(A), B = tsl_general(B);
    if (uplo == TSL_UPPER) A = tsl_trans(A), B = tsl_trans(B);
    pieces p = {.x = x, .c = c, .g = g, .from = tsl_local(brought(x, A, B, &D)), .to = tsl_local(B)};
    if (uplo) tsl_triangle_walk(B, convert_piece, &p);
    else if (p.to.m && p.to.n) convert_piece(&p, 0, 0, tsl_rows(p.to), tsl_cols(p.to), false);
    tsl_work_back(g, mark);
}

/* A vector beside the rows (d = 0) or columns of A, so that every process has what belongs to its part; an empty one as it
 * is */
static tsl_view along(tsl_context *x, tsl_view v, tsl_view A, int d, tsl_dmatrix *D)
{
    tsl_layout l = tsl_panel_layout(d ? tsl_trans(A) : A, 0);
    if (v.m == 0 || v.n == 0) return v;
    tsl_view W = tsl_work_matrix(x, D, &l, v.mat->type, tsl_rows(v), 1);
    tsl_transfer_now(x, v, W, false);
    return tsl_local(W);
}

/* Rows and columns are scaled where they are. */
void tsl_dist_equil(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0];
    tsl_grid *g = tsl_grid_of(A);
    if (A.uplo != TSL_GENERAL) {
        tsl_dist_place(x, c);
        return;
    }
    tsl_work_mark mark = tsl_work_now(g);
    tsl_dmatrix D[2];
    tsl_call own = *c;
    own.v[0] = tsl_local(A), own.v[1] = along(x, c->v[1], A, 0, &D[0]), own.v[2] = along(x, c->v[2], A, 1, &D[1]);
    tsl_matrix none = {.ctx = x, .type = tsl_real_type(A.mat->type), .home = own.v[0].mat->home, .ld = 1};
    for (int i = 1; i < 3; ++i)
        if (own.v[i].mat->remote) own.v[i] = tsl_whole(&none);
    if (own.v[0].m && own.v[0].n) tsl_locally(x, g, &own);
    tsl_work_back(g, mark);
}

static double larger(double a, double b) { return isnan(b) || b > a ? b : a; }

/* The largest |a_ij| of the columns of A, as it is seen, of which some are here */
static void largest_of(tsl_context *x, tsl_grid *g, tsl_view A, double *most)
{
    tsl_view own = tsl_local(A);
    tsl_matrix a = tsl_fetched(x, g, own);
    size_t size = tsl_type_size(a.type);
    bool turned = own.op & TSL_TRANS;
    if (g->rehearsing || g->failed) return;
    for (int64_t j = 0; j < own.n; ++j)
        for (int64_t i = 0; i < own.m; ++i) {
            double *at = &most[tsl_global_col(A, turned ? i : j)];
            *at = larger(*at, tsl_modulus(a.type, (const char *)a.data + (size_t)(i + j * a.ld) * size));
        }
}

void tsl_dist_ratio(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0], B = c->v[1];
    tsl_grid *g = tsl_grid_of(A);
    int ranks = g->size[0] * g->size[1];
    int64_t n = tsl_cols(A);
    size_t bytes = tsl_times(tsl_times(2, (size_t)n), sizeof(double));
    tsl_work_mark mark = tsl_work_now(g);
    double *mine = tsl_work_get(g, false, bytes), *all = tsl_work_get(g, false, tsl_times((size_t)ranks, bytes));
    for (int64_t j = 0; j < 2 * n && !g->rehearsing; ++j) mine[j] = 0;
    largest_of(x, g, A, mine);
    largest_of(x, g, B, g->rehearsing ? NULL : mine + n);
    if (!g->rehearsing) {
        double value[2] = {0};
        tsl_all_gather(g, mine, all, bytes);
        for (int64_t j = 0; j < n; ++j) {
            double a = 0, b = 0;
            for (int r = 0; r < ranks; ++r) a = larger(a, all[2 * n * r + j]), b = larger(b, all[2 * n * r + n + j]);
            value[0] = larger(value[0], a == 0 && b == b ? 0 : a / b);
            value[1] = larger(value[1], a);
        }
        tsl_leave_result(x, g, value, sizeof value);
    }
    tsl_work_back(g, mark);
}

/* Each process fills its own part. */
void tsl_dist_fill(tsl_context *x, tsl_view A, tsl_number number, double unit)
{
    tsl_grid *g = tsl_grid_of(A);
    tsl_view own = tsl_local(A);
    tsl_type t = A.mat->type;
    size_t size = tsl_type_size(t);
    tsl_work_mark mark = tsl_work_now(g);
    tsl_matrix host = {.ctx = x, .type = t, .m = own.m, .n = own.n, .ld = tsl_max(1, own.m)};
    host.data = tsl_work_get(g, false, tsl_dense_bytes(t, host.ld, own.n));
    for (int64_t j = 0; j < own.n && !g->rehearsing; ++j)
        for (int64_t i = 0; i < own.m; ++i) {
            tsl_typed_scalar a = tsl_typed(t, number(tsl_global_row(A, i), tsl_global_col(A, j)) * unit);
            memcpy((char *)host.data + (size_t)(i + j * host.ld) * size, &a, size);
        }
    if (own.m && own.n) tsl_locally(x, g, &(tsl_call){.op = TSL_OP_COPY, .v = {tsl_whole(&host), own}});
    tsl_work_back(g, mark);
}
