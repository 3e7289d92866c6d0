/* Row exchanges of each problem of a batch. Those of up to PART pivots amount to one permutation of the rows they name: a thread follows each such
 * place back to the row that ends there. It then moves that row's element of some of the columns: all read them, and when all have, write
 * them where they belong. */
#include "kernel/cuda/batch/getrf/getrf_batch.cuh"
#include "kernel/cuda/scalar.cuh"

namespace tsl {
namespace {

constexpr int THREADS = 256, PART = THREADS / 2, LEAST = 32; /* columns of a CTA, at least */

template <class T> struct exchanges {
    int m, n, k;
    Batch<T> A;
    Batch<int64_t> piv;
    int64_t first, count, *fault;
    const int64_t *skip;
    bool backward;
    int places, chunks, width; /* a power of two, of places in a part; the CTAs of a problem, and columns of each */
};

__device__ int undone(int r, int a, int b) { return r == a ? b : r == b ? a : r; }

template <class T> __global__ __launch_bounds__(THREADS) void exchange_rows(exchanges<T> x)
{
    constexpr int ACROSS = sizeof(T) > 8 ? 4 : 8;
    __shared__ int with[PART];
    const int tid = threadIdx.x, place = tid & (x.places - 1), half = x.places / 2, part = min(half, PART), apart = THREADS / x.places;
    const int64_t i = blockIdx.x / x.chunks;
    const int begin = (int)(blockIdx.x % x.chunks) * x.width, end = min(begin + x.width, x.n), parts = (x.k + part - 1) / part;
    if (x.skip && x.skip[i]) return;
    T *const A = x.A.at(i);
    const int64_t *const piv = x.piv.at(i);

    for (int s = 0; s < parts; s++) {
        const int e0 = (x.backward ? parts - 1 - s : s) * part, steps = min(part, x.k - e0);
        __syncthreads(); /* the part before is done */
        if (tid < steps) {
            const int64_t other = piv[e0 + tid] - 1 - x.first;
            const bool is_row = other >= 0 && other < x.m;
            if (!is_row && x.fault) *x.fault = 1;
            with[tid] = is_row ? (int)other : e0 + tid;
        }
        __syncthreads();
        /* of a step e0 + e there are two places: its own row and, if not a row of the part, the other's. That may be named more than once: all its
         * threads move the same. */
        const int e = place & (half - 1);
        const bool is_own = place < half, named = e < steps && (is_own || with[e] < e0 || with[e] >= e0 + steps);
        const int to = !named ? 0 : is_own ? e0 + e : with[e];
        int from = to;
        if (named)
            for (int b = 0; b < steps; b++) { /* the last exchange is undone first */
                const int c = x.backward ? b : steps - 1 - b;
                from = undone(from, e0 + c, with[c]);
            }
        for (int c0 = begin + tid / x.places; c0 - tid / x.places < end; c0 += apart * ACROSS) {
            T v[ACROSS];
#pragma unroll
            for (int q = 0; q < ACROSS; q++)
                if (from != to && c0 + q * apart < end) v[q] = A[from + (c0 + q * apart) * x.A.ld];
            __syncthreads();
#pragma unroll
            for (int q = 0; q < ACROSS; q++)
                if (from != to && c0 + q * apart < end) A[to + (c0 + q * apart) * x.A.ld] = v[q];
        }
    }
}

} // namespace
} // namespace tsl

template <class T>
cudaError_t tsl_laswp_batch(cudaStream_t stream, int m, int n, Batch<T> A, int k, Batch<int64_t> piv, int64_t first, bool backward, int64_t count,
                            int64_t *fault, const int64_t *skip)
{
    if (m == 0 || n == 0 || k == 0 || count == 0) return cudaSuccess;
    int places = 2;
    while (places < 2 * k && places < tsl::THREADS) places *= 2;
    /* enough CTAs for all multiprocessors, as long as each has columns enough */
    const int64_t most = (n + tsl::LEAST - 1) / tsl::LEAST, wanted = (4096 + count - 1) / count, chunks = wanted < most ? wanted : most;
    const int width = (int)((n + chunks - 1) / chunks);
    const tsl::exchanges<T> x = {m, n, k, A, piv, first, count, fault, skip, backward, places, (int)chunks, width};
    tsl::exchange_rows<T><<<(unsigned)(count * chunks), tsl::THREADS, 0, stream>>>(x);
    return cudaGetLastError();
}

#define FOR_TYPE(T)                                                                                                                                   \
    template cudaError_t tsl_laswp_batch<T>(cudaStream_t, int, int, Batch<T>, int, Batch<int64_t>, int64_t, bool, int64_t, int64_t *, const int64_t *);
FOR_TYPE(float)
FOR_TYPE(double)
FOR_TYPE(tsl::cplx<float>)
FOR_TYPE(tsl::cplx<double>)
