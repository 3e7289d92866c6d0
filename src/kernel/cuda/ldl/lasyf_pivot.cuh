/* A step of lasyf.cuh: its column, the candidate's column, and what CTAs tell each other of them. */
#ifndef TSL_CUDA_LASYF_PIVOT_CUH
#define TSL_CUDA_LASYF_PIVOT_CUH

#include "kernel/cuda/ldl/lasyf.cuh"

namespace tsl {
namespace lasyf {

template <class T, bool HERM> __device__ inline void part<T, HERM>::make_column(int c, int k, const T *row, T *to)
{
    const int team = tid / lines;
    for (int r = tid % lines; team < teams && r < p.rows; r += lines) { /* several teams: once */
        const int i = first + r;
        T sum = make<T>(0);
        if (r < mine && i >= k) {
            if (team == 0) sum = i >= c ? far(p.at(i, c)) : turned<HERM>(far(p.at(c, i)));
            if (i == c) sum = on_diagonal<HERM>(sum);
            for (int j = team; j < k; j += teams) sum = sub_mul<HERM>(sum, Y[(int64_t)j * p.rows + r], row[j]);
        }
        if (teams == 1) to[r] = i == c ? on_diagonal<HERM>(sum) : sum;
        else s.sums[tid] = sum;
    }
    __syncthreads();
    if (teams == 1) return;
    if (tid < p.rows) {
        T sum = s.sums[tid];
        for (int t = 1; t < teams; t++) sum = add(sum, s.sums[t * lines + tid]);
        to[tid] = first + tid == c ? on_diagonal<HERM>(sum) : sum;
    }
    __syncthreads();
}

template <class T, bool HERM> __device__ inline largest part<T, HERM>::of_rows(const T *of, int k, int but)
{
    largest x = {0, -1};
    for (int r = tid; r < mine; r += THREADS)
        if (first + r >= k && first + r != but) x.meet(size_of(of[r]), first + r, p.step);
    x.over_lanes(p.step);
    if (lane == 0) s.best[warp] = x;
    __syncthreads();
    x = s.best[0];
#pragma unroll
    for (int i = 1; i < WARPS; i++) x.meet(s.best[i].size, s.best[i].row, p.step);
    return x;
}

template <class T, bool HERM> __device__ inline largest part<T, HERM>::exchange(largest x)
{
    __syncthreads();
    if (tid == 0) tell(p.messages, exchanges % 2, p.epoch + exchanges, x.size, (unsigned)x.row);
    if (tid < p.ctas) {
        const told y = hear(p.messages, exchanges % 2, tid, p.epoch + exchanges);
        s.size[tid] = y.value, s.row[tid] = (int)y.number;
    }
    __syncthreads();
    largest all = {0, -1};
    for (int c = lane; c < p.ctas; c += 32) all.meet(s.size[c], s.row[c], p.step);
    all.over_lanes(p.step);
    return all;
}

template <class T, bool HERM> __device__ inline void part<T, HERM>::tell_row(T *to, int i, int k)
{
    for (int j = tid; j < 2 * k; j += THREADS) to[j < k ? j : LIMIT + j - k] = j < k ? far(p.w(i, j)) : y(i, j - k);
    if (tid == 0) to[2 * LIMIT] = column[i - first];
}

template <class T, bool HERM> __device__ inline void part<T, HERM>::hear_row(int h, const T *from, int k)
{
    const int t = tid % 64, width = THREADS / 64;
    for (int j = t; j < 2 * k && h % width == tid / 64; j += 64) {
        const T v = far(from + (j < k ? j : LIMIT + j - k));
        if (j < k) s.w[h][j] = v;
        else s.y[h][j - k] = v;
    }
    if (h % width == tid / 64 && t == 0) s.of_column[h] = far(from + 2 * LIMIT);
}

template <class T, bool HERM> __device__ inline largest part<T, HERM>::try_column(int k)
{
    make_column(k, k, s.w[0], column);
    const largest own = of_rows(column, k + 1, -1);
    if (own.row >= 0) tell_row(record(cta), own.row, k);
    for (int h = 0; h < HEADS - 1; h++)
        if (has(k + h)) tell_row(record(MOST_CTAS + h), k + h, h ? k : 0);
    const largest all = exchange(own);
    for (int h = 0; h < HEADS - 1; h++)
        if (k + h < p.n) hear_row(h, record(MOST_CTAS + h), h ? k : 0);
    if (all.row >= 0) hear_row(HEADS - 1, record(all.row / p.rows), k);
    exchanges++;
    __syncthreads();
    return all;
}

template <class T, bool HERM> __device__ inline double part<T, HERM>::try_candidate(int k, int c)
{
    if (tid < 2 && k + tid < p.n) s.diagonal[tid] = far(p.at(k + tid, k + tid));
    if (tid < 2 && k + tid + 1 < p.n) s.below[tid] = far(p.at(k + tid + 1, k + tid));
    make_column(c, k, s.w[HEADS - 1], candidate);
    const largest own = of_rows(candidate, k, c);
    if (tid < HEADS) {
        const int i = tid == HEADS - 1 ? c : k + tid;
        if (has(i)) *value(tid) = candidate[i - first];
    }
    const largest all = exchange(own);
    if (tid < HEADS && (tid == HEADS - 1 || k + tid < p.n)) s.of_candidate[tid] = far(value(tid));
    exchanges++;
    __syncthreads();
    return all.size;
}

} // namespace lasyf
} // namespace tsl
#endif
