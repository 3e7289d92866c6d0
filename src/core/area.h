/* The elements an operand consists of, and whether two share any. */
#ifndef TSL_AREA_H
#define TSL_AREA_H

#include <stdbool.h>

#include "tesela.h"

/* The quick test: two ranges of bytes that do not meet. An m x n block of columns `ld` apart takes ((n - 1) ld + m) elements; a
 * vector of n elements is 1 x n with |inc| for ld. */
static inline bool tsl_ranges_apart(const void *a, size_t bytes_a, const void *b, size_t bytes_b)
{
    return (uintptr_t)a + bytes_a <= (uintptr_t)b || (uintptr_t)b + bytes_b <= (uintptr_t)a;
}

/* Blocks of one array lie between each other's columns, so their ranges may meet where they do not. */
typedef struct tsl_area {
    const void *space;   /* NULL: memory; else what `at` counts in: the storage of a tiled matrix, a distributed one */
    uintptr_t at;        /* address of the first element */
    int64_t m, n, ld;    /* n columns of m elements, as stored */
    size_t size;         /* bytes of an element */
    tsl_uplo uplo;       /* of a triangle, as stored */
    bool unit;           /* without its diagonal */
    bool turned;         /* seen transposed */
    bool vector;         /* its elements have one index, */
    bool reversed;       /* counted from the end */
    bool unplaced;       /* memory in which elements lie in an order of their own */
} tsl_area;

/* The exact test, of any two blocks or triangles; those of elements of different sizes byte by byte: in constant time where
 * their ld is the same, else in time of the fewer columns. in_place: elements with the same place in both do not count. */
bool tsl_areas_meet(const tsl_area *a, const tsl_area *b, bool in_place);

/* Both tests, for the typed call that goes straight to its leaf (api/small.c). Where this is false the long way decides: it
 * knows of triangles and of operations that go element by element. All sizes and ld are at least 1, their products in bytes
 * addressable. */
static inline bool tsl_blocks_apart(size_t size_a, const void *a, int64_t ma, int64_t na, int64_t lda, size_t size_b, const void *b,
                                    int64_t mb, int64_t nb, int64_t ldb)
{
    if (tsl_ranges_apart(a, (size_t)((na - 1) * lda + ma) * size_a, b, (size_t)((nb - 1) * ldb + mb) * size_b)) return true;
    return size_a == size_b && !tsl_areas_meet(&(tsl_area){.at = (uintptr_t)a, .m = ma, .n = na, .ld = lda, .size = size_a},
                                               &(tsl_area){.at = (uintptr_t)b, .m = mb, .n = nb, .ld = ldb, .size = size_b}, false);
}

#endif
