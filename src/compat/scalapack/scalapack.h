/* ScaLAPACK's symbols over distributed matrices: what the calls of one type (pblas.inc) have in common. */
#ifndef TSL_SCALAPACK_H
#define TSL_SCALAPACK_H

#include <stdbool.h>

#include "tesela_mpi.h"

/* One call: the operands' matrices live as long as it. */
typedef struct pblas {
    const char *symbol;
    int size[3];    /* m n k, as far as it has them; else 1 */
    bool passes;    /* the ScaLAPACK underneath gets it, with the same arguments */
    void *next;     /* the same symbol there; NULL: there is none */
    tsl_context *ctx;
    tsl_grid *grid;
    tsl_view none;  /* of that grid, and refused by all processes */
    int blacs;      /* the context all descriptors must name */
    tsl_type type;
    tsl_status st;  /* what was wrong here before the operation */
    tsl_matrix *mat[4];
    int count;
} pblas;

/* next: where the address of the symbol underneath is kept from call to call. Small problems pass at once. */
pblas pblas_open(tsl_type type, const char *symbol, void **next, const int *desc, int m, int n, int k);
/* The block at (i, j), counted from 1, of the matrix of a descriptor. */
tsl_view pblas_take(pblas *c, const void *local, int i, int j, const int *desc, int m, int n);
/* The pivots of rows (cols: columns) [from, from + count), counted from 1, of the matrix of a descriptor: ipiv has them as
 * numbers in that matrix, what is returned as numbers in the block that begins there. ipiv NULL: they are yet to be found. And
 * what was found, back. */
tsl_view pblas_pivots(pblas *c, const int *ipiv, int from, const int *desc, bool cols, int count);
void pblas_pivots_back(tsl_view p, int *ipiv);
/* The elements of a local array that go with rows (cols: columns) [from, from + count) of the matrix of a descriptor, a copy in
 * every process column (row) */
tsl_view pblas_vector(pblas *c, const void *local, int from, const int *desc, bool cols, int count);
/* An array of `count` real numbers that every process has all of */
tsl_view pblas_everywhere(pblas *c, void *local, int count);
/* After the operation, which all processes call even if something is wrong here. Frees the matrices and decides: done; or
 * nothing was touched, and the call passes; or it has failed, which info or, if that is NULL, the end of the program tells. */
void pblas_close(pblas *c, tsl_status st, int64_t outcome, int *info);

/* Letters; anything else makes the call not ours. */
tsl_view pblas_seen(pblas *c, tsl_view v, char trans);
tsl_view pblas_triangle(pblas *c, tsl_view v, char uplo, char diag);
tsl_side pblas_side(pblas *c, char side);
bool pblas_plain(pblas *c, char trans); /* not transposed? */
tsl_norm_kind pblas_norm(pblas *c, char norm);

/* The same symbol in the libraries after this one; NULL: there is none. */
void *pblas_next(const char *symbol);

/* grids.c: of a BLACS context. NULL, on all its processes: it cannot be had. */
tsl_grid *pblas_grid(int blacs, tsl_matrix **nowhere);
tsl_context *pblas_context(void);
bool pblas_place(int blacs, int at[2]); /* of this process; false: it has none */
MPI_Comm pblas_comm(int blacs);         /* of its processes; MPI_COMM_NULL: it cannot be had */
void pblas_abort(int blacs, int code);  /* as PBLAS ends a program */

/* redistribute.c */
typedef struct pblas_operand {
    void *local;
    int i, j;
    const int *desc; /* of a process that is not in its context only that is read, which is negative */
} pblas_operand;

/* B := A, m x n each, or with a letter in uplo their trapezoid, whose diagonal diag 'U' leaves out. Called by all processes of
 * the context `all`, of which those of A and B are some. false: the ScaLAPACK underneath gets the call. */
bool pblas_redistribute(tsl_type type, const char *symbol, void **next, char uplo, char diag, int m, int n, pblas_operand A,
                        pblas_operand B, int all);

#endif
