/* OpenBLAS on level 1, norms and the rest of level 2. */
#include <cblas.h>
#include <lapacke.h>
#include <string.h>

#include "bench/rival.h"
#include "bench/rotation.h"

typedef void rot_call(const int *n, void *x, const int *incx, void *y, const int *incy, const void *c, const void *s);
extern rot_call srot_, drot_, crot_, zrot_;

#define DATA(i) bench_data(p, i, BENCH_HOST)
#define LD(i) (int)bench_ld(p, i, BENCH_HOST)
#define FIRST(i) ((const void *)((const char *)p->a[i].first + (size_t)(p->a[i].row0 + p->a[i].col0 * p->a[i].ld) * sizeof(T)))
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)

static CBLAS_UPLO uplo_of(const bench_problem *p) { return p->c.flag[BENCH_UPLO] == 'L' ? CblasLower : CblasUpper; }
static CBLAS_DIAG diag_of(const bench_problem *p) { return p->c.flag[BENCH_DIAG] == 'U' ? CblasUnit : CblasNonUnit; }

static CBLAS_TRANSPOSE trans_of(const bench_problem *p)
{
    char letter = p->c.flag[BENCH_TRANS];
    return letter == 'N' ? CblasNoTrans : letter == 'T' ? CblasTrans : CblasConjTrans;
}

#define T float
#define R float
#define FN(name) s_##name
#define CALL(name) JOIN(cblas_s, name)
#define REAL(name) cblas_s##name
#define INDEX(name) cblas_is##name
#define LAPACK(name) JOIN(LAPACKE_s, name)
#define FORTRAN(name) s##name##_
#define SCALAR(x) x
#define PAIR(sy, he) sy
#include "bench/openblas_vectors.inc"

#define T double
#define R double
#define FN(name) d_##name
#define CALL(name) JOIN(cblas_d, name)
#define REAL(name) cblas_d##name
#define INDEX(name) cblas_id##name
#define LAPACK(name) JOIN(LAPACKE_d, name)
#define FORTRAN(name) d##name##_
#define SCALAR(x) x
#define PAIR(sy, he) sy
#include "bench/openblas_vectors.inc"

#define T tsl_cfloat
#define R float
#define FN(name) c_##name
#define CALL(name) JOIN(cblas_c, name)
#define REAL(name) cblas_sc##name
#define INDEX(name) cblas_ic##name
#define LAPACK(name) JOIN(LAPACKE_c, name)
#define FORTRAN(name) c##name##_
#define SCALAR(x) &x
#define PAIR(sy, he) he
#define BY_REAL(name) s##name
#define COMPLEX
#include "bench/openblas_vectors.inc"

#define T tsl_cdouble
#define R double
#define FN(name) z_##name
#define CALL(name) JOIN(cblas_z, name)
#define REAL(name) cblas_dz##name
#define INDEX(name) cblas_iz##name
#define LAPACK(name) JOIN(LAPACKE_z, name)
#define FORTRAN(name) z##name##_
#define SCALAR(x) &x
#define PAIR(sy, he) he
#define BY_REAL(name) d##name
#define COMPLEX
#include "bench/openblas_vectors.inc"

#define c_rotm NULL
#define z_rotm NULL
#define c_rotmg NULL
#define z_rotmg NULL

bool bench_openblas_vectors(bench_problem *p)
{
    static const struct {
        const char *name;
        bool (*call[4])(bench_problem *p); /* by tsl_type */
    } calls[] = {
#define ENTRY(name) {#name, {s_##name, d_##name, c_##name, z_##name}},
        BENCH_VECTORS(ENTRY)
#undef ENTRY
    };
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (!strcmp(calls[i].name, bench_as(p->routine)))
            return calls[i].call[p->c.type](p);
    return false;
}
