/* Arguments that an operation has of its own. Its row of ops.def names them (TSL_TAKES), its call and its leaf have them in one
 * place, all others in the same place: a call of another operation has none of these. Processes of a grid compare their bytes,
 * so fields go from wide to narrow, and nothing but what is after the last one is padding. */
#ifndef TSL_ARGUMENTS_H
#define TSL_ARGUMENTS_H

#include <stdbool.h>

#include "core/numbers/chase.h"
#include "core/numbers/cyclic.h"
#include "tesela.h"

/* Some steps of a sweep through an active block of a Hessenberg matrix */
typedef struct tsl_chase_args {
    tsl_chase sweep;
    int64_t low;   /* laqru: the row of A where the block begins */
    int64_t reach; /* laqru: > 0: update only within `reach` of the window; < 0: only farther away, and Z */
    bool schur;    /* laqru: the Schur form is wanted too: all of A, not only the block, is updated */
} tsl_chase_args;

/* Eigenpairs */
typedef struct tsl_eig_args {
    int64_t first;      /* the first that is wanted, from 0 on */
    int64_t count;      /* of a range of numbers: how many are */
    double least, most; /* of a range of values: least < value <= most */
    int64_t itype;      /* sygst, sygv: LAPACK's number of the problem */
    tsl_range range;    /* those that are wanted: all, by number, by value */
    bool vectors;       /* V is empty, and vectors overwrite A */
} tsl_eig_args;

/* sb2st_some: some chunks of some sweeps, those from begin - s on in the s-th one, and before end - s; end 0: all. Chunk 0 of
 * the first sweep begins in row `first`. W's first column is row 0, and from there on the band has `order` rows. */
typedef struct tsl_sweeps_args { int64_t order, first, begin, end; } tsl_sweeps_args;

/* Solutions by factors of lower precision */
typedef struct tsl_refine_args {
    double accuracy; /* the backward error that is enough; 0: the least there is */
    /* of the factorization's products, the factors have at least single precision; TSL_AUTO: fp32, and measured */
    tsl_precision precision;
    /* A may be of any; LAPACK gives up where its elements as they are, not scaled, are beyond single precision */
    bool any_size;
    bool measured;   /* errors and the condition are wanted; without them lower factors lead to no solution */
} tsl_refine_args;

/* LU, and exchanges of rows */
typedef enum tsl_pivoting {
    TSL_PIVOTS_PARTIAL,    /* the largest element of a column */
    TSL_PIVOTS_TOURNAMENT, /* those of the rows that are left of a tournament */
    TSL_PIVOTS_NONE        /* none: no row is exchanged */
} tsl_pivoting;
typedef struct tsl_lu_args {
    int64_t first;         /* pivots count from this row above the operand's first one */
    int64_t above;         /* laswp: rows above the operand's first one, of the same array, that pivots may name */
    tsl_pivoting pivoting; /* getrf; trsm by a factor of it, on GPUs */
    bool backward;         /* laswp: the last exchange first */
} tsl_lu_args;

/* A column of a panel of LU (kernel/lu_column.h) */
typedef struct tsl_lu_column_args {
    int64_t end;  /* columns up to this one are brought up to date */
    int64_t row;  /* where the pivot of the column before was, if that is here */
    bool takes;   /* that column is eliminated first */
    bool speaks;  /* for A: rows of it are proposed too */
} tsl_lu_column_args;

/* A strip of a panel of LU (kernel/lu_strip.h) */
typedef struct tsl_lu_strip_args {
    tsl_cyclic rows;  /* which rows of the panel those of B are */
    int64_t end;      /* the columns are those from k up to this one */
    int64_t patience; /* nanoseconds that it waits for others */
    int me;           /* this process's number among them */
    int sharers;      /* so many of them have this device */
    bool by_host;     /* the host exchanges, and else the leaves do */
    bool speaks;      /* for A: rows of it are proposed too */
} tsl_lu_strip_args;

/* Hessenberg and Schur forms: the block that is not triangular */
typedef struct tsl_schur_args {
    int64_t first, order; /* where it begins, and its order */
    tsl_schur_sort sort;  /* gees */
    bool wanted;          /* hseqr: the Schur form is, not only eigenvalues */
} tsl_schur_args;

/* Norms and conditions */
typedef struct tsl_norm_args {
    double anorm;            /* of conditions: the norm of the matrix */
    tsl_norm_kind kind;
    tsl_structure structure; /* what a triangle stands for */
} tsl_norm_args;

