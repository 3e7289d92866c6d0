/* The launch of potrf_flow.cuh's kernel. */
#include "kernel/cuda/launch.cuh"
#include "kernel/cuda/leaf.h"
#include "kernel/cuda/potrf/potrf_flow_kernel.cuh"

namespace tsl {
namespace flow {
namespace {

inline size_t align256(size_t n) { return (n + 255) / 256 * 256; }

/* Divides the workspace, or with p = NULL only counts its bytes. */
template <class T> size_t carve(unsigned char *p, int64_t n, job<T> *j)
{
    const int nt = (int)((n + NB - 1) / NB);
    const size_t words = align256(words::count(nt) * sizeof(int)), diagonals = align256(nt * sizeof(triangle<T>));
    const size_t below = (size_t)nt * (nt - 1) / 2 * NB * NB * sizeof(T);
    if (p) {
        j->n = (int)n;
        j->nt = nt;
        j->w = {(int *)p, nt};
        j->diagonals = (triangle<T> *)(p + words);
        j->packed = (T *)(p + words + diagonals);
    }
    return words + diagonals + below;
}

/* Has the device what the kernel needs? */
template <class T> bool fits(int device)
{
    int shared = 0;
    bool sm90 = false;
    return device_has_sm90(device, &sm90) == cudaSuccess && sm90 &&
           cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, device) == cudaSuccess &&
           (size_t)shared >= sizeof(room<T>);
}

template <class T> bool fits_all()
{
    int count = 0;
    bool all = cudaGetDeviceCount(&count) == cudaSuccess;
    for (int i = 0; i < count && all; i++) all = fits<T>(i);
    return all;
}

/* Which device will run it is not known when workspace is asked for: if one cannot, it is more than there is, and the blocked
 * algorithm takes its place. */
template <class T> size_t workspace(const tsl_leaf *l)
{
    static const bool can = fits_all<T>();
    return can ? carve<T>(nullptr, l->n, nullptr) : (size_t)PTRDIFF_MAX / 2;
}

template <class T> tsl_status launch(tsl_queue *q, const tsl_leaf *l)
{
    int sms = 1;
    cudaError_t e = cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, tsl_head(q)->dev->ordinal);
    if (e != cudaSuccess) return tsl_cuda_check(e, "cudaDeviceGetAttribute");
    const bool lower = l->uplo == TSL_LOWER;
    const cudaStream_t stream = tsl_cuda(q)->stream;
    job<T> j = {};
    carve((unsigned char *)l->work, l->n, &j);
    j.A = (T *)l->A.p;
    j.sr = lower ? 1 : l->A.ld;
    j.sc = lower ? l->A.ld : 1;
    j.info = l->info;
    j.info_base = l->info_base;
    const int tickets = (j.nt + 1) * j.nt / 2, ctas = tickets < sms * PER_SM<T> ? tickets : sms * PER_SM<T>;
    e = cudaFuncSetAttribute((const void *)factor_matrix<T>, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)sizeof(room<T>));
    if (e == cudaSuccess) e = cudaMemsetAsync(j.w.first, 0, words::count(j.nt) * sizeof(int), stream);
    if (e != cudaSuccess) return tsl_cuda_check(e, "potrf");
    factor_matrix<T><<<ctas, THREADS, sizeof(room<T>), stream>>>(j);
    return tsl_cuda_check(cudaGetLastError(), "potrf");
}

} // namespace
} // namespace flow
} // namespace tsl

extern "C" size_t tsl_cuda_potrf_flow_workspace(const tsl_leaf *l)
{
    size_t bytes = 0;
    (void)tsl::by_type(l->type, [&](auto zero) {
        bytes = tsl::flow::workspace<decltype(zero)>(l);
        return TSL_OK;
    });
    return bytes;
}

extern "C" tsl_status tsl_cuda_potrf_flow(tsl_queue *q, const tsl_leaf *l)
{
    return tsl::by_type(l->type, [=](auto zero) { return tsl::flow::launch<decltype(zero)>(q, l); });
}

extern "C" const void *tsl_cuda_kernel_of_potrf_flow(void) { return (const void *)tsl::flow::factor_matrix<float>; }
