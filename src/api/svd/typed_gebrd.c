/* The typed calls of the reduction to bidiagonal form, s d c z: each written once, in typed_gebrd.inc. */
#include "api/typed.h"

#define FN(name) PASTE3(tsl_, P, name)
#define BODY "api/svd/typed_gebrd.inc"
#include "core/types.inc"
