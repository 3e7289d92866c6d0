/* Cholesky's factor and what is done with it: potrf, potrs, posv, potri, lauum. A factor F is L, or U = L^H. */
#ifdef T
static tsl_status FN(potrf)(bench_problem *p) { return CALL(potrf)(p->ctx, FLAG(UPLO), p->c.n, DATA(0), LD(0), NULL); }
static tsl_status FN(lauum)(bench_problem *p) { return CALL(lauum)(p->ctx, FLAG(UPLO), p->c.n, DATA(0), LD(0), NULL); }
static tsl_status FN(potri)(bench_problem *p) { return CALL(potri)(p->ctx, FLAG(UPLO), p->c.n, DATA(0), LD(0), NULL); }

static tsl_status FN(potrs)(bench_problem *p)
{
    return CALL(potrs)(p->ctx, FLAG(UPLO), p->c.n, p->c.k, DATA(0), LD(0), DATA(1), LD(1), NULL);
}

static tsl_status FN(posv)(bench_problem *p)
{
    return CALL(posv)(p->ctx, FLAG(UPLO), p->c.n, p->c.k, DATA(0), LD(0), DATA(1), LD(1), NULL);
}

static bool FN(openblas_triangle)(bench_problem *p, typeof(&LAPACK(potrf_work)) call)
{
    return call(LAPACK_COL_MAJOR, FLAG(UPLO), (lapack_int)p->c.n, HOST(0), HOST_LD(0)) == 0;
}

static bool FN(openblas_potrf)(bench_problem *p) { return FN(openblas_triangle)(p, LAPACK(potrf_work)); }
static bool FN(openblas_lauum)(bench_problem *p) { return FN(openblas_triangle)(p, LAPACK(lauum_work)); }
static bool FN(openblas_potri)(bench_problem *p) { return FN(openblas_triangle)(p, LAPACK(potri_work)); }

static bool FN(openblas_potrs)(bench_problem *p)
{
    return LAPACK(potrs_work)(LAPACK_COL_MAJOR, FLAG(UPLO), (lapack_int)p->c.n, (lapack_int)p->c.k, HOST(0), HOST_LD(0),
                              HOST(1), HOST_LD(1)) == 0;
}

static bool FN(openblas_posv)(bench_problem *p)
{
    return LAPACK(posv_work)(LAPACK_COL_MAJOR, FLAG(UPLO), (lapack_int)p->c.n, (lapack_int)p->c.k, HOST(0), HOST_LD(0), HOST(1),
                             HOST_LD(1)) == 0;
}

#else
#include "bench/routine.h"

#define BENCH_FAMILY "bench/routine/cholesky/cholesky.c"
#include "bench/each_type.h"

static int shape_matrix(const bench_case *c, bench_shape *is)
{
    is[0] = triangle_of(c, c->n, BENCH_POSITIVE);
    return 1;
}

static int shape_factor(const bench_case *c, bench_shape *is)
{
    is[0] = triangle_of(c, c->n, BENCH_FACTOR);
    return 1;
}

/* k right-hand sides */
static int shape_potrs(const bench_case *c, bench_shape *is)
{
    is[1] = matrix_of(c->n, c->k, BENCH_RANDOM);
    return 1 + shape_factor(c, is);
}

static int shape_posv(const bench_case *c, bench_shape *is)
{
    is[1] = matrix_of(c->n, c->k, BENCH_RANDOM);
    return 1 + shape_matrix(c, is);
}

static double elements_potrf(const bench_case *c) { return 2 * half_of(c->n); } /* and lauum, potri */
static double elements_potrs(const bench_case *c) { return half_of(c->n) + 2.0 * c->n * c->k; }
static double elements_posv(const bench_case *c) { return 2 * half_of(c->n) + 2.0 * c->n * c->k; }

static tsl_status views_potrf(bench_problem *p) { return tsl_potrf(p->ctx, out(p), NULL); }
static tsl_status views_lauum(bench_problem *p) { return tsl_lauum(p->ctx, out(p)); }
static tsl_status views_potri(bench_problem *p) { return tsl_potri(p->ctx, out(p), NULL); }
static tsl_status views_potrs(bench_problem *p) { return tsl_potrs(p->ctx, in(p, 0), out(p)); }
static tsl_status views_posv(bench_problem *p) { return tsl_posv(p->ctx, in(p, 0), out(p), NULL); }

