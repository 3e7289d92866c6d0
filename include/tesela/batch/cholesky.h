/** @file
 * tesela/batch/cholesky.h - typed calls on batches (batch.h): Cholesky (cholesky.h), inverses of triangles. */
#ifndef TESELA_BATCH_CHOLESKY_H
#define TESELA_BATCH_CHOLESKY_H

#include "../matrix.h"

#ifdef __cplusplus
extern "C" {
#endif

/** potrf of each problem. */
TSL_API tsl_status tsl_spotrf_batch(tsl_context *ctx, char uplo, int64_t n, float *A, int64_t lda, int64_t strideA,
                                    int64_t count, int64_t *info);
TSL_API tsl_status tsl_dpotrf_batch(tsl_context *ctx, char uplo, int64_t n, double *A, int64_t lda, int64_t strideA,
                                    int64_t count, int64_t *info);
TSL_API tsl_status tsl_cpotrf_batch(tsl_context *ctx, char uplo, int64_t n, tsl_cfloat *A, int64_t lda, int64_t strideA,
                                    int64_t count, int64_t *info);
TSL_API tsl_status tsl_zpotrf_batch(tsl_context *ctx, char uplo, int64_t n, tsl_cdouble *A, int64_t lda, int64_t strideA,
                                    int64_t count, int64_t *info);
TSL_API tsl_status tsl_spotrf_batch_pointers(tsl_context *ctx, char uplo, int64_t n, float *const *A, int64_t lda,
                                             int64_t count, int64_t *info);
TSL_API tsl_status tsl_dpotrf_batch_pointers(tsl_context *ctx, char uplo, int64_t n, double *const *A, int64_t lda,
                                             int64_t count, int64_t *info);
TSL_API tsl_status tsl_cpotrf_batch_pointers(tsl_context *ctx, char uplo, int64_t n, tsl_cfloat *const *A, int64_t lda,
                                             int64_t count, int64_t *info);
TSL_API tsl_status tsl_zpotrf_batch_pointers(tsl_context *ctx, char uplo, int64_t n, tsl_cdouble *const *A, int64_t lda,
                                             int64_t count, int64_t *info);

/** potrs of each problem. */
TSL_API tsl_status tsl_spotrs_batch(tsl_context *ctx, char uplo, int64_t n, int64_t nrhs, const float *A, int64_t lda,
                                    int64_t strideA, float *B, int64_t ldb, int64_t strideB, int64_t count);
TSL_API tsl_status tsl_dpotrs_batch(tsl_context *ctx, char uplo, int64_t n, int64_t nrhs, const double *A, int64_t lda,
                                    int64_t strideA, double *B, int64_t ldb, int64_t strideB, int64_t count);
TSL_API tsl_status tsl_cpotrs_batch(tsl_context *ctx, char uplo, int64_t n, int64_t nrhs, const tsl_cfloat *A, int64_t lda,
                                    int64_t strideA, tsl_cfloat *B, int64_t ldb, int64_t strideB, int64_t count);
TSL_API tsl_status tsl_zpotrs_batch(tsl_context *ctx, char uplo, int64_t n, int64_t nrhs, const tsl_cdouble *A, int64_t lda,
                                    int64_t strideA, tsl_cdouble *B, int64_t ldb, int64_t strideB, int64_t count);
TSL_API tsl_status tsl_spotrs_batch_pointers(tsl_context *ctx, char uplo, int64_t n, int64_t nrhs, const float *const *A,
                                             int64_t lda, float *const *B, int64_t ldb, int64_t count);
TSL_API tsl_status tsl_dpotrs_batch_pointers(tsl_context *ctx, char uplo, int64_t n, int64_t nrhs, const double *const *A,
                                             int64_t lda, double *const *B, int64_t ldb, int64_t count);
TSL_API tsl_status tsl_cpotrs_batch_pointers(tsl_context *ctx, char uplo, int64_t n, int64_t nrhs, const tsl_cfloat *const *A,
                                             int64_t lda, tsl_cfloat *const *B, int64_t ldb, int64_t count);
TSL_API tsl_status tsl_zpotrs_batch_pointers(tsl_context *ctx, char uplo, int64_t n, int64_t nrhs, const tsl_cdouble *const *A,
                                             int64_t lda, tsl_cdouble *const *B, int64_t ldb, int64_t count);

/** posv of each problem. B of a problem with info not 0 is not touched. */
TSL_API tsl_status tsl_sposv_batch(tsl_context *ctx, char uplo, int64_t n, int64_t nrhs, float *A, int64_t lda, int64_t strideA,
                                   float *B, int64_t ldb, int64_t strideB, int64_t count, int64_t *info);
TSL_API tsl_status tsl_dposv_batch(tsl_context *ctx, char uplo, int64_t n, int64_t nrhs, double *A, int64_t lda,
                                   int64_t strideA, double *B, int64_t ldb, int64_t strideB, int64_t count, int64_t *info);
TSL_API tsl_status tsl_cposv_batch(tsl_context *ctx, char uplo, int64_t n, int64_t nrhs, tsl_cfloat *A, int64_t lda,
                                   int64_t strideA, tsl_cfloat *B, int64_t ldb, int64_t strideB, int64_t count, int64_t *info);
TSL_API tsl_status tsl_zposv_batch(tsl_context *ctx, char uplo, int64_t n, int64_t nrhs, tsl_cdouble *A, int64_t lda,
                                   int64_t strideA, tsl_cdouble *B, int64_t ldb, int64_t strideB, int64_t count, int64_t *info);
TSL_API tsl_status tsl_sposv_batch_pointers(tsl_context *ctx, char uplo, int64_t n, int64_t nrhs, float *const *A, int64_t lda,
                                            float *const *B, int64_t ldb, int64_t count, int64_t *info);
TSL_API tsl_status tsl_dposv_batch_pointers(tsl_context *ctx, char uplo, int64_t n, int64_t nrhs, double *const *A, int64_t lda,
                                            double *const *B, int64_t ldb, int64_t count, int64_t *info);
TSL_API tsl_status tsl_cposv_batch_pointers(tsl_context *ctx, char uplo, int64_t n, int64_t nrhs, tsl_cfloat *const *A,
                                            int64_t lda, tsl_cfloat *const *B, int64_t ldb, int64_t count, int64_t *info);
TSL_API tsl_status tsl_zposv_batch_pointers(tsl_context *ctx, char uplo, int64_t n, int64_t nrhs, tsl_cdouble *const *A,
                                            int64_t lda, tsl_cdouble *const *B, int64_t ldb, int64_t count, int64_t *info);

/** potri of each problem: A := the stored triangle of inv(A), from potrf's factor. */
TSL_API tsl_status tsl_spotri_batch(tsl_context *ctx, char uplo, int64_t n, float *A, int64_t lda, int64_t strideA,
                                    int64_t count, int64_t *info);
TSL_API tsl_status tsl_dpotri_batch(tsl_context *ctx, char uplo, int64_t n, double *A, int64_t lda, int64_t strideA,
                                    int64_t count, int64_t *info);
TSL_API tsl_status tsl_cpotri_batch(tsl_context *ctx, char uplo, int64_t n, tsl_cfloat *A, int64_t lda, int64_t strideA,
                                    int64_t count, int64_t *info);
TSL_API tsl_status tsl_zpotri_batch(tsl_context *ctx, char uplo, int64_t n, tsl_cdouble *A, int64_t lda, int64_t strideA,
                                    int64_t count, int64_t *info);
TSL_API tsl_status tsl_spotri_batch_pointers(tsl_context *ctx, char uplo, int64_t n, float *const *A, int64_t lda,
                                             int64_t count, int64_t *info);
TSL_API tsl_status tsl_dpotri_batch_pointers(tsl_context *ctx, char uplo, int64_t n, double *const *A, int64_t lda,
                                             int64_t count, int64_t *info);
TSL_API tsl_status tsl_cpotri_batch_pointers(tsl_context *ctx, char uplo, int64_t n, tsl_cfloat *const *A, int64_t lda,
                                             int64_t count, int64_t *info);
TSL_API tsl_status tsl_zpotri_batch_pointers(tsl_context *ctx, char uplo, int64_t n, tsl_cdouble *const *A, int64_t lda,
                                             int64_t count, int64_t *info);

/** trtri of each problem: the triangle A := its inverse. */
TSL_API tsl_status tsl_strtri_batch(tsl_context *ctx, char uplo, char diag, int64_t n, float *A, int64_t lda, int64_t strideA,
                                    int64_t count, int64_t *info);
TSL_API tsl_status tsl_dtrtri_batch(tsl_context *ctx, char uplo, char diag, int64_t n, double *A, int64_t lda, int64_t strideA,
                                    int64_t count, int64_t *info);
TSL_API tsl_status tsl_ctrtri_batch(tsl_context *ctx, char uplo, char diag, int64_t n, tsl_cfloat *A, int64_t lda,
                                    int64_t strideA, int64_t count, int64_t *info);
TSL_API tsl_status tsl_ztrtri_batch(tsl_context *ctx, char uplo, char diag, int64_t n, tsl_cdouble *A, int64_t lda,
                                    int64_t strideA, int64_t count, int64_t *info);
TSL_API tsl_status tsl_strtri_batch_pointers(tsl_context *ctx, char uplo, char diag, int64_t n, float *const *A, int64_t lda,
                                             int64_t count, int64_t *info);
TSL_API tsl_status tsl_dtrtri_batch_pointers(tsl_context *ctx, char uplo, char diag, int64_t n, double *const *A, int64_t lda,
                                             int64_t count, int64_t *info);
TSL_API tsl_status tsl_ctrtri_batch_pointers(tsl_context *ctx, char uplo, char diag, int64_t n, tsl_cfloat *const *A,
                                             int64_t lda, int64_t count, int64_t *info);
TSL_API tsl_status tsl_ztrtri_batch_pointers(tsl_context *ctx, char uplo, char diag, int64_t n, tsl_cdouble *const *A,
                                             int64_t lda, int64_t count, int64_t *info);

#ifdef __cplusplus
}
#endif
#endif
