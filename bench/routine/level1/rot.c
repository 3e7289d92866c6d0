/* Plane rotations: rot, by a real sine srot and drot, rotm, and those that make them, rotg and rotmg. */
#ifdef T
static tsl_status FN(rot)(bench_problem *p)
{
    return CALL(rot)(p->ctx, p->c.n, DATA(0), 1, DATA(1), 1, (R)COSINE, (T)sine(p->c.type));
}

static tsl_status FN(rrot)(bench_problem *p)
{
    return JOIN(tsl_, BY_REAL, rot)(p->ctx, p->c.n, DATA(0), 1, DATA(1), 1, (R)COSINE, (R)SINE);
}

static tsl_status FN(rotg)(bench_problem *p)
{
    const T *from = first(p);
    T a = from[0], b = from[1], s = 0;
    R c = 0;
    tsl_status st = CALL(rotg)(p->ctx, &a, &b, &c, &s);
    p->out[0] = a, p->out[1] = b, p->out[2] = c, p->out[3] = s;
    return st;
}

/* Fortran's, because CBLAS has no complex one with a complex s. */
static bool FN(openblas_rot)(bench_problem *p)
{
    int n = (int)p->c.n, one = 1;
    R c = (R)COSINE;
    T s = (T)sine(p->c.type);
    FORTRAN(rot)(&n, HOST(0), &one, HOST(1), &one, &c, &s);
    return true;
}

static bool FN(openblas_rrot)(bench_problem *p)
{
    JOIN(cblas_, BY_REAL, rot)((int)p->c.n, HOST(0), 1, HOST(1), 1, (R)COSINE, (R)SINE);
    return true;
}

static bool FN(openblas_rotg)(bench_problem *p)
{
    const T *from = first(p);
    T a = from[0], b = from[1], s = 0;
    R c = 0;
    CBLAS(rotg)((void *)&a, (void *)&b, &c, (void *)&s);
    p->out[0] = a, p->out[1] = b, p->out[2] = c, p->out[3] = s;
    return true;
}

#ifndef COMPLEX
static const T FN(param)[5] = ROTM;

static tsl_status FN(rotm)(bench_problem *p) { return CALL(rotm)(p->ctx, p->c.n, DATA(0), 1, DATA(1), 1, FN(param)); }

static bool FN(openblas_rotm)(bench_problem *p)
{
    CBLAS(rotm)((int)p->c.n, HOST(0), 1, HOST(1), 1, FN(param));
    return true;
}

/* The numbers rotmg begins with, and what it leaves */
typedef struct FN(made) {
    T d1, d2, x1, y1, param[5];
} FN(made);

static FN(made) FN(begin)(const bench_problem *p)
{
    const T *from = first(p);
    return (FN(made)){
        .d1 = from[0] < 0 ? -from[0] : from[0], .d2 = from[1] < 0 ? -from[1] : from[1], .x1 = from[2], .y1 = from[3]};
}

static void FN(end)(bench_problem *p, const FN(made) *m)
{
    p->out[0] = m->d1, p->out[1] = m->d2, p->out[2] = m->x1;
    for (int i = 0; i < 5; i++)
        p->out[3 + i] = m->param[i];
}

static tsl_status FN(rotmg)(bench_problem *p)
{
    FN(made) m = FN(begin)(p);
    tsl_status st = CALL(rotmg)(p->ctx, &m.d1, &m.d2, &m.x1, m.y1, m.param);
    FN(end)(p, &m);
    return st;
}

static bool FN(openblas_rotmg)(bench_problem *p)
{
    FN(made) m = FN(begin)(p);
    CBLAS(rotmg)(&m.d1, &m.d2, &m.x1, m.y1, m.param);
    FN(end)(p, &m);
    return true;
}
#endif

#else
#include "bench/routine.h"
#include "bench/residual/vectors.h"

/* What is timed changes no lengths, so that call may follow call. */
#define COSINE 0.6
#define SINE 0.8                        /* where it is real */
#define ROTM {-1, 0.6, -0.8, 0.8, 0.6} /* flag, h11, h21, h12, h22 */

static tsl_scalar sine(tsl_type t) { return bench_is_complex(t) ? CMPLX(0.48, 0.64) : SINE; }

/* The numbers that rotg and rotmg begin with. */
static const void *first(const bench_problem *p) { return before(p, 0).data; }

typedef void rot_call(const int *n, void *x, const int *incx, void *y, const int *incy, const void *c, const void *s);
extern rot_call srot_, drot_, crot_, zrot_;

#define BENCH_FAMILY "bench/routine/level1/rot.c"
#include "bench/each_type.h"

static int shape_numbers(const bench_case *c, bench_shape *is)
{
    (void)c;
    is[0] = vector_of(4, BENCH_RANDOM);
    return 1;
}

static double eight(const bench_case *c) { return (void)c, 8.0; }

static double residual_rot(const bench_problem *p)
{
    tsl_scalar s = sine(p->c.type);
    return combined(p, (matrix2){COSINE, s, -conj(s), COSINE});
}

