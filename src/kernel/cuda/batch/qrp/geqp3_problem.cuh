/* QR with column pivoting of one problem, A P = Q R, as LAPACK's: in shared memory, or where it is. Columns that are fixed come
 * first, in exchanges, then the longest of the others, step by step. */
#ifndef TSL_CUDA_BATCH_GEQP3_PROBLEM_CUH
#define TSL_CUDA_BATCH_GEQP3_PROBLEM_CUH

#include "kernel/cuda/batch/batch.cuh"
#include "kernel/cuda/batch/group.cuh"

namespace tsl::many {

/* power: for each problem the power of two that R is to be multiplied by, to be that of A; NULL: it is multiplied */
template <class T> struct qrp_batch {
    int m, n;
    Batch<T> A;
    Batch<int64_t> piv;
    Batch<T> tau;
    int64_t count;
    const int64_t *skip;
    int *power;
};

/* A problem at hand: length[j] of what is left of column j, and as it was when it was last summed up */
template <class T> struct qrp_room {
    T *A;
    int ld;
    real_t<T> *length, *summed;
    int *order;    /* column j was that one */
    int *decided;  /* a word for the group */
    T *tau;        /* of the step */
    __host__ __device__ static int padded(int m) { return m | 1; }
    static size_t bytes(int m, int n, bool inside)
    {
        const size_t lines = 2 * n * sizeof(real_t<T>) + (n + 1) * sizeof(int);
        return ((inside ? (size_t)padded(m) * n : 0) * sizeof(T) + lines + 2 * sizeof(T) + 31) / 16 * 16;
    }
    __device__ qrp_room(unsigned char *room, int m, int n, T *outside, int outside_ld)
        : A(outside ? outside : (T *)room), ld(outside ? outside_ld : padded(m))
    {
        tau = outside ? (T *)room : A + (size_t)ld * n;
        length = (real_t<T> *)(tau + 1), summed = length + n;
        order = (int *)(summed + n), decided = order + n;
    }
    __device__ T *column(int j) const { return A + (int64_t)j * ld; }
};

template <class T> __device__ double square_of(T a)
{
    if constexpr (is_complex<T>)
        return fma((double)a.re, (double)a.re, (double)a.im * (double)a.im);
    else
        return (double)a * (double)a;
}

/* 2^power of elements near 1, so that squares of columns are numbers; 0 of what is zero, or no number */
template <class G, class T> __device__ int power_of_all(const G &g, const T *A, int64_t ld, int m, int n, int *word)
{
    int most = 0; /* the exponent, from 1 on */
    for (int e = g.rank; e < m * n; e += g.size) {
        const real_t<T> a = magnitude(A[e % m + e / m * ld]);
        if (a > 0 && isfinite(a)) most = max(most, ilogb(a) + 2000);
        else if (!(a == 0)) most = 1 << 20;
    }
    if (g.rank == 0) *word = 0;
    g.sync();
    atomicMax(word, most);
    g.sync();
    most = *word;
    g.sync();
    return most == 0 || most >= 1 << 20 ? 0 : most - 2000;
}

template <class T> __device__ T times_power_of_two(T a, int e)
{
    if constexpr (is_complex<T>)
        return T{scalbn(a.re, e), scalbn(a.im, e)};
    else
        return scalbn(a, e);
}

template <class G, class T> __device__ void exchange_columns(const G &g, const qrp_room<T> &r, int m, int i, int j)
{
    for (int e = g.rank; e < m && i != j; e += g.size) {
        const T was = r.column(i)[e];
        r.column(i)[e] = r.column(j)[e];
        r.column(j)[e] = was;
    }
}

/* The fixed ones to the front; how many they are */
template <class G, class T> __device__ int bring_fixed(const G &g, const qrp_room<T> &r, int m, int n, const int64_t *piv)
{
    int at = 0;
    if (g.rank == 0) *r.decided = 0;
    g.sync();
    for (int j = g.rank; j < n; j += g.size) {
        r.order[j] = piv[j] != 0 ? -1 - j : j;
        if (piv[j] != 0) *r.decided = 1;
    }
    g.sync();
    const bool some = *r.decided;
    for (int j = 0; j < n && some; j++) {
        const bool fixed = r.order[j] < 0;
        g.sync();
        if (!fixed) continue;
        if (g.rank == 0) {
            r.order[j] = r.order[at];
            r.order[at] = j;
            if (at == j) r.order[j] = j;
        }
        exchange_columns(g, r, m, at, j);
        at++;
        g.sync();
    }
    return at;
}

/* By P lanes: the length of rows `from` on of a column */
template <int P, class T> __device__ real_t<T> length_of(const T *a, int from, int m)
{
    double sum = 0;
    for (int i = from + (int)threadIdx.x % P; i < m; i += P) sum += square_of(a[i]);
    return (real_t<T>)sqrt(sum_of<P>(sum));
}

/* By the group's first P threads: the reflector of column k, and its factor. H^H a = beta e */
template <int P, class T> __device__ void reflect(const qrp_room<T> &r, int m, int k)
{
    using R = real_t<T>;
    const int lane = (int)threadIdx.x % P;
    T *const a = r.column(k);
    const T alpha = a[k];
    double rest = 0;
    for (int i = k + 1 + lane; i < m; i += P) rest += square_of(a[i]);
    rest = sum_of<P>(rest);
    bool none = rest == 0;
    if constexpr (is_complex<T>) none = none && alpha.im == 0;
    const R beta = none ? re(alpha) : (R)-copysign(sqrt(rest + square_of(alpha)), (double)re(alpha));
    const T less = add(alpha, make<T>(-beta)), by = none ? make<T>(1) : inverse(less);
    for (int i = k + 1 + lane; i < m && !none; i += P) a[i] = mul(by, a[i]);
    __syncwarp(mask_of<P>()); /* all lanes have read what one writes */
    if (lane == 0) {
        *r.tau = none ? make<T>(0) : scale(less, -1 / beta);
        a[k] = make<T>(beta);
    }
}

/* Column j, by P lanes, through H^H, and the length of what is left of it */
template <int P, class T> __device__ void apply(const qrp_room<T> &r, int m, int k, int j, bool measured)
{
    using R = real_t<T>;
    const int lane = (int)threadIdx.x % P;
    const T *const v = r.column(k), factor = conj(*r.tau);
    T *const a = r.column(j), top = a[k];
    T sum = lane == 0 ? top : make<T>(0);
    for (int i = k + 1 + lane; i < m; i += P) sum = add_mul<true>(sum, v[i], a[i]);
    sum = mul(factor, sum_of<P>(sum));
    for (int i = k + 1 + lane; i < m; i += P) a[i] = sub_mul<false>(a[i], v[i], sum);
    const T here = sub_mul<false>(top, make<T>(1), sum);
    __syncwarp(mask_of<P>()); /* all lanes have read what one writes */
    if (lane == 0) a[k] = here;
    if (!measured || r.length[j] == 0) return;
    const R ratio = (R)sqrt(square_of(here)) / r.length[j], left = fmax(R(0), (1 + ratio) * (1 - ratio));
    const R since = r.length[j] / r.summed[j];
    const bool again = !(left * since * since > (sizeof(R) == 4 ? R(2.44e-4) : R(1.05e-8))); /* the root of a roundoff */
    const R length = again ? length_of<P>(a, k + 1, m) : r.length[j] * sqrt(left);
    __syncwarp(mask_of<P>());
    if (lane == 0) r.length[j] = length;
    if (lane == 0 && again) r.summed[j] = length;
}

/* Step k, of columns from k on; free: the longest of them is exchanged with it first */
template <class G, class T> __device__ void step(const G &g, const qrp_room<T> &r, int m, int n, int k, bool free)
{
    const int unit = g.rank / G::P, units = (g.size + G::P - 1) / G::P;
    if (free) {
        if (g.rank < G::P) {
            place<real_t<T>> most = {-1, n};
            for (int j = k + g.rank; j < n; j += G::P)
                if (r.length[j] > most.size) most = {r.length[j], j};
            most = most_of<G::P>(most, false);
            if (g.rank == 0) *r.decided = most.at < n ? most.at : k;
        }
        g.sync();
        const int with = *r.decided;
        exchange_columns(g, r, m, k, with);
        g.sync();
        if (g.rank == 0 && with != k) {
            const int was = r.order[k];
            r.order[k] = r.order[with], r.order[with] = was;
            r.length[with] = r.length[k], r.summed[with] = r.summed[k];
        }
    }
    if (g.rank < G::P) reflect<G::P>(r, m, k);
    g.sync();
    for (int j = k + 1 + unit; j < n; j += units) apply<G::P>(r, m, k, j, free);
    g.sync();
}

template <class G, class T> __device__ void factor(const G &g, const qrp_batch<T> &b, int64_t problem, const qrp_room<T> &r)
{
    const int m = b.m, n = b.n, d = m < n ? m : n, unit = g.rank / G::P, units = (g.size + G::P - 1) / G::P;
    T *const A = b.A.at(problem), *const tau = b.tau.at(problem);
    int64_t *const piv = b.piv.at(problem);
    const int power = power_of_all(g, A, b.A.ld, m, n, r.decided);
    for (int e = g.rank; e < m * n; e += g.size) r.column(e / m)[e % m] = times_power_of_two(A[e % m + e / m * b.A.ld], -power);
    g.sync();
    const int fixed = bring_fixed(g, r, m, n, piv);
    for (int k = 0; k < d; k++) {
        if (k == fixed) {
            for (int j = k + unit; j < n; j += units) {
                const real_t<T> length = length_of<G::P>(r.column(j), k, m);
                if (g.rank % G::P == 0) r.length[j] = r.summed[j] = length;
            }
            g.sync();
        }
        step(g, r, m, n, k, k >= fixed);
        if (g.rank == 0) tau[k] = *r.tau;
        g.sync();
    }
    const int back = b.power ? 0 : power;
    for (int e = g.rank; e < m * n; e += g.size) {
        const int i = e % m, j = e / m;
        const T a = r.column(j)[i];
        A[i + j * b.A.ld] = i <= j || j >= d ? times_power_of_two(a, back) : a;
    }
    for (int j = g.rank; j < n; j += g.size) piv[j] = 1 + r.order[j];
    if (b.power && g.rank == 0) b.power[problem] = power;
}

} // namespace tsl::many
#endif
