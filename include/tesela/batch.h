/** @file
 * tesela/batch.h - typed calls on batches: `count` problems of one shape. On views: tsl_batch_create and its kin
 * (matrix.h).
 *
 * Each array begins with the first problem's; the next one's is `stride` elements further. In the calls whose names end
 * in _pointers an array of pointers says where each problem is. Other arguments are those of the call on one problem.
 * Problems that are written must not overlap; stride 0 is for what is only read. Arrays may be in host or device memory.
 * An array of pointers may be in host memory, or in the device memory that its problems are in.
 * info has an element for each problem, in host or device memory; NULL: nobody wants to know. So have ranks, norms,
 * conditions and determinants, which must be wanted. tsl_info() is 0 after a batch. What is wrong with one problem does
 * not touch others.
 * Pointers in host memory are checked before anything is written: TSL_ERR_NULL for a NULL; TSL_ERR_OVERLAP for one that
 * is twice among problems that are written, or that lets two operands of a problem overlap. That different problems
 * overlap in part is not looked for.
 * Pointers in device memory are read by the device when the call's turn has come: what is wrong with them, as one that
 * leads to host memory, is an error of the device, or stays unnoticed. A context of several devices reads and checks
 * them too.
 * A call with all operands in device memory returns before the work is done. How a batch is cut is the library's
 * choice: a variant that is set is TSL_ERR_OPTION, and a tile size is ignored. */
#ifndef TESELA_BATCH_H
#define TESELA_BATCH_H

#include "matrix.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- level 3, norms ------------------------------------------------------------------------------------------------------ */

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

/* ---- Cholesky (cholesky.h) ----------------------------------------------------------------------------------------------- */

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

/* ---- LU (lu.h) ----------------------------------------------------------------------------------------------------------- */

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

/* ---- QR (qr.h) ----------------------------------------------------------------------------------------------------------- */

/** geqrf of each problem. */
TSL_API tsl_status tsl_sgeqrf_batch(tsl_context *ctx, int64_t m, int64_t n, float *A, int64_t lda, int64_t strideA, float *tau,
                                    int64_t stride_t, int64_t count);
TSL_API tsl_status tsl_dgeqrf_batch(tsl_context *ctx, int64_t m, int64_t n, double *A, int64_t lda, int64_t strideA,
                                    double *tau, int64_t stride_t, int64_t count);
TSL_API tsl_status tsl_cgeqrf_batch(tsl_context *ctx, int64_t m, int64_t n, tsl_cfloat *A, int64_t lda, int64_t strideA,
                                    tsl_cfloat *tau, int64_t stride_t, int64_t count);
TSL_API tsl_status tsl_zgeqrf_batch(tsl_context *ctx, int64_t m, int64_t n, tsl_cdouble *A, int64_t lda, int64_t strideA,
                                    tsl_cdouble *tau, int64_t stride_t, int64_t count);
TSL_API tsl_status tsl_sgeqrf_batch_pointers(tsl_context *ctx, int64_t m, int64_t n, float *const *A, int64_t lda,
                                             float *const *tau, int64_t count);
TSL_API tsl_status tsl_dgeqrf_batch_pointers(tsl_context *ctx, int64_t m, int64_t n, double *const *A, int64_t lda,
                                             double *const *tau, int64_t count);
TSL_API tsl_status tsl_cgeqrf_batch_pointers(tsl_context *ctx, int64_t m, int64_t n, tsl_cfloat *const *A, int64_t lda,
                                             tsl_cfloat *const *tau, int64_t count);
TSL_API tsl_status tsl_zgeqrf_batch_pointers(tsl_context *ctx, int64_t m, int64_t n, tsl_cdouble *const *A, int64_t lda,
                                             tsl_cdouble *const *tau, int64_t count);

/** gels of each problem. */
TSL_API tsl_status tsl_sgels_batch(tsl_context *ctx, char trans, int64_t m, int64_t n, int64_t nrhs, float *A, int64_t lda,
                                   int64_t strideA, float *B, int64_t ldb, int64_t strideB, int64_t count, int64_t *info);
TSL_API tsl_status tsl_dgels_batch(tsl_context *ctx, char trans, int64_t m, int64_t n, int64_t nrhs, double *A, int64_t lda,
                                   int64_t strideA, double *B, int64_t ldb, int64_t strideB, int64_t count, int64_t *info);
