/* LU with partial pivoting of a panel that stays on the chip (getrf_panel.cuh): how it is launched. */
#include "kernel/cuda/getrf/getrf_panel.cuh"
#include "kernel/cuda/launch.cuh"
#include "kernel/cuda/leaf.h"

namespace tsl {
namespace {

constexpr int ANY = 8, MOST = MOST_CLUSTER; /* CTAs of a cluster: that every device with clusters has, and the most */

template <class F, template <class> class W, bool FIXED> __global__ __launch_bounds__(F::THREADS) void factor(panel<typename F::T> p)
{
    using T = typename F::T;
    constexpr bool ALONE = W<F>::ALONE;
    extern __shared__ __align__(16) unsigned char raw[];
    const int tid = threadIdx.x, ctas = ALONE ? 1 : gridDim.x, cta = ALONE ? 0 : blockIdx.x, row = cta * blockDim.x + tid;
    const int stride = blockDim.x + F::EACH;
    const shared<F> s(raw, ALONE ? blockDim.x / 32 : ctas);
    const W<F> channel(s.in, {ctas, cta, p.steps, p.messages, p.epoch});
    T *const mine = s.rows + tid;
    s.clear();
    channel.open();
    wait_for_previous_grid();
#pragma unroll 8
    for (int c = 0; c < F::COLS; c++)
        if (row < p.m && c < p.n)
            __pipeline_memcpy_async(mine + c * stride, p.A + row + c * p.lda, sizeof(T));
        else
            mine[c * stride] = make<T>(0);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    patch<F> x;
    x.load(s.rows + tid / 32 * 32, stride, tid % 32);
    elimination<F, W, FIXED> e(p, s, channel, row);
    e.run(x, cta);
    let_next_grid_start();
    __syncthreads(); /* rows of U are other threads' */
    if (row < p.m)
        for (int c = 0; c < p.n; c++) p.A[e.place + c * p.lda] = mine[c * stride];
}

struct plan {
    int threads, ctas;
    bool through_l2;
};

/* What the current device has */
struct limits {
    int device, processors, shared;
    bool clusters;
};

inline cudaError_t limits_of(limits *l)
{
    cudaError_t e = cudaGetDevice(&l->device);
    if (e == cudaSuccess) e = cudaDeviceGetAttribute(&l->processors, cudaDevAttrMultiProcessorCount, l->device);
    if (e == cudaSuccess) e = cudaDeviceGetAttribute(&l->shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, l->device);
    if (e == cudaSuccess) e = device_has_sm90(l->device, &l->clusters);
    return e;
}

/* Is there room for a cluster of MOST on the device? Asked once */
template <class F> bool has_most(const limits &has)
{
    static int known[64]; /* atomic: 1 yes, 2 no */
    int *const mine = &known[has.device & 63], answer = __atomic_load_n(mine, __ATOMIC_RELAXED);
    if (answer && has.device < 64) return answer == 1;
    const auto kernel = factor<F, cluster, false>;
    cudaLaunchAttribute size = {};
    size.id = cudaLaunchAttributeClusterDimension;
    size.val.clusterDim.x = MOST, size.val.clusterDim.y = size.val.clusterDim.z = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(MOST);
    config.blockDim = dim3(F::THREADS);
    config.dynamicSmemBytes = shared<F>::bytes(MOST, F::THREADS);
    config.attrs = &size;
    config.numAttrs = 1;
    int count = 0;
    cudaError_t e = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, has.shared);
    if (e == cudaSuccess) e = cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
    if (e == cudaSuccess) e = cudaOccupancyMaxActiveClusters(&count, kernel, &config);
    if (e != cudaSuccess) (void)cudaGetLastError(); /* then not */
    const bool yes = e == cudaSuccess && count > 0;
    if (has.device < 64) __atomic_store_n(mine, yes ? 1 : 2, __ATOMIC_RELAXED);
    return yes;
}

template <class F, template <class> class W, bool FIXED = false> cudaError_t launch_as(plan at, const panel<typename F::T> &p, cudaStream_t stream)
{
    const auto kernel = factor<F, W, FIXED>;
    const size_t bytes = shared<F>::bytes(W<F>::ALONE ? at.threads / 32 : at.ctas, at.threads);
    limits has = {};
    cudaError_t e = limits_of(&has);
    /* the same for every call: it is the kernel's, and other threads launch it too */
    if (e == cudaSuccess) e = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, has.shared);
    if (e == cudaSuccess && at.ctas > ANY && !at.through_l2) e = cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
    const launch_shape shape = {at.ctas, at.threads, bytes, at.through_l2 ? 1 : at.ctas, W<F>::EARLY && has.clusters, at.through_l2};
    return e != cudaSuccess ? e : launch(kernel, shape, stream, p);
}

