/* QR with column pivoting, or its first steps (core/leaf.h), in one kernel, whose CTAs are on the device together and exchange messages.
 *
 * A CTA has columns of the matrix, in its shared memory where there is room, and their lengths from row k on. Columns stay where they are; each has a
 * position, which exchanges change. In a round
 *   the CTAs tell the longest column they have, and how long the second one is
 *   all take the GROUP longest of these and factor them alike, by themselves: the longest first, then the next as long as what is left of it is not
 *     shorter than `share` times any other column may be
 *   each CTA reflects its columns by what was taken, and measures them anew.
 * So one exchange serves several steps, and lengths are never downdated. */
#ifndef TSL_CUDA_LAQP2_CUH
#define TSL_CUDA_LAQP2_CUH

#include "device/cuda/messages.h"
#include "kernel/cuda/eig/reflect.cuh"

namespace tsl {
namespace laqp2 {

constexpr int MOST_CTAS = 160, WARPS = 16, THREADS = 32 * WARPS, GROUP = 4, AT_ONCE = 4;
static_assert(MOST_CTAS <= THREADS, "a thread listens to a CTA");

template <class T> struct problem {
    T *A, *tau, *columns, *scratch, *records; /* columns, scratch: where they have no room on the chip; else NULL */
    int64_t lda, *q;
    int m, n, steps, width, ctas;
    double share;
    tsl_cuda_message *messages;
    unsigned epoch;
};

/* What other CTAs wrote is read from L2. */
template <class T> __device__ T far(const T *p)
{
    if constexpr (sizeof(T) == 16) {
        const double2 v = __ldcg((const double2 *)p);
        return {v.x, v.y};
    } else if constexpr (is_complex<T>) {
        const float2 v = __ldcg((const float2 *)p);
        return {v.x, v.y};
    } else {
        return __ldcg(p);
    }
}

/* In double, so that in single precision nothing vanishes */
template <class T> __device__ double squared(T a)
{
    const double x = (double)re(a);
    if constexpr (is_complex<T>)
        return fma((double)a.im, (double)a.im, x * x);
    else
        return x * x;
}

/* NaN is longer than all, so that it is taken first and spreads. */
__device__ inline double length_of(double squares) { return squares == squares ? sqrt(squares) : INFINITY; }

/* Of equal lengths the first position counts; position -1: none */
struct longest {
    double length;
    int position, at;