TSL_API tsl_status tsl_cgels_batch(tsl_context *ctx, char trans, int64_t m, int64_t n, int64_t nrhs, tsl_cfloat *A, int64_t lda,
                                   int64_t strideA, tsl_cfloat *B, int64_t ldb, int64_t strideB, int64_t count, int64_t *info);
TSL_API tsl_status tsl_zgels_batch(tsl_context *ctx, char trans, int64_t m, int64_t n, int64_t nrhs, tsl_cdouble *A,
                                   int64_t lda, int64_t strideA, tsl_cdouble *B, int64_t ldb, int64_t strideB, int64_t count,
                                   int64_t *info);
TSL_API tsl_status tsl_sgels_batch_pointers(tsl_context *ctx, char trans, int64_t m, int64_t n, int64_t nrhs, float *const *A,
                                            int64_t lda, float *const *B, int64_t ldb, int64_t count, int64_t *info);
TSL_API tsl_status tsl_dgels_batch_pointers(tsl_context *ctx, char trans, int64_t m, int64_t n, int64_t nrhs, double *const *A,
                                            int64_t lda, double *const *B, int64_t ldb, int64_t count, int64_t *info);
TSL_API tsl_status tsl_cgels_batch_pointers(tsl_context *ctx, char trans, int64_t m, int64_t n, int64_t nrhs,
                                            tsl_cfloat *const *A, int64_t lda, tsl_cfloat *const *B, int64_t ldb, int64_t count,
                                            int64_t *info);
TSL_API tsl_status tsl_zgels_batch_pointers(tsl_context *ctx, char trans, int64_t m, int64_t n, int64_t nrhs,
                                            tsl_cdouble *const *A, int64_t lda, tsl_cdouble *const *B, int64_t ldb,
                                            int64_t count, int64_t *info);

/** C := op(Q) C or C op(Q) of each problem, by geqrf's reflectors in A and tau. */
TSL_API tsl_status tsl_sormqr_batch(tsl_context *ctx, char side, char trans, int64_t m, int64_t n, int64_t k, const float *A,
                                    int64_t lda, int64_t strideA, const float *tau, int64_t stride_t, float *C, int64_t ldc,
                                    int64_t strideC, int64_t count);
TSL_API tsl_status tsl_dormqr_batch(tsl_context *ctx, char side, char trans, int64_t m, int64_t n, int64_t k, const double *A,
                                    int64_t lda, int64_t strideA, const double *tau, int64_t stride_t, double *C, int64_t ldc,
                                    int64_t strideC, int64_t count);
TSL_API tsl_status tsl_cunmqr_batch(tsl_context *ctx, char side, char trans, int64_t m, int64_t n, int64_t k,
                                    const tsl_cfloat *A, int64_t lda, int64_t strideA, const tsl_cfloat *tau, int64_t stride_t,
                                    tsl_cfloat *C, int64_t ldc, int64_t strideC, int64_t count);
TSL_API tsl_status tsl_zunmqr_batch(tsl_context *ctx, char side, char trans, int64_t m, int64_t n, int64_t k,
                                    const tsl_cdouble *A, int64_t lda, int64_t strideA, const tsl_cdouble *tau,
                                    int64_t stride_t, tsl_cdouble *C, int64_t ldc, int64_t strideC, int64_t count);
TSL_API tsl_status tsl_sormqr_batch_pointers(tsl_context *ctx, char side, char trans, int64_t m, int64_t n, int64_t k,
                                             const float *const *A, int64_t lda, const float *const *tau, float *const *C,
                                             int64_t ldc, int64_t count);
TSL_API tsl_status tsl_dormqr_batch_pointers(tsl_context *ctx, char side, char trans, int64_t m, int64_t n, int64_t k,
                                             const double *const *A, int64_t lda, const double *const *tau, double *const *C,
                                             int64_t ldc, int64_t count);
TSL_API tsl_status tsl_cunmqr_batch_pointers(tsl_context *ctx, char side, char trans, int64_t m, int64_t n, int64_t k,
                                             const tsl_cfloat *const *A, int64_t lda, const tsl_cfloat *const *tau,
                                             tsl_cfloat *const *C, int64_t ldc, int64_t count);
TSL_API tsl_status tsl_zunmqr_batch_pointers(tsl_context *ctx, char side, char trans, int64_t m, int64_t n, int64_t k,
                                             const tsl_cdouble *const *A, int64_t lda, const tsl_cdouble *const *tau,
                                             tsl_cdouble *const *C, int64_t ldc, int64_t count);

