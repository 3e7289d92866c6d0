/* Batches of singular values and vectors, polar decompositions and pseudo-inverses. */
#ifdef T
static tsl_status FN(gesvd)(bench_problem *p)
{
    char job = vectors(p) ? 'S' : 'N';
    return CALL(gesvd_batch)(p->ctx, job, job, p->c.m, p->c.n, STRIDED(4), DATA(1), LD(1), STRIDED(2), STRIDED(3), count(p),
                             DATA(0));
}

static tsl_status FN(polar)(bench_problem *p)
{
    return CALL(polar_batch)(p->ctx, p->c.m, p->a[2].is.cols, STRIDED(2), STRIDED(1), count(p), DATA(0));
}

/* Ranks are where others have infos. */
static tsl_status FN(pinv)(bench_problem *p)
{
    return CALL(pinv_batch)(p->ctx, p->c.m, p->c.n, STRIDED(1), -1, STRIDED(2), DATA(0), count(p), NULL);
}

#else
#include "bench/routine/batch/batch.h"

static bool vectors(const bench_problem *p) { return FLAG(JOBZ) != 'N'; }
static int64_t fewest(const bench_case *c) { return c->m < c->n ? c->m : c->n; }

#define BENCH_FAMILY "bench/routine/batch/svd.c"
#include "bench/each_type.h"

typedef int jacobi_size(void *, int, int, int, const void *, int, const void *, const void *, int, const void *, int,
                        int *, void *, int);
typedef int jacobi_call(void *, int, int, int, void *, int, void *, void *, int, void *, int, void *, int, int *, void *, int);
typedef int jacobi_params(void **);
typedef int tall_size(void *, int, int, int, int, const void *, int, long long, const void *, long long, const void *, int,
                      long long, const void *, int, long long, int *, int);
typedef int tall_call(void *, int, int, int, int, const void *, int, long long, void *, long long, void *, int, long long,
                      void *, int, long long, void *, int, int *, double *, int);

static int mode(const bench_problem *p) { return vectors(p) ? CUDA_VECTORS : CUDA_VALUES; }

/* Infos, the values, packed, U with room for a square one, and V, not V^H. All have their place, wanted or not. */
enum { TOLD, VALUES, LEFT, RIGHT };
static bench_parts parts(const bench_problem *p)
{
    size_t one = tsl_type_size(p->c.type), many = (size_t)count(p), m = (size_t)p->c.m, n = (size_t)p->c.n;
    size_t values = many * (size_t)fewest(&p->c) * tsl_type_size(bench_real(p->c.type));
    return (bench_parts){{[TOLD] = bench_narrow_bytes(p, 0), [VALUES] = values,
                          [LEFT] = many * m * m * one, [RIGHT] = many * n * n * one}};
}

/* The first columns of each U, which is m x columns, and V, n x n, turned */
static bool finish_vectors(bench_cuda *s, bench_problem *p, int64_t columns)
{
    int64_t d = fewest(&p->c), m = p->c.m, n = p->c.n;
    size_t one = tsl_type_size(p->c.type);
    char *U = bench_part(s, parts(p), LEFT), *V = bench_part(s, parts(p), RIGHT);
    bool done = true;
    for (int64_t i = 0; i < count(p) && done; i++) {
        tsl_matrix *from = NULL, *to = NULL;
        char *left = (char *)DEVICE(2) + (size_t)(i * stride(p, 2, BENCH_DEVICE)) * one;
        char *right = (char *)DEVICE(3) + (size_t)(i * stride(p, 3, BENCH_DEVICE)) * one;
        done = bench_batch_copy(p, p->c.type, m, d, U + (size_t)(i * m * columns) * one, m, left, DEVICE_LD(2)) &&
               !tsl_matrix_wrap(p->ctx, p->c.type, n, d, V + (size_t)(i * n * n) * one, n, &from) &&
               !tsl_matrix_wrap(p->ctx, p->c.type, d, n, right, DEVICE_LD(3), &to) &&
               !tsl_copy(p->ctx, tsl_herm(tsl_whole(from)), tsl_whole(to)) && !tsl_wait(p->ctx);
        tsl_matrix_free(from);
        tsl_matrix_free(to);
    }
    return done;
}

static bool finish_all(bench_cuda *s, bench_problem *p, int64_t columns)
{
    int64_t d = fewest(&p->c);
    void *values = bench_part(s, parts(p), VALUES);
    return bench_batch_widen(p, 0, bench_part(s, parts(p), TOLD)) &&
           bench_batch_copy(p, bench_real(p->c.type), d, count(p), values, d, DEVICE(1), DEVICE_LD(1)) &&
           (!vectors(p) || finish_vectors(s, p, columns));
}

