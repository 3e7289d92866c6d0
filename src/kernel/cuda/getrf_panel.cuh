/* LU with partial pivoting of a panel of 32 or 64 columns that stays on the chip, in one launch whose CTAs wait for each other.
 *
 * A thread has a row, its columns from the step's on in registers. Rows do not move: each knows the place in the matrix that the exchanges
 * so far have given it, and is stored there at the end. In step j
 *   every CTA has one message of each (getrf_wire.cuh): its candidate for the pivot of column j with that row's columns from j on. From
 *   these, read in the same order, all come to the same pivot and row of U;
 *   the row of the pivot is done; each other is divided by the pivot, and its element of column j + 1, the next candidate, brought up to
 *   date;
 *   the warp with the best of the CTA's brings the whole of that row up to date, a lane an element or two, and sends it;
 *   while the messages travel, every thread brings its row up to date.
 * This is a chain of latencies: what is not of the chain is left until after the message. What is done, of L and of U, waits in shared
 * memory. */
#ifndef TSL_CUDA_GETRF_PANEL_CUH
#define TSL_CUDA_GETRF_PANEL_CUH

#include <climits>

#include "kernel/cuda/getrf_pivot.cuh"
#include "kernel/cuda/getrf_wire.cuh"
#include "kernel/cuda/launch.cuh"
#include "kernel/cuda/leaf.h"
#include "kernel/cuda/tile.cuh"