/** The first n columns of Q of each problem, in place of geqrf's reflectors. */
TSL_API tsl_status tsl_sorgqr_batch(tsl_context *ctx, int64_t m, int64_t n, int64_t k, float *A, int64_t lda, int64_t strideA,
                                    const float *tau, int64_t stride_t, int64_t count);
TSL_API tsl_status tsl_dorgqr_batch(tsl_context *ctx, int64_t m, int64_t n, int64_t k, double *A, int64_t lda, int64_t strideA,
                                    const double *tau, int64_t stride_t, int64_t count);
TSL_API tsl_status tsl_cungqr_batch(tsl_context *ctx, int64_t m, int64_t n, int64_t k, tsl_cfloat *A, int64_t lda,
                                    int64_t strideA, const tsl_cfloat *tau, int64_t stride_t, int64_t count);
TSL_API tsl_status tsl_zungqr_batch(tsl_context *ctx, int64_t m, int64_t n, int64_t k, tsl_cdouble *A, int64_t lda,
                                    int64_t strideA, const tsl_cdouble *tau, int64_t stride_t, int64_t count);
TSL_API tsl_status tsl_sorgqr_batch_pointers(tsl_context *ctx, int64_t m, int64_t n, int64_t k, float *const *A, int64_t lda,
                                             const float *const *tau, int64_t count);
TSL_API tsl_status tsl_dorgqr_batch_pointers(tsl_context *ctx, int64_t m, int64_t n, int64_t k, double *const *A, int64_t lda,
                                             const double *const *tau, int64_t count);
TSL_API tsl_status tsl_cungqr_batch_pointers(tsl_context *ctx, int64_t m, int64_t n, int64_t k, tsl_cfloat *const *A,
                                             int64_t lda, const tsl_cfloat *const *tau, int64_t count);
TSL_API tsl_status tsl_zungqr_batch_pointers(tsl_context *ctx, int64_t m, int64_t n, int64_t k, tsl_cdouble *const *A,
                                             int64_t lda, const tsl_cdouble *const *tau, int64_t count);

/** geqp3 of each problem: A P = Q R. */
TSL_API tsl_status tsl_sgeqp3_batch(tsl_context *ctx, int64_t m, int64_t n, float *A, int64_t lda, int64_t strideA,
                                    int64_t *jpvt, int64_t stride_p, float *tau, int64_t stride_t, int64_t count);
TSL_API tsl_status tsl_dgeqp3_batch(tsl_context *ctx, int64_t m, int64_t n, double *A, int64_t lda, int64_t strideA,
                                    int64_t *jpvt, int64_t stride_p, double *tau, int64_t stride_t, int64_t count);
TSL_API tsl_status tsl_cgeqp3_batch(tsl_context *ctx, int64_t m, int64_t n, tsl_cfloat *A, int64_t lda, int64_t strideA,
                                    int64_t *jpvt, int64_t stride_p, tsl_cfloat *tau, int64_t stride_t, int64_t count);
TSL_API tsl_status tsl_zgeqp3_batch(tsl_context *ctx, int64_t m, int64_t n, tsl_cdouble *A, int64_t lda, int64_t strideA,
                                    int64_t *jpvt, int64_t stride_p, tsl_cdouble *tau, int64_t stride_t, int64_t count);
TSL_API tsl_status tsl_sgeqp3_batch_pointers(tsl_context *ctx, int64_t m, int64_t n, float *const *A, int64_t lda,
                                             int64_t *const *jpvt, float *const *tau, int64_t count);
TSL_API tsl_status tsl_dgeqp3_batch_pointers(tsl_context *ctx, int64_t m, int64_t n, double *const *A, int64_t lda,
                                             int64_t *const *jpvt, double *const *tau, int64_t count);
TSL_API tsl_status tsl_cgeqp3_batch_pointers(tsl_context *ctx, int64_t m, int64_t n, tsl_cfloat *const *A, int64_t lda,
                                             int64_t *const *jpvt, tsl_cfloat *const *tau, int64_t count);
TSL_API tsl_status tsl_zgeqp3_batch_pointers(tsl_context *ctx, int64_t m, int64_t n, tsl_cdouble *const *A, int64_t lda,
                                             int64_t *const *jpvt, tsl_cdouble *const *tau, int64_t count);

