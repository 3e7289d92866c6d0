/* How an operation on views is executed: checks, staging, canonical form, and the choice between a leaf and a blocked
 * algorithm. */
#ifndef TSL_EXEC_H
#define TSL_EXEC_H

#include "core/area.h"
#include "context/context.h"
#include "exec/algorithm.h"
#include "runtime/runtime.h"
#include "tune/tune.h"

/* dispatch.c: every public operation on views comes through tsl_execute (exec/algorithm.h). info.c: the same for a call the
 * user made with a place for its outcome, or none */
tsl_status tsl_execute_info(tsl_context *x, const tsl_call *c, int64_t *info);

enum { TSL_MAX_PARTS = 2 };
/* Larger problems of a batch of spectra or least squares fill a device one by one. */
enum { TSL_MANY_MOST = 512 };

/* What the dispatcher must know of an operation; each is defined beside the public function it belongs to, and registered by
 * ops/rules.c. */
typedef struct tsl_rules {
    /* shapes and triangles, given operands that lie in matrices of this context and have one type; touches nothing */
    tsl_status (*check)(tsl_context *x, const tsl_call *c);
    /* what operands hold that addresses others: pivots. Looked at only where that needs no waiting; leaves look again. NULL:
     * they hold none */
    tsl_status (*indices)(tsl_context *x, const tsl_call *c);
    /* Does a product vanish? Then *less is the same call without it, so that factors which do not matter are never read. NULL:
     * none does. */
    bool (*simplify)(const tsl_call *c, tsl_call *less);
    /* what tsl_canonical leaves to do, where views simplify or a leaf's sizes are not the result's; NULL: nothing */
    tsl_status (*canon)(tsl_context *x, const tsl_call *c, tsl_leaf *l);
    /* Is there such a form of it, and so a leaf? NULL: always */
    bool (*has_leaf)(const tsl_call *c);
    /* and one of problems of batches, though not of it alone? NULL: no */
    bool (*has_leaf_of_batches)(const tsl_call *c);
    /* is a batch that no leaf takes cut by the algorithm for batches, if there is one? NULL: always */
    bool (*cuts_batch)(const tsl_call *c);
    bool batch_on_cores; /* problems of a batch take turns on a device, with steps of the host's: small ones are the cores' */
    bool leaf_for_small; /* that is for small typed calls and for problems of batches alone */
    /* what tsl_on_views leaves to do; NULL: nothing */
    void (*on_views)(const tsl_leaf *l, tsl_call *c);
    /* order of the triangle the operation works through, what a kernel's limit speaks of; NULL: it has none */
    int64_t (*order)(const tsl_call *c);
    /* number of right-hand sides the triangle meets, or of columns that are factored; NULL: that is not the operation's
     * shape */
    int64_t (*width)(const tsl_call *c);
    /* its additions and multiplications, where the formula of ops.def does not say them; NULL: it does */
    double (*flops)(const tsl_call *c);
    bool takes_unit; /* the triangle it writes may have a unit diagonal, which it leaves alone */
    /* May an element have the same place in two operands, because it goes element by element? NULL: no */
    bool (*in_place)(const tsl_call *c);
    /* Of a composite on tall tiles: the calls whose tasks are its own, at most TSL_MAX_PARTS, and how many they are. mat: room
     * for two matrices that the caller does not have; they have no elements. NULL: all tasks are looked at */
    int (*parts)(const tsl_context *x, const tsl_call *c, tsl_matrix *mat, tsl_call part[]);
    /* Do its scalars say that it changes nothing? NULL: never */
    bool (*idle)(const tsl_call *c);
    bool complex_scalars;     /* alpha and beta may be complex where operands are real: they hold two numbers each */
    const char *called, *beta; /* what messages call the operation and its second scalar; NULL: its name, and beta */
} tsl_rules;

/* variant.c: the rules by opcode */
extern const tsl_rules *tsl_rule[TSL_OP_COUNT];

/* arrays.c: the call in the kernel's canonical form, of which op and type are set already, and where its info and its result
 * go */
