/** @file
 * tesela/level3.h - a matrix and a matrix.
 *
 * On views A and B may be seen through any op. As in BLAS: what is multiplied by alpha = 0 is not read; with beta = 0
 * what C held does not matter; of a triangle the other side is neither read nor written. */
#ifndef TESELA_LEVEL3_H
#define TESELA_LEVEL3_H

#include "matrix.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- products ----------------------------------------------------------------------------------------------------------- */

/** C := alpha A B + beta C. */
TSL_API tsl_status tsl_gemm(tsl_context *ctx, tsl_scalar alpha, tsl_view A, tsl_view B, tsl_scalar beta, tsl_view C);
TSL_API tsl_status tsl_sgemm(tsl_context *ctx, char transa, char transb, int64_t m, int64_t n, int64_t k, float alpha,
                             const float *A, int64_t lda, const float *B, int64_t ldb, float beta, float *C, int64_t ldc);
TSL_API tsl_status tsl_dgemm(tsl_context *ctx, char transa, char transb, int64_t m, int64_t n, int64_t k, double alpha,
                             const double *A, int64_t lda, const double *B, int64_t ldb, double beta, double *C, int64_t ldc);
TSL_API tsl_status tsl_cgemm(tsl_context *ctx, char transa, char transb, int64_t m, int64_t n, int64_t k, tsl_cfloat alpha,
                             const tsl_cfloat *A, int64_t lda, const tsl_cfloat *B, int64_t ldb, tsl_cfloat beta, tsl_cfloat *C,
                             int64_t ldc);
TSL_API tsl_status tsl_zgemm(tsl_context *ctx, char transa, char transb, int64_t m, int64_t n, int64_t k, tsl_cdouble alpha,
                             const tsl_cdouble *A, int64_t lda, const tsl_cdouble *B, int64_t ldb, tsl_cdouble beta,
                             tsl_cdouble *C, int64_t ldc);

/** C := alpha A B + beta C, on a triangle of C only. */
TSL_API tsl_status tsl_gemmt(tsl_context *ctx, tsl_scalar alpha, tsl_view A, tsl_view B, tsl_scalar beta, tsl_view C);
TSL_API tsl_status tsl_sgemmt(tsl_context *ctx, char uplo, char transa, char transb, int64_t n, int64_t k, float alpha,
                              const float *A, int64_t lda, const float *B, int64_t ldb, float beta, float *C, int64_t ldc);
TSL_API tsl_status tsl_dgemmt(tsl_context *ctx, char uplo, char transa, char transb, int64_t n, int64_t k, double alpha,
                              const double *A, int64_t lda, const double *B, int64_t ldb, double beta, double *C, int64_t ldc);
TSL_API tsl_status tsl_cgemmt(tsl_context *ctx, char uplo, char transa, char transb, int64_t n, int64_t k, tsl_cfloat alpha,
                              const tsl_cfloat *A, int64_t lda, const tsl_cfloat *B, int64_t ldb, tsl_cfloat beta,
                              tsl_cfloat *C, int64_t ldc);
TSL_API tsl_status tsl_zgemmt(tsl_context *ctx, char uplo, char transa, char transb, int64_t n, int64_t k, tsl_cdouble alpha,
                              const tsl_cdouble *A, int64_t lda, const tsl_cdouble *B, int64_t ldb, tsl_cdouble beta,
                              tsl_cdouble *C, int64_t ldc);

/** LEFT: C := alpha A B + beta C; RIGHT: C := alpha B A + beta C; A symmetric, given by a triangle. */
TSL_API tsl_status tsl_symm(tsl_context *ctx, tsl_side side, tsl_scalar alpha, tsl_view A, tsl_view B, tsl_scalar beta,
                            tsl_view C);
TSL_API tsl_status tsl_ssymm(tsl_context *ctx, char side, char uplo, int64_t m, int64_t n, float alpha, const float *A,
                             int64_t lda, const float *B, int64_t ldb, float beta, float *C, int64_t ldc);
TSL_API tsl_status tsl_dsymm(tsl_context *ctx, char side, char uplo, int64_t m, int64_t n, double alpha, const double *A,
                             int64_t lda, const double *B, int64_t ldb, double beta, double *C, int64_t ldc);
