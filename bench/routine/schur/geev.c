/* Nonsymmetric eigenproblems: reduction to Hessenberg form (gehrd), eigenvalues, with vectors on the right or without (geev),
 * Schur form, with its unitary matrix or without (gees). Residuals are all there is. Eigenvalues of a real matrix are two
 * columns, of their real and imaginary parts. */
#ifdef T
#ifdef COMPLEX
#define VALUES(w) (w)
#else
#define VALUES(w) (w), (T *)(w) + p->c.n
#endif
static tsl_status FN(hessenberg)(bench_problem *p) { return CALL(gehrd)(p->ctx, p->c.n, 1, p->c.n, DATA(1), LD(1), DATA(0), NULL); }

static bool FN(openblas_hessenberg)(bench_problem *p)
{
    lapack_int n = (lapack_int)p->c.n, length = n * QR_BLOCK;
    T *work = bench_room_for(&bench_openblas_work, (size_t)length * sizeof *work);
    return work && LAPACK(gehrd_work)(LAPACK_COL_MAJOR, n, 1, n, HOST(1), HOST_LD(1), HOST(0), work, length) == 0;
}

static tsl_status FN(pairs)(bench_problem *p)
{
    return CALL(geev)(p->ctx, 'N', letter(p), p->c.n, DATA(2), LD(2), VALUES(DATA(0)), NULL, 1, DATA(1), LD(1), NULL);
}

static lapack_int FN(lapack_pairs)(bench_problem *p, T *work, lapack_int length, R *real)
{
    (void)real;
    return LAPACK(geev_work)(LAPACK_COL_MAJOR, 'N', letter(p), (lapack_int)p->c.n, HOST(2), HOST_LD(2), VALUES(HOST(0)), NULL, (lapack_int)p->c.n, HOST(1), HOST_LD(1), work, length
#ifdef COMPLEX
                             , real
#endif
    );
}

static bool FN(openblas_pairs)(bench_problem *p)
{
    T asked = 0;
    R real = 0;
    if (FN(lapack_pairs)(p, &asked, -1, &real))
        return false;
    lapack_int length = (lapack_int)(creal((tsl_scalar)asked) * (1 + 1e-6)) + 1;
    T *work = bench_room_for(&bench_openblas_work, ((size_t)length + 2 * (size_t)p->c.n) * sizeof *work);
    return work && FN(lapack_pairs)(p, work, length, (R *)(void *)(work + length)) == 0;
}

static tsl_status FN(schur)(bench_problem *p)
{
    return CALL(gees)(p->ctx, letter(p), 'N', p->c.n, DATA(2), LD(2), NULL, VALUES(DATA(0)), DATA(1), LD(1), NULL);
}

static bool FN(openblas_schur)(bench_problem *p)
{
    lapack_int sdim = 0;
    return LAPACK(gees)(LAPACK_COL_MAJOR, letter(p), 'N', NULL, (lapack_int)p->c.n, HOST(2), HOST_LD(2), &sdim, VALUES(HOST(0)), HOST(1), HOST_LD(1)) == 0;
}
#undef VALUES

#else
#include "bench/residual/reflectors.h"

static bool vectors(const bench_case *c) { return c->flag[BENCH_JOBZ] != 'N'; }
static char letter(const bench_problem *p) { return vectors(&p->c) ? 'V' : 'N'; }

#define BENCH_FAMILY "bench/routine/schur/geev.c"
#include "bench/each_type.h"

static int shape_hessenberg(const bench_case *c, bench_shape *is)
{
    is[0] = vector_of(c->n ? c->n - 1 : 0, BENCH_NOT_READ);
    is[1] = matrix_of(c->n, c->n, BENCH_RANDOM);
    return 2;
}

