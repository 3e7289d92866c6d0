/* The end of getrf_flow.cuh: rows go to their places. */
#ifndef TSL_CUDA_GETRF_FLOW_STORE_CUH
#define TSL_CUDA_GETRF_FLOW_STORE_CUH

#include "kernel/cuda/getrf/getrf_flow.cuh"

namespace tsl {
namespace flow {

template <class F> __device__ inline void elimination<F>::turn_round()
{
#pragma unroll
    for (int h = 0; h < HAS; h++) {
        const T front = x[h][0];
#pragma unroll
        for (int c = 1; c < F::COLS; c++) x[h][c - 1] = x[h][c];
        x[h][F::COLS - 1] = front;
    }
}

template <class F> __device__ inline void elimination<F>::settle()
{
    const int last = (p.steps - 1) / F::COLS, b = blockIdx.x;
#pragma unroll
    for (int h = 0; h < HAS; h++) {
        uint64_t *const at = message<F>::at(p.messages, p.steps, 0) + row(h);
        uint64_t v;
        if (b == last && row(h) < p.m) post(at, (uint64_t)1 << 32 | (unsigned)place[h]);
        if (b >= last || row(h) >= p.m) continue;
        while (!((v = peek(at)) >> 32)) __nanosleep(100);
        place[h] = (int)(unsigned)v;
    }
}

template <class F> __device__ inline void elimination<F>::store(T *out)
{
#pragma unroll
    for (int h = 0; h < HAS; h++)
#pragma unroll
        for (int c = 0; c < F::COLS; c++)
            if (row(h) < p.m) out[c * F::ROWS + place[h]] = x[h][c];
    __syncthreads();
#pragma unroll 8
    for (int c = 0; c < F::COLS; c++)
#pragma unroll
        for (int h = 0; h < HAS; h++)
            if (row(h) < p.m && first + c < p.n) p.A[row(h) + (first + c) * p.lda] = out[c * F::ROWS + row(h)];
}

} // namespace flow
} // namespace tsl
#endif
