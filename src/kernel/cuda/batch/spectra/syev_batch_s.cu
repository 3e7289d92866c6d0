#include "kernel/cuda/batch/spectra/syev_batch_type.cuh"

FOR_TYPE(float)
