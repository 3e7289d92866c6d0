/** @file
 * tesela/level2.h - a matrix and a vector: dense matrices, bands, packed triangles.
 *
 * Typed calls: increments are as in BLAS; negative ones count from the end, zero is refused. As in BLAS, gemv and gbmv
 * leave y alone if m or n is zero.
 * Updates (ger, syr, her, ...) with alpha = 0 touch nothing. The imaginary part of a Hermitian diagonal is taken as
 * zero; updates set it to zero. */
#ifndef TESELA_LEVEL2_H
#define TESELA_LEVEL2_H

#include "matrix.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- products ----------------------------------------------------------------------------------------------------------- */

/** y := alpha A x + beta y; on views A may be seen through any op. */
TSL_API tsl_status tsl_gemv(tsl_context *ctx, tsl_scalar alpha, tsl_view A, tsl_view x, tsl_scalar beta, tsl_view y);
TSL_API tsl_status tsl_sgemv(tsl_context *ctx, char trans, int64_t m, int64_t n, float alpha, const float *A, int64_t lda,
                             const float *x, int64_t incx, float beta, float *y, int64_t incy);
TSL_API tsl_status tsl_dgemv(tsl_context *ctx, char trans, int64_t m, int64_t n, double alpha, const double *A, int64_t lda,
                             const double *x, int64_t incx, double beta, double *y, int64_t incy);
TSL_API tsl_status tsl_cgemv(tsl_context *ctx, char trans, int64_t m, int64_t n, tsl_cfloat alpha, const tsl_cfloat *A,
                             int64_t lda, const tsl_cfloat *x, int64_t incx, tsl_cfloat beta, tsl_cfloat *y, int64_t incy);
TSL_API tsl_status tsl_zgemv(tsl_context *ctx, char trans, int64_t m, int64_t n, tsl_cdouble alpha, const tsl_cdouble *A,
                             int64_t lda, const tsl_cdouble *x, int64_t incx, tsl_cdouble beta, tsl_cdouble *y, int64_t incy);

/** y := alpha A x + beta y, A symmetric, given by a triangle. */
TSL_API tsl_status tsl_symv(tsl_context *ctx, tsl_scalar alpha, tsl_view A, tsl_view x, tsl_scalar beta, tsl_view y);
TSL_API tsl_status tsl_ssymv(tsl_context *ctx, char uplo, int64_t n, float alpha, const float *A, int64_t lda, const float *x,
                             int64_t incx, float beta, float *y, int64_t incy);
TSL_API tsl_status tsl_dsymv(tsl_context *ctx, char uplo, int64_t n, double alpha, const double *A, int64_t lda,
                             const double *x, int64_t incx, double beta, double *y, int64_t incy);
TSL_API tsl_status tsl_csymv(tsl_context *ctx, char uplo, int64_t n, tsl_cfloat alpha, const tsl_cfloat *A, int64_t lda,
                             const tsl_cfloat *x, int64_t incx, tsl_cfloat beta, tsl_cfloat *y, int64_t incy);
TSL_API tsl_status tsl_zsymv(tsl_context *ctx, char uplo, int64_t n, tsl_cdouble alpha, const tsl_cdouble *A, int64_t lda,
                             const tsl_cdouble *x, int64_t incx, tsl_cdouble beta, tsl_cdouble *y, int64_t incy);

/** y := alpha A x + beta y, A Hermitian, given by a triangle. */
TSL_API tsl_status tsl_hemv(tsl_context *ctx, tsl_scalar alpha, tsl_view A, tsl_view x, tsl_scalar beta, tsl_view y);
TSL_API tsl_status tsl_chemv(tsl_context *ctx, char uplo, int64_t n, tsl_cfloat alpha, const tsl_cfloat *A, int64_t lda,
                             const tsl_cfloat *x, int64_t incx, tsl_cfloat beta, tsl_cfloat *y, int64_t incy);
TSL_API tsl_status tsl_zhemv(tsl_context *ctx, char uplo, int64_t n, tsl_cdouble alpha, const tsl_cdouble *A, int64_t lda,
                             const tsl_cdouble *x, int64_t incx, tsl_cdouble beta, tsl_cdouble *y, int64_t incy);

