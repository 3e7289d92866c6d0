/* How a product of a general matrix and a vector is laid out over the machine. The numbers are those of an H200, whatever the
 * device: the order of the sums then depends on the problem, and on whether the device has clusters. */
#ifndef TSL_CUDA_GEMV_PLAN_H
#define TSL_CUDA_GEMV_PLAN_H

#include <algorithm>
#include <cstdint>

namespace tsl {

constexpr int GEMV_THREADS = 256;
constexpr int64_t GEMV_X_BYTES = 32768;    /* most of x in a CTA's shared memory */
constexpr int64_t GEMV_SUMS_BYTES = 16384; /* most of its sums; together below the 48 KB that a CTA has without asking */

/* op N. X(TX, TY, R, U): TX threads along the rows, each with R pieces of 16 bytes of a column; TY groups of columns; every
 * thread keeps U columns in flight. TX TY = GEMV_THREADS. */
#define GEMV_N_SHAPES(X)                                                                                                       \
    X(4, 64, 1, 8) X(8, 32, 1, 8) X(16, 16, 1, 8) X(32, 8, 1, 8) X(64, 4, 1, 8) X(128, 2, 2, 4) X(256, 1, 4, 2)
enum { N_4, N_8, N_16, N_32, N_64, N_WIDE, N_FEW };

/* op T, H. X(G, WK, NC, UR): G lanes of WK warps along a column, every thread with UR pieces of 16 bytes of each of NC columns
 * in flight; a warp takes NC 32/G columns at a time. WK > 1 only with G = 32. */
#define GEMV_T_SHAPES(X) X(2, 1, 8, 1) X(8, 1, 8, 1) X(8, 1, 4, 2) X(32, 1, 4, 2) X(32, 8, 4, 2) X(32, 8, 1, 8) X(32, 4, 4, 2)
enum { T_2, T_8, T_16, T_WARP, T_CTA, T_ONE, T_HALF };

struct gemv_n_shape {
    int tx, ty, r, u;
};
struct gemv_t_shape {
    int g, wk, nc, ur;
};
#define GEMV_ROW(a, b, c, d) {a, b, c, d},
constexpr gemv_n_shape gemv_n_shapes[] = {GEMV_N_SHAPES(GEMV_ROW)};
constexpr gemv_t_shape gemv_t_shapes[] = {GEMV_T_SHAPES(GEMV_ROW)};
#undef GEMV_ROW

/* A is m x n as stored, of elements of `bytes` bytes; turned: op T or H. */
struct gemv_problem {
    bool turned;
    int64_t bytes, m, n;
    constexpr int64_t length() const { return turned ? n : m; } /* of y */
    constexpr int64_t inner() const { return turned ? m : n; }  /* of x: the summed index */
};

/* cluster: CTAs of a cluster (a power of two, at most 8), each with a chunk of the summed index; they add up through shared
 * memory. splits: clusters over the summed index; more than one leave partial sums in the workspace for a second kernel.
 * outputs: rows of N or columns of T that one CTA has. */
struct gemv_plan {
    int shape, cluster, splits;
    int64_t outputs, tiles, chunk;
    size_t x_bytes, sums_bytes; /* of shared memory */
};

/* The first row that holds. pieces: 16-byte pieces of a column, at most; columns: of the matrix, at most. */
struct gemv_rule {
    int64_t pieces, columns;
    int shape;
};
constexpr int64_t ANY = INT64_MAX;
constexpr gemv_rule gemv_n_rules[] = {
    {4, ANY, N_4},       {8, ANY, N_8},      {16, ANY, N_16},    {512, ANY, N_32},    {2048, 4096, N_16},
    {4096, ANY, N_32},   {ANY, 16, N_FEW},   {ANY, 4095, N_64},  {ANY, ANY, N_WIDE},
};
constexpr gemv_rule gemv_t_rules[] = {
    {4, ANY, T_2}, {8, ANY, T_8}, {32, ANY, T_16}, {ANY, 1, T_ONE}, {ANY, 4095, T_CTA}, {256, ANY, T_WARP}, {ANY, ANY, T_CTA},
};

constexpr int64_t ONE_WAVE = 320;              /* CTAs that run at once, with some left for want of room for their clusters */
constexpr int64_t WAVES = 1024;                /* CTAs whose last wave no longer matters; between the two it does */
constexpr int64_t SMALL = int64_t(16) << 20;   /* bytes of a matrix up to which a second kernel costs more than it gains */
constexpr int64_t SHORT_TILE = int64_t(160) << 10; /* bytes of a CTA's columns where these are short */

constexpr int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }
constexpr int64_t power_from(int64_t a) /* the least power of two that is not less */
{
    int64_t p = 1;
    while (p < a) p *= 2;
    return p;
}

template <size_t COUNT> constexpr int shape_of(const gemv_rule (&rules)[COUNT], int64_t pieces, int64_t columns)
{
    size_t i = 0;
    while (pieces > rules[i].pieces || columns > rules[i].columns) i++;
    return rules[i].shape;
}

