/* Cholesky factorisation of a diagonal tile of order 32 by one warp. */
#ifndef TSL_CUDA_POTRF_TILE_CUH
#define TSL_CUDA_POTRF_TILE_CUH

#include "kernel/cuda/tile.cuh"

namespace tsl {

constexpr unsigned ALL = 0xffffffffu;
constexpr int STRETCH = 4; /* columns without a branch: more would leave the compiler short of registers */

/* What goes with a diagonal tile in shared memory. */
template <class T> struct alignas(16) head {
    T spare[TB];       /* takes the columns that are not to be stored */
    real_t<T> inv[TB]; /* 1 / L(j,j) */
    int good;          /* its leading columns that hold the factor; TB: all */
};

/* Factors column by column from column j on with every care: any positive pivot, Inf and subnormal too. Left-looking, so it
 * needs columns before j factored and the others as they were. Returns the number of good columns. */
template <class T> __device__ int factor_carefully(T *t, head<T> *h, int j, int cols, int lane)
{
    for (; j < cols; j++) {
        T a = t[j * TB + lane];
        for (int k = 0; k < j; k++) a = sub_mul<true>(a, t[k * TB + lane], t[k * TB + j]);
        const real_t<T> p = __shfl_sync(ALL, re(a), j);
        if (!(p > 0)) return j;
        const real_t<T> d = sqrt(p), r = 1 / d;
        t[j * TB + lane] = lane == j ? make<T>(d) : scale(a, r);
        if (lane == j) h->inv[j] = r;
        __syncwarp();
    }
    return TB;
}

/* Factors a diagonal tile by one warp, row `lane` in registers. Branches would keep the compiler from filling the
 * pivots' latency with updates, so a pivot that is not a normal positive number at first only diverts the stores, and the
 * careful way goes on from there. The next pivot needs nothing but its own lane's row: its shuffle does not wait for the
 * column's way through shared memory. What lanes above the diagonal compute stays above it. */
template <class T> __device__ int factor(T *t, head<T> *h, int cols, int lane)
{
    using R = real_t<T>;
    constexpr int V = VEC<T>;
    T a[TB];
#pragma unroll
    for (int k = 0; k < TB; k++) a[k] = t[k * TB + lane];
    R p = __shfl_sync(ALL, re(a[0]), 0);
    bool ok = true;
    int good = 0;
#pragma unroll
    for (int j = 0; j < TB; j++) {
        const R y = inv_sqrt(p), pj = p;
        const T l = scale(a[j], y);
        if (j + 1 < TB) p = __shfl_sync(ALL, sub_norm(re(a[j + 1]), l), j + 1);
        ok = ok && is_normal_positive(pj);
        good += ok;
        const R d = root(pj, y);
        if (j % STRETCH == STRETCH - 1 && !ok) break;
        (ok ? t + j * TB : h->spare)[lane] = lane == j ? make<T>(d) : l;
        h->inv[j] = y;
        __syncwarp();
#pragma unroll
        for (int q = (j + 1) / V; q < TB / V; q++) {
            const pack<T, V> col = get<V>(t + j * TB + q * V);
#pragma unroll
            for (int v = 0; v < V; v++)
                if (q * V + v > j) a[q * V + v] = sub_mul<true>(a[q * V + v], l, col.x[v]);
        }
    }
    return ok ? TB : factor_carefully(t, h, good, cols, lane);
}

} // namespace tsl
#endif
