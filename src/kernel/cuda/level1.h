/* Leaves on vectors: level1.c by cuBLAS, scal.cu and reduce.cu ours. */
#ifndef TSL_CUDA_LEVEL1_H
#define TSL_CUDA_LEVEL1_H

#include "core/leaf.h"

#ifdef __cplusplus
extern "C" {
#endif

tsl_status tsl_cuda_vcopy(struct tsl_queue *q, const tsl_leaf *l);
tsl_status tsl_cuda_swap(struct tsl_queue *q, const tsl_leaf *l);
tsl_status tsl_cuda_axpy(struct tsl_queue *q, const tsl_leaf *l);
tsl_status tsl_cuda_rot(struct tsl_queue *q, const tsl_leaf *l);
tsl_status tsl_cuda_rotm(struct tsl_queue *q, const tsl_leaf *l);
tsl_status tsl_cuda_dot(struct tsl_queue *q, const tsl_leaf *l);
tsl_status tsl_cuda_asum(struct tsl_queue *q, const tsl_leaf *l);

tsl_status tsl_cuda_scal(struct tsl_queue *q, const tsl_leaf *l);
tsl_status tsl_cuda_nrm2(struct tsl_queue *q, const tsl_leaf *l);
tsl_status tsl_cuda_iamax(struct tsl_queue *q, const tsl_leaf *l);
size_t tsl_cuda_reduce_workspace(const tsl_leaf *l); /* of nrm2 and iamax */

#ifdef __cplusplus
}
#endif
#endif