/* ---- triangles ---------------------------------------------------------------------------------------------------------- */

/** x := A x, A a triangle. */
TSL_API tsl_status tsl_trmv(tsl_context *ctx, tsl_view A, tsl_view x);
TSL_API tsl_status tsl_strmv(tsl_context *ctx, char uplo, char trans, char diag, int64_t n, const float *A, int64_t lda,
                             float *x, int64_t incx);
TSL_API tsl_status tsl_dtrmv(tsl_context *ctx, char uplo, char trans, char diag, int64_t n, const double *A, int64_t lda,
                             double *x, int64_t incx);
TSL_API tsl_status tsl_ctrmv(tsl_context *ctx, char uplo, char trans, char diag, int64_t n, const tsl_cfloat *A, int64_t lda,
                             tsl_cfloat *x, int64_t incx);
TSL_API tsl_status tsl_ztrmv(tsl_context *ctx, char uplo, char trans, char diag, int64_t n, const tsl_cdouble *A, int64_t lda,
                             tsl_cdouble *x, int64_t incx);

/** x := inv(A) x, A a triangle. A zero on its diagonal is not looked for. */
TSL_API tsl_status tsl_trsv(tsl_context *ctx, tsl_view A, tsl_view x);
TSL_API tsl_status tsl_strsv(tsl_context *ctx, char uplo, char trans, char diag, int64_t n, const float *A, int64_t lda,
                             float *x, int64_t incx);
TSL_API tsl_status tsl_dtrsv(tsl_context *ctx, char uplo, char trans, char diag, int64_t n, const double *A, int64_t lda,
                             double *x, int64_t incx);
TSL_API tsl_status tsl_ctrsv(tsl_context *ctx, char uplo, char trans, char diag, int64_t n, const tsl_cfloat *A, int64_t lda,
                             tsl_cfloat *x, int64_t incx);
TSL_API tsl_status tsl_ztrsv(tsl_context *ctx, char uplo, char trans, char diag, int64_t n, const tsl_cdouble *A, int64_t lda,
                             tsl_cdouble *x, int64_t incx);

/* ---- updates ------------------------------------------------------------------------------------------------------------ */

/** A := alpha x y^T + A. On views a conjugated y gives x y^H. Typed: ger and geru are x y^T, gerc is x y^H. */
TSL_API tsl_status tsl_ger(tsl_context *ctx, tsl_scalar alpha, tsl_view x, tsl_view y, tsl_view A);
TSL_API tsl_status tsl_sger(tsl_context *ctx, int64_t m, int64_t n, float alpha, const float *x, int64_t incx, const float *y,
                            int64_t incy, float *A, int64_t lda);
TSL_API tsl_status tsl_dger(tsl_context *ctx, int64_t m, int64_t n, double alpha, const double *x, int64_t incx,
                            const double *y, int64_t incy, double *A, int64_t lda);
TSL_API tsl_status tsl_cgeru(tsl_context *ctx, int64_t m, int64_t n, tsl_cfloat alpha, const tsl_cfloat *x, int64_t incx,
                             const tsl_cfloat *y, int64_t incy, tsl_cfloat *A, int64_t lda);
TSL_API tsl_status tsl_zgeru(tsl_context *ctx, int64_t m, int64_t n, tsl_cdouble alpha, const tsl_cdouble *x, int64_t incx,
                             const tsl_cdouble *y, int64_t incy, tsl_cdouble *A, int64_t lda);
TSL_API tsl_status tsl_cgerc(tsl_context *ctx, int64_t m, int64_t n, tsl_cfloat alpha, const tsl_cfloat *x, int64_t incx,
                             const tsl_cfloat *y, int64_t incy, tsl_cfloat *A, int64_t lda);
TSL_API tsl_status tsl_zgerc(tsl_context *ctx, int64_t m, int64_t n, tsl_cdouble alpha, const tsl_cdouble *x, int64_t incx,
                             const tsl_cdouble *y, int64_t incy, tsl_cdouble *A, int64_t lda);

