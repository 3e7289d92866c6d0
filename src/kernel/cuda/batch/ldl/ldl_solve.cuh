/* B := inv(A) B of one problem, with A = L D L^T (L D L^H) as sytrf leaves it: some columns of B beside the triangle, in shared
 * memory. */
#ifndef TSL_CUDA_BATCH_LDL_SOLVE_CUH
#define TSL_CUDA_BATCH_LDL_SOLVE_CUH

#include "kernel/cuda/batch/ldl/ldl_problem.cuh"

namespace tsl::many {

constexpr int COLUMNS = 8; /* of B at a time */

/* Of step k: a block of order 1, the first column of one of order 2, or the second; and what row it is exchanged with */
enum { SINGLE, FIRST, SECOND };
struct pivot {
    int kind, row;
};

template <class T> struct ldl_room {
    triangle<T> A;
    T *X; /* COLUMNS columns, of n rows */
    pivot *piv;
    __device__ ldl_room(unsigned char *room, int n)
        : A{(T *)room, n}, X(A.p + triangle<T>::elements(n)), piv((pivot *)(X + COLUMNS * n)) {}
    static size_t bytes(int n)
    {
        return ((triangle<T>::elements(n) + COLUMNS * n) * sizeof(T) + n * sizeof(pivot) + 15) / 16 * 16;
    }
};

/* A pivot that is no row exchanges nothing, and is a fault. They are brought by all threads, and understood by one. */
template <class G> __device__ void read_pivots(const G &g, int n, bool lower, const int64_t *from, pivot *piv, int64_t *fault)
{
    for (int k = g.rank; k < n; k += g.size) {
        const int64_t p = from[lower ? k : n - 1 - k], size = p < 0 ? -p : p;
        piv[k] = {p < 0, size < 1 || size > n ? -1 : (int)(lower ? size - 1 : n - size)};
    }
    g.sync();
    bool bad = false;
    for (int k = 0; k < n && g.rank == 0; k++) {
        const bool pair = piv[k].kind && k + 1 < n && piv[k + 1].kind && piv[k + 1].row == piv[k].row;
        bad |= piv[k].row < 0 || (piv[k].kind && !pair);
        piv[k] = {pair ? FIRST : SINGLE, pair || piv[k].row < 0 || piv[k].kind ? k : piv[k].row};
        if (!pair) continue;
        k++;
        piv[k] = {SECOND, piv[k].row < 0 ? k : piv[k].row};
    }
    if (bad && fault) *fault = 1;
}

template <class G, class T> __device__ void exchange_rows(const G &g, T *X, int n, int i, int j, int columns)
{
    for (int c = g.rank; c < columns && i != j; c += g.size) {
        const T was = X[i + c * n];
        X[i + c * n] = X[j + c * n];
        X[j + c * n] = was;
    }
}

/* X := inv(L) P^T X */
template <class G, class T> __device__ void forward(const G &g, const ldl_room<T> &r, int columns)
{
    const int n = r.A.n, lane = g.rank % G::P, units = (g.size + G::P - 1) / G::P;
    for (int k = 0, step; k < n; k += step) {
        step = r.piv[k].kind == FIRST ? 2 : 1;
        const int last = k + step - 1;
        exchange_rows(g, r.X, n, last, r.piv[last].row, columns);
        g.sync();
        for (int c = g.rank / G::P; c < columns; c += units) {
            T *const x = r.X + c * n;
            const T a = x[k], b = x[last];
            for (int i = last + 1 + lane; i < n; i += G::P) {
                T s = sub_mul<false>(x[i], r.A(i, k), a);
                if (step == 2) s = sub_mul<false>(s, r.A(i, last), b);
                x[i] = s;
            }
        }
        g.sync();
    }
}

/* X := inv(D) X */
template <class G, class T> __device__ void middle(const G &g, const ldl_room<T> &r, int columns, bool herm)
{
    const int n = r.A.n;
    for (int e = g.rank; e < n * columns; e += g.size) {
        const int k = e % n;
        T *const x = r.X + e / n * n + k;
        if (r.piv[k].kind == SINGLE) {
            *x = herm ? scale(*x, 1 / re(r.A(k, k))) : divided(*x, r.A(k, k));
        } else if (r.piv[k].kind == FIRST) {
            const T d = r.A(k + 1, k), turned = seen(d, herm);
            const T d1 = divided(r.A(k, k), turned), d2 = divided(r.A(k + 1, k + 1), d);
            const T by = inverse(add(mul(d1, d2), make<T>(-1)));
            const T a = divided(x[0], turned), b = divided(x[1], d);
            x[0] = mul(by, sub_mul<false>(mul(d2, a), make<T>(1), b));
            x[1] = mul(by, sub_mul<false>(mul(d1, b), make<T>(1), a));
        }
    }
    g.sync();
}

/* X := P inv(L)^T X, or inv(L)^H */
template <class G, class T> __device__ void backward(const G &g, const ldl_room<T> &r, int columns, bool herm)
{
    const int n = r.A.n, lane = g.rank % G::P, units = (g.size + G::P - 1) / G::P;
    for (int k = n - 1, step; k >= 0; k -= step) {
        step = r.piv[k].kind == SECOND ? 2 : 1;
        for (int c = g.rank / G::P; c < columns; c += units) {
            T *const x = r.X + c * n, a = make<T>(0), b = make<T>(0);
            for (int i = k + 1 + lane; i < n; i += G::P) {
                a = add_mul(a, seen(r.A(i, k), herm), x[i]);
                if (step == 2) b = add_mul(b, seen(r.A(i, k - 1), herm), x[i]);
            }
            a = sum_of<G::P>(a), b = sum_of<G::P>(b);
            if (lane == 0) x[k] = sub_mul<false>(x[k], make<T>(1), a);
            if (lane == 0 && step == 2) x[k - 1] = sub_mul<false>(x[k - 1], make<T>(1), b);
        }
        g.sync();
        exchange_rows(g, r.X, n, k, r.piv[k].row, columns);
        g.sync();
    }
}

/* Columns from `from` on, every `step`-th COLUMNS of them */
template <class G, class T>
__device__ void solve(const G &g, const ldl_batch<T> &b, int64_t problem, unsigned char *room, int from, int step)
{
    const int n = b.n;
    const ldl_room<T> r(room, n);
    T *const B = b.B.at(problem);
    each_stored(g, b, b.A.at(problem), [&](int i, int j, const T *a) { r.A(i, j) = *a; });
    read_pivots(g, n, b.lower, b.piv.at(problem), r.piv, b.fault);
    for (int c0 = from; c0 < b.nrhs; c0 += step) {
        const int columns = b.nrhs - c0 < COLUMNS ? b.nrhs - c0 : COLUMNS;
        const auto each = [&](auto f) {
            for (int e = g.rank; e < n * columns; e += g.size)
                f(r.X[e], B[(b.lower ? e % n : n - 1 - e % n) + (c0 + e / n) * b.B.ld]);
        };
        each([](T &x, const T &a) { x = a; });
        g.sync();
        forward(g, r, columns);
        middle(g, r, columns, b.herm);
        backward(g, r, columns, b.herm);
        each([](const T &x, T &a) { a = x; });
        g.sync();
    }
}

} // namespace tsl::many
#endif
