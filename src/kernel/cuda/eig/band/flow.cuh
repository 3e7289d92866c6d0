/* What sweeps have in common that are all in one kernel: forms, messages, the order of steps. A CTA has some neighbouring
 * chunks for good: their blocks are in registers, or, of more chunks than fit there, parked between steps in shared memory or
 * in workspace. From sweep to sweep a chunk moves down a row. So row i of a block is in slot (i - 1) mod kd, and only the slot
 * of the row that goes is written anew. A reflector goes to the chunk after, what goes to the chunk before is a line of one
 * element more than a row has. CTAs send these to each other as messages through L2. One place for each is enough: who sends
 * has got the answer to what was there before. A warp has some rows of D and of B, a lane every 32nd column. Slots from kd on
 * hold zeros. */
#ifndef TSL_CUDA_FLOW_CUH
#define TSL_CUDA_FLOW_CUH

#include "device/cuda/messages.h"
#include "kernel/cuda/geqrf/qr.cuh"
#include "kernel/cuda/lanes.cuh"
#include "kernel/cuda/launch.cuh"
#include "kernel/cuda/scalar.cuh"

namespace tsl {

/* KD: slots, at least kd; HELD: chunks in registers, 0: all are parked */
template <class T_, int KD_, int HELD_> struct flow_form {
    using T = T_;
    static constexpr int KD = KD_, HELD = HELD_, ROWS = is_complex<T> ? 4 : 8, COLS = KD / 32, WARPS = KD / ROWS, THREADS = 32 * WARPS;
    static constexpr int WORDS = sizeof(T) / sizeof(uint64_t) > 0 ? sizeof(T) / sizeof(uint64_t) : 1; /* of a message for each element */
    static constexpr int LINE = KD + 1;                                                               /* elements that are sent together */
    static constexpr int ELEMENTS = 2 * ROWS * COLS;                                                  /* of a chunk in each thread */
};

/* A: the band, its results, and which chunks a sweep has */
template <class F, class A> struct flow {
    A a;
    int each;                   /* chunks of a CTA */
    tsl_cuda_message *messages; /* for each CTA those to it: from the one before it, from the one after it */
    typename F::T *parked;      /* NULL: in shared memory */
};

template <class F> struct blocks {
    typename F::T D[F::ROWS][F::COLS], B[F::ROWS][F::COLS];
};

/* Messages of an element */
template <class F> __device__ void send(tsl_cuda_message *to, int i, typename F::T a, uint64_t tag)
{
    uint64_t word[F::WORDS] = {};
    memcpy(word, &a, sizeof a);
#pragma unroll
    for (int k = 0; k < F::WORDS; k++) tsl_cuda_send(to + i * F::WORDS + k, word[k], tag);
}

template <class F> __device__ typename F::T receive(const tsl_cuda_message *from, int i, uint64_t tag)
{
    uint64_t word[F::WORDS];
#pragma unroll
    for (int k = 0; k < F::WORDS; k++) {
        tsl_cuda_message m;
        do m = tsl_cuda_look(from + i * F::WORDS + k);
        while (m.tag != tag);
        word[k] = m.word;
    }
    typename F::T a;
    memcpy(&a, word, sizeof a);
    return a;
}

/* Both are at hand, so that a choice by an index leads to no array in memory */
template <class T> __device__ __forceinline__ T pick(bool yes, T a, T b)
{
    if constexpr (is_complex<T>)
        return T{yes ? a.re : b.re, yes ? a.im : b.im};
    else
        return yes ? a : b;
}

template <int N, class R> __device__ __forceinline__ void sum_lanes(R (&a)[N])
{
#pragma unroll
    for (int bit = 16; bit >= 1; bit /= 2)
#pragma unroll
        for (int k = 0; k < N; k++) a[k] += __shfl_xor_sync(0xffffffffu, a[k], bit);
}

template <class F> struct vector_in_lanes {
    typename F::T b[F::COLS];
    reflector<typename F::T> h;
    real_t<typename F::T> unit; /* what b was multiplied by */
};

/* The reflector of a vector of any size: outside the step, whose instructions are to be few */
template <class F>
__device__ __noinline__ vector_in_lanes<F> reflect_unusual(vector_in_lanes<F> x, typename F::T alpha, real_t<typename F::T> squares, int head)
{
    using R = real_t<typename F::T>;
    x.unit = 1;
    if (!squares_hold(squares + square_of(alpha))) {
        R most = 0, again[1] = {0};
#pragma unroll
        for (int c = 0; c < F::COLS; c++) most = fmax(most, magnitude(x.b[c]));
        for (int bit = 16; bit >= 1; bit /= 2) most = fmax(most, __shfl_xor_sync(0xffffffffu, most, bit));
        x.unit = factor_of(most);
        if (x.unit != 1) {
#pragma unroll
            for (int c = 0; c < F::COLS; c++) {
                x.b[c] = scale(x.b[c], x.unit);
                if ((int)(threadIdx.x % 32) + 32 * c != head) again[0] += square_of(x.b[c]);
            }
            sum_lanes(again);
            squares = again[0], alpha = scale(alpha, x.unit);
        }
    }
    x.h = reflector<typename F::T>(alpha, squares);
    if (x.unit != 1) x.h.beta /= x.unit;
    return x;
}

/* One CTA's part; a step is the derived class's. S: what chunks share, L: what each has */
template <class F_, class A_, class S_, class L_> struct flow_part {
    using F = F_;
    using A = A_;
    using S = S_;
    using L = L_;
    using T = typename F::T;
    using R = real_t<T>;
    static constexpr int KD = F::KD, WARPS = F::WARPS, ROWS = F::ROWS, COLS = F::COLS;

    const flow<F, A> &f;
    S &sh;
    L *const lines; /* of this CTA's chunks */
    const int tid, lane, warp, kd;

    __device__ flow_part(const flow<F, A> &f_, S &sh_, L *l)
        : f(f_), sh(sh_), lines(l), tid(threadIdx.x), lane(threadIdx.x % 32), warp(threadIdx.x / 32), kd(f_.a.kd)
    {
    }

    __device__ int row_of(int i) const { return warp * ROWS + i; }
    __device__ int col_of(int c) const { return lane + 32 * c; }
    /* How far slot j is behind the head */
    __device__ int behind(int j, int head) const { return j >= head ? j - head : j - head + kd; }
    __device__ tsl_cuda_message *box(int cta, bool from_after) const
    {
        return f.messages + (2 * (int64_t)cta + from_after) * F::LINE * F::WORDS;
    }

    /* The reflector of a vector in lanes, alpha in slot `head`, `squares` of the others. Where they say little of it, b is
     * multiplied by a power of two, inv is of that, and `again` is called; beta is of what b was. */
    template <class G> __device__ __forceinline__ reflector<T> reflect(T (&b)[COLS], T alpha, R squares, int head, G again) const
    {
        if (__builtin_expect(is_usual(squares + square_of(alpha)), 1)) return reflector<T>(alpha, squares, true);
        vector_in_lanes<F> x;
#pragma unroll
        for (int c = 0; c < COLS; c++) x.b[c] = b[c];
        x = reflect_unusual(x, alpha, squares, head);
#pragma unroll
        for (int c = 0; c < COLS; c++) b[c] = x.b[c];
        if (x.unit != 1) again();
        return x.h;
    }

    /* Between steps */
    __device__ __forceinline__ void move(blocks<F> &k, T *at, bool out) const
    {
#pragma unroll
        for (int i = 0; i < ROWS; i++)
#pragma unroll
            for (int c = 0; c < COLS; c++) {
                T *const d = at + (i * COLS + c) * F::THREADS + tid, *const b = d + F::ELEMENTS / 2 * F::THREADS;
                if (out) *d = k.D[i][c], *b = k.B[i][c];
                else k.D[i][c] = *d, k.B[i][c] = *b;
            }
    }
};

template <class C> constexpr size_t flow_bytes(int each, bool parked)
{
    using F = typename C::F;
    return sizeof(typename C::S) + each * (sizeof(typename C::L) + (parked ? sizeof(blocks<F>) * F::THREADS : 0));
}

/* C: a CTA's part */
template <class C> __global__ __launch_bounds__(C::F::THREADS, 1) void chase(const __grid_constant__ flow<typename C::F, typename C::A> f)
{
    using F = typename C::F;
    using T = typename F::T;
    using S = typename C::S;
    using L = typename C::L;
    extern __shared__ __align__(16) unsigned char chase_memory[];
    S &sh = *(S *)chase_memory;
    L *const lines = (L *)(chase_memory + sizeof(S));
    const C me(f, sh, lines);
    const typename C::A &a = f.a;
    const int first = (int)blockIdx.x * f.each;
    for (int i = threadIdx.x; i < f.each * (int)(sizeof(L) / sizeof(T)); i += F::THREADS) ((T *)lines)[i] = make<T>(0);
    if (first == 0)
        for (int i = threadIdx.x; i <= a.kd; i += F::THREADS) sh.first[i] = a.first(i);
    __syncthreads();

    if constexpr (F::HELD > 0) {
        blocks<F> k[F::HELD];
#pragma unroll
        for (int q = 0; q < F::HELD; q++)
            if (q < f.each && a.has(first + q, 0)) me.load(k[q], first + q);
        for (int s = 0, head = 0; a.has(first, s); s++) {
#pragma unroll
            for (int q = 0; q < F::HELD; q++)
                if (q < f.each && a.has(first + q, s)) me.step(k[q], first + q, q, s, head);
            if (++head == a.kd) head = 0;
        }
    } else {
        constexpr size_t SIZE = F::ELEMENTS * F::THREADS;
        T *const parked = f.parked ? f.parked + (size_t)first * SIZE : (T *)(lines + f.each);
        blocks<F> k;
        for (int round = 0, s; a.has(first, s = round / 2); round++)
            for (int q = round % 2; q < f.each && q <= round; q += 2) {
                s = (round - q) / 2;
                if (!a.has(first + q, s)) continue;
                if (s == 0) me.load(k, first + q);
                else me.move(k, parked + q * SIZE, false);
                me.step(k, first + q, q, s, s % a.kd);
                me.move(k, parked + q * SIZE, true);
            }
    }
    __syncthreads();
    if (first == 0 && threadIdx.x == 0) a.d[a.n - 1] = re(sh.first[0]);
}

} // namespace tsl
#endif
