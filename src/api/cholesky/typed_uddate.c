/* The typed calls that add rows to a factor and take them off, s d c z: each written once, in typed_uddate.inc. */
#include "api/typed.h"

#define BLOCK(p, ld, m, n) {(p), tsl_max(1, ld), (m), (n)}
#define FN(name) PASTE3(tsl_, P, name)
#define BODY "api/cholesky/typed_uddate.inc"
#include "core/types.inc"