/** gelsy of each problem: least squares of any rank. rank has an element for each problem, in host or device memory. */
TSL_API tsl_status tsl_sgelsy_batch(tsl_context *ctx, int64_t m, int64_t n, int64_t nrhs, float *A, int64_t lda,
                                    int64_t strideA, float *B, int64_t ldb, int64_t strideB, int64_t *jpvt, int64_t stride_p,
                                    float rcond, int64_t *rank, int64_t count);
TSL_API tsl_status tsl_dgelsy_batch(tsl_context *ctx, int64_t m, int64_t n, int64_t nrhs, double *A, int64_t lda,
                                    int64_t strideA, double *B, int64_t ldb, int64_t strideB, int64_t *jpvt, int64_t stride_p,
                                    double rcond, int64_t *rank, int64_t count);
TSL_API tsl_status tsl_cgelsy_batch(tsl_context *ctx, int64_t m, int64_t n, int64_t nrhs, tsl_cfloat *A, int64_t lda,
                                    int64_t strideA, tsl_cfloat *B, int64_t ldb, int64_t strideB, int64_t *jpvt,
                                    int64_t stride_p, float rcond, int64_t *rank, int64_t count);
TSL_API tsl_status tsl_zgelsy_batch(tsl_context *ctx, int64_t m, int64_t n, int64_t nrhs, tsl_cdouble *A, int64_t lda,
                                    int64_t strideA, tsl_cdouble *B, int64_t ldb, int64_t strideB, int64_t *jpvt,
                                    int64_t stride_p, double rcond, int64_t *rank, int64_t count);
TSL_API tsl_status tsl_sgelsy_batch_pointers(tsl_context *ctx, int64_t m, int64_t n, int64_t nrhs, float *const *A, int64_t lda,
                                             float *const *B, int64_t ldb, int64_t *const *jpvt, float rcond, int64_t *rank,
                                             int64_t count);
TSL_API tsl_status tsl_dgelsy_batch_pointers(tsl_context *ctx, int64_t m, int64_t n, int64_t nrhs, double *const *A,
                                             int64_t lda, double *const *B, int64_t ldb, int64_t *const *jpvt, double rcond,
                                             int64_t *rank, int64_t count);
TSL_API tsl_status tsl_cgelsy_batch_pointers(tsl_context *ctx, int64_t m, int64_t n, int64_t nrhs, tsl_cfloat *const *A,
                                             int64_t lda, tsl_cfloat *const *B, int64_t ldb, int64_t *const *jpvt, float rcond,
                                             int64_t *rank, int64_t count);
TSL_API tsl_status tsl_zgelsy_batch_pointers(tsl_context *ctx, int64_t m, int64_t n, int64_t nrhs, tsl_cdouble *const *A,
                                             int64_t lda, tsl_cdouble *const *B, int64_t ldb, int64_t *const *jpvt,
                                             double rcond, int64_t *rank, int64_t count);

/** gelsd of each problem: the same by singular values, which go to s. */
TSL_API tsl_status tsl_sgelsd_batch(tsl_context *ctx, int64_t m, int64_t n, int64_t nrhs, float *A, int64_t lda,
                                    int64_t strideA, float *B, int64_t ldb, int64_t strideB, float *s, int64_t stride_s,
                                    float rcond, int64_t *rank, int64_t count, int64_t *info);
TSL_API tsl_status tsl_dgelsd_batch(tsl_context *ctx, int64_t m, int64_t n, int64_t nrhs, double *A, int64_t lda,
                                    int64_t strideA, double *B, int64_t ldb, int64_t strideB, double *s, int64_t stride_s,
                                    double rcond, int64_t *rank, int64_t count, int64_t *info);
TSL_API tsl_status tsl_cgelsd_batch(tsl_context *ctx, int64_t m, int64_t n, int64_t nrhs, tsl_cfloat *A, int64_t lda,
                                    int64_t strideA, tsl_cfloat *B, int64_t ldb, int64_t strideB, float *s, int64_t stride_s,
                                    float rcond, int64_t *rank, int64_t count, int64_t *info);
TSL_API tsl_status tsl_zgelsd_batch(tsl_context *ctx, int64_t m, int64_t n, int64_t nrhs, tsl_cdouble *A, int64_t lda,
                                    int64_t strideA, tsl_cdouble *B, int64_t ldb, int64_t strideB, double *s, int64_t stride_s,
                                    double rcond, int64_t *rank, int64_t count, int64_t *info);
TSL_API tsl_status tsl_sgelsd_batch_pointers(tsl_context *ctx, int64_t m, int64_t n, int64_t nrhs, float *const *A, int64_t lda,
                                             float *const *B, int64_t ldb, float *const *s, float rcond, int64_t *rank,
                                             int64_t count, int64_t *info);
