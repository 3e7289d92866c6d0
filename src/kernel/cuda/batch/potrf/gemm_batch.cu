/* Products of small matrices in batches: the choice of the kernel's shape. */
#include "kernel/cuda/batch/potrf/gemm_batch.cuh"
#include "kernel/cuda/batch/potrf/gemm_small.cuh"

template <typename T>
cudaError_t tsl_gemm_batch(cudaStream_t s, tsl_op opA, tsl_op opB, int m, int n, int k, T alpha, Batch<const T> A, Batch<const T> B, T beta,
                           Batch<T> C, int64_t count)
{
    using namespace tsl;
    if (m == 0 || n == 0 || count == 0) return cudaSuccess;
    const bool ta = opA & TSL_TRANS, tb = opB & TSL_TRANS;
    products<T> q = {A, B, C, ta ? A.ld : 1, ta ? 1 : A.ld, tb ? B.ld : 1, tb ? 1 : B.ld, count, m, n, k, (opA & TSL_CONJ) != 0,
                     (opB & TSL_CONJ) != 0, alpha, beta};
    const int larger = m > n ? m : n;
    return larger <= 4    ? launch_gemm_small<T, 4, 1, 1, 4>(s, q)
           : larger <= 8  ? launch_gemm_small<T, 8, 1, 1, 8>(s, q)
           : larger <= 16 ? launch_gemm_small<T, 8, 2, 2, 8>(s, q)
                          : launch_gemm_small<T, 8, 4, 4, 8>(s, q);
}

const void *tsl_gemm_batch_kernel() { return (const void *)tsl::gemm_small<float, 4, 1, 1, 4>; }

#define INSTANCE(T)                                                                                                                \
    template cudaError_t tsl_gemm_batch<T>(cudaStream_t, tsl_op, tsl_op, int, int, int, T, Batch<const T>, Batch<const T>, T, Batch<T>, int64_t)
INSTANCE(float);
INSTANCE(double);
INSTANCE(tsl::cplx<float>);
INSTANCE(tsl::cplx<double>);
