/** @file
 * tesela/batch/functions.h - typed calls on batches (batch.h): eigenproblems of general matrices
 * (schur.h), and functions (functions.h). */
#ifndef TESELA_BATCH_FUNCTIONS_H
#define TESELA_BATCH_FUNCTIONS_H

#include "../matrix.h"

#ifdef __cplusplus
extern "C" {
#endif

/** geev of each problem. Real matrices: eigenvalues are wr + i wi, vectors are stored as LAPACK's. */
TSL_API tsl_status tsl_sgeev_batch(tsl_context *ctx, char jobvl, char jobvr, int64_t n, float *A, int64_t lda, int64_t strideA,
                                   float *wr, int64_t stride_w, float *wi, int64_t stride_wi, float *VL, int64_t ldvl,
                                   int64_t strideVL, float *VR, int64_t ldvr, int64_t strideVR, int64_t count, int64_t *info);
TSL_API tsl_status tsl_dgeev_batch(tsl_context *ctx, char jobvl, char jobvr, int64_t n, double *A, int64_t lda, int64_t strideA,
                                   double *wr, int64_t stride_w, double *wi, int64_t stride_wi, double *VL, int64_t ldvl,
                                   int64_t strideVL, double *VR, int64_t ldvr, int64_t strideVR, int64_t count, int64_t *info);
TSL_API tsl_status tsl_cgeev_batch(tsl_context *ctx, char jobvl, char jobvr, int64_t n, tsl_cfloat *A, int64_t lda,
                                   int64_t strideA, tsl_cfloat *w, int64_t stride_w, tsl_cfloat *VL, int64_t ldvl,
                                   int64_t strideVL, tsl_cfloat *VR, int64_t ldvr, int64_t strideVR, int64_t count,
                                   int64_t *info);
TSL_API tsl_status tsl_zgeev_batch(tsl_context *ctx, char jobvl, char jobvr, int64_t n, tsl_cdouble *A, int64_t lda,
                                   int64_t strideA, tsl_cdouble *w, int64_t stride_w, tsl_cdouble *VL, int64_t ldvl,
                                   int64_t strideVL, tsl_cdouble *VR, int64_t ldvr, int64_t strideVR, int64_t count,
                                   int64_t *info);
TSL_API tsl_status tsl_sgeev_batch_pointers(tsl_context *ctx, char jobvl, char jobvr, int64_t n, float *const *A, int64_t lda,
                                            float *const *wr, float *const *wi, float *const *VL, int64_t ldvl,
                                            float *const *VR, int64_t ldvr, int64_t count, int64_t *info);
TSL_API tsl_status tsl_dgeev_batch_pointers(tsl_context *ctx, char jobvl, char jobvr, int64_t n, double *const *A, int64_t lda,
                                            double *const *wr, double *const *wi, double *const *VL, int64_t ldvl,
                                            double *const *VR, int64_t ldvr, int64_t count, int64_t *info);
TSL_API tsl_status tsl_cgeev_batch_pointers(tsl_context *ctx, char jobvl, char jobvr, int64_t n, tsl_cfloat *const *A,
                                            int64_t lda, tsl_cfloat *const *w, tsl_cfloat *const *VL, int64_t ldvl,
                                            tsl_cfloat *const *VR, int64_t ldvr, int64_t count, int64_t *info);
TSL_API tsl_status tsl_zgeev_batch_pointers(tsl_context *ctx, char jobvl, char jobvr, int64_t n, tsl_cdouble *const *A,
                                            int64_t lda, tsl_cdouble *const *w, tsl_cdouble *const *VL, int64_t ldvl,
                                            tsl_cdouble *const *VR, int64_t ldvr, int64_t count, int64_t *info);

/** gees of each problem. sdim, in host memory or NULL, has an element for each problem: how many eigenvalues come first. */
TSL_API tsl_status tsl_sgees_batch(tsl_context *ctx, char jobvs, char sort, int64_t n, float *A, int64_t lda, int64_t strideA,
                                   int64_t *sdim, float *wr, int64_t stride_w, float *wi, int64_t stride_wi, float *VS,
                                   int64_t ldvs, int64_t strideVS, int64_t count, int64_t *info);
TSL_API tsl_status tsl_dgees_batch(tsl_context *ctx, char jobvs, char sort, int64_t n, double *A, int64_t lda, int64_t strideA,
                                   int64_t *sdim, double *wr, int64_t stride_w, double *wi, int64_t stride_wi, double *VS,
                                   int64_t ldvs, int64_t strideVS, int64_t count, int64_t *info);
TSL_API tsl_status tsl_cgees_batch(tsl_context *ctx, char jobvs, char sort, int64_t n, tsl_cfloat *A, int64_t lda,
                                   int64_t strideA, int64_t *sdim, tsl_cfloat *w, int64_t stride_w, tsl_cfloat *VS,
                                   int64_t ldvs, int64_t strideVS, int64_t count, int64_t *info);
TSL_API tsl_status tsl_zgees_batch(tsl_context *ctx, char jobvs, char sort, int64_t n, tsl_cdouble *A, int64_t lda,
                                   int64_t strideA, int64_t *sdim, tsl_cdouble *w, int64_t stride_w, tsl_cdouble *VS,
                                   int64_t ldvs, int64_t strideVS, int64_t count, int64_t *info);
TSL_API tsl_status tsl_sgees_batch_pointers(tsl_context *ctx, char jobvs, char sort, int64_t n, float *const *A, int64_t lda,
                                            int64_t *sdim, float *const *wr, float *const *wi, float *const *VS, int64_t ldvs,
                                            int64_t count, int64_t *info);
TSL_API tsl_status tsl_dgees_batch_pointers(tsl_context *ctx, char jobvs, char sort, int64_t n, double *const *A, int64_t lda,
                                            int64_t *sdim, double *const *wr, double *const *wi, double *const *VS,
                                            int64_t ldvs, int64_t count, int64_t *info);
TSL_API tsl_status tsl_cgees_batch_pointers(tsl_context *ctx, char jobvs, char sort, int64_t n, tsl_cfloat *const *A,
                                            int64_t lda, int64_t *sdim, tsl_cfloat *const *w, tsl_cfloat *const *VS,
                                            int64_t ldvs, int64_t count, int64_t *info);
TSL_API tsl_status tsl_zgees_batch_pointers(tsl_context *ctx, char jobvs, char sort, int64_t n, tsl_cdouble *const *A,
                                            int64_t lda, int64_t *sdim, tsl_cdouble *const *w, tsl_cdouble *const *VS,
                                            int64_t ldvs, int64_t count, int64_t *info);

/** A := exp(A) of each problem. */
TSL_API tsl_status tsl_sexpm_batch(tsl_context *ctx, int64_t n, float *A, int64_t lda, int64_t strideA, int64_t count,
                                   int64_t *info);
TSL_API tsl_status tsl_dexpm_batch(tsl_context *ctx, int64_t n, double *A, int64_t lda, int64_t strideA, int64_t count,
                                   int64_t *info);
TSL_API tsl_status tsl_cexpm_batch(tsl_context *ctx, int64_t n, tsl_cfloat *A, int64_t lda, int64_t strideA, int64_t count,
                                   int64_t *info);
TSL_API tsl_status tsl_zexpm_batch(tsl_context *ctx, int64_t n, tsl_cdouble *A, int64_t lda, int64_t strideA, int64_t count,
                                   int64_t *info);
TSL_API tsl_status tsl_sexpm_batch_pointers(tsl_context *ctx, int64_t n, float *const *A, int64_t lda, int64_t count,
                                            int64_t *info);
TSL_API tsl_status tsl_dexpm_batch_pointers(tsl_context *ctx, int64_t n, double *const *A, int64_t lda, int64_t count,
                                            int64_t *info);
TSL_API tsl_status tsl_cexpm_batch_pointers(tsl_context *ctx, int64_t n, tsl_cfloat *const *A, int64_t lda, int64_t count,
                                            int64_t *info);
TSL_API tsl_status tsl_zexpm_batch_pointers(tsl_context *ctx, int64_t n, tsl_cdouble *const *A, int64_t lda, int64_t count,
                                            int64_t *info);

#ifdef __cplusplus
}
#endif
#endif