TSL_API tsl_status tsl_dgelsd_batch_pointers(tsl_context *ctx, int64_t m, int64_t n, int64_t nrhs, double *const *A,
                                             int64_t lda, double *const *B, int64_t ldb, double *const *s, double rcond,
                                             int64_t *rank, int64_t count, int64_t *info);
TSL_API tsl_status tsl_cgelsd_batch_pointers(tsl_context *ctx, int64_t m, int64_t n, int64_t nrhs, tsl_cfloat *const *A,
                                             int64_t lda, tsl_cfloat *const *B, int64_t ldb, float *const *s, float rcond,
                                             int64_t *rank, int64_t count, int64_t *info);
TSL_API tsl_status tsl_zgelsd_batch_pointers(tsl_context *ctx, int64_t m, int64_t n, int64_t nrhs, tsl_cdouble *const *A,
                                             int64_t lda, tsl_cdouble *const *B, int64_t ldb, double *const *s, double rcond,
                                             int64_t *rank, int64_t count, int64_t *info);

/* ---- L D L^T (ldl.h) ----------------------------------------------------------------------------------------------------- */

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

/* ---- symmetric eigenproblems (eig.h) ------------------------------------------------------------------------------------- */

/** syev (heev) of each problem: w := the eigenvalues, ascending; with jobz V the vectors overwrite A. A problem that is not
 * finite, or does not converge, has an info, and NaN for values and vectors. */
TSL_API tsl_status tsl_ssyev_batch(tsl_context *ctx, char jobz, char uplo, int64_t n, float *A, int64_t lda, int64_t strideA,
                                   float *w, int64_t stride_w, int64_t count, int64_t *info);
TSL_API tsl_status tsl_dsyev_batch(tsl_context *ctx, char jobz, char uplo, int64_t n, double *A, int64_t lda, int64_t strideA,
                                   double *w, int64_t stride_w, int64_t count, int64_t *info);
TSL_API tsl_status tsl_cheev_batch(tsl_context *ctx, char jobz, char uplo, int64_t n, tsl_cfloat *A, int64_t lda,
                                   int64_t strideA, float *w, int64_t stride_w, int64_t count, int64_t *info);
TSL_API tsl_status tsl_zheev_batch(tsl_context *ctx, char jobz, char uplo, int64_t n, tsl_cdouble *A, int64_t lda,
                                   int64_t strideA, double *w, int64_t stride_w, int64_t count, int64_t *info);
TSL_API tsl_status tsl_ssyev_batch_pointers(tsl_context *ctx, char jobz, char uplo, int64_t n, float *const *A, int64_t lda,
                                            float *const *w, int64_t count, int64_t *info);
TSL_API tsl_status tsl_dsyev_batch_pointers(tsl_context *ctx, char jobz, char uplo, int64_t n, double *const *A, int64_t lda,
                                            double *const *w, int64_t count, int64_t *info);
TSL_API tsl_status tsl_cheev_batch_pointers(tsl_context *ctx, char jobz, char uplo, int64_t n, tsl_cfloat *const *A,
                                            int64_t lda, float *const *w, int64_t count, int64_t *info);
TSL_API tsl_status tsl_zheev_batch_pointers(tsl_context *ctx, char jobz, char uplo, int64_t n, tsl_cdouble *const *A,
                                            int64_t lda, double *const *w, int64_t count, int64_t *info);

/** Eigenpairs il to iu of each problem, counted from 1 in ascending order; iu = il - 1: none. The first iu - il + 1 elements
 * of w are the eigenvalues, the others are overwritten. With jobz V the columns of Z, n x iu - il + 1, are the vectors; else
 * Z is not looked at. A is overwritten. info as in syev. */
TSL_API tsl_status tsl_ssyevx_batch(tsl_context *ctx, char jobz, char uplo, int64_t n, float *A, int64_t lda, int64_t strideA,
                                    int64_t il, int64_t iu, float *w, int64_t stride_w, float *Z, int64_t ldz, int64_t strideZ,
                                    int64_t count, int64_t *info);
TSL_API tsl_status tsl_dsyevx_batch(tsl_context *ctx, char jobz, char uplo, int64_t n, double *A, int64_t lda, int64_t strideA,
                                    int64_t il, int64_t iu, double *w, int64_t stride_w, double *Z, int64_t ldz,
                                    int64_t strideZ, int64_t count, int64_t *info);
