/* The symmetric eigenproblem: syev, syevr (k pairs, the lowest), sygv and their Hermitian kin; stedc and sterf, of tridiagonal
 * matrices. Vectors are unique only where they are well determined: residuals are all there is. */
#ifdef T
static tsl_status FN(syev)(bench_problem *p)
{
    return CALL(PAIR(syev, heev))(p->ctx, FLAG(JOBZ), FLAG(UPLO), p->c.n, DATA(1), LD(1), DATA(0), NULL);
}

static tsl_status FN(syevr)(bench_problem *p)
{
    int64_t m = 0;
    return CALL(PAIR(syevr, heevr))(p->ctx, 'V', 'I', FLAG(UPLO), p->c.n, DATA(1), LD(1), 0, 0, 1, wanted(&p->c), 0, &m, DATA(0), DATA(2), LD(2), NULL,
                                    NULL);
}

static tsl_status FN(sygv)(bench_problem *p)
{
    return CALL(PAIR(sygv, hegv))(p->ctx, 1, 'V', FLAG(UPLO), p->c.n, DATA(2), LD(2), DATA(1), LD(1), DATA(0), NULL);
}

static tsl_status FN(stedc)(bench_problem *p) { return CALL(stedc)(p->ctx, 'I', p->c.n, DATA(0), DATA(1), DATA(2), LD(2), NULL); }

#ifndef COMPLEX
static tsl_status FN(sterf)(bench_problem *p) { return CALL(sterf)(p->ctx, p->c.n, DATA(1), DATA(0), NULL); }
static bool FN(openblas_sterf)(bench_problem *p) { return LAPACK(sterf_work)((lapack_int)p->c.n, HOST(1), HOST(0)) == 0; }
#endif

/* LAPACK's workspace: a first call with lengths of -1 says what it needs. */
typedef struct FN(space) {
    T *work, asked;
    R *rwork, rasked;
    lapack_int *iwork, iasked, lwork, lrwork, liwork;
} FN(space);
#ifdef COMPLEX
#define SPACE s->work, s->lwork, s->rwork, s->lrwork, s->iwork, s->liwork
#else
#define SPACE s->work, s->lwork, s->iwork, s->liwork
#endif

static bool FN(openblas_by)(bench_problem *p, lapack_int (*call)(bench_problem *, FN(space) *))
{
    FN(space) s = {.lwork = -1, .lrwork = -1, .liwork = -1};
    s.work = &s.asked, s.rwork = &s.rasked, s.iwork = &s.iasked;
    if (call(p, &s))
        return false;
    s.lwork = (lapack_int)creal((tsl_scalar)s.asked), s.lrwork = (lapack_int)s.rasked, s.liwork = s.iasked;
    s.work = bench_room_for(&bench_openblas_work, (size_t)s.lwork * sizeof(T) + (size_t)s.lrwork * sizeof(R));
    s.iwork = bench_room_for(&bench_openblas_indices, ((size_t)s.liwork + 2 * (size_t)p->c.n) * sizeof(lapack_int));
    s.rwork = (R *)(void *)(s.work + s.lwork);
    return s.work && s.iwork && call(p, &s) == 0;
}

static lapack_int FN(syevd)(bench_problem *p, FN(space) *s)
{
    return LAPACK(PAIR(syevd_work, heevd_work))(LAPACK_COL_MAJOR, FLAG(JOBZ), FLAG(UPLO), (lapack_int)p->c.n, HOST(1), HOST_LD(1), HOST(0), SPACE);
}

static lapack_int FN(some)(bench_problem *p, FN(space) *s)
{
    lapack_int m = 0;
    return LAPACK(PAIR(syevr_work, heevr_work))(LAPACK_COL_MAJOR, 'V', 'I', FLAG(UPLO), (lapack_int)p->c.n, HOST(1), HOST_LD(1), 0, 0, 1,
                                                (lapack_int)wanted(&p->c), 0, &m, HOST(0), HOST(2), HOST_LD(2), s->iwork + (s->liwork > 0 ? s->liwork : 0), SPACE);
}

