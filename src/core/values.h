/* Small functions of element types, ops and sizes. */
#ifndef TSL_VALUES_H
#define TSL_VALUES_H

#include <stdbool.h>

#include "tesela.h"

static inline bool tsl_is_complex(tsl_type t) { return t == TSL_C || t == TSL_Z; }
/* The leaf that moves indices is that of numbers of their size. */
static inline tsl_type tsl_kernel_type(tsl_type t) { return t == TSL_INDEX ? TSL_D : t; }
static inline tsl_type tsl_real_type(tsl_type t) { return t == TSL_C ? TSL_S : t == TSL_Z ? TSL_D : t; }
static inline tsl_type tsl_other_precision(tsl_type t)
{
    static const tsl_type other[] = {[TSL_S] = TSL_D, [TSL_D] = TSL_S, [TSL_C] = TSL_Z, [TSL_Z] = TSL_C, [TSL_INDEX] = TSL_INDEX};
    return other[t];
}
/* scalar.c: what a matrix whose largest element is of that size is multiplied by so that squares of its elements, and sums of
 * them, are in the range of the type; 1 if it is not finite */
double tsl_range_factor(tsl_type t, double size);
static inline bool tsl_is_double(tsl_type t) { return t == TSL_D || t == TSL_Z; }
/* Are products of precision p less than what elements of type t are made for? */
static inline bool tsl_is_lower(tsl_precision p, tsl_type t) { return p > (tsl_is_double(t) ? TSL_FP64 : TSL_FP32); }
/* For real types conjugation is nothing. */
static inline tsl_op tsl_reduced(tsl_op op, tsl_type t) { return tsl_is_complex(t) ? op : (tsl_op)(op & TSL_TRANS); }
static inline tsl_op tsl_compose(tsl_op a, tsl_op b) { return (tsl_op)(a ^ b); }
static inline int64_t tsl_min(int64_t a, int64_t b) { return a < b ? a : b; }
static inline int64_t tsl_max(int64_t a, int64_t b) { return a > b ? a : b; }
/* How far apart a vector's elements are; past any second element where that is no number */
static inline int64_t tsl_stride(int64_t inc) { return inc == INT64_MIN ? INT64_MAX : inc < 0 ? -inc : inc; }

/* A count times a size, and a sum of bytes: SIZE_MAX where they do not fit. Of so many bytes there are none
 * (device/memory.c). */
static inline size_t tsl_times(size_t count, size_t size)
{
    size_t bytes;
    return __builtin_mul_overflow(count, size, &bytes) ? SIZE_MAX : bytes;
}

static inline size_t tsl_plus(size_t a, size_t b) { return a > SIZE_MAX - b ? SIZE_MAX : a + b; }

/* How many pieces of that size cover n >= 0: n + size - 1 need not fit. And bytes, rounded up to a unit. */
static inline int64_t tsl_pieces(int64_t n, int64_t size) { return n / size + (n % size != 0); }
static inline size_t tsl_rounded(size_t bytes, size_t unit) { return tsl_times(bytes / unit + (bytes % unit != 0), unit); }

/* Of m x n elements, no more columns than rows, cut into tiles of nb: pairs of tiles (i,k), i >= k (core/pairs.h). */
static inline int64_t tsl_pairs(int64_t m, int64_t n, int64_t nb)
{
    int64_t rows = nb > 0 ? tsl_pieces(m, nb) : 0, t = nb > 0 ? tsl_pieces(n, nb) : 0;
    return t * (rows - t) + (t % 2 ? (t + 1) / 2 * t : t / 2 * (t + 1));
}

/* Bytes of m x n elements without gaps. */
static inline size_t tsl_dense_bytes(tsl_type t, int64_t m, int64_t n)
{
    return tsl_times(tsl_times((size_t)m, (size_t)n), tsl_type_size(t));
}

#endif
