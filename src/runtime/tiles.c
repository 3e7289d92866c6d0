/* Tiled matrices: storage of the caller's or of ours, cut into tiles, each with its line in the directory. */
#include "runtime/runtime.h"

/* The device grid closest to a square with at least as many columns as rows: 1x1, 1x2, 1x3, 2x2, 1x5, 2x3, 1x7, 2x4 ... */
static int grid_rows(int devices)
{
    int r = 1;
    for (int d = 1; d * d <= devices; ++d)
        if (devices % d == 0) r = d;
    return r;
}

static int owner_of(const char *dist, int devices, int64_t i, int64_t j)
{
    int r = grid_rows(devices), c = devices / r;
    if (dist[0] == 'r') return (int)(i % devices);
    if (dist[0] == 'c') return (int)(j % devices);
    return (int)(i % r) + r * (int)(j % c);
}

/* Tiles as high as the matrix are distributed by columns, as wide ones by rows: a grid's other rows would have none. */
static const char *dist_of(const struct tsl_tiles *a)
{
    if (a->mb == a->nb) return a->rt->x->dist;
    return a->mt == 1 ? "cols" : "rows";
}

static void place(struct tsl_tiles *a, int64_t i, int64_t j, int64_t m, int64_t n, void *data, int64_t ld, int home)
{
    tsl_tile *t = &a->tile[i + j * a->mt];
    int64_t mb = a->mb, nb = a->nb;
    *t = (tsl_tile){.of = a, .m = tsl_min(mb, m - i * mb), .n = tsl_min(nb, n - j * nb), .line = {.home = home}};
    t->ld = data || ld ? ld : t->m;
    if (data) {
        t->data = (char *)data + (size_t)(i * mb + j * nb * ld) * tsl_type_size(a->type);
        t->line.valid = tsl_space_bit(home);
    }
    t->owner = owner_of(dist_of(a), a->rt->x->device_count, i, j);
}

static size_t count(const struct tsl_tiles *a) { return tsl_times((size_t)a->mt, (size_t)a->nt); }
static size_t tile_array(const struct tsl_tiles *a) { return tsl_times(count(a), sizeof *a->tile); }
static size_t slot_array(const struct tsl_tiles *a) { return tsl_times(count(a), tsl_times((size_t)a->spaces, sizeof *a->slot)); }

/* But for the tiles' own contents. */
static void drop(const tsl_allocator *mem, struct tsl_tiles *a)
{
    tsl_host_free(mem, a->tile, tile_array(a));
    tsl_host_free(mem, a->slot, slot_array(a));
    tsl_host_free(mem, a, sizeof *a);
}

tsl_status tsl_tiles_make(tsl_runtime *rt, tsl_type type, int64_t m, int64_t n, int64_t mb, int64_t nb, void *data, int64_t ld,
                          int home, struct tsl_tiles **out)
{
    const tsl_allocator *mem = &rt->x->allocator;
    struct tsl_tiles *a = tsl_host_alloc(mem, sizeof *a);
    if (!a) return TSL_ERR_MEMORY;
    *a = (struct tsl_tiles){.rt = rt, .mb = mb, .nb = nb, .mt = tsl_pieces(m, mb), .nt = tsl_pieces(n, nb), .type = type,
                            .spaces = rt->x->device_count + 1, .wraps = data != NULL};
    tsl_status st = tile_array(a) > PTRDIFF_MAX || slot_array(a) > PTRDIFF_MAX ? TSL_ERR_OVERFLOW : TSL_OK;
    if (!st && count(a)) {
        a->tile = tsl_host_alloc(mem, tile_array(a));
        a->slot = a->tile ? tsl_host_alloc(mem, slot_array(a)) : NULL;
        if (!a->slot) st = TSL_ERR_MEMORY;
    }
    if (st) {
        drop(mem, a);
        return st;
    }
    for (int64_t k = 0; k < (int64_t)count(a); ++k) /* not column by column: there may be 2^63 of them without a row */
        place(a, k % a->mt, k / a->mt, m, n, data, ld, home);
    tsl_runtime_lock(rt);
    a->next = rt->matrices;
    if (a->next) a->next->prev = a;
    rt->matrices = a;
    tsl_runtime_unlock(rt);
    *out = a;
    return TSL_OK;
}

static void forget(struct tsl_tiles *a, tsl_tile *t)
{
    for (int s = 0; s < a->spaces; ++s) {
        tsl_slot *slot = *tsl_slot_at(t, s);
        if (slot) tsl_slot_drop(tsl_site_at(a->rt, s), slot);
    }
    while (t->readers) {
        tsl_reader *r = t->readers;
        t->readers = r->next;
        tsl_pool_put(&a->rt->readers, r);
    }
}

void tsl_tiles_free(struct tsl_tiles *a)
{
    tsl_runtime *rt = a->rt;
    tsl_runtime_lock(rt);
    for (size_t i = 0; i < count(a); ++i) forget(a, &a->tile[i]);
    if (a->prev) a->prev->next = a->next;
    else rt->matrices = a->next;
    if (a->next) a->next->prev = a->prev;
    tsl_runtime_unlock(rt);
    const tsl_allocator *mem = &rt->x->allocator;
    for (size_t i = 0; i < count(a) && !a->wraps; ++i) tsl_host_free(mem, a->tile[i].data, tsl_tile_storage(&a->tile[i]));
    drop(mem, a);
}

tsl_tile *tsl_tile_at(const tsl_view *v)
{
    struct tsl_tiles *a = v->mat->tiles;
    int64_t i = tsl_min(v->i / a->mb, a->mt - 1), j = tsl_min(v->j / a->nb, a->nt - 1);
    return i >= 0 && j >= 0 ? &a->tile[i + j * a->mt] : NULL;
}

bool tsl_in_one_tile(const tsl_view *v)
{
    int64_t mb = v->mat->tiles->mb, nb = v->mat->tiles->nb;
    return v->m && v->n && v->i / mb == (v->i + v->m - 1) / mb && v->j / nb == (v->j + v->n - 1) / nb;
}

bool tsl_in_place(const tsl_view *v)
{
    const struct tsl_tiles *a = v->mat->tiles;
    const tsl_context *x = a->rt->x;
    return a->wraps && a->tile->line.home == TSL_HOST_SPACE && x->device_count == 1 && x->dev->shares_host && x->dev->limit == SIZE_MAX;
}
