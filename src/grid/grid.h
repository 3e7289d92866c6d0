/* Matrices distributed over a grid of processes: layouts, transfers between them, and operations on them.
 *
 * Every operation is owner-computes on its output: the panels of the inputs that an output's local part needs are copied into
 * temporary objects whose layout goes with it, then the ordinary library works on local views. Of a block of a block-cyclic
 * matrix the part one process has is a block of its local array, so local views are views. */
#ifndef TSL_GRID_H
#define TSL_GRID_H

#include "algo/level3/trxm.h"
#include "grid/comm/comm.h"
#include "tesela_grid.h"
#include "tune/width.h"

/* Workspace of a call: stacks in host memory, in the device's, and in what both see. Slot 0 is for what nests; others hold by
 * turns what is in flight: panels of a text that looks ahead, and of a product; right factors of products that wait; rows.
 * Before a call communicates it is rehearsed: the same code runs with nothing but these stacks, which then are obtained at
 * their peaks. So no process runs out of memory in the middle of what others take part in. */
typedef struct tsl_stack {
    char *base;
    size_t top, peak;
} tsl_stack;

enum { TSL_TURNS = 3, TSL_SPREADS = 3, TSL_EXCHANGES = 4 };
enum { TSL_SLOT_AHEAD = 1, TSL_SLOT_PRODUCT = TSL_SLOT_AHEAD + TSL_TURNS, TSL_SLOT_SPREAD = TSL_SLOT_PRODUCT + 2,
       TSL_SLOT_EXCHANGE = TSL_SLOT_SPREAD + TSL_SPREADS, TSL_SLOTS = TSL_SLOT_EXCHANGE + TSL_EXCHANGES };
enum { TSL_PLACE_HOST, TSL_PLACE_DEVICE, TSL_PLACE_SHARED, TSL_PLACES, TSL_WORK_UNIT = 256 };

typedef struct tsl_dmatrix {
    tsl_matrix head;
    tsl_layout layout;
    tsl_matrix local;
    size_t host_bytes; /* of local, ours in host memory */
    int64_t number;    /* among those of its grid; 0: not agreed on when it was made */
} tsl_dmatrix;

/* Exchanges of rows composed: row from[i] comes to place to[i]; rows of the local array that leave (0) and that come
 * (1), by process, those of process q from number at[q] on. They are of rows so distributed, counted so. */
typedef struct tsl_moves {
    int64_t *from, *to, *row[2], *at[2];
    tsl_axis axis;
    int64_t first, above;
    bool made;
} tsl_moves;

/* ahead.c: a panel on its way to where the rows or columns of a block are; or what goes with one */
typedef struct tsl_way {
    tsl_view from, to;
    tsl_view home;         /* it was computed elsewhere, and takes its own part from what arrives; or no matrix */
    tsl_view of;           /* that block; or no matrix */
    int64_t reflectors;    /* so many columns of it: the triangle above them is written out when they have arrived; 0: none */
    tsl_dmatrix D;         /* of `to`, if that is no other's; stored as the block `from` is */
    tsl_dmatrix F;         /* of `from`, if that has to be kept */
    tsl_moves moves;       /* of pivots: as the first exchange by them has found */
    struct tsl_way *after; /* brings `from`; NULL: that is there */
    tsl_transfer t;
    bool begun, arrived;
    int slot;
} tsl_way;

enum { TSL_WAYS = 4, TSL_LATER = 40 };

/* beside.c: a product whose left factor is in place, and whose right one has set out */
typedef struct tsl_spread {
    tsl_call c;
    tsl_dmatrix D; /* the right one's, where it goes */
    tsl_transfer way;
} tsl_spread;

typedef struct tsl_ahead {
    bool on;    /* the present text has had a meeting */
    bool taken; /* a text around it has, and holds the slots: the present one does all in turn */
    int turn, before; /* the present slot, and the one before */
    tsl_way way[TSL_TURNS][TSL_WAYS];
    int ways[TSL_TURNS];
    tsl_call later[TSL_LATER]; /* on the main lane since the last meeting */
    int laters;
    tsl_spread spread[TSL_SPREADS]; /* from number `computed` to `spreads`, in turn */
    unsigned spreads, computed;
    tsl_dmatrix D[TSL_TURNS];  /* panels brought together to be solved */
    bool together[TSL_TURNS];  /* in use */
    tsl_view there, home;      /* the latest was left in one of them; home has no matrix: none is */
} tsl_ahead;

