/* Host leaves between precisions, and of how large one matrix is beside another. */
#include <float.h>
#include <math.h>

#include "core/values.h"
#include "core/numbers/blue.h"
#include "kernel/host/leaf.h"

#define OTHER __typeof__(_Generic((R)0, float: (double)0, double: (float)0)) /* the real type of the other precision */
#define FN(name) PASTE3(tsl_host_, P, name)
#define BODY "kernel/host/move/convert.inc"
#include "core/types.inc"
