/* What the panels of QR have in common: a column's scale, and its reflector. */
#ifndef TSL_CUDA_QR_CUH
#define TSL_CUDA_QR_CUH

#include "kernel/cuda/lu.cuh"
#include "kernel/cuda/scalar.cuh"

namespace tsl {

/* The power of two that brings a column's largest element to where the squares of those that count do not vanish, nor their sum
 * overflows. Inf and NaN stay what they are. */
template <class R> __device__ R factor_of(R most)
{
    constexpr int TO = std::numeric_limits<R>::max_exponent * 3 / 8, END = std::numeric_limits<R>::max_exponent - 2;
    return most > 0 && isfinite(most) ? scalbn(R(1), min(END, TO - ilogb(most))) : R(1);
}

template <class T> __device__ real_t<T> square_of(T a) { return re(mul(conj(a), a)); }

/* Does a sum of squares say how long a vector is? Not where squares that are part of it vanished or overflowed; nor if it is
 * NaN, or zero. */
template <class R> constexpr R LEAST_SQUARE = std::numeric_limits<R>::min() / std::numeric_limits<R>::epsilon();
template <class R> __device__ bool squares_hold(R sum) { return sum >= LEAST_SQUARE<R> && sum <= LARGEST<R>; }

/* Does it, and is it in the range of quick_inverse? */
template <class R> __device__ bool is_usual(R sum) { return sum >= LEAST_SQUARE<R> && is_moderate(sum); }

/* H = I - tau v v^H with v = (1, x inv) takes (alpha, x) to (beta, 0), x of which the sum of squares is given; beta is real, as
 * in LAPACK. */
template <class T> struct reflector {
    T tau, inv;
    real_t<T> beta;
    bool none;

    __device__ reflector() {}

    /* `usual`: the caller knows that |(alpha, x)|^2 is_usual. */
    __device__ reflector(T alpha, real_t<T> squares, bool usual = false)
    {
        using R = real_t<T>;
        const R a = re(alpha);
        R im = 0, size = fma(a, a, squares);
        if constexpr (is_complex<T>) {
            im = alpha.im;
            size = fma(im, im, size);
        }
        none = squares == 0 && im == 0;
        const bool quick = usual || is_moderate(size);
        const R y = inv_sqrt(size), sign = copysign(R(1), a);
        R b = -sign * root(size, y), over_b = -sign * y;
        if (!quick) {
            b = -copysign(sqrt(size), a);
            over_b = 1 / b;
        }
        const R head = a - b; /* of one sign: nothing is cancelled */
        if constexpr (is_complex<T>) {
            const R q = quick_inverse(fma(head, head, im * im));
            inv = quick ? T{head * q, -im * q} : inverse(T{head, im});
            tau = {-head * over_b, -im * over_b};
        } else {
            inv = quick ? quick_inverse(head) : 1 / head;
            tau = -head * over_b;
        }
        beta = b;
        if (none) {
            tau = inv = make<T>(0);
            beta = a;
        }
    }

    /* Element of v below the one; where there is no reflection, all that is below is zero, or vanished beside what is not. */
    __device__ T element(T x) const { return none ? make<T>(0) : mul(x, inv); }
};

/* A reflector of what is left of a column, or of a band, whose largest number was about 1 or more. What has squares that would
 * lose digits near the least number is zero beside that, and is taken for it: sums that were made with it need not be made
 * again. */
template <class T> __device__ reflector<T> reflector_of(T alpha, real_t<T> squares)
{
    using R = real_t<T>;
    const bool none = square_of(alpha) + squares < LEAST_SQUARE<R>;
    return reflector<T>(none ? make<T>(re(alpha)) : alpha, none ? R(0) : squares);
}

} // namespace tsl
#endif
