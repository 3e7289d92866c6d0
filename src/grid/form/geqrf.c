/* QR factorization of a panel.
 *
 * Its rows stay with the processes that have them. The first n of them, as many as there are columns, every one of these
 * processes has in a copy, `top`, and takes all that is computed of them itself. For each column x, below a diagonal element
 * alpha, one reduction makes |x|^2 and x^H A; with v = [1; x / (alpha - beta)] all of v^H A follows from it, of reflectors
 * before it too, which is a column of T. Columns are halved down to a few; what reflects a half is summed once.
 *
 * On accelerators a tree of triangles takes the place of the columns (geqrf_tree.c). Panels that are not high there, and those
 * whose rows are on one process, are brought together by the process that has the first element, which makes the reflectors.
 *
 * And the triangle of reflectors, by everybody who needs it. */
#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "grid/form/form.h"

/* What a process has of a column x: |x|^2, with x scaled by 2^-exponent, and after these the products x^H A, x scaled too */
typedef struct sums {
    int64_t exponent;
    double square;
} sums;

/* 0 where squares and products are in range; the least of zeros */
static int exponent_of(double most)
{
    enum { FAR = 400, END = 1000 };
    int e = 0;
    if (most == 0) return -END;
    frexp(most, &e);
    return isinf(most) || abs(e) < FAR ? 0 : (int)tsl_max(-END, tsl_min(e, END));
}

#define NAME(what) s_##what
#define R float
#define T float
#define SUM double
#define CONJ(v) (v)
#include "grid/form/geqrf.inc"

#define NAME(what) d_##what
#define R double
#define T double
#define SUM double
#define CONJ(v) (v)
#include "grid/form/geqrf.inc"

#define NAME(what) c_##what
#define R float
#define T float _Complex
#define SUM double _Complex
#define CONJ(v) conj(v)
#include "grid/form/geqrf.inc"

#define NAME(what) z_##what
#define R double
#define T double _Complex
#define SUM double _Complex
#define CONJ(v) conj(v)
#include "grid/form/geqrf.inc"

static const struct columns {
    void (*measure)(int64_t m, int64_t n, int64_t j, const void *array, int64_t ld, sums *s, tsl_scalar *products);
    void (*reflect)(int64_t m, int64_t n, void *column, int64_t ld, int e, tsl_scalar by, const tsl_scalar *w);
} by_type[] = {{s_measure, s_reflect}, {d_measure, d_reflect}, {c_measure, c_reflect}, {z_measure, z_reflect}};

enum { FEW = 16 }; /* columns one after the other */

typedef struct column {
    sums s;
    tsl_scalar product[FEW];
} column;

typedef struct panel {
    tsl_context *x;
    tsl_grid *g;
    tsl_over over;         /* what its rows are distributed over */
    bool first;            /* of the processes along it: the one that counts the top in sums */
    tsl_view top, here;    /* the first n rows; of the others those here */
    tsl_view Y, T, tau;    /* the top's reflectors, written out; their triangle; their factors */
    void *sum, *other;     /* room for one, and for another one's part of it */
    bool single;           /* precision */
    const struct columns *columns;
} panel;

static void put(tsl_view v, int64_t i, int64_t j, tsl_scalar to)
{
    tsl_type t = tsl_kernel_type(v.mat->type);
    tsl_typed_scalar value = tsl_typed(t, to);
    memcpy(tsl_here(v, i, j), &value, tsl_type_size(t));
}

static tsl_scalar get(tsl_view v, int64_t i, int64_t j)
{
    tsl_type t = tsl_kernel_type(v.mat->type);
    tsl_typed_scalar value;
    memcpy(&value, tsl_here(v, i, j), tsl_type_size(t));
    return tsl_untyped(t, value);
}

/* The sum of two, in the larger one's scale; `with`: of so many products */
static void add_columns(void *mine, const void *other, const void *with)
{
    column *a = mine;
    const column *b = other;
    int64_t e = tsl_max(a->s.exponent, b->s.exponent);
    double sa = ldexp(1, (int)(a->s.exponent - e)), sb = ldexp(1, (int)(b->s.exponent - e));
    a->s = (sums){e, a->s.square * sa * sa + b->s.square * sb * sb};
    for (int64_t c = 0; c < *(const int64_t *)with; ++c) a->product[c] = a->product[c] * sa + b->product[c] * sb;
}

static void add_dense(void *mine, const void *other, const void *with)
{
    const tsl_matrix *of = with;
    tsl_rect(of->type, TSL_NOTRANS, true, of->m, of->n, other, of->m, mine, of->m);
}

