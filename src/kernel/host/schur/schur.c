/* With the vectors that every processor of its kind has */
#include "core/values.h"
#include "kernel/host/blas.h"
#include "kernel/host/schur/schur.h"

#define FN(name) PASTE3(tsl_host_, P, name)
#define BYTES 16
#define BODY "kernel/host/schur/schur.inc"
#include "core/types.inc"
