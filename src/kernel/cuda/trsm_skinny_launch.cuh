/* Host side of the skinny triangular solve for one element type: canonical form, choice of columns, workspace, launches. Each
 * type is a translation unit of its own. */
#ifndef TSL_CUDA_TRSM_SKINNY_LAUNCH_CUH
#define TSL_CUDA_TRSM_SKINNY_LAUNCH_CUH

#include "kernel/cuda/trsm_skinny_prepare.cuh"
#include "kernel/cuda/trsm_skinny_solve.cuh"
#include "kernel/cuda/trsm_skinny_type.h"

namespace tsl {
namespace skinny {

constexpr int W = 4; /* blocks of order 64: at 128 the arithmetic between two blocks outweighs the hops saved, at 32 the reverse */

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
template <class T, int NT> size_t carve(unsigned char *p, int64_t order, int64_t lines, workspace *w)
{
    using S = solve_shape<T, W, NT>;
    const int64_t blocks = (order + S::NB - 1) / S::NB, groups = (lines + S::COLUMNS - 1) / S::COLUMNS;
    const size_t left = align256((size_t)blocks * S::left::TOTAL * sizeof(double2));
    const size_t x = align256((size_t)(blocks * groups) * S::right::TOTAL * sizeof(double2));
    w->words = blocks * groups * S::right::TOTAL;
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

template <class T> problem<T> canonical(const tsl_leaf *l)
{
    const bool left = l->side == TSL_LEFT, along = left != ((l->opA & TSL_TRANS) != 0); /* M(i,j) = A(i,j), else A(j,i) */
    problem<T> p = {};
    p.A = (const T *)l->A;
    p.B = (T *)l->B;
    p.si = along ? 1 : l->lda;
    p.sj = along ? l->lda : 1;
    p.sk = left ? 1 : l->ldb;
    p.sl = left ? l->ldb : 1;
    p.n = (int)order_of(l);
    p.lines = (int)lines_of(l);
    p.unit = l->diag == TSL_UNIT;
    p.conjugate = is_complex<T> && (l->opA & TSL_CONJ) != 0;
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

template <class T, int NT> cudaError_t enqueue(const problem<T> &p, const workspace &w, cudaStream_t stream)
{
    using S = solve_shape<T, W, NT>;
    const void *first = (const void *)prepare<T, W>, *second = (const void *)solve<T, W, NT>;
    /* As much of an SM's memory as its CTAs use, the rest stays cache: it catches the halves of sectors of odd columns. */
    const int percent = (int)((S::PER_SM * (S::BYTES + 1024) * 100 + SM_BYTES - 1) / SM_BYTES);
    cudaError_t e = cudaFuncSetAttribute(first, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)prepare_bytes<T, W>(1));
    if (e == cudaSuccess) e = cudaFuncSetAttribute(second, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)S::BYTES);
    if (e == cudaSuccess) e = cudaFuncSetAttribute(second, cudaFuncAttributePreferredSharedMemoryCarveout, percent);
    if (e != cudaSuccess) return e;
    prepare<T, W><<<dim3(w.blocks, w.slices), PREPARE_THREADS, prepare_bytes<T, W>(w.slices), stream>>>(p, w);
    e = cudaGetLastError();
    if (e != cudaSuccess) return e;
    solve<T, W, NT><<<(unsigned)(w.blocks * w.groups), S::THREADS, S::BYTES, stream>>>(p, w);
    return cudaGetLastError();
}

template <class T, int NT> tsl_status launch_as(tsl_queue *q, const tsl_leaf *l)
{
    const problem<T> p = canonical<T>(l);
    workspace w;
    carve<T, NT>((unsigned char *)l->work, p.n, p.lines, &w);
    return tsl_cuda_check(enqueue<T, NT>(p, w, tsl_cuda(q)->stream), "trsm");
}

/* Calls f with the number of 8-column tiles a CTA carries, as a type. Narrow groups shorten the chain of blocks, wide ones read M
 * less often. Measured on H200: float and complex hardly gain from wide ones; double does as the work grows. */
template <int NT> struct tiles {
    static constexpr int count = NT;
};

template <class T, class F> auto with_tiles(const tsl_leaf *l, F f)
{
    if constexpr (is_complex<T>) {
        return f(tiles<1>{});
    } else if constexpr (sizeof(T) == 4) {
        return lines_of(l) <= 8 ? f(tiles<1>{}) : f(tiles<2>{});
    } else {
        const int64_t lines = lines_of(l), work = order_of(l) * lines;
        return lines <= 8 || work <= 1 << 17 ? f(tiles<1>{}) : lines <= 16 || work <= 1 << 19 ? f(tiles<2>{}) : f(tiles<4>{});
    }
}

template <class T> size_t bytes(const tsl_leaf *l)
{
    workspace w;
    return with_tiles<T>(l, [&](auto nt) { return carve<T, decltype(nt)::count>(nullptr, order_of(l), lines_of(l), &w); });
}

template <class T> tsl_status launch(tsl_queue *q, const tsl_leaf *l)
{
    return with_tiles<T>(l, [=](auto nt) { return launch_as<T, decltype(nt)::count>(q, l); });
}

template <class T> constexpr tsl_trsm_skinny entry()
{
    constexpr int NT = is_complex<T> ? 1 : sizeof(T) == 4 ? 2 : 4; /* the most columns */
    constexpr size_t a = prepare_bytes<T, W>(1), b = solve_shape<T, W, NT>::BYTES;
    return {launch<T>, bytes<T>, a > b ? a : b};
}

} // namespace skinny
} // namespace tsl
#endif