tsl_status tsl_canonical(tsl_context *x, const tsl_call *c, tsl_leaf *l);
/* arrays.c: the inverse: a typed call's arrays as views; mat describes them for the length of the call */
tsl_call tsl_on_views(tsl_context *x, const tsl_leaf *l, tsl_matrix mat[TSL_MAX_OPERANDS]);
/* batch_check.c: for a function that reads its views itself: problems that they pick out are described in mat; whole batches
 * are refused */
tsl_status tsl_need_problems(tsl_context *x, tsl_call *c, tsl_matrix mat[TSL_MAX_OPERANDS]);
/* arrays.c: an operand as it is stored; of a vector, which is a view with one row or one column, as many rows as it has
 * elements, its increment the leading dimension, negative if its matrix is reversed */
tsl_array tsl_block_array(const tsl_view *v);
tsl_array tsl_vector_array(const tsl_view *v);
int64_t tsl_length(tsl_view v);

/* The call, or what it comes to where a product vanishes. */
static inline tsl_call tsl_simplified(const tsl_call *c)
{
    tsl_call less;
    const tsl_rules *r = tsl_rule[c->op];
    return r->simplify && r->simplify(c, &less) ? less : *c;
}

/* The arguments of a typed call while they are checked. The first bad one decides st; later checks do nothing. The context's
 * lock is taken only to say what is wrong, or on the long way (small.c). */
typedef struct tsl_args {
    tsl_context *x;
    const char *routine;
    int type; /* its letter comes before the routine's name; -1: that is all of it */
    tsl_status st;
    int argument; /* the bad one, counted from 1 after the context */
    int arrays;   /* those that are used, so far: operands, in their order */
    struct { const void *p; int64_t m, n, ld; int argument; } array[TSL_MAX_OPERANDS];
} tsl_args;

/* check.c: a line that begins with the call's name; one about operand i, with the text of the status; one about shapes that do
 * not fit together, with the sizes of all operands; and one about operand k, which shares elements with operand i: of a typed
 * call, with the numbers of its arguments */
