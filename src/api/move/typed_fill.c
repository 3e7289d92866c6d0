/* The typed calls of matrices of two numbers and of sums, s d c z: each written once, in typed_fill.inc. */
#include "api/typed.h"

#define FN(name) PASTE3(tsl_, P, name)
#define BODY "api/move/typed_fill.inc"
#include "core/types.inc"
