/* LU with partial pivoting of a panel of 32 or 64 columns that stays on the chip, in one launch whose CTAs wait for each other.
 *
 * A thread has a row. Rows do not move: each knows the place in the matrix that the exchanges so far have given it, and is
 * stored there at the end. The panel goes by blocks of eight columns. In step j of a block
 *   every party has one message of each (getrf_channel.cuh): its candidate for the pivot of column j with that row's columns
 *   from j to the end of the block. From these, read in the same order, all come to the same pivot and row of U; the row of the
 *   pivot is done; each other is divided by the pivot and brought up to date in the block; the best of these is the next
 *   candidate, and is sent; while that travels, the warp with the pivot sends its whole row.
 * When the block ends, all have its rows, solve for their part of U and bring the columns after the block up to date; there
 * lanes share their warp's rows (getrf_form.cuh), so that little is read for a product. The steps are a chain of latencies:
 * what is not of the chain is left until after the message, or the block's end. What is done, of L and of U, waits in shared
 * memory. */
#ifndef TSL_CUDA_GETRF_PANEL_CUH
#define TSL_CUDA_GETRF_PANEL_CUH

#include "kernel/cuda/getrf/getrf_channel.cuh"
#include "kernel/cuda/getrf/getrf_form.cuh"
#include "kernel/cuda/getrf/getrf_pivot.cuh"

