/* Columns of A, or rows, in another order. Where few lines cross them, such as right-hand sides, all elements go to workspace,
 * each to its place, and back. Else in place and in one pass: a first kernel lists those that move; then a CTA takes a few
 * lines, reads what moves and writes it where it belongs. */
#include "core/values.h"
#include "kernel/cuda/launch.cuh"
#include "kernel/cuda/leaf.h"
#include "kernel/cuda/scalar.cuh"

namespace tsl {
namespace lapmt {
namespace {

constexpr int THREADS = 256, LISTERS = 1024, LINES = 32, MOST_CTAS = 512;
constexpr int FEW = 128; /* lines that go by workspace */
constexpr size_t ON_CHIP = 96 << 10;

/* list[0]: how many move; then from and to of each */
__global__ __launch_bounds__(LISTERS) void make_list(const int64_t *q, int n, bool backward, int *list)
{
    __shared__ int before[LISTERS / 32];
    const int tid = threadIdx.x, lane = tid % 32, warp = tid / 32;
    int total = 0;
    for (int first = 0; first < n; first += LISTERS) {
        const int j = first + tid, from = j < n ? (int)q[j] - 1 : j;
        const bool moves = from != j;
        const unsigned ballot = __ballot_sync(0xffffffffu, moves);
        if (lane == 0) before[warp] = __popc(ballot);
        __syncthreads();
        int at = total + __popc(ballot & ((1u << lane) - 1));
        for (int w = 0; w < LISTERS / 32; w++) {
            if (w < warp) at += before[w];
            total += before[w];
        }
        if (moves) list[1 + 2 * at] = backward ? j : from, list[2 + 2 * at] = backward ? from : j;
        __syncthreads();
    }
    if (tid == 0) list[0] = total;
}

template <class T> struct problem {
    T *A, *far;          /* far: for a line of each CTA, where the chip may have no room for one; else NULL */
    int64_t line, place; /* from a line to the next, and from a place in it to the next */
    int lines, room;
    const int *list;
};

extern __shared__ __align__(16) unsigned char lapmt_shared[];

template <class T> __global__ __launch_bounds__(THREADS) void move_lines(const problem<T> p)
{
    const int count = p.list[0];
    if (count == 0) return;
    const bool along = p.line == 1; /* lines lie side by side in memory */
    const int width = p.far ? 1 : min(LINES, p.room / count);
    T *const held = p.far ? p.far + (int64_t)blockIdx.x * p.room : (T *)lapmt_shared;
    for (int first = blockIdx.x * width; first < p.lines; first += gridDim.x * width) {
        const int here = min(width, p.lines - first);
        for (int e = threadIdx.x; e < here * count; e += THREADS) {
            const int i = along ? e % here : e / count, k = along ? e / here : e % count;
            held[e] = p.A[(first + i) * p.line + p.list[1 + 2 * k] * p.place];
        }
        __syncthreads();
        for (int e = threadIdx.x; e < here * count; e += THREADS) {
            const int i = along ? e % here : e / count, k = along ? e / here : e % count;
            p.A[(first + i) * p.line + p.list[2 + 2 * k] * p.place] = held[e];
        }
        __syncthreads();
    }
}

/* W := P A, element by element, line after line; or A := W */
template <class T> struct passage {
    T *A, *W;
    int64_t line, place; /* of A, as above */
    int n;
    const int64_t *q;
    bool backward;
};

template <class T> __global__ __launch_bounds__(THREADS) void move_there(const passage<T> p)
{
    const int i = blockIdx.x * THREADS + threadIdx.x;
    const int64_t j = blockIdx.y;
    if (i >= p.n) return;
    const int64_t named = p.q[i] - 1, from = p.backward ? i : named, to = p.backward ? named : i;
    p.W[to + j * p.n] = p.A[j * p.line + from * p.place];
}

template <class T> __global__ __launch_bounds__(THREADS) void move_back(const passage<T> p)
{
    const int i = blockIdx.x * THREADS + threadIdx.x;
    const int64_t j = blockIdx.y;
    if (i < p.n) p.A[j * p.line + i * p.place] = p.W[i + j * p.n];
}

int64_t places(const tsl_leaf *l) { return l->side == TSL_LEFT ? l->m : l->n; }
int64_t lines(const tsl_leaf *l) { return l->side == TSL_LEFT ? l->n : l->m; }
size_t list_bytes(const tsl_leaf *l) { return ((size_t)(1 + 2 * places(l)) * sizeof(int) + 15) / 16 * 16; }
size_t room_of(const tsl_leaf *l) { return ON_CHIP / tsl_type_size(l->type); }

template <class T> tsl_status run_few(tsl_queue *q, const tsl_leaf *l)
{
    const bool rows = l->side == TSL_LEFT;
    const int64_t line = rows ? l->A.ld : 1, place = rows ? 1 : l->A.ld;
    const passage<T> p = {(T *)l->A.p, (T *)l->work, line, place, (int)places(l), (const int64_t *)l->B.p, l->lapmt.backward};
    const dim3 ctas((unsigned)tsl_pieces(p.n, THREADS), (unsigned)lines(l));
    const cudaStream_t stream = tsl_cuda(q)->stream;
    move_there<T><<<ctas, THREADS, 0, stream>>>(p);
    move_back<T><<<ctas, THREADS, 0, stream>>>(p);
    return tsl_cuda_check(cudaGetLastError(), "lapmt");
}

template <class T> tsl_status run(tsl_queue *q, const tsl_leaf *l)
{
    if (lines(l) <= FEW) return run_few<T>(q, l);
    const int n = (int)places(l);
    const bool rows = l->side == TSL_LEFT;
    int *const list = (int *)l->work;
    const auto kernel = move_lines<T>;
    const cudaStream_t stream = tsl_cuda(q)->stream;
    const bool chip = (size_t)n <= room_of(l);
    const launch_shape one = {1, LISTERS, 0, 1, false, false};
    tsl_status st = tsl_cuda_check(launch(make_list, one, stream, (const int64_t *)l->B.p, n, l->lapmt.backward, list),
                                   "lapmt");
    if (st != TSL_OK) return st;
    problem<T> p = {(T *)l->A.p,
                    chip ? NULL : (T *)((char *)l->work + list_bytes(l)),
                    rows ? l->A.ld : 1,
                    rows ? 1 : l->A.ld,
                    (int)lines(l),
                    chip ? (int)room_of(l) : n,
                    list};
    cudaError_t e = chip ? cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)ON_CHIP) : cudaSuccess;
    if (e != cudaSuccess) return tsl_cuda_check(e, "lapmt");
    const int64_t each = chip ? tsl_min(LINES, (int64_t)room_of(l) / n) : 1; /* lines of a CTA, at least, if all move */
    const int64_t ctas = tsl_min(MOST_CTAS, tsl_pieces(lines(l), each));
    const launch_shape all = {ctas, THREADS, chip ? ON_CHIP : 0, 1, false, false};
    return tsl_cuda_check(launch(kernel, all, stream, p), "lapmt");
}

} // namespace
} // namespace lapmt
} // namespace tsl

static size_t workspace(const tsl_leaf *l)
{
    using namespace tsl::lapmt;
    const size_t n = (size_t)places(l);
    if (lines(l) <= FEW) return n * (size_t)lines(l) * tsl_type_size(l->type);
    return list_bytes(l) + (n <= room_of(l) ? 0 : n * (size_t)tsl_min(MOST_CTAS, lines(l)) * tsl_type_size(l->type));
}

static tsl_status lapmt(tsl_queue *q, const tsl_leaf *l)
{
    return tsl::by_type(l->type, [=](auto zero) { return tsl::lapmt::run<decltype(zero)>(q, l); });
}

extern "C" const tsl_kernel_entry tsl_cuda_lapmt_entry = {TSL_ALL_TYPES(lapmt), 0, 0, workspace, NULL, NULL};
