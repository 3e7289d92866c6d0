#include "kernel/cuda/leaf.h"
#include "kernel/cuda/level3.h"
#include "kernel/kernel.h"

#define ALL_TYPES(fn) {fn, fn, fn, fn}

const tsl_kernel_entry tsl_cuda_kernels[TSL_OP_COUNT] = {
    [TSL_OP_COPY] = {ALL_TYPES(tsl_cuda_copy), 0},
    [TSL_OP_SCALE] = {ALL_TYPES(tsl_cuda_scale), 0},
    [TSL_OP_GEMM] = {ALL_TYPES(tsl_cuda_gemm), 0},
    [TSL_OP_TRSM] = {ALL_TYPES(tsl_cuda_trsm), TSL_CUDA_TRSM_LIMIT},
    [TSL_OP_SYRK] = {ALL_TYPES(tsl_cuda_syrk), TSL_CUDA_RANK_K_LIMIT},
    [TSL_OP_HERK] = {ALL_TYPES(tsl_cuda_herk), TSL_CUDA_RANK_K_LIMIT},
    [TSL_OP_POTRF] = {ALL_TYPES(tsl_cuda_potrf), TSL_CUDA_POTRF_LIMIT},
};
