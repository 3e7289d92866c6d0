/* LU with partial pivoting of a panel of at most 32 columns and any number of rows, in a launch per column: for those that
 * getrf_panel.cu has no room for.
 *
 * In one launch no CTA may read rows that another writes. What step j needs of other CTAs' rows was therefore put aside by the
 * launch before it: each CTA's candidate for the pivot of column j with its whole row, and row j. In step j every CTA
 *   folds the candidates in the same order, and so comes to the same pivot;
 *   exchanges the pivot's row and row j, as far as they are its own;
 *   scales and updates its rows below row j;
 *   puts aside its candidate for column j + 1. There are two sets of what is put aside: one is read, the other written.
 * CTAs have strips of 32 rows in turn, a lane a row; warp w has columns w, w + 8, .. */
#include "kernel/cuda/launch.cuh"
#include "kernel/cuda/leaf.h"
#include "kernel/cuda/lu.cuh"

namespace tsl {
namespace {

constexpr int COLS = 32, WARPS = 8, THREADS = 32 * WARPS, OWN = COLS / WARPS, MAX_CTAS = 128;
constexpr unsigned ALL = 0xffffffffu;
static_assert(COLS <= 32, "a lane per column, and the rows of the upper triangle in the first strip");

/* Of a pivot: |re| + |im|, by which LAPACK chooses; a NaN only if there is nothing else */
template <class R> struct candidate {
    R size;
    int64_t row;
};

template <class R> __device__ candidate<R> none() { return {-2, INT64_MAX}; }

template <class R> __device__ void take(candidate<R> &best, candidate<R> c)
{
    if (c.size > best.size || (c.size == best.size && c.row < best.row)) best = c;
}

template <class T> __device__ candidate<real_t<T>> propose(T a, int64_t row)
{
    const real_t<T> size = size_of(a);
    return {isnan(size) ? -1 : size, row};
}

/* The best of a warp's, for all its lanes */
template <class R> __device__ candidate<R> best_of_lanes(candidate<R> c)
{
#pragma unroll
    for (int bit = 16; bit >= 1; bit /= 2)
        take(c, candidate<R>{__shfl_xor_sync(ALL, c.size, bit), __shfl_xor_sync(ALL, c.row, bit)});
    return c;
}

template <class T> struct panel {
    T *A;
    int64_t lda, m;
    int n, steps, ctas;
    int64_t *piv, first, *info, info_base;
    unsigned char *work;
};

/* What is put aside for step j: the CTAs' candidates, their rows, COLS elements each, and row j */
template <class T> struct aside {
    T *rows, *top;
    candidate<real_t<T>> *best;

    static __host__ __device__ size_t bytes(int ctas)
    {
        return (size_t)(ctas + 1) * COLS * sizeof(T) + (size_t)ctas * sizeof(candidate<real_t<T>>);
    }

    __device__ aside(const panel<T> &p, int j)
    {
        rows = (T *)(p.work + (j % 2) * bytes(p.ctas));
        top = rows + (size_t)p.ctas * COLS;
        best = (candidate<real_t<T>> *)(top + COLS);
    }
};

int ctas_of(int64_t m)
{
    const int64_t strips = (m + 31) / 32;
    return (int)(strips < MAX_CTAS ? strips : MAX_CTAS);
}

/* Step j; before the first, j = -1, there is only a candidate to find. */
template <class T> __global__ __launch_bounds__(THREADS) void step(panel<T> p, int j)
{
    using R = real_t<T>;
    __shared__ T u[COLS], top[COLS]; /* row j as it becomes, the pivot's, and as it was */
    __shared__ int64_t row;          /* the pivot's; then the one put aside */
    const int tid = threadIdx.x, warp = tid / 32, lane = tid % 32, cta = blockIdx.x, next = j + 1;
    const bool factors = j >= 0;
    wait_for_previous_grid();
    let_next_grid_start();

    if (factors) {
        if (warp == 0) {
            const aside<T> in(p, j);
            candidate<R> c = none<R>();
            for (int i = lane; i < p.ctas; i += 32) take(c, in.best[i]);
            c = best_of_lanes(c);
            if (lane < p.n) {
                u[lane] = in.rows[c.row / 32 % p.ctas * COLS + lane];
                top[lane] = in.top[lane];
            }
            if (lane == 0) row = c.row;
        }
        __syncthreads();
    }
    const int64_t pivot = factors ? row : -1;
    const T d = factors ? u[j] : make<T>(1);
    const divisor<T> by_pivot(d);
    if (factors && cta == 0 && tid == 0) {
        p.piv[j] = p.first + 1 + pivot;
        if (is_zero(d) && *p.info == 0) *p.info = p.info_base + next;
    }

    candidate<R> best = none<R>();
    for (int64_t i0 = (int64_t)cta * 32; i0 < p.m; i0 += (int64_t)p.ctas * 32) {
        const int64_t i = i0 + lane;
        const bool live = i < p.m && i >= j, moved = i == j || i == pivot;
        T x[OWN], l = make<T>(0);
        if (live && factors) l = i == j ? u[j] : i == pivot ? top[j] : p.A[i + j * p.lda];
#pragma unroll
        for (int k = 0; k < OWN; k++) {
            const int c = warp + k * WARPS;
            if (live && c < p.n && (c > j || moved)) x[k] = i == j ? u[c] : i == pivot ? top[c] : p.A[i + c * p.lda];
        }
        __syncthreads(); /* column j is read by every warp, and written by one */
        if (i > j) l = by_pivot(l, d);
#pragma unroll
        for (int k = 0; k < OWN; k++) {
            const int c = warp + k * WARPS;
            if (!live || c >= p.n) continue;
            if (c > j && i > j && factors) x[k] = sub_mul<false>(x[k], l, u[c]);
            if (c == j) x[k] = l;
            if (factors && (c >= j || moved)) p.A[i + c * p.lda] = x[k];
            if (c == next && i > j) take(best, propose(x[k], i));
        }
    }

    if (next >= p.steps) return;
    const aside<T> out(p, next);
    if (warp == next % WARPS) {
        best = best_of_lanes(best);
        if (lane == 0) {
            out.best[cta] = best;
            row = best.row;
        }
    }
    __syncthreads(); /* the CTA's rows are written, too */
    if (warp == 0 && lane < p.n && row < p.m) out.rows[cta * COLS + lane] = p.A[row + lane * p.lda];
    if (warp == 1 && lane < p.n && cta == 0) out.top[lane] = p.A[next + lane * p.lda];
}

template <class T> cudaError_t run(const panel<T> &p, cudaStream_t stream)
{
    bool early = false;
    cudaError_t e = launch(step<T>, {p.ctas, THREADS, 0, 1, false, false}, stream, p, -1);
    if (e == cudaSuccess) e = has_sm90(&early);
    for (int j = 0; j < p.steps && e == cudaSuccess; j++) e = launch(step<T>, {p.ctas, THREADS, 0, 1, early, false}, stream, p, j);
    return e;
}

template <class T> tsl_status launch_getrf(tsl_queue *q, const tsl_leaf *l)
{
    const panel<T> p = {(T *)l->A.p, l->A.ld,   l->m,    (int)l->n,    (int)(l->m < l->n ? l->m : l->n), ctas_of(l->m),
                        (int64_t *)l->B.p, l->lu.first, l->info, l->info_base, (unsigned char *)l->work};
    return tsl_cuda_check(run(p, tsl_cuda(q)->stream), "getrf");
}

} // namespace
} // namespace tsl

extern "C" const void *tsl_cuda_kernel_of_getrf(void) { return (const void *)tsl::step<float>; }

extern "C" size_t tsl_cuda_getrf_workspace(const tsl_leaf *l)
{
    const int ctas = tsl::ctas_of(l->m);
    switch (l->type) {
    case TSL_S: return 2 * tsl::aside<float>::bytes(ctas);
    case TSL_D: return 2 * tsl::aside<double>::bytes(ctas);
    case TSL_C: return 2 * tsl::aside<tsl::cplx<float>>::bytes(ctas);
    case TSL_Z: return 2 * tsl::aside<tsl::cplx<double>>::bytes(ctas);
    case TSL_INDEX: break;
    }
    return 0;
}

extern "C" tsl_status tsl_cuda_getrf_steps(tsl_queue *q, const tsl_leaf *l)
{
    return tsl::by_type(l->type, [=](auto zero) { return tsl::launch_getrf<decltype(zero)>(q, l); });
}
