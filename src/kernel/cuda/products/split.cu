/* Lines of a factor as integers, and their residues. Their largest elements and sums of squares are found in integers, so that
 * it does not matter in which order. */
#include "kernel/cuda/products/lines.cuh"
#include "kernel/cuda/products/plane.cuh"

namespace tsl {
namespace {

constexpr int WARP = 32, WARPS = 8;
constexpr int ACROSS_WARPS = 16, ACROSS_EACH = TSL_MEASURED / ACROSS_WARPS, ALONG_EACH = TSL_MEASURED / WARP;
using wide = unsigned long long; /* as shuffles have it */

__device__ __forceinline__ wide larger(wide a, wide b) { return a > b ? a : b; }

/* Of a thread's elements of a piece */
template <class T, int N> __device__ wide largest_of(const parts (&v)[N])
{
    wide all = 0;
#pragma unroll
    for (int t = 0; t < N; t++) {
        all = larger(all, tsl_magnitude_bits(v[t].re));
        if constexpr (is_complex<T>) all = larger(all, tsl_magnitude_bits(v[t].im));
    }
    return all;
}

/* A piece that is not finite has no squares. */
template <class T, int N> __device__ wide squares_of(const parts (&v)[N], wide largest)
{
    const int E = tsl_line_exponent(largest);
    wide all = 0;
    if (!tsl_is_finite_bits(largest)) return 0;
#pragma unroll
    for (int t = 0; t < N; t++) all += tsl_squared(v[t].re, E) + (is_complex<T> ? tsl_squared(v[t].im, E) : 0);
    return all;
}

template <class T> __device__ __forceinline__ parts element_or_zero(const tsl_cuda_lines &s, int64_t i, int64_t h)
{
    return i < s.count && h < s.k ? element<T>(s, i, h) : parts{0, 0};
}

__device__ __forceinline__ void tell(const tsl_cuda_lines &s, int64_t i, int64_t piece, wide largest, wide squares)
{
    s.largest[i + piece * s.padded] = largest;
    s.squares[i + piece * s.padded] = squares;
}

/* A lane to a line; warps share the elements of a piece. */
template <class T> __global__ __launch_bounds__(WARP *ACROSS_WARPS) void measure_across(tsl_cuda_lines s)
{
    __shared__ wide part[2][ACROSS_WARPS][WARP];
    const int64_t i = (int64_t)blockIdx.x * WARP + threadIdx.x, from = (int64_t)blockIdx.y * TSL_MEASURED + threadIdx.y;
    parts v[ACROSS_EACH];
#pragma unroll
    for (int t = 0; t < ACROSS_EACH; t++) v[t] = element_or_zero<T>(s, i, from + t * ACROSS_WARPS);
    part[0][threadIdx.y][threadIdx.x] = largest_of<T>(v);
    __syncthreads();
    wide largest = 0, squares = 0;
    for (int w = 0; w < ACROSS_WARPS; w++) largest = larger(largest, part[0][w][threadIdx.x]);
    part[1][threadIdx.y][threadIdx.x] = squares_of<T>(v, largest);
    __syncthreads();
    if (threadIdx.y) return;
    for (int w = 0; w < ACROSS_WARPS; w++) squares += part[1][w][threadIdx.x];
    tell(s, i, blockIdx.y, largest, squares);
}

/* A warp to a line's piece */
template <class T> __global__ __launch_bounds__(WARP *WARPS) void measure_along(tsl_cuda_lines s)
{
    const int64_t i = (int64_t)blockIdx.x * WARPS + threadIdx.y, from = (int64_t)blockIdx.y * TSL_MEASURED + threadIdx.x;
    parts v[ALONG_EACH];
#pragma unroll
    for (int t = 0; t < ALONG_EACH; t++) v[t] = element_or_zero<T>(s, i, from + t * WARP);
    wide largest = largest_of<T>(v);
    for (int d = WARP / 2; d; d /= 2) largest = larger(largest, __shfl_xor_sync(~0u, largest, d));
    wide squares = squares_of<T>(v, largest);
    for (int d = WARP / 2; d; d /= 2) squares += __shfl_xor_sync(~0u, squares, d);
    if (threadIdx.x == 0) tell(s, i, blockIdx.y, largest, squares);
}

__global__ void finish(tsl_cuda_lines s, int pieces, double limit)
{
    const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= s.padded) return;
    wide largest = 0, squares = 0;
    for (int p = 0; p < pieces; p++) largest = larger(largest, s.largest[i + p * s.padded]);
    const bool finite = tsl_is_finite_bits(largest);
    const int E = tsl_line_exponent(largest);
    for (int p = 0; finite && p < pieces; p++)
        squares += tsl_squares_for(s.squares[i + p * s.padded], tsl_line_exponent(s.largest[i + p * s.padded]), E);
    s.exponent[i] = finite ? tsl_scaling(squares, E, limit) : 0;
    s.kind[i] = finite ? TSL_LINE_EXACT : TSL_LINE_NATIVE;
}

/* A tile of lines as integers, elements of a line side by side; a lane then takes four of them. */
constexpr int LENGTH = TSL_LENGTH_UNIT, EACH = LENGTH / WARP;
template <class T> constexpr int LINES = is_complex<T> ? 16 : 32;
template <class T> struct integers {
    int64_t part[is_complex<T> ? 2 : 1][LINES<T>][LENGTH + 1];
    int rounded[LINES<T>]; /* is an element of the line no integer? */
};

/* a 2^e as an integer */
__device__ __forceinline__ int64_t as_integer(double a, int e, bool *rounded)
{
    const double s = tsl_shifted(a, e), r = rint(s);
    if (s != r || (s == 0 && a != 0)) *rounded = true;
    return (int64_t)r;
}

template <class T> __device__ void read(const tsl_cuda_lines &s, int64_t first, int64_t from, integers<T> &tile)
{
    for (int t = threadIdx.x; t < LINES<T> * LENGTH; t += WARP * WARPS) {
        const int line = s.across ? t % LINES<T> : t / LENGTH, at = s.across ? t / LINES<T> : t % LENGTH;
        const int64_t i = first + line, h = from + at;
        parts v = {0, 0};
        int e = 0;
        bool rounded = false;
        if (i < s.count && h < s.k && s.kind[i] != TSL_LINE_NATIVE) v = element<T>(s, i, h), e = s.exponent[i];
        tile.part[0][line][at] = as_integer(v.re, e, &rounded);
        if constexpr (is_complex<T>) tile.part[1][line][at] = as_integer(v.im, e, &rounded);
        if (rounded) tile.rounded[line] = 1;
    }
}

/* tsl_residue by another way: of the bytes of a + 2^63, each times what its place is worth. Their sum is less than 2^20, and
 * times ceil(2^32 / p) too large by less than 2^32 / p. */
__device__ __forceinline__ int32_t residue(int64_t a, int l)
{
    const uint32_t p = tsl_modulus_of(l), half = p / 2, less = p - (uint32_t)((1ull << 63) % p) + half;
    const uint32_t M = (uint32_t)(((1ull << 32) + p - 1) / p);
    const auto worth = [&](int first) {
        uint32_t w = 0;
        for (int b = 0; b < 4; b++) w |= (uint32_t)((1ull << (8 * (first + b))) % p) << (8 * b);
        return w;
    };
    const uint64_t u = (uint64_t)a ^ (1ull << 63);
    const uint32_t t = __dp4a((uint32_t)u, worth(0), __dp4a((uint32_t)(u >> 32), worth(4), less));
    return (int32_t)(t - __umulhi(t, M) * p) - (int32_t)half;
}

__device__ __forceinline__ uint32_t packed(const int32_t (&r)[EACH])
{
    return __byte_perm(__byte_perm(r[0], r[1], 0x0040), __byte_perm(r[2], r[3], 0x0040), 0x5410);
}

template <class T, int N> __global__ __launch_bounds__(WARP *WARPS) void split(tsl_cuda_lines s, int shift, bool checked)
{
    __shared__ integers<T> tile;
    const int64_t first = (int64_t)blockIdx.x * LINES<T>, from = (int64_t)blockIdx.y * LENGTH;
    const int lane = threadIdx.x % WARP;
    for (int i = threadIdx.x; i < LINES<T>; i += WARP * WARPS) tile.rounded[i] = 0;
    __syncthreads();
    read(s, first, from, tile);
    __syncthreads();
    for (int i = threadIdx.x; i < LINES<T>; i += WARP * WARPS)
        if (tile.rounded[i]) s.kind[first + i] = TSL_LINE_ROUNDED;
    for (int line = threadIdx.x / WARP; line < LINES<T> && first + line < s.padded; line += WARPS) {
        int8_t *to = s.plane + place_in_plane(first + line, from + EACH * lane, s.length);
        const auto put = [&](int plane, const int32_t(&r)[EACH]) { *(uint32_t *)(to + plane * s.step) = packed(r); };
        int64_t re[EACH], im[EACH];
        for (int t = 0; t < EACH; t++) {
            re[t] = tile.part[0][line][EACH * lane + t];
            im[t] = is_complex<T> ? tile.part[is_complex<T>][line][EACH * lane + t] : 0;
        }
#pragma unroll
        for (int l = 0; l < N; l++) {
            int32_t r[EACH], i[EACH], both[EACH];
#pragma unroll
            for (int t = 0; t < EACH; t++) {
                r[t] = residue(re[t], l);
                if constexpr (is_complex<T>) i[t] = residue(im[t], l), both[t] = tsl_residue_of_sum(r[t], i[t], l);
            }
            if constexpr (is_complex<T>)
                put(3 * l, r), put(3 * l + 1, i), put(3 * l + 2, both);
            else
                put(l, r);
        }
        if (!checked) continue;
        int32_t low[EACH];
        for (int t = 0; t < EACH; t++) {
            low[t] = tsl_low(re[t], shift);
            if constexpr (is_complex<T>) {
                const int32_t other = tsl_low(im[t], shift);
                low[t] = other > low[t] ? other : low[t];
            }
        }
        put(is_complex<T> ? 3 * N : N, low);
    }
}

unsigned pieces(int64_t n, int64_t size) { return (unsigned)((n + size - 1) / size); }

} // namespace
} // namespace tsl

