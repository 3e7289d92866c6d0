/* C := alpha A B + beta C in single precision, A symmetric and given by a triangle, B narrow: a product that reads A's tiles as
 * they are stored or mirrors them on chip, where writing A out would cost a sixth of the product's time.
 *
 * A CTA computes a tile of C, its two groups of threads every other step of it: 16 columns of A times 16 rows of B. What bounds
 * it is the number of instructions, so nearly all of them are multiplications: a thread has 8 x 16 sums, and the copy engine
 * brings the tiles, A's [k][i] and B's [k][j] (of B transposed beforehand). First come the steps of A's stored side, last with
 * tiles that cross the diagonal, which the threads copy element by element; then those of the other side. Of these the engine
 * brings A(k,i) as [i % 4][i / 4][k], and the group turns the next step's tile while it computes. */
#include "kernel/cuda/launch.cuh"
#include "kernel/cuda/leaf.h"
#include "kernel/cuda/scalar.cuh"
#include "kernel/cuda/tma.cuh"

namespace tsl {
namespace {

constexpr int T = 128, DEPTH = 16;        /* a tile of C, and of A and B those of a step */
constexpr int GROUPS = 2, STAGES = 4;     /* stages: steps of a group in shared memory or under way */
constexpr int TILE = T * DEPTH, STAGE = 2 * TILE;
constexpr int64_t WIDE = 512;             /* beyond that A is written out, which then costs little */
constexpr size_t SHARED = sizeof(float) * GROUPS * (STAGES * STAGE + 2 * TILE);

struct symm_job {
    int m, n, tiles_n;
    bool lower;
    float alpha, beta;
    const float *A;
    float *C;
    int64_t lda, ldc;
};

struct symm_maps {
    CUtensorMap stored, mirrored, B;
};

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900

/* Row i of a tile of A that crosses the diagonal, DEPTH columns of it from k0 on */
__device__ __forceinline__ void copy_crossing(const symm_job &job, int i, int k0, float *a)
{
    const float *row = job.A + i + k0 * job.lda, *column = job.A + k0 + i * job.lda;
    float v[DEPTH];
#pragma unroll
    for (int k = 0; k < DEPTH; k++)
        v[k] = i >= job.m || k0 + k >= job.m ? 0.f : (i >= k0 + k) == job.lower || i == k0 + k ? row[k * job.lda] : column[k];
#pragma unroll
    for (int k = 0; k < DEPTH; k++) a[k * T] = v[k];
}

/* 4 x 4 elements of a mirrored tile */
__device__ __forceinline__ void turn_four(const float *p, float *q)
{
    float4 v[4];
#pragma unroll
    for (int i = 0; i < 4; i++) v[i] = *(const float4 *)(p + i * (TILE / 4));
    *(float4 *)q = make_float4(v[0].x, v[1].x, v[2].x, v[3].x);
    *(float4 *)(q + T) = make_float4(v[0].y, v[1].y, v[2].y, v[3].y);
    *(float4 *)(q + 2 * T) = make_float4(v[0].z, v[1].z, v[2].z, v[3].z);
    *(float4 *)(q + 3 * T) = make_float4(v[0].w, v[1].w, v[2].w, v[3].w);
}

/* C := alpha sum + beta C, in rows from r and columns from c on: each group leaves half of its columns to the other and writes
 * the other half, the first group's sums first. */
__device__ __forceinline__ void write_halves(const symm_job &job, float *memory, const float (&sum)[8][16], int g, int t, int r, int c)
{
    __syncthreads();
    float *mine = memory + g * 64 * T + t, *theirs = memory + (1 - g) * 64 * T + t;
#pragma unroll
    for (int half = 0; half < 2; half++)
        if (half != g)
#pragma unroll
            for (int e = 0; e < 64; e++) mine[e * T] = sum[e / 8][8 * half + e % 8];
    __syncthreads();
#pragma unroll
    for (int half = 0; half < 2; half++)
        if (half == g)
#pragma unroll
            for (int j = 0; j < 8; j++) {
                const int column = c + 16 * (2 * half + j / 4) + j % 4;
#pragma unroll
                for (int h = 0; h < 2; h++) {
                    const int row = r + 32 * h;
                    if (row >= job.m || column >= job.n) continue; /* m is a multiple of 4 */
                    float *to = job.C + row + column * job.ldc, v[4];
                    const float4 old = job.beta != 0 ? *(const float4 *)to : make_float4(0, 0, 0, 0);
#pragma unroll
                    for (int i = 0; i < 4; i++) {
                        const float own = sum[4 * h + i][8 * half + j], other = theirs[((4 * h + i) * 8 + j) * T];
                        v[i] = job.alpha * (half ? other + own : own + other);
                    }
                    if (job.beta != 0)
                        v[0] += job.beta * old.x, v[1] += job.beta * old.y, v[2] += job.beta * old.z, v[3] += job.beta * old.w;
                    *(float4 *)to = make_float4(v[0], v[1], v[2], v[3]);
                }
            }
}

__global__ __launch_bounds__(GROUPS *T, 1) void symm_tiles(const __grid_constant__ symm_job job, const __grid_constant__ symm_maps maps)
{
    constexpr int UNROLLED = 8; /* of the depth: all of it is too much for the instruction cache */
    extern __shared__ __align__(1024) float memory[];
    __shared__ __align__(8) uint64_t full[GROUPS][STAGES]; /* a stage has arrived */
    const int g = __shfl_sync(~0u, threadIdx.x / T, 0), t = threadIdx.x % T, lane = t % 32, w = t / 32;
    const int i0 = blockIdx.x / job.tiles_n * T, j0 = blockIdx.x % job.tiles_n * T;
    const int r0 = (w & 1) * 64 + lane % 8 * 4, c0 = (w >> 1) * 64 + lane / 8 * 4; /* rows r0.. and r0+32.., columns c0.., c0+16.., ... */
    const bool lower = job.lower;
    float *base = memory + g * STAGES * STAGE;
    const uint32_t sbase = shared_address(base), sfull = shared_address(&full[g][0]);
    const int steps = (job.m + GROUPS * DEPTH - 1) / (GROUPS * DEPTH);
    /* those that are not mirrored, one at least */
    const int stored = min(steps, lower ? (i0 + T) / (GROUPS * DEPTH) : steps - i0 / (GROUPS * DEPTH));

    if (t < STAGES) barrier_make(sfull + t * 8, 1);
    barriers_made();
    __syncthreads();
    wait_for_previous_grid(); /* B is being transposed */

    auto load = [&](int it, int slot) {
        if (it >= steps) return;
        const int s = it * GROUPS + g, k0 = (lower ? s : steps * GROUPS - 1 - s) * DEPTH;
        const bool crossing = k0 + DEPTH > i0 && k0 < i0 + T;
        if (t == 0) {
            const uint32_t a = sbase + slot * STAGE * 4, barrier = sfull + slot * 8;
            barrier_expect(barrier, (crossing ? TILE : STAGE) * 4);
            if (!crossing && it < stored) box_copy(a, &maps.stored, i0, k0, barrier);
            if (!crossing && it >= stored) box_copy(a, &maps.mirrored, k0, i0 / 4, 0, barrier);
            box_copy(a + TILE * 4, &maps.B, j0, k0, barrier);
        }
        if (crossing) {
            copy_crossing(job, i0 + t, k0, base + slot * STAGE + t);
            before_copies();
        }
    };

    /* a thread turns rows 4 lane.. and columns 4 w.. of a mirrored tile */
    float *turned = memory + GROUPS * STAGES * STAGE + g * 2 * TILE, *turn_to = turned + 4 * w * T + 4 * lane;
    const float *turn_from = base + lane * DEPTH + (w ^ (lane >> 1 & 3)) * 4;
    auto turn = [&](int it, int slot) {
        turn_four(turn_from + slot * STAGE, turn_to + (it & 1) * TILE);
    };

    float sum[8][16] = {}, fa[2][8], fb[2][16];
    auto fragment = [&](int f, const float *a, const float *b, int k) {
#pragma unroll
        for (int h = 0; h < 2; h++) *(float4 *)&fa[f][4 * h] = *(const float4 *)(a + k * T + 32 * h);
#pragma unroll
        for (int h = 0; h < 4; h++) *(float4 *)&fb[f][4 * h] = *(const float4 *)(b + k * T + 16 * h);
    };

#pragma unroll 1
    for (int s = 0; s < STAGES - 1; s++) load(s, s);
    barrier_wait(sfull, 0);
    group_barrier(1 + g);
    const float *a = base + r0, *b = base + TILE + c0;
    fragment(0, a, b, 0);
    int next = 1, put = STAGES - 1, parity = 0; /* stages: of the next step, of the next to be loaded */
    for (int it = 0; it < steps; it++) {
        const bool turns = it + 1 >= stored;
        const float *na = (turns ? turned + ((it + 1) & 1) * TILE : base + next * STAGE) + r0, *nb = base + next * STAGE + TILE + c0;
        load(it + STAGES - 1, put), put = put + 1 == STAGES ? 0 : put + 1;
#pragma unroll 1
        for (int part = 0; part < DEPTH / UNROLLED; part++) {
#pragma unroll
            for (int k = 0; k < UNROLLED; k++) {
                if (k == UNROLLED - 1) {
                    a += UNROLLED * T, b += UNROLLED * T;
                    if (part == DEPTH / UNROLLED - 1) {
                        group_barrier(1 + g); /* all are through with this stage, and the next is turned */
                        a = na, b = nb;
                    }
                    fragment((k + 1) & 1, a, b, 0);
                } else {
                    fragment((k + 1) & 1, a, b, k + 1);
                }
                if (k == 1 && part == 0 && it + 1 < steps) { /* here the compiler finds the most shared factors */
                    barrier_wait(sfull + next * 8, parity);
                    if (turns) turn(it + 1, next);
                }
                /* to and fro, so that each multiplication shares a factor with the one before */
#pragma unroll
                for (int j = 0; j < 16; j++)
#pragma unroll
                    for (int i = 0; i < 8; i++) {
                        const int r = j & 1 ? 7 - i : i;
                        sum[r][j] = fmaf(fa[k & 1][r], fb[k & 1][j], sum[r][j]);
                    }
            }
        }
        if (++next == STAGES) next = 0, parity ^= 1;
    }

    write_halves(job, memory, sum, g, t, i0 + r0, j0 + c0);
}

#else
__global__ void symm_tiles(const __grid_constant__ symm_job, const __grid_constant__ symm_maps) {}
#endif

bool in_fours(const void *p, int64_t ld) { return (uintptr_t)p % 16 == 0 && ld % 4 == 0; }

int64_t tiles_of(int64_t n) { return (n + T - 1) / T; }

cudaError_t make_maps(const tsl_leaf *l, const float *B, symm_maps *maps)
{
    const cuuint64_t m = (cuuint64_t)l->m, n = (cuuint64_t)l->n, a = 4 * (cuuint64_t)l->A.ld, b = 4 * n, fours = 4 * a;
    const cuuint64_t square[] = {m, m}, split[] = {m, m / 4, 4}, across[] = {fours, a}, wide[] = {n, m};
    const cuuint32_t box[] = {T, DEPTH}, mirror[] = {DEPTH, T / 4, 4};
    cudaError_t e = box_of(&maps->stored, 2, (const float *)l->A.p, square, &a, box, false);
    if (e == cudaSuccess) e = box_of(&maps->mirrored, 3, (const float *)l->A.p, split, across, mirror, true);
    return e == cudaSuccess ? box_of(&maps->B, 2, B, wide, &b, box, false) : e;
}

} // namespace
} // namespace tsl

