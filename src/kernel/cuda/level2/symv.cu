/* y := alpha A x + beta y, A symmetric or Hermitian and one triangle of it stored: bound by memory, so the triangle is read
 * once. A kernel with a CTA per tile leaves partial sums in the workspace, a second one adds them up. */
#include "kernel/cuda/launch.cuh"
#include "kernel/cuda/leaf.h"
#include "kernel/cuda/level2/symv.cuh"

namespace tsl {
namespace {

template <class... S> struct list {};
template <class... S> constexpr int count(list<S...>) { return (int)sizeof...(S); }

/* The tiles by element size. The first three, with B = 64, 128 and 256, are an H200's, with the orders from which on the larger
 * ones are used there: those read longer runs, the smaller ones leave less to do when the last of them are under way. The loads
 * of the largest fill up to 64 registers a lane: 8 KiB a warp, 128 KiB a multiprocessor. The others have fewer loads under
 * way. */
template <size_t BYTES> struct shapes {
    using all = list<symv_shape<2, 8, 8, 1>, symv_shape<4, 8, 8, 1, true>, symv_shape<8, 2, 8, 1>, symv_shape<4, 4, 8, 1, true>,
                     symv_shape<2, 4, 8, 2>>;
    static constexpr int MEDIUM_FROM = 2944, LARGE_FROM = 16384;
};
template <> struct shapes<4> : shapes<8> {
    using all = list<symv_shape<2, 8, 8, 1>, symv_shape<4, 8, 8, 1, true>, symv_shape<8, 8, 8, 1, true>, symv_shape<4, 4, 8, 1, true>,
                     symv_shape<8, 4, 8, 1>>;
    static constexpr int LARGE_FROM = 8192;
};
template <> struct shapes<16> {
    using all = list<symv_shape<2, 4, 8, 1, true>, symv_shape<4, 2, 8, 1, true>, symv_shape<2, 4, 8, 4>, symv_shape<2, 2, 8, 1, true>,
                     symv_shape<2, 4, 8, 2>>;
    static constexpr int MEDIUM_FROM = 4096, LARGE_FROM = 8192;
};

constexpr int SHAPES = count(shapes<8>::all());
static_assert(count(shapes<4>::all()) == SHAPES && count(shapes<16>::all()) == SHAPES, "");

/* Calls f with a value of the shape of that number, from 1 on. */
template <class S, class... MORE, class F> auto numbered(list<S, MORE...>, int number, F f)
{
    if constexpr (sizeof...(MORE) > 0)
        if (number > 1) return numbered(list<MORE...>(), number - 1, f);
    return f(S());
}

template <class T, class F> auto with_shape(const tsl_leaf *l, F f)
{
    using S = shapes<sizeof(T)>;
    const int own = l->n >= S::LARGE_FROM ? 3 : l->n >= S::MEDIUM_FROM ? 2 : 1;
    return numbered(typename S::all(), l->shape ? l->shape : own, f);
}

int64_t blocks_of(int64_t n, int64_t B) { return (n + B - 1) / B; }

template <class T, bool HERM, class S>
__global__ void __launch_bounds__(S::THREADS, S::CTAS) symv_tiles(const __grid_constant__ symv_job<T> job)
{
    constexpr int B = S::B;
    __shared__ symv_shared<T, S> s;
    let_next_grid_start(); /* symv_sum waits for the end of this grid before it reads */
    const int nb = job.nb;
    const symv_at at = symv_tile_at(blockIdx.x, nb, job.lower);
    if (at.r == at.c || max(at.r, at.c) * B + B > job.n)
        symv_product<true, HERM, S>(job, at, s);
    else
        symv_product<false, HERM, S>(job, at, s);
    T *const rows = job.part + ((int64_t)at.r * nb + at.c) * B, *const cols = job.part + ((int64_t)at.c * nb + at.r) * B;
    for (int i = threadIdx.x; i < B; i += S::THREADS) {
        if (at.r == at.c) {
            rows[i] = add(s.row[i], s.col[i]);
        } else {
            rows[i] = s.row[i];
            cols[i] = s.col[i];
        }
    }
}

constexpr int SUM_THREADS = 256, RUNS = 4, SUM_ROWS = SUM_THREADS / RUNS;

/* SUM_ROWS rows of a block: y := alpha (sum of the nb partials) + beta y. The sources are cut into four runs; each is summed in
 * order, then the four sums are. */
template <class T, int B> __global__ void __launch_bounds__(SUM_THREADS) symv_sum(const __grid_constant__ symv_job<T> job)
{
    constexpr int PER_BLOCK = B / SUM_ROWS, AHEAD = sizeof(T) == 16 ? 8 : 16;
    __shared__ T sums[SUM_THREADS];
    const int tid = threadIdx.x, run = tid / SUM_ROWS, len = (job.nb + RUNS - 1) / RUNS, end = min((run + 1) * len, job.nb);
    const int b = blockIdx.x / PER_BLOCK, r = blockIdx.x % PER_BLOCK * SUM_ROWS + tid % SUM_ROWS, i = b * B + r;
    const T *const part = job.part + (int64_t)b * job.nb * B + r;
    T sum = make<T>(0);
    int j = run * len;
    wait_for_previous_grid();
    for (; j + AHEAD <= end; j += AHEAD) {
        T v[AHEAD];
#pragma unroll
        for (int k = 0; k < AHEAD; k++) v[k] = part[(int64_t)(j + k) * B];
#pragma unroll
        for (int k = 0; k < AHEAD; k++) sum = add(sum, v[k]);
    }
#pragma unroll 4
    for (; j < end; j++) sum = add(sum, part[(int64_t)j * B]);
    sums[tid] = sum;
    __syncthreads();
    if (run > 0 || i >= job.n) return;
#pragma unroll
    for (int k = 1; k < RUNS; k++) sum = add(sum, sums[k * SUM_ROWS + tid]);
    update(job.y + i * job.incy, job.alpha, job.beta, sum);
}

template <class T, bool HERM, class S> cudaError_t run(symv_job<T> job, cudaStream_t st)
{
    job.nb = (int)blocks_of(job.n, S::B);
    bool early = false;
    cudaError_t e = launch(symv_tiles<T, HERM, S>, {(int64_t)job.nb * (job.nb + 1) / 2, S::THREADS, 0, 1, false, false}, st, job);
    if (e == cudaSuccess) e = has_sm90(&early);
    if (e == cudaSuccess)
        e = launch(symv_sum<T, S::B>, {(int64_t)job.nb * (S::B / SUM_ROWS), SUM_THREADS, 0, 1, early, false}, st, job);
    return e;
}

template <class T> tsl_status launch_symv(tsl_queue *q, const tsl_leaf *l)
{
    const cudaStream_t st = tsl_cuda(q)->stream;
    symv_job<T> job = {};
    job.A = (const T *)l->A.p;
    job.lda = l->A.ld;
    job.x = (const T *)l->B.p - (l->B.ld < 0 ? (l->n - 1) * l->B.ld : 0);
    job.incx = l->B.ld;
    job.y = (T *)l->C.p - (l->C.ld < 0 ? (l->n - 1) * l->C.ld : 0);
    job.incy = l->C.ld;
    job.alpha = from_scalar<T>(l->alpha);
    job.beta = from_scalar<T>(l->beta);
    job.part = (T *)l->work;
    job.n = (int)l->n;
    job.lower = l->uplo == TSL_LOWER;
    return tsl_cuda_check(with_shape<T>(l, [=](auto shape) {
        if constexpr (is_complex<T>)
            if (l->herm) return run<T, true, decltype(shape)>(job, st);
        return run<T, false, decltype(shape)>(job, st);
    }), "symv");
}

template <class T> size_t partials(const tsl_leaf *l)
{
    return with_shape<T>(l, [=](auto shape) {
        const int64_t nb = blocks_of(l->n, shape.B);
        return (size_t)(nb * nb * shape.B) * sizeof(T);
    });
}

} // namespace
} // namespace tsl

static size_t workspace(const tsl_leaf *l)
{
    switch (l->type) {
    case TSL_S: return tsl::partials<float>(l);
    case TSL_D: return tsl::partials<double>(l);
    case TSL_C: return tsl::partials<tsl::cplx<float>>(l);
    case TSL_Z: return tsl::partials<tsl::cplx<double>>(l);
    case TSL_INDEX: break;
    }
    return 0;
}

static tsl_status symv(tsl_queue *q, const tsl_leaf *l)
{
    return tsl::by_type(l->type, [=](auto zero) { return tsl::launch_symv<decltype(zero)>(q, l); });
}

static int shapes(tsl_type) { return tsl::SHAPES; }

extern "C" const tsl_kernel_entry tsl_cuda_symv_entry = {TSL_ALL_TYPES(symv), 0, 0, workspace, NULL, shapes};
