/* B := inv(L) B with a unit lower triangle of TILES tiles of 32, a warp to some columns of B: how it is fetched and applied. A
 * lane has rows lane, lane + 32, .. of the columns, and what is found in a row goes to all lanes at once. Each element is
 * summed up in the order trsm.cu has. */
#ifndef TSL_CUDA_TRSM_UNIT_CUH
#define TSL_CUDA_TRSM_UNIT_CUH

#include "kernel/cuda/tile.cuh"

namespace tsl {

template <class T, int TILES> constexpr size_t UNIT_BYTES = (size_t)tri(TILES) * TILE * sizeof(T);

/* Starts to fetch a triangle of that order, and zeros past it, to tiles in shared memory; all of `warps` warps call. */
template <int TILES, class T> __device__ void fetch_unit(T *tiles, const T *L, int64_t ldl, int order, int warp, int lane, int warps)
{
#pragma unroll
    for (int i = 0; i < TILES; i++)
#pragma unroll
        for (int j = 0; j <= i; j++)
            fetch(tiles + tri(i, j) * TILE, block<const T>{L + i * TB + j * TB * ldl, 1, ldl, min(TB, order - i * TB), min(TB, order - j * TB)},
                  i == j ? 1 : WHOLE, warp, lane, warps);
}

/* x[i][c]: row 32 i + lane of column c. Past the order there are zeros, which meet only zeros of L. */
template <int TILES, int COLUMNS, class T> __device__ void solve_unit(T (&x)[TILES][COLUMNS], const T *tiles, int lane)
{
#pragma unroll
    for (int j = 0; j < TILES; j++)
#pragma unroll 8
        for (int k = 0; k < TB; k++) {
            T l[TILES];
#pragma unroll
            for (int i = j; i < TILES; i++) l[i] = tiles[tri(i, j) * TILE + k * TB + lane];
#pragma unroll
            for (int c = 0; c < COLUMNS; c++) {
                const T found = of_lane(x[j][c], k);
                if (lane > k) x[j][c] = sub_mul<false>(x[j][c], found, l[j]);
#pragma unroll
                for (int i = j + 1; i < TILES; i++) x[i][c] = sub_mul<false>(x[i][c], found, l[i]);
            }
        }
}

} // namespace tsl
#endif
