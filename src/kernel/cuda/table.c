/* kernel[op][type] of the GPUs. */
#include "kernel/cuda/leaf.h"
#include "kernel/cuda/level3.h"

#define ALL_TYPES(fn) {fn, fn, fn, fn}

const tsl_kernel_entry tsl_cuda_kernels[TSL_OP_COUNT] = {
    [TSL_OP_COPY] = {ALL_TYPES(tsl_cuda_copy)},
    [TSL_OP_SCALE] = {ALL_TYPES(tsl_cuda_scale)},
    [TSL_OP_EXPAND] = {ALL_TYPES(tsl_cuda_expand)},
    [TSL_OP_GEMM] = {ALL_TYPES(tsl_cuda_gemm)},
    [TSL_OP_GEMMT] = {ALL_TYPES(tsl_cuda_gemmt), 0, 0, tsl_cuda_gemmt_workspace},
    [TSL_OP_SYMM] = {ALL_TYPES(tsl_cuda_symm), 0, 0, tsl_cuda_symm_workspace},
    [TSL_OP_HEMM] = {ALL_TYPES(tsl_cuda_symm), 0, 0, tsl_cuda_symm_workspace},
    [TSL_OP_SYRK] = {ALL_TYPES(tsl_cuda_syrk), 0, 0, tsl_cuda_gemmt_workspace},
    [TSL_OP_HERK] = {ALL_TYPES(tsl_cuda_syrk), 0, 0, tsl_cuda_gemmt_workspace},
    [TSL_OP_SYR2K] = {ALL_TYPES(tsl_cuda_syr2k), TSL_CUDA_RANK_2K_LIMIT},
    [TSL_OP_HER2K] = {ALL_TYPES(tsl_cuda_syr2k), TSL_CUDA_RANK_2K_LIMIT},
    [TSL_OP_TRMM] = {ALL_TYPES(tsl_cuda_trmm), TSL_CUDA_TRMM_LIMIT, TSL_CUDA_TRMM_SKINNY, tsl_cuda_trmm_workspace},
    [TSL_OP_TRSM] = {ALL_TYPES(tsl_cuda_trsm), TSL_CUDA_TRSM_LIMIT},
    [TSL_OP_GEMV] = {ALL_TYPES(tsl_cuda_gemv), 0, 0, tsl_cuda_gemv_workspace},
    [TSL_OP_SYMV] = {ALL_TYPES(tsl_cuda_symv), 0, 0, tsl_cuda_symv_workspace},
    [TSL_OP_HEMV] = {ALL_TYPES(tsl_cuda_symv), 0, 0, tsl_cuda_symv_workspace},
    [TSL_OP_POTRF] = {ALL_TYPES(tsl_cuda_potrf), TSL_CUDA_POTRF_LIMIT},
};
