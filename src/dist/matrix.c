/* Distributed matrices: made, wrapped, described by ScaLAPACK's integers, and which part of a block is here. */
#include "dist/dist.h"

static bool good_axis(const tsl_axis *a) { return (unsigned)a->over <= TSL_OVER_ALL && a->nb >= 1 && a->offset >= 0; }

tsl_status tsl_layout_check(tsl_context *x, const tsl_layout *l)
{
    if (!l || !l->grid) return tsl_fail(x, TSL_ERR_NULL, "layout: no layout or no grid");
    if (!tsl_is_alive(&l->grid->handle)) return tsl_fail(x, TSL_ERR_GRID, "layout: the grid has been freed");
    if (!good_axis(&l->rows) || !good_axis(&l->cols) || (unsigned)l->scheme > TSL_ON_DEVICE)
        return tsl_fail(x, TSL_ERR_FLAG, "layout: an axis deals out blocks of %lld and %lld", (long long)l->rows.nb,
                        (long long)l->cols.nb);
    if (l->rows.over & l->cols.over) return tsl_fail(x, TSL_ERR_GRID, "layout: both axes are dealt out in the same direction");
    for (int d = 0; d < 2; ++d) {
        int fixed = tsl_layout_fixed(l, d);
        if (fixed < TSL_EVERY || fixed >= l->grid->size[d])
            return tsl_fail(x, TSL_ERR_GRID, "layout: no process %s %d", d ? "column" : "row", fixed);
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
    D->head.remote = &tsl_dist_ops;
}

typedef struct making {
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

void tsl_dist_release(tsl_matrix *A)
{
    tsl_dmatrix *D = (tsl_dmatrix *)A;
    if (D->local.bytes) tsl_device_release(D->local.home, D->local.data);
    if (D->host_bytes) tsl_host_free(&A->ctx->allocator, D->local.data, D->host_bytes);
    D->local.data = NULL;
    D->local.bytes = D->host_bytes = 0;
    tsl_grid_let_go(D->layout.grid);
    D->layout.grid = NULL;
}

/* Who has no part of what the caller's arrays hold has it where the others have theirs. */
static tsl_status place_nothing(tsl_context *x, tsl_dmatrix *D)
{
    int mine = D->local.home != NULL, any = 0;
    if (MPI_Allreduce(&mine, &any, 1, MPI_INT, MPI_MAX, D->layout.grid->comm))
        return tsl_fail(x, TSL_ERR_MPI, "matrix: agreement failed");
    if (any && !D->local.data && !x->dev->shares_host) {
        D->local.home = D->head.home = x->dev;
        D->layout.scheme = TSL_ON_DEVICE;
    }
    return TSL_OK;
}

static void nothing(tsl_context *x, const void *arg) { (void)x, (void)arg; }

/* All processes or none have it. */
static tsl_status together(tsl_context *x, making *k, tsl_matrix **A)
{
    if (A) *A = NULL;
    tsl_status st = tsl_enter(&x);
    if (st) return st;
    st = A ? tsl_layout_check(x, k->layout) : tsl_fail(x, TSL_ERR_NULL, "matrix: no place for the result");
    if (!k->layout || !k->layout->grid || !tsl_is_alive(&k->layout->grid->handle))
        return tsl_leave(x, st ? st : TSL_ERR_NULL); /* nobody to agree with */
    if (!st) st = make(x, k);
    st = tsl_collective(x, k->layout->grid, st, (uint64_t)k->m * 1000003u ^ (uint64_t)k->n << 2 ^ (uint64_t)k->type, nothing, NULL);
    if (!st && k->wrap) st = place_nothing(x, k->made);
    if (st && k->made) tsl_matrix_free(&k->made->head);
    else if (!st) *A = &k->made->head;
    return tsl_leave(x, st);
}

tsl_status tsl_matrix_create_on(tsl_context *x, const tsl_layout *l, tsl_type type, int64_t m, int64_t n, tsl_matrix **A)
{
    return together(x, &(making){.layout = l, .type = type, .m = m, .n = n}, A);
}

tsl_status tsl_matrix_wrap_on(tsl_context *x, const tsl_layout *l, tsl_type type, int64_t m, int64_t n, void *local, int64_t ld,
                              tsl_matrix **A)
{
    return together(x, &(making){.layout = l, .type = type, .m = m, .n = n, .ld = ld, .data = local, .wrap = true}, A);
}

tsl_status tsl_matrix_wrap_desc(tsl_context *x, tsl_grid *g, tsl_type type, const int desc[9], void *local, tsl_matrix **A)
{
    enum { DTYPE, CTXT, M, N, MB, NB, RSRC, CSRC, LLD };
    tsl_layout l = tsl_layout_matrix(g, 1);
    if (g && desc && desc[DTYPE] == 1 && desc[RSRC] < g->size[0] && desc[CSRC] < g->size[1]) {
        l.rows = (tsl_axis){TSL_OVER_ROWS, desc[MB], (int64_t)desc[RSRC] * desc[MB]};
        l.cols = (tsl_axis){TSL_OVER_COLS, desc[NB], (int64_t)desc[CSRC] * desc[NB]};
        return tsl_matrix_wrap_on(x, &l, type, desc[M], desc[N], local, desc[LLD], A);
    }
    l.rows.nb = 0; /* refused with one message */
    return tsl_matrix_wrap_on(x, &l, type, 0, 0, NULL, 1, A);
}

tsl_status tsl_matrix_layout(const tsl_matrix *A, tsl_layout *layout)
{
    if (!A || !layout) return tsl_fail(NULL, TSL_ERR_NULL, "matrix_layout: no %s", A ? "place for the result" : "matrix");
    if (!A->remote) return tsl_fail(NULL, TSL_ERR_GRID, "matrix_layout: the matrix is not distributed");
    if (!tsl_is_dist(tsl_whole((tsl_matrix *)A))) return tsl_fail(NULL, TSL_ERR_GRID, "matrix_layout: its grid or context is gone");
    *layout = ((const tsl_dmatrix *)A)->layout;
    return TSL_OK;
}