static lapack_int FN(sygvd)(bench_problem *p, FN(space) *s)
{
    return LAPACK(PAIR(sygvd_work, hegvd_work))(LAPACK_COL_MAJOR, 1, 'V', FLAG(UPLO), (lapack_int)p->c.n, HOST(2), HOST_LD(2), HOST(1), HOST_LD(1), HOST(0),
                                                SPACE);
}

static lapack_int FN(divide)(bench_problem *p, FN(space) *s)
{
    return LAPACK(stedc_work)(LAPACK_COL_MAJOR, 'I', (lapack_int)p->c.n, HOST(0), HOST(1), HOST(2), HOST_LD(2), SPACE);
}

static bool FN(openblas_syev)(bench_problem *p) { return FN(openblas_by)(p, FN(syevd)); }
static bool FN(openblas_syevr)(bench_problem *p) { return FN(openblas_by)(p, FN(some)); }
static bool FN(openblas_sygv)(bench_problem *p) { return FN(openblas_by)(p, FN(sygvd)); }
static bool FN(openblas_stedc)(bench_problem *p) { return FN(openblas_by)(p, FN(divide)); }
#undef SPACE

#else
#include "bench/routine.h"
#include "tesela_grid.h"

/* Of syevr: the pairs that are wanted */
static int64_t wanted(const bench_case *c) { return c->k < 1 ? c->n > 0 : c->k < c->n ? c->k : c->n; }

#define BENCH_FAMILY "bench/routine/eig/eig.c"
#include "bench/each_type.h"

static bench_shape real_vector(int64_t n, bench_fill fill)
{
    bench_shape is = vector_of(n, fill);
    is.real = true;
    return is;
}

/* Eigenvalues, then A, of which a triangle is read and all is written */
static int shape_syev(const bench_case *c, bench_shape *is)
{
    is[0] = real_vector(c->n, BENCH_NOT_READ);
    is[1] = matrix_of(c->n, c->n, BENCH_RANDOM);
    return 2;
}

static int shape_syevr(const bench_case *c, bench_shape *is)
{
    is[2] = matrix_of(c->n, wanted(c), BENCH_NOT_READ);
    return 1 + shape_syev(c, is);
}

static int shape_sygv(const bench_case *c, bench_shape *is)
{
    is[2] = matrix_of(c->n, c->n, BENCH_RANDOM);
    is[0] = real_vector(c->n, BENCH_NOT_READ);
    is[1] = triangle_of(c, c->n, BENCH_POSITIVE);
    return 3;
}

static int shape_stedc(const bench_case *c, bench_shape *is)
{
    is[0] = real_vector(c->n, BENCH_RANDOM);
    is[1] = real_vector(c->n ? c->n - 1 : 0, BENCH_RANDOM);
    is[2] = matrix_of(c->n, c->n, BENCH_NOT_READ);
    return 3;
}

static int shape_sterf(const bench_case *c, bench_shape *is)
{
    is[0] = vector_of(c->n ? c->n - 1 : 0, BENCH_RANDOM);
    is[1] = vector_of(c->n, BENCH_RANDOM);
    return 2;
}

/* which syev alone has: of others values alone would not be checked */
static bool vectors(const bench_case *c) { return c->flag[BENCH_JOBZ] != 'N'; }
static double elements_syev(const bench_case *c) { return half_of(c->n) + (vectors(c) ? (double)c->n * (double)c->n : 0); }
static double elements_syevr(const bench_case *c) { return half_of(c->n) + (double)c->n * (double)wanted(c); }
static double elements_sygv(const bench_case *c) { return elements_syev(c) + 2 * half_of(c->n); }
static double elements_stedc(const bench_case *c) { return (double)c->n * (double)c->n; }
static double elements_sterf(const bench_case *c) { return 3 * (double)c->n; }

/* The reduction; for vectors the tridiagonal problem, at most, and the way back. Of two matrices Cholesky, sygst and a solution
 * with the factor too. */
static double work_of(const bench_case *c, double pairs)
{
    double n = (double)c->n;
    return n * n * n * 4 / 3 + (vectors(c) ? n * n * n * 4 / 3 + 2 * n * n * pairs : 0);
}

