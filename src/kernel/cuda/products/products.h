/* Products by residues on GPUs (core/numbers/residue.h): A and B become planes of 8-bit numbers, a plane for each modulus. The
 * products of planes are reduced to residues at once; from these comes C. */
#ifndef TSL_CUDA_PRODUCTS_H
#define TSL_CUDA_PRODUCTS_H

#include "core/leaf.h"
#include "core/numbers/residue.h"

#ifdef __cplusplus
extern "C" {
#endif

/* emulated.c: the product, all of C or a triangle of it, and its workspace; of one that is not emulated: 0 */
tsl_status tsl_cuda_emulated(struct tsl_queue *q, const tsl_leaf *l, tsl_uplo part);
size_t tsl_cuda_emulated_workspace(const tsl_leaf *l);

/* Some rows of op(A), or columns of op(B), and some of their elements, as stored; and what is made of them. Planes have
 * `padded` lines of `length` residues, in an order of their own (plane.cuh); what is past k, and past the last line, is zero.
 * Of complex elements a modulus has three planes: of real and imaginary parts, and of their sums. The last plane is of low. */
typedef struct tsl_cuda_lines {
    tsl_type type;
    const void *p; /* the first element of the first line */
    int64_t ld, count, k;
    bool across;   /* lines are rows of what is stored */
    bool conjugate;
    int64_t padded, length; /* lines and elements of a plane */
    int64_t step;           /* from a plane to the next, in residues */
    uint64_t *largest, *squares; /* of each line's pieces of TSL_MEASURED elements, one piece of all lines after the other */
    int32_t *exponent, *kind;
    int8_t *plane;
} tsl_cuda_lines;

enum { TSL_LINES_UNIT = 256, TSL_LENGTH_UNIT = 128 }; /* padded and length are multiples of these */

/* A block of C, of the rows of A and the columns of B, and which part of it is written; its first row is row `below` of the
 * square whose triangle that is, counted from its first column. products: of all planes, a byte for each of A.padded x
 * B.padded; failed: for each square of TSL_MENDED, whether an element of it is to be a product of the elements themselves */
typedef struct tsl_cuda_joined {
    tsl_cuda_lines A, B;
    uint8_t *products, *failed;
    void *C;
    int64_t ldc, below;
    tsl_uplo part;
    bool herm; /* the diagonal is real */
    tsl_scalar alpha, beta;
} tsl_cuda_joined;

enum { TSL_MENDED = 32 };

int tsl_cuda_planes(tsl_type t, const tsl_residues *r);
/* split.cu: the lines' exponents and kinds; then their planes, where a line turns out to be rounded */
tsl_status tsl_cuda_lines_scale(struct tsl_queue *q, const tsl_cuda_lines *s, const tsl_residues *r);
tsl_status tsl_cuda_lines_split(struct tsl_queue *q, const tsl_cuda_lines *s, const tsl_residues *r);
const void *tsl_cuda_kernel_of_split(void);
/* multiply.cu, multiply_sm90.cu: the planes' products, of the part of C that is written */
tsl_status tsl_cuda_multiply(struct tsl_queue *q, const tsl_cuda_joined *j, const tsl_residues *r);
const void *tsl_cuda_kernel_of_multiply(void);
const void *tsl_cuda_kernel_of_multiply_wide(void); /* NULL: not of this device */
/* join.cu: C := alpha A B + beta C of what the products say; then of elements that fail */
tsl_status tsl_cuda_join(struct tsl_queue *q, const tsl_cuda_joined *j, const tsl_residues *r);
const void *tsl_cuda_kernel_of_join(void);

#ifdef __cplusplus
}
#endif
#endif