extern "C" const void *tsl_cuda_kernel_of_symm(int i) { return i ? nullptr : (const void *)tsl::symm_tiles; }

/* Where C comes close to filling the multiprocessors with tiles, once or several times. */
extern "C" tsl_status tsl_cuda_symm_narrow_fits(tsl_queue *q, const tsl_leaf *l, bool *fits)
{
    using namespace tsl;
    const int device = tsl_head(q)->dev->ordinal;
    int sms = 1, shared = 0;
    *fits = l->type == TSL_S && l->side == TSL_LEFT && l->m % 4 == 0 && l->m < INT32_MAX / 2 && l->n <= WIDE && l->n <= l->m &&
            l->n % 4 == 0 && in_fours(l->A.p, l->A.ld) && in_fours(l->C.p, l->C.ld);
    if (!*fits) return TSL_OK;
    cudaError_t e = device_has_sm90(device, fits);
    if (e == cudaSuccess) e = cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device);
    if (e == cudaSuccess) e = cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
    const int64_t rounds = (tiles_of(l->m) * tiles_of(l->n) + sms - 1) / sms;
    *fits = *fits && (size_t)shared >= SHARED + 1024 && 10 * l->m * l->n >= 9 * rounds * sms * T * T;
    return tsl_cuda_check(e, "cudaDeviceGetAttribute");
}

