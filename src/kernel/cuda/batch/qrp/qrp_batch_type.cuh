/* The functions of qrp_batch.cuh, of a type: which threads take which shape. */
#ifndef TSL_CUDA_QRP_BATCH_TYPE_CUH
#define TSL_CUDA_QRP_BATCH_TYPE_CUH

#include "kernel/cuda/batch/qrp/qrp_batch.cuh"

namespace tsl::many {

constexpr int THREADS = 128;

/* The group that a problem has, and where its room is: of a CTA's shared memory `room` bytes for each problem */
template <class G> __device__ int64_t own_problem()
{
    if constexpr (std::is_same_v<G, whole>)
        return blockIdx.x;
    else
        return (int64_t)blockIdx.x * (THREADS / G::size) + threadIdx.x / G::size;
}

template <class G> __device__ unsigned char *own_room(unsigned char *memory, unsigned room)
{
    if constexpr (std::is_same_v<G, whole>)
        return memory;
    else
        return memory + threadIdx.x / G::size * room;
}

template <class G, class T> __global__ __launch_bounds__(256) void geqp3(qrp_batch<T> b, unsigned room, bool inside)
{
    extern __shared__ __align__(16) unsigned char memory[];
    const int64_t k = own_problem<G>();
    if (k >= b.count || (b.skip && b.skip[k])) return;
    factor(G(), b, k, qrp_room<T>(own_room<G>(memory, room), b.m, b.n, inside ? nullptr : b.A.at(k), (int)b.A.ld));
}

template <class G, class T> __global__ __launch_bounds__(256) void gelsy_look(gelsy_batch<T> b, unsigned room)
{
    extern __shared__ __align__(16) unsigned char memory[];
    const int64_t k = own_problem<G>();
    if (k < b.count) look(G(), b, k, (int *)own_room<G>(memory, room));
}

template <class G, class T> __global__ __launch_bounds__(256) void gelsy_rank(gelsy_batch<T> b, unsigned room)
{
    extern __shared__ __align__(16) unsigned char memory[];
    const int64_t k = own_problem<G>();
    if (k >= b.count || b.fate[k]) return;
    const G g;
    const int d = b.m < b.n ? b.m : b.n;
    unsigned char *const own = own_room<G>(memory, room);
    T *const most = (T *)(own + 16);
    if (g.rank < G::P) {
        const int rank = rank_of<G::P>(b.A.at(k), b.A.ld, d, b.accuracy, most, most + d);
        if (g.rank == 0) *(int *)own = rank;
    }
    g.sync();
    const int rank = *(int *)own;
    g.sync();
    if (g.rank == 0) *b.rank.at(k) = rank;
    if (rank < b.n) least_size(g, b, k, rank, own);
    if (g.rank == 0) b.fate[k] = rank < b.n ? DEFICIENT : WHOLE;
}

template <class G, class T> __global__ __launch_bounds__(256) void gelsy_finish(gelsy_batch<T> b, unsigned room)
{
    extern __shared__ __align__(16) unsigned char memory[];
    const int64_t k = own_problem<G>();
    if (k < b.count) finish(G(), b, k, (T *)own_room<G>(memory, room));
}

/* b and what follows it to a kernel, room bytes of shared memory for a problem; none of them needs more than the device has. */
template <class G, class T, class K, class... More>
cudaError_t launch(cudaStream_t s, K kernel, size_t room, const T &b, More... more)
{
    constexpr bool cta = std::is_same_v<G, whole>;
    int each = 1;
    if constexpr (!cta) each = THREADS / G::size;
    const unsigned ctas = (unsigned)((b.count + each - 1) / each);
    const size_t bytes = each * room;
    const cudaError_t e = cudaFuncSetAttribute((const void *)kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
    if (e != cudaSuccess) return e;
    kernel<<<ctas, cta ? 2 * THREADS : THREADS, bytes, s>>>(b, (unsigned)room, more...);
    return cudaGetLastError();
}

/* By the size of a problem */
#define BY_GROUP(kernel, room, ...)                                                                                     \
    (side <= 16 ? launch<part<8>>(s, kernel<part<8>, T>, room, __VA_ARGS__)                                             \
     : side <= 32 ? launch<part<32>>(s, kernel<part<32>, T>, room, __VA_ARGS__)                                         \
                  : launch<whole>(s, kernel<whole, T>, room, __VA_ARGS__))

} // namespace tsl::many

template <class T> cudaError_t tsl_geqp3_batch(cudaStream_t s, const tsl::many::qrp_batch<T> &b, size_t shared)
{
    using namespace tsl::many;
    const int side = b.m > b.n ? b.m : b.n;
    const bool inside = side <= 32 || qrp_room<T>::bytes(b.m, b.n, true) <= shared;
    if (b.count == 0 || b.m == 0 || b.n == 0) return cudaSuccess;
    return BY_GROUP(geqp3, qrp_room<T>::bytes(b.m, b.n, inside), b, inside);
}

template <class T> cudaError_t tsl_gelsy_look_batch(cudaStream_t s, const tsl::many::gelsy_batch<T> &b)
{
    using namespace tsl::many;
    const int side = b.m > b.n ? b.m : b.n;
    return BY_GROUP(gelsy_look, 16, b);
}

template <class T> cudaError_t tsl_gelsy_rank_batch(cudaStream_t s, const tsl::many::gelsy_batch<T> &b)
{
    using namespace tsl::many;
    const int side = b.m > b.n ? b.m : b.n, d = b.m < b.n ? b.m : b.n;
    const size_t vectors = 16 + 2 * d * sizeof(T), least = qrp_room<T>::bytes(b.n, 0, false);
    return BY_GROUP(gelsy_rank, ((vectors > least ? vectors : least) + 15) / 16 * 16, b);
}

template <class T> cudaError_t tsl_gelsy_finish_batch(cudaStream_t s, const tsl::many::gelsy_batch<T> &b)
{
    using namespace tsl::many;
    const int side = b.m > b.n ? b.m : b.n;
    return BY_GROUP(gelsy_finish, (b.n * sizeof(T) + 15) / 16 * 16, b);
}

#define FOR_TYPE(T)                                                                                   \
    template cudaError_t tsl_geqp3_batch<T>(cudaStream_t, const tsl::many::qrp_batch<T> &, size_t);   \
    template cudaError_t tsl_gelsy_look_batch<T>(cudaStream_t, const tsl::many::gelsy_batch<T> &);    \
    template cudaError_t tsl_gelsy_rank_batch<T>(cudaStream_t, const tsl::many::gelsy_batch<T> &);    \
    template cudaError_t tsl_gelsy_finish_batch<T>(cudaStream_t, const tsl::many::gelsy_batch<T> &);

#endif