static double flops_syev(const bench_case *c) { return work_of(c, (double)c->n); }
static double flops_syevr(const bench_case *c) { return work_of(c, (double)wanted(c)); }
static double flops_sygv(const bench_case *c)
{
    double n = (double)c->n;
    return flops_syev(c) + n * n * n * 7 / 3;
}

static tsl_view triangle(const bench_problem *p, int operand)
{
    tsl_view A = bench_view(p, operand, 'N');
    return FLAG(UPLO) == 'L' ? tsl_lower(A) : tsl_upper(A);
}

/* Room for as much as an operand, distributed as that is */
static tsl_status room_like(const bench_problem *p, int operand, tsl_matrix **V)
{
    tsl_layout as;
    if (p->a[operand].device && !tsl_matrix_layout(p->a[operand].device, &as))
        return tsl_matrix_create_on(p->ctx, &as, p->c.type, p->c.n, p->c.n, V);
    return tsl_matrix_create(p->ctx, p->c.type, p->c.n, p->c.n, V);
}

/* Vectors to a place of their own, and where the typed call has them */
static tsl_status views_syev(bench_problem *p)
{
    tsl_matrix *V = NULL;
    tsl_view A = bench_view(p, 1, 'N'), w = bench_view(p, 0, 'N');
    if (!vectors(&p->c))
        return tsl_syev(p->ctx, triangle(p, 1), NULL, w, (tsl_view){0}, NULL, NULL);
    tsl_status st = room_like(p, 1, &V);
    if (!st)
        st = tsl_syev(p->ctx, triangle(p, 1), NULL, w, tsl_whole(V), NULL, NULL);
    if (!st)
        st = tsl_copy(p->ctx, tsl_whole(V), A);
    tsl_matrix_free(V);
    return st;
}

static tsl_status views_syevr(bench_problem *p)
{
    tsl_selection some = {.range = TSL_RANGE_INDEX, .il = 1, .iu = wanted(&p->c)};
    return tsl_syev(p->ctx, triangle(p, 1), &some, bench_view(p, 0, 'N'), out(p), NULL, NULL);
}

static double value(const bench_array *a, const void *base, int64_t i) { return creal(stored(a, base, i, 0)); }

/* A new vector diag(l) x */
static double *scaled(scratch *s, const bench_array *l, const double *x, int64_t length)
{
    int64_t parts = s->e->parts;
    double *y = zeros(s, length);
    for (int64_t i = 0; i < length * parts && !s->failed; i++)
        y[i] = value(l, l->work, i / parts) * x[i];
    return y;
}

/* The triangle that is meant, of an operand as it was */
static bench_block half(const bench_problem *p, int operand)
{
    bench_block A = before(p, operand);
    A.part = FLAG(UPLO) == 'L' ? TSL_LOWER : TSL_UPPER;
    return A;
}

/* V^H V - I, or with B V^H B V - I */
static double orthogonal(const bench_problem *p, bench_block V, const bench_block *B)
{
    scratch s = {.e = &bench_elements_of[p->c.type]};
    double *x = random_vector(&s, V.cols), *y = times(&s, V, TSL_NOTRANS, x);
    if (B)
        y = whole_times(&s, *B, adjoint(p), TSL_NOTRANS, y);
    double *r = times(&s, V, adjoint(p), y);
    minus(&s, 1, x, r, V.cols, 1, 1);
    return finish(&s, p, r, V.cols, x, V.cols, (double)V.rows * sqrt((double)V.cols));
}

/* A V - V L, or A V - B V L; by the norms of A and, where it is not one, of V, which random B keep flat */
static double pairs(const bench_problem *p, bench_block A, bench_block V, const bench_block *B, const bench_array *w)
{
    scratch s = {.e = &bench_elements_of[p->c.type]};
    double *x = random_vector(&s, V.cols), *r = whole_times(&s, A, adjoint(p), TSL_NOTRANS, times(&s, V, TSL_NOTRANS, x));
    double *y = times(&s, V, TSL_NOTRANS, scaled(&s, w, x, V.cols)), size = (double)V.rows * frobenius(&s, A);
    if (B) {
        y = whole_times(&s, *B, adjoint(p), TSL_NOTRANS, y);
        size *= frobenius(&s, V) / sqrt((double)V.cols);
    }
    minus(&s, 1, y, r, V.rows, 1, 1);
    return finish(&s, p, r, V.rows, x, V.cols, size);
}

