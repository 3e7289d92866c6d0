/* Matrices distributed over a grid of processes: layouts, transfers between them, and operations on them.
 *
 * Every operation is owner-computes on its output: the panels of the inputs that an output's local part needs are copied into
 * temporary objects whose layout goes with it, then the ordinary library works on local views. Of a block of a block-cyclic
 * matrix the part one process has is a block of its local array, so local views are views. */
#ifndef TSL_GRID_H
#define TSL_GRID_H

#include "algo/level3/trxm.h"
#include "api/enter.h"
#include "ops/ops.h"
#include "grid/comm/wire.h"
#include "tesela_grid.h"
#include "tune/width.h"

/* Workspace of a call: stacks in host and device memory. Slot 0 is for what nests; of the others two each hold panels in flight
 * by turns: of a text that looks ahead, and of a product. Before a call communicates it is rehearsed: the same code runs with
 * nothing but these stacks, which then are obtained at their peaks. So no process runs out of memory in the middle of what
 * others take part in. */
typedef struct tsl_stack {
    char *base;
    size_t top, peak;
} tsl_stack;

enum { TSL_SLOT_AHEAD = 1, TSL_SLOT_PRODUCT = 3, TSL_SLOTS = 5, TSL_PLACES = 2, TSL_WORK_UNIT = 256 };

/* Messages from device to device by the devices' own fabric, NCCL (channel.c). */
typedef struct tsl_channels {
    enum { TSL_CHANNELS_UNTRIED, TSL_CHANNELS_OPEN, TSL_CHANNELS_NONE } state; /* the same on all processes */
    const tsl_fabric *fabric;
    int ordinal;             /* of the device here */
    tsl_channel along[4];    /* by tsl_over */
    bool on;                 /* the present call uses them */
    bool wanted, same;       /* it could here; and all processes could in the same transfers */
    int64_t kinds;           /* which transfers those are: a digest, made as the call is rehearsed */
    bool given_up;           /* in the present call, and the others have been told */
    bool heard;              /* of another that has given up; nothing had failed here */
    int told;                /* of so many, as yet */
} tsl_channels;

enum { TSL_TERMS = 23, TSL_SAID = 4 + 2 * (TSL_TERMS + 1) };

typedef struct tsl_dmatrix {
    tsl_matrix head;
    tsl_layout layout;
    tsl_matrix local;
    size_t host_bytes; /* of local, ours in host memory */
    int64_t number;    /* among those of its grid; 0: not agreed on when it was made */
} tsl_dmatrix;

/* transfer.c */
typedef struct tsl_end {
    const tsl_grid *g;
    tsl_layout layout;
    tsl_axis axis[2], base[2]; /* of the block and of the whole matrix, as the destination is stored */
    const tsl_matrix *local;
    bool turned;               /* the local array is the transpose of that */
} tsl_end;

/* A message under way, or this process's part in a broadcast. It stays where it is until it is done or cancelled. */
enum { TSL_FAN = 3 };
typedef struct tsl_post {
    tsl_request in, out[TSL_FAN];
    int to[TSL_FAN], outs, tag;
    void *data;
    size_t bytes;
    bool waits; /* for what is to come in, and to be sent on */
    struct tsl_post *next;
} tsl_post;

typedef struct tsl_message {
    int rank;
    int64_t m, n;
    tsl_matrix mpi, dev; /* what the wire (or the channel) sees, and the same on the device if that is elsewhere */
    bool direct;         /* it sees the destination itself: nothing to unpack */
} tsl_message;

typedef struct tsl_transfer {
    tsl_context *x;
    tsl_grid *g;
    tsl_end from, to;
    tsl_op op;
    int64_t m, n;
    bool sum;
    tsl_over spread;   /* not NONE: a broadcast along these directions */
    bool by_channel;   /* all of it is put on the lane beside when it begins; when it ends, the main lane follows */
    tsl_message *in;
    int ins, slot;
    tsl_post *post;
    tsl_channel_message *message; /* instead, of one by channel */
    int reqs;
    double began; /* for the trace */
} tsl_transfer;

