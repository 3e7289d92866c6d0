/* ScaLAPACK's symbols over distributed matrices: what the calls of one type (pblas.inc) have in common. */
#ifndef TSL_SCALAPACK_H
#define TSL_SCALAPACK_H

#include <stdbool.h>

#include "tesela_mpi.h"

/* One call: the operands' matrices live as long as it. */
typedef struct pblas {
    tsl_context *ctx;
    tsl_grid *grid;
    int blacs; /* the context all descriptors must name */
    tsl_type type;
    tsl_status st;
    tsl_matrix *mat[3];
    int count;
} pblas;

pblas pblas_open(tsl_type type, const int *desc);
/* The block at (i, j), counted from 1, of the matrix of a descriptor. */
tsl_view pblas_take(pblas *c, const void *local, int i, int j, const int *desc, int m, int n);
/* Frees the matrices. True: the arguments are not for us, and the ScaLAPACK underneath should have its say. */
bool pblas_close(pblas *c, tsl_status st);

/* Letters; anything else makes the call not ours. */
tsl_view pblas_seen(pblas *c, tsl_view v, char trans);
tsl_view pblas_triangle(pblas *c, tsl_view v, char uplo, char diag);
tsl_side pblas_side(pblas *c, char side);
bool pblas_plain(pblas *c, char trans); /* not transposed? */

/* The same symbol in the libraries after this one; NULL: there is none. */
void *pblas_next(const char *symbol);

/* grids.c: of a BLACS context; NULL: it cannot be known */
tsl_grid *pblas_grid(int blacs);
tsl_context *pblas_context(void);

#endif
