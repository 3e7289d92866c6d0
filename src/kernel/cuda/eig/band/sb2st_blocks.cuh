/* Blocks of sb2st's reflectors, made for the tensor cores. Block t of group g holds the reflectors of chunk t of the sweeps g
 * kd .. g kd + kd - 1: I - V T V^H with V of 2 kd rows, from row (g + t) kd of C on, the first of them zero. The product with
 * it is Z := V^H C, C := C - W Z, W = V T. Q C takes the groups from the last to the first, the chunks of a group from the
 * first to the last. Q^H C goes the other way: with the rows and the columns of a block turned around, the products look the
 * same, and T of the turned V and of conj(tau) is upper again. A block's rows and columns are therefore counted in the order of
 * the walk. Rows come in two halves of KD places, of which the first kd are used; likewise the columns. */
#ifndef TSL_CUDA_SB2ST_BLOCKS_CUH
#define TSL_CUDA_SB2ST_BLOCKS_CUH

#include "core/values.h"
#include "kernel/cuda/launch.cuh"
#include "kernel/cuda/scalar.cuh"

namespace tsl {

template <class T> struct wide {
    using type = double;
};
template <class R> struct wide<cplx<R>> {
    using type = cplx<double>;
};
template <class T> using wide_t = typename wide<T>::type; /* what is computed with */

/* Some consecutive groups of a product, in its order */
struct groups {
    int64_t n, sweeps;
    int kd;
    bool inverse;
    int64_t begin, count, longest; /* the first; how many; chunks of the longest one */

