#include "bench/problem/elements.h"

#include <stdlib.h>
#include <string.h>

void *bench_zeros(int64_t rows, int64_t cols, size_t size)
{
    size_t count;
    if (rows < 0 || cols < 0 || __builtin_mul_overflow((size_t)rows, (size_t)cols, &count))
        return NULL;
    return calloc(count ? count : 1, size); /* which looks at the product of these */
}

#define R float
#define PARTS 1
#define BITS uint32_t
#define CANARY 0x7fc0beefu
#define FN(name) s_##name
#include "bench/problem/elements.inc"

#define R double
#define PARTS 1
#define BITS uint64_t
#define CANARY 0x7ff80000deadbeefu
#define FN(name) d_##name
#include "bench/problem/elements.inc"

#define R float
#define PARTS 2
#define BITS uint32_t
#define CANARY 0x7fc0beefu
#define FN(name) c_##name
#include "bench/problem/elements.inc"

#define R double
#define PARTS 2
#define BITS uint64_t
#define CANARY 0x7ff80000deadbeefu
#define FN(name) z_##name
#include "bench/problem/elements.inc"

#define R int64_t
#define PARTS 1
#define BITS uint64_t
#define CANARY 0x7ff80000deadbeefu
#define FN(name) i_##name
#include "bench/problem/elements.inc"

#define ENTRY(p, parts)                                                                                                        \
    {                                                                                                                          \
        parts, p##_random, p##_canary, p##_get, p##_set, p##_product, p##_sum_of_squares                                       \
    }

const bench_elements bench_elements_of[5] = {
    [TSL_S] = ENTRY(s, 1),
    [TSL_D] = ENTRY(d, 1),
    [TSL_C] = ENTRY(c, 2),
    [TSL_Z] = ENTRY(z, 2),
    [TSL_INDEX] = ENTRY(i, 1),
};
