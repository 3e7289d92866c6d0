/* What the host library does wrong, one row a family: DEFECT(name, what is told of it). probe.c finds out; mend.c has what
 * replaces it. Seen in OpenBLAS 0.3.21 to 0.3.26, on x86-64 and aarch64; which depends on the processor. */
#ifndef TSL_HOSTLIB_DEFECTS_H
#define TSL_HOSTLIB_DEFECTS_H

#include <stdbool.h>

#define HOSTLIB_DEFECTS                                                                                           \
    DEFECT(scal)   /* by zero writes zeros over NaN and Inf; by NaN writes zeros */                               \
    DEFECT(scal_end) /* reads or writes past the last element */                                                  \
    DEFECT(nrm2)   /* of tiny numbers, or of a vector that is counted backwards, is zero; NaN where some are tiny */ \
    DEFECT(threads) /* of a few elements are computed by all threads, which wait for each other */                 \
    DEFECT(norms)  /* LAPACK's own are so, and its reflectors with them */                                        \
    DEFECT(asum)   /* a wrong sum */                                                                              \
    DEFECT(amax)   /* of no element is not zero */                                                                \
    DEFECT(axpy)   /* of a vector and itself mixes real and imaginary parts; with an increment of zero is wrong */ \
    DEFECT(dot)    /* of elements apart reads the one after the last */                                           \
    DEFECT(gemv)   /* reads the element of x after the last; so do LAPACK's functions with vectors along rows */  \
    DEFECT(hemv)   /* reads the element of x or y after the last */                                               \
    DEFECT(symv)   /* real: reads past the end of a triangle, and numbers that earlier calls have left */         \
    DEFECT(beta)   /* a product plus NaN times a matrix or vector leaves finite numbers */                        \
    DEFECT(gemm)   /* times zero reads its factors */                                                             \
    DEFECT(place)  /* a product of complex matrices rounds an element by where it is, and by what is computed with it */ \
    DEFECT(syr2)   /* complex, of vectors that are counted backwards begins in their middle */                    \
    DEFECT(potrf)  /* does not see a NaN */                                                                       \
    DEFECT(getrf)  /* multiplies by the inverse of a pivot so small that there is none */

typedef struct host_defects {
#define DEFECT(name) bool name;
    HOSTLIB_DEFECTS
#undef DEFECT
} host_defects;

extern host_defects tsl_hostlib_wrong[4]; /* by tsl_type */

#endif
