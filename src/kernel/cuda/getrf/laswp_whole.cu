/* Many rows exchanged by many pivots: of few columns, those of right-hand sides; or by nearly as many pivots as there are rows,
 * of columns that are not more, those of L that waited for exchanges. All exchanges are one permutation, and each row is moved
 * once, of COLUMNS columns at a time. One CTA finds it, THREADS steps at a time. Each of its warps follows every place that 32
 * of them name back through these, to the row it has its content of: that does not depend on steps before. Meanwhile one warp
 * goes through the THREADS steps before, 32 at once. */
#include "kernel/cuda/leaf.h"
#include "kernel/cuda/scalar.cuh"

namespace tsl {
namespace {

constexpr int THREADS = 1024, MOVERS = 256, LEAST = 512, MOST = 45 * 1024, COLUMNS = 128;
constexpr int FEW = 4; /* with more rows to a pivot of many columns, only the rows that pivots name are moved */
constexpr unsigned ALL = 0xffffffffu;

__device__ int undone(int r, int a, int b) { return r == a ? b : r == b ? a : r; }

struct steps {
    int m, k;
    const int64_t *piv;
    int64_t first;
    int64_t *fault; /* set if a pivot is no row; may be null */

    /* The row that row i is exchanged with; past the steps, or if there is none such, itself */
    __device__ int other(int i) const
    {
        if (i >= k) return i;
        const int64_t p = piv[i];
        if (p > first && p - first <= m) return (int)(p - 1 - first);
        if (fault) *fault = 1;
        return i;
    }
};

/* After 32 steps: the row i of one of them, and the one it is exchanged with, and where before these was what they hold */
struct trace {
    int row, other, own_from, other_from;
};

/* Steps from i0 on, one a lane */
__device__ trace follow(const steps &s, int i0, int lane)
{
    trace t = {i0 + lane, s.other(i0 + lane), i0 + lane, 0};
    t.other_from = t.other;
#pragma unroll
    for (int e = 31; e >= 0; e--) { /* the last exchange is undone first */
        const int with = __shfl_sync(ALL, t.other, e);
        t.own_from = undone(t.own_from, i0 + e, with);
        t.other_from = undone(t.other_from, i0 + e, with);
    }
    return t;
}

/* source[i] := the row that ends as row i */
__global__ __launch_bounds__(THREADS) void find_sources(steps s, int *source)
{
    extern __shared__ int4 shared[];
    trace *const traces = (trace *)shared; /* two sets of THREADS */
    int *const holds = (int *)(traces + 2 * THREADS); /* the row whose content each has now */
    const int tid = threadIdx.x, lane = tid % 32, parts = (s.k + THREADS - 1) / THREADS;
    for (int i = tid; i < s.m; i += THREADS) holds[i] = i;
    for (int part = 0; part <= parts; part++) {
        if (part < parts) traces[part % 2 * THREADS + tid] = follow(s, part * THREADS + tid - lane, lane);
        if (tid < 32 && part > 0)
            for (int i = 0; i < THREADS; i += 32) {
                const trace t = traces[(part - 1) % 2 * THREADS + i + lane];
                const bool is_row = t.row < s.m; /* the last ones may reach past the end */
                const int own = is_row ? holds[t.own_from] : 0, other = is_row ? holds[t.other_from] : 0;
                __syncwarp();
                if (is_row) holds[t.row] = own, holds[t.other] = other;
                __syncwarp();
            }
        __syncthreads();
    }
    for (int i = tid; i < s.m; i += THREADS) source[i] = holds[i];
}

template <class T> __global__ __launch_bounds__(MOVERS) void move_rows(int m, const int *source, bool backward, const T *A, int64_t lda, T *B)
{
    const int i = blockIdx.x * MOVERS + threadIdx.x;
    const int64_t j = blockIdx.y;
    if (i >= m) return;
    const int s = source[i], from = backward ? i : s, to = backward ? s : i;
    B[to + j * m] = A[from + j * lda];
}

} // namespace
} // namespace tsl

