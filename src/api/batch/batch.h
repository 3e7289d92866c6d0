/* The typed calls on batches, types erased (batch.c). Arguments are those of the call on one matrix, in its order; after each
 * leading dimension, or after an array that has none, comes the stride, unless the problems are at pointers; the number of
 * problems is the last before infos. */
#ifndef TSL_API_BATCH_H
#define TSL_API_BATCH_H

#include "api/typed.h"

/* An operand of all problems: at p, a stride apart, or each at a pointer */
typedef struct tsl_many {
    const void *p;
    void *const *each;
    int64_t ld, stride;
    bool at_pointers; /* the call has no strides, even if each is NULL */
} tsl_many;

tsl_status tsl_batch_gemm(tsl_context *ctx, tsl_type t, char transa, char transb, int64_t m, int64_t n, int64_t k, tsl_scalar alpha, tsl_many A,
                          tsl_many B, tsl_scalar beta, tsl_many C, int64_t count);
tsl_status tsl_batch_trsm(tsl_context *ctx, tsl_type t, char side, char uplo, char transa, char diag, int64_t m, int64_t n,
                          tsl_scalar alpha, tsl_many A, tsl_many B, int64_t count);
tsl_status tsl_batch_potrf(tsl_context *ctx, tsl_type t, char uplo, int64_t n, tsl_many A, int64_t count, int64_t *infos);
/* potrs, posv: infos of the second */
tsl_status tsl_batch_definite(tsl_context *ctx, tsl_type t, tsl_opcode op, const char *name, char uplo, int64_t n, int64_t nrhs,
                              tsl_many A, tsl_many B, int64_t count, int64_t *infos);
tsl_status tsl_batch_getrf(tsl_context *ctx, tsl_type t, int64_t m, int64_t n, tsl_many A, tsl_many ipiv, int64_t count, int64_t *infos);
tsl_status tsl_batch_getrs(tsl_context *ctx, tsl_type t, char trans, int64_t n, int64_t nrhs, tsl_many A, tsl_many ipiv, tsl_many B, int64_t count);
tsl_status tsl_batch_gesv(tsl_context *ctx, tsl_type t, int64_t n, int64_t nrhs, tsl_many A, tsl_many ipiv, tsl_many B,
                          int64_t count, int64_t *infos);
tsl_status tsl_batch_geqrf(tsl_context *ctx, tsl_type t, int64_t m, int64_t n, tsl_many A, tsl_many tau, int64_t count);
tsl_status tsl_batch_gels(tsl_context *ctx, tsl_type t, char trans, int64_t m, int64_t n, int64_t nrhs, tsl_many A, tsl_many B, int64_t count,
                          int64_t *infos);

#endif
