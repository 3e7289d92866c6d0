/* Second kernel of the skinny triangular solve: one dataflow over block rows of order NB = 16 W and groups of 8 NT lines.
 *
 * CTA (i, group) computes X_i = inv(M_ii) (B_i - sum_{j<i-1} M_ij X_j) + (-inv(M_ii) M_{i,i-1}) X_{i-1}. The left operands of
 * the last two products wait in shared memory, so from the arrival of X_{i-1} to the departure of X_i there is one product. The
 * tiles of M go from global memory to registers in operand order, each read once per group, a ring of DEPTH steps ahead of the
 * arithmetic and so before the X they meet. The X travel through L2 in the exchange buffer (see struct workspace).
 *
 * CTAs take (i, group) in order from a ticket and wait only for earlier tickets: no deadlock whatever is resident. The order of
 * every sum is fixed: the result is reproducible.
 *
 * An Inf or NaN stays in its line, since columns of a product are independent; and within the block where it first appears it
 * must not reach the entries before it through the zeros above the inverse's diagonal, see repair(). */
#ifndef TSL_CUDA_TRSM_SKINNY_SOLVE_CUH
#define TSL_CUDA_TRSM_SKINNY_SOLVE_CUH

#include "kernel/cuda/launch.cuh"
#include "kernel/cuda/trsm/trsm_skinny_operands.cuh"

