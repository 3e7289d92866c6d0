/* The forms of LU's panels, and how a warp has its rows of one. */
#ifndef TSL_CUDA_GETRF_FORM_CUH
#define TSL_CUDA_GETRF_FORM_CUH

#include "kernel/cuda/scalar.cuh"
#include "kernel/cuda/tile.cuh"

namespace tsl {

/* Elements of type T, panels of COLS columns in blocks of BLOCK, CTAs of up to THREADS rows: registers bound these, since each
 * row takes COLS elements of a thread. */
template <class T_, int COLS_, int THREADS_> struct form {
    using T = T_;
    static constexpr int COLS = COLS_, THREADS = THREADS_, BLOCK = 8, BLOCKS = COLS / BLOCK, EACH = 16 / sizeof(T);
    static constexpr int SLOT_CHUNKS = BLOCK / EACH, ROW_CHUNKS = COLS / EACH; /* of 16 bytes: a row's part in a block, a whole one */
    static constexpr int SLOT = BLOCK + EACH; /* of a warp's candidate: neighbours' same elements are not all in one bank */
    static constexpr int WARPS = THREADS / 32, AT_ONCE = THREADS > 256 || sizeof(T) == 16
                                                             ? 1
                                                             : 2; /* columns of L applied together, as registers allow */
    static_assert(ROW_CHUNKS <= 32, "a lane each");
};

/* narrow: for many rows, and where an element takes too many registers for more columns */
template <class T> using narrow = form<T, 32, sizeof(T) == 16 ? 256 : 512>;
template <class T> using wide = form<T, 64, 256>;

/* The lanes of a warp share its 32 rows: lane l has column l mod 8 of every block, and of that 8 rows, EACH neighbours of every
 * 4 EACH. So EACH of them are 16 bytes of shared memory, where neighbours of a column are neighbours. */
template <class F> struct patch {
    using T = typename F::T;
    static constexpr int EACH = F::EACH, ROWS = 8, PACKS = ROWS / EACH;
    using rows = pack<T, EACH>;

    T x[ROWS][F::BLOCKS]; /* of the blocks not done yet, from the first of them on */

    static __device__ int column(int lane) { return lane % 8; }
    static __device__ int row(int p, int lane) { return (p * 4 + lane / 8) * EACH; } /* the first of pack p */

    /* column c of block b is at p[(8 b + c) stride] */
    __device__ void load(const T *p, int stride, int lane)
    {
#pragma unroll
        for (int b = 0; b < F::BLOCKS; b++)
#pragma unroll
            for (int q = 0; q < PACKS; q++) {
                const rows v = get<EACH>(p + (b * F::BLOCK + column(lane)) * stride + row(q, lane));
#pragma unroll
                for (int e = 0; e < EACH; e++) x[q * EACH + e][b] = v.x[e];
            }
    }
    __device__ void store_first(T *p, int stride, int lane) const
    {
#pragma unroll
        for (int q = 0; q < PACKS; q++) {
            rows v;
#pragma unroll
            for (int e = 0; e < EACH; e++) v.x[e] = x[q * EACH + e][0];
            *(rows *)(p + column(lane) * stride + row(q, lane)) = v;
        }
    }
    /* Row i, from the second block on; the first one's column 0 would be at p[0]. */
    __device__ void store_row(int i, int blocks, T *p, int lane) const
    {
        if (lane / 8 != i / EACH % 4) return;
        const int mine = i / (4 * EACH) * EACH + i % EACH;
#pragma unroll
        for (int r = 0; r < ROWS; r++)
            if (r == mine)
#pragma unroll
                for (int b = 1; b < F::BLOCKS; b++)
                    if (b < blocks) p[b * F::BLOCK + column(lane)] = x[r][b];
    }
    /* x := x - L U, from the second block on, of AT_ONCE columns of L, `stride` apart, which begin with the warp's rows, and as
     * many rows of U, of which the first block's column 0 would be at u[0]. All is read before any is used. FIRST: the first
     * block is done, the second becomes it. */
    template <bool FIRST> __device__ void update(int blocks, const T *l, int stride, const T *u, int lane)
    {
        T m[F::AT_ONCE][ROWS], v[F::AT_ONCE][F::BLOCKS];
#pragma unroll
        for (int k = 0; k < F::AT_ONCE; k++) {
#pragma unroll
            for (int q = 0; q < PACKS; q++) {
                const rows a = get<EACH>(l + k * stride + row(q, lane));
#pragma unroll
                for (int e = 0; e < EACH; e++) m[k][q * EACH + e] = a.x[e];
            }
#pragma unroll
            for (int b = 1; b < F::BLOCKS; b++)
                if (b < blocks) v[k][b] = u[k * F::COLS + b * F::BLOCK + column(lane)];
        }
#pragma unroll
        for (int b = 1; b < F::BLOCKS; b++)
            if (b < blocks)
#pragma unroll
                for (int k = 0; k < F::AT_ONCE; k++)
#pragma unroll
                    for (int r = 0; r < ROWS; r++) x[r][b - 1] = sub_mul<false>(x[r][FIRST && k == 0 ? b : b - 1], m[k][r], v[k][b]);
    }
};

} // namespace tsl
#endif
