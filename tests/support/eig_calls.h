/* The typed calls of eigenproblems behind one signature per operation, so that a test is written once for s, d, c and z. */
#ifndef EIG_CALLS_H
#define EIG_CALLS_H

#include "tesela.h"

typedef struct eig_calls {
    tsl_status (*evd)(tsl_context *x, char job, char uplo, int64_t n, void *A, int64_t lda, void *w, int64_t *info);
    tsl_status (*ev)(tsl_context *x, char job, char uplo, int64_t n, void *A, int64_t lda, void *w, int64_t *info);
    tsl_status (*evx)(tsl_context *x, char job, char range, char uplo, int64_t n, void *A, int64_t lda, double vl, double vu, int64_t il, int64_t iu, int64_t *m,
                      void *w, void *Z, int64_t ldz, int64_t *ifail, int64_t *info);
    tsl_status (*gst)(tsl_context *x, int64_t itype, char uplo, int64_t n, void *A, int64_t lda, const void *B, int64_t ldb, int64_t *info);
    tsl_status (*gvd)(tsl_context *x, int64_t itype, char job, char uplo, int64_t n, void *A, int64_t lda, void *B, int64_t ldb, void *w, int64_t *info);
    tsl_status (*gv)(tsl_context *x, int64_t itype, char job, char uplo, int64_t n, void *A, int64_t lda, void *B, int64_t ldb, void *w, int64_t *info);
    tsl_status (*gvx)(tsl_context *x, int64_t itype, char job, char range, char uplo, int64_t n, void *A, int64_t lda, void *B, int64_t ldb, double vl, double vu,
                      int64_t il, int64_t iu, int64_t *m, void *w, void *Z, int64_t ldz, int64_t *info);
    tsl_status (*stedc)(tsl_context *x, char compz, int64_t n, void *d, void *e, void *Z, int64_t ldz, int64_t *info);
    tsl_status (*steqr)(tsl_context *x, char compz, int64_t n, void *d, void *e, void *Z, int64_t ldz, int64_t *info);
} eig_calls;

#define EIG_CALLS(p, h, R)                                                                                                                             \
    static tsl_status eig_##p##evd(tsl_context *x, char job, char uplo, int64_t n, void *A, int64_t lda, void *w, int64_t *info)                       \
    {                                                                                                                                                  \
        return tsl_##h##evd(x, job, uplo, n, A, lda, w, info);                                                                                         \
    }                                                                                                                                                  \
    static tsl_status eig_##p##ev(tsl_context *x, char job, char uplo, int64_t n, void *A, int64_t lda, void *w, int64_t *info)                        \
    {                                                                                                                                                  \
        return tsl_##h##ev(x, job, uplo, n, A, lda, w, info);                                                                                          \
    }                                                                                                                                                  \
    static tsl_status eig_##p##evx(tsl_context *x, char job, char range, char uplo, int64_t n, void *A, int64_t lda, double vl, double vu, int64_t il,    \
                                   int64_t iu, int64_t *m, void *w, void *Z, int64_t ldz, int64_t *ifail, int64_t *info)                                 \
    {                                                                                                                                                   \
        if (ifail) return tsl_##h##evx(x, job, range, uplo, n, A, lda, (R)vl, (R)vu, il, iu, 0, m, w, Z, ldz, ifail, info);                              \
        return tsl_##h##evr(x, job, range, uplo, n, A, lda, (R)vl, (R)vu, il, iu, 0, m, w, Z, ldz, NULL, info);                                          \
    }                                                                                                                                                   \
    static tsl_status eig_##p##gst(tsl_context *x, int64_t itype, char uplo, int64_t n, void *A, int64_t lda, const void *B, int64_t ldb, int64_t *info) \
    {                                                                                                                                                   \
        return tsl_##h##gst(x, itype, uplo, n, A, lda, B, ldb, info);                                                                                    \
    }                                                                                                                                                   \
    static tsl_status eig_##p##gvd(tsl_context *x, int64_t itype, char job, char uplo, int64_t n, void *A, int64_t lda, void *B, int64_t ldb, void *w, \
                                   int64_t *info)                                                                                                      \
    {                                                                                                                                                  \
        return tsl_##h##gvd(x, itype, job, uplo, n, A, lda, B, ldb, w, info);                                                                          \
    }                                                                                                                                                  \
    static tsl_status eig_##p##gv(tsl_context *x, int64_t itype, char job, char uplo, int64_t n, void *A, int64_t lda, void *B, int64_t ldb, void *w,  \
                                   int64_t *info)                                                                                                      \
    {                                                                                                                                                  \
        return tsl_##h##gv(x, itype, job, uplo, n, A, lda, B, ldb, w, info);                                                                           \
    }                                                                                                                                                  \
    static tsl_status eig_##p##gvx(tsl_context *x, int64_t itype, char job, char range, char uplo, int64_t n, void *A, int64_t lda, void *B, int64_t ldb, \
                                   double vl, double vu, int64_t il, int64_t iu, int64_t *m, void *w, void *Z, int64_t ldz, int64_t *info)               \
    {                                                                                                                                                   \
        return tsl_##h##gvx(x, itype, job, range, uplo, n, A, lda, B, ldb, (R)vl, (R)vu, il, iu, 0, m, w, Z, ldz, NULL, info);                           \
    }                                                                                                                                                   \
    static tsl_status eig_##p##stedc(tsl_context *x, char compz, int64_t n, void *d, void *e, void *Z, int64_t ldz, int64_t *info)                       \
    {                                                                                                                                                   \
        return tsl_##p##stedc(x, compz, n, d, e, Z, ldz, info);                                                                                          \
    }                                                                                                                                                   \
    static tsl_status eig_##p##steqr(tsl_context *x, char compz, int64_t n, void *d, void *e, void *Z, int64_t ldz, int64_t *info)                       \
    {                                                                                                                                                   \
        return tsl_##p##steqr(x, compz, n, d, e, Z, ldz, info);                                                                                          \
    }
EIG_CALLS(s, ssy, float)
EIG_CALLS(d, dsy, double)
EIG_CALLS(c, che, float)
EIG_CALLS(z, zhe, double)
#define EIG_ROW(p) {eig_##p##evd, eig_##p##ev, eig_##p##evx, eig_##p##gst, eig_##p##gvd, eig_##p##gv, eig_##p##gvx, eig_##p##stedc, eig_##p##steqr}
static const eig_calls eig_typed[4] = {[TSL_S] = EIG_ROW(s), [TSL_D] = EIG_ROW(d), [TSL_C] = EIG_ROW(c), [TSL_Z] = EIG_ROW(z)};

#endif