/* The op through which the stored triangle is L, and the one through which it is L^H. */
static tsl_op to_lower(const bench_problem *p) { return p->a[0].is.part == TSL_LOWER ? TSL_NOTRANS : TSL_HERM; }
static tsl_op to_upper(const bench_problem *p) { return (tsl_op)(to_lower(p) ^ TSL_HERM); }

/* A new vector L L^H x */
static double *product_times(scratch *s, const bench_problem *p, bench_block F, const double *x)
{
    return times(s, F, to_lower(p), times(s, F, to_upper(p), x));
}

/* Of A = F F^H, at most its norm: |F|_F^2 is the sum of A's eigenvalues, |A|_F^2 that of their squares. */
static double norm_of_product(const scratch *s, bench_block F) { return s->e->sum_of_squares(&F) / sqrt((double)F.rows); }

/* A - L L^H. The sums on the diagonal are as large as A's own entries, so up to n roundings of that size add up. */
static double residual_potrf(const bench_problem *p)
{
    int64_t n = p->c.n;
    scratch s = {.e = &bench_elements_of[p->c.type]};
    bench_block A = before(p, 0);
    double *x = random_vector(&s, n), *r = whole_times(&s, A, TSL_HERM, TSL_NOTRANS, x);
    minus(&s, 1, product_times(&s, p, after(p), x), r, n, 1, 1);
    return finish(&s, p, r, n, x, n, sqrt((double)n) * M_SQRT2 * frobenius(&s, A));
}

/* M - L^H L */
static double residual_lauum(const bench_problem *p)
{
    int64_t n = p->c.n;
    scratch s = {.e = &bench_elements_of[p->c.type]};
    bench_block F = before(p, 0);
    double *x = random_vector(&s, n), *r = whole_times(&s, after(p), TSL_HERM, TSL_NOTRANS, x);
    double scale =
        minus(&s, 1, times(&s, F, to_upper(p), times(&s, F, to_lower(p), x)), r, n, frobenius(&s, F), frobenius(&s, F));
    return finish(&s, p, r, n, x, n, scale);
}

/* X L L^H - I */
static double residual_potri(const bench_problem *p)
{
    int64_t n = p->c.n;
    scratch s = {.e = &bench_elements_of[p->c.type]};
    bench_block F = before(p, 0), X = after(p);
    double *x = random_vector(&s, n), *r = whole_times(&s, X, TSL_HERM, TSL_NOTRANS, product_times(&s, p, F, x));
    minus(&s, 1, x, r, n, 1, 1);
    return finish(&s, p, r, n, x, n, M_SQRT2 * frobenius(&s, X) * norm_of_product(&s, F));
}

/* L L^H X - B0 */
static double residual_potrs(const bench_problem *p)
{
    int64_t n = p->c.n, k = p->c.k;
    scratch s = {.e = &bench_elements_of[p->c.type]};
    bench_block F = before(p, 0), X = after(p);
    double *x = random_vector(&s, k), *r = product_times(&s, p, F, times(&s, X, TSL_NOTRANS, x));
    minus(&s, 1, times(&s, before(p, 1), TSL_NOTRANS, x), r, n, 1, 1);
    return finish(&s, p, r, n, x, k, frobenius(&s, X) * norm_of_product(&s, F));
}

/* A X - B0 */
static double residual_posv(const bench_problem *p)
{
    int64_t n = p->c.n, k = p->c.k;
    scratch s = {.e = &bench_elements_of[p->c.type]};
    bench_block A = before(p, 0), X = after(p);
    double *x = random_vector(&s, k), *r = whole_times(&s, A, TSL_HERM, TSL_NOTRANS, times(&s, X, TSL_NOTRANS, x));
    minus(&s, 1, times(&s, before(p, 1), TSL_NOTRANS, x), r, n, 1, 1);
    return finish(&s, p, r, n, x, k, M_SQRT2 * frobenius(&s, A) * frobenius(&s, X));
}

