/* A strip of a panel of LU on a GPU (kernel/lu_strip.h): what all of the kernel know, and its barriers, letters and watches.
 *
 * Nothing in this kernel keeps the address of another struct of it: so all of them are in registers. */
#ifndef TSL_CUDA_LU_STRIP_CUH
#define TSL_CUDA_LU_STRIP_CUH

#include "kernel/cuda/exchange.cuh"
#include "kernel/cuda/getrf/getrf_pivot.cuh"
#include "kernel/lu_strip.h"

namespace tsl {

constexpr int STRIP_THREADS = 480, TELLERS = 32; /* threads that have rows, at most, and those of the warp beside them */
/* Instead of a place: of a row that was a pivot's; of none. A place, or this, has 40 bits in a message. */
constexpr int64_t GONE = -1, NOWHERE = ((int64_t)1 << 40) - 1;

template <class T> constexpr int WORDS = sizeof(T) > 8 ? 2 : 1;
template <class T> constexpr int CANDIDATE = 2 + TSL_STRIP_BLOCK * WORDS<T>; /* letters */
/* Bytes of shared memory for the candidates of all sources */
template <class T> __host__ __device__ size_t heard_bytes(int sources) { return ((size_t)sources * CANDIDATE<T> + 1) / 2 * 16; }

template <class T> struct strip {
    T *A, *B;
    int64_t lda, ldb, d, m, n, k, end;
    tsl_cyclic rows;
    int64_t each; /* rows of a CTA */
    char *inbox;
    tsl_strip_inbox at;
    tsl_strip_shared *shared;
    long long patience; /* cycles */
    int ctas, sources, me; /* ctas: that have rows; sources: of candidates: processes, or the host */
    int copies, apart;     /* of the sources' candidates, and letters from one to the next */
    bool by_host, speaks;

    __device__ char *inbox_of(int process) const { return ((char *const *)(inbox + at.others))[process]; }
    __device__ tsl_cuda_message *told(int64_t j, int copy) const
    {
        return (tsl_cuda_message *)(inbox + at.told) + (j % 2 * TSL_STRIP_COPIES + copy) * TSL_STRIP_CTAS;
    }
    __device__ tsl_letter *candidates(char *of, int64_t j, int copy) const
    {
        return (tsl_letter *)(of + at.candidates) + (j % 2 * copies + copy) * apart;
    }
    __device__ tsl_letter *row(char *of, int64_t j, int64_t c) const
    {
        return (tsl_letter *)(of + at.rows) + ((j - k) * n + c) * WORDS<T>;
    }
    __device__ T *solved(int64_t j, int64_t c) const
    {
        return (T *)(inbox + at.solved) + (j - k) * TSL_STRIP_COLUMNS + (c - k);
    }
    __device__ tsl_strip_state *state(int cta) const { return (tsl_strip_state *)(inbox + at.states) + cta; }
    __device__ int64_t block_of(int64_t j) const { return k + (j - k) / TSL_STRIP_BLOCK * TSL_STRIP_BLOCK; }
    __device__ int width(int64_t b) const { return (int)min((int64_t)TSL_STRIP_BLOCK, end - b); }
};

/* A row that may be a pivot's: the size of its element, its place, and its number in the CTA */
struct proposal {
    double size;
    int64_t place, row;
};
__device__ inline proposal nobody() { return {-1, NOWHERE, 0}; }

/* The shared memory that does not depend on the number of rows */
template <class T> struct desk {
    T U[TSL_STRIP_BLOCK][TSL_STRIP_COLUMNS]; /* rows of the pivots of a block, from its first column on */
    T u[TSL_STRIP_BLOCK];                    /* the pivot's row in the block, */
    int64_t place;                           /* and where it was */
    int64_t row;      /* of this CTA: the pivot's, */
    bool sends, ends; /* if it has that; the CTA leaves */
    proposal of_warp[STRIP_THREADS / 32];
    int64_t picked[TSL_STRIP_COLUMNS], to[TSL_STRIP_COLUMNS];
};

/* Barriers of named threads: all of the CTA, or those with rows. A warp comes to one as a whole, as bar.* demand: loops whose
 * lanes end apart, and what one thread alone does, may have parted it. */
enum { PROPOSED = 1, UP_TO_DATE, KNOWN, OF_ROWS };
__device__ inline void meet(int barrier, int threads)
{
    __syncwarp();
    asm volatile("bar.sync %0, %1;" ::"r"(barrier), "r"(threads) : "memory");
}
__device__ inline void arrive(int barrier, int threads)
{
    __syncwarp();
    asm volatile("bar.arrive %0, %1;" ::"r"(barrier), "r"(threads) : "memory");
}

template <class T> __device__ void to_words(T a, uint64_t *word)
{
    word[0] = 0;
    memcpy(word, &a, sizeof a);
}

template <class T> __device__ T from_words(const uint64_t *word)
{
    T a;
    memcpy(&a, word, sizeof a);
    return a;
}

/* The lane whose size is the largest, of equal ones that with the least place; sizes below zero are none. All lanes call. */
__device__ inline int best_lane(double size, int64_t place)
{
    const uint64_t bits = size < 0 ? 0 : (uint64_t)__double_as_longlong(size) + 1;
    const unsigned high = (unsigned)(bits >> 32), low = (unsigned)bits;
    bool in = high == largest(high);
    unsigned who = __ballot_sync(ALL_LANES, in);
    if (who & (who - 1)) {
        const uint64_t before = ~(uint64_t)place;
        const unsigned keys[] = {low, (unsigned)(before >> 32), (unsigned)before};
        for (unsigned key : keys) {
            const unsigned most = largest(in ? key : 0);
            in = in && key == most;
        }
        who = __ballot_sync(ALL_LANES, in);
    }
    return __ffs((int)who) - 1;
}

/* Patience, in cycles of the multiprocessor */
struct watch {
    const long long since, patience;

    static __device__ long long now()
    {
        long long cycles;
        asm volatile("mov.u64 %0, %%clock64;" : "=l"(cycles));
        return cycles;
    }
    __device__ explicit watch(long long patience) : since(now()), patience(patience) {}
    __device__ bool over() const { return now() - since >= patience; }
};

/* A letter with this tag, if it comes in time */
__device__ inline bool await_letter(const tsl_letter *at, unsigned tag, const watch &w, uint64_t *word)
{
    for (;;) {
        const tsl_letter l = look(at);
        *word = word_of(l);
        if (has_tag(l, tag)) return true;
        if (w.over()) return false;
    }
}

} // namespace tsl
#endif
