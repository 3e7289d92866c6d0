/* Host leaves that lead from a bidiagonal matrix to a tridiagonal one of twice its order, and its vectors back. */
#include "core/values.h"
#include "kernel/host/blas.h"
#include "kernel/host/leaf.h"
#include "kernel/host/nan.h"

#define FN(name) PASTE3(tsl_host_, P, name)
#define BODY "kernel/host/eig/unfold.inc"
#include "core/types.inc"