static size_t rounded(size_t bytes) { return (bytes + 255) / 256 * 256; }
static int64_t columns_at_once(const tsl_leaf *l) { return l->n < tsl::COLUMNS ? l->n : tsl::COLUMNS; }
static size_t bytes_of_sources(const tsl_leaf *l) { return rounded((size_t)l->m * sizeof(int)); }

extern "C" bool tsl_cuda_laswp_is_whole(const tsl_leaf *l)
{
    return l->side == TSL_LEFT && l->lu.above == 0 && l->k >= tsl::LEAST && l->m <= tsl::MOST &&
           (l->n <= tsl::COLUMNS || (l->m <= tsl::FEW * l->k && l->n <= l->k));
}

extern "C" size_t tsl_cuda_laswp_workspace(const tsl_leaf *l)
{
    if (!tsl_cuda_laswp_is_whole(l)) return 0;
    return bytes_of_sources(l) + (size_t)l->m * (size_t)columns_at_once(l) * tsl_type_size(l->type);
}

/* The rows of columns from j on go to workspace, each to its place, and back. */
static tsl_status move_columns(tsl_queue *q, const tsl_leaf *l, const int *source, int64_t j, int64_t columns, void *rows)
{
    const cudaStream_t stream = tsl_cuda(q)->stream;
    void *const A = (char *)l->A.p + (size_t)(j * l->A.ld) * tsl_type_size(l->type);
    const tsl_status st = tsl::by_type(l->type, [=](auto zero) {
        using T = decltype(zero);
        const dim3 grid((unsigned)((l->m + tsl::MOVERS - 1) / tsl::MOVERS), (unsigned)columns);
        tsl::move_rows<T><<<grid, tsl::MOVERS, 0, stream>>>((int)l->m, source, l->lu.backward != 0,
                                                            (const T *)A, l->A.ld, (T *)rows);
        return tsl_cuda_check(cudaGetLastError(), "laswp");
    });
    tsl_leaf back = {};
    back.op = TSL_OP_COPY, back.type = l->type, back.m = l->m, back.n = columns;
    back.A.p = rows, back.A.ld = l->m, back.B.p = A, back.B.ld = l->A.ld;
    return st != TSL_OK ? st : tsl_cuda_copy(q, &back);
}

extern "C" tsl_status tsl_cuda_laswp_whole(tsl_queue *q, const tsl_leaf *l)
{
    int most = 0;
    const cudaError_t e = cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, tsl_head(q)->dev->ordinal);
    const cudaStream_t stream = tsl_cuda(q)->stream;
    const tsl::steps s = {(int)l->m, (int)l->k, (const int64_t *)l->B.p, l->lu.first, l->fault};
    int *source = (int *)l->work;
    void *rows = (char *)l->work + bytes_of_sources(l);
    const int shared = s.m * (int)sizeof(int) + 2 * tsl::THREADS * (int)sizeof(tsl::trace);
    tsl_status st = tsl_cuda_check(e, "cudaDeviceGetAttribute");
    if (st == TSL_OK && shared > most) return tsl_cuda_laswp(q, l);
    if (st == TSL_OK) /* the same for all threads that launch it */
        st = tsl_cuda_check(cudaFuncSetAttribute(tsl::find_sources, cudaFuncAttributeMaxDynamicSharedMemorySize, most), "laswp");
    if (st != TSL_OK) return st;
    tsl::find_sources<<<1, tsl::THREADS, shared, stream>>>(s, source);
    st = tsl_cuda_check(cudaGetLastError(), "laswp");
    if (st != TSL_OK) return st; /* nobody knows where rows go */
    for (int64_t j = 0, columns; j < l->n && st == TSL_OK; j += columns) {
        columns = l->n - j < columns_at_once(l) ? l->n - j : columns_at_once(l);
        st = move_columns(q, l, source, j, columns, rows);
    }
    return st;
}

extern "C" const void *tsl_cuda_kernel_of_laswp_whole(void) { return (const void *)tsl::find_sources; }
