/* The typed calls of scalings and of bounds of errors, and of expert drivers: each written once, in typed_rfs.inc. */
#include "api/typed.h"
#include "ops/solve/svx.h"

#define FN(name) PASTE3(tsl_, P, name)
#define BODY "api/solve/typed_rfs.inc"
#include "core/types.inc"
