/* cuBLAS on level 1 and the rest of level 2. */
#include <string.h>

#include "bench/rival_cublas.h"
#include "bench/rotation.h"

/* The four types' functions differ only in what their pointers point to. */
typedef cublasStatus_t (*axpy_call)(cublasHandle_t, int64_t, const void *, const void *, int64_t, void *, int64_t);
typedef cublasStatus_t (*scal_call)(cublasHandle_t, int64_t, const void *, void *, int64_t);
typedef cublasStatus_t (*copy_call)(cublasHandle_t, int64_t, const void *, int64_t, void *, int64_t);
typedef cublasStatus_t (*dot_call)(cublasHandle_t, int64_t, const void *, int64_t, const void *, int64_t, void *);
typedef cublasStatus_t (*sum_call)(cublasHandle_t, int64_t, const void *, int64_t, void *);
typedef cublasStatus_t (*rot_call)(cublasHandle_t, int64_t, void *, int64_t, void *, int64_t, const void *, const void *);
typedef cublasStatus_t (*rotm_call)(cublasHandle_t, int64_t, void *, int64_t, void *, int64_t, const void *);
typedef cublasStatus_t (*ger_call)(cublasHandle_t, int64_t, int64_t, const void *, const void *, int64_t, const void *, int64_t, void *, int64_t);
typedef cublasStatus_t (*syr_call)(cublasHandle_t, cublasFillMode_t, int64_t, const void *, const void *, int64_t, void *, int64_t);
typedef cublasStatus_t (*syr2_call)(cublasHandle_t, cublasFillMode_t, int64_t, const void *, const void *, int64_t, const void *, int64_t,
                                    void *, int64_t);
typedef cublasStatus_t (*trmv_call)(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, int64_t, const void *, int64_t,
                                    void *, int64_t);
typedef cublasStatus_t (*gbmv_call)(cublasHandle_t, cublasOperation_t, int64_t, int64_t, int64_t, int64_t, const void *, const void *, int64_t,
                                    const void *, int64_t, const void *, void *, int64_t);
typedef cublasStatus_t (*sbmv_call)(cublasHandle_t, cublasFillMode_t, int64_t, int64_t, const void *, const void *, int64_t, const void *,
                                    int64_t, const void *, void *, int64_t);
typedef cublasStatus_t (*spmv_call)(cublasHandle_t, cublasFillMode_t, int64_t, const void *, const void *, const void *, int64_t, const void *,
                                    void *, int64_t);
typedef cublasStatus_t (*tbmv_call)(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, int64_t, int64_t, const void *,
                                    int64_t, void *, int64_t);
typedef cublasStatus_t (*tpmv_call)(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, int64_t, const void *, void *,
                                    int64_t);
typedef cublasStatus_t (*spr_call)(cublasHandle_t, cublasFillMode_t, int64_t, const void *, const void *, int64_t, void *);
typedef cublasStatus_t (*spr2_call)(cublasHandle_t, cublasFillMode_t, int64_t, const void *, const void *, int64_t, const void *, int64_t, void *);

/* In the order of `symbols`. */
struct cublas_vectors {
    axpy_call axpy[4];
    scal_call scal[4];
    copy_call copy[4], swap[4]; /* swap's first vector is not const */
    dot_call dot[4], dotc[4];
    sum_call nrm2[4], asum[4], iamax[4];
    rot_call rot[4];
    rotm_call rotm[2];
    ger_call gerc[4];
    syr_call syr[4], her[4];
    syr2_call syr2[4], her2[4];
    trmv_call trmv[4];
    gbmv_call gbmv[4];
    sbmv_call sbmv[4];
    spmv_call spmv[4];
    tbmv_call tbmv[4], tbsv[4];
    tpmv_call tpmv[4], tpsv[4];
    spr_call spr[4];
    spr2_call spr2[4];
};

/* A name for real types, one for complex ones. */
#define PAIR(sy, he) "cublasS" #sy "_v2_64", "cublasD" #sy "_v2_64", "cublasC" #he "_v2_64", "cublasZ" #he "_v2_64"
#define ALL(name) PAIR(name, name)

static const char *const symbols[] = {
    ALL(axpy), ALL(scal), ALL(copy), ALL(swap), PAIR(dot, dotu), PAIR(dot, dotc),
    "cublasSnrm2_v2_64", "cublasDnrm2_v2_64", "cublasScnrm2_v2_64", "cublasDznrm2_v2_64",
    "cublasSasum_v2_64", "cublasDasum_v2_64", "cublasScasum_v2_64", "cublasDzasum_v2_64",
    "cublasIsamax_v2_64", "cublasIdamax_v2_64", "cublasIcamax_v2_64", "cublasIzamax_v2_64",
    ALL(rot), "cublasSrotm_v2_64", "cublasDrotm_v2_64", PAIR(ger, gerc), ALL(syr), PAIR(syr, her), ALL(syr2), PAIR(syr2, her2), ALL(trmv),
    ALL(gbmv), PAIR(sbmv, hbmv), PAIR(spmv, hpmv), ALL(tbmv), ALL(tbsv), ALL(tpmv), ALL(tpsv), PAIR(spr, hpr), PAIR(spr2, hpr2), NULL};

static struct cublas_vectors loaded;