typedef void (*tsl_job)(tsl_context *x, const void *arg); /* of a collective call */

/* told.c: which steps of texts are run, and for how many the present one counts.
 *   Of a text that looks ahead: `steps` from the first on, 0: all. Those before the first leave out `jump` columns in one. Each
 *   counts for `counts`, but not the first `lead`, in which what is hidden in later ones is not yet.
 *   Of a loop of like steps: one at each of so many places, 0: all, and the one before it, which does not count. */
enum { TSL_LOOPS = 4 };
typedef struct tsl_sample {
    int first, steps, lead, step; /* the present one */
    int64_t jump;
    double counts;
    int places, loops;
    double weight[TSL_LOOPS]; /* of the step around all loops, and of those of each */
    int part;                 /* of a composite: the operation; TSL_OP_COUNT: none */
    int64_t alike;            /* work that is told now stands for so much of it */
} tsl_sample;

struct tsl_grid {
    tsl_handle handle;
    int matrices; /* that lie on it and have not been released */
    bool ended;   /* freed before them: nothing can be sent any more, and the last of them takes the rest of it along */
    tsl_wire *wire;
    int64_t sent, bytes_sent; /* messages by the wire, and their bytes */
    int size[2], at[2];
    int *place_of, *rank_at; /* places, row * cols + col, by rank and the other way round; NULL: rank by rank along the rows */
    tsl_post *passing;      /* broadcasts that are to be sent on, once they have come in (post.c) */
    unsigned broadcasts[4]; /* so many were begun, by tsl_over: the same on all processes of a line */
    tsl_channels channels;
    const tsl_remote_ops *ops; /* of its matrices, and an operation within a collective call (execute.c): what is below reaches them here */
    tsl_job perform;
    /* beside.c, which ahead.c reaches here: calls that have waited for a meeting are done; and what of them still waits, up to
     * what a call needs, or NULL */
    void (*catch_up)(tsl_context *x, tsl_grid *g, const tsl_call *call, int count);
    void (*finish)(tsl_context *x, tsl_grid *g, const tsl_call *c);

    bool traced; /* the row of its messages has a name */
    bool broken;                           /* given up, here or by another process (listen.c): a call failed, */
    int news;                              /* or a deadline has passed: the status, which the others are told */
    char why[TSL_DETAIL];                  /* of a deadline: what there is to say of it */
    bool lingers;                          /* when it is broken, messages may still be written to what was theirs */
    int64_t tall;      /* panels of so many rows stay where they are; below 0: as the device's numbers say */
    int64_t parts;     /* of an update, at most, of a block or more for each process; below 0: as these say */
    int64_t chunks;    /* of a chase, that accelerators step through in the time of one; 0: of no account (chase_tiles.c) */
    double patience;                       /* seconds a wait for others may last, of the present call; 0: for ever */
    int64_t said[TSL_SAID], heard[TSL_SAID]; /* by the reduction that agrees */
    int64_t numbers;                       /* of matrices made so far, the same on all processes */

    bool rehearsing;
    bool touched;      /* the present or last call got as far as its work: operands may have changed */
    tsl_status failed; /* here, in the present call: local work stops, communication goes on with whatever there is */
    tsl_stack stack[TSL_PLACES][TSL_SLOTS];
    int slot;
    unsigned crossing;      /* a bit for each slot from whose host memory copies to the device may be under way */
    const tsl_matrix *origin; /* of the caller's factorization */
    int64_t origin_at, info;
    tsl_opcode text;          /* whose text is at work; TSL_OP_COUNT: none */
    tsl_dmatrix temp[TSL_MAX_TEMPS]; /* of the texts at work, as a stack */
    int temps;
    tsl_ahead ahead;
    tsl_sample sample; /* where work is told */
};

static inline tsl_dmatrix *tsl_dist(tsl_view v) { return (tsl_dmatrix *)v.mat; }
static inline tsl_grid *tsl_grid_of(tsl_view v) { return tsl_dist(v)->layout.grid; }
/* A view of a distributed matrix whose context and grid are there? */
static inline bool tsl_is_dist(tsl_view v) { return v.mat && v.mat->remote && tsl_grid_of(v) && !tsl_grid_of(v)->ended; }

