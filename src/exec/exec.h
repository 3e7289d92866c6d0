/* How an operation on views is executed: checks, staging, canonical form, and the choice between a leaf and a blocked text. */
#ifndef TSL_EXEC_H
#define TSL_EXEC_H

#include "core/area.h"
#include "core/core.h"

/* dispatch.c: every public operation on views comes through here. */
TSL_PRIVATE tsl_status tsl_execute(tsl_context *x, const tsl_call *c);
/* info.c: the same for a call the user made with a place for its outcome, or none */
tsl_status tsl_execute_info(tsl_context *x, const tsl_call *c, int64_t *info);
/* reduce.c: the same for one that makes a number; it waits for it. Zero, where there are no elements. */
tsl_status tsl_execute_value(tsl_context *x, const tsl_call *c, tsl_typed_scalar *value);
/* level1.c: the columns of rotm's H, given as in BLAS; is it another than the identity? */
bool tsl_rotm_matrix(const double param[5], tsl_scalar *first, tsl_scalar *second);

/* What the dispatcher must know of an operation; each is defined beside the public function it belongs to. */
typedef struct tsl_rules {
    /* shapes and triangles, given operands that lie in matrices of this context and have one type; touches nothing */
    tsl_status (*check)(tsl_context *x, const tsl_call *c);
    /* Does a product vanish? Then *less is the same call without it, so that factors which do not matter are never read. NULL: none
     * does. */
    bool (*simplify)(const tsl_call *c, tsl_call *less);
    /* the call in the kernel's canonical form, of which op and type are set already, and where its info and its result go */
    tsl_status (*canon)(tsl_context *x, const tsl_call *c, tsl_leaf *l);
    /* what canon turns back: the operands of a typed call, which are as they are stored, as views on mat[]; the call's flags, sizes and
     * factors are set already */
    void (*lend)(tsl_context *x, const tsl_leaf *l, tsl_matrix mat[TSL_MAX_OPERANDS], tsl_call *c);
    /* order of the triangle the operation works through, what a kernel's limit speaks of; NULL: it has none */
    int64_t (*order)(const tsl_call *c);
    /* number of right-hand sides the triangle meets; NULL: that is not the operation's shape */
    int64_t (*width)(const tsl_call *c);
    bool has_info;
    bool takes_unit; /* the triangle it writes may have a unit diagonal, which it leaves alone */
} tsl_rules;

/* rules.c */
TSL_PRIVATE extern const tsl_rules *const tsl_rule[TSL_OP_COUNT];
#define TSL_OPERATION(id, name, access, ...) extern const tsl_rules tsl_##name##_rules;
#include "core/ops.def"
#undef TSL_OPERATION

/* The call, or what it comes to where a product vanishes. */
static inline tsl_call tsl_simplified(const tsl_call *c)
{
    tsl_call less;
    const tsl_rules *r = tsl_rule[c->op];
    return r->simplify && r->simplify(c, &less) ? less : *c;
}

/* check.c: a line that begins with the call's name; one about operand i, with the text of the status; one about shapes that do not fit
 * together, with the sizes of all operands; and one about operand k, which shares elements with operand i: of a typed call, with the
 * numbers of its arguments */
