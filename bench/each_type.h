/* Includes the file BENCH_FAMILY once per type, with
 *   T, R             the type and its real type
 *   COMPLEX          defined if it is complex
 *   FN(name)         the name of a function of this type: d_name
 *   CALL(name)       the library's: tsl_dname; CBLAS(name), LAPACK(name), FORTRAN(name): OpenBLAS's
 *   PAIR(sy, he)     the first name for a real type, the second for a complex one
 *   LETTER           d; TO_REAL: what a function to real numbers begins with, as dz; BY_REAL: one with real numbers, as zd
 *   SCALAR(x)        a number as CBLAS takes it: by value, or by address if it is complex
 * Each file of bench/routine/ includes this once: it has no guard. */
#define JOIN_(a, b, c) a##b##c
#define JOIN(a, b, c) JOIN_(a, b, c)
#define FN(name) JOIN(LETTER, _, name)
#define CALL(name) JOIN(tsl_, LETTER, name)
#define CBLAS(name) JOIN(cblas_, LETTER, name)
#define LAPACK(name) JOIN(LAPACKE_, LETTER, name)
#define FORTRAN(name) JOIN(LETTER, name, _)

#define T float
#define R float
#define LETTER s
#define TO_REAL s
#define BY_REAL s
#define PAIR(sy, he) sy
#define SCALAR(x) x
#include BENCH_FAMILY
#undef T
#undef R
#undef LETTER
#undef TO_REAL
#undef BY_REAL

#define T double
#define R double
#define LETTER d
#define TO_REAL d
#define BY_REAL d
#include BENCH_FAMILY
#undef T
#undef R
#undef LETTER
#undef TO_REAL
#undef BY_REAL
#undef PAIR
#undef SCALAR

#define COMPLEX
#define PAIR(sy, he) he
#define SCALAR(x) &x
#define T tsl_cfloat
#define R float
#define LETTER c
#define TO_REAL sc
#define BY_REAL cs
#include BENCH_FAMILY
#undef T
#undef R
#undef LETTER
#undef TO_REAL
#undef BY_REAL

#define T tsl_cdouble
#define R double
#define LETTER z
#define TO_REAL dz
#define BY_REAL zd
#include BENCH_FAMILY
#undef T
#undef R
#undef LETTER
#undef TO_REAL
#undef BY_REAL
#undef PAIR
#undef SCALAR
#undef COMPLEX
#undef JOIN_
#undef JOIN
#undef FN
#undef CALL
#undef CBLAS
#undef LAPACK
#undef FORTRAN
#undef BENCH_FAMILY
