/** @file
 * tesela/batch/qr.h - typed calls on batches (batch.h): QR (qr.h) and least squares. */
#ifndef TESELA_BATCH_QR_H
#define TESELA_BATCH_QR_H

#include "../matrix.h"

#ifdef __cplusplus
extern "C" {
#endif

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

#ifdef __cplusplus
}
#endif
#endif
