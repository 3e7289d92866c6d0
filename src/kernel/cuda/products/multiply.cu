/* Products of planes of residues on the tensor cores, by mma.sync: for GPUs that have no wgmma (multiply_sm90.cu). A CTA has a
 * tile of C. Its warps share the lines of B by four and those of A by two. */
#include "kernel/cuda/async.cuh"
#include "kernel/cuda/products/multiply.cuh"
#include "kernel/cuda/tma.cuh"

namespace tsl {
namespace {

constexpr int WARP = 32, WARPS = 8, STAGES = 3, SIDE = BLOCK, BYTES = BLOCK * BLOCK;
constexpr int HIGH = SIDE / 4, ACROSS = SIDE / 2; /* lines of B and of A that a warp has */
constexpr int STEPS = BLOCK / 32, STRIP = 16;     /* of a product of 32 terms; of tiles */

__device__ __forceinline__ void load_matrices(uint32_t (&r)[4], uint32_t at)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(at));
}

/* Where a lane's row of the four matrices lies: the one in place `first` + row of a block, piece `piece` */
__device__ __forceinline__ uint32_t row_at(uint32_t block, int first, int row, int piece)
{
    const int place = first + row;
    return block + place * BLOCK + (piece ^ place % 8) * PIECE;
}

__device__ __forceinline__ void multiply_add(int32_t (&d)[4], const uint32_t (&a)[4], uint32_t b0, uint32_t b1)
{
    asm("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
        : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

struct stage {
    unsigned char B[BYTES], A[BYTES];
};

__device__ void fetch(stage *s, const planes &p, const tile &t, int deep)
{
    const int8_t *b = p.B + t.plane * p.next_B + ((int64_t)t.col * p.deep + deep) * BYTES;
    const int8_t *a = p.A + t.plane * p.next_A + ((int64_t)t.row * p.deep + deep) * BYTES;
    for (int i = threadIdx.x * PIECE; i < BYTES; i += WARP * WARPS * PIECE) {
        load_async<PIECE>(s->B + i, b + i);
        load_async<PIECE>(s->A + i, a + i);
    }
}

using sums = int32_t[HIGH / 16][ACROSS / 8][4];

__device__ void multiply_stage(sums &d, const stage *s, int high, int across)
{
    const uint32_t B = shared_address(s->B), A = shared_address(s->A);
    const int lane = threadIdx.x % WARP, row = lane % 8, matrix = lane / 8;
#pragma unroll
    for (int step = 0; step < STEPS; step++) {
        uint32_t b[HIGH / 16][4], a[ACROSS / 16][4];
#pragma unroll
        for (int i = 0; i < HIGH / 16; i++)
            load_matrices(b[i], row_at(B, high + 16 * i + matrix % 2 * 8, row, 2 * step + matrix / 2));
#pragma unroll
        for (int i = 0; i < ACROSS / 16; i++)
            load_matrices(a[i], row_at(A, across + 16 * i + matrix / 2 * 8, row, 2 * step + matrix % 2));
#pragma unroll
        for (int i = 0; i < HIGH / 16; i++)
#pragma unroll
            for (int j = 0; j < ACROSS / 8; j++) multiply_add(d[i][j], b[i], a[j / 2][j % 2 * 2], a[j / 2][j % 2 * 2 + 1]);
    }
}

__device__ void put(const sums &d, const planes &p, const tile &t, int high, int across)
{
    const int lane = threadIdx.x % WARP;
    uint8_t *block = p.product + t.plane * p.rows * p.cols + ((int64_t)t.col * (p.rows / SIDE) + t.row) * BYTES;
    with_reduction(p, t.plane, [&](auto reduce) {
#pragma unroll
        for (int i = 0; i < HIGH / 16; i++)
#pragma unroll
            for (int half = 0; half < 2; half++) {
                const int col = line_of_place(high + 16 * i + 8 * half + lane / 4);
                *(uint4 *)(block + col * BLOCK + across + lane % 4 * PIECE) =
                    packed([&](int l) { return reduce(d[i][l / 2][2 * half + l % 2]); });
            }
    });
}

__global__ __launch_bounds__(WARP *WARPS) void multiply(const __grid_constant__ planes p)
{
    extern __shared__ __align__(128) unsigned char memory[];
    stage *const s = (stage *)memory;
    const int warp = threadIdx.x / WARP, high = warp / 2 * HIGH, across = warp % 2 * ACROSS;
    walk<SIDE, SIDE, STRIP> tiles((int)blockIdx.x, (int)gridDim.x);
    for (tile t; tiles.next(p, &t);) {
        sums d = {};
        for (int k = 0; k < STAGES - 1; k++) {
            if (k < p.deep) fetch(s + k, p, t, k);
            end_group();
        }
        for (int k = 0; k < p.deep; k++) {
            await_groups<STAGES - 2>();
            __syncthreads();
            if (k + STAGES - 1 < p.deep) fetch(s + (k + STAGES - 1) % STAGES, p, t, k + STAGES - 1);
            end_group();
            multiply_stage(d, s + k % STAGES, high, across);
        }
        put(d, p, t, high, across);
        __syncthreads();
    }
}

planes planes_of(const tsl_cuda_joined *j, const tsl_residues *r)
{
    planes p = {};
    p.A = j->A.plane, p.next_A = j->A.step, p.rows = j->A.padded;
    p.B = j->B.plane, p.next_B = j->B.step, p.cols = j->B.padded;
    p.product = j->products;
    p.below = j->below, p.part = j->part;
    p.count = tsl_cuda_planes(j->A.type, r), p.each = p.count / r->count, p.low = r->checked ? p.count - 1 : -1;
    p.deep = (int)(j->A.length / BLOCK);
    for (int n = 0; n < 2; n++) {
        const double least = ceil((n + 1) * r->threshold);
        p.enough[n] = least < INT32_MAX ? (int32_t)least : INT32_MAX;
    }
    for (int l = 0; l < r->count; l++) {
        const uint32_t m = tsl_modulus_of(l);
        p.of[l] = {m, (uint32_t)(((1ull << 39) + m - 1) / m), ((1u << 30) + m - 1) / m * m};
    }
    return p;
}

} // namespace
} // namespace tsl

tsl_status tsl_cuda_multiply(tsl_queue *q, const tsl_cuda_joined *j, const tsl_residues *r)
{
    using namespace tsl;
    const planes p = planes_of(j, r);
    int device = 0, processors = 0, ctas = 0;
    bool wide = false;
    cudaError_t e = cudaGetDevice(&device);
    if (e == cudaSuccess) e = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    if (e == cudaSuccess) e = has_wgmma(device, &wide);
    if (e != cudaSuccess) return tsl_cuda_check(e, "multiply");
    if (wide) return tsl_cuda_check(multiply_wgmma(p, processors, tsl_cuda(q)->stream), "multiply_wgmma");
    constexpr size_t shared = STAGES * sizeof(stage);
    e = cudaFuncSetAttribute(multiply, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared);
    if (e == cudaSuccess) e = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&ctas, multiply, WARP * WARPS, shared);
    if (e != cudaSuccess) return tsl_cuda_check(e, "multiply");
    multiply<<<(unsigned)(processors * ctas), WARP * WARPS, shared, tsl_cuda(q)->stream>>>(p);
    return tsl_cuda_check(cudaGetLastError(), "multiply");
}

const void *tsl_cuda_kernel_of_multiply(void) { return (const void *)tsl::multiply; }
