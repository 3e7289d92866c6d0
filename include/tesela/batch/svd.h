/** @file
 * tesela/batch/svd.h - typed calls on batches (batch.h): singular values (svd.h). */
#ifndef TESELA_BATCH_SVD_H
#define TESELA_BATCH_SVD_H

#include "../matrix.h"

#ifdef __cplusplus
extern "C" {
#endif

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

#ifdef __cplusplus
}
#endif
#endif
