/* cuBLAS, found at run time and never linked: the library runs, on the host, where there is none. */
#ifndef TSL_CUBLAS_H
#define TSL_CUBLAS_H

#include <cublas_api.h>

#include "device/cuda/cuda.h"

/* The routines of the four types differ only in what their pointers point to, so the table holds them by tsl_type with void
 * pointers; flags are cuBLAS's enums, results cublasStatus_t. Sizes are 64-bit, which cuBLAS has since version 12. */
typedef int (*tsl_cublas_gemm)(void *handle, int opa, int opb, int64_t m, int64_t n, int64_t k, const void *alpha, const void *A,
                               int64_t lda, const void *B, int64_t ldb, const void *beta, void *C, int64_t ldc);
typedef int (*tsl_cublas_gemm_batch)(void *handle, int opa, int opb, int64_t m, int64_t n, int64_t k, const void *alpha,
                                     const void *A, int64_t lda, long long stepA, const void *B, int64_t ldb, long long stepB,
                                     const void *beta, void *C, int64_t ldc, long long stepC, int64_t count);
typedef int (*tsl_cublas_gemm_each)(void *handle, int opa, int opb, int64_t m, int64_t n, int64_t k, const void *alpha,
                                    const void *const *A, int64_t lda, const void *const *B, int64_t ldb, const void *beta,
                                    void *const *C, int64_t ldc, int64_t count);
/* types and the compute type are cuBLAS's enums */
typedef int (*tsl_cublas_gemm_ex)(void *handle, int opa, int opb, int64_t m, int64_t n, int64_t k, const void *alpha, const void *A, int typeA,
                                  int64_t lda, const void *B, int typeB, int64_t ldb, const void *beta, void *C, int typeC, int64_t ldc,
                                  int compute, int algorithm);
typedef int (*tsl_cublas_gemm_batch_ex)(void *handle, int opa, int opb, int64_t m, int64_t n, int64_t k, const void *alpha, const void *A,
                                        int typeA, int64_t lda, long long stepA, const void *B, int typeB, int64_t ldb, long long stepB,
                                        const void *beta, void *C, int typeC, int64_t ldc, long long stepC, int64_t count, int compute,
                                        int algorithm);
typedef int (*tsl_cublas_rank_k)(void *handle, int uplo, int op, int64_t n, int64_t k, const void *alpha, const void *A,
                                 int64_t lda, const void *beta, void *C, int64_t ldc);
typedef int (*tsl_cublas_rank_2k)(void *handle, int uplo, int op, int64_t n, int64_t k, const void *alpha, const void *A,
                                  int64_t lda, const void *B, int64_t ldb, const void *beta, void *C, int64_t ldc);
/* level 1: two vectors (copy, swap); with a factor (axpy), a result (dot), c and s (rot) or the entries of H (rotm); asum */
typedef int (*tsl_cublas_two)(void *handle, int64_t n, const void *x, int64_t incx, void *y, int64_t incy);
typedef int (*tsl_cublas_axpy)(void *handle, int64_t n, const void *alpha, const void *x, int64_t incx, void *y, int64_t incy);
typedef int (*tsl_cublas_dot)(void *handle, int64_t n, const void *x, int64_t incx, const void *y, int64_t incy, void *result);
typedef int (*tsl_cublas_rot)(void *handle, int64_t n, void *x, int64_t incx, void *y, int64_t incy, const void *c, const void *s);
typedef int (*tsl_cublas_rotm)(void *handle, int64_t n, void *x, int64_t incx, void *y, int64_t incy, const void *param);
typedef int (*tsl_cublas_asum)(void *handle, int64_t n, const void *x, int64_t incx, void *result);

/* level 2 */
typedef int (*tsl_cublas_gbmv)(void *handle, int op, int64_t m, int64_t n, int64_t kl, int64_t ku, const void *alpha, const void *A,
                               int64_t lda, const void *x, int64_t incx, const void *beta, void *y, int64_t incy);
typedef int (*tsl_cublas_sbmv)(void *handle, int uplo, int64_t n, int64_t k, const void *alpha, const void *A, int64_t lda,
                               const void *x, int64_t incx, const void *beta, void *y, int64_t incy);
typedef int (*tsl_cublas_spmv)(void *handle, int uplo, int64_t n, const void *alpha, const void *AP, const void *x, int64_t incx,
                               const void *beta, void *y, int64_t incy);
typedef int (*tsl_cublas_ger)(void *handle, int64_t m, int64_t n, const void *alpha, const void *x, int64_t incx, const void *y,
                              int64_t incy, void *A, int64_t lda);
