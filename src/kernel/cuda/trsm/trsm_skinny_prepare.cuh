/* First kernel of the skinny triangular solve: for every diagonal block i of order NB = 16 W
 *   inv(M_ii)                  by inverting 16 x 16 blocks and merging neighbours, [A 0; C D]^-1 = [A' 0; -D'CA' D']
 *   -inv(M_ii) M_{i,i-1}       so that the solve's critical path is one product per block
 * in the order in which the solve takes them. It also makes every word of the exchange buffer EMPTY and the ticket zero.
 *
 * CTA (i, slice): all slices invert block i, each computes its columns of the product. A block is marked for careful treatment
 * (substitution) if an entry of either result is not finite or |inv(M_ii)| |M_ii| may exceed 2^26: by exponents, largest entry
 * of the inverse's column k times largest of M's row k, which scaling the rows of M leaves as it is. */
#ifndef TSL_CUDA_TRSM_SKINNY_PREPARE_CUH
#define TSL_CUDA_TRSM_SKINNY_PREPARE_CUH

#include "kernel/cuda/launch.cuh"
#include "kernel/cuda/loads.cuh"
#include "kernel/cuda/trsm/trsm_skinny.cuh"

namespace tsl {
namespace skinny {

constexpr int PREPARE_THREADS = 256, PREPARE_WARPS = PREPARE_THREADS / 32;
constexpr int GROWTH_LIMIT = 2 * 1023 + 26;

/* A row-major matrix in shared memory, a plane after the other. A pitch of 4 mod 8 lets both kinds of operand and patches of 8
 * x 4 go without bank conflicts. */
template <int PL> struct square {
    double *p;
    int pitch, plane;
    __device__ double &at(int r, int c, int pl) const { return p[pl * plane + r * pitch + c]; }
};

/* d += a(r0.., k) b(k, c0..) for k0 <= k < k1: a 16 x 8 tile, by one warp */
template <int PL>
__device__ void product(double (&d)[PL][4], square<PL> a, int r0, int ka, square<PL> b, int kb, int c0, int k0, int k1)
{
    const int g = threadIdx.x % 32 / 4, t = threadIdx.x % 4;
    for (int k = k0; k < k1; k += 8) {
        double x[PL][4], y[PL][2];
#pragma unroll
        for (int pl = 0; pl < PL; pl++) {
#pragma unroll
            for (int e = 0; e < 4; e++) x[pl][e] = a.at(r0 + g + e % 2 * 8, ka + k + t + e / 2 * 4, pl);
#pragma unroll
            for (int e = 0; e < 2; e++) y[pl][e] = b.at(kb + k + t + e * 4, c0 + g, pl);
        }
        if constexpr (PL == 1) {
            mma8(d[0], x[0], y[0]);
        } else {
            const double minus[4] = {-x[1][0], -x[1][1], -x[1][2], -x[1][3]};
            mma8(d[0], x[0], y[0]);
            mma8(d[1], x[0], y[1]);
            mma8(d[0], minus, y[1]);
            mma8(d[1], x[1], y[0]);
        }
    }
}

/* Inverses of order S on the diagonal of m, of order NB, become inverses of order 2 S. */
template <int S, int NB, int PL> __device__ void merge(square<PL> m)
{
    constexpr int ACROSS = S / 8, DOWN = S / 16, TILES = NB / (2 * S) * ACROSS * DOWN;
    constexpr int U = (TILES + PREPARE_WARPS - 1) / PREPARE_WARPS;
    const int warp = threadIdx.x / 32, g = threadIdx.x % 32 / 4, t = threadIdx.x % 4;
#pragma unroll
    for (int phase = 0; phase < 2; phase++) { /* C A', then -D' (C A') */
        double d[U][PL][4] = {};
#pragma unroll
        for (int u = 0; u < U; u++) {
            const int tile = warp + u * PREPARE_WARPS, down = tile / ACROSS % DOWN, across = tile % ACROSS;
            const int at = tile / (ACROSS * DOWN) * 2 * S; /* where the pair begins */
            if (tile >= TILES) break;
            if (phase == 0)
                product(d[u], m, at + S + down * 16, at, m, at, at + across * 8, across * 8, S);
            else
                product(d[u], m, at + S + down * 16, at + S, m, at + S, at + across * 8, 0, down * 16 + 16);
        }
        __syncthreads();
#pragma unroll
        for (int u = 0; u < U; u++) {
            const int tile = warp + u * PREPARE_WARPS, down = tile / ACROSS % DOWN, across = tile % ACROSS;
            const int at = tile / (ACROSS * DOWN) * 2 * S;
            if (tile >= TILES) break;
#pragma unroll
            for (int pl = 0; pl < PL; pl++)
#pragma unroll
                for (int e = 0; e < 4; e++)
                    m.at(at + S + down * 16 + g + e / 2 * 8, at + across * 8 + 2 * t + e % 2, pl) =
                        phase == 0 ? d[u][pl][e] : -d[u][pl][e];
        }
        __syncthreads();
    }
}

/* The 16 x 16 blocks on the diagonal of m become their inverses: a thread per column, by substitution. */
template <int NB, int PL> __device__ void invert_small(square<PL> m, double *reciprocal)
{
    const int tid = threadIdx.x, base = tid / 16 * 16, c = tid % 16;
    const wide<PL> one = make<wide<PL>>(1);
    wide<PL> y[16];
    if (tid < NB) {
        wide<PL> d;
#pragma unroll
        for (int pl = 0; pl < PL; pl++) part(d, pl) = m.at(tid, tid, pl);
        d = divide(one, d);
#pragma unroll
        for (int pl = 0; pl < PL; pl++) reciprocal[pl * NB + tid] = part(d, pl);
    }
    __syncthreads();
    if (tid < NB) {
#pragma unroll
        for (int r = 0; r < 16; r++) y[r] = make<wide<PL>>(r == c);
#pragma unroll
        for (int k = 0; k < 16; k++) {
            wide<PL> d;
#pragma unroll
            for (int pl = 0; pl < PL; pl++) part(d, pl) = reciprocal[pl * NB + base + k];
            y[k] = mul(y[k], d);
#pragma unroll
            for (int r = k + 1; r < 16; r++) {
                wide<PL> l;
#pragma unroll
                for (int pl = 0; pl < PL; pl++) part(l, pl) = m.at(base + r, base + k, pl);
                y[r] = sub_mul<false>(y[r], l, y[k]);
            }
        }
    }
    __syncthreads();
    if (tid < NB) {
#pragma unroll
        for (int r = 0; r < 16; r++)
#pragma unroll
            for (int pl = 0; pl < PL; pl++) m.at(base + r, base + c, pl) = part(y[r], pl);
    }
    __syncthreads();
}

template <class T, int W> constexpr size_t prepare_bytes(int slices)
{
    constexpr int NB = 16 * W;
    return (size_t)PLANES<T> * NB * (NB + 4 + NB / slices + 4 + 1) * sizeof(double) + NB * sizeof(int);
}

/* LEFT: the layout of the results. */
template <class T, int W, class LEFT> __global__ __launch_bounds__(PREPARE_THREADS) void prepare(problem<T> p, workspace w)
{
    constexpr int NB = 16 * W, PL = PLANES<T>, Q = NB / 4;
    using E = wide<PL>;
    const int tid = threadIdx.x, warp = tid / 32, g = tid % 32 / 4, t = tid % 4;
    const int i = blockIdx.x, slice = blockIdx.y, cols = NB / w.slices, first = i * NB, valid = min(NB, p.n - first);
    double *memory = (double *)shared_memory();
    const square<PL> m = {memory, NB + 4, NB * (NB + 4)};
    const square<PL> c = {memory + PL * m.plane, cols + 4, NB * (cols + 4)};
    double *reciprocal = c.p + PL * c.plane;
    int *largest = (int *)(reciprocal + PL * NB); /* exponent in each row of M_ii */
    double *out = (double *)(w.left + (int64_t)i * LEFT::TOTAL);

    let_next_grid_start(); /* the solve waits for the end of this grid before it reads */
    /* A warp has eight rows and takes four columns at a time: full sectors of global memory either way M is stored. All of a
     * thread's elements are on their way at once. */
    static_assert(NB == 8 * PREPARE_WARPS, "");
    const int row = warp * 8 + t + g / 4 * 4, col = g % 4;
    const T *const from = p.A + min(first + row, p.n - 1) * p.si + (int64_t)first * p.sj;
    T diagonal[Q], before[Q];
#pragma unroll
    for (int q = 0; q < Q; q++) {
        const int k = 4 * q + col;
        diagonal[q] = load_if<T, 1>(row < valid && (k < row || (k == row && !p.unit)), from + k * p.sj).v[0];
    }
#pragma unroll
    for (int q = 0; q < Q; q++) {
        const int k = 4 * q + col;
        before[q] = load_if<T, 1>(i > 0 && row < valid && k < cols, from + (slice * cols + k - NB) * p.sj).v[0];
    }
    if (i == 0 && slice == 0 && tid == 0) *w.ticket = 0;
    for (int64_t e = ((int64_t)slice * w.blocks + i) * PREPARE_THREADS + tid; e < w.words;
         e += (int64_t)w.blocks * w.slices * PREPARE_THREADS)
        ((ulonglong2 *)w.x)[e] = make_ulonglong2(EMPTY, EMPTY);
    int big = 0;
#pragma unroll
    for (int q = 0; q < Q; q++) {
        const int k = 4 * q + col;
        const E v = k == row && (p.unit || row >= valid) ? make<E>(1) : widen(diagonal[q]);
#pragma unroll
        for (int pl = 0; pl < PL; pl++) {
            m.at(row, k, pl) = part(v, pl);
            big = max(big, exponent(part(v, pl)));
        }
    }
    big = max(big, __shfl_xor_sync(~0u, big, 4));
    big = max(big, __shfl_xor_sync(~0u, big, 8));
    if (col == 0) largest[row] = big;
#pragma unroll
    for (int q = 0; q < Q; q++) {
        const int k = 4 * q + col;
        const E v = widen(before[q]);
#pragma unroll
        for (int pl = 0; pl < PL; pl++)
            if (k < cols) c.at(row, k, pl) = part(v, pl);
    }
    __syncthreads();

    invert_small<NB>(m, reciprocal);
    merge<16, NB>(m);
    merge<32, NB>(m);

    bool careful = false;
    const int k = tid % NB, most = GROWTH_LIMIT - largest[k];
#pragma unroll
    for (int q = 0; q < Q; q++) {
        const int r = tid / NB + 4 * q;
#pragma unroll
        for (int pl = 0; pl < PL; pl++) {
            const double v = m.at(r, k, pl);
            careful |= (k <= r) & ((exponent(v) == 0x7ff) | (exponent(v) > most));
            if (q % w.slices == slice && k / 16 <= r / 16) out[LEFT::inverse(r, k, pl)] = v;
        }
    }

    for (int tile = warp; i > 0 && tile < W * (cols / 8); tile += PREPARE_WARPS) {
        const int v = tile % W, across = tile / W, at = slice * cols + across * 8 + 2 * t;
        double d[PL][4] = {};
        product(d, m, v * 16, 0, c, 0, across * 8, 0, v * 16 + 16);
#pragma unroll
        for (int pl = 0; pl < PL; pl++)
#pragma unroll
            for (int e = 0; e < 4; e++) {
                out[LEFT::coupling(v * 16 + g + e / 2 * 8, at + e % 2, pl)] = -d[pl][e];
                careful |= !finite(d[pl][e]);
            }
    }
    careful = __syncthreads_or(careful);
    if (tid == 0) w.careful[i * w.slices + slice] = careful;
}

} // namespace skinny
} // namespace tsl
#endif
