/* The typed calls of LAPACK, s d c z: each written once, in typed_lapack.inc. */
#include "api/typed.h"

#define FN(name) PASTE3(tsl_, P, name)
#define BODY "api/typed_lapack.inc"
#include "core/types.inc"
