/* The typed calls behind one signature per operation, so that a test is written once for s, d, c and z. */
#ifndef TYPED_H
#define TYPED_H

#include "tesela.h"

typedef struct typed_calls {
    tsl_status (*gemm)(tsl_context *x, char ta, char tb, int64_t m, int64_t n, int64_t k, tsl_scalar alpha, const void *A,
                       int64_t lda, const void *B, int64_t ldb, tsl_scalar beta, void *C, int64_t ldc);
    tsl_status (*trmm)(tsl_context *x, char side, char uplo, char ta, char diag, int64_t m, int64_t n, tsl_scalar alpha,
                       const void *A, int64_t lda, void *B, int64_t ldb);
    tsl_status (*trsm)(tsl_context *x, char side, char uplo, char ta, char diag, int64_t m, int64_t n, tsl_scalar alpha,
                       const void *A, int64_t lda, void *B, int64_t ldb);
    tsl_status (*syrk)(tsl_context *x, char uplo, char trans, int64_t n, int64_t k, tsl_scalar alpha, const void *A, int64_t lda,
                       tsl_scalar beta, void *C, int64_t ldc);
    tsl_status (*herk)(tsl_context *x, char uplo, char trans, int64_t n, int64_t k, tsl_scalar alpha, const void *A, int64_t lda,
                       tsl_scalar beta, void *C, int64_t ldc); /* NULL for real types */
    tsl_status (*potrf)(tsl_context *x, char uplo, int64_t n, void *A, int64_t lda, int64_t *info);
    tsl_status (*trtri)(tsl_context *x, char uplo, char diag, int64_t n, void *A, int64_t lda, int64_t *info);
    tsl_status (*lauum)(tsl_context *x, char uplo, int64_t n, void *A, int64_t lda, int64_t *info);
    tsl_status (*potri)(tsl_context *x, char uplo, int64_t n, void *A, int64_t lda, int64_t *info);
    tsl_status (*potrs)(tsl_context *x, char uplo, int64_t n, int64_t nrhs, void *A, int64_t lda, void *B, int64_t ldb,
                        int64_t *info);
    tsl_status (*posv)(tsl_context *x, char uplo, int64_t n, int64_t nrhs, void *A, int64_t lda, void *B, int64_t ldb,
                       int64_t *info);
    tsl_status (*getrf)(tsl_context *x, int64_t m, int64_t n, void *A, int64_t lda, int64_t *ipiv, int64_t *info);
    tsl_status (*laswp)(tsl_context *x, int64_t n, void *A, int64_t lda, int64_t k1, int64_t k2, const int64_t *ipiv, int64_t incx);
    tsl_status (*getrs)(tsl_context *x, char trans, int64_t n, int64_t nrhs, const void *A, int64_t lda, const int64_t *ipiv, void *B,
                        int64_t ldb, int64_t *info);
    tsl_status (*gesv)(tsl_context *x, int64_t n, int64_t nrhs, void *A, int64_t lda, int64_t *ipiv, void *B, int64_t ldb, int64_t *info);
    tsl_status (*getri)(tsl_context *x, int64_t n, void *A, int64_t lda, const int64_t *ipiv, int64_t *info);
    tsl_status (*geqrf)(tsl_context *x, int64_t m, int64_t n, void *A, int64_t lda, void *tau, int64_t *info);
    tsl_status (*gelqf)(tsl_context *x, int64_t m, int64_t n, void *A, int64_t lda, void *tau, int64_t *info);
    tsl_status (*mqr)(tsl_context *x, char side, char trans, int64_t m, int64_t n, int64_t k, const void *A, int64_t lda, const void *tau,
                      void *C, int64_t ldc, int64_t *info); /* ormqr, unmqr; and so on */
    tsl_status (*mlq)(tsl_context *x, char side, char trans, int64_t m, int64_t n, int64_t k, const void *A, int64_t lda, const void *tau,
                      void *C, int64_t ldc, int64_t *info);
    tsl_status (*gqr)(tsl_context *x, int64_t m, int64_t n, int64_t k, void *A, int64_t lda, const void *tau, int64_t *info);
    tsl_status (*glq)(tsl_context *x, int64_t m, int64_t n, int64_t k, void *A, int64_t lda, const void *tau, int64_t *info);
    tsl_status (*gels)(tsl_context *x, char trans, int64_t m, int64_t n, int64_t nrhs, void *A, int64_t lda, void *B, int64_t ldb, int64_t *info);
    tsl_status (*gesv_incpiv)(tsl_context *x, int64_t n, int64_t nrhs, void *A, int64_t lda, void *B, int64_t ldb, int64_t *info);
    tsl_status (*gels_inc)(tsl_context *x, int64_t m, int64_t n, int64_t nrhs, void *A, int64_t lda, void *B, int64_t ldb, int64_t *info);
    tsl_status (*trd)(tsl_context *x, char uplo, int64_t n, void *A, int64_t lda, void *d, void *e, void *tau, int64_t *info); /* sytrd, hetrd */
    tsl_status (*mtr)(tsl_context *x, char side, char uplo, char trans, int64_t m, int64_t n, const void *A, int64_t lda, const void *tau, void *C,
                      int64_t ldc, int64_t *info);
    tsl_status (*gtr)(tsl_context *x, char uplo, int64_t n, void *A, int64_t lda, const void *tau, int64_t *info);
} typed_calls;

