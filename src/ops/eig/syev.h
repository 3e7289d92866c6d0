/* What drivers of eigenproblems have in common. */
#ifndef TSL_OPS_SYEV_H
#define TSL_OPS_SYEV_H

#include "ops/qr/qr.h"

/* Executes a call for eigenpairs; *m is how many were found. */
tsl_status tsl_execute_pairs(tsl_context *x, tsl_call *c, int64_t *m, int64_t *info);

#endif
