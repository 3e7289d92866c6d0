/* A column of a panel of LU whose rows several processes have: what one step of it (lu_column) leaves for the other processes,
 * and takes from them. Of the operand w, in bytes: a candidate; the elements of its row; the elements of that row of A in which
 * it is to be; and room for the CTAs of a GPU, which begins as zeros. */
#ifndef TSL_LU_COLUMN_H
#define TSL_LU_COLUMN_H

#include "core/values.h"
#include "tesela.h"

enum { TSL_LU_CTAS = 512, TSL_LU_FEW = 64 }; /* CTAs; and columns that are brought up to date, at most */

/* The pivot that is proposed: its size, negative where there is none, and its row: of A, or those of B counted on from there */
typedef struct tsl_lu_candidate {
    double size;
    int64_t row;
} tsl_lu_candidate;

/* What other processes are told, of n elements */
static inline size_t tsl_lu_told(tsl_type t, int64_t n)
{
    return tsl_plus(sizeof(tsl_lu_candidate), tsl_times((size_t)n, tsl_type_size(t)));
}

/* Where the CTAs' room begins, and all of it */
static inline size_t tsl_lu_room(tsl_type t, int64_t n)
{
    return tsl_rounded(tsl_plus(tsl_lu_told(t, n), tsl_times((size_t)n, tsl_type_size(t))), sizeof(tsl_lu_candidate));
}

static inline size_t tsl_lu_bytes(tsl_type t, int64_t n)
{
    return tsl_plus(tsl_lu_room(t, n), (1 + TSL_LU_CTAS) * sizeof(tsl_lu_candidate));
}

#endif
