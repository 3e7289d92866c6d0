/* The two reflectors of a step of geqrf_panel_kernel.cuh. */
#ifndef TSL_CUDA_GEQRF_PAIR_CUH
#define TSL_CUDA_GEQRF_PAIR_CUH

#include "kernel/cuda/geqrf/geqrf_panel.cuh"

namespace tsl {
namespace qr {

/* Both reflectors of a step, and what a column a of the panel has to do with them. From its products e0, e1 with x0 and x1, and
 * its elements t0, t1 of rows j and j + 1: a becomes a - v0 w0 - v1 w1. */
template <class T> struct pair_of {
    reflector<T> h0, h1;
    T b, c, a10, n01; /* v0's element of row j + 1; x1 becomes x1 - c x0; of column j, and x0^H x1 */
    real_t<T> n00;
    bool both; /* else only the first */

    /* a(i)(k): element of row j + i in column j + k */
    __device__ pair_of(bool two, T a00, T a01, T a10_, T a11, real_t<T> n00_, T n01_, real_t<T> n11)
        : h0(reflector_of(a00, n00_ + square_of(a10_))), h1(h0), b(mul(a10_, h0.inv)), a10(a10_), n01(n01_), n00(n00_)
    {
        const T w = first(a01, a11, n01);
        c = mul(h0.inv, w);
        /* |c|^2 might vanish where |c|^2 n00 does not */
        const real_t<T> more = re(mul(conj(c), scale(c, n00))), left = n11 - 2 * re(mul(conj(c), n01)) + more;
        const T alpha = sub_mul<false>(a11, b, w);
        both = two && left >= (n11 + more) * real_t<T>(0.125) && left <= LARGEST<real_t<T>> && holds(left + square_of(alpha));
        if (both) h1 = reflector_of(alpha, left);
    }

    /* Is |c|^2 times what vanished in n00 nothing beside this sum of squares? If not, or if that overflows, the second column
     * has a step of its own. */
    __device__ bool holds(real_t<T> sum) const
    {
        using R = real_t<T>;
        return square_of(c) * LEAST_SQUARE<R> <= fmax(sum, LEAST_SQUARE<R>);
    }

    __device__ T first(T t0, T t1, T e0) const
    {
        return h0.none ? make<T>(0) : mul(conj(h0.tau), add_mul<true>(t0, h0.inv, add_mul<true>(e0, a10, t1)));
    }

    __device__ T second(T t1, T e0, T e1, T w0) const
    {
        const T by = mul(h0.inv, w0), back = sub_mul<true>(e1, by, n01), rest = sub_mul<false>(e0, by, make<T>(n00));
        const T e = sub_mul<false>(back, conj(c), rest); /* (x1 - c x0)^H (a - x0 by) */
        return h1.none ? make<T>(0) : mul(conj(h1.tau), add_mul<true>(sub_mul<false>(t1, b, w0), h1.inv, e));
    }

    /* v^H v0 and v^H v1 of a column that is a reflector v before them, and v0^H v1 */
    __device__ T with_first(T t0, T t1, T e0) const { return add_mul(conj(t0), h0.inv, add_mul<true>(conj(e0), t1, a10)); }
    __device__ T with_second(T t1, T e0, T e1) const { return add_mul(conj(t1), h1.inv, conj(sub_mul<false>(e1, conj(c), e0))); }
    __device__ T between() const { return add_mul(conj(b), mul(h1.inv, conj(h0.inv)), sub_mul<false>(n01, c, make<T>(n00))); }
};

} // namespace qr
} // namespace tsl
#endif
