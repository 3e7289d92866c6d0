/* Host leaves of QR and LQ by LAPACK, with workspace from outside; least squares of the other leaves. What is seen through the
 * conjugate transpose is LAPACK's LQ: rows for columns, and Q for Q^H. */
#include <complex.h>
#include <string.h>

#include "core/values.h"
#include "device/device.h"
#include "kernel/host/blas.h"
#include "kernel/host/leaf.h"

/* Small ones are computed one reflector at a time: a line of workspace is enough. The length of one */
enum { ONE_BY_ONE = 64 };

/* So many reflectors at most are applied as one block, by their triangle. LAPACK's own product with few of them writes ones
 * into A for a while, which others may be reading. */
enum { FEW = 64 };

static bool one_by_one(const tsl_leaf *l) { return tsl_max(tsl_max(l->m, l->n), l->k) <= ONE_BY_ONE; }

static const char *with_q(const tsl_leaf *l)
{
    bool turned = (l->trans != TSL_NOTRANS) != (l->A.op != TSL_NOTRANS);
    return !turned ? "N" : tsl_is_complex(l->type) ? "C" : "T";
}

/* Elements of workspace: for a line of A; to factor, to multiply by Q and to form it, below */
static int64_t line_of(const tsl_leaf *l);
static int64_t room_to_factor(const tsl_leaf *l);
static int64_t room_to_apply(const tsl_leaf *l);
static int64_t room_to_form(const tsl_leaf *l);

#define FN(name) PASTE3(tsl_host_, P, name)
#define BODY "kernel/host/qr/qr.inc"
#include "core/types.inc"

/* As many as LAPACK says are best */
static int64_t elements(const tsl_leaf *l, bool (*ask)(const tsl_leaf *l, void *work, int64_t count))
{
    tsl_typed_scalar answer;
    if (one_by_one(l)) return tsl_max(l->m, l->n);
    tsl_blas_asks(true);
    bool told = !ask(l, &answer, -1);
    tsl_blas_asks(false);
    return told ? (int64_t)creal(tsl_untyped(l->type, answer)) : tsl_max(l->m, l->n);
}

#define ASK(name) (bool (*[4])(const tsl_leaf *, void *, int64_t)){tsl_host_s##name, tsl_host_d##name, tsl_host_c##name, tsl_host_z##name}[l->type]

static int64_t line_of(const tsl_leaf *l) { return tsl_max(l->m, l->n); }
static int64_t room_to_factor(const tsl_leaf *l) { return elements(l, ASK(qr)); }
static int64_t room_to_form(const tsl_leaf *l) { return elements(l, ASK(form)); }

static int64_t room_to_apply(const tsl_leaf *l)
{
    if (one_by_one(l)) return line_of(l);
    return l->k <= FEW ? (l->k + line_of(l)) * l->k : elements(l, ASK(apply));
}

/* The factors of the reflectors, and what the steps need, one after the other */
static int64_t room_to_solve(const tsl_leaf *l)
{
    tsl_leaf factor = *l, apply = *l;
    factor.A.op = l->m >= l->n ? TSL_NOTRANS : tsl_is_complex(l->type) ? TSL_HERM : TSL_TRANS;
    apply.side = TSL_LEFT, apply.trans = TSL_NOTRANS;
    apply.A.op = factor.A.op, apply.C = l->B;
    apply.m = tsl_max(l->m, l->n), apply.n = l->k, apply.k = tsl_min(l->m, l->n);
    return apply.k + tsl_max(room_to_factor(&factor), room_to_apply(&apply));
}

/* What the library cannot count will be refused. */
static size_t workspace(const tsl_leaf *l, int64_t (*count)(const tsl_leaf *l))
{
    return fits_library(l) ? tsl_times((size_t)count(l), tsl_type_size(l->type)) : 0;
}

static size_t geqrt_workspace(const tsl_leaf *l) { return workspace(l, line_of); }
static size_t geqrf_workspace(const tsl_leaf *l) { return workspace(l, room_to_factor); }
static size_t ormqr_workspace(const tsl_leaf *l) { return workspace(l, room_to_apply); }
static size_t orgqr_workspace(const tsl_leaf *l) { return workspace(l, room_to_form); }
static size_t gels_workspace(const tsl_leaf *l) { return workspace(l, room_to_solve); }

/* Widest panel with its reflectors' triangle: past that products are faster */
enum { PANEL = 32 };

const tsl_kernel_entry tsl_host_geqrt_entry = {.fn = TSL_HOST_LEAVES(geqrt), .limit = PANEL, .workspace = geqrt_workspace};
const tsl_kernel_entry tsl_host_larft_entry = {.fn = TSL_HOST_LEAVES(larft), .limit = PANEL};
const tsl_kernel_entry tsl_host_geqrf_entry = {.fn = TSL_HOST_LEAVES(geqrf), .workspace = geqrf_workspace};
const tsl_kernel_entry tsl_host_ormqr_entry = {.fn = TSL_HOST_LEAVES(ormqr), .workspace = ormqr_workspace};
const tsl_kernel_entry tsl_host_orgqr_entry = {.fn = TSL_HOST_LEAVES(orgqr), .workspace = orgqr_workspace};
const tsl_kernel_entry tsl_host_gels_entry = {.fn = TSL_HOST_LEAVES(gels), .workspace = gels_workspace};
