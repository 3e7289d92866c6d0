/** @file
 * tesela/ldl.h - L D L^T of symmetric matrices (sytrf) and L D L^H of Hermitian ones (hetrf), which need not be
 * definite.
 *
 * A is given by a triangle, as it is stored; the other triangle is not touched. For real elements sytrf and hetrf are
 * the same; the typed calls with "he" are those of complex types. Formats and pivots are LAPACK's (Bunch and Kaufman):
 * D has blocks of order 1 and 2. p is a column of n TSL_INDEX (typed: ipiv).
 *   p(k) > 0: block k of D has order 1; row and column k were exchanged with row and column p(k).
 *   p(k) = p(k+1) < 0 (upper: p(k-1) = p(k)): two equal negative entries mark a block of order 2; -p(k) is the row
 *   exchanged with the block's second row (upper: first).
 * Calls that read p check it: TSL_ERR_PIVOT, as in lu.h. */
#ifndef TESELA_LDL_H
#define TESELA_LDL_H

#include "matrix.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- factors ------------------------------------------------------------------------------------------------------------ */

/** A = L D L^T, A symmetric and given by a lower triangle; by an upper one A = U D U^T. The factors overwrite the
 * triangle; p is written. info = j: block j of D, of order 1, is exactly zero; the factorization is complete all the
 * same. */
TSL_API tsl_status tsl_sytrf(tsl_context *ctx, tsl_view A, tsl_view p, int64_t *info);
TSL_API tsl_status tsl_ssytrf(tsl_context *ctx, char uplo, int64_t n, float *A, int64_t lda, int64_t *ipiv, int64_t *info);
TSL_API tsl_status tsl_dsytrf(tsl_context *ctx, char uplo, int64_t n, double *A, int64_t lda, int64_t *ipiv, int64_t *info);
TSL_API tsl_status tsl_csytrf(tsl_context *ctx, char uplo, int64_t n, tsl_cfloat *A, int64_t lda, int64_t *ipiv, int64_t *info);
TSL_API tsl_status tsl_zsytrf(tsl_context *ctx, char uplo, int64_t n, tsl_cdouble *A, int64_t lda, int64_t *ipiv,
                              int64_t *info);

/** A = L D L^H or U D U^H, A Hermitian; else as sytrf. */
TSL_API tsl_status tsl_hetrf(tsl_context *ctx, tsl_view A, tsl_view p, int64_t *info);
TSL_API tsl_status tsl_chetrf(tsl_context *ctx, char uplo, int64_t n, tsl_cfloat *A, int64_t lda, int64_t *ipiv, int64_t *info);
TSL_API tsl_status tsl_zhetrf(tsl_context *ctx, char uplo, int64_t n, tsl_cdouble *A, int64_t lda, int64_t *ipiv,
                              int64_t *info);

/* ---- solutions ---------------------------------------------------------------------------------------------------------- */

/** B := the solution X of A X = B. A and p hold sytrf's factors. On a GPU a copy of A is made in workspace. */
TSL_API tsl_status tsl_sytrs(tsl_context *ctx, tsl_view A, tsl_view p, tsl_view B);
TSL_API tsl_status tsl_ssytrs(tsl_context *ctx, char uplo, int64_t n, int64_t nrhs, const float *A, int64_t lda,
                              const int64_t *ipiv, float *B, int64_t ldb, int64_t *info);
TSL_API tsl_status tsl_dsytrs(tsl_context *ctx, char uplo, int64_t n, int64_t nrhs, const double *A, int64_t lda,
                              const int64_t *ipiv, double *B, int64_t ldb, int64_t *info);
TSL_API tsl_status tsl_csytrs(tsl_context *ctx, char uplo, int64_t n, int64_t nrhs, const tsl_cfloat *A, int64_t lda,
                              const int64_t *ipiv, tsl_cfloat *B, int64_t ldb, int64_t *info);
TSL_API tsl_status tsl_zsytrs(tsl_context *ctx, char uplo, int64_t n, int64_t nrhs, const tsl_cdouble *A, int64_t lda,
                              const int64_t *ipiv, tsl_cdouble *B, int64_t ldb, int64_t *info);

