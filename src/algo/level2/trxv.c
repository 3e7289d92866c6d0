/* x := A x (trmv) and inv(A) x (trsv) with a triangle A, by diagonal blocks and the columns beside them. */
#include "algo/algo.h"
#include "runtime/pieces.h"

/* Rows i to i + m of the columns from..to */
static tsl_view columns(tsl_view A, int64_t i, int64_t m, int64_t from, int64_t to) { return tsl_sub(A, i, from, m, to - from); }

static tsl_view diagonal(tsl_view A, int64_t from, int64_t to) { return tsl_partition(A, from, to - from).A11; }

/* A block of x is multiplied once no other needs its old value: with a lower triangle the last one first. */
tsl_status tsl_trmv_pieces(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0], X = c->v[1];
    bool lower = tsl_triangle(A) == TSL_LOWER;
    int64_t n = tsl_rows(A), from, to;
    for (int64_t k = 0; k < n; k += to - from) {
        from = lower ? tsl_block_begin(A, X, n - k) : k;
        to = lower ? n - k : tsl_block_end(A, X, k);
        tsl_view X1 = tsl_segment(X, from, to - from);
        /* x2 := A21 x1 + x2 */
        if (lower) tsl_gemv(x, 1, columns(A, to, n - to, from, to), X1, 1, tsl_segment(X, to, n - to));
        /* x0 := A01 x1 + x0 */
        else tsl_gemv(x, 1, columns(A, 0, from, from, to), X1, 1, tsl_segment(X, 0, from));
        /* x1 := A11 x1 */                      tsl_trmv(x, diagonal(A, from, to), X1);
    }
    return TSL_OK;
}

/* With an upper triangle the last block is solved first. */
tsl_status tsl_trsv_pieces(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0], X = c->v[1];
    bool upper = tsl_triangle(A) == TSL_UPPER;
    int64_t n = tsl_rows(A), from, to;
    for (int64_t k = 0; k < n; k += to - from) {
        from = upper ? tsl_block_begin(A, X, n - k) : k;
        to = upper ? n - k : tsl_block_end(A, X, k);
        tsl_view X1 = tsl_segment(X, from, to - from);
        /* x1 := inv(A11) x1 */                 tsl_trsv(x, diagonal(A, from, to), X1);
        /* x0 := x0 - A01 x1 */
        if (upper) tsl_gemv(x, -1, columns(A, 0, from, from, to), X1, 1, tsl_segment(X, 0, from));
        /* x2 := x2 - A21 x1 */
        else tsl_gemv(x, -1, columns(A, to, n - to, from, to), X1, 1, tsl_segment(X, to, n - to));
    }
    return TSL_OK;
}
