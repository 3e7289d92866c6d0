/* Pivots as the host library has them: in its own integers, counted from 1 at the operand's first row. Room for them is always
 * that of int64_t. */
#ifndef TSL_HOST_PIVOTS_H
#define TSL_HOST_PIVOTS_H

#include <string.h>

#include "hostlib/hostlib.h"

static inline int64_t library_pivot(const void *pivots, int64_t i)
{
    return tsl_hostlib_wide() ? ((const int64_t *)pivots)[i] : ((const int *)pivots)[i];
}

/* Ours, of which `first` is the row above the operand's first one, for the library */
static inline void to_library(const int64_t *piv, int64_t count, int64_t first, void *pivots)
{
    for (int64_t i = 0; i < count; ++i) {
        if (tsl_hostlib_wide()) ((int64_t *)pivots)[i] = piv[i] - first;
        else ((int *)pivots)[i] = (int)(piv[i] - first);
    }
}

/* Of columns that pivoting may fix: zero or not, which is all that counts, and survives in fewer bits */
static inline void flags_to_library(const int64_t *fixed, int64_t count, void *pivots)
{
    for (int64_t i = 0; i < count; ++i) {
        if (tsl_hostlib_wide()) ((int64_t *)pivots)[i] = fixed[i] != 0;
        else ((int *)pivots)[i] = fixed[i] != 0;
    }
}

/* The library has left its pivots in the front of piv. They are taken from the last one on: their places hold none still to be
 * read. */
static inline void from_library(int64_t *piv, int64_t count, int64_t first)
{
    enum { PART = 64 };
    if (tsl_hostlib_wide()) {
        for (int64_t i = 0; i < count; ++i) piv[i] += first;
        return;
    }
    int narrow[PART];
    for (int64_t from, end = count; end > 0; end = from) {
        from = (end - 1) / PART * PART;
        memcpy(narrow, (const char *)piv + (size_t)from * sizeof *narrow, (size_t)(end - from) * sizeof *narrow);
        for (int64_t i = from; i < end; ++i) piv[i] = first + narrow[i - from];
    }
}

#endif
