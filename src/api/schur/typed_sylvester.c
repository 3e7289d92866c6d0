/* The typed calls of Sylvester's equation, s d c z: each written once, in typed_sylvester.inc. */
#include "api/typed.h"

#define FN(name) PASTE3(tsl_, P, name)
#define BODY "api/schur/typed_sylvester.inc"
#include "core/types.inc"
