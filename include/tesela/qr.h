/** @file
 * tesela/qr.h - QR and LQ, with column pivoting, incremental; least squares.
 *
 * Reflectors are LAPACK's. Q = H(1) H(2) .. with H(i) = I - tau(i) v v^H; v has its one in row i, and the rest is
 * stored below that in column i. tau is a column of min(m,n) elements of A's type. Products with Q: trans is
 * TSL_NOTRANS for Q and TSL_HERM for Q^H; for real elements TSL_TRANS means the same as TSL_HERM. Typed: N or C, for
 * real elements N or T. Names have "or" of real types (orthogonal) and "un" of complex ones (unitary). */
#ifndef TESELA_QR_H
#define TESELA_QR_H

#include "matrix.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- QR and LQ ---------------------------------------------------------------------------------------------------------- */

/** A = Q R, A m x n. R overwrites A's upper triangle, the reflectors what is below it; tau is written. With A seen
 * through its conjugate transpose (real: transposed) what is stored is LAPACK's LQ of the stored matrix, with the same
 * tau. Typed: gelqf. */
TSL_API tsl_status tsl_geqrf(tsl_context *ctx, tsl_view A, tsl_view tau);
TSL_API tsl_status tsl_sgeqrf(tsl_context *ctx, int64_t m, int64_t n, float *A, int64_t lda, float *tau, int64_t *info);
TSL_API tsl_status tsl_dgeqrf(tsl_context *ctx, int64_t m, int64_t n, double *A, int64_t lda, double *tau, int64_t *info);
TSL_API tsl_status tsl_cgeqrf(tsl_context *ctx, int64_t m, int64_t n, tsl_cfloat *A, int64_t lda, tsl_cfloat *tau,
                              int64_t *info);
TSL_API tsl_status tsl_zgeqrf(tsl_context *ctx, int64_t m, int64_t n, tsl_cdouble *A, int64_t lda, tsl_cdouble *tau,
                              int64_t *info);
TSL_API tsl_status tsl_sgelqf(tsl_context *ctx, int64_t m, int64_t n, float *A, int64_t lda, float *tau, int64_t *info);
TSL_API tsl_status tsl_dgelqf(tsl_context *ctx, int64_t m, int64_t n, double *A, int64_t lda, double *tau, int64_t *info);
TSL_API tsl_status tsl_cgelqf(tsl_context *ctx, int64_t m, int64_t n, tsl_cfloat *A, int64_t lda, tsl_cfloat *tau,
                              int64_t *info);
TSL_API tsl_status tsl_zgelqf(tsl_context *ctx, int64_t m, int64_t n, tsl_cdouble *A, int64_t lda, tsl_cdouble *tau,
                              int64_t *info);

/** LEFT: C := op(Q) C; RIGHT: C := C op(Q). Q is the product of the reflectors that geqrf left in A as it is seen, as
 * many as tau has elements. C may be seen through its conjugate transpose. Typed: ormqr and unmqr with geqrf's Q, ormlq
 * and unmlq with gelqf's. */
TSL_API tsl_status tsl_ormqr(tsl_context *ctx, tsl_side side, tsl_op trans, tsl_view A, tsl_view tau, tsl_view C);
TSL_API tsl_status tsl_sormqr(tsl_context *ctx, char side, char trans, int64_t m, int64_t n, int64_t k, const float *A,
                              int64_t lda, const float *tau, float *C, int64_t ldc, int64_t *info);
TSL_API tsl_status tsl_dormqr(tsl_context *ctx, char side, char trans, int64_t m, int64_t n, int64_t k, const double *A,
                              int64_t lda, const double *tau, double *C, int64_t ldc, int64_t *info);
TSL_API tsl_status tsl_cunmqr(tsl_context *ctx, char side, char trans, int64_t m, int64_t n, int64_t k, const tsl_cfloat *A,
                              int64_t lda, const tsl_cfloat *tau, tsl_cfloat *C, int64_t ldc, int64_t *info);
TSL_API tsl_status tsl_zunmqr(tsl_context *ctx, char side, char trans, int64_t m, int64_t n, int64_t k, const tsl_cdouble *A,
                              int64_t lda, const tsl_cdouble *tau, tsl_cdouble *C, int64_t ldc, int64_t *info);
TSL_API tsl_status tsl_sormlq(tsl_context *ctx, char side, char trans, int64_t m, int64_t n, int64_t k, const float *A,
                              int64_t lda, const float *tau, float *C, int64_t ldc, int64_t *info);
TSL_API tsl_status tsl_dormlq(tsl_context *ctx, char side, char trans, int64_t m, int64_t n, int64_t k, const double *A,
                              int64_t lda, const double *tau, double *C, int64_t ldc, int64_t *info);
