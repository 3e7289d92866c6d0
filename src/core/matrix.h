/* A matrix: whose storage, where, and how it is laid out. */
#ifndef TSL_MATRIX_H
#define TSL_MATRIX_H

#include "core/area.h"
#include "core/op.h"
#include "core/values.h"

struct tsl_device;

/* What belongs to a matrix whose elements other processes hold as well (src/grid, a library of its own). A call with such an
 * operand is handed over whole, at any level, and so are the matrix's end and the functions of algorithms (exec/algorithm.h,
 * tune/panel.h). */
typedef struct tsl_remote_ops {
    tsl_status (*execute)(tsl_context *x, const tsl_call *c);
    /* tsl_check_call: all processes agree that it would be taken, or hear why not */
    tsl_status (*check)(tsl_context *x, const tsl_call *c);
    tsl_area (*locate)(const tsl_call *c, int i, int k); /* tsl_locate */
    tsl_status (*check_variant)(tsl_context *x, const tsl_call *c); /* is there, of the call on the grid, the one that is set? */
    int64_t (*panel)(const tsl_context *x, const tsl_call *c);
    int64_t (*panel_ahead)(const tsl_context *x, const tsl_call *c, int64_t k);
    tsl_view (*bring)(tsl_context *x, tsl_view A, tsl_view C, int d); /* tsl_for_rows (d = 0), tsl_for_cols (1) */
    void (*meet)(tsl_context *x, const tsl_call *c);
    int64_t (*next_step)(tsl_view A, int64_t i, int64_t count); /* tsl_next_step */
    int64_t (*beside)(const tsl_context *x, tsl_view A); /* tsl_beside */
    /* of a type, stored as A, lying as C */
    tsl_view (*temp)(tsl_context *x, tsl_view A, tsl_view C, tsl_along along, tsl_type type, int64_t m, int64_t n);
    void (*fill)(tsl_context *x, tsl_view A, tsl_number number, double unit); /* tsl_fill */
    void (*visit)(tsl_context *x, tsl_view A, tsl_visitor visit, void *with); /* tsl_visit */
    void (*read)(tsl_context *x, tsl_view column, void *to);                  /* tsl_read, as it is stored */
    void (*place)(tsl_context *x, const tsl_call *c);                         /* in one place */
    /* what was found wrong here is told to all processes; else a block, as it is stored, comes to an array of each; NULL:
     * nothing does */
    tsl_status (*fetch)(tsl_context *x, tsl_status given, tsl_view A, void *data, int64_t ld);
    int64_t (*info)(tsl_view A); /* the outcome so far, of which all processes know */
    void (*tell)(tsl_context *x, tsl_view A, int64_t info); /* it is another from here on */
    void (*release)(tsl_matrix *A); /* gives back what of the storage is ours */
    size_t size;                    /* bytes of the matrix's own description */
} tsl_remote_ops;

/* context/alive.c. What the caller holds by a pointer and ends himself begins with one of these, or has it inside. */
typedef struct tsl_handle {
    struct tsl_handle *next;
    tsl_context *context; /* that it is the handle of; NULL: of something else */
} tsl_handle;

/* home is the device whose memory holds the data; NULL: the caller's host memory. */
struct tsl_matrix {
    tsl_handle handle;
    tsl_matrix *prev, *next; /* among those of the context that the caller holds */
    tsl_context *ctx;
    tsl_type type;
    int64_t m, n, ld;
    void *data;
    struct tsl_device *home;
    size_t bytes;  /* what we own of it; 0: the caller's */
    struct tsl_tiles *tiles; /* runtime/runtime.h: cut into tiles, and data is none of its own; NULL: flat */
    int64_t tile;  /* the width of panels that goes with them: the shorter side of a tile; 0: flat */
    bool batch;    /* `count` problems of m x n: */
    int64_t count, stride; /* elements from one to the next, */
    void *const *each;     /* or where each is, which the device of `home` can read; NULL: at the stride */
    bool reversed; /* a vector with a negative increment: its first element is the last in memory */
    const tsl_remote_ops *remote; /* not NULL: distributed; data, ld and home are then those of the part held here */
};

/* Address of the view's first stored element. */
static inline void *tsl_at(const tsl_view *v)
{
    return (char *)v->mat->data + (size_t)(v->i + v->j * v->mat->ld) * tsl_type_size(v->mat->type);
}

#define TSL_LARGEST_TILE ((int64_t)1 << 32) /* rows: a place in a matrix plus this does not overflow; a larger one is as good */

/* matrix.c: bytes of an m x n block with leading dimension ld; false when they do not fit. */
bool tsl_block_bytes(tsl_type t, int64_t m, int64_t n, int64_t ld, size_t *bytes);
/* matrix.c: a leading dimension for m rows: columns start on 128-byte boundaries, so that the device's widest loads are
 * aligned */
int64_t tsl_padded(tsl_type type, int64_t m);

#endif
