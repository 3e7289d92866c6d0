/** @file
 * tesela/schur.h - eigenvalues, eigenvectors and Schur forms of general matrices; Sylvester's and Lyapunov's equation.
 *
 * Operands are as they are stored. A Schur form T is upper triangular; of real elements it has blocks of order 2 on its
 * diagonal, as LAPACK leaves them, for pairs of conjugate eigenvalues.
 * Eigenvalues: w is a column of n elements of A's type. If A is real, w has the real parts and wi, another column, the
 * imaginary ones; a pair of conjugates is side by side, the one with the positive imaginary part first. If A is
 * complex, wi is a view without a matrix. Typed: wr and wi of real types, w of complex ones. */
#ifndef TESELA_SCHUR_H
#define TESELA_SCHUR_H

#include "matrix.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- drivers ------------------------------------------------------------------------------------------------------------ */

/** Eigenvalues and eigenvectors of A, n x n. A is overwritten. VR, n x n, := the vectors on the right, A v = l v; VL
 * those on the left, u^H A = l u^H. They have length 1 and their largest element is real. Of a real A the vectors of a
 * pair are v = VR(:,j) + i VR(:,j+1) and its conjugate. VL and VR may be missing. A is balanced first, and scaled where
 * its elements are near an end of the range. info as in hseqr; if it is not 0 there are no vectors. The call waits.
 * Typed: jobvl, jobvr are N or V. */
TSL_API tsl_status tsl_geev(tsl_context *ctx, tsl_view A, tsl_view w, tsl_view wi, tsl_view VL, tsl_view VR, int64_t *info);
TSL_API tsl_status tsl_sgeev(tsl_context *ctx, char jobvl, char jobvr, int64_t n, float *A, int64_t lda, float *wr, float *wi,
                             float *VL, int64_t ldvl, float *VR, int64_t ldvr, int64_t *info);
TSL_API tsl_status tsl_dgeev(tsl_context *ctx, char jobvl, char jobvr, int64_t n, double *A, int64_t lda, double *wr,
                             double *wi, double *VL, int64_t ldvl, double *VR, int64_t ldvr, int64_t *info);
TSL_API tsl_status tsl_cgeev(tsl_context *ctx, char jobvl, char jobvr, int64_t n, tsl_cfloat *A, int64_t lda, tsl_cfloat *w,
                             tsl_cfloat *VL, int64_t ldvl, tsl_cfloat *VR, int64_t ldvr, int64_t *info);
TSL_API tsl_status tsl_zgeev(tsl_context *ctx, char jobvl, char jobvr, int64_t n, tsl_cdouble *A, int64_t lda, tsl_cdouble *w,
                             tsl_cdouble *VL, int64_t ldvl, tsl_cdouble *VR, int64_t ldvr, int64_t *info);

/** Which eigenvalues come first in a Schur form: in any order; those left of the imaginary axis; those not left of it;
 * those not outside the unit circle; those outside it */
typedef enum tsl_schur_sort {
    TSL_SORT_NONE = 0, TSL_SORT_LHP = 1, TSL_SORT_RHP = 2, TSL_SORT_IUC = 3, TSL_SORT_OUC = 4
} tsl_schur_sort;
/** A = VS T VS^H, A n x n. A becomes T, w and wi its eigenvalues. VS, n x n, := the unitary factor; it may be missing.
 * *sdim, if not NULL, := how many eigenvalues come first by `sort`; 0 for TSL_SORT_NONE. info as in hseqr; n + 1: some
 * eigenvalues were too close to be put in this order; n + 2: rounding has moved one to the other side. The call waits.
 * Of a batch that is sorted sdim must be NULL: else TSL_ERR_LAYOUT. Typed: jobvs is N or V; sort is N, or which come
 * first: L left of the axis, R not left, I not outside the circle, O outside; sdim is in host memory. */
TSL_API tsl_status tsl_gees(tsl_context *ctx, tsl_view A, tsl_schur_sort sort, tsl_view w, tsl_view wi, tsl_view VS,
                            int64_t *sdim, int64_t *info);
