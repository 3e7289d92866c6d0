/* Operations on distributed matrices, and the parts that several of them are made of. */
#ifndef TSL_GRID_FORM_H
#define TSL_GRID_FORM_H

#include "grid/grid.h"

/* triangle.c: the local part of a lower triangle, as seen, in rectangles and square blocks on its diagonal; i, j in the local
 * view */
typedef void (*tsl_piece)(void *user, int64_t i, int64_t j, int64_t m, int64_t n, bool diagonal);
void tsl_triangle_walk(tsl_view C, tsl_piece piece, void *user);
tsl_view tsl_seen_lower(tsl_view C, bool herm); /* seen through its (conjugate) transpose if it is an upper one */

/* gemm.c: of local views, C := alpha A B + beta C, if there is any of C here */
void tsl_product_here(tsl_context *x, tsl_grid *g, tsl_scalar alpha, tsl_view A, tsl_view B, tsl_scalar beta, tsl_view C);

/* symm.c: a product with a symmetric or Hermitian matrix, the call's first operand, which stays where it is */
void tsl_symm_in_place(tsl_context *x, const tsl_call *c, bool herm);

/* An exchange of rows, which set out when it begins, and are in place when it has ended. What a process sends or
 * receives are rows, as tsl_moves has them; what stays here is among both, and is not sent. */
typedef struct tsl_rows_sent {
    tsl_matrix host, dev; /* as tsl_message has them */
    const int64_t *row, *at;
} tsl_rows_sent;

typedef struct tsl_exchange {
    tsl_transfer t; /* for its messages */
    tsl_call c;
    tsl_view own;
    tsl_axis axis;
    int size, me; /* of the processes along it */
    int64_t n, wide, done; /* exchanges: so many at a time, and those that have begun */
    const int64_t *p;      /* NULL: nothing is exchanged */
    tsl_moves own_moves, *moves; /* moves: these, or those known of the pivots */
    tsl_rows_sent out, in;
    int64_t most;               /* rows that leave, or come */
    int64_t *list, *list_there; /* on a device: which rows, and where in the buffer; of those that leave, then of others */
} tsl_exchange;

bool tsl_is_exchange(const tsl_call *c);
void tsl_exchange_begin(tsl_context *x, const tsl_call *c, tsl_exchange *e);
void tsl_exchange_end(tsl_exchange *e);
/* A := P(p) A, where every process that has rows of A has all pivots, in its host memory: the others need not know them. */
void tsl_exchange_here(tsl_context *x, tsl_view A, tsl_view p, int64_t first);

/* gemm.c: the right factor of a product sets out, and the product is computed. False: it is to be computed in another way, or
 * nothing has to be sent. */
bool tsl_spread_begin(tsl_context *x, const tsl_call *c, tsl_spread *s);
void tsl_spread_end(tsl_context *x, tsl_spread *s);

/* update.c: C := alpha L R + beta C on the lower triangle of C, the panels being in place. Blocks on the diagonal are computed
 * by gemmt, or by syrk or herk if R is L turned. */
typedef struct tsl_product {
    tsl_context *x;
    tsl_opcode diagonal;
    tsl_scalar alpha, beta;
    tsl_view L, R, C;
    bool herm;
} tsl_product;

void tsl_product_triangle(const tsl_product *p);
/* Of a product whose factors lie with its result: computed, and nothing was sent. False: they do not. */
bool tsl_product_in_place(tsl_context *x, const tsl_call *c);

/* geqrf_tree.c: a panel of QR whose rows several processes have, on devices. T and tau are where the panel's columns begin, as
 * tsl_owner_layout says. */
void tsl_geqrt_tree(tsl_context *x, tsl_view A, tsl_view T, tsl_view tau);
/* The same file: of local views, B := alpha B U, U an upper triangle; or, solve, times its inverse, if there is any of B */
void tsl_triangle_here(tsl_context *x, tsl_grid *g, bool solve, tsl_scalar alpha, tsl_view U, tsl_view B);
/* lu_tournament.c: a panel of LU whose rows several processes have, its pivots those that are left of a tournament */
void tsl_lu_tournament(tsl_context *x, const tsl_call *c);

/* What computes operations, one or a family, by its name in core/ops.def; each takes a call on distributed views whose checks
 * are made. */
#define TSL_OPERATION(id, name, types, traits, weight, flops, host, cuda, batch, grid, ...) void tsl_dist_##grid(tsl_context *x, const tsl_call *c);
#include "core/ops.def"
#undef TSL_OPERATION
/* place.c: the form of those that have no other: gathered, computed on the first process, spread */
void tsl_dist_place(tsl_context *x, const tsl_call *c);
bool tsl_is_first(const tsl_grid *g);
/* place.c: is it a few words of the caller's, which are written? These need not be distributed: all processes have them in the
 * end. */
enum { TSL_SHARED = 4 }; /* words */
bool tsl_is_word(const tsl_call *c, int i);
/* place.c: v on the processes that the layout says, in workspace, with its contents or without; and brought back */
tsl_view tsl_work_on(tsl_context *x, tsl_dmatrix *D, tsl_layout l, tsl_view v, bool contents);
void tsl_work_home(tsl_context *x, tsl_view w, tsl_view v);

/* trxm.c: the same as tsl_dist_trxm, but if several rows of processes have B (columns, from the right) it is brought together
 * first, in D and the slot's memory, and the result is left there. Where it is. */
tsl_view tsl_trxm_together(tsl_context *x, const tsl_call *c, tsl_dmatrix *D, int slot);
tsl_layout tsl_corner_layout(tsl_view A); /* small.c: not distributed: where the first element of A is */
/* small.c: the outcome of what was just done here, on columns that start with A's, becomes the call's unless an earlier column
 * has one */
void tsl_note_info(tsl_context *x, tsl_view A);
void tsl_note_at(tsl_context *x, tsl_grid *g, int64_t first); /* small.c: the same of columns whose number is known */
void tsl_note_column(tsl_view A, int64_t info);               /* small.c: the same of an outcome that is known */
/* norm.c: the local part of a matrix, `own`, in host memory */
tsl_matrix tsl_fetched(tsl_context *x, tsl_grid *g, tsl_view own);
double tsl_modulus(tsl_type t, const char *p); /* norm.c: of an element */

#endif
