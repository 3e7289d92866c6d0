/* A column of a panel of LU whose rows several processes have: what one step of it (lu_column) leaves for the other processes,
 * and takes from them. Of the operand w, in bytes: a candidate; the elements of its row; and the elements of that row of A in
 * which it is to be. */
#ifndef TSL_LU_COLUMN_H
#define TSL_LU_COLUMN_H

#include "core/values.h"
#include "tesela.h"

/* The pivot that is proposed: its size, negative where there is none, and its row: of A, or those of B counted on from there */
typedef struct tsl_lu_candidate {
    double size;
    int64_t row;
} tsl_lu_candidate;

/* Of two candidates, is a the better one? Of equal ones that in the lower row is. */
static inline bool tsl_lu_better(const tsl_lu_candidate *a, const tsl_lu_candidate *b)
{
    return a->size > b->size || (a->size == b->size && a->row < b->row);
}

/* What other processes are told, of n elements; and all of w */
static inline size_t tsl_lu_told(tsl_type t, int64_t n)
{
    return tsl_plus(sizeof(tsl_lu_candidate), tsl_times((size_t)n, tsl_type_size(t)));
}

static inline size_t tsl_lu_bytes(tsl_type t, int64_t n)
{
    return tsl_plus(tsl_lu_told(t, n), tsl_times((size_t)n, tsl_type_size(t)));
}

#endif
