/* The host library's functions: types d_gemm_fn and its like, and tables of them (routines.def). */
#ifndef TSL_HOSTLIB_ROUTINES_H
#define TSL_HOSTLIB_ROUTINES_H

#include <complex.h>

#include "hostlib/hostlib.h"
#include "tesela.h"

#define TEXT_OF_(x) #x
#define TEXT_OF(x) TEXT_OF_(x)
/* The letters before a name whose result, or one of whose factors, is real */
#define PREFIX_OF_(kind, p) kind##_##p
#define PREFIX_OF(kind, p) PREFIX_OF_(kind, p)
#define NORM_PREFIX(p) PREFIX_OF(NORM_PREFIX, p)
#define NORM_PREFIX_s s
#define NORM_PREFIX_d d
#define NORM_PREFIX_c sc
#define NORM_PREFIX_z dz
#define REAL_PREFIX(p) PREFIX_OF(REAL_PREFIX, p)
#define REAL_PREFIX_s s
#define REAL_PREFIX_d d
#define REAL_PREFIX_c s
#define REAL_PREFIX_z d
#define MIXED_PREFIX(p) PREFIX_OF(MIXED_PREFIX, p)
#define MIXED_PREFIX_c cs
#define MIXED_PREFIX_z zd

#define TYPE_OF(name) PASTE3(P, _##name, _fn)
#define BODY "hostlib/routines.inc"
#include "core/types.inc"
#undef BODY

/* As they are to be called: mended where that is needed. Filled by tsl_hostlib_fill; a context is not made before. */
extern s_routines tsl_hostlib_s;
extern d_routines tsl_hostlib_d;
extern c_routines tsl_hostlib_c;
extern z_routines tsl_hostlib_z;
/* As the library has them */
extern s_routines tsl_hostlib_raw_s;
extern d_routines tsl_hostlib_raw_d;
extern c_routines tsl_hostlib_raw_c;
extern z_routines tsl_hostlib_raw_z;

/* table.c: opens the library and fills the tables, the first time it is called. NULL: all is there; else what is missing */
const char *tsl_hostlib_fill(void);
/* the room's own: fills those of what the library has */
void tsl_hostlib_find_raw(void);

/* An integer that the library has written over a zero */
static inline int64_t tsl_hostlib_told(host_int written) { return tsl_hostlib_wide() ? (int64_t)written : (int)written; }

#endif
