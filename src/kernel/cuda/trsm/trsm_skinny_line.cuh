/* Second kernel of the skinny triangular solve for a single line of a real type. What it takes is the way from block to block,
 * n / NB times, and the tensor cores would add seven columns of nothing to each step: these are sums by FMA.
 *
 * CTA i computes x_i = inv(M_ii) (b_i - sum_{j<i-1} M_ij x_j) + (-inv(M_ii) M_{i,i-1}) x_{i-1}, as solve() does; the x travel
 * the same way, tickets keep the same order. In the last two products sixteen lanes share four rows, and a lane has four
 * columns: the coupling is in registers, and every lane itself watches for its entries of x_{i-1}, so from their arrival to the
 * departure of x_i there are sixteen multiplications and five shuffles, no barrier and no shared memory. The x before that are
 * watched for by a warp of their own, which has no part in the sums and so never waits for M. */
#ifndef TSL_CUDA_TRSM_SKINNY_LINE_CUH
#define TSL_CUDA_TRSM_SKINNY_LINE_CUH

#include "kernel/cuda/launch.cuh"
#include "kernel/cuda/trsm/trsm_skinny_operands.cuh"
#include "kernel/cuda/trsm/trsm_skinny_rows.cuh"

namespace tsl {
namespace skinny {

template <class T, int W> struct line_shape {
    using left = line_layout<W>;
    static constexpr int NB = 16 * W, SUMMING = 4 * NB, THREADS = SUMMING + 32, COLUMNS = 1;
    static_assert(NB == 64, "sixteen lanes with four columns each");
    static constexpr int EXCHANGE = NB / 2;           /* double2 of an x */
    static constexpr int DEPTH = 2;                   /* blocks of M on their way to registers; even */
    static constexpr int AHEAD = 4;                   /* and to L2, those included; measured on an H200 */
    static constexpr int PER_SM = 1, VECTORS = 2 + 4; /* in shared memory: two x and the parts of a sum */
    static constexpr size_t BYTES = (size_t)(NB * NB + VECTORS * NB) * sizeof(double) + 16;
};

/* Solves M_ii x = c - M_{i,i-1} before by substitution, in place in c: for blocks whose inverse is not to be used. */
template <int NB, class T>
__device__ __noinline__ void substitute_line(const problem<T> &p, double *c, const double *before, int i, int valid)
{
    const int row = threadIdx.x;
    const T *const M = p.A + (int64_t)i * NB * (p.si + p.sj);
    __syncthreads();
    if (i > 0 && row < valid)
        for (int k = 0; k < NB; k++) c[row] = fma(-widen(M[row * p.si + (k - NB) * p.sj]), before[k], c[row]);
    for (int k = 0; k < valid; k++) {
        __syncthreads();
        if (!p.unit && row == k) c[k] = divide(c[k], widen(M[k * (p.si + p.sj)]));
        __syncthreads();
        if (row > k && row < valid) c[row] = fma(-widen(M[row * p.si + k * p.sj]), c[k], c[row]);
    }
    __syncthreads();
}

/* This thread's entries of inv(M_ii), on their way to `own`, and of -inv(M_ii) M_{i,i-1}, if there is one, in registers */
template <class S>
__device__ __forceinline__ void fetch_operands(const double *operands, int top, int left, bool coupled, double2 *own, double (&held)[4][4])
{
#pragma unroll
    for (int e = 0; e < 8; e++) {
        const int r = e / 2, h = e % 2;
        copy_async(own + e * S::SUMMING, (const double2 *)(operands + S::left::inverse(top + r, left + 32 * h, 0)));
        if (!coupled) continue;
        const double2 two = load_now((const double2 *)(operands + S::left::coupling(top + r, left + 32 * h, 0)));
        held[r][2 * h] = two.x;
        held[r][2 * h + 1] = two.y;
    }
}

/* Blocks 0 .. i - 3: x_j is awaited by the last warp, two of them under way, and used by the others. */
template <class S, class M, class T, class X>
__device__ __forceinline__ void use_blocks(M &m, T (&ring)[S::DEPTH][M::Q], inbox<1, 32> (&in)[2], double *vectors, int i, bool watching,
                                           X x_at)
{
    constexpr int NB = S::NB, D = S::DEPTH;
    for (int k = 0; k < i - 2; k += D)
#pragma unroll
        for (int d = 0; d < D; d++) {
            const int j = k + d;
            if (j >= i - 2) break;
            double *const x = vectors + d % 2 * NB;
            if (watching) {
                in[d % 2].await(x_at(j), false);
                in[d % 2].put((double2 *)x);
                if (j + 2 < i - 1) in[d % 2].fetch(x_at(j + 2));
            }
            __syncthreads();
            if (watching) continue;
            if (j + D < i - 1)
                m.template use<true>(ring[d], x);
            else
                m.template use<false>(ring[d], x);
            if (j + S::AHEAD < i - 1) m.announce();
        }
}

/* Four sums of those that PARTS groups of threads have made */
template <int PARTS, int NB> __device__ __forceinline__ void add_parts(const double *parts, double (&c)[4])
{
#pragma unroll
    for (int h = 0; h < 2; h++) {
        double2 v[PARTS];
#pragma unroll
        for (int g = 0; g < PARTS; g++) v[g] = *(const double2 *)(parts + g * NB + 32 * h);
#pragma unroll
        for (int g = PARTS / 2; g > 0; g /= 2)
#pragma unroll
            for (int k = 0; k < g; k++) v[k].x += v[k + g].x, v[k].y += v[k + g].y;
        c[2 * h] = v[0].x;
        c[2 * h + 1] = v[0].y;
    }
}

/* M: by_columns or by_rows */
template <class T, class S, class M>
__global__ __launch_bounds__(S::THREADS, S::PER_SM) void solve_line(const __grid_constant__ problem<T> p,
                                                                    const __grid_constant__ workspace w)
{
    constexpr int NB = S::NB, D = S::DEPTH;
    const int tid = threadIdx.x, top = tid / 16 * 4, left = tid % 16 * 2;
    const auto column = [=](int e) { return left + e % 2 + e / 2 * 32; };
    const bool watching = tid >= S::SUMMING;
    double *const memory = (double *)shared_memory(), *const vectors = memory + NB * NB, *const parts = vectors + 2 * NB;
    double2 *const own = (double2 *)memory + tid; /* this thread's entries of inv(M_ii), SUMMING apart */
    int *const ticket = (int *)(vectors + S::VECTORS * NB);

    wait_for_previous_grid();
    if (tid == 0) *ticket = atomicAdd(w.ticket, 1);
    __syncthreads();
    const int i = *ticket, first = i * NB, valid = min(NB, p.n - first);
    const auto x_at = [=](int j) { return w.x + (int64_t)j * S::EXCHANGE; };

    M m(p, first);
    T ring[D][M::Q];
    double held[4][4]; /* of -inv(M_ii) M_{i,i-1} */
    inbox<1, 32> in[2];
    if (watching) {
        if (i > 1) in[0].fetch(x_at(0));
        if (i > 2) in[1].fetch(x_at(1));
    } else {
        fetch_operands<S>((const double *)(w.left + (int64_t)i * S::left::TOTAL), top, left, i > 0, own, held);
        m.begin([&](int r) {
            const double b = r < valid ? widen(p.B[(first + r) * p.sk]) : 0;
            return p.scaled ? p.alpha * b : b;
        });
#pragma unroll
        for (int d = 0; d < D; d++)
            if (d < i - 1)
#pragma unroll
                for (int q = 0; q < M::Q; q++) ring[d][q] = m.next(q);
        for (int d = 0; d < min(S::AHEAD, i - 1); d++) m.announce();
    }
    bool careful = false;
    for (int s = 0; s < w.slices; s++) careful |= w.careful[i * w.slices + s] != 0;

    use_blocks<S>(m, ring, in, vectors, i, watching, x_at);

    /* The last block: what its x meets afterwards is in registers before that x is there. */
    double inverse[4][4];
    T tail[M::Q];
    inbox<2, 16> last;
    if (!watching) {
        copy_async_wait();
#pragma unroll
        for (int e = 0; e < 8; e++) {
            inverse[e / 2][e % 2 * 2] = own[e * S::SUMMING].x;
            inverse[e / 2][e % 2 * 2 + 1] = own[e * S::SUMMING].y;
        }
#pragma unroll
        for (int q = 0; q < M::Q; q++) tail[q] = i % 2 ? ring[1][q] : ring[0][q];
    }
    if (i > 1) {
        double *const x = vectors + i % 2 * NB;
        if (watching) {
            if (i % 2) in[0] = in[1];
            in[0].await(x_at(i - 2), false);
            in[0].put((double2 *)x);
        }
        __syncthreads();
        if (!watching) m.template use<false>(tail, x);
    }
    if (!watching) {
        if (i > 0) last.fetch(x_at(i - 1));
        m.put(parts);
    }
    __syncthreads();
    if (watching) return;

    double c[4], sum[4] = {};
    add_parts<M::PARTS, NB>(parts + left, c);
    if (!careful) /* nothing is multiplied for the zeros above the diagonal: an Inf or NaN must not reach the entries before it */
#pragma unroll
        for (int r = 0; r < 4; r++)
#pragma unroll
            for (int e = 0; e < 4; e++)
                if (column(e) <= top + r) sum[r] = fma(inverse[r][e], c[e], sum[r]);
    if (i > 0) {
        last.await(x_at(i - 1), false);
#pragma unroll
        for (int e = 0; e < 4; e++) {
            const double v = __longlong_as_double((long long)(e % 2 ? last.v[e / 2].y : last.v[e / 2].x));
#pragma unroll
            for (int r = 0; r < 4; r++) sum[r] = fma(held[r][e], v, sum[r]);
        }
    }
    double x = lane_sums<4, 16>(sum, tid);
    const int row = top + tid % 16 / 4;
    if (careful) {
        if (tid < 16) {
            if (i > 0) last.put((double2 *)vectors);
#pragma unroll
            for (int e = 0; e < 4; e++) vectors[NB + column(e)] = c[e];
        }
        substitute_line<NB>(p, vectors + NB, vectors, i, valid);
        x = vectors[NB + row];
    }
    if (tid % 4 != 0 || row >= valid) return;
    if (i + 1 < w.blocks) publish((double *)x_at(i) + row, x);
    p.B[(first + row) * p.sk] = narrow<T>(x);
}

} // namespace skinny
} // namespace tsl
#endif
