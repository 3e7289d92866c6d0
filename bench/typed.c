/* The routines through the typed calls, on pointers to wherever the problem's operands are. */
#include "bench/bench.h"

#define DATA(i) bench_data(p, i, p->place)
#define LD(i) bench_ld(p, i, p->place)

#define T float
#define FN(name) s_##name
#define CALL(name) tsl_s##name
#include "bench/typed.inc"

#define T double
#define FN(name) d_##name
#define CALL(name) tsl_d##name
#include "bench/typed.inc"

#define T tsl_cfloat
#define FN(name) c_##name
#define CALL(name) tsl_c##name
#define HERMITIAN
#include "bench/typed.inc"

#define T tsl_cdouble
#define FN(name) z_##name
#define CALL(name) tsl_z##name
#define HERMITIAN
#include "bench/typed.inc"

/* Hermitian calls have complex types only. */
#define COMPLEX(X) X(hemv) X(hemm) X(herk) X(her2k)
#define ALL(X) X(gemv) X(symv) X(ger) X(trsv) X(gemm) X(gemmt) X(symm) X(syrk) X(syr2k) X(trmm) X(trsm) BENCH_LAPACK(X) BENCH_LU(X)
#define OF_ALL(name) const bench_call bench_typed_##name[4] = {s_##name, d_##name, c_##name, z_##name};
#define OF_COMPLEX(name) const bench_call bench_typed_##name[4] = {NULL, NULL, c_##name, z_##name};
ALL(OF_ALL)
COMPLEX(OF_COMPLEX)
