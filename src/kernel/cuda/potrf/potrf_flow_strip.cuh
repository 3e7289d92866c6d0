/* Tiles of order 64 in shared memory for eight warps, each at eight rows of it, a strip.
 *
 * A strip is a row of blocks of order 8. With g = lane / 4 and t = lane % 4 a lane has elements (g,2t) and (g,2t+1) of a block,
 * as the tensor cores leave them, and stores them where no other lane of the warp does: a warp needs its own strip and what
 * others have finished. Blocks are stored by rows; in complex double the even columns, then the odd, so that lanes' 16 bytes
 * are neighbours. A stored block is also a right operand, transposed, and registers are a left one, as they are, since the
 * order of a sum's columns does not matter: so all that is done with blocks is x y^H on the tensor cores, in double precision
 * whatever is stored.
 *
 * A solution with a triangle L of order 8 is x = v W^H, W = inv(L). That alone would leave a residual of the size of |v| |W|
 * |L|, so once x := x + (v - x L^H) W^H, after which it is that of substitution: the condition of L is the square root of a
 * matrix' that could be factored. */
#ifndef TSL_CUDA_POTRF_FLOW_STRIP_CUH
#define TSL_CUDA_POTRF_FLOW_STRIP_CUH

#include "kernel/cuda/mma.cuh"
#include "kernel/cuda/tile.cuh"

namespace tsl {
namespace flow {

constexpr unsigned EVERY = 0xffffffffu;
constexpr int NONE = -64; /* of strips, steps, columns */
constexpr int OB = 8, BLOCK = OB * OB, STRIPS = 8; /* of a tile */

/* A diagonal tile: the blocks on and below the diagonal, row by row; the inverses of those on it, and of their diagonals; which
 * of these have a pivot that is not a normal number, and no inverse */
template <class T> struct alignas(16) triangle {
    T blocks[tri(STRIPS) * BLOCK], inverses[STRIPS * BLOCK];
    real_t<T> inv[STRIPS * OB];
    int odd[STRIPS];

    __device__ T *at(int i, int j) { return blocks + tri(i, j) * BLOCK; }
    __device__ const T *at(int i, int j) const { return blocks + tri(i, j) * BLOCK; }
    __device__ T *inverse(int i) { return inverses + i * BLOCK; }
    __device__ const T *inverse(int i) const { return inverses + i * BLOCK; }
};

template <class T> struct alignas(16) square {
    T blocks[STRIPS * STRIPS * BLOCK];

    __device__ T *at(int i, int j) { return blocks + (i * STRIPS + j) * BLOCK; }
    __device__ const T *at(int i, int j) const { return blocks + (i * STRIPS + j) * BLOCK; }
};

/* A lane's elements of a block, as stored and as computed with */
template <class T> using two = pack<T, 2>;
template <class T> struct wider { using type = double; };
template <class R> struct wider<cplx<R>> { using type = cplx<double>; };
template <class T> using wide = typename wider<T>::type;
template <class U, class T> __device__ U convert(T a)
{
    if constexpr (is_complex<T>)
        return U{(real_t<U>)a.re, (real_t<U>)a.im};
    else
        return (U)a;
}

template <class T> __device__ int slot(int lane, int e) { return sizeof(T) == 16 ? e * 32 + lane : lane * 2 + e; }

template <class T> __device__ two<wide<T>> load(const T *block, int lane)
{
    two<T> v;
    if constexpr (sizeof(T) == 16)
        v = {block[lane], block[32 + lane]};
    else
        v = get<2>(block + 2 * lane);
    return {convert<wide<T>>(v.x[0]), convert<wide<T>>(v.x[1])};
}

template <class T> __device__ void store(T *block, two<wide<T>> v, int lane)
{
    const two<T> w = {convert<T>(v.x[0]), convert<T>(v.x[1])};
    if constexpr (sizeof(T) == 16) {
        block[lane] = w.x[0];
        block[32 + lane] = w.x[1];
    } else {
        *(two<T> *)(block + 2 * lane) = w;
    }
}

template <class T> __device__ T less(T a, T b)
{
    if constexpr (is_complex<T>)
        return T{a.re - b.re, a.im - b.im};
    else
        return a - b;
}

template <class T> __device__ T from_lane(T a, int lane)
{
    if constexpr (is_complex<T>)
        return T{__shfl_sync(EVERY, a.re, lane), __shfl_sync(EVERY, a.im, lane)};
    else
        return __shfl_sync(EVERY, a, lane);
}

/* Sum of products x y^H of blocks, by one warp. Those of even and odd columns, or of parts, do not wait for each other. */
struct real_sum {
    double s[2][2] = {};

    __device__ void add(two<double> x, two<double> y)
    {
#pragma unroll
        for (int e = 0; e < 2; e++) mma4(s[e][0], s[e][1], x.x[e], y.x[e]);
    }
    __device__ double value(int e) const { return s[0][e] + s[1][e]; }
};

struct complex_sum {
    double rr[2] = {}, ii[2] = {}, ir[2] = {}, ri[2] = {};

