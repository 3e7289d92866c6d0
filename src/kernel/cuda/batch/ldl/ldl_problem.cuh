/* A = L D L^T, or L D L^H, of one problem in shared memory, as LAPACK's: the lower triangle, column after column. An upper one
 * is the lower one of the matrix in reverse order. */
#ifndef TSL_CUDA_BATCH_LDL_PROBLEM_CUH
#define TSL_CUDA_BATCH_LDL_PROBLEM_CUH

#include "kernel/cuda/batch/batch.cuh"
#include "kernel/cuda/batch/group.cuh"

namespace tsl::many {

template <class T> struct ldl_batch {
    int n, nrhs;
    bool lower, herm; /* herm: of complex elements alone */
    Batch<T> A;
    Batch<int64_t> piv;
    Batch<T> B;
    int64_t count, base;
    int64_t *info;
    const int64_t *skip;
    int64_t *fault;
};

/* Element (i,j), i >= j, of n columns without gaps */
template <class T> struct triangle {
    T *p;
    int n;
    __device__ T &operator()(int i, int j) const { return p[j * n - j * (j + 1) / 2 + i]; }
    __host__ __device__ static size_t elements(int n) { return (size_t)n * (n + 1) / 2; }
};

template <class T> __device__ T seen(T a, bool herm) { return herm ? conj(a) : a; }
template <class T> __device__ T on_diagonal(T a, bool herm) { return herm ? make<T>(re(a)) : a; }

/* Where the elements are that a group moves between memory and the triangle */
template <class G, class T, class F> __device__ void each_stored(const G &g, const ldl_batch<T> &b, T *A, F f)
{
    for (int j = g.rank / G::P; j < b.n; j += (g.size + G::P - 1) / G::P)
        for (int i = j + g.rank % G::P; i < b.n; i += G::P)
            f(i, j, b.lower ? A + i + j * b.A.ld : A + (b.n - 1 - i) + (b.n - 1 - j) * b.A.ld);
}

/* What step k does: it exchanges row k + step - 1 with row kp, and makes a block of order `step`; 0: the column is zero, or no
 * number */
struct decision {
    int kp, step;
};

/* By the group's first P threads: the pivots of Bunch and Kaufman */
template <int P, class T> __device__ decision decide(const triangle<T> &A, int k, bool herm, bool last)
{
    using R = real_t<T>;
    const R alpha = R(0.6403882032022076); /* (1 + sqrt(17)) / 8 */
    const int n = A.n, lane = (int)threadIdx.x % P;
    const R akk = herm ? fabs(re(A(k, k))) : size_of_parts(A(k, k));
    place<R> most = {R(-1), last ? -1 : n};
    for (int i = k + 1 + lane; i < n; i += P) {
        const R size = size_of_parts(A(i, k));
        if (size > most.size || (size == most.size && last)) most = {size, i};
    }
    most = most_of<P>(most, last);
    const R colmax = most.size > 0 ? most.size : R(0);
    if ((akk == 0 && colmax == 0) || isnan(akk)) return {k, 0};
    if (akk >= alpha * colmax) return {k, 1};
    const int imax = most.at;
    R rowmax = 0;
    for (int j = k + lane; j < imax; j += P) rowmax = larger(rowmax, size_of_parts(A(imax, j)));
    for (int j = imax + 1 + lane; j < n; j += P) rowmax = larger(rowmax, size_of_parts(A(j, imax)));
    rowmax = largest_of<P>(rowmax);
    if (akk >= alpha * colmax * (colmax / rowmax)) return {k, 1};
    const R own = herm ? fabs(re(A(imax, imax))) : size_of_parts(A(imax, imax));
    return own >= alpha * rowmax ? decision{imax, 1} : decision{imax, 2};
}

/* Rows and columns kk and kp of what is left from column k on; kk < kp */
template <class G, class T> __device__ void exchange(const G &g, const triangle<T> &A, int k, int kk, int kp, bool herm)
{
    for (int i = kk + 1 + g.rank; i < A.n; i += g.size) {
        if (i == kp) {
            A(kp, kk) = seen(A(kp, kk), herm);
            continue;
        }
        T &a = A(i, kk), &b = i < kp ? A(kp, i) : A(i, kp);
        const T was = a;
        a = i < kp ? seen(b, herm) : b;
        b = i < kp ? seen(was, herm) : was;
    }
    if (g.rank) return;
    const T was = A(kk, kk);
    A(kk, kk) = on_diagonal(A(kp, kp), herm);
    A(kp, kp) = on_diagonal(was, herm);
    if (kk == k) return;
    const T below = A(kk, k);
    A(kk, k) = A(kp, k);
    A(kp, k) = below;
}

/* w, v := columns of L of a block of D at k */
template <class G, class T> __device__ void divide(const G &g, const triangle<T> &A, int k, int step, bool herm, T *w, T *v)
{
    if (step == 1) {
        const T by = herm ? make<T>(1 / re(A(k, k))) : inverse(A(k, k));
        for (int i = k + 1 + g.rank; i < A.n; i += g.size) w[i] = mul(by, A(i, k));
        return;
    }
    T d11, d22, d21, by, turned;
    if (herm) {
        const T b = A(k + 1, k);
        real_t<T> size;
        if constexpr (is_complex<T>) size = hypot(b.re, b.im);
        else size = fabs(b);
        const real_t<T> a1 = re(A(k + 1, k + 1)) / size, a2 = re(A(k, k)) / size;
        d11 = make<T>(a1), d22 = make<T>(a2), d21 = scale(b, 1 / size), turned = conj(d21);
        by = make<T>(1 / (a1 * a2 - 1) / size);
    } else {
        const T b = A(k + 1, k);
        d11 = divided(A(k + 1, k + 1), b), d22 = divided(A(k, k), b), d21 = turned = make<T>(1);
        by = divided(inverse(add(mul(d11, d22), make<T>(-1))), b);
    }
    for (int j = k + 2 + g.rank; j < A.n; j += g.size) {
        const T a = A(j, k), b = A(j, k + 1);
        w[j] = mul(by, sub_mul<false>(mul(d11, a), d21, b));
        v[j] = mul(by, sub_mul<false>(mul(d22, b), turned, a));
    }
}

/* What is right of the block less its part, then the columns of L in its place */
template <class G, class T>
__device__ void update(const G &g, const triangle<T> &A, int k, int step, bool herm, const T *w, const T *v)
{
    const int n = A.n, lane = g.rank % G::P, units = (g.size + G::P - 1) / G::P;
    for (int j = k + step + g.rank / G::P; j < n; j += units) {
        const T by = seen(w[j], herm), with = step == 2 ? seen(v[j], herm) : make<T>(0);
        for (int i = j + lane; i < n; i += G::P) {
            T a = sub_mul<false>(A(i, j), A(i, k), by);
            if (step == 2) a = sub_mul<false>(a, A(i, k + 1), with);
            A(i, j) = i == j ? on_diagonal(a, herm) : a;
        }
    }
    g.sync();
    for (int i = k + step + g.rank; i < n; i += g.size) {
        A(i, k) = w[i];
        if (step == 2) A(i, k + 1) = v[i];
    }
}

template <class G, class T> __device__ void factor(const G &g, const ldl_batch<T> &b, int64_t problem, unsigned char *room)
{
    const int n = b.n;
    const triangle<T> A = {(T *)room, n};
    T *const w = A.p + triangle<T>::elements(n), *const v = w + n, *const at = b.A.at(problem);
    decision *const told = (decision *)(v + n);
    int64_t *const piv = b.piv.at(problem);
    int zero = 0;
    each_stored(g, b, at, [&](int i, int j, const T *a) { A(i, j) = i == j ? on_diagonal(*a, b.herm) : *a; });
    g.sync();
    for (int k = 0, next; k < n; k = next) {
        if (g.rank < G::P) {
            const decision d = decide<G::P>(A, k, b.herm, !b.lower);
            if (g.rank == 0) *told = d;
        }
        g.sync();
        const int kp = told->kp, step = told->step == 2 ? 2 : 1, kk = k + step - 1;
        const bool none = told->step == 0;
        next = k + step;
        if (none && !zero) zero = k + 1;
        for (int i = k + g.rank; i < next; i += g.size) {
            const int64_t row = 1 + (b.lower ? kp : n - 1 - kp);
            piv[b.lower ? i : n - 1 - i] = step == 2 ? -row : row;
        }
        if (kp != kk) exchange(g, A, k, kk, kp, b.herm);
        g.sync();
        if (!none) divide(g, A, k, step, b.herm, w, v);
        g.sync();
        if (!none) update(g, A, k, step, b.herm, w, v);
        g.sync();
    }
    each_stored(g, b, at, [&](int i, int j, T *a) { *a = A(i, j); });
    if (g.rank == 0 && zero && b.info[problem] == 0) b.info[problem] = b.base + (b.lower ? zero : n + 1 - zero);
}

/* Shared memory of a problem */
template <class T> size_t factor_room(int n)
{
    return ((triangle<T>::elements(n) + 2 * n) * sizeof(T) + sizeof(decision) + 15) / 16 * 16;
}

} // namespace tsl::many
#endif