/* Columns that the warps of a CTA take at a time. */
constexpr int64_t columns_step(const gemv_t_shape &s) { return GEMV_THREADS / s.g / s.wk * s.nc; }

/* Columns of a CTA for op T, a multiple of the step. needed: chunks that x must be cut into. */
constexpr int64_t columns_of(const gemv_problem &p, int shape, int64_t needed)
{
    const int64_t step = columns_step(gemv_t_shapes[shape]), all = ceil_div(p.n, step) * step;
    int64_t columns = 0;
    if (shape < T_CTA) /* many short columns: large blocks, but enough of them */
        columns = std::min({p.n / 488, SHORT_TILE / (p.m * p.bytes), GEMV_SUMS_BYTES / p.bytes}) / step * step;
    else if (needed > 8)
        columns = 64;
    else { /* a single wave if blocks stay small */
        columns = needed > 2 ? 16 : ceil_div(p.n * needed, 256 * step) * step;
        if (columns > 32) columns = 16;
    }
    return std::min(std::max(columns, step), all);
}

/* How many chunks the summed index is cut into: where a single wave can do, the most of these that still is one. span: what a
 * CTA takes at a time. */
constexpr int64_t parts_of(const gemv_problem &p, const gemv_plan &c, int64_t needed, int64_t span)
{
    int64_t wave = power_from(ceil_div(p.inner(), span));
    while (wave > 1 && wave * c.tiles > ONE_WAVE) wave /= 2;
    if (!p.turned && c.shape == N_WIDE) return std::max(needed, p.inner() / (p.bytes == 8 ? 128 : 256));
    if (wave >= needed) return wave;
    if (p.turned && needed <= 8) return needed > 2 ? 8 : needed;
    return std::max(needed, WAVES / c.tiles);
}

/* As many for either, so that a number is one of both. */
constexpr int GEMV_SHAPES = (int)(sizeof gemv_n_shapes / sizeof *gemv_n_shapes);
static_assert(sizeof gemv_n_shapes == sizeof gemv_t_shapes, "");

/* shape: the number of one, from 1 on; 0: the one of the rules */
constexpr gemv_plan gemv_plan_of(const gemv_problem &p, bool clusters, int shape)
{
    gemv_plan c = {};
    const int64_t pieces = ceil_div(p.m * p.bytes, 16), needed = ceil_div(p.inner() * p.bytes, GEMV_X_BYTES);
    int64_t span = 0, lines = 0, unit = 0; /* unit: of a chunk; rows are cut at lines of 128 bytes */
    if (p.turned) {
        c.shape = shape ? shape - 1 : shape_of(gemv_t_rules, pieces, p.n);
        const gemv_t_shape &s = gemv_t_shapes[c.shape];
        span = int64_t(s.g) * s.wk * s.ur * (16 / p.bytes), lines = s.wk, unit = 128 / p.bytes;
        c.outputs = columns_of(p, c.shape, needed);
    } else {
        c.shape = shape ? shape - 1 : shape_of(gemv_n_rules, pieces, p.n);
        const gemv_n_shape &s = gemv_n_shapes[c.shape];
        span = int64_t(s.ty) * s.u, lines = s.ty, unit = 1;
        c.outputs = int64_t(s.tx) * s.r * (16 / p.bytes);
    }
    c.tiles = ceil_div(p.length(), c.outputs);

    const int64_t parts = parts_of(p, c, needed, span), most = p.turned && needed > 2 && needed <= 8 ? 4 : 8;
    c.cluster = (int)std::min(power_from(parts), most);
    c.splits = (int)ceil_div(p.m * p.n * p.bytes <= SMALL ? needed : parts, c.cluster);
    if (!clusters) {
        c.splits *= c.cluster;
        c.cluster = 1;
    }
    c.chunk = ceil_div(ceil_div(p.inner(), int64_t(c.cluster) * c.splits), unit) * unit;
    /* x is padded with zeros to whole spans; a ragged end of a column, of elements smaller than a load, has a place of its own
     * behind them */
    c.x_bytes = (size_t)(ceil_div(c.chunk, span) * span * p.bytes + (p.turned && p.bytes < 16 ? 16 : 0));
    c.sums_bytes = (size_t)(lines * c.outputs * p.bytes);
    return c;
}

/* Any shape of any of these problems: does a CTA do with the shared memory it has without asking? */
constexpr bool gemv_plans_fit()
{
    const int64_t sizes[] = {1, 5, 100, 3000, 1 << 20};
    for (int turned = 0; turned < 2; turned++)
        for (int64_t bytes = 4; bytes <= 16; bytes *= 2)
            for (int64_t m : sizes)
                for (int64_t n : sizes)
                    for (int shape = 0; shape <= GEMV_SHAPES; shape++) {
                        const gemv_plan c = gemv_plan_of({turned != 0, bytes, m, n}, true, shape);
                        if (c.x_bytes + c.sums_bytes > (48 << 10)) return false;
                    }
    return true;
}
static_assert(gemv_plans_fit(), "");

} // namespace tsl
#endif
