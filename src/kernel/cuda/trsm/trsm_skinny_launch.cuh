/* Host side of the skinny triangular solve for one element type: canonical form, choice of columns, workspace, launches. Each
 * type is a translation unit of its own. */
#ifndef TSL_CUDA_TRSM_SKINNY_LAUNCH_CUH
#define TSL_CUDA_TRSM_SKINNY_LAUNCH_CUH

#include "core/values.h"
#include "kernel/cuda/trsm/trsm_skinny_line.cuh"
#include "kernel/cuda/trsm/trsm_skinny_prepare.cuh"
#include "kernel/cuda/trsm/trsm_skinny_solve.cuh"
#include "kernel/cuda/trsm/trsm_skinny_type.h"

namespace tsl {
namespace skinny {

constexpr int W = 4; /* blocks of order 64: at 128 the arithmetic between two blocks outweighs the hops saved, at 32 the reverse */

/* Bytes of X that one launch keeps in workspace; but it has so many lines, if there are. */
constexpr int64_t MOST_OF_X = 64 << 20, LINES_AT_LEAST = 4096;

/* A block further than this from the end of its sum sleeps between looks at the X it waits for. */
constexpr int PATIENCE = 2;

inline size_t align256(size_t n) { return (n + 255) / 256 * 256; }

/* Enough CTAs for the device when blocks are few. */
inline int slices_for(int64_t blocks)
{
    int slices = 1;
    while (slices < 8 && blocks * slices * 2 <= 160) slices *= 2;
    return slices;
}

/* Divides p into the workspace's parts, or with p = NULL only counts. */
template <class S> size_t carve(unsigned char *p, int64_t order, int64_t lines, workspace *w)
{
    const int64_t blocks = (order + S::NB - 1) / S::NB, groups = (lines + S::COLUMNS - 1) / S::COLUMNS;
    const size_t left = align256((size_t)blocks * S::left::TOTAL * sizeof(double2));
    const size_t x = align256((size_t)(blocks * groups) * S::EXCHANGE * sizeof(double2));
    w->words = blocks * groups * S::EXCHANGE;
    w->blocks = (int)blocks;
    w->groups = (int)groups;
    w->slices = slices_for(blocks);
    w->patience = PATIENCE;
    w->left = (double2 *)p;
    w->x = (double2 *)(p + left);
    w->careful = (int *)(p + left + x);
    const size_t careful = align256((size_t)(blocks * w->slices) * sizeof(int));
    w->ticket = (int *)(p + left + x + careful);
    return left + x + careful + 256;
}

inline int64_t order_of(const tsl_leaf *l) { return l->side == TSL_LEFT ? l->m : l->n; }
inline int64_t lines_of(const tsl_leaf *l) { return l->side == TSL_LEFT ? l->n : l->m; }
inline int64_t at_once(const tsl_leaf *l)
{
    const int64_t each = order_of(l) * (int64_t)tsl_type_size(l->type);
    return tsl_min(lines_of(l), tsl_max(LINES_AT_LEAST, MOST_OF_X / each));
}

/* lines: those of the first launch */
template <class T> problem<T> canonical(const tsl_leaf *l)
{
    const bool left = l->side == TSL_LEFT, along = left != ((l->A.op & TSL_TRANS) != 0); /* M(i,j) = A(i,j), else A(j,i) */
    problem<T> p = {};
    p.A = (const T *)l->A.p;
    p.B = (T *)l->B.p;
    p.si = along ? 1 : l->A.ld;
    p.sj = along ? l->A.ld : 1;
    p.sk = left ? 1 : l->B.ld;
    p.sl = left ? l->B.ld : 1;
    p.n = (int)order_of(l);
    p.lines = (int)at_once(l);
    p.unit = l->diag == TSL_UNIT;
    p.conjugate = is_complex<T> && (l->A.op & TSL_CONJ) != 0;
    p.scaled = l->alpha != 1.0;
    p.alpha = widen(from_scalar<T>(l->alpha));
    if ((l->uplo == TSL_LOWER) != along) { /* M is upper */
        p.A += (p.n - 1) * (p.si + p.sj);
        p.B += (p.n - 1) * p.sk;
        p.si = -p.si;
        p.sj = -p.sj;
        p.sk = -p.sk;
    }
    return p;
}

template <class T> using kernel = void (*)(problem<T>, workspace);
template <class T, int NT> kernel<T> solver(solve_shape<T, W, NT>, const problem<T> &) { return solve<T, W, NT>; }
template <class T> kernel<T> solver(line_shape<T, W>, const problem<T> &p)
{
    using S = line_shape<T, W>;
    return p.si == 1 || p.si == -1 ? solve_line<T, S, by_columns<T, S::NB>> : solve_line<T, S, by_rows<T, S::NB>>;
}

template <class T, class S> cudaError_t enqueue(const problem<T> &p, const workspace &w, cudaStream_t stream)
{
    const kernel<T> first = prepare<T, W, typename S::left>, second = solver(S(), p);
    /* As much of an SM's memory as its CTAs use, the rest stays cache: it catches the halves of sectors of odd columns. */
    const int percent = (int)((S::PER_SM * (S::BYTES + 1024) * 100 + SM_BYTES - 1) / SM_BYTES);
    bool early = false;
    cudaError_t e = cudaFuncSetAttribute(first, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)prepare_bytes<T, W>(1));
    if (e != cudaSuccess) return e;
    first<<<dim3(w.blocks, w.slices), PREPARE_THREADS, prepare_bytes<T, W>(w.slices), stream>>>(p, w);
    e = cudaGetLastError();
    /* what is left to do here costs nothing, since the device is busy */
    if (e == cudaSuccess) e = cudaFuncSetAttribute(second, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)S::BYTES);
    if (e == cudaSuccess) e = cudaFuncSetAttribute(second, cudaFuncAttributePreferredSharedMemoryCarveout, percent);
    if (e == cudaSuccess) e = has_sm90(&early);
    if (e == cudaSuccess) e = launch(second, {(int64_t)w.blocks * w.groups, S::THREADS, S::BYTES, 1, early, false}, stream, p, w);
    return e;
}

