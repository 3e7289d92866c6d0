/* Which part of a block this process has: since blocks are distributed in order, it is a block of the local array. */
#include "grid/grid.h"

typedef struct span {
    int64_t from, size;
} span;

static span part(const tsl_grid *g, tsl_axis whole, int64_t i, int64_t n)
{
    int me = tsl_axis_index(g, whole.over, g->at);
    int64_t from = tsl_axis_before(g, whole, me, i);
    return (span){from, tsl_axis_before(g, whole, me, i + n) - from};
}

tsl_view tsl_local(tsl_view v)
{
    if (!tsl_is_dist(v)) return (tsl_view){0};
    tsl_dmatrix *D = tsl_dist(v);
    const tsl_layout *l = &D->layout;
    tsl_view own = v;
    own.mat = &D->local;
    if (!tsl_layout_has(l, l->grid->at)) {
        own.i = own.j = own.m = own.n = 0;
        return own;
    }
    span rows = part(l->grid, l->rows, v.i, v.m), cols = part(l->grid, l->cols, v.j, v.n);
    own.i = rows.from, own.m = rows.size;
    own.j = cols.from, own.n = cols.size;
    return own;
}

static int64_t to_local(tsl_view v, int d, int64_t index)
{
    if (!tsl_is_dist(v)) return 0;
    const tsl_grid *g = tsl_grid_of(v);
    tsl_axis a = tsl_seen_axis(v, d);
    return tsl_axis_before(g, a, tsl_axis_index(g, a.over, g->at), index);
}

/* The l-th of this process's indices. */
static int64_t to_global(tsl_view v, int d, int64_t l)
{
    if (!tsl_is_dist(v)) return 0;
    tsl_cyclic c = tsl_axis_cyclic(tsl_grid_of(v), tsl_seen_axis(v, d));
    return tsl_cyclic_index(&c, l);
}

int64_t tsl_local_row(tsl_view v, int64_t g) { return to_local(v, 0, g); }
int64_t tsl_local_col(tsl_view v, int64_t g) { return to_local(v, 1, g); }
int64_t tsl_global_row(tsl_view v, int64_t l) { return to_global(v, 0, l); }
int64_t tsl_global_col(tsl_view v, int64_t l) { return to_global(v, 1, l); }

static bool same_axis(tsl_axis a, tsl_axis b) { return a.over == b.over && a.nb == b.nb && a.offset == b.offset; }

/* One matrix, or one array that two describe alike, as ScaLAPACK's callers do with its parts. */
static bool same_storage(tsl_view a, tsl_view b)
{
    const tsl_layout *k = &tsl_dist(a)->layout, *l = &tsl_dist(b)->layout; /* read only of those that have one */
    if (!a.mat->remote || !b.mat->remote) return false; /* one that has no elements */
    if (a.mat == b.mat) return true;
    return a.mat->data && a.mat->data == b.mat->data && a.mat->ld == b.mat->ld && a.mat->m == b.mat->m && k->grid == l->grid &&
           same_axis(k->rows, l->rows) && same_axis(k->cols, l->cols);
}

tsl_area tsl_dist_locate(const tsl_call *c, int i, int k)
{
    tsl_view v = c->v[i], here = v.mat->remote ? tsl_general(tsl_local(v)) : v;
    tsl_area a = tsl_area_of(&here);
    a.unplaced = !same_storage(v, c->v[k]);
    if (a.unplaced) return a;
    a = tsl_area_of(&v);
    a.space = v.mat == c->v[k].mat ? (void *)v.mat : v.mat->data;
    a.ld = tsl_max(1, v.mat->m);
    a.at = (size_t)(v.i + v.j * a.ld) * a.size;
    return a;
}
