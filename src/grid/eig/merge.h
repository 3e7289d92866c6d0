/* One merge of divide and conquer for a real symmetric tridiagonal matrix T = diag(T1, T2) + |e| u u^T, e being the element
 * between them and u = (0 .. 0 1 sign(e) 0 .. 0)^T. With T1 = Q1 D1 Q1^T and T2 = Q2 D2 Q2^T it is the eigenproblem of
 *   D + rho z z^T,   z = (last row of Q1, sign(e) first row of Q2) / sqrt(2),   rho = 2 |e|:
 *   deflate   components of z that are small, and poles that are close, take no part; k poles are left
 *   root      one of the k roots of 1/rho + sum z_i^2 / (d_i - lambda): as a pole, its origin, and the distance mu from there
 *   weight    z such that the roots are exact (Gu and Eisenstat): the vectors z_i / (d_i - lambda_j) are then orthogonal
 *   place     the order of roots and deflated values together
 * Everything is in double precision; `tiny` is the roundoff of the vectors. */
#ifndef TSL_GRID_MERGE_H
#define TSL_GRID_MERGE_H

#include <stdbool.h>
#include <stdint.h>

/* Columns p and q of diag(Q1, Q2) become c p + s q and c q - s p. */
typedef struct tsl_turn {
    int64_t p, q;
    double c, s;
} tsl_turn;

typedef struct tsl_ranked {
    double value;
    int64_t number;
} tsl_ranked;

/* Vectors have `order` elements. Poles that are left have places that ascend with them and, for products, slots: first those of
 * columns of Q1 alone, then those of both by a rotation, then those of Q2. Values after the k-th are deflated ones. */
typedef struct tsl_merge {
    int64_t top, order;      /* rows of the first half, and of both */
    double rho, tiny;
    double *d, *z;           /* given: eigenvalues, ascending in each half; d in the end: of both */
    double *pole, *component; /* deflated values behind the poles */
    double *origin, *mu, *weight;
    int64_t *slot;           /* by place */
    int64_t *source;         /* by slot, deflated ones behind: its column of diag(Q1, Q2) */
    int64_t *target;         /* by root, deflated ones behind: its column of Q */
    int64_t k, ones, twos, turns;
    int8_t *kind;             /* of columns of diag(Q1, Q2) */
    tsl_turn *turn;
    tsl_ranked *ranked;
} tsl_merge;

void tsl_merge_deflate(tsl_merge *m);
void tsl_merge_keep(tsl_merge *m); /* numbers of them alone, if nothing deflates */
bool tsl_merge_root(const tsl_merge *m, int64_t j); /* false: not found */
void tsl_merge_weight(const tsl_merge *m, int64_t i);
void tsl_merge_place(tsl_merge *m);
/* Poles and weights in the order of slots, as those need who make vectors (merge_vectors) */
void tsl_merge_by_slot(const tsl_merge *m, double *pole, double *weight);

#endif