/* Ranks */
typedef struct tsl_rank_args {
    double tolerance; /* what is not above this share of the largest counts as zero */
    int64_t seed;     /* geqp3_random */
    bool by_diagonal; /* trrank: the diagonal says what the rank is, not an estimate of the condition */
} tsl_rank_args;

/* laset, random */
typedef struct tsl_fill_args {
    int64_t row, col; /* the place of the operand's first element in the whole, as seen */
    int64_t seed;     /* random */
} tsl_fill_args;

/* Of a band matrix: how many diagonals are below and above the main one; of a triangle, or half of a symmetric matrix, kl */
typedef struct tsl_band_args { int64_t kl, ku; } tsl_band_args;

/* Of a block that is factored: so many columns to its left are factored already. potrf of a block of a batch takes them off
 * first. */
typedef struct tsl_block_args { int64_t before; } tsl_block_args;

/* Steps of a panel of L D L^T: so many columns are before it; the first step; the column that is at hand beside it, or -1 */
typedef struct tsl_ldl_args { int64_t before, from, wanted; } tsl_ldl_args;

typedef struct tsl_svd_args {
    tsl_svd_driver driver;
    bool vectors; /* those of the left or the right, as `side` says, overwrite A */
} tsl_svd_args;

/* What random butterflies U and V (kernel/butterfly.h) make of a matrix A: U^T A V, U^T A, V A */
typedef enum tsl_butterflies { TSL_BUTTERFLIES_BOTH, TSL_BUTTERFLIES_U, TSL_BUTTERFLIES_V } tsl_butterflies;
typedef struct tsl_butterfly_args { tsl_butterflies which; } tsl_butterfly_args;

/* laqp2: a column is as good as the longest if it is at least so much of it; 0: only the longest is */
typedef struct tsl_laqp2_args { double share; } tsl_laqp2_args;
/* lapmt: by the inverse permutation; pick: from B to A */
typedef struct tsl_lapmt_args { bool backward; } tsl_lapmt_args;
/* geqrt: only A and tau are wanted; T and Y are room for it */
typedef struct tsl_geqrt_args { bool alone; } tsl_geqrt_args;
/* fixed: no column is, whatever p says */
typedef struct tsl_fixed_args { bool none; } tsl_fixed_args;
/* steqr: by implicit QR; else vectors by divide and conquer, and a product */
typedef struct tsl_steqr_args { bool by_qr; } tsl_steqr_args;
/* scal, rot: by a real number, parts apart, even if the elements are complex */
typedef struct tsl_scal_args { bool real; } tsl_scal_args;
/* equil: elements become their sizes */
typedef struct tsl_equil_args { bool sizes; } tsl_equil_args;

/* All of them, with the last field of each. The largest is the first, so that all of a call's are zero if none is given. */
#define TSL_OWN_ARGUMENTS(_)                                                                                             \
    _(chase, schur) _(eig, vectors) _(sweeps, end) _(refine, measured) _(lu, backward) _(lu_column, speaks)              \
    _(lu_strip, speaks) _(schur, wanted) _(norm, structure) _(rank, by_diagonal) _(fill, seed) _(band, ku)               \
    _(block, before) _(ldl, wanted) _(svd, vectors) _(butterfly, which) _(laqp2, share) _(lapmt, backward)               \
    _(geqrt, alone) _(fixed, none) _(steqr, by_qr) _(scal, real) _(equil, sizes)

/* Arguments of a call: what many operations have, then what one has of its own. They are fields of calls and leaves, too. */
#define TSL_ARGUMENT_FIELDS                                                                                              \
    int64_t m, n; /* of a band or packed matrix, which no view shows: its sizes; of a leaf: the operation's */           \
    int64_t k;    /* a third size: columns or steps of a panel, reflectors */                                            \
    tsl_side side;                                                                                                       \
    tsl_op trans; /* ormqr: of Q; of a band or packed matrix: its flags, */                                              \
    tsl_uplo uplo;                                                                                                       \
    tsl_diag diag;                                                                                                       \
    bool herm;    /* the Hermitian one of two: of a triangle whose diagonal is real; of vectors in a leaf: conjugated */ \
    bool passing; /* there is no outcome. LU: rows yet to come may have another pivot; a triangle: no zero is there */   \
    int8_t unit;  /* 1 + the operand that begins as the unit matrix, written when nothing can be refused any more */     \
    union {                                                                                                              \
        TSL_OWN_ARGUMENTS(TSL_ARGUMENT_FIELD)                                                                            \
    };
#define TSL_ARGUMENT_FIELD(name, last) tsl_##name##_args name;
typedef struct tsl_arguments { TSL_ARGUMENT_FIELDS } tsl_arguments;

#endif