TSL_API tsl_status tsl_sgees(tsl_context *ctx, char jobvs, char sort, int64_t n, float *A, int64_t lda, int64_t *sdim,
                             float *wr, float *wi, float *VS, int64_t ldvs, int64_t *info);
TSL_API tsl_status tsl_dgees(tsl_context *ctx, char jobvs, char sort, int64_t n, double *A, int64_t lda, int64_t *sdim,
                             double *wr, double *wi, double *VS, int64_t ldvs, int64_t *info);
TSL_API tsl_status tsl_cgees(tsl_context *ctx, char jobvs, char sort, int64_t n, tsl_cfloat *A, int64_t lda, int64_t *sdim,
                             tsl_cfloat *w, tsl_cfloat *VS, int64_t ldvs, int64_t *info);
TSL_API tsl_status tsl_zgees(tsl_context *ctx, char jobvs, char sort, int64_t n, tsl_cdouble *A, int64_t lda, int64_t *sdim,
                             tsl_cdouble *w, tsl_cdouble *VS, int64_t ldvs, int64_t *info);

/* ---- the steps ---------------------------------------------------------------------------------------------------------- */

/** A = Q H Q^H, A n x n, H zero below the diagonal next to the main one (Hessenberg form). A is known to be upper
 * triangular outside rows and columns ilo .. ihi, 1 <= ilo <= ihi <= n; 1 and n: nothing is known; if n = 0: 1 and 0. Q
 * is the product of the reflectors H(ilo) .. H(ihi-1), H(i) = I - tau(i) v v^H, stored as LAPACK's: v has its one in
 * row i + 1, and the rest is below that in column i of A. tau is a column of n - 1 elements; the others are zero. */
TSL_API tsl_status tsl_gehrd(tsl_context *ctx, int64_t ilo, int64_t ihi, tsl_view A, tsl_view tau);
TSL_API tsl_status tsl_sgehrd(tsl_context *ctx, int64_t n, int64_t ilo, int64_t ihi, float *A, int64_t lda, float *tau,
                              int64_t *info);
TSL_API tsl_status tsl_dgehrd(tsl_context *ctx, int64_t n, int64_t ilo, int64_t ihi, double *A, int64_t lda, double *tau,
                              int64_t *info);
TSL_API tsl_status tsl_cgehrd(tsl_context *ctx, int64_t n, int64_t ilo, int64_t ihi, tsl_cfloat *A, int64_t lda,
                              tsl_cfloat *tau, int64_t *info);
TSL_API tsl_status tsl_zgehrd(tsl_context *ctx, int64_t n, int64_t ilo, int64_t ihi, tsl_cdouble *A, int64_t lda,
                              tsl_cdouble *tau, int64_t *info);

/** A := Q, all of it; A and tau as gehrd left them. */
TSL_API tsl_status tsl_orghr(tsl_context *ctx, int64_t ilo, int64_t ihi, tsl_view A, tsl_view tau);
TSL_API tsl_status tsl_sorghr(tsl_context *ctx, int64_t n, int64_t ilo, int64_t ihi, float *A, int64_t lda, const float *tau,
                              int64_t *info);
TSL_API tsl_status tsl_dorghr(tsl_context *ctx, int64_t n, int64_t ilo, int64_t ihi, double *A, int64_t lda, const double *tau,
                              int64_t *info);
TSL_API tsl_status tsl_cunghr(tsl_context *ctx, int64_t n, int64_t ilo, int64_t ihi, tsl_cfloat *A, int64_t lda,
                              const tsl_cfloat *tau, int64_t *info);
TSL_API tsl_status tsl_zunghr(tsl_context *ctx, int64_t n, int64_t ilo, int64_t ihi, tsl_cdouble *A, int64_t lda,
                              const tsl_cdouble *tau, int64_t *info);

/** LEFT: C := op(Q) C; RIGHT: C := C op(Q); A and tau as gehrd left them. trans as in qr.h. */
TSL_API tsl_status tsl_ormhr(tsl_context *ctx, tsl_side side, tsl_op trans, int64_t ilo, int64_t ihi, tsl_view A, tsl_view tau,
                             tsl_view C);
