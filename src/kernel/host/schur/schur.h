/* Schur form of a small matrix in the host's caches, for early deflation (laqr3.c). Real and imaginary parts are apart: `apart`
 * numbers from one to the other. */
#ifndef TSL_HOST_SCHUR_H
#define TSL_HOST_SCHUR_H

#include <stdint.h>

/* Rows and columns that H and V have past their order, zeros: vectors go past the end */
enum { TSL_SCHUR_ROOM = 12 };

/* schur: H, Hessenberg of order n, := Z^H H Z in Schur form, V := V Z; how many rows at the top did not converge */
#define TSL_HOST_SCHURS(prefix)                                                            \
    int64_t prefix##sschur(float *H, float *V, int64_t apart, int64_t ld, int64_t n);      \
    int64_t prefix##dschur(double *H, double *V, int64_t apart, int64_t ld, int64_t n);    \
    int64_t prefix##cschur(float *H, float *V, int64_t apart, int64_t ld, int64_t n);      \
    int64_t prefix##zschur(double *H, double *V, int64_t apart, int64_t ld, int64_t n);    \
    /* the eigenvalue in row `from` of a complex Schur form comes to row `to`, those after it a row up */ \
    void prefix##clower(float *H, float *V, int64_t apart, int64_t ld, int64_t n, int64_t from, int64_t to); \
    void prefix##zlower(double *H, double *V, int64_t apart, int64_t ld, int64_t n, int64_t from, int64_t to);
TSL_HOST_SCHURS(tsl_host_)
TSL_HOST_SCHURS(tsl_wide_)
#undef TSL_HOST_SCHURS

#endif
