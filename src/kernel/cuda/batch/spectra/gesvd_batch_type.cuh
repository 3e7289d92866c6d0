/* Singular value decompositions in batches, of one type: which threads take which shape. */
#ifndef TSL_CUDA_GESVD_BATCH_TYPE_CUH
#define TSL_CUDA_GESVD_BATCH_TYPE_CUH

#include "kernel/cuda/batch/spectra/gesvd_problem.cuh"
#include "kernel/cuda/batch/spectra/spectra_batch.cuh"
#include "kernel/cuda/batch/spectra/svd/stages.cuh"

namespace tsl::spectra {

constexpr int SVD_SMALL = 32, SVD_ROWS = 64; /* columns and rows, at most, of the problems that parts of warps take */
constexpr int SVD_SMALL_CTA = 64;            /* threads */
constexpr int SVD_MOST = 160;                /* columns of any problem with vectors */
constexpr int SVD_AT_ONCE = 264;             /* problems whose V is not in shared memory */
constexpr int SVD_THREADS = 512;             /* of a CTA, at most */
constexpr int VALUES_MOST = 512, VALUES_ROWS = 1024; /* columns and rows of a problem of values alone */
/* Columns from which problems go by stages; measured on the H200 */
constexpr int STAGES_VECTORS = 33, STAGES_VALUES = 33;

template <class T> bool by_stages(int64_t rows, int64_t n, bool vectors, size_t shared)
{
    return n >= (vectors ? STAGES_VECTORS : STAGES_VALUES) && n <= svd::MOST && rows <= svd::MOST_ROWS<T> &&
           svd::LEAST_SHARED<T> <= shared;
}

/* The matrix is tall, or its conjugate transpose. */
template <class T> struct svd_shape {
    int rows, n;
    bool has_V;
    svd_shape(const svd_batch<T> &p)
        : rows(p.m < p.n ? p.n : p.m), n(p.m < p.n ? p.m : p.n), has_V(p.m < p.n ? p.has_U : p.has_VT)
    {
    }
    size_t bytes() const { return svd_room<T>::bytes(rows, n, has_V); }
};

template <class T, int L>
__global__ __launch_bounds__(SVD_SMALL_CTA, 10) void gesvd_lanes(svd_batch<T> p, int rows, int n, bool has_V, int bytes)
{
    extern __shared__ __align__(16) unsigned char memory[];
    const int own = (int)threadIdx.x / L;
    const int64_t k = (int64_t)blockIdx.x * (SVD_SMALL_CTA / L) + own;
    if (k >= p.count) return;
    solve_svd(lanes<L>(), p, k, svd_room<T>(memory + own * bytes, rows, n, has_V));
}

template <class T, int P>
__global__ __launch_bounds__(SVD_THREADS, 1) void gesvd_cta(svd_batch<T> p, int rows, int n, bool has_V)
{
    extern __shared__ __align__(16) unsigned char memory[];
    __shared__ double scratch[SVD_THREADS / 32];
    solve_svd(cta<P>(scratch), p, (int64_t)blockIdx.x, svd_room<T>(memory, rows, n, has_V));
}

/* V of a CTA is in `work`. */
template <class T> __global__ __launch_bounds__(SVD_THREADS, 1) void gesvd_outside(svd_batch<T> p, int rows, int n, T *work)
{
    extern __shared__ __align__(16) unsigned char memory[];
    __shared__ double scratch[SVD_THREADS / 32];
    for (int64_t k = blockIdx.x; k < p.count; k += gridDim.x) {
        solve_svd(cta<8>(scratch), p, k, svd_room<T>(memory, rows, n, work + (size_t)blockIdx.x * n * n));
        __syncthreads();
    }
}

/* Values alone. INSIDE: the matrix is in shared memory; else it stays where it is, and is tall */
template <class T, bool INSIDE> __global__ __launch_bounds__(SVD_THREADS, 1) void gesvd_values(svd_batch<T> p, int rows, int n)
{
    extern __shared__ __align__(16) unsigned char memory[];
    __shared__ double scratch[SVD_THREADS / 32];
    const int64_t k = blockIdx.x;
    const bidiagonal_room<T> beside(memory, rows, n);
    unsigned char *rest = memory + bidiagonal_room<T>::bytes(rows, n);
    if constexpr (INSIDE)
        solve_svd(cta<1>(scratch), p, k, svd_room<T>(rest, rows, n, false), &beside);
    else
        solve_svd(cta<1>(scratch), p, k, svd_room<T>(rest, n, p.A.at(k), (int)p.A.ld), &beside);
}

template <class T, int L> cudaError_t launch_gesvd_lanes(cudaStream_t s, const svd_batch<T> &p)
{
    constexpr int EACH = SVD_SMALL_CTA / L;
    const svd_shape<T> a(p);
    const cudaError_t e = cudaFuncSetAttribute((const void *)gesvd_lanes<T, L>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                               (int)(EACH * svd_room<T>::bytes(SVD_ROWS, L, true)));
    if (e != cudaSuccess) return e;
    const int64_t ctas = (p.count + EACH - 1) / EACH;
    gesvd_lanes<T, L><<<(unsigned)ctas, SVD_SMALL_CTA, EACH * a.bytes(), s>>>(p, a.rows, a.n, a.has_V, (int)a.bytes());
    return cudaGetLastError();
}

/* P threads have a pair of columns. */
template <class T, int P> cudaError_t launch_gesvd_cta(cudaStream_t s, const svd_batch<T> &p)
{
    const svd_shape<T> a(p);
    const int pairs = (a.n + 1) / 2, wanted = (pairs * P + 31) / 32 * 32;
    const cudaError_t e =
        cudaFuncSetAttribute((const void *)gesvd_cta<T, P>, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)a.bytes());
    if (e != cudaSuccess) return e;
    gesvd_cta<T, P><<<(unsigned)p.count, wanted < SVD_THREADS ? wanted : SVD_THREADS, a.bytes(), s>>>(p, a.rows, a.n, a.has_V);
    return cudaGetLastError();
}