#define TYPED_RANK_K(p, T, name)                                                                                               \
    static inline tsl_status typed_##p##name(tsl_context *x, char uplo, char trans, int64_t n, int64_t k, tsl_scalar alpha,    \
                                             const void *A, int64_t lda, tsl_scalar beta, void *C, int64_t ldc)                \
    {                                                                                                                          \
        return tsl_##p##name(x, uplo, trans, n, k, (T)alpha, A, lda, (T)beta, C, ldc);                                         \
    }

#define TYPED_TRIANGULAR(p, T, name)                                                                                           \
    static inline tsl_status typed_##p##name(tsl_context *x, char side, char uplo, char ta, char diag, int64_t m, int64_t n,   \
                                             tsl_scalar alpha, const void *A, int64_t lda, void *B, int64_t ldb)               \
    {                                                                                                                          \
        return tsl_##p##name(x, side, uplo, ta, diag, m, n, (T)alpha, A, lda, B, ldb);                                         \
    }

#define TYPED_TRIANGLE(p, name)                                                                                                \
    static inline tsl_status typed_##p##name(tsl_context *x, char uplo, int64_t n, void *A, int64_t lda, int64_t *info)        \
    {                                                                                                                          \
        return tsl_##p##name(x, uplo, n, A, lda, info);                                                                        \
    }

#define TYPED_SYSTEM(p, name)                                                                                                  \
    static inline tsl_status typed_##p##name(tsl_context *x, char uplo, int64_t n, int64_t nrhs, void *A, int64_t lda,         \
                                             void *B, int64_t ldb, int64_t *info)                                              \
    {                                                                                                                          \
        return tsl_##p##name(x, uplo, n, nrhs, A, lda, B, ldb, info);                                                          \
    }

#define TYPED_LU(p)                                                                                                            \
    static inline tsl_status typed_##p##getrf(tsl_context *x, int64_t m, int64_t n, void *A, int64_t lda, int64_t *ipiv,       \
                                              int64_t *info)                                                                   \
    {                                                                                                                          \
        return tsl_##p##getrf(x, m, n, A, lda, ipiv, info);                                                                    \
    }                                                                                                                          \
    static inline tsl_status typed_##p##laswp(tsl_context *x, int64_t n, void *A, int64_t lda, int64_t k1, int64_t k2,         \
                                              const int64_t *ipiv, int64_t incx)                                               \
    {                                                                                                                          \
        return tsl_##p##laswp(x, n, A, lda, k1, k2, ipiv, incx);                                                               \
    }                                                                                                                          \
    static inline tsl_status typed_##p##getrs(tsl_context *x, char trans, int64_t n, int64_t nrhs, const void *A, int64_t lda, \
                                              const int64_t *ipiv, void *B, int64_t ldb, int64_t *info)                        \
    {                                                                                                                          \
        return tsl_##p##getrs(x, trans, n, nrhs, A, lda, ipiv, B, ldb, info);                                                  \
    }                                                                                                                          \
    static inline tsl_status typed_##p##gesv(tsl_context *x, int64_t n, int64_t nrhs, void *A, int64_t lda, int64_t *ipiv,     \
                                             void *B, int64_t ldb, int64_t *info)                                              \
    {                                                                                                                          \
        return tsl_##p##gesv(x, n, nrhs, A, lda, ipiv, B, ldb, info);                                                          \
    }                                                                                                                          \
    static inline tsl_status typed_##p##getri(tsl_context *x, int64_t n, void *A, int64_t lda, const int64_t *ipiv,            \
                                              int64_t *info)                                                                   \
    {                                                                                                                          \
        return tsl_##p##getri(x, n, A, lda, ipiv, info);                                                                       \
    }                                                                                                                          \
    static inline tsl_status typed_##p##gesv_incpiv(tsl_context *x, int64_t n, int64_t nrhs, void *A, int64_t lda, void *B,    \
                                                    int64_t ldb, int64_t *info)                                                \
    {                                                                                                                          \
        return tsl_##p##gesv_incpiv(x, n, nrhs, A, lda, B, ldb, info);                                                         \
    }

