/* Batches: gemm, trsm, potrf, posv, getrf, gesv, geqrf, sysv, syev, gesvd, geev of many small problems. Operands, counts of work
 * and residuals are those of the routine that does one problem, and so is OpenBLAS's call, in a loop. Infos, where there are
 * some, are the first operand. */
#ifdef T
static tsl_status FN(gemm)(bench_problem *p)
{
    const bench_case *c = &p->c;
    return CALL(gemm_batch)(p->ctx, FLAG(TRANS), FLAG(TRANSB), c->m, c->n, c->k, (T)c->alpha, STRIDED(0), STRIDED(1), (T)c->beta, STRIDED(2), count(p));
}

static tsl_status FN(trsm)(bench_problem *p)
{
    const bench_case *c = &p->c;
    return CALL(trsm_batch)(p->ctx, FLAG(SIDE), FLAG(UPLO), FLAG(TRANS), FLAG(DIAG), c->m, c->n, (T)c->alpha, STRIDED(0),
                            STRIDED(1), count(p));
}

static tsl_status FN(potrf)(bench_problem *p) { return CALL(potrf_batch)(p->ctx, FLAG(UPLO), p->c.n, STRIDED(1), count(p), DATA(0)); }

static tsl_status FN(posv)(bench_problem *p)
{
    return CALL(posv_batch)(p->ctx, FLAG(UPLO), p->c.n, p->c.k, STRIDED(1), STRIDED(2), count(p), DATA(0));
}

static tsl_status FN(getrf)(bench_problem *p)
{
    return CALL(getrf_batch)(p->ctx, p->c.n, p->c.n, STRIDED(2), DATA(1), LD(1), count(p), DATA(0));
}

static tsl_status FN(gesv)(bench_problem *p)
{
    return CALL(gesv_batch)(p->ctx, p->c.n, p->c.k, STRIDED(1), DATA(2), LD(2), STRIDED(3), count(p), DATA(0));
}

static tsl_status FN(geqrf)(bench_problem *p) { return CALL(geqrf_batch)(p->ctx, p->c.m, p->c.n, STRIDED(1), DATA(0), LD(0), count(p)); }

static tsl_status FN(sysv)(bench_problem *p)
{
    return CALL(sysv_batch)(p->ctx, FLAG(UPLO), p->c.n, p->c.k, STRIDED(1), DATA(2), LD(2), STRIDED(3), count(p), DATA(0));
}

static tsl_status FN(syev)(bench_problem *p)
{
    return CALL(PAIR(syev_batch, heev_batch))(p->ctx, FLAG(JOBZ), FLAG(UPLO), p->c.n, STRIDED(2), DATA(1), LD(1), count(p),
                                              DATA(0));
}

static tsl_status FN(gesvd)(bench_problem *p)
{
    char job = FLAG(JOBZ) == 'V' ? 'S' : 'N';
    return CALL(gesvd_batch)(p->ctx, job, job, p->c.m, p->c.n, STRIDED(4), DATA(1), LD(1), STRIDED(2), STRIDED(3), count(p),
                             DATA(0));
}

/* Real and imaginary parts of a problem's values are one after the other. */
static tsl_status FN(geev)(bench_problem *p)
{
#ifdef COMPLEX
    return CALL(geev_batch)(p->ctx, 'N', FLAG(JOBZ), p->c.n, STRIDED(3), DATA(1), LD(1), NULL, 1, 0, STRIDED(2), count(p),
                            DATA(0));
#else
    T *values = DATA(1);
    return CALL(geev_batch)(p->ctx, 'N', FLAG(JOBZ), p->c.n, STRIDED(3), values, LD(1), values ? values + p->c.n : NULL, LD(1),
                            NULL, 1, 0, STRIDED(2), count(p), DATA(0));
#endif
}

#else
#include "bench/routine.h"

static int64_t count(const bench_problem *p) { return p->a[0].is.problems; }

/* From one problem's to the next one's */
static int64_t stride(const bench_problem *p, int operand, bench_place place) { return bench_ld(p, operand, place) * p->a[operand].is.cols; }

#define STRIDED(i) DATA(i), LD(i), stride(p, i, p->place)

