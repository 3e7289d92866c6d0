/* The routines by their names, and their typed calls. */
#include <string.h>

#include "compat/jax/jax.h"

#define PASTE4_(a, b, c, d) a##b##c##d
#define PASTE4(a, b, c, d) PASTE4_(a, b, c, d)

static int64_t ld(const jax_array *a) { return jax_rows(a) > 0 ? jax_rows(a) : 1; }
static int64_t step(const jax_array *a) { return jax_rows(a) * jax_columns(a); }

#define FN(name) PASTE3(name, _, P)
#define BODY "compat/jax/calls.inc"
#include "core/types.inc"

#define ALL(name) {name##_s, name##_d, name##_c, name##_z}

static const jax_routine table[] = {
    {"potrf", 1, 2, 1, ALL(potrf)}, {"getrf", 1, 3, 0, ALL(getrf)}, {"getri", 2, 2, 0, ALL(getri)}, {"getrs", 3, 1, 1, ALL(getrs)},
    {"trsm", 2, 1, 3, ALL(trsm)},   {"geqrf", 1, 2, 0, ALL(geqrf)}, {"orgqr", 2, 1, 0, ALL(orgqr)}, {"syev", 1, 3, 2, ALL(syev)},
    {"geev", 1, 3, 0, ALL(geev)},   {"gesvd", 1, 3, 0, ALL(gesvd)}, {"pinv", 1, 4, 0, ALL(pinv)},   {"expm", 1, 2, 0, ALL(expm)},
};

const jax_routine *jax_find(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; ++i)
        if (strlen(table[i].name) == length && memcmp(table[i].name, name, length) == 0) return &table[i];
    return NULL;
}
