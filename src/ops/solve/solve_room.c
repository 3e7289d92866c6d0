/* What solve_wide.c needs of matrices that one device may be too small for: room in the host's memory, and their sizes strip by
 * strip. */
#include <math.h>

#include "ops/inner.h"
#include "ops/solve/solve.h"

enum { STRIP = 32 }; /* rows of A whose norms are found at once */

tsl_status tsl_held_make(tsl_context *x, tsl_type type, int64_t m, int64_t n, tsl_held *h)
{
    h->bytes = tsl_max(1, (int64_t)tsl_dense_bytes(type, m, n));
    h->p = tsl_host_alloc(&x->allocator, h->bytes);
    h->mat = tsl_borrow(x, type, m, n, h->p, tsl_max(1, m));
    return h->p ? TSL_OK : TSL_ERR_MEMORY;
}

void tsl_held_free(tsl_context *x, tsl_held *h)
{
    if (h->p) tsl_host_free(&x->allocator, h->p, h->bytes);
    h->p = NULL;
}

/* W := rows k to k + STRIP of A, or of what its triangle stands for */
static tsl_status copy_strip(tsl_context *x, tsl_view A, int64_t k, tsl_view W)
{
    if (A.uplo == TSL_GENERAL) return tsl_copy(x, tsl_block_rows(A, k, STRIP).A1, W);
    tsl_part3 P = tsl_partition(tsl_as_lower(A), k, STRIP);
    tsl_strips S = tsl_block_cols(W, k, STRIP);
    tsl_status st = tsl_copy(x, P.A10, S.A0);
    if (!st) st = tsl_copy(x, tsl_lower(P.A11), tsl_lower(S.A1));
    if (!st) st = tsl_copy(x, tsl_herm(tsl_lower(P.A11)), tsl_upper(S.A1));
    return st ? st : tsl_copy(x, tsl_herm(P.A21), S.A2);
}

static double larger(double a, double b) { return isnan(b) || b > a ? b : a; }

tsl_status tsl_sizes_of(tsl_context *x, tsl_view A, double *rows, double *largest)
{
    tsl_held strip = {0};
    int64_t n = tsl_rows(A);
    tsl_status st = tsl_held_make(x, A.mat->type, tsl_min(n, STRIP), n, &strip);
    *rows = *largest = 0;
    for (int64_t k = 0; k < n && !st; k += STRIP) {
        double sum = 0, most = 0;
        tsl_view W = tsl_block_rows(tsl_whole(&strip.mat), 0, tsl_min(STRIP, n - k)).A1;
        st = copy_strip(x, A, k, W);
        if (!st) st = tsl_norm(x, TSL_NORM_INF, TSL_HERMITIAN, W, &sum);
        if (!st) st = tsl_norm(x, TSL_NORM_MAX, TSL_HERMITIAN, W, &most);
        *rows = larger(*rows, sum);
        *largest = larger(*largest, most);
    }
    tsl_held_free(x, &strip);
    return st;
}

tsl_status tsl_ratio_of(tsl_context *x, tsl_view A, tsl_view B, double *ratio, double *largest)
{
    enum { SHARE = 4 }; /* of the memory that is free, for either */
    size_t column = tsl_dense_bytes(A.mat->type, tsl_rows(A), 1), room = tsl_room(x, x->dev, false) / SHARE;
    int64_t n = tsl_cols(A), step = column && room / column < (size_t)n ? tsl_max(1, (int64_t)(room / column)) : n;
    tsl_status st = TSL_OK;
    *ratio = *largest = 0;
    for (int64_t j = 0; j < n && !st; j += step) {
        double part, most;
        st = tsl_ratio(x, tsl_block_cols(A, j, step).A1, tsl_block_cols(B, j, step).A1, &part, &most);
        *ratio = larger(*ratio, part);
        *largest = larger(*largest, most);
    }
    return st;
}
