/* The typed calls of LAPACK, s d c z: each written once, in typed_lapack.inc. */
#include "api/typed.h"

/* Of calls that can only succeed once they are accepted. */
static tsl_status succeeded(const tsl_args *d, tsl_status st, int64_t *info)
{
    if (!st && info) *info = 0;
    return told_overlap(d, st, info);
}

#define FN(name) PASTE3(tsl_, P, name)
#define BODY "api/typed_lapack.inc"
#include "core/types.inc"