TSL_API tsl_status tsl_cheevx_batch(tsl_context *ctx, char jobz, char uplo, int64_t n, tsl_cfloat *A, int64_t lda,
                                    int64_t strideA, int64_t il, int64_t iu, float *w, int64_t stride_w, tsl_cfloat *Z,
                                    int64_t ldz, int64_t strideZ, int64_t count, int64_t *info);
TSL_API tsl_status tsl_zheevx_batch(tsl_context *ctx, char jobz, char uplo, int64_t n, tsl_cdouble *A, int64_t lda,
                                    int64_t strideA, int64_t il, int64_t iu, double *w, int64_t stride_w, tsl_cdouble *Z,
                                    int64_t ldz, int64_t strideZ, int64_t count, int64_t *info);
TSL_API tsl_status tsl_ssyevx_batch_pointers(tsl_context *ctx, char jobz, char uplo, int64_t n, float *const *A, int64_t lda,
                                             int64_t il, int64_t iu, float *const *w, float *const *Z, int64_t ldz,
                                             int64_t count, int64_t *info);
TSL_API tsl_status tsl_dsyevx_batch_pointers(tsl_context *ctx, char jobz, char uplo, int64_t n, double *const *A, int64_t lda,
                                             int64_t il, int64_t iu, double *const *w, double *const *Z, int64_t ldz,
                                             int64_t count, int64_t *info);
TSL_API tsl_status tsl_cheevx_batch_pointers(tsl_context *ctx, char jobz, char uplo, int64_t n, tsl_cfloat *const *A,
                                             int64_t lda, int64_t il, int64_t iu, float *const *w, tsl_cfloat *const *Z,
                                             int64_t ldz, int64_t count, int64_t *info);
TSL_API tsl_status tsl_zheevx_batch_pointers(tsl_context *ctx, char jobz, char uplo, int64_t n, tsl_cdouble *const *A,
                                             int64_t lda, int64_t il, int64_t iu, double *const *w, tsl_cdouble *const *Z,
                                             int64_t ldz, int64_t count, int64_t *info);

/** sygv (hegv) of each problem: A x = w B x (itype 1), A B x = w x (2), B A x = w x (3). B := its Cholesky factor. info = n +
 * j: the leading minor j of B is not positive. */
TSL_API tsl_status tsl_ssygv_batch(tsl_context *ctx, int64_t itype, char jobz, char uplo, int64_t n, float *A, int64_t lda,
                                   int64_t strideA, float *B, int64_t ldb, int64_t strideB, float *w, int64_t stride_w,
                                   int64_t count, int64_t *info);
TSL_API tsl_status tsl_dsygv_batch(tsl_context *ctx, int64_t itype, char jobz, char uplo, int64_t n, double *A, int64_t lda,
                                   int64_t strideA, double *B, int64_t ldb, int64_t strideB, double *w, int64_t stride_w,
                                   int64_t count, int64_t *info);
TSL_API tsl_status tsl_chegv_batch(tsl_context *ctx, int64_t itype, char jobz, char uplo, int64_t n, tsl_cfloat *A, int64_t lda,
                                   int64_t strideA, tsl_cfloat *B, int64_t ldb, int64_t strideB, float *w, int64_t stride_w,
                                   int64_t count, int64_t *info);
TSL_API tsl_status tsl_zhegv_batch(tsl_context *ctx, int64_t itype, char jobz, char uplo, int64_t n, tsl_cdouble *A,
                                   int64_t lda, int64_t strideA, tsl_cdouble *B, int64_t ldb, int64_t strideB, double *w,
                                   int64_t stride_w, int64_t count, int64_t *info);
TSL_API tsl_status tsl_ssygv_batch_pointers(tsl_context *ctx, int64_t itype, char jobz, char uplo, int64_t n, float *const *A,
                                            int64_t lda, float *const *B, int64_t ldb, float *const *w, int64_t count,
                                            int64_t *info);
TSL_API tsl_status tsl_dsygv_batch_pointers(tsl_context *ctx, int64_t itype, char jobz, char uplo, int64_t n, double *const *A,
                                            int64_t lda, double *const *B, int64_t ldb, double *const *w, int64_t count,
                                            int64_t *info);
TSL_API tsl_status tsl_chegv_batch_pointers(tsl_context *ctx, int64_t itype, char jobz, char uplo, int64_t n,
                                            tsl_cfloat *const *A, int64_t lda, tsl_cfloat *const *B, int64_t ldb,
                                            float *const *w, int64_t count, int64_t *info);
