#include "kernel/cuda/trsm/trsm_skinny_launch.cuh"

extern "C" const tsl_trsm_skinny tsl_trsm_skinny_c = tsl::skinny::entry<tsl::cplx<float>>();
