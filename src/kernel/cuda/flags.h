/* From the leaf's words to those of cuBLAS. */
#ifndef TSL_CUDA_FLAGS_H
#define TSL_CUDA_FLAGS_H

#include <cublas_api.h>

#include "core/leaf.h"

static inline int operation(tsl_op op) { return op == TSL_HERM ? CUBLAS_OP_C : op ? CUBLAS_OP_T : CUBLAS_OP_N; }
static inline int fill_mode(tsl_uplo u) { return u == TSL_UPPER ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER; }
static inline int diagonal(tsl_diag d) { return d == TSL_UNIT ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT; }

#endif
