/** @file
 * tesela/svd.h - singular values and vectors, pseudo-inverse and rank, polar decomposition; bidiagonal matrices; the
 * reductions.
 *
 * Operands are as they are stored. Singular values descend. */
#ifndef TESELA_SVD_H
#define TESELA_SVD_H

#include "matrix.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- singular values ---------------------------------------------------------------------------------------------------- */

/** How singular values are found. DC: bidiagonal form (gebrd), then divide and conquer (bdsdc). QR: bidiagonal form,
 * then implicit QR (bdsqr). POLAR: polar decomposition, then the eigenpairs of its H. AUTO: on the host's cores DC; on
 * a GPU POLAR, or for values alone of large matrices a band. Each is there on every device; tall and wide matrices go
 * by QR or LQ first. */
typedef enum tsl_svd_driver { TSL_SVD_AUTO = 0, TSL_SVD_DC = 1, TSL_SVD_QR = 2, TSL_SVD_POLAR = 3 } tsl_svd_driver;

/** A = U diag(s) V^H, A m x n. A is overwritten. s, a column of min(m,n) elements of A's real type, := the singular
 * values. U, m x min(m,n) or m x m, := the vectors on the left. VT, min(m,n) x n or n x n, := those on the right, as
 * rows of V^H. U and VT may be missing.
 * Accuracy is absolute: a singular value is off by a small multiple of eps times the largest. A is scaled where its
 * elements are near an end of the range. info = 1 .. min(m,n): s, U and VT are NaN; an element of A was not finite
 * (info = min(m,n)), or a singular value was not found. The call waits. */
TSL_API tsl_status tsl_gesvd(tsl_context *ctx, tsl_view A, tsl_svd_driver driver, tsl_view s, tsl_view U, tsl_view VT,
                             int64_t *info);

/** jobu, jobvt: N no vectors; S min(m,n) of them; A all; O those of S in A. */
TSL_API tsl_status tsl_sgesvd(tsl_context *ctx, char jobu, char jobvt, int64_t m, int64_t n, float *A, int64_t lda, float *s,
                              float *U, int64_t ldu, float *VT, int64_t ldvt, int64_t *info);
TSL_API tsl_status tsl_dgesvd(tsl_context *ctx, char jobu, char jobvt, int64_t m, int64_t n, double *A, int64_t lda, double *s,
                              double *U, int64_t ldu, double *VT, int64_t ldvt, int64_t *info);
TSL_API tsl_status tsl_cgesvd(tsl_context *ctx, char jobu, char jobvt, int64_t m, int64_t n, tsl_cfloat *A, int64_t lda,
                              float *s, tsl_cfloat *U, int64_t ldu, tsl_cfloat *VT, int64_t ldvt, int64_t *info);
TSL_API tsl_status tsl_zgesvd(tsl_context *ctx, char jobu, char jobvt, int64_t m, int64_t n, tsl_cdouble *A, int64_t lda,
                              double *s, tsl_cdouble *U, int64_t ldu, tsl_cdouble *VT, int64_t ldvt, int64_t *info);

/** jobz: of both sides alike, N, S or A. O: A gets the vectors of the side that fits into it, the other array all of
 * its side. */
TSL_API tsl_status tsl_sgesdd(tsl_context *ctx, char jobz, int64_t m, int64_t n, float *A, int64_t lda, float *s, float *U,
                              int64_t ldu, float *VT, int64_t ldvt, int64_t *info);
TSL_API tsl_status tsl_dgesdd(tsl_context *ctx, char jobz, int64_t m, int64_t n, double *A, int64_t lda, double *s, double *U,
                              int64_t ldu, double *VT, int64_t ldvt, int64_t *info);
TSL_API tsl_status tsl_cgesdd(tsl_context *ctx, char jobz, int64_t m, int64_t n, tsl_cfloat *A, int64_t lda, float *s,
                              tsl_cfloat *U, int64_t ldu, tsl_cfloat *VT, int64_t ldvt, int64_t *info);
