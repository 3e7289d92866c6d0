/** @file
 * tesela/elements.h - copies, sums, fillings, conversions, single elements, norms. */
#ifndef TESELA_ELEMENTS_H
#define TESELA_ELEMENTS_H

#include "matrix.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- copies and sums ---------------------------------------------------------------------------------------------------- */

/** B := A. A may be seen through any op. Either may be a triangle: then only that triangle is read and written. */
TSL_API tsl_status tsl_copy(tsl_context *ctx, tsl_view A, tsl_view B);

/** A := alpha A. alpha = 0 overwrites whatever is there. If A is a triangle the rest is left alone. */
TSL_API tsl_status tsl_scale(tsl_context *ctx, tsl_scalar alpha, tsl_view A);

/** B := alpha A + beta B. A may be seen through any op; sizes and triangles as in tsl_copy. B is not read if beta is
 * zero, nor A if alpha is. Typed: B is m x n; trans is N, T or C. */
TSL_API tsl_status tsl_geadd(tsl_context *ctx, tsl_scalar alpha, tsl_view A, tsl_scalar beta, tsl_view B);
TSL_API tsl_status tsl_sgeadd(tsl_context *ctx, char trans, int64_t m, int64_t n, float alpha, const float *A, int64_t lda,
                              float beta, float *B, int64_t ldb);
TSL_API tsl_status tsl_dgeadd(tsl_context *ctx, char trans, int64_t m, int64_t n, double alpha, const double *A, int64_t lda,
                              double beta, double *B, int64_t ldb);
TSL_API tsl_status tsl_cgeadd(tsl_context *ctx, char trans, int64_t m, int64_t n, tsl_cfloat alpha, const tsl_cfloat *A,
                              int64_t lda, tsl_cfloat beta, tsl_cfloat *B, int64_t ldb);
TSL_API tsl_status tsl_zgeadd(tsl_context *ctx, char trans, int64_t m, int64_t n, tsl_cdouble alpha, const tsl_cdouble *A,
                              int64_t lda, tsl_cdouble beta, tsl_cdouble *B, int64_t ldb);

/** B := A, rounded to single precision or widened to double (s and d, c and z). Either may be a triangle, as in
 * tsl_copy. info = 1: an element does not fit single precision. */
TSL_API tsl_status tsl_convert(tsl_context *ctx, tsl_view A, tsl_view B, int64_t *info);

/** B := the whole matrix that the triangle A stands for: symmetric; Hermitian, with the imaginary part of the diagonal
 * dropped; or triangular, with zeros on the other side and ones on a unit diagonal. */
TSL_API tsl_status tsl_expand(tsl_context *ctx, tsl_structure s, tsl_view A, tsl_view B);

/* ---- fillings ----------------------------------------------------------------------------------------------------------- */

/** A := beta on the diagonal and alpha elsewhere: with 0 and 1 the identity. A may be a triangle, which need not be
 * square; the rest is left alone. Typed: uplo is L, U, or A or G for all of A. */
TSL_API tsl_status tsl_laset(tsl_context *ctx, tsl_scalar alpha, tsl_scalar beta, tsl_view A);
TSL_API tsl_status tsl_slaset(tsl_context *ctx, char uplo, int64_t m, int64_t n, float alpha, float beta, float *A,
                              int64_t lda);
TSL_API tsl_status tsl_dlaset(tsl_context *ctx, char uplo, int64_t m, int64_t n, double alpha, double beta, double *A,
                              int64_t lda);
TSL_API tsl_status tsl_claset(tsl_context *ctx, char uplo, int64_t m, int64_t n, tsl_cfloat alpha, tsl_cfloat beta,
                              tsl_cfloat *A, int64_t lda);
TSL_API tsl_status tsl_zlaset(tsl_context *ctx, char uplo, int64_t m, int64_t n, tsl_cdouble alpha, tsl_cdouble beta,
                              tsl_cdouble *A, int64_t lda);

/** A := random numbers, independent and uniform in -1 <= x < 1; complex elements have both parts. Element (i,j) of A as
 * seen depends on seed, i, j and the type alone: it is the same on every device and in every layout. If A is a triangle
 * the rest is left alone. */
