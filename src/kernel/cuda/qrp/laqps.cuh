/* A panel of QR with column pivoting (core/leaf.h) in one kernel, whose CTAs are on the device together and exchange messages.
 * What is right of the panel is changed afterwards, A := A - V F^H; of its rows that the panel has passed, R, each is made in
 * its step. In a step
 *   column each CTA, for some rows: columns j and p, the longest, are exchanged, and column j as all steps before leave it: a -
 *   V conj(F(p,:)). Squares are told
 *   dots     each warp, for some columns c: A(:,c)^H v, which makes F(c,j), and V^H v; v is the reflector
 *   lengths  each CTA, for its own columns: F(c,j), the row j of R, and how long what is below it is; the longest is told.
 * Lengths are downdated, as LAPACK does; where that has lost half of the digits a column is measured: as the steps so far leave
 * it, which takes a product with V. So no panel ends early. Column j becomes v in the next step, when all have read it. */
#ifndef TSL_CUDA_LAQPS_CUH
#define TSL_CUDA_LAQPS_CUH

#include "kernel/cuda/qrp/laqp2.cuh"

namespace tsl {
namespace laqps {

using laqp2::length_of;
using laqp2::longest;
using laqp2::squared;

constexpr int LIMIT = 64, WARPS = 16, THREADS = 32 * WARPS, AT_ONCE = 2, BATCH = 4, OWN = 64, PARTS = THREADS / OWN;
static_assert(MOST_CTAS <= THREADS, "a thread listens to a CTA");

template <class T> struct problem {
    T *A, *F, *tau, *aux; /* aux: V^H v */
    int64_t lda, ldf, *q;
    double *length, *before; /* of columns: now, and when they were measured last */
    int m, n, k, ctas, rows, width; /* of a CTA: rows, columns */
    bool staged; /* v has room on the chip */
    tsl_cuda_message *messages;
    unsigned epoch;

    __device__ T *at(int64_t r, int64_t c) const { return A + r + c * lda; }
    __device__ T *f(int64_t c, int64_t j) const { return F + c + j * ldf; }
};

template <class T> struct shared {
    double word[MOST_CTAS];
    int high[MOST_CTAS];
    eig::scaled_reflector<T> h;
    T row[LIMIT], aux[LIMIT]; /* F(p,:), then row j of V; V^H v */
    T sums[2][PARTS][OWN];
    eig::sum_of_squares squares[WARPS];
    double measured[WARPS][AT_ONCE];
    longest best[2]; /* of the CTA's columns, by its first two warps */
    int list[OWN], count;
};

template <class T> struct part {
    const problem<T> &p;
    shared<T> &s;
    T *const v;
    const int tid, lane, warp, cta, first_row, end_row, first, end;
    int exchanges;

    __device__ part(const problem<T> &p_, shared<T> &s_, T *v_)
        : p(p_), s(s_), v(v_), tid(threadIdx.x), lane(tid % 32), warp(tid / 32), cta(blockIdx.x), first_row(cta * p.rows),
          end_row(min(p.m, first_row + p.rows)), first(cta * p.width), end(min(p.n, first + p.width)), exchanges(0)
    {
    }

    /* Tells a number and a word, and hears those of all; what was written before is seen after it. */
    __device__ void exchange(double word, int high)
    {
        const int set = exchanges % 2;
        const unsigned epoch = p.epoch + exchanges++;
        __syncthreads();
        if (tid == 0) tell(p.messages, set, epoch, word, (unsigned)high);
        if (tid < p.ctas) {
            const told x = hear(p.messages, set, tid, epoch);
            s.word[tid] = x.value, s.high[tid] = (int)x.number;
        }
        __syncthreads();
    }

    /* The longest of all: its column */
    __device__ int find_longest(longest own)
    {
        exchange(own.length, own.position);
        longest all = {0, -1, -1};
        for (int c = lane; c < p.ctas; c += 32) all.meet(s.word[c], s.high[c], c);
        all.over_lanes();
        return __shfl_sync(0xffffffffu, all.position, 0);
    }

    /* v, for rows of the CTA: what column j - 1 is to become */
    __device__ T finished(int r, int j) const
    {
        const T a = far(p.at(r, j - 1));
        return r == j - 1 ? make<T>(s.h.beta) : r < j ? a : s.h.element(a, r, j - 2);
    }

    /* The last column := its reflector; columns j and with exchanged; column j as it is now. A thread has a row. */
    __device__ void make_column(int j, int with)
    {
        for (int l = tid; l < j; l += THREADS) s.row[l] = conj(far(p.f(with, l)));
        __syncthreads();
        eig::sum_of_squares squares = eig::sum_of_squares::zero();
        for (int r = first_row + tid; r < end_row; r += THREADS) {
            T a = far(p.at(r, with));
            const T last = j ? finished(r, j) : make<T>(0);
            if (j) *p.at(r, j - 1) = last;
            if (with != j) *p.at(r, with) = far(p.at(r, j));
            if (r >= j) {
#pragma unroll 8
                for (int l = 0; l < j - 1; l++) a = sub_mul<false>(a, far(p.at(r, l)), s.row[l]);
                if (j) a = sub_mul<false>(a, last, s.row[j - 1]);
            }
            *p.at(r, j) = a;
            if (r > j) squares.take(a);
        }
        squares.merge_lanes();
        if (lane == 0) s.squares[warp] = squares;
        __syncthreads();
        for (int w = 0; w < WARPS; w++)
            if (w == 0) squares = s.squares[0];
            else squares.merge(s.squares[w]);
        exchange(squares.sum, squares.exponent);
    }

    __device__ void make_reflector(int j)
    {
        if (warp == 0) {
            eig::sum_of_squares squares = eig::sum_of_squares::zero();
            for (int c = lane; c < p.ctas; c += 32) squares.merge({s.word[c], s.high[c]});
            squares.merge_lanes();
            const eig::scaled_reflector<T> h(far(p.at(j, j)), squares);
            if (lane == 0) {
                s.h = h;
                if (cta == 0) p.tau[j] = h.tau;
            }
        }
        __syncthreads();
        for (int r = j + tid; r < p.m && p.staged; r += THREADS) v[r - j] = s.h.element(far(p.at(r, j)), r, j - 1);
        __syncthreads();
    }

    __device__ T of_v(int r, int j) const { return p.staged ? v[r - j] : s.h.element(far(p.at(r, j)), r, j - 1); }

    /* A(:,c)^H v of all columns but j, AT_ONCE of them by a warp */
    __device__ void make_dots(int j)
    {
        const int groups = (p.n - 1 + AT_ONCE - 1) / AT_ONCE;
        for (int g = warp * p.ctas + cta; g < groups; g += WARPS * p.ctas) {
            const T *x[AT_ONCE];
            int c[AT_ONCE];
            T sum[AT_ONCE];
#pragma unroll
            for (int i = 0; i < AT_ONCE; i++) {
                const int e = min(g * AT_ONCE + i, p.n - 2);
                c[i] = e < j ? e : e + 1, x[i] = p.at(0, c[i]), sum[i] = make<T>(0);
            }
            int r = j + lane;
            for (; r + 32 * (BATCH - 1) < p.m; r += 32 * BATCH) {
                T a[BATCH][AT_ONCE];
#pragma unroll
                for (int b = 0; b < BATCH; b++)
#pragma unroll
                    for (int i = 0; i < AT_ONCE; i++) a[b][i] = far(x[i] + r + 32 * b);
#pragma unroll
                for (int b = 0; b < BATCH; b++) {
                    const T y = of_v(r + 32 * b, j);
#pragma unroll
                    for (int i = 0; i < AT_ONCE; i++) sum[i] = add_mul<true>(sum[i], a[b][i], y);
                }
            }
            for (; r < p.m; r += 32) {
                const T y = of_v(r, j);
#pragma unroll
                for (int i = 0; i < AT_ONCE; i++) sum[i] = add_mul<true>(sum[i], far(x[i] + r), y);
            }
#pragma unroll
            for (int i = 0; i < AT_ONCE; i++) {
                sum[i] = eig::over_lanes(sum[i]);
                if (lane == 0) *(c[i] < j ? p.aux + c[i] : p.f(c[i], j)) = sum[i];
            }
        }
        exchange(0, 0);
    }

    /* Columns first + from .. of the CTA, OWN at most: F and R in column j's step, lengths; the longest of them is met by
     * own. */
    __device__ void follow(int from, int j, int with, bool last, longest &own)
    {
        const int c = from + tid % OWN, team = tid / OWN;
        const bool here = c > j && c < end;
        T mixed = make<T>(0), row = make<T>(0);
        for (int l = team; l < j && here; l += PARTS) {
            const T f = far(p.f(c == with ? j : c, l)); /* the one that was in the place of this */
            if (c == with) *p.f(c, l) = f;
            mixed = add_mul(mixed, f, s.aux[l]);
            row = add_mul<true>(row, f, s.row[l]);
        }
        s.sums[0][team][tid % OWN] = mixed, s.sums[1][team][tid % OWN] = row;
        if (tid == 0) s.count = 0;
        __syncthreads();
        if (team == 0) {
            bool measure = false;
            if (here) {
                for (int t = 1; t < PARTS; t++) mixed = add(mixed, s.sums[0][t][tid % OWN]), row = add(row, s.sums[1][t][tid % OWN]);
                const T f = mul(s.h.tau, sub_mul<false>(far(p.f(c, j)), mixed, make<T>(1))),
                        r = sub_mul<false>(far(p.at(j, c)), add(row, conj(f)), make<T>(1));
                *p.f(c, j) = f, *p.at(j, c) = r;
                double length = far(p.length + (c == with ? j : c)), before = far(p.before + (c == with ? j : c));
                if (length > 0 && !last) {
                    const double t = sqrt(squared(r)) / length, rest = fmax(0., (1 + t) * (1 - t)), share = length / before;
                    measure = !(rest * share * share > (sizeof(real_t<T>) == 8 ? 1.4901161193847656e-8 : 3.4526698300124393e-4));
                    length *= sqrt(rest);
                }
                p.length[c] = length, p.before[c] = before;
                if (!measure) own.meet(length, c, c);
            }
            for (int w = 0; w < OWN / 32; w++) { /* in order of columns */
                const unsigned ballot = __ballot_sync(0xffffffffu, measure);
                if (warp == w) {
                    if (measure) s.list[s.count + __popc(ballot & ((1u << lane) - 1))] = c;
                    __syncwarp();
                    if (lane == 0) s.count += __popc(ballot);
                }
                asm volatile("bar.sync %0, 64;" ::"r"(1) : "memory");
            }
        }
        __syncthreads();
        const int count = s.count;
        for (int e = 0; e < count; e += AT_ONCE) measure_anew(s.list[e], s.list[min(e + 1, count - 1)], j, own);
    }

    /* The lengths of columns c and d below row j, as all steps leave them */
    __device__ void measure_anew(int c, int d, int j, longest &own)
    {
        double sum[AT_ONCE] = {};
        for (int r = j + 1 + tid; r < p.m; r += THREADS) {
            const T y = of_v(r, j);
            T a = sub_mul<true>(far(p.at(r, c)), y, far(p.f(c, j))), b = sub_mul<true>(far(p.at(r, d)), y, far(p.f(d, j)));
#pragma unroll 4
            for (int l = 0; l < j; l++) {
                const T x = far(p.at(r, l));
                a = sub_mul<true>(a, x, far(p.f(c, l))), b = sub_mul<true>(b, x, far(p.f(d, l)));
            }
            sum[0] += squared(a), sum[1] += squared(b);
        }
        for (int i = 0; i < AT_ONCE; i++) sum[i] = eig::over_lanes(sum[i]);
        if (lane == 0) s.measured[warp][0] = sum[0], s.measured[warp][1] = sum[1];
        __syncthreads();
        if (tid < AT_ONCE) {
            double all = 0;
            for (int w = 0; w < WARPS; w++) all += s.measured[w][tid];
            const int which = tid ? d : c;
            p.length[which] = p.before[which] = length_of(all);
            own.meet(length_of(all), which, which);
        }
        __syncthreads();
    }

    /* Which of the CTA's columns is the longest; own is known by the first OWN threads. */
    __device__ longest longest_of(longest own)
    {
        if (warp < OWN / 32) {
            own.over_lanes();
            if (lane == 0) s.best[warp] = own;
        }
        __syncthreads();
        own = s.best[0];
        for (int w = 1; w < OWN / 32; w++) own.meet(s.best[w].length, s.best[w].position, s.best[w].at);
        __syncthreads();
        return own;
    }

    __device__ int first_lengths()
    {
        longest own = {0, -1, -1};
        for (int c = first + warp; c < end; c += WARPS) {
            double sum = 0;
            for (int r = lane; r < p.m; r += 32) sum += squared(far(p.at(r, c)));
            sum = eig::over_lanes(sum);
            if (lane == 0) p.length[c] = p.before[c] = length_of(sum), p.q[c] = 1 + c;
        }
        __syncthreads();
        for (int c = first + tid; c < end && tid < OWN; c += OWN) own.meet(far(p.length + c), c, c);
        return find_longest(longest_of(own));
    }

    __device__ void run()
    {
        int with = first_lengths();
        for (int j = 0; j < p.k; j++) {
            if (tid == 0 && cta == 0 && with != j) {
                const int64_t q = __ldcg((const long long *)p.q + with);
                p.q[with] = __ldcg((const long long *)p.q + j), p.q[j] = q;
            }
            make_column(j, with);
            make_reflector(j);
            make_dots(j);
            for (int l = tid; l < j; l += THREADS) s.aux[l] = far(p.aux + l), s.row[l] = far(p.at(j, l));
            __syncthreads();
            longest own = {0, -1, -1};
            for (int from = first; from < end; from += OWN) follow(from, j, with, j + 1 == p.k, own);
            with = find_longest(longest_of(own));
        }
        for (int r = first_row + tid; r < end_row; r += THREADS) *p.at(r, p.k - 1) = finished(r, p.k);
    }
};

extern __shared__ __align__(16) unsigned char laqps_shared[];

template <class T> __global__ __launch_bounds__(THREADS, 1) void factor(const __grid_constant__ problem<T> p)
{
    __shared__ shared<T> s;
    part<T>(p, s, (T *)laqps_shared).run();
}

} // namespace laqps
} // namespace tsl
#endif