/* L row by row from l_ij = (a_ij - sum_k<j l_ik conj(l_jk)) / l_jj */
static dense lower_factor(const bench_problem *p)
{
    int64_t n = p->c.n;
    dense L = seen(&p->a[0], to_lower(p));
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j <= i; j++) {
            tsl_scalar sum = *at(L, i, j);
            for (int64_t l = 0; l < j; l++)
                sum -= *at(L, i, l) * conj(*at(L, j, l));
            *at(L, i, j) = i == j ? sqrt(creal(sum)) : sum / *at(L, j, j);
        }
    return L;
}

static dense adjoint_of(dense L)
{
    dense U = dense_new(L.cols, L.rows);
    for (int64_t j = 0; j < L.cols; j++)
        for (int64_t i = 0; i < L.rows; i++)
            *at(U, j, i) = conj(*at(L, i, j));
    return U;
}

static double reference_potrf(const bench_problem *p, tsl_scalar *expected)
{
    dense L = lower_factor(p), U = adjoint_of(L);
    bool lower = p->a[0].is.part == TSL_LOWER;
    double scale = (double)(p->c.n + 1) * largest(L);
    free(lower ? U.v : L.v);
    return deliver(lower ? L : U, expected, scale);
}

static double reference_lauum(const bench_problem *p, tsl_scalar *expected)
{
    dense M = dense_new(p->c.n, p->c.n);
    multiply(1, seen(&p->a[0], to_upper(p)), seen(&p->a[0], to_lower(p)), 0, M);
    return deliver(M, expected, (double)(p->c.n + 1) * largest(M));
}

/* B := inv(L L^H) B */
static double solved(dense L, dense B, tsl_scalar *expected)
{
    dense U = adjoint_of(L);
    substitute(L, true, B);
    substitute(U, false, B);
    double scale = (double)(L.rows + 1) * largest(B);
    free(L.v);
    free(U.v);
    return deliver(B, expected, scale);
}

static double reference_potri(const bench_problem *p, tsl_scalar *expected)
{
    return solved(seen(&p->a[0], to_lower(p)), identity(p->c.n), expected);
}

static double reference_potrs(const bench_problem *p, tsl_scalar *expected)
{
    return solved(seen(&p->a[0], to_lower(p)), seen(&p->a[1], TSL_NOTRANS), expected);
}

static double reference_posv(const bench_problem *p, tsl_scalar *expected)
{
    return solved(lower_factor(p), seen(&p->a[1], TSL_NOTRANS), expected);
}

typedef int factor_size(void *, void *, int, int64_t, int, const void *, int64_t, int, size_t *, size_t *);
typedef int factor_call(void *, void *, int, int64_t, int, void *, int64_t, int, void *, size_t, void *, size_t, void *);
typedef int solve_call(void *, void *, int, int64_t, int64_t, int, const void *, int64_t, int, void *, int64_t, void *);
typedef int triangle_size(void *, int, int, void *, int, int *);
typedef int triangle_call(void *, int, int, void *, int, void *, int, void *);

static bool cusolver_size(bench_cuda *s, bench_problem *p)
{
    int t = cuda_type(p);
    return !((factor_size *)s->f[0])(s->handle, s->params, cuda_uplo(p), p->c.n, t, DEVICE(0), DEVICE_LD(0), t,
                                     &s->device_bytes, &s->host_bytes);
}

static bool cusolver_potrf(bench_cuda *s, bench_problem *p)
{
    int t = cuda_type(p);
    return !((factor_call *)s->f[1])(s->handle, s->params, cuda_uplo(p), p->c.n, t, DEVICE(0), DEVICE_LD(0), t, s->device,
                                     s->device_bytes, s->host, s->host_bytes, s->info);
}

static bool solve(bench_cuda *s, bench_problem *p, void *f)
{
    int t = cuda_type(p);
    return !((solve_call *)f)(s->handle, s->params, cuda_uplo(p), p->c.n, p->c.k, t, DEVICE(0), DEVICE_LD(0), t, DEVICE(1),
                              DEVICE_LD(1), s->info);
}

