/* The typed calls of norms: lange, lansy, lanhe, lantr. */
#include "exec/typed.h"

/* The m x n matrix A is argument i, its leading dimension and the place of the result follow; *value is the norm. */
static tsl_status norm(tsl_door *d, tsl_norm_kind kind, tsl_structure s, tsl_uplo uplo, tsl_diag diag, tsl_type t, int64_t m, int64_t n,
                       int i, const void *A, int64_t lda, const void *place, double *value)
{
    tsl_arg_array(d, i, "A", t, A, m, n, tsl_max(lda, m));
    tsl_arg_ld(d, i + 1, "lda", lda, m);
    tsl_arg_place(d, i + 2, "result", place);
    if (d->st) return tsl_door_close(d, d->st);
    tsl_matrix a = tsl_borrow(d->x, t, m, n, A, lda);
    return tsl_door_close(d, tsl_norm(d->x, kind, s, tsl_seen(&a, TSL_NOTRANS, uplo, diag), value));
}

#define FN(name) PASTE3(tsl_, P, name)
#define BODY "exec/typed_norm.inc"
#include "core/types.inc"
