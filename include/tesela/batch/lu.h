/** @file
 * tesela/batch/lu.h - typed calls on batches (batch.h): LU (lu.h). */
#ifndef TESELA_BATCH_LU_H
#define TESELA_BATCH_LU_H

#include "../matrix.h"

#ifdef __cplusplus
extern "C" {
#endif

/** getrf of each problem. */
TSL_API tsl_status tsl_sgetrf_batch(tsl_context *ctx, int64_t m, int64_t n, float *A, int64_t lda, int64_t strideA,
                                    int64_t *ipiv, int64_t stride_p, int64_t count, int64_t *info);
TSL_API tsl_status tsl_dgetrf_batch(tsl_context *ctx, int64_t m, int64_t n, double *A, int64_t lda, int64_t strideA,
                                    int64_t *ipiv, int64_t stride_p, int64_t count, int64_t *info);
TSL_API tsl_status tsl_cgetrf_batch(tsl_context *ctx, int64_t m, int64_t n, tsl_cfloat *A, int64_t lda, int64_t strideA,
                                    int64_t *ipiv, int64_t stride_p, int64_t count, int64_t *info);
TSL_API tsl_status tsl_zgetrf_batch(tsl_context *ctx, int64_t m, int64_t n, tsl_cdouble *A, int64_t lda, int64_t strideA,
                                    int64_t *ipiv, int64_t stride_p, int64_t count, int64_t *info);
TSL_API tsl_status tsl_sgetrf_batch_pointers(tsl_context *ctx, int64_t m, int64_t n, float *const *A, int64_t lda,
                                             int64_t *const *ipiv, int64_t count, int64_t *info);
TSL_API tsl_status tsl_dgetrf_batch_pointers(tsl_context *ctx, int64_t m, int64_t n, double *const *A, int64_t lda,
                                             int64_t *const *ipiv, int64_t count, int64_t *info);
TSL_API tsl_status tsl_cgetrf_batch_pointers(tsl_context *ctx, int64_t m, int64_t n, tsl_cfloat *const *A, int64_t lda,
                                             int64_t *const *ipiv, int64_t count, int64_t *info);
TSL_API tsl_status tsl_zgetrf_batch_pointers(tsl_context *ctx, int64_t m, int64_t n, tsl_cdouble *const *A, int64_t lda,
                                             int64_t *const *ipiv, int64_t count, int64_t *info);

/** getrs of each problem. */
TSL_API tsl_status tsl_sgetrs_batch(tsl_context *ctx, char trans, int64_t n, int64_t nrhs, const float *A, int64_t lda,
                                    int64_t strideA, const int64_t *ipiv, int64_t stride_p, float *B, int64_t ldb,
                                    int64_t strideB, int64_t count);
TSL_API tsl_status tsl_dgetrs_batch(tsl_context *ctx, char trans, int64_t n, int64_t nrhs, const double *A, int64_t lda,
                                    int64_t strideA, const int64_t *ipiv, int64_t stride_p, double *B, int64_t ldb,
                                    int64_t strideB, int64_t count);
TSL_API tsl_status tsl_cgetrs_batch(tsl_context *ctx, char trans, int64_t n, int64_t nrhs, const tsl_cfloat *A, int64_t lda,
                                    int64_t strideA, const int64_t *ipiv, int64_t stride_p, tsl_cfloat *B, int64_t ldb,
                                    int64_t strideB, int64_t count);
TSL_API tsl_status tsl_zgetrs_batch(tsl_context *ctx, char trans, int64_t n, int64_t nrhs, const tsl_cdouble *A, int64_t lda,
                                    int64_t strideA, const int64_t *ipiv, int64_t stride_p, tsl_cdouble *B, int64_t ldb,
                                    int64_t strideB, int64_t count);
TSL_API tsl_status tsl_sgetrs_batch_pointers(tsl_context *ctx, char trans, int64_t n, int64_t nrhs, const float *const *A,
                                             int64_t lda, const int64_t *const *ipiv, float *const *B, int64_t ldb,
                                             int64_t count);
TSL_API tsl_status tsl_dgetrs_batch_pointers(tsl_context *ctx, char trans, int64_t n, int64_t nrhs, const double *const *A,
                                             int64_t lda, const int64_t *const *ipiv, double *const *B, int64_t ldb,
                                             int64_t count);
TSL_API tsl_status tsl_cgetrs_batch_pointers(tsl_context *ctx, char trans, int64_t n, int64_t nrhs, const tsl_cfloat *const *A,
                                             int64_t lda, const int64_t *const *ipiv, tsl_cfloat *const *B, int64_t ldb,
                                             int64_t count);
TSL_API tsl_status tsl_zgetrs_batch_pointers(tsl_context *ctx, char trans, int64_t n, int64_t nrhs, const tsl_cdouble *const *A,
                                             int64_t lda, const int64_t *const *ipiv, tsl_cdouble *const *B, int64_t ldb,
                                             int64_t count);

/** gesv of each problem. B of a problem with info not 0 is not touched. */
TSL_API tsl_status tsl_sgesv_batch(tsl_context *ctx, int64_t n, int64_t nrhs, float *A, int64_t lda, int64_t strideA,
                                   int64_t *ipiv, int64_t stride_p, float *B, int64_t ldb, int64_t strideB, int64_t count,
                                   int64_t *info);
TSL_API tsl_status tsl_dgesv_batch(tsl_context *ctx, int64_t n, int64_t nrhs, double *A, int64_t lda, int64_t strideA,
                                   int64_t *ipiv, int64_t stride_p, double *B, int64_t ldb, int64_t strideB, int64_t count,
                                   int64_t *info);
TSL_API tsl_status tsl_cgesv_batch(tsl_context *ctx, int64_t n, int64_t nrhs, tsl_cfloat *A, int64_t lda, int64_t strideA,
                                   int64_t *ipiv, int64_t stride_p, tsl_cfloat *B, int64_t ldb, int64_t strideB, int64_t count,
                                   int64_t *info);
TSL_API tsl_status tsl_zgesv_batch(tsl_context *ctx, int64_t n, int64_t nrhs, tsl_cdouble *A, int64_t lda, int64_t strideA,
                                   int64_t *ipiv, int64_t stride_p, tsl_cdouble *B, int64_t ldb, int64_t strideB, int64_t count,
                                   int64_t *info);
TSL_API tsl_status tsl_sgesv_batch_pointers(tsl_context *ctx, int64_t n, int64_t nrhs, float *const *A, int64_t lda,
                                            int64_t *const *ipiv, float *const *B, int64_t ldb, int64_t count, int64_t *info);
TSL_API tsl_status tsl_dgesv_batch_pointers(tsl_context *ctx, int64_t n, int64_t nrhs, double *const *A, int64_t lda,
                                            int64_t *const *ipiv, double *const *B, int64_t ldb, int64_t count, int64_t *info);
TSL_API tsl_status tsl_cgesv_batch_pointers(tsl_context *ctx, int64_t n, int64_t nrhs, tsl_cfloat *const *A, int64_t lda,
                                            int64_t *const *ipiv, tsl_cfloat *const *B, int64_t ldb, int64_t count,
                                            int64_t *info);
TSL_API tsl_status tsl_zgesv_batch_pointers(tsl_context *ctx, int64_t n, int64_t nrhs, tsl_cdouble *const *A, int64_t lda,
                                            int64_t *const *ipiv, tsl_cdouble *const *B, int64_t ldb, int64_t count,
                                            int64_t *info);

/** getri of each problem: A := inv(A), from getrf's factors in A and ipiv. */
TSL_API tsl_status tsl_sgetri_batch(tsl_context *ctx, int64_t n, float *A, int64_t lda, int64_t strideA, const int64_t *ipiv,
                                    int64_t stride_p, int64_t count, int64_t *info);
TSL_API tsl_status tsl_dgetri_batch(tsl_context *ctx, int64_t n, double *A, int64_t lda, int64_t strideA, const int64_t *ipiv,
                                    int64_t stride_p, int64_t count, int64_t *info);
TSL_API tsl_status tsl_cgetri_batch(tsl_context *ctx, int64_t n, tsl_cfloat *A, int64_t lda, int64_t strideA,
                                    const int64_t *ipiv, int64_t stride_p, int64_t count, int64_t *info);
TSL_API tsl_status tsl_zgetri_batch(tsl_context *ctx, int64_t n, tsl_cdouble *A, int64_t lda, int64_t strideA,
                                    const int64_t *ipiv, int64_t stride_p, int64_t count, int64_t *info);
TSL_API tsl_status tsl_sgetri_batch_pointers(tsl_context *ctx, int64_t n, float *const *A, int64_t lda,
                                             const int64_t *const *ipiv, int64_t count, int64_t *info);
TSL_API tsl_status tsl_dgetri_batch_pointers(tsl_context *ctx, int64_t n, double *const *A, int64_t lda,
                                             const int64_t *const *ipiv, int64_t count, int64_t *info);
TSL_API tsl_status tsl_cgetri_batch_pointers(tsl_context *ctx, int64_t n, tsl_cfloat *const *A, int64_t lda,
                                             const int64_t *const *ipiv, int64_t count, int64_t *info);
TSL_API tsl_status tsl_zgetri_batch_pointers(tsl_context *ctx, int64_t n, tsl_cdouble *const *A, int64_t lda,
                                             const int64_t *const *ipiv, int64_t count, int64_t *info);

/** gecon of each problem, from getrf's factors. anorm and rcond have an element for each problem, in host or device memory:
 * the norms of the matrices that were factored, and their reciprocal conditions. The call waits. */
TSL_API tsl_status tsl_sgecon_batch(tsl_context *ctx, char norm, int64_t n, const float *A, int64_t lda, int64_t strideA,
                                    const float *anorm, float *rcond, int64_t count);
TSL_API tsl_status tsl_dgecon_batch(tsl_context *ctx, char norm, int64_t n, const double *A, int64_t lda, int64_t strideA,
                                    const double *anorm, double *rcond, int64_t count);
TSL_API tsl_status tsl_cgecon_batch(tsl_context *ctx, char norm, int64_t n, const tsl_cfloat *A, int64_t lda, int64_t strideA,
                                    const float *anorm, float *rcond, int64_t count);
TSL_API tsl_status tsl_zgecon_batch(tsl_context *ctx, char norm, int64_t n, const tsl_cdouble *A, int64_t lda, int64_t strideA,
                                    const double *anorm, double *rcond, int64_t count);
TSL_API tsl_status tsl_sgecon_batch_pointers(tsl_context *ctx, char norm, int64_t n, const float *const *A, int64_t lda,
                                             const float *anorm, float *rcond, int64_t count);
TSL_API tsl_status tsl_dgecon_batch_pointers(tsl_context *ctx, char norm, int64_t n, const double *const *A, int64_t lda,
                                             const double *anorm, double *rcond, int64_t count);
TSL_API tsl_status tsl_cgecon_batch_pointers(tsl_context *ctx, char norm, int64_t n, const tsl_cfloat *const *A, int64_t lda,
                                             const float *anorm, float *rcond, int64_t count);
TSL_API tsl_status tsl_zgecon_batch_pointers(tsl_context *ctx, char norm, int64_t n, const tsl_cdouble *const *A, int64_t lda,
                                             const double *anorm, double *rcond, int64_t count);

/** logdet of each problem, from the factors of getrf (factors G) or potrf (L, U; ipiv is not looked at). phase and logabs have
 * an element for each problem, in host or device memory: the determinant is phase exp(logabs). The call waits. */
TSL_API tsl_status tsl_slogdet_batch(tsl_context *ctx, char factors, int64_t n, const float *A, int64_t lda, int64_t strideA,
                                     const int64_t *ipiv, int64_t stride_p, float *phase, double *logabs, int64_t count);
TSL_API tsl_status tsl_dlogdet_batch(tsl_context *ctx, char factors, int64_t n, const double *A, int64_t lda, int64_t strideA,
                                     const int64_t *ipiv, int64_t stride_p, double *phase, double *logabs, int64_t count);
TSL_API tsl_status tsl_clogdet_batch(tsl_context *ctx, char factors, int64_t n, const tsl_cfloat *A, int64_t lda,
                                     int64_t strideA, const int64_t *ipiv, int64_t stride_p, tsl_cfloat *phase, double *logabs,
                                     int64_t count);
TSL_API tsl_status tsl_zlogdet_batch(tsl_context *ctx, char factors, int64_t n, const tsl_cdouble *A, int64_t lda,
                                     int64_t strideA, const int64_t *ipiv, int64_t stride_p, tsl_cdouble *phase, double *logabs,
                                     int64_t count);
TSL_API tsl_status tsl_slogdet_batch_pointers(tsl_context *ctx, char factors, int64_t n, const float *const *A, int64_t lda,
                                              const int64_t *const *ipiv, float *phase, double *logabs, int64_t count);
TSL_API tsl_status tsl_dlogdet_batch_pointers(tsl_context *ctx, char factors, int64_t n, const double *const *A, int64_t lda,
                                              const int64_t *const *ipiv, double *phase, double *logabs, int64_t count);
TSL_API tsl_status tsl_clogdet_batch_pointers(tsl_context *ctx, char factors, int64_t n, const tsl_cfloat *const *A,
                                              int64_t lda, const int64_t *const *ipiv, tsl_cfloat *phase, double *logabs,
                                              int64_t count);
TSL_API tsl_status tsl_zlogdet_batch_pointers(tsl_context *ctx, char factors, int64_t n, const tsl_cdouble *const *A,
                                              int64_t lda, const int64_t *const *ipiv, tsl_cdouble *phase, double *logabs,
                                              int64_t count);

#ifdef __cplusplus
}
#endif
#endif
