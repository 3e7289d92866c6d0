/* One singular value decomposition by a group of threads: from memory to shared memory and back. Of a wide matrix that of
 * A^H. */
#ifndef TSL_CUDA_BATCH_SPECTRA_GESVD_PROBLEM_CUH
#define TSL_CUDA_BATCH_SPECTRA_GESVD_PROBLEM_CUH

#include "kernel/cuda/batch/spectra/bidiagonal.cuh"
#include "kernel/cuda/batch/spectra/jacobi.cuh"
#include "kernel/cuda/batch/spectra/problems.cuh"

namespace tsl::spectra {

/* W := A or A^H times a power of two, V := I. Is A finite? */
template <class G, class T>
__device__ bool load(const G &g, const svd_batch<T> &p, const T *A, const svd_room<T> &q, int *power)
{
    using R = real_t<T>;
    const bool wide = p.m < p.n;
    const int rows = wide ? p.n : p.m, n = wide ? p.m : p.n;
    R most = 0, bad = 0;
    for (int at = g.rank; at < p.m * p.n; at += g.size) {
        const int i = at % p.m, j = at / p.m;
        const T a = A[i + j * p.A.ld];
        bad = is_finite(a) ? bad : R(1);
        most = fmax(most, magnitude(a));
        q.W[wide ? j + i * q.ldw : i + j * q.ldw] = wide ? conj(a) : a;
    }
    *power = power_of(g.most(most));
    const bool finite = g.most(bad) == 0;
    g.sync();
    for (int at = g.rank; at < rows * n; at += g.size) {
        T *a = q.W + at % rows + at / rows * q.ldw;
        *a = times_power(*a, -*power);
    }
    if (q.V)
        for (int at = g.rank; at < n * n; at += g.size) q.V[at % n + at / n * q.ldv] = make<T>(at % n == at / n);
    g.sync();
    return finite;
}

/* to := the vectors of the longer side, or their rows conjugated; all of them NaN if !good */
template <class G, class T>
__device__ void store(const G &g, T *to, int64_t ld, bool as_rows, const T *from, int ldf, int rows, int n, const int *place,
                      bool good)
{
    for (int at = g.rank; at < rows * n; at += g.size) {
        const int i = as_rows ? at / n : at % rows, j = as_rows ? at % n : at / rows;
        const int64_t column = good ? place[j] : j;
        const T a = good ? from[i + j * ldf] : make<T>(real_t<T>(NAN));
        to[as_rows ? column + i * ld : i + column * ld] = as_rows ? conj(a) : a;
    }
}

/* The length of a column, 0 where it does not count; a part of the group calls. It becomes 1 if it is to be `scaled`. */
template <class G, class T> __device__ real_t<T> take_length(const G &g, T *x, int rows, bool scaled)
{
    using R = real_t<T>;
    R xx = 0;
    for (int i = g.rank % G::PART; i < rows; i += G::PART) xx += square(x[i]);
    xx = g.part_sum(xx);
    const R size = xx < NO_SQUARE<R> ? R(0) : sqrt(xx), factor = size > 0 ? 1 / size : R(0);
    for (int i = g.rank % G::PART; scaled && i < rows; i += G::PART) x[i] = scale(x[i], factor);
    return size;
}

/* length := the singular values; columns of W, if they are wanted, and of V get length 1. What rounding has done to lengths in
 * W it has done in V, too. */
template <class G, class T> __device__ void measure(const G &g, const svd_room<T> &q, int rows, int n, bool vectors)
{
    for (int j = g.rank / G::PART; j < n; j += g.size / G::PART) {
        const real_t<T> size = take_length(g, q.W + j * q.ldw, rows, vectors);
        const real_t<T> one = q.V ? take_length(g, q.V + j * q.ldv, n, true) : 1;
        if (g.rank % G::PART == 0) q.length[j] = size / one;
    }
    g.sync();
}

/* beside: room for values alone, by way of a bidiagonal matrix; NULL: by Jacobi */
template <class G, class T>
__device__ void solve_svd(const G &g, const svd_batch<T> &p, int64_t k, const svd_room<T> &q,
                          const bidiagonal_room<T> *beside = nullptr)
{
    const bool wide = p.m < p.n, longer = wide ? p.has_VT : p.has_U;
    const int rows = wide ? p.n : p.m, n = wide ? p.m : p.n;
    int power;
    if (p.skip && p.skip[k]) return;
    bool good = load(g, p, p.A.at(k), q, &power);
    if (good && beside) find_values(g, q, *beside, rows, n);
    if (good && !beside) good = orthogonalize(g, q, rows, n);
    if (good) {
        if (!beside) measure(g, q, rows, n, longer);
        find_places(g, q.length, n, false, q.place);
        if (longer) complete(g, q, rows, n);
        g.sync();
    }
    real_t<T> *s = p.s.at(k);
    for (int j = g.rank; j < n; j += g.size) s[good ? q.place[j] : j] = good ? times_power(q.length[j], power) : real_t<T>(NAN);
    if (p.has_U) store(g, p.U.at(k), p.U.ld, false, wide ? q.V : q.W, wide ? q.ldv : q.ldw, p.m, n, q.place, good);
    if (p.has_VT) store(g, p.VT.at(k), p.VT.ld, true, wide ? q.W : q.V, wide ? q.ldw : q.ldv, p.n, n, q.place, good);
    if (!good && g.rank == 0 && p.info[k] == 0) p.info[k] = n;
}

} // namespace tsl::spectra
#endif
