/* Public functions that take a context, other than operations on views, are in this layer, and come in here. */
#ifndef TSL_ENTER_H
#define TSL_ENTER_H

#include "context/context.h"

/* start.c: every layer registers what those below call of it. Done once, by the first to come; later calls cost nothing.
 *
 * It is called where a context is made. Without a context there is no matrix and no view, so all operations on views find the
 * tables filled. A program linked with the static library has this function as soon as it uses a function of this layer, and so
 * has all that is registered. */
void tsl_library_start(void);

/* tsl_enter for a caller who may be the first: NULL becomes the default context, made if there is none. */
static inline tsl_status tsl_enter_public(tsl_context **x)
{
    tsl_status st = *x ? TSL_OK : tsl_default_context(x);
    return st ? st : tsl_enter(x);
}

/* exit.c: the context has been made, and is to be finished when the program ends */
void tsl_exit_watch(const tsl_context *x);
/* matrix.c: gives back the storage of all the context's matrices; they can only be freed from now on */
void tsl_matrix_orphan_all(tsl_context *x);

#endif
