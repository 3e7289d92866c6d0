/* Norms of matrices: lange, lansy, lanhe, lantr. */
#ifdef T
static tsl_status FN(lange)(bench_problem *p)
{
    R result = 0;
    tsl_status st = CALL(lange)(p->ctx, FLAG(NORM), p->c.m, p->c.n, DATA(0), LD(0), &result);
    p->out[0] = result;
    return st;
}

static tsl_status FN(of_order)(bench_problem *p, typeof(&CALL(lansy)) call)
{
    R result = 0;
    tsl_status st = call(p->ctx, FLAG(NORM), FLAG(UPLO), p->c.n, DATA(0), LD(0), &result);
    p->out[0] = result;
    return st;
}

static tsl_status FN(lansy)(bench_problem *p) { return FN(of_order)(p, CALL(lansy)); }
static tsl_status FN(lanhe)(bench_problem *p) { return FN(of_order)(p, CALL(PAIR(lansy, lanhe))); }

static tsl_status FN(lantr)(bench_problem *p)
{
    R result = 0;
    tsl_status st = CALL(lantr)(p->ctx, FLAG(NORM), FLAG(UPLO), FLAG(DIAG), p->c.m, p->c.n, DATA(0), LD(0), &result);
    p->out[0] = result;
    return st;
}

static bool FN(openblas_lange)(bench_problem *p)
{
    p->out[0] = LAPACK(lange)(LAPACK_COL_MAJOR, FLAG(NORM), (int)p->c.m, (int)p->c.n, HOST(0), HOST_LD(0));
    return true;
}

static bool FN(openblas_lansy)(bench_problem *p)
{
    p->out[0] = LAPACK(lansy)(LAPACK_COL_MAJOR, FLAG(NORM), FLAG(UPLO), (int)p->c.n, HOST(0), HOST_LD(0));
    return true;
}

static bool FN(openblas_lanhe)(bench_problem *p)
{
    p->out[0] = LAPACK(PAIR(lansy, lanhe))(LAPACK_COL_MAJOR, FLAG(NORM), FLAG(UPLO), (int)p->c.n, HOST(0), HOST_LD(0));
    return true;
}

static bool FN(openblas_lantr)(bench_problem *p)
{
    p->out[0] =
        LAPACK(lantr)(LAPACK_COL_MAJOR, FLAG(NORM), FLAG(UPLO), FLAG(DIAG), (int)p->c.m, (int)p->c.n, HOST(0), HOST_LD(0));
    return true;
}

#else
#include "bench/routine.h"
#include "bench/residual/vectors.h"

#define BENCH_FAMILY "bench/routine/lu/norm.c"
#include "bench/each_type.h"

static int shape_lange(const bench_case *c, bench_shape *is)
{
    is[0] = matrix_of(c->m, c->n, BENCH_RANDOM);
    return 1;
}

static int shape_lantr(const bench_case *c, bench_shape *is)
{
    is[0] = triangle_of(c, c->n, BENCH_RANDOM);
    is[0].rows = c->m;
    return 1;
}

static int shape_lansy(const bench_case *c, bench_shape *is)
{
    is[0] = triangle_of(c, c->n, BENCH_RANDOM);
    return 1;
}

static double elements_lange(const bench_case *c) { return 1.0 * c->m * c->n; }
static double elements_lansy(const bench_case *c) { return half_of(c->n); }

static double elements_lantr(const bench_case *c) /* the trapezoid */
{
    double d = c->m < c->n ? c->m : c->n;
    return c->flag[BENCH_UPLO] == 'L' ? d * c->m - d * (d - 1) / 2 : d * c->n - d * (d - 1) / 2;
}

/* The element a norm sees: of a symmetric matrix both triangles, of a Hermitian one a real diagonal. */
static double modulus(const bench_problem *p, bool whole, bool hermitian, int64_t i, int64_t j)
{
    const bench_array *a = &p->a[0];
    bool inside = referenced(a, i, j);
    if (!inside && !whole)
        return 0;
    if (i == j && a->is.diag == TSL_UNIT)
        return 1;
    tsl_scalar v = inside ? stored(a, a->first, i, j) : stored(a, a->first, j, i);
    return hermitian && i == j ? fabs(creal(v)) : cabs(v);
}

static double residual(const bench_problem *p, bool whole, bool hermitian)
{
    char kind = p->c.flag[BENCH_NORM];
    int64_t rows = p->a[0].is.rows, cols = p->a[0].is.cols, outer = kind == 'I' ? rows : cols,
            inner = kind == 'I' ? cols : rows;
    double most = 0;
    for (int64_t o = 0; o < outer; o++) {
        double sum = 0;
        for (int64_t i = 0; i < inner; i++) {
            double v = kind == 'I' ? modulus(p, whole, hermitian, o, i) : modulus(p, whole, hermitian, i, o);
            sum = kind == 'M' ? fmax(sum, v) : kind == 'F' ? sum + v * v : sum + v;
        }
        most = kind == 'F' ? most + sum : fmax(most, sum);
    }
    double terms = kind == 'M'   ? 1
                   : kind == 'F' ? (double)rows * (double)cols
                                 : (double)inner,
           value = kind == 'F' ? sqrt(most) : most;
    return scaled(p, cabs(p->out[0] - value), value * sqrt(terms));
}

static double residual_as_stored(const bench_problem *p) { return residual(p, false, false); }
static double residual_lansy(const bench_problem *p) { return residual(p, true, false); }
static double residual_lanhe(const bench_problem *p) { return residual(p, true, true); }

#define KIND [BENCH_NORM] = "M1IF"

static const bench_routine routines[] = {
    {.name = "lange", .sizes = "mn", .flags = FLAGS(KIND), BY_BYTES(shape_lange, elements_lange), .typed = TYPES(lange),
     .residual = residual_as_stored, .openblas = TYPES(openblas_lange)},
    {.name = "lansy", .sizes = "n", .flags = FLAGS(KIND, [BENCH_UPLO] = "LU"), BY_BYTES(shape_lansy, elements_lansy),
     .typed = TYPES(lansy),
     .residual = residual_lansy, .openblas = TYPES(openblas_lansy)},
    {.name = "lanhe", .types = "cz", .sizes = "n", .flags = FLAGS(KIND, [BENCH_UPLO] = "LU"), BY_BYTES(shape_lansy, elements_lansy),
     .typed = TYPES(lanhe), .residual = residual_lanhe, .openblas = TYPES(openblas_lanhe)},
    {.name = "lantr", .sizes = "mn", .flags = FLAGS(KIND, [BENCH_UPLO] = "LU", [BENCH_DIAG] = "NU"),
     BY_BYTES(shape_lantr, elements_lantr),
     .typed = TYPES(lantr), .residual = residual_as_stored, .openblas = TYPES(openblas_lantr)},
};

const bench_family bench_norm = FAMILY(routines);
#endif
