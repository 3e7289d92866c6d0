/* What the kernels of LU in batches have in common: the operands, the outcome of a problem, and rows in registers. */
#ifndef TSL_CUDA_GETRF_PROBLEM_CUH
#define TSL_CUDA_GETRF_PROBLEM_CUH

#include "kernel/cuda/batch/getrf/getrf_batch.cuh"
#include "kernel/cuda/getrf/getrf_pivot.cuh"
#include "kernel/cuda/tile.cuh"

namespace tsl::lu {

template <class T> struct lu_batch {
    int m, n;
    Batch<T> A;
    Batch<int64_t> piv;
    int64_t count, *info, first, base;
    bool keep;
    int nrhs;
    Batch<T> B;

    /* zero: 1 + the first column whose pivot is zero, or 0 */
    __device__ void tell(int64_t i, int zero) const
    {
        if (!keep)
            info[i] = zero ? base + zero : 0;
        else if (zero && info[i] == 0)
            info[i] = base + zero;
    }
};

/* It is in global memory: not all pointers of a batch are the kernel's arguments, so that the compiler cannot know. */
template <class T> __device__ T *global(T *p)
{
    __builtin_assume(__isGlobal(p));
    return p;
}

/* Rows are in registers, and do not move: each knows the place that the exchanges so far have given it. A row at place j or
 * below is still to be a pivot in step j; one that there is not is at place -1. */

/* Of COUNT elements of a row those from `from` on, which is known to the compiler, are written or read, and those that share 16
 * bytes with them. */
template <int COUNT, class T> __device__ void write_row(T *to, const T *a, int from)
{
    constexpr int V = VEC<T>, WHOLE_PACKS = COUNT / V * V;
#pragma unroll
    for (int c = 0; c < WHOLE_PACKS; c += V) {
        if (c + V <= from) continue;
        pack<T, V> v;
#pragma unroll
        for (int e = 0; e < V; e++) v.x[e] = a[c + e];
        *(pack<T, V> *)(to + c) = v;
    }
#pragma unroll
    for (int c = WHOLE_PACKS; c < COUNT; c++) to[c] = a[c];
}
template <int COUNT, class T> __device__ void read_row(T *a, const T *row, int from)
{
    constexpr int V = VEC<T>, WHOLE_PACKS = COUNT / V * V;
#pragma unroll
    for (int c = 0; c < WHOLE_PACKS; c += V) {
        if (c + V <= from) continue;
        const pack<T, V> v = get<V>(row + c);
#pragma unroll
        for (int e = 0; e < V; e++) a[c + e] = v.x[e];
    }
#pragma unroll
    for (int c = WHOLE_PACKS; c < COUNT; c++) a[c] = row[c];
}

/* The best of a lane's rows for the pivot of column j, which is of place `at` */
template <class T> struct candidate {
    key size;
    int t, place;
    T value;
};
template <int R, int COLS, class T> __device__ candidate<T> best_row(const T (&a)[R][COLS], const int (&place)[R], int j, int at)
{
    candidate<T> best = {0, 0, 0, a[0][j]};
#pragma unroll
    for (int t = 0; t < R; t++) {
        const key k = place[t] >= at ? key_of(a[t][j]) : 0;
        if (t == 0 || k > best.size || (k == best.size && place[t] < best.place)) best = {k, t, place[t], a[t][j]};
    }
    return best;
}

/* The largest of LANES lanes' numbers */
template <int LANES> __device__ unsigned largest_among(unsigned k)
{
    if constexpr (LANES == 32) {
        return largest(k);
    } else {
#pragma unroll
        for (int bit = LANES / 2; bit >= 1; bit /= 2) k = max(k, __shfl_xor_sync(ALL_LANES, k, bit));
        return k;
    }
}

/* Of those of LANES lanes which are in `who` the one with the largest lower half of the key, then the first place; as
 * first_of */
template <int LANES> __device__ __noinline__ int first_among(unsigned who, unsigned lanes, unsigned low, int place)
{
    bool in = who >> threadIdx.x % 32 & 1;
    const unsigned most = largest_among<LANES>(in ? low : 0);
    in = in && low == most;
    const unsigned first = largest_among<LANES>(in ? ~(unsigned)place : 0);
    return __ffs((int)(__ballot_sync(ALL_LANES, in && ~(unsigned)place == first) & lanes)) - 1;
}

/* The lane with the best key of each LANES lanes, which are `lanes` */
template <class T, int LANES> __device__ int choose_among(unsigned lanes, key mine, int place)
{
    if constexpr (LANES == 32) {
        return choose<T>(mine, place);
    } else {
        const unsigned top = top_of<T>(mine), most = largest_among<LANES>(top), who = __ballot_sync(ALL_LANES, top == most) & lanes;
        if (__any_sync(ALL_LANES, who & (who - 1))) return first_among<LANES>(who, lanes, (unsigned)mine, place);
        return __ffs((int)who) - 1;
    }
}

} // namespace tsl::lu
#endif
