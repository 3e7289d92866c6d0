/* Rows and columns of the matrices of a batch times numbers of their own, and divided by singular values that count. A warp has
 * a problem, or a few columns of it. */
#include "kernel/cuda/batch/entry.cuh"

namespace tsl {
namespace {

constexpr int THREADS = 256, WARPS = THREADS / 32, COLUMNS = 16; /* of a warp */

/* Which problem, and which columns of it */
struct share {
    int64_t k;
    int from, to, lane;
    __device__ share(int n) : k((int64_t)blockIdx.x * WARPS + threadIdx.x / 32), from((int)blockIdx.y * COLUMNS),
                              to(min(from + COLUMNS, n)), lane((int)threadIdx.x % 32) {}
};

dim3 grid_of(const tsl_leaf *l)
{
    const int64_t parts = (l->n + COLUMNS - 1) / COLUMNS;
    return dim3((unsigned)((l->count + WARPS - 1) / WARPS), (unsigned)(parts < 1 ? 1 : parts));
}

template <class T> struct scaling {
    int m, n;
    tsl_uplo uplo;
    Batch<T> A;
    Batch<real_t<T>> r, c;
    bool has_r, has_c, sizes;
    int64_t count;
    const int64_t *skip;
};

template <class T> __global__ __launch_bounds__(THREADS) void scale_lines(scaling<T> g)
{
    const share own(g.n);
    if (own.k >= g.count || (g.skip && g.skip[own.k])) return;
    T *const A = g.A.at(own.k);
    const real_t<T> *const r = g.has_r ? g.r.at(own.k) : nullptr, *const c = g.has_c ? g.c.at(own.k) : nullptr;
    for (int j = own.from; j < own.to; j++)
        for (int i = own.lane; i < g.m; i += 32) {
            if ((g.uplo == TSL_LOWER && i < j) || (g.uplo == TSL_UPPER && i > j)) continue;
            T *const a = A + i + j * g.A.ld;
            T v = r || c ? scale(*a, (r ? r[i] : 1) * (c ? c[j] : 1)) : *a;
            if constexpr (is_complex<T>) v = g.sizes ? make<T>(fabs(v.re) + fabs(v.im)) : v;
            else v = g.sizes ? fabs(v) : v;
            *a = v;
        }
}

template <class T> tsl_status equil(tsl_queue *q, const tsl_leaf *l)
{
    using R = real_t<T>;
    const scaling<T> g = {(int)l->m, (int)l->n, l->uplo, batch_of<T>(l->A), batch_of<R>(l->B), batch_of<R>(l->C), l->B.m > 0, l->C.m > 0, l->equil.sizes, l->count, l->skip};
    scale_lines<T><<<grid_of(l), THREADS, 0, tsl_cuda(q)->stream>>>(g);
    return tsl_cuda_check(cudaGetLastError(), "equil_batch");
}

template <class T> struct division {
    int m, n, values;
    Batch<T> B;
    Batch<real_t<T>> s;
    Batch<int64_t> rank;
    double accuracy;
    int64_t count;
    const int64_t *skip;
};

/* Values descend: those that count are the first. */
template <class T> __global__ __launch_bounds__(THREADS) void divide(division<T> g)
{
    const share own(g.n);
    if (own.k >= g.count || (g.skip && g.skip[own.k])) return;
    T *const B = g.B.at(own.k);
    const real_t<T> *const s = g.s.at(own.k);
    const double least = g.values ? fmax(g.accuracy * (double)s[0], (double)SMALLEST_NORMAL<real_t<T>>) : 0.;
    for (int j = own.from; j < own.to; j++)
        for (int i = own.lane; i < g.m; i += 32) {
            T *const b = B + i + j * g.B.ld;
            if constexpr (is_complex<T>)
                *b = (double)s[i] <= least ? make<T>(0) : T{b->re / s[i], b->im / s[i]};
            else
                *b = (double)s[i] <= least ? make<T>(0) : *b / s[i];
        }
    unsigned counted = 0;
    for (int i = own.lane; i < g.values; i += 32) counted += (double)s[i] > least;
    counted = __reduce_add_sync(0xffffffffu, counted);
    if (own.lane == 0 && blockIdx.y == 0) *g.rank.at(own.k) = counted;
}

template <class T> tsl_status lsdiv(tsl_queue *q, const tsl_leaf *l)
{
    const division<T> g = {(int)l->m, (int)l->n, (int)l->B.m, batch_of<T>(l->A), batch_of<real_t<T>>(l->B),
                           batch_of<int64_t>(l->C), l->rank.tolerance, l->count, l->skip};
    divide<T><<<grid_of(l), THREADS, 0, tsl_cuda(q)->stream>>>(g);
    return tsl_cuda_check(cudaGetLastError(), "lsdiv_batch");
}

} // namespace
} // namespace tsl

static bool takes(const tsl_leaf *l) { return l->m < 1 << 15 && l->n < 1 << 15; }

extern "C" const tsl_batch_entry tsl_cuda_equil_batch_entry = {TSL_BY_TYPE(tsl::equil), takes, NULL, NULL};
extern "C" const tsl_batch_entry tsl_cuda_lsdiv_batch_entry = {TSL_BY_TYPE(tsl::lsdiv), takes, NULL, NULL};
