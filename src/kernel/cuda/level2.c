/* Level 2 on CUDA by cuBLAS, but for the products with kernels of ours (gemv.cu, symv.cu, trmv.cu). Products that vanish (alpha = 0) never come here: the dispatcher makes them scalings or nothing. */
#include "kernel/cuda/level2.h"

#include "core/values.h"
#include "kernel/cuda/flags.h"
#include "kernel/cuda/ready.h"

tsl_status tsl_cuda_gbmv(struct tsl_queue *q, const tsl_leaf *l)
{
    ready r;
    tsl_status st = prepare(q, l, &r);
    if (st != TSL_OK) return st;
    return tsl_cublas_check(r.lib->gbmv[l->type](r.handle, operation(l->opA), l->m, l->n, l->kl, l->ku, &r.alpha, l->A, l->lda,
                            l->B, l->ldb, &r.beta, l->C, l->ldc), "cublasGbmv");
}

tsl_status tsl_cuda_sbmv(struct tsl_queue *q, const tsl_leaf *l)
{
    ready r;
    tsl_status st = prepare(q, l, &r);
    if (st != TSL_OK) return st;
    return tsl_cublas_check(r.lib->sbmv[l->type](r.handle, fill_mode(l->uplo), l->n, l->k, &r.alpha, l->A, l->lda, l->B,
                            l->ldb, &r.beta, l->C, l->ldc), "cublasSbmv");
}

tsl_status tsl_cuda_spmv(struct tsl_queue *q, const tsl_leaf *l)
{
    ready r;
    tsl_status st = prepare(q, l, &r);
    if (st != TSL_OK) return st;
    return tsl_cublas_check(r.lib->spmv[l->type](r.handle, fill_mode(l->uplo), l->n, &r.alpha, l->A, l->B, l->ldb, &r.beta,
                            l->C, l->ldc), "cublasSpmv");
}

tsl_status tsl_cuda_ger(struct tsl_queue *q, const tsl_leaf *l)
{
    ready r;
    tsl_status st = prepare(q, l, &r);
    if (st != TSL_OK) return st;
    tsl_cublas_ger fn = l->herm ? r.lib->gerc[l->type] : r.lib->ger[l->type];
    return tsl_cublas_check(fn(r.handle, l->m, l->n, &r.alpha, l->A, l->lda, l->B, l->ldb, l->C, l->ldc), "cublasGer");
}

tsl_status tsl_cuda_syr(struct tsl_queue *q, const tsl_leaf *l)
{
    ready r;
    tsl_status st = prepare(q, l, &r);
    if (st != TSL_OK) return st;
    tsl_cublas_syr fn = l->herm ? r.lib->her[l->type] : r.lib->syr[l->type];
    if (l->herm) r.alpha = tsl_typed(tsl_real_type(l->type), l->alpha);
    return tsl_cublas_check(fn(r.handle, fill_mode(l->uplo), l->n, &r.alpha, l->A, l->lda, l->B, l->ldb), "cublasSyr");
}

tsl_status tsl_cuda_spr(struct tsl_queue *q, const tsl_leaf *l)
{
    ready r;
    tsl_status st = prepare(q, l, &r);
    if (st != TSL_OK) return st;
    if (l->herm) r.alpha = tsl_typed(tsl_real_type(l->type), l->alpha);
    return tsl_cublas_check(r.lib->spr[l->type](r.handle, fill_mode(l->uplo), l->n, &r.alpha, l->A, l->lda, l->B),
                            "cublasSpr");
}

tsl_status tsl_cuda_syr2(struct tsl_queue *q, const tsl_leaf *l)
{
    ready r;
    tsl_status st = prepare(q, l, &r);
    if (st != TSL_OK) return st;
    tsl_cublas_syr2 fn = l->herm ? r.lib->her2[l->type] : r.lib->syr2[l->type];
    return tsl_cublas_check(fn(r.handle, fill_mode(l->uplo), l->n, &r.alpha, l->A, l->lda, l->B, l->ldb, l->C, l->ldc),
                            "cublasSyr2");
}

tsl_status tsl_cuda_spr2(struct tsl_queue *q, const tsl_leaf *l)
{
    ready r;
    tsl_status st = prepare(q, l, &r);
    if (st != TSL_OK) return st;
    return tsl_cublas_check(r.lib->spr2[l->type](r.handle, fill_mode(l->uplo), l->n, &r.alpha, l->A, l->lda, l->B, l->ldb,
                            l->C), "cublasSpr2");
}

tsl_status tsl_cuda_trsv(struct tsl_queue *q, const tsl_leaf *l)
{
    ready r;
    tsl_status st = prepare(q, l, &r);
    if (st != TSL_OK) return st;
    return tsl_cublas_check(r.lib->trsv[l->type](r.handle, fill_mode(l->uplo), operation(l->opA), diagonal(l->diag), l->n, l->A,
                            l->lda, l->B, l->ldb), "cublasTrsv");
}

tsl_status tsl_cuda_tbxv(struct tsl_queue *q, const tsl_leaf *l)
{
    ready r;
    tsl_status st = prepare(q, l, &r);
    if (st != TSL_OK) return st;
    tsl_cublas_tbxv fn = l->op == TSL_OP_TBMV ? r.lib->tbmv[l->type] : r.lib->tbsv[l->type];
    return tsl_cublas_check(fn(r.handle, fill_mode(l->uplo), operation(l->opA), diagonal(l->diag), l->n, l->k, l->A, l->lda,
                            l->B, l->ldb), "cublasTbmv or cublasTbsv");
}

tsl_status tsl_cuda_tpsv(struct tsl_queue *q, const tsl_leaf *l)
{
    ready r;
    tsl_status st = prepare(q, l, &r);
    if (st != TSL_OK) return st;
    return tsl_cublas_check(r.lib->tpsv[l->type](r.handle, fill_mode(l->uplo), operation(l->opA), diagonal(l->diag), l->n, l->A,
                            l->B, l->ldb), "cublasTpsv");
}
