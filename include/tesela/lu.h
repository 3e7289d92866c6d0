/** @file
 * tesela/lu.h - LU factorization, solutions, inverses, determinants; incremental pivoting.
 *
 * Pivots p are a column of min(m,n) indices (TSL_INDEX; typed: ipiv). They are LAPACK's: row i was exchanged with row
 * p(i), for i = 1, 2, ... in this order. Calls that read pivots check them: TSL_ERR_PIVOT if one is not between 1 and
 * the number of rows. Pivots in the caller's memory are checked first: the call changes nothing, and tsl_error names
 * the first bad one. Pivots in device memory, or that work of an open region is yet to write, are checked when they are
 * used: the call, or tsl_wait, returns TSL_ERR_PIVOT, and what its operands hold is undefined; no other memory is
 * written. */
#ifndef TESELA_LU_H
#define TESELA_LU_H

#include "matrix.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- factors and solutions ---------------------------------------------------------------------------------------------- */

/** P A = L U with partial pivoting, A m x n as it is stored. L, whose diagonal of ones is not stored, and U overwrite
 * A; p is written. info = j: U(j,j) is exactly zero, the first such; the factorization is complete all the same. The
 * variants "tournament", "nopiv" and "window" choose other pivots and are taken only by name (docs/lu.md); after a zero
 * the factors of "nopiv" and "window" are of no use. */
TSL_API tsl_status tsl_getrf(tsl_context *ctx, tsl_view A, tsl_view p, int64_t *info);
TSL_API tsl_status tsl_sgetrf(tsl_context *ctx, int64_t m, int64_t n, float *A, int64_t lda, int64_t *ipiv, int64_t *info);
TSL_API tsl_status tsl_dgetrf(tsl_context *ctx, int64_t m, int64_t n, double *A, int64_t lda, int64_t *ipiv, int64_t *info);
TSL_API tsl_status tsl_cgetrf(tsl_context *ctx, int64_t m, int64_t n, tsl_cfloat *A, int64_t lda, int64_t *ipiv, int64_t *info);
TSL_API tsl_status tsl_zgetrf(tsl_context *ctx, int64_t m, int64_t n, tsl_cdouble *A, int64_t lda, int64_t *ipiv,
                              int64_t *info);

/** B := the solution X of A X = B; A and p hold getrf's factors. With A seen through an op: of op(A) X = B. */
TSL_API tsl_status tsl_getrs(tsl_context *ctx, tsl_view A, tsl_view p, tsl_view B);
TSL_API tsl_status tsl_sgetrs(tsl_context *ctx, char trans, int64_t n, int64_t nrhs, const float *A, int64_t lda,
                              const int64_t *ipiv, float *B, int64_t ldb, int64_t *info);
TSL_API tsl_status tsl_dgetrs(tsl_context *ctx, char trans, int64_t n, int64_t nrhs, const double *A, int64_t lda,
                              const int64_t *ipiv, double *B, int64_t ldb, int64_t *info);
TSL_API tsl_status tsl_cgetrs(tsl_context *ctx, char trans, int64_t n, int64_t nrhs, const tsl_cfloat *A, int64_t lda,
                              const int64_t *ipiv, tsl_cfloat *B, int64_t ldb, int64_t *info);
TSL_API tsl_status tsl_zgetrs(tsl_context *ctx, char trans, int64_t n, int64_t nrhs, const tsl_cdouble *A, int64_t lda,
                              const int64_t *ipiv, tsl_cdouble *B, int64_t ldb, int64_t *info);

/** getrf of A, then B := the solution X of A X = B. info as in getrf; if it is not 0 B is not touched. The call waits. */
TSL_API tsl_status tsl_gesv(tsl_context *ctx, tsl_view A, tsl_view p, tsl_view B, int64_t *info);
TSL_API tsl_status tsl_sgesv(tsl_context *ctx, int64_t n, int64_t nrhs, float *A, int64_t lda, int64_t *ipiv, float *B,
                             int64_t ldb, int64_t *info);
TSL_API tsl_status tsl_dgesv(tsl_context *ctx, int64_t n, int64_t nrhs, double *A, int64_t lda, int64_t *ipiv, double *B,
                             int64_t ldb, int64_t *info);
TSL_API tsl_status tsl_cgesv(tsl_context *ctx, int64_t n, int64_t nrhs, tsl_cfloat *A, int64_t lda, int64_t *ipiv,
                             tsl_cfloat *B, int64_t ldb, int64_t *info);
TSL_API tsl_status tsl_zgesv(tsl_context *ctx, int64_t n, int64_t nrhs, tsl_cdouble *A, int64_t lda, int64_t *ipiv,
                             tsl_cdouble *B, int64_t ldb, int64_t *info);

/** A := the inverse, from getrf's factors in A and p. info = j: U(j,j) is exactly zero, and nothing is changed. The
 * call waits. */
TSL_API tsl_status tsl_getri(tsl_context *ctx, tsl_view A, tsl_view p, int64_t *info);
TSL_API tsl_status tsl_sgetri(tsl_context *ctx, int64_t n, float *A, int64_t lda, const int64_t *ipiv, int64_t *info);
TSL_API tsl_status tsl_dgetri(tsl_context *ctx, int64_t n, double *A, int64_t lda, const int64_t *ipiv, int64_t *info);
TSL_API tsl_status tsl_cgetri(tsl_context *ctx, int64_t n, tsl_cfloat *A, int64_t lda, const int64_t *ipiv, int64_t *info);
TSL_API tsl_status tsl_zgetri(tsl_context *ctx, int64_t n, tsl_cdouble *A, int64_t lda, const int64_t *ipiv, int64_t *info);

