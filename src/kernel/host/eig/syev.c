/* Host leaves of the symmetric eigenproblem, and of that of two matrices, by LAPACK's drivers. */
#include <string.h>

#include "core/values.h"
#include "kernel/host/blas.h"
#include "kernel/host/leaf.h"
#include "kernel/host/nan.h"

/* Workspace: LAPACK's least with vectors; without them, that of a blocked reduction */
typedef struct room {
    size_t elements, reals, integers;
} room;

enum { BLOCK = 64 };

static bool wants_vectors(const tsl_leaf *l) { return l->eig.vectors || l->C.n; }

static room room_of(const tsl_leaf *l)
{
    size_t n = (size_t)l->n, square = tsl_times(n, n);
    bool cplx = tsl_is_complex(l->type);
    if (!wants_vectors(l)) return (room){tsl_plus(1, tsl_times(n, 2 + BLOCK)), cplx ? n : 0, 1};
    if (cplx) return (room){tsl_plus(tsl_times(2, n), tsl_plus(square, 1)), tsl_plus(1, tsl_plus(tsl_times(5, n), tsl_times(2, square))), 3 + 5 * n};
    return (room){tsl_plus(1, tsl_plus(tsl_times(6, n), tsl_times(2, square))), 0, 3 + 5 * n};
}

#define FN(name) PASTE3(tsl_host_, P, name)
#define BODY "kernel/host/eig/syev.inc"
#include "core/types.inc"

static size_t pairs_workspace(const tsl_leaf *l)
{
    room r = room_of(l);
    size_t numbers = tsl_plus(tsl_times(r.elements, tsl_type_size(l->type)), tsl_times(r.reals, tsl_type_size(tsl_real_type(l->type))));
    return fits_library(l) ? tsl_plus(numbers, tsl_times(r.integers, sizeof(host_int))) : 0;
}

/* LAPACK conjugates rows of a complex B for a while, which others may be reading: it gets a copy. */
static size_t reduce_workspace(const tsl_leaf *l) { return tsl_is_complex(l->type) ? tsl_dense_bytes(l->type, l->n, l->n) : 0; }

const tsl_kernel_entry tsl_host_syev_entry = {.fn = TSL_HOST_LEAVES(syev), .workspace = pairs_workspace};
const tsl_kernel_entry tsl_host_sygst_entry = {.fn = TSL_HOST_LEAVES(sygst), .limit = TSL_HOST_LIMIT, .workspace = reduce_workspace};

/* By turns the same workspace */
static size_t generalized_workspace(const tsl_leaf *l)
{
    tsl_leaf pairs = *l;
    pairs.C = l->D;
    size_t both[] = {reduce_workspace(l), pairs_workspace(&pairs)};
    return tsl_max(both[0], both[1]);
}

const tsl_kernel_entry tsl_host_sygv_entry = {.fn = TSL_HOST_LEAVES(sygv), .limit = TSL_HOST_LIMIT, .workspace = generalized_workspace};
