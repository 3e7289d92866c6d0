/* Host leaves of singular values and vectors, by LAPACK's drivers; and, of problems of batches, of what they lead to: the polar
 * decomposition and the pseudo-inverse. */
#include <string.h>

#include "core/values.h"
#include "kernel/host/blas.h"
#include "kernel/host/leaf.h"
#include "kernel/host/nan.h"

/* LAPACK's letter of the vectors on one side: N none, S as many as there are singular values, A all, O in A */
static char wanted(const tsl_array *v, int64_t count, int64_t d, bool overwrite)
{
    return overwrite ? 'O' : v->m == 0 || v->n == 0 ? 'N' : count > d ? 'A' : 'S';
}

/* How the driver is called. gesdd wants vectors of both sides alike. Of a square matrix, some are all. */
typedef struct plan {
    char u, vt;
    bool divides;
    size_t reals, integers; /* workspace */
} plan;

static plan plan_of(const tsl_leaf *l)
{
    int64_t d = tsl_min(l->m, l->n), longest = tsl_max(l->m, l->n);
    plan p = {wanted(&l->C, l->C.n, d, l->svd.vectors && l->side == TSL_LEFT),
              wanted(&l->D, l->D.m, d, l->svd.vectors && l->side == TSL_RIGHT), false, 0, 0};
    bool full = (p.u == 'A' || (p.u == 'S' && l->m == d)) && (p.vt == 'A' || (p.vt == 'S' && l->n == d));
    if (full)
        p.u = p.vt = 'A';
    p.divides = l->svd.driver != TSL_SVD_QR && p.u == p.vt;
    size_t n = (size_t)d, square = tsl_times(n, n);
    p.integers = p.divides ? tsl_times(8, n) : 0;
    if (tsl_is_complex(l->type) && !p.divides)
        p.reals = tsl_times(5, n);
    if (tsl_is_complex(l->type) && p.divides)
        p.reals = p.u == 'N'
                      ? tsl_times(7, n)
                      : tsl_plus(tsl_times(7, square), tsl_plus(tsl_times(2, tsl_times((size_t)longest, n)), tsl_times(7, n)));
    return p;
}

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
    size_t u = vectors ? tsl_times(tsl_times((size_t)m, (size_t)d), size) : 0,
           vt = vectors ? tsl_times(tsl_times((size_t)d, (size_t)n), size) : 0;
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
#define BODY "kernel/host/svd/gesvd.inc"
#include "core/types.inc"

static size_t svd_workspace(const tsl_leaf *l)
{
    static size_t (*const elements[])(const tsl_leaf *) = {tsl_host_ssvd_elements, tsl_host_dsvd_elements,
                                                           tsl_host_csvd_elements, tsl_host_zsvd_elements};
    plan p = plan_of(l);
    if (!fits_library(l) || l->m == 0 || l->n == 0)
        return 0;
    size_t numbers = tsl_plus(tsl_times(elements[l->type](l), tsl_type_size(l->type)),
                              tsl_times(p.reals, tsl_type_size(tsl_real_type(l->type))));
    return tsl_plus(numbers, tsl_times(p.integers, sizeof(host_int)));
}

const tsl_kernel_entry tsl_host_gesvd_entry = {.fn = TSL_HOST_LEAVES(gesvd), .workspace = svd_workspace};

static size_t factors_workspace(const tsl_leaf *l)
{
    factors f = factors_of(l, true); /* at most */
    f.svd.C.p = f.svd.D.p = NULL;
    return tsl_plus(f.bytes, svd_workspace(&f.svd));
}

const tsl_kernel_entry tsl_host_polar_entry = {
    .fn = TSL_HOST_LEAVES(polar), .limit = TSL_HOST_LIMIT, .workspace = factors_workspace};
const tsl_kernel_entry tsl_host_pinv_entry = {.fn = TSL_HOST_LEAVES(pinv), .workspace = factors_workspace};
