/* Distributed matrices: made, wrapped, described by ScaLAPACK's integers, and which part of a block is here. */
#include <stdlib.h>

#include "grid/grid.h"
#include "grid/entry.h"

static tsl_status check_axis(tsl_context *x, const char *which, const tsl_axis *a)
{
    if ((unsigned)a->over > TSL_OVER_ALL) return tsl_fail(x, TSL_ERR_FLAG, "layout: %s.over is %d: no tsl_over", which, (int)a->over);
    if (a->nb < 1) return tsl_fail(x, TSL_ERR_FLAG, "layout: %s.nb is %lld, must be at least 1", which, (long long)a->nb);
    if (a->offset < 0)
        return tsl_fail(x, TSL_ERR_FLAG, "layout: %s.offset is %lld, must not be negative", which, (long long)a->offset);
    return TSL_OK;
}

tsl_status tsl_layout_check(tsl_context *x, const tsl_layout *l)
{
    static const char *const over[] = {"none", "rows", "columns", "all"};
    if (!l || !l->grid) return tsl_fail(x, TSL_ERR_NULL, l ? "layout: grid is null" : "layout: it is null");
    if (!tsl_is_alive(&l->grid->handle)) return tsl_fail(x, TSL_ERR_GRID, "layout: the grid has been freed");
    tsl_status st = check_axis(x, "rows", &l->rows);
    if (!st) st = check_axis(x, "cols", &l->cols);
    if (st) return st;
    if ((unsigned)l->scheme > TSL_ON_DEVICE) return tsl_fail(x, TSL_ERR_FLAG, "layout: scheme is %d: no tsl_scheme", (int)l->scheme);
    if (l->rows.over & l->cols.over)
        return tsl_fail(x, TSL_ERR_GRID, "layout: rows.over (%s) and cols.over (%s) share a direction of the grid",
                        over[l->rows.over], over[l->cols.over]);
    for (int d = 0; d < 2; ++d) {
        int fixed = tsl_layout_fixed(l, d);
        if (fixed < TSL_EVERY || fixed >= l->grid->size[d])
            return tsl_fail(x, TSL_ERR_GRID, "layout: %s is %d, and the grid has %d process %s", d ? "col" : "row", fixed,
                            l->grid->size[d], d ? "columns" : "rows");
    }
    return TSL_OK;
}

/* Its numbers, and those of a round of blocks after them, can be counted. */
static bool countable(const tsl_layout *l, const tsl_axis *a, int64_t n)
{
    int64_t round, last;
    return !__builtin_mul_overflow(a->nb, (int64_t)tsl_axis_size(l->grid, a->over), &round) &&
           !__builtin_add_overflow(a->offset, n, &last) && !__builtin_add_overflow(last, round, &last);
}

static int64_t share(const tsl_layout *l, const tsl_axis *a, int64_t n)
{
    return tsl_axis_before(l->grid, *a, tsl_axis_index(l->grid, a->over, l->grid->at), n);
}

/* All but the data. */
void tsl_dist_describe(tsl_dmatrix *D, tsl_context *x, const tsl_layout *l, tsl_type type, int64_t m, int64_t n)
{
    bool here = tsl_layout_has(l, l->grid->at);
    int64_t rows = here ? share(l, &l->rows, m) : 0, cols = here ? share(l, &l->cols, n) : 0;
    *D = (tsl_dmatrix){.layout = *l};
    D->local = (tsl_matrix){.ctx = x, .type = type, .m = rows, .n = cols, .ld = tsl_max(1, rows),
                            .home = l->scheme == TSL_ON_DEVICE ? x->dev : NULL};
    D->head = D->local;
    D->head.m = m, D->head.n = n;
    D->head.remote = l->grid->ops;
}

enum { DTYPE, CTXT, M, N, MB, NB, RSRC, CSRC, LLD }; /* of a descriptor */

typedef struct making {
    tsl_status given; /* what was found before */
    const tsl_layout *layout;
    tsl_type type;
    int64_t m, n, ld;
    void *data; /* the caller's; NULL: ours */
    bool wrap;
    tsl_dmatrix *made;
} making;

