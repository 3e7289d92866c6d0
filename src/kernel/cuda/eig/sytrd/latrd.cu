/* The panel of latrd.cuh: its kernel, shapes, workspace and launch. */
#include "core/values.h"
#include "kernel/cuda/eig/sytrd/latrd_rows.cuh"
#include "kernel/cuda/eig/sytrd/latrd_tiles.cuh"
#include "kernel/cuda/launch.cuh"
#include "kernel/cuda/leaf.h"

namespace tsl {
namespace latrd {
namespace {

/* The reflector of column j, for all threads */
template <class T, class S> __device__ void hear_reflector(const panel<T> &p, shared<T, S> &s, int j)
{
    if (threadIdx.x < 32) {
        sum_of_squares squares = sum_of_squares::zero();
        hear_all(p.messages, 0, p.ctas, p.epoch + 2 * j, [&](double value, unsigned exponent) { squares.merge({value, (int)exponent}); });
        squares.merge_lanes();
        const scaled_reflector<T> h(s.alpha, squares);
        if (threadIdx.x == 0) s.h = h;
    }
    __syncthreads();
}

/* What is needed of row j + 1 of Y and W, and of the diagonal before it is written; the thread's part of the diagonal in v^H A
 * v */
template <class T, class S> __device__ double see_diagonal(const panel<T> &p, shared<T, S> &s, int j)
{
    static_assert(2 * LIMIT + 2 <= THREADS, "");
    const int tid = thread(), c = tid / 2;
    if (c < j) {
        if (tid % 2)
            s.of_w[c] = conj(far(&p.y(j + 1, c)));
        else
            s.of_y[c] = conj(far(&p.w(j + 1, c)));
    }
    if (c == LIMIT && j + 1 + tid % 2 < p.n) s.diagonal[tid % 2] = re(far(&p.at(j + 1 + tid % 2, j + 1 + tid % 2)));
    double energy = 0;
    for (int r = blockIdx.x + tid * p.ctas; r < p.n; r += p.ctas * THREADS)
        if (r > j) {
            const T v = s.h.element(far(p.column(j) + r), r, j);
            energy += re(far(&p.at(r, r))) * real_dot(v, v);
        }
    return energy;
}

template <class T, class S> __device__ void tell_energy(const panel<T> &p, shared<T, S> &s, int j, double energy)
{
    const int tid = threadIdx.x;
    energy = over_lanes(energy);
    if (tid % 32 == 0) s.energy[tid / 32] = energy;
    __syncthreads();
    if (tid < 32) {
        energy = over_lanes(tid < WARPS ? s.energy[tid] : 0.);
        if (tid == 0) tell(p.messages, 1, p.epoch + 2 * j + 1, energy, 0);
    }
}

template <class T, class S, int STEP> __global__ __launch_bounds__(THREADS, 1) void reduce(const __grid_constant__ panel<T> p)
{
    __shared__ shared<T, S> s;
    for (int b = threadIdx.x; b < p.blocks; b += THREADS)
        s.row_parts[b] = (unsigned short)(p.cta_of(S::units_above(b + 1) - 1) - p.cta_of(S::units_above(b)) + 1);
    if (threadIdx.x == 0) {
        s.job = p;
        s.first = place_of<S::STEPS>(p.first_unit(blockIdx.x));
        s.last = place_of<S::STEPS>(max(p.first_unit(blockIdx.x + 1) - 1, 0));
    }
    __syncthreads();
    rows<T, S>(s, -1).run();
    for (int j = 0; j < p.reflectors; j++) {
        hear_reflector(p, s, j);
        double energy = see_diagonal(p, s, j);
        make_dots(p, s, j);
        energy += walk<T, S, STEP>(s, j).run();
        tell_energy(p, s, j, energy);
        rows<T, S>(s, j).run();
    }
}

/* As many elements of A under way as there are registers for */
template <class T> struct shape_of {
    using type = shape<4, 8>;
};
template <> struct shape_of<float> {
    using type = shape<4, 16, 4>;
};
template <> struct shape_of<cplx<double>> {
    using type = shape<4, 4>;
};
constexpr int FEW_CTAS = 32; /* though there are fewer tiles: they share the rest of the work */

/* Workspace: partial sums, two columns, those of p and q */
template <class T> struct room {
    using S = typename shape_of<T>::type;
    int blocks;
    size_t parts, bytes;

    explicit room(int64_t n)
    {
        blocks = (int)((n + S::B - 1) / S::B);
        parts = (size_t)blocks * (size_t)S::slots(blocks) * S::B;
        bytes = (parts + 2 * (size_t)n + 2 * LIMIT * RUNS) * sizeof(T);
    }
};

template <class T> panel<T> panel_of(const tsl_leaf *l)
{
    using S = typename shape_of<T>::type;
    const bool lower = l->uplo == TSL_LOWER;
    const room<T> r(l->n);
    panel<T> p = {};
    p.n = (int)l->n, p.k = (int)l->k, p.reflectors = (int)tsl_min(l->k, l->n - 1);
    p.step = lower ? 1 : -1;
    p.lda = l->A.ld * p.step, p.ldy = l->E.ld * p.step, p.ldw = l->F.ld * p.step;
    p.A = (T *)l->A.p, p.Y = (T *)l->E.p, p.W = (T *)l->F.p, p.tau = (T *)l->D.p;
    p.d = (real_t<T> *)l->B.p, p.e = (real_t<T> *)l->C.p;
    if (!lower) {
        p.A += (l->n - 1) * (l->A.ld + 1);
        p.Y += l->n - 1 + (l->k - 1) * l->E.ld;
        p.W += l->n - 1 + (l->k - 1) * l->F.ld;
        p.d += l->k - 1, p.e += p.reflectors - 1, p.tau += p.reflectors - 1;
    }
    p.aligned = l->A.ld % S::V == 0 && (uintptr_t)(lower ? p.A : p.A + 1) % (S::V * sizeof(T)) == 0;
    p.blocks = r.blocks, p.slots = S::slots(r.blocks), p.units = S::units_above(r.blocks);
    p.part = (T *)l->work, p.a = p.part + r.parts, p.dots = p.a + 2 * l->n;
    return p;
}

template <class T> tsl_status launch_latrd(tsl_queue *q, const tsl_leaf *l)
{
    using S = typename shape_of<T>::type;
    int device = 0, processors = 0;
    panel<T> p = panel_of<T>(l);
    cudaError_t e = cudaGetDevice(&device);
    if (e == cudaSuccess) e = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    if (e != cudaSuccess) return tsl_cuda_check(e, "latrd");
    p.ctas = (int)tsl_min(tsl_min(processors, MOST_CTAS), tsl_max(FEW_CTAS, p.units));
    const tsl_status st = tsl_cuda_messages(tsl_cuda(q), 2 * (unsigned)p.k, &p.messages, &p.epoch);
    if (st != TSL_OK) return st;
    const launch_shape all = {p.ctas, THREADS, 0, 1, false, true};
    const cudaStream_t stream = tsl_cuda(q)->stream;
    return tsl_cuda_check(p.step > 0 ? launch(reduce<T, S, 1>, all, stream, p) : launch(reduce<T, S, -1>, all, stream, p), "latrd");
}

} // namespace
} // namespace latrd
} // namespace tsl

static size_t workspace(const tsl_leaf *l)
{
    size_t bytes = 0;
    tsl::by_type(l->type, [&](auto zero) { return bytes = tsl::latrd::room<decltype(zero)>(l->n).bytes, TSL_OK; });
    return bytes;
}

static tsl_status latrd(tsl_queue *q, const tsl_leaf *l)
{
    return tsl::by_type(l->type, [=](auto zero) { return tsl::latrd::launch_latrd<decltype(zero)>(q, l); });
}

extern "C" const tsl_kernel_entry tsl_cuda_latrd_entry = {TSL_ALL_TYPES(latrd), tsl::latrd::LIMIT, 0, workspace, NULL, NULL};
