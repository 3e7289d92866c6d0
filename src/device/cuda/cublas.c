#include "device/cuda/cublas.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

#include "core/core.h"

#define CUBLAS_SYMBOLS(X)                           \
    X(create, cublasCreate_v2)                      \
    X(destroy, cublasDestroy_v2)                    \
    X(set_stream, cublasSetStream_v2)               \
    X(set_workspace, cublasSetWorkspace_v2)         \
    X(set_math_mode, cublasSetMathMode)             \
    X(get_version, cublasGetVersion_v2)             \
    X(status_string, cublasGetStatusString)         \
    X(set_pointer_mode, cublasSetPointerMode_v2)    \
    X(copy[TSL_S], cublasScopy_v2_64)               \
    X(copy[TSL_D], cublasDcopy_v2_64)               \
    X(copy[TSL_C], cublasCcopy_v2_64)               \
    X(copy[TSL_Z], cublasZcopy_v2_64)               \
    X(swap[TSL_S], cublasSswap_v2_64)               \
    X(swap[TSL_D], cublasDswap_v2_64)               \
    X(swap[TSL_C], cublasCswap_v2_64)               \
    X(swap[TSL_Z], cublasZswap_v2_64)               \
    X(axpy[TSL_S], cublasSaxpy_v2_64)               \
    X(axpy[TSL_D], cublasDaxpy_v2_64)               \
    X(axpy[TSL_C], cublasCaxpy_v2_64)               \
    X(axpy[TSL_Z], cublasZaxpy_v2_64)               \
    X(dot[TSL_S], cublasSdot_v2_64)                 \
    X(dot[TSL_D], cublasDdot_v2_64)                 \
    X(dot[TSL_C], cublasCdotu_v2_64)                \
    X(dot[TSL_Z], cublasZdotu_v2_64)                \
    X(dotc[TSL_C], cublasCdotc_v2_64)               \
    X(dotc[TSL_Z], cublasZdotc_v2_64)               \
    X(rot[TSL_S], cublasSrot_v2_64)                 \
    X(rot[TSL_D], cublasDrot_v2_64)                 \
    X(rot[TSL_C], cublasCrot_v2_64)                 \
    X(rot[TSL_Z], cublasZrot_v2_64)                 \
    X(rot_real[TSL_C], cublasCsrot_v2_64)           \
    X(rot_real[TSL_Z], cublasZdrot_v2_64)           \
    X(rotm[TSL_S], cublasSrotm_v2_64)               \
    X(rotm[TSL_D], cublasDrotm_v2_64)               \
    X(asum[TSL_S], cublasSasum_v2_64)               \
    X(asum[TSL_D], cublasDasum_v2_64)               \
    X(asum[TSL_C], cublasScasum_v2_64)              \
    X(asum[TSL_Z], cublasDzasum_v2_64)              \
    X(gemm[TSL_S], cublasSgemm_v2_64)               \
    X(gemm[TSL_D], cublasDgemm_v2_64)               \
    X(gemm[TSL_C], cublasCgemm_v2_64)               \
    X(gemm[TSL_Z], cublasZgemm_v2_64)               \
    X(gemm_batch[TSL_S], cublasSgemmStridedBatched_64) \
    X(gemm_batch[TSL_D], cublasDgemmStridedBatched_64) \
    X(gemm_batch[TSL_C], cublasCgemmStridedBatched_64) \
    X(gemm_batch[TSL_Z], cublasZgemmStridedBatched_64) \
    X(syrk[TSL_S], cublasSsyrk_v2_64)               \
    X(syrk[TSL_D], cublasDsyrk_v2_64)               \
    X(syrk[TSL_C], cublasCsyrk_v2_64)               \
    X(syrk[TSL_Z], cublasZsyrk_v2_64)               \
    X(herk[TSL_C], cublasCherk_v2_64)               \
    X(herk[TSL_Z], cublasZherk_v2_64)               \
    X(syr2k[TSL_S], cublasSsyr2k_v2_64)             \
    X(syr2k[TSL_D], cublasDsyr2k_v2_64)             \
    X(syr2k[TSL_C], cublasCsyr2k_v2_64)             \
    X(syr2k[TSL_Z], cublasZsyr2k_v2_64)             \
    X(her2k[TSL_C], cublasCher2k_v2_64)             \
    X(her2k[TSL_Z], cublasZher2k_v2_64)

