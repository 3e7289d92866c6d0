/* Is a typed call on arrays in host memory worth bringing to the context's devices? For libtesela_blas, which has another
 * library to ask. */
#ifndef TSL_PAYS_H
#define TSL_PAYS_H

#include <stdbool.h>

#include "core/private.h"
#include "tesela.h"

/* Sizes as in tsl_explain; why, a line, stays as it is where there is no such call. */
TSL_PRIVATE bool tsl_pays(tsl_context *x, const char *routine, int64_t m, int64_t n, int64_t k, const char **why);

#endif