TSL_API tsl_status tsl_cunmlq(tsl_context *ctx, char side, char trans, int64_t m, int64_t n, int64_t k, const tsl_cfloat *A,
                              int64_t lda, const tsl_cfloat *tau, tsl_cfloat *C, int64_t ldc, int64_t *info);
TSL_API tsl_status tsl_zunmlq(tsl_context *ctx, char side, char trans, int64_t m, int64_t n, int64_t k, const tsl_cdouble *A,
                              int64_t lda, const tsl_cdouble *tau, tsl_cdouble *C, int64_t ldc, int64_t *info);

/** A := the first columns of Q, as many as A has as it is seen, at most as many as rows; tau may have fewer elements.
 * Typed: orgqr and ungqr: columns of geqrf's Q; orglq and unglq: rows of gelqf's. */
TSL_API tsl_status tsl_orgqr(tsl_context *ctx, tsl_view A, tsl_view tau);
TSL_API tsl_status tsl_sorgqr(tsl_context *ctx, int64_t m, int64_t n, int64_t k, float *A, int64_t lda, const float *tau,
                              int64_t *info);
TSL_API tsl_status tsl_dorgqr(tsl_context *ctx, int64_t m, int64_t n, int64_t k, double *A, int64_t lda, const double *tau,
                              int64_t *info);
TSL_API tsl_status tsl_cungqr(tsl_context *ctx, int64_t m, int64_t n, int64_t k, tsl_cfloat *A, int64_t lda,
                              const tsl_cfloat *tau, int64_t *info);
TSL_API tsl_status tsl_zungqr(tsl_context *ctx, int64_t m, int64_t n, int64_t k, tsl_cdouble *A, int64_t lda,
                              const tsl_cdouble *tau, int64_t *info);
TSL_API tsl_status tsl_sorglq(tsl_context *ctx, int64_t m, int64_t n, int64_t k, float *A, int64_t lda, const float *tau,
                              int64_t *info);
TSL_API tsl_status tsl_dorglq(tsl_context *ctx, int64_t m, int64_t n, int64_t k, double *A, int64_t lda, const double *tau,
                              int64_t *info);
TSL_API tsl_status tsl_cunglq(tsl_context *ctx, int64_t m, int64_t n, int64_t k, tsl_cfloat *A, int64_t lda,
                              const tsl_cfloat *tau, int64_t *info);
TSL_API tsl_status tsl_zunglq(tsl_context *ctx, int64_t m, int64_t n, int64_t k, tsl_cdouble *A, int64_t lda,
                              const tsl_cdouble *tau, int64_t *info);

/* ---- least squares ------------------------------------------------------------------------------------------------------ */

/** Least squares with A of full rank, m x n as seen: as it is stored, or its conjugate transpose. B has max(m,n) rows;
 * on entry the first m hold the right-hand sides.
 * m >= n: on exit rows 1..n of B hold the X with least |A X - B|; the squares of rows n+1..m of a column sum to its
 * residual. (If the elements of B are near an end of the range: to that of B as it was scaled, as in LAPACK.)
 * m < n: on exit B holds the X with A X = B of least |X|.
 * A becomes its factors, as geqrf leaves them in A or in A^H. info = j: element j of R's diagonal is exactly zero, and
 * there is no solution; B is then as before or Q^H B. If A is zero, so is X. The call waits. Typed: trans is N, or T of
 * real elements, C of complex ones. */
TSL_API tsl_status tsl_gels(tsl_context *ctx, tsl_view A, tsl_view B, int64_t *info);
TSL_API tsl_status tsl_sgels(tsl_context *ctx, char trans, int64_t m, int64_t n, int64_t nrhs, float *A, int64_t lda, float *B,
                             int64_t ldb, int64_t *info);
TSL_API tsl_status tsl_dgels(tsl_context *ctx, char trans, int64_t m, int64_t n, int64_t nrhs, double *A, int64_t lda,
                             double *B, int64_t ldb, int64_t *info);
TSL_API tsl_status tsl_cgels(tsl_context *ctx, char trans, int64_t m, int64_t n, int64_t nrhs, tsl_cfloat *A, int64_t lda,
                             tsl_cfloat *B, int64_t ldb, int64_t *info);
TSL_API tsl_status tsl_zgels(tsl_context *ctx, char trans, int64_t m, int64_t n, int64_t nrhs, tsl_cdouble *A, int64_t lda,
                             tsl_cdouble *B, int64_t ldb, int64_t *info);

