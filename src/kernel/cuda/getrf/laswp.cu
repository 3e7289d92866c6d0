/* Rows exchanged by pivots, or columns. The exchanges of a part of the pivots amount to one permutation of the lines they name:
 * in each CTA a thread follows each such place back to the line that ends there. Then the CTA reads, for some of the columns
 * (rows, from the right), all elements that move, and when all are read writes them where they belong: each is moved once. */
#include "kernel/cuda/launch.cuh"
#include "kernel/cuda/leaf.h"
#include "kernel/cuda/scalar.cuh"

namespace tsl {
namespace {

constexpr int THREADS = 256, MAX_CTAS = 384; /* which leave room for kernels of another lane */

/* From the left threads are assigned along the places, which are neighbours in memory where they are the part's own, and take
 * ACROSS columns at once. From the right a warp has 32 neighbours of a column. PART pivots name at most 2 PART places. */
template <bool RIGHT> struct shape {
    static constexpr int PART = RIGHT ? 32 : 256, PLACES = 2 * PART;
    static constexpr int STEP = RIGHT ? THREADS / 32 : THREADS, EACH = PLACES / STEP; /* places of a thread, STEP apart */
    static constexpr int ACROSS = RIGHT ? 1 : 4, WIDTH = RIGHT ? 32 : ACROSS;         /* lines crossed by a thread, by a CTA */
};

template <class T> struct exchange {
    T *A;
    int64_t line, along; /* strides from one of the exchanged lines to the next, and along them */
    int64_t length, k;
    const int64_t *piv;
    int64_t first;
    bool backward;
    int64_t above, lines; /* a pivot names one of lines -above to lines - 1 */
    int64_t *fault;       /* set if one does not; may be null */

    /* The line that line i is exchanged with; itself, if there is none such */
    __device__ int64_t other(int64_t i) const
    {
        const int64_t p = piv[i];
        if (p > first - above && p - first <= lines) return p - 1 - first;
        if (fault) *fault = 1;
        return i;
    }
};

template <class I> __device__ I undone(I r, I a, I b) { return r == a ? b : r == b ? a : r; }

/* I: numbers of lines; of int32_t, for as many as there nearly always are, it takes half as many instructions to follow a
 * place */
template <class T, bool RIGHT, class I> __global__ __launch_bounds__(THREADS) void permute(exchange<T> x)
{
    using S = shape<RIGHT>;
    __shared__ I piv[S::PART], to[S::PLACES], from[S::PLACES];
    const int tid = threadIdx.x, place = RIGHT ? tid / 32 : tid, across = RIGHT ? tid % 32 : 0;
    const int64_t parts = (x.k + S::PART - 1) / S::PART;
    wait_for_previous_grid();
    let_next_grid_start();

    for (int64_t s = 0; s < parts; s++) {
        const I begin = (I)((x.backward ? parts - 1 - s : s) * S::PART), end = (I)(begin + S::PART < x.k ? begin + S::PART : x.k);
        const int count = (int)(end - begin);
        __syncthreads(); /* the part before is done */
        if (tid < count) piv[tid] = (I)x.other(begin + tid);
        __syncthreads();
        for (int t = tid; t < S::PLACES; t += THREADS) {
            const int i = t % S::PART;
            /* a place outside the part may be named more than once: all its threads move the same */
            const bool named = i < count && (t < S::PART || piv[i] < begin || piv[i] >= end);
            I r = named ? (t < S::PART ? begin + i : piv[i]) : 0;
            to[t] = r;
            /* the last exchange is undone first */
            const int undo = named ? count : 0;
            if (x.backward)
#pragma unroll 8
                for (int e = 0; e < undo; e++) r = undone<I>(r, begin + e, piv[e]);
            else
#pragma unroll 8
                for (int e = undo - 1; e >= 0; e--) r = undone<I>(r, begin + e, piv[e]);
            from[t] = named ? r : to[t];
        }
        __syncthreads();

        for (int64_t c0 = (int64_t)blockIdx.x * S::WIDTH; c0 < x.length; c0 += (int64_t)gridDim.x * S::WIDTH) {
            T v[S::EACH][S::ACROSS];
#pragma unroll
            for (int k = 0; k < S::EACH; k++) {
                const int t = place + k * S::STEP;
                const T *const p = x.A + (int64_t)from[t] * x.line;
                const bool moves = from[t] != to[t];
#pragma unroll
                for (int c = 0; c < S::ACROSS; c++)
                    if (moves && c0 + across + c < x.length) v[k][c] = p[(c0 + across + c) * x.along];
            }
            __syncthreads();
#pragma unroll
            for (int k = 0; k < S::EACH; k++) {
                const int t = place + k * S::STEP;
                T *const p = x.A + (int64_t)to[t] * x.line;
                const bool moves = from[t] != to[t];
#pragma unroll
                for (int c = 0; c < S::ACROSS; c++)
                    if (moves && c0 + across + c < x.length) p[(c0 + across + c) * x.along] = v[k][c];
            }
        }
    }
}

template <class T, bool RIGHT> tsl_status launch_side(tsl_queue *q, const tsl_leaf *l)
{
    const int64_t line = RIGHT ? l->A.ld : 1, along = RIGHT ? 1 : l->A.ld, length = RIGHT ? l->m : l->n;
    const exchange<T> x = {
        (T *)l->A.p,         line,    along, length, l->k, (const int64_t *)l->B.p, l->lu.first, l->lu.backward != 0,
        l->lu.above,
        RIGHT ? l->n : l->m, l->fault};
    const int64_t groups = (length + shape<RIGHT>::WIDTH - 1) / shape<RIGHT>::WIDTH;
    const auto kernel = (RIGHT ? l->n : l->m) <= INT32_MAX ? permute<T, RIGHT, int32_t> : permute<T, RIGHT, int64_t>;
    const launch_shape s = {groups < MAX_CTAS ? groups : MAX_CTAS, THREADS, 0, 1, true, false};
    return tsl_cuda_check(launch_early(kernel, s, tsl_cuda(q)->stream, x), "laswp");
}

} // namespace
} // namespace tsl

extern "C" tsl_status tsl_cuda_laswp(tsl_queue *q, const tsl_leaf *l)
{
    return tsl::by_type(l->type, [=](auto zero) {
        using T = decltype(zero);
        return l->side == TSL_RIGHT ? tsl::launch_side<T, true>(q, l) : tsl::launch_side<T, false>(q, l);
    });
}

static tsl_status laswp(tsl_queue *q, const tsl_leaf *l) { return tsl_cuda_laswp_is_whole(l) ? tsl_cuda_laswp_whole(q, l) : tsl_cuda_laswp(q, l); }

static const void *kernel(int i)
{
    return i == 0 ? (const void *)tsl::permute<float, false, int32_t> : i == 1 ? tsl_cuda_kernel_of_laswp_whole() : nullptr;
}

extern "C" const tsl_kernel_entry tsl_cuda_laswp_entry = {TSL_ALL_TYPES(laswp), 0, 0, tsl_cuda_laswp_workspace, kernel, NULL};
