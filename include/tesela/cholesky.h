/** @file
 * tesela/cholesky.h - Cholesky factorization, triangles, and rows added to a factor and taken from it.
 *
 * A is Hermitian (real: symmetric), positive definite and given by a triangle; the other triangle is not touched. A
 * lower triangle becomes L with A = L L^H, an upper one U with A = U^H U. */
#ifndef TESELA_CHOLESKY_H
#define TESELA_CHOLESKY_H

#include "matrix.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- factors and solutions ---------------------------------------------------------------------------------------------- */

/** A := its Cholesky factor L or U. info = j: the leading minor of order j is not positive definite; A is partly factored. */
TSL_API tsl_status tsl_potrf(tsl_context *ctx, tsl_view A, int64_t *info);
TSL_API tsl_status tsl_spotrf(tsl_context *ctx, char uplo, int64_t n, float *A, int64_t lda, int64_t *info);
TSL_API tsl_status tsl_dpotrf(tsl_context *ctx, char uplo, int64_t n, double *A, int64_t lda, int64_t *info);
TSL_API tsl_status tsl_cpotrf(tsl_context *ctx, char uplo, int64_t n, tsl_cfloat *A, int64_t lda, int64_t *info);
TSL_API tsl_status tsl_zpotrf(tsl_context *ctx, char uplo, int64_t n, tsl_cdouble *A, int64_t lda, int64_t *info);

/** B := the solution X of A X = B. A holds potrf's factor. */
TSL_API tsl_status tsl_potrs(tsl_context *ctx, tsl_view A, tsl_view B);
TSL_API tsl_status tsl_spotrs(tsl_context *ctx, char uplo, int64_t n, int64_t nrhs, const float *A, int64_t lda, float *B,
                              int64_t ldb, int64_t *info);
TSL_API tsl_status tsl_dpotrs(tsl_context *ctx, char uplo, int64_t n, int64_t nrhs, const double *A, int64_t lda, double *B,
                              int64_t ldb, int64_t *info);
TSL_API tsl_status tsl_cpotrs(tsl_context *ctx, char uplo, int64_t n, int64_t nrhs, const tsl_cfloat *A, int64_t lda,
                              tsl_cfloat *B, int64_t ldb, int64_t *info);
TSL_API tsl_status tsl_zpotrs(tsl_context *ctx, char uplo, int64_t n, int64_t nrhs, const tsl_cdouble *A, int64_t lda,
                              tsl_cdouble *B, int64_t ldb, int64_t *info);

/** potrf of A, then B := the solution X of A X = B. info as in potrf; if it is not 0 B is not touched. The call waits. */
TSL_API tsl_status tsl_posv(tsl_context *ctx, tsl_view A, tsl_view B, int64_t *info);
TSL_API tsl_status tsl_sposv(tsl_context *ctx, char uplo, int64_t n, int64_t nrhs, float *A, int64_t lda, float *B, int64_t ldb,
                             int64_t *info);
TSL_API tsl_status tsl_dposv(tsl_context *ctx, char uplo, int64_t n, int64_t nrhs, double *A, int64_t lda, double *B,
                             int64_t ldb, int64_t *info);
TSL_API tsl_status tsl_cposv(tsl_context *ctx, char uplo, int64_t n, int64_t nrhs, tsl_cfloat *A, int64_t lda, tsl_cfloat *B,
                             int64_t ldb, int64_t *info);
TSL_API tsl_status tsl_zposv(tsl_context *ctx, char uplo, int64_t n, int64_t nrhs, tsl_cdouble *A, int64_t lda, tsl_cdouble *B,
                             int64_t ldb, int64_t *info);

