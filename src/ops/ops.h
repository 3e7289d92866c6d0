/* What the operations on views have in common: operands as kernels see them, vectors, matrices stored by bands or packed. */
#ifndef TSL_OPS_H
#define TSL_OPS_H

#include "exec/batch.h"

/* The rules, each beside the public function it belongs to; and rules.c: all of them, at the start of the library */
#define TSL_OPERATION(id, name, ...) extern const tsl_rules tsl_##name##_rules;
#include "core/ops.def"
#undef TSL_OPERATION
void tsl_rules_register(void);

/* move.c: of copies, convert too: sizes and triangles fit; and the triangle that either operand asks for, in the storage of
 * B */
tsl_status tsl_copy_check(tsl_context *x, const tsl_call *c);
tsl_status tsl_copy_canon(tsl_context *x, const tsl_call *c, tsl_leaf *l);
tsl_uplo tsl_copied(tsl_view A, tsl_view B);
/* reduce.c: the same for one that makes a number; it waits for it. Zero, where there are no elements. */
tsl_status tsl_execute_value(tsl_context *x, const tsl_call *c, tsl_typed_scalar *value);
/* reduce.c: the same of batches: a number for each problem, in the caller's memory */
tsl_status tsl_execute_numbers(tsl_context *x, tsl_call *c, void *numbers);
tsl_status tsl_execute_doubles(tsl_context *x, tsl_call *c, double *numbers, double of_none); /* of empty problems `of_none` */
/* operand.c: how many problems a call has, of which all operands are given but those without a matrix; and m numbers in the
 * caller's memory for each of them */
int64_t tsl_problems(const tsl_call *c);
tsl_matrix tsl_per_problem(tsl_context *x, const tsl_call *c, tsl_type t, int64_t m, void *p);
/* functions/pinv.c: the share of the largest up to which singular values count as zero; given < 0: by the roundoff */
double tsl_pinv_tolerance(tsl_type t, int64_t m, int64_t n, double given);
/* level1.c: the columns of rotm's H, given as in BLAS; is it another than the identity? */
bool tsl_rotm_matrix(const double param[5], tsl_scalar *first, tsl_scalar *second);

/* operand.c: canonical operands. BLAS writes its output as stored, so an output seen through an op moves that op to the other
 * side of the equation: X = op(C) turns C := E into X := op(E), and op distributes over E, reversing products when it
 * transposes. What remains on inputs is N, T or HERM; plain conjugation, which BLAS lacks, is done by a copy. */
/* A symmetric matrix is its own transpose, a Hermitian one its own conjugate transpose: of an op on it (reduced) only this is
 * left, whether its values are conjugated. */
bool tsl_flips(tsl_op op, bool herm);
tsl_scalar tsl_seen_scalar(tsl_scalar a, tsl_op op);    /* a, or its conjugate if op conjugates */

/* An input seen through `op`. If that is `avoid` (TSL_CONJ, or another op the operation has no flag for) and the type complex,
 * its conjugate is put into workspace of the present lane and seen through what remains. */
tsl_status tsl_input(tsl_context *x, const tsl_view *v, tsl_op op, tsl_op avoid, tsl_array *out);
/* An input seen through `op` that the operation has no flag for at all: copied unless op is nothing. */
tsl_status tsl_plain(tsl_context *x, const tsl_view *v, tsl_op op, tsl_array *out);


/* vector.c: checks of vectors */
tsl_status tsl_need_stored(tsl_context *x, const tsl_call *c, int i); /* seen through no op */
tsl_status tsl_need_plain(tsl_context *x, const tsl_call *c, int i); /* the same of a whole block */
tsl_status tsl_unchecked(tsl_context *x, const tsl_call *c);         /* only algorithms call it, with operands that are right */
tsl_view tsl_none_of(tsl_view A);            /* no elements of A's matrix, which all that is checked of an optional operand lets pass */
tsl_view tsl_or_none(tsl_view v, tsl_view A); /* v, or if it has no matrix that */
tsl_status tsl_need_vector(tsl_context *x, const tsl_call *c, int i, int64_t length);
tsl_status tsl_need_vectors(tsl_context *x, const tsl_call *c); /* all operands, of one length */
/* vector.c: a rule: the size is their length */
tsl_status tsl_vectors_canon(tsl_context *x, const tsl_call *c, tsl_leaf *l);
/* vector.c: a vector to read: its conjugate, if op conjugates, in workspace. ld is the increment. */
tsl_status tsl_vector_in(tsl_context *x, const tsl_view *v, tsl_op op, tsl_array *out);
/* vector.c: waits, and copies some elements of a column to the host; all processes of a grid must ask; takes no memory */
tsl_status tsl_read_column(tsl_context *x, tsl_view column, int64_t from, int64_t count, void *to);
/* vector.c: waits for the reduction just executed and copies its value, of `bytes`, to the host. */
tsl_status tsl_result(tsl_context *x, void *value, size_t bytes);

/* storage.c: the matrix of a level-2 operation. A dense one is described by its view; of one stored by bands or packed the view
 * is only the storage, as BLAS lays it out, and the call's flags and sizes describe the matrix. */
typedef enum tsl_storage { TSL_DENSE, TSL_BAND, TSL_PACKED } tsl_storage;

/* A symmetric, Hermitian or triangular matrix, as seen. */
typedef struct tsl_square {
    tsl_storage storage;
    const tsl_view *v; /* the storage */
    int64_t n, k;      /* order; by bands: diagonals beside the main one */
    tsl_op op;
    tsl_uplo uplo;     /* as stored */
    tsl_diag diag;
    bool herm;         /* Hermitian and complex: not its own transpose */
} tsl_square;

tsl_storage tsl_stored(tsl_opcode op);
tsl_square tsl_square_of(const tsl_call *c);
int64_t tsl_square_ld(const tsl_square *s, int64_t ld); /* ld, or 1: a packed matrix has none */
tsl_status tsl_need_square(tsl_context *x, const tsl_call *c);
/* a band matrix of n columns with kl diagonals below, which the caller calls by that name, and ku above the main one, stored in
 * operand i */
tsl_status tsl_need_band(tsl_context *x, const tsl_call *c, int i, int64_t n, const char *below, int64_t kl, int64_t ku);
tsl_status tsl_need_flag(tsl_context *x, const tsl_call *c, bool good);
/* Does op turn the symmetric or Hermitian matrix into its conjugate? Else it is itself: nothing more of op remains. */
bool tsl_conjugated(const tsl_square *s, tsl_op op);
int64_t tsl_band_rows(int64_t kl, int64_t ku); /* of band storage; past what can be addressed, more than any leading dimension */

#endif
