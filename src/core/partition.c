/* Partitionings: cutting a view into the blocks a textbook algorithm speaks of. Cuts past the edge are moved onto it. */
#include "core/matrix.h"

static int64_t clip(int64_t at, int64_t end) { return tsl_max(0, tsl_min(at, end)); }

/* The two cuts around a block of nb that begins k after the start, or ends k before the end, of 0..end. */
typedef struct cuts { int64_t a, b; } cuts;

static cuts forward(int64_t k, int64_t nb, int64_t end)
{
    int64_t a = clip(k, end);
    return (cuts){a, a + clip(nb, end - a)};
}

static cuts backward(int64_t k, int64_t nb, int64_t end)
{
    int64_t b = end - clip(k, end);
    return (cuts){b - clip(nb, b), b};
}

int64_t tsl_from_end(tsl_view A, int64_t k)
{
    int64_t end = tsl_rows(A), at = end - clip(k, end), unit = A.mat ? A.mat->tile : 0, over = unit ? at % unit : 0;
    return over ? at + tsl_min(unit - over, end - at) : at;
}

int64_t tsl_border_near(tsl_view A, int64_t k)
{
    int64_t n = tsl_rows(A), unit = A.mat ? A.mat->tile : 0, at = unit ? (A.j + k) / unit * unit - A.j : k;
    if (unit && at < 1) at += unit;
    return at < n - 1 ? at : k;
}

int64_t tsl_to_border(tsl_view A, int64_t k, int64_t nb)
{
    int64_t unit = A.mat ? A.mat->tile : 0;
    return unit ? nb - (A.j + k) % unit : nb;
}

/* Rows r0..r1 and columns c0..c1; on the diagonal of A the block is of A's own triangle. */
static tsl_view block(tsl_view A, int64_t r0, int64_t r1, int64_t c0, int64_t c1)
{
    tsl_view b = tsl_sub(A, r0, c0, r1 - r0, c1 - c0);
    if (r0 == c0 && r1 - r0 == c1 - c0) {
        b.uplo = A.uplo;
        b.diag = A.diag;
    }
    return b;
}

tsl_part2 tsl_partition2(tsl_view A, int64_t i, int64_t j)
{
    int64_t m = tsl_rows(A), n = tsl_cols(A);
    i = clip(i, m);
    j = clip(j, n);
    return (tsl_part2){block(A, 0, i, 0, j), block(A, 0, i, j, n), block(A, i, m, 0, j), block(A, i, m, j, n)};
}

/* Both cuts at the same places of rows and columns. */
static tsl_part3 cut3(tsl_view A, cuts c)
{
    int64_t m = tsl_rows(A), n = tsl_cols(A), a = c.a, b = c.b;
    return (tsl_part3){
        block(A, 0, a, 0, a), block(A, 0, a, a, b), block(A, 0, a, b, n),
        block(A, a, b, 0, a), block(A, a, b, a, b), block(A, a, b, b, n),
        block(A, b, m, 0, a), block(A, b, m, a, b), block(A, b, m, b, n),
    };
}

static int64_t diagonal(tsl_view A) { return tsl_min(tsl_rows(A), tsl_cols(A)); }

tsl_part3 tsl_partition(tsl_view A, int64_t k, int64_t nb) { return cut3(A, forward(k, nb, diagonal(A))); }
tsl_part3 tsl_partition_back(tsl_view A, int64_t k, int64_t nb) { return cut3(A, backward(k, nb, diagonal(A))); }

static tsl_strips cut_rows(tsl_view A, cuts c)
{
    int64_t m = tsl_rows(A), n = tsl_cols(A);
    return (tsl_strips){tsl_sub(A, 0, 0, c.a, n), tsl_sub(A, c.a, 0, c.b - c.a, n), tsl_sub(A, c.b, 0, m - c.b, n)};
}

static tsl_strips cut_cols(tsl_view A, cuts c)
{
    int64_t m = tsl_rows(A), n = tsl_cols(A);
    return (tsl_strips){tsl_sub(A, 0, 0, m, c.a), tsl_sub(A, 0, c.a, m, c.b - c.a), tsl_sub(A, 0, c.b, m, n - c.b)};
}

tsl_strips tsl_block_rows(tsl_view A, int64_t k, int64_t nb) { return cut_rows(A, forward(k, nb, tsl_rows(A))); }
tsl_strips tsl_block_rows_back(tsl_view A, int64_t k, int64_t nb) { return cut_rows(A, backward(k, nb, tsl_rows(A))); }
tsl_strips tsl_block_cols(tsl_view A, int64_t k, int64_t nb) { return cut_cols(A, forward(k, nb, tsl_cols(A))); }
tsl_strips tsl_block_cols_back(tsl_view A, int64_t k, int64_t nb) { return cut_cols(A, backward(k, nb, tsl_cols(A))); }
