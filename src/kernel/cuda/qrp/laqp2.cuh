/* QR with column pivoting, or its first steps (core/leaf.h), in one kernel, whose CTAs are on the device together and exchange
 * messages.
 *
 * A CTA has columns of the matrix, in its shared memory where there is room, and their lengths from row k on. Columns stay
 * where they are; each has a position, which exchanges change. In a round
 *   the CTAs tell the longest column they have, and how long the second one is
 *   all take the longest of these, GROUP at most, and factor them alike, by themselves: the longest first, then the next as
 *     long as what is left of it is not shorter than `share` times any other column may be
 *   each CTA reflects its columns by what was taken, and measures them anew.
 * So one exchange serves several steps, and lengths are never downdated. */
#ifndef TSL_CUDA_LAQP2_CUH
#define TSL_CUDA_LAQP2_CUH

#include "kernel/cuda/qrp/laqp2_exchange.cuh"

namespace tsl {
namespace laqp2 {

/* A CTA's part of the steps */
template <class T> struct steps : part<T> {
    using part<T>::part;
    using part<T>::p;
    using part<T>::s;
    using part<T>::tid;
    using part<T>::lane;
    using part<T>::warp;
    using part<T>::cta;
    using part<T>::first;
    using part<T>::mine;
    using part<T>::length;
    using part<T>::tail;
    using part<T>::position;
    using part<T>::S;
    using part<T>::candidate;
    using part<T>::v;
    using part<T>::column;

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
                if (lane == taken % 32 && open[c])
                    tail[from + c] = left[c], length[from + c] = length_of(left[c] + head[c]); /* the lane with row next */
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
            this->propose(k, round);
            this->listen(round);
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
    steps<T>(p, s, laqp2_shared).run();
}

} // namespace laqp2
} // namespace tsl
#endif
