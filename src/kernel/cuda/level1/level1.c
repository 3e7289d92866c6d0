/* Vectors on CUDA by cuBLAS. What is ours, because of how NaN, Inf and numbers at the ends of the range must be treated, is in
 * scal.cu and reduce.cu. */
#include <complex.h>

#include "core/values.h"
#include "kernel/cuda/leaf.h"
#include "kernel/cuda/ready.h"

/* A vector of the leaf conjugated in place */
static tsl_status conjugate(struct tsl_queue *q, const tsl_leaf *l, void *p, int64_t inc)
{
    int64_t step = inc < 0 ? -inc : inc;
    tsl_leaf c = {.op = TSL_OP_COPY, .type = l->type, .A.op = TSL_CONJ, .m = step == 1 ? l->n : 1, .n = step == 1 ? 1 : l->n,
                  .A.p = p, .A.ld = step == 1 ? l->n : step, .B.p = p, .B.ld = step == 1 ? l->n : step};
    return tsl_cuda_copy(q, &c);
}

static tsl_status vcopy(struct tsl_queue *q, const tsl_leaf *l)
{
    ready r;
    tsl_status st = prepare(q, l, &r);
    if (st != TSL_OK) return st;
    return tsl_cublas_check(r.lib->copy[l->type](r.handle, l->n, l->A.p, l->A.ld, l->B.p, l->B.ld), "cublasCopy");
}

static tsl_status swap(struct tsl_queue *q, const tsl_leaf *l)
{
    ready r;
    tsl_status st = prepare(q, l, &r);
    if (st == TSL_OK) st = tsl_cublas_check(r.lib->swap[l->type](r.handle, l->n, l->A.p, l->A.ld, l->B.p, l->B.ld), "cublasSwap");
    if (st == TSL_OK && l->herm) st = conjugate(q, l, l->A.p, l->A.ld);
    if (st == TSL_OK && l->herm) st = conjugate(q, l, l->B.p, l->B.ld);
    return st;
}

static tsl_status axpy(struct tsl_queue *q, const tsl_leaf *l)
{
    ready r;
    tsl_status st = prepare(q, l, &r);
    if (st != TSL_OK) return st;
    return tsl_cublas_check(r.lib->axpy[l->type](r.handle, l->n, &r.alpha, l->A.p, l->A.ld, l->B.p, l->B.ld), "cublasAxpy");
}

static tsl_status rot(struct tsl_queue *q, const tsl_leaf *l)
{
    ready r;
    tsl_status st = prepare(q, l, &r);
    if (st != TSL_OK) return st;
    bool real = l->scal.real && tsl_is_complex(l->type);
    tsl_type half = tsl_real_type(l->type);
    tsl_typed_scalar c = tsl_typed(half, l->alpha), s = tsl_typed(real ? half : l->type, l->beta);
    tsl_cublas_rot fn = real ? r.lib->rot_real[l->type] : r.lib->rot[l->type];
    if (l->herm) st = conjugate(q, l, l->B.p, l->B.ld);
    if (st == TSL_OK) st = tsl_cublas_check(fn(r.handle, l->n, l->A.p, l->A.ld, l->B.p, l->B.ld, &c, &s), "cublasRot");
    if (st == TSL_OK && l->herm) st = conjugate(q, l, l->B.p, l->B.ld);
    return st;
}

/* All entries of H are given, so its form is -1. */
static tsl_status rotm(struct tsl_queue *q, const tsl_leaf *l)
{
    ready r;
    tsl_status st = prepare(q, l, &r);
    if (st != TSL_OK) return st;
    const double h[] = {-1, creal(l->alpha), cimag(l->alpha), creal(l->beta), cimag(l->beta)};
    const float f[] = {-1, (float)h[1], (float)h[2], (float)h[3], (float)h[4]};
    const void *param = l->type == TSL_S ? (const void *)f : h;
    return tsl_cublas_check(r.lib->rotm[l->type](r.handle, l->n, l->A.p, l->A.ld, l->B.p, l->B.ld, param), "cublasRotm");
}

/* Reductions leave their result in the device's memory: cuBLAS looks for scalars there while they are called. */
static tsl_status scalars_on(const ready *r, cublasPointerMode_t mode)
{
    return tsl_cublas_check(r->lib->set_pointer_mode(r->handle, (int)mode), "cublasSetPointerMode");
}

static tsl_status prepare_result(struct tsl_queue *q, const tsl_leaf *l, ready *r)
{
    tsl_status st = prepare(q, l, r);
    return st != TSL_OK ? st : scalars_on(r, CUBLAS_POINTER_MODE_DEVICE);
}

/* The outcome of the call, or else that of taking scalars from the host again */
static tsl_status finish(const ready *r, tsl_status st)
{
    tsl_status back = scalars_on(r, CUBLAS_POINTER_MODE_HOST);
    return st != TSL_OK ? st : back;
}

static tsl_status dot(struct tsl_queue *q, const tsl_leaf *l)
{
    ready r;
    tsl_status st = prepare_result(q, l, &r);
    if (st != TSL_OK) return st;
    tsl_cublas_dot fn = l->herm ? r.lib->dotc[l->type] : r.lib->dot[l->type];
    return finish(&r, tsl_cublas_check(fn(r.handle, l->n, l->A.p, l->A.ld, l->B.p, l->B.ld, l->result), "cublasDot"));
}

static tsl_status asum(struct tsl_queue *q, const tsl_leaf *l)
{
    ready r;
    tsl_status st = prepare_result(q, l, &r);
    if (st != TSL_OK) return st;
    return finish(&r, tsl_cublas_check(r.lib->asum[l->type](r.handle, l->n, l->A.p, l->A.ld, l->result), "cublasAsum"));
}

const tsl_kernel_entry tsl_cuda_vcopy_entry = {TSL_ALL_TYPES(vcopy), 0, 0, NULL, NULL, NULL};
const tsl_kernel_entry tsl_cuda_swap_entry = {TSL_ALL_TYPES(swap), 0, 0, NULL, NULL, NULL};
const tsl_kernel_entry tsl_cuda_axpy_entry = {TSL_ALL_TYPES(axpy), 0, 0, NULL, NULL, NULL};
const tsl_kernel_entry tsl_cuda_rot_entry = {TSL_ALL_TYPES(rot), 0, 0, NULL, NULL, NULL};
const tsl_kernel_entry tsl_cuda_rotm_entry = {{rotm, rotm, NULL, NULL}, 0, 0, NULL, NULL, NULL};
const tsl_kernel_entry tsl_cuda_dot_entry = {TSL_ALL_TYPES(dot), 0, 0, NULL, NULL, NULL};
const tsl_kernel_entry tsl_cuda_asum_entry = {TSL_ALL_TYPES(asum), 0, 0, NULL, NULL, NULL};
