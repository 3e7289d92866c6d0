/* Host leaves of the reduction to bidiagonal form and of its Q and P by LAPACK, with workspace from outside. */
#include <complex.h>
#include <math.h>

#include "core/values.h"
#include "device/device.h"
#include "kernel/host/blas.h"
#include "kernel/host/leaf.h"

/* Small ones are computed a column at a time: a line of workspace is enough. */
enum { SMALL = 64, PANEL = 32 };

#define FN(name) PASTE3(tsl_host_, P, name)
#define BODY "kernel/host/svd/gebrd.inc"
#include "core/types.inc"

#define ASK(name) (bool (*[4])(const tsl_leaf *, void *, int64_t)){tsl_host_s##name, tsl_host_d##name, tsl_host_c##name, tsl_host_z##name}[l->type]

/* As many elements as LAPACK says are best; what the library cannot count will be refused */
static size_t workspace(const tsl_leaf *l, bool (*ask)(const tsl_leaf *l, void *work, int64_t count))
{
    tsl_typed_scalar answer;
    int64_t least = tsl_max(1, tsl_max(l->m, l->n)), count = least;
    if (!fits_library(l)) return 0;
    if (least > SMALL) {
        tsl_blas_asks(true);
        if (!ask(l, &answer, -1)) count = tsl_max(least, (int64_t)creal(tsl_untyped(l->type, answer)));
        tsl_blas_asks(false);
    }
    return tsl_times((size_t)count, tsl_type_size(l->type));
}

static size_t gebrd_workspace(const tsl_leaf *l) { return workspace(l, ASK(to_bidiagonal)); }
static size_t orgbr_workspace(const tsl_leaf *l) { return workspace(l, ASK(form_br)); }

const tsl_kernel_entry tsl_host_labrd_entry = {.fn = TSL_HOST_LEAVES(labrd), .limit = PANEL};
const tsl_kernel_entry tsl_host_gebrd_entry = {.fn = TSL_HOST_LEAVES(gebrd), .workspace = gebrd_workspace};
const tsl_kernel_entry tsl_host_orgbr_entry = {.fn = TSL_HOST_LEAVES(orgbr), .workspace = orgbr_workspace};