/* Eigenvalues, vectors, and A, which is overwritten */
static int shape_pairs(const bench_case *c, bench_shape *is)
{
    int64_t wanted = vectors(c) ? c->n : 0;
    is[0] = vector_of(bench_is_complex(c->type) ? c->n : 2 * c->n, BENCH_NOT_READ);
    is[1] = matrix_of(wanted, wanted, BENCH_NOT_READ);
    is[2] = matrix_of(c->n, c->n, BENCH_RANDOM);
    return 3;
}

static double square(const bench_case *c) { return (double)c->n * (double)c->n; }
static double elements_hessenberg(const bench_case *c) { return 2 * square(c); }
static double elements_pairs(const bench_case *c) { return square(c) * (vectors(c) ? 2 : 1); }
static double elements_schur(const bench_case *c) { return square(c) * (vectors(c) ? 3 : 2); }
static double flops_pairs(const bench_case *c) { return square(c) * (double)c->n * (vectors(c) ? 25 : 10); }
static double flops_schur(const bench_case *c) { return square(c) * (double)c->n * (vectors(c) ? 25 : 15); }

static tsl_status views_hessenberg(bench_problem *p) { return tsl_gehrd(p->ctx, 1, p->c.n, bench_view(p, 1, 'N'), bench_view(p, 0, 'N')); }

static tsl_view part_of_values(bench_problem *p, int part)
{
    tsl_view w = bench_view(p, 0, 'N');
    return part && bench_is_complex(p->c.type) ? (tsl_view){0} : tsl_sub(w, part * p->c.n, 0, p->c.n, 1);
}

static tsl_status views_pairs(bench_problem *p)
{
    tsl_view none = {0};
    return tsl_geev(p->ctx, bench_view(p, 2, 'N'), part_of_values(p, 0), part_of_values(p, 1), none, vectors(&p->c) ? bench_view(p, 1, 'N') : none, NULL);
}

static tsl_status views_schur(bench_problem *p)
{
    return tsl_gees(p->ctx, bench_view(p, 2, 'N'), TSL_SORT_NONE, part_of_values(p, 0), part_of_values(p, 1), vectors(&p->c) ? bench_view(p, 1, 'N') : (tsl_view){0}, NULL, NULL);
}

static bench_block now(const bench_problem *p, int operand) { return block(&p->a[operand], p->a[operand].work); }

static tsl_scalar eigenvalue(const bench_problem *p, int64_t i)
{
    const bench_array *w = &p->a[0];
    return bench_is_complex(p->c.type) ? stored(w, w->work, i, 0) : CMPLX(creal(stored(w, w->work, i, 0)), creal(stored(w, w->work, p->c.n + i, 0)));
}

/* x := Q x */
static void apply_q(scratch *s, const bench_problem *p, double *x)
{
    bench_block F = now(p, 1);
    if (F.rows < 2)
        return;
    F.data = (const char *)F.data + tsl_type_size(p->c.type);
    F.rows = F.cols = F.rows - 1;
    reflect(s, p, (reflectors){F, false, &p->a[0], p->a[0].work, false}, false, x + s->e->parts);
}

/* A Q x - Q H x */
static double residual_hessenberg(const bench_problem *p)
{
    scratch s = {.e = &bench_elements_of[p->c.type]};
    int64_t n = p->c.n, parts = s.e->parts;
    bench_block A = before(p, 1);
    double *x = random_vector(&s, n), *q = zeros(&s, n), *h = zeros(&s, n);
    minus(&s, -1, x, q, n, 1, 1);
    apply_q(&s, p, q);
    double *r = times(&s, A, TSL_NOTRANS, q);
    for (int64_t j = 0; j < n && !s.failed; j++)
        for (int64_t i = 0; i < n && i <= j + 1; i++) {
            tsl_scalar e = stored(&p->a[1], p->a[1].work, i, j) * CMPLX(x[j * parts], parts > 1 ? x[j * parts + 1] : 0);
            h[i * parts] += creal(e);
            if (parts > 1)
                h[i * parts + 1] += cimag(e);
        }
    apply_q(&s, p, h);
    minus(&s, 1, h, r, n, 1, 1);
    return finish(&s, p, r, n, x, n, (double)n * frobenius(&s, A));
}

