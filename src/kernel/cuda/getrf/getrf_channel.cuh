/* Messages between the parties of a panel of LU: the warps of a CTA that has the panel alone, or else CTAs. In each step every
 * party sends its candidate for the pivot: that row's columns from the step's on, as far as they are of the block, and where in
 * the matrix the row is. The one with the pivot then sends the whole row, which is needed when the block ends. There are three
 * ways:
 *   alone       through shared memory
 *   cluster     into the others' shared memory; the bytes are counted there, on barriers that all wait for
 *   through_l2  through the L2 cache (exchange.cuh), for more CTAs than a cluster has
 * Step j has set j mod SETS of the candidates' places. They are read until the own candidate of step j + 2 is sent, and
 * overwritten only by those who have that. Rows of block b are read before the first candidate of block b + 1 is sent, and
 * overwritten by those who have it. */
#ifndef TSL_CUDA_GETRF_CHANNEL_CUH
#define TSL_CUDA_GETRF_CHANNEL_CUH

#include "kernel/cuda/exchange.cuh"
#include "kernel/cuda/getrf/getrf_form.cuh"
#include "kernel/cuda/tma.cuh"

namespace tsl {

constexpr int SETS = 4;       /* of candidates; a power of two above 2 */
constexpr int MOST_CLUSTER = 16; /* CTAs of a cluster */

struct __align__(16) chunk {
    uint64_t word[2];
};

/* What is received. Candidate i of set k: its elements from candidates[(k parties + i) SLOT] on, its place places[k parties +
 * i]. Row k of a block is rows[k COLS] and so on. */
template <class F> struct received {
    typename F::T *candidates, *rows;
    int64_t *places;
    uint64_t *barriers; /* of a cluster: those of the sets, and that of the rows */
};

/* The CTAs of a launch, and which one this is; what else only some ways need */
struct parties {
    int ctas, cta, steps;
    tsl_cuda_message *messages;
    unsigned epoch; /* that of step 0 */
};

template <class F> struct alone {
    static constexpr bool ALONE = true, EARLY = true;
    const received<F> to;
    const int count; /* of the parties */

    __device__ alone(const received<F> &r, const parties &) : to(r), count(blockDim.x / 32) {}
    __device__ void open() const {}
    __device__ void receive(int) const { __syncthreads(); }
    __device__ void send_row(int j, chunk c, int lane) const
    {
        if (lane < F::ROW_CHUNKS) ((chunk *)(to.rows + j % F::BLOCK * F::COLS))[lane] = c;
    }
    __device__ void receive_rows(int, int) const {}
};

template <class F> struct cluster {
    static constexpr bool ALONE = false, EARLY = true;
    /* Lanes send a candidate's chunks, one each, to several CTAs at a time. */
    static constexpr int SLOTS = 32 / F::SLOT_CHUNKS, ROUNDS = (MOST_CLUSTER + SLOTS - 1) / SLOTS;
    const received<F> to;
    const int count, cta, steps;
    uint32_t far, slot_far[ROUNDS]; /* from an address here to that of the same in CTA `lane`, and in those of the rounds: to ask takes time */

    __device__ cluster(const received<F> &r, const parties &p) : to(r), count(p.ctas), cta(p.cta), steps(p.steps)
    {
#if __CUDA_ARCH__ >= 900
        const int lane = threadIdx.x % 32;
        far = distance(lane);
#pragma unroll
        for (int i = 0; i < ROUNDS; i++) slot_far[i] = distance(lane / F::SLOT_CHUNKS + i * SLOTS);
#endif
    }

#if __CUDA_ARCH__ >= 900
    static __device__ uint32_t in_cta(uint32_t address, int rank)
    {
        uint32_t there;
        asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(address), "r"(rank));
        return there;
    }
    static __device__ void store(uint32_t to, chunk c, uint32_t barrier)
    {
        asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v2.b64 [%0], {%1, %2}, [%3];" ::"r"(to), "l"(c.word[0]),
                     "l"(c.word[1]), "r"(barrier)
                     : "memory");
    }

    __device__ uint32_t distance(int rank) const
    {
        const uint32_t here = shared_address(to.barriers);
        return in_cta(here, min(rank, count - 1)) - here;
    }

    __device__ void expect(int j) const
    {
        if (threadIdx.x == 0 && j < steps)
            barrier_expect(shared_address(to.barriers + j % SETS), count * (F::SLOT_CHUNKS * (int)sizeof(chunk) + 8));
    }
    __device__ void expect_rows(int b) const
    {
        const int rows = min(F::BLOCK, steps - b * F::BLOCK);
        if (threadIdx.x == 0 && rows > 0) barrier_expect(shared_address(to.barriers + SETS), rows * F::ROW_CHUNKS * (int)sizeof(chunk));
    }

    /* before the first message, in all CTAs */
    __device__ void open() const
    {
        if (threadIdx.x == 0) {
            for (int k = 0; k <= SETS; k++) barrier_make(shared_address(to.barriers + k), 1);
            barriers_made();
        }
        __syncthreads();
        for (int k = 0; k < SETS; k++) expect(k);
        expect_rows(0);
        __syncthreads(); /* warps are whole again */
        asm volatile("barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;" ::: "memory");
    }

    /* c: lane l has chunk l mod SLOT_CHUNKS of the candidate */
    __device__ void send(int j, chunk c, int64_t place, int lane) const
    {
        const int at = j % SETS * count + cta;
        const uint32_t slot = shared_address((const chunk *)(to.candidates + at * F::SLOT) + lane % F::SLOT_CHUNKS);
        const uint32_t there = shared_address(to.places + at), on = shared_address(to.barriers + j % SETS);
#pragma unroll
        for (int i = 0; i < ROUNDS; i++)
            if (lane / F::SLOT_CHUNKS + i * SLOTS < count) store(slot + slot_far[i], c, on + slot_far[i]);
        if (lane < count)
            asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b64 [%0], %1, [%2];" ::"r"(there + far), "l"(place), "r"(on + far)
                         : "memory");
    }

    __device__ void receive(int j) const
    {
        barrier_wait(shared_address(to.barriers + j % SETS), j / SETS & 1);
        expect(j + SETS);
    }

    __device__ void send_row(int j, chunk c, int lane) const
    {
        const uint32_t row = shared_address((const chunk *)(to.rows + j % F::BLOCK * F::COLS) + lane % F::ROW_CHUNKS);
        const uint32_t on = shared_address(to.barriers + SETS);
        for (int other = lane / F::ROW_CHUNKS; other < count; other += 32 / F::ROW_CHUNKS) store(in_cta(row, other), c, in_cta(on, other));
    }

    __device__ void receive_rows(int b, int) const
    {
        barrier_wait(shared_address(to.barriers + SETS), b & 1);
        expect_rows(b + 1);
    }