/* ahead.c: a panel on its way to where the rows or columns of a block are; or what goes with one */
typedef struct tsl_way {
    tsl_view from, to;
    tsl_view home;         /* it was computed elsewhere, and takes its own part from what arrives; or no matrix */
    tsl_view of;           /* that block; or no matrix */
    int64_t reflectors;    /* so many columns of it: the triangle above them is written out when they have arrived; 0: none */
    tsl_dmatrix D;         /* of `to`, if that is no other's; stored as the block `from` is */
    tsl_dmatrix F;         /* of `from`, if that has to be kept */
    struct tsl_way *after; /* brings `from`; NULL: that is there */
    tsl_transfer t;
    bool begun, arrived;
    int slot;
} tsl_way;

enum { TSL_WAYS = 4, TSL_LATER = 8 };

typedef struct tsl_ahead {
    bool on;    /* the present text has had a meeting */
    bool taken; /* a text around it has, and holds the slots: the present one does all in turn */
    int turn;
    tsl_way way[2][TSL_WAYS];
    int ways[2];
    tsl_call later[TSL_LATER]; /* on the main lane since the last meeting */
    int laters;
    tsl_dmatrix D[2];          /* panels brought together to be solved */
    bool together[2];          /* in use */
    tsl_view there, home;      /* the latest was left in one of them; home has no matrix: none is */
} tsl_ahead;

typedef void (*tsl_job)(tsl_context *x, const void *arg); /* of a collective call */

struct tsl_grid {
    tsl_handle handle;
    int matrices; /* that lie on it and have not been released */
    bool ended;   /* freed before them: nothing can be sent any more, and the last of them takes the rest of it along */
    tsl_wire *wire;
    int64_t sent, bytes_sent; /* messages by the wire, and their bytes */
    int size[2], at[2];     /* rank by rank along the rows */
    tsl_post *passing;      /* broadcasts that are to be sent on, once they have come in (post.c) */
    unsigned broadcasts[4]; /* so many were begun, by tsl_over: the same on all processes of a line */
    tsl_channels channels;
    const tsl_remote_ops *ops; /* of its matrices, and an operation within a collective call (execute.c): what is below reaches them here */
    tsl_job perform;

    bool traced; /* the row of its messages has a name */
    bool broken;                           /* given up, here or by another process (listen.c): a call failed, */
    int news;                              /* or a deadline has passed: the status, which the others are told */
    char why[TSL_DETAIL];                  /* of a deadline: what there is to say of it */
    bool lingers;                          /* when it is broken, messages may still be written to what was theirs */
    int64_t tall;      /* panels of so many rows stay where they are; below 0: as the device's numbers say */
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
    int steps, step; /* where work is told: after so many steps of a text no more is; 0: all are. The present one */
};

static inline tsl_dmatrix *tsl_dist(tsl_view v) { return (tsl_dmatrix *)v.mat; }
static inline tsl_grid *tsl_grid_of(tsl_view v) { return tsl_dist(v)->layout.grid; }
/* A view of a distributed matrix whose context and grid are there? */
static inline bool tsl_is_dist(tsl_view v) { return v.mat && v.mat->remote && tsl_grid_of(v) && !tsl_grid_of(v)->ended; }

/* grid.c: of processes that are joined; and agreed on by all, with what each has found (grid: as for tsl_grid_create) */
tsl_grid *tsl_grid_make(tsl_wire *w, int rows, int cols);
TSL_PRIVATE tsl_status tsl_grid_over(tsl_wire *w, tsl_status st, int rows, int cols, tsl_grid **grid);
TSL_PRIVATE size_t tsl_wire_most(size_t most); /* bytes of one message: what TESELA_MESSAGE says, or that */

