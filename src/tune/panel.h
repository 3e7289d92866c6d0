/* How wide the panels of a blocked algorithm are. */
#ifndef TSL_PANEL_H
#define TSL_PANEL_H

#include "core/op.h"

/* tune.c: the width of a panel for the call: the caller's "tile" if set, else the tuning tables' */
int64_t tsl_panel(tsl_context *x, const tsl_call *c);
/* tune.c: the same for an algorithm that looks ahead, k columns (of a solve rows) into its sweep: on a grid of processes panels
 * end where blocks do, and are such that the rows or columns of processes have them in turn */
int64_t tsl_panel_ahead(tsl_context *x, const tsl_call *c, int64_t k);
/* tune.c: where to halve the triangle of the call: the largest panel times a power of two below its order */
int64_t tsl_half(tsl_context *x, const tsl_call *c);

/* tune.c: how wide panels are for products by residues: as these are to be, but the matrix is cut */
int64_t tsl_wide_panel(tsl_context *x, const tsl_call *c);

#endif
