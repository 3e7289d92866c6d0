/** @file
 * tesela/eig.h - eigenproblems of symmetric and Hermitian matrices, of one matrix or two; tridiagonal matrices; the
 * reductions.
 *
 * A is n x n and given by a triangle, as it is stored; the imaginary part of a complex diagonal is taken as zero. Names
 * of typed calls have "sy" and "or" of real types, "he" and "un" of complex ones. Eigenvalues ascend. Eigenvectors have
 * length 1. */
#ifndef TESELA_EIG_H
#define TESELA_EIG_H

#include "matrix.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- which eigenpairs --------------------------------------------------------------------------------------------------- */

/** Eigenpairs are numbered from 1, with ascending eigenvalues: all; numbers il .. iu; those with vl < eigenvalue <= vu. */
typedef enum tsl_range { TSL_RANGE_ALL = 0, TSL_RANGE_INDEX = 1, TSL_RANGE_VALUE = 2 } tsl_range;
/** Zeros, as NULL, mean all. */
typedef struct tsl_selection {
    tsl_range range;
    int64_t il, iu; /**< TSL_RANGE_INDEX: 1 <= il, il <= iu + 1, iu <= n */
    double vl, vu;  /**< TSL_RANGE_VALUE: vl < vu; infinite ones are no limits */
} tsl_selection;

/* ---- drivers ------------------------------------------------------------------------------------------------------------ */

/** Eigenvalues and eigenvectors of A. All of A is overwritten, its other triangle too.
 * w, a column of n elements of A's real type, := the eigenvalues that are wanted, then zeros. *m, if not NULL, := how
 * many there are.
 * V, of n rows, := their eigenvectors in its first *m columns, then zeros. V may be missing or have no columns: then
 * only eigenvalues are computed. If V has too few columns: TSL_ERR_SHAPE. By value that is known late: then *m says how
 * many columns there must be, and A is overwritten. A is scaled where its elements are near an end of the range.
 * info = 1 .. n: w and V are NaN; an element of A was not finite (info = n), or an eigenvalue was not found. The call
 * waits. */
TSL_API tsl_status tsl_syev(tsl_context *ctx, tsl_view A, const tsl_selection *which, tsl_view w, tsl_view V, int64_t *m,
                            int64_t *info);

/** All eigenpairs. jobz V: A becomes the eigenvectors; N: eigenvalues alone. evd is the same as ev. */
TSL_API tsl_status tsl_ssyev(tsl_context *ctx, char jobz, char uplo, int64_t n, float *A, int64_t lda, float *w, int64_t *info);
TSL_API tsl_status tsl_dsyev(tsl_context *ctx, char jobz, char uplo, int64_t n, double *A, int64_t lda, double *w,
                             int64_t *info);
TSL_API tsl_status tsl_cheev(tsl_context *ctx, char jobz, char uplo, int64_t n, tsl_cfloat *A, int64_t lda, float *w,
                             int64_t *info);
TSL_API tsl_status tsl_zheev(tsl_context *ctx, char jobz, char uplo, int64_t n, tsl_cdouble *A, int64_t lda, double *w,
                             int64_t *info);
TSL_API tsl_status tsl_ssyevd(tsl_context *ctx, char jobz, char uplo, int64_t n, float *A, int64_t lda, float *w,
                              int64_t *info);
TSL_API tsl_status tsl_dsyevd(tsl_context *ctx, char jobz, char uplo, int64_t n, double *A, int64_t lda, double *w,
                              int64_t *info);
TSL_API tsl_status tsl_cheevd(tsl_context *ctx, char jobz, char uplo, int64_t n, tsl_cfloat *A, int64_t lda, float *w,
                              int64_t *info);
TSL_API tsl_status tsl_zheevd(tsl_context *ctx, char jobz, char uplo, int64_t n, tsl_cdouble *A, int64_t lda, double *w,
                              int64_t *info);

/** Eigenpairs by range. range A: all; V: vl < eigenvalue <= vu; I: numbers il .. iu. A is overwritten. m, in host
 * memory, := how many there are.
 * jobz V: the vectors are in the first m columns of Z. By value (range V) only these are written, and as m is known
 * late Z should have n columns.
 * abstol is not used. ifail and isuppz are in host memory and may be NULL: ifail is zero if all vectors were found;
 * isuppz says that all elements of a vector may differ from zero. */
TSL_API tsl_status tsl_ssyevx(tsl_context *ctx, char jobz, char range, char uplo, int64_t n, float *A, int64_t lda, float vl,
                              float vu, int64_t il, int64_t iu, float abstol, int64_t *m, float *w, float *Z, int64_t ldz,
                              int64_t *ifail, int64_t *info);