/** A := alpha x x^T + A, on a triangle of the symmetric A. */
TSL_API tsl_status tsl_syr(tsl_context *ctx, tsl_scalar alpha, tsl_view x, tsl_view A);
TSL_API tsl_status tsl_ssyr(tsl_context *ctx, char uplo, int64_t n, float alpha, const float *x, int64_t incx, float *A,
                            int64_t lda);
TSL_API tsl_status tsl_dsyr(tsl_context *ctx, char uplo, int64_t n, double alpha, const double *x, int64_t incx, double *A,
                            int64_t lda);
TSL_API tsl_status tsl_csyr(tsl_context *ctx, char uplo, int64_t n, tsl_cfloat alpha, const tsl_cfloat *x, int64_t incx,
                            tsl_cfloat *A, int64_t lda);
TSL_API tsl_status tsl_zsyr(tsl_context *ctx, char uplo, int64_t n, tsl_cdouble alpha, const tsl_cdouble *x, int64_t incx,
                            tsl_cdouble *A, int64_t lda);

/** A := alpha x x^H + A, on a triangle of the Hermitian A. */
TSL_API tsl_status tsl_her(tsl_context *ctx, double alpha, tsl_view x, tsl_view A);
TSL_API tsl_status tsl_cher(tsl_context *ctx, char uplo, int64_t n, float alpha, const tsl_cfloat *x, int64_t incx,
                            tsl_cfloat *A, int64_t lda);
TSL_API tsl_status tsl_zher(tsl_context *ctx, char uplo, int64_t n, double alpha, const tsl_cdouble *x, int64_t incx,
                            tsl_cdouble *A, int64_t lda);

/** A := alpha x y^T + alpha y x^T + A, on a triangle of the symmetric A. */
TSL_API tsl_status tsl_syr2(tsl_context *ctx, tsl_scalar alpha, tsl_view x, tsl_view y, tsl_view A);
TSL_API tsl_status tsl_ssyr2(tsl_context *ctx, char uplo, int64_t n, float alpha, const float *x, int64_t incx, const float *y,
                             int64_t incy, float *A, int64_t lda);
TSL_API tsl_status tsl_dsyr2(tsl_context *ctx, char uplo, int64_t n, double alpha, const double *x, int64_t incx,
                             const double *y, int64_t incy, double *A, int64_t lda);
TSL_API tsl_status tsl_csyr2(tsl_context *ctx, char uplo, int64_t n, tsl_cfloat alpha, const tsl_cfloat *x, int64_t incx,
                             const tsl_cfloat *y, int64_t incy, tsl_cfloat *A, int64_t lda);
TSL_API tsl_status tsl_zsyr2(tsl_context *ctx, char uplo, int64_t n, tsl_cdouble alpha, const tsl_cdouble *x, int64_t incx,
                             const tsl_cdouble *y, int64_t incy, tsl_cdouble *A, int64_t lda);

/** A := alpha x y^H + conj(alpha) y x^H + A, on a triangle of the Hermitian A. */
TSL_API tsl_status tsl_her2(tsl_context *ctx, tsl_scalar alpha, tsl_view x, tsl_view y, tsl_view A);
TSL_API tsl_status tsl_cher2(tsl_context *ctx, char uplo, int64_t n, tsl_cfloat alpha, const tsl_cfloat *x, int64_t incx,
                             const tsl_cfloat *y, int64_t incy, tsl_cfloat *A, int64_t lda);
TSL_API tsl_status tsl_zher2(tsl_context *ctx, char uplo, int64_t n, tsl_cdouble alpha, const tsl_cdouble *x, int64_t incx,
                             const tsl_cdouble *y, int64_t incy, tsl_cdouble *A, int64_t lda);

/* ---- bands --------------------------------------------------------------------------------------------------------------
 * AB is the storage, as BLAS lays it out: a row for each diagonal, a column for each column of the matrix. Its view is
 * whole and seen through no op; the other arguments describe the matrix. */