/** A := the stored triangle of the inverse, from potrf's factor in A. info as in trtri. The call waits. */
TSL_API tsl_status tsl_potri(tsl_context *ctx, tsl_view A, int64_t *info);
TSL_API tsl_status tsl_spotri(tsl_context *ctx, char uplo, int64_t n, float *A, int64_t lda, int64_t *info);
TSL_API tsl_status tsl_dpotri(tsl_context *ctx, char uplo, int64_t n, double *A, int64_t lda, int64_t *info);
TSL_API tsl_status tsl_cpotri(tsl_context *ctx, char uplo, int64_t n, tsl_cfloat *A, int64_t lda, int64_t *info);
TSL_API tsl_status tsl_zpotri(tsl_context *ctx, char uplo, int64_t n, tsl_cdouble *A, int64_t lda, int64_t *info);

/* ---- triangles ---------------------------------------------------------------------------------------------------------- */

/** A := inv(A), A a triangle. A unit diagonal is neither read nor written. info = j: A(j,j) is exactly zero, and
 * nothing is changed. The call may wait to know that. */
TSL_API tsl_status tsl_trtri(tsl_context *ctx, tsl_view A, int64_t *info);
TSL_API tsl_status tsl_strtri(tsl_context *ctx, char uplo, char diag, int64_t n, float *A, int64_t lda, int64_t *info);
TSL_API tsl_status tsl_dtrtri(tsl_context *ctx, char uplo, char diag, int64_t n, double *A, int64_t lda, int64_t *info);
TSL_API tsl_status tsl_ctrtri(tsl_context *ctx, char uplo, char diag, int64_t n, tsl_cfloat *A, int64_t lda, int64_t *info);
TSL_API tsl_status tsl_ztrtri(tsl_context *ctx, char uplo, char diag, int64_t n, tsl_cdouble *A, int64_t lda, int64_t *info);

/** A := L^H L (A a lower triangle L) or U U^H (upper), its stored triangle. The diagonal of L or U must be real, as a
 * Cholesky factor's is. On a GPU zeros are multiplied too: a NaN or Inf spreads further than in LAPACK. */
TSL_API tsl_status tsl_lauum(tsl_context *ctx, tsl_view A);
TSL_API tsl_status tsl_slauum(tsl_context *ctx, char uplo, int64_t n, float *A, int64_t lda, int64_t *info);
TSL_API tsl_status tsl_dlauum(tsl_context *ctx, char uplo, int64_t n, double *A, int64_t lda, int64_t *info);
TSL_API tsl_status tsl_clauum(tsl_context *ctx, char uplo, int64_t n, tsl_cfloat *A, int64_t lda, int64_t *info);
TSL_API tsl_status tsl_zlauum(tsl_context *ctx, char uplo, int64_t n, tsl_cdouble *A, int64_t lda, int64_t *info);

/* ---- rows added to a factor and taken from it --------------------------------------------------------------------------- */

/** R := R', where R'^H R' = R^H R + C^H C - D^H D. R is n x n, given by its upper triangle; by a lower triangle L: L
 * L^H + C^H C - D^H D. R is potrf's factor, or geqrf's R with rows multiplied so that its diagonal is positive; that of
 * R' is.
 * C is p x n, D is q x n: rows that are added and rows that are taken away. B, n x k, holds right-hand sides that went
 * with R, as Q^H B of a least-squares problem [A B]; BC and BD hold those that go with the rows of C and D. All but R
 * are as they are stored, and may be missing. C, BC, D and BD are overwritten.
 * info = j: the leading block of order j of R'^H R' is not positive definite, or R was singular; then R and B are
 * unchanged. The error of R'^H R' is a small multiple of eps |R|^2. By tiles C and D must have tiles as wide as those
 * of R. The call waits if there is a D. Typed: R or L is in A, by uplo; C is k x n, D is q x n, B is n x nrhs. */
TSL_API tsl_status tsl_uddate(tsl_context *ctx, tsl_view R, tsl_view B, tsl_view C, tsl_view BC, tsl_view D, tsl_view BD,
                              int64_t *info);
