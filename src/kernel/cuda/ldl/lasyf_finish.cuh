/* A step of lasyf.cuh: which pivot is taken, and what becomes of its columns. */
#ifndef TSL_CUDA_LASYF_FINISH_CUH
#define TSL_CUDA_LASYF_FINISH_CUH

#include "kernel/cuda/ldl/lasyf.cuh"

namespace tsl {
namespace lasyf {

template <class T, bool HERM> __device__ inline void part<T, HERM>::finish(int k, int kp, const block<T, HERM> &d, bool taken)
{
    const int kk = k + d.count - 1;
    const bool swapped = kp != kk;
    for (int r = tid; r < mine; r += THREADS) {
        const int i = first + r;
        if (i <= kk) continue;
        T w1 = taken ? candidate[r] : column[r], w2 = d.count == 2 ? candidate[r] : w1;
        if (swapped && i == kp) w1 = d.count == 2 ? s.of_column[1] : s.of_candidate[0], w2 = d.count == 2 ? s.of_candidate[1] : w1;
        if (swapped && i > kp) *p.at(i, kp) = far(p.at(i, kk));
        if (swapped && i < kp) *p.at(kp, i) = turned<HERM>(far(p.at(i, kk)));
        if (swapped && i == kp) {
            *p.at(kp, kp) = s.diagonal[kk - k];
            if (kk + 1 < kp) *p.at(kp, kk + 1) = turned<HERM>(s.below[kk - k]);
        }
        const T l1 = d.first(w1, w2);
        *p.at(i, k) = l1, *p.w(i, k) = w1, y(i, k) = l1;
        if (d.count == 2) {
            const T l2 = d.second(w1, w2);
            *p.at(i, k + 1) = l2, *p.w(i, k + 1) = w2, y(i, k + 1) = l2;
        }
    }
    if (swapped && has(kp))
        for (int j = tid; j < k; j += THREADS) *p.w(kp, j) = s.w[kk - k][j], y(kp, j) = s.y[kk - k][j];
    if (tid == 0 && has(k)) *p.at(k, k) = d.count == 1 ? d.a : s.of_column[0];
    if (tid == 0 && d.count == 2 && has(k + 1)) *p.at(k + 1, k) = s.of_column[3], *p.at(k + 1, k + 1) = s.of_candidate[3];
    if (tid == 0 && cta == 0) {
        const int64_t pivot = p.step > 0 ? p.before + kp + 1 : p.n - kp;
        p.p[p.step * k] = d.count == 1 ? pivot : -pivot;
        if (d.count == 2) p.p[p.step * (k + 1)] = -pivot;
        if (d.count == 1 && is_zero(d.a) && *p.info == 0) *p.info = p.step > 0 ? p.before + k + 1 : p.n - k;
    }
    __syncthreads();
    know_next(k, kp, d, taken);
    __syncthreads();
}

template <class T, bool HERM>
__device__ inline void part<T, HERM>::know_next(int k, int kp, const block<T, HERM> &d, bool taken)
{
    const int next = k + d.count, kk = next - 1, from = kp != kk && kp == next ? kk - k : d.count;
    for (int j = tid; j < k; j += THREADS) s.w[0][j] = s.w[from][j], s.y[0][j] = s.y[from][j];
    if (tid == 0 && next < p.n) {
        const T w1 = taken ? s.of_candidate[from] : s.of_column[from], w2 = d.count == 2 ? s.of_candidate[from] : w1;
        s.w[0][k] = w1, s.y[0][k] = d.first(w1, w2);
        if (d.count == 2) s.w[0][k + 1] = w2, s.y[0][k + 1] = d.second(w1, w2);
    }
}

template <class T, bool HERM> __device__ inline int part<T, HERM>::take_step(int k)
{
    const R alpha = (R)0.6403882032022076; /* (1 + sqrt(17)) / 8 */
    const largest below = try_column(k);
    const T d11 = s.of_column[0];
    const R size = size_of(d11), most = below.row < 0 ? R(0) : (R)below.size;
    if (size != size || size >= alpha * most) return finish(k, k, block<T, HERM>(d11), false), 1;
    const R beside = (R)try_candidate(k, below.row);
    if (size >= alpha * most * (most / beside)) return finish(k, k, block<T, HERM>(d11), false), 1;
    const T d22 = s.of_candidate[HEADS - 1];
    if (size_of(d22) >= alpha * beside) return finish(k, below.row, block<T, HERM>(d22), true), 1;
    return finish(k, below.row, block<T, HERM>(d11, s.of_column[HEADS - 1], d22), false), 2;
}

} // namespace lasyf
} // namespace tsl
#endif