/* grid.c: of processes that are joined; and agreed on by all, with what each has found (grid: as for tsl_grid_create) */
tsl_grid *tsl_grid_make(tsl_wire *w, int rows, int cols);
TSL_PRIVATE tsl_status tsl_grid_over(tsl_wire *w, tsl_status st, int rows, int cols, tsl_grid **grid);
TSL_PRIVATE size_t tsl_wire_most(size_t most); /* bytes of one message: what TESELA_MESSAGE says, or that */

/* nodes.c */
TSL_PRIVATE bool tsl_grid_machines(tsl_grid *g, int64_t *machine); /* of each process the one it is on; waits for the others */
void tsl_grid_by_machines(tsl_grid *g); /* shape and order, if it is on several that have as many processes each */
void tsl_grid_gone(tsl_grid *g); /* it has been freed, and so has the last matrix on it */
int tsl_rank_at(const tsl_grid *g, int row, int col);
void tsl_place_of(const tsl_grid *g, int rank, int at[2]);

/* axis.c: p processes, of which the i-th has... */
int tsl_axis_size(const tsl_grid *g, tsl_over over);                    /* p */
int tsl_axis_index(const tsl_grid *g, tsl_over over, const int at[2]);  /* i of the process at a place of the grid */
int tsl_axis_owner(const tsl_grid *g, tsl_axis a, int64_t index);
int64_t tsl_axis_before(const tsl_grid *g, tsl_axis a, int i, int64_t index); /* how many of the first `index` */
int64_t tsl_axis_next(const tsl_grid *g, tsl_axis a, int i, int64_t index);   /* its first at or after; INT64_MAX: none */
int64_t tsl_axis_run(const tsl_grid *g, tsl_axis a, int64_t index);           /* how many in a row from there one process has */
tsl_cyclic tsl_axis_cyclic(const tsl_grid *g, tsl_axis a);                    /* those that this process has */
bool tsl_axis_same(const tsl_grid *g, tsl_axis a, tsl_axis b); /* the same process for every index */
bool tsl_axis_single(const tsl_grid *g, tsl_axis a, int64_t n); /* all of the first n on one process */
tsl_axis tsl_axis_shift(tsl_axis a, int64_t by);

/* The axis of a view as seen, d = 0 rows, 1 columns. */
tsl_axis tsl_seen_axis(tsl_view v, int d);

/* layout.c */
bool tsl_layout_uses(const tsl_layout *l, int d);                /* is either axis distributed along direction d of the grid? */
int tsl_layout_fixed(const tsl_layout *l, int d);                /* TSL_EVERY, or the place that has it */
bool tsl_layout_has(const tsl_layout *l, const int at[2]);       /* does the process there have any of it? */
tsl_layout tsl_copies_layout(tsl_view A);       /* not distributed: a copy wherever A has a part */
tsl_layout tsl_panel_layout(tsl_view A, int d); /* axis d of A as seen, the other not distributed; copies where A is distributed */
tsl_layout tsl_owner_layout(tsl_view A, int d); /* not distributed: where the first index of axis d is, copies as above */

/* execute.c: what every grid has as its ops */
extern const tsl_remote_ops tsl_dist_ops;

/* matrix.c */
tsl_status tsl_layout_check(tsl_context *x, const tsl_layout *l);
void tsl_dist_release(tsl_matrix *A);
/* The caller's arrays as a matrix that is agreed on only with the call that uses it. */
tsl_status tsl_wrap_alone(tsl_context *x, const tsl_layout *l, tsl_type type, int64_t m, int64_t n, void *local, int64_t ld,
                          tsl_matrix **A);
/* Of a call: that of an operand, or of the context's latest distributed matrix if no operand has any; NULL: there is none. */
tsl_grid *tsl_grid_meant(const tsl_context *x, const tsl_view *v, int count);
void tsl_dist_describe(tsl_dmatrix *D, tsl_context *x, const tsl_layout *l, tsl_type type, int64_t m, int64_t n);

/* local.c: where operand i lies, seen from operand k: by its place in the matrix both are parts of, else by what of it is
 * here */
