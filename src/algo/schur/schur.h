/* Functions of a matrix by its Schur form A = Z T Z^H. */
#ifndef TSL_ALGO_SCHUR_H
#define TSL_ALGO_SCHUR_H

#include "algo/algo.h"
#include "core/values.h"

typedef struct tsl_schur {
    tsl_view T, Z, W;  /* T is A's place; W is room */
    tsl_view w, wi, s; /* what else the Schur form makes; a number */
} tsl_schur;

/* asks: on a grid steps must be known beforehand, and where a block of order 2 ends is not. A real form is in one place. */
static inline bool tsl_may_cut_schur(tsl_view T) { return tsl_is_complex(tsl_matrix_type(T.mat)) || tsl_can_read(T); }
/* trsyl.c: a Schur form, or what is seen as its transpose, cut after k where a tile begins, and not through a block of order 2.
 * In a dry run, where nobody knows, each part is as large as it may be: then they overlap. Waits */
tsl_part2 tsl_cut_schur(tsl_context *x, tsl_view T, int64_t k);
/* False: there is none. Waits */
bool tsl_schur_form(tsl_context *x, tsl_view A, tsl_schur *f);
/* T := sqrt(T) of a Schur form, with an outcome; s is a number of T's real type */
void tsl_root_of_triangle(tsl_context *x, tsl_view T, tsl_view s);
/* A := Z F Z^H; F may be A's own place */
void tsl_from_schur_form(tsl_context *x, const tsl_schur *f, tsl_view F);
/* A := NaN, with an outcome if there was none */
void tsl_no_function(tsl_context *x, tsl_view A);

#endif