/* listen.c */
TSL_PRIVATE bool tsl_held(const tsl_grid *g);  /* must memory that messages knew of stay as it is? */
void tsl_grid_fail(tsl_grid *g, tsl_status st); /* the call has failed here; the first reason is kept */
TSL_PRIVATE void tsl_break(tsl_grid *g);     /* a call of MPI failed: the call here fails, and all others are told */
bool tsl_listen(tsl_grid *g);    /* was one of them? False: the grid is broken */
/* What is left of the deadline in a wait. A step in which this process itself stood still counts as a second: all may have been
 * stopped together. */
typedef struct tsl_patience { double left, seen; } tsl_patience;
TSL_PRIVATE tsl_patience tsl_patience_now(double seconds); /* 0: there is none */
TSL_PRIVATE bool tsl_patience_ends(tsl_patience *p);
void tsl_too_late(tsl_grid *g);  /* it has passed: as tsl_break, and who does not answer is late */

/* post.c. On a broken grid nothing is sent or received. */
size_t tsl_post_size(const tsl_grid *g, tsl_over spread); /* bytes of one message at most; of a broadcast along these */
tsl_over tsl_post_over(int tag); /* what a message with this tag is a broadcast along; NONE: it is none */
void tsl_post_send(tsl_grid *g, tsl_post *k, int to, int tag, const void *data, size_t bytes);
void tsl_post_receive(tsl_grid *g, tsl_post *k, int from, int tag, void *data, size_t bytes);
/* root: as tsl_line_place counts; segment: it is one of several */
void tsl_post_broadcast(tsl_grid *g, tsl_post *k, tsl_over over, int root, void *data, size_t bytes, bool segment);
bool tsl_posts_done(tsl_grid *g, int count, tsl_post *k);
/* Returns when all are done or, false, the grid is broken; then they have been cancelled. */
bool tsl_await(tsl_grid *g, int count, tsl_post *k);

/* line.c. These wait for the others, and return false if the grid is broken. */
typedef enum tsl_reduction { TSL_SMALLEST, TSL_LARGEST, TSL_SUM } tsl_reduction;
/* count: at most TSL_SAID */
TSL_PRIVATE bool tsl_all_reduce(tsl_grid *g, const int64_t *mine, int64_t *all, int count, tsl_reduction kind);
TSL_PRIVATE bool tsl_all_gather(tsl_grid *g, const void *mine, void *all, size_t bytes);         /* all: not on the stack */
bool tsl_broadcast(tsl_grid *g, tsl_over over, int root, void *data, size_t bytes); /* nor is data */
int tsl_line_place(const tsl_grid *g, tsl_over over, int i); /* the rank of the i-th process along these directions, by rank */

/* agree.c: what must be the same on all processes of a call, each term with a name for messages */
typedef struct tsl_term {
    const char *of, *name; /* an operand's name, or nothing, and what of it */
    int64_t value;
    bool plain; /* a number to be shown; else a digest */
} tsl_term;

typedef struct tsl_terms {
    const char *call;
    int64_t kind; /* the operation, or one of these */
    int count;
    tsl_term term[TSL_TERMS];
} tsl_terms;

enum { TSL_CALL_MATRIX = 1000, TSL_CALL_REDUCE, TSL_CALL_GATHER, TSL_CALL_SCATTER, TSL_CALL_FETCH };

int64_t tsl_digest(const int64_t *value, int count);
void tsl_term_add(tsl_terms *t, const char *name, int64_t value);
void tsl_term_of(tsl_terms *t, const char *name, const int64_t *value, int count);
void tsl_term_layout(tsl_terms *t, const tsl_layout *l);
void tsl_term_operands(tsl_terms *t, tsl_opcode op, const tsl_view *v, int count);
/* The worst status of all processes or, where none has one, TSL_ERR_SHAPE if their terms differ. any: raised anywhere? NULL:
 * not asked. */
