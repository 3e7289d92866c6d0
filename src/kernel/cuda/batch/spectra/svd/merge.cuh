/* Two parts of a bidiagonal matrix and the row between them become one (Gu and Eisenstat). In the bases of the parts'
 * vectors the matrix has z in one row, that of the middle, and the values d on the diagonal. Values that z does not reach,
 * or that are close to others, are those of the whole; the others are roots of the secular equation. */
#ifndef TSL_CUDA_BATCH_SPECTRA_SVD_MERGE_CUH
#define TSL_CUDA_BATCH_SPECTRA_SVD_MERGE_CUH

#include "kernel/cuda/batch/spectra/svd/secular.cuh"

namespace tsl::spectra::svd {

/* What products read: column i < kept of the whole is the vectors' columns column[0 .. kept-1] times column i of X, columns
 * after those are columns dropped[0 ..]. part[s]: those of 1 .. kept-1 that reach rows above the middle (s = 0), below it (s
 * = 1) */
struct merge_lists {
    int *column, *dropped, *part[2]; /* as many as rows each */
    int *counts;                     /* kept, and how many part[0] and part[1] have */
    __device__ merge_lists(int *whole, int n, int start, int which)
    {
        column = whole + start, dropped = column + n, part[0] = dropped + n, part[1] = part[0] + n;
        counts = whole + 4 * n + 3 * which;
    }
};

/* Vectors: Q rows x rows, W a row and a column more; column `above` is that of the middle. X of Q, and of W */
template <class R> struct merge_matrix {
    int rows, above;
    R alpha, beta; /* the row in the middle: in columns above, above + 1 */
    R *value, *Q, *W, *XQ, *XW;
    int ldq, ldw;
};

/* In shared memory, each as long as rows */
struct merge_room {
    double *d, *z, *pole, *weight, *mu, *cosine, *sine;
    int *order, *base, *kind, *one, *other, *word; /* word: 4 */
    static __host__ __device__ size_t bytes(int rows)
    {
        return ((size_t)rows * (7 * sizeof(double) + 5 * sizeof(int)) + 4 * sizeof(int) + 15) / 16 * 16;
    }
    __device__ merge_room(void *room, int rows)
    {
        d = (double *)room, z = d + rows, pole = z + rows, weight = pole + rows, mu = weight + rows, cosine = mu + rows;
        sine = cosine + rows, order = (int *)(sine + rows), base = order + rows, kind = base + rows, one = kind + rows;
        other = one + rows, word = other + rows;
    }
};

/* d and z, sorted, in pole and weight; order: their columns. Returns what is negligible. The null vectors of the two parts
 * become one that z reaches, in column `above`, and one that it does not. */
template <class G, class R> __device__ double gather(const G &g, const merge_matrix<R> &p, const merge_room &q)
{
    const int mid = p.above, n = p.rows;
    double most = fmax(fabs(p.alpha), fabs(p.beta));
    for (int j = g.rank; j < n; j += g.size) {
        q.d[j] = j == mid ? -1.0 : p.value[j]; /* that of the middle, 0, comes first */
        q.z[j] = j <= mid ? (double)p.alpha * p.W[mid + (size_t)j * p.ldw] : (double)p.beta * p.W[mid + 1 + (size_t)j * p.ldw];
        q.kind[j] = j < mid ? 1 : j > mid ? 2 : 3;
        most = fmax(most, q.d[j]);
    }
    const double tolerance = fmax(4 * EPSILON<R> * g.most(most), (double)NEGLIGIBLE<R>);
    g.sync();
    const double left = q.z[mid], right = (double)p.beta * p.W[mid + 1 + (size_t)n * p.ldw], size = hypot(left, right);
    const bool tiny = size <= tolerance;
    const R c = tiny ? R(1) : (R)(left / size), s = tiny ? R(0) : (R)(right / size);
    g.sync();
    find_places(g, q.d, n, true, q.base);
    if (g.rank == 0) q.z[mid] = tiny ? tolerance : size;
    g.sync();
    for (int j = g.rank; j < n; j += g.size) {
        const int at = q.base[j];
        q.pole[at] = j == mid ? 0.0 : q.d[j], q.weight[at] = q.z[j], q.order[at] = j;
    }
    for (int i = g.rank; i <= n; i += g.size) {
        R *x = p.W + i + (size_t)mid * p.ldw, *y = p.W + i + (size_t)n * p.ldw;
        const R a = *x, b = *y;
        *x = fma(c, a, s * b), *y = fma(c, b, -s * a);
    }
    g.sync();
    return tolerance;
}

/* Which values stay, in place: one thread. Of two close ones a rotation takes z from the first. */
template <class R>
__device__ void deflate(const merge_matrix<R> &p, const merge_room &q, const merge_lists &l, double tolerance)
{
    int kept = 1, dropped = 0, turns = 0, before = -1, parts[2] = {0, 0};
    double p_before = 0, z_before = 0;
    l.column[0] = p.above;
    const auto keep = [&] {
        const int column = q.order[before], kind = q.kind[column];
        for (int s = 0; s < 2; s++)
            if (kind >> s & 1) l.part[s][parts[s]++] = kept;
        q.pole[kept] = p_before, q.weight[kept] = z_before, l.column[kept++] = column;
    };
    const auto drop = [&](int j, double value) { q.d[dropped] = value, l.dropped[dropped++] = q.order[j]; };
    for (int j = 1; j < p.rows; j++) {
        const double value = q.pole[j];
        double z = q.weight[j];
        if (fabs(z) <= tolerance) {
            drop(j, value);
            continue;
        }
        if (before >= 0 && value - p_before <= tolerance) {
            const double size = hypot(z, z_before);
            const int one = q.order[before], other = q.order[j];
            q.cosine[turns] = z / size, q.sine[turns] = -z_before / size, q.one[turns] = one, q.other[turns++] = other;
            q.kind[one] = q.kind[other] = q.kind[one] | q.kind[other];
            z = size;
            drop(before, p_before);
        } else if (before >= 0) {
            keep();
        }
        before = j, p_before = value, z_before = z;
    }
    if (before >= 0) keep();
    if (kept > 1) q.pole[1] = fmax(q.pole[1], tolerance / 2);
    q.word[0] = l.counts[0] = kept, l.counts[1] = parts[0], l.counts[2] = parts[1];
    q.word[1] = turns;
}

/* The rotations, on columns of Q and W; a thread has a row. */
template <class G, class R> __device__ void rotate(const G &g, const merge_matrix<R> &p, const merge_room &q, int turns)
{
    for (int row = g.rank; turns > 0 && row < 2 * p.rows + 1; row += g.size) {
        R *const at = row < p.rows ? p.Q + row : p.W + (row - p.rows);
        const size_t ld = row < p.rows ? p.ldq : p.ldw;
        for (int t = 0; t < turns; t++) {
            R *x = at + q.one[t] * ld, *y = at + q.other[t] * ld;
            const R a = *x, b = *y, c = (R)q.cosine[t], s = (R)q.sine[t];
            *x = fma(c, a, s * b), *y = fma(c, b, -s * a);
        }
    }
}

/* Columns of X: w(j) / (p(j)^2 - s^2) for W, that times p(j) for Q, where the middle has -1; of length 1. A part has a
 * column. */
template <class G, class R>
__device__ void write_vectors(const G &g, const merge_matrix<R> &p, const secular &e, const double *weight, const int *base,
                              const double *mu)
{
    const int lane = g.rank % G::PART;
    for (int i = g.rank / G::PART; i < e.k; i += g.size / G::PART) {
        R *const Q = p.XQ + (size_t)i * p.ldq, *const W = p.XW + (size_t)i * p.ldq;
        double qq = 0, ww = 0;
        for (int j = lane; j < e.k; j += G::PART) {
            const double w = weight[j] / e.apart(j, base[i], mu[i]), q = j == 0 ? -1.0 : e.pole[j] * w;
            qq = fma(q, q, qq), ww = fma(w, w, ww);
        }
        qq = 1 / sqrt(g.part_sum(qq)), ww = 1 / sqrt(g.part_sum(ww));
        for (int j = lane; j < e.k; j += G::PART) {
            const double w = weight[j] / e.apart(j, base[i], mu[i]), q = j == 0 ? -1.0 : e.pole[j] * w;
            Q[j] = (R)(q * qq), W[j] = (R)(w * ww);
        }
    }
}

/* value := the values of the whole; X of Q and W, and the lists; columns of Q and W are rotated. Groups: for roots, for
 * columns */
template <class G, class H, class R>
__device__ void merge(const G &g, const H &h, const merge_matrix<R> &p, const merge_room &q, const merge_lists &l)
{
    const double tolerance = gather(g, p, q);
    if (g.rank == 0) deflate(p, q, l, tolerance);
    g.sync();
    const int kept = q.word[0];
    rotate(g, p, q, q.word[1]);
    double squares = 0;
    for (int j = g.rank; j < kept; j += g.size) squares = fma(q.weight[j], q.weight[j], squares);
    squares = g.sum(squares);
    const secular e = {q.pole, q.weight, kept, EPSILON<R> / 2};
    for (int i = g.rank / G::PART; i < kept; i += g.size / G::PART) {
        int base;
        const double mu = find_root(g, e, i, squares, &base);
        if (g.rank % G::PART == 0) q.mu[i] = mu, q.base[i] = base;
    }
    g.sync();
    for (int j = g.rank / G::PART; j < kept; j += g.size / G::PART) {
        const double weight = exact_weight(g, e, j, q.base, q.mu);
        if (g.rank % G::PART == 0) q.z[j] = weight;
    }
    for (int j = g.rank; j < p.rows; j += g.size) p.value[j] = (R)(j < kept ? q.pole[q.base[j]] + q.mu[j] : q.d[j - kept]);
    g.sync();
    write_vectors(h, p, e, q.z, q.base, q.mu);
}

} // namespace tsl::spectra::svd
#endif
