/* The kernels that multiply planes. */
#ifndef TSL_CUDA_MULTIPLY_CUH
#define TSL_CUDA_MULTIPLY_CUH

#include "kernel/cuda/leaf.h"
#include "kernel/cuda/products/plane.cuh"

namespace tsl {

/* multiply_sm90.cu. Has the device wgmma? It is Hopper's alone: code for sm_90a does not run on later ones. */
cudaError_t has_wgmma(int device, bool *yes);
cudaError_t multiply_wgmma(const planes &p, int processors, cudaStream_t stream);

} // namespace tsl
#endif