TSL_API tsl_status tsl_zgesdd(tsl_context *ctx, char jobz, int64_t m, int64_t n, tsl_cdouble *A, int64_t lda, double *s,
                              tsl_cdouble *U, int64_t ldu, tsl_cdouble *VT, int64_t ldvt, int64_t *info);

/** P, n x m, := the pseudo-inverse of A, m x n. A is overwritten. *rank, if not NULL, := how many singular values are
 * above tolerance times the largest; the others count as zero. A tolerance below 0 means max(m,n) eps. info as in
 * gesvd; if it is not 0 P is NaN. Of a batch rank must be NULL: else TSL_ERR_LAYOUT. The rows of gesvd's n x n VT after
 * the first `rank` are a basis of the null space. */
TSL_API tsl_status tsl_pinv(tsl_context *ctx, tsl_view A, double tolerance, tsl_view P, int64_t *rank, int64_t *info);

/** *rank := how many singular values of A are above tolerance times the largest, as in pinv. A is overwritten. */
TSL_API tsl_status tsl_matrix_rank(tsl_context *ctx, tsl_view A, double tolerance, int64_t *rank, int64_t *info);

/* ---- polar decomposition ------------------------------------------------------------------------------------------------ */

/** A = U H, A m x n with m >= n. A becomes U, with orthonormal columns. H, n x n, := a Hermitian matrix, positive
 * semidefinite up to rounding, all of it; it may be missing (typed: NULL). By Halley's iteration with weights (QDWH).
 * If A is singular U is one of many: that of a matrix that differs from A by rounding. info = n: A and H are NaN; an
 * element was not finite. */
TSL_API tsl_status tsl_polar(tsl_context *ctx, tsl_view A, tsl_view H, int64_t *info);
TSL_API tsl_status tsl_spolar(tsl_context *ctx, int64_t m, int64_t n, float *A, int64_t lda, float *H, int64_t ldh,
                              int64_t *info);
TSL_API tsl_status tsl_dpolar(tsl_context *ctx, int64_t m, int64_t n, double *A, int64_t lda, double *H, int64_t ldh,
                              int64_t *info);
TSL_API tsl_status tsl_cpolar(tsl_context *ctx, int64_t m, int64_t n, tsl_cfloat *A, int64_t lda, tsl_cfloat *H, int64_t ldh,
                              int64_t *info);
TSL_API tsl_status tsl_zpolar(tsl_context *ctx, int64_t m, int64_t n, tsl_cdouble *A, int64_t lda, tsl_cdouble *H, int64_t ldh,
                              int64_t *info);

/* ---- bidiagonal matrices ------------------------------------------------------------------------------------------------
 * The matrix is real, of order n, with the diagonal d, n elements, and e, n - 1, above it (uplo TSL_UPPER; typed: U) or
 * below it (TSL_LOWER; typed: L): columns of the real type of U and VT. Operands may be complex; vectors then have
 * imaginary parts of zero. Each of U, VT and C may be missing. Elements are scaled where they are near an end of the
 * range. d := the singular values; e is overwritten. info = 1 .. n: d and all vectors are NaN; an element of d or e was
 * not finite (info = n), or a singular value was not found. */

/** B = U diag(d) VT by divide and conquer. U and VT are n x n. Accuracy is absolute, as of gesvd. Variant "host": by
 * the host's cores, wherever the operands are. Typed: compq is N for no vectors, I for both U and VT. */
TSL_API tsl_status tsl_bdsdc(tsl_context *ctx, tsl_uplo uplo, tsl_view d, tsl_view e, tsl_view U, tsl_view VT, int64_t *info);
TSL_API tsl_status tsl_sbdsdc(tsl_context *ctx, char uplo, char compq, int64_t n, float *d, float *e, float *U, int64_t ldu,
                              float *VT, int64_t ldvt, int64_t *info);
