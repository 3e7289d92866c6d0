/* Messages between the CTAs of a panel of LU: in each step every CTA sends one row, its columns from the step's on, and where in the matrix
 * that row is. A warp sends, 16 bytes of the row a lane; all receive, and find the rows side by side in shared memory. There are three ways:
 *   alone     one CTA has nothing to send
 *   cluster   into the others' shared memory; the bytes are counted there, on a barrier that all wait for
 *   mail      through the L2 cache (device/cuda/mail.h), for more CTAs than a cluster has
 * Step j has set j mod SETS, for the time of number `round`. What is received in it is read until the CTA's own message of step j + 2 is
 * sent. With that the others may send theirs of step j + 3: so there are three sets in a cluster. Mail is stored by the CTA itself, later
 * than that, and two are enough. */
#ifndef TSL_CUDA_GETRF_WIRE_CUH
#define TSL_CUDA_GETRF_WIRE_CUH

#include "device/cuda/mail.h"
#include "kernel/cuda/scalar.cuh"
#include "kernel/cuda/tma.cuh"

namespace tsl {

struct __align__(16) chunk {
    uint64_t word[2];
};

/* Chunks of a row whose first n elements are sent, as a power of two: so many lanes send to one CTA, the next to another. */
template <class T> __device__ int chunk_bits(int n)
{
    constexpr int EACH = 16 / sizeof(T);
    return 32 - __clz((n + EACH - 1) / EACH - 1);
}

/* Rows received: row i of set k begins at rows[(k ctas + i) WIDTH], and its place is places[k ctas + i]. */
template <class F> struct received {
    typename F::T *rows;
    int64_t *places;
    uint64_t *barriers; /* of a cluster */
};

template <class F> struct alone {
    static constexpr int SETS = 2;
    static constexpr bool ALONE = true, EARLY = true;
    const received<F> to;

    __device__ alone(const received<F> &r, int, int, int, tsl_cuda_message *, unsigned) : to(r) {}
    __device__ void open(int) const {}
    __device__ void send(int, int set, int bits, chunk c, int64_t place, int lane) const
    {
        if (lane < 1 << bits) ((chunk *)(to.rows + set * F::WIDTH))[lane] = c;
        if (lane == 0) to.places[set] = place;
    }
    __device__ void receive(int, int, int, int, int, int, int) const { __syncthreads(); }
};

template <class F> struct cluster {
    static constexpr int SETS = 3;
    static constexpr bool ALONE = false, EARLY = true;
    const received<F> to;
    const int ctas, cta, n;

    __device__ cluster(const received<F> &r, int ctas, int cta, int n, tsl_cuda_message *, unsigned) : to(r), ctas(ctas), cta(cta), n(n) {}

#if __CUDA_ARCH__ >= 900
    static __device__ uint32_t in_cta(uint32_t address, int rank)
    {
        uint32_t there;
        asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(address), "r"(rank));
        return there;
    }

    __device__ void expect(int j, int set, int steps) const
    {
        if (threadIdx.x == 0 && j < steps)
            barrier_expect(shared_address(to.barriers + set), ctas * (((int)sizeof(chunk) << chunk_bits<typename F::T>(n - j)) + 8));
    }

    /* before the first message, in all CTAs */
    __device__ void open(int steps) const
    {
        if (threadIdx.x == 0) {
            for (int k = 0; k < SETS; k++) barrier_make(shared_address(to.barriers + k), 1);
            barriers_made();
        }
        for (int k = 0; k < SETS; k++) expect(k, k, steps);
        __syncthreads(); /* warps are whole again */
        asm volatile("barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;" ::: "memory");
    }

