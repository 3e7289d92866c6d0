/* Host leaves by the host library: products, and Cholesky. */
#include <complex.h>

#include "kernel/host/blas.h"
#include "kernel/host/leaf.h"

/* Largest order of a triangle of a product computed whole, its square on the stack */
enum { GEMMT_WHOLE = 32 };

#define FN(name) PASTE3(tsl_host_, P, name)
#define BODY "kernel/host/blas/blas.inc"
#include "core/types.inc"

static size_t gemm_workspace(const tsl_leaf *l)
{
    size_t emulated = tsl_host_emulated_workspace(l);
    return emulated ? emulated : tsl_host_gemm_long_workspace(l);
}

const tsl_kernel_entry tsl_host_gemm_entry = {.fn = TSL_HOST_LEAVES(gemm), .workspace = gemm_workspace};
const tsl_kernel_entry tsl_host_gemmt_entry = {.fn = TSL_HOST_LEAVES(gemmt), .limit = TSL_HOST_LIMIT,
                                               .workspace = tsl_host_gemmt_workspace};
const tsl_kernel_entry tsl_host_syrk_entry = {.fn = TSL_HOST_LEAVES(syrk), .workspace = tsl_host_rank_k_workspace};
const tsl_kernel_entry tsl_host_herk_entry = {.fn = TSL_HOST_LEAVES(herk), .workspace = tsl_host_rank_k_workspace};
const tsl_kernel_entry tsl_host_syr2k_entry = {.fn = TSL_HOST_LEAVES(syr2k), .workspace = tsl_host_rank_long_workspace};
const tsl_kernel_entry tsl_host_her2k_entry = {.fn = TSL_HOST_LEAVES(her2k), .workspace = tsl_host_rank_long_workspace};
const tsl_kernel_entry tsl_host_symm_entry = {.fn = TSL_HOST_LEAVES(symm), .workspace = tsl_host_sided_long_workspace};
const tsl_kernel_entry tsl_host_hemm_entry = {.fn = TSL_HOST_LEAVES(hemm), .workspace = tsl_host_sided_long_workspace};
const tsl_kernel_entry tsl_host_trmm_entry = {.fn = TSL_HOST_LEAVES(trmm), .workspace = tsl_host_sided_long_workspace};