namespace tsl {

/* Elements of type T, panels of COLS columns, CTAs of up to THREADS rows: registers bound these, since each takes COLS elements. */
template <class T_, int COLS_, int THREADS_> struct form {
    using T = T_;
    static constexpr int COLS = COLS_, THREADS = THREADS_, EACH = 16 / sizeof(T), CHUNKS = COLS / EACH;
    static constexpr int GROUP = (THREADS > 256 ? 64 : 128) / sizeof(T); /* columns brought up to date at once, as registers allow */
    static constexpr int WIDTH = COLS + EACH; /* of a row received: neighbours' same elements are not all in one bank */
    static_assert(CHUNKS <= 32, "a lane each");
};

template <class T> struct panel {
    T *A;
    int64_t lda;
    int m, n, steps;
    int64_t *piv, first, *info, info_base;
    tsl_cuda_message *mail;
    unsigned epoch; /* that of step 0 */
};

/* Shared memory. Elements of a row are an odd number apart, so that neither a row's lanes nor a column's meet in a bank. */
template <class F, class WIRE> struct shared {
    using T = typename F::T;
    received<F> in;
    T *row;    /* the CTA's candidate, as it was before the step, and what a lane may read past it */
    key *best; /* the warps' candidates of two steps, and where they are */
    int *place;
    T *rows;

    static constexpr size_t bytes(int ctas, int threads)
    {
        return (size_t)WIRE::SETS * ctas * (F::WIDTH * sizeof(T) + 8) + F::WIDTH * sizeof(T) + 64 * (8 + 4) + 16 * (WIRE::SETS + 1) / 2 +
               F::COLS * (size_t)(threads + 1) * sizeof(T);
    }
    __device__ shared(unsigned char *raw, int ctas)
    {
        in.rows = (T *)raw;
        row = in.rows + WIRE::SETS * ctas * F::WIDTH;
        rows = row + F::WIDTH;
        best = (key *)(rows + F::COLS * (blockDim.x + 1));
        in.places = (int64_t *)(best + 64);
        in.barriers = (uint64_t *)(in.places + WIRE::SETS * ctas);
        place = (int *)(in.barriers + WIRE::SETS);
    }
    /* Places of warps that there are not are none. */
    __device__ void clear() const
    {
        if (threadIdx.x < 64) best[threadIdx.x] = 0, place[threadIdx.x] = INT_MAX;
    }
};

/* The pivot: whose message it is in, where its row is, and division by it. `a`, `places`: the candidates, WIDTH apart, and where they
 * are; -1 of a CTA that has no rows left. Each lane prepares to divide by its own while it is compared with the others. */
template <class T> struct winner {
    int cta, place;
    divisor<T> by_pivot;
};

template <class F, bool ALONE> __device__ winner<typename F::T> winner_of(const typename F::T *a, const int64_t *places, int ctas, int lane)
{
    using T = typename F::T;
    if (ALONE) return {0, (int)places[0], divisor<T>(a[0])};
    int at = lane, place = lane < ctas ? (int)places[lane] : -1;
    T mine = lane < ctas ? a[lane * F::WIDTH] : make<T>(0);
    key best = place >= 0 ? key_of(mine) : 0;
    for (int i = lane + 32; i < ctas; i += 32) {
        const T b = a[i * F::WIDTH];
        const int there = (int)places[i];
        const key k = there >= 0 ? key_of(b) : 0;
        if (k > best || (k == best && there < place)) best = k, at = i, mine = b, place = there;
    }
    winner<T> w = {at, place, divisor<T>(mine)};
    const int from = choose<T>(best, place);
    w.cta = ctas > 32 ? __shfl_sync(ALL_LANES, at, from) : from;
    w.place = __shfl_sync(ALL_LANES, place, from);
    w.by_pivot.take_from(from);
    return w;
}

/* The steps. x: the thread's row, which is in `place`, if `active`; in the end `place` is where it belongs, and its elements of L and U are in
 * s.rows, blockDim.x + 1 apart. records: this thread writes the pivots and the outcome. FIXED: pivots are in the rows as they come, all of
 * one CTA. */
template <class F, class WIRE, bool FIXED = false>
__device__ __forceinline__ void eliminate(const panel<typename F::T> &p, const shared<F, WIRE> &s, const WIRE &wire, int ctas,
                                          typename F::T (&x)[F::COLS], int &place, bool active, bool records)
{
    using T = typename F::T;
    constexpr int COLS = F::COLS, EACH = F::EACH, GROUP = F::GROUP;
    static_assert(!FIXED || WIRE::ALONE, "candidates of other CTAs are compared by size");
    const int threads = blockDim.x, tid = threadIdx.x, warp = tid / 32, lane = tid % 32, warps = threads / 32, stride = threads + 1;
    T *mine = s.rows + tid; /* where its element of the step's column goes */
    int chosen;             /* the warp's lane with its candidate */
    const auto propose = [&](int next, T a) {
        const int at = (next & 1) * 32 + warp;
        const key size = !FIXED ? key_of(a) : place == next ? ~(key)0 : 0, k = active ? size : 0;
        chosen = choose<T>(k, place);
        if (lane == chosen) s.best[at] = k, s.place[at] = place;
        __syncthreads();
    };
    /* The best row, of which x was before step next - 1 and l and u are the multiplier and the row of U then */
    const auto publish = [&](int next, int set, T l, const T *u) {
        const int at = (next & 1) * 32 + lane, old = next > 0, bits = chunk_bits<T>(p.n - next);
        if (warp != choose<T>(s.best[at], s.place[at])) return;
        if (lane == chosen)
#pragma unroll
            for (int g = 0; g < COLS; g += GROUP)
                if (g < p.n - next + old)
#pragma unroll
                    for (int c = g; c < g + GROUP; c += EACH) {
                        pack<T, EACH> v;
#pragma unroll
                        for (int e = 0; e < EACH; e++) v.x[e] = x[c + e];
                        *(pack<T, EACH> *)(s.row + c) = v;
                    }
        const T from = of_lane(l, chosen);
        const int64_t there = __shfl_sync(ALL_LANES, active ? place : -1, chosen);
        __syncwarp();
        pack<T, EACH> v;
        const int c = (lane & ((1 << bits) - 1)) * EACH + old; /* what is past the columns is not used */
#pragma unroll
        for (int e = 0; e < EACH; e++) {
            v.x[e] = s.row[c + e];
            if (old) v.x[e] = sub_mul<false>(v.x[e], from, u[c + e]);
        }
        chunk sent;
        memcpy(&sent, &v, sizeof sent);
        wire.send(next, set, bits, sent, there, lane);
    };

    propose(0, x[0]);
    publish(0, 0, make<T>(0), NULL);
    for (int j = 0, set = 0, round = 0; j < p.steps; j++, mine += stride) {
        const int last = set + 1 == WIRE::SETS, next_set = last ? 0 : set + 1, left = p.n - j, first = set * ctas;
        wire.receive(j, set, round, p.steps, warp, warps, lane);
        const winner<T> pivot = winner_of<F, WIRE::ALONE>(s.in.rows + first * F::WIDTH, s.in.places + first, ctas, lane);
        const T *const u = s.in.rows + (first + pivot.cta) * F::WIDTH;

        const bool taken = active && place == pivot.place;
        active = active && !taken;
        if (place == j) place = pivot.place;
        if (taken) place = j;
        T l = make<T>(0);
        if (active) l = pivot.by_pivot(x[0], u[0]);

        if (j + 1 < p.steps) {
            propose(j + 1, sub_mul<false>(x[1], l, u[1]));
            publish(j + 1, next_set, l, u);
        }
        if (active) {
            *mine = l;
#pragma unroll
            for (int g = 0; g < COLS; g += GROUP)
                if (g < left) {
                    pack<T, EACH> v[GROUP / EACH];
#pragma unroll
                    for (int c = 0; c < GROUP / EACH; c++) v[c] = get<EACH>(u + g + c * EACH);
#pragma unroll
                    for (int c = g == 0; c < GROUP; c++) x[g + c - 1] = sub_mul<false>(x[g + c], l, v[c / EACH].x[c % EACH]);
                }
        }
        /* The row of U, by the warp that had it */
        const unsigned who = __ballot_sync(ALL_LANES, taken);
        if (who)
            for (int c = lane; c < left; c += 32) (mine - lane)[c * stride + __ffs((int)who) - 1] = u[c];
        if (records) {
            p.piv[j] = p.first + 1 + pivot.place;
            if (pivot.by_pivot.state == divisor<T>::ZERO && *p.info == 0) *p.info = p.info_base + j + 1;
        }
        set = next_set, round += last;
    }
    __syncwarp(); /* rows of U are other lanes' */
}

/* The forms there are */
template <class T> using narrow = form<T, 32, sizeof(T) == 16 ? 256 : 512>;
template <class T> using wide = form<T, 64, 256>;

} // namespace tsl
#endif
