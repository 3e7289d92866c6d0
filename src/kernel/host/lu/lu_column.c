/* Host leaves of a column of a panel of LU whose rows several processes have. */
#include <complex.h>
#include <float.h>
#include <math.h>

#include "core/values.h"
#include "kernel/host/leaf.h"
#include "kernel/lu_column.h"

#define FN(name) PASTE3(tsl_host_, P, name)
#define BODY "kernel/host/lu/lu_column.inc"
#include "core/types.inc"
