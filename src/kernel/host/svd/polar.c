/* Host leaves of what singular values lead to, the polar decomposition and the pseudo-inverse, of problems of batches. */
#include "core/values.h"
#include "kernel/host/blas.h"
#include "kernel/host/leaf.h"

/* gesvd of the leaf's A, with s, U and V^H at the beginning of its workspace */
typedef struct factors {
    tsl_leaf svd;
    size_t bytes; /* of these */
} factors;

static factors factors_of(const tsl_leaf *l, bool vectors)
{
    int64_t m = l->A.m, n = l->A.n, d = tsl_min(m, n);
    factors f = {.svd = *l};
    size_t size = tsl_type_size(l->type), s = tsl_rounded(tsl_times((size_t)d, tsl_type_size(tsl_real_type(l->type))), 16);
    size_t u = vectors ? tsl_times(tsl_times((size_t)m, (size_t)d), size) : 0, vt = vectors ? tsl_times(tsl_times((size_t)d, (size_t)n), size) : 0;
    char *at = l->work;
    f.svd.op = TSL_OP_GESVD;
    f.svd.m = m, f.svd.n = n, f.svd.svd = (tsl_svd_args){.driver = TSL_SVD_AUTO};
    f.svd.B = (tsl_array){.p = at, .ld = tsl_max(1, d), .m = d, .n = 1};
    f.svd.C = (tsl_array){.p = at + s, .ld = tsl_max(1, m), .m = vectors ? m : 0, .n = vectors ? d : 0};
    f.svd.D = (tsl_array){.p = at + s + u, .ld = tsl_max(1, d), .m = vectors ? d : 0, .n = vectors ? n : 0};
    f.bytes = tsl_rounded(tsl_plus(s, tsl_plus(u, vt)), 16);
    f.svd.work = at + f.bytes;
    return f;
}

#define FN(name) PASTE3(tsl_host_, P, name)
#define BODY "kernel/host/svd/polar.inc"
#include "core/types.inc"

static size_t workspace(const tsl_leaf *l)
{
    factors f = factors_of(l, true); /* at most */
    f.svd.C.p = f.svd.D.p = NULL;
    return tsl_plus(f.bytes, tsl_host_gesvd_entry.workspace(&f.svd));
}

const tsl_kernel_entry tsl_host_polar_entry = {.fn = TSL_HOST_LEAVES(polar), .limit = TSL_HOST_LIMIT, .workspace = workspace};
const tsl_kernel_entry tsl_host_pinv_entry = {.fn = TSL_HOST_LEAVES(pinv), .workspace = workspace};
