/** @file
 * tesela/batch.h - typed calls on batches: `count` problems of one shape. On views: tsl_batch_create and its kin
 * (matrix.h).
 *
 * Each array begins with the first problem's; the next one's is `stride` elements further. In the calls whose names end
 * in _pointers an array of pointers says where each problem is. Other arguments are those of the call on one problem.
 * Problems that are written must not overlap; stride 0 is for what is only read. Arrays may be in host or device memory.
 * An array of pointers may be in host memory, or in the device memory that its problems are in.
 * info has an element for each problem, in host or device memory; NULL: nobody wants to know. tsl_info() is 0 after a
 * batch. What is wrong with one problem does not touch others.
 * Pointers in host memory are checked before anything is written: TSL_ERR_NULL for a NULL; TSL_ERR_OVERLAP for one that
 * is twice among problems that are written, or that lets two operands of a problem overlap. That different problems
 * overlap in part is not looked for.
 * Pointers in device memory are read by the device when the call's turn has come: what is wrong with them, as one that
 * leads to host memory, is an error of the device, or stays unnoticed. A context of several devices reads and checks them too.
 * A call with all operands in device memory returns before the work is done. How a batch is cut is the library's
 * choice: a variant that is set is TSL_ERR_OPTION, and a tile size is ignored. */
#ifndef TESELA_BATCH_H
#define TESELA_BATCH_H

#include "matrix.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- level 3 ------------------------------------------------------------------------------------------------------------ */

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

/* ---- Cholesky (cholesky.h) ---------------------------------------------------------------------------------------------- */

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

/* ---- LU (lu.h) ---------------------------------------------------------------------------------------------------------- */

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

/* ---- QR (qr.h) ---------------------------------------------------------------------------------------------------------- */

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

#ifdef __cplusplus
}
#endif
#endif
