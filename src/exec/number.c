/* Numbers that an algorithm's next step depends on, and how it has products computed. */
#include <complex.h>
#include <string.h>

#include "exec/exec.h"

bool tsl_is_dry(const tsl_context *x) { return x->run->dry; }

tsl_products tsl_products_in(tsl_context *x, tsl_products p)
{
    tsl_products before = x->run->products;
    x->run->products = p;
    return before;
}

bool tsl_can_read(tsl_view A) { return !A.mat->remote; }

void tsl_read(tsl_context *x, tsl_view v, tsl_scalar *to)
{
    size_t size = tsl_type_size(v.mat->type);
    for (int64_t i = 0; i < v.m; ++i) to[i] = 0;
    if (v.mat->remote) v.mat->remote->read(x, v, to);
    if (x->run->dry || x->run->failed) return;
    size_t bytes = tsl_times((size_t)v.m, size);
    tsl_status st = v.mat->remote  ? TSL_OK
                    : v.mat->tiles ? tsl_by_tiles.read(x, v, to)
                                   : tsl_read_word(x, to, tsl_at(&v), bytes);
    for (int64_t i = v.m - 1; i >= 0 && !st; --i) { /* in place: the last ones first */
        tsl_typed_scalar a;
        memcpy(&a, (char *)to + (size_t)i * size, size);
        to[i] = tsl_untyped(v.mat->type, a);
    }
    if (st) x->run->failed = st;
}

double tsl_read_one(tsl_context *x, tsl_view number, double supposed)
{
    tsl_scalar value;
    tsl_read(x, number, &value);
    return x->run->dry ? supposed : creal(value);
}

/* Memory for so many bytes: of what was reserved, or fresh. A visit within one is of no more numbers than that. */
static void need(tsl_context *x, size_t bytes)
{
    bytes = tsl_times(2, tsl_rounded(bytes, sizeof(tsl_scalar)));
    if (bytes > x->numbers_need) x->numbers_need = bytes;
}

static void *take(tsl_context *x, size_t bytes)
{
    bytes = tsl_rounded(bytes, sizeof(tsl_scalar));
    if (bytes > x->numbers_bytes - x->numbers_used) return tsl_host_alloc(&x->allocator, bytes);
    x->numbers_used += bytes;
    return x->numbers + x->numbers_used - bytes;
}

static void give(tsl_context *x, void *p, size_t bytes)
{
    bytes = tsl_rounded(bytes, sizeof(tsl_scalar));
    if (x->numbers && (char *)p == x->numbers + x->numbers_used - bytes && x->numbers_used >= bytes) x->numbers_used -= bytes;
    else tsl_host_free(&x->allocator, p, bytes);
}

tsl_status tsl_reserve_numbers(tsl_context *x)
{
    if (x->numbers_bytes >= x->numbers_need) return TSL_OK;
    tsl_numbers_free(x);
    x->numbers = tsl_host_alloc(&x->allocator, x->numbers_need);
    x->numbers_bytes = x->numbers ? x->numbers_need : 0;
    return x->numbers ? TSL_OK : TSL_ERR_MEMORY;
}

/* What is there may still be on its way to the device. */
tsl_status tsl_reserve_host(tsl_context *x)
{
    const tsl_backend *be = x->dev->be;
    tsl_lane *lane = tsl_current(x);
    if (x->host_bytes >= x->host_need) return TSL_OK;
    tsl_status st = be->event_record(lane->q, lane->point);
    if (!st) st = be->event_wait(lane->point);
    if (st) return st;
    tsl_host_free(&x->allocator, x->host_block, x->host_bytes);
    x->host_bytes = x->host_need;
    x->host_block = tsl_host_alloc(&x->allocator, x->host_bytes);
    if (x->host_block) return TSL_OK;
    x->host_bytes = 0;
    return TSL_ERR_MEMORY;
}

/* By tiles column by column */
static tsl_status move_columns(tsl_context *x, tsl_view A, char *here, bool in)
{
    size_t column = tsl_times((size_t)A.m, tsl_type_size(A.mat->type));
    tsl_status st = TSL_OK;
    for (int64_t j = 0; j < A.n && !st; ++j, here += column) {
        tsl_view a = tsl_block_cols(A, j, 1).A1;
        st = in ? tsl_by_tiles.read(x, a, here) : tsl_by_tiles.write(x, here, a);
    }
    return st;
}