namespace tsl {

template <class T> struct panel {
    T *A;
    int64_t lda;
    int m, n, steps;
    int64_t *piv, first, *info, info_base;
    tsl_cuda_message *messages;
    unsigned epoch; /* that of step 0 */
};

/* Shared memory. Columns are STRIDE = threads + EACH apart: a row's neighbours are not in one bank. */
template <class F> struct shared {
    using T = typename F::T;
    received<F> in;
    T *rows;  /* the columns of L and U, a row a thread */
    T *block; /* those of the block as it begins */
    T *best;  /* the warps' candidates, SLOT apart */
    T *sent;  /* the rows of the pivots of two steps */
    key *keys; /* of the warps' candidates of two steps; what of them is compared first; and where they are */
    unsigned *tops;
    int *places;
    int *takers; /* the threads that had the pivots of the block, if in this CTA */

    static constexpr size_t bytes(int parties, int threads)
    {
        const size_t elements = (size_t)(F::COLS + F::BLOCK) * (threads + F::EACH) + (F::WARPS + SETS * parties) * F::SLOT + (F::BLOCK + 2) * F::COLS;
        return elements * sizeof(T) + 8 * (SETS * parties + SETS + 2) + 2 * F::WARPS * (sizeof(key) + sizeof(unsigned) + sizeof(int)) +
               F::BLOCK * sizeof(int);
    }
    __device__ shared(unsigned char *raw, int parties)
    {
        const int stride = blockDim.x + F::EACH;
        rows = (T *)raw;
        block = rows + F::COLS * stride;
        in.rows = block + F::BLOCK * stride;
        sent = in.rows + F::BLOCK * F::COLS;
        best = sent + 2 * F::COLS;
        in.candidates = best + F::WARPS * F::SLOT;
        in.places = (int64_t *)(in.candidates + SETS * parties * F::SLOT);
        in.barriers = (uint64_t *)(in.places + SETS * parties);
        keys = (key *)(in.barriers + SETS + 2); /* one more, so that tops are at a multiple of 16 bytes */
        tops = (unsigned *)(keys + 2 * F::WARPS);
        places = (int *)(tops + 2 * F::WARPS);
        takers = places + 2 * F::WARPS;
    }
    /* Warps that there are not have no candidates. */
    __device__ void clear() const
    {
        if (threadIdx.x < 2 * F::WARPS) keys[threadIdx.x] = 0, tops[threadIdx.x] = 0, places[threadIdx.x] = INT_MAX;
    }
};

/* The pivot: whose message it is in, where its row is, and division by it. FIXED: it is in row j. Else the best of the
 * candidates; a place is -1 where a party has no rows left. Each lane prepares to divide by its own while it is compared with
 * the others. */
template <class T> struct winner {
    int party, place;
    divisor<T> by_pivot;
};

template <class F, bool FIXED> __device__ winner<typename F::T> winner_of(const typename F::T *a, const int64_t *places, int parties, int j, int lane)
{
    using T = typename F::T;
    const auto key_at = [=](T b, int place) { return place < 0 ? 0 : FIXED ? key_of_row(place == j) : key_of(b); };
    int at = lane, place = lane < parties ? (int)places[lane] : -1;
    T mine = lane < parties ? a[lane * F::SLOT] : make<T>(0);
    key best = key_at(mine, place);
    for (int i = lane + 32; i < parties; i += 32) {
        const T b = a[i * F::SLOT];
        const int there = (int)places[i];
        const key k = key_at(b, there);
        if (k > best || (k == best && there < place)) best = k, at = i, mine = b, place = there;
    }
    winner<T> w = {at, place, divisor<T>(mine)};
    const int from = choose<T>(best, place);
    w.party = parties > 32 ? __shfl_sync(ALL_LANES, at, from) : from;
    w.place = __shfl_sync(ALL_LANES, place, from);
    w.by_pivot.take_from(from);
    return w;
}

template <class F, template <class> class CHANNEL, bool FIXED> struct elimination {
    using T = typename F::T;
    static constexpr int COLS = F::COLS, BLOCK = F::BLOCK, EACH = F::EACH;
    static_assert(!FIXED || CHANNEL<F>::ALONE, "candidates of other CTAs are compared by size");

    const panel<T> &p;
    const shared<F> &s;
    const CHANNEL<F> &channel;
    const int tid, warp, lane, stride;
    int place;   /* of the thread's row */
    bool active; /* it has not been a pivot */

    __device__ elimination(const panel<T> &p, const shared<F> &s, const CHANNEL<F> &channel, int row)
        : p(p), s(s), channel(channel), tid(threadIdx.x), warp(tid / 32), lane(tid % 32), stride(blockDim.x + EACH), place(row), active(row < p.m)
    {
    }

    /* The candidate for step j, of the thread's rows a. */
    __device__ void propose(int j, const T (&a)[BLOCK]) const
    {
        const key size = FIXED ? key_of_row(place == j) : key_of(a[0]), k = active ? size : 0;
        const int chosen = choose<T>(k, place), slot = CHANNEL<F>::ALONE ? j % SETS * channel.count + warp : warp, set = (j & 1) * F::WARPS;
        T *const row = (CHANNEL<F>::ALONE ? s.in.candidates : s.best) + slot * F::SLOT;
        if (lane == chosen) {
#pragma unroll
            for (int c = 0; c < BLOCK; c += EACH) {
                pack<T, EACH> v;
#pragma unroll
                for (int e = 0; e < EACH; e++) v.x[e] = a[c + e];
                *(pack<T, EACH> *)(row + c) = v;
            }
            if (CHANNEL<F>::ALONE)
                s.in.places[slot] = active ? place : -1;
            else
                s.keys[set + warp] = k, s.tops[set + warp] = top_of<T>(k), s.places[set + warp] = active ? place : -1;
        }
        if constexpr (!CHANNEL<F>::ALONE) {
            __syncwarp();
            const chunk c = ((const chunk *)row)[lane % F::SLOT_CHUNKS]; /* read before it is known whether it is wanted */
            const int there = s.places[set + warp];
            __syncthreads();
            if (warp == choose_warp<T, F::WARPS>(s.tops + set, s.keys + set, s.places + set, lane)) channel.send(j, c, there, lane);
        }
    }

    /* After step j the warp that had the pivot keeps its row of U, which is u in the block; and sends the whole of it if there
     * are columns after the block. */
    __device__ void keep_row(int j, const T *u, unsigned who, const patch<F> &rest, int blocks) const
    {
        const int t = __ffs((int)who) - 1, k = j % BLOCK, begin = j - k;
        T *const row = s.rows + warp * 32 + t, *const sent = s.sent + (j & 1) * COLS; /* that of step j - 1 may still be read */
        if (lane < BLOCK - k) row[(j + lane) * stride] = u[lane];
        if (lane == 0) s.takers[k] = warp * 32 + t;
        if (blocks <= 1) return;
        __syncwarp();
        if (lane < k) sent[begin + lane] = row[(begin + lane) * stride];
        rest.store_row(t, blocks, sent + begin, lane);
        __syncwarp();
        channel.send_row(j, ((const chunk *)sent)[lane % F::ROW_CHUNKS], lane);
    }

    /* The part of U after a block that begins with column `begin`: inv(L11) of the rows that were received, a thread a column.
     * own: bit k is set if row k is one of this CTA's. */
    __device__ void solve(int begin, int count, unsigned own) const
    {
        for (int c = begin + BLOCK + tid; c < p.n; c += blockDim.x) {
            T u[BLOCK];
#pragma unroll
            for (int k = 0; k < BLOCK; k++) u[k] = s.in.rows[k * COLS + c];
#pragma unroll
            for (int i = 0; i < BLOCK; i++)
#pragma unroll
                for (int k = i + 1; k < BLOCK; k++) u[k] = sub_mul<false>(u[k], s.in.rows[k * COLS + begin + i], u[i]);
#pragma unroll
            for (int k = 0; k < BLOCK; k++)
                if (k < count) {
                    s.in.rows[k * COLS + c] = u[k];
                    if (own >> k & 1) s.rows[c * stride + s.takers[k]] = u[k];
                }
        }
    }

    /* Steps from `begin` on, of one block. Returns which pivots were in rows of this CTA. */
    __device__ unsigned steps(int begin, int count, int cta, const patch<F> &rest, int blocks)
    {
        T a[BLOCK];
        unsigned own = 0;
#pragma unroll
        for (int k = 0; k < BLOCK; k++) a[k] = s.block[k * stride + tid];
        propose(begin, a);
        for (int j = begin; j < begin + count; j++) {
            const int first = j % SETS * channel.count;
            channel.receive(j);
            const winner<T> pivot = winner_of<F, FIXED>(s.in.candidates + first * F::SLOT, s.in.places + first, channel.count, j, lane);
            const T *const u = s.in.candidates + (first + pivot.party) * F::SLOT;
            const bool taken = active && place == pivot.place;
            active = active && !taken;
            if (place == j) place = pivot.place;
            if (taken) place = j;
            T l = make<T>(0);
            if (active) l = pivot.by_pivot(a[0], u[0]);
#pragma unroll
            for (int c = 1; c < BLOCK; c++) a[c - 1] = sub_mul<false>(a[c], l, u[c]);
            if (j + 1 < begin + count) propose(j + 1, a);

            if (active) s.rows[j * stride + tid] = l;
            const unsigned who = __ballot_sync(ALL_LANES, taken);
            if (who) keep_row(j, u, who, rest, blocks);
            if (CHANNEL<F>::ALONE || pivot.party == cta) own |= 1u << (j - begin);
            if (cta == 0 && tid == 0) {
                p.piv[j] = p.first + 1 + pivot.place;
                if (pivot.by_pivot.state == divisor<T>::ZERO && *p.info == 0) *p.info = p.info_base + j + 1;
            }
        }
        return own;
    }

    /* x: the warp's rows */
    __device__ void run(patch<F> &x, int cta)
    {
        const int first = warp * 32; /* of the warp's rows */
        for (int b = 0;; b++) {
            const int begin = b * BLOCK, count = min(BLOCK, p.steps - begin), blocks = (p.n - begin + BLOCK - 1) / BLOCK;
            x.store_first(s.block + first, stride, lane);
            __syncwarp();
            const unsigned own = steps(begin, count, cta, x, blocks);
            if (blocks > 1) {
                channel.receive_rows(b, count);
                __syncthreads(); /* rows of all threads, and the takers */
                solve(begin, count, own);
            }
            if (begin + BLOCK >= p.steps) return;
            __syncthreads();
            const T *l = s.rows + begin * stride + first, *u = s.in.rows + begin;
            x.template update<true>(blocks, l, stride, u, lane);
#pragma unroll 1
            for (int k = F::AT_ONCE; k < BLOCK; k += F::AT_ONCE) x.template update<false>(blocks, l + k * stride, stride, u + k * COLS, lane);
        }
    }
};

} // namespace tsl
#endif
