/* Leaf computations: one operation on one block in one memory, as plain pointers and BLAS flags. A kernel knows nothing of
 * views, matrices or contexts. kernel[op][type] per backend; a backend without an entry, or a problem past the entry's limit,
 * is computed by the blocked text in src/algo instead. */
#ifndef TSL_KERNEL_H
#define TSL_KERNEL_H

#include "core/op.h"
#include "tesela.h"

struct tsl_queue;

/* Canonical form: the written operand has no op; opA and opB are N, T or HERM (never CONJ), and for real types never HERM.
 * Which fields an operation uses:
 *   copy   B(m x n) := op(A); uplo/diag-free; uplo restricts to a triangle of B; opA may be any of the four
 *   scale  B := alpha B, m x n, uplo; herm: the diagonal becomes real
 *   gemm   C(m x n) := alpha opA(A) opB(B) + beta C, inner size k
 *   trsm   B(m x n) := alpha inv(opA(A)) B or alpha B inv(opA(A)) by side; uplo, diag of A as stored
 *   syrk, herk  C(n x n, uplo) := alpha opA(A) opA(A)^T|^H + beta C, inner size k; complex syrk has opA N or T, herk N or HERM
 *   in gemm, trsm, syrk, herk alpha is not 0, and no size is
 *   potrf  A(n x n, uplo) in place; on failure at column j: if *info is 0 it becomes info_base + j + 1 */
typedef struct tsl_leaf {
    tsl_opcode op;
    tsl_type type;
    tsl_side side;
    tsl_uplo uplo;
    tsl_diag diag;
    tsl_op opA, opB;
    int herm;
    int64_t m, n, k;
    tsl_scalar alpha, beta;
    void *A, *B, *C;
    int64_t lda, ldb, ldc;
    int64_t *info; /* in the device's memory */
    int64_t info_base;
} tsl_leaf;

/* Runs (host) or launches (cuda) the leaf on the queue. */
typedef tsl_status (*tsl_kernel)(struct tsl_queue *q, const tsl_leaf *l);

typedef struct tsl_kernel_entry {
    tsl_kernel fn[4]; /* by tsl_type; NULL: none */
    int64_t limit;    /* largest order of the triangle it takes; 0: any */
} tsl_kernel_entry;

/* kernel/host/table.c, kernel/cuda/table.c */
extern const tsl_kernel_entry tsl_host_kernels[TSL_OP_COUNT];
extern const tsl_kernel_entry tsl_cuda_kernels[TSL_OP_COUNT];

/* alpha as the bytes of the leaf's type, for libraries that take scalars by pointer */
typedef union tsl_typed_scalar {
    float s;
    double d;
    tsl_cfloat c;
    tsl_cdouble z;
} tsl_typed_scalar;

#endif
