/* The typed calls of singular values and vectors, s d c z: each written once, in typed_svd.inc. */
#include "api/typed.h"

/* How many vectors a letter of LAPACK's means on the side that has n, where there are d singular values; O: none but those in
 * A */
static int64_t count_of(char job, int64_t n, int64_t d) { return job == 'A' ? n : job == 'S' ? d : 0; }

#define BLOCK(array, lead, rows, cols) {.p = USED(array, (rows) > 0 && (cols) > 0), .ld = tsl_max(lead, tsl_max(1, rows)), .m = rows, .n = cols}

#define FN(name) PASTE3(tsl_, P, name)
#define BODY "api/svd/typed_svd.inc"
#include "core/types.inc"
