/* A column of a panel of LU whose rows several processes have (kernel/lu_column.h), in one launch. A thread has a row: it is
 * divided by the pivot of the column before and brought up to date, and its element of this column is compared with the
 * others. The CTA that is done last finds the best of all, and writes it where the others were told of the pivot before, which
 * they all have read by then. */
#include "kernel/cuda/exchange.cuh"
#include "kernel/cuda/launch.cuh"
#include "kernel/cuda/leaf.h"
#include "kernel/cuda/lu.cuh"
#include "kernel/lu_column.h"

namespace tsl {
namespace {

constexpr int THREADS = 256, AT_ONCE = 16; /* elements of a row that are read before one is written */

template <class T> struct step {
    T *A, *B;
    int64_t lda, ldb, d, m, n, k, end, row;
    bool takes, speaks;
    tsl_lu_candidate *best, *part; /* of all, of each CTA */
    T *pivot, *held;
    unsigned *done; /* CTAs; zero before the launch and after it */
};

__device__ inline bool is_better(const tsl_lu_candidate &a, const tsl_lu_candidate &b)
{
    return a.size > b.size || (a.size == b.size && a.row < b.row);
}

__device__ inline tsl_lu_candidate better(tsl_lu_candidate a, tsl_lu_candidate b) { return is_better(b, a) ? b : a; }

/* Of all threads of the CTA, in thread 0 */
__device__ inline tsl_lu_candidate best_of_cta(tsl_lu_candidate mine)
{
    __shared__ tsl_lu_candidate warps[THREADS / 32];
    for (int bit = 16; bit >= 1; bit /= 2)
        mine = better(mine, {__shfl_xor_sync(0xffffffffu, mine.size, bit), __shfl_xor_sync(0xffffffffu, mine.row, bit)});
    if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = mine;
    __syncthreads();
    if (threadIdx.x == 0)
        for (int w = 1; w < THREADS / 32; w++) mine = better(mine, warps[w]);
    __syncthreads();
    return mine;
}

/* What other CTAs have written is in the second cache. */
template <class T> __device__ T load_there(const T *p)
{
    if constexpr (is_complex<T>) {
        if constexpr (sizeof(T) == 16) {
            const double2 v = __ldcg((const double2 *)p);
            return T{v.x, v.y};
        } else {
            const float2 v = __ldcg((const float2 *)p);
            return T{v.x, v.y};
        }
    } else {
        return __ldcg(p);
    }
}

template <class T> __device__ T *row_of(const step<T> &p, int64_t row, int64_t *ld)
{
    *ld = row < p.d ? p.lda : p.ldb;
    return row < p.d ? p.A + row : p.B + (row - p.d);
}

/* Row r: column k - 1 is eliminated from it up to `end`; where it comes from place k - 1 it is read from there. u: the pivot,
 * and its row after it. Returns the element of column k, if that is to be. */
template <class T> __device__ T update(const step<T> &p, int64_t r, const T *u)
{
    int64_t ld;
    T *const a = row_of(p, r, &ld);
    if (!p.takes) return a[p.k * ld];
    const bool moved = r == p.row;
    const T *const from = moved ? p.held : a;
    const int64_t along = moved ? 1 : ld, j = p.k - 1;
    const T l = divisor<T>(u[0])(from[j * along], u[0]);
    T first = make<T>(0);
    a[j * ld] = l;
    for (int64_t c = p.k; c < p.end; c += AT_ONCE) {
        T v[AT_ONCE];
#pragma unroll
        for (int e = 0; e < AT_ONCE; e++)
            if (c + e < p.end) v[e] = from[(c + e) * along];
#pragma unroll
        for (int e = 0; e < AT_ONCE; e++)
            if (c + e < p.end) {
                v[e] = sub_mul<false>(v[e], l, u[c + e - j]);
                a[(c + e) * ld] = v[e];
            }
        if (c == p.k) first = v[0];
    }
    return first;
}

/* The rest of the two rows that change places: the pivot's as a whole, and of the other one the columns outside the update */
template <class T> __device__ void exchange(const step<T> &p)
{
    const int64_t j = p.k - 1;
    if (blockIdx.x == 0)
        for (int64_t c = threadIdx.x; c < p.n; c += THREADS) p.A[j + c * p.lda] = p.pivot[c];
    if (p.row < p.k || (p.row - p.k) / THREADS % gridDim.x != blockIdx.x) return;
    int64_t ld;
    T *const a = row_of(p, p.row, &ld);
    for (int64_t c = threadIdx.x; c < p.n; c += THREADS)
        if (c < j || c >= p.end) a[c * ld] = p.held[c];
}

/* By the CTA that is done last: the best of all CTAs', its row, and row k of A */
template <class T> __device__ void conclude(const step<T> &p)
{
    __shared__ int64_t row;
    tsl_lu_candidate best = {-1, -1};
    for (int i = threadIdx.x; i < gridDim.x; i += THREADS)
        best = better(best, {__ldcg(&p.part[i].size), __ldcg((const long long *)&p.part[i].row)});
    best = best_of_cta(best);
    if (threadIdx.x == 0) *p.best = best, row = best.row, *p.done = 0;
    __syncthreads();
    int64_t ld = 0;
    const T *const from = row < 0 ? nullptr : row_of(p, row, &ld);
    for (int64_t c = threadIdx.x; c < p.n; c += THREADS) {
        if (from) p.pivot[c] = load_there(from + c * ld);
        p.held[c] = load_there(p.A + p.k + c * p.lda);
    }
}

template <class T> __global__ __launch_bounds__(THREADS) void lu_column(const step<T> p)
{
    __shared__ bool last;
    __shared__ __align__(sizeof(T)) unsigned char raw[(TSL_LU_FEW + 1) * sizeof(T)];
    T *const u = (T *)raw;
    tsl_lu_candidate mine = {-1, -1};
    if (p.takes) {
        if (threadIdx.x <= p.end - p.k) u[threadIdx.x] = p.pivot[p.k - 1 + threadIdx.x];
        exchange(p);
        __syncthreads();
    }
    for (int64_t r = p.k + (int64_t)blockIdx.x * THREADS + threadIdx.x; r < p.d + p.m; r += (int64_t)gridDim.x * THREADS) {
        const double size = size_of(update(p, r, u));
        const bool diagonal = r == p.k && r < p.d; /* NaN stays the pivot there, as in LAPACK */
        if (r >= p.d || p.speaks) mine = better(mine, {isnan(size) ? (diagonal ? (double)INFINITY : -1.) : size, r});
    }
    if (p.k >= p.end) return;
    mine = best_of_cta(mine);
    if (threadIdx.x == 0) {
        p.part[blockIdx.x] = mine;
        fence();
        last = atomicAdd(p.done, 1u) == gridDim.x - 1;
        fence();
    }
    __syncthreads();
    if (last) conclude(p);
}

template <class T> tsl_status run(tsl_queue *q, const tsl_leaf *l)
{
    const int64_t n = l->A.n, rows = l->A.m + l->B.m - l->k;
    char *const w = (char *)l->C.p, *const room = w + tsl_lu_room(l->type, n);
    tsl_lu_candidate *const best = (tsl_lu_candidate *)w;
    const step<T> p = {(T *)l->A.p, (T *)l->B.p, l->A.ld, l->B.ld, l->A.m, l->B.m, n, l->k, l->lu_column.end, l->lu_column.row,
                       l->lu_column.takes, l->lu_column.speaks, best, (tsl_lu_candidate *)room + 1, (T *)(best + 1),
                       (T *)(w + tsl_lu_told(l->type, n)), (unsigned *)room};
    const int64_t ctas = tsl_max(1, tsl_min(TSL_LU_CTAS, tsl_pieces(rows, THREADS)));
    return tsl_cuda_check(launch(lu_column<T>, {ctas, THREADS, 0, 1, false, false}, tsl_cuda(q)->stream, p), "lu_column");
}

} // namespace
} // namespace tsl

static tsl_status lu_column(tsl_queue *q, const tsl_leaf *l)
{
    return tsl::by_type(l->type, [=](auto zero) { return tsl::run<decltype(zero)>(q, l); });
}

extern "C" const tsl_kernel_entry tsl_cuda_lu_column_entry = {TSL_ALL_TYPES(lu_column), 0, 0, NULL, NULL, NULL};
