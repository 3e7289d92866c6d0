/* From the letters of a typed call to those of CBLAS, without the words for what is wrong with them: used by small.inc. */
#ifndef TSL_HOST_SMALL_H
#define TSL_HOST_SMALL_H

#include "core/area.h"
#include "kernel/host/blas.h"

/* 0, which none of CBLAS's enumerators is: no such letter */
static inline char upper(char c) { return (char)(c & ~0x20); } /* of a letter; nothing else becomes one by it */
static inline CBLAS_SIDE side_letter(char c) { return upper(c) == 'L' ? CblasLeft : upper(c) == 'R' ? CblasRight : 0; }
static inline CBLAS_UPLO uplo_letter(char c) { return upper(c) == 'L' ? CblasLower : upper(c) == 'U' ? CblasUpper : 0; }
static inline CBLAS_DIAG diag_letter(char c) { return upper(c) == 'N' ? CblasNonUnit : upper(c) == 'U' ? CblasUnit : 0; }
static inline CBLAS_TRANSPOSE trans_letter(char c, bool is_complex)
{
    return upper(c) == 'N'   ? CblasNoTrans
           : upper(c) == 'T' ? CblasTrans
           : upper(c) == 'C' ? (is_complex ? CblasConjTrans : CblasTrans)
                             : 0;
}

/* An array with so many rows, and few columns, that need not be looked at twice: its extent is addressable, its ld an int */
static inline bool plain(const void *p, int64_t rows, int64_t ld) { return p && ld >= rows && ld < 1 << 24; }

#endif
