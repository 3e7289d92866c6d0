#include "kernel/cuda/batch/potrf/trsm_batch_kernel.cuh"

FOR_TYPE(tsl::cplx<double>)
