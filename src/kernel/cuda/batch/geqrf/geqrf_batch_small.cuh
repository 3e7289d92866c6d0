/* QR of small matrices, several to a warp, in registers. On the way in and out they pass through shared memory, so that the
 * warp reads and writes device memory in its own order. */
#ifndef TSL_CUDA_GEQRF_BATCH_SMALL_CUH
#define TSL_CUDA_GEQRF_BATCH_SMALL_CUH

#include <type_traits>

#include "kernel/cuda/batch/geqrf/qr_tile.cuh"

namespace tsl {
namespace qrb {

/* The matrices of a warp in shared memory, padded so that the lanes' elements are in different banks. */
template <class S> struct staged : S {
    static constexpr int PROBLEMS = 32 / S::LANES, LD = S::LANES == 1 ? S::M : S::M + S::RL, TWICE = 2 * S::LANES;
    static constexpr int EACH = S::N * LD + (PROBLEMS == 1 ? 0 : (S::LANES + TWICE - S::N * LD % TWICE) % TWICE), ALL = PROBLEMS * EACH;
    static_assert(S::LANES <= 32 && S::M <= 32 && S::M * S::N * PROBLEMS % 32 == 0, "");
    static __host__ __device__ constexpr int warps(int size) { return 4 * (ALL + PROBLEMS * S::N) * size <= 49152 ? 4 : 2; }
};

/* Loads and stores of device memory. For plain ones, through pointers that come from an array, the compiler would assume that
 * they may meet shared memory. */
template <class T> __device__ T from_device(const T *p)
{
    if constexpr (is_complex<T>) {
        using pair = std::conditional_t<sizeof(T) == 8, float2, double2>;
        const pair a = __ldca((const pair *)p);
        return T{a.x, a.y};
    } else {
        return __ldca(p);
    }
}
template <class T> __device__ void to_device(T *p, T a)
{
    if constexpr (is_complex<T>) {
        using pair = std::conditional_t<sizeof(T) == 8, float2, double2>;
        __stwb((pair *)p, pair{a.re, a.im});
    } else {
        __stwb(p, a);
    }
}

/* Copies the matrices from device to shared memory, padded with zeros, or back: 32 elements at a time, with about 16 loads
 * under way. */
template <class S, bool IN, class T> __device__ void transfer(const Batch<T> &A, T *s, int m, int n, int64_t first, int64_t count)
{
    using P = staged<S>;
    constexpr int WIDTH = S::M * S::N < 32 ? S::M * S::N : 32, COLUMNS = WIDTH / S::M, EACH = S::N / COLUMNS, AT_ONCE = 32 / WIDTH;
    constexpr int TURNS = P::PROBLEMS / AT_ONCE, GROUP = EACH >= 16 ? 1 : 16 / EACH < TURNS ? 16 / EACH : TURNS;
    const int lane = threadIdx.x % 32, r = lane % S::M, c0 = lane % WIDTH / S::M;
    const int64_t step = COLUMNS * A.ld;
#pragma unroll 1
    for (int turn = 0; turn < TURNS; turn += GROUP) {
        T *at[GROUP], value[GROUP][EACH];
        int columns[GROUP];
#pragma unroll
        for (int g = 0; g < GROUP; g++) {
            const int p = (turn + g) * AT_ONCE + lane / WIDTH;
            T *const here = s + p * P::EACH + c0 * P::LD + r;
            columns[g] = r < m && first + p < count ? n - c0 : 0;
            at[g] = columns[g] > 0 ? A.at(first + p) + r + c0 * A.ld : nullptr;
#pragma unroll
            for (int c = 0; c < EACH; c++) {
                if constexpr (IN)
                    value[g][c] = c * COLUMNS < columns[g] ? from_device(at[g] + c * step) : make<T>(0);
                else
                    value[g][c] = here[c * COLUMNS * P::LD];
            }
        }
#pragma unroll
        for (int g = 0; g < GROUP; g++) {
            const int p = (turn + g) * AT_ONCE + lane / WIDTH;
            T *const here = s + p * P::EACH + c0 * P::LD + r;
#pragma unroll
            for (int c = 0; c < EACH; c++) {
                if constexpr (IN)
                    here[c * COLUMNS * P::LD] = value[g][c];
                else if (c * COLUMNS < columns[g])
                    to_device(at[g] + c * step, value[g][c]);
            }
        }
    }
}

/* Steps of columns K CL and on, up to `steps` */
template <class S, int K, class T> __device__ void reflect_from(T (&a)[S::RI][S::CI], int steps, T *tau, int rl, int cl)
{
    if constexpr (K < S::CI && S::first(K) < S::RI) {
        const int column0 = (threadIdx.x & 31 & ~(S::LANES - 1)) + rl;
#pragma unroll 1
        for (int c = 0; c < S::CL; c++) {
            const int j = K * S::CL + c;
            if (j >= steps) return;
            T x[S::RI], w[S::CI];
#pragma unroll
            for (int i = S::first(K); i < S::RI; i++) x[i] = S::CL == 1 ? a[i][K] : of_lane(a[i][K], column0 + c * S::RL);
            const T alpha = diagonal<S, K>([&](int i) { return x[i]; }, j);
            const head<T> h = step<S, K, K>(a, x, w, alpha, j, rl, cl, tau != nullptr);
            if (cl == c) {
                put_column<S, K>(a, x, h, j, rl);
                if (rl == 0 && tau) tau[j] = h.tau;
            }
        }
        reflect_from<S, K + 1>(a, steps, tau, rl, cl);
    }
}

template <class S, class T>
__global__ __launch_bounds__(32 * staged<S>::warps(sizeof(T)), S::CTAS) void small(int m, int n, Batch<T> A, Batch<T> tau, int64_t count)
{
    using P = staged<S>;
    constexpr int WARPS = P::warps(sizeof(T));
    __shared__ __align__(16) unsigned char raw[WARPS * P::ALL * sizeof(T)];
    __shared__ real_t<T> factors[WARPS * P::PROBLEMS][S::N];
    const int lane = threadIdx.x % 32, own = lane % S::LANES, rl = own % S::RL, cl = own / S::RL, p = lane / S::LANES;
    T *const s = (T *)raw + threadIdx.x / 32 * P::ALL;
    real_t<T> *const by = factors[threadIdx.x / 32 * P::PROBLEMS + p];
    T *const mine = s + p * P::EACH + cl * P::LD + rl;
    const int64_t step = (int64_t)gridDim.x * WARPS * P::PROBLEMS;
    for (int64_t first = ((int64_t)blockIdx.x * WARPS + threadIdx.x / 32) * P::PROBLEMS; first < count; first += step) {
        transfer<S, true>(A, s, m, n, first, count);
        __syncwarp();
        T a[S::RI][S::CI];
#pragma unroll
        for (int k = 0; k < S::CI; k++)
#pragma unroll
            for (int i = 0; i < S::RI; i++) a[i][k] = mine[k * S::CL * P::LD + i * S::RL];
        const bool adapted = adapt<S>(a, by, rl, cl);
        reflect_from<S, 0>(a, min(m, n), first + p < count ? tau.at(first + p) : nullptr, rl, cl);
        if (adapted) restore<S>(a, by, min(m, n), rl, cl);
#pragma unroll
        for (int k = 0; k < S::CI; k++)
#pragma unroll
            for (int i = 0; i < S::RI; i++) mine[k * S::CL * P::LD + i * S::RL] = a[i][k];
        __syncwarp();
        transfer<S, false>(A, s, m, n, first, count);
        __syncwarp();
    }
}

template <class S, class T> cudaError_t launch_small(cudaStream_t stream, int m, int n, Batch<T> A, Batch<T> tau, int64_t count)
{
    constexpr int WARPS = staged<S>::warps(sizeof(T)), EACH = WARPS * staged<S>::PROBLEMS;
    small<S, T><<<ctas_for((count + EACH - 1) / EACH), 32 * WARPS, 0, stream>>>(m, n, A, tau, count);
    return cudaGetLastError();
}

} // namespace qrb
} // namespace tsl
#endif
