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

/* 1/a to about an ulp for a of which neither it nor the inverse is near the ends of the range: without the branches of a
 * division */
__device__ inline double quick_inverse(double a)
{
    double y = inverse_seed(a);
    y = fma(y, fma(-a, y, 1.), y);
    return fma(y, fma(-a, y, 1.), y);
}
__device__ inline float quick_inverse(float a)
{
    float y;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(a));
    return fmaf(y, fmaf(-a, y, 1.f), y);
}

/* Is a in the range of quick_inverse? Zero, Inf and NaN are not. */
__device__ inline bool is_moderate(double a) { return ((unsigned)__double2hiint(a) & 0x7fffffffu) - 0x00500000u < 0x7f500000u; }
__device__ inline bool is_moderate(float a) { return (__float_as_uint(a) & 0x7fffffffu) - 0x02800000u < 0x7a800000u; }

/* 2 to the power of minus the exponent of m, as far as there is one: m times it is about 1, unless m is subnormal and it still
 * small */
__device__ inline double near_one(double m)
{
    return __hiloint2double(max(0x7fe00000 - (__double2hiint(m) & 0x7ff00000), 0x00100000), 0);
}
__device__ inline float near_one(float m) { return __int_as_float(max(0x7f000000 - (__float_as_int(m) & 0x7f800000), 0x00800000)); }

/* Division by a pivot that no element divided exceeds by much; by zero it leaves them as they are. LAPACK, too, multiplies by a
 * real one's inverse where that does not overflow. A complex one is first brought near 1 by a power of two: its inverse alone
 * might overflow or vanish where the quotient does not, as might the squares of its parts. */
template <class T> struct divisor {
    T inv;
    real_t<T> s;
    int state;

    enum { USUAL, ZERO, EXTREME };

    __device__ explicit divisor(T d)
    {
        if constexpr (is_complex<T>) {
            s = near_one(magnitude(d));
            const T e = scale(d, s);
            inv = scale(conj(e), quick_inverse(fma(e.re, e.re, e.im * e.im)));
            state = is_zero(d) ? ZERO : USUAL;
        } else {
            s = 1;
            inv = quick_inverse(d);
            state = is_moderate(d) ? USUAL : d == 0 ? ZERO : EXTREME;
        }
    }

    /* Becomes that of another lane; all lanes call. */
    __device__ void take_from(int lane)
    {
        inv = of_lane(inv, lane);
        if constexpr (is_complex<T>) s = of_lane(s, lane);
        state = __shfl_sync(0xffffffffu, state, lane);
    }

    /* a over the pivot, which is d */
    __device__ T operator()(T a, T d) const
    {
        if (state == ZERO) return a;
        if constexpr (is_complex<T>)
            return mul(scale(a, s), inv);
        else
            return state == USUAL ? a * inv : a / d;
    }
};

} // namespace tsl
#endif