tsl_status tsl_agree(tsl_context *x, tsl_grid *g, tsl_status st, const tsl_terms *t, bool *any);
TSL_PRIVATE tsl_status tsl_broken(tsl_context *x, const tsl_grid *g); /* the status of calls on a broken grid */

/* axis.c: p processes, of which the i-th has... */
int tsl_axis_size(const tsl_grid *g, tsl_over over);                    /* p */
int tsl_axis_index(const tsl_grid *g, tsl_over over, const int at[2]);  /* i of the process at a place of the grid */
int tsl_axis_owner(const tsl_grid *g, tsl_axis a, int64_t index);
int64_t tsl_axis_before(const tsl_grid *g, tsl_axis a, int i, int64_t index); /* how many of the first `index` */
int64_t tsl_axis_next(const tsl_grid *g, tsl_axis a, int i, int64_t index);   /* its first at or after; INT64_MAX: none */
int64_t tsl_axis_run(const tsl_grid *g, tsl_axis a, int64_t index);           /* how many in a row from there one process has */
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
typedef struct tsl_work_mark { size_t top[TSL_PLACES]; } tsl_work_mark;
tsl_work_mark tsl_work_now(const tsl_grid *g); /* of the present slot */
void tsl_work_back(tsl_grid *g, tsl_work_mark m);
void tsl_work_slot(tsl_grid *g, int slot);
/* The same, and what it held is done with; waits where its host memory is still copied to the device. */
void tsl_work_fresh(tsl_context *x, tsl_grid *g, int slot);
tsl_view tsl_work_matrix(tsl_context *x, tsl_dmatrix *D, const tsl_layout *l, tsl_type type, int64_t m, int64_t n);
/* m x n, laid out so, as seen; stored as A is, and seen through the same op: copies between them transpose nothing */
tsl_view tsl_work_like(tsl_context *x, tsl_dmatrix *D, tsl_layout l, tsl_view A, int64_t m, int64_t n);
/* Waits for what the queues here have to do; a region of the caller's (tsl_begin) stays open, as it does over any other
 * call. */
tsl_status tsl_work_wait(tsl_context *x, tsl_grid *g);
/* Runs a collective job: rehearsed, its workspace obtained, agreed on, run, agreed on again. `st` is what the checks here
 * said. */
tsl_status tsl_collective(tsl_context *x, tsl_grid *g, tsl_status st, const tsl_terms *terms, tsl_job job, const void *arg);
TSL_PRIVATE extern int tsl_collectives; /* atomic: those at work in this process */
/* Does nothing but messages happen, and is work told? Then nothing that is computed is known, and pivots are drawn. */
static inline bool tsl_is_told(const tsl_grid *g) { return g->wire->ops->work; }
static inline bool tsl_told_enough(const tsl_grid *g) { return g->steps && g->step > g->steps; }
void tsl_tell_step(tsl_grid *g);
void tsl_tell_move(tsl_grid *g, double bytes, int launches); /* if it is */
/* An ordinary operation on local views, inside a collective call. */
void tsl_locally(tsl_context *x, tsl_grid *g, const tsl_call *c);
/* A leaf, launched as it is on what is here, that no call on views stands for */
void tsl_leaf_here(tsl_context *x, tsl_grid *g, const tsl_leaf *l);
/* grid.c: do the rows of a panel of LU or QR, so many in all, stay where they are while it is factored? single: they are on one
 * process, so they do only if that was asked for */
bool tsl_panel_stays(const tsl_context *x, const tsl_grid *g, int64_t rows, bool single);
/* The same of a leaf on data that is on the device: on the lane beside the main one, where messages on channels go. */
void tsl_aside(tsl_context *x, tsl_grid *g, const tsl_call *c);

/* transfer.c: B := A, or B := B + the sum of A's copies, as stored and seen; between begin and end A must not change. */
void tsl_transfer_begin(tsl_transfer *t, tsl_context *x, tsl_view A, tsl_view B, bool sum);
/* Would the end come without waiting? Asking also helps it along. Of one by channel never: channels make progress on their
 * own. */
