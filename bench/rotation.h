/* The rotations that rot and rotm are timed with: they change no lengths, so that call may follow call. */
#ifndef BENCH_ROTATION_H
#define BENCH_ROTATION_H

#include "bench/bench.h"

#define BENCH_ROT_C 0.6

#define BENCH_ROT_S 0.8 /* where it is real */

static inline tsl_scalar bench_rot_s(tsl_type t) { return bench_is_complex(t) ? CMPLX(0.48, 0.64) : BENCH_ROT_S; }

static const double bench_rotm[5] = {-1, 0.6, -0.8, 0.8, 0.6}; /* flag, h11, h21, h12, h22 */

#endif