#define BENCH_FAMILY "bench/routine/batch/batch.c"
#include "bench/each_type.h"

static int64_t *info(const bench_problem *p, int64_t problem) { return (int64_t *)HOST(0) + problem * stride(p, 0, BENCH_HOST); }

/* The worst problem's. Of large batches a sample: as many problems as have so many elements, and the last. */
enum { SAMPLE = 1 << 22 };
static double residual(const bench_problem *p)
{
    bench_problem one = bench_first(p);
    const bench_array *A = &p->a[p->count - 1];
    int64_t step = 1 + A->ld * A->width / SAMPLE, next;
    double worst = 0;
    for (int64_t i = 0; i < count(p) && p->routine->has_infos; i++)
        if (*info(p, i) != 0)
            return INFINITY;
    for (int64_t i = 0; i < count(p); i = next) {
        double ratio = one.routine->residual(&one);
        if (!(ratio <= worst))
            worst = isnan(ratio) ? INFINITY : ratio;
        next = i + step < count(p) || i == count(p) - 1 ? i + step : count(p) - 1;
        bench_further(&one, next - i);
    }
    return worst;
}

static bool openblas(bench_problem *p)
{
    bench_problem one = bench_first(p);
    bench_linked call = one.routine->openblas[p->c.type];
    bool done = true;
    for (int64_t i = 0; i < count(p); i++) {
        bool right = call(&one);
        if (p->routine->has_infos)
            *info(p, i) = !right;
        done &= right;
        bench_further(&one, 1);
    }
    return done;
}

/* cuBLAS and cuSOLVER take pointers to the problems, in device memory, and give infos and pivots of 32 bits there. The
 * workspace has a list of pointers for each operand, more lists for further columns of the last one, then the infos, then the
 * pivots. */
static void *pointers(const bench_cuda *s, const bench_problem *p, int64_t list) { return (void **)s->device + list * count(p); }
static int *infos(const bench_cuda *s) { return (int *)(void *)((char *)s->device + s->host_bytes); }
static int *pivots(const bench_cuda *s, const bench_problem *p) { return infos(s) + count(p); }

static bool room(bench_cuda *s, const bench_problem *p, int64_t columns)
{
    s->host_bytes = (size_t)((p->count - 1 + columns) * count(p)) * sizeof(void *);
    s->device_bytes = s->host_bytes + (size_t)(count(p) * (1 + p->c.n)) * sizeof(int);
    return true;
}

static bool room_for_columns(bench_cuda *s, bench_problem *p) { return room(s, p, p->c.k); }
static bool room_for_pointers(bench_cuda *s, bench_problem *p) { return room(s, p, 1); }

/* 64-bit words from one place to another */
static bool move(bench_problem *p, void *from, void *to, size_t bytes)
{
    int64_t words = (int64_t)(bytes / sizeof(int64_t));
    tsl_matrix *a = NULL, *b = NULL;
    bool done = !tsl_matrix_wrap(p->ctx, TSL_INDEX, words, 1, from, words, &a) && !tsl_matrix_wrap(p->ctx, TSL_INDEX, words, 1, to, words, &b) &&
                !tsl_copy(p->ctx, tsl_whole(a), tsl_whole(b)) && !tsl_wait(p->ctx);
    tsl_matrix_free(a);
    tsl_matrix_free(b);
    return done;
}

static bool point(bench_cuda *s, bench_problem *p)
{
    char **list = s->host, **end = list + s->host_bytes / sizeof *list;
    for (int64_t l = 0; list < end; l++) {
        int operand = l < p->count ? (int)l : p->count - 1;
        size_t size = tsl_type_size(p->a[operand].type), each = (size_t)stride(p, operand, BENCH_DEVICE) * size;
        char *at = (char *)DEVICE(operand) + (size_t)((l - operand) * DEVICE_LD(operand)) * size;
        for (int64_t i = 0; i < count(p); i++)
            *list++ = at + (size_t)i * each;
    }
    return move(p, s->host, s->device, s->host_bytes);
}

