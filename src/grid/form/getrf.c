/* LU factorization of a panel.
 *
 * Its rows stay with the processes that have them. The first d of them, as many as there are pivots, every one of these
 * processes has in a copy, `top`: it takes all that is computed of them itself, so that only pivots have to be found together.
 * For each column that is one reduction, which says where the largest element is and carries that row. Columns are halved down
 * to a few; all else is in products and solves of what is here.
 *
 * On accelerators, which have no kernel for such columns, and where all rows are on one process, the process that has the first
 * element brings the panel together and factors it. */
#include <complex.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "grid/grid.h"

#define NAME(what) s_##what
#define T float
#define R float
#define SIZE(v) fabsf(v)
#define MODULUS(v) fabsf(v)
#define LEAST FLT_MIN
#include "grid/form/getrf.inc"

#define NAME(what) d_##what
#define T double
#define R double
#define SIZE(v) fabs(v)
#define MODULUS(v) fabs(v)
#define LEAST DBL_MIN
#include "grid/form/getrf.inc"

#define NAME(what) c_##what
#define T float _Complex
#define R float
#define SIZE(v) (fabsf(crealf(v)) + fabsf(cimagf(v)))
#define MODULUS(v) cabsf(v)
#define LEAST FLT_MIN
#include "grid/form/getrf.inc"

#define NAME(what) z_##what
#define T double _Complex
#define R double
#define SIZE(v) (fabs(creal(v)) + fabs(cimag(v)))
#define MODULUS(v) cabs(v)
#define LEAST DBL_MIN
#include "grid/form/getrf.inc"

static const struct columns {
    int64_t (*find)(int64_t m, const void *column, bool first, double *size);
    void (*eliminate)(int64_t m, int64_t n, void *column, int64_t ld, const void *pivot, int64_t ldp);
} by_type[] = {{s_find, s_eliminate}, {d_find, d_eliminate}, {c_find, c_eliminate}, {z_find, z_eliminate}};

/* A pivot that a process proposes: its size, its row of the panel, and after these the elements of that row */
typedef struct candidate {
    double size;
    int64_t row;
} candidate;

typedef struct panel {
    tsl_context *x;
    tsl_grid *g;
    tsl_over over;      /* what its rows are distributed over */
    tsl_view all;       /* of it, in host memory */
    tsl_view top, here; /* the first d rows; of the others those here, */
    int64_t before;     /* after so many that are among the first */
    int64_t n, *pivots, info;
    size_t bytes;       /* of a candidate */
    candidate *mine, *other;
} panel;

static void better(void *mine, const void *other, const void *with)
{
    const candidate *a = mine, *b = other;
    if (b->size > a->size || (b->size == a->size && b->row < a->row)) memcpy(mine, other, *(const size_t *)with);
}

static void take_row(const panel *p, tsl_view from, int64_t i, void *row)
{
    tsl_rect(from.mat->type, TSL_NOTRANS, false, 1, p->n, tsl_here(from, i, 0), from.mat->ld, row, 1);
}

static void put_row(const panel *p, const void *row, tsl_view to, int64_t i)
{
    tsl_rect(to.mat->type, TSL_NOTRANS, false, 1, p->n, row, 1, tsl_here(to, i, 0), to.mat->ld);
}

static const struct columns *columns_of(const panel *p) { return &by_type[tsl_kernel_type(p->top.mat->type)]; }

/* The largest of column j from row j on. One process speaks for the copies of the top: should their bits differ, as they may
 * between unlike machines, all still take the same row. NaN in row j stays the pivot, as in LAPACK. */
static void propose(const panel *p, int64_t j)
{
    double size;
    int64_t i = columns_of(p)->find(p->here.m, tsl_here(p->here, 0, j), false, &size);
    *p->mine = (candidate){size, i < 0 ? INT64_MAX : tsl_global_row(p->all, p->before + i)};
    if (i >= 0) take_row(p, p->here, i, p->mine + 1);
    if (tsl_axis_index(p->g, p->over, p->g->at) > 0) return;
    i = columns_of(p)->find(p->top.m - j, tsl_here(p->top, j, j), true, &size);
    if (isnan(size)) size = INFINITY;
    if (size >= p->mine->size) *p->mine = (candidate){size, j + i};
}

/* Row j of the top and the pivot's are exchanged. That of the pivot has come if it is not in the top; who has it takes row j,
 * as it is here. */
static void exchange(const panel *p, int64_t j, int64_t row)
{
    void *held = p->other; /* free by now */
    if (row == j) return;
    take_row(p, p->top, j, held);
    if (row < p->top.m) {
        take_row(p, p->top, row, p->mine + 1);
        put_row(p, held, p->top, row);
    } else if (tsl_axis_owner(p->g, tsl_seen_axis(p->all, 0), row) == tsl_axis_index(p->g, p->over, p->g->at))
        put_row(p, held, p->here, tsl_local_row(p->all, row) - p->before);
    put_row(p, p->mine + 1, p->top, j);
}

/* Columns [j, end): the first is eliminated from the others */
static void column(panel *p, int64_t j, int64_t end)
{
    propose(p, j);
    tsl_line_combine(p->g, p->over, p->mine, p->other, p->bytes, better, &p->bytes);
    if (p->g->broken) return;
    int64_t row = p->mine->row;
    p->pivots[j] += row + 1;
    if (p->mine->size == 0) p->info = tsl_first_info(p->info, j + 1);
    exchange(p, j, row);
    int64_t ld = p->top.mat->ld;
    columns_of(p)->eliminate(p->top.m - j - 1, end - j - 1, tsl_here(p->top, j + 1, j), ld, tsl_here(p->top, j, j), ld);
    columns_of(p)->eliminate(p->here.m, end - j - 1, tsl_here(p->here, 0, j), p->here.mat->ld, tsl_here(p->top, j, j), ld);
}

