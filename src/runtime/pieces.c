/* Pieces of operands that lie in one tile each. */
#include "runtime/pieces.h"

#include "runtime/runtime.h"

static bool transposed(const tsl_view *v) { return v->op & TSL_TRANS; }

/* The tiles a view lies in along its rows or columns, as seen: their size, and the place of its first element in the first of
 * them. Those of a vector that counts from the end are passed the other way. A matrix without tiles is one. */
typedef struct scale {
    int64_t size, first, count;
    bool reversed;
} scale;

static scale scale_of(const tsl_view *v, bool rows)
{
    const struct tsl_tiles *t = v->mat->tiles;
    bool down = rows != transposed(v); /* as stored */
    int64_t size = t ? (down ? t->mb : t->nb) : tsl_max(1, down ? v->mat->m : v->mat->n), at = (down ? v->i : v->j) % size,
            count = down ? v->m : v->n;
    return (scale){size, at, count, v->mat->reversed};
}

/* Elements from `at` on, and before it, that lie in one tile with each other; beyond the view, as many as one likes */
static int64_t left_at(const tsl_view *v, bool rows, int64_t at)
{
    scale s = scale_of(v, rows);
    if (at >= s.count) return INT64_MAX;
    return s.reversed ? (s.first + s.count - 1 - at) % s.size + 1 : s.size - (s.first + at) % s.size;
}

static int64_t left_before(const tsl_view *v, bool rows, int64_t at)
{
    scale s = scale_of(v, rows);
    return s.reversed ? s.size - (s.first + s.count - at) % s.size : (s.first + at - 1) % s.size + 1;
}

tsl_view tsl_upright(tsl_view v) { return tsl_cols(v) == 1 ? v : tsl_trans(v); }

tsl_view tsl_segment(tsl_view v, int64_t k, int64_t count)
{
    tsl_view u = tsl_upright(v);
    return tsl_sub(u, v.mat->reversed ? tsl_rows(u) - k - count : k, 0, count, 1);
}

int64_t tsl_segment_of(const tsl_call *c, int64_t k)
{
    int64_t count = tsl_rows(tsl_upright(c->v[0])) - k;
    for (int i = 0; i < tsl_ops[c->op].operands; ++i) {
        tsl_view u = tsl_upright(c->v[i]);
        count = tsl_min(count, left_at(&u, true, k));
    }
    return count;
}

tsl_walk tsl_walk_over(tsl_view A) { return (tsl_walk){.A = A}; }

static void beside(tsl_walk *w, tsl_view v, bool rows, bool cols)
{
    w->beside[w->count].v = v;
    w->beside[w->count].rows = rows;
    w->beside[w->count++].cols = cols;
}

void tsl_walk_rows(tsl_walk *w, tsl_view v) { beside(w, tsl_upright(v), true, false); }
void tsl_walk_cols(tsl_walk *w, tsl_view v) { beside(w, tsl_upright(v), false, true); }
void tsl_walk_both(tsl_walk *w, tsl_view v) { beside(w, v, true, true); }

/* Rows, or columns, of a piece that begins at `at`. Of a triangle both are cut alike, so that the diagonal goes through corners
 * of pieces. */
static int64_t piece(const tsl_walk *w, bool rows, int64_t at, int64_t end)
{
    bool triangle = w->A.uplo != TSL_GENERAL;
    int64_t count = end - at;
    if (triangle) count = tsl_min(count, left_at(&w->A, !rows, at));
    for (int i = 0; i < w->count; ++i) {
        const tsl_view *v = &w->beside[i].v;
        bool vector = w->beside[i].rows != w->beside[i].cols;
        if (triangle || (rows ? w->beside[i].rows : w->beside[i].cols)) count = tsl_min(count, left_at(v, vector || rows, at));
        if (triangle && !vector) count = tsl_min(count, left_at(v, !rows, at));
    }
    return count;
}

static void tile_rows(tsl_walk *w, int64_t at)
{
    w->i0 = at;
    w->m0 = tsl_min(tsl_rows(w->A) - at, left_at(&w->A, true, at));
}

static void tile_cols(tsl_walk *w, int64_t at)
{
    w->j0 = at;
    w->n0 = tsl_min(tsl_cols(w->A) - at, left_at(&w->A, false, at));
}

/* Down the columns of the tile; then to the next tile, down the columns of the matrix. False: all are passed. */
static bool advance(tsl_walk *w)
{
    if (!w->m0) {
        tile_rows(w, 0);
        tile_cols(w, 0);
        w->i = w->j = 0;
        return true;
    }
    w->i += w->m;
    if (w->i < w->i0 + w->m0) return true;
    w->i = w->i0;
    w->j += w->n;
    if (w->j < w->j0 + w->n0) return true;
    int64_t down = w->i0 + w->m0, along = w->j0 + w->n0;
    if (down < tsl_rows(w->A)) {
        tile_rows(w, down);
    } else if (along < tsl_cols(w->A)) {
        tile_rows(w, 0);
        tile_cols(w, along);
    } else {
        return false;
    }
    w->i = w->i0;
    w->j = w->j0;
    return true;
}

bool tsl_walk_on(tsl_walk *w)
{
    tsl_uplo seen = tsl_triangle(w->A);
    if (tsl_rows(w->A) == 0 || tsl_cols(w->A) == 0) return false;
    while (advance(w)) {
        w->m = piece(w, true, w->i, w->i0 + w->m0);
        w->n = piece(w, false, w->j, w->j0 + w->n0);
        if ((seen == TSL_LOWER && w->i < w->j) || (seen == TSL_UPPER && w->i > w->j)) continue;
        w->diagonal = seen && w->i == w->j;
        w->part = tsl_sub(w->A, w->i, w->j, w->m, w->n);
        if (w->diagonal) {
            w->part.uplo = w->A.uplo;
            w->part.diag = w->A.diag;
        }
        return true;
    }
    return false;
}

int64_t tsl_block_end(tsl_view A, tsl_view x, int64_t k)
{
    tsl_view u = tsl_upright(x);
    int64_t count = tsl_min(left_at(&A, true, k), left_at(&A, false, k));
    return k + tsl_min(tsl_min(count, left_at(&u, true, k)), tsl_rows(A) - k);
}

int64_t tsl_block_begin(tsl_view A, tsl_view x, int64_t k)
{
    tsl_view u = tsl_upright(x);
    int64_t count = tsl_min(left_before(&A, true, k), left_before(&A, false, k));
    return k - tsl_min(tsl_min(count, left_before(&u, true, k)), k);
}
