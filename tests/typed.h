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
    static inline tsl_status typed_##p##trtri(tsl_context *x, char uplo, char diag, int64_t n, void *A, int64_t lda,           \
                                              int64_t *info)                                                                   \
    {                                                                                                                          \
        return tsl_##p##trtri(x, uplo, diag, n, A, lda, info);                                                                 \
    }

TYPED_WRAPPERS(s, float)
TYPED_WRAPPERS(d, double)
TYPED_WRAPPERS(c, tsl_cfloat)
TYPED_WRAPPERS(z, tsl_cdouble)
TYPED_RANK_K(c, float, herk)
TYPED_RANK_K(z, double, herk)

static inline const typed_calls *typed_for(tsl_type t)
{
#define TYPED_ROW(p, herk)                                                                                                     \
    {typed_##p##gemm,  typed_##p##trmm,  typed_##p##trsm,  typed_##p##syrk,  herk,            typed_##p##potrf,                \
     typed_##p##trtri, typed_##p##lauum, typed_##p##potri, typed_##p##potrs, typed_##p##posv, typed_##p##getrf,                \
     typed_##p##laswp, typed_##p##getrs, typed_##p##gesv,  typed_##p##getri}
    static const typed_calls table[] = {TYPED_ROW(s, NULL), TYPED_ROW(d, NULL), TYPED_ROW(c, typed_cherk),
                                        TYPED_ROW(z, typed_zherk)};
#undef TYPED_ROW
    return &table[t];
}

static const tsl_type all_types[] = {TSL_S, TSL_D, TSL_C, TSL_Z};

#endif
