/* Level 1 for the tests: one signature for the typed calls of all types, and vectors with canaries between their elements. */
#ifndef LEVEL1_H
#define LEVEL1_H

#include "context.h"
#include "dense.h"

typedef enum level1_kind {
    L1_AXPY, L1_SCAL, L1_COPY, L1_SWAP, L1_ROT, L1_ROTM, L1_DOT, L1_DOTC, L1_NRM2, L1_ASUM, L1_IAMAX, L1_SCAL_REAL, L1_ROT_REAL, L1_KINDS
} level1_kind;

static const char *const l1_names[] = {"axpy", "scal", "copy", "swap", "rot", "rotm", "dot", "dotc", "nrm2", "asum", "iamax", "real scal", "real rot"};
static const tsl_type l1_types[] = {TSL_S, TSL_D, TSL_C, TSL_Z};

typedef struct level1 {
    level1_kind kind;
    tsl_scalar alpha, s;
    double c, param[5];
    int null_param;
} level1;

/* How many vectors it has, and whether it writes the first and the second. The typed call's first vector is argument at_x. */
static const struct {
    int vectors, writes_x, writes_y, at_x;
} l1_shape[] = {{2, 0, 1, 3}, {1, 1, 0, 3}, {2, 0, 1, 2}, {2, 1, 1, 2}, {2, 1, 1, 2}, {2, 1, 1, 2}, {2, 0, 0, 2},
                {2, 0, 0, 2}, {1, 0, 0, 2}, {1, 0, 0, 2}, {1, 0, 0, 2}, {1, 1, 0, 3}, {2, 1, 1, 2}};

static inline int l1_has(level1_kind k, tsl_type t)
{
    int complex_only = k == L1_DOTC || k == L1_SCAL_REAL || k == L1_ROT_REAL;
    return tsl_is_complex(t) ? k != L1_ROTM : !complex_only;
}

static inline int l1_makes_number(level1_kind k) { return k >= L1_DOT && k <= L1_IAMAX; }

#define L1_s s
#define L1_d d
#define L1_c sc
#define L1_z dz
#define L1_MIXED_c cs
#define L1_MIXED_z zd
#define CALL PASTE3(l1_call_, P, )
#define TSL(name) PASTE3(tsl_, P, name)
#define AMAX PASTE3(tsl_i, P, amax)
#define REDUCTION(name) PASTE3(tsl_, PASTE3(L1_, P, ), name)
#define MIXED(name) PASTE3(tsl_, PASTE3(L1_MIXED_, P, ), name)
#define BODY "tests/blas/level1.inc"
#include "core/types.inc"

/* The typed call; value: where a number goes, NULL to pass NULL on */
static inline tsl_status l1_call(tsl_context *x, tsl_type t, const level1 *c, int64_t n, void *X, int64_t incx, void *Y, int64_t incy,
                                 tsl_scalar *value)
{
    switch (t) {
    case TSL_S: return l1_call_s(x, c, n, X, incx, Y, incy, value);
    case TSL_D: return l1_call_d(x, c, n, X, incx, Y, incy, value);
    case TSL_C: return l1_call_c(x, c, n, X, incx, Y, incy, value);
    default: return l1_call_z(x, c, n, X, incx, Y, incy, value);
    }
}

/* The same on views */
static inline tsl_status l1_views(tsl_context *x, const level1 *c, tsl_view X, tsl_view Y, tsl_scalar *value)
{
    double size = 0;
    int64_t place = 0;
    tsl_status st;
    switch (c->kind) {
    case L1_AXPY: return tsl_axpy(x, c->alpha, X, Y);
    case L1_SCAL: return tsl_scal(x, c->alpha, X);
    case L1_SWAP: return tsl_swap(x, X, Y);
    case L1_ROT: return tsl_rot(x, X, Y, c->c, c->s);
    case L1_ROTM: return tsl_rotm(x, X, Y, c->null_param ? NULL : c->param);
    case L1_DOT: return tsl_dot(x, X, Y, value);
    case L1_NRM2: st = tsl_nrm2(x, X, value ? &size : NULL); break;
    case L1_ASUM: st = tsl_asum(x, X, value ? &size : NULL); break;
    case L1_IAMAX: st = tsl_iamax(x, X, value ? &place : NULL); break;
    default: return TSL_ERR_OPTION; /* only typed */
    }
    if (value && !st) *value = c->kind == L1_IAMAX ? (double)place : size;
    return st;
}

static inline int l1_has_views(level1_kind k) { return k != L1_COPY && k != L1_DOTC && k != L1_SCAL_REAL && k != L1_ROT_REAL; }

/* Is it the context in which all goes by tiles? There every call takes long. */
static inline bool l1_by_tiles(const char *spec) { return !strcmp(spec, "host:3"); }

/* Calls fn with a context of each kind of device that is here. */
static inline void l1_each_context(void (*fn)(tsl_context *x, const char *spec))
{
    static const char *const specs[] = {"host", "host:2,mem=64M", "host:3", "cuda"}, *const tiles[] = {"0", "0", "5", "0"};
    for (int i = 0; i < 4; i++) {
        tsl_context *x = context_by(specs[i], tiles[i]);
        if (x) fn(x, specs[i]);
        tsl_context_destroy(x);
    }
}

#endif
