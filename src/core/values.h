/* Small functions of element types, ops and sizes. */
#ifndef TSL_VALUES_H
#define TSL_VALUES_H

#include <stdbool.h>

#include "tesela.h"

static inline bool tsl_is_complex(tsl_type t) { return t == TSL_C || t == TSL_Z; }
static inline tsl_type tsl_real_type(tsl_type t) { return t == TSL_C ? TSL_S : t == TSL_Z ? TSL_D : t; }
static inline tsl_op tsl_compose(tsl_op a, tsl_op b) { return (tsl_op)(a ^ b); }
static inline int64_t tsl_min(int64_t a, int64_t b) { return a < b ? a : b; }
static inline int64_t tsl_max(int64_t a, int64_t b) { return a > b ? a : b; }

#endif