/* Of eigenvalues alone: their sum is A's trace, the sum of their squares the square of its norm. */
static double sums(const bench_problem *p, bench_block A, const bench_array *w)
{
    int64_t n = p->c.n;
    scratch s = {.e = &bench_elements_of[p->c.type]};
    bench_block off = A;
    off.diagonal = BENCH_ZEROS;
    double trace = 0, squares = 2 * s.e->sum_of_squares(&off), sum = 0, sum2 = 0, eps = tsl_type_eps(p->c.type) * (double)n;
    for (int64_t i = 0; i < n; i++) {
        double d = creal(s.e->get(A.data, i + i * A.ld)), l = value(w, w->work, i);
        trace += d, squares += d * d;
        sum += l, sum2 += l * l;
    }
    if (n == 0)
        return 0;
    return bench_worse(fabs(sum - trace) / (eps * sqrt(squares * (double)n)), fabs(sum2 - squares) / (eps * squares));
}

static double residual_syev(const bench_problem *p)
{
    bench_block A = half(p, 1);
    if (!vectors(&p->c))
        return sums(p, A, &p->a[0]);
    return bench_worse(pairs(p, A, after(p), NULL, &p->a[0]), orthogonal(p, after(p), NULL));
}

static double residual_sygv(const bench_problem *p)
{
    bench_block A = half(p, 2), B = half(p, 1);
    return bench_worse(pairs(p, A, after(p), &B, &p->a[0]), orthogonal(p, after(p), &B));
}

/* A real tridiagonal matrix as it was */
typedef struct tridiagonal {
    const bench_array *d, *e;
    int64_t n;
} tridiagonal;

static double norm_of(tridiagonal t)
{
    double sum = 0;
    for (int64_t i = 0; i < t.n; i++) {
        double d = value(t.d, t.d->first, i), e = i + 1 < t.n ? value(t.e, t.e->first, i) : 0;
        sum += d * d + 2 * e * e;
    }
    return sqrt(sum);
}

/* How many eigenvalues are below x: as many as L D L^T of T - x I has negative pivots */
static int64_t below(tridiagonal t, double x)
{
    int64_t count = 0;
    double pivot = 1;
    for (int64_t i = 0; i < t.n; i++) {
        double e = i ? value(t.e, t.e->first, i - 1) : 0;
        pivot = value(t.d, t.d->first, i) - x - e * e / pivot;
        if (pivot == 0)
            pivot = -1e-300;
        count += pivot < 0;
    }
    return count;
}

/* Within how many n eps |T|, of a few steps, some eigenvalues are where they must be */
static double counted(const bench_problem *p, tridiagonal t, const bench_array *w)
{
    static const double steps[] = {1, 3, 10, 30, 100};
    enum { STEPS = sizeof steps / sizeof *steps, SAMPLES = 64 };
    double unit = (double)t.n * tsl_type_eps(p->c.type) * norm_of(t);
    int worst = 0;
    for (int64_t i = 0; i < t.n && worst < STEPS; i += t.n / SAMPLES + 1) {
        double l = value(w, w->work, i);
        while (worst < STEPS && !(below(t, l - steps[worst] * unit) <= i && below(t, l + steps[worst] * unit) > i))
            worst++;
    }
    return worst < STEPS ? steps[worst] : INFINITY;
}

/* T V - V L, column combinations at random */
static double residual_stedc(const bench_problem *p)
{
    tridiagonal t = {&p->a[0], &p->a[1], p->c.n};
    scratch s = {.e = &bench_elements_of[p->c.type]};
    bench_block V = after(p);
    int64_t parts = s.e->parts;
    double *x = random_vector(&s, t.n), *y = times(&s, V, TSL_NOTRANS, x), *r = times(&s, V, TSL_NOTRANS, scaled(&s, t.d, x, t.n));
    for (int64_t i = 0; i < t.n * parts && !s.failed; i++) {
        int64_t row = i / parts;
        r[i] -= value(t.d, t.d->first, row) * y[i];
        if (row > 0)
            r[i] -= value(t.e, t.e->first, row - 1) * y[i - parts];
        if (row + 1 < t.n)
            r[i] -= value(t.e, t.e->first, row) * y[i + parts];
    }
    double ratio = finish(&s, p, r, t.n, x, t.n, (double)t.n * norm_of(t));
    return bench_worse(ratio, bench_worse(orthogonal(p, V, NULL), counted(p, t, t.d)));
}

