#include "kernel/cuda/batch/qrp/qrp_batch_type.cuh"

FOR_TYPE(tsl::cplx<float>)