TSL_API tsl_status tsl_csymm(tsl_context *ctx, char side, char uplo, int64_t m, int64_t n, tsl_cfloat alpha,
                             const tsl_cfloat *A, int64_t lda, const tsl_cfloat *B, int64_t ldb, tsl_cfloat beta, tsl_cfloat *C,
                             int64_t ldc);
TSL_API tsl_status tsl_zsymm(tsl_context *ctx, char side, char uplo, int64_t m, int64_t n, tsl_cdouble alpha,
                             const tsl_cdouble *A, int64_t lda, const tsl_cdouble *B, int64_t ldb, tsl_cdouble beta,
                             tsl_cdouble *C, int64_t ldc);

/** The same with A Hermitian. */
TSL_API tsl_status tsl_hemm(tsl_context *ctx, tsl_side side, tsl_scalar alpha, tsl_view A, tsl_view B, tsl_scalar beta,
                            tsl_view C);
TSL_API tsl_status tsl_chemm(tsl_context *ctx, char side, char uplo, int64_t m, int64_t n, tsl_cfloat alpha,
                             const tsl_cfloat *A, int64_t lda, const tsl_cfloat *B, int64_t ldb, tsl_cfloat beta, tsl_cfloat *C,
                             int64_t ldc);
TSL_API tsl_status tsl_zhemm(tsl_context *ctx, char side, char uplo, int64_t m, int64_t n, tsl_cdouble alpha,
                             const tsl_cdouble *A, int64_t lda, const tsl_cdouble *B, int64_t ldb, tsl_cdouble beta,
                             tsl_cdouble *C, int64_t ldc);

/* ---- updates of a triangle ---------------------------------------------------------------------------------------------- */

/** C := alpha A A^T + beta C, on a triangle of C. */
TSL_API tsl_status tsl_syrk(tsl_context *ctx, tsl_scalar alpha, tsl_view A, tsl_scalar beta, tsl_view C);
TSL_API tsl_status tsl_ssyrk(tsl_context *ctx, char uplo, char trans, int64_t n, int64_t k, float alpha, const float *A,
                             int64_t lda, float beta, float *C, int64_t ldc);
TSL_API tsl_status tsl_dsyrk(tsl_context *ctx, char uplo, char trans, int64_t n, int64_t k, double alpha, const double *A,
                             int64_t lda, double beta, double *C, int64_t ldc);
TSL_API tsl_status tsl_csyrk(tsl_context *ctx, char uplo, char trans, int64_t n, int64_t k, tsl_cfloat alpha,
                             const tsl_cfloat *A, int64_t lda, tsl_cfloat beta, tsl_cfloat *C, int64_t ldc);
TSL_API tsl_status tsl_zsyrk(tsl_context *ctx, char uplo, char trans, int64_t n, int64_t k, tsl_cdouble alpha,
                             const tsl_cdouble *A, int64_t lda, tsl_cdouble beta, tsl_cdouble *C, int64_t ldc);

/** C := alpha A A^H + beta C, on a triangle of C. The imaginary part of C's diagonal is taken as zero and set to zero;
 * not where there is nothing to do (no product and beta = 1): then, as in BLAS, C is not touched. */
TSL_API tsl_status tsl_herk(tsl_context *ctx, double alpha, tsl_view A, double beta, tsl_view C);
TSL_API tsl_status tsl_cherk(tsl_context *ctx, char uplo, char trans, int64_t n, int64_t k, float alpha, const tsl_cfloat *A,
                             int64_t lda, float beta, tsl_cfloat *C, int64_t ldc);
TSL_API tsl_status tsl_zherk(tsl_context *ctx, char uplo, char trans, int64_t n, int64_t k, double alpha, const tsl_cdouble *A,
                             int64_t lda, double beta, tsl_cdouble *C, int64_t ldc);

/** C := alpha A B^T + alpha B A^T + beta C, on a triangle of C. */
TSL_API tsl_status tsl_syr2k(tsl_context *ctx, tsl_scalar alpha, tsl_view A, tsl_view B, tsl_scalar beta, tsl_view C);
TSL_API tsl_status tsl_ssyr2k(tsl_context *ctx, char uplo, char trans, int64_t n, int64_t k, float alpha, const float *A,
                              int64_t lda, const float *B, int64_t ldb, float beta, float *C, int64_t ldc);
TSL_API tsl_status tsl_dsyr2k(tsl_context *ctx, char uplo, char trans, int64_t n, int64_t k, double alpha, const double *A,
                              int64_t lda, const double *B, int64_t ldb, double beta, double *C, int64_t ldc);
