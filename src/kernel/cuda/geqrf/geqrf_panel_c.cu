#include "kernel/cuda/geqrf/geqrf_panel_launch.cuh"

extern "C" const tsl_geqrt_panel tsl_geqrt_panel_c = tsl::qr::entry<tsl::cplx<float>>();
