/* Singular values and vectors: gesvd (by the library's own choice), with as many vectors as there are values, or none; gesvdp
 * and gesvdj are the same beside other drivers of cuSOLVER's. Vectors are unique only where they are well determined: residuals
 * are all there is. */
#ifdef T
static tsl_status FN(gesvd)(bench_problem *p)
{
    return CALL(gesdd)(p->ctx, letter(p), p->c.m, p->c.n, DATA(3), LD(3), DATA(0), DATA(1), LD(1), DATA(2), LD(2), NULL);
}

/* LAPACK's workspace: a first call with a length of -1 says what it needs. */
static lapack_int FN(gesdd)(bench_problem *p, T *work, lapack_int length, R *real, lapack_int *whole)
{
    (void)real;
    return LAPACK(gesdd_work)(LAPACK_COL_MAJOR, letter(p), (lapack_int)p->c.m, (lapack_int)p->c.n, HOST(3), HOST_LD(3), HOST(0), HOST(1), HOST_LD(1), HOST(2),
                              HOST_LD(2), work, length,
#ifdef COMPLEX
                              real,
#endif
                              whole);
}

static bool FN(openblas_gesvd)(bench_problem *p)
{
    T asked = 0;
    R real = 0;
    size_t d = (size_t)fewest(&p->c), x = (size_t)(p->c.m + p->c.n) - d;
    lapack_int *whole = bench_room_for(&bench_openblas_indices, 8 * (d + 1) * sizeof *whole);
    if (!whole || FN(gesdd)(p, &asked, -1, &real, whole))
        return false;
    lapack_int length = (lapack_int)(creal((tsl_scalar)asked) * (1 + 1e-6)) + 1;
    /* reals of complex types */
    T *work = bench_room_for(&bench_openblas_work, (size_t)length * sizeof *work + (d * (7 * d + 7) + 2 * x * d + 1) * sizeof(R));
    return work && FN(gesdd)(p, work, length, (R *)(void *)(work + length), whole) == 0;
}

#else
#include "bench/routine.h"

static bool vectors(const bench_case *c) { return c->flag[BENCH_JOBZ] != 'N'; }
static char letter(const bench_problem *p) { return vectors(&p->c) ? 'S' : 'N'; }
static int64_t fewest(const bench_case *c) { return c->m < c->n ? c->m : c->n; }

#define BENCH_FAMILY "bench/routine/svd/svd.c"
#include "bench/each_type.h"

/* s, U, VT, and A, which is overwritten */
static int shape_gesvd(const bench_case *c, bench_shape *is)
{
    int64_t d = fewest(c), wanted = vectors(c) ? d : 0;
    is[0] = vector_of(d, BENCH_NOT_READ);
    is[0].real = true;
    is[1] = matrix_of(wanted ? c->m : 0, wanted, BENCH_NOT_READ);
    is[2] = matrix_of(wanted, wanted ? c->n : 0, BENCH_NOT_READ);
    is[3] = matrix_of(c->m, c->n, BENCH_RANDOM);
    return 4;
}

static double elements_gesvd(const bench_case *c)
{
    double m = (double)c->m, n = (double)c->n;
    return m * n + (vectors(c) ? (m + n) * (double)fewest(c) : 0);
}

/* As Golub and Van Loan count: to bidiagonal form; with vectors, of a tall matrix by QR first */
static double flops_gesvd(const bench_case *c)
{
    double d = (double)fewest(c), x = (double)(c->m > c->n ? c->m : c->n);
    return vectors(c) ? 6 * x * d * d + 20 * d * d * d : 4 * x * d * d - d * d * d * 4 / 3;
}

static tsl_status views_gesvd(bench_problem *p)
{
    tsl_view none = {0};
    bool both = vectors(&p->c);
    return tsl_gesvd(p->ctx, bench_view(p, 3, 'N'), TSL_SVD_AUTO, bench_view(p, 0, 'N'), both ? bench_view(p, 1, 'N') : none, both ? bench_view(p, 2, 'N') : none, NULL);
}

static double value(const bench_array *a, int64_t i) { return creal(stored(a, a->work, i, 0)); }
static bench_block now(const bench_problem *p, int operand) { return block(&p->a[operand], p->a[operand].work); }

/* A x - U S VT x */
static double product(const bench_problem *p)
{
    scratch s = {.e = &bench_elements_of[p->c.type]};
    bench_block A = before(p, 3);
    int64_t d = fewest(&p->c), parts = s.e->parts;
    double *x = random_vector(&s, A.cols), *r = times(&s, A, TSL_NOTRANS, x), *y = times(&s, now(p, 2), TSL_NOTRANS, x);
    for (int64_t i = 0; i < d * parts && !s.failed; i++)
        y[i] *= value(&p->a[0], i / parts);
    minus(&s, 1, times(&s, now(p, 1), TSL_NOTRANS, y), r, A.rows, 1, 1);
    return finish(&s, p, r, A.rows, x, A.cols, (double)(A.rows > A.cols ? A.rows : A.cols) * frobenius(&s, A));
}

