/* The routines by their names: a table for each type. */
#include <string.h>

#include "compat/jax/jax.h"

#define PASTE4_(a, b, c, d) a##b##c##d
#define PASTE4(a, b, c, d) PASTE4_(a, b, c, d)

static int64_t ld(const jax_array *a) { return jax_rows(a) > 0 ? jax_rows(a) : 1; }
static int64_t step(const jax_array *a) { return jax_rows(a) * jax_columns(a); }

#define FN(name) PASTE3(name, _, P)
#define BODY "compat/jax/calls.inc"
#include "core/types.inc"

const jax_routine *jax_find(tsl_type type, const char *name, size_t length)
{
    static const jax_routine *const tables[] = {[TSL_S] = table_s, [TSL_D] = table_d, [TSL_C] = table_c, [TSL_Z] = table_z};
    for (const jax_routine *r = tables[type]; r->name; ++r)
        if (strlen(r->name) == length && memcmp(r->name, name, length) == 0) return r;
    return NULL;
}
