#include "kernel/cuda/batch/ldl/ldl_batch_type.cuh"

FOR_TYPE(tsl::cplx<float>)
