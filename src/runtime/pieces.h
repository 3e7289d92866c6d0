/* Cutting a call where tiles of its operands end, wherever the operands begin: a piece lies in one tile of each. Tiles of a
 * matrix are taken down its columns, and all pieces of one before the next, so that each is brought to a device once. */
#ifndef TSL_PIECES_H
#define TSL_PIECES_H

#include <stdbool.h>

#include "core/op.h"

/* A vector as a column; `count` elements of a vector from element k on, in the vector's own order */
tsl_view tsl_upright(tsl_view v);
tsl_view tsl_segment(tsl_view v, int64_t k, int64_t count);
/* How many elements from k on lie in one tile of each operand of a call on vectors */
int64_t tsl_segment_of(const tsl_call *c, int64_t k);

/* The pieces of a matrix, or of a triangle of it: there pieces on the diagonal are triangles too, and square but for the
 * last. */
typedef struct tsl_walk {
    tsl_view A;
    /* operands along A's rows, or columns, or both, whose tiles end pieces too */
    struct { tsl_view v; bool rows, cols; } beside[4];
    int count;
    int64_t i0, j0, m0, n0; /* the tile's part of A: its first row and column, rows and columns */
    int64_t i, j, m, n;     /* the piece: the same */
    bool diagonal;
    tsl_view part;          /* it, as a view */
} tsl_walk;

tsl_walk tsl_walk_over(tsl_view A);
void tsl_walk_rows(tsl_walk *w, tsl_view v); /* v's rows are cut as A's rows are; of a vector, its elements */
void tsl_walk_cols(tsl_walk *w, tsl_view v); /* v's rows, or elements, as A's columns are */
void tsl_walk_both(tsl_walk *w, tsl_view v); /* v's rows and columns as A's */
bool tsl_walk_on(tsl_walk *w);               /* to the next piece; false: there is none */

/* Of a triangle A and a vector x: the end of the diagonal block that begins at k, and the beginning of the one that ends
 * there */
int64_t tsl_block_end(tsl_view A, tsl_view x, int64_t k);
int64_t tsl_block_begin(tsl_view A, tsl_view x, int64_t k);

#endif
