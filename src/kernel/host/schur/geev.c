/* Host leaves of nonsymmetric eigenproblems, by LAPACK's routines, with workspace from outside. */
#include <string.h>

#include "core/numbers/largest.h"
#include "core/values.h"
#include "device/device.h"
#include "kernel/host/blas.h"
#include "kernel/host/leaf.h"
#include "kernel/host/nan.h"

static bool is_there(const tsl_array *v) { return v->m > 0 && v->n > 0; }
static const char *job_of(const tsl_array *v) { return is_there(v) ? "V" : "N"; }
static int64_t lead_of(const tsl_array *v) { return is_there(v) ? v->ld : 1; }

/* Integers that LAPACK uses, in front of the workspace, and reals behind it */
static size_t whole_count(const tsl_leaf *l) { return l->schur.sort ? (size_t)l->n : 0; }
static size_t real_count(const tsl_leaf *l) { return tsl_is_complex(l->type) ? tsl_times(2, (size_t)l->n) : 0; }

/* Vectors of a Schur form are computed by blocks of so many columns, which the cores share: of large matrices with real
 * elements, which LAPACK then only reads. */
enum { VECTORS_EACH = 32, VECTORS_FROM = 128 };
typedef struct vectors_job {
    const tsl_leaf *l;
    bool left;
    void *X, *room;     /* the vectors; what each block needs */
    tsl_status *failed; /* atomic */
} vectors_job;

static size_t vectors_parts(const tsl_leaf *l) { return tsl_is_complex(l->type) || l->n < VECTORS_FROM ? 1 : (size_t)tsl_pieces(l->n, VECTORS_EACH); }
/* Which are wanted, and LAPACK's workspace */
static size_t vectors_room(const tsl_leaf *l) { return tsl_times((size_t)l->n, tsl_plus(sizeof(int64_t), tsl_times(3, tsl_type_size(l->type)))); }

#define FN(name) PASTE3(tsl_host_, P, name)
#define BODY "kernel/host/schur/geev.inc"
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

static size_t trevc_workspace(const tsl_leaf *l)
{
    size_t parts = vectors_parts(l), square = tsl_times((size_t)l->n, (size_t)l->n);
    return parts == 1 ? workspace(l, TREVC) : tsl_plus(tsl_times(2, tsl_times(square, tsl_type_size(l->type))), tsl_times(parts, vectors_room(l)));
}

/* Widest panel: past that products are faster */
enum { PANEL = 32 };

const tsl_kernel_entry tsl_host_lahr2_entry = {.fn = TSL_HOST_LEAVES(lahr2), .limit = PANEL};
const tsl_kernel_entry tsl_host_gehrd_entry = {.fn = TSL_HOST_LEAVES(gehrd), .workspace = gehrd_workspace};
const tsl_kernel_entry tsl_host_hseqr_entry = {.fn = TSL_HOST_LEAVES(hseqr), .workspace = hseqr_workspace};
const tsl_kernel_entry tsl_host_geev_entry = {.fn = TSL_HOST_LEAVES(geev), .workspace = geev_workspace};
const tsl_kernel_entry tsl_host_gees_entry = {.fn = TSL_HOST_LEAVES(gees), .workspace = gees_workspace};
const tsl_kernel_entry tsl_host_gebal_entry = {.fn = TSL_HOST_LEAVES(gebal)};
const tsl_kernel_entry tsl_host_trevc_entry = {.fn = TSL_HOST_LEAVES(trevc), .workspace = trevc_workspace};
