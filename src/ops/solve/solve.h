/* Solutions by factors of lower precision, for the function on views and the typed calls. */
#ifndef TSL_OPS_SOLVE_H
#define TSL_OPS_SOLVE_H

#include "ops/ops.h"

/* X := the solution of A X = B by lower precision, as its arguments ask; the count of its results says whether it is one. Too
 * little memory is one of the outcomes. */
tsl_status tsl_solve_low(tsl_context *x, const tsl_call *c);
/* X := the solution by factors of double precision, which overwrite A and p; outcome as of gesv and posv */
tsl_status tsl_solve_double(tsl_context *x, const tsl_call *c, int64_t *info);
/* Is the variant that is set one that all of the call has which may be needed: the factorization in lower precision, and that
 * in A's own? */
tsl_status tsl_solve_variant(tsl_context *x, const tsl_call *c);

/* solve_wide.c: X := the solution of A X = B as its arguments ask, where an operand is tiled or not all fits on one device.
 * info: of factors in A's own precision */
tsl_status tsl_solve_wide(tsl_context *x, const tsl_call *c, int64_t *info);

/* solve_room.c: a matrix in the host's memory, for the length of a call */
typedef struct tsl_held {
    tsl_matrix mat;
    void *p;
    size_t bytes;
} tsl_held;
tsl_status tsl_held_make(tsl_context *x, tsl_type type, int64_t m, int64_t n, tsl_held *h);
void tsl_held_free(tsl_context *x, tsl_held *h); /* of nothing, too */
/* solve_room.c: of A, or what its triangle stands for, of any size: the largest sum of a row, and the largest element; NaN if
 * one is */
tsl_status tsl_sizes_of(tsl_context *x, tsl_view A, double *rows, double *largest);
/* solve_room.c: tsl_ratio of as many columns as they like */
tsl_status tsl_ratio_of(tsl_context *x, tsl_view A, tsl_view B, double *ratio, double *largest);

#endif
