/* A CTA's part of A v in latrd.cuh: partial sums by tiles of A below the diagonal. */
#ifndef TSL_CUDA_LATRD_TILES_CUH
#define TSL_CUDA_LATRD_TILES_CUH

#include "kernel/cuda/eig/sytrd/latrd.cuh"

namespace tsl {
namespace latrd {

template <int STEPS> __device__ place place_of(int unit)
{
    const int t = unit / STEPS;
    int r = (int)((sqrtf(8.f * t + 1) - 1) / 2);
    while ((r + 1) * (r + 2) / 2 <= t) r++;
    while (r * (r + 1) / 2 > t) r--;
    return {r, t - r * (r + 1) / 2, unit % STEPS};
}

template <int STEPS> __device__ void advance(place &u, bool back)
{
    if (back) {
        if (--u.step >= 0) return;
        u.step = STEPS - 1;
        if (--u.c < 0) u.c = --u.r;
    } else {
        if (++u.step < STEPS) return;
        u.step = 0;
        if (++u.c > u.r) u.r++, u.c = 0;
    }
}

/* Four rows of a column in one load */
template <int STEP> __device__ void load_four(float *to, const float *from)
{
    const float4 v = __ldcg((const float4 *)(STEP > 0 ? from : from - 3));
    const float in_order[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
    for (int i = 0; i < 4; i++) to[i] = in_order[STEP > 0 ? i : 3 - i];
}

/* A CTA's units: from the last one back for odd columns, because what was read last may still be in L2. The loads of a unit are
 * under way while the one before is multiplied: a register gets its next element when it has been used. */
template <class T, class S, int STEP> struct walk {
    static constexpr int K = S::K, G = S::G, B = S::B, V = S::V;
    shared<T, S> &s;
    const panel<T> &p;
    const T *const A, *const v;
    const int64_t lda;
    const int n, j, tid, warp, lane;
    int left;       /* units */
    place at, next; /* what is multiplied, and what is loaded */
    T a[G][K];
    T column, row; /* of v, before the reflector's scaling: the lane's of the next columns, the thread's of the next tile's rows */

    __device__ walk(shared<T, S> &s_, int j_)
        : s(s_), p(s.job), A(p.A), v(p.column(j_)), lda(p.lda), n(p.n), j(j_), tid(thread()), warp(tid / 32), lane(tid % 32),
          left(p.first_unit(blockIdx.x + 1) - p.first_unit(blockIdx.x)), at(j % 2 ? s.last : s.first), next(at)
    {
    }

    __device__ int first_column(const place &t) const { return t.c * B + (t.step * WARPS + warp) * G; }

    /* A lane's first row of a tile, and how far after it the k-th one is */
    __device__ int first_row() const { return lane * V; }
    static __device__ constexpr int after(int k) { return k / V * 32 * V + k % V; }

    /* The next G columns, one after the other; nothing on the diagonal. Rows are counted from the lane's first one. */
    struct source {
        const T *from;
        int end, above; /* only rows between these count */
    };
    __device__ source next_source() const
    {
        const int r = next.r * B + first_row(), c = first_column(next);
        return {A + (int64_t)r * STEP + c * lda, n - r, next.r == next.c ? c - r : -B};
    }
    /* All rows count, and are where one load can have V of them. */
    __device__ bool is_whole(const place &t) const { return V > 1 && p.aligned && t.r > t.c && t.r * B + B <= n; }

    template <bool WHOLE> __device__ void fetch(int g, source &x)
    {
        if constexpr (WHOLE) {
#pragma unroll
            for (int k = 0; k < K; k += V) load_four<STEP>(a[g] + k, x.from + STEP * after(k));
        } else {
#pragma unroll
            for (int k = 0; k < K; k++) a[g][k] = after(k) < x.end && after(k) - g > x.above ? far(x.from + STEP * after(k)) : make<T>(0);
        }
        x.from += lda;
    }

    __device__ void fetch_column()
    {
        const int c = first_column(next) + lane;
        column = lane < G && c < n ? far(v + c) : make<T>(0);
    }
    __device__ void fetch_row()
    {
        const int r = next.r * B + tid;
        row = tid < B && r < n ? far(v + r) : make<T>(0);
    }
    __device__ void set_rows(int r)
    {
        if (tid < B) s.rows[tid] = r * B + tid < n ? s.h.element(row, r * B + tid, j) : make<T>(0);
        __syncthreads();
    }

    __device__ void start()
    {
        source from = next_source();
#pragma unroll
        for (int g = 0; g < G; g++) fetch<false>(g, from);
        fetch_column();
        fetch_row();
        if (left > 1) advance<S::STEPS>(next, j % 2);
    }

    /* The columns that the warp is at, times their part of v, into y; their products with the rows' part */
    template <bool WHOLE> __device__ void use(T (&y)[K])
    {
        const bool more = left > 1;
        T t[G], x[K];
        source from = next_source();
#pragma unroll
        for (int k = 0; k < K; k++) x[k] = s.rows[first_row() + after(k)];
#pragma unroll
        for (int g = 0; g < G; g++) {
            const T xc = s.x[warp][g];
            t[g] = make<T>(0);
#pragma unroll
            for (int k = 0; k < K; k++) {
                y[k] = add_mul(y[k], a[g][k], xc);
                t[g] = add_mul<true>(t[g], a[g][k], x[k]);
            }
            if (WHOLE || more) fetch<WHOLE>(g, from);
        }
        const T sum = lane_sums(t, lane);
        if (lane % (32 / G) == 0) p.parts(at.c, s.row_parts[at.c] + at.r - at.c, B)[(at.step * WARPS + warp) * G + lane / (32 / G)] = sum;
    }

    /* The sums of the rows of a run of units */
    __device__ void flush(const T (&y)[K], int r)
    {
#pragma unroll
        for (int k = 0; k < K; k++) s.sums[warp][first_row() + after(k)] = y[k];
        __syncthreads();
        if (tid >= B) return;
        T sum = make<T>(0);
#pragma unroll
        for (int w = 0; w < WARPS; w++) sum = add(sum, s.sums[w][tid]);
        p.parts(r, blockIdx.x - p.cta_of(S::units_above(r)), B)[tid] = sum;
    }

    /* Partial sums of A v; returns what the lane has of v^H A v. */
    __device__ double run()
    {
        double energy = 0;
        T y[K];
        int r = -1;
        if (left > 0) start();
        for (; left > 0; left--) {
            if (at.r != r) {
                if (r >= 0) flush(y, r);
                r = at.r;
                set_rows(r);
#pragma unroll
                for (int k = 0; k < K; k++) y[k] = make<T>(0);
            }
            const int c = first_column(at) + lane;
            if (lane < G) s.x[warp][lane] = c < n ? s.h.element(column, c, j) : make<T>(0);
            __syncwarp();
            const bool more = left > 1;
            if (more) {
                fetch_column();
                if (next.r != r) fetch_row();
            }
            if constexpr (V > 1) {
                if (more && is_whole(next))
                    use<true>(y);
                else
                    use<false>(y);
            } else {
                use<false>(y);
            }
            __syncwarp();
            at = next;
            if (left > 2) advance<S::STEPS>(next, j % 2);
            if (at.r != r || !more) {
#pragma unroll
                for (int k = 0; k < K; k++) energy += 2 * real_dot(s.rows[first_row() + after(k)], y[k]);
            }
        }
        if (r >= 0) flush(y, r);
        return energy;
    }
};

} // namespace latrd
} // namespace tsl
#endif