/** y := alpha op(A) x + beta y, A m x n with kl diagonals below the main one and ku above it. */
TSL_API tsl_status tsl_gbmv(tsl_context *ctx, tsl_op trans, int64_t m, int64_t n, int64_t kl, int64_t ku, tsl_scalar alpha,
                            tsl_view AB, tsl_view x, tsl_scalar beta, tsl_view y);
TSL_API tsl_status tsl_sgbmv(tsl_context *ctx, char trans, int64_t m, int64_t n, int64_t kl, int64_t ku, float alpha,
                             const float *A, int64_t lda, const float *x, int64_t incx, float beta, float *y, int64_t incy);
TSL_API tsl_status tsl_dgbmv(tsl_context *ctx, char trans, int64_t m, int64_t n, int64_t kl, int64_t ku, double alpha,
                             const double *A, int64_t lda, const double *x, int64_t incx, double beta, double *y, int64_t incy);
TSL_API tsl_status tsl_cgbmv(tsl_context *ctx, char trans, int64_t m, int64_t n, int64_t kl, int64_t ku, tsl_cfloat alpha,
                             const tsl_cfloat *A, int64_t lda, const tsl_cfloat *x, int64_t incx, tsl_cfloat beta,
                             tsl_cfloat *y, int64_t incy);
TSL_API tsl_status tsl_zgbmv(tsl_context *ctx, char trans, int64_t m, int64_t n, int64_t kl, int64_t ku, tsl_cdouble alpha,
                             const tsl_cdouble *A, int64_t lda, const tsl_cdouble *x, int64_t incx, tsl_cdouble beta,
                             tsl_cdouble *y, int64_t incy);

/** y := alpha A x + beta y, A real symmetric with k diagonals on either side. */
TSL_API tsl_status tsl_sbmv(tsl_context *ctx, tsl_uplo uplo, int64_t n, int64_t k, tsl_scalar alpha, tsl_view AB, tsl_view x,
                            tsl_scalar beta, tsl_view y);
TSL_API tsl_status tsl_ssbmv(tsl_context *ctx, char uplo, int64_t n, int64_t k, float alpha, const float *A, int64_t lda,
                             const float *x, int64_t incx, float beta, float *y, int64_t incy);
TSL_API tsl_status tsl_dsbmv(tsl_context *ctx, char uplo, int64_t n, int64_t k, double alpha, const double *A, int64_t lda,
                             const double *x, int64_t incx, double beta, double *y, int64_t incy);

/** y := alpha A x + beta y, A Hermitian with k diagonals on either side. */
TSL_API tsl_status tsl_hbmv(tsl_context *ctx, tsl_uplo uplo, int64_t n, int64_t k, tsl_scalar alpha, tsl_view AB, tsl_view x,
                            tsl_scalar beta, tsl_view y);
TSL_API tsl_status tsl_chbmv(tsl_context *ctx, char uplo, int64_t n, int64_t k, tsl_cfloat alpha, const tsl_cfloat *A,
                             int64_t lda, const tsl_cfloat *x, int64_t incx, tsl_cfloat beta, tsl_cfloat *y, int64_t incy);
TSL_API tsl_status tsl_zhbmv(tsl_context *ctx, char uplo, int64_t n, int64_t k, tsl_cdouble alpha, const tsl_cdouble *A,
                             int64_t lda, const tsl_cdouble *x, int64_t incx, tsl_cdouble beta, tsl_cdouble *y, int64_t incy);

/** x := op(A) x, A a triangle with k diagonals beside the main one. */
TSL_API tsl_status tsl_tbmv(tsl_context *ctx, tsl_uplo uplo, tsl_op trans, tsl_diag diag, int64_t n, int64_t k, tsl_view AB,
                            tsl_view x);
TSL_API tsl_status tsl_stbmv(tsl_context *ctx, char uplo, char trans, char diag, int64_t n, int64_t k, const float *A,
                             int64_t lda, float *x, int64_t incx);
TSL_API tsl_status tsl_dtbmv(tsl_context *ctx, char uplo, char trans, char diag, int64_t n, int64_t k, const double *A,
                             int64_t lda, double *x, int64_t incx);
