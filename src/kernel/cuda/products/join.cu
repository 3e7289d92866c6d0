/* C from the products of residues: Chinese remainders, the scaling taken back, alpha and beta. Elements that fail are left, and
 * then computed from the elements of A and B. */
#include "kernel/cuda/products/lines.cuh"

namespace tsl {
namespace {

constexpr int THREADS = 256, SIDE = TSL_MENDED, ROWS = 8, DEPTH = 16;
constexpr int64_t MAX_GRID_Y = 65535;

struct joined {
    tsl_cuda_lines A, B;
    const int32_t *sums;
    int64_t step; /* from plane to plane */
    uint8_t *failed;
    void *C;
    int64_t ldc, below;
    tsl_uplo part;
    bool herm;
    parts alpha, beta;
    int low; /* its plane */
};

__device__ __forceinline__ bool fails(const joined &j, const tsl_residues &r, int64_t i, int64_t k)
{
    const int32_t low = r.checked ? j.sums[j.low * j.step + i + k * j.A.padded] : 0;
    return tsl_fails(&r, j.A.kind[i], j.B.kind[k], low);
}

/* C := alpha v + beta C; C is not read for beta = 0. Rounded as on the host: no products and sums but those that are
 * written. */
template <class T> __device__ __forceinline__ void store(const joined &j, int64_t i, int64_t k, parts v)
{
    T *c = (T *)j.C + i + k * j.ldc;
    parts w;
    if constexpr (!is_complex<T>) {
        w = {__dmul_rn(v.re, j.alpha.re), 0};
        if (j.beta.re != 0) w.re = fma(j.beta.re, parts_of(*c).re, w.re);
        *c = (T)w.re;
    } else {
        const bool real = j.herm && i + j.below == k;
        w.re = fma(-j.alpha.im, v.im, __dmul_rn(j.alpha.re, v.re));
        w.im = fma(j.alpha.im, v.re, __dmul_rn(j.alpha.re, v.im));
        if (j.beta.re != 0 || j.beta.im != 0) {
            parts old = parts_of(*c);
            if (real) old.im = 0;
            w = {fma(j.beta.re, old.re, fma(-j.beta.im, old.im, w.re)), fma(j.beta.re, old.im, fma(j.beta.im, old.re, w.im))};
        }
        *c = make<T>((real_t<T>)w.re, real ? 0 : (real_t<T>)w.im);
    }
}

__device__ __forceinline__ bool is_written(const joined &j, int64_t i, int64_t k)
{
    return j.part == TSL_GENERAL || (j.part == TSL_LOWER ? i + j.below >= k : i + j.below <= k);
}

template <class T, int N> __global__ __launch_bounds__(THREADS) void join(joined j, const __grid_constant__ tsl_residues r)
{
    const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (i >= j.A.count) return;
    for (int64_t k = blockIdx.y; k < j.B.count; k += gridDim.y) {
        if (!is_written(j, i, k)) continue;
        if (fails(j, r, i, k)) {
            j.failed[i / SIDE + k / SIDE * ((j.A.padded + SIDE - 1) / SIDE)] = 1;
            continue;
        }
        const int32_t *sum = j.sums + i + k * j.A.padded;
        const int e = -j.A.exponent[i] - j.B.exponent[k];
        double high[2] = {0, 0}, low[2] = {0, 0};
#pragma unroll
        for (int l = 0; l < N; l++) {
            int32_t part[2];
            if constexpr (is_complex<T>) {
                part[0] = tsl_reduced_sum(sum[(3 * l) * j.step], l);
                const int32_t im = tsl_reduced_sum(sum[(3 * l + 1) * j.step], l);
                const int32_t both = tsl_reduced_sum(sum[(3 * l + 2) * j.step], l);
                part[1] = tsl_reduced_difference(tsl_reduced_difference(both, part[0], l), im, l);
                part[0] = tsl_reduced_difference(part[0], im, l);
                high[1] = fma(r.high[l], (double)part[1], high[1]);
                low[1] = fma(r.low[l], (double)part[1], low[1]);
            } else {
                part[0] = tsl_reduced_sum(sum[l * j.step], l);
            }
            high[0] = fma(r.high[l], (double)part[0], high[0]);
            low[0] = fma(r.low[l], (double)part[0], low[0]);
        }
        parts v = {tsl_shifted(tsl_rebuilt(&r, high[0], low[0]), e), 0};
        if constexpr (is_complex<T>) v.im = tsl_shifted(tsl_rebuilt(&r, high[1], low[1]), e);
        store<T>(j, i, k, v);
    }
}

/* A square of C: the terms of an element one after the other */
template <class T> __global__ __launch_bounds__(SIDE *ROWS) void mend(joined j, const __grid_constant__ tsl_residues r)
{
    __shared__ parts a[DEPTH][SIDE], b[DEPTH][SIDE];
    if (!j.failed[blockIdx.x + (int64_t)blockIdx.y * gridDim.x]) return;
    const int64_t row = (int64_t)blockIdx.x * SIDE, col = (int64_t)blockIdx.y * SIDE, i = row + threadIdx.x;
    parts sum[SIDE / ROWS] = {};
    for (int64_t from = 0; from < j.A.k; from += DEPTH) {
        for (int d = threadIdx.y; d < DEPTH; d += ROWS) {
            const bool there = from + d < j.A.k;
            a[d][threadIdx.x] = there && i < j.A.count ? element<T>(j.A, i, from + d) : parts{0, 0};
            const int64_t k = col + threadIdx.x;
            b[d][threadIdx.x] = there && k < j.B.count ? element<T>(j.B, k, from + d) : parts{0, 0};
        }
        __syncthreads();
        const int deep = j.A.k - from < DEPTH ? (int)(j.A.k - from) : DEPTH;
        for (int d = 0; d < deep; d++) {
            const parts x = a[d][threadIdx.x];
#pragma unroll
            for (int t = 0; t < SIDE / ROWS; t++) {
                const parts y = b[d][threadIdx.y + t * ROWS];
                sum[t].re = fma(x.re, y.re, sum[t].re);
                if constexpr (is_complex<T>) {
                    sum[t].re = fma(-x.im, y.im, sum[t].re);
                    sum[t].im = fma(x.re, y.im, fma(x.im, y.re, sum[t].im));
                }
            }
        }
        __syncthreads();
    }
#pragma unroll
    for (int t = 0; t < SIDE / ROWS; t++) {
        const int64_t k = col + threadIdx.y + t * ROWS;
        if (i < j.A.count && k < j.B.count && is_written(j, i, k) && fails(j, r, i, k)) store<T>(j, i, k, sum[t]);
    }
}

unsigned pieces(int64_t n, int64_t size) { return (unsigned)((n + size - 1) / size); }

} // namespace
} // namespace tsl

