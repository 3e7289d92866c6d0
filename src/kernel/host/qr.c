/* Host leaves of QR and LQ by LAPACK, with workspace from outside; least squares of the other leaves. What is seen through the conjugate
 * transpose is LAPACK's LQ: rows for columns, and Q for Q^H. */
#include <complex.h>
#include <string.h>

#include "core/values.h"
#include "device/device.h"
#include "kernel/host/blas.h"
#include "kernel/host/leaf.h"

/* Small ones are computed one reflector at a time: a line of workspace is enough. The length of one */
enum { ONE_BY_ONE = 64 };

/* So many reflectors at most are applied as one block, by their triangle. LAPACK's own product with few of them writes ones into A for a while,
 * which others may be reading. */
enum { FEW = 64 };

static bool one_by_one(const tsl_leaf *l) { return tsl_max(tsl_max(l->m, l->n), l->k) <= ONE_BY_ONE; }

static const char *with_q(const tsl_leaf *l)
{
    bool turned = (l->trans != TSL_NOTRANS) != (l->A.op != TSL_NOTRANS);
    return !turned ? "N" : tsl_is_complex(l->type) ? "C" : "T";
}

#define FN(name) PASTE3(tsl_host_, P, name)
#define BODY "kernel/host/qr.inc"
#include "core/types.inc"

/* Elements of workspace: as many as LAPACK says are best. */
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

/* The factors of the reflectors, and what the steps of gels need, one after the other */
static size_t least_squares_workspace(const tsl_leaf *l)
{
    int64_t d = tsl_min(l->m, l->n), longest = tsl_max(l->m, l->n);
    tsl_leaf factor = *l, apply = *l;
    factor.op = TSL_OP_GEQRF;
    factor.A.op = l->m >= l->n ? TSL_NOTRANS : tsl_is_complex(l->type) ? TSL_HERM : TSL_TRANS;
    apply.op = TSL_OP_ORMQR, apply.side = TSL_LEFT, apply.trans = TSL_NOTRANS;
    apply.A.op = factor.A.op, apply.C = l->B;
    apply.m = longest, apply.n = l->k, apply.k = d;
    size_t one = tsl_host_qr_workspace(&factor), other = tsl_host_qr_workspace(&apply);
    return tsl_plus(tsl_times((size_t)d, tsl_type_size(l->type)), one > other ? one : other);
}

size_t tsl_host_qr_workspace(const tsl_leaf *l)
{
    if (!fits_library(l)) return 0; /* it will be refused */
    int64_t count = tsl_max(l->m, l->n);
    if (l->op == TSL_OP_GEQRF) count = elements(l, ASK(qr));
    if (l->op == TSL_OP_ORMQR && !one_by_one(l)) count = l->k <= FEW ? (l->k + count) * l->k : elements(l, ASK(apply));
    if (l->op == TSL_OP_ORGQR) count = elements(l, ASK(form));
    if (l->op == TSL_OP_GELS) return least_squares_workspace(l);
    return tsl_times((size_t)count, tsl_type_size(l->type));
}