tsl_area tsl_dist_locate(const tsl_call *c, int i, int k);

/* work.c */
void *tsl_work_get(tsl_grid *g, bool device, size_t bytes);
void *tsl_work_shared(tsl_grid *g, size_t bytes); /* of the host's; kernels see it while they run */
typedef struct tsl_work_mark { size_t top[TSL_PLACES]; } tsl_work_mark;
tsl_work_mark tsl_work_now(const tsl_grid *g); /* of the present slot */
void tsl_work_back(tsl_grid *g, tsl_work_mark m);
void tsl_work_slot(tsl_grid *g, int slot);
/* The same, and what it held is done with; waits where its host memory is still copied to the device. */
void tsl_work_fresh(tsl_context *x, tsl_grid *g, int slot);
tsl_view tsl_work_matrix(tsl_context *x, tsl_dmatrix *D, const tsl_layout *l, tsl_type type, int64_t m, int64_t n);
/* m x n, laid out so, as seen; stored as A is, and seen through the same op: copies between them transpose nothing */
tsl_view tsl_work_like(tsl_context *x, tsl_dmatrix *D, tsl_layout l, tsl_view A, int64_t m, int64_t n);
/* A dense matrix of this process's, described by *A, in its device's memory */
tsl_view tsl_work_dense(tsl_context *x, tsl_grid *g, tsl_matrix *A, tsl_type type, int64_t m, int64_t n);
/* Waits for what the queues here have to do; a region of the caller's (tsl_begin) stays open, as it does over any other
 * call. */
tsl_status tsl_work_wait(tsl_context *x, tsl_grid *g);
/* Runs a collective job: rehearsed, its workspace obtained, agreed on, run, agreed on again. `st` is what the checks here
 * said. */
tsl_status tsl_collective(tsl_context *x, tsl_grid *g, tsl_status st, const tsl_terms *terms, tsl_job job, const void *arg);
TSL_PRIVATE extern int tsl_collectives; /* atomic: those at work in this process */
/* Does nothing but messages happen, and is work told? Then nothing that is computed is known, and pivots are drawn. */
static inline bool tsl_is_told(const tsl_grid *g) { return g->wire->ops->work; }
static inline bool tsl_is_left_out(const tsl_grid *g)
{
    const tsl_sample *s = &g->sample;
    return s->steps && (s->step < s->first || s->step > s->first + s->steps);
}
/* told.c: where it is told, work; that a step of a text that looks ahead begins, or a part of a composite */
void tsl_tell_call(tsl_grid *g, const tsl_call *c);
void tsl_tell_move(tsl_grid *g, double bytes, int launches);
void tsl_tell_cross(tsl_grid *g, double bytes);
void tsl_tell_sums(tsl_grid *g, int64_t sums, int64_t terms);
void tsl_tell_chase(tsl_grid *g, tsl_type type, int64_t columns, int64_t kd);
void tsl_tell_step(tsl_grid *g);
void tsl_tell_part(tsl_grid *g, int op); /* of a composite; TSL_OP_COUNT: none */
/* tsl_next_step (exec/algorithm.h) */
int64_t tsl_dist_next_step(tsl_grid *g, int64_t i, int64_t count);
TSL_PRIVATE double tsl_sample_place(int count, int i, double *weight);
/* An ordinary operation on local views, inside a collective call. */
void tsl_locally(tsl_context *x, tsl_grid *g, const tsl_call *c);
/* A leaf, launched as it is on what is here, that no call on views stands for */
void tsl_leaf_here(tsl_context *x, tsl_grid *g, const tsl_leaf *l);
/* The host's, whatever the device is, on what is here in the host's memory */
void tsl_leaf_on_host(tsl_context *x, tsl_grid *g, const tsl_leaf *l);
/* The same of a leaf on data that is on the device: on the lane beside the main one, where messages on channels go. */
void tsl_aside(tsl_context *x, tsl_grid *g, const tsl_call *c);
/* grid.c: do the rows of a panel of LU or QR, so many in all, stay where they are while it is factored? single: they are on one
 * process, so they do only if that was asked for */
bool tsl_panel_stays(const tsl_context *x, const tsl_grid *g, int64_t rows, bool single);

