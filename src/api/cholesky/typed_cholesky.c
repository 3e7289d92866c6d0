/* The typed calls of Cholesky's factor and of triangles, s d c z: each written once, in typed_cholesky.inc. */
#include "api/typed.h"

#define FN(name) PASTE3(tsl_, P, name)
#define BODY "api/cholesky/typed_cholesky.inc"
#include "core/types.inc"
