/* Products with blocks of sb2st's reflectors (sb2st_blocks.cuh) in one kernel. A warp has 16 real or 8 complex columns of C,
 * and walks with them through the blocks of a group. The 2 kd rows that a block meets are in its registers, as accumulators of
 * C^T; an accumulator of one mma is the left factor of the next one, if that counts k in another order. So nothing but the
 * blocks comes from shared memory, where they arrive in pieces for all warps of a CTA. Then kd rows are stored and kd new ones
 * take their place. Groups follow each other through the same columns as closely as rows are ready: a warp tells how many
 * halves it has stored. CTAs take walks in the order of the groups, so that each waits only for one that some CTA has. Single
 * precision is computed in double, which is as fast. */
#ifndef TSL_CUDA_SB2ST_WALK_CUH
#define TSL_CUDA_SB2ST_WALK_CUH

#include <cuda_pipeline.h>

#include "kernel/cuda/eig/band/sb2st_blocks.cuh"
#include "kernel/cuda/exchange.cuh"
#include "kernel/cuda/mma.cuh"
#include "kernel/cuda/tma.cuh"

namespace tsl {

constexpr int MOST_WARPS = 8;

template <class T> struct walk_job {
    groups all;
    const double *blocks;
    T *C;
    int64_t ldc, columns, strips; /* strips of columns */
    int depth;                    /* pieces in shared memory */
    bool pairs;                   /* rows come in pairs that can be moved at once */
    int *next, *stored;           /* the next walk; halves, of each walk's warps */
};

/* The pieces of a walk in a ring. The last warp that is done with one asks for the piece that takes its place. */
template <class F> struct pieces {
    static constexpr int SIZE = F::PIECE * F::TILE;
    double *ring;
    uint32_t arrived; /* barriers */
    int *used;
    const double *from;
    int count, depth, warps; /* pieces of the walk, places in the ring, warps that take part */
    int item, slot, phase;   /* where this warp is */

    __device__ void ask(int which, int to)
    {
        barrier_expect(arrived + 8 * to, SIZE * sizeof(double));
        bulk_copy(shared_address(ring + to * SIZE), from + (int64_t)which * SIZE, SIZE * sizeof(double), arrived + 8 * to);
    }
    __device__ const double *get(int lane) const
    {
        barrier_wait(arrived + 8 * slot, phase);
        return ring + slot * SIZE + 2 * lane;
    }
    __device__ void release(int lane)
    {
        __syncwarp();
        if (lane == 0) {
            __threadfence_block();
            if (atomicAdd(used + slot, 1) == warps - 1) {
                used[slot] = 0;
                __threadfence_block();
                if (item + depth < count) ask(item + depth, slot);
            }
        }
        item++;
        if (++slot == depth) slot = 0, phase ^= 1;
    }
};

/* Rows of C, half by half, between memory and a warp's accumulators: with g = lane / 4 and t = lane % 4 a lane has of the i-th
 * eight rows
 *   c[0], c[1] = rows 2t, 2t+1 of column g    c[2], c[3] = the same of column g + 8, or imaginary parts.
 * They are fetched through shared memory, each lane what it needs itself: two units of two reals an eight, as memory has
 * them. */
template <class F> struct half_rows {
    using T = typename F::T;
    using R = real_t<T>;
    static constexpr bool CX = is_complex<T>;
    static constexpr int UNITS = 2 * F::N8, BYTES = UNITS * 32 * 2 * (int)sizeof(R), COLUMNS = 16 / F::PARTS;
    struct alignas(2 * sizeof(R)) unit {
        R x[2];
    };
    const walk_job<T> &p;
    int64_t column;
    unit *buffer;
    int lane;

    /* The half from row r0 on: where this lane's rows and columns begin; which rows there are, counted in the order of the
     * walk; whether all units are whole */
    struct span {
        T *at;
        int64_t on; /* to the unit of column g + 8, or of the next row */
        int eight, begin, end;
        bool whole;
    };
    __device__ span span_of(int64_t r0) const
    {
        const bool back = p.all.inverse;
        const int kd = p.all.kd, sign = back ? -1 : 1;
        const int64_t beyond = r0 + kd - p.all.n;
        span s;
        s.at = p.C + (column + lane / 4) * p.ldc + r0 + sign * 2 * (lane % 4) + (back ? kd - 1 - !CX : 0);
        s.on = CX ? sign : 8 * p.ldc;
        s.eight = 8 * sign;
        s.begin = back && beyond > 0 ? (int)beyond : 0, s.end = !back && beyond > 0 ? kd - (int)beyond : kd;
        s.whole = p.pairs && s.begin == 0 && s.end == F::KD && column + COLUMNS <= p.columns;
        return s;
    }
    /* Of unit k: is there its element e? */
    __device__ bool has(const span &s, int k, int e) const
    {
        const int row = 8 * (k / 2) + 2 * (lane % 4) + (CX ? k % 2 : p.all.inverse ? 1 - e : e);
        return row >= s.begin && row < s.end && column + lane / 4 + (CX ? 0 : k % 2 * 8) < p.columns;
    }
    __device__ void fetch(int64_t r0) const
    {
        const span s = span_of(r0);
        if (s.whole) {
#pragma unroll
            for (int k = 0; k < UNITS; k++) __pipeline_memcpy_async(buffer + k * 32 + lane, s.at + k / 2 * s.eight + k % 2 * s.on, sizeof(unit));
        } else {
#pragma unroll 1
            for (int k = 0; k < UNITS; k++)
                for (int e = 0; e < 2; e++) {
                    R *const to = &buffer[k * 32 + lane].x[e];
                    if (has(s, k, e))
                        __pipeline_memcpy_async(to, (const R *)(s.at + k / 2 * s.eight + k % 2 * s.on) + e, sizeof(R));
                    else
                        *to = 0;
                }
        }
        __pipeline_commit();
    }
    __device__ void take(double (&c)[2 * F::N8][4]) const
    {
        __pipeline_wait_prior(0);
        const bool turned = !CX && p.all.inverse;
#pragma unroll
        for (int k = 0; k < UNITS; k++) {
            const unit u = buffer[k * 32 + lane];
            c[F::N8 + k / 2][CX ? k % 2 : k % 2 * 2] = turned ? u.x[1] : u.x[0];
            c[F::N8 + k / 2][CX ? k % 2 + 2 : k % 2 * 2 + 1] = turned ? u.x[0] : u.x[1];
        }
    }
    __device__ void store(int64_t r0, const double (&c)[2 * F::N8][4]) const
    {
        const span s = span_of(r0);
        const bool turned = !CX && p.all.inverse;
#pragma unroll
        for (int k = 0; k < UNITS; k++) {
            const R a = (R)c[k / 2][CX ? k % 2 : k % 2 * 2], b = (R)c[k / 2][CX ? k % 2 + 2 : k % 2 * 2 + 1];
            const unit u = {{turned ? b : a, turned ? a : b}};
            R *const to = (R *)(s.at + k / 2 * s.eight + k % 2 * s.on);
            if (s.whole)
                *(unit *)to = u;
            else {
                if (has(s, k, 0)) to[0] = u.x[0];
                if (has(s, k, 1)) to[1] = u.x[1];
            }
        }
    }
};

/* The left factor that an accumulator is, with k counted 0 2 4 6 1 3 5 7; and that of the products with imaginary parts: of re
 * + i im in rows g and g + 8, im and -re */
struct left_factor {
    double a[4];
};
__device__ inline left_factor factor_of(const double (&c)[4], int part)
{
    return part == 0 ? left_factor{{c[0], c[2], c[1], c[3]}} : left_factor{{c[2], -c[0], c[3], -c[1]}};
}

template <class F> __device__ void multiply(double (&d)[4], const left_factor &f, const double *piece, int tile)
{
    const double2 b = *(const double2 *)(piece + tile % F::PIECE * F::TILE);
    const double two[2] = {b.x, b.y};
    mma8(d, f.a, two);
}

/* A warp's walk through the group that is the i-th: `before` counts the halves which the walk before it on these columns has
 * stored */
template <class F>
__device__ void walk(const walk_job<typename F::T> &p, int64_t i, const half_rows<F> &rows, pieces<F> &s, const int *before,
                     int *stored, int lane)
{
    constexpr int N8 = F::N8;
    const int64_t g = p.all.group(i);
    const int chunks = (int)p.all.chunks(g);
    auto row_of = [&](int half) { return (g + (p.all.inverse ? chunks - half : half)) * p.all.kd; };
    auto fetch = [&](int half, int seen) { /* the walk before is at the same rows a half later; backwards, at the same time */
        if (i > 0 && seen < half + p.all.inverse) {
            while (peek(before) < half + p.all.inverse) __nanosleep(100);
            fence();
        }
        __syncwarp();
        rows.fetch(row_of(half));
    };
    double C[2 * N8][4], Z[N8][4];
    auto shift = [&] {
#pragma unroll
        for (int k = 0; k < N8; k++)
#pragma unroll
            for (int e = 0; e < 4; e++) C[k][e] = C[N8 + k][e];
    };
    fetch(0, 0);
    rows.take(C);
    shift();
    fetch(1, 0);
    rows.take(C);
#pragma unroll 1
    for (int step = 0; step < chunks; step++) {
        const int seen = i > 0 ? peek(before) : 0;
        const double *piece = nullptr;
#pragma unroll
        for (int j = 0; j < N8; j++)
#pragma unroll
            for (int e = 0; e < 4; e++) Z[j][e] = 0;
#pragma unroll
        for (int k = 0; k < 2 * N8; k++)
#pragma unroll
            for (int part = 0; part < F::PARTS; part++) {
                const left_factor f = factor_of(C[k], part);
#pragma unroll
                for (int j = 0; j < N8; j++) {
                    if (j < F::first(k) || j > F::last(k)) continue;
                    const int tile = F::v_tile(k, part, j);
                    if (tile % F::PIECE == 0) piece = s.get(lane);
                    multiply<F>(Z[j], f, piece, tile);
                    if (tile % F::PIECE == F::PIECE - 1) s.release(lane);
                }
            }
        fence();
        __syncwarp();
        if (lane == 0) post(stored, step);
        if (step + 2 <= chunks) fetch(step + 2, seen);
#pragma unroll
        for (int j = 0; j < N8; j++)
#pragma unroll
            for (int part = 0; part < F::PARTS; part++) {
                const left_factor f = factor_of(Z[j], part);
#pragma unroll
                for (int k = 0; k <= j + N8; k++) {
                    const int tile = F::w_tile(j, part, k);
                    if (tile % F::PIECE == 0) piece = s.get(lane);
                    multiply<F>(C[k], f, piece, tile);
                    if (tile % F::PIECE == F::PIECE - 1) s.release(lane);
                }
            }
        rows.store(row_of(step), C);
        shift();
        if (step + 2 <= chunks) rows.take(C);
    }
    rows.store(row_of(chunks), C);
    fence();
    __syncwarp();
    if (lane == 0) post(stored, chunks + 1);
}

template <class F> constexpr size_t walk_bytes(int warps, int depth)
{
    return (size_t)depth * (pieces<F>::SIZE * sizeof(double) + 16) + (size_t)warps * half_rows<F>::BYTES + 16;
}

template <class F> __global__ __launch_bounds__(32 * MOST_WARPS, 1) void walks(const __grid_constant__ walk_job<typename F::T> p)
{
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
    constexpr int COLUMNS = half_rows<F>::COLUMNS;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32, depth = p.depth;
    double *const ring = (double *)sb2st_memory;
    char *const buffers = (char *)(ring + depth * pieces<F>::SIZE);
    uint64_t *const arrived = (uint64_t *)(buffers + warps * half_rows<F>::BYTES);
    int *const used = (int *)(arrived + depth), *const taken = used + depth;
    if (threadIdx.x == 0) {
        for (int k = 0; k < depth; k++) barrier_make(shared_address(arrived + k), 1), used[k] = 0;
        barriers_made();
    }
    unsigned before = 0; /* pieces of all walks so far */
    for (;;) {
        __syncthreads();
        if (threadIdx.x == 0) *taken = atomicAdd(p.next, 1);
        __syncthreads();
        const int64_t number = *taken;
        if (number >= p.all.count * p.strips) break;
        const int64_t i = number / p.strips, strip = number % p.strips, column = strip * warps * COLUMNS;
        pieces<F> s = {};
        s.ring = ring, s.arrived = shared_address(arrived), s.used = used, s.from = p.blocks + i * p.all.longest * F::TILES * F::TILE;
        s.count = (int)p.all.chunks(p.all.group(i)) * F::PIECES, s.depth = depth;
        s.warps = (int)min((int64_t)warps, (p.columns - column + COLUMNS - 1) / COLUMNS);
        s.slot = (int)(before % depth), s.phase = (int)(before / depth % 2);
        before += s.count;
        if (threadIdx.x == 0)
            for (int k = 0; k < min(depth, s.count); k++) s.ask(k, (s.slot + k) % depth);
        int *const stored = p.stored + (i * p.strips + strip) * MOST_WARPS + warp;
        const half_rows<F> rows = {p, column + warp * COLUMNS, (typename half_rows<F>::unit *)(buffers + warp * half_rows<F>::BYTES), lane};
        if (warp < s.warps) walk<F>(p, i, rows, s, stored - p.strips * MOST_WARPS, stored, lane);
    }
#endif
}

} // namespace tsl
#endif
