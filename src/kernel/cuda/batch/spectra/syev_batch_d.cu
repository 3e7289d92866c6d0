#include "kernel/cuda/batch/spectra/syev_batch_type.cuh"
#include "kernel/cuda/batch/spectra/syev_staged_type.cuh"

FOR_TYPE(double)
FOR_STAGED(double)
