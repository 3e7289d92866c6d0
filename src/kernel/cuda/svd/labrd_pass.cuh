/* The columns of a group in labrd.cuh: each is multiplied by v, and by its element of r. */
#ifndef TSL_CUDA_LABRD_PASS_CUH
#define TSL_CUDA_LABRD_PASS_CUH

#include "kernel/cuda/svd/labrd.cuh"
#include "kernel/cuda/async.cuh"

namespace tsl {
namespace labrd {

extern __shared__ uint4 dynamic[];

template <class T> __device__ T minus(T a, T b) { return add(a, scale(b, real_t<T>(-1))); }

/* A group's columns in units of G: those of one pass after the other, and from the last one back for odd columns i, because
 * what was read last may still be in L2. Units are loaded ahead, over the end of a pass: A does not change in the panel but for
 * what is done, which is multiplied by zeros. A thread loads what it uses itself: NV vectors of a column. */
template <class T, int NV> struct stream {
    static constexpr int G = VECTORS / NV, E = 16 / sizeof(T);
    const panel<T> &p;
    char *const ring;
    const int first, columns, row; /* of the group; the CTA's first row */
    int pass = 0, at = 0, slot = 0; /* the next to load, and the slot of the next to use */
    struct alignas(16) vector {
        T e[E];
    };
    vector v[NV];

    __device__ stream(const panel<T> &p_, char *ring_, int group, int rank)
        : p(p_), ring(ring_ + threadIdx.x * 16), first(p.first_column(group)), columns(p.first_column(group + 1) - first), row(rank * p.rows)
    {
        skip();
        for (int i = 0; i < p.slots; i++) load(i);
    }

    __device__ int units() const { return (columns + G - 1) / G; }
    /* Before these columns are done. */
    __device__ int done(int i) const { return max(i + 1 - first, 0) / G; }
    __device__ int count(int i) const { return max(units() - done(i), 0); }
    __device__ int unit(int i, int number) const { return i % 2 ? units() - 1 - number : done(i) + number; }
    __device__ void skip()
    {
        while (pass < p.k && p.has_right(pass) && at >= count(pass)) pass++, at = 0;
    }

    __device__ char *place(int in, int g, int k) const { return ring + (int64_t)in * UNIT_BYTES + (g * NV + k) * 16 * THREADS; }
    __device__ int row_of(int k) const { return row + (k * THREADS + (int)threadIdx.x) * E; }
    __device__ int end() const { return min(p.m, row + p.rows); }

    __device__ void load(int in)
    {
        if (pass < p.k && p.has_right(pass)) {
            const int c = unit(pass, at) * G, last = end();
#pragma unroll
            for (int g = 0; g < G; g++) {
                const T *const from = p.A + (first + c + g) * p.lda;
#pragma unroll
                for (int k = 0; k < NV; k++) {
                    const int r = row_of(k);
                    char *const to = place(in, g, k);
                    if (c + g < columns && p.aligned && r + E <= last) {
                        load_async<16>(to, from + r);
                    } else {
#pragma unroll
                        for (int e = 0; e < E; e++) {
                            if (c + g < columns && r + e < last)
                                load_async<sizeof(T)>(to + e * sizeof(T), from + r + e);
                            else
                                ((T *)to)[e] = make<T>(0);
                        }
                    }
                }
            }
            at++;
            skip();
        }
        end_group();
    }

    __device__ void await() const
    {
        if (p.slots == 3)
            await_groups<2>();
        else if (p.slots == 2)
            await_groups<1>();
        else
            await_groups<0>();
    }

    static __device__ vector far_vector(const T *from)
    {
        const uint4 bits = __ldcg((const uint4 *)from);
        return *(const vector *)&bits;
    }
    __device__ vector get(int g, int k) const { return *(const vector *)place(slot, g, k); }

    /* v, before the reflector's scaling */
    __device__ void load_column()
    {
#pragma unroll
        for (int k = 0; k < NV; k++)
            v[k] = row_of(k) < end() ? far_vector(p.a + row_of(k)) : vector{};
    }

    /* Column i: y and r, and partial sums of A r */
    __device__ void run(shared<T> &s, int i, int group, int rank)
    {
        const int tid = (int)threadIdx.x, lane = tid % 32, warp = tid / 32, all = count(i);
        const T tau = s.h.tau;
        vector w[NV];
        if (p.cluster == 1)
            __syncthreads();
        else
            cluster_barrier();
#pragma unroll
        for (int k = 0; k < NV; k++)
#pragma unroll
            for (int e = 0; e < E; e++) {
                const int r = row_of(k) + e;
                v[k].e[e] = r >= i && r < end() ? s.h.element(v[k].e[e], r, i - 1) : make<T>(0);
                w[k].e[e] = make<T>(0);
            }
        for (int t = 0; t < all; t++) {
            const int c = unit(i, t) * G;
            T sum[G], r[G];
            await();
#pragma unroll
            for (int g = 0; g < G; g++) {
                sum[g] = make<T>(0);
#pragma unroll
                for (int k = 0; k < NV; k++) {
                    const vector x = get(g, k);
#pragma unroll
                    for (int e = 0; e < E; e++) sum[g] = add_mul<true>(sum[g], x.e[e], v[k].e[e]);
                }
            }
            const T own = lane_sums(sum, lane);
            T(&products)[MOST_CLUSTER][WARPS][VECTORS / 2] = s.products[t % 2];
            if (lane % (32 / G) == 0) {
                if (p.cluster == 1)
                    products[0][warp][lane / (32 / G)] = own;
                else
                    for (int to = 0; to < p.cluster; to++) store_to_rank(&products[rank][warp][lane / (32 / G)], to, own);
            }
            if (p.cluster == 1)
                __syncthreads();
            else
                cluster_barrier();
#pragma unroll
            for (int g = 0; g < G; g++) {
                sum[g] = make<T>(0);
                for (int from = 0; from < p.cluster; from++) sum[g] = add(sum[g], products[from][lane % WARPS][g]);
            }
            const T mine = lane_sums<G, WARPS>(sum, lane);
#pragma unroll
            for (int g = 0; g < G; g++) {
                const int l = min(c + g, columns - 1);
                const T product = of_lane(mine, g * (WARPS / G));
                const T y = mul(tau, minus(product, s.of_columns(REST_OF_Y, p.most)[l])), row = minus(s.of_columns(REST_OF_R, p.most)[l], y);
                r[g] = first + l > i + 1 && l == c + g ? row : make<T>(0);
                if (tid == 0 && l == c + g) s.of_columns(Y_ITSELF, p.most)[l] = y, s.of_columns(R_ITSELF, p.most)[l] = row;
            }
#pragma unroll
            for (int g = 0; g < G; g++)
#pragma unroll
                for (int k = 0; k < NV; k++) {
                    const vector x = get(g, k);
#pragma unroll
                    for (int e = 0; e < E; e++) w[k].e[e] = add_mul(w[k].e[e], x.e[e], r[g]);
                }
            load(slot);
            slot = slot + 1 < p.slots ? slot + 1 : 0;
        }
#pragma unroll
        for (int k = 0; k < NV; k++)
            if (row_of(k) < end()) *(vector *)(p.part + (int64_t)group * p.padded + row_of(k)) = w[k];
    }
};

} // namespace labrd
} // namespace tsl
#endif
