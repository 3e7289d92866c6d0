#include "kernel/cuda/trsm/trsm_skinny_launch.cuh"

extern "C" const tsl_trsm_skinny tsl_trsm_skinny_s = tsl::skinny::entry<float>();