TSL_API tsl_status tsl_sormhr(tsl_context *ctx, char side, char trans, int64_t m, int64_t n, int64_t ilo, int64_t ihi,
                              const float *A, int64_t lda, const float *tau, float *C, int64_t ldc, int64_t *info);
TSL_API tsl_status tsl_dormhr(tsl_context *ctx, char side, char trans, int64_t m, int64_t n, int64_t ilo, int64_t ihi,
                              const double *A, int64_t lda, const double *tau, double *C, int64_t ldc, int64_t *info);
TSL_API tsl_status tsl_cunmhr(tsl_context *ctx, char side, char trans, int64_t m, int64_t n, int64_t ilo, int64_t ihi,
                              const tsl_cfloat *A, int64_t lda, const tsl_cfloat *tau, tsl_cfloat *C, int64_t ldc,
                              int64_t *info);
TSL_API tsl_status tsl_zunmhr(tsl_context *ctx, char side, char trans, int64_t m, int64_t n, int64_t ilo, int64_t ihi,
                              const tsl_cdouble *A, int64_t lda, const tsl_cdouble *tau, tsl_cdouble *C, int64_t ldc,
                              int64_t *info);

/** Eigenvalues of H, n x n and Hessenberg, ilo and ihi as of gehrd; what is below the diagonal next to the main one
 * does not count.
 * schur not 0: H becomes T of H = Z T Z^H; 0: H is overwritten. Z, n x n, := Z times that unitary matrix, and schur
 * must be set; it may be missing. Only rows ilo .. ihi of Z are changed, as in LAPACK. That is all that is needed if Z
 * is what orghr made: outside that block its rows and columns are those of the identity.
 * info: 0; LAPACK's, if eigenvalues 1 .. info were not found; n, if an element of H was not finite, and then the
 * results are NaN.
 * Typed: job E eigenvalues, S Schur form; compz N: no Z; I: Z becomes the unitary matrix; V: Z becomes Z times it, in
 * rows ilo .. ihi. */
TSL_API tsl_status tsl_hseqr(tsl_context *ctx, int schur, int64_t ilo, int64_t ihi, tsl_view H, tsl_view w, tsl_view wi,
                             tsl_view Z, int64_t *info);
TSL_API tsl_status tsl_shseqr(tsl_context *ctx, char job, char compz, int64_t n, int64_t ilo, int64_t ihi, float *H,
                              int64_t ldh, float *wr, float *wi, float *Z, int64_t ldz, int64_t *info);
TSL_API tsl_status tsl_dhseqr(tsl_context *ctx, char job, char compz, int64_t n, int64_t ilo, int64_t ihi, double *H,
                              int64_t ldh, double *wr, double *wi, double *Z, int64_t ldz, int64_t *info);
TSL_API tsl_status tsl_chseqr(tsl_context *ctx, char job, char compz, int64_t n, int64_t ilo, int64_t ihi, tsl_cfloat *H,
                              int64_t ldh, tsl_cfloat *w, tsl_cfloat *Z, int64_t ldz, int64_t *info);
TSL_API tsl_status tsl_zhseqr(tsl_context *ctx, char job, char compz, int64_t n, int64_t ilo, int64_t ihi, tsl_cdouble *H,
                              int64_t ldh, tsl_cdouble *w, tsl_cdouble *Z, int64_t ldz, int64_t *info);

/* ---- Sylvester's equation ----------------------------------------------------------------------------------------------- */

/** A X + isgn X B = s C, A m x m, B n x n, isgn 1 or -1. C, m x n, := X. A and B are Schur forms: upper triangular, of
 * real elements with blocks of order 2 where the element below the diagonal is not zero; below that they are zero.
 * Either may be seen through any op. s, one element of A's real type, := LAPACK's scale: 1, or less where X would
 * overflow. info = 1: eigenvalues of A and of -isgn B nearly meet, and X is the solution for matrices that differ from
 * A and B by rounding. The call waits. Typed: trana, tranb are N or C, of real elements T too; scale may be in host or
 * device memory. */
