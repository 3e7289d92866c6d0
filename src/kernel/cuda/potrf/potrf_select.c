/* Which Cholesky factorization: in one multiprocessor's shared memory up to its limit, past it by one kernel that all of them
 * work at. */
#include "kernel/cuda/leaf.h"

static tsl_status potrf(tsl_queue *q, const tsl_leaf *l)
{
    if (l->n <= TSL_CUDA_POTRF_LIMIT) return tsl_cuda_potrf_block(q, l);
    tsl_status st = tsl_cuda_begin_info(q, l);
    return st ? st : tsl_cuda_potrf_flow(q, l);
}

static size_t workspace(const tsl_leaf *l) { return l->n <= TSL_CUDA_POTRF_LIMIT ? 0 : tsl_cuda_potrf_flow_workspace(l); }

static const void *kernel(int i)
{
    return i == 0 ? tsl_cuda_kernel_of_potrf() : i == 1 ? tsl_cuda_kernel_of_potrf_flow() : NULL;
}

const tsl_kernel_entry tsl_cuda_potrf_entry = {
    TSL_ALL_TYPES(potrf), TSL_CUDA_POTRF_LIMIT, TSL_CUDA_POTRF_WHOLE, workspace, kernel, NULL};
