/* The arguments of Fortran's doors: INT is their integer. */
#ifndef TSL_FORTRAN_H
#define TSL_FORTRAN_H

#include "compat/blas/blas.h"

#define FORTRAN_letter(x) , const char *x
#define FORTRAN_number(x) , const INT *x
#define FORTRAN_scalar(x) , const T *x
#define FORTRAN_real(x) , const R *x
#define FORTRAN_in(x, ...) , const T *x
#define FORTRAN_out(x, ...) , T *x
#define FORTRAN_makes(x, ...) , T *x
#define FORTRAN_rows_in(x, count) , const INT *x
#define FORTRAN_rows_out(x, count) , INT *x
#define FORTRAN_workspace(x, length, least) , T *x, const INT *length
#define FORTRAN_spare(x, bytes) , void *x
#define FORTRAN_counted(x) , INT *x
#define FORTRAN_outcome(x) , INT *x

#endif