static tsl_status make(tsl_context *x, making *k)
{
    size_t bytes = 0;
    if (!tsl_type_size(k->type)) return tsl_fail(x, TSL_ERR_FLAG, "matrix: no element type %d", (int)k->type);
    if (k->m < 0 || k->n < 0) return tsl_fail(x, TSL_ERR_SIZE, "matrix: %lld x %lld", (long long)k->m, (long long)k->n);
    if (!countable(k->layout, &k->layout->rows, k->m) || !countable(k->layout, &k->layout->cols, k->n))
        return tsl_fail(x, TSL_ERR_OVERFLOW, "matrix: a block size or an offset of the layout is too large for %lld x %lld elements",
                        (long long)k->m, (long long)k->n);
    tsl_dmatrix *D = k->made = tsl_host_alloc(&x->allocator, sizeof *D);
    if (!D) return tsl_fail(x, TSL_ERR_MEMORY, "matrix: no host memory");
    tsl_dist_describe(D, x, k->layout, k->type, k->m, k->n);
    tsl_matrix_keep(&D->head);
    k->layout->grid->matrices++;
    tsl_matrix *a = &D->local;
    if (k->wrap) {
        if (k->ld < a->ld)
            return tsl_fail(x, TSL_ERR_LD, "matrix: ld is %lld for %lld rows here", (long long)k->ld, (long long)a->m);
        a->ld = k->ld;
    }
    if (!tsl_block_bytes(k->type, a->m, a->n, a->ld, &bytes)) return tsl_fail(x, TSL_ERR_OVERFLOW, "matrix: too large here");
    tsl_status st = TSL_OK;
    if (k->wrap) {
        if (bytes && !k->data) st = tsl_fail(x, TSL_ERR_NULL, "matrix: no local array");
        else if (bytes) *a = tsl_borrow(x, k->type, a->m, a->n, k->data, a->ld);
        D->layout.scheme = a->home ? TSL_ON_DEVICE : TSL_IN_HOST;
    } else if (bytes && a->home) {
        st = tsl_device_alloc(a->home, bytes, &a->data);
        if (!st) a->bytes = bytes;
    } else if (bytes) {
        a->data = tsl_host_alloc(&x->allocator, bytes);
        if (a->data) D->host_bytes = bytes;
        else st = TSL_ERR_MEMORY;
    }
    if (st) return tsl_fail(x, st, "matrix: %zu bytes: %s", bytes, tsl_status_text(st));
    D->head.data = a->data, D->head.ld = a->ld, D->head.home = a->home;
    return TSL_OK;
}

tsl_grid *tsl_grid_meant(const tsl_context *x, const tsl_view *v, int count)
{
    for (int i = count; i-- > 0;) {
        if (tsl_is_dist(v[i])) return tsl_grid_of(v[i]);
        if (v[i].mat && v[i].mat->remote) return NULL; /* its grid has been freed */
    }
    for (tsl_matrix *m = x->matrices; m; m = m->next)
        if (tsl_is_dist(tsl_whole(m))) return tsl_grid_of(tsl_whole(m));
    return NULL;
}

static void let_go(tsl_grid *g)
{
    if (--g->matrices == 0 && g->ended && !tsl_held(g)) tsl_grid_gone(g);
}

void tsl_dist_release(tsl_matrix *A)
{
    tsl_dmatrix *D = (tsl_dmatrix *)A;
    if (D->local.bytes) tsl_device_release(D->local.home, D->local.data);
    if (D->host_bytes) tsl_host_free(&A->ctx->allocator, D->local.data, D->host_bytes);
    D->local.data = NULL;
    D->local.bytes = D->host_bytes = 0;
    let_go(D->layout.grid);
    D->layout.grid = NULL;
}

/* All processes or none have it. Who has no part of what the caller's arrays hold has it where the others have theirs. */
static tsl_status agreed(tsl_context *x, making *k, tsl_grid *g, tsl_status st)
{
    tsl_terms t = {.call = "matrix", .kind = TSL_CALL_MATRIX + k->wrap};
    tsl_dmatrix *D = k->made;
    bool on_device = !st && k->wrap && D->local.home;
    tsl_term_add(&t, "type", k->type);
    tsl_term_add(&t, "m", k->m);
    tsl_term_add(&t, "n", k->n);
    if (!st) tsl_term_layout(&t, k->layout);
    st = tsl_agree(x, g, st, &t, &on_device);
    if (st) return st;
    D->number = ++g->numbers;
    if (on_device && !D->local.data && !x->dev->shares_host) {
        D->local.home = D->head.home = x->dev;
        D->layout.scheme = TSL_ON_DEVICE;
    }
    return TSL_OK;
}

/* alone: agreed on later, with the call that uses it. */
static tsl_status together(tsl_context *x, making *k, bool alone, tsl_matrix **A)
{
    if (A) *A = NULL;
    tsl_status st = tsl_enter_public(&x);
    if (st) return st;
    st = k->given ? k->given : A ? tsl_layout_check(x, k->layout) : tsl_fail(x, TSL_ERR_NULL, "matrix: no place for the result");
    tsl_grid *g = k->layout && k->layout->grid ? k->layout->grid : tsl_grid_meant(x, NULL, 0);
    if (!g || !tsl_is_alive(&g->handle)) return tsl_leave(x, st ? st : TSL_ERR_NULL); /* nobody to agree with */
    if (!st) st = make(x, k);
    if (!alone) st = g->broken ? tsl_broken(x, g) : agreed(x, k, g, st);
    if (st && k->made) tsl_matrix_free(&k->made->head);
    else if (!st) *A = &k->made->head;
    return tsl_leave(x, st);
}

tsl_status tsl_matrix_create_on(tsl_context *x, const tsl_layout *l, tsl_type type, int64_t m, int64_t n, tsl_matrix **A)
{
    return together(x, &(making){.layout = l, .type = type, .m = m, .n = n}, false, A);
}

