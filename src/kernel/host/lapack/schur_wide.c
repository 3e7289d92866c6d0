/* With vectors of 32 bytes and fused products */
#include "core/values.h"
#include "kernel/host/blas.h"
#include "kernel/host/lapack/schur.h"

#ifdef __x86_64__
#pragma GCC target("avx2,fma")
#define FN(name) PASTE3(tsl_wide_, P, name)
#define BYTES 32
#define BODY "kernel/host/lapack/schur.inc"
#include "core/types.inc"
#endif