bool tsl_transfer_done(tsl_transfer *t);
void tsl_transfer_end(tsl_transfer *t);
void tsl_transfer_now(tsl_context *x, tsl_view A, tsl_view B, bool sum);

/* message.c */
tsl_matrix tsl_message_dense(tsl_transfer *t, int64_t m, int64_t n, bool device);
void tsl_message_buffers(tsl_transfer *t, tsl_message *k, const tsl_end *e, const int from[2], const int to[2]);
void tsl_message_cross(tsl_transfer *t, tsl_message *k, tsl_direction way);
void tsl_message_pack(tsl_transfer *t, tsl_message *k, const int from[2], const int to[2]);
size_t tsl_message_pieces(const tsl_transfer *t, const tsl_message *k);
void tsl_message_room(tsl_transfer *t, size_t pieces); /* for that many to be posted */
void tsl_message_post(tsl_transfer *t, const tsl_message *k, tsl_post_way way, tsl_over over);
void tsl_settle(tsl_transfer *t, const tsl_end *e); /* waits for work on what this end has, unless queues see to that */

/* channel_open.c: by all processes or by none; and closed, by all or, broken, by each */
bool tsl_channel_open(const tsl_context *x, tsl_grid *g);
void tsl_channel_close(tsl_grid *g, bool broken);

/* channel.c */
bool tsl_channel_takes(tsl_transfer *t); /* does the transfer go by channel? In a rehearsal, also notes that it could */
/* The processes have rehearsed and agreed: is the call to be rehearsed again, with channels that are now there or without
 * them? */
bool tsl_channel_turn(tsl_context *x, tsl_grid *g);
void tsl_channel_fork(tsl_transfer *t); /* from here on the lane beside follows what the main one has so far */
void tsl_channel_join(tsl_transfer *t); /* and the other way round */
void tsl_channel_send(tsl_transfer *t, tsl_over over); /* all that was posted */
/* Waits for the lane beside, unless some process has given its channels up: then so does this one, and nothing is left to wait
 * for. Comes before anything else that waits, for the device or for other processes. */
void tsl_channel_watch(tsl_context *x, tsl_grid *g);
/* Something failed here: messages may not have been sent. The transfers of the call stay on their channels, and send nothing
 * more. */
void tsl_channel_give_up(tsl_grid *g, tsl_status st);
void tsl_channel_close_failed(tsl_grid *g); /* the call has failed: if channels were the reason, they are closed everywhere */

/* part.c: the elements one process has of the source and another of the destination, as a dense m x n matrix. */
void tsl_part_size(const tsl_transfer *t, const int from[2], const int to[2], int64_t size[2]);
typedef enum tsl_part_way { TSL_PACK, TSL_UNPACK, TSL_ADD, TSL_THROUGH } tsl_part_way;
void tsl_part_move(const tsl_transfer *t, const int from[2], const int to[2], tsl_part_way way, const tsl_matrix *buffer);
/* Is the part already what the buffer would be: a dense block of the local array at *p? */
bool tsl_part_dense(const tsl_transfer *t, const tsl_end *e, const int from[2], const int to[2], void **p);

/* rect.c: B(m x n) := op(A), or B += A, host arrays */
void tsl_rect(tsl_type t, tsl_op op, bool add, int64_t m, int64_t n, const void *A, int64_t lda, void *B, int64_t ldb);
/* Rows of A, whose elements are `row` and `col` apart, to those of a dense count x n matrix B, or not out: back */
void tsl_rect_rows(tsl_type t, bool out, int64_t count, const int64_t *index, int64_t n, void *A, int64_t row, int64_t col, void *B);

static inline bool tsl_on_device(const tsl_matrix *a) { return a->home && !a->home->shares_host; }
/* Element (i,j) of a view of what is here */
static inline void *tsl_here(tsl_view v, int64_t i, int64_t j)
{
    return tsl_at(&(tsl_view){.mat = v.mat, .i = v.i + i, .j = v.j + j});
}

