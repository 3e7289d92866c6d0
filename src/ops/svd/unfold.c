/* A bidiagonal matrix as a tridiagonal one of twice its order, vectors of that as singular vectors, and signs of a diagonal.
 * Only algorithms call these, with operands that are right. */
#include "ops/qr/qr.h"

const tsl_rules tsl_unfold_rules = {.check = tsl_unchecked};
const tsl_rules tsl_fold_rules = {.check = tsl_unchecked};
const tsl_rules tsl_signs_rules = {.check = tsl_unchecked};
