/* ScaLAPACK's names, s d c z. */
#include <complex.h>
#include <ctype.h>
#include <stddef.h>

#include "compat/scalapack/scalapack.h"
#include "grid/entry.h"

/* An operand as ScaLAPACK passes it: local array, row and column of the block, descriptor. */
#define IN(A) const T *A, const int *i##A, const int *j##A, const int *d##A
#define OUT(A) T *A, const int *i##A, const int *j##A, const int *d##A
#define GIVE(A) A, i##A, j##A, d##A
#define TAKE_OF(c, A, rows, cols) pblas_take(c, A, *i##A, *j##A, d##A, rows, cols)
#define TAKE(A, rows, cols) TAKE_OF(&c, A, rows, cols)

#define P(name) ps##name##_
#define FN(name) s_##name
#define NAME(name) "ps" #name "_"
#define CP(name) Cps##name
#define CNAME(name) "Cps" #name
#define T float
#define R float
#define TYPE TSL_S
#define COMPLEX 0
#define S(x) (x)
#include "compat/scalapack/pblas.inc"

#define P(name) pd##name##_
#define FN(name) d_##name
#define NAME(name) "pd" #name "_"
#define CP(name) Cpd##name
#define CNAME(name) "Cpd" #name
#define T double
#define R double
#define TYPE TSL_D
#define COMPLEX 0
#define S(x) (x)
#include "compat/scalapack/pblas.inc"

#define P(name) pc##name##_
#define FN(name) c_##name
#define NAME(name) "pc" #name "_"
#define CP(name) Cpc##name
#define CNAME(name) "Cpc" #name
#define T tsl_cfloat
#define R float
#define TYPE TSL_C
#define COMPLEX 1
#define S(x) (x)
#include "compat/scalapack/pblas.inc"

#define P(name) pz##name##_
#define FN(name) z_##name
#define NAME(name) "pz" #name "_"
#define CP(name) Cpz##name
#define CNAME(name) "Cpz" #name
#define T tsl_cdouble
#define R double
#define TYPE TSL_Z
#define COMPLEX 1
#define S(x) (x)
#include "compat/scalapack/pblas.inc"
