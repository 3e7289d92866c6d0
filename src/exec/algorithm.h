/* What a blocked algorithm is, and what it may call beside the operations on views (tesela.h, ops/inner.h): panels, leaves,
 * outcomes, numbers, temporary matrices, lanes. None of it names a device, a tile or a process, so src/algo includes this
 * header and not exec.h. */
#ifndef TSL_ALGORITHM_H
#define TSL_ALGORITHM_H

#include <stdbool.h>

#include "core/numbers/products.h"
#include "core/variant.h"
#include "tune/panel.h"
#include "tesela.h"

typedef tsl_status (*tsl_algo)(tsl_context *x, const tsl_call *c);
/* variant.c: those of the variants, by their numbers: registered by algo/table.c */
extern tsl_algo tsl_algorithm[TSL_VARIANT_COUNT];

/* variant.c: tsl_panel of a square matrix from column k on, which may be wider where tiles must leave to make room for
 * others. */
int64_t tsl_panel_from(tsl_context *x, const tsl_call *c, int64_t k);

/* An upper triangle U, seen through its conjugate transpose, is a lower one: of U^H U = L L^H and of U U^H = L^H L alike, and
 * inv(U) is inv(L) seen the same way. */
static inline tsl_view tsl_as_lower(tsl_view A) { return tsl_triangle(A) == TSL_UPPER ? tsl_herm(A) : A; }

/* leaf.c: the largest order a leaf of the backend takes for the call; its own order if any, or if it is the grid's to
 * say */
int64_t tsl_leaf_order(tsl_context *x, const tsl_call *c);
/* leaf.c: up to which order a part is computed in one place: by tiles and on grids, that of a tile or a block that a leaf
 * takes; on one device `alone` */
int64_t tsl_place_order(tsl_context *x, const tsl_call *c, int64_t alone);
/* The largest order past that limit that a leaf takes here, for workspace; 0: none */
int64_t tsl_leaf_whole(tsl_context *x, const tsl_call *c);

/* dispatch.c: an operation given as a call; leaf.c: the same by a leaf of the backend, whatever its size */
tsl_status tsl_execute(tsl_context *x, const tsl_call *c);
tsl_status tsl_leaf_of(tsl_context *x, const tsl_call *c);
/* What has no meaning on a grid of processes, and what an algorithm asks to take other steps there, or by tiles, than on one
 * device. scripts/check-dialect counts their uses, of which each says why. */
#define TSL_FLAT
#define TSL_ASKS

/* run.c: a part by an algorithm of the caller's choice, with temporaries of its own */
TSL_FLAT void tsl_by(tsl_context *x, const tsl_call *c, tsl_algo algorithm);

/* info.c: waits for what the call has done so far; is its info still 0, and has nothing failed? For algorithms that must not
 * take the next step otherwise. */
bool tsl_good_so_far(tsl_context *x);
/* info.c: waits for a norm of an A with elements, a triangle of such a matrix; 1 where nothing is computed. The first: the
 * largest |a_ij| */
double tsl_largest(tsl_context *x, tsl_structure structure, tsl_view A);
double tsl_size_of(tsl_context *x, tsl_norm_kind kind, tsl_structure structure, tsl_view A);

/* info.c: adds to an outcome that is not 0, of a part on A whose columns are counted from there on. Waits */
void tsl_count_from(tsl_context *x, tsl_view A, int64_t base);

/* info.c: the outcome, of a call on A, if there is none yet. Waits */
void tsl_tell_outcome(tsl_context *x, tsl_view A, int64_t info);

/* info.c: that outcome does not count: the algorithm, of a call on A, has another way. */
void tsl_forget(tsl_context *x, tsl_view A);

/* number.c: is this a dry run, in which nothing is computed and numbers are zero? An algorithm whose steps depend on numbers
 * then takes every one that needs workspace. */
