/* Temporary matrices of the blocked algorithms. Their descriptions live in the context, since algorithms do not own storage. */
#include "exec/exec.h"

static tsl_view none(tsl_context *x, tsl_status st)
{
    if (!x->failed) x->failed = st;
    return (tsl_view){0};
}

tsl_view tsl_temp(tsl_context *x, tsl_view like, int64_t m, int64_t n)
{
    const struct tsl_tiles *t = like.mat->tiles;
    return tsl_temp_of(x, like, TSL_OF_TYPE, m, n, t ? t->mb : 0, t ? t->nb : 0);
}

static tsl_view along(tsl_context *x, tsl_view A, tsl_view C, tsl_along d, int64_t m, int64_t n)
{
    if (C.mat->remote) return C.mat->remote->temp(x, A, C, d, A.mat->type, m, n);
    return d != TSL_ALONG_NONE && (A.op & TSL_TRANS) ? tsl_herm(tsl_temp(x, A, n, m)) : tsl_temp(x, A, m, n);
}

tsl_view tsl_temp_rows(tsl_context *x, tsl_view A, tsl_view C, int64_t n) { return along(x, A, C, TSL_ALONG_ROWS, tsl_rows(C), n); }
tsl_view tsl_temp_cols(tsl_context *x, tsl_view A, tsl_view C, int64_t m) { return along(x, A, C, TSL_ALONG_COLS, m, tsl_cols(C)); }
tsl_view tsl_temp_whole(tsl_context *x, tsl_view A, tsl_view C, int64_t m, int64_t n) { return along(x, A, C, TSL_ALONG_NONE, m, n); }

tsl_view tsl_temp_factors(tsl_context *x, tsl_view A, int64_t count)
{
    return A.mat->remote ? tsl_temp_whole(x, A, A, count, 1) : tsl_temp_of(x, A, TSL_OF_TYPE, count, 1, A.mat->tile, 1);
}

tsl_view tsl_temp_of(tsl_context *x, tsl_view like, tsl_element element, int64_t m, int64_t n, int64_t mb, int64_t nb)
{
    size_t bytes;
    void *p;
    tsl_type type = tsl_element_type(element, like.mat->type);
    if (like.mat->remote) return like.mat->remote->temp(x, like, like, TSL_ALONG_BOTH, type, m, n);
    if (like.mat->tiles) return tsl_by_tiles.temp(x, like, type, m, n, mb, nb);
    if (x->temps == TSL_MAX_TEMPS) return none(x, TSL_ERR_MEMORY);
    int64_t ld = tsl_padded(type, m);
    if (!tsl_block_bytes(type, ld, n, ld, &bytes)) return none(x, TSL_ERR_OVERFLOW);
    if (like.mat->batch) bytes = tsl_times(bytes, (size_t)like.mat->count);
    tsl_status st = tsl_arena_get(&tsl_current(x)->arena, bytes, &p);
    if (st) return none(x, st);
    tsl_matrix *a = &x->temp[x->temps++];
    *a = (tsl_matrix){.ctx = x, .type = type, .m = m, .n = n, .ld = ld, .data = p, .home = x->dev, .batch = like.mat->batch,
                      .count = like.mat->count, .stride = ld * n};
    return tsl_whole(a);
}

/* Of what would be empty one element is made. */
static tsl_view cut_to(tsl_view v, int64_t m, int64_t n) { return v.mat ? tsl_sub(v, 0, 0, m, n) : v; }

tsl_view tsl_temp_piece(tsl_context *x, tsl_view A, tsl_element element, int64_t m, int64_t n)
{
    int64_t rows = tsl_max(1, m), cols = tsl_max(1, n);
    if (A.mat->remote) return cut_to(A.mat->remote->temp(x, A, A, TSL_ALONG_NONE, tsl_element_type(element, A.mat->type), rows, cols), m, n);
    return cut_to(tsl_temp_of(x, A, element, rows, cols, rows, cols), m, n);
}

tsl_view tsl_temp_panels(tsl_context *x, tsl_view A, int64_t m, int64_t n)
{
    int64_t rows = tsl_max(1, m), cols = tsl_max(1, n);
    return cut_to(tsl_temp_of(x, A, TSL_OF_TYPE, rows, cols, rows, A.mat->tile), m, n);
}

bool tsl_lies_in_one(tsl_view A)
{
    const struct tsl_tiles *t = A.mat->tiles;
    return !t || (t->tile && (A.m == 0 || A.n == 0 || tsl_in_one_tile(&A)));
}
