/* Level 3 on CUDA by cuBLAS. Products that vanish (alpha = 0, k = 0) never come here: the dispatcher makes them scalings. */
#include "kernel/cuda/level3.h"

#include <complex.h>

#include "core/core.h"
#include "device/cuda/cublas.h"

static const int transpose[] = {[TSL_NOTRANS] = CUBLAS_OP_N, [TSL_TRANS] = CUBLAS_OP_T, [TSL_HERM] = CUBLAS_OP_C};
static const int triangle[] = {[TSL_LOWER] = CUBLAS_FILL_MODE_LOWER, [TSL_UPPER] = CUBLAS_FILL_MODE_UPPER};

static tsl_typed_scalar typed(tsl_type t, tsl_scalar a)
{
    tsl_typed_scalar x = {0};
    switch (t) {
    case TSL_S: x.s = (float)creal(a); break;
    case TSL_D: x.d = creal(a); break;
    case TSL_C: x.c = (tsl_cfloat)a; break;
    case TSL_Z: x.z = a; break;
    }
    return x;
}

tsl_status tsl_cuda_gemm(struct tsl_queue *q, const tsl_leaf *l)
{
    const tsl_cublas *lib;
    void *handle;
    tsl_status st = tsl_cuda_cublas(tsl_cuda(q), &lib, &handle);
    if (st != TSL_OK)
        return st;
    tsl_typed_scalar alpha = typed(l->type, l->alpha), beta = typed(l->type, l->beta);
    return tsl_cublas_check(lib->gemm[l->type](handle, transpose[l->opA], transpose[l->opB], l->m, l->n, l->k, &alpha, l->A,
                                               l->lda, l->B, l->ldb, &beta, l->C, l->ldc),
                            "cublasGemm");
}

/* C := alpha op(A) op(A)^T + beta C, or with ^H, on a triangle. */
static tsl_status rank_k(struct tsl_queue *q, const tsl_leaf *l, bool herm)
{
    const tsl_cublas *lib;
    void *handle;
    tsl_type scalars = herm ? (l->type == TSL_C ? TSL_S : TSL_D) : l->type; /* herk's alpha and beta are real */
    tsl_status st = tsl_cuda_cublas(tsl_cuda(q), &lib, &handle);
    if (st != TSL_OK)
        return st;
    tsl_typed_scalar alpha = typed(scalars, l->alpha), beta = typed(scalars, l->beta);
    tsl_cublas_rank_k fn = herm ? lib->herk[l->type] : lib->syrk[l->type];
    return tsl_cublas_check(
        fn(handle, triangle[l->uplo], transpose[l->opA], l->n, l->k, &alpha, l->A, l->lda, &beta, l->C, l->ldc),
        herm ? "cublasHerk" : "cublasSyrk");
}

tsl_status tsl_cuda_syrk(struct tsl_queue *q, const tsl_leaf *l) { return rank_k(q, l, false); }

/* For real types the same as syrk. */
tsl_status tsl_cuda_herk(struct tsl_queue *q, const tsl_leaf *l) { return rank_k(q, l, tsl_is_complex(l->type)); }