/* The sum of the eigenvalues is the trace, that of their squares the trace of A^2. */
static double traces(const bench_problem *p)
{
    scratch s = {.e = &bench_elements_of[p->c.type]};
    int64_t n = p->c.n;
    bench_block A = before(p, 2);
    double size = frobenius(&s, A);
    tsl_scalar first = 0, second = 0;
    const bench_array *a = &p->a[2];
    for (int64_t j = 0; j < n; j++) {
        tsl_scalar l = eigenvalue(p, j);
        first += l - stored(a, a->first, j, j), second += l * l;
        for (int64_t i = 0; i < n; i++)
            second -= stored(a, a->first, i, j) * stored(a, a->first, j, i);
    }
    double unit = (double)n * tsl_type_eps(p->c.type);
    return n == 0 ? 0 : bench_worse(cabs(first) / (size * unit), cabs(second) / (size * size * unit));
}

/* A V x - V L x: of a real matrix L has blocks of order 2 */
static double of_vectors(const bench_problem *p)
{
    scratch s = {.e = &bench_elements_of[p->c.type]};
    int64_t n = p->c.n, parts = s.e->parts;
    bench_block A = before(p, 2), V = now(p, 1);
    double *x = random_vector(&s, n), *r = times(&s, A, TSL_NOTRANS, times(&s, V, TSL_NOTRANS, x)), *y = zeros(&s, n);
    for (int64_t j = 0; j < n && !s.failed; j++) {
        tsl_scalar l = eigenvalue(p, j);
        if (parts > 1) {
            tsl_scalar e = l * CMPLX(x[2 * j], x[2 * j + 1]);
            y[2 * j] = creal(e), y[2 * j + 1] = cimag(e);
        } else {
            y[j] = creal(l) * x[j] + (cimag(l) > 0 && j + 1 < n ? cimag(l) * x[j + 1] : cimag(l) < 0 && j > 0 ? cimag(l) * x[j - 1] : 0);
        }
    }
    minus(&s, 1, times(&s, V, TSL_NOTRANS, y), r, n, 1, 1);
    return finish(&s, p, r, n, x, n, (double)n * frobenius(&s, A));
}

static double residual_pairs(const bench_problem *p) { return vectors(&p->c) && p->c.n ? bench_worse(traces(p), of_vectors(p)) : traces(p); }

/* A Z x - Z T x, and Z^H Z x - x */
static double residual_schur(const bench_problem *p)
{
    scratch s = {.e = &bench_elements_of[p->c.type]};
    int64_t n = p->c.n;
    if (!vectors(&p->c) || !n)
        return traces(p);
    bench_block A = before(p, 2), Z = now(p, 1);
    double *x = random_vector(&s, n), *zx = times(&s, Z, TSL_NOTRANS, x), *r = times(&s, A, TSL_NOTRANS, zx), *o = times(&s, Z, adjoint(p), zx);
    minus(&s, 1, times(&s, Z, TSL_NOTRANS, times(&s, now(p, 2), TSL_NOTRANS, x)), r, n, 1, 1);
    minus(&s, 1, x, o, n, 1, 1);
    double apart = 0, size = 0;
    for (int64_t i = 0; i < n * s.e->parts && !s.failed; i++)
        apart += o[i] * o[i], size += x[i] * x[i];
    apart = size > 0 ? sqrt(apart / size) / ((double)n * tsl_type_eps(p->c.type)) : 0;
    return bench_worse(apart, finish(&s, p, r, n, x, n, (double)n * frobenius(&s, A)));
}

typedef int geev_size(void *, void *, int, int, int64_t, int, const void *, int64_t, int, const void *, int, const void *, int64_t, int, const void *, int64_t, int, size_t *, size_t *);
typedef int geev_call(void *, void *, int, int, int64_t, int, void *, int64_t, int, void *, int, void *, int64_t, int, void *, int64_t, int, void *, size_t, void *, size_t, void *);