/** Least squares with A of any rank, m x n as it is stored, by geqp3. B, of max(m,n) rows, := the solution of least
 * norm; on entry its first m rows hold the right-hand sides. p as in geqp3. *rank, if not NULL, := the order of the
 * largest leading triangle of R whose condition, estimated as LAPACK does, is less than 1 / rcond; the rest counts as
 * zero. A is overwritten: the upper triangle of its leading block of order *rank has the singular values of A without
 * that rest. If an element is not finite X is NaN and the rank 0. The call waits. */
TSL_API tsl_status tsl_gelsy(tsl_context *ctx, tsl_view A, tsl_view p, tsl_view B, double rcond, int64_t *rank);
TSL_API tsl_status tsl_sgelsy(tsl_context *ctx, int64_t m, int64_t n, int64_t nrhs, float *A, int64_t lda, float *B,
                              int64_t ldb, int64_t *jpvt, float rcond, int64_t *rank, int64_t *info);
TSL_API tsl_status tsl_dgelsy(tsl_context *ctx, int64_t m, int64_t n, int64_t nrhs, double *A, int64_t lda, double *B,
                              int64_t ldb, int64_t *jpvt, double rcond, int64_t *rank, int64_t *info);
TSL_API tsl_status tsl_cgelsy(tsl_context *ctx, int64_t m, int64_t n, int64_t nrhs, tsl_cfloat *A, int64_t lda, tsl_cfloat *B,
                              int64_t ldb, int64_t *jpvt, float rcond, int64_t *rank, int64_t *info);
TSL_API tsl_status tsl_zgelsy(tsl_context *ctx, int64_t m, int64_t n, int64_t nrhs, tsl_cdouble *A, int64_t lda, tsl_cdouble *B,
                              int64_t ldb, int64_t *jpvt, double rcond, int64_t *rank, int64_t *info);

/** The same by singular values. s, a column of min(m,n) elements of A's real type, := the singular values, descending.
 * Those of at most rcond times the largest count as zero; a negative rcond means roundoff. *rank := how many do not
 * count as zero. If m > n and *rank = n, the squares of the last m - n rows of a column of B sum to its residual. info
 * as in gesvd (svd.h); if it is not 0 X and s are NaN. */
TSL_API tsl_status tsl_gelsd(tsl_context *ctx, tsl_view A, tsl_view s, tsl_view B, double rcond, int64_t *rank, int64_t *info);
TSL_API tsl_status tsl_sgelsd(tsl_context *ctx, int64_t m, int64_t n, int64_t nrhs, float *A, int64_t lda, float *B,
                              int64_t ldb, float *s, float rcond, int64_t *rank, int64_t *info);
TSL_API tsl_status tsl_dgelsd(tsl_context *ctx, int64_t m, int64_t n, int64_t nrhs, double *A, int64_t lda, double *B,
                              int64_t ldb, double *s, double rcond, int64_t *rank, int64_t *info);
TSL_API tsl_status tsl_cgelsd(tsl_context *ctx, int64_t m, int64_t n, int64_t nrhs, tsl_cfloat *A, int64_t lda, tsl_cfloat *B,
                              int64_t ldb, float *s, float rcond, int64_t *rank, int64_t *info);
TSL_API tsl_status tsl_zgelsd(tsl_context *ctx, int64_t m, int64_t n, int64_t nrhs, tsl_cdouble *A, int64_t lda, tsl_cdouble *B,
                              int64_t ldb, double *s, double rcond, int64_t *rank, int64_t *info);

/* ---- column pivoting ---------------------------------------------------------------------------------------------------- */

/** A P = Q R, A m x n as it is stored; R, Q and tau as geqrf leaves them. The diagonal of R does not increase in size.
 * p is a column of n TSL_INDEX (typed: jpvt). On entry p(j) not 0 brings column j to the front, before those that are
 * pivoted. On exit column j of A P was column p(j) of A. Pivots are LAPACK's; where two columns are equally long up to
 * rounding another one may come first. */
TSL_API tsl_status tsl_geqp3(tsl_context *ctx, tsl_view A, tsl_view p, tsl_view tau);
TSL_API tsl_status tsl_sgeqp3(tsl_context *ctx, int64_t m, int64_t n, float *A, int64_t lda, int64_t *jpvt, float *tau,
                              int64_t *info);
TSL_API tsl_status tsl_dgeqp3(tsl_context *ctx, int64_t m, int64_t n, double *A, int64_t lda, int64_t *jpvt, double *tau,
                              int64_t *info);
TSL_API tsl_status tsl_cgeqp3(tsl_context *ctx, int64_t m, int64_t n, tsl_cfloat *A, int64_t lda, int64_t *jpvt,
                              tsl_cfloat *tau, int64_t *info);
