/* Host leaves that go element by element: copies, scalings, sums, and what matrices are filled with. */
#include <complex.h>
#include <math.h>

#include "core/values.h"
#include "kernel/host/leaf.h"
#include "kernel/random.h"

/* Rows of column j that belong to the triangle (or to the whole block). */
static int64_t first_row(tsl_uplo u, int64_t j) { return u == TSL_LOWER ? j : 0; }
static int64_t end_row(tsl_uplo u, int64_t j, int64_t m) { return u == TSL_UPPER ? tsl_min(j + 1, m) : m; }

#define FN(name) PASTE3(tsl_host_, P, name)
#define BODY "kernel/host/move/move.inc"
#include "core/types.inc"