TSL_API tsl_status tsl_dbdsdc(tsl_context *ctx, char uplo, char compq, int64_t n, double *d, double *e, double *U, int64_t ldu,
                              double *VT, int64_t ldvt, int64_t *info);

/** B = Q diag(d) P^T by implicit QR. U, with n columns, := U Q; VT, with n rows, := P^T VT; C, with n rows, := Q^T C.
 * Every singular value, however small, is accurate relative to itself. By the host's cores, wherever the operands are.
 * Typed: VT is n x ncvt, U nru x n, C n x ncc. */
TSL_API tsl_status tsl_bdsqr(tsl_context *ctx, tsl_uplo uplo, tsl_view d, tsl_view e, tsl_view U, tsl_view VT, tsl_view C,
                             int64_t *info);
TSL_API tsl_status tsl_sbdsqr(tsl_context *ctx, char uplo, int64_t n, int64_t ncvt, int64_t nru, int64_t ncc, float *d,
                              float *e, float *VT, int64_t ldvt, float *U, int64_t ldu, float *C, int64_t ldc, int64_t *info);
TSL_API tsl_status tsl_dbdsqr(tsl_context *ctx, char uplo, int64_t n, int64_t ncvt, int64_t nru, int64_t ncc, double *d,
                              double *e, double *VT, int64_t ldvt, double *U, int64_t ldu, double *C, int64_t ldc,
                              int64_t *info);
TSL_API tsl_status tsl_cbdsqr(tsl_context *ctx, char uplo, int64_t n, int64_t ncvt, int64_t nru, int64_t ncc, float *d,
                              float *e, tsl_cfloat *VT, int64_t ldvt, tsl_cfloat *U, int64_t ldu, tsl_cfloat *C, int64_t ldc,
                              int64_t *info);
TSL_API tsl_status tsl_zbdsqr(tsl_context *ctx, char uplo, int64_t n, int64_t ncvt, int64_t nru, int64_t ncc, double *d,
                              double *e, tsl_cdouble *VT, int64_t ldvt, tsl_cdouble *U, int64_t ldu, tsl_cdouble *C,
                              int64_t ldc, int64_t *info);

/* ---- reduction to bidiagonal form --------------------------------------------------------------------------------------- */

/** A = Q B P^H, A m x n. d := B's diagonal, min(m,n) elements, e := the one beside it, one less: above the diagonal if
 * m >= n, else below; columns of A's real type. Q = H(1) H(2) .. and P = G(1) G(2) .. are products of reflectors,
 * stored as LAPACK's in A, with B; their factors go to tauq and taup, columns of min(m,n) elements.
 * m >= n: H(i) = I - tauq(i) v v^H, v has its one in row i, and the rest is below that in column i. G(i) = I - taup(i)
 * u u^H, u has its one in row i + 1, and the rest, conjugated, is in row i from column i + 2 on.
 * m < n: the same of A^H, with Q and P exchanged.
 * On a GPU elements that are smaller than the largest by nearly the whole range of the type may count as zero; where
 * the reduction goes by a band, those whose squares are (docs/svd.md). */
TSL_API tsl_status tsl_gebrd(tsl_context *ctx, tsl_view A, tsl_view d, tsl_view e, tsl_view tauq, tsl_view taup);
TSL_API tsl_status tsl_sgebrd(tsl_context *ctx, int64_t m, int64_t n, float *A, int64_t lda, float *d, float *e, float *tauq,
                              float *taup, int64_t *info);
TSL_API tsl_status tsl_dgebrd(tsl_context *ctx, int64_t m, int64_t n, double *A, int64_t lda, double *d, double *e,
                              double *tauq, double *taup, int64_t *info);
TSL_API tsl_status tsl_cgebrd(tsl_context *ctx, int64_t m, int64_t n, tsl_cfloat *A, int64_t lda, float *d, float *e,
                              tsl_cfloat *tauq, tsl_cfloat *taup, int64_t *info);
TSL_API tsl_status tsl_zgebrd(tsl_context *ctx, int64_t m, int64_t n, tsl_cdouble *A, int64_t lda, double *d, double *e,
                              tsl_cdouble *tauq, tsl_cdouble *taup, int64_t *info);