static int cuda_complex(const bench_problem *p) { return bench_real(p->c.type) == TSL_S ? CUDA_COMPLEX_FLOAT : CUDA_COMPLEX_DOUBLE; }
static int job(const bench_problem *p) { return vectors(&p->c) ? CUDA_VECTORS : CUDA_VALUES; }

/* It looks at that of vectors which are not wanted, too. */
static int64_t vectors_ld(const bench_problem *p) { return DEVICE_LD(1) > p->c.n ? DEVICE_LD(1) : p->c.n; }

/* Its eigenvalues are complex numbers of any matrix, one after the other: real and imaginary parts go apart when it has ended. */
static bool cusolver_pairs_size(bench_cuda *s, bench_problem *p)
{
    int t = cuda_type(p);
    return !((geev_size *)s->f[0])(s->handle, s->params, CUDA_VALUES, job(p), p->c.n, t, DEVICE(2), DEVICE_LD(2), cuda_complex(p), DEVICE(0), t, NULL, p->c.n, t, DEVICE(1), vectors_ld(p), t,
                                   &s->device_bytes, &s->host_bytes);
}

static bool cusolver_pairs(bench_cuda *s, bench_problem *p)
{
    int t = cuda_type(p);
    return !((geev_call *)s->f[1])(s->handle, s->params, CUDA_VALUES, job(p), p->c.n, t, DEVICE(2), DEVICE_LD(2), cuda_complex(p), DEVICE(0), t, NULL, p->c.n, t, DEVICE(1), vectors_ld(p), t,
                                   s->device, s->device_bytes, s->host, s->host_bytes, s->info);
}

static bool cusolver_pairs_finish(bench_cuda *s, bench_problem *p)
{
    (void)s;
    int64_t n = p->c.n;
    tsl_matrix *there = NULL, *apart = NULL;
    if (bench_is_complex(p->c.type) || n == 0)
        return true;
    tsl_status st = tsl_matrix_wrap(p->ctx, p->c.type, 2, n, DEVICE(0), 2, &there);
    if (!st)
        st = tsl_matrix_create(p->ctx, p->c.type, n, 2, &apart);
    if (!st)
        st = tsl_copy(p->ctx, tsl_trans(tsl_whole(there)), tsl_whole(apart));
    for (int part = 0; part < 2 && !st; part++)
        st = tsl_copy(p->ctx, tsl_sub(tsl_whole(apart), 0, part, n, 1), part_of_values(p, part));
    tsl_matrix_free(there), tsl_matrix_free(apart);
    return !st;
}

static const bench_routine routines[] = {
    {.name = "gehrd", .sizes = "n", .alpha = 1, .writes_all = true, .shape = shape_hessenberg, .elements = elements_hessenberg, .typed = TYPES(hessenberg), .views = views_hessenberg,
     .residual = residual_hessenberg, .openblas = TYPES(openblas_hessenberg)},
    {.name = "geev", .sizes = "n", .alpha = 1, .writes_all = true, .flags = FLAGS([BENCH_JOBZ] = "NV"), .shape = shape_pairs, .elements = elements_pairs, .flops = flops_pairs,
     .typed = TYPES(pairs), .views = views_pairs, .residual = residual_pairs, .openblas = TYPES(openblas_pairs),
     .cusolver = {CUSOLVER("cusolverDnXgeev_bufferSize", "cusolverDnXgeev"), cusolver_pairs, cusolver_pairs_size, NULL, cusolver_pairs_finish}},
    {.name = "gees", .sizes = "n", .alpha = 1, .writes_all = true, .flags = FLAGS([BENCH_JOBZ] = "VN"), .shape = shape_pairs, .elements = elements_schur, .flops = flops_schur,
     .typed = TYPES(schur), .views = views_schur, .residual = residual_schur, .openblas = TYPES(openblas_schur)},
};

const bench_family bench_geev = FAMILY(routines);
#endif
