/* A step of laqps.cuh: F, R and the lengths of columns, and which one is the longest. */
#ifndef TSL_CUDA_LAQPS_LENGTHS_CUH
#define TSL_CUDA_LAQPS_LENGTHS_CUH

#include "kernel/cuda/qrp/laqps.cuh"

namespace tsl {
namespace laqps {

template <class T> __device__ inline int part<T>::find_longest(longest own)
{
    exchange(own.length, own.position);
    longest all = {0, -1, -1};
    for (int c = lane; c < p.ctas; c += 32) all.meet(s.word[c], s.high[c], c);
    all.over_lanes();
    return __shfl_sync(0xffffffffu, all.position, 0);
}

template <class T> __device__ inline void part<T>::follow(int from, int j, int with, bool last, longest &own)
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

template <class T> __device__ inline void part<T>::measure_anew(int c, int d, int j, longest &own)
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

template <class T> __device__ inline longest part<T>::longest_of(longest own)
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

template <class T> __device__ inline int part<T>::first_lengths()
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

} // namespace laqps
} // namespace tsl
#endif
