/** @file
 * tesela/batch/eig.h - typed calls on batches (batch.h): symmetric eigenproblems (eig.h). */
#ifndef TESELA_BATCH_EIG_H
#define TESELA_BATCH_EIG_H

#include "../matrix.h"

#ifdef __cplusplus
extern "C" {
#endif

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

#ifdef __cplusplus
}
#endif
#endif