TSL_API tsl_status tsl_suddate(tsl_context *ctx, char uplo, int64_t n, int64_t nrhs, int64_t k, int64_t q, float *A,
                               int64_t lda, float *B, int64_t ldb, float *C, int64_t ldc, float *BC, int64_t ldbc, float *D,
                               int64_t ldd, float *BD, int64_t ldbd, int64_t *info);
TSL_API tsl_status tsl_duddate(tsl_context *ctx, char uplo, int64_t n, int64_t nrhs, int64_t k, int64_t q, double *A,
                               int64_t lda, double *B, int64_t ldb, double *C, int64_t ldc, double *BC, int64_t ldbc, double *D,
                               int64_t ldd, double *BD, int64_t ldbd, int64_t *info);
TSL_API tsl_status tsl_cuddate(tsl_context *ctx, char uplo, int64_t n, int64_t nrhs, int64_t k, int64_t q, tsl_cfloat *A,
                               int64_t lda, tsl_cfloat *B, int64_t ldb, tsl_cfloat *C, int64_t ldc, tsl_cfloat *BC,
                               int64_t ldbc, tsl_cfloat *D, int64_t ldd, tsl_cfloat *BD, int64_t ldbd, int64_t *info);
TSL_API tsl_status tsl_zuddate(tsl_context *ctx, char uplo, int64_t n, int64_t nrhs, int64_t k, int64_t q, tsl_cdouble *A,
                               int64_t lda, tsl_cdouble *B, int64_t ldb, tsl_cdouble *C, int64_t ldc, tsl_cdouble *BC,
                               int64_t ldbc, tsl_cdouble *D, int64_t ldd, tsl_cdouble *BD, int64_t ldbd, int64_t *info);

/** Rows are added, nothing else: R^H R + C^H C. Typed: C is X, k x n. */
TSL_API tsl_status tsl_chud(tsl_context *ctx, tsl_view R, tsl_view C);
TSL_API tsl_status tsl_schud(tsl_context *ctx, char uplo, int64_t n, int64_t k, float *A, int64_t lda, float *X, int64_t ldx,
                             int64_t *info);
TSL_API tsl_status tsl_dchud(tsl_context *ctx, char uplo, int64_t n, int64_t k, double *A, int64_t lda, double *X, int64_t ldx,
                             int64_t *info);
TSL_API tsl_status tsl_cchud(tsl_context *ctx, char uplo, int64_t n, int64_t k, tsl_cfloat *A, int64_t lda, tsl_cfloat *X,
                             int64_t ldx, int64_t *info);
TSL_API tsl_status tsl_zchud(tsl_context *ctx, char uplo, int64_t n, int64_t k, tsl_cdouble *A, int64_t lda, tsl_cdouble *X,
                             int64_t ldx, int64_t *info);

/** Rows are taken away, nothing else: R^H R - D^H D. Typed: D is X, k x n. */
TSL_API tsl_status tsl_chdd(tsl_context *ctx, tsl_view R, tsl_view D, int64_t *info);
TSL_API tsl_status tsl_schdd(tsl_context *ctx, char uplo, int64_t n, int64_t k, float *A, int64_t lda, float *X, int64_t ldx,
                             int64_t *info);
TSL_API tsl_status tsl_dchdd(tsl_context *ctx, char uplo, int64_t n, int64_t k, double *A, int64_t lda, double *X, int64_t ldx,
                             int64_t *info);
TSL_API tsl_status tsl_cchdd(tsl_context *ctx, char uplo, int64_t n, int64_t k, tsl_cfloat *A, int64_t lda, tsl_cfloat *X,
                             int64_t ldx, int64_t *info);
TSL_API tsl_status tsl_zchdd(tsl_context *ctx, char uplo, int64_t n, int64_t k, tsl_cdouble *A, int64_t lda, tsl_cdouble *X,
                             int64_t ldx, int64_t *info);

#ifdef __cplusplus
}
#endif
#endif