/* Of values alone: they descend, none is negative, and the sum of their squares is the square of A's norm. */
static double squares(const bench_problem *p)
{
    scratch s = {.e = &bench_elements_of[p->c.type]};
    int64_t d = fewest(&p->c);
    double size = frobenius(&s, before(p, 3)), sum = 0;
    for (int64_t i = 0; i < d; i++) {
        if (!(value(&p->a[0], i) >= (i + 1 < d ? value(&p->a[0], i + 1) : 0)))
            return INFINITY;
        sum += value(&p->a[0], i) * value(&p->a[0], i);
    }
    return d == 0 ? 0 : fabs(sum - size * size) / (size * size * (double)d * tsl_type_eps(p->c.type));
}

static double residual_gesvd(const bench_problem *p)
{
    if (!vectors(&p->c) || fewest(&p->c) == 0)
        return squares(p);
    return bench_worse(product(p), bench_worse(orthonormal(p, now(p, 1), false), orthonormal(p, now(p, 2), true)));
}

typedef int svd_size(void *, void *, signed char, signed char, int64_t, int64_t, int, const void *, int64_t, int, const void *, int, const void *, int64_t, int,
                     const void *, int64_t, int, size_t *, size_t *);
typedef int svd_call(void *, void *, signed char, signed char, int64_t, int64_t, int, void *, int64_t, int, void *, int, void *, int64_t, int, void *, int64_t, int,
                     void *, size_t, void *, size_t, void *);
typedef int polar_size(void *, void *, int, int, int64_t, int64_t, int, const void *, int64_t, int, const void *, int, const void *, int64_t, int, const void *, int64_t,
                       int, size_t *, size_t *);
typedef int polar_call(void *, void *, int, int, int64_t, int64_t, int, void *, int64_t, int, void *, int, void *, int64_t, int, void *, int64_t, int, void *, size_t,
                       void *, size_t, void *, double *);

static int cuda_real(const bench_problem *p) { return bench_real(p->c.type) == TSL_S ? CUDA_FLOAT : CUDA_DOUBLE; }
/* Vectors that are not wanted have no columns, but what cuSOLVER takes for one must be as long as they would be. */
static int64_t at_least(int64_t ld, int64_t rows) { return ld > rows ? ld : rows; }
#define FACTORS_IN(t, U, V) t, DEVICE(3), DEVICE_LD(3), cuda_real(p), DEVICE(0), t, U, at_least(DEVICE_LD(1), p->c.m), t, V, at_least(DEVICE_LD(2), p->c.n), t
#define FACTORS_OF(t) FACTORS_IN(t, DEVICE(1), DEVICE(2))

/* No matrix with more columns than rows */
static bool cusolver_gesvd_size(bench_cuda *s, bench_problem *p)
{
    int t = cuda_type(p);
    return p->c.m >= p->c.n && !((svd_size *)s->f[0])(s->handle, s->params, letter(p), letter(p), p->c.m, p->c.n, FACTORS_OF(t), &s->device_bytes, &s->host_bytes);
}

static bool cusolver_gesvd(bench_cuda *s, bench_problem *p)
{
    int t = cuda_type(p);
    return !((svd_call *)s->f[1])(s->handle, s->params, letter(p), letter(p), p->c.m, p->c.n, FACTORS_OF(t), s->device, s->device_bytes, s->host, s->host_bytes, s->info);
}

/* gesvdp and gesvdj write vectors that are not wanted, too: they have room after the workspace, whose size this makes whole
 * lines. */
typedef struct factors {
    void *U, *V;
    size_t work; /* bytes that are left */
} factors;

static size_t bytes_of(const bench_problem *p, int64_t rows) { return vectors(&p->c) ? 0 : (size_t)rows * (size_t)p->c.n * tsl_type_size(p->c.type); }
static size_t with_room(const bench_problem *p, size_t bytes) { return (bytes + 255) / 256 * 256 + bytes_of(p, p->c.m) + bytes_of(p, p->c.n); }

static factors factors_of(const bench_cuda *s, const bench_problem *p)
{
    size_t left = bytes_of(p, p->c.m), work = s->device_bytes - left - bytes_of(p, p->c.n);
    if (vectors(&p->c))
        return (factors){DEVICE(1), DEVICE(2), work};
    return (factors){(char *)s->device + work, (char *)s->device + work + left, work};
}

