/* The typed calls of level 2, s d c z: each written once, in typed2.inc. */
#include "api/typed2.h"

#define FN(name) PASTE3(tsl_, P, name)
#define BODY "api/typed2.inc"
#include "core/types.inc"