typedef int (*tsl_cublas_syr)(void *handle, int uplo, int64_t n, const void *alpha, const void *x, int64_t incx, void *A,
                              int64_t lda);
typedef int (*tsl_cublas_spr)(void *handle, int uplo, int64_t n, const void *alpha, const void *x, int64_t incx, void *AP);
typedef int (*tsl_cublas_syr2)(void *handle, int uplo, int64_t n, const void *alpha, const void *x, int64_t incx, const void *y,
                               int64_t incy, void *A, int64_t lda);
typedef int (*tsl_cublas_spr2)(void *handle, int uplo, int64_t n, const void *alpha, const void *x, int64_t incx, const void *y,
                               int64_t incy, void *AP);
typedef int (*tsl_cublas_trxv)(void *handle, int uplo, int op, int diag, int64_t n, const void *A, int64_t lda, void *x,
                               int64_t incx);
typedef int (*tsl_cublas_tbxv)(void *handle, int uplo, int op, int diag, int64_t n, int64_t k, const void *A, int64_t lda, void *x,
                               int64_t incx);
typedef int (*tsl_cublas_tpxv)(void *handle, int uplo, int op, int diag, int64_t n, const void *AP, void *x, int64_t incx);

typedef struct tsl_cublas {
    int (*create)(void **handle);
    int (*destroy)(void *handle);
    int (*set_stream)(void *handle, cudaStream_t stream);
    int (*set_workspace)(void *handle, void *p, size_t bytes);
    int (*set_math_mode)(void *handle, int mode);
    int (*get_version)(void *handle, int *version);
    int (*set_pointer_mode)(void *handle, int mode);
    const char *(*status_string)(int status);
    tsl_cublas_two copy[4], swap[4];
    tsl_cublas_axpy axpy[4];
    tsl_cublas_dot dot[4], dotc[4];      /* dotc: NULL for real types */
    tsl_cublas_rot rot[4], rot_real[4];  /* rot_real: s is real; NULL for real types */
    tsl_cublas_rotm rotm[4];             /* NULL for complex types */
    tsl_cublas_asum asum[4];
    tsl_cublas_gemm gemm[4];
    tsl_cublas_gemm_batch gemm_batch[4];
    tsl_cublas_gemm_each gemm_each[4]; /* of problems at pointers */
    tsl_cublas_gemm_ex gemm_ex;
    tsl_cublas_gemm_batch_ex gemm_batch_ex;
    tsl_cublas_rank_k syrk[4];
    tsl_cublas_rank_k herk[4]; /* alpha and beta real; NULL for real types, where it is syrk */
    tsl_cublas_rank_2k syr2k[4];
    tsl_cublas_rank_2k her2k[4]; /* beta real; NULL for real types */
    /* level 2. The her* ones are NULL for real types, and those of one vector take a real alpha. */
    tsl_cublas_gbmv gbmv[4];
    tsl_cublas_ger ger[4], gerc[4]; /* gerc conjugates y; NULL for real types */
    tsl_cublas_syr syr[4], her[4];
    tsl_cublas_syr2 syr2[4], her2[4];
    tsl_cublas_trxv trsv[4];
    tsl_cublas_tbxv tbmv[4], tbsv[4];
    tsl_cublas_tpxv tpsv[4];
    /* stored by bands or packed: symmetric for real types, Hermitian for complex ones */
    tsl_cublas_sbmv sbmv[4];
    tsl_cublas_spmv spmv[4];
    tsl_cublas_spr spr[4];
    tsl_cublas_spr2 spr2[4];
} tsl_cublas;

/* cublas.c: loaded on the first call; NULL where it is not there or lacks one of the symbols */
const tsl_cublas *tsl_cublas_get(void);
/* cublas.c: a cuBLAS result as a status; logs the vendor's text when it is a failure */
tsl_status tsl_cublas_status(int status, const char *what);
/* of a call, as tsl_cuda_check */
#define tsl_cublas_check(call, what) (tsl_cuda_struck(what) ? TSL_ERR_DEVICE : tsl_cublas_status((call), (what)))

/* handle.c: the queue's handle, made on its first use because making one takes far longer than a small computation */
tsl_status tsl_cuda_cublas(tsl_cuda_queue *q, const tsl_cublas **lib, void **handle);
tsl_status tsl_cuda_cublas_bind(tsl_cuda_queue *q); /* to the queue's stream, which may have become another */
void tsl_cuda_cublas_close(tsl_cuda_queue *q); /* the queue is idle */

#endif
