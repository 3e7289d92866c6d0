/* LU of a block of columns, by panels from the left to the right: each is factored and at once applied to the rest of the
 * block. A panel stays on the chip if the device has room for all its rows; one as wide as a warp may else have a launch per
 * column. Without pivots the square at the top of a panel comes first, and what is below is divided by its triangle. A block
 * past the order of these, of few rows, is one kernel. */
#include "core/values.h"
#include "kernel/cuda/leaf.h"
#include "kernel/cuda/level3/level3.h"

enum { WIDE = TSL_CUDA_GETRF_PANEL, NARROW = 32 };

static void *at(const tsl_leaf *l, int64_t i, int64_t j) { return (char *)l->A.p + (size_t)(i + j * l->A.ld) * tsl_type_size(l->type); }

/* [A1; A2]: A1, square or wider, is factored, rows where they are; A2 := A2 inv(U), where zero pivots divide nothing */
static tsl_status unpivoted(tsl_queue *q, const tsl_leaf *l, bool *done)
{
    const int64_t k = tsl_min(l->m, l->n);
    tsl_leaf top = *l;
    top.m = k;
    const tsl_leaf solve = {.op = TSL_OP_TRSM, .type = l->type, .side = TSL_RIGHT, .uplo = TSL_UPPER, .diag = TSL_NONUNIT, .m = l->m - k, .n = k,
                            .alpha = 1, .A.p = l->A.p, .A.ld = l->A.ld, .B.p = at(l, k, 0), .B.ld = l->A.ld,
                            .lu = {.pivoting = TSL_PIVOTS_NONE}};
    tsl_status st = tsl_cuda_getrf_panel(q, &top, done);
    return st == TSL_OK && *done && l->m > k ? tsl_cuda_trsm_block(q, &solve) : st;
}

/* By tournament all rows are one group, which has the pivots of partial pivoting. */
static tsl_status factor(tsl_queue *q, const tsl_leaf *l, bool *done)
{
    if (l->lu.pivoting == TSL_PIVOTS_NONE) return unpivoted(q, l, done);
    tsl_status st = tsl_cuda_getrf_panel(q, l, done);
    if (st != TSL_OK || *done || l->n > NARROW) return st;
    *done = true;
    return tsl_cuda_getrf_steps(q, l);
}

/* [A12; A22] := A22 - L21 A12, of a panel that A12's rows are exchanged and solved for already; `right` columns */
static tsl_status update(tsl_queue *q, const tsl_leaf *panel, int64_t right)
{
    const int64_t k = tsl_min(panel->m, panel->n);
    const tsl_leaf product = {.op = TSL_OP_GEMM,
                              .type = panel->type,
                              .m = panel->m - k,
                              .n = right,
                              .k = k,
                              .alpha = -1,
                              .beta = 1,
                              .A.p = at(panel, k, 0),
                              .A.ld = panel->A.ld,
                              .B.p = at(panel, 0, panel->n),
                              .B.ld = panel->A.ld,
                              .C.p = at(panel, k, panel->n),
                              .C.ld = panel->A.ld};
    return product.m > 0 && right > 0 ? tsl_cuda_gemm(q, &product) : TSL_OK;
}

static tsl_status by_panels(tsl_queue *q, const tsl_leaf *l)
{
    tsl_status st = TSL_OK;
    for (int64_t k = 0, width; k < tsl_min(l->m, l->n) && st == TSL_OK; k += width) {
        bool done = false;
        tsl_leaf panel = *l;
        panel.m = l->m - k, panel.A.p = at(l, k, k), panel.B.p = (int64_t *)l->B.p + k, panel.lu.first = l->lu.first + k,
        panel.info_base = l->info_base + k;
        for (int most = WIDE; most >= NARROW && st == TSL_OK && !done; most /= 2) {
            panel.n = tsl_min(most, l->n - k);
            st = factor(q, &panel, &done);
        }
        width = panel.n;
        const int64_t right = l->n - k - width;
        if (st == TSL_OK && !done) st = TSL_ERR_DEVICE;
        if (st == TSL_OK && k + right > 0) st = tsl_cuda_getrf_rest(q, &panel, k, right);
        if (st == TSL_OK) st = update(q, &panel, right);
    }
    return st;
}

static bool is_whole(const tsl_leaf *l) { return l->n > TSL_CUDA_GETRF_LIMIT && l->lu.pivoting != TSL_PIVOTS_NONE; }

static tsl_status getrf(tsl_queue *q, const tsl_leaf *l)
{
    bool done = false;
    tsl_status st = tsl_cuda_begin_info(q, l);
    if (st == TSL_OK && is_whole(l)) st = tsl_cuda_getrf_flow(q, l, &done);
    return st != TSL_OK || done ? st : by_panels(q, l);
}

static size_t workspace(const tsl_leaf *l)
{
    return tsl_max(tsl_cuda_getrf_workspace(l), is_whole(l) ? tsl_cuda_getrf_flow_workspace(l) : 0);
}

static const void *kernel(int i)
{
    const void *const kernels[] = {tsl_cuda_kernel_of_getrf_panel(), tsl_cuda_kernel_of_getrf(), tsl_cuda_kernel_of_getrf_rest(),
                                   tsl_cuda_kernel_of_getrf_flow()};
    return i < (int)(sizeof kernels / sizeof kernels[0]) ? kernels[i] : NULL;
}

const tsl_kernel_entry tsl_cuda_getrf_entry = {
    TSL_ALL_TYPES(getrf), TSL_CUDA_GETRF_LIMIT, TSL_CUDA_GETRF_WHOLE, workspace, kernel, tsl_cuda_getrf_shapes};
