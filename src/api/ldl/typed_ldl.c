/* The typed calls of L D L^T and L D L^H, s d c z: each written once, in typed_ldl.inc. */
#include "api/typed.h"

#define FN(name) PASTE3(tsl_, P, name)
#define BODY "api/ldl/typed_ldl.inc"
#include "core/types.inc"
