/* Products of finished tiles of L of order 64, for eight warps: sum of P Q^H over slabs of columns, 32 x 16 elements of
 * it a warp, in registers. Double precision on the tensor cores, single precision by FMA.
 *
 * A finished tile is kept a second time, packed for this, as columns of slabs of 8 KB. With g = lane / 4 and t = lane % 4 the
 * tensor cores want of every eight rows and four columns an element of row g and of the t-th column in each lane. Which columns
 * these are does not matter to a sum over all: of eight they are the even ones, then the odd ones, since so lanes have the
 * elements of results. In double the two make 16 bytes a lane, in complex the real and imaginary part. Others are plain
 * columns. */
#ifndef TSL_CUDA_POTRF_FLOW_PRODUCT_CUH
#define TSL_CUDA_POTRF_FLOW_PRODUCT_CUH

#include "kernel/cuda/mma.cuh"
#include "kernel/cuda/tile.cuh"

namespace tsl {
namespace flow {

constexpr int NB = 64, SLAB = 8192;                                    /* order of a tile; bytes of a slab */
template <class T> constexpr int DEEP = SLAB / (NB * (int)sizeof(T));  /* columns of a slab */
template <class T> constexpr int SLABS = NB / DEEP<T>;                 /* of a tile */

/* Where a tile's packed element of row 8 i + g and column 8 k + 2 t + e is */
template <class T> __device__ int packed(int i, int k, int lane, int e)
{
    if constexpr (sizeof(real_t<T>) == 4)
        return (8 * k + lane % 4 * 2 + e) * NB + 8 * i + lane / 4;
    else if constexpr (is_complex<T>)
        return ((2 * k + e) * 8 + i) * 32 + lane;
    else
        return (8 * k + i) * 64 + lane * 2 + e;
}

/* The first row and column of a warp's part, in elements. */
struct part {
    int row, col;
};
__device__ inline part part_of(int warp) { return {warp % 2 * 32, warp / 2 * 16}; }

/* f(row, column, i, j, e) for what the tensor cores leave in the lane's s[i][j][e] */
template <class F> __device__ void lanes_part(int warp, int lane, F f)
{
    const part at = part_of(warp);
#pragma unroll
    for (int i = 0; i < 2; i++)
#pragma unroll
        for (int j = 0; j < 2; j++)
#pragma unroll
            for (int e = 0; e < 4; e++) f(at.row + 16 * i + lane / 4 + e / 2 * 8, at.col + 8 * j + lane % 4 * 2 + e % 2, i, j, e);
}

template <class T> struct product;

template <> struct product<double> {
    double s[2][2][4] = {};

    /* A, B: slabs of P and Q */
    __device__ void add(const double *A, const double *B, int warp, int lane)
    {
        const part at = part_of(warp);
        const double2 *const a2 = (const double2 *)A + at.row / 8 * 32 + lane, *const b2 = (const double2 *)B + at.col / 8 * 32 + lane;
        double a[2][8], b[2][4];
#pragma unroll
        for (int k = 0; k < 2; k++) {
#pragma unroll
            for (int u = 0; u < 4; u++) {
                const double2 v = a2[(k * 8 + u) * 32];
                a[u / 2][4 * k + u % 2] = v.x;
                a[u / 2][4 * k + 2 + u % 2] = v.y;
            }
#pragma unroll
            for (int u = 0; u < 2; u++) {
                const double2 v = b2[(k * 8 + u) * 32];
                b[u][2 * k] = v.x;
                b[u][2 * k + 1] = v.y;
            }
        }
#pragma unroll
        for (int i = 0; i < 2; i++)
#pragma unroll
            for (int j = 0; j < 2; j++) mma16(s[i][j], a[i], b[j]);
    }

    /* f(row, column, element) for all of the lane's */
    template <class F> __device__ void each(int warp, int lane, F f) const
    {
        lanes_part(warp, lane, [&](int r, int c, int i, int j, int e) { f(r, c, s[i][j][e]); });
    }
};

template <> struct product<cplx<double>> {
    product<double> real, imag;

    __device__ void add(const cplx<double> *A, const cplx<double> *B, int warp, int lane)
    {
        const part at = part_of(warp);
        const double2 *const a2 = (const double2 *)A + at.row / 8 * 32 + lane, *const b2 = (const double2 *)B + at.col / 8 * 32 + lane;
        double re[2][4], im[2][4];
#pragma unroll
        for (int k = 0; k < 2; k++)
#pragma unroll
            for (int u = 0; u < 4; u++) {
                const double2 v = a2[(k * 8 + u) * 32];
                re[u / 2][2 * k + u % 2] = v.x;
                im[u / 2][2 * k + u % 2] = v.y;
            }
#pragma unroll
        for (int j = 0; j < 2; j++) {
            const double2 v = b2[j * 32], w = b2[(8 + j) * 32];
            const double c[2] = {v.x, w.x}, d[2] = {v.y, w.y}, minus[2] = {-v.y, -w.y};
#pragma unroll
            for (int i = 0; i < 2; i++) { /* a conj(b) = (re + i im)(c - i d) */
                mma8(real.s[i][j], re[i], c);
                mma8(imag.s[i][j], im[i], c);
                mma8(real.s[i][j], im[i], d);
                mma8(imag.s[i][j], re[i], minus);
            }
        }
    }

    template <class F> __device__ void each(int warp, int lane, F f) const
    {
        lanes_part(warp, lane, [&](int r, int c, int i, int j, int e) { f(r, c, cplx<double>{real.s[i][j][e], imag.s[i][j][e]}); });
    }
};

/* Four rows and columns a lane, V of them neighbours: eight lanes read 128 bytes together. */
template <class T> struct product {
    static constexpr int V = VEC<T>;
    T s[4][4] = {};

    static __device__ int row_of(int lane, int e) { return e / V * 8 * V + lane % 8 * V + e % V; }
    static __device__ int col_of(int lane, int e) { return e / V * 4 * V + lane / 8 * V + e % V; }

    __device__ void add(const T *A, const T *B, int warp, int lane)
    {
        const part at = part_of(warp);
#pragma unroll 8
        for (int k = 0; k < DEEP<T>; k++) {
            T a[4], b[4];
#pragma unroll
            for (int e = 0; e < 4; e += V) {
                const pack<T, V> p = get<V>(A + k * NB + at.row + row_of(lane, e)), q = get<V>(B + k * NB + at.col + col_of(lane, e));
#pragma unroll
                for (int v = 0; v < V; v++) {
                    a[e + v] = p.x[v];
                    b[e + v] = q.x[v];
                }
            }
#pragma unroll
            for (int i = 0; i < 4; i++)
#pragma unroll
                for (int j = 0; j < 4; j++) s[i][j] = add_mul<true>(s[i][j], b[j], a[i]);
        }
    }

    template <class F> __device__ void each(int warp, int lane, F f) const
    {
        const part at = part_of(warp);
#pragma unroll
        for (int i = 0; i < 4; i++)
#pragma unroll
            for (int j = 0; j < 4; j++) f(at.row + row_of(lane, i), at.col + col_of(lane, j), s[i][j]);
    }
};

} // namespace flow
} // namespace tsl
#endif
