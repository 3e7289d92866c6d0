/* What joins processes by TCP: a socket between any two. tcp_open.c makes them, tcp.c sends and receives. */
#ifndef TSL_TCP_H
#define TSL_TCP_H

#include "grid/grid.h"

typedef enum tsl_frame_kind {
    TSL_FRAME_SHORT, /* what it carries follows it */
    TSL_FRAME_ASK,   /* for a place for a long one */
    TSL_FRAME_TAKE,  /* there is one */
    TSL_FRAME_LONG,  /* what was asked for follows */
    TSL_FRAME_WORD
} tsl_frame_kind;

typedef struct tsl_frame {
    int32_t kind, tag;
    uint64_t number; /* of a long message to a process, from 1 on; of a word: the word itself */
    uint64_t bytes;
} tsl_frame;

typedef struct tsl_parcel {
    struct tsl_parcel *next;
    tsl_frame frame;
    int peer;
    bool is_sent, done, bad;
    bool kept;   /* its array is its own: it has come before it was waited for */
    char *data;  /* NULL of one that was cancelled: what is left of it is zero, or is forgotten */
    size_t moved; /* bytes of the frame and of what follows it */
} tsl_parcel;

typedef struct tsl_parcels { tsl_parcel *first, **last; } tsl_parcels;

typedef struct tsl_peer {
    int fd;          /* < 0: it has left */
    uint64_t number; /* of long messages to it so far */
    tsl_parcels out; /* in this order */
    tsl_parcels asked;  /* long ones to it, which wait for their place */
    tsl_parcels wanted; /* to be received, and nothing has come yet */
    tsl_parcels come;   /* short ones, and those that were asked for, which nobody has waited for yet */
    tsl_parcels placed; /* long ones from it that have a place */
    tsl_frame frame;    /* the one that is coming */
    size_t got;         /* of it */
    tsl_parcel *in;     /* for what follows it */
} tsl_peer;

typedef struct tsl_tcp {
    tsl_wire head;
    uint64_t *name;  /* of each process: the same in all grids */
    tsl_peer *peer;
    int *said[TSL_TAG_NEWS + 1], unheard[TSL_TAG_NEWS + 1]; /* words, by tag and process; their number */
    bool *spoke[TSL_TAG_NEWS + 1];
    uint64_t events, seen; /* seen: those before the latest wait ended */
} tsl_tcp;

extern const tsl_wire_ops tsl_tcp_ops;
void tsl_tcp_free(tsl_tcp *w);

#endif
