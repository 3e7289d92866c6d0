/* Host leaves of the later stages of the reduction to tridiagonal form: bulge chasing, from a band to a narrower one too, and
 * products with its Q. The kernels of the GPUs have the same reflectors (kernel/cuda/eig/band/sb2st.cuh). */
#include <complex.h>
#include <string.h>

#include "core/values.h"
#include "device/device.h"
#include "kernel/host/blas.h"
#include "kernel/host/leaf.h"

/* Diagonals beside the main one that count, of a band of order n: at least 1, so that there is a step */
static int64_t width_of(int64_t kd, int64_t n) { return tsl_max(1, tsl_min(kd, n - 1)); }

static int64_t band_width(const tsl_leaf *l) { return width_of(l->A.m - 1, l->A.n); }
static int64_t product_width(const tsl_leaf *l) { return width_of(l->k, l->C.m); }

/* Sweeps whose reflectors are applied together */
static int64_t group(const tsl_leaf *l) { return tsl_min(product_width(l), 64); }

#define FN(name) PASTE3(tsl_host_, P, name)
#define BODY "kernel/host/eig/sb2st.inc"
#include "core/types.inc"

/* The band with room for its bulges, and four columns */
static size_t room_for(const tsl_leaf *l, int64_t kd)
{
    return tsl_times(tsl_times(2 * (size_t)kd, tsl_plus((size_t)l->A.n, 2)), tsl_type_size(l->type));
}
static size_t chase_workspace(const tsl_leaf *l) { return room_for(l, band_width(l)); }

/* Two reflectors with their factors, and a column */
static size_t some_workspace(const tsl_leaf *l)
{
    return tsl_times(3 * (size_t)(l->A.m / 2) + 2, tsl_type_size(l->type));
}

static size_t part_workspace(const tsl_leaf *l) { return tsl_times((size_t)l->A.m, tsl_type_size(l->type)); }

/* A block of reflectors, its triangle, and as many rows for the product with it */
static size_t ormtr_sb2st_workspace(const tsl_leaf *l)
{
    int64_t nb = group(l);
    return tsl_times(tsl_times((size_t)(product_width(l) + 2 * nb), (size_t)nb) + tsl_times((size_t)nb, (size_t)l->C.n), tsl_type_size(l->type));
}

const tsl_kernel_entry tsl_host_sb2st_entry = {.fn = TSL_HOST_LEAVES(sb2st), .workspace = chase_workspace};
const tsl_kernel_entry tsl_host_sb2st_some_entry = {.fn = TSL_HOST_LEAVES(sb2st_some), .workspace = some_workspace};
const tsl_kernel_entry tsl_host_sb2st_part_entry = {.fn = TSL_HOST_LEAVES(sb2st_part), .workspace = part_workspace};
const tsl_kernel_entry tsl_host_sb2sb_entry = {.fn = TSL_HOST_LEAVES(sb2sb), .workspace = chase_workspace};
const tsl_kernel_entry tsl_host_ormtr_sb2st_entry = {.fn = TSL_HOST_LEAVES(ormtr_sb2st), .workspace = ormtr_sb2st_workspace};