TSL_API tsl_status tsl_ctbmv(tsl_context *ctx, char uplo, char trans, char diag, int64_t n, int64_t k, const tsl_cfloat *A,
                             int64_t lda, tsl_cfloat *x, int64_t incx);
TSL_API tsl_status tsl_ztbmv(tsl_context *ctx, char uplo, char trans, char diag, int64_t n, int64_t k, const tsl_cdouble *A,
                             int64_t lda, tsl_cdouble *x, int64_t incx);

/** x := inv(op(A)) x, A a triangle with k diagonals beside the main one. */
TSL_API tsl_status tsl_tbsv(tsl_context *ctx, tsl_uplo uplo, tsl_op trans, tsl_diag diag, int64_t n, int64_t k, tsl_view AB,
                            tsl_view x);
TSL_API tsl_status tsl_stbsv(tsl_context *ctx, char uplo, char trans, char diag, int64_t n, int64_t k, const float *A,
                             int64_t lda, float *x, int64_t incx);
TSL_API tsl_status tsl_dtbsv(tsl_context *ctx, char uplo, char trans, char diag, int64_t n, int64_t k, const double *A,
                             int64_t lda, double *x, int64_t incx);
TSL_API tsl_status tsl_ctbsv(tsl_context *ctx, char uplo, char trans, char diag, int64_t n, int64_t k, const tsl_cfloat *A,
                             int64_t lda, tsl_cfloat *x, int64_t incx);
TSL_API tsl_status tsl_ztbsv(tsl_context *ctx, char uplo, char trans, char diag, int64_t n, int64_t k, const tsl_cdouble *A,
                             int64_t lda, tsl_cdouble *x, int64_t incx);

/* ---- packed triangles ---------------------------------------------------------------------------------------------------
 * AP is the storage, as BLAS lays it out: one column of n (n+1) / 2 elements. Its view is whole and seen through no op;
 * the other arguments describe the matrix. */

/** y := alpha A x + beta y, A real symmetric. */
TSL_API tsl_status tsl_spmv(tsl_context *ctx, tsl_uplo uplo, int64_t n, tsl_scalar alpha, tsl_view AP, tsl_view x,
                            tsl_scalar beta, tsl_view y);
TSL_API tsl_status tsl_sspmv(tsl_context *ctx, char uplo, int64_t n, float alpha, const float *AP, const float *x, int64_t incx,
                             float beta, float *y, int64_t incy);
TSL_API tsl_status tsl_dspmv(tsl_context *ctx, char uplo, int64_t n, double alpha, const double *AP, const double *x,
                             int64_t incx, double beta, double *y, int64_t incy);

/** y := alpha A x + beta y, A Hermitian. */
TSL_API tsl_status tsl_hpmv(tsl_context *ctx, tsl_uplo uplo, int64_t n, tsl_scalar alpha, tsl_view AP, tsl_view x,
                            tsl_scalar beta, tsl_view y);
TSL_API tsl_status tsl_chpmv(tsl_context *ctx, char uplo, int64_t n, tsl_cfloat alpha, const tsl_cfloat *AP,
                             const tsl_cfloat *x, int64_t incx, tsl_cfloat beta, tsl_cfloat *y, int64_t incy);
TSL_API tsl_status tsl_zhpmv(tsl_context *ctx, char uplo, int64_t n, tsl_cdouble alpha, const tsl_cdouble *AP,
                             const tsl_cdouble *x, int64_t incx, tsl_cdouble beta, tsl_cdouble *y, int64_t incy);

/** A := alpha x x^T + A, A real symmetric. */
TSL_API tsl_status tsl_spr(tsl_context *ctx, tsl_uplo uplo, int64_t n, tsl_scalar alpha, tsl_view x, tsl_view AP);
TSL_API tsl_status tsl_sspr(tsl_context *ctx, char uplo, int64_t n, float alpha, const float *x, int64_t incx, float *AP);
TSL_API tsl_status tsl_dspr(tsl_context *ctx, char uplo, int64_t n, double alpha, const double *x, int64_t incx, double *AP);

