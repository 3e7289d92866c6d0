/* A matrix in the registers of RL x CL lanes: lane (rl, cl) has rows rl + i RL and columns cl + k CL, element a[i][k]. Lanes of
 * one column are neighbours in a warp. CTAS: how many CTAs should fit on a multiprocessor. */
#ifndef TSL_CUDA_QR_TILE_CUH
#define TSL_CUDA_QR_TILE_CUH

#include "kernel/cuda/batch/batch.cuh"
#include "kernel/cuda/lu.cuh"

namespace tsl {
namespace qrb {

template <int RL_, int CL_, int RI_, int CI_, int CTAS_ = 1> struct shape {
    static constexpr int RL = RL_, CL = CL_, RI = RI_, CI = CI_, CTAS = CTAS_, M = RL * RI, N = CL * CI, LANES = RL * CL;
    static_assert(RL <= 32 && (RL & (RL - 1)) == 0, "the lanes of a column are in one warp");

    /* Columns from k CL to (k + 1) CL have their diagonal elements in a[i] of i in [first(k), last(k)]. */
    static __host__ __device__ constexpr int first(int k) { return k * CL / RL; }
    static __host__ __device__ constexpr int last(int k) { return ((k + 1) * CL - 1) / RL < RI ? ((k + 1) * CL - 1) / RL : RI - 1; }
};

/* Sums each t over the lanes of a column; all of them get the sum. */
template <int RL, int FROM, int N, class T> __device__ void sum_rows(T (&t)[N])
{
#pragma unroll
    for (int bit = RL / 2; bit >= 1; bit /= 2)
#pragma unroll
        for (int k = FROM; k < N; k++) t[k] = add(t[k], shuffle_xor(t[k], bit));
}

template <int I0, int RI, class T> __device__ real_t<T> squares_of(const T (&x)[RI])
{
    real_t<T> sum[2] = {0, 0};
#pragma unroll
    for (int i = I0; i < RI; i++) sum[i & 1] = -sub_norm(-sum[i & 1], x[i]);
    return sum[0] + sum[1];
}

/* Magnitudes as integers in the same order: the upper words. Zero and what is almost zero are 0; Inf and NaN are the
 * largest. */
__device__ inline int order_of(float a) { return __float_as_int(a) & 0x7fffffff; }
__device__ inline int order_of(double a) { return __double2hiint(a) & 0x7fffffff; }
template <class R> __device__ int order_of(cplx<R> a) { return max(order_of(a.re), order_of(a.im)); }

template <class R> struct order {
    static constexpr bool SINGLE = sizeof(R) == 4;
    static constexpr int EXPONENT = SINGLE ? 23 : 20, ONE = SINGLE ? 0x3f800000 : 0x3ff00000, INF = SINGLE ? 0x7f800000 : 0x7ff00000;

    /* Products of two numbers of which this does not hold are far from the ends of the range. */
    static __device__ bool is_far(int of)
    {
        constexpr int FAR = (SINGLE ? 30 : 200) << EXPONENT;
        return of > ONE + FAR || (of < ONE - FAR && of > 0);
    }

    /* The power of two that brings a number of this order near 1, as far as its inverse is in the range; 1 for Inf and NaN */
    static __device__ R toward_one(int of)
    {
        const int bits = of < INF ? min(max(2 * ONE - (of & INF), 1 << EXPONENT), 2 * ONE - (1 << EXPONENT)) : ONE;
        if constexpr (SINGLE)
            return __int_as_float(bits);
        else
            return __hiloint2double(bits, 0);
    }
};

/* The largest over the lanes of a column */
template <int RL> __device__ int most_of_rows(int most)
{
#pragma unroll
    for (int bit = RL / 2; bit >= 1; bit /= 2) most = max(most, shuffle_xor(most, bit));
    return most;
}

/* Multiplies columns whose largest element is far from 1 by powers of two, so that products of columns stay in the range.
 * Returns whether the warp has such a column; by, in shared memory, then has the factors. */
template <class S, class T> __device__ bool adapt(T (&a)[S::RI][S::CI], real_t<T> *by, int rl, int cl)
{
    using R = real_t<T>;
    int most[S::CI];
    bool any = false;
#pragma unroll
    for (int k = 0; k < S::CI; k++) {
        most[k] = 0;
#pragma unroll
        for (int i = 0; i < S::RI; i++) most[k] = max(most[k], order_of(a[i][k]));
        most[k] = most_of_rows<S::RL>(most[k]);
        any = any || order<R>::is_far(most[k]);
    }
    if (!__any_sync(0xffffffffu, any)) return false;
#pragma unroll
    for (int k = 0; k < S::CI; k++) {
        const R f = order<R>::is_far(most[k]) ? order<R>::toward_one(most[k]) : R(1);
        if (rl == 0) by[k * S::CL + cl] = f;
#pragma unroll
        for (int i = 0; i < S::RI; i++) a[i][k] = scale(a[i][k], f);
    }
    __syncwarp();
    return true;
}

/* Divides by these factors again, except the reflectors, which are below the diagonal of the first `steps` columns. */
template <class S, class T> __device__ void restore(T (&a)[S::RI][S::CI], const real_t<T> *by, int steps, int rl, int cl)
{
#pragma unroll
    for (int k = 0; k < S::CI; k++) {
        const int column = k * S::CL + cl;
        const real_t<T> back = near_one(by[column]);
#pragma unroll
        for (int i = 0; i < S::RI; i++)
            if (column >= steps || i * S::RL + rl <= column) a[i][k] = scale(a[i][k], back);
    }
}

/* LAPACK's larfg: H = I - tau v v^H with v = (1, x inv) takes (alpha, x) to (beta, 0), beta real. Given is the sum of squares
 * of x; with |alpha|^2 added it is in the range, or all is zero. */
template <class T> struct head {
    T tau, inv;
    real_t<T> beta;

    __device__ head(T alpha, real_t<T> squares)
    {
        using R = real_t<T>;
        const R size = -sub_norm(-squares, alpha), y = inv_sqrt(size), sign = copysign(R(1), re(alpha));
        bool none = squares == 0;
        beta = -sign * root(size, y);
        const R first = re(alpha) - beta; /* of one sign: nothing is cancelled */
        if constexpr (is_complex<T>) {
            none = none && alpha.im == 0;
            const R q = quick_inverse(fma(first, first, alpha.im * alpha.im));
            inv = {first * q, -alpha.im * q};
            tau = {first * sign * y, alpha.im * sign * y};
        } else {
            inv = quick_inverse(first);
            tau = first * sign * y;
        }
        if (none) {
            tau = inv = make<T>(0);
            beta = re(alpha);
        }
    }
};

/* d(k) := x^H a for the lane's columns from FROM on, over the rows that columns from K CL on reflect */
template <class S, int K, int FROM, class T> __device__ void multiply(T (&d)[S::CI], const T (&a)[S::RI][S::CI], const T (&x)[S::RI])
{
#pragma unroll
    for (int k = FROM; k < S::CI; k++) d[k] = make<T>(0);
#pragma unroll
    for (int i = S::first(K); i < S::RI; i++)
#pragma unroll
        for (int k = FROM; k < S::CI; k++) d[k] = add_mul<true>(d[k], x[i], a[i][k]);
    sum_rows<S::RL, FROM>(d);
}

/* The element of row j, K = j / CL, of a column, for all its lanes; f(i) is the lane's own i-th element. */
template <class S, int K, class F> __device__ auto diagonal(F f, int j)
{
    auto x = f(S::first(K));
#pragma unroll
    for (int i = S::first(K) + 1; i <= S::last(K); i++)
        if (i * S::RL <= j) x = f(i);
    return S::RL == 1 ? x : of_lane(x, (threadIdx.x & 31 & ~(S::RL - 1)) | (j & (S::RL - 1)));
}

/* Step j, K = j / CL: finds the reflector of column j and applies it to the columns after it. All lanes have column j in x, and
 * its element of row j in alpha. x becomes zero in rows up to j; below, v = x inv. So the products with x serve for those with
 * v, and one sum over the lanes gives both these and the length. If the length is out of the range, x is multiplied by a power
 * of two and the sums are taken again. w: v^H times the lane's columns from FROM on. Finished columns, and rows above j, are
 * left out rather than updated by zero: v may be NaN. */
template <class S, int K, int FROM, class T>
__device__ head<T> step(T (&a)[S::RI][S::CI], T (&x)[S::RI], T (&w)[S::CI], T alpha, int j, int rl, int cl, bool live)
{
    using R = real_t<T>;
    constexpr int I0 = S::first(K), I1 = S::last(K);
    R back = 1, squares[1];
#pragma unroll
    for (int i = I0; i <= I1; i++)
        if (i * S::RL + rl <= j) x[i] = make<T>(0);
#pragma unroll 1
    for (bool again = false;; again = true) {
        squares[0] = squares_of<I0>(x);
        sum_rows<S::RL, 0>(squares);
        multiply<S, K, FROM>(w, a, x);
        const bool extreme = live && !again && !is_moderate(-sub_norm(-squares[0], alpha));
        if (!__any_sync(0xffffffffu, extreme)) break;
        int most = order_of(alpha);
#pragma unroll
        for (int i = I0; i < S::RI; i++) most = max(most, order_of(x[i]));
        most = most_of_rows<S::RL>(most);
        const R by = extreme ? order<R>::toward_one(most) : R(1);
        back = near_one(by);
        alpha = scale(alpha, by);
#pragma unroll
        for (int i = I0; i < S::RI; i++) x[i] = scale(x[i], by);
    }
    head<T> h(alpha, squares[0]);
    h.beta *= back;
    const bool none = is_zero(h.tau);
#pragma unroll
    for (int k = FROM; k < S::CI; k++) {
        w[k] = add_mul<true>(diagonal<S, K>([&](int i) { return a[i][k]; }, j), h.inv, w[k]);
        if (k < K || (k == K && K * S::CL + cl <= j)) continue;
        const T by = none ? make<T>(0) : mul(conj(h.tau), w[k]), by_inv = mul(h.inv, by);
#pragma unroll
        for (int i = I0; i < S::RI; i++) {
            const int row = i * S::RL + rl;
            if (i > I1 || row > j) a[i][k] = sub_mul<false>(a[i][k], x[i], by_inv);
            if (i <= I1 && row == j) a[i][k] = sub_mul<false>(a[i][k], make<T>(1), by);
        }
    }
    return h;
}

/* Stores column j in the lanes that have it: R's diagonal element, and v below. */
template <class S, int K, class T> __device__ void put_column(T (&a)[S::RI][S::CI], const T (&x)[S::RI], const head<T> &h, int j, int rl)
{
#pragma unroll
    for (int i = S::first(K); i < S::RI; i++) {
        const int row = i * S::RL + rl;
        if (i > S::last(K) || row > j) a[i][K] = mul(x[i], h.inv);
        if (i <= S::last(K) && row == j) a[i][K] = make<T>(h.beta);
    }
}

/* A kernel with fewer CTAs than problems loops over them. */
inline unsigned ctas_for(int64_t count) { return (unsigned)(count < 1 << 24 ? count : 1 << 24); }

/* A list of shapes, the cheapest first; first() calls f with the first that has room for m x n. */
template <class... S> struct shapes {
    static bool take(int m, int n) { return ((m <= S::M && n <= S::N) || ...); }

    template <class F> static cudaError_t first(int m, int n, F f)
    {
        cudaError_t e = cudaErrorInvalidValue;
        (void)((m <= S::M && n <= S::N && (e = f(S{}), true)) || ...);
        return e;
    }
};

} // namespace qrb
} // namespace tsl
#endif
