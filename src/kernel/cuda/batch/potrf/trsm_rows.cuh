/* Triangular solves of small order: M in the registers of a group of lanes (rows.cuh), a few lines at a time beside it. */
#ifndef TSL_CUDA_BATCH_TRSM_ROWS_CUH
#define TSL_CUDA_BATCH_TRSM_ROWS_CUH

#include "kernel/cuda/batch/potrf/rows.cuh"
#include "kernel/cuda/batch/potrf/trsm_lines.cuh"

namespace tsl {
namespace {

/* b := inv(M) b for C columns. A lane above the pivot's keeps what it has: a zero of M times Inf would not be zero. */
template <int L, int H, int C, class T>
__device__ void substitute_rows(T (&b)[H][C], const T (&a)[H][L * H], const divisor<T> (&by)[H], bool unit, int n, int l)
{
#pragma unroll
    for (int j = 0; j < L * H; j++) {
        if (j % 8 == 0 && j >= n) break;
#pragma unroll
        for (int c = 0; c < C; c++) {
            T &own = b[j / L][c];
            const T x = of_group<L>(unit ? own : by[j / L](own), j % L);
            own = l == j % L ? x : l > j % L ? sub_mul<false>(own, a[j / L][j], x) : own;
#pragma unroll
            for (int h = j / L + 1; h < H; h++) b[h][c] = sub_mul<false>(b[h][c], a[h][j], x);
        }
    }
}

template <class T, int L, int H> __global__ __launch_bounds__(32 * ROWS_WARPS) void trsm_rows(lines<T> p)
{
    constexpr int C = STRIP<T, L>;
    __shared__ strip_room<T, L> rooms[GROUPS<L>];
    const group<T, L> g(rooms);
    const int64_t i = g.number / p.parts;
    const bool in = p.has(i);
    T a[H][L * H];
    load_triangle<L>(a, p.triangle(i, in), p.unit, g);
    divisor<T> by[H];
#pragma unroll
    for (int h = 0; h < H; h++) {
        T d = make<T>(1);
#pragma unroll
        for (int l = 0; l < L; l++)
            if (l == g.l) d = a[h][h * L + l];
        by[h] = make_divisor(d);
    }

    T *const B = in ? p.B.at(i) + p.b0 : nullptr;
    /* Strips of C lines in turn. All groups of a warp go round as often: they move strips together. */
    const int64_t first = g.number % p.parts * C, step = (int64_t)p.parts * C;
    for (int64_t round = 0; round < p.lines; round += step) {
        const int64_t c = round + first;
        const int cols = c < p.lines ? (int)min((int64_t)C, p.lines - c) : 0;
        const block<T> some = {B + c * p.sl, p.sk, p.sl, in ? p.order : 0, cols};
        T b[H][C];
        load_columns<L>(b, some, g);
        each<true, L>(b, g.l, [&](T &x, int, int) { x = p.enter(x); });
        substitute_rows<L>(b, a, by, p.unit, p.order, g.l);
        each<true, L>(b, g.l, [&](T &x, int, int) { x = p.leave(x); });
        store_columns<L>(some, b, g);
    }
}

template <class T, int L, int H> cudaError_t launch_trsm_rows(cudaStream_t s, lines<T> p)
{
    constexpr int64_t PER_CTA = GROUPS<L>, ENOUGH = 8192; /* groups that fill a device */
    const int64_t strips = (p.lines + STRIP<T, L> - 1) / STRIP<T, L>;
    p.parts = (int)max((int64_t)1, min(strips, ENOUGH / p.count));
    trsm_rows<T, L, H><<<(unsigned)((p.count * p.parts + PER_CTA - 1) / PER_CTA), 32 * ROWS_WARPS, 0, s>>>(p);
    return cudaGetLastError();
}

} // namespace
} // namespace tsl
#endif
