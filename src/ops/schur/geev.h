/* What typed calls of nonsymmetric eigenproblems need of those on views. */
#ifndef TSL_OPS_GEEV_H
#define TSL_OPS_GEEV_H

#include "exec/exec.h"

/* How many of w, and wi if real, come first, once they are sorted. Waits */
tsl_status tsl_count_first(tsl_context *x, tsl_schur_sort sort, tsl_view w, tsl_view wi, int64_t *sdim);

#endif
