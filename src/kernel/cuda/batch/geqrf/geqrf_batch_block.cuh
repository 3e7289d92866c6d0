/* QR of a matrix by a CTA, in its registers. In step j the lanes that have column j put it into shared memory; then each warp
 * finds the reflector and applies it to its own columns. Two places for the column are used in turn, so a step needs one
 * barrier. */
#ifndef TSL_CUDA_GEQRF_BATCH_BLOCK_CUH
#define TSL_CUDA_GEQRF_BATCH_BLOCK_CUH

#include "kernel/cuda/batch/geqrf/qr_tile.cuh"

namespace tsl {
namespace qrb {

/* What the warps share: two places for a column, the tau, and the factors of adapt() */
template <class S, class T> struct shared_columns {
    T x[2][S::M], tau[S::N];
    real_t<T> by[S::N];
};

/* geqrf needs nothing more than the steps. */
template <class S, class T> struct plain {
    static constexpr bool PRODUCTS = false;
    __device__ void keep(int, const T (&)[S::CI], int, int) {}
    __device__ void meanwhile(int, T, int) {}
};

/* geqrt: the triangle T of Q = I - Y T Y^H, by columns: T(:, j) = -tau(j) T1 (Y^H v), T1 the columns before. The products Y^H v
 * come with those of step j; T(:, j) is found in step j + 1, by a warp that does not have column j + 1. */
template <class S, class T> struct triangle {
    static constexpr bool PRODUCTS = true;
    struct memory {
        T t[S::N][S::N + 1], g[2][S::N];
    } &s;

    __device__ void keep(int j, const T (&w)[S::CI], int rl, int cl)
    {
        if (rl > 0) return;
#pragma unroll
        for (int k = 0; k < S::CI; k++)
            if (k * S::CL + cl < j) s.g[j & 1][k * S::CL + cl] = conj(w[k]);
    }

    __device__ void meanwhile(int j, T tau, int lane)
    {
        for (int r = lane; r < S::N; r += 32) {
            T sum = make<T>(0);
#pragma unroll 4
            for (int l = 0; l < j; l++) sum = add_mul(sum, s.t[l][r], s.g[j & 1][l]);
            s.t[j][r] = r < j ? sub_mul<false>(make<T>(0), tau, sum) : make<T>(0);
            if (r == j) s.t[j][r] = tau;
        }
    }
};

/* Steps of columns K CL and on, up to `steps`. */
template <class S, int K, class T, class X>
__device__ void reflect_block(T (&a)[S::RI][S::CI], int steps, T *tau, shared_columns<S, T> &s, X &extra)
{
    if constexpr (K < S::CI && S::first(K) < S::RI) {
        constexpr int IN_WARP = 32 / S::RL, WARPS = S::LANES / 32, FROM = X::PRODUCTS ? 0 : K;
        const int rl = threadIdx.x % S::RL, cl = threadIdx.x / S::RL, warp = threadIdx.x / 32;
#pragma unroll 1
        for (int c = 0; c < S::CL; c++) {
            const int j = K * S::CL + c, owner = c / IN_WARP;
            if (j >= steps) return;
            T x[S::RI], w[S::CI];
            T *const column = s.x[j & 1];
            if (cl == c)
#pragma unroll
                for (int i = S::first(K); i < S::RI; i++) column[i * S::RL + rl] = a[i][K];
            __syncthreads();
            if (X::PRODUCTS && j > 0 && warp == (owner + WARPS / 2) % WARPS) extra.meanwhile(j - 1, s.tau[j - 1], threadIdx.x % 32);
#pragma unroll
            for (int i = S::first(K); i < S::RI; i++) x[i] = column[i * S::RL + rl];
            const head<T> h = step<S, K, FROM>(a, x, w, column[j], j, rl, cl, true);
            extra.keep(j, w, rl, cl);
            if (cl == c) {
                put_column<S, K>(a, x, h, j, rl);
                if (rl == 0) {
                    s.tau[j] = h.tau;
                    tau[j] = h.tau;
                }
            }
        }
        reflect_block<S, K + 1>(a, steps, tau, s, extra);
    }
}

template <class S, class T, class X>
__device__ void factor(T (&a)[S::RI][S::CI], int steps, T *tau, shared_columns<S, T> &s, X &extra)
{
    const int rl = threadIdx.x % S::RL, cl = threadIdx.x / S::RL;
    const bool adapted = adapt<S>(a, s.by, rl, cl);
    reflect_block<S, 0>(a, steps, tau, s, extra);
    if (adapted) restore<S>(a, s.by, steps, rl, cl);
}

/* f(element, row, column) */
template <class S, class T, class F> __device__ void each_of_lane(T (&a)[S::RI][S::CI], F f)
{
    const int rl = threadIdx.x % S::RL, cl = threadIdx.x / S::RL;
#pragma unroll
    for (int k = 0; k < S::CI; k++)
#pragma unroll
        for (int i = 0; i < S::RI; i++) f(a[i][k], i * S::RL + rl, k * S::CL + cl);
}

template <class S, class T>
__global__ __launch_bounds__(S::LANES, S::CTAS) void geqrf(int m, int n, Batch<T> A, Batch<T> tau, int64_t count)
{
    __shared__ __align__(16) unsigned char raw[sizeof(shared_columns<S, T>)];
    for (int64_t p = blockIdx.x; p < count; p += gridDim.x) {
        T *const at = A.at(p);
        T a[S::RI][S::CI];
        plain<S, T> none;
        each_of_lane<S>(a, [=](T &x, int row, int col) { x = row < m && col < n ? at[row + col * A.ld] : make<T>(0); });
        factor<S>(a, min(m, n), tau.at(p), *(shared_columns<S, T> *)raw, none);
        each_of_lane<S>(a, [=](T x, int row, int col) {
            if (row < m && col < n) at[row + col * A.ld] = x;
        });
        __syncthreads();
    }
}

template <class S, class T>
__global__ __launch_bounds__(S::LANES, S::CTAS) void geqrt(int m, int n, Batch<T> A, Batch<T> tau, Batch<T> Y, Batch<T> B, int64_t count)
{
    using memory = typename triangle<S, T>::memory;
    __shared__ __align__(16) unsigned char raw[sizeof(shared_columns<S, T>)], raw_t[sizeof(memory)];
    shared_columns<S, T> &s = *(shared_columns<S, T> *)raw;
    triangle<S, T> t{*(memory *)raw_t};
    for (int64_t p = blockIdx.x; p < count; p += gridDim.x) {
        T *const at = A.at(p), *const y = Y.at(p), *const b = B.at(p);
        T a[S::RI][S::CI];
        each_of_lane<S>(a, [=](T &x, int row, int col) { x = row < m && col < n ? at[row + col * A.ld] : make<T>(0); });
        factor<S>(a, n, tau.at(p), s, t);
        __syncthreads();
        if (threadIdx.x < 32) t.meanwhile(n - 1, s.tau[n - 1], threadIdx.x);
        each_of_lane<S>(a, [=](T x, int row, int col) {
            if (row >= m || col >= n) return;
            at[row + col * A.ld] = x;
            y[row + col * Y.ld] = row > col ? x : make<T>(row == col);
        });
        __syncthreads();
        for (int e = threadIdx.x; e < n * S::N; e += S::LANES)
            if (e % S::N < n) b[e % S::N + e / S::N * B.ld] = t.s.t[e / S::N][e % S::N];
        __syncthreads();
    }
}

} // namespace qrb
} // namespace tsl
#endif
