/** @file
 * tesela/batch/level3.h - typed calls on batches (batch.h): products, solutions with triangles, norms. */
#ifndef TESELA_BATCH_LEVEL3_H
#define TESELA_BATCH_LEVEL3_H

#include "../matrix.h"

#ifdef __cplusplus
extern "C" {
#endif

/** C := alpha op(A) op(B) + beta C of each problem. */
TSL_API tsl_status tsl_sgemm_batch(tsl_context *ctx, char transa, char transb, int64_t m, int64_t n, int64_t k, float alpha,
                                   const float *A, int64_t lda, int64_t strideA, const float *B, int64_t ldb, int64_t strideB,
                                   float beta, float *C, int64_t ldc, int64_t strideC, int64_t count);
TSL_API tsl_status tsl_dgemm_batch(tsl_context *ctx, char transa, char transb, int64_t m, int64_t n, int64_t k, double alpha,
                                   const double *A, int64_t lda, int64_t strideA, const double *B, int64_t ldb, int64_t strideB,
                                   double beta, double *C, int64_t ldc, int64_t strideC, int64_t count);
TSL_API tsl_status tsl_cgemm_batch(tsl_context *ctx, char transa, char transb, int64_t m, int64_t n, int64_t k,
                                   tsl_cfloat alpha, const tsl_cfloat *A, int64_t lda, int64_t strideA, const tsl_cfloat *B,
                                   int64_t ldb, int64_t strideB, tsl_cfloat beta, tsl_cfloat *C, int64_t ldc, int64_t strideC,
                                   int64_t count);
TSL_API tsl_status tsl_zgemm_batch(tsl_context *ctx, char transa, char transb, int64_t m, int64_t n, int64_t k,
                                   tsl_cdouble alpha, const tsl_cdouble *A, int64_t lda, int64_t strideA, const tsl_cdouble *B,
                                   int64_t ldb, int64_t strideB, tsl_cdouble beta, tsl_cdouble *C, int64_t ldc, int64_t strideC,
                                   int64_t count);
TSL_API tsl_status tsl_sgemm_batch_pointers(tsl_context *ctx, char transa, char transb, int64_t m, int64_t n, int64_t k,
                                            float alpha, const float *const *A, int64_t lda, const float *const *B, int64_t ldb,
                                            float beta, float *const *C, int64_t ldc, int64_t count);
TSL_API tsl_status tsl_dgemm_batch_pointers(tsl_context *ctx, char transa, char transb, int64_t m, int64_t n, int64_t k,
                                            double alpha, const double *const *A, int64_t lda, const double *const *B,
                                            int64_t ldb, double beta, double *const *C, int64_t ldc, int64_t count);
TSL_API tsl_status tsl_cgemm_batch_pointers(tsl_context *ctx, char transa, char transb, int64_t m, int64_t n, int64_t k,
                                            tsl_cfloat alpha, const tsl_cfloat *const *A, int64_t lda,
                                            const tsl_cfloat *const *B, int64_t ldb, tsl_cfloat beta, tsl_cfloat *const *C,
                                            int64_t ldc, int64_t count);
TSL_API tsl_status tsl_zgemm_batch_pointers(tsl_context *ctx, char transa, char transb, int64_t m, int64_t n, int64_t k,
                                            tsl_cdouble alpha, const tsl_cdouble *const *A, int64_t lda,
                                            const tsl_cdouble *const *B, int64_t ldb, tsl_cdouble beta, tsl_cdouble *const *C,
                                            int64_t ldc, int64_t count);

/** B := alpha inv(op(A)) B, or from the right, of each problem. */
TSL_API tsl_status tsl_strsm_batch(tsl_context *ctx, char side, char uplo, char transa, char diag, int64_t m, int64_t n,
                                   float alpha, const float *A, int64_t lda, int64_t strideA, float *B, int64_t ldb,
                                   int64_t strideB, int64_t count);
TSL_API tsl_status tsl_dtrsm_batch(tsl_context *ctx, char side, char uplo, char transa, char diag, int64_t m, int64_t n,
                                   double alpha, const double *A, int64_t lda, int64_t strideA, double *B, int64_t ldb,
                                   int64_t strideB, int64_t count);
TSL_API tsl_status tsl_ctrsm_batch(tsl_context *ctx, char side, char uplo, char transa, char diag, int64_t m, int64_t n,
                                   tsl_cfloat alpha, const tsl_cfloat *A, int64_t lda, int64_t strideA, tsl_cfloat *B,
                                   int64_t ldb, int64_t strideB, int64_t count);
TSL_API tsl_status tsl_ztrsm_batch(tsl_context *ctx, char side, char uplo, char transa, char diag, int64_t m, int64_t n,
                                   tsl_cdouble alpha, const tsl_cdouble *A, int64_t lda, int64_t strideA, tsl_cdouble *B,
                                   int64_t ldb, int64_t strideB, int64_t count);
TSL_API tsl_status tsl_strsm_batch_pointers(tsl_context *ctx, char side, char uplo, char transa, char diag, int64_t m,
                                            int64_t n, float alpha, const float *const *A, int64_t lda, float *const *B,
                                            int64_t ldb, int64_t count);
TSL_API tsl_status tsl_dtrsm_batch_pointers(tsl_context *ctx, char side, char uplo, char transa, char diag, int64_t m,
                                            int64_t n, double alpha, const double *const *A, int64_t lda, double *const *B,
                                            int64_t ldb, int64_t count);
TSL_API tsl_status tsl_ctrsm_batch_pointers(tsl_context *ctx, char side, char uplo, char transa, char diag, int64_t m,
                                            int64_t n, tsl_cfloat alpha, const tsl_cfloat *const *A, int64_t lda,
                                            tsl_cfloat *const *B, int64_t ldb, int64_t count);
TSL_API tsl_status tsl_ztrsm_batch_pointers(tsl_context *ctx, char side, char uplo, char transa, char diag, int64_t m,
                                            int64_t n, tsl_cdouble alpha, const tsl_cdouble *const *A, int64_t lda,
                                            tsl_cdouble *const *B, int64_t ldb, int64_t count);

/** Norms: norm is M, 1 (or O), I, F (or E), as of lange. result has an element for each problem, in host or device memory.
 * The call waits. */
TSL_API tsl_status tsl_slange_batch(tsl_context *ctx, char norm, int64_t m, int64_t n, const float *A, int64_t lda,
                                    int64_t strideA, float *result, int64_t count);
TSL_API tsl_status tsl_dlange_batch(tsl_context *ctx, char norm, int64_t m, int64_t n, const double *A, int64_t lda,
                                    int64_t strideA, double *result, int64_t count);
TSL_API tsl_status tsl_clange_batch(tsl_context *ctx, char norm, int64_t m, int64_t n, const tsl_cfloat *A, int64_t lda,
                                    int64_t strideA, float *result, int64_t count);
TSL_API tsl_status tsl_zlange_batch(tsl_context *ctx, char norm, int64_t m, int64_t n, const tsl_cdouble *A, int64_t lda,
                                    int64_t strideA, double *result, int64_t count);
TSL_API tsl_status tsl_slange_batch_pointers(tsl_context *ctx, char norm, int64_t m, int64_t n, const float *const *A,
                                             int64_t lda, float *result, int64_t count);
TSL_API tsl_status tsl_dlange_batch_pointers(tsl_context *ctx, char norm, int64_t m, int64_t n, const double *const *A,
                                             int64_t lda, double *result, int64_t count);
TSL_API tsl_status tsl_clange_batch_pointers(tsl_context *ctx, char norm, int64_t m, int64_t n, const tsl_cfloat *const *A,
                                             int64_t lda, float *result, int64_t count);
TSL_API tsl_status tsl_zlange_batch_pointers(tsl_context *ctx, char norm, int64_t m, int64_t n, const tsl_cdouble *const *A,
                                             int64_t lda, double *result, int64_t count);

#ifdef __cplusplus
}
#endif
#endif
