/* The arguments of Fortran's entries: INT is their integer. */
#ifndef TSL_FORTRAN_H
#define TSL_FORTRAN_H

#include "compat/blas/blas.h"

#define FORTRAN_letter(x) , const char *x
#define FORTRAN_letter_both(x) , char *x
#define FORTRAN_number(x) , const INT *x
#define FORTRAN_scalar(x) , const T *x
#define FORTRAN_real(x) , const R *x
#define FORTRAN_in(x, ...) , const T *x
#define FORTRAN_out(x, ...) , T *x
#define FORTRAN_makes(x, ...) , T *x
#define FORTRAN_reals(x, count) , R *x
#define FORTRAN_rows_in(x, count) , const INT *x
#define FORTRAN_rows_out(x, count) , INT *x
#define FORTRAN_rows_both(x, count) , INT *x
#define FORTRAN_workspace(x, length, least) , T *x, const INT *length
#define FORTRAN_spare(x, bytes) , void *x
#define FORTRAN_unless(x)
#define FORTRAN_changes(x, count) , R *x
#define FORTRAN_real_workspace(x, length, least) , R *x, const INT *length
#define FORTRAN_whole_workspace(x, length, least) , INT *x, const INT *length
#define FORTRAN_marks(x, count, most) , INT *x
#define FORTRAN_counted(x) , INT *x
#define FORTRAN_outcome(x) , INT *x

/* The same with integers of 32 bits */
#define NARROW_FORTRAN_letter(x) , const char *x
#define NARROW_FORTRAN_letter_both(x) , char *x
#define NARROW_FORTRAN_number(x) , const int *x
#define NARROW_FORTRAN_scalar(x) , const T *x
#define NARROW_FORTRAN_real(x) , const R *x
#define NARROW_FORTRAN_in(x, ...) , const T *x
#define NARROW_FORTRAN_out(x, ...) , T *x
#define NARROW_FORTRAN_makes(x, ...) , T *x
#define NARROW_FORTRAN_reals(x, count) , R *x
#define NARROW_FORTRAN_rows_in(x, count) , const int *x
#define NARROW_FORTRAN_rows_out(x, count) , int *x
#define NARROW_FORTRAN_rows_both(x, count) , int *x
#define NARROW_FORTRAN_workspace(x, length, least) , T *x, const int *length
#define NARROW_FORTRAN_spare(x, bytes) , void *x
#define NARROW_FORTRAN_unless(x)
#define NARROW_FORTRAN_changes(x, count) , R *x
#define NARROW_FORTRAN_real_workspace(x, length, least) , R *x, const int *length
#define NARROW_FORTRAN_whole_workspace(x, length, least) , int *x, const int *length
#define NARROW_FORTRAN_marks(x, count, most) , int *x
#define NARROW_FORTRAN_counted(x) , int *x
#define NARROW_FORTRAN_outcome(x) , int *x

#endif