bool tsl_is_dry(const tsl_context *x);
/* number.c: waits, and copies a column of few elements to the host, widened; zeros if that fails */
void tsl_read(tsl_context *x, tsl_view column, tsl_scalar *to);
/* number.c: the same of one real or whole number, which a dry run supposes to be this */
double tsl_read_one(tsl_context *x, tsl_view number, double supposed);
/* number.c: may steps depend on what is read of A? Not on a grid of processes, where others wait for their messages. */
TSL_ASKS bool tsl_can_read(tsl_view A);
/* number.c: A, a temporary matrix, whole, := number(i,j) * unit. Waits */
void tsl_fill(tsl_context *x, tsl_view A, tsl_number number, double unit);
/* number.c: A is brought to the host, widened, column by column; what `visit` leaves of it is put back. On a grid every process
 * does the same. Not in a dry run. Waits */
void tsl_visit(tsl_context *x, tsl_view A, tsl_visitor visit, void *with);
/* number.c: the number of the call that makes one, for whoever waits for it */
void tsl_leave_number(tsl_context *x, const void *number, size_t bytes);
/* number.c: how products are computed from here on; how they were, which an algorithm puts back */
tsl_products tsl_products_in(tsl_context *x, tsl_products p);

/* temp.c: an m x n matrix in workspace, until the algorithm that asked for it returns: of A's type, or of other elements, and
 * like A along what is said (core/op.h). Where there is no memory the call fails, and what is done with the matrix does
 * nothing. */
tsl_view tsl_temp(tsl_context *x, tsl_view A, int64_t m, int64_t n); /* along both */
tsl_view tsl_temp_of(tsl_context *x, tsl_view A, tsl_along along, tsl_element element, int64_t m, int64_t n);
/* temp.c: n columns along the rows of C, but stored as those of A are seen: for what tsl_for_rows would bring there */
tsl_view tsl_temp_for_rows(tsl_context *x, tsl_view A, tsl_view C, int64_t n);
/* temp.c: does the block lie in one piece, or is it an empty part of one? */
TSL_ASKS bool tsl_lies_in_one(tsl_view A);
/* temp.c: does it lie in several pieces, tiles or processes' parts? */
TSL_ASKS bool tsl_is_apart(tsl_view A);

/* by_host.c: the call is computed by the host's cores, in order with the current lane, while other lanes go on; it returns when
 * the results are on their way back. Where the host's memory is the device's, as any other call. By tiles and on grids: in one
 * place. */
void tsl_by_host(tsl_context *x, const tsl_call *c);
/* by_host.c: A, or where its columns are not aligned as an accelerator likes them, a copy in workspace, in which infos count
 * A's columns; and that copied back. By tiles and on grids A itself. */
tsl_view tsl_padded_in(tsl_context *x, tsl_view A);
void tsl_padded_out(tsl_context *x, tsl_view P, tsl_view A);

/* lane.c: operations of the text that computes c go on the chosen lane from here on; at a meeting each lane waits for what the
 * other has so far. On a grid of processes what is put on the main lane is done at the next meeting, so that the lane ahead is
 * ahead. */
enum { TSL_ON_MAIN = 0, TSL_ON_AHEAD = 1 };
void tsl_on(tsl_context *x, int lane);
void tsl_meet(tsl_context *x, const tsl_call *c);
/* lane.c: the chosen lane waits for what the other one has so far, which goes on. On a grid that is a meeting. */
void tsl_after_other(tsl_context *x, const tsl_call *c);
/* lane.c: the main lane leaves so many of a GPU's multiprocessors to the lane ahead from here on, where that can be; 0:
 * none. */
void tsl_leave_room(tsl_context *x, const tsl_call *c, int spare);

/* lane.c: of `count` like steps of a text on A the one after step i; after -1 the first, after the last one `count`. Where work
 * is told instead of done (grid/told.c) steps may be left out, of which another one speaks. */
int64_t tsl_next_step(tsl_view A, int64_t i, int64_t count);

/* lane.c: so many columns of A the main lane takes at a time: on one device and by tiles all. On a grid what is sent for some
 * of them is on its way beside the products with others. */
int64_t tsl_beside(tsl_context *x, tsl_view A);
/* lane.c: the panel A as the rows of C need it, in C := C + A B, and B as its columns do. On one device and by tiles that is
 * the panel itself. On a grid it sets out for where they are, and the first operation that uses the result waits for it: until
 * the second meeting after this the result holds, and the panel must not change. */
tsl_view tsl_for_rows(tsl_context *x, tsl_view A, tsl_view C);
tsl_view tsl_for_cols(tsl_context *x, tsl_view B, tsl_view C);

#endif
