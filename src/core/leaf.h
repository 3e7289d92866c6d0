/* Leaf computations: one operation on one block in one memory, as plain pointers and BLAS flags. A kernel knows nothing of
 * views, matrices or contexts. kernel[op][type] per backend; a backend without an entry, or a problem past the entry's limit,
 * is computed by the blocked algorithm in src/algo instead. */
#ifndef TSL_LEAF_H
#define TSL_LEAF_H

#include "core/op.h"
#include "core/numbers/products.h"
#include "tesela.h"

struct tsl_queue;

/* Canonical form: A, B, C, .. are the operands in the order of the table (core/ops.def), as they are stored. What is written
 * has no op; those of A and B, opA and opB, are N, T or HERM (never CONJ, unless the leaf says so), and for real types never
 * HERM. Where there is a product alpha is not 0, and no size is. Which arguments an operation uses, and what it computes,
 * stands above the host's leaf of it (src/kernel/host).
 *
 * Vectors: the operand's leading dimension is its increment, negative if it is counted from the end; the pointer is to the
 * lowest address, as in BLAS.
 *
 * laswp, getrs, getri and ssssm take pivots of the caller's. One that is no row: the host's leaf refuses, and has touched
 * nothing; a GPU's exchanges nothing there and sets *fault. */
typedef struct tsl_array {
    void *p;      /* in the device's memory */
    int64_t ld;   /* of a vector its increment */
    int64_t m, n; /* rows and columns, as stored */
    tsl_op op;
    int64_t stride;    /* of a batch: elements from one problem to the next; */
    void *const *each; /* or where each problem's matrix begins, in the device's memory, */
    int64_t offset;    /* so many elements before the operand */
} tsl_array;

/* From where a product is emulated: the side of a square C if it has very many terms, and how many terms if C is very large; 0:
 * none is */
typedef struct tsl_emulated_from { int64_t side, inner; } tsl_emulated_from;

typedef struct tsl_leaf {
    tsl_opcode op;
    tsl_type type;
    union { /* those of its call */
        tsl_arguments arguments;
        struct { TSL_ARGUMENT_FIELDS };
    };
    tsl_scalar alpha, beta;
    union { /* an operand by its place in the table, or by its letter */
        tsl_array v[TSL_MAX_OPERANDS];
        struct { tsl_array A, B, C, D, E, F, G, H; };
    };
    int64_t count; /* problems of a batch; 0: it is none */
    int64_t *info; /* in the device's memory, as all that follow; of a batch one for each problem */
    int fresh; /* nothing is in info yet: the leaf writes it in any case, of all problems (TSL_TELLS) */
    const int64_t *skip; /* of a batch: problems that have an info are left alone; NULL: none is */
    int64_t info_base;
    int64_t *fault;
    void *result;
    void *work;             /* what the entry's workspace() asked for */
    tsl_products products;  /* how they are computed; */
    tsl_emulated_from emulated; /* TSL_PRODUCTS_AUTO: from where they are emulated */
    /* of a product on GPUs: A and B are real matrices of these (kernel/cuda/level3/narrow.cu); TSL_AUTO: they are not */
    tsl_precision halves;
    int frugal;             /* memory is short: no workspace that only saves time */
    int shape;              /* which of the shapes its kernel is compiled in, from 1 on; 0: the kernel's own choice */
} tsl_leaf;

/* Runs (host) or launches (cuda) the leaf on the queue. */
typedef tsl_status (*tsl_kernel)(struct tsl_queue *q, const tsl_leaf *l);

typedef struct tsl_kernel_entry {
    tsl_kernel fn[4]; /* by tsl_type; NULL: none */
    int64_t limit;    /* largest order of the triangle it takes; 0: any. That of the blocks of panels */
    int64_t skinny;   /* takes any order if there are at most this many right-hand sides (of a factorization: columns), where there is
                         memory for what it needs then, and the tuning tables do not cut it into smaller blocks */
    size_t (*workspace)(const tsl_leaf *l); /* bytes it needs; NULL: none */
    const void *(*kernel)(int i); /* of a GPU: some kernel of the i-th file of kernels that tasks of it use, which are all loaded
                                     beforehand; NULL: no more, or none at all */
    int (*shapes)(tsl_type t);    /* in how many it is compiled, or the kernels of its panels are; NULL: in one */
} tsl_kernel_entry;

/* The info of a problem that the host's leaf has left alone */
#define TSL_BATCH_LEFT INT64_MIN

/* A leaf for batches */
typedef struct tsl_batch_entry {
    tsl_kernel fn[4];
    bool (*takes)(const tsl_leaf *l);       /* problems of this size, and leaves alone what l->skip says? NULL: any */
    size_t (*workspace)(const tsl_leaf *l); /* as above */
    /* The width of panels of problems that it does not take; 0: those are not cut, but taken one after the other. NULL: as the
     * tables say */
    int64_t (*block)(const tsl_leaf *l);
} tsl_batch_entry;

/* A scalar as the bytes of its type, for libraries that take scalars by pointer, and results */
typedef union tsl_typed_scalar {
    float s;
    double d;
    tsl_cfloat c;
    tsl_cdouble z;
    int64_t i; /* the result of iamax */
} tsl_typed_scalar;

/* scalar.c */
tsl_typed_scalar tsl_typed(tsl_type t, tsl_scalar a);
tsl_scalar tsl_untyped(tsl_type t, tsl_typed_scalar a);

#endif
