/* A step of lahr2.cuh: its column as the steps before leave it, and the reflector. */
#ifndef TSL_CUDA_LAHR2_COLUMN_CUH
#define TSL_CUDA_LAHR2_COLUMN_CUH

#include "kernel/cuda/eig/hessenberg/lahr2.cuh"

namespace tsl {
namespace lahr2 {

template <class T> __device__ inline T step<T>::times(const T *X, int64_t ld, int row)
{
    T sum = make<T>(0);
    if (row < end)
        for (int c = warp; c < j; c += WARPS) sum = add_mul(sum, X[row + c * ld], s.by[c]);
    s.sums[warp][lane] = sum;
    __syncthreads();
    if (warp == 0)
        for (int w = 1; w < WARPS; w++) sum = add(sum, s.sums[w][lane]);
    __syncthreads();
    return sum;
}

template <class T> __device__ inline void step<T>::add_dots(int row)
{
    for (int c = warp; c < j; c += WARPS) {
        const T v = row < end ? p.V[row + c * p.ldv] : make<T>(0),
                sum = over_lanes(row < end ? add_mul<true>(make<T>(0), v, s.own[lane]) : make<T>(0));
        if (lane == 0) s.dots[c] = add(s.dots[c], sum);
    }
}

template <class T> __device__ inline void step<T>::hear_dots(const T *from, int exchange)
{
    if (warp == 0) hear_all(p.messages, exchange, p.ctas, p.epoch(j, exchange), [](double, unsigned) {});
    __syncthreads();
    for (int c = warp; c < j; c += WARPS) {
        T sum = make<T>(0);
        for (int i = lane; i < p.ctas; i += 32) sum = add(sum, far(from + c * MOST_CTAS + i));
        sum = over_lanes(sum);
        if (lane == 0) s.dots[c] = sum;
    }
    __syncthreads();
}

template <class T> __device__ inline void step<T>::column()
{
    if (tid < j) s.by[tid] = conj(far(p.V + j - 1 + tid * p.ldv));
    clear_dots();
    for (int row = begin + lane; row - lane < end; row += 32) {
        const T product = times(p.Y, p.ldy, row);
        if (warp == 0) {
            const T a = row < end ? add(p.A[row + j * p.lda], scale(product, real_t<T>(-1))) : make<T>(0);
            s.own[lane] = a;
            if (row < end) p.a[row] = a;
        }
        __syncthreads();
        add_dots(row);
        __syncthreads();
    }
    tell_dots(p.va, 0);
}

template <class T> __device__ inline void step<T>::left()
{
    hear_dots(p.va, 0);
    if (tid < j) {
        T sum = make<T>(0);
        for (int i = 0; i <= tid; i++) sum = add_mul<true>(sum, s.tri[tid][i], s.dots[i]);
        s.by[tid] = sum;
    }
    __syncthreads();
    sum_of_squares squares = sum_of_squares::zero();
    for (int row = begin + lane; row - lane < end; row += 32) {
        const T product = times(p.V, p.ldv, row);
        if (warp == 0 && row < end) {
            const T a = add(p.a[row], scale(product, real_t<T>(-1)));
            p.a[row] = a;
            if (row < j) p.A[row + j * p.lda] = a;
            if (row > j) squares.take(a);
        }
    }
    if (warp == 0) squares.merge_lanes();
    tell(1, squares.sum, (unsigned)squares.exponent);
}

template <class T> __device__ inline void step<T>::hear_reflector()
{
    if (warp == 0) {
        sum_of_squares squares = sum_of_squares::zero();
        hear_all(p.messages, 1, p.ctas, p.epoch(j, 1), [&](double value, unsigned exponent) { squares.merge({value, (int)exponent}); });
        squares.merge_lanes();
        const scaled_reflector<T> h(far(p.a + j), squares);
        if (lane == 0) s.h = h;
        if (tid == 0 && blockIdx.x == 0) p.tau[j] = h.tau;
    }
    __syncthreads();
}

template <class T> __device__ inline void step<T>::reflector_rows()
{
    clear_dots();
    for (int row = begin + lane; row - lane < end; row += 32) {
        if (warp == 0) {
            const T v = row < end ? element(p.a[row], row) : make<T>(0);
            s.own[lane] = v;
            if (row < end) p.V[row + j * p.ldv] = v;
            if (row < end && row >= j) p.A[row + j * p.lda] = row == j ? make<T>(s.h.beta) : v;
        }
        __syncthreads();
        add_dots(row);
        __syncthreads();
    }
}

} // namespace lahr2
} // namespace tsl
#endif