TSL_API tsl_status tsl_zhegv_batch_pointers(tsl_context *ctx, int64_t itype, char jobz, char uplo, int64_t n,
                                            tsl_cdouble *const *A, int64_t lda, tsl_cdouble *const *B, int64_t ldb,
                                            double *const *w, int64_t count, int64_t *info);

/* ---- singular values (svd.h) --------------------------------------------------------------------------------------------- */

/** gesvd of each problem: s := the singular values, descending. jobu and jobvt: N no vectors, S min(m,n), A all, O in A (one
 * of the two). U is m x min(m,n) or m, VT min(m,n) or n x n. A problem that is not finite, or does not converge, has an
 * info, and NaN for values and vectors. */
TSL_API tsl_status tsl_sgesvd_batch(tsl_context *ctx, char jobu, char jobvt, int64_t m, int64_t n, float *A, int64_t lda,
                                    int64_t strideA, float *s, int64_t stride_s, float *U, int64_t ldu, int64_t strideU,
                                    float *VT, int64_t ldvt, int64_t strideVT, int64_t count, int64_t *info);
TSL_API tsl_status tsl_dgesvd_batch(tsl_context *ctx, char jobu, char jobvt, int64_t m, int64_t n, double *A, int64_t lda,
                                    int64_t strideA, double *s, int64_t stride_s, double *U, int64_t ldu, int64_t strideU,
                                    double *VT, int64_t ldvt, int64_t strideVT, int64_t count, int64_t *info);
TSL_API tsl_status tsl_cgesvd_batch(tsl_context *ctx, char jobu, char jobvt, int64_t m, int64_t n, tsl_cfloat *A, int64_t lda,
                                    int64_t strideA, float *s, int64_t stride_s, tsl_cfloat *U, int64_t ldu, int64_t strideU,
                                    tsl_cfloat *VT, int64_t ldvt, int64_t strideVT, int64_t count, int64_t *info);
TSL_API tsl_status tsl_zgesvd_batch(tsl_context *ctx, char jobu, char jobvt, int64_t m, int64_t n, tsl_cdouble *A, int64_t lda,
                                    int64_t strideA, double *s, int64_t stride_s, tsl_cdouble *U, int64_t ldu, int64_t strideU,
                                    tsl_cdouble *VT, int64_t ldvt, int64_t strideVT, int64_t count, int64_t *info);
TSL_API tsl_status tsl_sgesvd_batch_pointers(tsl_context *ctx, char jobu, char jobvt, int64_t m, int64_t n, float *const *A,
                                             int64_t lda, float *const *s, float *const *U, int64_t ldu, float *const *VT,
                                             int64_t ldvt, int64_t count, int64_t *info);
TSL_API tsl_status tsl_dgesvd_batch_pointers(tsl_context *ctx, char jobu, char jobvt, int64_t m, int64_t n, double *const *A,
                                             int64_t lda, double *const *s, double *const *U, int64_t ldu, double *const *VT,
                                             int64_t ldvt, int64_t count, int64_t *info);
TSL_API tsl_status tsl_cgesvd_batch_pointers(tsl_context *ctx, char jobu, char jobvt, int64_t m, int64_t n,
                                             tsl_cfloat *const *A, int64_t lda, float *const *s, tsl_cfloat *const *U,
                                             int64_t ldu, tsl_cfloat *const *VT, int64_t ldvt, int64_t count, int64_t *info);
TSL_API tsl_status tsl_zgesvd_batch_pointers(tsl_context *ctx, char jobu, char jobvt, int64_t m, int64_t n,
                                             tsl_cdouble *const *A, int64_t lda, double *const *s, tsl_cdouble *const *U,
                                             int64_t ldu, tsl_cdouble *const *VT, int64_t ldvt, int64_t count, int64_t *info);

/** polar of each problem: A = U H, m >= n; U overwrites A. H may be NULL. */
TSL_API tsl_status tsl_spolar_batch(tsl_context *ctx, int64_t m, int64_t n, float *A, int64_t lda, int64_t strideA, float *H,
                                    int64_t ldh, int64_t strideH, int64_t count, int64_t *info);
TSL_API tsl_status tsl_dpolar_batch(tsl_context *ctx, int64_t m, int64_t n, double *A, int64_t lda, int64_t strideA, double *H,
                                    int64_t ldh, int64_t strideH, int64_t count, int64_t *info);