/** The same with hetrf's factors. */
TSL_API tsl_status tsl_hetrs(tsl_context *ctx, tsl_view A, tsl_view p, tsl_view B);
TSL_API tsl_status tsl_chetrs(tsl_context *ctx, char uplo, int64_t n, int64_t nrhs, const tsl_cfloat *A, int64_t lda,
                              const int64_t *ipiv, tsl_cfloat *B, int64_t ldb, int64_t *info);
TSL_API tsl_status tsl_zhetrs(tsl_context *ctx, char uplo, int64_t n, int64_t nrhs, const tsl_cdouble *A, int64_t lda,
                              const int64_t *ipiv, tsl_cdouble *B, int64_t ldb, int64_t *info);

/** sytrf of A, then B := the solution X of A X = B. info as in sytrf; if it is not 0 B is not touched. The call waits. */
TSL_API tsl_status tsl_sysv(tsl_context *ctx, tsl_view A, tsl_view p, tsl_view B, int64_t *info);
TSL_API tsl_status tsl_ssysv(tsl_context *ctx, char uplo, int64_t n, int64_t nrhs, float *A, int64_t lda, int64_t *ipiv,
                             float *B, int64_t ldb, int64_t *info);
TSL_API tsl_status tsl_dsysv(tsl_context *ctx, char uplo, int64_t n, int64_t nrhs, double *A, int64_t lda, int64_t *ipiv,
                             double *B, int64_t ldb, int64_t *info);
TSL_API tsl_status tsl_csysv(tsl_context *ctx, char uplo, int64_t n, int64_t nrhs, tsl_cfloat *A, int64_t lda, int64_t *ipiv,
                             tsl_cfloat *B, int64_t ldb, int64_t *info);
TSL_API tsl_status tsl_zsysv(tsl_context *ctx, char uplo, int64_t n, int64_t nrhs, tsl_cdouble *A, int64_t lda, int64_t *ipiv,
                             tsl_cdouble *B, int64_t ldb, int64_t *info);

/** The same by hetrf. */
TSL_API tsl_status tsl_hesv(tsl_context *ctx, tsl_view A, tsl_view p, tsl_view B, int64_t *info);
TSL_API tsl_status tsl_chesv(tsl_context *ctx, char uplo, int64_t n, int64_t nrhs, tsl_cfloat *A, int64_t lda, int64_t *ipiv,
                             tsl_cfloat *B, int64_t ldb, int64_t *info);
TSL_API tsl_status tsl_zhesv(tsl_context *ctx, char uplo, int64_t n, int64_t nrhs, tsl_cdouble *A, int64_t lda, int64_t *ipiv,
                             tsl_cdouble *B, int64_t ldb, int64_t *info);

/* ---- inverses ----------------------------------------------------------------------------------------------------------- */

/** A := the stored triangle of inv(A), from sytrf's factors in A and p. info as in sytrf; if it is not 0 nothing is
 * changed. The call waits. */
TSL_API tsl_status tsl_sytri(tsl_context *ctx, tsl_view A, tsl_view p, int64_t *info);
TSL_API tsl_status tsl_ssytri(tsl_context *ctx, char uplo, int64_t n, float *A, int64_t lda, const int64_t *ipiv,
                              int64_t *info);
TSL_API tsl_status tsl_dsytri(tsl_context *ctx, char uplo, int64_t n, double *A, int64_t lda, const int64_t *ipiv,
                              int64_t *info);
TSL_API tsl_status tsl_csytri(tsl_context *ctx, char uplo, int64_t n, tsl_cfloat *A, int64_t lda, const int64_t *ipiv,
                              int64_t *info);
TSL_API tsl_status tsl_zsytri(tsl_context *ctx, char uplo, int64_t n, tsl_cdouble *A, int64_t lda, const int64_t *ipiv,
                              int64_t *info);

/** The same from hetrf's factors. */
TSL_API tsl_status tsl_hetri(tsl_context *ctx, tsl_view A, tsl_view p, int64_t *info);
TSL_API tsl_status tsl_chetri(tsl_context *ctx, char uplo, int64_t n, tsl_cfloat *A, int64_t lda, const int64_t *ipiv,
                              int64_t *info);
TSL_API tsl_status tsl_zhetri(tsl_context *ctx, char uplo, int64_t n, tsl_cdouble *A, int64_t lda, const int64_t *ipiv,
                              int64_t *info);

#ifdef __cplusplus
}
#endif
#endif
