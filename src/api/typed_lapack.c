/* The typed calls of LAPACK, s d c z: each written once, in typed_lapack.inc. */
#include "api/typed.h"

/* A refused call's info is minus the number of the bad argument. */
static tsl_status refused(const tsl_door *d, int64_t *info)
{
    if (info && d->argument) *info = -d->argument;
    return d->st;
}

/* Of calls whose arrays may turn out to overlap. */
static tsl_status told_overlap(const tsl_door *d, tsl_status st, int64_t *info)
{
    if (st == TSL_ERR_OVERLAP && info) *info = -d->argument;
    return st;
}

/* Of calls that can only succeed once they are accepted. */
static tsl_status succeeded(const tsl_door *d, tsl_status st, int64_t *info)
{
    if (!st && info) *info = 0;
    return told_overlap(d, st, info);
}

#define FN(name) PASTE3(tsl_, P, name)
#define BODY "api/typed_lapack.inc"
#include "core/types.inc"
