/* Rectangles of host arrays: copied through an op, or added. */
#include <complex.h>
#include <string.h>

#include "grid/grid.h"

enum { TILE = 32 };

#define NAME(what) s_##what
#define T float
#define CONJ(v) (v)
#include "grid/comm/rect.inc"

#define NAME(what) d_##what
#define T double
#define CONJ(v) (v)
#include "grid/comm/rect.inc"

#define NAME(what) c_##what
#define T float _Complex
#define CONJ(v) conjf(v)
#include "grid/comm/rect.inc"

#define NAME(what) z_##what
#define T double _Complex
#define CONJ(v) conj(v)
#include "grid/comm/rect.inc"

void tsl_rect(tsl_type t, tsl_op op, bool add, int64_t m, int64_t n, const void *A, int64_t lda, void *B, int64_t ldb)
{
    static void (*const by_type[])(tsl_op, bool, int64_t, int64_t, const void *, int64_t, void *, int64_t) = {s_rect, d_rect,
                                                                                                              c_rect, z_rect};
    by_type[tsl_kernel_type(t)](op, add, m, n, A, lda, B, ldb);
}

void tsl_rect_rows(tsl_type t, bool out, int64_t count, const int64_t *index, int64_t n, void *A, int64_t row, int64_t col, void *B)
{
    static void (*const by_type[])(bool, int64_t, const int64_t *, int64_t, void *, int64_t, int64_t, void *) = {s_rows, d_rows,
                                                                                                             c_rows, z_rows};
    by_type[tsl_kernel_type(t)](out, count, index, n, A, row, col, B);
}
