/* What the kernels of LU's panel have in common: which element is the pivot, and division by it. */
#ifndef TSL_CUDA_LU_CUH
#define TSL_CUDA_LU_CUH

#include "kernel/cuda/scalar.cuh"

namespace tsl {

/* |re| + |im|, by which LAPACK chooses */
template <class T> __device__ real_t<T> size_of(T a)
{
    if constexpr (is_complex<T>)
        return fabs(a.re) + fabs(a.im);
    else
        return fabs(a);
}

__device__ inline double inverse_seed(double a)
{
    double y;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(a));
    return y;
}

/* 1/a to about an ulp for a of which neither it nor the inverse is near the ends of the range: without the branches of a division */
__device__ inline double quick_inverse(double a)
{
    double y = inverse_seed(a);
    y = fma(y, fma(-a, y, 1.), y);
    return fma(y, fma(-a, y, 1.), y);
}
__device__ inline float quick_inverse(float a) { return __frcp_rn(a); }

/* Is a in the range of quick_inverse? Zero, Inf and NaN are not. */
__device__ inline bool is_moderate(double a) { return ((unsigned)__double2hiint(a) & 0x7fffffffu) - 0x00500000u < 0x7f500000u; }
__device__ inline bool is_moderate(float a) { return (__float_as_uint(a) & 0x7fffffffu) - 0x02800000u < 0x7a800000u; }

/* Division by a pivot that no element divided exceeds by much; by zero it leaves them as they are. LAPACK, too, multiplies by a real one's
 * inverse where that does not overflow. A complex one is first brought near 1 by a power of two: its inverse alone might overflow or vanish
 * where the quotient does not. */
template <class T> struct divisor {
    T pivot, inv;
    real_t<T> s;
    bool quick, zero;

    __device__ explicit divisor(T d) : pivot(d)
    {
        if constexpr (is_complex<T>) {
            constexpr int MOST = std::numeric_limits<real_t<T>>::max_exponent - 2;
            s = scalbn(real_t<T>(1), -max(-MOST, min(MOST, ilogb(magnitude(d)))));
            inv = inverse(scale(d, s));
            quick = true;
            zero = is_zero(d);
        } else {
            s = 1;
            inv = quick_inverse(d);
            quick = is_moderate(d);
            zero = !quick && d == 0;
        }
    }

    /* Becomes that of another lane; all lanes call. */
    __device__ void take_from(int lane)
    {
        constexpr unsigned ALL = 0xffffffffu;
        if constexpr (is_complex<T>) {
            pivot = {__shfl_sync(ALL, pivot.re, lane), __shfl_sync(ALL, pivot.im, lane)};
            inv = {__shfl_sync(ALL, inv.re, lane), __shfl_sync(ALL, inv.im, lane)};
            s = __shfl_sync(ALL, s, lane);
        } else {
            pivot = __shfl_sync(ALL, pivot, lane);
            inv = __shfl_sync(ALL, inv, lane);
        }
        quick = __shfl_sync(ALL, quick, lane);
        zero = __shfl_sync(ALL, zero, lane);
    }

    __device__ T operator()(T a) const
    {
        if (zero) return a;
        if constexpr (is_complex<T>)
            return mul(scale(a, s), inv);
        else
            return quick ? a * inv : a / pivot;
    }
};

} // namespace tsl
#endif
