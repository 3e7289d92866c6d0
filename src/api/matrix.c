/* Matrices for the caller: storage made by us or wrapped, flat or tiled. */
#include "api/enter.h"
#include "tiled/tiled.h"

static tsl_status check_sizes(tsl_context *x, const char *who, tsl_type type, int64_t m, int64_t n, int64_t ld, size_t *bytes)
{
    if (!tsl_type_size(type)) return tsl_fail(x, TSL_ERR_FLAG, "%s: no element type %d", who, (int)type);
    if (m < 0 || n < 0) return tsl_fail(x, TSL_ERR_SIZE, "%s: %lld x %lld", who, (long long)m, (long long)n);
    if (ld < tsl_max(1, m)) return tsl_fail(x, TSL_ERR_LD, "%s: ld is %lld for %lld rows", who, (long long)ld, (long long)m);
    if (!tsl_block_bytes(type, m, n, ld, bytes))
        return tsl_fail(x, TSL_ERR_OVERFLOW, "%s: %lld x %lld elements", who, (long long)m, (long long)n);
    return TSL_OK;
}

tsl_status tsl_matrix_create(tsl_context *x, tsl_type type, int64_t m, int64_t n, tsl_matrix **A)
{
    if (A) *A = NULL;
    tsl_status st = tsl_enter_public(&x);
    if (st) return st;
    tsl_matrix *a = NULL;
    size_t bytes;
    if (!A) {
        st = tsl_fail(x, TSL_ERR_NULL, "matrix_create: no place for the result");
        goto out;
    }
    int64_t ld = tsl_type_size(type) && m >= 0 ? tsl_padded(type, m) : 1;
    st = check_sizes(x, "matrix_create", type, m, n, ld, &bytes);
    /* the last column as long as the others: libraries that are given the data copy whole ones */
    if (!st && m > 0) st = check_sizes(x, "matrix_create", type, ld, n, ld, &bytes);
    if (st) goto out;
    tsl_device *dev = &x->devices[0];
    a = tsl_host_alloc(&x->allocator, sizeof *a);
    if (!a) {
        st = tsl_fail(x, TSL_ERR_MEMORY, "matrix_create: no host memory");
        goto out;
    }
    *a = (tsl_matrix){.ctx = x, .type = type, .m = m, .n = n, .ld = ld, .home = dev, .bytes = bytes};
    if (bytes) st = tsl_device_alloc(dev, bytes, &a->data);
    if (st == TSL_ERR_DEVICE_MEMORY) {
        tsl_trim(x);
        st = tsl_device_alloc(dev, bytes, &a->data);
    }
    if (st) {
        tsl_host_free(&x->allocator, a, sizeof *a);
        tsl_fail(x, st, "matrix_create: %zu bytes on %s", bytes, dev->name);
        goto out;
    }
    tsl_matrix_keep(a);
    *A = a;
out:
    return tsl_leave(x, st);
}

tsl_status tsl_matrix_wrap(tsl_context *x, tsl_type type, int64_t m, int64_t n, void *data, int64_t ld, tsl_matrix **A)
{
    if (A) *A = NULL;
    tsl_status st = tsl_enter_public(&x);
    if (st) return st;
    size_t bytes = 0;
    if (!A) st = tsl_fail(x, TSL_ERR_NULL, "matrix_wrap: no place for the result");
    if (!st) st = check_sizes(x, "matrix_wrap", type, m, n, ld, &bytes);
    if (!st && bytes && !data) st = tsl_fail(x, TSL_ERR_NULL, "matrix_wrap: data is null");
    tsl_matrix *a = st ? NULL : tsl_host_alloc(&x->allocator, sizeof *a);
    if (!st && !a) st = tsl_fail(x, TSL_ERR_MEMORY, "matrix_wrap: no host memory");
    if (!st) {
        *a = tsl_borrow(x, type, m, n, data, ld);
        tsl_matrix_keep(a);
        *A = a;
    }
    return tsl_leave(x, st);
}

tsl_status tsl_tiled_create(tsl_context *x, tsl_type type, int64_t m, int64_t n, int64_t nb, tsl_matrix **A)
{
    if (A) *A = NULL;
    tsl_status st = tsl_enter_public(&x);
    return st ? st : tsl_leave(x, tsl_tiled_make(x, "tiled_create", type, m, n, nb, NULL, 0, A));
}

tsl_status tsl_tiled_wrap(tsl_context *x, tsl_type type, int64_t m, int64_t n, void *data, int64_t ld, int64_t nb, tsl_matrix **A)
{
    if (A) *A = NULL;
    tsl_status st = tsl_enter_public(&x);
    if (st) return st;
    if (!data && m > 0 && n > 0) return tsl_leave(x, tsl_fail(x, TSL_ERR_NULL, "tiled_wrap: data is null"));
    return tsl_leave(x, tsl_tiled_make(x, "tiled_wrap", type, m, n, nb, data, ld, A));
}

