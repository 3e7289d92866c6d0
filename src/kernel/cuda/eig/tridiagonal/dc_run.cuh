/* The order of the launches of divide and conquer, and its workspace. X is the place to run: a stream, products by cuBLAS. */
#ifndef TSL_CUDA_DC_RUN_CUH
#define TSL_CUDA_DC_RUN_CUH

#include "core/values.h"
#include "kernel/cuda/carver.cuh"
#include "kernel/cuda/eig/tridiagonal/dc_deflate.cuh"
#include "kernel/cuda/eig/tridiagonal/dc_leaf.cuh"
#include "kernel/cuda/eig/tridiagonal/dc_secular.cuh"
#include "kernel/cuda/eig/tridiagonal/dc_vectors.cuh"

namespace tsl {
namespace dc {

/* Merges of up to SMALL rows have one launch for the products of all of them, and the host reads no counts. S has up to PANEL
 * columns. */
constexpr int64_t SMALL = 512, PANEL = 2048, MAX_FINISH = 1024;

inline int64_t parts_of(int64_t n, int64_t part) { return (n + part - 1) / part; }

template <class R> state<R> state_of(carver &c, const tree &t, R *d, R *e, bool rows)
{
    const int64_t n = t.n * t.matrices;
    state<R> p = {};
    p.t = t;
    p.d = d, p.e = e;
    p.sum = c.take<summary>(t.matrices);
    p.count = c.take<counts>((p.t.count(0) + 1) / 2);
    for (R **v : {&p.sorted, &p.z, &p.pole, &p.weight, &p.base, &p.mu, &p.value, &p.slot_pole, &p.slot_weight}) *v = c.take<R>(n);
    for (int **v : {&p.column, &p.list, &p.hit, &p.kind, &p.slot, &p.source, &p.target}) *v = c.take<int>(n);
    p.turn = c.take<rotation<R>>(n);
    if (rows)
        for (R **v : {&p.first, &p.last, &p.slot_first, &p.slot_last}) *v = c.take<R>(n);
    return p;
}

/* Q is where all of Z will be, else with B in workspace; a leaf that is all there is goes to B, as deflated columns do. */
template <class R, class T> panels<R> panels_of(carver &c, state<R> &p, const outlet<T> &out)
{
    const int64_t n = p.t.n, w = tsl_min(n, PANEL), columns = n * p.t.matrices;
    panels<R> b = {};
    b.w = w;
    b.B = c.take<R>(n * columns);
    if (p.t.levels == 0) {
        p.Q = b.B, p.ldq = n;
        return b;
    }
    b.S = c.take<R>(w * columns);
    b.C = c.take<R>(w * columns);
    if (out.count == columns) p.Q = (R *)out.Z, p.ldq = out.ldz * (int64_t)(sizeof(T) / sizeof(R));
    else p.Q = c.take<R>(n * columns), p.ldq = n;
    return b;
}

template <class P> struct as_is {
    using type = P;
};

/* Launches; the first error stays */
template <class X> struct runner {
    X &x;
    tsl_status st;

    template <class... P> void operator()(void (*kernel)(P...), int64_t ctas, int threads, typename as_is<P>::type... args)
    {
        if (st == TSL_OK && ctas > 0) st = x.check(launch(kernel, {ctas, threads, 0, 1, false, false}, x.stream, args...));
    }
};

template <class R, class X> void roots(runner<X> &run, const state<R> &p, int level, int64_t first, int64_t count)
{
    const int64_t merges = p.t.count(level), longest = p.t.longest(level), parts = parts_of(longest, LANES), places = parts_of(longest, 256);
    run(deflate<R>, merges, DEFLATE_THREADS, p, level);
    run.x.mark("deflate");
    run(secular<R>, merges * parts, SECULAR_THREADS, p, level, parts);
    run.x.mark("secular");
    run(place<R>, merges * places, 256, p, level, places, first, count);
    run.x.mark("place");
}

template <class R, class X> tsl_status values(X &x, const state<R> &p, int64_t *info)
{
    runner<X> run = {x, TSL_OK};
    const tree &t = p.t;
    run(scale_down<R>, 1, WIDE, p);
    run(leaves<R>, t.count(0), LANES, p);
    x.mark("leaves");
    for (int level = 1; level <= t.levels; level++) {
        roots<R>(run, p, level, 0, t.n);
        if (level == t.levels) break; /* nobody asks for rows of the whole */
        const int64_t parts = parts_of(t.longest(level), LANES);
        run(weights<R>, t.count(level) * parts, SECULAR_THREADS, p, level, parts);
        run(rows<R>, t.count(level) * parts, SECULAR_THREADS, p, level, parts);
        x.mark("vectors");
    }
    run(finish<R, R>, tsl_min(parts_of(t.n, 256), MAX_FINISH), 256, p, (R *)nullptr, 0, 0, info);
    return run.st;
}

/* Products of one merge with columns begin .. end of S */
template <class R, class X> void multiply(runner<X> &run, const panels<R> &b, const merge &m, const counts &c, int64_t n, int64_t begin, int64_t end)
{
    const int lower = c.k - c.ones, upper = c.ones + c.twos;
    R *const below = b.B + m.mid + (m.start + c.ones) * n;
    if (begin >= end || run.st != TSL_OK) return;
    run.st = run.x.gemm(m.top, end - begin, upper, b.B + m.start * (n + 1), n, b.S + m.start, n, b.C + m.start, n);
    if (run.st == TSL_OK) run.st = run.x.gemm(m.len - m.top, end - begin, lower, below, n, b.S + m.start + c.ones, n, b.C + m.mid, n);
}

/* Columns of Q after a merge, into `out` */
template <class R, class T, class X> void update(runner<X> &run, const state<R> &p, const panels<R> &b, const outlet<T> &out, int level, counts *host)
{
    const tree &t = p.t;
    const int64_t merges = t.count(level), longest = t.longest(level), n = t.n;
    const int64_t by_row = parts_of(longest, MOVERS), by_column = parts_of(longest, WARPS), by_pole = parts_of(longest, LANES);
    const int64_t wide = tsl_min(longest, b.w), by_vector = parts_of(wide, WARPS * AT_ONCE), by_root = parts_of(wide, WARPS);
    run(turns<R>, merges * by_row, MOVERS, p, level, by_row);
    run(gather<R>, merges * by_column, MOVERS, p, b, level, by_column);
    run.x.mark("gather");
    run(weights<R>, merges * by_pole, SECULAR_THREADS, p, level, by_pole);
    run.x.mark("vectors");
    run(scatter<R, T>, merges * by_column, MOVERS, p, b, out, level, by_column, 0, true);
    run.x.mark("scatter");
    int64_t from = 0, to = longest;
    if (longest > SMALL) {
        if (run.st == TSL_OK) run.st = run.x.read(host, p.count, (size_t)merges * sizeof(counts));
        if (run.st != TSL_OK) return;
        from = n, to = 0;
        for (int64_t i = 0; i < merges; i++) from = tsl_min(from, host[i].from), to = tsl_max(to, host[i].to);
        run.x.mark("wait");
    }
    for (int64_t begin = from; begin < to && run.st == TSL_OK; begin += b.w) {
        run(vectors<R>, merges * by_vector, MOVERS, p, b, level, by_vector, (int)begin);
        run.x.mark("vectors");
        if (longest > SMALL) {
            for (int64_t i = 0; i < merges; i++) multiply(run, b, t.of(level, i), host[i], n, begin, tsl_min(begin + b.w, host[i].to));
        } else {
            const int64_t high = parts_of(longest / 2 + 1, TILE), tiles = parts_of(longest, TILE);
            run(products<R>, merges * 2 * high * tiles, 256, p, b, level, high, tiles);
        }
        run.x.mark("gemm");
        run(scatter<R, T>, merges * by_root, MOVERS, p, b, out, level, by_root, (int)begin, false);
        run.x.mark("scatter");
    }
}

/* No level has more merges of more than SMALL rows; so many counts are read at once. */
constexpr int64_t counts_on_host(int64_t n) { return 2 * n / SMALL + 1; }

/* Eigenvalues of T as it was scaled, and vectors */
template <class R, class T, class X>
void merge_all(runner<X> &run, const state<R> &p, const panels<R> &b, const outlet<T> &out, counts *host)
{
    const tree &t = p.t;
    const int64_t columns = t.n * t.matrices;
    run(scale_down<R>, t.matrices, WIDE, p);
    if (t.levels > 0) run(clear<R>, tsl_min(columns, 4096), 256, p.Q, p.ldq, t.n, columns);
    run.x.mark("clear");
    run(leaves<R>, t.count(0), LANES, p);
    run.x.mark("leaves");
    for (int level = 1; level <= t.levels; level++) {
        roots<R>(run, p, level, out.first, out.count);
        if (level == t.levels) update<R, T>(run, p, b, out, level, host);
        else update<R, R>(run, p, b, outlet<R>{p.Q, p.ldq, 0, columns}, level, host);
    }
}

template <class R, class T, class X>
tsl_status pairs(X &x, const state<R> &p, const panels<R> &b, const outlet<T> &out, counts *host, int64_t *info)
{
    runner<X> run = {x, TSL_OK};
    const tree &t = p.t;
    merge_all(run, p, b, out, host);
    if (t.levels == 0) run(scatter<R, T>, parts_of(t.n, WARPS), MOVERS, p, b, out, 0, parts_of(t.n, WARPS), 0, true);
    run(finish<R, T>, tsl_min(parts_of(t.n * tsl_max(out.count, 1), 256), MAX_FINISH), 256, p, out.Z, out.ldz, out.count, info);
    x.mark("finish");
    return run.st;
}

/* Of several matrices, of more than LEAF and at most SMALL rows each. Where T has NaN or Inf, or an iteration has not
 * converged, its values are NaN, and its vectors are not set. The host reads nothing. */
template <class R, class X> tsl_status pairs_of_batch(X &x, const state<R> &p, const panels<R> &b, const outlet<R> &out)
{
    runner<X> run = {x, TSL_OK};
    merge_all(run, p, b, out, (counts *)nullptr);
    run(finish_batch<R>, p.t.matrices, 256, p);
    x.mark("finish");
    return run.st;
}

} // namespace dc
} // namespace tsl
#endif
