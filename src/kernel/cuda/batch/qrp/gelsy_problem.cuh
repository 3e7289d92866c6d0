/* Least squares of any rank, the steps beside QR with column pivoting, of one problem: what is there to be solved, the rank of
 * R, the X of least size where that is less than the columns, and X in the order of A's columns. */
#ifndef TSL_CUDA_BATCH_GELSY_PROBLEM_CUH
#define TSL_CUDA_BATCH_GELSY_PROBLEM_CUH

#include "core/numbers/growth.h"
#include "kernel/cuda/batch/qrp/geqp3_problem.cuh"

namespace tsl::many {

/* What becomes of a problem: X is R^-1 Q^H B; by fewer columns than A has; zero, as A is; or no number */
enum { WHOLE = 0, DEFICIENT = 1, NOTHING = 2, SPOILT = 3 };

template <class T> struct gelsy_batch {
    int m, n, nrhs;
    Batch<T> A;
    Batch<int64_t> piv;
    Batch<T> B;
    Batch<int64_t> rank;
    double accuracy;
    int64_t count;
    int64_t *fate;      /* of each problem; skip of the steps that come before the rank is known */
    int *power, *right; /* R and B are 2^-power, 2^-right of what they were */
    Batch<T> tau;
    T *F; /* room for n x min(m,n) and as many factors, of each problem */
    __device__ int64_t room() const { return (int64_t)(n + 1) * (m < n ? m : n); }
};

/* The fate so far; B into range */
template <class G, class T> __device__ void look(const G &g, const gelsy_batch<T> &b, int64_t k, int *word)
{
    const T *const A = b.A.at(k);
    T *const B = b.B.at(k);
    int bad = 0, some = 0, most = 0;
    for (int e = g.rank; e < b.m * b.n; e += g.size) {
        const T a = A[e % b.m + e / b.m * b.A.ld];
        bad |= !is_finite(a), some |= !is_zero(a);
    }
    for (int e = g.rank; e < b.m * b.nrhs; e += g.size) {
        const real_t<T> a = magnitude(B[e % b.m + e / b.m * b.B.ld]);
        bad |= !isfinite(a);
        if (a > 0 && isfinite(a)) most = max(most, ilogb(a) + 2000);
    }
    if (g.rank == 0) word[0] = word[1] = 0;
    g.sync();
    if (bad || some) atomicOr(&word[0], bad * 2 + some);
    atomicMax(&word[1], most);
    g.sync();
    bad = word[0] & 2, some = word[0] & 1, most = word[1];
    const int far = sizeof(real_t<T>) == 4 ? 60 : 500, power = most && abs(most - 2000) > far && !bad ? most - 2000 : 0;
    for (int e = g.rank; e < b.m * b.nrhs && power; e += g.size) {
        T &x = B[e % b.m + e / b.m * b.B.ld];
        x = times_power_of_two(x, -power);
    }
    if (g.rank == 0) b.fate[k] = bad ? SPOILT : some ? WHOLE : NOTHING, b.right[k] = power;
}

template <class T> __device__ double modulus(T a) { return sqrt(square_of(a)); }

/* conj(a) g over their sizes */
template <class T> __device__ T phase(T a, T g)
{
    const double sa = modulus(a), sg = modulus(g);
    if (!(sa > 0) || !(sg > 0)) return make<T>(1);
    return mul(conj(scale(a, (real_t<T>)(1 / sa))), scale(g, (real_t<T>)(1 / sg)));
}

/* By P lanes: how many columns of the triangle R, of order d, have a condition that is good enough; most and least are room. */
template <int P, class T> __device__ int rank_of(const T *R, int64_t ld, int d, double accuracy, T *most, T *least)
{
    const int lane = (int)threadIdx.x % P;
    double largest = modulus(R[0]), smallest = largest;
    if (!(largest > 0)) return 0;
    if (lane == 0) most[0] = least[0] = make<T>(1);
    int k = 1;
    for (; k < d; k++) {
        const T *const w = R + k * ld, g = w[k];
        T a = make<T>(0), b = make<T>(0);
        __syncwarp(mask_of<P>());
        for (int i = lane; i < k; i += P) a = add_mul<true>(a, most[i], w[i]), b = add_mul<true>(b, least[i], w[i]);
        a = sum_of<P>(a), b = sum_of<P>(b);
        const tsl_growth up = tsl_grow(largest, modulus(a), modulus(g)), down = tsl_grow(smallest, modulus(b), modulus(g));
        if (!(up.largest * accuracy <= down.least)) break;
        const T ea = phase(a, g), by = scale(conj(phase(b, g)), (real_t<T>)-down.p2);
        __syncwarp(mask_of<P>());
        for (int i = lane; i < k; i += P) most[i] = scale(most[i], (real_t<T>)up.p1), least[i] = mul(least[i], by);
        if (lane == 0) most[k] = scale(ea, (real_t<T>)up.p2), least[k] = make<T>((real_t<T>)down.p1);
        largest = up.largest, smallest = down.least;
    }
    return k;
}

/* R's rows that count, [R11 R12] = (Q2 L^H)^H by reflectors of their columns, X := Q2 [inv(L) B1; 0]. A keeps L^H. */
template <class G, class T>
__device__ void least_size(const G &g, const gelsy_batch<T> &b, int64_t k, int rank, unsigned char *memory)
{
    const int n = b.n, d = b.m < n ? b.m : n, lane = g.rank % G::P, unit = g.rank / G::P, units = (g.size + G::P - 1) / G::P;
    T *const A = b.A.at(k), *const B = b.B.at(k), *const F = b.F + k * b.room(), *const factors = F + (int64_t)n * d;
    const qrp_room<T> r(memory, n, 0, F, n);
    for (int e = g.rank; e < n * rank; e += g.size) {
        const int i = e % n, j = e / n;
        F[e] = i < j ? make<T>(0) : conj(A[j + i * b.A.ld]);
    }
    g.sync();
    for (int j = 0; j < rank; j++) {
        step(g, r, n, rank, j, false);
        if (g.rank == 0) factors[j] = *r.tau;
        g.sync();
    }
    for (int c = unit; c < b.nrhs; c += units) {
        T *const x = B + c * b.B.ld;
        for (int j = 0; j < rank; j++) { /* L = the transpose of F's triangle: a row of it is a column of F */
            T sum = make<T>(0);
            for (int i = lane; i < j; i += G::P) sum = add_mul<true>(sum, F[i + (int64_t)j * n], x[i]);
            sum = sum_of<G::P>(sum);
            if (lane == 0) x[j] = divided(sub_mul<false>(x[j], make<T>(1), sum), conj(F[j + (int64_t)j * n]));
            __syncwarp(mask_of<G::P>());
        }
        for (int i = rank + lane; i < n; i += G::P) x[i] = make<T>(0);
        __syncwarp(mask_of<G::P>());
        for (int j = rank - 1; j >= 0; j--) {
            const T *const v = F + (int64_t)j * n;
            T sum = lane == 0 ? x[j] : make<T>(0);
            for (int i = j + 1 + lane; i < n; i += G::P) sum = add_mul<true>(sum, v[i], x[i]);
            sum = mul(factors[j], sum_of<G::P>(sum));
            for (int i = j + 1 + lane; i < n; i += G::P) x[i] = sub_mul<false>(x[i], v[i], sum);
            if (lane == 0) x[j] = sub_mul<false>(x[j], make<T>(1), sum);
            __syncwarp(mask_of<G::P>());
        }
    }
    for (int e = g.rank; e < rank * rank; e += g.size)
        if (e % rank <= e / rank) A[e % rank + e / rank * b.A.ld] = F[e % rank + (int64_t)(e / rank) * n];
}

/* X in the order of A's columns, and as large as of A and B as they were; R as large as A was. Each column of X goes through
 * room for n elements. */
template <class G, class T> __device__ void finish(const G &g, const gelsy_batch<T> &b, int64_t k, T *room)
{
    const int n = b.n, most = b.m > n ? b.m : n, fate = (int)b.fate[k], rank = fate >= NOTHING ? 0 : (int)*b.rank.at(k);
    T *const A = b.A.at(k), *const B = b.B.at(k);
    int64_t *const piv = b.piv.at(k);
    if (fate >= NOTHING) {
        const T a = fate == SPOILT ? make<T>(NAN, NAN) : make<T>(0);
        for (int e = g.rank; e < most * b.nrhs; e += g.size) B[e % most + e / most * b.B.ld] = a;
        for (int j = g.rank; j < n; j += g.size) piv[j] = j + 1;
        if (g.rank == 0) *b.rank.at(k) = 0;
        return;
    }
    const int power = b.power[k], by = b.right[k] - power;
    for (int c = 0; c < b.nrhs; c++) {
        T *const x = B + c * b.B.ld;
        for (int i = g.rank; i < n; i += g.size) room[piv[i] - 1] = times_power_of_two(x[i], by);
        g.sync();
        for (int i = g.rank; i < n; i += g.size) x[i] = room[i];
        g.sync();
    }
    for (int e = g.rank; e < rank * rank && power; e += g.size) {
        T &a = A[e % rank + e / rank * b.A.ld];
        if (e % rank <= e / rank) a = times_power_of_two(a, power);
    }
}

} // namespace tsl::many
#endif