TSL_API tsl_status tsl_zgeqp3(tsl_context *ctx, int64_t m, int64_t n, tsl_cdouble *A, int64_t lda, int64_t *jpvt,
                              tsl_cdouble *tau, int64_t *info);

/** The same by blocks, whose pivots are those of a random sketch of what is left of A: much faster on a GPU, and nearly
 * as good at finding the rank. The diagonal of R decreases from block to block, and within a block up to a small
 * factor. p is only written.
 * It stops after the block in which `most` columns are done, or an element of R's diagonal is at most tolerance times
 * the first. *rank, if not NULL, := how many columns came before that, at most `most`. The first *rank rows of R and
 * reflectors are then there, and tau is zero for columns that are not done. tolerance 0: to the end; columns after a
 * zero of the diagonal do not count for the rank.
 * The same seed gives the same numbers each time. The call waits if there is a tolerance. */
TSL_API tsl_status tsl_geqp3_random(tsl_context *ctx, tsl_view A, tsl_view p, tsl_view tau, int64_t most, double tolerance,
                                    int64_t seed, int64_t *rank);
TSL_API tsl_status tsl_sgeqp3_random(tsl_context *ctx, int64_t m, int64_t n, float *A, int64_t lda, int64_t *jpvt, float *tau,
                                     int64_t most, float tolerance, int64_t seed, int64_t *rank, int64_t *info);
TSL_API tsl_status tsl_dgeqp3_random(tsl_context *ctx, int64_t m, int64_t n, double *A, int64_t lda, int64_t *jpvt, double *tau,
                                     int64_t most, double tolerance, int64_t seed, int64_t *rank, int64_t *info);
TSL_API tsl_status tsl_cgeqp3_random(tsl_context *ctx, int64_t m, int64_t n, tsl_cfloat *A, int64_t lda, int64_t *jpvt,
                                     tsl_cfloat *tau, int64_t most, float tolerance, int64_t seed, int64_t *rank,
                                     int64_t *info);
TSL_API tsl_status tsl_zgeqp3_random(tsl_context *ctx, int64_t m, int64_t n, tsl_cdouble *A, int64_t lda, int64_t *jpvt,
                                     tsl_cdouble *tau, int64_t most, double tolerance, int64_t seed, int64_t *rank,
                                     int64_t *info);

/* ---- incremental QR -----------------------------------------------------------------------------------------------------
 * Each reflector reaches over two tiles of a column, so that by tiles no task waits for a whole column. It is as stable
 * as geqrf and takes more operations; Q is not stored as LAPACK's. All operands are as they are stored; A, m x n, has
 * no more columns than rows. */

/** As gels with m >= n, by incremental QR. B has m rows; A is overwritten. */
TSL_API tsl_status tsl_gels_inc(tsl_context *ctx, tsl_view A, tsl_view B, int64_t *info);
TSL_API tsl_status tsl_sgels_inc(tsl_context *ctx, int64_t m, int64_t n, int64_t nrhs, float *A, int64_t lda, float *B,
                                 int64_t ldb, int64_t *info);
TSL_API tsl_status tsl_dgels_inc(tsl_context *ctx, int64_t m, int64_t n, int64_t nrhs, double *A, int64_t lda, double *B,
                                 int64_t ldb, int64_t *info);
TSL_API tsl_status tsl_cgels_inc(tsl_context *ctx, int64_t m, int64_t n, int64_t nrhs, tsl_cfloat *A, int64_t lda,
                                 tsl_cfloat *B, int64_t ldb, int64_t *info);
TSL_API tsl_status tsl_zgels_inc(tsl_context *ctx, int64_t m, int64_t n, int64_t nrhs, tsl_cdouble *A, int64_t lda,
                                 tsl_cdouble *B, int64_t ldb, int64_t *info);

/** The factors only, by tiles of nb x nb. R overwrites the upper triangle of A, parts of the reflectors the rest; what
 * has no place there goes to T and tau. With r = ceil(m / nb), t = ceil(n / nb) and p = t (r - t) + t (t + 1) / 2 pairs
 * of tiles: tau is nb x p, T is ib x nb p, where 1 <= ib <= nb is the width of inner panels, nb / 8 or so. */
TSL_API tsl_status tsl_geqrf_inc(tsl_context *ctx, tsl_view A, tsl_view T, tsl_view tau);

/** C, of m rows, := op(Q) C. A, T and tau hold geqrf_inc's factors; other calls do not take them. */
TSL_API tsl_status tsl_ormqr_inc(tsl_context *ctx, tsl_op trans, tsl_view A, tsl_view T, tsl_view tau, tsl_view C);

#ifdef __cplusplus
}
#endif
#endif