/** Exchanges the rows of A as p says, from the first pivot on; `backward` not 0: from the last. With A seen transposed:
 * its columns. Typed: rows k1..k2 are exchanged with rows ipiv[k1 - 1], ..., each one of k1..lda; incx is 1 or -1; the
 * call waits for an ipiv in memory of the context. */
TSL_API tsl_status tsl_laswp(tsl_context *ctx, tsl_view A, tsl_view p, int backward);
TSL_API tsl_status tsl_slaswp(tsl_context *ctx, int64_t n, float *A, int64_t lda, int64_t k1, int64_t k2, const int64_t *ipiv,
                              int64_t incx);
TSL_API tsl_status tsl_dlaswp(tsl_context *ctx, int64_t n, double *A, int64_t lda, int64_t k1, int64_t k2, const int64_t *ipiv,
                              int64_t incx);
TSL_API tsl_status tsl_claswp(tsl_context *ctx, int64_t n, tsl_cfloat *A, int64_t lda, int64_t k1, int64_t k2,
                              const int64_t *ipiv, int64_t incx);
TSL_API tsl_status tsl_zlaswp(tsl_context *ctx, int64_t n, tsl_cdouble *A, int64_t lda, int64_t k1, int64_t k2,
                              const int64_t *ipiv, int64_t incx);

/** P, L and U, of A = P L U, where A (m x n) and p hold getrf's factors. With d = min(m,n) P is m x m, L is m x d with ones
 * on its diagonal, and U is d x n; elements outside of the triangles become 0. A and p are only read. P may be a view
 * without a matrix: then it is not wanted. All are as they are stored; none may share elements with another. */
TSL_API tsl_status tsl_plu(tsl_context *ctx, tsl_view A, tsl_view p, tsl_view P, tsl_view L, tsl_view U);

/* ---- determinants ------------------------------------------------------------------------------------------------------- */

/** The determinant of the matrix that A holds the factors of is phase * exp(logabs), without overflow or underflow.
 * phase is 1, -1 or a complex number of modulus 1; a determinant of zero has phase 0 and logabs -inf. A is square:
 * getrf's factors with pivots p, or a triangle, potrf's factor; then p is not looked at. With A seen through an op: of
 * op(A). Order 0 gives 1. The call waits. Typed: factors is G for getrf's, with ipiv; L or U for potrf's. phase and
 * logabs are in host memory. */
TSL_API tsl_status tsl_logdet(tsl_context *ctx, tsl_view A, tsl_view p, tsl_scalar *phase, double *logabs);
TSL_API tsl_status tsl_slogdet(tsl_context *ctx, char factors, int64_t n, const float *A, int64_t lda, const int64_t *ipiv,
                               float *phase, double *logabs);
TSL_API tsl_status tsl_dlogdet(tsl_context *ctx, char factors, int64_t n, const double *A, int64_t lda, const int64_t *ipiv,
                               double *phase, double *logabs);
TSL_API tsl_status tsl_clogdet(tsl_context *ctx, char factors, int64_t n, const tsl_cfloat *A, int64_t lda, const int64_t *ipiv,
                               tsl_cfloat *phase, double *logabs);
TSL_API tsl_status tsl_zlogdet(tsl_context *ctx, char factors, int64_t n, const tsl_cdouble *A, int64_t lda,
                               const int64_t *ipiv, tsl_cdouble *phase, double *logabs);

/* ---- incremental pivoting -----------------------------------------------------------------------------------------------
 * Pivots are searched in two tiles of a column at a time, so that by tiles no task waits for a whole column. The price
 * is stability: elements may grow more than with partial pivoting, and more so with more tiles (docs/tiles.md). */

/** B := the solution X of A X = B by LU with incremental pivoting, A n x n, both as they are stored. A is overwritten.
 * info = j: U(j,j) is exactly zero, the first such; then B is not touched. The call waits. */
TSL_API tsl_status tsl_gesv_incpiv(tsl_context *ctx, tsl_view A, tsl_view B, int64_t *info);
TSL_API tsl_status tsl_sgesv_incpiv(tsl_context *ctx, int64_t n, int64_t nrhs, float *A, int64_t lda, float *B, int64_t ldb,
                                    int64_t *info);
TSL_API tsl_status tsl_dgesv_incpiv(tsl_context *ctx, int64_t n, int64_t nrhs, double *A, int64_t lda, double *B, int64_t ldb,
                                    int64_t *info);
TSL_API tsl_status tsl_cgesv_incpiv(tsl_context *ctx, int64_t n, int64_t nrhs, tsl_cfloat *A, int64_t lda, tsl_cfloat *B,
                                    int64_t ldb, int64_t *info);
TSL_API tsl_status tsl_zgesv_incpiv(tsl_context *ctx, int64_t n, int64_t nrhs, tsl_cdouble *A, int64_t lda, tsl_cdouble *B,
                                    int64_t ldb, int64_t *info);

/** The factors only, by tiles of nb x nb, for any number of right-hand sides. U overwrites the upper triangle of A,
 * parts of L the rest; what has no place there goes to L and p. With t = ceil(n / nb): p is nb x t (t + 1) / 2 indices
 * (TSL_INDEX), L is ib x nb t (t + 1) / 2 of A's type, where 1 <= ib <= nb is the width of inner panels, nb / 8 or so.
 * info as in gesv_incpiv; the factorization is complete all the same. */
TSL_API tsl_status tsl_getrf_incpiv(tsl_context *ctx, tsl_view A, tsl_view L, tsl_view p, int64_t *info);

/** B, as it is stored, := the solution X of A X = B. A, L and p hold getrf_incpiv's factors; other calls do not take them. */
TSL_API tsl_status tsl_getrs_incpiv(tsl_context *ctx, tsl_view A, tsl_view L, tsl_view p, tsl_view B);

#ifdef __cplusplus
}
#endif
#endif