TSL_PRIVATE tsl_status tsl_refuse(tsl_context *x, const tsl_call *c, tsl_status st, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
TSL_PRIVATE tsl_status tsl_misfit(tsl_context *x, const tsl_call *c, const char *what);
TSL_PRIVATE tsl_status tsl_bad(tsl_context *x, const tsl_call *c, int i, tsl_status st);
tsl_status tsl_shared(tsl_context *x, const tsl_call *c, int k, int i);
TSL_PRIVATE tsl_status tsl_check_operands(tsl_context *x, const tsl_call *c);
/* check.c: checks of one operand */
tsl_status tsl_need_general(tsl_context *x, const tsl_call *c, int i);
tsl_status tsl_need_triangle(tsl_context *x, const tsl_call *c, int i); /* square, and a triangle */
tsl_status tsl_need_diagonal(tsl_context *x, const tsl_call *c, int i); /* not a unit one */

/* overlap.c: refuses a call that writes what it should not, because another operand shares it; locate says where operand i lies,
 * seen from operand k */
typedef tsl_area (*tsl_locate)(const tsl_call *c, int i, int k);
TSL_PRIVATE tsl_status tsl_check_apart(tsl_context *x, const tsl_call *c, tsl_locate locate);
TSL_PRIVATE tsl_area tsl_area_of(const tsl_view *v);         /* of a flat or tiled matrix */
tsl_area tsl_locate_here(const tsl_call *c, int i, int k);   /* of those: it does not matter from where */

/* operand.c: canonical operands. BLAS writes its output as stored, so an output seen through an op moves that op to the other
 * side of the equation: X = op(C) turns C := E into X := op(E), and op distributes over E, reversing products when it
 * transposes. What remains on inputs is N, T or HERM; plain conjugation, which BLAS lacks, is done by a copy. */
TSL_PRIVATE tsl_op tsl_reduced(tsl_op op, tsl_type t);              /* for real types conjugation is nothing */
/* A symmetric matrix is its own transpose, a Hermitian one its own conjugate transpose: of an op on it (reduced) only this is left,
 * whether its values are conjugated. */
bool tsl_flips(tsl_op op, bool herm);
TSL_PRIVATE tsl_scalar tsl_seen_scalar(tsl_scalar a, tsl_op op);    /* a, or its conjugate if op conjugates */

typedef struct tsl_operand {
    void *p;
    int64_t ld;
    tsl_op op;
} tsl_operand;

/* An input seen through `op`. If that is `avoid` (TSL_CONJ, or another op the operation has no flag for) and the type complex,
 * its conjugate is put into workspace of the present lane and seen through what remains. */
tsl_status tsl_input(tsl_context *x, const tsl_view *v, tsl_op op, tsl_op avoid, tsl_operand *out);
/* An input seen through `op` that the operation has no flag for at all: copied unless op is nothing. */
tsl_status tsl_plain(tsl_context *x, const tsl_view *v, tsl_op op, tsl_operand *out);

/* vector.c: a vector is a view with one row or one column; its elements are counted as stored, or from the end if its matrix is
 * reversed. */
int64_t tsl_length(tsl_view v);
tsl_status tsl_need_vector(tsl_context *x, const tsl_call *c, int i, int64_t length);
tsl_status tsl_need_vectors(tsl_context *x, const tsl_call *c); /* all operands, of one length */
/* vector.c: a vector to read: its conjugate, if op conjugates, in workspace. ld is the increment. */
tsl_status tsl_vector_in(tsl_context *x, const tsl_view *v, tsl_op op, tsl_operand *out);
/* vector.c: a vector to write, as it is stored. The caller has moved its conjugation to the other side of the equation. */
tsl_operand tsl_vector_out(const tsl_view *v);
/* vector.c: m x n elements, or n of a vector, that a typed call was given, for the length of it */
tsl_view tsl_lent(tsl_context *x, const tsl_leaf *l, tsl_matrix *a, int64_t m, int64_t n, const void *p, int64_t ld);
tsl_view tsl_lent_vector(tsl_context *x, const tsl_leaf *l, tsl_matrix *a, int64_t n, const void *p, int64_t inc);
/* the same of an operand that is m x n as seen through op */
tsl_view tsl_lent_as_seen(tsl_context *x, const tsl_leaf *l, tsl_matrix *a, int64_t m, int64_t n, tsl_op op, const void *p, int64_t ld);
/* the same of a triangle of order n, its flags the leaf's */
tsl_view tsl_lent_triangle(tsl_context *x, const tsl_leaf *l, tsl_matrix *a, int64_t n, const void *p, int64_t ld);
/* vector.c: waits for the reduction just executed and copies its value, of `bytes`, to the host. */
TSL_PRIVATE tsl_status tsl_result(tsl_context *x, void *value, size_t bytes);

/* storage.c: the matrix of a level-2 operation. A dense one is described by its view; of one stored by bands or packed the view is
 * only the storage, as BLAS lays it out, and the call's flags and sizes describe the matrix. */
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
/* a band matrix of n columns with kl diagonals below and ku above the main one, stored in operand i */
tsl_status tsl_need_band(tsl_context *x, const tsl_call *c, int i, int64_t n, int64_t kl, int64_t ku);
tsl_status tsl_need_flag(tsl_context *x, const tsl_call *c, bool good);
/* Does op turn the symmetric or Hermitian matrix into its conjugate? Else it is itself: nothing more of op remains. */
bool tsl_conjugated(const tsl_square *s, tsl_op op);
int64_t tsl_band_rows(int64_t kl, int64_t ku); /* of band storage; past what can be addressed, more than any leading dimension */
/* what stores a square matrix, and what its operation sees of it: of a dense one its triangle */
tsl_view tsl_lent_square(tsl_context *x, const tsl_leaf *l, tsl_matrix *a, const void *p, int64_t ld);
int64_t tsl_packed_length(int64_t n); /* n (n+1) / 2; 0 for a negative n, INT64_MAX where it is too much */

/* stage.c: operands that live elsewhere are copied to the computing device, and written ones back. */
typedef struct tsl_staging {
    tsl_matrix copy[TSL_MAX_OPERANDS];
    tsl_view original[TSL_MAX_OPERANDS];
    bool staged[TSL_MAX_OPERANDS];
    bool waits; /* an operand is in the caller's host memory: the call returns when the work is done */
} tsl_staging;

bool tsl_is_staged(const tsl_context *x, const tsl_view *v);
tsl_status tsl_stage_in(tsl_context *x, tsl_call *c, tsl_staging *s);
tsl_status tsl_stage_out(tsl_context *x, const tsl_call *c, tsl_staging *s);

/* variant.c: the blocked text for the call, or NULL; before_leaf: even where there is a leaf, because the caller asked for it by
 * name or by a smaller tile, or because it is better */
typedef tsl_status (*tsl_algo)(tsl_context *x, const tsl_call *c);
tsl_algo tsl_choose(const tsl_context *x, const tsl_call *c, bool *before_leaf);

/* variant.c: has the operation, or a part of a composite, the variant that is set, among those the machine takes (NULL: all)? One
 * without any has nothing to choose. The second refuses the call if not; where: what the line ends with. */
typedef bool (*tsl_takes)(tsl_opcode op, tsl_algo text);
bool tsl_takes_variant(const tsl_context *x, tsl_opcode op, tsl_takes takes);
TSL_PRIVATE tsl_status tsl_check_variant(tsl_context *x, const tsl_call *c, tsl_takes takes, const char *where);

/* dispatch.c: a leaf on the present lane; nothing, in a dry run */
tsl_status tsl_launch(tsl_context *x, tsl_kernel fn, const tsl_leaf *l);

/* dispatch.c: is there nothing to compute? */
TSL_PRIVATE bool tsl_is_trivial(const tsl_call *c);

/* dispatch.c: a blocked text, and its workspace taken back */
tsl_status tsl_run_text(tsl_context *x, const tsl_call *c, tsl_algo text);

/* dispatch.c, for the runtime: runs a call on operands in its memory; or takes the workspace that will need, on each lane */
tsl_status tsl_compute(tsl_context *x, const tsl_call *c);
tsl_status tsl_reserve(tsl_context *x, const tsl_call *c);
/* dispatch.c: what that is, by a dry run; nothing is taken */
tsl_status tsl_workspace_of(tsl_context *x, const tsl_call *c, size_t bytes[TSL_LANES]);

/* room.c: bytes of a device's memory a call may have, once what earlier ones keep there is given back */
size_t tsl_room(tsl_context *x, const tsl_device *dev, bool by_tiles);
/* room.c: what a call in one piece needs on the first device, copies of its operands on the main lane; is that there? */
tsl_status tsl_need_of_one(tsl_context *x, const tsl_call *c, size_t need[TSL_LANES]);
bool tsl_fits_one(tsl_context *x, const tsl_call *c);
/* room.c: takes it where memory may be short, before anything is overwritten; and when that has failed, says what was missing */
tsl_status tsl_make_room_for_one(tsl_context *x, const tsl_call *c);
tsl_status tsl_tell_one(tsl_context *x, const tsl_call *c);

/* plan.c: how the caller's call on flat matrices is computed, and by tiles of which size */
typedef enum tsl_path { TSL_BY_ONE, TSL_BY_TILES } tsl_path;
typedef struct tsl_decision {
    tsl_path path;
    const char *why;
} tsl_decision;
bool tsl_goes_in_order(tsl_context *x, const tsl_call *c); /* its tasks, by tiles */
tsl_decision tsl_decide(tsl_context *x, const tsl_call *c);
typedef struct tsl_tile_plan {
    int64_t nb;
    const char *why;
    int64_t slots;     /* tiles a device has room for; 0: they have for all */
    int device;        /* where memory is tightest: */
    size_t need, room; /* what one task needs there, and what there is; 0: plenty, nobody counted */
    bool tight;        /* what earlier calls keep on the first device is to be given back */
} tsl_tile_plan;
/* With the runtime open; given: the size of an operand's tiles, or 0. TSL_ERR_DEVICE_MEMORY: one task is too much, and told. */
tsl_status tsl_plan_tiles(tsl_context *x, const tsl_call *c, int64_t given, tsl_tile_plan *p);
tsl_status tsl_tell_tiles(tsl_context *x, const tsl_call *c, tsl_tile_plan *p);

/* diagonal.c: where diagonal blocks of a Cholesky factorization by tiles of order nb are factored */
typedef struct tsl_diagonal {
    bool on_cores;
    double device, core; /* seconds, the way to the core and back included; 0: the tables do not know */
    const char *why;
} tsl_diagonal;
tsl_diagonal tsl_diagonal_on(const tsl_context *x, tsl_type type, int64_t nb);

/* variant.c: a variant's text, by its number */
tsl_algo tsl_text_of(int variant);

/* lane.c */
tsl_lane *tsl_current(tsl_context *x);

#endif
