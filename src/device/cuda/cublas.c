#include "device/cuda/cublas.h"

#include "core/log.h"
#include "device/device.h"
#include "device/library.h"

/* REALS and COMPLEXES name the routines of two types, ALL of four. */
#define SYMBOL(field, name) {offsetof(tsl_cublas, field), #name}
#define REALS(field, name) SYMBOL(field[TSL_S], cublasS##name##_v2_64), SYMBOL(field[TSL_D], cublasD##name##_v2_64)
#define COMPLEXES(field, name) SYMBOL(field[TSL_C], cublasC##name##_v2_64), SYMBOL(field[TSL_Z], cublasZ##name##_v2_64)
#define ALL(name) REALS(name, name), COMPLEXES(name, name)

static const tsl_symbol symbols[] = {
    SYMBOL(create, cublasCreate_v2),
    SYMBOL(destroy, cublasDestroy_v2),
    SYMBOL(set_stream, cublasSetStream_v2),
    SYMBOL(set_workspace, cublasSetWorkspace_v2),
    SYMBOL(set_math_mode, cublasSetMathMode),
    SYMBOL(get_version, cublasGetVersion_v2),
    SYMBOL(status_string, cublasGetStatusString),
    SYMBOL(set_pointer_mode, cublasSetPointerMode_v2),
    /* level 1 */
    ALL(copy),
    ALL(swap),
    ALL(axpy),
    REALS(dot, dot), COMPLEXES(dot, dotu),
    COMPLEXES(dotc, dotc),
    ALL(rot),
    SYMBOL(rot_real[TSL_C], cublasCsrot_v2_64), SYMBOL(rot_real[TSL_Z], cublasZdrot_v2_64),
    REALS(rotm, rotm),
    REALS(asum, asum), SYMBOL(asum[TSL_C], cublasScasum_v2_64), SYMBOL(asum[TSL_Z], cublasDzasum_v2_64),
    /* level 2 */
    ALL(gbmv),
    REALS(ger, ger), COMPLEXES(ger, geru),
    COMPLEXES(gerc, gerc),
    ALL(syr),
    COMPLEXES(her, her),
    ALL(syr2),
    COMPLEXES(her2, her2),
    ALL(trsv),
    ALL(tbmv),
    ALL(tbsv),
    ALL(tpsv),
    REALS(sbmv, sbmv), COMPLEXES(sbmv, hbmv),
    REALS(spmv, spmv), COMPLEXES(spmv, hpmv),
    REALS(spr, spr), COMPLEXES(spr, hpr),
    REALS(spr2, spr2), COMPLEXES(spr2, hpr2),
    /* level 3 */
    ALL(gemm),
    SYMBOL(gemm_batch[TSL_S], cublasSgemmStridedBatched_64), SYMBOL(gemm_batch[TSL_D], cublasDgemmStridedBatched_64),
    SYMBOL(gemm_batch[TSL_C], cublasCgemmStridedBatched_64), SYMBOL(gemm_batch[TSL_Z], cublasZgemmStridedBatched_64),
    SYMBOL(gemm_each[TSL_S], cublasSgemmBatched_64), SYMBOL(gemm_each[TSL_D], cublasDgemmBatched_64),
    SYMBOL(gemm_each[TSL_C], cublasCgemmBatched_64), SYMBOL(gemm_each[TSL_Z], cublasZgemmBatched_64),
    SYMBOL(gemm_ex, cublasGemmEx_64), SYMBOL(gemm_batch_ex, cublasGemmStridedBatchedEx_64),
    ALL(syrk),
    COMPLEXES(herk, herk),
    ALL(syr2k),
    COMPLEXES(her2k, her2k),
    {0, NULL},
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static tsl_cublas table;
static bool loaded;

static void load(void)
{
    static const char *const names[] = {"libcublas.so.13", "libcublas.so.12", "libcublas.so", NULL};
    loaded = tsl_library_load("cuBLAS", names, symbols, &table);
}

const tsl_cublas *tsl_cublas_get(void)
{
    pthread_once(&once, load);
    return loaded ? &table : NULL;
}

tsl_status tsl_cublas_status(int status, const char *what)
{
    if (status == CUBLAS_STATUS_SUCCESS)
        return TSL_OK;
    tsl_log(TSL_LOG_ERROR, "%s: %s", what, table.status_string(status));
    return status == CUBLAS_STATUS_ALLOC_FAILED ? TSL_ERR_DEVICE_MEMORY : TSL_ERR_DEVICE;
}