template <class F> bool fits(plan at, const limits &has)
{
    const size_t bytes = shared<F>::bytes(at.ctas == 1 ? at.threads / 32 : at.ctas, at.threads);
    return bytes <= (size_t)has.shared && at.ctas <= has.processors && (!at.through_l2 || through_l2<F>::bytes(at.ctas) <= TSL_CUDA_MESSAGE_BYTES);
}

/* A cluster if one has room for the rows; else as many CTAs as need be. Few, because each hears of all others; but no more
 * threads than needed, because the warps of a CTA wait for each other, nor than a CTA has shared memory for. */
template <class F> plan plan_of(int64_t m, const limits &has)
{
    int threads = 128;
    const int most = !has.clusters ? 1 : m > ANY * threads && has_most<F>(has) ? MOST : ANY, few = m <= most * F::THREADS ? most : 16;
    const auto of = [=](int rows) {
        const int ctas = (int)((m + rows - 1) / rows);
        return plan{rows, ctas, ctas > most};
    };
    while (threads < F::THREADS && m > few * threads) threads *= 2;
    while (threads > 64 && !fits<F>(of(threads), has)) threads /= 2;
    return of(threads);
}

template <class F> tsl_status launch_form(tsl_queue *q, const tsl_leaf *l, bool *done)
{
    using T = typename F::T;
    panel<T> p = {
        (T *)l->A.p, l->A.ld,      (int)l->m, (int)l->n, (int)(l->m < l->n ? l->m : l->n), (int64_t *)l->B.p, l->lu.first,
        l->info,     l->info_base, NULL,      0};
    limits has = {};
    tsl_status st = tsl_cuda_check(limits_of(&has), "getrf_panel");
    if (st != TSL_OK || l->m > has.processors * F::THREADS) return st;
    const plan at = plan_of<F>(l->m, has);
    const cudaStream_t stream = tsl_cuda(q)->stream;
    *done = fits<F>(at, has);
    if (!*done) return TSL_OK;
    if (l->lu.pivoting == TSL_PIVOTS_NONE) {
        *done = at.ctas == 1;
        return *done ? tsl_cuda_check((launch_as<F, alone, true>(at, p, stream)), "getrf_panel") : TSL_OK;
    }
    if (at.ctas == 1) return tsl_cuda_check((launch_as<F, alone>(at, p, stream)), "getrf_panel");
    if (!at.through_l2) return tsl_cuda_check((launch_as<F, cluster>(at, p, stream)), "getrf_panel");
    st = tsl_cuda_messages(tsl_cuda(q), (unsigned)p.steps, &p.messages, &p.epoch);
    *done = st != TSL_ERR_MEMORY && st != TSL_ERR_DEVICE_MEMORY; /* else without messages */
    if (!*done) return TSL_OK;
    return st != TSL_OK ? st : tsl_cuda_check((launch_as<F, through_l2>(at, p, stream)), "getrf_panel");
}

constexpr int HALVES = 1, WIDE = 2;  /* the shapes of panels of more than 32 columns: two of half the width and fewer CTAs, or one */
constexpr int64_t WIDE_ROWS = 8192; /* above, on an H200, halves are faster */

template <class T> tsl_status launch_panel(tsl_queue *q, const tsl_leaf *l, bool *done)
{
    *done = false;
    if (l->n <= 32) return launch_form<narrow<T>>(q, l, done);
    const int shape = l->shape ? l->shape : l->m <= WIDE_ROWS ? WIDE : HALVES;
    if constexpr (sizeof(T) < 16)
        if (shape == WIDE) return launch_form<wide<T>>(q, l, done);
    return TSL_OK;
}

} // namespace
} // namespace tsl

extern "C" int tsl_cuda_getrf_shapes(tsl_type t) { return t == TSL_Z ? 0 : tsl::WIDE; }

extern "C" const void *tsl_cuda_kernel_of_getrf_panel(void) { return (const void *)tsl::factor<tsl::narrow<float>, tsl::alone, false>; }

extern "C" tsl_status tsl_cuda_getrf_panel(tsl_queue *q, const tsl_leaf *l, bool *done)
{
    return tsl::by_type(l->type, [=](auto zero) { return tsl::launch_panel<decltype(zero)>(q, l, done); });
}
