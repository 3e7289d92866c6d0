/* What passes between the processes of a grid: posts, lines, agreement, transfers, channels. Below it is the table of
 * grid/comm/wire.h. */
#ifndef TSL_GRID_COMM_H
#define TSL_GRID_COMM_H

#include "api/enter.h"
#include "grid/comm/wire.h"
#include "ops/ops.h"
#include "tesela_grid.h"

/* Messages from device to device by the devices' own fabric, NCCL, or between threads (channel.c). */
typedef struct tsl_channels {
    enum { TSL_CHANNELS_UNTRIED, TSL_CHANNELS_OPEN, TSL_CHANNELS_NONE } state; /* the same on all processes */
    const tsl_fabric *fabric;
    const tsl_backend *be;   /* and number of the device here */
    int ordinal;
    tsl_channel along[4];    /* by tsl_over */
    /* The processes are threads whose devices see each other's memory: kernels may write there. By tsl_over, too; of none: they
     * are not */
    tsl_channel peers[4];
    bool on;                 /* the present call uses them */
    bool wanted, same;       /* it could here; and all processes could in the same transfers */
    int64_t kinds;           /* which transfers those are: a digest, made as the call is rehearsed */
    bool given_up;           /* in the present call, and the others have been told */
    bool heard;              /* of another that has given up; nothing had failed here */
    int told;                /* of so many, as yet */
} tsl_channels;

enum { TSL_TERMS = 23, TSL_SAID = 4 + 2 * (TSL_TERMS + 1) };

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

/* transfer.c: B := A, or B := B + the sum of A's copies, as stored and seen; between begin and end A must not change. */
void tsl_transfer_begin(tsl_transfer *t, tsl_context *x, tsl_view A, tsl_view B, bool sum);
/* Would the end come without waiting? Asking also helps it along. Of one by channel never: channels make progress on their
 * own. */
bool tsl_transfer_done(tsl_transfer *t);
void tsl_transfer_end(tsl_transfer *t);
void tsl_transfer_now(tsl_context *x, tsl_view A, tsl_view B, bool sum);
/* Of B, which has copies where parts of A are to be summed, a layout in which each of these processes, and no other, has a
 * share; false: there is none, or no gain in it */
bool tsl_transfer_shares(tsl_view A, tsl_view B, tsl_layout *l);

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
/* What joins processes of this line whose kernels write to each other's memory; NULL: they do not, in the present call */
const tsl_channel *tsl_channel_peers(const tsl_grid *g, tsl_over over);
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
/* Waits for an event, as long as no process has given its channels up: false. */
bool tsl_channel_await(tsl_grid *g, const tsl_backend *be, tsl_event *e, tsl_patience *patience);
/* Something failed here: messages may not have been sent. The transfers of the call stay on their channels, and send nothing
 * more. */
void tsl_channel_give_up(tsl_grid *g, tsl_status st);
void tsl_channel_close_failed(tsl_grid *g); /* the call has failed: if channels were the reason, they are closed everywhere */

/* part.c: the elements one process has of the source and another of the destination, as a dense m x n matrix. */
void tsl_part_size(const tsl_transfer *t, const int from[2], const int to[2], int64_t size[2]);
int64_t tsl_part_common(const tsl_transfer *t, int d, const int from[2], const int to[2]); /* of one axis */
typedef enum tsl_part_way { TSL_PACK, TSL_UNPACK, TSL_ADD, TSL_THROUGH } tsl_part_way;
void tsl_part_move(const tsl_transfer *t, const int from[2], const int to[2], tsl_part_way way, const tsl_matrix *buffer);
/* Is the part already what the buffer would be: a dense block of the local array at *p? */
bool tsl_part_dense(const tsl_transfer *t, const tsl_end *e, const int from[2], const int to[2], void **p);

/* rect.c: B(m x n) := op(A), or B += A, host arrays */
void tsl_rect(tsl_type t, tsl_op op, bool add, int64_t m, int64_t n, const void *A, int64_t lda, void *B, int64_t ldb);
/* Rows of A, whose elements are `row` and `col` apart, to those of a dense count x n matrix B, or not out: back */
void tsl_rect_rows(tsl_type t, bool out, int64_t count, const int64_t *index, int64_t n, void *A, int64_t row, int64_t col, void *B);

/* line.c too: what the processes along an axis find together of `mine`, the same on all; `other` is room for another one's */
typedef void (*tsl_combine)(void *mine, const void *other, const void *with);
void tsl_line_combine(tsl_grid *g, tsl_over over, void *mine, void *other, size_t bytes, tsl_combine combine, const void *with);
/* Where work is told: n columns of m rows of a panel, each with such a reduction. False: it is done. */
bool tsl_line_told(tsl_grid *g, tsl_over over, tsl_opcode op, tsl_type type, int64_t m, int64_t n, size_t bytes);
int tsl_line_rank(const tsl_grid *g, tsl_over over, int q); /* of the q-th process along an axis */

#endif
