/* One Hermitian eigenproblem by a group of threads: from memory to shared memory and back. */
#ifndef TSL_CUDA_BATCH_SPECTRA_SYEV_PROBLEM_CUH
#define TSL_CUDA_BATCH_SPECTRA_SYEV_PROBLEM_CUH

#include "kernel/cuda/batch/spectra/problems.cuh"
#include "kernel/cuda/batch/spectra/ql.cuh"

namespace tsl::spectra {

/* Is A's triangle finite? *power: of two, near its largest element. A(i,j) is on both sides of the diagonal. */
template <class G, class T>
__device__ bool load(const G &g, const eig_batch<T> &p, const T *A, const eig_room<T> &q, int *power)
{
    using R = real_t<T>;
    const int n = p.n;
    R most = 0, bad = 0;
    for (int at = g.rank; at < n * n; at += g.size) {
        const int i = at % n, j = at / n;
        if (p.lower ? i < j : i > j) continue;
        T a = A[i + j * p.A.ld];
        if (i == j) a = make<T>(re(a));
        bad = is_finite(a) ? bad : R(1);
        most = fmax(most, magnitude(a));
        q.A[i + j * q.ld] = a;
        if (i != j) q.A[j + i * q.ld] = conj(a);
    }
    *power = power_of(g.most(most));
    const bool finite = g.most(bad) == 0;
    g.sync();
    for (int at = g.rank; at < n * n; at += g.size) {
        T *a = q.A + at % n + at / n * q.ld;
        *a = times_power(*a, -*power);
    }
    g.sync();
    return finite;
}

template <class G, class T> __device__ void store_nan(const G &g, const eig_batch<T> &p, int64_t k)
{
    using R = real_t<T>;
    const R nan = R(NAN);
    R *w = p.w.at(k);
    for (int i = g.rank; i < p.n; i += g.size) w[i] = i < p.wanted ? nan : R(0);
    if (p.columns == 0) return;
    T *V = p.V.at(k);
    for (int64_t j = 0; j < p.columns; j++)
        for (int i = g.rank; i < p.n; i += g.size) V[i + j * p.V.ld] = j < p.wanted ? make<T>(nan) : make<T>(0);
}

/* w and V: the wanted pairs, ascending, then zeros */
template <class G, class T>
__device__ void store(const G &g, const eig_batch<T> &p, int64_t k, const eig_room<T> &q, const real_t<T> *values, int power)
{
    const int n = p.n;
    real_t<T> *w = p.w.at(k);
    find_places(g, values, n, true, q.place);
    g.sync();
    for (int i = g.rank; i < n; i += g.size) {
        const int to = q.place[i] - p.first;
        if (to >= 0 && to < p.wanted) w[to] = times_power(values[i], power);
        if (i >= p.wanted) w[i] = 0;
    }
    if (p.columns == 0) return;
    T *V = p.V.at(k);
    for (int at = g.rank; at < n * n; at += g.size) {
        const int i = at % n, to = q.place[at / n] - p.first;
        if (to >= 0 && to < p.wanted) V[i + to * p.V.ld] = q.A[i + at / n * q.ld];
    }
    for (int64_t j = p.wanted; j < p.columns; j++)
        for (int i = g.rank; i < n; i += g.size) V[i + j * p.V.ld] = make<T>(0);
}

template <class G, class T> __device__ void solve_eig(const G &g, const eig_batch<T> &p, int64_t k, const eig_room<T> &q)
{
    const int n = p.n;
    int power, failed = n;
    if (p.skip && p.skip[k]) return;
    const bool finite = load(g, p, p.A.at(k), q, &power);
    const real_t<T> *values = q.d;
    if (finite) {
        reduce(g, q, n);
        if (p.columns) form_q(g, q, n);
        if (p.columns || !G::AHEAD) {
            failed = iterate(g, q, n, p.columns > 0);
        } else {
            bisect(g, q.d, q.e, n, 0, q.c, q.s);
            values = q.s, failed = 0;
        }
    }
    if (failed == 0) {
        store(g, p, k, q, values, power);
    } else {
        store_nan(g, p, k);
        if (g.rank == 0 && p.info[k] == 0) p.info[k] = failed;
    }
}

} // namespace tsl::spectra
#endif