tsl_status tsl_matrix_wrap_on(tsl_context *x, const tsl_layout *l, tsl_type type, int64_t m, int64_t n, void *local, int64_t ld,
                              tsl_matrix **A)
{
    return together(x, &(making){.layout = l, .type = type, .m = m, .n = n, .ld = ld, .data = local, .wrap = true}, false, A);
}

tsl_status tsl_wrap_alone(tsl_context *x, const tsl_layout *l, tsl_type type, int64_t m, int64_t n, void *local, int64_t ld,
                          tsl_matrix **A)
{
    return together(x, &(making){.layout = l, .type = type, .m = m, .n = n, .ld = ld, .data = local, .wrap = true}, true, A);
}

/* The layout of a descriptor; where it is none, one that is refused by all. */
static tsl_status read_desc(tsl_context *x, tsl_grid *g, const int *desc, tsl_layout *l)
{
    *l = tsl_layout_matrix(g, 0);
    if (!g) return TSL_OK;
    if (!desc) return tsl_fail(x, TSL_ERR_NULL, "descriptor: it is null");
    if (desc[DTYPE] != 1) return tsl_fail(x, TSL_ERR_FLAG, "descriptor: entry 1 (DTYPE) is %d, must be 1", desc[DTYPE]);
    for (int d = 0; d < 2; ++d)
        if (desc[RSRC + d] < 0 || desc[RSRC + d] >= g->size[d])
            return tsl_fail(x, TSL_ERR_FLAG, "descriptor: entry %d (%s) is %d, and the grid has %d process %s", RSRC + d + 1,
                            d ? "CSRC" : "RSRC", desc[RSRC + d], g->size[d], d ? "columns" : "rows");
    l->rows = (tsl_axis){TSL_OVER_ROWS, desc[MB], (int64_t)desc[RSRC] * desc[MB]};
    l->cols = (tsl_axis){TSL_OVER_COLS, desc[NB], (int64_t)desc[CSRC] * desc[NB]};
    return TSL_OK;
}

static tsl_status wrap_desc(tsl_context *x, tsl_grid *g, tsl_type type, const int *desc, void *local, bool alone, tsl_matrix **A)
{
    tsl_layout l;
    tsl_status st = tsl_enter_public(&x);
    if (st) return st;
    making k = {.layout = &l, .type = type, .data = local, .wrap = true};
    k.given = read_desc(x, g, desc, &l);
    if (desc) k.m = desc[M], k.n = desc[N], k.ld = desc[LLD];
    return tsl_leave(x, together(x, &k, alone, A));
}

tsl_status tsl_matrix_wrap_desc(tsl_context *x, tsl_grid *g, tsl_type type, const int desc[9], void *local, tsl_matrix **A)
{
    return wrap_desc(x, g, type, desc, local, false, A);
}

tsl_status tsl_wrap_desc_alone(tsl_context *x, tsl_grid *g, tsl_type type, const int desc[9], void *local, tsl_matrix **A)
{
    return wrap_desc(x, g, type, desc, local, true, A);
}

tsl_status tsl_vector_desc_alone(tsl_context *x, tsl_grid *g, tsl_type type, const int desc[9], bool cols, int64_t length,
                                 void *local, tsl_matrix **A)
{
    tsl_layout l, of;
    tsl_status st = tsl_enter_public(&x);
    if (st) return st;
    making k = {.layout = &l, .type = type, .m = length, .n = 1, .ld = tsl_max(1, length), .data = local, .wrap = type != TSL_INDEX};
    k.given = read_desc(x, g, desc, &of);
    l = tsl_layout_whole(g, TSL_EVERY, TSL_EVERY);
    l.rows = cols ? of.cols : of.rows;
    return tsl_leave(x, together(x, &k, true, A));
}

tsl_status tsl_everywhere_alone(tsl_context *x, tsl_grid *g, tsl_type type, int64_t length, void *local, tsl_matrix **A)
{
    tsl_layout l = tsl_layout_whole(g, TSL_EVERY, TSL_EVERY);
    tsl_status st = tsl_enter_public(&x);
    return st ? st : tsl_leave(x, tsl_wrap_alone(x, &l, type, length, 1, local, tsl_max(1, length), A));
}

tsl_status tsl_matrix_layout(const tsl_matrix *A, tsl_layout *layout)
{
    if (!A || !layout) return tsl_fail(NULL, TSL_ERR_NULL, "matrix_layout: no %s", A ? "place for the result" : "matrix");
    if (!A->remote) return tsl_fail(NULL, TSL_ERR_GRID, "matrix_layout: the matrix is not distributed");
    if (!tsl_is_dist(tsl_whole((tsl_matrix *)A))) return tsl_fail(NULL, TSL_ERR_GRID, "matrix_layout: its grid or context is gone");
    *layout = ((const tsl_dmatrix *)A)->layout;
    return TSL_OK;
}

