/* A strip of a panel of LU on a GPU: who talks. In each CTA a warp, the teller, is for what is told and heard of a column,
 * while the others compute: the CTAs of a process tell each other their proposals, and all of them know which is the process's
 * candidate; the CTA that has it tells the other processes, or the host; and all hear these. One more CTA, the porter, brings
 * what the host answers from its memory into the inbox, where all find it. What many CTAs look at is there in copies, so that
 * they do not all ask the same part of the L2 cache.
 *
 * Each place is one of two, by turns. A CTA tells of column j + 2 when it has heard all of column j + 1, which each has told of
 * after it had read all that there is about column j: so it overwrites nothing that is still to be read. */
#ifndef TSL_CUDA_LU_STRIP_TALK_CUH
#define TSL_CUDA_LU_STRIP_TALK_CUH

#include "kernel/cuda/getrf/lu_strip_rows.cuh"

namespace tsl {

/* A process's candidate, and the CTA that has it */
struct elected {
    double size;
    int64_t place;
    int cta;
};

/* What a CTA tells the others: a message whose tag has 24 bits about what, and a place */
__device__ inline uint64_t told_tag(unsigned tag, int64_t place) { return (uint64_t)tag << 40 | (uint64_t)place; }

/* What all CTAs have told with this tag: the best of it. False: not all have in time. One warp */
inline __device__ bool hear_ctas(const tsl_cuda_message *from, int ctas, unsigned tag, long long patience, elected *best)
{
    constexpr int EACH = TSL_STRIP_CTAS / 32;
    const int lane = threadIdx.x % 32;
    const watch w(patience);
    unsigned missing = 0;
#pragma unroll
    for (int i = 0; i < EACH; i++) missing |= (unsigned)(lane + 32 * i < ctas) << i;
    *best = {-1, NOWHERE, 0};
    for (;;) {
        tsl_cuda_message m[EACH];
#pragma unroll
        for (int i = 0; i < EACH; i++)
            if (missing >> i & 1) m[i] = look(from + lane + 32 * i);
#pragma unroll
        for (int i = 0; i < EACH; i++)
            if (missing >> i & 1 && (unsigned)(m[i].tag >> 40) == tag) {
                const double size = __longlong_as_double((long long)m[i].word);
                const int64_t place = (int64_t)(m[i].tag & (uint64_t)NOWHERE);
                if (size > best->size || (size == best->size && place < best->place)) *best = {size, place, lane + 32 * i};
                missing &= ~(1u << i);
            }
        if (!__any_sync(ALL_LANES, missing != 0)) break;
        if (__any_sync(ALL_LANES, w.over())) return false;
    }
    const int at = best_lane(best->size, best->place);
    *best = {of_lane(best->size, at), (int64_t)__shfl_sync(ALL_LANES, (long long)best->place, at),
             __shfl_sync(ALL_LANES, best->cta, at)};
    return true;
}

template <class T, bool ON_CHIP> struct teller {
    using cta = cta_rows<T, ON_CHIP>;
    static constexpr int BLOCK = TSL_STRIP_BLOCK;
    const strip<T> &p;
    desk<T> &s;
    uint64_t *const heard; /* of all sources, CANDIDATE words each */

    /* What the CTA tells the others of its process */
    __device__ void tell(int64_t j, unsigned tag, double size, int64_t place) const
    {
        const int lane = threadIdx.x % 32;
        if (lane < TSL_STRIP_COPIES)
            send(p.told(j, lane) + blockIdx.x, (uint64_t)__double_as_longlong(size), told_tag(tag, place));
    }
    __device__ bool hear(int64_t j, unsigned tag, elected *best) const
    {
        return hear_ctas(p.told(j, blockIdx.x % TSL_STRIP_COPIES), p.ctas, tag, p.patience, best);
    }

    /* Word i of the candidate for column j, whose row is one of this CTA's */
    __device__ uint64_t word_of_candidate(const cta &rows, const proposal &mine, int64_t b, int i) const
    {
        if (i == 0) return (uint64_t)__double_as_longlong(mine.size);
        if (i == 1) return (uint64_t)mine.place;
        const int c = (i - 2) / WORDS<T>;
        uint64_t word[WORDS<T>] = {};
        if (mine.size >= 0 && c < p.width(b)) to_words(rows.at(mine.row, b, c), word);
        return word[(i - 2) % WORDS<T>];
    }
    __device__ void tell_outside(const cta &rows, const proposal &mine, int64_t j, int64_t b) const
    {
        const int lane = threadIdx.x % 32;
        for (int i = lane; i < CANDIDATE<T>; i += 32) {
            const uint64_t word = word_of_candidate(rows, mine, b, i);
            if (p.by_host) send(tsl_strip_question(p.shared) + i, word, tsl_strip_tag(j));
            else heard[i] = word;
        }
        __syncwarp();
        for (int e = lane; !p.by_host && e < p.sources * p.copies * CANDIDATE<T>; e += 32) {
            const int i = e % CANDIDATE<T>, q = e / CANDIDATE<T> % p.sources, copy = e / CANDIDATE<T> / p.sources;
            send(p.candidates(p.inbox_of(q), j, copy) + p.me * CANDIDATE<T> + i, heard[i], tsl_strip_tag(j));
        }
        __syncwarp();
    }

    /* All candidates; and the best of them becomes the pivot. False: not all are there in time. */
    __device__ bool hear_outside(int64_t j, const proposal &mine, bool is_mine) const
    {
        constexpr int EACH = 4; /* letters that a lane looks at before it looks whether they are new */
        const int lane = threadIdx.x % 32, all = p.sources * CANDIDATE<T>;
        const tsl_letter *const from = p.candidates(p.inbox, j, blockIdx.x % p.copies);
        const unsigned tag = tsl_strip_tag(j);
        const watch w(p.patience);
        bool late = false;
        for (int e = lane; e < all && !late; e += 32 * EACH) {
            tsl_letter l[EACH];
#pragma unroll
            for (int i = 0; i < EACH; i++)
                if (e + 32 * i < all) l[i] = look(from + e + 32 * i);
#pragma unroll
            for (int i = 0; i < EACH; i++)
                if (e + 32 * i < all && !late) {
                    uint64_t word = word_of(l[i]);
                    late = !has_tag(l[i], tag) && !await_letter(from + e + 32 * i, tag, w, &word);
                    heard[e + 32 * i] = word;
                }
        }
        if (__any_sync(ALL_LANES, late)) return false;
        __syncwarp();
        double size = -1;
        int64_t place = NOWHERE;
        int source = 0;
        for (int q = lane; q < p.sources; q += 32) {
            const double other = __longlong_as_double((long long)heard[q * CANDIDATE<T>]);
            const int64_t there = (int64_t)heard[q * CANDIDATE<T> + 1];
            if (other > size || (other == size && there < place)) size = other, place = there, source = q;
        }
        const int best = p.sources == 1 ? 0 : best_lane(size, place);
        source = __shfl_sync(ALL_LANES, source, best);
        if (lane < BLOCK) s.u[lane] = from_words<T>(heard + source * CANDIDATE<T> + 2 + lane * WORDS<T>);
        if (lane == best) {
            s.place = s.picked[j - p.k] = place;
            s.sends = is_mine && place == mine.place;
            s.row = mine.row;
            if (blockIdx.x == 0) p.shared->chosen[j - p.k] = {size, place};
        }
        return true;
    }

    /* Column j of the block at b. The CTA leaves: false. stage: how far it comes */
    __device__ bool talk(const cta &rows, int64_t j, int64_t b, int *stage) const
    {
        const int lane = threadIdx.x % 32, all = blockDim.x;
        meet(PROPOSED, all);
        proposal mine = lane < rows.threads / 32 ? s.of_warp[lane] : nobody();
        const int at = best_lane(mine.size, mine.place);
        mine = {of_lane(mine.size, at), (int64_t)__shfl_sync(ALL_LANES, (long long)mine.place, at),
                (int64_t)__shfl_sync(ALL_LANES, (long long)mine.row, at)};
        tell(j, tsl_strip_tag(j), mine.size, mine.place);
        elected best;
        const bool together = hear(j, tsl_strip_tag(j), &best), is_mine = together && best.cta == blockIdx.x;
        meet(UP_TO_DATE, all); /* the candidate's row is */
        if (is_mine && *stage != TSL_STRIP_TOLD) tell_outside(rows, mine, j, b);
        if (together) *stage = TSL_STRIP_TOLD;
        const bool known = together && hear_outside(j, mine, is_mine);
        if (lane == 0) s.ends = !known;
        arrive(KNOWN, all);
        return known;
    }

    /* All CTAs have done all columns: what they have written is seen after that. False: not in time */
    __device__ bool all_done() const
    {
        elected none;
        fence();
        tell(p.end, tsl_strip_end_tag(p.end), 0, 0);
        const bool done = hear(p.end, tsl_strip_end_tag(p.end), &none);
        fence();
        return done;
    }
};

/* The porter: from the host's answers to the inbox. All threads of a CTA */
template <class T> struct porter {
    const strip<T> &p;
    uint64_t *const words; /* in shared memory, of a candidate */

    /* The answer about column j, into all copies */
    __device__ bool bring_answer(int64_t j) const
    {
        const tsl_letter *const from = tsl_strip_answer(p.shared, WORDS<T>, j);
        const int few = 2 + p.width(p.block_of(j)) * WORDS<T>, i = threadIdx.x;
        const watch w(p.patience);
        bool late = false;
        if (i < CANDIDATE<T>) words[i] = 0;
        if (i < few) late = !await_letter(from + i, tsl_strip_tag(j), w, words + i);
        if (__syncthreads_or(late)) return false;
        for (int e = threadIdx.x; e < p.copies * CANDIDATE<T>; e += blockDim.x)
            send(p.candidates(p.inbox, j, e / CANDIDATE<T>) + e % CANDIDATE<T>, words[e % CANDIDATE<T>], tsl_strip_tag(j));
        __syncthreads();
        return true;
    }

    /* The rows of the block that ends with column j, 16 bytes at a time */
    __device__ bool bring_rows(int64_t j) const
    {
        constexpr int EACH = 16 / sizeof(T);
        const int64_t b = p.block_of(j), pieces = (p.n + EACH - 1) / EACH;
        uint64_t none;
        const bool late = !await_letter(tsl_strip_rows_there(p.shared, WORDS<T>), tsl_strip_tag(j), watch(p.patience), &none);
        if (__syncthreads_or(late)) return false;
        fence_system();
        for (int64_t e = threadIdx.x; e < pieces * p.width(b); e += blockDim.x) {
            const int64_t i = e / pieces, c = e % pieces * EACH;
            const char *const row = tsl_strip_row(p.shared, WORDS<T>, p.n, sizeof(T), i);
            const tsl_letter piece = look((const tsl_letter *)(row + c * sizeof(T)));
            T a[EACH];
            memcpy(a, &piece, sizeof a);
#pragma unroll
            for (int q = 0; q < EACH; q++)
                if (c + q < p.n) {
                    uint64_t word[WORDS<T>];
                    to_words(a[q], word);
                    for (int h = 0; h < WORDS<T>; h++) send(p.row(p.inbox, b + i, c + q) + h, word[h], tsl_strip_tag(b + i));
                }
        }
        return true;
    }

    __device__ void run() const
    {
        tsl_strip_state *const state = p.state(p.ctas);
        const bool fresh = state->strip != p.k + 1;
        int64_t j = fresh ? p.k : state->step;
        bool rows = !fresh && state->stage == TSL_STRIP_HEARD; /* the answer about column j has been brought */
        bool goes = true;
        for (; j < p.end && goes; j += goes) {
            if (!rows) goes = bring_answer(j);
            rows = goes && (j + 1 == p.end || p.block_of(j + 1) == j + 1);
            if (rows) goes = bring_rows(j);
            rows = rows && !goes;
        }
        __syncthreads(); /* all have read the state */
        if (threadIdx.x > 0) return;
        state->strip = p.k + 1, state->step = j, state->stage = rows ? TSL_STRIP_HEARD : TSL_STRIP_FRESH;
        if (j < p.end) p.shared->left = 1;
    }
};

} // namespace tsl
#endif
