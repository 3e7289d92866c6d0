/* The typed calls of level 3, s d c z: one text each in typed.inc. */
#include <complex.h>

#include "exec/typed.h"
#include "kernel/host/small.h"

#define SMALL(name) PASTE3(small_, P, name)
#define CBLAS(name) PASTE3(cblas_, P, name)
#define BODY "kernel/host/small.inc"
#include "core/types.inc"
#undef BODY

#define FN(name) PASTE3(tsl_, P, name)
#define BODY "exec/typed.inc"
#include "core/types.inc"