tsl_status tsl_cuda_join(tsl_queue *q, const tsl_cuda_joined *g, const tsl_residues *r)
{
    using namespace tsl;
    cudaStream_t stream = tsl_cuda(q)->stream;
    const joined j = {g->A, g->B, g->sums, g->A.padded * g->B.padded, g->failed, g->C, g->ldc, g->below, g->part, g->herm,
                      {g->alpha.real(), g->alpha.imag()}, {g->beta.real(), g->beta.imag()}, tsl_cuda_planes(g->A.type, r) - 1};
    const dim3 squares(pieces(j.A.padded, SIDE), pieces(j.B.padded, SIDE));
    const dim3 grid(pieces(j.A.count, THREADS), (unsigned)(j.B.count < MAX_GRID_Y ? j.B.count : MAX_GRID_Y));
    const size_t bytes = (size_t)squares.x * squares.y;
    const tsl_status st = tsl_cuda_check(cudaMemsetAsync(j.failed, 0, bytes, stream), "cudaMemsetAsync");
    return st != TSL_OK ? st : by_moduli(j.A.type, r->count, [&](auto zero, auto m) {
        using T = decltype(zero);
        join<T, decltype(m)::COUNT><<<grid, THREADS, 0, stream>>>(j, *r);
        mend<T><<<squares, dim3(SIDE, ROWS), 0, stream>>>(j, *r);
        return tsl_cuda_check(cudaGetLastError(), "join");
    });
}

const void *tsl_cuda_kernel_of_join(void) { return (const void *)tsl::join<double, 15>; }