/* A reflector: H = I - tau v v^H, with v = [1; x 2^-exponent by], takes [alpha; x] to beta */
typedef struct reflector {
    tsl_scalar tau, by;
    double beta;
    int exponent;
} reflector;

/* As LAPACK's larfg: none where x is zero and alpha real; scaled, where beta is out of the range of its type, by 2^-exponent */
static reflector find(tsl_scalar alpha, const sums *s, bool single)
{
    int far = single ? 60 : 400, end = single ? 120 : 1000, ea, ex;
    if (s->square == 0 && cimag(alpha) == 0) return (reflector){0, 0, creal(alpha), 0};
    frexp(fmax(fabs(creal(alpha)), fabs(cimag(alpha))), &ea);
    frexp(sqrt(s->square), &ex);
    int e = (int)tsl_max(ea, ex + s->exponent);
    e = abs(e) < far ? 0 : (int)tsl_max(-end, tsl_min(e, end));
    double re = ldexp(creal(alpha), -e), im = ldexp(cimag(alpha), -e), x = ldexp(sqrt(s->square), (int)s->exponent - e);
    double beta = -copysign(hypot(hypot(re, im), x), re);
    return (reflector){CMPLX((beta - re) / beta, -im / beta), 1 / CMPLX(re - beta, im), ldexp(beta, e), e};
}

/* Column j of [k, end): its reflector, applied to those after it, and its column of T */
static void reflect(const panel *p, int64_t k, int64_t j, int64_t end)
{
    int64_t n = p->top.n, rest = end - j - 1, count = end - k, ld = p->top.mat->ld;
    size_t bytes = sizeof(sums) + (size_t)count * sizeof(tsl_scalar);
    column *c = p->sum, *top = p->other;
    tsl_scalar w[FEW], *v = c->product;
    p->columns->measure(p->here.m, count, j - k, tsl_here(p->here, 0, k), p->here.mat->ld, &c->s, v);
    if (p->first) {
        p->columns->measure(n - j - 1, count, j - k, tsl_here(p->top, j + 1, k), ld, &top->s, top->product);
        add_columns(c, top, &count);
    }
    tsl_line_combine(p->g, p->over, c, p->other, bytes, add_columns, &count);
    reflector h = find(get(p->top, j, j), &c->s, p->single);
    tsl_scalar by = conj(h.by) * ldexp(1, (int)c->s.exponent - h.exponent);
    /* v^H A */
    for (int64_t i = 0; i < count; ++i) v[i] = get(p->top, j, k + i) + by * v[i];
    for (int64_t i = 0; i < rest; ++i) {
        w[i] = conj(h.tau) * v[j - k + 1 + i];
        put(p->top, j, j + 1 + i, get(p->top, j, j + 1 + i) - w[i]);
    }
    put(p->top, j, j, h.beta);
    p->columns->reflect(n - j - 1, rest, tsl_here(p->top, j + 1, j), ld, h.exponent, h.by, w);
    p->columns->reflect(p->here.m, rest, tsl_here(p->here, 0, j), p->here.mat->ld, h.exponent, h.by, w);
    put(p->Y, j, j, 1);
    tsl_rect(p->Y.mat->type, TSL_NOTRANS, false, n - j - 1, 1,
             tsl_here(p->top, j + 1, j), ld, tsl_here(p->Y, j + 1, j), p->Y.mat->ld);
    /* T01 := -tau T00 (Y0^H v) */
    put(p->tau, j, 0, h.tau);
    put(p->T, j, j, h.tau);
    for (int64_t i = k; i < j; ++i) {
        tsl_scalar t = 0;
        for (int64_t l = i; l < j; ++l) t += get(p->T, i, l) * conj(v[l - k]);
        put(p->T, i, j, h.tau == 0 ? 0 : -h.tau * t);
    }
}

static void multiply(const panel *p, tsl_scalar alpha, tsl_view A, tsl_view B, tsl_scalar beta, tsl_view C)
{
    tsl_product_here(p->x, p->g, alpha, A, B, beta, C);
}

static void triangle(const panel *p, tsl_side side, tsl_scalar alpha, tsl_view A, tsl_view B)
{
    tsl_locally(p->x, p->g, &(tsl_call){.op = TSL_OP_TRMM, .side = side, .alpha = alpha, .v = {A, B}});
}

static tsl_view strip(tsl_view A, int64_t k, int64_t end) { return tsl_sub(A, 0, k, A.m, end - k); }

