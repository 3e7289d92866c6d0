#include "kernel/cuda/batch/spectra/gesvd_batch_type.cuh"

FOR_TYPE(tsl::cplx<float>)
