#include "kernel/cuda/batch/geqrf/geqrf_batch_type.cuh"

TSL_QR_BATCH_OF(tsl::cplx<float>);
