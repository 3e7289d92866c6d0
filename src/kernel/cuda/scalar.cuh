/* The four element types on the device: float, double and cplx of either, under one set of names. */
#ifndef TSL_CUDA_SCALAR_CUH
#define TSL_CUDA_SCALAR_CUH

#include <limits>
#include <type_traits>

#include "tesela.h"

namespace tsl {

/* C's complex in layout; aligned as a whole so that one element is one load. */
template <class R> struct alignas(2 * sizeof(R)) cplx {
    R re, im;
};

template <class T> struct scalar {
    using real = T;
    static constexpr bool is_complex = false;
};
template <class R> struct scalar<cplx<R>> {
    using real = R;
    static constexpr bool is_complex = true;
};
template <class T> using real_t = typename scalar<T>::real;
template <class T> constexpr bool is_complex = scalar<T>::is_complex;

template <class T> __host__ __device__ T make(real_t<T> re, real_t<T> im = 0)
{
    if constexpr (is_complex<T>)
        return T{re, im};
    else
        return (void)im, re;
}

template <class T> T from_scalar(tsl_scalar a) { return make<T>((real_t<T>)__real__ a, (real_t<T>)__imag__ a); }

/* Calls f with a zero of the type t names. */
template <class F> tsl_status by_type(tsl_type t, F f)
{
    switch (t) {
    case TSL_S: return f(float{});
    case TSL_D: return f(double{});
    case TSL_C: return f(cplx<float>{});
    case TSL_Z: return f(cplx<double>{});
    case TSL_INDEX: break; /* nothing computes with them */
    }
    return TSL_ERR_TYPE;
}

template <class T> __device__ real_t<T> re(T a)
{
    if constexpr (is_complex<T>)
        return a.re;
    else
        return a;
}

template <class T> __device__ bool is_zero(T a)
{
    if constexpr (is_complex<T>)
        return a.re == 0 && a.im == 0;
    else
        return a == 0;
}

template <class T> __device__ bool is_finite(T a)
{
    if constexpr (is_complex<T>)
        return isfinite(a.re) && isfinite(a.im);
    else
        return isfinite(a);
}

template <class T> __device__ T conj(T a)
{
    if constexpr (is_complex<T>)
        return T{a.re, -a.im};
    else
        return a;
}

template <class T> __device__ T scale(T a, real_t<T> s)
{
    if constexpr (is_complex<T>)
        return T{a.re * s, a.im * s};
    else
        return a * s;
}

template <class T> __device__ T mul(T a, T b)
{
    if constexpr (is_complex<T>)
        return T{fma(a.re, b.re, -a.im * b.im), fma(a.re, b.im, a.im * b.re)};
    else
        return a * b;
}

template <class T> __device__ T add(T a, T b)
{
    if constexpr (is_complex<T>)
        return T{a.re + b.re, a.im + b.im};
    else
        return a + b;
}

/* c + a b, or c + conj(a) b */
template <bool CONJ = false, class T> __device__ T add_mul(T c, T a, T b)
{
    if constexpr (is_complex<T>) {
        const auto im = CONJ ? -a.im : a.im;
        return T{fma(-im, b.im, fma(a.re, b.re, c.re)), fma(im, b.re, fma(a.re, b.im, c.im))};
    } else {
        return fma(a, b, c);
    }
}

/* y := alpha sum + beta y; y is not read for beta = 0 */
template <class T> __device__ void update(T *y, T alpha, T beta, T sum)
{
    const T s = mul(alpha, sum);
    *y = is_zero(beta) ? s : add_mul(s, beta, *y);
}

/* What other CTAs wrote is read from L2. */
template <class T> __device__ T far(const T *p)
{
    if constexpr (is_complex<T>) {
        using two = std::conditional_t<sizeof(T) == 16, double2, float2>;
        const two v = __ldcg((const two *)p);
        return T{v.x, v.y};
    } else {
        return __ldcg(p);
    }
}

/* The value of the lane whose number differs in the bits of mask; all lanes call. */
template <class T> __device__ T shuffle_xor(T a, int mask)
{
    if constexpr (is_complex<T>)
        return T{__shfl_xor_sync(0xffffffffu, a.re, mask), __shfl_xor_sync(0xffffffffu, a.im, mask)};
    else
        return __shfl_xor_sync(0xffffffffu, a, mask);
}

/* The value of a lane, for all of them */
template <class T> __device__ T of_lane(T a, int lane)
{
    if constexpr (is_complex<T>)
        return T{__shfl_sync(0xffffffffu, a.re, lane), __shfl_sync(0xffffffffu, a.im, lane)};
    else
        return __shfl_sync(0xffffffffu, a, lane);
}

/* c - a b, or c - a conj(b) */
template <bool CONJ, class T> __device__ T sub_mul(T c, T a, T b)
{
    if constexpr (is_complex<T>) {
        const auto im = CONJ ? -b.im : b.im;
        return T{fma(a.im, im, fma(-a.re, b.re, c.re)), fma(-a.im, b.re, fma(-a.re, im, c.im))};
    } else {
        return fma(-a, b, c);
    }
}

/* p - |a|^2 */
template <class T> __device__ real_t<T> sub_norm(real_t<T> p, T a)
{
    if constexpr (is_complex<T>)
        return fma(-a.im, a.im, fma(-a.re, a.re, p));
    else
        return fma(-a, a, p);
}

/* max(|re|, |im|) */
template <class T> __device__ real_t<T> magnitude(T a)
{
    if constexpr (is_complex<T>)
        return fmax(fabs(a.re), fabs(a.im));
    else
        return fabs(a);
}

/* 1/a; complex by Smith's method, which divides by the larger part first and so overflows only if the result does */
template <class T> __device__ T inverse(T a)
{
    if constexpr (is_complex<T>) {
        const bool flat = fabs(a.re) >= fabs(a.im);
        const auto big = flat ? a.re : a.im, small = flat ? a.im : a.re;
        const auto t = small / big, d = 1 / fma(small, t, big);
        return flat ? T{d, -t * d} : T{t * d, -d};
    } else {
        return 1 / a;
    }
}

/* About 20 bits of 1/sqrt(p) for a normal p. */
__device__ inline float rsqrt_seed(float p)
{
    float y;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(p));
    return y;
}
__device__ inline double rsqrt_seed(double p)
{
    double y;
    asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(p));
    return y;
}

/* 1/sqrt(p) for a normal p to about an ulp, without a branch: with e = 1 - p y^2 the step y (1 + e/2 + 3/8 e^2) leaves an error
 * of 5/16 e^3, far below roundoff. */
template <class R> __device__ R inv_sqrt(R p)
{
    const R y = rsqrt_seed(p);
    const R e = fma(-p * y, y, R(1));
    return fma(y * e, fma(e, R(0.375), R(0.5)), y);
}

/* sqrt(p) from y = inv_sqrt(p): one Newton step on the exact residual p - d^2. */
template <class R> __device__ R root(R p, R y)
{
    const R d = p * y;
    return fma(fma(-d, d, p), R(0.5) * y, d);
}

template <class R> constexpr R SMALLEST_NORMAL = std::numeric_limits<R>::min();
template <class R> constexpr R LARGEST = std::numeric_limits<R>::max();

template <class R> __device__ bool is_normal_positive(R p) { return p >= SMALLEST_NORMAL<R> && p <= LARGEST<R>; }

} // namespace tsl
#endif