TSL_API tsl_status tsl_random(tsl_context *ctx, uint64_t seed, tsl_view A);

/* ---- single elements ---------------------------------------------------------------------------------------------------- */

/** *value := element (i,j) of A as seen, from 0, whatever triangle is meant; for indices the nearest double. The call
 * waits. TSL_ERR_VIEW: it is outside A. */
TSL_API tsl_status tsl_get_element(tsl_context *ctx, tsl_view A, int64_t i, int64_t j, tsl_scalar *value);

/** Element (i,j) of A as seen := value, rounded to A's type. See tsl_get_element. TSL_ERR_TYPE: the type cannot hold
 * the value: a real type has no imaginary part, indices are integers of 64 bits. */
TSL_API tsl_status tsl_set_element(tsl_context *ctx, tsl_view A, int64_t i, int64_t j, tsl_scalar value);

/* ---- norms -------------------------------------------------------------------------------------------------------------- */

/** *result := the norm of A as seen: the largest |a_ij| (max), the largest sum of |a_ij| down a column (one) or along a
 * row (inf), or the root of the sum of |a_ij|^2 (fro). If A is a triangle: of the matrix it stands for as in
 * tsl_expand; a triangular one need not be square. The call waits. There is no overflow or underflow on the way. Zero
 * for no elements; NaN if one was read. Typed: lange of a general, lansy of a symmetric, lanhe of a Hermitian, lantr of
 * a triangular or trapezoidal matrix; norm is M (max), 1 or O (one), I (inf), F or E (fro). */
TSL_API tsl_status tsl_norm(tsl_context *ctx, tsl_norm_kind kind, tsl_structure s, tsl_view A, double *result);
TSL_API tsl_status tsl_slange(tsl_context *ctx, char norm, int64_t m, int64_t n, const float *A, int64_t lda, float *result);
TSL_API tsl_status tsl_dlange(tsl_context *ctx, char norm, int64_t m, int64_t n, const double *A, int64_t lda, double *result);
TSL_API tsl_status tsl_clange(tsl_context *ctx, char norm, int64_t m, int64_t n, const tsl_cfloat *A, int64_t lda,
                              float *result);
TSL_API tsl_status tsl_zlange(tsl_context *ctx, char norm, int64_t m, int64_t n, const tsl_cdouble *A, int64_t lda,
                              double *result);
TSL_API tsl_status tsl_slansy(tsl_context *ctx, char norm, char uplo, int64_t n, const float *A, int64_t lda, float *result);
TSL_API tsl_status tsl_dlansy(tsl_context *ctx, char norm, char uplo, int64_t n, const double *A, int64_t lda, double *result);
TSL_API tsl_status tsl_clansy(tsl_context *ctx, char norm, char uplo, int64_t n, const tsl_cfloat *A, int64_t lda,
                              float *result);
TSL_API tsl_status tsl_zlansy(tsl_context *ctx, char norm, char uplo, int64_t n, const tsl_cdouble *A, int64_t lda,
                              double *result);
TSL_API tsl_status tsl_clanhe(tsl_context *ctx, char norm, char uplo, int64_t n, const tsl_cfloat *A, int64_t lda,
                              float *result);
TSL_API tsl_status tsl_zlanhe(tsl_context *ctx, char norm, char uplo, int64_t n, const tsl_cdouble *A, int64_t lda,
                              double *result);
TSL_API tsl_status tsl_slantr(tsl_context *ctx, char norm, char uplo, char diag, int64_t m, int64_t n, const float *A,
                              int64_t lda, float *result);
TSL_API tsl_status tsl_dlantr(tsl_context *ctx, char norm, char uplo, char diag, int64_t m, int64_t n, const double *A,
                              int64_t lda, double *result);
TSL_API tsl_status tsl_clantr(tsl_context *ctx, char norm, char uplo, char diag, int64_t m, int64_t n, const tsl_cfloat *A,
                              int64_t lda, float *result);
TSL_API tsl_status tsl_zlantr(tsl_context *ctx, char norm, char uplo, char diag, int64_t m, int64_t n, const tsl_cdouble *A,
                              int64_t lda, double *result);

#ifdef __cplusplus
}
#endif
#endif
