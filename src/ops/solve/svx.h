/* gesvx and posvx, which the typed calls are made of too. */
#ifndef TSL_OPS_SVX_H
#define TSL_OPS_SVX_H

#include <string.h>

#include "ops/lu/lu.h"

typedef struct tsl_svx {
    bool general; /* by LU, and p has its pivots; else A is definite, a triangle */
    /* N: A is to be factored; E: it is to be scaled first, if that helps; F: AF and p, and equed, r and c, are given */
    char fact;
    const char *letters; /* what equed may be */
    tsl_view A, AF, p;
    char *equed;
    tsl_view r, c, B, X;
    double *rcond;
    tsl_view ferr, berr;
    double *rpvgrw;
    char variant[16]; /* as it is asked for */
} tsl_svx;

tsl_status tsl_svx_of(tsl_context *x, tsl_args *d, const tsl_svx *s, int64_t *info);

#endif