#define TYPED_QR(p)                                                                                                            \
    static inline tsl_status typed_##p##geqrf(tsl_context *x, int64_t m, int64_t n, void *A, int64_t lda, void *tau,           \
                                              int64_t *info)                                                                   \
    {                                                                                                                          \
        return tsl_##p##geqrf(x, m, n, A, lda, tau, info);                                                                     \
    }                                                                                                                          \
    static inline tsl_status typed_##p##gelqf(tsl_context *x, int64_t m, int64_t n, void *A, int64_t lda, void *tau,           \
                                              int64_t *info)                                                                   \
    {                                                                                                                          \
        return tsl_##p##gelqf(x, m, n, A, lda, tau, info);                                                                     \
    }                                                                                                                          \
    static inline tsl_status typed_##p##gels(tsl_context *x, char trans, int64_t m, int64_t n, int64_t nrhs, void *A,          \
                                             int64_t lda, void *B, int64_t ldb, int64_t *info)                                 \
    {                                                                                                                          \
        return tsl_##p##gels(x, trans, m, n, nrhs, A, lda, B, ldb, info);                                                      \
    }                                                                                                                          \
    static inline tsl_status typed_##p##gels_inc(tsl_context *x, int64_t m, int64_t n, int64_t nrhs, void *A, int64_t lda,     \
                                                 void *B, int64_t ldb, int64_t *info)                                          \
    {                                                                                                                          \
        return tsl_##p##gels_inc(x, m, n, nrhs, A, lda, B, ldb, info);                                                         \
    }

#define TYPED_Q(p)                                                                                                             \
    static inline tsl_status typed_##p##mqr(tsl_context *x, char side, char trans, int64_t m, int64_t n, int64_t k,            \
                                            const void *A, int64_t lda, const void *tau, void *C, int64_t ldc, int64_t *info)  \
    {                                                                                                                          \
        return tsl_##p##mqr(x, side, trans, m, n, k, A, lda, tau, C, ldc, info);                                               \
    }                                                                                                                          \
    static inline tsl_status typed_##p##mlq(tsl_context *x, char side, char trans, int64_t m, int64_t n, int64_t k,            \
                                            const void *A, int64_t lda, const void *tau, void *C, int64_t ldc, int64_t *info)  \
    {                                                                                                                          \
        return tsl_##p##mlq(x, side, trans, m, n, k, A, lda, tau, C, ldc, info);                                               \
    }                                                                                                                          \
    static inline tsl_status typed_##p##gqr(tsl_context *x, int64_t m, int64_t n, int64_t k, void *A, int64_t lda,             \
                                            const void *tau, int64_t *info)                                                    \
    {                                                                                                                          \
        return tsl_##p##gqr(x, m, n, k, A, lda, tau, info);                                                                    \
    }                                                                                                                          \
    static inline tsl_status typed_##p##glq(tsl_context *x, int64_t m, int64_t n, int64_t k, void *A, int64_t lda,             \
                                            const void *tau, int64_t *info)                                                    \
    {                                                                                                                          \
        return tsl_##p##glq(x, m, n, k, A, lda, tau, info);                                                                    \
    }