tsl_status tsl_refuse(tsl_context *x, const tsl_call *c, tsl_status st, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
tsl_status tsl_misfit(tsl_context *x, const tsl_call *c, const char *what);
tsl_status tsl_bad(tsl_context *x, const tsl_call *c, int i, tsl_status st);
tsl_status tsl_shared(tsl_context *x, const tsl_call *c, int k, int i);
tsl_status tsl_check_operands(tsl_context *x, const tsl_call *c);
/* check.c: operand i is A, all of which is written, so it is no triangle to the call, which has the triangle that is meant; one
 * that is none is refused */
void tsl_put_triangle(tsl_context *x, tsl_call *c, int i, tsl_view A);
/* check.c: checks of one operand */
tsl_status tsl_need_general(tsl_context *x, const tsl_call *c, int i);
tsl_status tsl_need_triangle(tsl_context *x, const tsl_call *c, int i); /* square, and a triangle */
tsl_status tsl_need_diagonal(tsl_context *x, const tsl_call *c, int i); /* not a unit one */

/* overlap.c: refuses a call that writes what it should not, because another operand shares it; locate says where operand i
 * lies, seen from operand k */
typedef tsl_area (*tsl_locate)(const tsl_call *c, int i, int k);
tsl_status tsl_check_apart(tsl_context *x, const tsl_call *c, tsl_locate locate);
tsl_area tsl_area_of(const tsl_view *v);         /* of a flat or tiled matrix */
tsl_area tsl_locate_here(const tsl_call *c, int i, int k);   /* of those: it does not matter from where */
tsl_locate tsl_locate_for(const tsl_context *x, const tsl_call *c); /* or, of distributed ones, as their grid does */
bool tsl_by_elements(const tsl_call *c);  /* overlap.c: a rule, in_place: unless a vector has an increment of zero */
bool tsl_stands_still(const tsl_call *c); /* overlap.c: has a vector an increment of zero, so that one element has many places? */

/* stage.c: operands that live elsewhere are copied to the computing device, and written ones back. */
typedef struct tsl_staging {
    tsl_matrix copy[TSL_MAX_OPERANDS];
    tsl_view original[TSL_MAX_OPERANDS];
    bool staged[TSL_MAX_OPERANDS];
} tsl_staging;

bool tsl_is_staged(const tsl_context *x, const tsl_view *v);
tsl_status tsl_stage_in(tsl_context *x, tsl_call *c, tsl_staging *s);
tsl_status tsl_stage_out(tsl_context *x, const tsl_call *c, tsl_staging *s);

/* carry.c: the queue that can copy between the memory of x's device and that of another, or the caller's (NULL): x's main lane,
 * or where that is the host's a queue of the other. Such a copy goes beside x's lanes: before one out tsl_computed waits for
 * what x computes, after one tsl_carried for it; where the queue is x's own they do nothing. */
typedef struct tsl_move {
    void *to;
    size_t to_pitch;
    const void *from;
    size_t from_pitch, rows, cols; /* bytes, and columns */
} tsl_move;
tsl_status tsl_carrier(tsl_context *x, tsl_device *home, tsl_queue **q);
tsl_status tsl_carry(tsl_context *x, tsl_device *home, const tsl_move *m, bool out); /* counts it too */
tsl_status tsl_computed(tsl_context *x, tsl_device *home);
tsl_status tsl_carried(tsl_context *x, tsl_device *home);
/* carry.c: a few bytes of a device's memory, for a caller who waits */
tsl_status tsl_read_from(tsl_context *x, tsl_device *home, void *to, const void *from, size_t bytes);
/* stage.c: the elements of a flat block to those of another of its shape, wherever both are; takes no memory, and waits where
 * one of them is the caller's */
tsl_status tsl_move_block(tsl_context *x, const tsl_view *from, const tsl_view *to);

/* variant.c: the blocked algorithm for the call, or NULL; before_leaf: even where there is a leaf, because the caller asked for
 * it by name or by a smaller tile, or because it is better */
tsl_algo tsl_choose(const tsl_context *x, const tsl_call *c, bool *before_leaf);

/* variant.c: the largest order for which a leaf without a limit is preferred: the block of the tables, unless these or the
 * caller name the leaf */
int64_t tsl_leaf_block(const tsl_context *x, const tsl_call *c);
/* variant.c: the shape of the leaf that computes the call, of kernels that have some; 0: its own choice */
int tsl_leaf_shape(const tsl_context *x, const tsl_call *c);

/* variant.c: has the operation, or a part of a composite, the variant that is set, among those the machine takes (NULL: all)?
 * One without any has nothing to choose. The second refuses the call if not; where: what the line ends with. */
typedef bool (*tsl_takes)(int variant);
bool tsl_takes_variant(const tsl_context *x, tsl_opcode op, tsl_takes takes);
tsl_status tsl_check_variant(tsl_context *x, const tsl_call *c, tsl_takes takes, const char *where);
/* variant.c: refuses a shape that is set and that the operation's kernel, which has others, does not have */
tsl_status tsl_check_shape(tsl_context *x, const tsl_call *c);

/* leaf.c: has the backend a leaf for the call? */
bool tsl_has_leaf(const tsl_context *x, const tsl_call *c);
/* leaf.c: by it; *begun: it had its workspace, and may have changed its operands */
tsl_status tsl_run_leaf(tsl_context *x, const tsl_call *c, bool *begun);
/* leaf.c: a leaf on the present lane; nothing, in a dry run */
tsl_status tsl_launch(tsl_context *x, tsl_kernel fn, const tsl_leaf *l);
void tsl_count_launch(tsl_context *x); /* a leaf has been launched, on its device or on the caller's thread */
/* leaf.c: where the number of the call at work goes: a task's to an operand of it */
void *tsl_number_at(const tsl_context *x);
/* Whether calls of this thread have begun to launch leaves since whoever wants to know has set it to false. If not, a call that
 * failed has touched nothing. */
TSL_PRIVATE bool *tsl_computes(void);

/* leaf.c: how far into the matrix whose columns info counts the view begins */
int64_t tsl_info_base(const tsl_context *x, const tsl_view *v);

/* dispatch.c: for a function that is other calls in a row, before it makes the first: would this one, on no batch, be
 * refused? Nothing is changed. Of distributed matrices all processes ask, and c->refused is told to them.
 * contents: pivots that it reads are there already */
tsl_status tsl_check_call(tsl_context *x, const tsl_call *c, bool contents);

/* leaf.c: has it an operand that is tiled? */
bool tsl_is_tiled(const tsl_call *c);

/* leaf.c: is there nothing to compute? */
bool tsl_is_trivial(const tsl_call *c);

/* run.c: a blocked algorithm, and its workspace taken back */
tsl_status tsl_run_algorithm(tsl_context *x, const tsl_call *c, tsl_algo algorithm);
/* run.c: a checked call on flat operands of the device, by a leaf or an algorithm */
tsl_status tsl_run_flat(tsl_context *x, const tsl_call *c);
bool tsl_takes_pivots(const tsl_call *c); /* that it did not make itself */

/* leaf.c: before anything but a leaf that tells writes outcomes, or reads them: they are set to 0, if that has not been done */
tsl_status tsl_info_clear(tsl_context *x, const tsl_call *c);
bool tsl_tells(const tsl_context *x, tsl_opcode op); /* have its leaves that trait here? */
/* run.c: a call that begins on this context, at level 1 on the main lane, until tsl_run_end */
void tsl_call_begin(tsl_context *x, const tsl_call *c, tsl_one_run *run);
/* run.c, for the runtime: runs a call on operands in its memory; or takes the workspace that will need, on each lane */
tsl_status tsl_compute(tsl_context *x, const tsl_call *c);
tsl_status tsl_reserve(tsl_context *x, const tsl_call *c);
/* run.c: calls between these only count what they take on each lane. */
void tsl_dry_begin(tsl_context *x, tsl_one_run *run);
void tsl_dry_end(tsl_context *x, size_t bytes[TSL_LANES]);
/* run.c: what that is, by a dry run; nothing is taken */
tsl_status tsl_workspace_of(tsl_context *x, const tsl_call *c, size_t bytes[TSL_LANES]);

/* room.c: bytes of a device's memory a call may have, once what earlier ones keep there is given back */
size_t tsl_room(tsl_context *x, const tsl_device *dev, bool by_tiles);
/* room.c: waits, and gives back all memory kept for later calls */
void tsl_trim(tsl_context *x);
/* room.c: what a call in one piece needs on the first device, copies of its operands on the main lane; is that there? */
tsl_status tsl_need_of_one(tsl_context *x, const tsl_call *c, size_t need[TSL_LANES]);
bool tsl_fits_one(tsl_context *x, const tsl_call *c);
/* temp.c: is it one of the algorithms at work? Not one in tiles */
bool tsl_is_temp(const tsl_context *x, const tsl_matrix *a);
/* temp.c: an operand of a dry run: nobody looks at its elements. Aligned as memory of the device is. */
tsl_matrix tsl_nowhere(tsl_context *x, tsl_type type, int64_t m, int64_t n);
/* number.c: the host's memory that a dry run has found steps on its cores to need; TSL_ERR_MEMORY: there is none */
tsl_status tsl_reserve_host(tsl_context *x);
tsl_status tsl_reserve_numbers(tsl_context *x); /* the same for numbers that algorithms look at */
/* number.c: elements become the widest ones in their place, from the last one on, and what they were, from the first one on */
void tsl_widen(tsl_type t, int64_t count, tsl_scalar *a);
void tsl_narrow(tsl_type t, int64_t count, tsl_scalar *a);
/* variant.c: may steps of the call be the host's, as far as its name or the tables say? */
bool tsl_has_host_steps(const tsl_context *x, const tsl_call *c);
/* room.c: takes it where memory may be short, before anything is overwritten; and when that has failed, says what was
 * missing */
tsl_status tsl_make_room_for_one(tsl_context *x, const tsl_call *c);
tsl_status tsl_tell_one(tsl_context *x, const tsl_call *c);
/* room.c: the same for calls in a row, before the first; and all of them have been made. before: what the caller does before
 * each */
typedef void (*tsl_before_part)(tsl_context *x, const void *with, tsl_opcode op);
tsl_status tsl_hold_room(tsl_context *x, const tsl_call part[], int count, tsl_before_part before, const void *with);
void tsl_give_room(tsl_context *x);

/* variant.c: a variant's algorithm, by its number */
tsl_algo tsl_text_of(int variant);

/* leaf.c: the additions and multiplications of a call on views; 0 of one that has none, or no formula */
double tsl_work_of(const tsl_call *c);

/* lane.c */
tsl_lane *tsl_current(tsl_context *x);

/* How the caller's call on flat matrices is computed */
typedef enum tsl_path { TSL_BY_ONE, TSL_BY_TILES } tsl_path;
typedef struct tsl_decision {
    tsl_path path;
    const char *why;
    bool chosen; /* by the library: it may go by tiles too */
} tsl_decision;

/* What is done by tiles: registered by tiled/table.c */
typedef struct tsl_tiles_table {
    tsl_decision (*decide)(tsl_context *x, const tsl_call *c);
    tsl_takes takes; /* is the call cut by this variant if it is asked for by name? */
    tsl_status (*check_room)(tsl_context *x, const tsl_call *c); /* would the tasks of such a call find memory? */
    tsl_status (*call)(tsl_context *x, const tsl_call *c); /* the caller's own, checked; flat operands are seen as tiles for its length */
    /* a temporary matrix in tiles of mb x nb, until the call's tasks have ended */
    tsl_status (*temp)(tsl_context *x, tsl_view like, tsl_type type, int64_t m, int64_t n, int64_t mb, int64_t nb, tsl_view *v);
    tsl_status (*runtime)(tsl_context *x, tsl_runtime **rt); /* that of the context, with an executor for each device */
    tsl_status (*read)(tsl_context *x, tsl_view column, void *to); /* waits, and copies a column of few elements to the host */
    tsl_status (*write)(tsl_context *x, const void *from, tsl_view column); /* the other way, to a column whose home that is */
    tsl_algo place;                                                         /* in one place */
    tsl_status (*run)(tsl_context *x, const tsl_call *c);  /* one whose operands' tiles agree is cut down to tasks */
    int64_t (*panel_from)(const tsl_context *x, const tsl_call *c, int64_t k, int64_t nb); /* tsl_panel_from, where a panel is nb wide */
} tsl_tiles_table;
extern tsl_tiles_table tsl_by_tiles; /* variant.c */

/* region.c: waits for what was submitted, if anything was; a region stays open and keeps its first error for tsl_wait, which is
 * told here too. keep: in a region copies of tiles of the caller's arrays stay with the devices. */
tsl_status tsl_region_pause(tsl_context *x, bool keep);
/* region.c, info.c: for tsl_wait, which ends a region, and tsl_info, which does not */
tsl_status tsl_region_end(tsl_context *x);
tsl_status tsl_region_info(tsl_context *x, int64_t *info); /* left alone if no call in the region has had an outcome */
/* region.c: before a call in a region. What was submitted on other wraps of the memory it uses is waited for, and tiles are
 * read again. */
tsl_status tsl_region_meet(tsl_context *x, const tsl_call *c);

/* info.c: a word for the outcome of the call that is being cut into tasks, and what becomes of it: the call failed, and has
 * none; or the account ends, with an error or not, and its outcome goes to where tsl_info looks for it. Nothing runs then. */
tsl_status tsl_outcome_take(tsl_context *x);
void tsl_outcome_drop(tsl_context *x);
tsl_status tsl_outcomes_end(tsl_context *x, tsl_status st);

#endif
