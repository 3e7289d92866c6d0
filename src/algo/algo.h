/* The blocked algorithms. */
#ifndef TSL_ALGO_H
#define TSL_ALGO_H

#include "exec/algorithm.h"
#include "ops/inner.h"

/* All of them. A family's suffixes: _mp matrix-panel, _pm panel-matrix, _pp panel-panel, _rec recursive. */
#define TSL_VARIANT(op, name, function, flags, rule) tsl_status function(tsl_context *x, const tsl_call *c);
#include "core/variants.def"
#undef TSL_VARIANT

/* piece.c: of every operation that none of these cuts: in one place */
tsl_status tsl_in_one_piece(tsl_context *x, const tsl_call *c);

/* table.c: all of them, at the start of the library */
void tsl_algorithms_register(void);

/* Of an operand that may be empty */
static inline bool tsl_is_there(tsl_view v) { return tsl_rows(v) > 0 && tsl_cols(v) > 0; }

/* A temporary matrix in one piece, of A's type */
static inline tsl_view tsl_in_one(tsl_context *x, tsl_view A, int64_t m, int64_t n)
{
    return tsl_temp_of(x, A, TSL_IN_ONE, TSL_OF_TYPE, m, n);
}

/* Does the triangle have an inverse, and A := inv(A) of one that is known to */
bool tsl_invertible(tsl_context *x, tsl_view A);
void tsl_inverse(tsl_context *x, tsl_view A);

/* estimate.c: a linear operator O of order n for each of several columns: what its product with columns V is made by, V := O V
 * or O^H V; and real weights w, a column for each of V (NULL: ones): that is then diag(w) O. */
typedef struct tsl_operator {
    void (*apply)(tsl_context *x, const struct tsl_operator *o, tsl_view V, bool adjoint);
    const void *with; /* what apply must know beside these */
    tsl_view A, B;
    const tsl_scalar *weights;
} tsl_operator;
/* norm[j] := about the norm one of each, a lower bound of it. V is room, n x columns, at most TSL_ESTIMATES; on flat operands.
 * Waits. 1 in a dry run */
enum { TSL_ESTIMATES = 16 };
void tsl_estimate(tsl_context *x, const tsl_operator *o, tsl_view V, double *norm);

/* range.c: A brought to where squares of its elements are in range: what it was multiplied by, 1 if it is not finite. *size: of
 * the largest one, before. Waits */
double tsl_into_range(tsl_context *x, tsl_structure structure, tsl_view A, double *size);
double tsl_bring_into_range(tsl_context *x, tsl_view A); /* the same; 0 if it is zero, or empty */
/* range.c: the exponent of a largest element that is not about 1, else 0; and A := A 2^by */
int tsl_exponent_of(double size);
void tsl_scale_by(tsl_context *x, int by, tsl_view A);

/* gesvd.c: s := -w, and zero where that is negative, w a real column like those of A */
void tsl_descending(tsl_context *x, tsl_view A, tsl_view w, tsl_view s);
/* gesvd.c: singular values and vectors by a method that takes an A with no more columns than rows, or a square one. Elements
 * are about 1 at most. VT is seen as V^H. U has as many columns as A at least, and either may be empty. A is overwritten. */
typedef struct tsl_svd_method {
    void (*solve)(tsl_context *x, const tsl_call *c, tsl_view A, tsl_view s, tsl_view U, tsl_view VT);
    bool square;
} tsl_svd_method;
tsl_status tsl_gesvd_by(tsl_context *x, const tsl_call *c, const tsl_svd_method *by);

#endif
