/* Which panel of LU. With partial pivoting one that stays on the chip, if there is one as wide and the device has room for all its rows; of
 * those as wide as a warp else the one that does not; wider ones else by halves. Past the
 * order of panels a matrix of few rows is one kernel. Without pivots the square at the top comes first, and the
 * rest is divided by its triangle. */
#include "core/values.h"
#include "kernel/cuda/leaf.h"
#include "kernel/cuda/level3.h"

enum { HALF = TSL_CUDA_GETRF_LIMIT / 2 };

static tsl_status getrf(tsl_queue *q, const tsl_leaf *l);

static void *at(const tsl_leaf *l, int64_t i, int64_t j) { return (char *)l->A + (size_t)(i + j * l->lda) * tsl_type_size(l->type); }

/* [A1 A2] with A1 of HALF columns: A1 is factored, A2 receives its part of L, and is factored below. */
static tsl_status halves(tsl_queue *q, const tsl_leaf *l)
{
    const int64_t k = tsl_min(l->m, HALF), n2 = l->n - HALF, m2 = l->m - k;
    tsl_leaf left = *l, right = *l;
    left.n = HALF;
    right.m = m2, right.n = n2, right.A = at(l, k, HALF), right.piv = l->piv + k;
    right.first = l->first + k, right.info_base = l->info_base + k;
    const tsl_leaf swap = {.op = TSL_OP_LASWP, .type = l->type, .side = TSL_LEFT, .m = l->m, .n = n2, .k = k, .A = at(l, 0, HALF),
                           .lda = l->lda, .piv = l->piv, .first = l->first};
    const tsl_leaf solve = {.op = TSL_OP_TRSM, .type = l->type, .side = TSL_LEFT, .uplo = TSL_LOWER, .diag = TSL_UNIT, .m = k, .n = n2,
                            .alpha = 1, .A = l->A, .lda = l->lda, .B = at(l, 0, HALF), .ldb = l->lda};
    const tsl_leaf product = {.op = TSL_OP_GEMM, .type = l->type, .m = m2, .n = n2, .k = k, .alpha = -1, .beta = 1, .A = at(l, k, 0),
                              .lda = l->lda, .B = at(l, 0, HALF), .ldb = l->lda, .C = at(l, k, HALF), .ldc = l->lda};
    tsl_leaf back = swap;
    back.m = m2, back.n = HALF, back.k = tsl_min(m2, n2), back.A = at(l, k, 0), back.piv = right.piv, back.first = right.first;

    const bool exchanges = l->pivoting != TSL_PIVOTS_NONE;
    tsl_status st = getrf(q, &left);
    if (st == TSL_OK && exchanges) st = tsl_cuda_laswp(q, &swap);
    if (st == TSL_OK) st = tsl_cuda_trsm_block(q, &solve);
    if (st != TSL_OK || m2 == 0) return st;
    st = tsl_cuda_gemm(q, &product);
    if (st == TSL_OK) st = getrf(q, &right);
    return st == TSL_OK && exchanges ? tsl_cuda_laswp(q, &back) : st;
}

/* [A1; A2]: A1, square or wider, is factored, rows where they are; A2 := A2 inv(U), where zero pivots divide nothing */
static tsl_status unpivoted(tsl_queue *q, const tsl_leaf *l)
{
    const int64_t k = tsl_min(l->m, l->n);
    tsl_leaf top = *l;
    top.m = k;
    const tsl_leaf solve = {.op = TSL_OP_TRSM, .type = l->type, .side = TSL_RIGHT, .uplo = TSL_UPPER, .diag = TSL_NONUNIT, .m = l->m - k, .n = k,
                            .alpha = 1, .A = l->A, .lda = l->lda, .B = at(l, k, 0), .ldb = l->lda, .pivoting = TSL_PIVOTS_NONE};
    bool done = false;
    tsl_status st = tsl_cuda_getrf_panel(q, &top, &done);
    if (st == TSL_OK && !done) return l->n > HALF ? halves(q, l) : TSL_ERR_DEVICE;
    return st == TSL_OK && l->m > k ? tsl_cuda_trsm_block(q, &solve) : st;
}

/* By tournament all rows are one group, which has the pivots of partial pivoting. */
static tsl_status getrf(tsl_queue *q, const tsl_leaf *l)
{
    bool done = false, whole = l->n > TSL_CUDA_GETRF_LIMIT;
    if (l->pivoting == TSL_PIVOTS_NONE) return unpivoted(q, l);
    tsl_status st = whole ? tsl_cuda_getrf_flow(q, l, &done) : tsl_cuda_getrf_panel(q, l, &done);
    if (st != TSL_OK || done) return st;
    return l->n <= HALF ? tsl_cuda_getrf_steps(q, l) : halves(q, l);
}

static size_t workspace(const tsl_leaf *l)
{
    return tsl_max(tsl_cuda_getrf_workspace(l), l->n > TSL_CUDA_GETRF_LIMIT ? tsl_cuda_getrf_flow_workspace(l) : 0);
}

static const void *kernel(int i)
{
    return i == 0 ? tsl_cuda_kernel_of_getrf_panel() : i == 1 ? tsl_cuda_kernel_of_getrf() : i == 2 ? tsl_cuda_kernel_of_getrf_flow() : NULL;
}

const tsl_kernel_entry tsl_cuda_getrf_entry = {TSL_ALL_TYPES(getrf), TSL_CUDA_GETRF_LIMIT, TSL_CUDA_GETRF_WHOLE, workspace, kernel};