static tsl_status put(tsl_context *x, tsl_view A, tsl_number number, double unit)
{
    size_t size = tsl_type_size(A.mat->type), column = tsl_times((size_t)A.m, size), bytes = tsl_times(column, (size_t)A.n);
    char *numbers = take(x, bytes);
    if (!numbers) return TSL_ERR_MEMORY;
    for (int64_t j = 0; j < A.n; ++j)
        for (int64_t i = 0; i < A.m; ++i) {
            tsl_typed_scalar a = tsl_typed(A.mat->type, number(i, j) * unit);
            memcpy(numbers + (size_t)j * column + (size_t)i * size, &a, size);
        }
    if (A.mat->tiles) {
        tsl_status st = move_columns(x, A, numbers, false);
        give(x, numbers, bytes);
        return st;
    }
    size_t ld = tsl_times((size_t)A.mat->ld, size);
    tsl_status st = x->dev->be->copy2d(x->lanes[TSL_MAIN].q, tsl_at(&A), ld, numbers, column, column, (size_t)A.n, TSL_TO_DEVICE);
    tsl_status late = tsl_drain(x); /* even if the copy failed: it may be on its way */
    give(x, numbers, bytes);
    return st ? st : late;
}

void tsl_fill(tsl_context *x, tsl_view A, tsl_number number, double unit)
{
    if (x->run->dry) need(x, tsl_dense_bytes(A.mat->type, A.m, A.n));
    if (A.mat->remote) {
        A.mat->remote->fill(x, A, number, unit);
    } else if (!x->run->dry && !x->run->failed && A.m && A.n) {
        tsl_status st = put(x, A, number, unit);
        if (st) x->run->failed = st;
    }
}

/* Double, the most usual type, has a plain loop: estimates look at vectors in each of their steps. */
void tsl_widen(tsl_type t, int64_t count, tsl_scalar *a)
{
    size_t size = tsl_type_size(t);
    for (int64_t i = count - 1; i >= 0 && t == TSL_D; --i) {
        double v;
        memcpy(&v, (char *)a + (size_t)i * sizeof v, sizeof v);
        a[i] = v;
    }
    for (int64_t i = count - 1; i >= 0 && t != TSL_D; --i) {
        tsl_typed_scalar v;
        memcpy(&v, (char *)a + (size_t)i * size, size);
        a[i] = tsl_untyped(t, v);
    }
}

void tsl_narrow(tsl_type t, int64_t count, tsl_scalar *a)
{
    size_t size = tsl_type_size(t);
    for (int64_t i = 0; i < count && t == TSL_D; ++i) {
        double v = creal(a[i]);
        memcpy((char *)a + (size_t)i * sizeof v, &v, sizeof v);
    }
    for (int64_t i = 0; i < count && t != TSL_D; ++i) {
        tsl_typed_scalar v = tsl_typed(t, a[i]);
        memcpy((char *)a + (size_t)i * size, &v, size);
    }
}

static tsl_status move_block(tsl_context *x, tsl_view A, void *here, tsl_direction dir)
{
    if (A.mat->tiles) return move_columns(x, A, here, dir == TSL_TO_HOST);
    size_t size = tsl_type_size(A.mat->type), column = tsl_times((size_t)A.m, size), ld = tsl_times((size_t)A.mat->ld, size);
    bool in = dir == TSL_TO_HOST;
    tsl_status st = x->dev->be->copy2d(x->lanes[TSL_MAIN].q, in ? here : tsl_at(&A), in ? column : ld, in ? tsl_at(&A) : here,
                                       in ? ld : column, column, (size_t)A.n, dir);
    tsl_status late = tsl_drain(x); /* even if the copy failed: it may be on its way */
    tsl_count_move(&x->count, dir, tsl_times(column, (size_t)A.n));
    return st ? st : late;
}

void tsl_visit(tsl_context *x, tsl_view A, tsl_visitor visit, void *with)
{
    size_t bytes = tsl_times(tsl_times((size_t)A.m, (size_t)A.n), sizeof(tsl_scalar));
    if (x->run->dry) need(x, bytes);
    if (A.mat->remote) A.mat->remote->visit(x, A, visit, with);
    if (A.mat->remote || x->run->dry || x->run->failed || !A.m || !A.n) return;
    tsl_scalar *here = take(x, bytes);
    tsl_status st = here ? move_block(x, A, here, TSL_TO_HOST) : TSL_ERR_MEMORY;
    if (!st) {
        tsl_widen(A.mat->type, A.m * A.n, here);
        visit(with, A.m, A.n, here);
        tsl_narrow(A.mat->type, A.m * A.n, here);
        st = move_block(x, A, here, TSL_TO_DEVICE);
    }
    if (here) give(x, here, bytes);
    if (st && !x->run->failed) x->run->failed = st;
}

void tsl_leave_number(tsl_context *x, const void *number, size_t bytes)
{
    if (!x->run->dry && !x->run->failed) x->run->failed = tsl_copy_word(x, tsl_number_at(x), number, bytes, TSL_TO_DEVICE);
}
