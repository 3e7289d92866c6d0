/* Products of planes of residues by Hopper's wgmma. Clusters of two CTAs have tiles of 256 x 256 of C: the CTAs share the lines
 * of A, half of which each brings to both, and have 128 lines of B each. One warp brings blocks; two groups of four warps
 * multiply, 64 lines of B each. A stage is free when the warps of both CTAs have done with it. */
#include "kernel/cuda/async.cuh"
#include "kernel/cuda/launch.cuh"
#include "kernel/cuda/products/multiply.cuh"
#include "kernel/cuda/tma.cuh"

namespace tsl {
namespace {

constexpr int WARP = 32, GROUPS = 2, GROUP_WARPS = 4, WARPS = GROUPS * GROUP_WARPS + 1, CTAS = 2, STAGES = 4;
constexpr int SIDE = 2 * BLOCK, BYTES = BLOCK * BLOCK;
constexpr int STEP = 32; /* bytes of a line that an instruction takes */
using tiles_of_cluster = walk<SIDE, SIDE, 8>;

struct stage {
    unsigned char B[BYTES], A[CTAS][BYTES];
};

struct shared {
    stage stages[STAGES];
    uint64_t full[STAGES], empty[STAGES];
};
constexpr size_t ALIGNED = 1024;

#ifdef __CUDA_ARCH_FEAT_SM90_ALL

/* Of lines of 128 bytes, exchanged as blocks are, eight of them 1024 bytes from the next eight */
__device__ __forceinline__ uint64_t described(const void *lines)
{
    return (uint64_t)(shared_address(lines) >> 4) | (uint64_t)1 << 16 | (uint64_t)(1024 >> 4) << 32 | (uint64_t)1 << 62;
}

__device__ __forceinline__ void begin_products() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ __forceinline__ void end_products() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
template <int LEFT> __device__ __forceinline__ void await_products()
{
    asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(LEFT) : "memory");
}

/* d := a b, or more of it: 64 lines, 256 lines, 32 terms */
__device__ __forceinline__ void multiply_add(int32_t (&d)[128], uint64_t a, uint64_t b, bool more)
{
    asm volatile(
        "{ .reg .pred p; setp.ne.b32 p, %130, 0; wgmma.mma_async.sync.aligned.m64n256k32.s32.s8.s8 {"
        "%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,"
        "%26,%27,%28,%29,%30,%31,%32,%33,%34,%35,%36,%37,%38,%39,%40,%41,%42,%43,%44,%45,%46,%47,%48,%49,"
        "%50,%51,%52,%53,%54,%55,%56,%57,%58,%59,%60,%61,%62,%63,%64,%65,%66,%67,%68,%69,%70,%71,%72,%73,"
        "%74,%75,%76,%77,%78,%79,%80,%81,%82,%83,%84,%85,%86,%87,%88,%89,%90,%91,%92,%93,%94,%95,%96,%97,"
        "%98,%99,%100,%101,%102,%103,%104,%105,%106,%107,%108,%109,%110,%111,%112,%113,%114,%115,%116,"
        "%117,%118,%119,%120,%121,%122,%123,%124,%125,%126,%127"
        "}, %128, %129, p; }"
        : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3]), "+r"(d[4]), "+r"(d[5]), "+r"(d[6]), "+r"(d[7]),
          "+r"(d[8]), "+r"(d[9]), "+r"(d[10]), "+r"(d[11]), "+r"(d[12]), "+r"(d[13]), "+r"(d[14]), "+r"(d[15]),
          "+r"(d[16]), "+r"(d[17]), "+r"(d[18]), "+r"(d[19]), "+r"(d[20]), "+r"(d[21]), "+r"(d[22]), "+r"(d[23]),
          "+r"(d[24]), "+r"(d[25]), "+r"(d[26]), "+r"(d[27]), "+r"(d[28]), "+r"(d[29]), "+r"(d[30]), "+r"(d[31]),
          "+r"(d[32]), "+r"(d[33]), "+r"(d[34]), "+r"(d[35]), "+r"(d[36]), "+r"(d[37]), "+r"(d[38]), "+r"(d[39]),
          "+r"(d[40]), "+r"(d[41]), "+r"(d[42]), "+r"(d[43]), "+r"(d[44]), "+r"(d[45]), "+r"(d[46]), "+r"(d[47]),
          "+r"(d[48]), "+r"(d[49]), "+r"(d[50]), "+r"(d[51]), "+r"(d[52]), "+r"(d[53]), "+r"(d[54]), "+r"(d[55]),
          "+r"(d[56]), "+r"(d[57]), "+r"(d[58]), "+r"(d[59]), "+r"(d[60]), "+r"(d[61]), "+r"(d[62]), "+r"(d[63]),
          "+r"(d[64]), "+r"(d[65]), "+r"(d[66]), "+r"(d[67]), "+r"(d[68]), "+r"(d[69]), "+r"(d[70]), "+r"(d[71]),
          "+r"(d[72]), "+r"(d[73]), "+r"(d[74]), "+r"(d[75]), "+r"(d[76]), "+r"(d[77]), "+r"(d[78]), "+r"(d[79]),
          "+r"(d[80]), "+r"(d[81]), "+r"(d[82]), "+r"(d[83]), "+r"(d[84]), "+r"(d[85]), "+r"(d[86]), "+r"(d[87]),
          "+r"(d[88]), "+r"(d[89]), "+r"(d[90]), "+r"(d[91]), "+r"(d[92]), "+r"(d[93]), "+r"(d[94]), "+r"(d[95]),
          "+r"(d[96]), "+r"(d[97]), "+r"(d[98]), "+r"(d[99]), "+r"(d[100]), "+r"(d[101]), "+r"(d[102]), "+r"(d[103]),
          "+r"(d[104]), "+r"(d[105]), "+r"(d[106]), "+r"(d[107]), "+r"(d[108]), "+r"(d[109]), "+r"(d[110]), "+r"(d[111]),
          "+r"(d[112]), "+r"(d[113]), "+r"(d[114]), "+r"(d[115]), "+r"(d[116]), "+r"(d[117]), "+r"(d[118]), "+r"(d[119]),
          "+r"(d[120]), "+r"(d[121]), "+r"(d[122]), "+r"(d[123]), "+r"(d[124]), "+r"(d[125]), "+r"(d[126]), "+r"(d[127])
        : "l"(a), "l"(b), "r"((int)more));
}

