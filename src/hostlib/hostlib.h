/* The host's BLAS and LAPACK library: OpenBLAS, or what TESELA_HOST_BLAS names. It is opened at run time and probed once; what
 * it does wrong is replaced by functions of ours (mend.c). libtesela and libtesela_blas compile this room each for
 * themselves. */
#ifndef TSL_HOSTLIB_H
#define TSL_HOSTLIB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An integer that is passed by its address. libtesela_blas has its callers' integers, 32 bits. libtesela passes 64 bits to any
 * library: one whose integers have 32 reads the lower half, which comes first in memory. Such a library writes the lower half
 * alone, so a result is set to zero before the call and read by hostlib_told. */
#ifdef TSL_HOSTLIB_32
typedef int host_int;
#else
typedef int64_t host_int;
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "integers of 64 bits are passed to libraries that read 32");
#endif

/* open.c: opens the library, the first time it is called. False: there is none. */
bool tsl_hostlib_open(void);
/* core.c: of an OpenBLAS that does not know this processor and takes kernels for `core`: the setting that gives it faster ones;
 * of others NULL. And opens a library with one more setting in the environment. */
const char *tsl_hostlib_better_core(const char *core);
void *tsl_hostlib_open_as(const char *file, int how, const char *setting);
/* What was looked for, for a message; name, version and core type of what was found; what of it is replaced ("" : nothing) */
const char *tsl_hostlib_tried(void);
const char *tsl_hostlib_name(void);
const char *tsl_hostlib_mends(void);
/* Are its integers 64 bits wide? */
extern bool tsl_hostlib_integers_are_wide;
static inline bool tsl_hostlib_wide(void) { return tsl_hostlib_integers_are_wide; }
/* A function of it by its usual name, "dgemm_" or "cblas_dgemm", or what replaces it; NULL: it has none */
void *tsl_hostlib_symbol(const char *name);
/* Is this thread in the middle of opening it? What tsl_hostlib_symbol then says, as to the library's calls of itself, is not
 * mended. */
bool tsl_hostlib_opening(void);

/* Libraries are loaded under one lock. A fork waits for it, but not for ever: before version 2.36 of the C library whoever
 * registers handlers of forks, as libraries do when they are loaded, waits for a fork that has begun. */
void tsl_hostlib_lock(void);
void tsl_hostlib_unlock(void);
void tsl_hostlib_before_fork(void);
void tsl_hostlib_in_parent(void);
void tsl_hostlib_in_child(void);
bool tsl_hostlib_held(void); /* by this thread, which forks */

/* threads.c: how many threads it uses, in calls of any thread of this process. A library that cannot tell has one. */
int tsl_hostlib_threads(void);
void tsl_hostlib_set_threads(int count);

/* The room's own: */

/* open.c: the symbol as the library has it; with its prefix and suffix */
void *tsl_hostlib_raw(const char *name);
void *tsl_hostlib_of_first(const char *symbol); /* of the first alone, where there are several: the BLAS */
/* table.c: what libtesela needs, and none of the libraries has; NULL: nothing */
const char *tsl_hostlib_lacks(void);
/* open.c: are calls of BLAS that its LAPACK makes libtesela_blas's? That mends them itself; and it may be about to open this
 * very library. */
bool tsl_hostlib_calls_tesela(void);
/* open.c: calls of `symbol` by the library that has `of` go to this function, unless they go to another's already and that may
 * stay so; inside.c: by that which has the function `inside` */
void tsl_hostlib_redirect_calls(const char *of, const char *symbol, void *function, bool from_others);
void tsl_hostlib_redirect(void *inside, const char *symbol, void *function);
/* identify.c: name, version and core type */
void tsl_hostlib_identify(char *text, size_t size);
/* threads.c: finds its functions for threads */
void tsl_hostlib_find_threads(void);
/* probe.c: finds out what is wrong, and says so in `text` */
void tsl_hostlib_probe(char *text, size_t size);
/* mend.c: lets LAPACK call ours, where its own would be wrong */
void tsl_hostlib_mend_inside(void);
/* mend.c: what replaces `host`, the library's function of this name, or that itself */
void *tsl_hostlib_mended(const char *name, void *host);

#endif
