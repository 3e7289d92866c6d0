/* A strip of a panel of LU on a GPU (kernel/lu_strip.h): the rows of a CTA.
 *
 * Rows do not move. A CTA has the same rows all the time, and keeps for each the place in the panel that exchanges have given
 * it. The copies of the panel's first rows, which every process has, are treated alike by all, so a row that was exchanged into
 * another process's part is known there. At the end such rows are stored where they belong, and the pivots' rows on top.
 *
 * The columns go by blocks of eight. The block is on the chip where there is room; all others are in memory, and in the L2
 * cache as a rule. Elements are computed as if column by column: of each element the same operations in the same order. */
#ifndef TSL_CUDA_LU_STRIP_ROWS_CUH
#define TSL_CUDA_LU_STRIP_ROWS_CUH

#include "kernel/cuda/getrf/lu_strip.cuh"

namespace tsl {

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
    /* Does this process propose it? Of the copies one does. */
    __device__ bool is_spoken_for(int64_t i) const { return p.speaks || p.k + first + i >= p.d; }

    /* Element c of row i in the block that begins with column b */
    __device__ T &at(int64_t i, int64_t b, int c) const
    {
        if constexpr (ON_CHIP) return block[c * p.each + i];
        int64_t ld;
        T *const a = row(i, &ld);
        return a[(b + c) * ld];
    }

    static __device__ int64_t exchanged(int64_t x, int64_t j, int64_t pivot) { return x == pivot ? GONE : x == j ? pivot : x; }

    /* Where rows are after the exchanges of columns before j */
    __device__ void find_places(int64_t j) const
    {
        for (int64_t i = t; i < count; i += threads) {
            const int64_t v = p.k + first + i;
            int64_t x = v < p.d ? v : tsl_cyclic_index(&p.rows, v - p.d);
            for (int64_t q = p.k; q < j && x != GONE; q++) x = exchanged(x, q, s.picked[q - p.k]);
            place[i] = x;
        }
    }

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

    /* Row i, which is at place x, with element a of column j, beside the best so far. NaN is none, but on the diagonal, as in
     * LAPACK. */
    __device__ void compare(proposal *best, int64_t j, int64_t i, int64_t x, T a) const
    {
        double size = size_of(a);
        if (isnan(size)) size = x == j ? (double)INFINITY : -1.;
        if (size > best->size || (size == best->size && size >= 0 && x < best->place)) *best = {size, x, i};
    }
    /* The warps' proposals: the teller goes on */
    __device__ void propose(const proposal &best) const
    {
        if (best_lane(best.size, best.place) == t % 32) s.of_warp[t / 32] = best;
        arrive(PROPOSED, blockDim.x);
    }
    /* For column j, which is up to date */
    __device__ void propose_column(int64_t j, int64_t b) const
    {
        proposal best = nobody();
        for (int64_t i = t; i < count; i += threads)
            if (place[i] != GONE && is_spoken_for(i)) compare(&best, j, i, place[i], at(i, b, (int)(j - b)));
        propose(best);
    }

    /* The pivot of column j is known: rows change places, the column is divided by it, and the next one of the block brought up
     * to date, for which there are proposals then. */
    __device__ void take(int64_t j, int64_t b) const
    {
        const int c = (int)(j - b);
        const bool more = c + 1 < p.width(b);
        const T u = s.u[c], next = more ? s.u[c + 1] : u;
        const int64_t pivot = s.place;
        const divisor<T> by(u);
        proposal best = nobody();
        for (int64_t i = t; i < count; i += threads) {
            const int64_t before = place[i], x = exchanged(before, j, pivot);
            if (x != before) place[i] = x;
            if (before == GONE || x == GONE) continue;
            const T l = by(at(i, b, c), u);
            at(i, b, c) = l;
            if (!more) continue;
            const T a = sub_mul<false>(at(i, b, c + 1), l, next);
            at(i, b, c + 1) = a;
            if (is_spoken_for(i)) compare(&best, j + 1, i, x, a);
        }
        if (more) propose(best);
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

    /* Row i was the pivot's of column j, of the block at b: all n elements, to all processes or to the host */
    __device__ void send_row(int64_t i, int64_t j, int64_t b) const
    {
        int64_t ld;
        const T *const a = row(i, &ld);
        T *const host = (T *)tsl_strip_row(p.shared, WORDS<T>, p.n, sizeof(T), j - b);
        for (int64_t c = t; c < p.n; c += threads) {
            const T v = c >= b && c < b + p.width(b) ? at(i, b, (int)(c - b)) : a[c * ld];
            uint64_t word[WORDS<T>];
            to_words(v, word);
            if (p.by_host) host[c] = v;
            for (int q = 0; !p.by_host && q < p.sources; q++)
                for (int h = 0; h < WORDS<T>; h++) send(p.row(p.inbox_of(q), j, c) + h, word[h], tsl_strip_tag(j));
        }
        if (!p.by_host) return;
        meet(OF_ROWS, threads);
        if (t > 0) return;
        fence_system();
        send(tsl_strip_row_told(p.shared, WORDS<T>, j - b), 0, tsl_strip_tag(j));
    }
};

} // namespace tsl
#endif