static double residual_sterf(const bench_problem *p) { return counted(p, (tridiagonal){&p->a[1], &p->a[0], p->c.n}, &p->a[1]); }

typedef int pairs_size(void *, void *, int, int, int64_t, int, const void *, int64_t, int, const void *, int, size_t *, size_t *);
typedef int pairs_call(void *, void *, int, int, int64_t, int, void *, int64_t, int, void *, int, void *, size_t, void *, size_t, void *);
typedef int some_size(void *, void *, int, int, int, int64_t, int, const void *, int64_t, void *, void *, int64_t, int64_t, int64_t *, int, const void *, int,
                      size_t *, size_t *);
typedef int some_call(void *, void *, int, int, int, int64_t, int, void *, int64_t, void *, void *, int64_t, int64_t, int64_t *, int, void *, int, void *, size_t,
                      void *, size_t, void *);
typedef int two_size(void *, int, int, int, int, const void *, int, const void *, int, const void *, int *);
typedef int two_call(void *, int, int, int, int, void *, int, void *, int, void *, void *, int, void *);

static int cuda_mode(const bench_problem *p) { return vectors(&p->c) ? CUDA_VECTORS : CUDA_VALUES; }
static int cuda_real(const bench_problem *p) { return bench_real(p->c.type) == TSL_S ? CUDA_FLOAT : CUDA_DOUBLE; }

static bool cusolver_size(bench_cuda *s, bench_problem *p)
{
    int t = cuda_type(p);
    return !((pairs_size *)s->f[0])(s->handle, s->params, cuda_mode(p), cuda_uplo(p), p->c.n, t, DEVICE(1), DEVICE_LD(1), cuda_real(p), DEVICE(0), t,
                                    &s->device_bytes, &s->host_bytes);
}

static bool cusolver_syev(bench_cuda *s, bench_problem *p)
{
    int t = cuda_type(p);
    return !((pairs_call *)s->f[1])(s->handle, s->params, cuda_mode(p), cuda_uplo(p), p->c.n, t, DEVICE(1), DEVICE_LD(1), cuda_real(p), DEVICE(0), t, s->device,
                                    s->device_bytes, s->host, s->host_bytes, s->info);
}

static bool cusolver_some_size(bench_cuda *s, bench_problem *p)
{
    int t = cuda_type(p);
    int64_t m = 0;
    double bounds[2] = {0, 0};
    return !((some_size *)s->f[0])(s->handle, s->params, CUDA_VECTORS, CUDA_BY_INDEX, cuda_uplo(p), p->c.n, t, DEVICE(1), DEVICE_LD(1), &bounds[0], &bounds[1], 1,
                                   wanted(&p->c), &m, cuda_real(p), DEVICE(0), t, &s->device_bytes, &s->host_bytes);
}

static bool cusolver_syevr(bench_cuda *s, bench_problem *p)
{
    int t = cuda_type(p);
    int64_t m = 0;
    double bounds[2] = {0, 0};
    return !((some_call *)s->f[1])(s->handle, s->params, CUDA_VECTORS, CUDA_BY_INDEX, cuda_uplo(p), p->c.n, t, DEVICE(1), DEVICE_LD(1), &bounds[0], &bounds[1], 1,
                                   wanted(&p->c), &m, cuda_real(p), DEVICE(0), t, s->device, s->device_bytes, s->host, s->host_bytes, s->info);
}

/* It leaves the vectors in A. */
static bool cusolver_syevr_finish(bench_cuda *s, bench_problem *p)
{
    (void)s;
    return !tsl_copy(p->ctx, tsl_sub(bench_view(p, 1, 'N'), 0, 0, p->c.n, wanted(&p->c)), out(p));
}

