/* A strip of a panel of LU on a GPU (kernel/lu_strip.h): what all of the kernel know, and the rows of a CTA.
 *
 * Rows do not move. A CTA has the same rows all the time, and keeps for each the place in the panel that exchanges have given
 * it. The copies of the panel's first rows, which every process has, are treated alike by all, so a row that was exchanged into
 * another process's part is known there. At the end such rows are stored where they belong, and the pivots' rows on top.
 *
 * The columns go by blocks of eight. The block is on the chip where there is room; all others are in memory, and in the L2
 * cache as a rule. Elements are computed as if column by column: of each element the same operations in the same order. */
#ifndef TSL_CUDA_LU_STRIP_CUH
#define TSL_CUDA_LU_STRIP_CUH

#include "kernel/cuda/exchange.cuh"
#include "kernel/cuda/getrf/getrf_pivot.cuh"
#include "kernel/lu_strip.h"

namespace tsl {

constexpr int STRIP_THREADS = 480, TELLERS = 32; /* threads that have rows, at most, and those of the warp beside them */
constexpr int64_t GONE = -1, NOWHERE = INT64_MAX; /* instead of a place: of a row that was a pivot's; of none */

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
    bool by_host, speaks;

    __device__ char *inbox_of(int process) const { return ((char *const *)(inbox + at.others))[process]; }
    __device__ tsl_letter *told(int64_t j) const { return (tsl_letter *)(inbox + at.told) + j % 2 * 2 * TSL_STRIP_CTAS; }
    __device__ tsl_letter *candidates(char *of, int64_t j) const
    {
        return (tsl_letter *)(of + at.candidates) + j % 2 * sources * CANDIDATE<T>;
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

/* The shared memory that does not depend on the number of rows */
template <class T> struct desk {
    T U[TSL_STRIP_BLOCK][TSL_STRIP_COLUMNS]; /* rows of the pivots of a block, from its first column on */
    T u[TSL_STRIP_BLOCK];                    /* the pivot's row in the block, */
    int64_t place;                           /* and where it was */
    int64_t row;      /* of this CTA: that with the process's candidate; */
    bool asks, sends; /* it is to be told to the host, or to the peers as the pivot's */
    bool ends[2];     /* the CTA leaves: before that, and before the pivot is known */
    proposal of_warp[STRIP_THREADS / 32];
    int64_t picked[TSL_STRIP_COLUMNS], to[TSL_STRIP_COLUMNS];
};

/* Barriers of named threads: all of the CTA, or those with rows */
enum { PROPOSED = 1, UP_TO_DATE, ASKED, KNOWN, OF_ROWS };
__device__ inline void meet(int barrier, int threads)
{
    asm volatile("bar.sync %0, %1;" ::"r"(barrier), "r"(threads) : "memory");
}
__device__ inline void arrive(int barrier, int threads)
{
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

/* Rows of a CTA, and one of the threads that have them. ON_CHIP: their block, and their places, are in shared memory. */
template <class T, bool ON_CHIP> struct cta_rows {
    static constexpr int BLOCK = TSL_STRIP_BLOCK;
    const strip<T> &p;
    desk<T> &s;
    T *const block;       /* columns `each` apart */
    int64_t *const place;
    const int64_t first, count;
    const int t, threads;

    __device__ cta_rows(const strip<T> &p, desk<T> &s, unsigned char *raw)
        : p(p), s(s), block((T *)raw), place(ON_CHIP ? (int64_t *)(raw + p.each * BLOCK * sizeof(T))
                                                     : (int64_t *)(p.inbox + p.at.places) + blockIdx.x * p.each),
          first(blockIdx.x * p.each), count(min(p.each, p.d - p.k + p.m - first)), t(threadIdx.x - TELLERS),
          threads(blockDim.x - TELLERS)
    {
    }

    /* Row v, of those that the process has */
    __device__ T *row_of(int64_t v, int64_t *ld) const
    {
        *ld = v < p.d ? p.lda : p.ldb;
        return v < p.d ? p.A + v : p.B + (v - p.d);
    }
    __device__ T *row(int64_t i, int64_t *ld) const { return row_of(p.k + first + i, ld); }
    __device__ bool is_copy(int64_t i) const { return p.k + first + i < p.d; }
    __device__ int64_t place_at_first(int64_t i) const
    {
        const int64_t v = p.k + first + i;
        return v < p.d ? v : tsl_cyclic_index(&p.rows, v - p.d);
    }

    /* Element c of row i in the block that begins with column b */
    __device__ T &at(int64_t i, int64_t b, int c) const
    {
        if constexpr (ON_CHIP) return block[c * p.each + i];
        int64_t ld;
        T *const a = row(i, &ld);
        return a[(b + c) * ld];
    }

    /* Where rows are after the exchanges of columns before j */
    __device__ void find_places(int64_t j) const
    {
        for (int64_t i = t; i < count; i += threads) {
            int64_t x = place_at_first(i);
            for (int64_t q = p.k; q < j && x != GONE; q++) x = exchanged(x, q, s.picked[q - p.k]);
            place[i] = x;
        }
    }
    static __device__ int64_t exchanged(int64_t x, int64_t j, int64_t pivot) { return x == pivot ? GONE : x == j ? pivot : x; }

    __device__ void load(int64_t b) const
    {
        if constexpr (ON_CHIP)
            for (int64_t i = t; i < count; i += threads) {
                int64_t ld;
                const T *const a = row(i, &ld);
                for (int c = 0; c < p.width(b); c++) at(i, b, c) = a[(b + c) * ld];
            }
    }
    __device__ void store(int64_t b) const
    {
        if constexpr (ON_CHIP)
            for (int64_t i = t; i < count; i += threads) {
                int64_t ld;
                T *const a = row(i, &ld);
                for (int c = 0; c < p.width(b) && place[i] != GONE; c++) a[(b + c) * ld] = at(i, b, c);
            }
    }

    /* The warps' proposals for column j. NaN is none, but on the diagonal, as in LAPACK. */
    __device__ void propose(int64_t j, int64_t b) const
    {
        proposal best = {-1, NOWHERE, 0};
        for (int64_t i = t; i < count; i += threads) {
            const int64_t x = place[i];
            if (x == GONE || (is_copy(i) && !p.speaks)) continue;
            double size = size_of(at(i, b, (int)(j - b)));
            if (isnan(size)) size = x == j ? (double)INFINITY : -1.;
            if (size > best.size || (size == best.size && size >= 0 && x < best.place)) best = {size, x, i};
        }
        if (best_lane(best.size, best.place) == t % 32) s.of_warp[t / 32] = best;
    }

    /* The pivot of column j is known: rows change places, the column is divided by it, and the next one of the block brought up
     * to date */
    __device__ void take(int64_t j, int64_t b) const
    {
        const int c = (int)(j - b);
        const bool more = c + 1 < p.width(b);
        const T u = s.u[c], next = more ? s.u[c + 1] : u;
        const divisor<T> by(u);
        for (int64_t i = t; i < count; i += threads) {
            if (place[i] == GONE) continue;
            const int64_t x = place[i] = exchanged(place[i], j, s.place);
            if (x == GONE) continue;
            const T l = by(at(i, b, c), u);
            at(i, b, c) = l;
            if (more) at(i, b, c + 1) = sub_mul<false>(at(i, b, c + 1), l, next);
        }
    }
    /* The others of the block */
    __device__ void take_rest(int64_t j, int64_t b) const
    {
        const int c = (int)(j - b), width = p.width(b);
        if (c + 2 >= width) return;
        for (int64_t i = t; i < count; i += threads) {
            if (place[i] == GONE) continue;
            const T l = at(i, b, c);
            for (int e = c + 2; e < width; e++) at(i, b, e) = sub_mul<false>(at(i, b, e), l, s.u[e]);
        }
    }

    /* The rows of the pivots of the block at b, from that on. False: they do not come in time. All threads of the CTA call;
     * t < 0 have nothing to do. */
    __device__ bool receive(int64_t b) const
    {
        const int wide = (int)(p.end - b);
        const watch w(p.patience);
        bool late = false;
        for (int e = t; t >= 0 && e < BLOCK * wide && !late; e += threads) {
            const int64_t j = b + e / wide, c = b + e % wide;
            uint64_t word[WORDS<T>] = {};
            for (int h = 0; h < WORDS<T>; h++)
                late = late || !await_letter(p.row(p.inbox, j, c) + h, tsl_strip_tag(j), w, word + h);
            s.U[e / wide][e % wide] = from_words<T>(word);
        }
        if (__syncthreads_or(late)) return false;
        /* U := inv(L) U, L a unit lower triangle */
        for (int c = BLOCK + t; t >= 0 && c < wide; c += threads)
            for (int i = 1; i < BLOCK; i++) {
                T v = s.U[i][c];
                for (int q = 0; q < i; q++) v = sub_mul<false>(v, s.U[i][q], s.U[q][c]);
                s.U[i][c] = v;
            }
        __syncthreads();
        for (int e = t; blockIdx.x == 0 && t >= 0 && e < BLOCK * wide; e += threads)
            *p.solved(b + e / wide, b + e % wide) = s.U[e / wide][e % wide];
        return true;
    }

    /* Columns [from, from + COUNT) of row a: the block at b is eliminated from them, its multipliers being l */
    template <int COUNT> __device__ void eliminate(const T (&l)[BLOCK], T (&v)[COUNT], int from, int upto) const
    {
#pragma unroll
        for (int q = 0; q < BLOCK; q++)
#pragma unroll
            for (int c = 0; c < COUNT; c++)
                if (from + c < upto) v[c] = sub_mul<false>(v[c], l[q], s.U[q][from + c]);
    }

    /* The block at b goes to memory; the next one becomes the present one, and b is eliminated from it. */
    __device__ void advance(int64_t b) const
    {
        const int wide = (int)(p.end - b);
        for (int64_t i = t; i < count; i += threads) {
            if (place[i] == GONE) continue;
            int64_t ld;
            T *const a = row(i, &ld);
            T l[BLOCK], v[BLOCK];
#pragma unroll
            for (int c = 0; c < BLOCK; c++) {
                l[c] = at(i, b, c);
                if (BLOCK + c < wide) v[c] = a[(b + BLOCK + c) * ld];
            }
            eliminate<BLOCK>(l, v, BLOCK, wide);
#pragma unroll
            for (int c = 0; c < BLOCK; c++) {
                if (ON_CHIP) a[(b + c) * ld] = l[c];
                if (BLOCK + c < wide) at(i, b + BLOCK, c) = v[c];
            }
        }
    }

    /* Beside the exchange: from the columns after the present block, b, that before it is eliminated too. */
    __device__ void eliminate_rest(int64_t b) const
    {
        constexpr int AT_ONCE = sizeof(T) > 8 ? 4 : 8;
        const int64_t before = b - BLOCK;
        const int wide = (int)(p.end - before);
        if (wide <= 2 * BLOCK) return;
        for (int64_t i = t; i < count; i += threads) {
            if (place[i] == GONE) continue;
            int64_t ld;
            T *const a = row(i, &ld);
            T l[BLOCK];
#pragma unroll
            for (int c = 0; c < BLOCK; c++) l[c] = a[(before + c) * ld];
            for (int from = 2 * BLOCK; from < wide; from += AT_ONCE) {
                T v[AT_ONCE];
#pragma unroll
                for (int c = 0; c < AT_ONCE; c++)
                    if (from + c < wide) v[c] = a[(before + from + c) * ld];
                eliminate<AT_ONCE>(l, v, from, wide);
#pragma unroll
                for (int c = 0; c < AT_ONCE; c++)
                    if (from + c < wide) a[(before + from + c) * ld] = v[c];
            }
        }
    }

    /* Row i is the process's candidate for column j, or the pivot's: all n elements, to the host or to all processes. The host
     * is told of the block at b by the teller. */
    __device__ void send_row(int64_t i, int64_t j, int64_t b) const
    {
        int64_t ld;
        const T *const a = row(i, &ld);
        const int width = p.width(b);
        for (int64_t c = t; c < p.n; c += threads) {
            const bool in_block = c >= b && c < b + width;
            if (in_block && p.by_host) continue;
            uint64_t word[WORDS<T>];
            to_words(in_block ? at(i, b, (int)(c - b)) : a[c * ld], word);
            for (int q = 0; q < p.sources; q++) {
                tsl_letter *const to = p.by_host ? tsl_strip_question(p.shared) + 2 + c * WORDS<T> : p.row(p.inbox_of(q), j, c);
                for (int h = 0; h < WORDS<T>; h++) send(to + h, word[h], tsl_strip_tag(j));
            }
        }
    }
};

} // namespace tsl
#endif
