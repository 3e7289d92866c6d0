/* Operations on views that algorithms use and callers do not. */
#ifndef TSL_INNER_H
#define TSL_INNER_H

#include "core/op.h"
#include "tesela.h"

/* norm.c: s_j := the norm (max, one) of column j of A, or of what a triangle stands for, together with s_j; s is a column of doubles */
void tsl_colnorm(tsl_context *x, tsl_norm_kind kind, tsl_structure structure, tsl_view A, tsl_view s);
/* convert.c: over the columns of A and B the largest |a_j| / |b_j|, of largest elements, and the largest |a_ij|; NaN if one was read.
 * Waits. */
tsl_status tsl_ratio(tsl_context *x, tsl_view A, tsl_view B, double *ratio, double *largest);
/* convert.c: B := alpha A + beta B, of different precisions */
void tsl_add_converted(tsl_context *x, double alpha, tsl_view A, double beta, tsl_view B);
/* butterfly.c: A := U^T A V, U^T A or V A, with random butterflies; A is not seen through an op */
void tsl_apply_butterflies(tsl_context *x, tsl_butterflies butterflies, tsl_view A);
/* syev.c: how many diagonals beside the main one the band has that an eigenproblem of order n goes through */
int64_t tsl_band_width(const tsl_context *x, int64_t n);

#endif
