/* Copies by the thread pool: blocks of host memory, to and from buffers that GPUs read, and vectors whose elements are far
 * apart. */
#include <string.h>

#include "core/values.h"
#include "device/device.h"

static const size_t CHUNK = (size_t)128 << 10; /* bytes somebody takes at a time: some microseconds */
/* the same of elements in a cache line each; a page or more of those that adjoin */
enum { ELEMENTS = 512 };

/* Cut into chunks: of several columns, or of a part of one. They are numbered down the columns. */
typedef struct block {
    char *dst;
    const char *src;
    size_t dst_pitch, src_pitch, rows, cols;
    size_t high, wide; /* of a chunk */
    size_t down;       /* chunks a column is cut into */
} block;

static void move_chunk(const void *job, size_t k)
{
    const block *b = job;
    size_t top = k % b->down * b->high, height = b->rows - top < b->high ? b->rows - top : b->high;
    size_t left = k / b->down * b->wide, right = b->cols - left < b->wide ? b->cols : left + b->wide;
    for (size_t c = left; c < right; ++c) memcpy(b->dst + c * b->dst_pitch + top, b->src + c * b->src_pitch + top, height);
}

void tsl_thread_pool_move(char *dst, size_t dst_pitch, const char *src, size_t src_pitch, size_t rows, size_t cols)
{
    if (rows == 0 || cols == 0) return;
    block b = {dst, src, dst_pitch, src_pitch, rows, cols, .high = rows, .wide = 1, .down = 1};
    if (rows > CHUNK) {
        b.high = CHUNK;
        b.down = (rows - 1) / CHUNK + 1;
    } else {
        b.wide = CHUNK / rows;
    }
    tsl_thread_pool_work(move_chunk, &b, b.down * ((cols - 1) / b.wide + 1));
}

typedef struct vectors {
    const char *x;
    char *y;
    int64_t n, x_step, y_step; /* steps in bytes */
    size_t size;
} vectors;

/* memcpy of a known size is a load and a store. */
static void copy_chunk(const void *job, size_t k)
{
    const vectors v = *(const vectors *)job;
    int64_t from = (int64_t)k * ELEMENTS, count = tsl_min(ELEMENTS, v.n - from);
    const char *x = v.x + from * v.x_step;
    char *y = v.y + from * v.y_step;
    for (int64_t i = 0; i < count; ++i, x += v.x_step, y += v.y_step)
        if (v.size == 4) memcpy(y, x, 4);
        else if (v.size == 8) memcpy(y, x, 8);
        else memcpy(y, x, 16);
}

bool tsl_thread_pool_copy(int64_t n, size_t size, const void *x, int64_t x_step, void *y, int64_t y_step)
{
    vectors v = {x, y, n, x_step, y_step, size};
    return tsl_blas_cores() > 1 && tsl_thread_pool_try(copy_chunk, &v, (size_t)tsl_pieces(n, ELEMENTS));
}