/* W := Y^H C, of reflectors [k, j), where C is in two parts as Y is */
static void sum(const panel *p, int64_t k, int64_t j, tsl_view top, tsl_view here, tsl_view W)
{
    if (!p->g->failed) memset(W.mat->data, 0, tsl_dense_bytes(W.mat->type, W.m, W.n));
    if (p->first) multiply(p, 1, tsl_herm(strip(p->Y, k, j)), top, 0, W);
    if (here.m) multiply(p, 1, tsl_herm(strip(p->here, k, j)), here, 1, W);
    tsl_line_combine(p->g, p->over, W.mat->data, p->other, tsl_dense_bytes(W.mat->type, W.m, W.n), add_dense, W.mat);
}

static void halves(const panel *p, int64_t k, int64_t end)
{
    if (end - k <= FEW) {
        size_t bytes = sizeof(sums) + (size_t)(end - k) * sizeof(tsl_scalar);
        int64_t rows = p->top.m - k + p->here.m;
        if (tsl_line_told(p->g, p->over, TSL_OP_GEQRT, p->top.mat->type, rows, end - k, bytes)) return;
        for (int64_t j = k; j < end && !p->g->broken; ++j) reflect(p, k, j, end);
        return;
    }
    int64_t j = k + (end - k + 1) / 2;
    tsl_matrix room = *p->top.mat;
    room.data = p->sum, room.m = room.ld = j - k, room.n = end - j;
    tsl_view W = tsl_whole(&room), Y1 = strip(p->Y, k, j), A2 = strip(p->top, j, end);
    tsl_view B1 = strip(p->here, k, j), B2 = strip(p->here, j, end);
    tsl_view T1 = tsl_upper(tsl_sub(p->T, k, k, j - k, j - k)), T2 = tsl_upper(tsl_sub(p->T, j, j, end - j, end - j));
    tsl_view T12 = tsl_sub(p->T, k, j, j - k, end - j);
    halves(p, k, j);
    /* W := Y1^H A2 */                          sum(p, k, j, A2, B2, W);
    /* W := T1^H W */                           triangle(p, TSL_LEFT, 1, tsl_herm(T1), W);
    /* A2 := A2 - Y1 W */                       multiply(p, -1, Y1, W, 1, A2);
                                                multiply(p, -1, B1, W, 1, B2);
    halves(p, j, end);
    /* T12 := -T1 (Y1^H Y2) T2 */               sum(p, k, j, strip(p->Y, j, end), B2, W);
    if (!p->g->failed)
        tsl_rect(room.type, TSL_NOTRANS, false, room.m, room.n, room.data, room.ld, tsl_here(T12, 0, 0), T12.mat->ld);
    triangle(p, TSL_LEFT, -1, T1, T12);
    triangle(p, TSL_RIGHT, 1, T2, T12);
}

/* By all processes that have rows of it; those of several process columns come to the first of these. */
static void in_line(tsl_context *x, tsl_view A, tsl_view T, tsl_view tau)
{
    tsl_grid *g = tsl_grid_of(A);
    tsl_layout where = tsl_owner_layout(A, 1), rows = where;
    tsl_type type = A.mat->type;
    tsl_dmatrix S[3];
    int64_t n = tsl_cols(A);
    size_t room = tsl_dense_bytes(type, n, n) + sizeof(column);
    where.scheme = rows.scheme = TSL_IN_HOST;
    rows.rows = tsl_seen_axis(A, 0);
    tsl_view all = tsl_work_matrix(x, &S[0], &rows, type, tsl_rows(A), n), top = tsl_work_matrix(x, &S[1], &where, type, n, n);
    tsl_view Y = tsl_work_matrix(x, &S[2], &where, type, n, n);
    panel p = {.x = x, .g = g, .over = rows.rows.over, .single = tsl_type_eps(type) > 1e-10,
               .columns = &by_type[tsl_kernel_type(type)], .sum = tsl_work_get(g, false, room), .other = tsl_work_get(g, false, room)};
    tsl_transfer_now(x, A, all, false);
    tsl_transfer_now(x, tsl_block_rows(all, 0, n).A1, top, false);
    tsl_view own = tsl_local(all);
    if (tsl_layout_has(&where, g->at) && !g->rehearsing) {
        int64_t before = tsl_local_row(all, n);
        p.first = tsl_axis_index(g, p.over, g->at) == 0;
        p.here = tsl_sub(own, before, 0, own.m - before, n);
        p.top = tsl_local(top), p.Y = tsl_local(Y), p.T = tsl_local(T), p.tau = tsl_local(tau);
        if (!g->failed) memset(p.Y.mat->data, 0, tsl_dense_bytes(type, n, n));
        if (!g->failed) memset(p.T.mat->data, 0, tsl_dense_bytes(type, n, n));
        halves(&p, 0, n);
    }
    tsl_transfer_now(x, top, tsl_block_rows(all, 0, n).A1, false);
    tsl_transfer_now(x, all, A, false);
}

