/* Host leaves of a merge of divide and conquer (grid/eig/merge.h). */
#include <math.h>

#include "core/values.h"
#include "kernel/host/blas.h"
#include "kernel/host/leaf.h"

#define FN(name) PASTE3(tsl_host_, P, name)
#define BODY "kernel/host/eig/merge.inc"
#include "core/types.inc"

static size_t workspace(const tsl_leaf *l) { return tsl_times((size_t)l->m, sizeof(double)); }

const tsl_kernel_entry tsl_host_merge_vectors_entry = {.fn = TSL_HOST_LEAVES(merge_vectors), .workspace = workspace};