/* line.c too: what the processes along an axis find together of `mine`, the same on all; `other` is room for another one's */
typedef void (*tsl_combine)(void *mine, const void *other, const void *with);
void tsl_line_combine(tsl_grid *g, tsl_over over, void *mine, void *other, size_t bytes, tsl_combine combine, const void *with);
/* Where work is told: n columns of m rows of a panel, each with such a reduction. False: it is done. */
bool tsl_line_told(tsl_grid *g, tsl_over over, tsl_opcode op, tsl_type type, int64_t m, int64_t n, size_t bytes);
int tsl_line_rank(const tsl_grid *g, tsl_over over, int q); /* of the q-th process along an axis */

/* triangle.c: the local part of a lower triangle, as seen, in rectangles and square blocks on its diagonal; i, j in the local
 * view */
typedef void (*tsl_piece)(void *user, int64_t i, int64_t j, int64_t m, int64_t n, bool diagonal);
void tsl_triangle_walk(tsl_view C, tsl_piece piece, void *user);
tsl_view tsl_seen_lower(tsl_view C, bool herm); /* seen through its (conjugate) transpose if it is an upper one */

/* ahead.c. Every operation's operands that are on their way arrive before it (ready); before one that sends, panels that are
 * still to set out do so, and one that was left elsewhere goes home (depart). */
void tsl_ahead_ready(tsl_context *x, tsl_grid *g, const tsl_call *c);
void tsl_ahead_depart(tsl_context *x, tsl_grid *g);
void tsl_ahead_poll(tsl_context *x, tsl_grid *g); /* helps panels along */
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
const tsl_dmatrix *tsl_ahead_pivots(tsl_context *x, tsl_view p);
/* trxm.c's, with its result left where it was computed for tsl_dist_bring to send out from */
void tsl_ahead_trxm(tsl_context *x, const tsl_call *c);
/* Does every process have of the panel A the rows (d = 0) or columns (1) that it has of C, and all of the other dimension? */
bool tsl_lies_with(tsl_view A, tsl_view C, int d);
/* The same, or a panel has been brought of which that is so: then A becomes that. */
bool tsl_brought(tsl_context *x, tsl_view *A, tsl_view C, int d);
tsl_view tsl_dist_bring(tsl_context *x, tsl_view A, tsl_view C, int d); /* tsl_for_rows, tsl_for_cols */
void tsl_dist_meet(tsl_context *x, const tsl_call *c);

/* gemm.c: of local views, C := alpha A B + beta C, if there is any of C here */
void tsl_product_here(tsl_context *x, tsl_grid *g, tsl_scalar alpha, tsl_view A, tsl_view B, tsl_scalar beta, tsl_view C);

/* symm.c: a product with a symmetric or Hermitian matrix, the call's first operand, which stays where it is */
void tsl_symm_in_place(tsl_context *x, const tsl_call *c, bool herm);

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
void tsl_dist_fill(tsl_context *x, tsl_view A, tsl_number number, double unit);
/* number.c: what a text looks at comes to every process, and all find the same */
void tsl_dist_read(tsl_context *x, tsl_view column, void *to);
void tsl_dist_visit(tsl_context *x, tsl_view A, tsl_visitor visit, void *with);
tsl_status tsl_dist_fetch(tsl_context *x, tsl_status given, tsl_view A, void *data, int64_t ld); /* gather.c */
bool tsl_counts(const tsl_layout *l); /* is this the process whose copy counts, where there are several? */
void tsl_leave_result(tsl_context *x, tsl_grid *g, const void *value, size_t bytes); /* where the operation's leaf would leave it */
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
void tsl_perform(tsl_context *x, const void *call);      /* execute.c: an operation within a collective call */
/* execute.c: of all processes the first column that failed, where texts and tsl_info look for it */
void tsl_share_info(tsl_context *x, tsl_grid *g);

#endif
