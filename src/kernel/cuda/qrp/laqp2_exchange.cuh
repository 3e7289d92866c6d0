/* The CTAs of laqp2.cuh: what each has, and what they tell each other in a round. */
#ifndef TSL_CUDA_LAQP2_EXCHANGE_CUH
#define TSL_CUDA_LAQP2_EXCHANGE_CUH

#include "kernel/cuda/exchange.cuh"
#include "kernel/cuda/eig/reflect.cuh"

namespace tsl {
namespace laqp2 {

constexpr int WARPS = 16, THREADS = 32 * WARPS, GROUP = 8,
              LINES = 5; /* LINES: rows of a lane, of columns that it may have in registers */
static_assert(MOST_CTAS <= THREADS && GROUP <= WARPS, "a thread listens to a CTA, a warp has a candidate");

template <class T> struct problem {
    T *A, *tau, *columns, *scratch, *records; /* columns, scratch: where they have no room on the chip; else NULL */
    int64_t lda, *q;
    int m, n, steps, width, ctas, group; /* group: candidates of a round, GROUP at most */
    double share;
    tsl_cuda_message *messages;
    unsigned epoch;
};

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
    double length[MOST_CTAS], left[GROUP], tail[GROUP],
        rest; /* told by CTAs; of the candidates: the length, and the squares below the row; the longest that another may be */
    int position[MOST_CTAS], rank[MOST_CTAS], own;            /* and the slot of this CTA's own */
    int from[GROUP], at[GROUP], order[GROUP], to[GROUP],
        slot[GROUP]; /* candidates: their CTA and position; those taken: which, from what position, whose slot */
    T tau[GROUP];
    real_t<T> beta[GROUP];
};

/* Per column of a CTA, beside its elements: length and squares below the row, position */
template <class T> __host__ __device__ size_t place_bytes(int width) { return ((size_t)width * (2 * sizeof(double) + sizeof(int)) + 15) / 16 * 16; }
template <class T> __host__ __device__ int64_t scratch_count(int m, int group) { return 2 * group * (int64_t)m; }
/* A record: a column, the second length, the squares of that column below its first row: two numbers each in the place of two
 * elements */
template <class T> __host__ __device__ int64_t record_count(int m) { return ((int64_t)m + 1) / 2 * 2 + 8; }

template <class T> struct part {
    const problem<T> &p;
    shared<T> &s;
    const int tid, lane, warp, cta, first, mine;
    double *const length, *const tail;
    int *const position;
    T *const S, *const candidate, *const v;

    __device__ part(const problem<T> &p_, shared<T> &s_, unsigned char *dynamic)
        : p(p_), s(s_), tid(threadIdx.x), lane(tid % 32), warp(tid / 32), cta(blockIdx.x), first(cta * p.width),
          mine(max(0, min(p.width, p.n - first))), length((double *)dynamic), tail(length + p.width),
          position((int *)(tail + p.width)),
          S(p.columns ? p.columns + (int64_t)first * p.m
                      : (T *)(dynamic + place_bytes<T>(p.width)) + (p.scratch ? 0 : scratch_count<T>(p.m, p.group))),
          candidate(p.scratch ? p.scratch + cta * scratch_count<T>(p.m, p.group) : (T *)(dynamic + place_bytes<T>(p.width))),
          v(candidate + (int64_t)p.group * p.m)
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
        if (tid == 0) tell(p.messages, round % 2, p.epoch + round, s.length[cta], (unsigned)s.position[cta]);
    }

    /* What the others tell; the longest of it, in order */
    __device__ void listen(int round)
    {
        if (tid < p.ctas) {
            const told x = hear(p.messages, round % 2, tid, p.epoch + round);
            s.length[tid] = x.value, s.position[tid] = (int)x.number, s.rank[tid] = 0;
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
            for (int d = tid / MOST_CTAS; d < p.ctas; d += TEAMS)
                before += s.position[d] >= 0 && (s.length[d] > own || (s.length[d] == own && s.position[d] < where));
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
};

} // namespace laqp2
} // namespace tsl
#endif
