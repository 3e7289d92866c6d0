/* The typed calls of LU, s d c z: each written once, in typed_lu.inc. */
#include "api/typed.h"

#define FN(name) PASTE3(tsl_, P, name)
#define BODY "api/lu/typed_lu.inc"
#include "core/types.inc"
