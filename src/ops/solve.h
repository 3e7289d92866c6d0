/* Solutions by factors of lower precision, for the function on views and the typed calls. */
#ifndef TSL_OPS_SOLVE_H
#define TSL_OPS_SOLVE_H

#include "ops/ops.h"

/* X := the solution of A X = B by lower precision, as c->refine asks; its outcome says whether it is one. Too little memory is one of the
 * outcomes. */
tsl_status tsl_solve_low(tsl_context *x, const tsl_call *c);
/* X := the solution by factors of double precision, which overwrite A and p; outcome as of gesv and posv */
tsl_status tsl_solve_double(tsl_context *x, tsl_door *d, tsl_view A, tsl_view p, tsl_view B, tsl_view X, int64_t *info);

#endif