__device__ __forceinline__ int rank_in_cluster()
{
    int r;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(r));
    return r;
}

/* The same barrier of a CTA of the cluster. Nothing that this thread wrote has to be seen there: a release would wait for all
 * of its stores. */
__device__ __forceinline__ void arrive_at(uint32_t barrier, int rank)
{
    asm volatile("{ .reg .b32 there; mapa.shared::cluster.u32 there, %0, %1; "
                 "mbarrier.arrive.shared::cluster.b64 _, [there]; }" ::"r"(barrier),
                 "r"(rank)
                 : "memory");
}

/* To the same place in all CTAs of the cluster, counted on the barrier of each */
__device__ __forceinline__ void copy_to_all(uint32_t to, const void *from, int bytes, uint32_t barrier)
{
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster "
                 "[%0], [%1], %2, [%3], %4;" ::"r"(to),
                 "l"(from), "r"(bytes), "r"(barrier), "h"((uint16_t)((1 << CTAS) - 1))
                 : "memory");
}

/* Which stage is next, and how often all were */
struct turn {
    int stage = 0, parity = 0;
    __device__ void next()
    {
        if (++stage == STAGES) stage = 0, parity ^= 1;
    }
};

/* One thread */
__device__ void fetch(shared &s, const planes &p, int rank, tiles_of_cluster tiles)
{
    turn at;
    for (tile t; tiles.next(p, &t);) {
        const int8_t *b = p.B + t.plane * p.next_B + ((int64_t)t.col * CTAS + rank) * p.deep * BYTES;
        const int8_t *a = p.A + t.plane * p.next_A + ((int64_t)t.row * CTAS + rank) * p.deep * BYTES;
        for (int k = 0; k < p.deep; k++, at.next(), a += BYTES, b += BYTES) {
            stage &to = s.stages[at.stage];
            const uint32_t full = shared_address(&s.full[at.stage]);
            barrier_wait(shared_address(&s.empty[at.stage]), at.parity ^ 1);
            barrier_expect(full, (int)sizeof(stage));
            bulk_copy(shared_address(to.B), b, BYTES, full);
            copy_to_all(shared_address(to.A[rank]), a, BYTES, full);
        }
    }
}

