/* Tiled matrices for the caller. */
#include "tiled/tiled.h"

tsl_status tsl_tiled_runtime(tsl_context *x, tsl_runtime **rt) { return tsl_runtime_get(x, tsl_compute, tsl_reserve, rt); }

tsl_status tsl_tiled_make(tsl_context *x, const char *who, tsl_type type, int64_t m, int64_t n, int64_t nb, void *data,
                          int64_t ld, tsl_matrix **A)
{
    size_t bytes;
    tsl_runtime *rt;
    if (!A) return tsl_fail(x, TSL_ERR_NULL, "%s: no place for the result", who);
    if (!tsl_type_size(type)) return tsl_fail(x, TSL_ERR_FLAG, "%s: no element type %d", who, (int)type);
    if (m < 0 || n < 0 || nb < 1)
        return tsl_fail(x, TSL_ERR_SIZE, "%s: %lld x %lld by %lld", who, (long long)m, (long long)n, (long long)nb);
    if (data && ld < tsl_max(1, m))
        return tsl_fail(x, TSL_ERR_LD, "%s: ld is %lld for %lld rows", who, (long long)ld, (long long)m);
    nb = tsl_min(nb, TSL_LARGEST_TILE);
    if (!tsl_block_bytes(type, m, n, data ? ld : tsl_max(1, m), &bytes))
        return tsl_fail(x, TSL_ERR_OVERFLOW, "%s: %lld x %lld elements", who, (long long)m, (long long)n);
    tsl_status st = tsl_tiled_runtime(x, &rt);
    if (st) return st;
    tsl_matrix *a = tsl_host_alloc(&x->allocator, sizeof *a);
    if (!a) return tsl_fail(x, TSL_ERR_MEMORY, "%s: no host memory", who);
    *a = tsl_borrow(x, type, m, n, data, ld);
    st = tsl_tiles_make(rt, type, m, n, nb, nb, data, ld, tsl_space_of(x, a), &a->tiles);
    a->tile = nb;
    a->home = NULL;
    a->data = NULL;
    if (st) {
        tsl_host_free(&x->allocator, a, sizeof *a);
        return tsl_fail(x, st, "%s: %lld x %lld by tiles of %lld: %s", who, (long long)m, (long long)n, (long long)nb,
                        tsl_status_text(st));
    }
    tsl_matrix_keep(a);
    *A = a;
    return TSL_OK;
}

tsl_status tsl_tiled_place(tsl_matrix *A, int (*owner)(void *user, int64_t i, int64_t j), void *user)
{
    if (!A || !owner) return tsl_fail(NULL, TSL_ERR_NULL, "tiled_place: no %s", A ? "function" : "matrix");
    tsl_context *x = A->ctx;
    tsl_status st = tsl_enter(&x);
    if (st) return st;
    struct tsl_tiles *a = A->tiles;
    if (!a) return tsl_leave(x, tsl_fail(x, TSL_ERR_LAYOUT, "tiled_place: the matrix is not tiled"));
    int64_t tiles = a->mt * a->nt;
    int *wanted = tiles ? tsl_host_alloc(&x->allocator, tsl_times((size_t)tiles, sizeof *wanted)) : NULL;
    if (tiles && !wanted) return tsl_leave(x, tsl_fail(x, TSL_ERR_MEMORY, "tiled_place: no host memory"));
    for (int64_t k = 0; k < tiles && !st; ++k) { /* asked once: the second answer may be another */
        wanted[k] = owner(user, k % a->mt, k / a->mt);
        if (wanted[k] < 0 || wanted[k] >= x->device_count)
            st = tsl_fail(x, TSL_ERR_NO_DEVICE, "tiled_place: device %d of %d", wanted[k], x->device_count);
    }
    if (!st) st = tsl_region_pause(x, true); /* what runs goes by the owners there were */
    for (int64_t k = 0; k < tiles && !st; ++k) a->tile[k].owner = wanted[k];
    tsl_host_free(&x->allocator, wanted, tsl_times((size_t)tiles, sizeof *wanted));
    return tsl_leave(x, st);
}

void tsl_tiled_dispose(tsl_matrix *A)
{
    tsl_context *x = A->ctx;
    tsl_status st = tsl_region_pause(x, true); /* in a region it keeps the error for tsl_wait */
    if (st && !x->region && !x->pending) x->pending = st;
    tsl_tiles_free(A->tiles);
}