TSL_API tsl_status tsl_dsyevx(tsl_context *ctx, char jobz, char range, char uplo, int64_t n, double *A, int64_t lda, double vl,
                              double vu, int64_t il, int64_t iu, double abstol, int64_t *m, double *w, double *Z, int64_t ldz,
                              int64_t *ifail, int64_t *info);
TSL_API tsl_status tsl_cheevx(tsl_context *ctx, char jobz, char range, char uplo, int64_t n, tsl_cfloat *A, int64_t lda,
                              float vl, float vu, int64_t il, int64_t iu, float abstol, int64_t *m, float *w, tsl_cfloat *Z,
                              int64_t ldz, int64_t *ifail, int64_t *info);
TSL_API tsl_status tsl_zheevx(tsl_context *ctx, char jobz, char range, char uplo, int64_t n, tsl_cdouble *A, int64_t lda,
                              double vl, double vu, int64_t il, int64_t iu, double abstol, int64_t *m, double *w,
                              tsl_cdouble *Z, int64_t ldz, int64_t *ifail, int64_t *info);
TSL_API tsl_status tsl_ssyevr(tsl_context *ctx, char jobz, char range, char uplo, int64_t n, float *A, int64_t lda, float vl,
                              float vu, int64_t il, int64_t iu, float abstol, int64_t *m, float *w, float *Z, int64_t ldz,
                              int64_t *isuppz, int64_t *info);
TSL_API tsl_status tsl_dsyevr(tsl_context *ctx, char jobz, char range, char uplo, int64_t n, double *A, int64_t lda, double vl,
                              double vu, int64_t il, int64_t iu, double abstol, int64_t *m, double *w, double *Z, int64_t ldz,
                              int64_t *isuppz, int64_t *info);
TSL_API tsl_status tsl_cheevr(tsl_context *ctx, char jobz, char range, char uplo, int64_t n, tsl_cfloat *A, int64_t lda,
                              float vl, float vu, int64_t il, int64_t iu, float abstol, int64_t *m, float *w, tsl_cfloat *Z,
                              int64_t ldz, int64_t *isuppz, int64_t *info);
TSL_API tsl_status tsl_zheevr(tsl_context *ctx, char jobz, char range, char uplo, int64_t n, tsl_cdouble *A, int64_t lda,
                              double vl, double vu, int64_t il, int64_t iu, double abstol, int64_t *m, double *w,
                              tsl_cdouble *Z, int64_t ldz, int64_t *isuppz, int64_t *info);

/* ---- two matrices ------------------------------------------------------------------------------------------------------- */

/** Eigenpairs of A x = l B x (itype 1), A B x = l x (2) or B A x = l x (3). A and B are given by triangles, B is
 * positive definite. B becomes its Cholesky factor, as of potrf. Vectors: V^H B V = I, or for itype 3 V^H inv(B) V = I.
 * info = n + j: the leading minor of order j of B is not positive definite. Else as syev. */
TSL_API tsl_status tsl_sygv(tsl_context *ctx, int64_t itype, tsl_view A, tsl_view B, const tsl_selection *which, tsl_view w,
                            tsl_view V, int64_t *m, int64_t *info);

/** All eigenpairs, with arguments as of syev; gvd is the same as gv. */
TSL_API tsl_status tsl_ssygv(tsl_context *ctx, int64_t itype, char jobz, char uplo, int64_t n, float *A, int64_t lda, float *B,
                             int64_t ldb, float *w, int64_t *info);
TSL_API tsl_status tsl_dsygv(tsl_context *ctx, int64_t itype, char jobz, char uplo, int64_t n, double *A, int64_t lda,
                             double *B, int64_t ldb, double *w, int64_t *info);
TSL_API tsl_status tsl_chegv(tsl_context *ctx, int64_t itype, char jobz, char uplo, int64_t n, tsl_cfloat *A, int64_t lda,
                             tsl_cfloat *B, int64_t ldb, float *w, int64_t *info);
TSL_API tsl_status tsl_zhegv(tsl_context *ctx, int64_t itype, char jobz, char uplo, int64_t n, tsl_cdouble *A, int64_t lda,
                             tsl_cdouble *B, int64_t ldb, double *w, int64_t *info);
TSL_API tsl_status tsl_ssygvd(tsl_context *ctx, int64_t itype, char jobz, char uplo, int64_t n, float *A, int64_t lda, float *B,
                              int64_t ldb, float *w, int64_t *info);