    __device__ void send(int, int set, int bits, chunk c, int64_t place, int lane) const
    {
        const int at = set * ctas + cta, mine = lane & ((1 << bits) - 1), next = 32 >> bits;
        const uint32_t row = shared_address((chunk *)(to.rows + at * F::WIDTH) + mine), barrier = shared_address(to.barriers + set);
        for (int other = lane >> bits; other < ctas; other += next)
            asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v2.b64 [%0], {%1, %2}, [%3];" ::"r"(in_cta(row, other)),
                         "l"(c.word[0]), "l"(c.word[1]), "r"(in_cta(barrier, other))
                         : "memory");
        if (lane < ctas)
            asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b64 [%0], %1, [%2];" ::"r"(
                             in_cta(shared_address(to.places + at), lane)),
                         "l"(place), "r"(in_cta(barrier, lane))
                         : "memory");
    }

    __device__ void receive(int j, int set, int round, int steps, int, int, int) const
    {
        barrier_wait(shared_address(to.barriers + set), round & 1);
        expect(j + SETS, set, steps);
    }
#else
    __device__ void open(int) const {}
    __device__ void send(int, int, int, chunk, int64_t, int) const {}
    __device__ void receive(int, int, int, int, int, int, int) const {}
#endif
};

/* A message has a word of the row; the tag is the step's epoch above the row's place, the same in all of them. */
template <class F> struct mail {
    static constexpr int SETS = 2;
    static constexpr bool ALONE = false, EARLY = false;
    static constexpr int WORDS = F::CHUNKS * 2, OF_LANE = (WORDS + 31) / 32; /* of a row */
    static constexpr int AT_ONCE = 3; /* rows a warp asks for, which takes the time of one */
    static constexpr size_t bytes(int ctas) { return (size_t)SETS * ctas * WORDS * sizeof(tsl_cuda_message); }
    const received<F> to;
    const int ctas, cta, n;
    tsl_cuda_message *const box;
    const unsigned epoch;

    __device__ mail(const received<F> &r, int ctas, int cta, int n, tsl_cuda_message *box, unsigned epoch)
        : to(r), ctas(ctas), cta(cta), n(n), box(box), epoch(epoch)
    {
    }
    __device__ void open(int) const {}

    __device__ void send(int j, int set, int bits, chunk c, int64_t place, int lane) const
    {
        tsl_cuda_message *const at = box + (set * ctas + cta) * WORDS + 2 * lane;
        const uint64_t tag = (uint64_t)(epoch + j) << 32 | (unsigned)place;
        if (lane < 1 << bits) {
            tsl_cuda_send(at, c.word[0], tag);
            tsl_cuda_send(at + 1, c.word[1], tag);
        }
    }

    __device__ void receive(int j, int set, int, int, int warp, int warps, int lane) const
    {
        const int words = 2 << chunk_bits<typename F::T>(n - j);
        for (int first = warp; first < ctas; first += warps * AT_ONCE) {
            tsl_cuda_message v[AT_ONCE][OF_LANE];
            const tsl_cuda_message *const at = box + (set * ctas + first) * WORDS + lane;
            const auto takes = [=](int k, int i) { return first + k * warps < ctas && lane + i * 32 < words; };
            bool fresh;
            do {
                fresh = true;
#pragma unroll
                for (int k = 0; k < AT_ONCE; k++)
#pragma unroll
                    for (int i = 0; i < OF_LANE; i++)
                        if (takes(k, i)) v[k][i] = tsl_cuda_look(at + k * warps * WORDS + i * 32);
#pragma unroll
                for (int k = 0; k < AT_ONCE; k++)
#pragma unroll
                    for (int i = 0; i < OF_LANE; i++)
                        if (takes(k, i)) fresh = fresh && (unsigned)(v[k][i].tag >> 32) == epoch + j;
            } while (!__all_sync(0xffffffffu, fresh));
#pragma unroll
            for (int k = 0; k < AT_ONCE; k++) {
                const int row = set * ctas + first + k * warps;
                uint64_t *const words_of = (uint64_t *)(to.rows + row * F::WIDTH);
#pragma unroll
                for (int i = 0; i < OF_LANE; i++)
                    if (takes(k, i)) words_of[lane + i * 32] = v[k][i].word;
                if (takes(k, 0) && lane == 0) to.places[row] = (int)v[k][0].tag;
            }
        }
        __syncthreads();
    }
};

} // namespace tsl
#endif