TSL_API tsl_status tsl_trsyl(tsl_context *ctx, int64_t isgn, tsl_view A, tsl_view B, tsl_view C, tsl_view s, int64_t *info);
TSL_API tsl_status tsl_strsyl(tsl_context *ctx, char trana, char tranb, int64_t isgn, int64_t m, int64_t n, const float *A,
                              int64_t lda, const float *B, int64_t ldb, float *C, int64_t ldc, float *scale, int64_t *info);
TSL_API tsl_status tsl_dtrsyl(tsl_context *ctx, char trana, char tranb, int64_t isgn, int64_t m, int64_t n, const double *A,
                              int64_t lda, const double *B, int64_t ldb, double *C, int64_t ldc, double *scale, int64_t *info);
TSL_API tsl_status tsl_ctrsyl(tsl_context *ctx, char trana, char tranb, int64_t isgn, int64_t m, int64_t n, const tsl_cfloat *A,
                              int64_t lda, const tsl_cfloat *B, int64_t ldb, tsl_cfloat *C, int64_t ldc, float *scale,
                              int64_t *info);
TSL_API tsl_status tsl_ztrsyl(tsl_context *ctx, char trana, char tranb, int64_t isgn, int64_t m, int64_t n,
                              const tsl_cdouble *A, int64_t lda, const tsl_cdouble *B, int64_t ldb, tsl_cdouble *C, int64_t ldc,
                              double *scale, int64_t *info);

/** A X + X B = s C with general matrices, A m x m, B n x n. C, m x n, := X. A and B become their Schur forms. s as in
 * trsyl. info = 1: as in trsyl. info = 1 + i: A has no Schur form, and gees' info was i; 1 + m + i: the same of B; then
 * C is NaN. Real matrices stay real. The call waits. */
TSL_API tsl_status tsl_sylvester(tsl_context *ctx, tsl_view A, tsl_view B, tsl_view C, tsl_view s, int64_t *info);
TSL_API tsl_status tsl_ssylvester(tsl_context *ctx, int64_t m, int64_t n, float *A, int64_t lda, float *B, int64_t ldb,
                                  float *C, int64_t ldc, float *scale, int64_t *info);
TSL_API tsl_status tsl_dsylvester(tsl_context *ctx, int64_t m, int64_t n, double *A, int64_t lda, double *B, int64_t ldb,
                                  double *C, int64_t ldc, double *scale, int64_t *info);
TSL_API tsl_status tsl_csylvester(tsl_context *ctx, int64_t m, int64_t n, tsl_cfloat *A, int64_t lda, tsl_cfloat *B,
                                  int64_t ldb, tsl_cfloat *C, int64_t ldc, float *scale, int64_t *info);
TSL_API tsl_status tsl_zsylvester(tsl_context *ctx, int64_t m, int64_t n, tsl_cdouble *A, int64_t lda, tsl_cdouble *B,
                                  int64_t ldb, tsl_cdouble *C, int64_t ldc, double *scale, int64_t *info);

/** Lyapunov's equation A X + X A^H = s C: the same with one Schur form. */
TSL_API tsl_status tsl_lyapunov(tsl_context *ctx, tsl_view A, tsl_view C, tsl_view s, int64_t *info);
TSL_API tsl_status tsl_slyapunov(tsl_context *ctx, int64_t n, float *A, int64_t lda, float *C, int64_t ldc, float *scale,
                                 int64_t *info);
TSL_API tsl_status tsl_dlyapunov(tsl_context *ctx, int64_t n, double *A, int64_t lda, double *C, int64_t ldc, double *scale,
                                 int64_t *info);
TSL_API tsl_status tsl_clyapunov(tsl_context *ctx, int64_t n, tsl_cfloat *A, int64_t lda, tsl_cfloat *C, int64_t ldc,
                                 float *scale, int64_t *info);
TSL_API tsl_status tsl_zlyapunov(tsl_context *ctx, int64_t n, tsl_cdouble *A, int64_t lda, tsl_cdouble *C, int64_t ldc,
                                 double *scale, int64_t *info);

#ifdef __cplusplus
}
#endif
#endif
