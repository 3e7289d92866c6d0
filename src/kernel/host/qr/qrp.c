/* Host leaves of QR with column pivoting and of least squares of any rank, by LAPACK; and of what their algorithms are made of
 * beside other operations. */
#include <complex.h>
#include <string.h>

#include "core/numbers/largest.h"
#include "core/numbers/rank.h"
#include "core/values.h"
#include "device/device.h"
#include "kernel/host/blas.h"
#include "kernel/host/leaf.h"
#include "kernel/host/nan.h"
#include "kernel/host/lu/pivots.h"

/* What LAPACK asks for: elements, real numbers and integers of its own */
typedef struct room {
    int64_t elements, reals, integers;
} room;

/* Least workspace of geqp3 of one column */
enum { LINE = 8 };

/* All leaves of LAPACK here have their pivots, in its integers, in front of that. */
static size_t bytes_of(const tsl_leaf *l, room r)
{
    size_t numbers = tsl_plus(tsl_times((size_t)r.elements, tsl_type_size(l->type)),
                              tsl_times((size_t)r.reals, tsl_type_size(tsl_real_type(l->type))));
    return tsl_plus(numbers, tsl_times((size_t)(l->A.n + r.integers), sizeof(int64_t)));
}

/* The permutation q of count places, or its inverse: place i := place q(i) - 1, of lines of memory that `move` copies; place
 * `count` is room for one. */
static void permute(int64_t count, const int64_t *q, bool backward, char *seen,
                    void (*move)(const tsl_leaf *l, int64_t from, int64_t to), const tsl_leaf *l)
{
    memset(seen, 0, (size_t)count);
    for (int64_t first = 0; first < count; ++first) {
        if (seen[first]++ || q[first] - 1 == first) continue;
        /* forward: what is overwritten first comes back last; backward: what is overwritten waits in the room, and one more
         * place than that is needed */
        if (!backward) {
            int64_t at = first;
            move(l, first, count);
            for (int64_t from = q[at] - 1; from != first; at = from, from = q[at] - 1) seen[from] = 1, move(l, from, at);
            move(l, count, at);
        } else {
            move(l, first, count);
            for (int64_t at = q[first] - 1;; at = q[at] - 1) {
                move(l, at, count + 1);
                move(l, count, at);
                move(l, count + 1, count);
                if (at == first) break;
                seen[at] = 1;
            }
        }
    }
}

#define FN(name) PASTE3(tsl_host_, P, name)
#define BODY "kernel/host/qr/qrp.inc"
#include "core/types.inc"

#define ASK(name) (room (*[4])(const tsl_leaf *)){tsl_host_s##name, tsl_host_d##name, tsl_host_c##name, tsl_host_z##name}[l->type](l)

/* What the library cannot count will be refused. */
static size_t geqp3_workspace(const tsl_leaf *l) { return fits_library(l) && l->m && l->n ? bytes_of(l, ASK(geqp3_room)) : 0; }
static size_t gelsy_workspace(const tsl_leaf *l) { return fits_library(l) && l->A.m && l->A.n ? bytes_of(l, ASK(gelsy_room)) : 0; }
static size_t gelsd_workspace(const tsl_leaf *l) { return fits_library(l) && l->A.m && l->A.n ? bytes_of(l, ASK(gelsd_room)) : 0; }
static size_t trrank_workspace(const tsl_leaf *l)
{
    return l->rank.by_diagonal ? 0 : tsl_times((size_t)(2 * tsl_min(l->m, l->n)), tsl_type_size(l->type));
}

static size_t laqps_workspace(const tsl_leaf *l) { return tsl_times((size_t)(tsl_max(LINE, l->m) + l->k), tsl_type_size(l->type)); }

/* Most rows of a matrix, and columns of a panel, that algorithms hand over: as on GPUs */
enum { ROWS = 1024, PANEL = 64 };

static size_t lapmt_workspace(const tsl_leaf *l)
{
    bool left = l->side == TSL_LEFT;
    return tsl_plus(tsl_times((size_t)(2 * (left ? l->n : l->m)), tsl_type_size(l->type)), (size_t)(left ? l->m : l->n));
}

const tsl_kernel_entry tsl_host_geqp3_entry = {.fn = TSL_HOST_LEAVES(geqp3), .workspace = geqp3_workspace};
const tsl_kernel_entry tsl_host_laqp2_entry = {.fn = TSL_HOST_LEAVES(laqp2), .limit = ROWS, .workspace = geqp3_workspace};
const tsl_kernel_entry tsl_host_laqps_entry = {.fn = TSL_HOST_LEAVES(laqps), .limit = PANEL, .workspace = laqps_workspace};
const tsl_kernel_entry tsl_host_gelsy_entry = {.fn = TSL_HOST_LEAVES(gelsy), .workspace = gelsy_workspace};
const tsl_kernel_entry tsl_host_gelsd_entry = {.fn = TSL_HOST_LEAVES(gelsd), .workspace = gelsd_workspace};
const tsl_kernel_entry tsl_host_trrank_entry = {.fn = TSL_HOST_LEAVES(trrank), .workspace = trrank_workspace};
const tsl_kernel_entry tsl_host_lapmt_entry = {.fn = TSL_HOST_LEAVES(lapmt), .workspace = lapmt_workspace};
