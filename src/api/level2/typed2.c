/* The typed calls of level 2, s d c z: each written once, in typed2.inc. */
#include "api/level2/typed2.h"

#define FN(name) PASTE3(tsl_, P, name)
#define BODY "api/level2/typed2.inc"
#include "core/types.inc"