TSL_API tsl_status tsl_csyr2k(tsl_context *ctx, char uplo, char trans, int64_t n, int64_t k, tsl_cfloat alpha,
                              const tsl_cfloat *A, int64_t lda, const tsl_cfloat *B, int64_t ldb, tsl_cfloat beta,
                              tsl_cfloat *C, int64_t ldc);
TSL_API tsl_status tsl_zsyr2k(tsl_context *ctx, char uplo, char trans, int64_t n, int64_t k, tsl_cdouble alpha,
                              const tsl_cdouble *A, int64_t lda, const tsl_cdouble *B, int64_t ldb, tsl_cdouble beta,
                              tsl_cdouble *C, int64_t ldc);

/** C := alpha A B^H + conj(alpha) B A^H + beta C, on a triangle of C; its diagonal as in herk. */
TSL_API tsl_status tsl_her2k(tsl_context *ctx, tsl_scalar alpha, tsl_view A, tsl_view B, double beta, tsl_view C);
TSL_API tsl_status tsl_cher2k(tsl_context *ctx, char uplo, char trans, int64_t n, int64_t k, tsl_cfloat alpha,
                              const tsl_cfloat *A, int64_t lda, const tsl_cfloat *B, int64_t ldb, float beta, tsl_cfloat *C,
                              int64_t ldc);
TSL_API tsl_status tsl_zher2k(tsl_context *ctx, char uplo, char trans, int64_t n, int64_t k, tsl_cdouble alpha,
                              const tsl_cdouble *A, int64_t lda, const tsl_cdouble *B, int64_t ldb, double beta, tsl_cdouble *C,
                              int64_t ldc);

/* ---- triangles ---------------------------------------------------------------------------------------------------------- */

/** LEFT: B := alpha A B; RIGHT: B := alpha B A; A is a triangle. */
TSL_API tsl_status tsl_trmm(tsl_context *ctx, tsl_side side, tsl_scalar alpha, tsl_view A, tsl_view B);
TSL_API tsl_status tsl_strmm(tsl_context *ctx, char side, char uplo, char transa, char diag, int64_t m, int64_t n, float alpha,
                             const float *A, int64_t lda, float *B, int64_t ldb);
TSL_API tsl_status tsl_dtrmm(tsl_context *ctx, char side, char uplo, char transa, char diag, int64_t m, int64_t n, double alpha,
                             const double *A, int64_t lda, double *B, int64_t ldb);
TSL_API tsl_status tsl_ctrmm(tsl_context *ctx, char side, char uplo, char transa, char diag, int64_t m, int64_t n,
                             tsl_cfloat alpha, const tsl_cfloat *A, int64_t lda, tsl_cfloat *B, int64_t ldb);
TSL_API tsl_status tsl_ztrmm(tsl_context *ctx, char side, char uplo, char transa, char diag, int64_t m, int64_t n,
                             tsl_cdouble alpha, const tsl_cdouble *A, int64_t lda, tsl_cdouble *B, int64_t ldb);

/** LEFT: B := alpha inv(A) B; RIGHT: B := alpha B inv(A); A is a triangle. A zero on its diagonal is not looked for. */
TSL_API tsl_status tsl_trsm(tsl_context *ctx, tsl_side side, tsl_scalar alpha, tsl_view A, tsl_view B);
TSL_API tsl_status tsl_strsm(tsl_context *ctx, char side, char uplo, char transa, char diag, int64_t m, int64_t n, float alpha,
                             const float *A, int64_t lda, float *B, int64_t ldb);
TSL_API tsl_status tsl_dtrsm(tsl_context *ctx, char side, char uplo, char transa, char diag, int64_t m, int64_t n, double alpha,
                             const double *A, int64_t lda, double *B, int64_t ldb);
TSL_API tsl_status tsl_ctrsm(tsl_context *ctx, char side, char uplo, char transa, char diag, int64_t m, int64_t n,
                             tsl_cfloat alpha, const tsl_cfloat *A, int64_t lda, tsl_cfloat *B, int64_t ldb);
TSL_API tsl_status tsl_ztrsm(tsl_context *ctx, char side, char uplo, char transa, char diag, int64_t m, int64_t n,
                             tsl_cdouble alpha, const tsl_cdouble *A, int64_t lda, tsl_cdouble *B, int64_t ldb);

#ifdef __cplusplus
}
#endif
#endif