/* Level 2. REALS and COMPLEXES name the routines of two types, ALL of four. */
#define REALS(X, field, name) X(field[TSL_S], cublasS##name##_v2_64) X(field[TSL_D], cublasD##name##_v2_64)
#define COMPLEXES(X, field, name) X(field[TSL_C], cublasC##name##_v2_64) X(field[TSL_Z], cublasZ##name##_v2_64)
#define ALL(X, field, name) REALS(X, field, name) COMPLEXES(X, field, name)

#define CUBLAS_LEVEL2_SYMBOLS(X)                        \
    ALL(X, gbmv, gbmv)                                  \
    REALS(X, ger, ger) COMPLEXES(X, ger, geru)          \
    COMPLEXES(X, gerc, gerc)                            \
    ALL(X, syr, syr)                                    \
    COMPLEXES(X, her, her)                              \
    ALL(X, syr2, syr2)                                  \
    COMPLEXES(X, her2, her2)                            \
    ALL(X, trsv, trsv)                                  \
    ALL(X, tbmv, tbmv)                                  \
    ALL(X, tbsv, tbsv)                                  \
    ALL(X, tpsv, tpsv)                                  \
    REALS(X, sbmv, sbmv) COMPLEXES(X, sbmv, hbmv)       \
    REALS(X, spmv, spmv) COMPLEXES(X, spmv, hpmv)       \
    REALS(X, spr, spr) COMPLEXES(X, spr, hpr)           \
    REALS(X, spr2, spr2) COMPLEXES(X, spr2, hpr2)

static const struct {
    size_t offset; /* of the pointer in tsl_cublas */
    const char *name;
} symbols[] = {
#define SYMBOL(field, name) {offsetof(tsl_cublas, field), #name},
    CUBLAS_SYMBOLS(SYMBOL)
    CUBLAS_LEVEL2_SYMBOLS(SYMBOL)
#undef SYMBOL
};

static const char *const names[] = {"libcublas.so.13", "libcublas.so.12", "libcublas.so"};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static tsl_cublas table;
static bool loaded;

/* Fills the table from one library; false when it lacks a symbol. */
static bool fill(void *library, const char *name)
{
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
        void *p = dlsym(library, symbols[i].name);
        if (!p) {
            tsl_log(TSL_LOG_INFO, "%s has no %s", name, symbols[i].name);
            return false;
        }
        /* data and function pointers have one representation under POSIX; copying the bytes needs no cast between them */
        memcpy((char *)&table + symbols[i].offset, &p, sizeof p);
    }
    return true;
}

/* The library stays for the life of the process: it has threads and destructors of its own. */
static void load(void)
{
    for (size_t i = 0; i < sizeof names / sizeof *names && !loaded; i++) {
        void *library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
        if (!library) {
            tsl_log(TSL_LOG_INFO, "%s", dlerror());
            continue;
        }
        loaded = fill(library, names[i]);
        if (loaded)
            tsl_log(TSL_LOG_INFO, "cuBLAS is %s", names[i]);
        else
            dlclose(library);
    }
}

const tsl_cublas *tsl_cublas_get(void)
{
    pthread_once(&once, load);
    return loaded ? &table : NULL;
}

tsl_status tsl_cublas_check(int status, const char *what)
{
    if (status == CUBLAS_STATUS_SUCCESS)
        return TSL_OK;
    tsl_log(TSL_LOG_ERROR, "%s: %s", what, table.status_string(status));
    return status == CUBLAS_STATUS_ALLOC_FAILED ? TSL_ERR_DEVICE_MEMORY : TSL_ERR_DEVICE;
}
