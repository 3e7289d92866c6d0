/* Elements of lines, and launches for each type and number of moduli. */
#ifndef TSL_CUDA_LINES_CUH
#define TSL_CUDA_LINES_CUH

#include "kernel/cuda/leaf.h"
#include "kernel/cuda/products/products.h"
#include "kernel/cuda/scalar.cuh"

namespace tsl {

struct parts {
    double re, im;
};

template <class T> __device__ parts parts_of(T v)
{
    if constexpr (is_complex<T>)
        return {(double)v.re, (double)v.im};
    else
        return {(double)v, 0};
}

/* Element h of line i */
template <class T> __device__ __forceinline__ parts element(const tsl_cuda_lines &s, int64_t i, int64_t h)
{
    const int64_t at = s.across ? i + h * s.ld : h + i * s.ld;
    parts v = parts_of(((const T *)s.p)[at]);
    if (s.conjugate) v.im = -v.im;
    return v;
}

template <int N> struct moduli {
    static constexpr int COUNT = N;
};

/* Calls f with a zero of the type, and the number of moduli as a type. */
template <class F> tsl_status by_moduli(tsl_type t, int count, F f)
{
    return by_type(t, [&](auto zero) {
        using T = decltype(zero);
        constexpr bool twice = sizeof(real_t<T>) == sizeof(double);
        if (count == (twice ? 15 : 8)) return f(zero, moduli<twice ? 15 : 8>{});
        if (count == (twice ? 14 : 7)) return f(zero, moduli<twice ? 14 : 7>{});
        return TSL_ERR_TYPE;
    });
}

} // namespace tsl
#endif
