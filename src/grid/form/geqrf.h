/* Ways to factor a panel of QR whose rows several processes have. */
#ifndef TSL_FORM_GEQRF_H
#define TSL_FORM_GEQRF_H

#include "grid/grid.h"

/* geqrf_tree.c: on devices. T and tau are where the panel's columns begin, as tsl_owner_layout says. */
void tsl_geqrt_tree(tsl_context *x, tsl_view A, tsl_view T, tsl_view tau);

#endif
