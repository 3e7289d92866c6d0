/* Host leaves of random butterflies. */
#include "kernel/butterfly.h"
#include "kernel/host/leaf.h"

#define FN(name) PASTE3(tsl_host_, P, name)
#define BODY "kernel/host/move/butterfly.inc"
#include "core/types.inc"
