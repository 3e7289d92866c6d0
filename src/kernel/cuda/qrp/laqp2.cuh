/* QR with column pivoting, or its first steps (core/leaf.h), in one kernel, whose CTAs are on the device together and exchange messages.
 *
 * A CTA has columns of the matrix, in its shared memory where there is room, and their lengths from row k on. Columns stay where they are; each has a
 * position, which exchanges change. In a round
 *   the CTAs tell the longest column they have, and how long the second one is
 *   all take the longest of these, GROUP at most, and factor them alike, by themselves: the longest first, then the next as long as what is left of it is not
 *     shorter than `share` times any other column may be
 *   each CTA reflects its columns by what was taken, and measures them anew.
 * So one exchange serves several steps, and lengths are never downdated. */
#ifndef TSL_CUDA_LAQP2_CUH
#define TSL_CUDA_LAQP2_CUH

#include "device/cuda/messages.h"
#include "kernel/cuda/eig/reflect.cuh"

namespace tsl {
namespace laqp2 {

constexpr int MOST_CTAS = 160, WARPS = 16, THREADS = 32 * WARPS, GROUP = 8, LINES = 5; /* LINES: rows of a lane, of columns that it may have in registers */
static_assert(MOST_CTAS <= THREADS && GROUP <= WARPS, "a thread listens to a CTA, a warp has a candidate");

template <class T> struct problem {
    T *A, *tau, *columns, *scratch, *records; /* columns, scratch: where they have no room on the chip; else NULL */
    int64_t lda, *q;
    int m, n, steps, width, ctas, group; /* group: candidates of a round, GROUP at most */
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
    /* For all lanes; lengths are not negative, so that their words are in order as they are */
    __device__ void over_lanes()
    {
        const unsigned high = position < 0 ? 0u : 1u + (unsigned)__double2hiint(length), most = __reduce_max_sync(0xffffffffu, high);
        const bool first = position >= 0 && high == most;
        const unsigned low = first ? (unsigned)__double2loint(length) : 0u, next = __reduce_max_sync(0xffffffffu, low);
        const bool second = first && low == next;
        const unsigned where = __reduce_min_sync(0xffffffffu, second ? (unsigned)position : 0xffffffffu);
        const unsigned mine = __ballot_sync(0xffffffffu, second && (unsigned)position == where);
        if (mine == 0) {
            position = at = -1;
            return;
        }
        length = __hiloint2double((int)(most - 1), (int)next), position = (int)where, at = __shfl_sync(0xffffffffu, at, __ffs(mine) - 1);
    }
};

template <class T> struct shared {
    double length[MOST_CTAS], left[GROUP], tail[GROUP], rest; /* told by CTAs; of the candidates: the length, and the squares below the row; the longest that another may be */
    int position[MOST_CTAS], rank[MOST_CTAS], own;            /* and the slot of this CTA's own */
    int from[GROUP], at[GROUP], order[GROUP], to[GROUP], slot[GROUP]; /* candidates: their CTA and position; those taken: which, from what position, whose slot */
    T tau[GROUP];
    real_t<T> beta[GROUP];
};

/* Per column of a CTA, beside its elements: length and squares below the row, position */
template <class T> __host__ __device__ size_t place_bytes(int width) { return ((size_t)width * (2 * sizeof(double) + sizeof(int)) + 15) / 16 * 16; }
template <class T> __host__ __device__ int64_t scratch_count(int m, int group) { return 2 * group * (int64_t)m; }
/* A record: a column, the second length, the squares of that column below its first row: two numbers each in the place of two elements */
template <class T> __host__ __device__ int64_t record_count(int m) { return ((int64_t)m + 1) / 2 * 2 + 8; }

template <class T> struct part {
    const problem<T> &p;
    shared<T> &s;
    const int tid, lane, warp, cta, first, mine;
    double *const length, *const tail;
    int *const position;
    T *const S, *const candidate, *const v;

    __device__ part(const problem<T> &p_, shared<T> &s_, unsigned char *dynamic)
        : p(p_), s(s_), tid(threadIdx.x), lane(tid % 32), warp(tid / 32), cta(blockIdx.x), first(cta * p.width), mine(max(0, min(p.width, p.n - first))),
          length((double *)dynamic), tail(length + p.width), position((int *)(tail + p.width)),
          S(p.columns ? p.columns + (int64_t)first * p.m : (T *)(dynamic + place_bytes<T>(p.width)) + (p.scratch ? 0 : scratch_count<T>(p.m, p.group))),
          candidate(p.scratch ? p.scratch + cta * scratch_count<T>(p.m, p.group) : (T *)(dynamic + place_bytes<T>(p.width))), v(candidate + (int64_t)p.group * p.m)
    {
    }

    __device__ T *column(int j) const { return S + (int64_t)j * p.m; }
    __device__ T *record(int round, int c) const { return p.records + ((int64_t)(round % 2) * p.ctas + c) * record_count<T>(p.m); }
    __device__ double *numbers(int round, int c) const { return (double *)(record(round, c) + ((int64_t)p.m + 1) / 2 * 2); }

    /* Tells the longest column from row k on, and the second's length, to all */
    __device__ void propose(int k, int round)
    {
        if (warp == 0) {
            longest best = {0, -1, -1}, own;
            double second = 0;
            for (int j = lane; j < mine; j += 32) {
                if (position[j] < k) continue;
                const double before = best.position < 0 ? 0. : best.length;
                second = fmax(second, best.meet(length[j], position[j], j) ? before : length[j]);
            }
            own = best;
            best.over_lanes();
            if (own.position >= 0 && own.position != best.position) second = fmax(second, own.length);
            const unsigned high = __reduce_max_sync(0xffffffffu, (unsigned)__double2hiint(second)); /* no less than the second, and little more */
            if (lane == 0) {
                s.own = best.at, s.length[cta] = best.length, s.position[cta] = best.position;
                double *const to = numbers(round, cta);
                to[0] = high ? __hiloint2double((int)high, -1) : 0., to[1] = best.at < 0 ? 0. : tail[best.at];
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

    /* What the others tell; the longest of it, in order */
    __device__ void listen(int round)
    {
        if (tid < p.ctas) {
            tsl_cuda_message m;
            do m = tsl_cuda_look(p.messages + (round % 2) * MOST_CTAS + tid);
            while ((unsigned)m.tag != p.epoch + round);
            __threadfence();
            s.length[tid] = __longlong_as_double((long long)m.word), s.position[tid] = (int)(m.tag >> 32), s.rank[tid] = 0;
        }
        if (tid < GROUP) s.from[tid] = -1;
        if (tid == 0) s.rest = 0;
        __syncthreads();
        constexpr int TEAMS = THREADS / MOST_CTAS;
        if (tid < TEAMS * MOST_CTAS && tid % MOST_CTAS < p.ctas) { /* how many are before it */
            const int c = tid % MOST_CTAS, where = s.position[c];
            const double own = s.length[c];
            int before = 0;
#pragma unroll 4
            for (int d = tid / MOST_CTAS; d < p.ctas; d += TEAMS) before += s.position[d] >= 0 && (s.length[d] > own || (s.length[d] == own && s.position[d] < where));
            if (before) atomicAdd(&s.rank[c], before);
        }
        __syncthreads();
        if (tid < p.ctas && s.position[tid] >= 0) {
            const int rank = s.rank[tid];
            if (rank < p.group) s.from[rank] = tid, s.at[rank] = s.position[tid], s.left[rank] = s.length[tid];
            if (rank == p.group) s.rest = s.length[tid];
        }
        __syncthreads();
        for (int e = tid; e < p.group * p.m; e += THREADS) {
            const int g = e / p.m;
            if (s.from[g] >= 0) candidate[e] = far(record(round, s.from[g]) + e % p.m);
        }
        if (warp == 0) {
            const bool here = lane < p.group && s.from[lane] >= 0;
            const double *const told = here ? numbers(round, s.from[lane]) : nullptr;
            const double second = here ? far(told) : 0.;
            if (here) s.tail[lane] = far(told + 1);
            const unsigned high = __reduce_max_sync(0xffffffffu, (unsigned)__double2hiint(second));
            if (lane == 0) s.rest = fmax(s.rest, high ? __hiloint2double((int)high, -1) : 0.);
        }
        __syncthreads();
    }

    /* The reflector of x from row k on, by the squares below it; elements of any size */
    __device__ eig::scaled_reflector<T> reflector_of(const T *x, int k, double below)
    {
        const double size = below + squared(x[k]), most = sizeof(real_t<T>) == 8 ? 1e280 : 1e30;
        if (size < most && size > 1 / most) {
            const reflector<T> h(x[k], (real_t<T>)below);
            eig::scaled_reflector<T> like;
            like.inv = h.inv, like.tau = h.tau, like.by = 1, like.beta = h.beta, like.none = h.none;
            return like;
        }
        eig::sum_of_squares sum = eig::sum_of_squares::zero();
        for (int r = k + 1 + lane; r < p.m; r += 32) sum.take(x[r]);
        sum.merge_lanes();
        return eig::scaled_reflector<T>(x[k], sum);
    }

    /* x := (I - conj(tau) v v^H) x, by a warp, from row k on; the squares from row k + 2 on */
    __device__ double reflect(T *x, const T *v1, T tau, int k)
    {
        T sum = make<T>(0);
        double left = 0;
        if (p.m - k <= 32 * LINES) {
            T a[LINES], y[LINES];
#pragma unroll
            for (int t = 0; t < LINES; t++) {
                const int r = k + lane + 32 * t;
                a[t] = r < p.m ? x[r] : make<T>(0), y[t] = r < p.m ? v1[r] : make<T>(0);
            }
#pragma unroll
            for (int t = 0; t < LINES; t++) sum = add_mul<true>(sum, y[t], a[t]);
            sum = mul(conj(tau), eig::over_lanes(sum));
#pragma unroll
            for (int t = 0; t < LINES; t++) {
                const int r = k + lane + 32 * t;
                a[t] = sub_mul<false>(a[t], y[t], sum);
                if (r < p.m) x[r] = a[t];
                if (r > k + 1) left += squared(a[t]);
            }
            return eig::over_lanes(left);
        }
        for (int r = k + lane; r < p.m; r += 32) sum = add_mul<true>(sum, v1[r], x[r]);
        sum = mul(conj(tau), eig::over_lanes(sum));
        for (int r = k + lane; r < p.m; r += 32) {
            const T a = sub_mul<false>(x[r], v1[r], sum);
            x[r] = a;
            if (r > k + 1) left += squared(a);
        }
        return eig::over_lanes(left);
    }

    /* Step k + i, if there is a candidate for it that is not used: all threads know the same */
    __device__ bool take(int k, int i, unsigned &used)
    {
        const int row = k + i;
        int g = -1;
        double most = -1;
#pragma unroll
        for (int c = 0; c < GROUP; c++) {
            const double left = s.left[c];
            if (c < p.group && s.from[c] >= 0 && !(used >> c & 1) && left > most) most = left, g = c;
        }
        if (row >= p.steps || g < 0 || (i > 0 && !(most >= p.share * s.rest))) return false;
        T *const x = candidate + (int64_t)g * p.m, *const y = v + (int64_t)i * p.m;
        const eig::scaled_reflector<T> h = reflector_of(x, row, s.tail[g]);
        for (int r = k + tid; r < p.m; r += THREADS) y[r] = h.element(x[r], r, row - 1);
        if (tid == 0) {
            s.order[i] = g, s.to[i] = s.at[g], s.slot[i] = -1, s.tau[i] = h.tau, s.beta[i] = h.beta;
            if (cta == 0) p.tau[row] = h.tau;
        }
        used |= 1u << g;
        __syncthreads();
        if (warp < p.group && s.from[warp] >= 0 && !(used >> warp & 1)) {
            T *const other = candidate + (int64_t)warp * p.m;
            const double tail = reflect(other, y, h.tau, row);
            __syncwarp();
            if (lane == 0) {
                s.tail[warp] = tail, s.left[warp] = row + 1 < p.m ? length_of(tail + squared(other[row + 1])) : 0.;
                if (s.at[warp] == row) s.at[warp] = s.to[i];
            }
        }
        __syncthreads();
        return true;
    }

    /* The columns taken get their positions and elements; those that were there get theirs. */
    __device__ void move(int k, int taken)
    {
        for (int j = tid; j < mine; j += THREADS) {
            int at = position[j];
            for (int i = 0; i < taken; i++) {
                if (at == s.to[i]) at = k + i, s.slot[i] = j;
                else if (at == k + i) at = s.to[i];
            }
            position[j] = at;
        }
        __syncthreads();
        for (int i = 0; i < taken; i++) {
            const T *x = candidate + (int64_t)s.order[i] * p.m, *y = v + (int64_t)i * p.m;
            if (s.slot[i] >= 0)
                for (int r = tid; r < p.m; r += THREADS) column(s.slot[i])[r] = r < k + i ? x[r] : r == k + i ? make<T>(s.beta[i]) : y[r];
        }
    }

    /* Columns of a warp, AT_ONCE at a time, so that their sums are under way together; then their lengths from row next on */
    template <int AT_ONCE> __device__ void reflect_all(int k, int taken)
    {
        const int next = k + taken;
        for (int from = warp * AT_ONCE; from < mine; from += WARPS * AT_ONCE) {
            T *x[AT_ONCE];
            bool open[AT_ONCE];
#pragma unroll
            for (int c = 0; c < AT_ONCE; c++) {
                const int j = min(from + c, mine - 1);
                x[c] = column(j), open[c] = from + c < mine && position[j] >= next;
            }
            for (int i = 0; i < taken; i++) {
                const T *const y = v + (int64_t)i * p.m;
                T sum[AT_ONCE];
#pragma unroll
                for (int c = 0; c < AT_ONCE; c++) sum[c] = make<T>(0);
#pragma unroll 4
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
#pragma unroll 4
                for (int r = k + lane; r < p.m; r += 32)
#pragma unroll
                    for (int c = 0; c < AT_ONCE; c++)
                        if (open[c]) x[c][r] = sub_mul<false>(x[c][r], y[r], sum[c]);
            }
            __syncwarp(); /* rows by other lanes */
            double left[AT_ONCE] = {};
            for (int r = next + 1 + lane; r < p.m; r += 32)
#pragma unroll
                for (int c = 0; c < AT_ONCE; c++) left[c] += squared(x[c][r]);
#pragma unroll
            for (int bit = 16; bit >= 1; bit /= 2)
#pragma unroll
                for (int c = 0; c < AT_ONCE; c++) left[c] += shuffle_xor(left[c], bit);
#pragma unroll
            for (int c = 0; c < AT_ONCE; c++)
                if (lane == c && open[c]) tail[from + c] = left[c], length[from + c] = next < p.m ? length_of(left[c] + squared(x[c][next])) : 0.;
        }
    }

    /* The same, where a lane has all of its rows in registers */
    template <int AT_ONCE> __device__ void reflect_short(int k, int taken)
    {
        const int next = k + taken;
        for (int from = warp * AT_ONCE; from < mine; from += WARPS * AT_ONCE) {
            T a[LINES][AT_ONCE];
            bool open[AT_ONCE];
            double left[AT_ONCE], head[AT_ONCE];
#pragma unroll
            for (int c = 0; c < AT_ONCE; c++) {
                const int j = min(from + c, mine - 1);
                open[c] = from + c < mine && position[j] >= next, left[c] = head[c] = 0;
#pragma unroll
                for (int t = 0; t < LINES; t++) a[t][c] = k + lane + 32 * t < p.m ? column(j)[k + lane + 32 * t] : make<T>(0);
            }
            for (int i = 0; i < taken; i++) {
                const T *const v1 = v + (int64_t)i * p.m;
                T y[LINES], sum[AT_ONCE];
#pragma unroll
                for (int t = 0; t < LINES; t++) y[t] = k + lane + 32 * t < p.m ? v1[k + lane + 32 * t] : make<T>(0);
#pragma unroll
                for (int c = 0; c < AT_ONCE; c++) {
                    sum[c] = make<T>(0);
#pragma unroll
                    for (int t = 0; t < LINES; t++) sum[c] = add_mul<true>(sum[c], y[t], a[t][c]);
                }
#pragma unroll
                for (int bit = 16; bit >= 1; bit /= 2)
#pragma unroll
                    for (int c = 0; c < AT_ONCE; c++) sum[c] = add(sum[c], shuffle_xor(sum[c], bit));
                const T by = conj(s.tau[i]);
#pragma unroll
                for (int c = 0; c < AT_ONCE; c++) {
                    sum[c] = mul(by, sum[c]);
#pragma unroll
                    for (int t = 0; t < LINES; t++) a[t][c] = sub_mul<false>(a[t][c], y[t], sum[c]);
                }
            }
#pragma unroll
            for (int c = 0; c < AT_ONCE; c++)
#pragma unroll
                for (int t = 0; t < LINES; t++) {
                    const int r = k + lane + 32 * t;
                    if (r < p.m && open[c]) column(from + c)[r] = a[t][c];
                    if (r == next) head[c] = squared(a[t][c]);
                    if (r > next) left[c] += squared(a[t][c]);
                }
#pragma unroll
            for (int bit = 16; bit >= 1; bit /= 2)
#pragma unroll
                for (int c = 0; c < AT_ONCE; c++) left[c] += shuffle_xor(left[c], bit);
#pragma unroll
            for (int c = 0; c < AT_ONCE; c++)
                if (lane == taken % 32 && open[c]) tail[from + c] = left[c], length[from + c] = length_of(left[c] + head[c]); /* the lane with row next */
        }
    }

    /* As few at once as keep all warps busy */
    __device__ void follow(int k, int taken)
    {
        if (p.m - k <= 32 * LINES && mine > 2 * WARPS) reflect_short<4>(k, taken);
        else if (p.m - k <= 32 * LINES) reflect_short<2>(k, taken);
        else if (mine <= WARPS) reflect_all<1>(k, taken);
        else if (mine <= 2 * WARPS) reflect_all<2>(k, taken);
        else reflect_all<4>(k, taken);
        __syncthreads();
    }

    __device__ void run()
    {
        for (int j = tid; j < mine; j += THREADS) position[j] = first + j;
        for (int64_t e = tid; e < (int64_t)mine * p.m; e += THREADS) S[e] = p.A[e % p.m + (first + e / p.m) * p.lda];
        __syncthreads();
        follow(0, 0);
        int k = 0;
        for (int round = 0; k < p.steps; round++) {
            unsigned used = 0;
            int taken = 0;
            propose(k, round);
            listen(round);
            while (taken < p.group && take(k, taken, used)) taken++;
            move(k, taken);
            __syncthreads();
            follow(k, taken);
            k += taken;
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
