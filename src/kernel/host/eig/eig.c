/* Host leaves of the reduction to tridiagonal form and of its Q by LAPACK, with workspace from outside. */
#include <complex.h>
#include <string.h>

#include "core/values.h"
#include "device/device.h"
#include "kernel/host/blas.h"
#include "kernel/host/leaf.h"

/* Small ones are computed a column, or a reflector, at a time: a line of workspace is enough. */
enum { SMALL = 64 };

static bool is_small(const tsl_leaf *l) { return tsl_max(l->m, l->n) <= SMALL; }

/* As in qr.c: LAPACK's own product with so few reflectors writes ones into A for a while, which others may be reading. */
enum { FEW = 64 };

/* Rows of the triangle in column j */
static int64_t first_row(const tsl_leaf *l, int64_t j) { return l->uplo == TSL_UPPER ? 0 : j; }
static int64_t end_row(const tsl_leaf *l, int64_t j) { return l->uplo == TSL_UPPER ? j + 1 : l->n; }

/* Reflectors of the lower triangle are QR's: of the rows but the first. */
static tsl_leaf as_qr(const tsl_leaf *l)
{
    size_t size = tsl_type_size(l->type);
    bool left = l->side != TSL_RIGHT;
    tsl_leaf q = *l;
    q.op = TSL_OP_ORMQR;
    q.A.p = (char *)l->A.p + size;
    q.C.p = (char *)l->C.p + (left ? 1 : (size_t)l->C.ld) * size;
    *(left ? &q.m : &q.n) -= 1;
    return q;
}

#define FN(name) PASTE3(tsl_host_, P, name)
#define BODY "kernel/host/eig/eig.inc"
#include "core/types.inc"

#define ASK(name) (bool (*[4])(const tsl_leaf *, void *, int64_t)){tsl_host_s##name, tsl_host_d##name, tsl_host_c##name, tsl_host_z##name}[l->type]

/* As many elements as LAPACK says are best */
static int64_t elements(const tsl_leaf *l, bool (*ask)(const tsl_leaf *l, void *work, int64_t count))
{
    tsl_typed_scalar answer;
    int64_t least = tsl_max(1, tsl_max(l->m, l->n));
    tsl_blas_asks(true);
    bool told = !ask(l, &answer, -1);
    tsl_blas_asks(false);
    return told ? tsl_max(least, (int64_t)creal(tsl_untyped(l->type, answer))) : least;
}

/* What the library cannot count will be refused. Small ones need a line. */
static size_t workspace(const tsl_leaf *l, int64_t count)
{
    return fits_library(l) ? tsl_times((size_t)(is_small(l) ? tsl_max(1, tsl_max(l->m, l->n)) : count), tsl_type_size(l->type)) : 0;
}

static size_t sytrd_workspace(const tsl_leaf *l) { return workspace(l, is_small(l) ? 0 : elements(l, ASK(reduce))); }
static size_t orgtr_workspace(const tsl_leaf *l) { return workspace(l, is_small(l) ? 0 : elements(l, ASK(form_q))); }

static size_t ormtr_workspace(const tsl_leaf *l)
{
    tsl_leaf q = as_qr(l);
    if (l->uplo == TSL_LOWER) return tsl_host_ormqr_entry.workspace(&q);
    if (is_small(l)) return workspace(l, 0);
    return workspace(l, l->k <= FEW ? (l->k + tsl_max(l->m, l->n)) * l->k : elements(l, ASK(apply_ql)));
}

/* Widest panel: past that products are faster */
enum { PANEL = 32 };

const tsl_kernel_entry tsl_host_latrd_entry = {.fn = TSL_HOST_LEAVES(latrd), .limit = PANEL};
const tsl_kernel_entry tsl_host_sytrd_entry = {.fn = TSL_HOST_LEAVES(sytrd), .workspace = sytrd_workspace};
const tsl_kernel_entry tsl_host_ormtr_entry = {.fn = TSL_HOST_LEAVES(ormtr), .workspace = ormtr_workspace};
const tsl_kernel_entry tsl_host_orgtr_entry = {.fn = TSL_HOST_LEAVES(orgtr), .workspace = orgtr_workspace};
