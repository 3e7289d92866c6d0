/* kernel[op][type] of the host. OpenBLAS takes any size; the triangle of a product is ours, and limited, and so is
 * LAPACK's inverse, in which little is done by products. */
#include "kernel/host/leaf.h"

#define BY_LAPACK_QR(op) ((op) == TSL_OP_GEQRT || (op) == TSL_OP_GEQRF || (op) == TSL_OP_ORMQR || (op) == TSL_OP_ORGQR || (op) == TSL_OP_GELS)
#define LIMIT_OF(op)                                                     \
    ((op) == TSL_OP_GEMMT || (op) == TSL_OP_GETRI  ? TSL_HOST_LIMIT      \
     : (op) == TSL_OP_GEQRT || (op) == TSL_OP_LARFT ? TSL_HOST_QR_LIMIT \
                                                    : 0)
#define BY_PARTS(op)                                                                                                              \
    ((op) == TSL_OP_GEMM || (op) == TSL_OP_SYRK || (op) == TSL_OP_HERK || (op) == TSL_OP_SYR2K || (op) == TSL_OP_HER2K ||         \
     (op) == TSL_OP_SYMM || (op) == TSL_OP_HEMM || (op) == TSL_OP_TRMM || (op) == TSL_OP_TRSM)
#define WORKSPACE_OF(op)                               \
    ((op) == TSL_OP_NORM    ? tsl_host_norm_workspace  \
     : BY_LAPACK_QR(op)     ? tsl_host_qr_workspace    \
     : BY_PARTS(op)         ? tsl_host_long_workspace  \
     : (op) == TSL_OP_TSTRF ? tsl_host_tstrf_workspace \
     : (op) == TSL_OP_TSQRT ? tsl_host_qrinc_workspace \
     : (op) == TSL_OP_TSMQR ? tsl_host_qrinc_workspace \
     : (op) == TSL_OP_GETRF ? tsl_host_getrf_workspace \
     : (op) == TSL_OP_GETRS || (op) == TSL_OP_GESV ? tsl_host_getrs_workspace \
                            : NULL)

const tsl_kernel_entry *const tsl_host_kernels[TSL_OP_COUNT] = {
#define TSL_ALGORITHMS_ONLY(...) &(const tsl_kernel_entry){.fn = {NULL}},
#define TSL_OPERATION(id, name, ...)                                                                         \
    &(const tsl_kernel_entry){.fn = {tsl_host_s##name, tsl_host_d##name, tsl_host_c##name, tsl_host_z##name}, \
                              .limit = LIMIT_OF(TSL_OP_##id), .workspace = WORKSPACE_OF(TSL_OP_##id)},
#include "core/ops.def"
#undef TSL_OPERATION
};
