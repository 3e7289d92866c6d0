/* Level 1, norms, and the rest of level 2 through the typed calls. */
#include "bench/rotation.h"

#define DATA(i) bench_data(p, i, p->place)
#define LD(i) bench_ld(p, i, p->place)
#define FIRST(i) ((const void *)((const char *)p->a[i].first + (size_t)(p->a[i].row0 + p->a[i].col0 * p->a[i].ld) * sizeof(T)))
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)

#define T float
#define R float
#define FN(name) s_##name
#define CALL(name) JOIN(tsl_s, name)
#define REAL(name) tsl_s##name
#define INDEX(name) tsl_is##name
#define PAIR(sy, he) sy
#include "bench/vector_calls.inc"

#define T double
#define R double
#define FN(name) d_##name
#define CALL(name) JOIN(tsl_d, name)
#define REAL(name) tsl_d##name
#define INDEX(name) tsl_id##name
#define PAIR(sy, he) sy
#include "bench/vector_calls.inc"

#define T tsl_cfloat
#define R float
#define FN(name) c_##name
#define CALL(name) JOIN(tsl_c, name)
#define REAL(name) tsl_sc##name
#define INDEX(name) tsl_ic##name
#define PAIR(sy, he) he
#define BY_REAL(name) s##name
#define COMPLEX
#include "bench/vector_calls.inc"

#define T tsl_cdouble
#define R double
#define FN(name) z_##name
#define CALL(name) JOIN(tsl_z, name)
#define REAL(name) tsl_dz##name
#define INDEX(name) tsl_iz##name
#define PAIR(sy, he) he
#define BY_REAL(name) d##name
#define COMPLEX
#include "bench/vector_calls.inc"

#define ENTRY(name) const bench_call bench_typed_##name[4] = {s_##name, d_##name, c_##name, z_##name};
BENCH_VECTORS(ENTRY)
