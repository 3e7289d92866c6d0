/* Do two operands share elements? */
#include "core/area.h"

#include "core/values.h"

static int64_t step(const tsl_area *a) { return a->ld * (int64_t)a->size; }

static bool empty(const tsl_area *a) { return a->m == 0 || a->n == 0; }

/* Column j: its bytes from..to. */
typedef struct span {
    int64_t from, to;
} span;

static span column(const tsl_area *a, int64_t j)
{
    int64_t first = a->uplo == TSL_LOWER ? tsl_min(j + a->unit, a->m) : 0;
    int64_t last = a->uplo == TSL_UPPER ? tsl_min(j + 1 - a->unit, a->m) : a->m, at = (int64_t)a->at + j * step(a);
    return (span){at + first * (int64_t)a->size, at + last * (int64_t)a->size};
}

/* Blocks of one array: b begins r bytes down and dj columns to the right of a, or in the column after, that much less a column
 * down. */
static bool squares_meet(const tsl_area *a, const tsl_area *b)
{
    int64_t s = step(a), d = (int64_t)(b->at - a->at), dj = d / s - (d % s < 0), r = d - dj * s;
    int64_t ma = a->m * (int64_t)a->size, mb = b->m * (int64_t)b->size;
    bool here = r < ma && dj < a->n && dj + b->n > 0;
    return here || (r - s + mb > 0 && dj + 1 < a->n && dj + 1 + b->n > 0);
}

/* The place of the element of column j that begins at a byte, as seen; false: none begins there. */
static bool place(const tsl_area *a, int64_t j, int64_t byte, int64_t *row, int64_t *col)
{
    int64_t down = byte - (int64_t)a->at - j * step(a), i = down / (int64_t)a->size, k = i + j;
    *row = a->vector ? (a->reversed ? a->m + a->n - 2 - k : k) : a->turned ? j : i;
    *col = a->vector ? 0 : a->turned ? i : j;
    return down % (int64_t)a->size == 0;
}

/* Has what column j of a and column k of b share the same place in both? Then its first and last elements have. */
static bool in_step(const tsl_area *a, int64_t j, const tsl_area *b, int64_t k, span shared)
{
    for (int end = 0; end < 2; ++end) {
        int64_t byte = end ? shared.to - (int64_t)a->size : shared.from, ra, ca, rb, cb;
        if (!place(a, j, byte, &ra, &ca) || !place(b, k, byte, &rb, &cb) || ra != rb || ca != cb) return false;
    }
    return true;
}

bool tsl_areas_meet(const tsl_area *a, const tsl_area *b, bool in_place)
{
    if (a->space != b->space || empty(a) || empty(b)) return false;
    if (column(a, a->n - 1).to <= (int64_t)b->at || column(b, b->n - 1).to <= (int64_t)a->at) return false;
    if (a->ld == b->ld && a->size == b->size && !squares_meet(a, b)) return false;
    if (b->n < a->n) {
        const tsl_area *t = a;
        a = b;
        b = t;
    }
    for (int64_t j = 0; j < a->n; ++j) {
        span mine = column(a, j);
        int64_t k = mine.from > (int64_t)b->at ? (mine.from - (int64_t)b->at) / step(b) : 0; /* the last that begins no later */
        for (; k < b->n && (int64_t)b->at + k * step(b) < mine.to; ++k) {
            span other = column(b, k), shared = {tsl_max(mine.from, other.from), tsl_min(mine.to, other.to)};
            if (shared.from < shared.to && !(in_place && in_step(a, j, b, k, shared))) return true;
        }
    }
    return false;
}
