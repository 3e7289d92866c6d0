/** @file
 * tesela_blas.h - what libtesela_blas, BLAS and LAPACK by their own names, has beside them. A program that does not ask
 * for it needs nothing of this. */
#ifndef TESELA_BLAS_H
#define TESELA_BLAS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define TESELA_BLAS_API __attribute__((visibility("default")))
#else
#define TESELA_BLAS_API
#endif

/** Keeps an array (a matrix, or several in a row of memory) on the device from now on. Calls with operands inside it compute
 * there, whatever their size, and move nothing. Until it is released the array in host memory is not up to date, and only
 * routines of the table in docs/dropin.md may use it, through this library. bytes is a multiple of 4. Pivots must not be
 * in the array.
 * Calls that cannot be computed there (matrices by rows in LAPACKE and in some of CBLAS, row exchanges with an increment,
 * operands that overlap) bring the array home first. It is then an ordinary array, but must still be released.
 * Before a fork the array is brought up to date, and a child has it at home. LAPACKE does not look for NaN in it.
 * Returns 0: it is kept; -1: it is not (no device, no memory, or part of it is kept already), and all is as before. */
TESELA_BLAS_API int tesela_blas_keep(void *array, size_t bytes);
/** Waits, and brings the array back. Returns 0; -1: it was not kept, or the device has failed and it is still kept. */
TESELA_BLAS_API int tesela_blas_release(void *array);

#ifdef __cplusplus
}
#endif

#endif
