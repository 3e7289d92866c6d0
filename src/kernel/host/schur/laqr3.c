/* Host leaf of aggressive early deflation (Braman, Byers and Mathias). LAPACK's laqr3 moves every eigenvalue that it cannot
 * deflate to the top of the window's Schur form. Here the eigenvectors on the left tell what each one's part of the spike is,
 * and only those that deflate are moved, to the bottom. */
#include <string.h>

#include "core/numbers/largest.h"
#include "core/values.h"
#include "kernel/host/blas.h"
#include "kernel/host/schur/schur.h"
#include "kernel/host/leaf.h"

/* The function with the widest vectors that this processor has */
#ifdef __x86_64__
#define CHOSEN(name) (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? PASTE3(tsl_wide_, P, name) : PASTE3(tsl_host_, P, name))
#else
#define CHOSEN(name) PASTE3(tsl_host_, P, name)
#endif

enum { ALIGNED = 64 };
/* Of a matrix of that order with room: columns, and how far they are apart. And the workspace of LAPACK's gehrd and ormqr */
static int64_t columns_of(int64_t order) { return order + TSL_SCHUR_ROOM; }
/* no power of two: columns would share sets of a cache */
static int64_t lead_of(int64_t order) { return ((order + TSL_SCHUR_ROOM + 7) / 8 | 1) * 8; }
static int64_t work_of(int64_t order) { return 65 * (order + 64); }

/* The power of two that brings numbers far from 1, the largest one this, near to it: squares of theirs are numbers then. */
static double scale_of(double largest, bool single)
{
    int e = 0, far = single ? 30 : 300, most = single ? 100 : 1000;
    if (!(largest > 0) || !isfinite(largest)) return 1;
    (void)frexp(largest, &e);
    return e > far ? ldexp(1, -(e < most ? e : most)) : e < -far ? ldexp(1, -e < most ? -e : most) : 1;
}

#define FN(name) PASTE3(tsl_host_, P, name)
#define BODY "kernel/host/schur/laqr3.inc"
#include "core/types.inc"

static size_t laqr3_workspace(const tsl_leaf *l)
{
    size_t n = (size_t)tsl_max(l->n - 1, 0), ld = (size_t)lead_of((int64_t)n),
           elements = tsl_plus(tsl_times(2 * ld, (size_t)columns_of((int64_t)n)), ld + (size_t)work_of((int64_t)n));
    return fits_library(l) ? tsl_plus(tsl_times(elements, tsl_type_size(l->type)), 2 * ld * sizeof(double) + ALIGNED) : 0;
}
const tsl_kernel_entry tsl_host_laqr3_entry = {.fn = TSL_HOST_LEAVES(laqr3), .workspace = laqr3_workspace};
