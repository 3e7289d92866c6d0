/* A strip of a panel of LU on a GPU: who talks. In each CTA a warp, the teller, is for what is told and heard of a column,
 * while the others compute: the CTAs of a process tell each other their proposals, and all of them know which is the process's
 * candidate; the CTA that has it tells the other processes, or the host; and all hear what these have told. What the host
 * answers one more CTA, the porter, brings from its memory into the inbox, where all find it.
 *
 * Each place is one of two, by turns. A CTA tells of column j + 2 when it has heard all of column j + 1, which each has told of
 * after it had read all that there is about column j: so it overwrites nothing that is still to be read. */
#ifndef TSL_CUDA_LU_STRIP_TALK_CUH
#define TSL_CUDA_LU_STRIP_TALK_CUH

#include "kernel/cuda/getrf/lu_strip.cuh"

namespace tsl {

/* A process's candidate, and the CTA that has it */
struct elected {
    double size;
    int64_t place;
    int cta;
};

/* What all CTAs have told, as letters with this tag: the best of it. False: not all have in time. One warp */
inline __device__ bool hear_ctas(const tsl_letter *from, int ctas, unsigned tag, long long patience, elected *best)
{
    constexpr int EACH = TSL_STRIP_CTAS / 32;
    const int lane = threadIdx.x % 32;
    const watch w(patience);
    unsigned missing = 0;
#pragma unroll
    for (int i = 0; i < EACH; i++) missing |= (unsigned)(lane + 32 * i < ctas) << i;
    *best = {-1, NOWHERE, 0};
    for (;;) {
        tsl_letter l[EACH][2];
#pragma unroll
        for (int i = 0; i < EACH; i++)
            if (missing >> i & 1)
#pragma unroll
                for (int h = 0; h < 2; h++) l[i][h] = look(from + 2 * (lane + 32 * i) + h);
#pragma unroll
        for (int i = 0; i < EACH; i++)
            if (missing >> i & 1 && has_tag(l[i][0], tag) && has_tag(l[i][1], tag)) {
                const double size = __longlong_as_double((long long)word_of(l[i][0]));
                const int64_t place = (int64_t)word_of(l[i][1]);
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
    static constexpr int BLOCK = TSL_STRIP_BLOCK;
    const strip<T> &p;
    desk<T> &s;
    const cta_rows<T, ON_CHIP> &rows;
    uint64_t *const heard; /* of all sources, CANDIDATE words each */

    /* What the CTA tells the others of its process, in two lanes */
    __device__ void tell(int64_t j, unsigned tag, double size, int64_t place) const
    {
        const int lane = threadIdx.x % 32;
        if (lane < 2)
            send(p.told(j) + 2 * blockIdx.x + lane, lane ? (uint64_t)place : (uint64_t)__double_as_longlong(size), tag);
    }

    /* Word i of the candidate for column j, whose row is one of this CTA's */
    __device__ uint64_t word_of_candidate(const proposal &mine, int64_t b, int i) const
    {
        if (i == 0) return (uint64_t)__double_as_longlong(mine.size);
        if (i == 1) return (uint64_t)mine.place;
        const int c = (i - 2) / WORDS<T>;
        uint64_t word[WORDS<T>] = {};
        if (mine.size >= 0 && c < p.width(b)) to_words(rows.at(mine.row, b, c), word);
        return word[(i - 2) % WORDS<T>];
    }
    __device__ void tell_outside(const proposal &mine, int64_t j, int64_t b) const
    {
        for (int e = threadIdx.x % 32; e < (p.by_host ? 1 : p.sources) * CANDIDATE<T>; e += 32) {
            const int i = e % CANDIDATE<T>;
            tsl_letter *to = p.candidates(p.by_host ? p.inbox : p.inbox_of(e / CANDIDATE<T>), j) + p.me * CANDIDATE<T> + i;
            if (p.by_host) to = tsl_strip_question(p.shared) + (i < 2 ? i : i + b * WORDS<T>);
            if (!p.by_host || i < 2 + p.width(b) * WORDS<T>) send(to, word_of_candidate(mine, b, i), tsl_strip_tag(j));
        }
    }

    /* All candidates; and the best of them becomes the pivot. False: not all are there in time. */
    __device__ bool hear_outside(int64_t j, const proposal &mine, bool is_mine) const
    {
        const int lane = threadIdx.x % 32;
        const tsl_letter *const from = p.candidates(p.inbox, j);
        const watch w(p.patience);
        bool late = false;
        for (int e = lane; e < p.sources * CANDIDATE<T> && !late; e += 32)
            late = !await_letter(from + e, tsl_strip_tag(j), w, heard + e);
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
        const int best = best_lane(size, place);
        source = __shfl_sync(ALL_LANES, source, best);
        if (lane < BLOCK) s.u[lane] = from_words<T>(heard + source * CANDIDATE<T> + 2 + lane * WORDS<T>);
        if (lane == best) {
            s.place = s.picked[j - p.k] = place;
            s.sends = is_mine && !p.by_host && source == p.me;
            s.row = mine.row;
            if (blockIdx.x == 0) p.shared->chosen[j - p.k] = {size, place};
        }
        return true;
    }

    /* Column j of the block at b. The CTA leaves: false. stage: how far it comes */
    __device__ bool talk(int64_t j, int64_t b, int *stage) const
    {
        const int lane = threadIdx.x % 32, all = blockDim.x;
        meet(PROPOSED, all);
        proposal mine = lane < rows.threads / 32 ? s.of_warp[lane] : proposal{-1, NOWHERE, 0};
        const int at = best_lane(mine.size, mine.place);
        mine = {of_lane(mine.size, at), (int64_t)__shfl_sync(ALL_LANES, (long long)mine.place, at),
                (int64_t)__shfl_sync(ALL_LANES, (long long)mine.row, at)};
        tell(j, tsl_strip_tag(j), mine.size, mine.place);
        elected best;
        const bool together = hear_ctas(p.told(j), p.ctas, tsl_strip_tag(j), p.patience, &best),
                   is_mine = together && best.cta == blockIdx.x;
        const bool tells = is_mine && *stage != TSL_STRIP_TOLD;
        meet(UP_TO_DATE, all); /* the candidate's row is */
        if (tells) tell_outside(mine, j, b);
        if (together) *stage = TSL_STRIP_TOLD;
        if (p.by_host) {
            if (lane == 0) s.ends[0] = !together, s.asks = tells && mine.size >= 0, s.row = mine.row;
            __syncwarp();
            arrive(ASKED, all);
            if (!together) return false;
        }
        const bool known = together && hear_outside(j, mine, is_mine);
        if (lane == 0) s.ends[1] = !known;
        __syncwarp();
        arrive(KNOWN, all);
        return known;
    }

    /* All CTAs have done all columns: what they have written is seen after that. False: not in time */
    __device__ bool all_done() const
    {
        elected none;
        fence();
        tell(p.end, tsl_strip_end_tag(p.end), 0, 0);
        const bool done = hear_ctas(p.told(p.end), p.ctas, tsl_strip_end_tag(p.end), p.patience, &none);
        fence();
        return done;
    }
};

/* The porter: from the host's answers to the inbox. All threads of a CTA */
template <class T> __device__ void bring_answers(const strip<T> &p)
{
    tsl_strip_state *const state = p.state(p.ctas);
    const size_t letters = 2 + (size_t)p.n * WORDS<T>;
    bool late = false;
    int64_t j = state->strip == p.k + 1 ? state->step : p.k;
    for (; j < p.end; j++) {
        const tsl_letter *const from = tsl_strip_answer(p.shared, letters, j);
        const int64_t b = p.block_of(j);
        const watch w(p.patience);
        uint64_t word = 0;
        for (int i = threadIdx.x; i < CANDIDATE<T> && !late; i += blockDim.x) {
            if (i < 2 + p.width(b) * WORDS<T>)
                late = !await_letter(from + (i < 2 ? i : i + b * WORDS<T>), tsl_strip_tag(j), w, &word);
            if (!late) send(p.candidates(p.inbox, j) + i, word, tsl_strip_tag(j));
        }
        for (int64_t i = threadIdx.x; i < p.n * WORDS<T> && !late; i += blockDim.x) {
            late = !await_letter(from + 2 + i, tsl_strip_tag(j), w, &word);
            if (!late) send(p.row(p.inbox, j, 0) + i, word, tsl_strip_tag(j));
        }
        if (__syncthreads_or(late)) break;
    }
    if (threadIdx.x == 0) {
        state->strip = p.k + 1, state->step = j;
        if (j < p.end) p.shared->left = 1;
    }
}

} // namespace tsl
#endif