namespace tsl {
namespace skinny {

/* Solves M_ii x = c - M_{i,i-1} before by substitution, in place in c: for blocks whose inverse is not to be used. */
template <class T, int W, int NT>
__device__ __noinline__ void substitute(const problem<T> &p, double2 *c, const double2 *before, int i, int valid)
{
    using S = solve_shape<T, W, NT>;
    const int64_t first = (int64_t)i * S::NB;
    const T *M = p.A + first * p.si + first * p.sj;
    for (int e = threadIdx.x; i > 0 && e < valid * S::COLUMNS; e += S::THREADS) {
        const int r = e / S::COLUMNS, l = e % S::COLUMNS;
        wide<S::PL> v = get<S>(c, r, l);
        for (int k = 0; k < S::NB; k++) v = sub_mul<false>(v, widen(M[r * p.si + (k - S::NB) * p.sj]), get<S>(before, k, l));
        set<S>(c, r, l, v);
    }
    for (int k = 0; k < valid; k++) {
        __syncthreads();
        if (!p.unit && threadIdx.x < S::COLUMNS)
            set<S>(c, k, threadIdx.x, divide(get<S>(c, k, threadIdx.x), widen(M[k * (p.si + p.sj)])));
        __syncthreads();
        for (int e = threadIdx.x; e < (valid - 1 - k) * S::COLUMNS; e += S::THREADS) {
            const int r = k + 1 + e / S::COLUMNS, l = e % S::COLUMNS;
            set<S>(c, r, l, sub_mul<false>(get<S>(c, r, l), widen(M[r * p.si + k * p.sj]), get<S>(c, k, l)));
        }
    }
    __syncthreads();
}

/* d = inverse * c anew for those columns of c that hold an Inf or NaN, leaving out the zeros above the inverse's diagonal. */
template <class S> __device__ void repair(double (&d)[S::COLUMNS / 8][S::PL][4], const double2 *left, const double2 *c)
{
    const int warp = threadIdx.x / 32, g = threadIdx.x % 32 / 4, t = threadIdx.x % 4;
#pragma unroll
    for (int nt = 0; nt < S::COLUMNS / 8; nt++)
#pragma unroll
        for (int e = 0; e < 4; e++) {
            const int l = nt * 8 + 2 * t + e % 2, last = warp * 16 + g + e / 2 * 8;
            bool odd = false;
            wide<S::PL> sum = {};
#pragma unroll 1
            for (int k = 0; k < S::NB; k++) {
                wide<S::PL> v = get<S>(c, k, l), a;
#pragma unroll
                for (int pl = 0; pl < S::PL; pl++) {
                    odd |= !finite(part(v, pl));
                    part(v, pl) = -part(v, pl);
                    const double *from = (const double *)(left + S::left::inverse(warp, k / 16) + pl * 128);
                    if (k <= last) part(a, pl) = from[(k % 16 / 4 * 32 + g * 4 + k % 4) * 2 + e / 2];
                }
                if (k <= last) sum = sub_mul<false>(sum, a, v);
            }
#pragma unroll
            for (int pl = 0; pl < S::PL; pl++)
                if (odd) d[nt][pl][e] = part(sum, pl);
        }
}

/* A lane's place in block i: the upper one of its two rows, and rows and lines there are from its own first on */
template <class T> struct lane_of {
    T *b; /* of B */
    int upper, valid, lines;

    __device__ bool has(int nt, int e) const { return upper + e / 2 * 8 < valid && nt * 8 + e % 2 < lines; }
    __device__ T &at(const problem<T> &p, int nt, int e) const { return b[e / 2 * 8 * p.sk + (nt * 8 + e % 2) * p.sl]; }
};

/* d = -alpha B_i, conjugated where M is */
template <class T, int PL, int NT>
__device__ __forceinline__ void load_right(const problem<T> &p, const lane_of<T> &l, double (&d)[NT][PL][4])
{
#pragma unroll
    for (int nt = 0; nt < NT; nt++)
#pragma unroll
        for (int e = 0; e < 4; e++) {
            wide<PL> v = {};
            if (l.has(nt, e)) v = widen(l.at(p, nt, e));
            if (p.scaled) v = mul(p.alpha, v);
            d[nt][0][e] = -part(v, 0);
            if constexpr (PL == 2) d[nt][1][e] = p.conjugate ? part(v, 1) : -part(v, 1);
        }
}

/* c = -d as a right operand; zero past the last row, as those entries meet zeros of the inverse. d becomes zero. Is one of them
 * not finite? */
template <class S, int PL, int NT> __device__ __forceinline__ bool put_right(double (&d)[NT][PL][4], double *c, int upper, int valid)
{
    bool odd = false;
#pragma unroll
    for (int nt = 0; nt < NT; nt++)
#pragma unroll
        for (int pl = 0; pl < PL; pl++)
#pragma unroll
            for (int e = 0; e < 4; e++) {
                const double v = upper + e / 2 * 8 < valid ? -d[nt][pl][e] : 0;
                odd |= !finite(v);
                c[S::right::own(nt, pl, e)] = v;
                d[nt][pl][e] = 0;
            }
    return odd;
}

/* B_i := d */
template <class T, int PL, int NT>
__device__ __forceinline__ void store_right(const problem<T> &p, const lane_of<T> &l, double (&d)[NT][PL][4])
{
#pragma unroll
    for (int nt = 0; nt < NT; nt++)
#pragma unroll
        for (int e = 0; e < 4; e++)
            if (l.has(nt, e)) {
                wide<PL> v;
#pragma unroll
                for (int pl = 0; pl < PL; pl++) part(v, pl) = d[nt][pl][e];
                if (p.conjugate) v = conj(v);
                l.at(p, nt, e) = narrow<T>(v);
            }
}

/* A stage of the product with blocks that are solved: a column of tiles of M, as it is in the ring */
template <int PL, int NT, class T> __device__ __forceinline__ void use_tile(double (&d)[NT][PL][4], const T (&tile)[8], const double2 *x, int s)
{
    double a[PL][8];
#pragma unroll
    for (int e = 0; e < 8; e++) {
        const wide<PL> v = widen(tile[e]);
#pragma unroll
        for (int pl = 0; pl < PL; pl++) a[pl][e] = part(v, pl);
    }
    step<PL, NT>(d, a, x, s);
}

template <class T, int W, int NT>
__global__ __launch_bounds__(32 * W, solve_shape<T, W, NT>::PER_SM) void solve(const __grid_constant__ problem<T> p,
                                                                               const __grid_constant__ workspace w)
{
    using S = solve_shape<T, W, NT>;
    constexpr int PL = S::PL, NB = S::NB, D = S::DEPTH;
    double2 *left = (double2 *)shared_memory(), *buffers = left + S::left::TOTAL;
    int *ticket = (int *)(buffers + S::BUFFERS * S::right::TOTAL);
    const int tid = threadIdx.x, warp = tid / 32, g = tid % 32 / 4, t = tid % 4;
    const int upper = warp * 16 + g; /* of this lane's two rows */
    const int base = S::right::base(warp, g, t);

    wait_for_previous_grid();
    if (tid == 0) *ticket = atomicAdd(w.ticket, 1);
    __syncthreads();
    const int i = *ticket / w.groups, group = *ticket % w.groups;
    const int first = i * NB, valid = min(NB, p.n - first);
    auto x_at = [=](int j) { return w.x + ((int64_t)j * w.groups + group) * S::right::TOTAL; };
    auto buffer = [=](int j) { return buffers + (S::BUFFERS == 2 && (j & 1) ? S::right::TOTAL : 0); };

    /* Rows past the last one repeat it: their results go nowhere. */
    T ring[D][8];
    stream<T> m = {p.A + min(first + upper, p.n - 1) * p.si + t * p.sj, p.A + min(first + upper + 8, p.n - 1) * p.si + t * p.sj,
                   4 * p.sj, (i - 1) * W};
#pragma unroll
    for (int s = 0; s < D; s++) m.next(ring[s]);
    inbox<S::WORDS, S::THREADS> in;
    if (i > 0) in.fetch(x_at(0));
    for (int e = tid; e < (i > 0 ? S::left::TOTAL : S::left::INVERSE); e += S::THREADS)
        copy_async(left + e, w.left + (int64_t)i * S::left::TOTAL + e);
    bool careful = false;
    for (int s = 0; s < w.slices; s++) careful |= w.careful[i * w.slices + s] != 0;

    const lane_of<T> own = {p.B + (first + upper) * p.sk + ((int64_t)group * S::COLUMNS + 2 * t) * p.sl, upper, valid,
                            p.lines - group * S::COLUMNS - 2 * t};
    double d[NT][PL][4];
    load_right(p, own, d);

    for (int j = 0; j < i - 1; j++) {
        in.await(x_at(j), i - j > w.patience);
        if (S::BUFFERS == 1 && j > 0) __syncthreads();
        in.put(buffer(j));
        __syncthreads();
        in.fetch(x_at(j + 1));
#pragma unroll
        for (int s = 0; s < W; s++) {
            use_tile<PL, NT>(d, ring[s % D], buffer(j), s);
            m.next(ring[s % D]);
        }
    }

    double2 *const c = buffer(i + 1), *const x = buffer(i); /* c = B_i - sum */
    if (S::BUFFERS == 1) __syncthreads();
    bool odd = put_right<S>(d, (double *)c + base, upper, valid);
    copy_async_wait();
    odd = __syncthreads_or(odd);

    if (!careful) {
        apply<PL, NT>(d, left + S::left::inverse(warp, 0), c, warp + 1);
        if (odd) repair<S>(d, left, c);
    }
    if (i > 0) {
        double2 *const before = S::BUFFERS == 1 && careful ? left : x; /* c is still needed, the inverse is not */
        const double2 *const coupling = left + S::left::coupling(warp, 0);
        double held[W][PL][8]; /* in registers while its X is awaited */
#pragma unroll
        for (int s = 0; s < W; s++) {
            take<PL>(held[s], coupling, s);
#pragma unroll
            for (int pl = 0; pl < PL; pl++)
#pragma unroll
                for (int e = 0; e < 8; e++) keep(held[s][pl][e]);
        }
        in.await(x_at(i - 1), false);
        if (S::BUFFERS == 1) __syncthreads();
        in.put(before);
        __syncthreads();
        if (careful)
            substitute<T, W, NT>(p, c, before, i, valid);
        else
#pragma unroll
            for (int s = 0; s < W; s++) step<PL, NT>(d, held[s], x, s);
    } else if (careful) {
        substitute<T, W, NT>(p, c, x, i, valid);
    }
    if (careful)
#pragma unroll
        for (int nt = 0; nt < NT; nt++)
#pragma unroll
            for (int e = 0; e < 4; e++)
#pragma unroll
                for (int pl = 0; pl < PL; pl++) d[nt][pl][e] = ((const double *)c)[base + S::right::own(nt, pl, e)];

    if (i + 1 < w.blocks) {
        double *to = (double *)x_at(i) + base;
#pragma unroll
        for (int nt = 0; nt < NT; nt++)
#pragma unroll
            for (int pl = 0; pl < PL; pl++)
#pragma unroll
                for (int e = 0; e < 4; e++) publish(to + S::right::own(nt, pl, e), d[nt][pl][e]);
    }
    store_right(p, own, d);
}

} // namespace skinny
} // namespace tsl
#endif
