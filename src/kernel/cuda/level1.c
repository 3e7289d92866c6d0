/* Vectors on CUDA by cuBLAS. What is ours, because of how NaN, Inf and numbers at the ends of the range must be treated, is in
 * scal.cu and reduce.cu. */
#include "kernel/cuda/level1.h"

#include <complex.h>

#include "core/core.h"
#include "device/cuda/cublas.h"
#include "kernel/cuda/leaf.h"

/* A vector of the leaf conjugated in place */
static tsl_status conjugate(struct tsl_queue *q, const tsl_leaf *l, void *p, int64_t inc)
{
    int64_t step = inc < 0 ? -inc : inc;
    tsl_leaf c = {.op = TSL_OP_COPY, .type = l->type, .opA = TSL_CONJ, .m = step == 1 ? l->n : 1, .n = step == 1 ? 1 : l->n,
                  .A = p, .lda = step == 1 ? l->n : step, .B = p, .ldb = step == 1 ? l->n : step};
    return tsl_cuda_copy(q, &c);
}

tsl_status tsl_cuda_vcopy(struct tsl_queue *q, const tsl_leaf *l)
{
    const tsl_cublas *lib;
    void *handle;
    tsl_status st = tsl_cuda_cublas(tsl_cuda(q), &lib, &handle);
    if (st != TSL_OK)
        return st;
    return tsl_cublas_check(lib->copy[l->type](handle, l->n, l->A, l->lda, l->B, l->ldb), "cublasCopy");
}

tsl_status tsl_cuda_swap(struct tsl_queue *q, const tsl_leaf *l)
{
    const tsl_cublas *lib;
    void *handle;
    tsl_status st = tsl_cuda_cublas(tsl_cuda(q), &lib, &handle);
    if (st == TSL_OK)
        st = tsl_cublas_check(lib->swap[l->type](handle, l->n, l->A, l->lda, l->B, l->ldb), "cublasSwap");
    if (st == TSL_OK && l->herm)
        st = conjugate(q, l, l->A, l->lda);
    if (st == TSL_OK && l->herm)
        st = conjugate(q, l, l->B, l->ldb);
    return st;
}

tsl_status tsl_cuda_axpy(struct tsl_queue *q, const tsl_leaf *l)
{
    const tsl_cublas *lib;
    void *handle;
    tsl_status st = tsl_cuda_cublas(tsl_cuda(q), &lib, &handle);
    if (st != TSL_OK)
        return st;
    tsl_typed_scalar alpha = tsl_typed(l->type, l->alpha);
    return tsl_cublas_check(lib->axpy[l->type](handle, l->n, &alpha, l->A, l->lda, l->B, l->ldb), "cublasAxpy");
}

tsl_status tsl_cuda_rot(struct tsl_queue *q, const tsl_leaf *l)
{
    const tsl_cublas *lib;
    void *handle;
    tsl_status st = tsl_cuda_cublas(tsl_cuda(q), &lib, &handle);
    if (st != TSL_OK)
        return st;
    bool real = l->real && tsl_is_complex(l->type);
    tsl_type half = tsl_real_type(l->type);
    tsl_typed_scalar c = tsl_typed(half, l->alpha), s = tsl_typed(real ? half : l->type, l->beta);
    tsl_cublas_rot fn = real ? lib->rot_real[l->type] : lib->rot[l->type];
    if (l->herm)
        st = conjugate(q, l, l->B, l->ldb);
    if (st == TSL_OK)
        st = tsl_cublas_check(fn(handle, l->n, l->A, l->lda, l->B, l->ldb, &c, &s), "cublasRot");
    if (st == TSL_OK && l->herm)
        st = conjugate(q, l, l->B, l->ldb);
    return st;
}

/* All entries of H are given, so its form is -1. */
tsl_status tsl_cuda_rotm(struct tsl_queue *q, const tsl_leaf *l)
{
    const tsl_cublas *lib;
    void *handle;
    tsl_status st = tsl_cuda_cublas(tsl_cuda(q), &lib, &handle);
    if (st != TSL_OK)
        return st;
    const double h[] = {-1, creal(l->alpha), cimag(l->alpha), creal(l->beta), cimag(l->beta)};
    const float f[] = {-1, (float)h[1], (float)h[2], (float)h[3], (float)h[4]};
    const void *param = l->type == TSL_S ? (const void *)f : h;
    return tsl_cublas_check(lib->rotm[l->type](handle, l->n, l->A, l->lda, l->B, l->ldb, param), "cublasRotm");
}

/* Reductions leave their result in the device's memory: cuBLAS looks for scalars there while they are called. */
static tsl_status scalars_on(const tsl_cublas *lib, void *handle, cublasPointerMode_t mode)
{
    return tsl_cublas_check(lib->set_pointer_mode(handle, (int)mode), "cublasSetPointerMode");
}

tsl_status tsl_cuda_dot(struct tsl_queue *q, const tsl_leaf *l)
{
    const tsl_cublas *lib;
    void *handle;
    tsl_status st = tsl_cuda_cublas(tsl_cuda(q), &lib, &handle);
    if (st == TSL_OK)
        st = scalars_on(lib, handle, CUBLAS_POINTER_MODE_DEVICE);
    if (st != TSL_OK)
        return st;
    tsl_cublas_dot fn = l->herm ? lib->dotc[l->type] : lib->dot[l->type];
    st = tsl_cublas_check(fn(handle, l->n, l->A, l->lda, l->B, l->ldb, l->result), "cublasDot");
    tsl_status back = scalars_on(lib, handle, CUBLAS_POINTER_MODE_HOST);
    return st != TSL_OK ? st : back;
}

tsl_status tsl_cuda_asum(struct tsl_queue *q, const tsl_leaf *l)
{
    const tsl_cublas *lib;
    void *handle;
    tsl_status st = tsl_cuda_cublas(tsl_cuda(q), &lib, &handle);
    if (st == TSL_OK)
        st = scalars_on(lib, handle, CUBLAS_POINTER_MODE_DEVICE);
    if (st != TSL_OK)
        return st;
    st = tsl_cublas_check(lib->asum[l->type](handle, l->n, l->A, l->lda, l->result), "cublasAsum");
    tsl_status back = scalars_on(lib, handle, CUBLAS_POINTER_MODE_HOST);
    return st != TSL_OK ? st : back;
}
