/* Host leaves of what finds the reflectors of a matrix with orthonormal columns (orhr), and of the signs that go with them
 * (bdsign). */
#include <complex.h>

#include "core/values.h"
#include "kernel/host/leaf.h"

enum { BLOCK = 32 }; /* past that products are faster */

#define FN(name) PASTE3(tsl_host_, P, name)
#define BODY "kernel/host/qr/orhr.inc"
#include "core/types.inc"

const tsl_kernel_entry tsl_host_orhr_entry = {.fn = TSL_HOST_LEAVES(orhr), .limit = BLOCK};
