/* Host leaves of the second stage of the reduction to tridiagonal form: bulge chasing, and products with its Q. The kernels of the GPUs have the same reflectors
 * (kernel/cuda/eig/sb2st.cuh). */
#include <complex.h>
#include <string.h>

#include "core/values.h"
#include "device/device.h"
#include "kernel/host/blas.h"
#include "kernel/host/leaf.h"

/* Diagonals beside the main one that count: at least 1, so that there is a step */
static int64_t width(const tsl_leaf *l) { return tsl_max(1, tsl_min(l->k, l->A.n - 1)); }

/* Sweeps whose reflectors are applied together */
static int64_t group(const tsl_leaf *l) { return tsl_min(width(l), 64); }

#define FN(name) PASTE3(tsl_host_, P, name)
#define BODY "kernel/host/lapack/sb2st.inc"
#include "core/types.inc"

/* The band with room for its bulges, and four columns */
static size_t sb2st_workspace(const tsl_leaf *l)
{
    return tsl_times(tsl_times(2 * (size_t)width(l), tsl_plus((size_t)l->A.n, 2)), tsl_type_size(l->type));
}

/* A block of reflectors, its triangle, and as many rows for the product with it */
static size_t ormtr_sb2st_workspace(const tsl_leaf *l)
{
    int64_t nb = group(l);
    return tsl_times(tsl_times((size_t)(width(l) + 2 * nb), (size_t)nb) + tsl_times((size_t)nb, (size_t)l->C.n), tsl_type_size(l->type));
}

const tsl_kernel_entry tsl_host_sb2st_entry = {.fn = TSL_HOST_LEAVES(sb2st), .workspace = sb2st_workspace};
const tsl_kernel_entry tsl_host_ormtr_sb2st_entry = {.fn = TSL_HOST_LEAVES(ormtr_sb2st), .workspace = ormtr_sb2st_workspace};