TSL_API tsl_status tsl_dsygvd(tsl_context *ctx, int64_t itype, char jobz, char uplo, int64_t n, double *A, int64_t lda,
                              double *B, int64_t ldb, double *w, int64_t *info);
TSL_API tsl_status tsl_chegvd(tsl_context *ctx, int64_t itype, char jobz, char uplo, int64_t n, tsl_cfloat *A, int64_t lda,
                              tsl_cfloat *B, int64_t ldb, float *w, int64_t *info);
TSL_API tsl_status tsl_zhegvd(tsl_context *ctx, int64_t itype, char jobz, char uplo, int64_t n, tsl_cdouble *A, int64_t lda,
                              tsl_cdouble *B, int64_t ldb, double *w, int64_t *info);

/** Eigenpairs by range, with arguments as of syevx. */
TSL_API tsl_status tsl_ssygvx(tsl_context *ctx, int64_t itype, char jobz, char range, char uplo, int64_t n, float *A,
                              int64_t lda, float *B, int64_t ldb, float vl, float vu, int64_t il, int64_t iu, float abstol,
                              int64_t *m, float *w, float *Z, int64_t ldz, int64_t *ifail, int64_t *info);
TSL_API tsl_status tsl_dsygvx(tsl_context *ctx, int64_t itype, char jobz, char range, char uplo, int64_t n, double *A,
                              int64_t lda, double *B, int64_t ldb, double vl, double vu, int64_t il, int64_t iu, double abstol,
                              int64_t *m, double *w, double *Z, int64_t ldz, int64_t *ifail, int64_t *info);
TSL_API tsl_status tsl_chegvx(tsl_context *ctx, int64_t itype, char jobz, char range, char uplo, int64_t n, tsl_cfloat *A,
                              int64_t lda, tsl_cfloat *B, int64_t ldb, float vl, float vu, int64_t il, int64_t iu, float abstol,
                              int64_t *m, float *w, tsl_cfloat *Z, int64_t ldz, int64_t *ifail, int64_t *info);
TSL_API tsl_status tsl_zhegvx(tsl_context *ctx, int64_t itype, char jobz, char range, char uplo, int64_t n, tsl_cdouble *A,
                              int64_t lda, tsl_cdouble *B, int64_t ldb, double vl, double vu, int64_t il, int64_t iu,
                              double abstol, int64_t *m, double *w, tsl_cdouble *Z, int64_t ldz, int64_t *ifail, int64_t *info);

/** A := inv(L) A inv(L)^H for itype 1, L^H A L for 2 and 3. A is given by a triangle. L is the Cholesky factor that
 * potrf left in the triangle B; if that is upper, its conjugate transpose. */
TSL_API tsl_status tsl_sygst(tsl_context *ctx, int64_t itype, tsl_view A, tsl_view B);
TSL_API tsl_status tsl_ssygst(tsl_context *ctx, int64_t itype, char uplo, int64_t n, float *A, int64_t lda, const float *B,
                              int64_t ldb, int64_t *info);
TSL_API tsl_status tsl_dsygst(tsl_context *ctx, int64_t itype, char uplo, int64_t n, double *A, int64_t lda, const double *B,
                              int64_t ldb, int64_t *info);
TSL_API tsl_status tsl_chegst(tsl_context *ctx, int64_t itype, char uplo, int64_t n, tsl_cfloat *A, int64_t lda,
                              const tsl_cfloat *B, int64_t ldb, int64_t *info);
TSL_API tsl_status tsl_zhegst(tsl_context *ctx, int64_t itype, char uplo, int64_t n, tsl_cdouble *A, int64_t lda,
                              const tsl_cdouble *B, int64_t ldb, int64_t *info);

/* ---- tridiagonal matrices -----------------------------------------------------------------------------------------------
 * The matrix is real and symmetric, with the diagonal d, n elements, and e beside it, n - 1: columns of the real type
 * of Z. A complex Z gets imaginary parts of zero. info = 1 .. n: d and Z are NaN; an element of d or e was not finite
 * (info = n), or an eigenvalue was not found. Typed: compz N: eigenvalues alone, Z is not used; I: Z becomes the
 * vectors; V: Z becomes Z times the vectors. */

/** Eigenpairs, as syev. d and e are overwritten, w gets the eigenvalues. Z may be missing. */
TSL_API tsl_status tsl_stev(tsl_context *ctx, tsl_view d, tsl_view e, const tsl_selection *which, tsl_view w, tsl_view Z,
                            int64_t *m, int64_t *info);