#else
    __device__ void open() const {}
    __device__ void send(int, chunk, int64_t, int) const {}
    __device__ void receive(int) const {}
    __device__ void send_row(int, chunk, int) const {}
    __device__ void receive_rows(int, int) const {}
#endif
};

/* A message has a word of a row; the tag is the step's epoch above the row's place, the same in all of them. Rows of a block
 * have places after those of the candidates; those of the next block have others. */
template <class F> struct through_l2 {
    static constexpr bool ALONE = false, EARLY = false;
    static constexpr int WORDS = F::SLOT_CHUNKS * 2, ROW_WORDS = F::ROW_CHUNKS * 2;
    static constexpr size_t bytes(int ctas) { return (size_t)(SETS * ctas * WORDS + 2 * F::BLOCK * ROW_WORDS) * sizeof(tsl_cuda_message); }
    const received<F> to;
    const int count, cta;
    const unsigned epoch;
    tsl_cuda_message *const box, *const rows;

    __device__ through_l2(const received<F> &r, const parties &p)
        : to(r), count(p.ctas), cta(p.cta), epoch(p.epoch), box(p.messages), rows(p.messages + SETS * p.ctas * WORDS)
    {
    }
    __device__ void open() const {}

    __device__ static void put(tsl_cuda_message *at, chunk c, uint64_t tag)
    {
        tsl::send(at, c.word[0], tag);
        tsl::send(at + 1, c.word[1], tag);
    }
    __device__ static tsl_cuda_message get_new(const tsl_cuda_message *at, unsigned epoch)
    {
        tsl_cuda_message m;
        do m = look(at);
        while ((unsigned)(m.tag >> 32) != epoch);
        return m;
    }
    __device__ tsl_cuda_message *row(int j) const { return rows + j % (2 * F::BLOCK) * ROW_WORDS; }

    __device__ void send(int j, chunk c, int64_t place, int lane) const
    {
        if (lane < F::SLOT_CHUNKS) put(box + (j % SETS * count + cta) * WORDS + 2 * lane, c, (uint64_t)(epoch + j) << 32 | (unsigned)place);
    }

    __device__ void receive(int j) const
    {
        const int first = j % SETS * count;
        for (int i = threadIdx.x; i < count * WORDS; i += blockDim.x) {
            const tsl_cuda_message m = get_new(box + first * WORDS + i, epoch + j);
            const int from = first + i / WORDS, word = i % WORDS;
            ((uint64_t *)(to.candidates + from * F::SLOT))[word] = m.word;
            if (word == 0) to.places[from] = (int)m.tag;
        }
        __syncthreads();
    }

    __device__ void send_row(int j, chunk c, int lane) const
    {
        if (lane < F::ROW_CHUNKS) put(row(j) + 2 * lane, c, (uint64_t)(epoch + j) << 32);
    }

    __device__ void receive_rows(int b, int rows_of_block) const
    {
        const int first = b * F::BLOCK;
        for (int i = threadIdx.x; i < rows_of_block * ROW_WORDS; i += blockDim.x)
            ((uint64_t *)to.rows)[i] = get_new(row(first) + i, epoch + first + i / ROW_WORDS).word;
    }
};

} // namespace tsl
#endif
