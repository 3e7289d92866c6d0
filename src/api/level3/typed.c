/* The typed calls of level 3, s d c z: each written once, in typed.inc. */
#include "api/typed.h"

#define FN(name) PASTE3(tsl_, P, name)
#define BODY "api/level3/typed.inc"
#include "core/types.inc"