TSL_API tsl_status tsl_cpolar_batch(tsl_context *ctx, int64_t m, int64_t n, tsl_cfloat *A, int64_t lda, int64_t strideA,
                                    tsl_cfloat *H, int64_t ldh, int64_t strideH, int64_t count, int64_t *info);
TSL_API tsl_status tsl_zpolar_batch(tsl_context *ctx, int64_t m, int64_t n, tsl_cdouble *A, int64_t lda, int64_t strideA,
                                    tsl_cdouble *H, int64_t ldh, int64_t strideH, int64_t count, int64_t *info);
TSL_API tsl_status tsl_spolar_batch_pointers(tsl_context *ctx, int64_t m, int64_t n, float *const *A, int64_t lda,
                                             float *const *H, int64_t ldh, int64_t count, int64_t *info);
TSL_API tsl_status tsl_dpolar_batch_pointers(tsl_context *ctx, int64_t m, int64_t n, double *const *A, int64_t lda,
                                             double *const *H, int64_t ldh, int64_t count, int64_t *info);
TSL_API tsl_status tsl_cpolar_batch_pointers(tsl_context *ctx, int64_t m, int64_t n, tsl_cfloat *const *A, int64_t lda,
                                             tsl_cfloat *const *H, int64_t ldh, int64_t count, int64_t *info);
TSL_API tsl_status tsl_zpolar_batch_pointers(tsl_context *ctx, int64_t m, int64_t n, tsl_cdouble *const *A, int64_t lda,
                                             tsl_cdouble *const *H, int64_t ldh, int64_t count, int64_t *info);

/** P, n x m, := the pseudo-inverse of each m x n matrix A, which is overwritten. Singular values not above rcond times the
 * largest count as zero; rcond < 0: max(m,n) times the distance from 1 to the next number. P may be NULL. rank, how many are
 * above, has an element for each problem, in host or device memory. info as in gesvd; P is then NaN. */
TSL_API tsl_status tsl_spinv_batch(tsl_context *ctx, int64_t m, int64_t n, float *A, int64_t lda, int64_t strideA, float rcond,
                                   float *P, int64_t ldp, int64_t strideP, int64_t *rank, int64_t count, int64_t *info);
TSL_API tsl_status tsl_dpinv_batch(tsl_context *ctx, int64_t m, int64_t n, double *A, int64_t lda, int64_t strideA,
                                   double rcond, double *P, int64_t ldp, int64_t strideP, int64_t *rank, int64_t count,
                                   int64_t *info);
TSL_API tsl_status tsl_cpinv_batch(tsl_context *ctx, int64_t m, int64_t n, tsl_cfloat *A, int64_t lda, int64_t strideA,
                                   float rcond, tsl_cfloat *P, int64_t ldp, int64_t strideP, int64_t *rank, int64_t count,
                                   int64_t *info);
TSL_API tsl_status tsl_zpinv_batch(tsl_context *ctx, int64_t m, int64_t n, tsl_cdouble *A, int64_t lda, int64_t strideA,
                                   double rcond, tsl_cdouble *P, int64_t ldp, int64_t strideP, int64_t *rank, int64_t count,
                                   int64_t *info);
TSL_API tsl_status tsl_spinv_batch_pointers(tsl_context *ctx, int64_t m, int64_t n, float *const *A, int64_t lda, float rcond,
                                            float *const *P, int64_t ldp, int64_t *rank, int64_t count, int64_t *info);
TSL_API tsl_status tsl_dpinv_batch_pointers(tsl_context *ctx, int64_t m, int64_t n, double *const *A, int64_t lda, double rcond,
                                            double *const *P, int64_t ldp, int64_t *rank, int64_t count, int64_t *info);
TSL_API tsl_status tsl_cpinv_batch_pointers(tsl_context *ctx, int64_t m, int64_t n, tsl_cfloat *const *A, int64_t lda,
                                            float rcond, tsl_cfloat *const *P, int64_t ldp, int64_t *rank, int64_t count,
                                            int64_t *info);
TSL_API tsl_status tsl_zpinv_batch_pointers(tsl_context *ctx, int64_t m, int64_t n, tsl_cdouble *const *A, int64_t lda,
                                            double rcond, tsl_cdouble *const *P, int64_t ldp, int64_t *rank, int64_t count,
                                            int64_t *info);

/* ---- eigenproblems of general matrices (schur.h), and functions (functions.h) -------------------------------------------- */

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
