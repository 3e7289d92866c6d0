/* The typed calls of eigenproblems, s d c z: each written once, in typed_eig.inc. */
#include "api/typed.h"

#define FN(name) PASTE3(tsl_, P, name)
#define BODY "api/eig/typed_eig.inc"
#include "core/types.inc"
