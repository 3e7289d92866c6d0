/** @file
 * tesela/functions.h - functions of square matrices: exponential, square root, logarithm.
 *
 * A is n x n, as it is stored. The calls wait. If info is not 0, A is NaN. */
#ifndef TESELA_FUNCTIONS_H
#define TESELA_FUNCTIONS_H

#include "matrix.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A := exp(A), by scaling and squaring with a Pade approximant. info = n: an element, or a sum of sizes down a column,
 * was not finite. What overflows becomes Inf or NaN. Workspace: six matrices like A. */
TSL_API tsl_status tsl_expm(tsl_context *ctx, tsl_view A, int64_t *info);
TSL_API tsl_status tsl_sexpm(tsl_context *ctx, int64_t n, float *A, int64_t lda, int64_t *info);
TSL_API tsl_status tsl_dexpm(tsl_context *ctx, int64_t n, double *A, int64_t lda, int64_t *info);
TSL_API tsl_status tsl_cexpm(tsl_context *ctx, int64_t n, tsl_cfloat *A, int64_t lda, int64_t *info);
TSL_API tsl_status tsl_zexpm(tsl_context *ctx, int64_t n, tsl_cdouble *A, int64_t lda, int64_t *info);

/** A := its principal square root, whose eigenvalues are in the right half plane, by the Schur form. info: gees' info
 * (schur.h), or the index, in the order of the Schur form, of the first eigenvalue without a root: of a real A a
 * negative one, as it has no real square root; or zero, if A is defective there. Workspace: two matrices like A. */
TSL_API tsl_status tsl_sqrtm(tsl_context *ctx, tsl_view A, int64_t *info);
TSL_API tsl_status tsl_ssqrtm(tsl_context *ctx, int64_t n, float *A, int64_t lda, int64_t *info);
TSL_API tsl_status tsl_dsqrtm(tsl_context *ctx, int64_t n, double *A, int64_t lda, int64_t *info);
TSL_API tsl_status tsl_csqrtm(tsl_context *ctx, int64_t n, tsl_cfloat *A, int64_t lda, int64_t *info);
TSL_API tsl_status tsl_zsqrtm(tsl_context *ctx, int64_t n, tsl_cdouble *A, int64_t lda, int64_t *info);

/** A := its principal logarithm, whose eigenvalues have imaginary parts in (-pi, pi], by repeated square roots. info as
 * in sqrtm; it is not 0 also if A is singular. Workspace: four matrices like A. */
TSL_API tsl_status tsl_logm(tsl_context *ctx, tsl_view A, int64_t *info);
TSL_API tsl_status tsl_slogm(tsl_context *ctx, int64_t n, float *A, int64_t lda, int64_t *info);
TSL_API tsl_status tsl_dlogm(tsl_context *ctx, int64_t n, double *A, int64_t lda, int64_t *info);
TSL_API tsl_status tsl_clogm(tsl_context *ctx, int64_t n, tsl_cfloat *A, int64_t lda, int64_t *info);
TSL_API tsl_status tsl_zlogm(tsl_context *ctx, int64_t n, tsl_cdouble *A, int64_t lda, int64_t *info);

#ifdef __cplusplus
}
#endif
#endif
