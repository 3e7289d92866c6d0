/* The families of level 2's typed calls, types erased (calls2.c). Arguments are BLAS's, in its order; those an operation does
 * not have (diagonals of a band, the leading dimension of a packed matrix, a second vector) are not looked at and not
 * counted. */
#ifndef TSL_TYPED2_H
#define TSL_TYPED2_H

#include "api/typed.h"

/* gemv, gbmv */
tsl_status tsl_call_product(tsl_context *ctx, tsl_type t, tsl_opcode op, char trans, int64_t m, int64_t n, int64_t kl, int64_t ku,
                            tsl_scalar alpha, const void *A, int64_t lda, const void *x, int64_t incx, tsl_scalar beta, void *y,
                            int64_t incy);
/* symv, hemv, sbmv, hbmv, spmv, hpmv */
tsl_status tsl_call_symmetric(tsl_context *ctx, tsl_type t, tsl_opcode op, char uplo, int64_t n, int64_t k, tsl_scalar alpha,
                              const void *A, int64_t lda, const void *x, int64_t incx, tsl_scalar beta, void *y, int64_t incy);
/* ger, geru, and with conj(y) gerc */
tsl_status tsl_call_ger(tsl_context *ctx, tsl_type t, const char *name, bool herm, int64_t m, int64_t n, tsl_scalar alpha,
                        const void *x, int64_t incx, const void *y, int64_t incy, void *A, int64_t lda);
/* syr, her, spr, hpr, syr2, her2, spr2, hpr2 */
tsl_status tsl_call_update(tsl_context *ctx, tsl_type t, tsl_opcode op, char uplo, int64_t n, tsl_scalar alpha, const void *x,
                           int64_t incx, const void *y, int64_t incy, void *A, int64_t lda);
/* trmv, trsv, tbmv, tbsv, tpmv, tpsv */
tsl_status tsl_call_triangular(tsl_context *ctx, tsl_type t, tsl_opcode op, char uplo, char trans, char diag, int64_t n, int64_t k,
                               const void *A, int64_t lda, void *x, int64_t incx);

#endif