static void release(tsl_matrix *A)
{
    if (A->remote) A->remote->release(A);
    else if (A->tiles) tsl_tiled_dispose(A);
    else if (A->bytes) tsl_device_release(A->home, A->data);
    A->data = NULL;
    A->tiles = NULL;
    A->bytes = 0;
}

void tsl_matrix_orphan_all(tsl_context *x)
{
    for (tsl_matrix *A = x->matrices; A; A = A->next) release(A);
}

static tsl_status check_batch(tsl_context *x, const char *who, int64_t stride, int64_t count)
{
    if (count < 0 || stride < 0) return tsl_fail(x, TSL_ERR_SIZE, "%s: %lld problems, %lld elements apart", who, (long long)count, (long long)stride);
    return count >= INT32_MAX ? tsl_fail(x, TSL_ERR_OVERFLOW, "%s: %lld problems", who, (long long)count) : TSL_OK;
}

tsl_status tsl_batch_create(tsl_context *x, tsl_type type, int64_t m, int64_t n, int64_t count, tsl_matrix **A)
{
    if (A) *A = NULL;
    tsl_status st = tsl_enter_public(&x);
    if (st) return st;
    int64_t each = 0, all = 0;
    size_t bytes;
    st = check_batch(x, "batch_create", 0, count);
    if (!st) st = check_sizes(x, "batch_create", type, m, n, tsl_max(1, m), &bytes);
    if (!st && (__builtin_mul_overflow(m, n, &each) || __builtin_mul_overflow(each, count, &all))) st = tsl_fail(x, TSL_ERR_OVERFLOW, "batch_create: %lld problems", (long long)count);
    if (!st) st = tsl_matrix_create(x, type, all, 1, A);
    if (!st) {
        tsl_matrix *a = *A;
        a->m = m, a->n = n, a->ld = tsl_max(1, m);
        a->batch = true;
        a->count = count;
        a->stride = each;
    }
    return tsl_leave(x, st);
}

static tsl_status wrap_batch(tsl_context *x, const char *who, tsl_type type, int64_t count, const tsl_array *v, tsl_matrix **A)
{
    size_t bytes = 0;
    tsl_status st = A ? check_batch(x, who, v->stride, count) : tsl_fail(x, TSL_ERR_NULL, "%s: no place for the result", who);
    if (!st) st = check_sizes(x, who, type, v->m, v->n, v->ld, &bytes);
    if (!st && bytes && count && !v->p && !v->each) st = tsl_fail(x, TSL_ERR_NULL, "%s: data is null", who);
    if (!st && count && v->stride > INT64_MAX / 16 / count) st = tsl_fail(x, TSL_ERR_OVERFLOW, "%s: %lld problems, %lld elements apart", who, (long long)count, (long long)v->stride);
    tsl_matrix *a = st ? NULL : tsl_host_alloc(&x->allocator, sizeof *a);
    if (!st && !a) st = tsl_fail(x, TSL_ERR_MEMORY, "%s: no host memory", who);
    if (st) return st;
    *a = tsl_borrow_batch(x, type, count, v);
    tsl_matrix_keep(a);
    *A = a;
    return TSL_OK;
}

tsl_status tsl_batch_wrap(tsl_context *x, tsl_type type, int64_t m, int64_t n, void *data, int64_t ld, int64_t stride, int64_t count, tsl_matrix **A)
{
    if (A) *A = NULL;
    tsl_status st = tsl_enter_public(&x);
    tsl_array v = {.p = data, .ld = ld, .m = m, .n = n, .stride = stride};
    return st ? st : tsl_leave(x, wrap_batch(x, "batch_wrap", type, count, &v, A));
}

tsl_status tsl_batch_wrap_pointers(tsl_context *x, tsl_type type, int64_t m, int64_t n, void *const *each, int64_t ld, int64_t count, tsl_matrix **A)
{
    if (A) *A = NULL;
    tsl_status st = tsl_enter_public(&x);
    tsl_array v = {.each = each, .ld = ld, .m = m, .n = n};
    return st ? st : tsl_leave(x, wrap_batch(x, "batch_wrap_pointers", type, count, &v, A));
}

int64_t tsl_batch_count(const tsl_matrix *A) { return !A ? 0 : A->batch ? A->count : 1; }

void tsl_matrix_free(tsl_matrix *A)
{
    if (!A || !tsl_ends(&A->handle)) return;
    tsl_context *x = A->ctx;
    tsl_enter_own(x); /* as long as it has matrices it is there */
    if (!x->orphans) {
        x->pending = tsl_drain(x); /* stays for tsl_wait */
        release(A);
    }
    if (A->prev) A->prev->next = A->next;
    else x->matrices = A->next;
    if (A->next) A->next->prev = A->prev;
    tsl_host_free(&x->allocator, A, A->remote ? A->remote->size : sizeof *A);
    bool last = x->ended && !x->matrices;
    tsl_leave(x, TSL_OK);
    if (last) tsl_context_forget(x);
}
