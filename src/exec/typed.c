/* The typed calls of level 3, s d c z: one text each in typed.inc. */
#include "exec/typed.h"

#define FN(name) PASTE3(tsl_, P, name)
#define BODY "exec/typed.inc"
#include "core/types.inc"
