/* QR of a panel in one launch whose CTAs wait for each other: what a CTA holds, and how CTAs hear of each other.
 *
 * A CTA has ROWS rows of the panel. Its columns are taken STEPS at a time, a block; these are in registers, a lane having every
 * 32nd row of EACH columns of its warp. What the CTAs tell each other in a step of a block are messages through the L2 cache
 * (exchange.cuh), two for each column and CTA, a step's in the one or the other of two sets. After a block they share
 * products, through memory, with flags. */
#ifndef TSL_CUDA_GEQRF_PANEL_CUH
#define TSL_CUDA_GEQRF_PANEL_CUH

#include <cuda_pipeline.h>

#include <type_traits>

#include "kernel/cuda/exchange.cuh"
#include "kernel/cuda/geqrf/qr.cuh"
#include "kernel/cuda/lanes.cuh"
#include "kernel/cuda/leaf.h"

namespace tsl {
namespace qr {

constexpr unsigned ALL = 0xffffffffu;
constexpr int STEPS = 32, EACH = 4, WARPS = STEPS / EACH, THREADS = 32 * WARPS;
constexpr int TRIANGLE_LD = STEPS + 1; /* odd: neither rows nor columns meet in a bank */
constexpr int EPOCHS = STEPS + 3;      /* of a block: the columns' sizes, its steps, two flags */

/* A kernel: elements of type T_, CTAs of 32 R_ rows */
template <class T_, int R_> struct form {
    using T = T_;
    static constexpr int R = R_, ROWS = 32 * R;
    static constexpr int WORDS = (sizeof(T) + 7) / 8; /* of a message, to an element */
    /* Double has the tensor cores' products. Then columns in shared memory begin in different banks. */
    static constexpr bool TENSOR = std::is_same_v<T, double>;
    static constexpr int LD = ROWS + (TENSOR ? 4 : 0), SUMS_LD = STEPS + (TENSOR ? 4 : 0);
    static constexpr int FIT = (32 << 10) / (int)(ROWS * sizeof(T)), CHUNK = FIT < 64 ? FIT : 64; /* columns brought at once */
    /* Is there room for the messages of as many CTAs? */
    static bool can_hear(int64_t ctas)
    {
        return (size_t)(2 * (STEPS * (ctas + 1) * 2 * WORDS + ctas)) * sizeof(tsl_cuda_message) <= TSL_CUDA_MESSAGE_BYTES;
    }
};

template <class T> struct panel {
    T *A;
    int64_t lda;
    int m, n, ctas;
    T *tau, *t, *y;
    int64_t ldt, ldy;
    T *parts, *sums, *between; /* of a block's products with other columns: each CTA's, their sums, those with columns before it */
    tsl_cuda_message *messages;
    unsigned epoch;
};

/* Shared memory */
template <class F> struct store {
    using T = typename F::T;
    T *x;      /* columns j and j + 1 below the diagonal: those of two steps */
    T *y;      /* the block's reflectors written out, by columns */
    T *others; /* other columns, two chunks; then the sums of their products */
    T *t;      /* the block's triangle, by columns */
    T *g;      /* products of both reflectors with the block's before them, and tau: those of two steps */

    static constexpr int X = 4 * F::ROWS, Y = STEPS * F::LD, OTHERS = 2 * F::CHUNK * F::LD;
    static constexpr int TRIANGLE = STEPS * TRIANGLE_LD, G = 4 * (STEPS + 1);
    static constexpr int SUMS = F::SUMS_LD * TSL_CUDA_GEQRT_LIMIT;
    static constexpr int WITH_SUMS = OTHERS > SUMS ? OTHERS : SUMS;
    static constexpr int ALL_OF_THEM = X + Y + WITH_SUMS + TRIANGLE + G;
    static constexpr int JOINING = 2 * STEPS * TSL_CUDA_GEQRT_LIMIT + TRIANGLE; /* what joins the triangles needs */
    static constexpr size_t BYTES = (size_t)(ALL_OF_THEM > JOINING ? ALL_OF_THEM : JOINING) * sizeof(T);

    __device__ explicit store(unsigned char *raw)
    {
        others = (T *)raw; /* the first, as it is written 16 bytes at a time */
        y = others + WITH_SUMS;
        x = y + Y;
        t = x + X;
        g = t + TRIANGLE;
    }
};

/* A step's messages: of each column two from every CTA, then its elements of rows j and j + 1 */
template <class F> struct step_messages {
    tsl_cuda_message *set;
    int ctas;
    unsigned epoch;

    __device__ step_messages(const panel<typename F::T> &p, int block, int step)
        : set(p.messages + step % 2 * (size_t)STEPS * (p.ctas + 1) * 2 * F::WORDS), ctas(p.ctas), epoch(p.epoch + block * EPOCHS + step)
    {
    }
    __device__ int place(int column, int which, int cta) const { return ((column * 2 + which) * (ctas + 1) + cta) * F::WORDS; }
    __device__ tsl_cuda_message *at(int column, int which, int cta) const { return set + place(column, which, cta); }
};

/* A lane's part of what all CTAs say, N things, taken together by `with`; each is given by the place of CTA 0's. And what is at
 * `top`, in lanes where that is not negative. */
template <class F, int N, class With>
__device__ void hear(const step_messages<F> &messages, const int (&from)[N], int top, typename F::T (&all)[N], typename F::T &at_top,
                     int lane, With with)
{
    using T = typename F::T;
    for (int first = 0; first < messages.ctas; first += 32) {
        element_message<T> v[N], of_top;
        const int cta = first + lane;
        const bool mine = cta < messages.ctas, tops = top >= 0 && first == 0;
        bool fresh;
        do {
            fresh = true;
            if (mine)
#pragma unroll
                for (int i = 0; i < N; i++) v[i].look(messages.set + (from[i] + cta * F::WORDS));
            if (tops) of_top.look(messages.set + top);
            if (mine)
#pragma unroll
                for (int i = 0; i < N; i++) fresh = fresh && v[i].has(messages.epoch);
            if (tops) fresh = fresh && of_top.has(messages.epoch);
        } while (!__all_sync(ALL, fresh));
        if (mine)
#pragma unroll
            for (int i = 0; i < N; i++) all[i] = with(all[i], v[i].value());
        if (tops) at_top = of_top.value();
    }
}

/* Flags: a CTA's writes before it are seen by those who have found it up. Which: 0 or 1. A later one of the launch will do. */
template <class F> __device__ tsl_cuda_message *flags(const panel<typename F::T> &p, int which)
{
    return p.messages + 2 * (size_t)STEPS * (p.ctas + 1) * 2 * F::WORDS + which * p.ctas;
}

template <class F> __device__ void raise(const panel<typename F::T> &p, int block, int which)
{
    const unsigned epoch = p.epoch + block * EPOCHS + STEPS + 1 + which;
    __syncthreads();
    if (threadIdx.x > 0) return;
    fence();
    tsl::send(flags<F>(p, which) + blockIdx.x, epoch, epoch);
}

template <class F> __device__ void await(const panel<typename F::T> &p, int block, int which)
{
    const unsigned epoch = p.epoch + block * EPOCHS + STEPS + 1 + which, end = p.epoch + (p.n + STEPS - 1) / STEPS * EPOCHS;
    if (threadIdx.x < 32) {
        for (int cta = threadIdx.x; cta < p.ctas; cta += 32) {
            tsl_cuda_message m;
            do m = look(flags<F>(p, which) + cta);
            while (m.word != m.tag || m.tag < epoch || m.tag >= end);
        }
        fence();
    }
    __syncthreads();
}

/* What other CTAs read: past the L1 cache */
template <class T> __device__ void for_others(T *p, T a)
{
    if constexpr (is_complex<T>) {
        using two = std::conditional_t<sizeof(T) == 16, double2, float2>;
        __stcg((two *)p, two{a.re, a.im});
    } else {
        __stcg(p, a);
    }
}

/* The value of another lane; all lanes call. */
template <class T> __device__ T from_lane(T a, int lane)
{
    if constexpr (is_complex<T>)
        return T{__shfl_sync(ALL, a.re, lane), __shfl_sync(ALL, a.im, lane)};
    else
        return __shfl_sync(ALL, a, lane);
}

} // namespace qr
} // namespace tsl
#endif