/* An operand that is a column of indices becomes what narrow ones say. */
static bool widen(bench_problem *p, int operand, const int *narrow)
{
    bench_array *a = &p->a[operand];
    if (bench_fetch(p, operand) || tsl_wait(p->ctx))
        return false;
    for (int64_t i = 0; i < count(p); i++)
        for (int64_t j = 0; j < a->is.rows; j++)
            ((int64_t *)HOST(operand))[i * a->ld + j] = *narrow++;
    return !tsl_copy(p->ctx, tsl_whole(a->result), tsl_whole(a->device)) && !tsl_wait(p->ctx);
}

static bool fetch(bench_cuda *s, bench_problem *p, bool has_pivots)
{
    size_t bytes = (size_t)(count(p) * (1 + p->c.n)) * sizeof(int);
    int *narrow = malloc(bytes + sizeof(int64_t));
    bool done = narrow && move(p, infos(s), narrow, bytes + sizeof(int)) && widen(p, 0, narrow); /* a half of a word is one */
    if (done && has_pivots)
        done = widen(p, p->count - 2, narrow + count(p));
    free(narrow);
    return done;
}

static bool fetch_infos(bench_cuda *s, bench_problem *p) { return fetch(s, p, false); }
static bool fetch_pivots(bench_cuda *s, bench_problem *p) { return fetch(s, p, true); }

typedef int gemm_call(void *, int, int, int, int, int, const void *, const void *, int, long long, const void *, int, long long, const void *, void *,
                      int, long long, int);
typedef int trsm_call(void *, int, int, int, int, int, int, const void *, const void *, int, void *, int, int);
typedef int getrf_call(void *, int, void *, int, int *, int *, int);
typedef int getrs_call(void *, int, int, int, const void *, int, const int *, void *, int, int *, int);
typedef int geqrf_call(void *, int, int, void *, int, void *, int *, int);
typedef int potrf_call(void *, int, int, void *, int, int *, int);
typedef int potrs_call(void *, int, int, int, void *, int, void *, int, void *, int);

#define ON_DEVICE(i) DEVICE(i), (int)DEVICE_LD(i), stride(p, i, BENCH_DEVICE)
#define POINTERS(i) pointers(s, p, i), (int)DEVICE_LD(i)

static bool cublas_gemm(bench_cuda *s, bench_problem *p)
{
    const bench_case *c = &p->c;
    bench_number alpha = bench_alpha(p), beta = bench_beta(p);
    return !((gemm_call *)s->f[0])(s->handle, cuda_op(FLAG(TRANS)), cuda_op(FLAG(TRANSB)), (int)c->m, (int)c->n, (int)c->k, &alpha, ON_DEVICE(0),
                                   ON_DEVICE(1), &beta, ON_DEVICE(2), (int)count(p));
}

static bool cublas_trsm(bench_cuda *s, bench_problem *p)
{
    bench_number alpha = bench_alpha(p);
    return !((trsm_call *)s->f[0])(s->handle, cuda_side(p), cuda_uplo(p), cuda_op(FLAG(TRANS)), cuda_diag(p), (int)p->c.m, (int)p->c.n, &alpha,
                                   POINTERS(0), POINTERS(1), (int)count(p));
}

static bool factor(bench_cuda *s, bench_problem *p, int A)
{
    return !((getrf_call *)s->f[0])(s->handle, (int)p->c.n, POINTERS(A), pivots(s, p), infos(s), (int)count(p));
}

static bool cublas_getrf(bench_cuda *s, bench_problem *p) { return factor(s, p, 2); }

static bool cublas_gesv(bench_cuda *s, bench_problem *p)
{
    int refused = 0;
    return factor(s, p, 1) && !((getrs_call *)s->f[1])(s->handle, CUDA_NO_TRANS, (int)p->c.n, (int)p->c.k, POINTERS(1), pivots(s, p), POINTERS(3),
                                                       &refused, (int)count(p)) && !refused;
}

static bool cublas_geqrf(bench_cuda *s, bench_problem *p)
{
    int refused = 0;
    return !((geqrf_call *)s->f[0])(s->handle, (int)p->c.m, (int)p->c.n, POINTERS(1), pointers(s, p, 0), &refused, (int)count(p)) && !refused;
}

