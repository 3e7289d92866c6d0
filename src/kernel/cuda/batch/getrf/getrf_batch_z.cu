#include "kernel/cuda/batch/getrf/getrf_batch_type.cuh"

FOR_TYPE(tsl::cplx<double>)
