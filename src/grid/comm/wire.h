/* What joins the processes of a grid: one table, filled for MPI (mpi/mpi.c), for threads of one process (threads.c) and for TCP
 * (tcp.c). All communication of src/grid is made of these messages. Nothing here waits for another process.
 *
 * Messages from one process to another that have the same tag are received in the order in which they were sent. A message is
 * received in as many bytes as were sent. Functions that return a bool return true when they have failed. */
#ifndef TSL_WIRE_H
#define TSL_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct tsl_wire tsl_wire;

/* A message under way. It stays where it is in memory until it is done, or cancelled. */
typedef struct tsl_request {
    bool pending; /* false: there is none, or it is done */
    bool passes;  /* of a broadcast: what comes in is sent on */
    union { void *at; int64_t number; } as;
} tsl_request;

/* Work that is told, not done: an operation, a tsl_call; n columns of m rows of a panel, one after the other, of the operation
 * `op`; bytes moved from place to place in so many launches, or without one by a core of the host's in its memory; or between
 * that and a device's; by a core, n sums of m terms over poles (eig/merge.h), or a sweep of a chase through m columns of a band
 * of n diagonals; or that what follows counts `weight` times, and is of the part `op` of a composite (grid.h, tsl_sample).
 * by_peers: what columns find together, so many bytes of each, goes from kernel to kernel. */
typedef struct tsl_told {
    enum { TSL_TOLD_CALL, TSL_TOLD_COLUMNS, TSL_TOLD_MOVE, TSL_TOLD_CROSS, TSL_TOLD_SUMS, TSL_TOLD_CHASE, TSL_TOLD_STEP } kind;
    const void *call;
    int op, type, launches;
    int64_t m, n;
    int64_t times; /* so many alike */
    double bytes, weight;
    bool by_peers;
} tsl_told;

/* Tags: of transfers, of what lines find together, of words, of a chase (eig/chase.c), and above them of broadcasts (post.c) */
enum { TSL_TAG_TRANSFER = 1, TSL_TAG_CHANNEL, TSL_TAG_NEWS, TSL_TAG_LINE, TSL_TAG_CHASE, TSL_TAG_BROADCAST };

typedef struct tsl_wire_ops {
    const char *name;
    bool is_near; /* its processes are threads of one program, and see each other's memory */
    bool lingers; /* what was cancelled may still be written to */
    bool (*send)(tsl_wire *w, int to, int tag, const void *data, size_t bytes, tsl_request *req);
    bool (*receive)(tsl_wire *w, int from, int tag, void *data, size_t bytes, tsl_request *req);
    bool (*test)(tsl_wire *w, tsl_request *req);   /* clears req->pending if it is done */
    void (*cancel)(tsl_wire *w, tsl_request *req); /* it may have been sent or received all the same */
    /* A word to another process. Nobody needs to hear it. At most one of a tag is on its way between two processes. */
    void (*tell)(tsl_wire *w, int to, int tag, const int *word);
    bool (*hear)(tsl_wire *w, int tag, int *from, int *word); /* *from < 0: none is there */
    void (*idle)(tsl_wire *w);                   /* a moment, or until there is something to test or to hear; NULL: none */
    void (*missing)(tsl_wire *w);                /* a process has not answered within the deadline; NULL: nothing follows */
    void (*work)(tsl_wire *w, const tsl_told *what); /* NULL: work is done, not told */
    bool (*peers)(tsl_wire *w, int a, int b);    /* where it is told: do devices of these two see each other's memory? */
    const char *(*refuses)(const tsl_wire *w);   /* why nothing may be called now, by this thread; NULL: all may */
    bool (*same)(const tsl_wire *a, const tsl_wire *b);              /* are both between the same processes? */
    bool (*there)(const tsl_wire *a, int rank, const tsl_wire *b, int *other); /* then the rank in b of one of a */
    void (*close)(tsl_wire *w, bool broken);
} tsl_wire_ops;

struct tsl_wire {
    const tsl_wire_ops *ops;
    int rank, size, left; /* left: a process that is no more there, while this one waited for it; -1: none is */
    size_t most;          /* bytes of one message */
    bool device_messages; /* takes device memory */
    int times;            /* where work is told: what is sent now is sent so often, one after the other; 0: once */
};

#endif
