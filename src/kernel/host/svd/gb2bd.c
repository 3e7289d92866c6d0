/* Host leaf of the second stage of the reduction to bidiagonal form: bulge chasing. The kernels of the GPUs have the same
 * reflectors (kernel/cuda/eig/band/gb2bd.cuh). */
#include <complex.h>
#include <string.h>

#include "core/values.h"
#include "kernel/host/blas.h"
#include "kernel/host/leaf.h"

/* Diagonals beside the main one that count: at least 1, so that there is a step */
static int64_t width(const tsl_leaf *l) { return tsl_max(1, tsl_min(l->k, l->A.n - 1)); }

#define FN(name) PASTE3(tsl_host_, P, name)
#define BODY "kernel/host/svd/gb2bd.inc"
#include "core/types.inc"

/* The band with room for its bulges, and four columns */
static size_t gb2bd_workspace(const tsl_leaf *l)
{
    return tsl_times(tsl_times((size_t)width(l), tsl_plus(tsl_times(3, (size_t)l->A.n), 4)), tsl_type_size(l->type));
}

const tsl_kernel_entry tsl_host_gb2bd_entry = {.fn = TSL_HOST_LEAVES(gb2bd), .workspace = gb2bd_workspace};
