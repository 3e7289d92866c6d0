/* Host leaves of singular values and vectors, by LAPACK's drivers. */
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
    plan p = {wanted(&l->C, l->C.n, d, l->svd.vectors && l->side == TSL_LEFT), wanted(&l->D, l->D.m, d, l->svd.vectors && l->side == TSL_RIGHT), false, 0, 0};
    bool full = (p.u == 'A' || (p.u == 'S' && l->m == d)) && (p.vt == 'A' || (p.vt == 'S' && l->n == d));
    if (full) p.u = p.vt = 'A';
    p.divides = l->svd.driver != TSL_SVD_QR && p.u == p.vt;
    size_t n = (size_t)d, square = tsl_times(n, n);
    p.integers = p.divides ? tsl_times(8, n) : 0;
    if (tsl_is_complex(l->type) && !p.divides) p.reals = tsl_times(5, n);
    if (tsl_is_complex(l->type) && p.divides)
        p.reals = p.u == 'N'
                      ? tsl_times(7, n)
                      : tsl_plus(tsl_times(7, square), tsl_plus(tsl_times(2, tsl_times((size_t)longest, n)), tsl_times(7, n)));
    return p;
}

#define FN(name) PASTE3(tsl_host_, P, name)
#define BODY "kernel/host/svd/gesvd.inc"
#include "core/types.inc"

static size_t svd_workspace(const tsl_leaf *l)
{
    static size_t (*const elements[])(const tsl_leaf *) = {tsl_host_ssvd_elements, tsl_host_dsvd_elements,
                                                           tsl_host_csvd_elements, tsl_host_zsvd_elements};
    plan p = plan_of(l);
    if (!fits_library(l) || l->m == 0 || l->n == 0) return 0;
    size_t numbers = tsl_plus(tsl_times(elements[l->type](l), tsl_type_size(l->type)), tsl_times(p.reals, tsl_type_size(tsl_real_type(l->type))));
    return tsl_plus(numbers, tsl_times(p.integers, sizeof(host_int)));
}

const tsl_kernel_entry tsl_host_gesvd_entry = {.fn = TSL_HOST_LEAVES(gesvd), .workspace = svd_workspace};
