/* The bidiagonal singular value problem: bdsdc (s d) and bdsqr (s d c z), each written once, in typed_bidiagonal.inc. */
#include "api/typed.h"

#define BLOCK(array, lead, rows, cols) {.p = USED(array, (rows) > 0 && (cols) > 0), .ld = tsl_max(lead, tsl_max(1, rows)), .m = rows, .n = cols}

#define FN(name) PASTE3(tsl_, P, name)
#define BODY "api/svd/typed_bidiagonal.inc"
#include "core/types.inc"