static inline bool tsl_on_device(const tsl_matrix *a) { return a->home && !a->home->shares_host; }
/* Element (i,j) of a view of what is here */
static inline void *tsl_here(tsl_view v, int64_t i, int64_t j)
{
    return tsl_at(&(tsl_view){.mat = v.mat, .i = v.i + i, .j = v.j + j});
}

/* ahead.c. Every operation's operands that are on their way arrive before it (ready); before one that sends, panels that are
 * still to set out do so, and one that was left elsewhere goes home (depart). */
void tsl_ahead_ready(tsl_context *x, tsl_grid *g, const tsl_call *c);
void tsl_ahead_depart(tsl_context *x, tsl_grid *g);
void tsl_ahead_poll(tsl_context *x, tsl_grid *g); /* helps panels along */
/* beside.c: calls that have waited for a meeting, in their order, but what they send sets out beside the products before */
void tsl_beside_do(tsl_context *x, tsl_grid *g, const tsl_call *call, int count);
/* Products that wait are computed, up to those that the call needs; NULL: all */
void tsl_beside_finish(tsl_context *x, tsl_grid *g, const tsl_call *c);
int64_t tsl_dist_beside(const tsl_context *x, tsl_view A); /* tsl_beside */
bool tsl_overlap(tsl_view a, tsl_view b); /* do they have elements in common? */
/* Is it a call for later, on the main lane of a text that looks ahead? */
bool tsl_ahead_later(tsl_context *x, tsl_grid *g, const tsl_call *c);
/* Around a text */
typedef struct tsl_ahead_state { bool on, taken; } tsl_ahead_state;
tsl_ahead_state tsl_ahead_enter(tsl_grid *g);
void tsl_ahead_leave(tsl_context *x, tsl_grid *g, tsl_ahead_state outer);
/* What the present operation has made sets out, as a panel does, for `to`: it stays as it is until the second meeting after
 * that, or is in the memory of this slot. Without look-ahead it arrives at once. Reflectors: so many, which are written out. */
int tsl_ahead_slot(const tsl_grid *g);
void tsl_ahead_send(tsl_context *x, tsl_view from, tsl_view to, int64_t reflectors);
/* Pivots, the same way, to every process; the block p takes its own from there. */
void tsl_ahead_send_pivots(tsl_context *x, tsl_view from, tsl_view p);
/* Those of the block p, if they were sent so; NULL: they were not. */
tsl_way *tsl_ahead_pivots(tsl_context *x, tsl_view p);
tsl_moves tsl_moves_room(tsl_grid *g, int64_t count); /* for so many exchanges */
/* trxm.c's, with its result left where it was computed for tsl_dist_bring to send out from */
void tsl_ahead_trxm(tsl_context *x, const tsl_call *c);
/* Does every process have of the panel A the rows (d = 0) or columns (1) that it has of C, and all of the other dimension? */
bool tsl_lies_with(tsl_view A, tsl_view C, int d);
/* The same, or a panel has been brought of which that is so: then A becomes that. */
bool tsl_brought(tsl_context *x, tsl_view *A, tsl_view C, int d);
tsl_view tsl_dist_bring(tsl_context *x, tsl_view A, tsl_view C, int d); /* tsl_for_rows, tsl_for_cols */
void tsl_dist_meet(tsl_context *x, const tsl_call *c);

/* precision.c: every element by a rule of its place; number.c: what a text looks at comes to every process, and all find the same */
void tsl_dist_fill(tsl_context *x, tsl_view A, tsl_number number, double unit);
void tsl_dist_read(tsl_context *x, tsl_view column, void *to);
void tsl_dist_visit(tsl_context *x, tsl_view A, tsl_visitor visit, void *with);
tsl_status tsl_dist_fetch(tsl_context *x, tsl_status given, tsl_view A, void *data, int64_t ld); /* gather.c */
bool tsl_counts(const tsl_layout *l); /* is this the process whose copy counts, where there are several? */
void tsl_leave_result(tsl_context *x, tsl_grid *g, const void *value, size_t bytes); /* where the operation's leaf would leave it */
void tsl_perform(tsl_context *x, const void *call);      /* execute.c: an operation within a collective call */
/* execute.c: of all processes the first column that failed, where texts and tsl_info look for it */
void tsl_share_info(tsl_context *x, tsl_grid *g);

#endif
