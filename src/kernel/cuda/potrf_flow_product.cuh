/* Products of finished tiles of L of order 64, for eight warps: sum of P Q^H over slabs of columns, 32 x 16 elements of
 * it a warp, in registers. Double precision on the tensor cores, single precision by FMA.
 *
 * A finished tile is kept a second time, packed for this, as columns of slabs of 8 KB: with g = lane / 4 and t = lane % 4 the
 * tensor cores want of every eight rows and four columns element (g,t) in each lane, so such a piece is stored lane by lane; in
 * double two pieces side by side, in complex the real and imaginary part, make 16 bytes a lane. Others are plain columns. */
#ifndef TSL_CUDA_POTRF_FLOW_PRODUCT_CUH
#define TSL_CUDA_POTRF_FLOW_PRODUCT_CUH

#include "kernel/cuda/mma.cuh"
#include "kernel/cuda/tile.cuh"

namespace tsl {
namespace flow {

constexpr int NB = 64, SLAB = 8192;                                    /* order of a tile; bytes of a slab */
template <class T> constexpr int DEEP = SLAB / (NB * (int)sizeof(T));  /* columns of a slab */
template <class T> constexpr int SLABS = NB / DEEP<T>;                 /* of a tile */

/* Where element (r,c) of a tile is among its packed ones. */
template <class T> __device__ int packed(int r, int c) { return c * NB + r; }
template <> __device__ inline int packed<double>(int r, int c)
{
    return (c / 8 * 8 + r / 8) * 64 + (r % 8 * 4 + c % 4) * 2 + c % 8 / 4;
}
template <> __device__ inline int packed<cplx<double>>(int r, int c) { return (c / 4 * 8 + r / 8) * 32 + r % 8 * 4 + c % 4; }

/* The first row and column of a warp's part, in elements. */
struct part {
    int row, col;
};
__device__ inline part part_of(int warp) { return {warp % 2 * 32, warp / 2 * 16}; }

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
        const part at = part_of(warp);
#pragma unroll
        for (int i = 0; i < 2; i++)
#pragma unroll
            for (int j = 0; j < 2; j++)
#pragma unroll
                for (int e = 0; e < 4; e++)
                    f(at.row + 16 * i + lane / 4 + e / 2 * 8, at.col + 8 * j + lane % 4 * 2 + e % 2, s[i][j][e]);
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
        const part at = part_of(warp);
#pragma unroll
        for (int i = 0; i < 2; i++)
#pragma unroll
            for (int j = 0; j < 2; j++)
#pragma unroll
                for (int e = 0; e < 4; e++)
                    f(at.row + 16 * i + lane / 4 + e / 2 * 8, at.col + 8 * j + lane % 4 * 2 + e % 2,
                      cplx<double>{real.s[i][j][e], imag.s[i][j][e]});
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

/* By one warp, 16 x 8 elements: C := C - P Q^H over 32 columns, tiles of order 32 in shared memory */
__device__ inline void subtract_product(double *C, const double *P, const double *Q, int lane)
{
    const int g = lane / 4, t = lane % 4;
    double *const c = C + 2 * t * TB + g;
    double d[4] = {c[0], c[TB], c[8], c[TB + 8]};
#pragma unroll
    for (int k = 0; k < TB; k += 16) {
        double a[8], b[4];
#pragma unroll
        for (int q = 0; q < 4; q++) {
            const int at = (k + t + 4 * q) * TB + g;
            a[2 * q] = P[at];
            a[2 * q + 1] = P[at + 8];
            b[q] = -Q[at];
        }
        mma16(d, a, b);
    }
    c[0] = d[0];
    c[TB] = d[1];
    c[8] = d[2];
    c[TB + 8] = d[3];
}

__device__ inline void subtract_product(cplx<double> *C, const cplx<double> *P, const cplx<double> *Q, int lane)
{
    const int g = lane / 4, t = lane % 4;
    cplx<double> *const c = C + 2 * t * TB + g;
    const cplx<double> v[4] = {c[0], c[TB], c[8], c[TB + 8]};
    double real[4] = {v[0].re, v[1].re, v[2].re, v[3].re}, imag[4] = {v[0].im, v[1].im, v[2].im, v[3].im};
#pragma unroll 2
    for (int k = 0; k < TB; k += 8) {
        double re[4], im[4], x[2], y[2], minus[2];
#pragma unroll
        for (int q = 0; q < 2; q++) {
            const int at = (k + t + 4 * q) * TB + g;
            const cplx<double> p0 = P[at], p1 = P[at + 8], w = Q[at];
            re[2 * q] = p0.re;
            im[2 * q] = p0.im;
            re[2 * q + 1] = p1.re;
            im[2 * q + 1] = p1.im;
            x[q] = -w.re;
            y[q] = w.im;
            minus[q] = -w.im;
        }
        mma8(real, re, x);
        mma8(imag, im, x);
        mma8(real, im, minus);
        mma8(imag, re, y);
    }
    c[0] = {real[0], imag[0]};
    c[TB] = {real[1], imag[1]};
    c[8] = {real[2], imag[2]};
    c[TB + 8] = {real[3], imag[3]};
}

} // namespace flow
} // namespace tsl
#endif