    __device__ bool meet(double other, int where, int its)
    {
        const bool better = where >= 0 && (position < 0 || other > length || (other == length && where < position));
        if (better) length = other, position = where, at = its;
        return better;
    }
    __device__ void over_lanes()
    {
#pragma unroll
        for (int bit = 16; bit >= 1; bit /= 2) {
            const double other = __shfl_xor_sync(0xffffffffu, length, bit);
            const int where = __shfl_xor_sync(0xffffffffu, position, bit), its = __shfl_xor_sync(0xffffffffu, at, bit);
            meet(other, where, its);
        }
    }
};

template <class T> struct shared {
    double length[MOST_CTAS], left[GROUP], rest; /* told by CTAs; of the candidates from the next row on; the longest that another may be */
    int position[MOST_CTAS], own;                /* and the slot of this CTA's own */
    int from[GROUP], at[GROUP], taken, order[GROUP], to[GROUP], slot[GROUP]; /* candidates: their CTA and position; those taken: which, from what position, whose slot */
    bool used[GROUP];
    T tau[GROUP];
    real_t<T> beta[GROUP];
};

/* Per column of a CTA, beside its elements */
template <class T> __host__ __device__ size_t place_bytes(int width) { return ((size_t)width * (sizeof(double) + sizeof(int)) + 15) / 16 * 16; }
template <class T> __host__ __device__ int64_t scratch_count(int m) { return 2 * GROUP * (int64_t)m; }

template <class T> struct part {
    const problem<T> &p;
    shared<T> &s;
    const int tid, lane, warp, cta, first, mine;
    double *const length;
    int *const position;
    T *const S, *const candidate, *const v;

    __device__ part(const problem<T> &p_, shared<T> &s_, unsigned char *dynamic)
        : p(p_), s(s_), tid(threadIdx.x), lane(tid % 32), warp(tid / 32), cta(blockIdx.x), first(cta * p.width), mine(max(0, min(p.width, p.n - first))),
          length((double *)dynamic), position((int *)(length + p.width)),
          S(p.columns ? p.columns + (int64_t)first * p.m : (T *)(dynamic + place_bytes<T>(p.width)) + (p.scratch ? 0 : scratch_count<T>(p.m))),
          candidate(p.scratch ? p.scratch + cta * scratch_count<T>(p.m) : (T *)(dynamic + place_bytes<T>(p.width))), v(candidate + (int64_t)GROUP * p.m)
    {
    }

    __device__ T *column(int j) const { return S + (int64_t)j * p.m; }
    __device__ T *record(int round, int c) const { return p.records + ((int64_t)(round % 2) * p.ctas + c) * (p.m + 1); }

    /* The reflector of x from row k on; elements of any size */
    __device__ eig::scaled_reflector<T> reflector_of(const T *x, int k)
    {
        eig::sum_of_squares sum = eig::sum_of_squares::zero();
        for (int r = k + 1 + lane; r < p.m; r += 32) sum.take(x[r]);
        sum.merge_lanes();
        return eig::scaled_reflector<T>(x[k], sum);
    }

    /* Tells the longest column from row k on, and the second's length, to all */
    __device__ void propose(int k, int round)
    {
        if (warp == 0) {
            longest best = {0, -1, -1};
            double second = 0;
            for (int j = lane; j < mine; j += 32) {
                if (position[j] < k) continue;
                const double before = best.position < 0 ? 0. : best.length;
                second = fmax(second, best.meet(length[j], position[j], j) ? before : length[j]);
            }
            const longest own = best;
            best.over_lanes();
            best.length = __shfl_sync(0xffffffffu, best.length, 0), best.position = __shfl_sync(0xffffffffu, best.position, 0);
            best.at = __shfl_sync(0xffffffffu, best.at, 0);
            if (own.position >= 0 && own.position != best.position) second = fmax(second, own.length);
#pragma unroll
            for (int bit = 16; bit >= 1; bit /= 2) second = fmax(second, __shfl_xor_sync(0xffffffffu, second, bit));
            if (lane == 0) {
                s.own = best.at, s.length[cta] = best.length, s.position[cta] = best.position;
                record(round, cta)[p.m] = make<T>((real_t<T>)second);
            }
        }
        __syncthreads();
        if (s.own >= 0)
            for (int r = tid; r < p.m; r += THREADS) record(round, cta)[r] = column(s.own)[r];
        __syncthreads();
        if (tid == 0) {
            __threadfence();
            tsl_cuda_send(p.messages + (round % 2) * MOST_CTAS + cta, (uint64_t)__double_as_longlong(s.length[cta]),
                          (uint64_t)(p.epoch + round) | (uint64_t)(unsigned)s.position[cta] << 32);
        }
    }

    /* What the others tell; the GROUP longest */
    __device__ void listen(int round)
    {
        if (tid < p.ctas) {
            tsl_cuda_message m;
            do m = tsl_cuda_look(p.messages + (round % 2) * MOST_CTAS + tid);
            while ((unsigned)m.tag != p.epoch + round);
            __threadfence();
            s.length[tid] = __longlong_as_double((long long)m.word), s.position[tid] = (int)(m.tag >> 32);
        }
        __syncthreads();
        if (warp == 0) {
            double rest = 0;
            for (int g = 0; g <= GROUP; g++) {
                longest best = {0, -1, -1};
                for (int c = lane; c < p.ctas; c += 32) best.meet(s.length[c], s.position[c], c);
                best.over_lanes();
                best.at = __shfl_sync(0xffffffffu, best.at, 0);
                if (g == GROUP) {
                    if (best.at >= 0) rest = fmax(rest, s.length[best.at]);
                } else if (lane == 0) {
                    s.from[g] = best.at, s.used[g] = best.at < 0;
                    if (best.at >= 0) s.at[g] = s.position[best.at], s.left[g] = s.length[best.at], s.position[best.at] = -1;
                }
                __syncwarp();
            }
            const int c = lane < GROUP ? s.from[lane] : -1;
            double second = c >= 0 ? (double)re(far(record(round, c) + p.m)) : 0.;
            second = second == second ? second : INFINITY;
#pragma unroll
            for (int bit = 16; bit >= 1; bit /= 2) second = fmax(second, __shfl_xor_sync(0xffffffffu, second, bit));
            if (lane == 0) s.rest = fmax(rest, second), s.taken = 0;
        }
        __syncthreads();
        for (int e = tid; e < GROUP * p.m; e += THREADS) {
            const int g = e / p.m;
            if (s.from[g] >= 0) candidate[e] = far(record(round, s.from[g]) + e % p.m);
        }
        __syncthreads();
    }

    /* x := (I - conj(tau) v v^H) x, by a warp, from row k on; the squares from the next row on */
    __device__ double reflect(T *x, const T *v1, T tau, int k)
    {
        T sum = make<T>(0);
        for (int r = k + lane; r < p.m; r += 32) sum = add_mul<true>(sum, v1[r], x[r]);
        sum = mul(conj(tau), eig::over_lanes(sum));
        double left = 0;
        for (int r = k + lane; r < p.m; r += 32) {
            const T a = sub_mul<false>(x[r], v1[r], sum);
            x[r] = a;
            if (r > k) left += squared(a);
        }
        return eig::over_lanes(left);
    }

    /* Step k + i, if there is a candidate for it: all threads know the same */
    __device__ bool take(int k, int i)
    {
        int g = -1;
        for (int c = 0; c < GROUP; c++)
            if (!s.used[c] && (g < 0 || s.left[c] > s.left[g])) g = c;
        if (k + i >= p.steps || g < 0 || (i > 0 && !(s.left[g] >= p.share * s.rest))) return false;
        const int row = k + i;
        T *const x = candidate + (int64_t)g * p.m, *const y = v + (int64_t)i * p.m;
        const eig::scaled_reflector<T> h = reflector_of(x, row);
        for (int r = k + tid; r < p.m; r += THREADS) y[r] = h.element(x[r], r, row - 1);
        __syncthreads();
        if (warp < GROUP && warp != g && !s.used[warp]) {
            const double left = length_of(reflect(candidate + (int64_t)warp * p.m, y, h.tau, row));
            if (lane == 0) {
                s.left[warp] = left;
                if (s.at[warp] == row) s.at[warp] = s.at[g];
            }
        }
        __syncthreads();
        if (tid == 0) {
            s.used[g] = true, s.order[i] = g, s.to[i] = s.at[g], s.slot[i] = -1, s.tau[i] = h.tau, s.beta[i] = h.beta, s.taken = i + 1;
            if (cta == 0) p.tau[row] = h.tau;
        }
        __syncthreads();
        return true;
    }

    /* The columns taken get their positions and elements; those that were there get theirs. */
    __device__ void move(int k)
    {
        for (int j = tid; j < mine; j += THREADS) {
            int at = position[j];
            for (int i = 0; i < s.taken; i++) {
                if (at == s.to[i]) at = k + i, s.slot[i] = j;
                else if (at == k + i) at = s.to[i];
            }
            position[j] = at;
        }
        __syncthreads();
        for (int i = 0; i < s.taken; i++) {
            const T *x = candidate + (int64_t)s.order[i] * p.m, *y = v + (int64_t)i * p.m;
            if (s.slot[i] >= 0)
                for (int r = tid; r < p.m; r += THREADS) column(s.slot[i])[r] = r < k + i ? x[r] : r == k + i ? make<T>(s.beta[i]) : y[r];
        }
    }

    /* Columns of a warp, AT_ONCE at a time, so that their sums are under way together; then their lengths from row next on */
    __device__ void reflect_all(int k, int next)
    {
        for (int from = warp * AT_ONCE; from < mine; from += WARPS * AT_ONCE) {
            T *x[AT_ONCE];
            bool open[AT_ONCE];
#pragma unroll
            for (int c = 0; c < AT_ONCE; c++) {
                const int j = min(from + c, mine - 1);
                x[c] = column(j), open[c] = from + c < mine && position[j] >= next;
            }
            for (int i = 0; i < s.taken; i++) {
                const T *const y = v + (int64_t)i * p.m;
                T sum[AT_ONCE];
#pragma unroll
                for (int c = 0; c < AT_ONCE; c++) sum[c] = make<T>(0);
                for (int r = k + lane; r < p.m; r += 32) /* v is zero above row k + i */
#pragma unroll
                    for (int c = 0; c < AT_ONCE; c++) sum[c] = add_mul<true>(sum[c], y[r], x[c][r]);
#pragma unroll
                for (int bit = 16; bit >= 1; bit /= 2)
#pragma unroll
                    for (int c = 0; c < AT_ONCE; c++) sum[c] = add(sum[c], shuffle_xor(sum[c], bit));
                const T by = conj(s.tau[i]);
#pragma unroll
                for (int c = 0; c < AT_ONCE; c++) sum[c] = mul(by, sum[c]);
                for (int r = k + lane; r < p.m; r += 32)
#pragma unroll
                    for (int c = 0; c < AT_ONCE; c++)
                        if (open[c]) x[c][r] = sub_mul<false>(x[c][r], y[r], sum[c]);
            }
            __syncwarp(); /* rows by other lanes */
            measure(x, open, from, next);
        }
    }

    __device__ void measure(T *const *x, const bool *open, int from, int next)
    {
        double left[AT_ONCE] = {};
        for (int r = next + lane; r < p.m; r += 32)
#pragma unroll
            for (int c = 0; c < AT_ONCE; c++) left[c] += squared(x[c][r]);
#pragma unroll
        for (int bit = 16; bit >= 1; bit /= 2)
#pragma unroll
            for (int c = 0; c < AT_ONCE; c++) left[c] += shuffle_xor(left[c], bit);
#pragma unroll
        for (int c = 0; c < AT_ONCE; c++)
            if (lane == c && open[c]) length[from + c] = length_of(left[c]);
    }

    __device__ void run()
    {
        for (int j = tid; j < mine; j += THREADS) position[j] = first + j;
        for (int64_t e = tid; e < (int64_t)mine * p.m; e += THREADS) S[e] = p.A[e % p.m + (first + e / p.m) * p.lda];
        if (tid == 0) s.taken = 0;
        __syncthreads();
        reflect_all(0, 0);
        __syncthreads();
        int k = 0;
        for (int round = 0; k < p.steps; round++) {
            propose(k, round);
            listen(round);
            for (int i = 0; i < GROUP && take(k, i); i++) {}
            move(k);
            __syncthreads();
            reflect_all(k, k + s.taken);
            k += s.taken;
            __syncthreads();
        }
        /* All have read A: they have told something since. */
        for (int64_t e = tid; e < (int64_t)mine * p.m; e += THREADS) p.A[e % p.m + position[e / p.m] * p.lda] = S[e];
        for (int j = tid; j < mine; j += THREADS) p.q[position[j]] = 1 + first + j;
    }
};

extern __shared__ __align__(16) unsigned char laqp2_shared[];

template <class T> __global__ __launch_bounds__(THREADS, 1) void factor(const problem<T> p)
{
    __shared__ shared<T> s;
    part<T>(p, s, laqp2_shared).run();
}

} // namespace laqp2
} // namespace tsl
#endif
