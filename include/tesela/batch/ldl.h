/** @file
 * tesela/batch/ldl.h - typed calls on batches (batch.h): L D L^T (ldl.h). */
#ifndef TESELA_BATCH_LDL_H
#define TESELA_BATCH_LDL_H

#include "../matrix.h"

#ifdef __cplusplus
extern "C" {
#endif

/** sytrf of each problem: A = L D L^T. */
TSL_API tsl_status tsl_ssytrf_batch(tsl_context *ctx, char uplo, int64_t n, float *A, int64_t lda, int64_t strideA,
                                    int64_t *ipiv, int64_t stride_p, int64_t count, int64_t *info);
TSL_API tsl_status tsl_dsytrf_batch(tsl_context *ctx, char uplo, int64_t n, double *A, int64_t lda, int64_t strideA,
                                    int64_t *ipiv, int64_t stride_p, int64_t count, int64_t *info);
TSL_API tsl_status tsl_csytrf_batch(tsl_context *ctx, char uplo, int64_t n, tsl_cfloat *A, int64_t lda, int64_t strideA,
                                    int64_t *ipiv, int64_t stride_p, int64_t count, int64_t *info);
TSL_API tsl_status tsl_zsytrf_batch(tsl_context *ctx, char uplo, int64_t n, tsl_cdouble *A, int64_t lda, int64_t strideA,
                                    int64_t *ipiv, int64_t stride_p, int64_t count, int64_t *info);
TSL_API tsl_status tsl_ssytrf_batch_pointers(tsl_context *ctx, char uplo, int64_t n, float *const *A, int64_t lda,
                                             int64_t *const *ipiv, int64_t count, int64_t *info);
TSL_API tsl_status tsl_dsytrf_batch_pointers(tsl_context *ctx, char uplo, int64_t n, double *const *A, int64_t lda,
                                             int64_t *const *ipiv, int64_t count, int64_t *info);
TSL_API tsl_status tsl_csytrf_batch_pointers(tsl_context *ctx, char uplo, int64_t n, tsl_cfloat *const *A, int64_t lda,
                                             int64_t *const *ipiv, int64_t count, int64_t *info);
TSL_API tsl_status tsl_zsytrf_batch_pointers(tsl_context *ctx, char uplo, int64_t n, tsl_cdouble *const *A, int64_t lda,
                                             int64_t *const *ipiv, int64_t count, int64_t *info);

/** hetrf of each problem: A = L D L^H. */
TSL_API tsl_status tsl_chetrf_batch(tsl_context *ctx, char uplo, int64_t n, tsl_cfloat *A, int64_t lda, int64_t strideA,
                                    int64_t *ipiv, int64_t stride_p, int64_t count, int64_t *info);
TSL_API tsl_status tsl_zhetrf_batch(tsl_context *ctx, char uplo, int64_t n, tsl_cdouble *A, int64_t lda, int64_t strideA,
                                    int64_t *ipiv, int64_t stride_p, int64_t count, int64_t *info);
TSL_API tsl_status tsl_chetrf_batch_pointers(tsl_context *ctx, char uplo, int64_t n, tsl_cfloat *const *A, int64_t lda,
                                             int64_t *const *ipiv, int64_t count, int64_t *info);
TSL_API tsl_status tsl_zhetrf_batch_pointers(tsl_context *ctx, char uplo, int64_t n, tsl_cdouble *const *A, int64_t lda,
                                             int64_t *const *ipiv, int64_t count, int64_t *info);

/** sytrs of each problem, with sytrf's factors. */
TSL_API tsl_status tsl_ssytrs_batch(tsl_context *ctx, char uplo, int64_t n, int64_t nrhs, const float *A, int64_t lda,
                                    int64_t strideA, const int64_t *ipiv, int64_t stride_p, float *B, int64_t ldb,
                                    int64_t strideB, int64_t count);
TSL_API tsl_status tsl_dsytrs_batch(tsl_context *ctx, char uplo, int64_t n, int64_t nrhs, const double *A, int64_t lda,
                                    int64_t strideA, const int64_t *ipiv, int64_t stride_p, double *B, int64_t ldb,
                                    int64_t strideB, int64_t count);
TSL_API tsl_status tsl_csytrs_batch(tsl_context *ctx, char uplo, int64_t n, int64_t nrhs, const tsl_cfloat *A, int64_t lda,
                                    int64_t strideA, const int64_t *ipiv, int64_t stride_p, tsl_cfloat *B, int64_t ldb,
                                    int64_t strideB, int64_t count);
TSL_API tsl_status tsl_zsytrs_batch(tsl_context *ctx, char uplo, int64_t n, int64_t nrhs, const tsl_cdouble *A, int64_t lda,
                                    int64_t strideA, const int64_t *ipiv, int64_t stride_p, tsl_cdouble *B, int64_t ldb,
                                    int64_t strideB, int64_t count);
TSL_API tsl_status tsl_ssytrs_batch_pointers(tsl_context *ctx, char uplo, int64_t n, int64_t nrhs, const float *const *A,
                                             int64_t lda, const int64_t *const *ipiv, float *const *B, int64_t ldb,
                                             int64_t count);
TSL_API tsl_status tsl_dsytrs_batch_pointers(tsl_context *ctx, char uplo, int64_t n, int64_t nrhs, const double *const *A,
                                             int64_t lda, const int64_t *const *ipiv, double *const *B, int64_t ldb,
                                             int64_t count);
TSL_API tsl_status tsl_csytrs_batch_pointers(tsl_context *ctx, char uplo, int64_t n, int64_t nrhs, const tsl_cfloat *const *A,
                                             int64_t lda, const int64_t *const *ipiv, tsl_cfloat *const *B, int64_t ldb,
                                             int64_t count);
TSL_API tsl_status tsl_zsytrs_batch_pointers(tsl_context *ctx, char uplo, int64_t n, int64_t nrhs, const tsl_cdouble *const *A,
                                             int64_t lda, const int64_t *const *ipiv, tsl_cdouble *const *B, int64_t ldb,
                                             int64_t count);

/** hetrs of each problem, with hetrf's factors. */
TSL_API tsl_status tsl_chetrs_batch(tsl_context *ctx, char uplo, int64_t n, int64_t nrhs, const tsl_cfloat *A, int64_t lda,
                                    int64_t strideA, const int64_t *ipiv, int64_t stride_p, tsl_cfloat *B, int64_t ldb,
                                    int64_t strideB, int64_t count);
TSL_API tsl_status tsl_zhetrs_batch(tsl_context *ctx, char uplo, int64_t n, int64_t nrhs, const tsl_cdouble *A, int64_t lda,
                                    int64_t strideA, const int64_t *ipiv, int64_t stride_p, tsl_cdouble *B, int64_t ldb,
                                    int64_t strideB, int64_t count);
TSL_API tsl_status tsl_chetrs_batch_pointers(tsl_context *ctx, char uplo, int64_t n, int64_t nrhs, const tsl_cfloat *const *A,
                                             int64_t lda, const int64_t *const *ipiv, tsl_cfloat *const *B, int64_t ldb,
                                             int64_t count);
TSL_API tsl_status tsl_zhetrs_batch_pointers(tsl_context *ctx, char uplo, int64_t n, int64_t nrhs, const tsl_cdouble *const *A,
                                             int64_t lda, const int64_t *const *ipiv, tsl_cdouble *const *B, int64_t ldb,
                                             int64_t count);

/** sysv of each problem. B of a problem with info not 0 is not touched. */
TSL_API tsl_status tsl_ssysv_batch(tsl_context *ctx, char uplo, int64_t n, int64_t nrhs, float *A, int64_t lda, int64_t strideA,
                                   int64_t *ipiv, int64_t stride_p, float *B, int64_t ldb, int64_t strideB, int64_t count,
                                   int64_t *info);
TSL_API tsl_status tsl_dsysv_batch(tsl_context *ctx, char uplo, int64_t n, int64_t nrhs, double *A, int64_t lda,
                                   int64_t strideA, int64_t *ipiv, int64_t stride_p, double *B, int64_t ldb, int64_t strideB,
                                   int64_t count, int64_t *info);
TSL_API tsl_status tsl_csysv_batch(tsl_context *ctx, char uplo, int64_t n, int64_t nrhs, tsl_cfloat *A, int64_t lda,
                                   int64_t strideA, int64_t *ipiv, int64_t stride_p, tsl_cfloat *B, int64_t ldb,
                                   int64_t strideB, int64_t count, int64_t *info);
TSL_API tsl_status tsl_zsysv_batch(tsl_context *ctx, char uplo, int64_t n, int64_t nrhs, tsl_cdouble *A, int64_t lda,
                                   int64_t strideA, int64_t *ipiv, int64_t stride_p, tsl_cdouble *B, int64_t ldb,
                                   int64_t strideB, int64_t count, int64_t *info);
TSL_API tsl_status tsl_ssysv_batch_pointers(tsl_context *ctx, char uplo, int64_t n, int64_t nrhs, float *const *A, int64_t lda,
                                            int64_t *const *ipiv, float *const *B, int64_t ldb, int64_t count, int64_t *info);
TSL_API tsl_status tsl_dsysv_batch_pointers(tsl_context *ctx, char uplo, int64_t n, int64_t nrhs, double *const *A, int64_t lda,
                                            int64_t *const *ipiv, double *const *B, int64_t ldb, int64_t count, int64_t *info);
TSL_API tsl_status tsl_csysv_batch_pointers(tsl_context *ctx, char uplo, int64_t n, int64_t nrhs, tsl_cfloat *const *A,
                                            int64_t lda, int64_t *const *ipiv, tsl_cfloat *const *B, int64_t ldb, int64_t count,
                                            int64_t *info);
TSL_API tsl_status tsl_zsysv_batch_pointers(tsl_context *ctx, char uplo, int64_t n, int64_t nrhs, tsl_cdouble *const *A,
                                            int64_t lda, int64_t *const *ipiv, tsl_cdouble *const *B, int64_t ldb,
                                            int64_t count, int64_t *info);

/** hesv of each problem. B of a problem with info not 0 is not touched. */
TSL_API tsl_status tsl_chesv_batch(tsl_context *ctx, char uplo, int64_t n, int64_t nrhs, tsl_cfloat *A, int64_t lda,
                                   int64_t strideA, int64_t *ipiv, int64_t stride_p, tsl_cfloat *B, int64_t ldb,
                                   int64_t strideB, int64_t count, int64_t *info);
TSL_API tsl_status tsl_zhesv_batch(tsl_context *ctx, char uplo, int64_t n, int64_t nrhs, tsl_cdouble *A, int64_t lda,
                                   int64_t strideA, int64_t *ipiv, int64_t stride_p, tsl_cdouble *B, int64_t ldb,
                                   int64_t strideB, int64_t count, int64_t *info);
TSL_API tsl_status tsl_chesv_batch_pointers(tsl_context *ctx, char uplo, int64_t n, int64_t nrhs, tsl_cfloat *const *A,
                                            int64_t lda, int64_t *const *ipiv, tsl_cfloat *const *B, int64_t ldb, int64_t count,
                                            int64_t *info);
TSL_API tsl_status tsl_zhesv_batch_pointers(tsl_context *ctx, char uplo, int64_t n, int64_t nrhs, tsl_cdouble *const *A,
                                            int64_t lda, int64_t *const *ipiv, tsl_cdouble *const *B, int64_t ldb,
                                            int64_t count, int64_t *info);

#ifdef __cplusplus
}
#endif
#endif
