/* Eigenvalues of a real tridiagonal matrix: by implicit QL, whose rotations give the vectors; and by bisection. Its elements
 * are about 1, or less. */
#ifndef TSL_CUDA_BATCH_SPECTRA_QL_CUH
#define TSL_CUDA_BATCH_SPECTRA_QL_CUH

#include "kernel/cuda/batch/spectra/tridiagonal.cuh"

namespace tsl::spectra {

/* The iteration, which one thread does. Rows l .. m are a block that does not fall apart; those above l are done. */
template <class R> struct ql {
    R *d, *e; /* n, and n - 1 with a zero behind them */
    int n, l, m, left;

    /* Does a block end at the element a beside b and c? */
    static __device__ bool is_small(R a, R b, R c)
    {
        return fabs(a) <= fmax(NEGLIGIBLE<R>, EPSILON<R> / 2 * (fabs(b) + fabs(c)));
    }

    __device__ void find_block()
    {
        for (m = l; m < n - 1 && !is_small(e[m], d[m], d[m + 1]); m++)
            ;
    }

    __device__ void begin(R *diagonal, R *beside, int order)
    {
        d = diagonal, e = beside, n = order, l = 0, left = 30 * order;
        find_block();
    }

    /* The next block of two rows or more; false: there is none */
    __device__ bool has_block()
    {
        while (m == l && l < n - 1) {
            l++;
            find_block();
        }
        return m > l;
    }

    /* A step on the block: rotation i, of rows i and i + 1, is (c[i], s[i]), from *to - 1 down to *from. c == NULL: they are
     * not wanted. */
    __device__ void sweep(R *c, R *s, int *from, int *to)
    {
        const R slope = (d[l + 1] - d[l]) / (2 * e[l]), size = sqrt(fma(slope, slope, R(1)));
        R g = d[m] - d[l] + e[l] / (slope + copysign(size, slope)), sine = 1, cosine = 1, p = 0;
        R next = 0, above = d[m]; /* the new d[i + 2], the old d[i + 1] */
        int end = m, i = m - 1;
        *to = m;
        for (; i >= l; i--) {
            const R ei = e[i], di = d[i], f = sine * ei, b = cosine * ei, rr = fma(f, f, g * g);
            if (rr < NO_SQUARE<R>) break;
            const R y = inv_sqrt(rr), r = rr * y;
            sine = f * y, cosine = g * y;
            if (c) c[i] = cosine, s[i] = sine;
            g = above - p;
            const R t = fma(di - g, sine, 2 * cosine * b), now = fma(sine, t, g);
            p = sine * t;
            g = fma(cosine, t, -b);
            d[i + 1] = now, e[i + 1] = r;
            if (i + 1 < m && is_small(r, now, next)) end = i + 1;
            next = now, above = di;
        }
        *from = i + 1;
        d[i + 1] -= p, e[i + 1] = i < l ? g : 0;
        if (i >= l || is_small(g, d[l], next)) end = i + 1; /* i >= l: it falls apart there */
        e[m] = 0;
        m = end;
        left--;
    }
};

/* V := V times the rotations, a row for each of the appliers */
template <class G, class T>
__device__ void apply(const G &g, const eig_room<T> &q, int n, const real_t<T> *c, const real_t<T> *s, int from, int to)
{
    for (int row = g.applier(); row < n; row += g.appliers()) {
        T *V = q.A + row;
        T f = V[to * q.ld];
        for (int i = to - 1; i >= from; i--) {
            const T z = V[i * q.ld];
            V[(i + 1) * q.ld] = add(scale(z, s[i]), scale(f, c[i]));
            f = add(scale(z, c[i]), scale(f, -s[i]));
        }
        V[from * q.ld] = f;
    }
}

/* d := the eigenvalues, and A := A times the vectors if they are wanted. Returns 0, or the number of an eigenvalue that was not
 * found. Groups that are ahead compute the next step's rotations while they apply those of the last. */
template <class G, class T> __device__ int iterate(const G &g, const eig_room<T> &q, int n, bool vectors)
{
    enum { FROM, TO, NEXT_FROM, NEXT_TO, GOES, FAILED };
    int *word = q.word;
    ql<real_t<T>> it;
    if (g.rank == 0) {
        it.begin(q.d, q.e, n);
        word[FROM] = word[TO] = word[NEXT_FROM] = word[NEXT_TO] = 0;
        word[FAILED] = 0;
    }
    g.sync();
    for (int turn = 0;; turn ^= 1) {
        int *now = word + 2 * turn, *before = word + 2 * (turn ^ 1);
        if (G::AHEAD && vectors && g.applier() >= 0 && before[1] > before[0])
            apply(g, q, n, q.c + (turn ^ 1) * n, q.s + (turn ^ 1) * n, before[0], before[1]);
        if (g.rank == 0) {
            const bool goes = it.has_block() && it.left > 0;
            if (goes) it.sweep(vectors ? q.c + turn * n : nullptr, q.s + turn * n, &now[0], &now[1]);
            else now[0] = now[1] = 0;
            word[GOES] = goes, word[FAILED] = !goes && it.m > it.l ? it.l + 1 : 0;
        }
        g.sync();
        const bool goes = word[GOES], any = now[1] > now[0];
        if (!G::AHEAD && vectors && any) apply(g, q, n, q.c + turn * n, q.s + turn * n, now[0], now[1]);
        g.sync();
        if (!goes) return word[FAILED];
    }
}

/* How many eigenvalues are less than x? */
template <class R> __device__ int count_below(const R *d, const R *ee, int n, R x, R least)
{
    R t = d[0] - x;
    int below = 0;
    for (int i = 0;; i++) {
        if (fabs(t) < least) t = -least;
        below += t < 0;
        if (i == n - 1) return below;
        t = d[i + 1] - x - ee[i] / t;
    }
}

/* w := the eigenvalues from number `first` on, by halves of an interval that has them all; ee: room for n */
template <class G, class R> __device__ void bisect(const G &g, const R *d, const R *e, int n, int first, R *ee, R *w)
{
    R most = 0;
    for (int i = g.rank; i < n; i += g.size) {
        most = fmax(most, fabs(d[i]) + fabs(e[i]) + (i > 0 ? fabs(e[i - 1]) : R(0)));
        ee[i] = e[i] * e[i];
    }
    const R bound = g.most(most) * (1 + 8 * EPSILON<R>), least = fmax(NO_SQUARE<R>, bound * bound * SMALLEST_NORMAL<R>);
    g.sync();
    for (int j = first + g.rank; j < n; j += g.size) {
        R low = -bound, high = bound; /* 0 of a matrix of zeros */
        for (int steps = 0; steps < std::numeric_limits<R>::digits + 8; steps++) {
            const R middle = (low + high) / 2;
            if (high - low <= EPSILON<R> * fmax(fmax(fabs(low), fabs(high)), bound / 8)) break;
            if (count_below(d, ee, n, middle, least) > j) high = middle;
            else low = middle;
        }
        w[j - first] = (low + high) / 2;
    }
    g.sync();
}

} // namespace tsl::spectra
#endif
