/* The local part of a triangle: a staircase, cut into rectangles as large as can be and square blocks on the diagonal. */
#include "grid/form/form.h"

tsl_view tsl_seen_lower(tsl_view C, bool herm)
{
    return tsl_triangle(C) != TSL_UPPER ? C : herm ? tsl_herm(C) : tsl_trans(C);
}

typedef struct walk {
    tsl_view C;
    const tsl_grid *g;
    tsl_axis row, cut; /* cut: where columns may be cut; those of the rows' blocks if the columns are not distributed */
    tsl_piece piece;
    void *user;
} walk;

static void give(const walk *w, int64_t i, int64_t j, int64_t m, int64_t n, bool diagonal)
{
    if (m > 0 && n > 0) w->piece(w->user, i, j, m, n, diagonal);
}

/* Local columns [j, j + n), in one block: numbers [g0, g0 + n) of C; local rows [i, end), of which none lies above g0. */
static void column(const walk *w, int64_t j, int64_t n, int64_t i, int64_t end)
{
    int64_t g0 = tsl_global_col(w->C, j), g1 = g0 + n, below = tsl_min(end, tsl_local_row(w->C, g1));
    while (i < below) { /* rows [a, b) of C, in one block of rows */
        int64_t a = tsl_global_row(w->C, i), b = tsl_min(a + tsl_min(tsl_axis_run(w->g, w->row, a), below - i), g1);
        give(w, i, j, b - a, a - g0, false);
        give(w, i, j + a - g0, b - a, b - a, true);
        i += b - a;
    }
    give(w, below, j, end - below, n, false);
}

/* Local columns [j, end), local rows [i, last) where row i is the first not above column j. */
static void stairs(const walk *w, int64_t j, int64_t end, int64_t i, int64_t last)
{
    if (j >= end || i >= last) return;
    int64_t block = tsl_axis_run(w->g, w->cut, tsl_global_col(w->C, j));
    if (end - j <= block) {
        column(w, j, end - j, i, last);
        return;
    }
    int64_t half = j + (end - j) / 2, past = (w->cut.offset + tsl_global_col(w->C, half)) % w->cut.nb;
    int64_t mid = half - past > j ? half - past : j + block; /* a block starts there */
    int64_t below = tsl_min(last, tsl_local_row(w->C, tsl_global_col(w->C, mid)));
    give(w, below, j, last - below, mid - j, false);
    stairs(w, j, mid, i, below);
    stairs(w, mid, end, below, last);
}

void tsl_triangle_walk(tsl_view C, tsl_piece piece, void *user)
{
    tsl_view own = tsl_local(C);
    tsl_axis row = tsl_seen_axis(C, 0), col = tsl_seen_axis(C, 1);
    const tsl_grid *g = tsl_grid_of(C);
    walk w = {C, g, row, tsl_axis_size(g, col.over) > 1 ? col : row, piece, user};
    int64_t m = tsl_rows(own), n = tsl_cols(own);
    if (m > 0 && n > 0) stairs(&w, 0, n, tsl_min(m, tsl_local_row(C, tsl_global_col(C, 0))), m);
}
