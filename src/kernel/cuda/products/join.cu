/* C from the residues of products: Chinese remainders, the scaling taken back, alpha and beta. Elements that fail are left, and
 * then computed from the elements of A and B. */
#include "kernel/cuda/products/lines.cuh"
#include "kernel/cuda/products/plane.cuh"

namespace tsl {
namespace {

constexpr int WARP = 32, COLUMNS = 8, SIDE = TSL_MENDED, ROWS = 8, DEPTH = 16;

struct joined {
    tsl_cuda_lines A, B;
    const uint8_t *products;
    int64_t step; /* from plane to plane */
    uint8_t *failed;
    void *C;
    int64_t ldc, below;
    tsl_uplo part;
    bool herm;
    parts alpha, beta;
    int low; /* its plane; -1: none */
};

/* enough: for how many rounded lines low is */
__device__ __forceinline__ bool fails(const joined &j, int64_t i, int64_t k, int enough)
{
    const int row = j.A.kind[i], column = j.B.kind[k];
    return row == TSL_LINE_NATIVE || column == TSL_LINE_NATIVE || (j.low >= 0 && enough < row + column);
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

/* 0 .. 255, without a conversion */
__device__ __forceinline__ double as_double(uint32_t byte) { return __hiloint2double(0x43300000, (int)byte) - 0x1p52; }

__device__ __forceinline__ uint32_t byte_of(uint32_t word, int t) { return __byte_perm(word, 0, 0x4440 + t); }

template <int N> struct sums {
    double high = 0, low = 0;
    __device__ void add(const tsl_residues &r, int l, uint32_t residue)
    {
        const double v = as_double(residue);
        high = fma(r.high[l], v, high);
        low = fma(r.low[l], v, low);
    }
};

/* Of row t of a word */
template <class T, int N> __device__ __forceinline__ parts rebuilt(const tsl_residues &r, const uint32_t *word, int t, int e)
{
    sums<N> re, im;
#pragma unroll
    for (int l = 0; l < N; l++) {
        if constexpr (is_complex<T>) {
            const int32_t t1 = byte_of(word[3 * l], t), t2 = byte_of(word[3 * l + 1], t), t3 = byte_of(word[3 * l + 2], t);
            im.add(r, l, tsl_reduced_difference(tsl_reduced_difference(t3, t1, l), t2, l));
            re.add(r, l, tsl_reduced_difference(t1, t2, l));
        } else {
            re.add(r, l, byte_of(word[l], t));
        }
    }
    parts v = {tsl_shifted(tsl_rebuilt(&r, re.high, re.low), e), 0};
    if constexpr (is_complex<T>) v.im = tsl_shifted(tsl_rebuilt(&r, im.high, im.low), e);
    return v;
}

/* A warp has a column of a block, a lane a word of it: four rows. */
template <class T, int N>
__global__ __launch_bounds__(WARP *COLUMNS) void join(joined j, const __grid_constant__ tsl_residues r)
{
    constexpr int WORDS_EACH = (is_complex<T> ? 3 : 1) * N;
    const int64_t blocks = j.A.padded / BLOCK, row = blockIdx.x % blocks * BLOCK + threadIdx.x;
    const int64_t k = blockIdx.x / blocks * COLUMNS + threadIdx.y;
    if (row >= j.A.count || k >= j.B.count || (!is_written(j, row, k) && !is_written(j, row + 3 * WORDS, k))) return;
    const uint8_t *const from = j.products + place_of_product(row, k, j.A.padded);
    uint32_t word[WORDS_EACH];
#pragma unroll
    for (int l = 0; l < WORDS_EACH; l++) word[l] = *(const uint32_t *)(from + l * j.step);
    const uint32_t enough = j.low >= 0 ? *(const uint32_t *)(from + j.low * j.step) : 0;
#pragma unroll
    for (int t = 0; t < 4; t++) {
        const int64_t i = row + t * WORDS;
        if (i >= j.A.count || !is_written(j, i, k)) continue;
        if (fails(j, i, k, byte_of(enough, t)))
            j.failed[i / SIDE + k / SIDE * ((j.A.padded + SIDE - 1) / SIDE)] = 1;
        else
            store<T>(j, i, k, rebuilt<T, N>(r, word, t, -j.A.exponent[i] - j.B.exponent[k]));
    }
}

/* A square of C: the terms of an element one after the other */
template <class T> __global__ __launch_bounds__(SIDE *ROWS) void mend(joined j)
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
        if (i >= j.A.count || k >= j.B.count || !is_written(j, i, k)) continue;
        const int enough = j.low >= 0 ? j.products[j.low * j.step + place_of_product(i, k, j.A.padded)] : 0;
        if (fails(j, i, k, enough)) store<T>(j, i, k, sum[t]);
    }
}

unsigned pieces(int64_t n, int64_t size) { return (unsigned)((n + size - 1) / size); }

} // namespace
} // namespace tsl

tsl_status tsl_cuda_join(tsl_queue *q, const tsl_cuda_joined *g, const tsl_residues *r)
{
    using namespace tsl;
    cudaStream_t stream = tsl_cuda(q)->stream;
    const joined j = {g->A, g->B, g->products, g->A.padded * g->B.padded, g->failed, g->C, g->ldc, g->below, g->part, g->herm,
                      {__real__ g->alpha, __imag__ g->alpha}, {__real__ g->beta, __imag__ g->beta},
                      r->checked ? tsl_cuda_planes(g->A.type, r) - 1 : -1};
    const dim3 squares(pieces(j.A.padded, SIDE), pieces(j.B.padded, SIDE));
    const unsigned ctas = (unsigned)(j.A.padded / BLOCK) * pieces(j.B.count, COLUMNS);
    const size_t bytes = (size_t)squares.x * squares.y;
    const tsl_status st = tsl_cuda_check(cudaMemsetAsync(j.failed, 0, bytes, stream), "cudaMemsetAsync");
    return st != TSL_OK ? st : by_moduli(j.A.type, r->count, [&](auto zero, auto m) {
        using T = decltype(zero);
        join<T, decltype(m)::COUNT><<<ctas, dim3(WARP, COLUMNS), 0, stream>>>(j, *r);
        mend<T><<<squares, dim3(SIDE, ROWS), 0, stream>>>(j);
        return tsl_cuda_check(cudaGetLastError(), "join");
    });
}

const void *tsl_cuda_kernel_of_join(void) { return (const void *)tsl::join<double, 15>; }