tsl_status tsl_cuda_lines_scale(tsl_queue *q, const tsl_cuda_lines *s, const tsl_residues *r)
{
    using namespace tsl;
    constexpr int THREADS = 128;
    cudaStream_t stream = tsl_cuda(q)->stream;
    return by_type(s->type, [&](auto zero) {
        using T = decltype(zero);
        const unsigned count = pieces(s->k, TSL_MEASURED);
        if (s->across)
            measure_across<T><<<dim3((unsigned)(s->padded / WARP), count), dim3(WARP, ACROSS_WARPS), 0, stream>>>(*s);
        else
            measure_along<T><<<dim3((unsigned)(s->padded / WARPS), count), dim3(WARP, WARPS), 0, stream>>>(*s);
        finish<<<pieces(s->padded, THREADS), THREADS, 0, stream>>>(*s, (int)count, r->limit);
        return tsl_cuda_check(cudaGetLastError(), "scale");
    });
}

tsl_status tsl_cuda_lines_split(tsl_queue *q, const tsl_cuda_lines *s, const tsl_residues *r)
{
    using namespace tsl;
    return by_moduli(s->type, r->count, [&](auto zero, auto m) {
        using T = decltype(zero);
        const dim3 grid(pieces(s->padded, LINES<T>), (unsigned)(s->length / LENGTH));
        split<T, decltype(m)::COUNT><<<grid, WARP * WARPS, 0, tsl_cuda(q)->stream>>>(*s, r->shift, r->checked);
        return tsl_cuda_check(cudaGetLastError(), "split");
    });
}

const void *tsl_cuda_kernel_of_split(void) { return (const void *)tsl::split<double, 15>; }