    __device__ void add(two<cplx<double>> x, two<cplx<double>> y)
    {
#pragma unroll
        for (int e = 0; e < 2; e++) {
            mma4(rr[0], rr[1], x.x[e].re, y.x[e].re);
            mma4(ii[0], ii[1], x.x[e].im, y.x[e].im);
            mma4(ir[0], ir[1], x.x[e].im, y.x[e].re);
            mma4(ri[0], ri[1], x.x[e].re, y.x[e].im);
        }
    }
    __device__ cplx<double> value(int e) const { return {rr[e] + ii[e], ir[e] - ri[e]}; }
};

template <class T> struct sum_of { using type = real_sum; };
template <class R> struct sum_of<cplx<R>> { using type = complex_sum; };
template <class T> using sum = typename sum_of<T>::type;

template <class W> __device__ two<W> less(two<W> v, const sum<W> &s) { return {less(v.x[0], s.value(0)), less(v.x[1], s.value(1))}; }

/* x inv(L)^H by substitution: any pivot */
template <class T> __device__ __noinline__ two<wide<T>> substitute(two<wide<T>> v, const T *L, const real_t<T> *inv, int lane)
{
    using W = wide<T>;
    W x[OB];
#pragma unroll
    for (int k = 0; k < OB; k++) x[k] = from_lane(v.x[k % 2], lane / 4 * 4 + k / 2);
#pragma unroll
    for (int c = 0; c < OB; c++) {
        x[c] = scale(x[c], (real_t<W>)inv[c]);
#pragma unroll
        for (int r = c + 1; r < OB; r++) x[r] = sub_mul<true>(x[r], x[c], convert<W>(L[slot<T>(r * 4 + c / 2, c % 2)]));
    }
    const int t = lane % 4;
#pragma unroll
    for (int e = 0; e < 2; e++) v.x[e] = t < 2 ? (t == 0 ? x[e] : x[2 + e]) : (t == 2 ? x[4 + e] : x[6 + e]);
    return v;
}

/* v inv(L)^H with block b of L's diagonal */
template <class T> __device__ two<wide<T>> solve(two<wide<T>> v, const triangle<T> &L, int b, int lane)
{
    using W = wide<T>;
    if (L.odd[b]) return substitute(v, L.at(b, b), L.inv + b * OB, lane);
    const two<W> l = load(L.at(b, b), lane), w = load(L.inverse(b), lane);
    sum<T> s, r, d;
    s.add(v, w);
    const two<W> x = {s.value(0), s.value(1)};
    r.add(x, l);
    d.add(less(v, r), w);
    return {add(x.x[0], d.value(0)), add(x.x[1], d.value(1))};
}

/* The factor of a block on the diagonal: a[k] of row `row` in lanes 0 to 7, *inv the inverse of its diagonal element; lanes
 * with `unit` begin with rows of the identity, and have those of inv(L)^H. Only the pivots' lanes are on the way from one to
 * the next. What lanes above the diagonal compute stays above it. Returns the number of good columns. A pivot is first taken
 * for a normal number, and the number is 0 if one is not; CAREFUL takes any positive one, Inf and subnormal too. */
template <bool CAREFUL, class T> __device__ int factor_rows(T (&a)[OB], real_t<T> *inv, int row, bool unit)
{
    using R = real_t<T>;
    bool ok = true;
    R p = __shfl_sync(EVERY, re(a[0]), 0);
#pragma unroll
    for (int c = 0; c < OB; c++) {
        const bool normal = is_normal_positive(p);
        if (CAREFUL && !(p > 0)) return c;
        ok = ok && normal;
        R y = inv_sqrt(p), d = root(p, y);
        if (CAREFUL && !normal) {
            d = sqrt(p);
            y = 1 / d;
        }
        const T l = scale(a[c], y);
        if (c + 1 < OB) p = __shfl_sync(EVERY, sub_norm(re(a[c + 1]), l), c + 1);
#pragma unroll
        for (int k = c + 1; k < OB; k++) a[k] = sub_mul<true>(a[k], l, from_lane(l, k));
        a[c] = row == c && !unit ? make<T>(d) : l;
        if (row == c) *inv = y;
    }
    return ok ? OB : 0;
}

/* Block b of L's diagonal := the factor of v. Returns the number of good columns. */
template <class T> __device__ int factor_block(triangle<T> &L, int b, two<wide<T>> v, int lane)
{
    const int row = lane % OB;
    const bool unit = lane / OB % 2 != 0;
    T a[OB];
    real_t<T> inv;
    const auto gather = [&] {
#pragma unroll
        for (int k = 0; k < OB; k++) {
            const T e = convert<T>(from_lane(v.x[k % 2], row * 4 + k / 2));
            a[k] = unit ? make<T>(row == k) : e;
        }
    };
    gather();
    int good = factor_rows<false>(a, &inv, row, unit);
    const bool odd = good < OB;
    if (odd) {
        gather();
        good = factor_rows<true>(a, &inv, row, unit);
    }
    if (lane < OB) {
        T *const to = L.at(b, b);
#pragma unroll
        for (int k = 0; k < OB; k++) to[slot<T>(row * 4 + k / 2, k % 2)] = row < k ? make<T>(0) : a[k];
        L.inv[b * OB + row] = inv;
        if (row == 0) L.odd[b] = odd;
    } else if (lane < 2 * OB) {
        T *const to = L.inverse(b);
#pragma unroll
        for (int k = 0; k < OB; k++) to[slot<T>(k * 4 + row / 2, row % 2)] = conj(a[k]);
    }
    return good;
}

} // namespace flow
} // namespace tsl
#endif
