/* Divide and conquer on a queue of the library's (dc_run.cuh asks for it as X). */
#ifndef TSL_CUDA_DC_QUEUE_CUH
#define TSL_CUDA_DC_QUEUE_CUH

#include "kernel/cuda/eig/tridiagonal/dc_run.cuh"
#include "kernel/cuda/leaf.h"
#include "kernel/cuda/level3/level3.h"

namespace tsl {
namespace dc {

/* Places within a merge are counted in 21 bits. */
constexpr int64_t LARGEST_ORDER = ((int64_t)1 << 21) - 1;

struct on_queue {
    tsl_queue *q;
    tsl_type type; /* of the products, a real one */
    cudaStream_t stream;

    tsl_status check(cudaError_t e) const { return tsl_cuda_check(e, "divide and conquer"); }
    void mark(const char *) const {} /* what is measured apart elsewhere */

    tsl_status read(void *to, const void *from, size_t bytes) const
    {
        const tsl_status st = tsl_cuda_check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, stream), "cudaMemcpyAsync");
        return st == TSL_OK ? tsl_cuda_waited(cudaStreamSynchronize(stream), "cudaStreamSynchronize") : st;
    }

    template <class R> tsl_status gemm(int64_t m, int64_t n, int64_t k, R *A, int64_t lda, R *B, int64_t ldb, R *C, int64_t ldc) const
    {
        tsl_leaf g = {};
        g.type = type;
        g.m = m, g.n = n, g.k = k;
        if (k == 0) { /* all poles of that half are deflated */
            g.op = TSL_OP_SCALE;
            g.A.p = C, g.A.ld = ldc;
            return tsl_cuda_scale(q, &g);
        }
        g.op = TSL_OP_GEMM;
        g.alpha = 1;
        g.A.p = A, g.A.ld = lda, g.B.p = B, g.B.ld = ldb, g.C.p = C, g.C.ld = ldc;
        return tsl_cuda_gemm(q, &g);
    }
};

inline on_queue place_of(tsl_queue *q, tsl_type type) { return {q, type, tsl_cuda(q)->stream}; }

} // namespace dc
} // namespace tsl
#endif
