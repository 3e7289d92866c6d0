/* The typed calls, s d c z: one text each in typed.inc. */
#include "exec/typed.h"

static tsl_view seen(tsl_matrix *a, tsl_op op, tsl_uplo uplo, tsl_diag diag)
{
    return (tsl_view){.mat = a, .m = a->m, .n = a->n, .op = op, .uplo = uplo, .diag = diag};
}

#define NAME_(p, f) tsl_##p##f
#define NAME(p, f) NAME_(p, f)
#define FN(f) NAME(P, f)

#define P s
#define T float
#define R float
#define TYPE TSL_S
#define COMPLEX 0
#include "exec/typed.inc"

#define P d
#define T double
#define R double
#define TYPE TSL_D
#define COMPLEX 0
#include "exec/typed.inc"

#define P c
#define T tsl_cfloat
#define R float
#define TYPE TSL_C
#define COMPLEX 1
#include "exec/typed.inc"

#define P z
#define T tsl_cdouble
#define R double
#define TYPE TSL_Z
#define COMPLEX 1
#include "exec/typed.inc"
