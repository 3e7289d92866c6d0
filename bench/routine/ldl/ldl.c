/* L D L^T and L D L^H with symmetric pivoting: sytrf and sysv, of complex elements hetrf and hesv too. Pivots of random
 * matrices are decided by roundings: residuals are all there is. */
#ifdef T
#define LDL_CALLS(sy)                                                                                                                             \
    static tsl_status FN(sy##trf)(bench_problem *p) { return CALL(sy##trf)(p->ctx, FLAG(UPLO), p->c.n, DATA(1), LD(1), DATA(0), NULL); }              \
    static tsl_status FN(sy##sv)(bench_problem *p)                                                                                                \
    {                                                                                                                                             \
        return CALL(sy##sv)(p->ctx, FLAG(UPLO), p->c.n, p->c.k, DATA(0), LD(0), DATA(1), DATA(2), LD(2), NULL);                                     \
    }                                                                                                                                             \
    static bool FN(openblas_##sy##trf)(bench_problem *p)                                                                                          \
    {                                                                                                                                             \
        lapack_int n = (lapack_int)p->c.n, length = n * LDL_BLOCK;                                                                                \
        T *work = bench_room_for(&bench_openblas_work, (size_t)length * sizeof *work);                                                            \
        bool done = work && LAPACK(sy##trf_work)(LAPACK_COL_MAJOR, FLAG(UPLO), n, HOST(1), HOST_LD(1), HOST(0), work, length) == 0;                  \
        widen(p, 0);                                                                                                                              \
        return done;                                                                                                                              \
    }                                                                                                                                             \
    static bool FN(openblas_##sy##sv)(bench_problem *p)                                                                                           \
    {                                                                                                                                             \
        lapack_int n = (lapack_int)p->c.n, length = n * LDL_BLOCK;                                                                                \
        T *work = bench_room_for(&bench_openblas_work, (size_t)length * sizeof *work);                                                            \
        bool done = work && LAPACK(sy##sv_work)(LAPACK_COL_MAJOR, FLAG(UPLO), n, (lapack_int)p->c.k, HOST(0), HOST_LD(0), HOST(1), HOST(2),         \
                                                HOST_LD(2), work, length) == 0;                                                                   \
        widen(p, 1);                                                                                                                              \
        return done;                                                                                                                              \
    }
LDL_CALLS(sy)
#ifdef COMPLEX
LDL_CALLS(he)
#endif
#undef LDL_CALLS

#else
#include "bench/residual/pivots.h"

enum { LDL_BLOCK = 64 };

#define BENCH_FAMILY "bench/routine/ldl/ldl.c"
#include "bench/each_type.h"

static int shape_factor(const bench_case *c, bench_shape *is)
{
    is[0] = vector_of(c->n, BENCH_FOR_PIVOTS);
    is[1] = triangle_of(c, c->n, BENCH_RANDOM);
    return 2;
}

static int shape_solve(const bench_case *c, bench_shape *is)
{
    is[0] = triangle_of(c, c->n, BENCH_RANDOM);
    is[1] = vector_of(c->n, BENCH_FOR_PIVOTS);
    is[2] = matrix_of(c->n, c->k, BENCH_RANDOM);
    return 3;
}

static double elements_factor(const bench_case *c) { return 2 * half_of(c->n); }
static double elements_solve(const bench_case *c) { return 2 * half_of(c->n) + 2.0 * c->n * c->k; }

static tsl_status views_sytrf(bench_problem *p) { return tsl_sytrf(p->ctx, out(p), pivots(p), NULL); }
static tsl_status views_hetrf(bench_problem *p) { return tsl_hetrf(p->ctx, out(p), pivots(p), NULL); }
static tsl_status views_sysv(bench_problem *p) { return tsl_sysv(p->ctx, in(p, 0), pivots(p), out(p), NULL); }
static tsl_status views_hesv(bench_problem *p) { return tsl_hesv(p->ctx, in(p, 0), pivots(p), out(p), NULL); }

/* The steps of a factorization: the upper triangle's begin with the last column. */
typedef struct factors {
    const bench_problem *p;
    int64_t n;
    bool upper, herm;
} factors;

static int64_t place(const factors *f, int64_t s) { return f->upper ? f->n - 1 - s : s; }
static tsl_scalar turned(const factors *f, tsl_scalar v) { return f->herm ? conj(v) : v; }
static tsl_scalar element(const factors *f, int64_t i, int64_t j) { return stored(&f->p->a[1], f->p->a[1].work, i, j); }
static int64_t signed_pivot(const factors *f, int64_t i) { return (int64_t)creal(stored(&f->p->a[0], f->p->a[0].work, i, 0)); }

static bool are_pivots(const factors *f)
{
    for (int64_t s = 0; s < f->n; s++) {
        int64_t v = signed_pivot(f, place(f, s));
        if (v == 0 || v > f->n || v < -f->n || (v < 0 && (++s == f->n || signed_pivot(f, place(f, s)) != v))) return false;
    }
    return true;
}

/* Step s, of `size` columns: x := L^H P^T x, or P L x */
static void step(const factors *f, int64_t s, int64_t size, bool turns, tsl_scalar *x)
{
    int64_t k = place(f, s), last = place(f, s + size - 1), v = signed_pivot(f, k), with = (v < 0 ? -v : v) - 1;
    tsl_scalar t = x[last];
    if (turns) x[last] = x[with], x[with] = t;
    for (int64_t a = 0; a < size; a++) {
        int64_t c = place(f, s + a);
        for (int64_t i = s + size; i < f->n; i++) {
            if (turns) x[c] += turned(f, element(f, place(f, i), c)) * x[place(f, i)];
            else x[place(f, i)] += element(f, place(f, i), c) * x[c];
        }
    }
    t = x[last];
    if (!turns) x[last] = x[with], x[with] = t;
}

static int64_t size_at(const factors *f, int64_t s) { return signed_pivot(f, place(f, s)) < 0 ? 2 : 1; }

/* x := P L D L^H P^T x */
static void by_factors(const factors *f, tsl_scalar *x)
{
    int64_t s = 0;
    for (; s < f->n; s += size_at(f, s)) step(f, s, size_at(f, s), true, x);
    for (s = 0; s < f->n; s += size_at(f, s)) {
        int64_t k = place(f, s), k2 = place(f, s + 1);
        tsl_scalar x1 = x[k];
        x[k] *= element(f, k, k);
        if (size_at(f, s) == 1) continue;
        x[k] += turned(f, element(f, k2, k)) * x[k2];
        x[k2] = element(f, k2, k) * x1 + element(f, k2, k2) * x[k2];
    }
    for (s = f->n; s > 0;) {
        int64_t size = signed_pivot(f, place(f, s - 1)) < 0 ? 2 : 1;
        s -= size;
        step(f, s, size, false, x);
    }
}

/* A - P L D L^H P^T */
static double factored(const bench_problem *p, tsl_op mirror)
{
    int64_t n = p->c.n, parts = bench_elements_of[p->c.type].parts;
    scratch s = {.e = &bench_elements_of[p->c.type]};
    factors f = {p, n, p->a[1].is.part == TSL_UPPER, mirror == TSL_HERM};
    bench_block A = before(p, 1);
    double *x = random_vector(&s, n), *r = whole_times(&s, A, mirror, TSL_NOTRANS, x);
    tsl_scalar *y = calloc((size_t)n + 1, sizeof *y);
    bool good = y && are_pivots(&f);
    for (int64_t i = 0; good && i < n && !s.failed; i++) y[i] = parts == 2 ? CMPLX(x[2 * i], x[2 * i + 1]) : x[i];
    if (good && !s.failed) by_factors(&f, y);
    for (int64_t i = 0; good && i < n && !s.failed; i++) {
        r[parts * i] -= creal(y[i]);
        if (parts == 2) r[2 * i + 1] -= cimag(y[i]);
    }
    free(y);
    double ratio = finish(&s, p, r, n, x, n, (double)n * frobenius(&s, A));
    return good ? ratio : INFINITY;
}

static double residual_sytrf(const bench_problem *p) { return factored(p, TSL_TRANS); }
static double residual_hetrf(const bench_problem *p) { return factored(p, TSL_HERM); }

/* A X - B0 */
static double solved(const bench_problem *p, tsl_op mirror)
{
    int64_t n = p->c.n, k = p->c.k;
    scratch s = {.e = &bench_elements_of[p->c.type]};
    bench_block A = before(p, 0), X = after(p);
    double *x = random_vector(&s, k), *r = whole_times(&s, A, mirror, TSL_NOTRANS, times(&s, X, TSL_NOTRANS, x));
    minus(&s, 1, times(&s, before(p, 2), TSL_NOTRANS, x), r, n, 1, 1);
    return finish(&s, p, r, n, x, k, (double)n * frobenius(&s, A) * frobenius(&s, X));
}

static double residual_sysv(const bench_problem *p) { return solved(p, TSL_TRANS); }
static double residual_hesv(const bench_problem *p) { return solved(p, TSL_HERM); }

/* Its pivots have 32 bits, and room for 64. */
typedef int factor_size(void *, int, void *, int, int *);
typedef int factor_call(void *, int, int, void *, int, void *, void *, int, void *);

static bool cusolver_size(bench_cuda *s, bench_problem *p)
{
    int length = 0;
    bool done = !((factor_size *)s->f[0])(s->handle, (int)p->c.n, DEVICE(1), (int)DEVICE_LD(1), &length);
    s->device_bytes = (size_t)length * tsl_type_size(p->c.type);
    s->host_bytes = 0;
    return done;
}

static bool cusolver(bench_cuda *s, bench_problem *p)
{
    return !((factor_call *)s->f[1])(s->handle, cuda_uplo(p), (int)p->c.n, DEVICE(1), (int)DEVICE_LD(1), DEVICE(0), s->device,
                                     (int)(s->device_bytes / tsl_type_size(p->c.type)), s->info);
}

#define LDL_FLAGS .flags = FLAGS([BENCH_UPLO] = "LU"), .alpha = 1, .has_info = true, .writes_all = true

static const bench_routine routines[] = {
    {.name = "sytrf", .sizes = "n", LDL_FLAGS, .shape = shape_factor, .elements = elements_factor, .typed = TYPES(sytrf), .views = views_sytrf,
     .residual = residual_sytrf, .openblas = TYPES(openblas_sytrf),
     .cusolver = {CUSOLVER("cusolverDn?sytrf_bufferSize", "cusolverDn?sytrf"), cusolver, cusolver_size, .unlike = true}},
    {.name = "hetrf", .types = "cz", .operation = "sytrf", .sizes = "n", LDL_FLAGS, .shape = shape_factor, .elements = elements_factor, .typed = COMPLEX_TYPES(hetrf),
     .views = views_hetrf, .residual = residual_hetrf, .openblas = COMPLEX_TYPES(openblas_hetrf)},
    {.name = "sysv", .sizes = "nk", LDL_FLAGS, .shape = shape_solve, .elements = elements_solve, .typed = TYPES(sysv), .views = views_sysv,
     .residual = residual_sysv, .openblas = TYPES(openblas_sysv)},
    {.name = "hesv", .types = "cz", .operation = "sysv", .sizes = "nk", LDL_FLAGS, .shape = shape_solve, .elements = elements_solve, .typed = COMPLEX_TYPES(hesv), .views = views_hesv,
     .residual = residual_hesv, .openblas = COMPLEX_TYPES(openblas_hesv)},
};

const bench_family bench_ldl = FAMILY(routines);
#endif
