/* The end of getrf_flow.cuh: rows go to their places. */
#ifndef TSL_CUDA_GETRF_FLOW_STORE_CUH
#define TSL_CUDA_GETRF_FLOW_STORE_CUH

#include "kernel/cuda/getrf/getrf_flow.cuh"

namespace tsl {
namespace flow {

template <class F> __device__ inline void elimination<F>::settle()
{
    const int last = (p.steps - 1) / COLS, b = blockIdx.x;
    uint64_t *const at = (uint64_t *)message<F>::at(p.messages, p.steps, 0) + row(0);
#pragma unroll
    for (int h = 0; h < HAS; h++) {
        uint64_t v;
        if (b == last) post(at + h, (uint64_t)place[h]);
        if (b >= last) continue;
        while ((v = peek(at + h)) == ~(uint64_t)0) __nanosleep(100);
        place[h] = (int)v;
    }
}

/* Columns whose steps are done lie in `out`; others, where there are fewer steps than columns, are brought there. Then each
 * place of a column is read from the row that is there. */
template <class F> __device__ inline void elimination<F>::store()
{
    short *const source = (short *)s.row; /* no pivot's row is read any more */
    static_assert(sizeof s.row >= F::ROWS * sizeof *source, "room for the row of each place");
    const int count = own_steps();
#pragma unroll
    for (int c = 0; c < COLS; c++) {
        T v[HAS];
#pragma unroll
        for (int h = 0; h < HAS; h++) v[h] = x[h][c];
        if (count + c < COLS) keep_rows(count + c, v);
    }
    __syncthreads();
#pragma unroll
    for (int h = 0; h < HAS; h++) source[place[h]] = (short)row(h);
    __syncthreads();
    for (int h = 0; h < HAS; h++) {
        const int r = tid + h * blockDim.x, from = source[r];
#pragma unroll 8
        for (int c = 0; c < COLS; c++)
            if (r < p.m && first + c < p.n) p.A[r + (first + c) * p.lda] = out[c * F::ROWS + from];
    }
}

} // namespace flow
} // namespace tsl
#endif