    __host__ __device__ int64_t group(int64_t i) const { return inverse ? begin + i : begin - i; }
    __host__ __device__ int64_t chunks(int64_t g) const { return (n - 1 - g * kd + kd - 1) / kd; }
};

/* A block is a sequence of 8 x 8 tiles, those of V and then those of W that are not zero, in the order in which they are
 * multiplied. A tile is a fragment of an mma with k = 8: element (k,c) at 8 c + k. Of V, k is a row and c a column; of W, k is
 * a column and c a row, and the sign is that of the product's sum. The imaginary parts are tiles of their own. */
template <class T_, int KD_> struct block_form {
    using T = T_;
    static constexpr int KD = KD_, N8 = KD / 8, PARTS = is_complex<T> ? 2 : 1, TILE = 64;
    static constexpr int OF_V = N8 * (N8 + 1) * PARTS, OF_W = N8 * (3 * N8 + 1) / 2 * PARTS, TILES = OF_V + OF_W;
    static constexpr int PIECE = KD == 64 ? 43 : 46, PIECES = TILES / PIECE; /* tiles that are copied together */
    static_assert(TILES % PIECE == 0);

    /* V: rows 8 k .. 8 k + 7 meet columns from the first to the last of these eights */
    __host__ __device__ static constexpr int first(int k) { return k < N8 ? 0 : k - N8; }
    __host__ __device__ static constexpr int last(int k) { return k < N8 ? k : N8 - 1; }
    __host__ __device__ static constexpr int v_tile(int k, int part, int j)
    {
        const int rest = 2 * N8 - k, before = k < N8 ? k * (k + 1) / 2 : N8 * (N8 + 1) - rest * (rest + 1) / 2;
        return before * PARTS + part * (last(k) - first(k) + 1) + j - first(k);
    }
    /* W: columns 8 j .. 8 j + 7 meet the rows of the eights 0 .. j + N8 */
    __host__ __device__ static constexpr int w_tile(int j, int part, int i)
    {
        return OF_V + (j * (N8 + 1) + j * (j - 1) / 2) * PARTS + part * (j + N8 + 1) + i;
    }
};

template <class T> struct block_job {
    groups all;
    const T *V, *tau;
    int64_t ldv, ldt;
    double *blocks; /* group after group, each with room for the longest one's */
};

constexpr int MAKE_THREADS = 256, MAKE_STRIP = 16;

template <class F> constexpr size_t make_bytes()
{
    return (MAKE_STRIP * (F::KD + 1) + 2 * F::KD * (F::KD + 1) + F::KD) * sizeof(wide_t<typename F::T>);
}

extern __shared__ __align__(16) unsigned char sb2st_memory[];

__device__ inline double widen(float a) { return a; }
__device__ inline double widen(double a) { return a; }
template <class R> __device__ cplx<double> widen(cplx<R> a) { return {(double)a.re, (double)a.im}; }

/* A CTA makes a block: S = V^H V by strips of rows, T column by column, T(:j,j) = -tau_j T(:j,:j) S(:j,j), and W by strips
 * again */
template <class F> __global__ __launch_bounds__(MAKE_THREADS) void make_blocks(const __grid_constant__ block_job<typename F::T> p)
{
    using T = typename F::T;
    using X = wide_t<T>;
    constexpr int KD = F::KD, LD = KD + 1, EACH = KD / 16, STRIP = MAKE_STRIP;
    X *const strip = (X *)sb2st_memory, *const S = strip + STRIP * LD, *const R = S + KD * LD, *const tau = R + KD * LD;
    const int tid = threadIdx.x, kd = p.all.kd;
    const int64_t i = blockIdx.x / p.all.longest, step = blockIdx.x % p.all.longest, g = p.all.group(i), chunks = p.all.chunks(g);
    if (step >= chunks) return;
    const int64_t t = p.all.inverse ? chunks - 1 - step : step, s0 = g * kd, r0 = (g + t) * kd;
    double *const out = p.blocks + (int64_t)blockIdx.x * F::TILES * F::TILE;

    auto element = [&](int at, int c) {
        const int in_half = at % KD, row = at / KD * kd + in_half;
        const int r = p.all.inverse ? 2 * kd - 1 - row : row, j = p.all.inverse ? kd - 1 - c : c;
        const bool in = in_half < kd && c < kd && r > j && r - j <= kd && r0 + r < p.all.n && s0 + j < p.all.sweeps;
        return in ? widen(p.V[r0 + r + (s0 + j) * p.ldv]) : make<X>(0);
    };
    auto put = [&](int tile, int next, int at, X a) { /* `next` tiles on: the imaginary part */
        if constexpr (is_complex<X>)
            out[tile * F::TILE + at] = a.re, out[(tile + next) * F::TILE + at] = a.im;
        else
            out[tile * F::TILE + at] = a;
    };
    auto take_strip = [&](int first, bool keep) {
        __syncthreads();
        for (int k = tid; k < STRIP * KD; k += MAKE_THREADS) {
            const int at = first + k % STRIP, c = k / STRIP, k8 = at / 8, j8 = c / 8;
            const X v = element(at, c);
            strip[k % STRIP * LD + c] = v;
            if (keep && F::first(k8) <= j8 && j8 <= F::last(k8)) put(F::v_tile(k8, 0, j8), F::last(k8) - F::first(k8) + 1, c % 8 * 8 + at % 8, v);
        }
        __syncthreads();
    };

    if (tid < KD) {
        const int j = p.all.inverse ? kd - 1 - tid : tid;
        const bool in = tid < kd && r0 + 1 + j < p.all.n && s0 + j < p.all.sweeps;
        const X a = in ? widen(p.tau[t + (s0 + j) * p.ldt]) : make<X>(0);
        tau[tid] = p.all.inverse ? conj(a) : a;
    }
    const int ti = tid % 16, tj = tid / 16;
    X sum[EACH][EACH];
    for (int a = 0; a < EACH; a++)
        for (int b = 0; b < EACH; b++) sum[a][b] = make<X>(0);
    for (int first = 0; first < 2 * KD; first += STRIP) {
        take_strip(first, true);
        for (int k = 0; k < STRIP; k++)
#pragma unroll
            for (int a = 0; a < EACH; a++)
#pragma unroll
                for (int b = 0; b < EACH; b++) sum[a][b] = add_mul<true>(sum[a][b], strip[k * LD + ti + 16 * a], strip[k * LD + tj + 16 * b]);
    }
    for (int a = 0; a < EACH; a++)
        for (int b = 0; b < EACH; b++) {
            S[ti + 16 * a + (tj + 16 * b) * LD] = sum[a][b];
            R[ti + 16 * a + (tj + 16 * b) * LD] = make<X>(0);
        }
    __syncthreads();
    const int row = tid / 4, part = tid % 4; /* four threads for a row of T */
    for (int j = 0; j < kd; j++) {
        X dot = make<X>(0);
        for (int k = row + part; k < j; k += 4) dot = add_mul(dot, R[row + k * LD], S[k + j * LD]);
        dot = add(dot, shuffle_xor(dot, 1));
        dot = add(dot, shuffle_xor(dot, 2));
        if (part == 0 && row < j) R[row + j * LD] = scale(mul(tau[j], dot), -1.0);
        if (part == 0 && row == j) R[row + j * LD] = tau[j];
        __syncthreads();
    }
    for (int first = 0; first < 2 * KD; first += STRIP) {
        take_strip(first, false);
        const int at = first + tj, i8 = at / 8;
#pragma unroll
        for (int b = 0; b < EACH; b++) {
            const int c = ti + 16 * b, j8 = c / 8;
            X dot = make<X>(0);
            for (int k = 0; k < 16 * (b + 1); k++) dot = add_mul(dot, strip[tj * LD + k], R[k + c * LD]);
            if (i8 <= j8 + F::N8)
                put(F::w_tile(j8, 0, i8), j8 + F::N8 + 1, at % 8 * 8 + c % 8,
                    is_complex<X> ? scale(conj(dot), -1.0) : scale(dot, -1.0));
        }
    }
}

} // namespace tsl
#endif