static bool cusolver_potrf(bench_cuda *s, bench_problem *p)
{
    return !((potrf_call *)s->f[0])(s->handle, cuda_uplo(p), (int)p->c.n, POINTERS(1), infos(s), (int)count(p));
}

/* Its solver takes one right-hand side: a call for each. */
static bool cusolver_posv(bench_cuda *s, bench_problem *p)
{
    bool done = cusolver_potrf(s, p);
    for (int64_t j = 0; j < p->c.k && done; j++)
        done = !((potrs_call *)s->f[1])(s->handle, cuda_uplo(p), (int)p->c.n, 1, POINTERS(1), pointers(s, p, 2 + j), (int)DEVICE_LD(2), s->info,
                                        (int)count(p));
    return done;
}

#define MANY(one) \
    .name = #one "_batch", .batch_of = #one, .residual = residual, .openblas = {openblas, openblas, openblas, openblas}
#define BATCH(one) MANY(one), .by_bytes = true, .typed = TYPES(one)
#define JOBS(letters) INFOS, .alpha = 1, .flags = FLAGS([BENCH_JOBZ] = letters)
#define HALF_JOBS INFOS, .sizes = "n", .alpha = 1, .flags = FLAGS([BENCH_JOBZ] = "NV", [BENCH_UPLO] = "LU")
#define INFOS .has_infos = true, .writes_all = true
#define UPLO .flags = FLAGS([BENCH_UPLO] = "LU")
#define NAMES(...) {{__VA_ARGS__}, {__VA_ARGS__}}

static const bench_routine routines[] = {
    {BATCH(gemm), .sizes = "mnk", .alpha = -1, .beta = 1, .steady = true, .flags = FLAGS([BENCH_TRANS] = "NTC", [BENCH_TRANSB] = "NTC"),
     .cublas = {NAMES("cublas?gemmStridedBatched"), cublas_gemm}},
    {BATCH(trsm), .sizes = "mn", .alpha = 1, .steady = true,
     .flags = FLAGS([BENCH_SIDE] = "LR", [BENCH_UPLO] = "LU", [BENCH_TRANS] = "NTC", [BENCH_DIAG] = "NU"),
     .cublas = {NAMES("cublas?trsmBatched"), cublas_trsm, room_for_pointers, point}},
    {BATCH(potrf), INFOS, UPLO, .sizes = "n", .alpha = 1,
     .cusolver = {NAMES("cusolverDn?potrfBatched"), cusolver_potrf, room_for_pointers, point, fetch_infos}},
    {BATCH(posv), INFOS, UPLO, .sizes = "nk", .alpha = 1,
     .cusolver = {NAMES("cusolverDn?potrfBatched", "cusolverDn?potrsBatched"), cusolver_posv, room_for_columns, point, fetch_infos}},
    {BATCH(getrf), INFOS, .sizes = "n", .alpha = 1,
     .cublas = {NAMES("cublas?getrfBatched"), cublas_getrf, room_for_pointers, point, fetch_pivots}},
    {BATCH(gesv), INFOS, .sizes = "nk", .alpha = 1,
     .cublas = {NAMES("cublas?getrfBatched", "cublas?getrsBatched"), cublas_gesv, room_for_pointers, point, fetch_pivots}},
    {BATCH(geqrf), .writes_all = true, .sizes = "mn", .alpha = 1,
     .cublas = {NAMES("cublas?geqrfBatched"), cublas_geqrf, room_for_pointers, point}},
    {BATCH(sysv), INFOS, UPLO, .sizes = "nk", .alpha = 1},
    {MANY(syev), HALF_JOBS, .types = "sd", .typed = {s_syev, d_syev}},
    {MANY(heev), HALF_JOBS, .types = "cz", .typed = {NULL, NULL, c_syev, z_syev}},
    {MANY(gesvd), JOBS("VN"), .sizes = "mn", .typed = TYPES(gesvd)},
    {MANY(geev), JOBS("NV"), .sizes = "n", .typed = TYPES(geev)},
};

const bench_family bench_batch = FAMILY(routines);
#endif
