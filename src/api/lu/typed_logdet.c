/* The typed calls of logdet. */
#include "api/typed.h"
#include "ops/lu/lu.h"

#define FN(name) PASTE3(tsl_, P, name)
#define BODY "api/lu/typed_logdet.inc"
#include "core/types.inc"
