/* With vectors of 32 bytes and fused products */
#include "core/values.h"
#include "kernel/host/blas.h"
#include "kernel/host/schur/schur.h"

#ifdef __x86_64__
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC target("avx2,fma")
#endif
#define FN(name) PASTE3(tsl_wide_, P, name)
#define BYTES 32
#define BODY "kernel/host/schur/schur.inc"
#include "core/types.inc"
#ifdef __clang__
#pragma clang attribute pop
#endif
#endif