/* `first`: the warp's first place among the CTA's lines of B */
__device__ __forceinline__ void put(const int32_t (&d)[128], const planes &p, const tile &t, int rank, int first)
{
    const int lane = threadIdx.x % WARP;
    uint8_t *tile = p.product + t.plane * p.rows * p.cols +
                    (((int64_t)t.col * CTAS + rank) * (p.rows / BLOCK) + t.row * (SIDE / BLOCK)) * BYTES + lane % 4 * PIECE;
    with_reduction(p, t.plane, [&](auto reduce) {
#pragma unroll
        for (int half = 0; half < 2; half++) {
            uint8_t *to = tile + line_of_place(first + 8 * half + lane / 4) * BLOCK;
#pragma unroll
            for (int g = 0; g < SIDE / GROUP; g++)
                __stcs((uint4 *)(to + g / 2 * BYTES + g % 2 * GROUP),
                       packed([&](int l) { return reduce(d[4 * (8 * g + l / 2) + 2 * half + l % 2]); }));
        }
    });
}

/* A group of warps */
__device__ void multiply_tiles(shared &s, const planes &p, int rank, tiles_of_cluster tiles)
{
    const int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP, group = warp / GROUP_WARPS;
    const auto release = [&](int stage) {
        if (lane < CTAS) arrive_at(shared_address(&s.empty[stage]), lane);
    };
    turn at;
    for (tile t; tiles.next(p, &t);) {
        int32_t d[128];
        int before = 0;
        for (int k = 0; k < p.deep; k++, at.next()) {
            barrier_wait(shared_address(&s.full[at.stage]), at.parity);
            const uint64_t b = described(s.stages[at.stage].B + group * GROUP * BLOCK), a = described(s.stages[at.stage].A);
            begin_products();
#pragma unroll
            for (int i = 0; i < BLOCK / STEP; i++) multiply_add(d, b + i * STEP / 16, a + i * STEP / 16, k > 0 || i > 0);
            end_products();
            if (k > 0) {
                await_products<1>();
                release(before);
            }
            before = at.stage;
        }
        await_products<0>();
        release(before);
        put(d, p, t, rank, warp * 16);
    }
}

__global__ __launch_bounds__(WARP *WARPS, 1) void multiply_wide(const __grid_constant__ planes p)
{
    extern __shared__ unsigned char memory[];
    shared &s = *(shared *)(((uintptr_t)memory + ALIGNED - 1) / ALIGNED * ALIGNED);
    const int rank = rank_in_cluster();
    if (threadIdx.x == 0) {
        for (int i = 0; i < STAGES; i++) {
            barrier_make(shared_address(&s.full[i]), 1);
            barrier_make(shared_address(&s.empty[i]), CTAS * GROUPS * GROUP_WARPS);
        }
        barriers_made();
    }
    __syncthreads();
    cluster_barrier();
    const tiles_of_cluster tiles((int)blockIdx.x / CTAS, (int)gridDim.x / CTAS);
    if (threadIdx.x < WARP * (WARPS - 1)) multiply_tiles(s, p, rank, tiles);
    else if (threadIdx.x % WARP == 0) fetch(s, p, rank, tiles);
    __syncwarp();
    cluster_barrier(); /* the other CTA's copies and arrivals come here */
}

#else

__global__ void multiply_wide(const __grid_constant__ planes) {}

#endif

} // namespace

cudaError_t has_wgmma(int device, bool *yes)
{
    int major = 0;
    const cudaError_t e = cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
    *yes = major == 9;
    return e;
}

cudaError_t multiply_wgmma(const planes &p, int processors, cudaStream_t stream)
{
    constexpr size_t bytes = sizeof(shared) + ALIGNED;
    const cudaError_t e = cudaFuncSetAttribute(multiply_wide, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
    const int64_t ctas = processors / CTAS * CTAS;
    return e != cudaSuccess ? e : launch(multiply_wide, {ctas, WARP * WARPS, bytes, CTAS, false, false}, stream, p);
}

} // namespace tsl

const void *tsl_cuda_kernel_of_multiply_wide(void)
{
    int device = 0;
    bool yes = false;
    const bool known = cudaGetDevice(&device) == cudaSuccess && tsl::has_wgmma(device, &yes) == cudaSuccess;
    return known && yes ? (const void *)tsl::multiply_wide : nullptr;
}
