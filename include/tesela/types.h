/** @file
 * tesela/types.h - statuses, element types and flags. */
#ifndef TESELA_TYPES_H
#define TESELA_TYPES_H

#include <stddef.h>
#include <stdint.h>

/* TSL_C_COMPLEX: C's complex types in C++ too, as some compilers have them. <complex> takes most of the time of a short
 * file. */
#if defined(__cplusplus) && !defined(TSL_C_COMPLEX)
#include <complex>
typedef std::complex<float> tsl_cfloat;
typedef std::complex<double> tsl_cdouble;
#else
typedef float _Complex tsl_cfloat;
typedef double _Complex tsl_cdouble;
#endif
#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define TSL_API __attribute__((visibility("default")))
#else
#define TSL_API
#endif

/** A scalar of any of the four types: they all embed in double complex. With real operands it must be real: TSL_ERR_TYPE. */
typedef tsl_cdouble tsl_scalar;

/* ---- status ------------------------------------------------------------------------------------------------------------- */

#define TSL_STATUS_LIST(X)                                                                              \
    X(TSL_OK, 0, "success")                                                                             \
    X(TSL_ERR_NULL, 1, "a required pointer is null")                                                    \
    X(TSL_ERR_FLAG, 2, "a flag (side, uplo, trans, diag, type) has no such value")                      \
    X(TSL_ERR_SIZE, 3, "a size is negative")                                                            \
    X(TSL_ERR_LD, 4, "a leading dimension is smaller than the rows it must hold")                       \
    X(TSL_ERR_SHAPE, 5, "the operands' shapes do not fit together")                                     \
    X(TSL_ERR_TYPE, 6, "the operands' element types differ or do not suit the operation")               \
    X(TSL_ERR_VIEW, 7, "a view lies outside its matrix or has no matrix")                               \
    X(TSL_ERR_UPLO, 8, "an operand must be (or must not be) a triangle")                                \
    X(TSL_ERR_OVERFLOW, 9, "a size does not fit the address space, or the host library's integers")     \
    X(TSL_ERR_MEMORY, 10, "out of host memory")                                                         \
    X(TSL_ERR_DEVICE_MEMORY, 11, "out of device memory, or past the device's limit")                    \
    X(TSL_ERR_NO_DEVICE, 12, "no such device here")                                                     \
    X(TSL_ERR_DEVICE, 13, "a device or its library reported a failure")                                 \
    X(TSL_ERR_SPEC, 14, "a device specification cannot be read")                                        \
    X(TSL_ERR_OPTION, 15, "no such option, or no such value for it")                                    \
    X(TSL_ERR_CONTEXT, 16, "an operand belongs to another context, or its context has been destroyed")  \
    X(TSL_ERR_LAYOUT, 17, "the operation has no form for matrices stored like this")                    \
    X(TSL_ERR_MPI, 18, "an MPI call failed, or MPI cannot be used")                                     \
    X(TSL_ERR_GRID, 19, "no such process grid, or operands on different ones")                          \
    X(TSL_ERR_PROCESS, 20, "made before this process was forked, and of no use in it")                  \
    X(TSL_ERR_FILE, 21, "a file cannot be written")                                                     \
    X(TSL_ERR_OVERLAP, 22, "an operand that is written shares memory with another")                     \
    X(TSL_ERR_PIVOT, 23, "a pivot is no row of the matrix")                                             \
    X(TSL_ERR_CANCELLED, 24, "cancelled, by tsl_cancel or by the function of tsl_on_progress")          \
    X(TSL_ERR_LATE, 25, "other processes did not come within the deadline")

typedef enum tsl_status {
#define TSL_STATUS_ENUM(name, value, text) name = value,
    TSL_STATUS_LIST(TSL_STATUS_ENUM)
#undef TSL_STATUS_ENUM
} tsl_status;

TSL_API const char *tsl_status_text(tsl_status st); /**< the text of the list; never NULL */
TSL_API const char *tsl_status_name(tsl_status st); /**< "TSL_ERR_LD" */
TSL_API const char *tsl_version(void);              /**< "0.1.0" */

/* ---- element types ------------------------------------------------------------------------------------------------------ */

typedef enum tsl_type {
    TSL_S, TSL_D, TSL_C, TSL_Z,
    TSL_INDEX /**< an int64_t: pivots and permutations. Only operations that have these, and tsl_copy, take a matrix of them. */
} tsl_type;

TSL_API size_t tsl_type_size(tsl_type t); /**< bytes of one element; 0: no such type */
TSL_API double tsl_type_eps(tsl_type t);  /**< unit roundoff: 2^-24 or 2^-53 */
TSL_API char tsl_type_letter(tsl_type t); /**< 's' 'd' 'c' 'z' 'i' */

/* ---- flags -------------------------------------------------------------------------------------------------------------- */

/** Bit 0 transposes, bit 1 conjugates. Conjugating real elements changes nothing. */
typedef enum tsl_op { TSL_NOTRANS = 0, TSL_TRANS = 1, TSL_CONJ = 2, TSL_HERM = 3 } tsl_op;
typedef enum tsl_uplo { TSL_GENERAL = 0, TSL_LOWER = 1, TSL_UPPER = 2 } tsl_uplo;
typedef enum tsl_diag { TSL_NONUNIT = 0, TSL_UNIT = 1 } tsl_diag;
typedef enum tsl_side { TSL_LEFT = 0, TSL_RIGHT = 1 } tsl_side;

/** What a triangle stands for: a symmetric matrix, a Hermitian one, or a matrix with zeros on the other side */
typedef enum tsl_structure { TSL_SYMMETRIC = 0, TSL_HERMITIAN = 1, TSL_TRIANGULAR = 2 } tsl_structure;
/** The largest |a_ij|; the largest sum down a column; the largest sum along a row; the root of the sum of squares */
typedef enum tsl_norm_kind { TSL_NORM_MAX = 0, TSL_NORM_ONE = 1, TSL_NORM_INF = 2, TSL_NORM_FRO = 3 } tsl_norm_kind;

#ifdef __cplusplus
}
#endif
#endif