template <class T, class S> tsl_status launch_as(tsl_queue *q, const tsl_leaf *l)
{
    problem<T> p = canonical<T>(l);
    workspace w;
    tsl_status st = TSL_OK;
    for (int64_t left = lines_of(l); left > 0 && st == TSL_OK; left -= p.lines, p.B += p.lines * p.sl) {
        if (left < p.lines) p.lines = (int)left;
        carve<S>((unsigned char *)l->work, p.n, p.lines, &w);
        st = tsl_cuda_check((enqueue<T, S>(p, w, tsl_cuda(q)->stream)), "trsm");
    }
    return st;
}

/* The shapes: groups of 8, 16, 32 and 64 lines, as many as registers allow. Narrow groups shorten the chain of blocks, wide
 * ones read M less often. */
template <class T> constexpr int SHAPES = is_complex<T> ? 2 : 4;

/* What a leaf takes that is not told. Measured on an H200: the more work, the wider; floats come to four groups' width late,
 * and complex numbers do not gain. */
template <class T> int own_choice(int64_t work)
{
    if (is_complex<T> || work <= 1 << 18) return 1;
    if (sizeof(T) == 4) return work < 1 << 22 ? 2 : 4;
    return work <= 1 << 19 ? 2 : work <= 1 << 21 ? 3 : 4;
}

/* Never wider than the lines there are. */
template <class T> int shape_of(const tsl_leaf *l)
{
    const int64_t lines = at_once(l);
    int shape = l->shape ? l->shape : own_choice<T>(order_of(l) * lines);
    while (shape > 1 && (4 << (shape - 1)) >= lines) --shape;
    return shape;
}

template <class T, int S = SHAPES<T>, class F> auto with_group(int shape, F f)
{
    if constexpr (S > 1)
        if (shape < S) return with_group<T, S - 1>(shape, f);
    return f(solve_shape<T, W, 1 << (S - 1)>());
}

/* Calls f with a value of the solve's shape. */
template <class T, class F> auto with_shape(const tsl_leaf *l, F f)
{
    if constexpr (!is_complex<T>)
        if (lines_of(l) == 1) return f(line_shape<T, W>());
    return with_group<T>(shape_of<T>(l), f);
}

template <class T> size_t bytes(const tsl_leaf *l)
{
    workspace w;
    return with_shape<T>(l, [&](auto shape) { return carve<decltype(shape)>(nullptr, order_of(l), at_once(l), &w); });
}

template <class T> tsl_status launch_typed(tsl_queue *q, const tsl_leaf *l)
{
    return with_shape<T>(l, [=](auto shape) { return launch_as<T, decltype(shape)>(q, l); });
}

template <class T> const void *some_kernel() { return (const void *)solve<T, W, 1>; }

template <class T> constexpr tsl_trsm_skinny entry()
{
    constexpr size_t a = prepare_bytes<T, W>(1), b = solve_shape<T, W, 1 << (SHAPES<T> - 1)>::BYTES;
    return {launch_typed<T>, bytes<T>, a > b ? a : b, SHAPES<T>, some_kernel<T>};
}

} // namespace skinny
} // namespace tsl
#endif
