/* Level 2 on CUDA by cuBLAS, but for the products with kernels of ours (gemv.cu, symv.cu, trmv.cu). Products that vanish (alpha
 * = 0) never come here: the dispatcher makes them scalings or nothing. */
#include "core/values.h"
#include "kernel/cuda/flags.h"
#include "kernel/cuda/leaf.h"
#include "kernel/cuda/ready.h"

static tsl_status gbmv(struct tsl_queue *q, const tsl_leaf *l)
{
    ready r;
    tsl_status st = prepare(q, l, &r);
    if (st != TSL_OK) return st;
    return tsl_cublas_check(r.lib->gbmv[l->type](r.handle, operation(l->A.op), l->m, l->n, l->band.kl, l->band.ku, &r.alpha, l->A.p, l->A.ld,
                            l->B.p, l->B.ld, &r.beta, l->C.p, l->C.ld), "cublasGbmv");
}

static tsl_status sbmv(struct tsl_queue *q, const tsl_leaf *l)
{
    ready r;
    tsl_status st = prepare(q, l, &r);
    if (st != TSL_OK) return st;
    return tsl_cublas_check(r.lib->sbmv[l->type](r.handle, fill_mode(l->uplo), l->n, l->k, &r.alpha, l->A.p, l->A.ld, l->B.p,
                            l->B.ld, &r.beta, l->C.p, l->C.ld), "cublasSbmv");
}

static tsl_status spmv(struct tsl_queue *q, const tsl_leaf *l)
{
    ready r;
    tsl_status st = prepare(q, l, &r);
    if (st != TSL_OK) return st;
    return tsl_cublas_check(r.lib->spmv[l->type](r.handle, fill_mode(l->uplo), l->n, &r.alpha, l->A.p, l->B.p, l->B.ld, &r.beta,
                            l->C.p, l->C.ld), "cublasSpmv");
}

static tsl_status ger(struct tsl_queue *q, const tsl_leaf *l)
{
    ready r;
    tsl_status st = prepare(q, l, &r);
    if (st != TSL_OK) return st;
    tsl_cublas_ger fn = l->herm ? r.lib->gerc[l->type] : r.lib->ger[l->type];
    return tsl_cublas_check(fn(r.handle, l->m, l->n, &r.alpha, l->A.p, l->A.ld, l->B.p, l->B.ld, l->C.p, l->C.ld), "cublasGer");
}

static tsl_status syr(struct tsl_queue *q, const tsl_leaf *l)
{
    ready r;
    tsl_status st = prepare(q, l, &r);
    if (st != TSL_OK) return st;
    tsl_cublas_syr fn = l->herm ? r.lib->her[l->type] : r.lib->syr[l->type];
    if (l->herm) r.alpha = tsl_typed(tsl_real_type(l->type), l->alpha);
    return tsl_cublas_check(fn(r.handle, fill_mode(l->uplo), l->n, &r.alpha, l->A.p, l->A.ld, l->B.p, l->B.ld), "cublasSyr");
}

static tsl_status spr(struct tsl_queue *q, const tsl_leaf *l)
{
    ready r;
    tsl_status st = prepare(q, l, &r);
    if (st != TSL_OK) return st;
    if (l->herm) r.alpha = tsl_typed(tsl_real_type(l->type), l->alpha);
    return tsl_cublas_check(r.lib->spr[l->type](r.handle, fill_mode(l->uplo), l->n, &r.alpha, l->A.p, l->A.ld, l->B.p),
                            "cublasSpr");
}

static tsl_status syr2(struct tsl_queue *q, const tsl_leaf *l)
{
    ready r;
    tsl_status st = prepare(q, l, &r);
    if (st != TSL_OK) return st;
    tsl_cublas_syr2 fn = l->herm ? r.lib->her2[l->type] : r.lib->syr2[l->type];
    return tsl_cublas_check(fn(r.handle, fill_mode(l->uplo), l->n, &r.alpha, l->A.p, l->A.ld, l->B.p, l->B.ld, l->C.p, l->C.ld),
                            "cublasSyr2");
}

