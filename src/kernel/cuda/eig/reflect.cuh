/* Reflectors of columns whose elements have any size. */
#ifndef TSL_CUDA_EIG_REFLECT_CUH
#define TSL_CUDA_EIG_REFLECT_CUH

#include "kernel/cuda/geqrf/qr.cuh"
#include "kernel/cuda/lanes.cuh"

namespace tsl {
namespace eig {

/* Re conj(a) b */
template <class T> __device__ real_t<T> real_dot(T a, T b)
{
    if constexpr (is_complex<T>)
        return fma(a.re, b.re, a.im * b.im);
    else
        return a * b;
}

/* Over the lanes whose numbers differ in the bits from `from` down to `to` */
template <class T> __device__ T over_lanes(T sum, int from = 16, int to = 1)
{
    for (int bit = from; bit >= to; bit /= 2) sum = add(sum, shuffle_xor(sum, bit));
    return sum;
}

/* A biased exponent with which powers of two are in the range, as well as their inverses; it is the largest one for Inf and
 * NaN */
__device__ inline int exponent_of(double a) { return min(max(__double2hiint(a) >> 20 & 0x7ff, 2), 2045); }
__device__ inline double power_of_two(int k) { return k < -1022 ? 0. : __hiloint2double((k + 1023) << 20, 0); }

/* A sum of squares of numbers over 2^(exponent - 1023), the largest of which is about 1: nothing overflows, or vanishes where
 * that would show. */
struct sum_of_squares {
    double sum;
    int exponent;

    static __device__ sum_of_squares zero() { return {0, 2}; }

    __device__ void raise(int to)
    {
        sum *= power_of_two(2 * (exponent - to));
        exponent = to;
    }

    template <class T> __device__ void take(T a)
    {
        raise(max(exponent, exponent_of((double)magnitude(a))));
        const double by = power_of_two(1023 - exponent), x = (double)re(a) * by;
        sum = fma(x, x, sum);
        if constexpr (is_complex<T>) {
            const double y = (double)a.im * by;
            sum = fma(y, y, sum);
        }
    }

    __device__ void merge(sum_of_squares other)
    {
        const int most = max(exponent, other.exponent);
        raise(most);
        other.raise(most);
        sum += other.sum;
    }

    /* Of all lanes, for all of them */
    __device__ void merge_lanes()
    {
        raise((int)__reduce_max_sync(0xffffffffu, (unsigned)exponent));
        sum = over_lanes(sum);
    }
};

/* The reflector of column j, which is scaled by a power of two so that squares are in the range */
template <class T> struct scaled_reflector {
    T inv, tau;
    real_t<T> by, beta;
    bool none;

    __device__ scaled_reflector() {}

    /* alpha is the element in row j + 1; s is of those below. */
    __device__ scaled_reflector(T alpha, const sum_of_squares &s)
    {
        using R = real_t<T>;
        constexpr int MOST = std::numeric_limits<R>::max_exponent - 2;
        const int to = max(s.exponent, exponent_of((double)magnitude(alpha))), k = min(max(1023 - to, -MOST), MOST);
        by = (R)power_of_two(k);
        const reflector<T> h(scale(alpha, by), (R)(s.sum * power_of_two(2 * (s.exponent - 1023 + k))));
        inv = h.inv, tau = h.tau, beta = h.beta * (R)power_of_two(-k), none = h.none;
    }

    /* Element of v in row r of column j */
    __device__ T element(T a, int r, int j) const
    {
        return r > j + 1 ? none ? make<T>(0) : mul(scale(a, by), inv) : make<T>(r == j + 1 ? 1 : 0);
    }
};

} // namespace eig
} // namespace tsl
#endif
