/* The typed calls of mixed precision, dsgesv, dsposv, zcgesv, zcposv: one function each in typed_mixed.inc. */
#include "api/typed.h"
#include "ops/solve/solve.h"

#define T double
#define TYPE TSL_D
#define LOW "s"
#define FN(name) tsl_ds##name
#include "api/solve/typed_mixed.inc"
#undef T
#undef TYPE
#undef LOW
#undef FN

#define T tsl_cdouble
#define TYPE TSL_Z
#define LOW "c"
#define FN(name) tsl_zc##name
#include "api/solve/typed_mixed.inc"
