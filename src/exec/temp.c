/* Temporary matrices of the blocked algorithms. Their descriptions live in the context, since algorithms do not own storage. */
#include <math.h>

#include "exec/exec.h"

/* There is no memory: a matrix of that shape without elements. The call has failed, so what is done with it does nothing. */
static tsl_view none(tsl_context *x, tsl_status st, tsl_type type, int64_t m, int64_t n)
{
    if (!x->run->failed) x->run->failed = st;
    tsl_matrix *a = &x->temp[x->temps < TSL_MAX_TEMPS ? x->temps++ : TSL_MAX_TEMPS];
    *a = (tsl_matrix){.ctx = x, .type = type, .m = m, .n = n, .ld = tsl_max(1, m)};
    return tsl_whole(a);
}

/* NaN, in builds for tests: what an algorithm reads before it has written it shows. By the leaf alone, on all that was taken:
 * problems of a batch are one matrix beside each other, and none is spared. */
static tsl_status spoil(tsl_context *x, const tsl_matrix *a)
{
    int64_t n = a->n * (a->batch ? a->count : 1);
    tsl_type type = tsl_kernel_type(a->type);
    tsl_leaf l = {.op = TSL_OP_SCALE, .type = type, .m = a->ld, .n = n, .alpha = NAN, .A.p = a->data, .A.ld = a->ld};
    if (!TSL_SPOIL || n == 0 || a->type == TSL_INDEX) return TSL_OK;
    return tsl_launch(x, x->dev->be->kernels[l.op]->fn[type], &l);
}

static tsl_view flat(tsl_context *x, tsl_view like, tsl_type type, int64_t m, int64_t n)
{
    size_t bytes;
    void *p;
    if (x->temps == TSL_MAX_TEMPS) return none(x, TSL_ERR_MEMORY, type, m, n);
    int64_t ld = tsl_padded(type, m);
    if (!tsl_block_bytes(type, ld, n, ld, &bytes)) return none(x, TSL_ERR_OVERFLOW, type, m, n);
    if (like.mat->batch) bytes = tsl_times(bytes, (size_t)like.mat->count);
    tsl_status st = tsl_arena_get(&tsl_current(x)->arena, bytes, &p);
    if (st) return none(x, st, type, m, n);
    tsl_matrix *a = &x->temp[x->temps++];
    *a = (tsl_matrix){.ctx = x, .type = type, .m = m, .n = n, .ld = ld, .data = p, .home = x->dev, .batch = like.mat->batch,
                      .count = like.mat->count, .stride = ld * n};
    st = spoil(x, a);
    return st ? none(x, st, type, m, n) : tsl_whole(a);
}

/* In tiles of A's size, but along what is said */
static tsl_view tiled(tsl_context *x, tsl_view A, tsl_along along, tsl_type type, int64_t m, int64_t n)
{
    const struct tsl_tiles *t = A.mat->tiles;
    int64_t mb = along == TSL_PER_COLUMN ? (A.op & TSL_TRANS ? t->mb : t->nb) : along >= TSL_IN_ONE ? m : t->mb;
    int64_t nb = along == TSL_COLUMNS_APART ? 1 : along == TSL_IN_PANELS ? A.mat->tile : along >= TSL_IN_ONE ? n : t->nb;
    tsl_view v;
    tsl_status st = tsl_by_tiles.temp(x, A, type, m, n, mb, nb, &v);
    return st ? none(x, st, type, m, n) : v;
}

static tsl_view make(tsl_context *x, tsl_view A, tsl_view C, tsl_along along, tsl_type type, int64_t m, int64_t n)
{
    bool turned = (along == TSL_ALONG_ROWS || along == TSL_ALONG_COLS) && (A.op & TSL_TRANS);
    if (C.mat->remote) return C.mat->remote->temp(x, A, C, along, type, m, n);
    if (turned) return tsl_herm(make(x, tsl_herm(A), C, along, type, n, m));
    return A.mat->tiles ? tiled(x, A, along, type, m, n) : flat(x, A, type, m, n);
}

tsl_view tsl_temp_of(tsl_context *x, tsl_view A, tsl_along along, tsl_element element, int64_t m, int64_t n)
{
    tsl_type type = tsl_element_type(element, A.mat->type);
    if (along < TSL_IN_ONE) return make(x, A, A, along, type, m, n);
    /* of what would be empty one element is made */
    return tsl_sub(make(x, A, A, along, type, tsl_max(1, m), tsl_max(1, n)), 0, 0, m, n);
}

tsl_view tsl_temp(tsl_context *x, tsl_view A, int64_t m, int64_t n)
{
    return tsl_temp_of(x, A, TSL_ALONG_BOTH, TSL_OF_TYPE, m, n);
}

tsl_view tsl_temp_for_rows(tsl_context *x, tsl_view A, tsl_view C, int64_t n)
{
    return make(x, A, C, TSL_ALONG_ROWS, A.mat->type, tsl_rows(C), n);
}

bool tsl_is_temp(const tsl_context *x, const tsl_matrix *a) { return a >= x->temp && a < x->temp + x->temps; }

bool tsl_lies_in_one(tsl_view A)
{
    const struct tsl_tiles *t = A.mat->tiles;
    return !t || (t->tile && (A.m == 0 || A.n == 0 || tsl_in_one_tile(&A)));
}

bool tsl_is_apart(tsl_view A) { return A.mat->remote || !tsl_lies_in_one(A); }

tsl_matrix tsl_nowhere(tsl_context *x, tsl_type type, int64_t m, int64_t n)
{
    return (tsl_matrix){.ctx = x, .type = type, .m = m, .n = n, .ld = tsl_max(1, m), .data = (void *)(uintptr_t)4096, .home = x->dev};
}
