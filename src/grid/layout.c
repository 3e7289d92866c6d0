/* Layouts: which process has which part of an object. */
#include "grid/grid.h"

static const tsl_axis whole = {TSL_OVER_NONE, 1, 0};

tsl_layout tsl_layout_matrix(tsl_grid *g, int64_t nb)
{
    return (tsl_layout){.grid = g, .rows = {TSL_OVER_ROWS, nb, 0}, .cols = {TSL_OVER_COLS, nb, 0}};
}

tsl_layout tsl_layout_vector(tsl_grid *g, int64_t nb)
{
    return (tsl_layout){.grid = g, .rows = {TSL_OVER_ALL, nb, 0}, .cols = whole};
}

tsl_layout tsl_layout_whole(tsl_grid *g, int row, int col)
{
    return (tsl_layout){.grid = g, .rows = whole, .cols = whole, .row = row, .col = col};
}

tsl_axis tsl_seen_axis(tsl_view v, int d)
{
    const tsl_layout *l = &tsl_dist(v)->layout;
    bool rows = (d == 0) != ((v.op & TSL_TRANS) != 0);
    return rows ? tsl_axis_shift(l->rows, v.i) : tsl_axis_shift(l->cols, v.j);
}

bool tsl_layout_uses(const tsl_layout *l, int d)
{
    return ((l->rows.over | l->cols.over) & (d == 0 ? TSL_OVER_ROWS : TSL_OVER_COLS)) != 0;
}

int tsl_layout_fixed(const tsl_layout *l, int d)
{
    if (tsl_layout_uses(l, d)) return TSL_EVERY;
    return d == 0 ? l->row : l->col;
}

bool tsl_layout_has(const tsl_layout *l, const int at[2])
{
    for (int d = 0; d < 2; ++d) {
        int fixed = tsl_layout_fixed(l, d);
        if (fixed != TSL_EVERY && fixed != at[d]) return false;
    }
    return true;
}

tsl_layout tsl_copies_layout(tsl_view A)
{
    const tsl_layout *l = &tsl_dist(A)->layout;
    tsl_layout p = tsl_layout_whole(l->grid, tsl_layout_fixed(l, 0), tsl_layout_fixed(l, 1));
    p.scheme = l->scheme;
    return p;
}

tsl_layout tsl_panel_layout(tsl_view A, int d)
{
    tsl_layout p = tsl_copies_layout(A);
    *(d == 0 ? &p.rows : &p.cols) = tsl_seen_axis(A, d);
    return p;
}

tsl_layout tsl_owner_layout(tsl_view A, int d)
{
    tsl_layout p = tsl_copies_layout(A);
    tsl_axis a = tsl_seen_axis(A, d);
    int owner = tsl_axis_owner(p.grid, a, 0), rows = p.grid->size[0];
    if (a.over & TSL_OVER_ROWS) p.row = a.over == TSL_OVER_ALL ? owner % rows : owner;
    if (a.over & TSL_OVER_COLS) p.col = a.over == TSL_OVER_ALL ? owner / rows : owner;
    return p;
}

tsl_layout tsl_layout_rows_of(tsl_view A)
{
    return tsl_is_dist(A) ? tsl_panel_layout(A, 0) : (tsl_layout){0};
}

tsl_layout tsl_layout_cols_of(tsl_view A)
{
    return tsl_is_dist(A) ? tsl_panel_layout(tsl_trans(A), 0) : (tsl_layout){0};
}