/* By Jacobi's method: small ones, U is square */
enum { JACOBI_MOST = 32 };
static bool small(const bench_case *c) { return c->m <= JACOBI_MOST && c->n <= JACOBI_MOST; }

static void *jacobi(bench_cuda *s)
{
    static void *params; /* as it is made: to full accuracy */
    return params || !((jacobi_params *)s->f[2])(&params) ? params : NULL;
}

static bool cusolver_gesvdj_size(bench_cuda *s, bench_problem *p)
{
    int length = 0, m = (int)p->c.m, n = (int)p->c.n;
    return jacobi(s) &&
           !((jacobi_size *)s->f[0])(s->handle, mode(p), m, n, DEVICE(4), (int)DEVICE_LD(4), DEVICE(1), DEVICE(2), m, DEVICE(3),
                                     n, &length, jacobi(s), (int)count(p)) &&
           bench_parts_size(s, parts(p), (size_t)length * tsl_type_size(p->c.type), 0);
}

static bool cusolver_gesvdj(bench_cuda *s, bench_problem *p)
{
    bench_parts own = parts(p);
    int m = (int)p->c.m, n = (int)p->c.n;
    return !((jacobi_call *)s->f[1])(s->handle, mode(p), m, n, DEVICE(4), (int)DEVICE_LD(4), bench_part(s, own, VALUES),
                                     bench_part(s, own, LEFT), m, bench_part(s, own, RIGHT), n, s->device,
                                     (int)(bench_parts_library(s, own) / tsl_type_size(p->c.type)), bench_part(s, own, TOLD),
                                     jacobi(s), (int)count(p));
}

static bool finish_jacobi(bench_cuda *s, bench_problem *p) { return finish_all(s, p, p->c.m); }

/* By A^H A: no more columns than rows, as many vectors as there are values. It tells norms of
 * residuals: without them it is faster, and nobody knows how good its results are. */
static bool tall(const bench_case *c) { return c->m >= c->n; }

static bool cusolver_gesvda_size(bench_cuda *s, bench_problem *p)
{
    int length = 0, m = (int)p->c.m, n = (int)p->c.n;
    return !((tall_size *)s->f[0])(s->handle, mode(p), n, m, n, ON_DEVICE(4), DEVICE(1), n, DEVICE(2), m, (long long)m * n,
                                   DEVICE(3), n, (long long)n * n, &length, (int)count(p)) &&
           bench_parts_size(s, parts(p), (size_t)length * tsl_type_size(p->c.type), (size_t)count(p) * sizeof(double));
}

static bool cusolver_gesvda(bench_cuda *s, bench_problem *p)
{
    bench_parts own = parts(p);
    int m = (int)p->c.m, n = (int)p->c.n;
    return !((tall_call *)s->f[1])(s->handle, mode(p), n, m, n, ON_DEVICE(4), bench_part(s, own, VALUES), n,
                                   bench_part(s, own, LEFT), m, (long long)m * n, bench_part(s, own, RIGHT), n,
                                   (long long)n * n, s->device,
                                   (int)(bench_parts_library(s, own) / tsl_type_size(p->c.type)), bench_part(s, own, TOLD),
                                   s->host, (int)count(p));
}

static bool finish_tall(bench_cuda *s, bench_problem *p) { return finish_all(s, p, p->c.n); }

static const bench_routine routines[] = {
    {MANY(gesvd), INFOS, .sizes = "mn", .flags = FLAGS([BENCH_JOBZ] = "VN"), .typed = TYPES(gesvd),
     .cusolver = {CUSOLVER("cusolverDn?gesvdaStridedBatched_bufferSize", "cusolverDn?gesvdaStridedBatched"),
                  cusolver_gesvda, cusolver_gesvda_size, NULL, finish_tall, .takes = tall},
     .cusolver_jacobi = {CUSOLVER("cusolverDn?gesvdjBatched_bufferSize", "cusolverDn?gesvdjBatched",
                                  "cusolverDnCreateGesvdjInfo"),
                         cusolver_gesvdj, cusolver_gesvdj_size, NULL, finish_jacobi, .takes = small}},
    {ALONE(polar), INFOS, .sizes = "mn", .typed = TYPES(polar)},
    {ALONE(pinv), INFOS, .infos = fewest, .sizes = "mn", .typed = TYPES(pinv)},
};

const bench_family bench_batch_svd = FAMILY(routines);
#endif