static tsl_status spr2(struct tsl_queue *q, const tsl_leaf *l)
{
    ready r;
    tsl_status st = prepare(q, l, &r);
    if (st != TSL_OK) return st;
    return tsl_cublas_check(r.lib->spr2[l->type](r.handle, fill_mode(l->uplo), l->n, &r.alpha, l->A.p, l->A.ld, l->B.p, l->B.ld,
                            l->C.p), "cublasSpr2");
}

static tsl_status trsv(struct tsl_queue *q, const tsl_leaf *l)
{
    ready r;
    tsl_status st = prepare(q, l, &r);
    if (st != TSL_OK) return st;
    return tsl_cublas_check(r.lib->trsv[l->type](r.handle, fill_mode(l->uplo), operation(l->A.op), diagonal(l->diag), l->n, l->A.p,
                            l->A.ld, l->B.p, l->B.ld), "cublasTrsv");
}

static tsl_status tbxv(struct tsl_queue *q, const tsl_leaf *l)
{
    ready r;
    tsl_status st = prepare(q, l, &r);
    if (st != TSL_OK) return st;
    /* opcode: cuBLAS has two functions of one signature */
    tsl_cublas_tbxv fn = l->op == TSL_OP_TBMV ? r.lib->tbmv[l->type] : r.lib->tbsv[l->type];
    return tsl_cublas_check(fn(r.handle, fill_mode(l->uplo), operation(l->A.op), diagonal(l->diag), l->n, l->k, l->A.p, l->A.ld,
                            l->B.p, l->B.ld), "cublasTbmv or cublasTbsv");
}

static tsl_status tpsv(struct tsl_queue *q, const tsl_leaf *l)
{
    ready r;
    tsl_status st = prepare(q, l, &r);
    if (st != TSL_OK) return st;
    return tsl_cublas_check(r.lib->tpsv[l->type](r.handle, fill_mode(l->uplo), operation(l->A.op), diagonal(l->diag), l->n, l->A.p,
                            l->B.p, l->B.ld), "cublasTpsv");
}

const tsl_kernel_entry tsl_cuda_gbmv_entry = {TSL_ALL_TYPES(gbmv), 0, 0, NULL, NULL, NULL};
const tsl_kernel_entry tsl_cuda_sbmv_entry = {TSL_ALL_TYPES(sbmv), 0, 0, NULL, NULL, NULL};
const tsl_kernel_entry tsl_cuda_spmv_entry = {TSL_ALL_TYPES(spmv), 0, 0, NULL, NULL, NULL};
const tsl_kernel_entry tsl_cuda_ger_entry = {TSL_ALL_TYPES(ger), 0, 0, NULL, NULL, NULL};
const tsl_kernel_entry tsl_cuda_syr_entry = {TSL_ALL_TYPES(syr), 0, 0, NULL, NULL, NULL};
const tsl_kernel_entry tsl_cuda_spr_entry = {TSL_ALL_TYPES(spr), 0, 0, NULL, NULL, NULL};
const tsl_kernel_entry tsl_cuda_syr2_entry = {TSL_ALL_TYPES(syr2), 0, 0, NULL, NULL, NULL};
const tsl_kernel_entry tsl_cuda_spr2_entry = {TSL_ALL_TYPES(spr2), 0, 0, NULL, NULL, NULL};
const tsl_kernel_entry tsl_cuda_trsv_entry = {TSL_ALL_TYPES(trsv), 0, 0, NULL, NULL, NULL};
const tsl_kernel_entry tsl_cuda_tbxv_entry = {TSL_ALL_TYPES(tbxv), 0, 0, NULL, NULL, NULL};
const tsl_kernel_entry tsl_cuda_tpsv_entry = {TSL_ALL_TYPES(tpsv), 0, 0, NULL, NULL, NULL};
