/* What drivers of eigenproblems have in common. */
#ifndef TSL_OPS_SYEV_H
#define TSL_OPS_SYEV_H

#include "ops/qr/qr.h"

/* A call for the eigenpairs that are wanted, of n; what is wrong with the selection goes to c->refused. */
void tsl_select(tsl_context *x, tsl_call *c, const tsl_selection *which, int64_t n);
/* Executes it; *m is how many were found. */
tsl_status tsl_execute_pairs(tsl_context *x, tsl_call *c, int64_t *m, int64_t *info);
/* Operands `w`, a column of n elements, and `vectors`, empty or of n rows and as many columns as are known to be wanted */
tsl_status tsl_check_pairs(tsl_context *x, const tsl_call *c, int w, int vectors, int64_t n);

#endif