#define TYPED_EIG(p, q)                                                                                                        \
    static inline tsl_status typed_##p##trd(tsl_context *x, char uplo, int64_t n, void *A, int64_t lda, void *d, void *e,      \
                                            void *tau, int64_t *info)                                                          \
    {                                                                                                                          \
        return tsl_##p##trd(x, uplo, n, A, lda, d, e, tau, info);                                                              \
    }                                                                                                                          \
    static inline tsl_status typed_##q##mtr(tsl_context *x, char side, char uplo, char trans, int64_t m, int64_t n,            \
                                            const void *A, int64_t lda, const void *tau, void *C, int64_t ldc, int64_t *info)  \
    {                                                                                                                          \
        return tsl_##q##mtr(x, side, uplo, trans, m, n, A, lda, tau, C, ldc, info);                                            \
    }                                                                                                                          \
    static inline tsl_status typed_##q##gtr(tsl_context *x, char uplo, int64_t n, void *A, int64_t lda, const void *tau,       \
                                            int64_t *info)                                                                     \
    {                                                                                                                          \
        return tsl_##q##gtr(x, uplo, n, A, lda, tau, info);                                                                    \
    }

#define TYPED_WRAPPERS(p, T)                                                                                                   \
    static inline tsl_status typed_##p##gemm(tsl_context *x, char ta, char tb, int64_t m, int64_t n, int64_t k,                \
                                             tsl_scalar alpha, const void *A, int64_t lda, const void *B, int64_t ldb,         \
                                             tsl_scalar beta, void *C, int64_t ldc)                                            \
    {                                                                                                                          \
        return tsl_##p##gemm(x, ta, tb, m, n, k, (T)alpha, A, lda, B, ldb, (T)beta, C, ldc);                                   \
    }                                                                                                                          \
    TYPED_TRIANGULAR(p, T, trmm)                                                                                               \
    TYPED_TRIANGULAR(p, T, trsm)                                                                                               \
    TYPED_RANK_K(p, T, syrk)                                                                                                   \
    TYPED_TRIANGLE(p, potrf)                                                                                                   \
    TYPED_TRIANGLE(p, lauum)                                                                                                   \
    TYPED_TRIANGLE(p, potri)                                                                                                   \
    TYPED_SYSTEM(p, potrs)                                                                                                     \
    TYPED_SYSTEM(p, posv)                                                                                                      \
    TYPED_LU(p)                                                                                                                \
    TYPED_QR(p)                                                                                                                \
    static inline tsl_status typed_##p##trtri(tsl_context *x, char uplo, char diag, int64_t n, void *A, int64_t lda,           \
                                              int64_t *info)                                                                   \
    {                                                                                                                          \
        return tsl_##p##trtri(x, uplo, diag, n, A, lda, info);                                                                 \
    }

TYPED_WRAPPERS(s, float)
TYPED_WRAPPERS(d, double)
TYPED_WRAPPERS(c, tsl_cfloat)
TYPED_WRAPPERS(z, tsl_cdouble)
TYPED_Q(sor)
TYPED_Q(dor)
TYPED_Q(cun)
TYPED_Q(zun)
TYPED_EIG(ssy, sor)
TYPED_EIG(dsy, dor)
TYPED_EIG(che, cun)
TYPED_EIG(zhe, zun)
TYPED_RANK_K(c, float, herk)
TYPED_RANK_K(z, double, herk)

static inline const typed_calls *typed_for(tsl_type t)
{
#define TYPED_ROW(p, q, h, herk)                                                                                                     \
    {typed_##p##gemm,  typed_##p##trmm,  typed_##p##trsm,  typed_##p##syrk,  herk,            typed_##p##potrf,                \
     typed_##p##trtri, typed_##p##lauum, typed_##p##potri, typed_##p##potrs, typed_##p##posv, typed_##p##getrf,                \
     typed_##p##laswp, typed_##p##getrs, typed_##p##gesv,  typed_##p##getri, typed_##p##geqrf, typed_##p##gelqf,               \
     typed_##q##mqr,   typed_##q##mlq,   typed_##q##gqr,   typed_##q##glq,   typed_##p##gels, typed_##p##gesv_incpiv,          \
     typed_##p##gels_inc, typed_##h##trd, typed_##q##mtr, typed_##q##gtr}
    static const typed_calls table[] = {TYPED_ROW(s, sor, ssy, NULL), TYPED_ROW(d, dor, dsy, NULL), TYPED_ROW(c, cun, che, typed_cherk),
                                        TYPED_ROW(z, zun, zhe, typed_zherk)};
#undef TYPED_ROW
    return &table[t];
}

static const tsl_type all_types[] = {TSL_S, TSL_D, TSL_C, TSL_Z};

#endif