template <class T> cudaError_t launch_gesvd_outside(cudaStream_t s, const svd_batch<T> &p, void *work)
{
    const svd_shape<T> a(p);
    const size_t bytes = svd_room<T>::bytes(a.rows, a.n, false);
    const int wanted = ((a.n + 1) / 2 * 8 + 31) / 32 * 32, ctas = p.count < SVD_AT_ONCE ? (int)p.count : SVD_AT_ONCE;
    const cudaError_t e =
        cudaFuncSetAttribute((const void *)gesvd_outside<T>, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
    if (e != cudaSuccess) return e;
    gesvd_outside<T><<<ctas, wanted < SVD_THREADS ? wanted : SVD_THREADS, bytes, s>>>(p, a.rows, a.n, (T *)work);
    return cudaGetLastError();
}

/* Bytes of shared memory */
template <class T> size_t room_for_vectors(int rows, int n, bool has_V)
{
    return svd_room<T>::bytes(rows, n, has_V) + SVD_THREADS / 32 * sizeof(double);
}

template <class T> size_t room_for_values(int rows, int n, bool inside)
{
    const size_t matrix = inside ? svd_room<T>::bytes(rows, n, false) : svd_room<T>::bytes_beside(n);
    return bidiagonal_room<T>::bytes(rows, n) + matrix + SVD_THREADS / 32 * sizeof(double);
}

template <class T, bool INSIDE> cudaError_t launch_gesvd_values(cudaStream_t s, const svd_batch<T> &p)
{
    const svd_shape<T> a(p);
    const int width = (a.rows + 31) / 32 * 32, threads = 2 * width < SVD_THREADS ? 2 * width : SVD_THREADS;
    const size_t bytes = room_for_values<T>(a.rows, a.n, INSIDE);
    const cudaError_t e =
        cudaFuncSetAttribute((const void *)gesvd_values<T, INSIDE>, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
    if (e != cudaSuccess) return e;
    gesvd_values<T, INSIDE><<<(unsigned)p.count, threads, bytes, s>>>(p, a.rows, a.n);
    return cudaGetLastError();
}

} // namespace tsl::spectra

template <class T>
bool tsl_gesvd_batch_takes(int64_t m, int64_t n, int64_t ld, bool vectors, bool has_V, size_t shared)
{
    using namespace tsl::spectra;
    const int64_t rows = m < n ? n : m, columns = m < n ? m : n;
    if (by_stages<T>(rows, columns, vectors, shared)) return n * ld <= INT32_MAX;
    if (!vectors && columns > SVD_SMALL)
        return columns <= VALUES_MOST && rows <= VALUES_ROWS && n * ld <= INT32_MAX &&
               room_for_values<T>((int)rows, (int)columns, m < n) <= shared;
    return columns <= SVD_MOST && rows <= INT16_MAX &&
           room_for_vectors<T>((int)rows, (int)columns, has_V && columns <= SVD_SMALL) <= shared;
}

template <class T> size_t tsl_gesvd_batch_workspace(const tsl::spectra::svd_batch<T> &p, size_t shared)
{
    using namespace tsl::spectra;
    const svd_shape<T> a(p);
    if (by_stages<T>(a.rows, a.n, p.has_U || p.has_VT, shared)) return svd::stages<T>(0, p, shared, nullptr).workspace();
    const size_t ctas = (size_t)(p.count < SVD_AT_ONCE ? p.count : SVD_AT_ONCE);
    return a.has_V && room_for_vectors<T>(a.rows, a.n, true) > shared ? ctas * a.n * a.n * sizeof(T) : 0;
}

template <class T> cudaError_t tsl_gesvd_batch(cudaStream_t s, const tsl::spectra::svd_batch<T> &p, size_t shared, void *work)
{
    using namespace tsl::spectra;
    const svd_shape<T> a(p);
    if (p.count == 0 || a.n == 0) return cudaSuccess;
    if (by_stages<T>(a.rows, a.n, p.has_U || p.has_VT, shared)) return svd::stages<T>(s, p, shared, work).solve();
    if (a.n > SVD_SMALL && !p.has_U && !p.has_VT) {
        const bool inside = room_for_values<T>(a.rows, a.n, true) <= shared;
        return inside ? launch_gesvd_values<T, true>(s, p) : launch_gesvd_values<T, false>(s, p);
    }
    if (tsl_gesvd_batch_workspace(p, shared)) return launch_gesvd_outside<T>(s, p, work);
    if (a.n > SVD_SMALL) return launch_gesvd_cta<T, 8>(s, p);
    if (a.rows > SVD_ROWS) return launch_gesvd_cta<T, 32>(s, p);
    return a.n <= 8    ? launch_gesvd_lanes<T, 8>(s, p)
           : a.n <= 16 ? launch_gesvd_lanes<T, 16>(s, p)
                       : launch_gesvd_lanes<T, 32>(s, p);
}

#define FOR_TYPE(T)                                                                                   \
    template bool tsl_gesvd_batch_takes<T>(int64_t, int64_t, int64_t, bool, bool, size_t);            \
    template size_t tsl_gesvd_batch_workspace<T>(const tsl::spectra::svd_batch<T> &, size_t);          \
    template cudaError_t tsl_gesvd_batch<T>(cudaStream_t, const tsl::spectra::svd_batch<T> &, size_t, void *);

#endif