/** A := alpha x x^H + A, A Hermitian. */
TSL_API tsl_status tsl_hpr(tsl_context *ctx, tsl_uplo uplo, int64_t n, double alpha, tsl_view x, tsl_view AP);
TSL_API tsl_status tsl_chpr(tsl_context *ctx, char uplo, int64_t n, float alpha, const tsl_cfloat *x, int64_t incx,
                            tsl_cfloat *AP);
TSL_API tsl_status tsl_zhpr(tsl_context *ctx, char uplo, int64_t n, double alpha, const tsl_cdouble *x, int64_t incx,
                            tsl_cdouble *AP);

/** A := alpha x y^T + alpha y x^T + A, A real symmetric. */
TSL_API tsl_status tsl_spr2(tsl_context *ctx, tsl_uplo uplo, int64_t n, tsl_scalar alpha, tsl_view x, tsl_view y, tsl_view AP);
TSL_API tsl_status tsl_sspr2(tsl_context *ctx, char uplo, int64_t n, float alpha, const float *x, int64_t incx, const float *y,
                             int64_t incy, float *AP);
TSL_API tsl_status tsl_dspr2(tsl_context *ctx, char uplo, int64_t n, double alpha, const double *x, int64_t incx,
                             const double *y, int64_t incy, double *AP);

/** A := alpha x y^H + conj(alpha) y x^H + A, A Hermitian. */
TSL_API tsl_status tsl_hpr2(tsl_context *ctx, tsl_uplo uplo, int64_t n, tsl_scalar alpha, tsl_view x, tsl_view y, tsl_view AP);
TSL_API tsl_status tsl_chpr2(tsl_context *ctx, char uplo, int64_t n, tsl_cfloat alpha, const tsl_cfloat *x, int64_t incx,
                             const tsl_cfloat *y, int64_t incy, tsl_cfloat *AP);
TSL_API tsl_status tsl_zhpr2(tsl_context *ctx, char uplo, int64_t n, tsl_cdouble alpha, const tsl_cdouble *x, int64_t incx,
                             const tsl_cdouble *y, int64_t incy, tsl_cdouble *AP);

/** x := op(A) x, A a triangle. */
TSL_API tsl_status tsl_tpmv(tsl_context *ctx, tsl_uplo uplo, tsl_op trans, tsl_diag diag, int64_t n, tsl_view AP, tsl_view x);
TSL_API tsl_status tsl_stpmv(tsl_context *ctx, char uplo, char trans, char diag, int64_t n, const float *AP, float *x,
                             int64_t incx);
TSL_API tsl_status tsl_dtpmv(tsl_context *ctx, char uplo, char trans, char diag, int64_t n, const double *AP, double *x,
                             int64_t incx);
TSL_API tsl_status tsl_ctpmv(tsl_context *ctx, char uplo, char trans, char diag, int64_t n, const tsl_cfloat *AP, tsl_cfloat *x,
                             int64_t incx);
TSL_API tsl_status tsl_ztpmv(tsl_context *ctx, char uplo, char trans, char diag, int64_t n, const tsl_cdouble *AP,
                             tsl_cdouble *x, int64_t incx);

/** x := inv(op(A)) x, A a triangle. */
TSL_API tsl_status tsl_tpsv(tsl_context *ctx, tsl_uplo uplo, tsl_op trans, tsl_diag diag, int64_t n, tsl_view AP, tsl_view x);
TSL_API tsl_status tsl_stpsv(tsl_context *ctx, char uplo, char trans, char diag, int64_t n, const float *AP, float *x,
                             int64_t incx);
TSL_API tsl_status tsl_dtpsv(tsl_context *ctx, char uplo, char trans, char diag, int64_t n, const double *AP, double *x,
                             int64_t incx);
TSL_API tsl_status tsl_ctpsv(tsl_context *ctx, char uplo, char trans, char diag, int64_t n, const tsl_cfloat *AP, tsl_cfloat *x,
                             int64_t incx);
TSL_API tsl_status tsl_ztpsv(tsl_context *ctx, char uplo, char trans, char diag, int64_t n, const tsl_cdouble *AP,
                             tsl_cdouble *x, int64_t incx);

#ifdef __cplusplus
}
#endif
#endif