/* Brought together by the process that has its first element */
static void in_one(tsl_context *x, tsl_view A, tsl_view T, tsl_view tau, bool single)
{
    tsl_grid *g = tsl_grid_of(A);
    tsl_layout where = tsl_corner_layout(A);
    tsl_dmatrix S[2];
    tsl_view B = A, Y = tsl_work_like(x, &S[1], where, A, tsl_rows(A), tsl_cols(A));
    if (!single) {
        B = tsl_work_like(x, &S[0], where, A, tsl_rows(A), tsl_cols(A));
        tsl_transfer_now(x, A, B, false);
    }
    tsl_view own = tsl_local(B);
    if (own.m > 0 && own.n > 0)
        tsl_locally(x, g, &(tsl_call){.op = TSL_OP_GEQRT, .v = {tsl_local(T), tsl_local(Y), tsl_local(tau), own}});
    if (!single) tsl_transfer_now(x, B, A, false);
}

/* On accelerators a panel comes together unless it is much higher than the triangles of a tree. */
typedef enum way { GATHERED, BY_COLUMNS, BY_TREE } way;
static way way_of(const tsl_context *x, tsl_view A, bool single)
{
    const tsl_grid *g = tsl_grid_of(A);
    int64_t p = tsl_axis_size(g, tsl_seen_axis(A, 0).over), m = tsl_rows(A);
    if (!tsl_panel_stays(x, g, m, single)) return GATHERED;
    if (!x->dev->be->accelerator && (g->tall < 0 || x->dev->shares_host)) return BY_COLUMNS;
    return g->tall < 0 && m / 4 < p * tsl_cols(A) ? GATHERED : BY_TREE;
}

void tsl_dist_geqrt(tsl_context *x, const tsl_call *c)
{
    tsl_view T = c->v[0], Y = c->v[1], tau = c->v[2], A = c->v[3];
    tsl_grid *g = tsl_grid_of(A);
    bool rows = tsl_axis_single(g, tsl_seen_axis(A, 0), tsl_rows(A));
    bool cols = tsl_axis_single(g, tsl_seen_axis(A, 1), tsl_cols(A));
    way how = way_of(x, A, rows);
    tsl_layout where = how == GATHERED ? tsl_corner_layout(A) : tsl_owner_layout(A, 1);
    tsl_dmatrix S[2];
    tsl_work_mark mark = tsl_work_now(g);
    if (how != GATHERED) where.scheme = how == BY_COLUMNS ? TSL_IN_HOST : TSL_ON_DEVICE;
    tsl_work_slot(g, tsl_ahead_slot(g)); /* sent from there */
    tsl_view T1 = tsl_work_matrix(x, &S[0], &where, T.mat->type, T.m, T.n);
    tsl_view tau1 = tsl_work_matrix(x, &S[1], &where, T.mat->type, tau.m, 1);
    tsl_work_slot(g, 0);
    if (how == GATHERED) in_one(x, A, T1, tau1, rows && cols);
    else if (how == BY_COLUMNS) in_line(x, A, T1, tau1);
    else tsl_geqrt_tree(x, A, T1, tau1);
    tsl_ahead_send(x, tau1, tau, 0);
    if (!c->geqrt.alone) {
        tsl_ahead_send(x, A, Y, tsl_cols(A));
        tsl_ahead_send(x, T1, T, 0);
    }
    tsl_work_back(g, mark);
}

void tsl_dist_larft(tsl_context *x, const tsl_call *c)
{
    tsl_view T = c->v[0], tau = c->v[1];
    tsl_grid *g = tsl_grid_of(T);
    tsl_work_mark mark = tsl_work_now(g);
    tsl_layout where = tsl_copies_layout(T);
    tsl_dmatrix S;
    tsl_view t = tsl_work_matrix(x, &S, &where, T.mat->type, tau.m, 1), own = tsl_local(T);
    tsl_transfer_now(x, tau, t, false);
    if (own.m > 0) tsl_locally(x, g, &(tsl_call){.op = TSL_OP_LARFT, .v = {own, tsl_local(t)}});
    tsl_work_back(g, mark);
}
