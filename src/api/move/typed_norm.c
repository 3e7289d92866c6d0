/* The typed calls of norms: lange, lansy, lanhe, lantr. */
#include "api/typed.h"

/* The m x n matrix A is argument i, its leading dimension and the place of the result follow; *value is the norm. */
static tsl_status norm(tsl_args *d, tsl_norm_kind kind, tsl_structure s, tsl_uplo uplo, tsl_diag diag, tsl_type t, int64_t m, int64_t n,
                       int i, const void *A, int64_t lda, const void *place, tsl_typed_scalar *value)
{
    tsl_arg_array(d, i, "A", t, A, m, n, tsl_max(lda, m));
    tsl_arg_ld(d, i + 1, "lda", lda, m);
    tsl_arg_place(d, i + 2, "result", place);
    if (d->st) return d->st;
    tsl_leaf l = {.op = TSL_OP_NORM, .type = t, .uplo = uplo, .diag = diag, .norm = {.structure = s, .kind = kind}, .m = m, .n = n,
                  .A = {(void *)A, lda, m, n}};
    return tsl_run_value(d, tsl_few(m, n, 1), &l, value);
}

#define FN(name) PASTE3(tsl_, P, name)
#define BODY "api/move/typed_norm.inc"
#include "core/types.inc"