const struct cublas_vectors *bench_cublas_vectors_load(tsl_context *ctx, char line[BENCH_LINE])
{
    _Static_assert(sizeof loaded == sizeof symbols - sizeof *symbols, "a place per symbol");
    void *table[sizeof symbols / sizeof *symbols];
    if (!bench_cuda_load(ctx, cublas_libraries, symbols, table, line))
        return NULL;
    memcpy(&loaded, table, sizeof loaded);
    return &loaded;
}

/* A number of this type as cuBLAS has left it. */
static tsl_scalar value(tsl_type t, const typed_scalar *v)
{
    return t == TSL_S ? v->s : t == TSL_D ? v->d : t == TSL_C ? (tsl_scalar)v->c : v->z;
}

#define DATA(i) bench_data(p, i, BENCH_DEVICE)
#define LD(i) bench_ld(p, i, BENCH_DEVICE)
#define IS(word) !strcmp(name, #word)

bool bench_cublas_vectors_run(const struct cublas_vectors *f, cublasHandle_t h, bench_problem *p)
{
    const bench_case *c = &p->c;
    const char *name = bench_as(p->routine);
    tsl_type t = c->type, real = cublas_real(t);
    int64_t n = c->n, k = c->k;
    cublasFillMode_t uplo = c->flag[BENCH_UPLO] == 'L' ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER;
    cublasDiagType_t diag = c->flag[BENCH_DIAG] == 'U' ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT;
    cublasOperation_t op = op_of(c->flag[BENCH_TRANS]);
    typed_scalar alpha = scalar(p->routine->real_alpha ? real : t, c->alpha), beta = scalar(t, c->beta), result = {.z = 0};
    if (IS(axpy)) return !f->axpy[t](h, n, &alpha, DATA(0), 1, DATA(1), 1);
    if (IS(scal)) return !f->scal[t](h, n, &alpha, DATA(0), 1);
    if (IS(copy)) return !f->copy[t](h, n, DATA(0), 1, DATA(1), 1);
    if (IS(swap)) return !f->swap[t](h, n, DATA(0), 1, DATA(1), 1);
    if (IS(rot)) {
        typed_scalar cosine = scalar(real, BENCH_ROT_C), sine = scalar(t, bench_rot_s(t));
        return !f->rot[t](h, n, DATA(0), 1, DATA(1), 1, &cosine, &sine);
    }
    if (IS(rotm)) {
        float single[5];
        for (int i = 0; i < 5; i++)
            single[i] = (float)bench_rotm[i];
        return !f->rotm[t](h, n, DATA(0), 1, DATA(1), 1, t == TSL_S ? (const void *)single : bench_rotm);
    }
    if (IS(dot) || IS(dotc)) {
        bool done = !(IS(dot) ? f->dot : f->dotc)[t](h, n, DATA(0), 1, DATA(1), 1, &result);
        p->out[0] = value(t, &result);
        return done;
    }
    if (IS(nrm2) || IS(asum)) {
        bool done = !(IS(nrm2) ? f->nrm2 : f->asum)[t](h, n, DATA(0), 1, &result);
        p->out[0] = value(real, &result);
        return done;
    }
    if (IS(iamax)) {
        int64_t at = 0;
        bool done = !f->iamax[t](h, n, DATA(0), 1, &at);
        p->out[0] = (double)at;
        return done;
    }
    if (IS(gerc)) return !f->gerc[t](h, c->m, n, &alpha, DATA(0), 1, DATA(1), 1, DATA(2), LD(2));
    if (IS(syr) || IS(her)) return !(IS(syr) ? f->syr : f->her)[t](h, uplo, n, &alpha, DATA(0), 1, DATA(1), LD(1));
    if (IS(syr2) || IS(her2)) return !(IS(syr2) ? f->syr2 : f->her2)[t](h, uplo, n, &alpha, DATA(0), 1, DATA(1), 1, DATA(2), LD(2));
    if (IS(trmv)) return !f->trmv[t](h, uplo, op, diag, n, DATA(0), LD(0), DATA(1), 1);
    if (IS(gbmv)) return !f->gbmv[t](h, op, c->m, n, k, k, &alpha, DATA(0), LD(0), DATA(1), 1, &beta, DATA(2), 1);
    if (IS(sbmv)) return !f->sbmv[t](h, uplo, n, k, &alpha, DATA(0), LD(0), DATA(1), 1, &beta, DATA(2), 1);
    if (IS(spmv)) return !f->spmv[t](h, uplo, n, &alpha, DATA(0), DATA(1), 1, &beta, DATA(2), 1);
    if (IS(tbmv) || IS(tbsv)) return !(IS(tbmv) ? f->tbmv : f->tbsv)[t](h, uplo, op, diag, n, k, DATA(0), LD(0), DATA(1), 1);
    if (IS(tpmv) || IS(tpsv)) return !(IS(tpmv) ? f->tpmv : f->tpsv)[t](h, uplo, op, diag, n, DATA(0), DATA(1), 1);
    if (IS(spr)) return !f->spr[t](h, uplo, n, &alpha, DATA(0), 1, DATA(1));
    if (IS(spr2)) return !f->spr2[t](h, uplo, n, &alpha, DATA(0), 1, DATA(1), 1, DATA(2));
    return false;
}
