/* Host leaves of nonsymmetric eigenproblems, by LAPACK's routines, with workspace from outside. */
#include <string.h>

#include "core/values.h"
#include "kernel/host/blas.h"
#include "kernel/host/leaf.h"

static bool is_there(const tsl_array *v) { return v->m > 0 && v->n > 0; }
static const char *job_of(const tsl_array *v) { return is_there(v) ? "V" : "N"; }
static int64_t lead_of(const tsl_array *v) { return is_there(v) ? v->ld : 1; }

/* Integers that LAPACK uses, in front of the workspace, and reals behind it */
static size_t whole_count(const tsl_leaf *l) { return l->sort ? (size_t)l->n : 0; }
static size_t real_count(const tsl_leaf *l) { return tsl_is_complex(l->type) ? tsl_times(2, (size_t)l->n) : 0; }

#define FN(name) PASTE3(tsl_host_, P, name)
#define BODY "kernel/host/lapack/geev.inc"
#include "core/types.inc"

/* A routine's number in geev.inc */
enum { GEHRD, HSEQR, GEEV, GEES, TREVC };
static size_t workspace(const tsl_leaf *l, int which)
{
    static size_t (*const bytes[])(const tsl_leaf *, int) = {tsl_host_sbytes, tsl_host_dbytes, tsl_host_cbytes, tsl_host_zbytes};
    return fits_library(l) && l->n ? bytes[l->type](l, which) : 0;
}

static size_t gehrd_workspace(const tsl_leaf *l) { return workspace(l, GEHRD); }
static size_t hseqr_workspace(const tsl_leaf *l) { return workspace(l, HSEQR); }
static size_t geev_workspace(const tsl_leaf *l) { return workspace(l, GEEV); }
static size_t gees_workspace(const tsl_leaf *l) { return workspace(l, GEES); }

static size_t trevc_workspace(const tsl_leaf *l) { return workspace(l, TREVC); }

/* Widest panel: past that products are faster */
enum { PANEL = 32 };

const tsl_kernel_entry tsl_host_lahr2_entry = {.fn = TSL_HOST_LEAVES(lahr2), .limit = PANEL};
const tsl_kernel_entry tsl_host_gehrd_entry = {.fn = TSL_HOST_LEAVES(gehrd), .workspace = gehrd_workspace};
const tsl_kernel_entry tsl_host_hseqr_entry = {.fn = TSL_HOST_LEAVES(hseqr), .workspace = hseqr_workspace};
const tsl_kernel_entry tsl_host_geev_entry = {.fn = TSL_HOST_LEAVES(geev), .workspace = geev_workspace};
const tsl_kernel_entry tsl_host_gees_entry = {.fn = TSL_HOST_LEAVES(gees), .workspace = gees_workspace};
const tsl_kernel_entry tsl_host_gebal_entry = {.fn = TSL_HOST_LEAVES(gebal)};
const tsl_kernel_entry tsl_host_trevc_entry = {.fn = TSL_HOST_LEAVES(trevc), .workspace = trevc_workspace};