static bool cusolver_potrs(bench_cuda *s, bench_problem *p) { return solve(s, p, s->f[0]); }
static bool cusolver_posv(bench_cuda *s, bench_problem *p) { return cusolver_potrf(s, p) && solve(s, p, s->f[2]); }

/* Those of the older interface count the workspace in elements. */
static bool cusolver_triangle_size(bench_cuda *s, bench_problem *p)
{
    int elements = 0;
    if (((triangle_size *)s->f[0])(s->handle, cuda_uplo(p), (int)p->c.n, DEVICE(0), (int)DEVICE_LD(0), &elements))
        return false;
    s->device_bytes = (size_t)elements * tsl_type_size(p->c.type);
    return true;
}

static bool cusolver_triangle(bench_cuda *s, bench_problem *p)
{
    return !((triangle_call *)s->f[1])(s->handle, cuda_uplo(p), (int)p->c.n, DEVICE(0), (int)DEVICE_LD(0), s->device,
                                       (int)(s->device_bytes / tsl_type_size(p->c.type)), s->info);
}

typedef void ppotrf(const char *, const int *, void *, const int *, const int *, const int *, int *, size_t);

static bool scalapack_potrf(bench_blacs *s, bench_problem *p)
{
    int n = (int)p->c.n, info = 0;
    part A = part_of(s, p, 0);
    ((ppotrf *)s->f)(&FLAG(UPLO), &n, PART(A), &info, 1);
    return info == 0;
}

#define UPLO .alpha = 1, .flags = FLAGS([BENCH_UPLO] = "LU")
#define POTRF "cusolverDnXpotrf_bufferSize", "cusolverDnXpotrf"

static const bench_routine routines[] = {
    {.name = "potrf", .sizes = "n", UPLO, .has_info = true, .shape = shape_matrix, .elements = elements_potrf,
     .typed = TYPES(potrf), .views = views_potrf, .residual = residual_potrf, .reference = reference_potrf,
     .openblas = TYPES(openblas_potrf),
     .cusolver = {CUSOLVER(POTRF), cusolver_potrf, cusolver_size}, .scalapack = {SCALAPACK(potrf, potrf), scalapack_potrf}},
    {.name = "lauum", .sizes = "n", UPLO, .shape = shape_factor, .elements = elements_potrf,
     .typed = TYPES(lauum), .views = views_lauum, .residual = residual_lauum, .reference = reference_lauum,
     .openblas = TYPES(openblas_lauum),
     .cusolver = {CUSOLVER("cusolverDn?lauum_bufferSize", "cusolverDn?lauum"), cusolver_triangle, cusolver_triangle_size}},
    {.name = "potri", .sizes = "n", UPLO, .has_info = true, .shape = shape_factor, .elements = elements_potrf,
     .typed = TYPES(potri), .views = views_potri, .residual = residual_potri, .reference = reference_potri,
     .openblas = TYPES(openblas_potri),
     .cusolver = {CUSOLVER("cusolverDn?potri_bufferSize", "cusolverDn?potri"), cusolver_triangle, cusolver_triangle_size}},
    {.name = "potrs", .sizes = "nk", UPLO, .shape = shape_potrs, .elements = elements_potrs,
     .typed = TYPES(potrs), .views = views_potrs, .residual = residual_potrs, .reference = reference_potrs,
     .openblas = TYPES(openblas_potrs),
     .cusolver = {CUSOLVER("cusolverDnXpotrs"), cusolver_potrs}},
    {.name = "posv", .sizes = "nk", UPLO, .has_info = true, .writes_all = true, .shape = shape_posv, .elements = elements_posv,
     .typed = TYPES(posv), .views = views_posv, .residual = residual_posv, .reference = reference_posv,
     .openblas = TYPES(openblas_posv),
     .cusolver = {CUSOLVER(POTRF, "cusolverDnXpotrs"), cusolver_posv, cusolver_size}},
};

const bench_family bench_cholesky = FAMILY(routines);
#endif