/* The workspace takes B's transpose. */
extern "C" tsl_status tsl_cuda_symm_narrow(tsl_queue *q, const tsl_leaf *l)
{
    using namespace tsl;
    tsl_leaf copy = {};
    copy.op = TSL_OP_COPY, copy.type = l->type, copy.A.op = TSL_TRANS, copy.m = l->n, copy.n = l->m;
    copy.A.p = l->B.p, copy.A.ld = l->B.ld, copy.B.p = l->work, copy.B.ld = l->n;
    const tsl_status st = tsl_cuda_copy(q, &copy);
    if (st != TSL_OK) return st;
    symm_job job = {(int)l->m, (int)l->n, (int)tiles_of(l->n), l->uplo == TSL_LOWER, from_scalar<float>(l->alpha), from_scalar<float>(l->beta),
                    (const float *)l->A.p, (float *)l->C.p, l->A.ld, l->C.ld};
    symm_maps maps;
    cudaError_t e = make_maps(l, (const float *)l->work, &maps);
    if (e == cudaSuccess) e = cudaFuncSetAttribute(symm_tiles, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)SHARED);
    const launch_shape shape = {tiles_of(l->m) * tiles_of(l->n), GROUPS * T, SHARED, 1, true, false};
    if (e == cudaSuccess) e = launch(symm_tiles, shape, tsl_cuda(q)->stream, job, maps);
    return tsl_cuda_check(e, "symm");
}