/** C := op(Q) C (side LEFT) or C op(Q) (RIGHT); P instead of Q if which is TSL_RIGHT. A, whole, as gebrd left it, with
 * tau = tauq for Q and taup for P. trans as in qr.h. Typed: vect is Q or P. */
TSL_API tsl_status tsl_ormbr(tsl_context *ctx, tsl_side which, tsl_side side, tsl_op trans, tsl_view A, tsl_view tau,
                             tsl_view C);
TSL_API tsl_status tsl_sormbr(tsl_context *ctx, char vect, char side, char trans, int64_t m, int64_t n, int64_t k,
                              const float *A, int64_t lda, const float *tau, float *C, int64_t ldc, int64_t *info);
TSL_API tsl_status tsl_dormbr(tsl_context *ctx, char vect, char side, char trans, int64_t m, int64_t n, int64_t k,
                              const double *A, int64_t lda, const double *tau, double *C, int64_t ldc, int64_t *info);
TSL_API tsl_status tsl_cunmbr(tsl_context *ctx, char vect, char side, char trans, int64_t m, int64_t n, int64_t k,
                              const tsl_cfloat *A, int64_t lda, const tsl_cfloat *tau, tsl_cfloat *C, int64_t ldc,
                              int64_t *info);
TSL_API tsl_status tsl_zunmbr(tsl_context *ctx, char vect, char side, char trans, int64_t m, int64_t n, int64_t k,
                              const tsl_cdouble *A, int64_t lda, const tsl_cdouble *tau, tsl_cdouble *C, int64_t ldc,
                              int64_t *info);

/** which TSL_LEFT: A, m x n, := the first n columns of Q, of a matrix with k columns, m >= n >= min(m,k). TSL_RIGHT: A
 * := the first m rows of P^H, of a matrix with k rows, n >= m >= min(n,k). A and tau, min(m,k) or min(n,k) factors, as
 * gebrd left them. Typed: vect is Q or P. */
TSL_API tsl_status tsl_orgbr(tsl_context *ctx, tsl_side which, int64_t k, tsl_view A, tsl_view tau);
TSL_API tsl_status tsl_sorgbr(tsl_context *ctx, char vect, int64_t m, int64_t n, int64_t k, float *A, int64_t lda,
                              const float *tau, int64_t *info);
TSL_API tsl_status tsl_dorgbr(tsl_context *ctx, char vect, int64_t m, int64_t n, int64_t k, double *A, int64_t lda,
                              const double *tau, int64_t *info);
TSL_API tsl_status tsl_cungbr(tsl_context *ctx, char vect, int64_t m, int64_t n, int64_t k, tsl_cfloat *A, int64_t lda,
                              const tsl_cfloat *tau, int64_t *info);
TSL_API tsl_status tsl_zungbr(tsl_context *ctx, char vect, int64_t m, int64_t n, int64_t k, tsl_cdouble *A, int64_t lda,
                              const tsl_cdouble *tau, int64_t *info);

/* ---- reduction to a band ------------------------------------------------------------------------------------------------ */

/** A = Q B P^H, A m x n with m >= n, B an upper band of order n with kd diagonals above the main one, on top of zeros.
 * AB, kd + 1 x n, := the band's conjugate transpose as LAPACK stores a lower one: AB(i,j) is conj(B(j, i + j)), both
 * counted from 0, and zero where there is none. Q is the product of n reflectors, QR's, which are below the diagonal of
 * A with factors in tauq, n elements. P is that of max(0, n - kd) reflectors, LQ's of the columns of A after the first
 * kd, with factors in taup, n elements. A is not scaled: its squares must not leave the range of its type. */
TSL_API tsl_status tsl_ge2gb(tsl_context *ctx, tsl_view A, tsl_view AB, tsl_view tauq, tsl_view taup);

#ifdef __cplusplus
}
#endif
#endif
