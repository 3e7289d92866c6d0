/* Leaves of a matrix and vectors that are cuBLAS's. */
#ifndef TSL_CUDA_LEVEL2_H
#define TSL_CUDA_LEVEL2_H

#include "core/leaf.h"

tsl_status tsl_cuda_gbmv(struct tsl_queue *q, const tsl_leaf *l);
tsl_status tsl_cuda_sbmv(struct tsl_queue *q, const tsl_leaf *l); /* and hbmv */
tsl_status tsl_cuda_spmv(struct tsl_queue *q, const tsl_leaf *l); /* and hpmv */
tsl_status tsl_cuda_ger(struct tsl_queue *q, const tsl_leaf *l);
tsl_status tsl_cuda_syr(struct tsl_queue *q, const tsl_leaf *l);  /* and her */
tsl_status tsl_cuda_spr(struct tsl_queue *q, const tsl_leaf *l);  /* and hpr */
tsl_status tsl_cuda_syr2(struct tsl_queue *q, const tsl_leaf *l); /* and her2 */
tsl_status tsl_cuda_spr2(struct tsl_queue *q, const tsl_leaf *l); /* and hpr2 */
tsl_status tsl_cuda_trsv(struct tsl_queue *q, const tsl_leaf *l);
tsl_status tsl_cuda_tbxv(struct tsl_queue *q, const tsl_leaf *l); /* tbmv, tbsv */
tsl_status tsl_cuda_tpsv(struct tsl_queue *q, const tsl_leaf *l);

#endif
