/* The typed calls of conditions, and of functions of matrices: each written once, in typed_con.inc. */
#include <math.h>

#include "api/typed.h"

/* The norm of the matrix, argument i: NaN stays, and so does then the condition. */
static void need_norm(tsl_args *d, int i, double anorm)
{
    if (anorm < 0) tsl_refuse_size(d, i, "anorm", (int64_t)floor(anorm));
}

static tsl_norm_kind one_or_inf(tsl_args *d, char norm) { return tsl_arg_letter(d, 1, norm, "norm", "1OI") == 'I' ? TSL_NORM_INF : TSL_NORM_ONE; }

/* LAPACK's info of a condition that is no number */
static tsl_status condition(tsl_args *d, tsl_leaf *l, double *rcond, int64_t *info)
{
    tsl_typed_scalar value = {.d = 1};
    if (d->st) return refused(d, info);
    tsl_status st = l->A.n ? tsl_run_value(d, tsl_few(l->A.n, 1, 1), l, &value) : TSL_OK;
    *rcond = value.d;
    if (!st && info) *info = isnan(value.d) ? 1 : 0;
    return told_overlap(d, st, info);
}

#define FN(name) PASTE3(tsl_, P, name)
#define BODY "api/solve/typed_con.inc"
#include "core/types.inc"
