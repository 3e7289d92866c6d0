/* A few elements of a tiled matrix, to the host and from it. */
#include <string.h>

#include "tiled/tiled.h"

/* Where the tile's present contents are, and how far apart its columns; a space that has them, or -1: nobody has written it */
typedef struct place {
    int space;
    char *p;
    int64_t ld;
} place;

static place place_of(const tsl_tile *t)
{
    const tsl_line *l = &t->line;
    if (tsl_line_valid(l, l->home)) return (place){l->home, t->data, t->ld};
    if (!l->valid) return (place){.space = -1};
    int space = __builtin_ctzll(l->valid);
    return (place){space, (*tsl_slot_at(t, space))->p, tsl_slot_ld(t)};
}

/* Nothing runs. */
static tsl_status settle(tsl_runtime *rt, tsl_tile *t)
{
    tsl_runtime_lock(rt);
    tsl_status st = tsl_tile_bytes(t) <= (size_t)tsl_tuned(rt->x, TSL_TUNED_READ_WHOLE) ? tsl_clean(t) : TSL_OK;
    tsl_event *landed = t->landed;
    tsl_device *lander = t->lander;
    tsl_runtime_unlock(rt);
    return !st && landed ? lander->be->event_wait(landed) : st;
}

/* Elements of one tile, which lie side by side */
static tsl_status read_piece(tsl_runtime *rt, const tsl_view *v, void *to)
{
    tsl_tile *t = tsl_tile_at(v);
    size_t size = tsl_type_size(t->of->type), bytes = tsl_times((size_t)v->m, size);
    tsl_status st = settle(rt, t);
    if (st) return st;
    place at = place_of(t);
    const void *from = at.p + (size_t)(v->i % t->of->mb + v->j % t->of->nb * at.ld) * size;
    if (at.space < 0) memset(to, 0, bytes);
    else if (at.space == TSL_HOST_SPACE) memcpy(to, from, bytes);
    else st = tsl_read_word(tsl_site_at(rt, at.space)->executor[0], to, from, bytes); /* no other thread uses its lanes now */
    return st;
}

/* The other way, to a tile whose home is the host's memory: that is the tile then. */
static tsl_status write_piece(tsl_runtime *rt, const void *from, const tsl_view *v)
{
    tsl_tile *t = tsl_tile_at(v);
    size_t size = tsl_type_size(t->of->type);
    tsl_runtime_lock(rt);
    tsl_status st = tsl_come_home(t);
    tsl_event *landed = t->landed;
    tsl_device *lander = t->lander;
    tsl_runtime_unlock(rt);
    if (!st && landed) st = lander->be->event_wait(landed);
    if (st) return st;
    memcpy((char *)t->data + (size_t)(v->i % t->of->mb + v->j % t->of->nb * t->ld) * size, from, tsl_times((size_t)v->m, size));
    tsl_runtime_lock(rt);
    tsl_line_write(&t->line, t->line.home);
    tsl_runtime_unlock(rt);
    return TSL_OK;
}

/* Tile by tile, when nothing runs */
static tsl_status move(tsl_context *x, tsl_view column, char *to, const char *from)
{
    size_t size = tsl_type_size(column.mat->type);
    tsl_status st = tsl_runtime_quiet(x->runtime);
    column.op = TSL_NOTRANS;
    for (int64_t k = 0, m; k < column.m && !st; k += m) {
        m = tsl_min(column.m - k, column.mat->tiles->mb - (column.i + k) % column.mat->tiles->mb);
        tsl_view piece = tsl_sub(column, k, 0, m, 1);
        size_t at = (size_t)k * size;
        st = to ? read_piece(x->runtime, &piece, to + at) : write_piece(x->runtime, from + at, &piece);
    }
    return st;
}

tsl_status tsl_tiled_read(tsl_context *x, tsl_view column, void *to) { return move(x, column, to, NULL); }
tsl_status tsl_tiled_write(tsl_context *x, const void *from, tsl_view column) { return move(x, column, NULL, from); }