static bool cusolver_gesvdp_size(bench_cuda *s, bench_problem *p)
{
    int t = cuda_type(p);
    bool done = p->c.m >= p->c.n && !((polar_size *)s->f[0])(s->handle, s->params, vectors(&p->c) ? CUDA_VECTORS : CUDA_VALUES, 1, p->c.m, p->c.n, FACTORS_OF(t),
                                                             &s->device_bytes, &s->host_bytes);
    s->device_bytes = with_room(p, s->device_bytes);
    return done;
}

static bool cusolver_gesvdp(bench_cuda *s, bench_problem *p)
{
    int t = cuda_type(p);
    double off = 0;
    factors to = factors_of(s, p);
    return !((polar_call *)s->f[1])(s->handle, s->params, vectors(&p->c) ? CUDA_VECTORS : CUDA_VALUES, 1, p->c.m, p->c.n, FACTORS_IN(t, to.U, to.V), s->device, to.work,
                                    s->host, s->host_bytes, s->info, &off);
}

/* It leaves V, not V^H, which is square. */
static bool cusolver_gesvdp_finish(bench_cuda *s, bench_problem *p)
{
    (void)s;
    tsl_matrix *V = NULL;
    if (!vectors(&p->c))
        return true;
    tsl_status st = tsl_matrix_create(p->ctx, p->c.type, p->c.n, p->c.n, &V);
    if (!st)
        st = tsl_copy(p->ctx, bench_view(p, 2, 'N'), tsl_whole(V));
    if (!st)
        st = tsl_copy(p->ctx, tsl_herm(tsl_whole(V)), bench_view(p, 2, 'N'));
    tsl_matrix_free(V);
    return !st;
}

/* By Jacobi's method: it leaves V too. */
typedef int jacobi_size(void *, int, int, int, int, const void *, int, const void *, const void *, int, const void *, int, int *, void *);
typedef int jacobi_call(void *, int, int, int, int, void *, int, void *, void *, int, void *, int, void *, int, void *, void *);
typedef int jacobi_params(void **);
#define JACOBI_IN(U, V) DEVICE(3), (int)DEVICE_LD(3), DEVICE(0), U, (int)at_least(DEVICE_LD(1), p->c.m), V, (int)at_least(DEVICE_LD(2), p->c.n)

static void *jacobi(bench_cuda *s)
{
    static void *params; /* as it is made: to full accuracy */
    return params || !((jacobi_params *)s->f[2])(&params) ? params : NULL;
}

static bool cusolver_gesvdj_size(bench_cuda *s, bench_problem *p)
{
    int length = 0;
    bool done = p->c.m >= p->c.n && jacobi(s) &&
                !((jacobi_size *)s->f[0])(s->handle, vectors(&p->c) ? CUDA_VECTORS : CUDA_VALUES, 1, (int)p->c.m, (int)p->c.n, JACOBI_IN(DEVICE(1), DEVICE(2)), &length, jacobi(s));
    s->device_bytes = with_room(p, (size_t)length * tsl_type_size(p->c.type));
    s->host_bytes = 0;
    return done;
}

static bool cusolver_gesvdj(bench_cuda *s, bench_problem *p)
{
    factors to = factors_of(s, p);
    return !((jacobi_call *)s->f[1])(s->handle, vectors(&p->c) ? CUDA_VECTORS : CUDA_VALUES, 1, (int)p->c.m, (int)p->c.n, JACOBI_IN(to.U, to.V), s->device,
                                     (int)(to.work / tsl_type_size(p->c.type)), s->info, jacobi(s));
}

#define SVD(jobs) .operation = "gesvd", .sizes = "mn", .alpha = 1, .writes_all = true, .flags = FLAGS([BENCH_JOBZ] = jobs), .shape = shape_gesvd, \
    .elements = elements_gesvd, .flops = flops_gesvd, .typed = TYPES(gesvd), .residual = residual_gesvd, .openblas = TYPES(openblas_gesvd)

static const bench_routine routines[] = {
    {.name = "gesvd", SVD("VN"), .views = views_gesvd, .cusolver = {CUSOLVER("cusolverDnXgesvd_bufferSize", "cusolverDnXgesvd"), cusolver_gesvd, cusolver_gesvd_size}},
    {.name = "gesvdp", SVD("VN"),
     .cusolver = {CUSOLVER("cusolverDnXgesvdp_bufferSize", "cusolverDnXgesvdp"), cusolver_gesvdp, cusolver_gesvdp_size, NULL, cusolver_gesvdp_finish}},
    {.name = "gesvdj", SVD("VN"),
     .cusolver = {CUSOLVER("cusolverDn?gesvdj_bufferSize", "cusolverDn?gesvdj", "cusolverDnCreateGesvdjInfo"), cusolver_gesvdj, cusolver_gesvdj_size, NULL, cusolver_gesvdp_finish}},
};

const bench_family bench_svd = FAMILY(routines);
#endif