/** jobz N or V; d becomes the eigenvalues. stevd is the same as stev. */
TSL_API tsl_status tsl_sstev(tsl_context *ctx, char jobz, int64_t n, float *d, float *e, float *Z, int64_t ldz, int64_t *info);
TSL_API tsl_status tsl_dstev(tsl_context *ctx, char jobz, int64_t n, double *d, double *e, double *Z, int64_t ldz,
                             int64_t *info);
TSL_API tsl_status tsl_sstevd(tsl_context *ctx, char jobz, int64_t n, float *d, float *e, float *Z, int64_t ldz, int64_t *info);
TSL_API tsl_status tsl_dstevd(tsl_context *ctx, char jobz, int64_t n, double *d, double *e, double *Z, int64_t ldz,
                              int64_t *info);

/** By range, with arguments as of syevr; by value Z has n columns. */
TSL_API tsl_status tsl_sstevr(tsl_context *ctx, char jobz, char range, int64_t n, float *d, float *e, float vl, float vu,
                              int64_t il, int64_t iu, float abstol, int64_t *m, float *w, float *Z, int64_t ldz,
                              int64_t *isuppz, int64_t *info);
TSL_API tsl_status tsl_dstevr(tsl_context *ctx, char jobz, char range, int64_t n, double *d, double *e, double vl, double vu,
                              int64_t il, int64_t iu, double abstol, int64_t *m, double *w, double *Z, int64_t ldz,
                              int64_t *isuppz, int64_t *info);

/** d := all eigenvalues, e is overwritten. Z, n x k as it is stored, := the eigenvectors number first .. first + k - 1,
 * counted from 0; k may be 0. By divide and conquer. Variant "host": by the host's cores, wherever the operands are. */
TSL_API tsl_status tsl_stedc(tsl_context *ctx, tsl_view d, tsl_view e, int64_t first, tsl_view Z, int64_t *info);
TSL_API tsl_status tsl_sstedc(tsl_context *ctx, char compz, int64_t n, float *d, float *e, float *Z, int64_t ldz,
                              int64_t *info);
TSL_API tsl_status tsl_dstedc(tsl_context *ctx, char compz, int64_t n, double *d, double *e, double *Z, int64_t ldz,
                              int64_t *info);
TSL_API tsl_status tsl_cstedc(tsl_context *ctx, char compz, int64_t n, float *d, float *e, tsl_cfloat *Z, int64_t ldz,
                              int64_t *info);
TSL_API tsl_status tsl_zstedc(tsl_context *ctx, char compz, int64_t n, double *d, double *e, tsl_cdouble *Z, int64_t ldz,
                              int64_t *info);

/** d := all eigenvalues; e is overwritten. Needs memory for O(n) numbers. */
TSL_API tsl_status tsl_sterf(tsl_context *ctx, tsl_view d, tsl_view e, int64_t *info);
TSL_API tsl_status tsl_ssterf(tsl_context *ctx, int64_t n, float *d, float *e, int64_t *info);
TSL_API tsl_status tsl_dsterf(tsl_context *ctx, int64_t n, double *d, double *e, int64_t *info);

/** d := all eigenvalues, e is overwritten, Z := Z times the eigenvectors, Z n x n. By implicit QR, on the host's cores. */
TSL_API tsl_status tsl_steqr(tsl_context *ctx, tsl_view d, tsl_view e, tsl_view Z, int64_t *info);
TSL_API tsl_status tsl_ssteqr(tsl_context *ctx, char compz, int64_t n, float *d, float *e, float *Z, int64_t ldz,
                              int64_t *info);
TSL_API tsl_status tsl_dsteqr(tsl_context *ctx, char compz, int64_t n, double *d, double *e, double *Z, int64_t ldz,
                              int64_t *info);
TSL_API tsl_status tsl_csteqr(tsl_context *ctx, char compz, int64_t n, float *d, float *e, tsl_cfloat *Z, int64_t ldz,
                              int64_t *info);
TSL_API tsl_status tsl_zsteqr(tsl_context *ctx, char compz, int64_t n, double *d, double *e, tsl_cdouble *Z, int64_t ldz,
                              int64_t *info);

/* ---- reduction to tridiagonal form -------------------------------------------------------------------------------------- */

/** A = Q T Q^H, T tridiagonal. d := T's diagonal, n elements, e := the one beside it, n - 1: columns of A's real type.
 * tau is a column of n - 1 elements. Q is the product of n - 1 reflectors H(i) = I - tau(i) v v^H, stored as LAPACK's
 * in A's triangle, with T.
 * Lower: Q = H(1) H(2) ..; v has its one in row i + 1, and the rest is below that in column i.
 * Upper: Q = H(n-1) .. H(1); v has its one in row i, and the rest is above that in column i + 1.
 * The other triangle is not touched. */