/* Columns [k, j) are eliminated from [j, end) */
static void eliminate(const panel *p, int64_t k, int64_t j, int64_t end)
{
    int64_t below = p->top.m - j;
    tsl_view L = tsl_unit(tsl_lower(tsl_sub(p->top, k, k, j - k, j - k))), U = tsl_sub(p->top, k, j, j - k, end - j);
    /* U12 := inv(L11) U12 */
    tsl_locally(p->x, p->g, &(tsl_call){.op = TSL_OP_TRSM, .alpha = 1, .v = {L, U}});
    /* A22 := A22 - L21 U12 */
    tsl_product_here(p->x, p->g, -1, tsl_sub(p->top, j, k, below, j - k), U, 1, tsl_sub(p->top, j, j, below, end - j));
    tsl_product_here(p->x, p->g, -1, tsl_sub(p->here, 0, k, p->here.m, j - k), U, 1, tsl_sub(p->here, 0, j, p->here.m, end - j));
}

static void halves(panel *p, int64_t k, int64_t end)
{
    enum { FEW = 16 };
    if (end - k <= FEW) {
        for (int64_t j = k; j < end && !p->g->broken; ++j) column(p, j, end);
        return;
    }
    int64_t half = k + (end - k + 1) / 2;
    halves(p, k, half);
    if (!p->g->broken) eliminate(p, k, half, end);
    halves(p, half, end);
}

/* By all processes that have rows of it; those of several process columns come to the first of these. */
static void in_line(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0];
    tsl_grid *g = tsl_grid_of(A);
    tsl_layout where = tsl_owner_layout(A, 1), rows = where;
    tsl_dmatrix S[3];
    panel p = {.x = x, .g = g, .n = tsl_cols(A)};
    int64_t d = tsl_min(tsl_rows(A), p.n);
    where.scheme = rows.scheme = TSL_IN_HOST;
    rows.rows = tsl_seen_axis(A, 0);
    p.over = rows.rows.over;
    p.all = tsl_work_matrix(x, &S[0], &rows, A.mat->type, tsl_rows(A), p.n);
    tsl_view top = tsl_work_matrix(x, &S[1], &where, A.mat->type, d, p.n);
    tsl_work_slot(g, tsl_ahead_slot(g)); /* sent from there */
    tsl_view q = tsl_work_matrix(x, &S[2], &where, TSL_INDEX, d, 1);
    tsl_work_slot(g, 0);
    p.bytes = sizeof *p.mine + tsl_dense_bytes(A.mat->type, 1, p.n);
    p.mine = tsl_work_get(g, false, p.bytes);
    p.other = tsl_work_get(g, false, p.bytes);
    tsl_transfer_now(x, A, p.all, false);
    tsl_transfer_now(x, tsl_block_rows(p.all, 0, d).A1, top, false);
    tsl_view own = tsl_local(p.all);
    if (tsl_layout_has(&where, g->at) && !g->rehearsing) {
        p.before = tsl_local_row(p.all, d);
        p.here = tsl_sub(own, p.before, 0, own.m - p.before, p.n);
        p.top = tsl_local(top);
        p.pivots = S[2].local.data;
        for (int64_t j = 0; j < d; ++j) p.pivots[j] = c->lu.first;
        halves(&p, 0, d);
        if (p.n > d) eliminate(&p, 0, d, p.n);
        if (p.info && !c->passing) tsl_note_column(A, p.info);
    }
    tsl_transfer_now(x, top, tsl_block_rows(p.all, 0, d).A1, false);
    tsl_transfer_now(x, p.all, A, false);
    tsl_ahead_send_pivots(x, q, c->v[1]);
}

/* Brought together by the process that has its first element */
static void in_one(tsl_context *x, const tsl_call *c, bool single)
{
    tsl_view A = c->v[0], B = A;
    tsl_grid *g = tsl_grid_of(A);
    tsl_layout where = tsl_corner_layout(A);
    tsl_dmatrix S, Q;
    if (!single) {
        B = tsl_work_like(x, &S, where, A, A.m, A.n);
        tsl_transfer_now(x, A, B, false);
    }
    tsl_work_slot(g, tsl_ahead_slot(g)); /* sent from there */
    tsl_view p = tsl_work_matrix(x, &Q, &where, TSL_INDEX, tsl_min(A.m, A.n), 1), own = tsl_local(B);
    tsl_work_slot(g, 0);
    if (own.m > 0 && own.n > 0) {
        tsl_locally(x, g, &(tsl_call){.op = TSL_OP_GETRF, .lu = {.first = c->lu.first}, .v = {own, tsl_local(p)}});
        tsl_note_info(x, A);
    }
    if (!single) tsl_transfer_now(x, B, A, false);
    tsl_ahead_send_pivots(x, p, c->v[1]);
}

void tsl_dist_getrf(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0];
    tsl_grid *g = tsl_grid_of(A);
    tsl_work_mark mark = tsl_work_now(g);
    bool rows = tsl_axis_single(g, tsl_seen_axis(A, 0), tsl_rows(A));
    bool cols = tsl_axis_single(g, tsl_seen_axis(A, 1), tsl_cols(A));
    if (rows || x->dev->be->accelerator) in_one(x, c, rows && cols);
    else in_line(x, c);
    tsl_work_back(g, mark);
}
