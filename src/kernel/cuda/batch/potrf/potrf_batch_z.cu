#include "kernel/cuda/batch/potrf/potrf_batch_kernel.cuh"

FOR_TYPE(tsl::cplx<double>)