TSL_API tsl_status tsl_sytrd(tsl_context *ctx, tsl_view A, tsl_view d, tsl_view e, tsl_view tau);
TSL_API tsl_status tsl_ssytrd(tsl_context *ctx, char uplo, int64_t n, float *A, int64_t lda, float *d, float *e, float *tau,
                              int64_t *info);
TSL_API tsl_status tsl_dsytrd(tsl_context *ctx, char uplo, int64_t n, double *A, int64_t lda, double *d, double *e, double *tau,
                              int64_t *info);
TSL_API tsl_status tsl_chetrd(tsl_context *ctx, char uplo, int64_t n, tsl_cfloat *A, int64_t lda, float *d, float *e,
                              tsl_cfloat *tau, int64_t *info);
TSL_API tsl_status tsl_zhetrd(tsl_context *ctx, char uplo, int64_t n, tsl_cdouble *A, int64_t lda, double *d, double *e,
                              tsl_cdouble *tau, int64_t *info);

/** LEFT: C := op(Q) C; RIGHT: C := C op(Q); A, the same triangle, and tau as sytrd left them. trans as in qr.h. C may
 * be seen through its conjugate transpose. */
TSL_API tsl_status tsl_ormtr(tsl_context *ctx, tsl_side side, tsl_op trans, tsl_view A, tsl_view tau, tsl_view C);
TSL_API tsl_status tsl_sormtr(tsl_context *ctx, char side, char uplo, char trans, int64_t m, int64_t n, const float *A,
                              int64_t lda, const float *tau, float *C, int64_t ldc, int64_t *info);
TSL_API tsl_status tsl_dormtr(tsl_context *ctx, char side, char uplo, char trans, int64_t m, int64_t n, const double *A,
                              int64_t lda, const double *tau, double *C, int64_t ldc, int64_t *info);
TSL_API tsl_status tsl_cunmtr(tsl_context *ctx, char side, char uplo, char trans, int64_t m, int64_t n, const tsl_cfloat *A,
                              int64_t lda, const tsl_cfloat *tau, tsl_cfloat *C, int64_t ldc, int64_t *info);
TSL_API tsl_status tsl_zunmtr(tsl_context *ctx, char side, char uplo, char trans, int64_t m, int64_t n, const tsl_cdouble *A,
                              int64_t lda, const tsl_cdouble *tau, tsl_cdouble *C, int64_t ldc, int64_t *info);

/** A := Q, all of it; A, the triangle, and tau as sytrd left them. */
TSL_API tsl_status tsl_orgtr(tsl_context *ctx, tsl_view A, tsl_view tau);
TSL_API tsl_status tsl_sorgtr(tsl_context *ctx, char uplo, int64_t n, float *A, int64_t lda, const float *tau, int64_t *info);
TSL_API tsl_status tsl_dorgtr(tsl_context *ctx, char uplo, int64_t n, double *A, int64_t lda, const double *tau, int64_t *info);
TSL_API tsl_status tsl_cungtr(tsl_context *ctx, char uplo, int64_t n, tsl_cfloat *A, int64_t lda, const tsl_cfloat *tau,
                              int64_t *info);
TSL_API tsl_status tsl_zungtr(tsl_context *ctx, char uplo, int64_t n, tsl_cdouble *A, int64_t lda, const tsl_cdouble *tau,
                              int64_t *info);

/* ---- reduction to a band ------------------------------------------------------------------------------------------------ */

/** A = Q B Q^H, A given by its lower triangle or as the conjugate transpose of an upper one, B a band with kd >= 1
 * diagonals beside the main one. AB, kd + 1 x n, := B's lower half as LAPACK stores it: AB(i,j) is B(i + j, j), both
 * counted from 0, and zero where there is none. Q is the product of max(0, n - kd) reflectors, those of QR of all rows
 * but the first kd: that of column j has its one kd rows below the diagonal, and the rest is below that in A; above it
 * A has B's elements. T, kd x n, := what products with Q need. The other triangle is not touched. A is not scaled: its
 * squares must not leave the range of its type. */
TSL_API tsl_status tsl_sy2sb(tsl_context *ctx, tsl_view A, tsl_view AB, tsl_view T);

/** LEFT: C := op(Q) C; RIGHT: C := C op(Q); A and T as sy2sb left them. trans as in qr.h. C may be seen through its
 * conjugate transpose. Q itself is op(Q) of an identity. */
TSL_API tsl_status tsl_ormtr_sy2sb(tsl_context *ctx, tsl_side side, tsl_op trans, tsl_view A, tsl_view T, tsl_view C);

#ifdef __cplusplus
}
#endif
#endif