static double residual_rrot(const bench_problem *p) { return combined(p, (matrix2){COSINE, SINE, -SINE, COSINE}); }
static double residual_rotm(const bench_problem *p)
{
    return combined(p, (matrix2){d_param[1], d_param[3], d_param[2], d_param[4]});
}

/* out: r, z, c, s. [c s; -conj(s) c] [a; b] = [r; 0] */
static double residual_rotg(const bench_problem *p)
{
    tsl_scalar a = was(p, 0, 0), b = was(p, 0, 1), r = p->out[0], c = p->out[2], s = p->out[3];
    double error = cabs(c * a + s * b - r) + cabs(-conj(s) * a + c * b) + fabs(square(c) + square(s) - 1);
    return scaled(p, error, 1 + cabs(a) + cabs(b));
}

/* out: d1, d2, x1, and then BLAS's param, whose flag says which of H's elements it holds. H [x1; y1] = [x1'; 0], and H^T
 * diag(d1', d2') H has diag(d1, d2): the rotation is one in that measure. */
static double residual_rotmg(const bench_problem *p)
{
    double d1 = fabs(creal(was(p, 0, 0))), d2 = fabs(creal(was(p, 0, 1))), x = creal(was(p, 0, 2)), y = creal(was(p, 0, 3));
    double flag = creal(p->out[3]), h11 = creal(p->out[4]), h21 = creal(p->out[5]), h12 = creal(p->out[6]),
           h22 = creal(p->out[7]);
    if (flag == 0)
        h11 = h22 = 1;
    if (flag == 1)
        h12 = 1, h21 = -1;
    if (flag == -2)
        h11 = h22 = 1, h12 = h21 = 0;
    double e1 = creal(p->out[0]), e2 = creal(p->out[1]), size = fabs(h11 * x) + fabs(h12 * y) + fabs(h21 * x) + fabs(h22 * y);
    double off = fabs(h11 * x + h12 * y - creal(p->out[2])) + fabs(h21 * x + h22 * y);
    double sum1 = h11 * h11 * e1 + h21 * h21 * e2, sum2 = h12 * h12 * e1 + h22 * h22 * e2,
           mixed = h11 * h12 * e1 + h21 * h22 * e2;
    double measure = fabs(sum1 - d1) + fabs(sum2 - d2) + fabs(mixed);
    return scaled(p, off / size + measure / (d1 + d2), 1);
}

typedef int cublas_rotation(void *, int64_t, void *, int64_t, void *, int64_t, const void *, const void *);
typedef int cublas_modified(void *, int64_t, void *, int64_t, void *, int64_t, const void *);

static bool cublas_rot(bench_cuda *b, bench_problem *p)
{
    bench_number c = bench_number_of(bench_real(p->c.type), COSINE), s = bench_number_of(p->c.type, sine(p->c.type));
    return !((cublas_rotation *)b->f[0])(b->handle, p->c.n, DEVICE(0), 1, DEVICE(1), 1, &c, &s);
}

static bool cublas_rotm(bench_cuda *b, bench_problem *p)
{
    const void *param = p->c.type == TSL_S ? (const void *)s_param : d_param;
    return !((cublas_modified *)b->f[0])(b->handle, p->c.n, DEVICE(0), 1, DEVICE(1), 1, param);
}

#define REAL_TYPES(name) {[TSL_S] = s_##name, [TSL_D] = d_##name}

static const bench_routine routines[] = {
    {.name = "rot", .writes_all = true, ON_VECTORS(shape_two, four_times), .typed = TYPES(rot), .residual = residual_rot,
     .openblas = TYPES(openblas_rot), .cublas = {CUBLAS(rot, rot), cublas_rot}},
    {.name = "srot", .types = "c", .writes_all = true, ON_VECTORS(shape_two, four_times), .typed = TYPES(rrot),
     .residual = residual_rrot,
     .openblas = TYPES(openblas_rrot)},
    {.name = "drot", .types = "z", .writes_all = true, ON_VECTORS(shape_two, four_times), .typed = TYPES(rrot),
     .residual = residual_rrot,
     .openblas = TYPES(openblas_rrot)},
    {.name = "rotm", .types = "sd", .writes_all = true, ON_VECTORS(shape_two, four_times), .typed = REAL_TYPES(rotm),
     .residual = residual_rotm,
     .openblas = REAL_TYPES(openblas_rotm), .cublas = {CUBLAS(rotm, rotm), cublas_rotm}},
    {.name = "rotg", .sizes = "", BY_BYTES(shape_numbers, eight), .typed = TYPES(rotg), .residual = residual_rotg,
     .openblas = TYPES(openblas_rotg)},
    {.name = "rotmg", .types = "sd", .sizes = "", BY_BYTES(shape_numbers, eight), .typed = REAL_TYPES(rotmg),
     .residual = residual_rotmg,
     .openblas = REAL_TYPES(openblas_rotmg)},
};

const bench_family bench_rot = FAMILY(routines);
#endif