static bool cusolver_two_size(bench_cuda *s, bench_problem *p)
{
    int elements = 0;
    if (((two_size *)s->f[0])(s->handle, 1, CUDA_VECTORS, cuda_uplo(p), (int)p->c.n, DEVICE(2), (int)DEVICE_LD(2), DEVICE(1), (int)DEVICE_LD(1), DEVICE(0),
                              &elements))
        return false;
    s->device_bytes = (size_t)elements * tsl_type_size(p->c.type);
    return true;
}

static bool cusolver_sygv(bench_cuda *s, bench_problem *p)
{
    return !((two_call *)s->f[1])(s->handle, 1, CUDA_VECTORS, cuda_uplo(p), (int)p->c.n, DEVICE(2), (int)DEVICE_LD(2), DEVICE(1), (int)DEVICE_LD(1), DEVICE(0),
                                  s->device, (int)(s->device_bytes / tsl_type_size(p->c.type)), s->info);
}

#define REAL_TYPES(name) {[TSL_S] = s_##name, [TSL_D] = d_##name}
#define EIG .alpha = 1, .writes_all = true
#define UPLO EIG, .flags = FLAGS([BENCH_UPLO] = "LU")
#define SYEV EIG, .flags = FLAGS([BENCH_UPLO] = "LU", [BENCH_JOBZ] = "VN"), .sizes = "n", .shape = shape_syev, .elements = elements_syev, .flops = flops_syev, .views = views_syev, \
    .residual = residual_syev, .cusolver = {CUSOLVER("cusolverDnXsyevd_bufferSize", "cusolverDnXsyevd"), cusolver_syev, cusolver_size}
#define SYEVR UPLO, .operation = "syev", .sizes = "nk", .shape = shape_syevr, .elements = elements_syevr, .flops = flops_syevr, .views = views_syevr, \
    .residual = residual_syev, \
    .cusolver = {CUSOLVER("cusolverDnXsyevdx_bufferSize", "cusolverDnXsyevdx"), cusolver_syevr, cusolver_some_size, NULL, cusolver_syevr_finish}
#define SYGV UPLO, .sizes = "n", .shape = shape_sygv, .elements = elements_sygv, .flops = flops_sygv, .residual = residual_sygv
#define SYGVD(name) CUSOLVER("cusolverDn?" name "_bufferSize", "cusolverDn?" name), cusolver_sygv, cusolver_two_size

static const bench_routine routines[] = {
    {.name = "syev", .types = "sd", SYEV, .typed = REAL_TYPES(syev), .openblas = REAL_TYPES(openblas_syev)},
    {.name = "heev", .types = "cz", SYEV, .operation = "syev", .typed = COMPLEX_TYPES(syev), .openblas = COMPLEX_TYPES(openblas_syev)},
    {.name = "syevr", .types = "sd", SYEVR, .typed = REAL_TYPES(syevr), .openblas = REAL_TYPES(openblas_syevr)},
    {.name = "heevr", .types = "cz", SYEVR, .typed = COMPLEX_TYPES(syevr), .openblas = COMPLEX_TYPES(openblas_syevr)},
    {.name = "sygv", .types = "sd", SYGV, .typed = REAL_TYPES(sygv), .openblas = REAL_TYPES(openblas_sygv), .cusolver = {SYGVD("sygvd")}},
    {.name = "hegv", .types = "cz", SYGV, .operation = "sygv", .typed = COMPLEX_TYPES(sygv), .openblas = COMPLEX_TYPES(openblas_sygv),
     .cusolver = {SYGVD("hegvd")}},
    {.name = "stedc", .sizes = "n", EIG, .shape = shape_stedc, .elements = elements_stedc, .typed = TYPES(stedc),
     .residual = residual_stedc, .openblas = TYPES(openblas_stedc)},
    {.name = "sterf", .types = "sd", .sizes = "n", EIG, .shape = shape_sterf, .elements = elements_sterf,
     .typed = REAL_TYPES(sterf), .residual = residual_sterf, .openblas = REAL_TYPES(openblas_sterf)},
};

const bench_family bench_eig = FAMILY(routines);
#endif
