/* What the kernels of a machine take, and its network: data, each number measured or named as assumed (h200.inc). */
#ifndef TSL_CLOCK_TABLE_H
#define TSL_CLOCK_TABLE_H

#include "core/private.h"
#include "grid/comm/wire.h"
#include "tesela.h"

/* Rates are measured at two sizes, of which the second one is the smaller: UPDATE, NARROW, INNER: of a product the root of the
 * product of its two larger sizes, and the third: inner dimension, columns of the result, rows of it. SYRK: order and inner
 * dimension; TRSM, TRMM: triangle and right-hand sides; POTRF: order, 1; GETRF, GEQRT: rows and columns of a panel. Of an
 * eigenproblem: CHASE: order of a band; PAIRS, VALUES: order of a tridiagonal matrix, all with 1; CHASED: rows and columns of
 * what is multiplied by the Q of a chase. */
typedef enum tsl_clock_kind {
    TSL_CLOCK_UPDATE, TSL_CLOCK_NARROW, TSL_CLOCK_INNER, TSL_CLOCK_SYRK, TSL_CLOCK_TRSM, TSL_CLOCK_TRMM, TSL_CLOCK_POTRF,
    TSL_CLOCK_GETRF, TSL_CLOCK_GEQRT, TSL_CLOCK_CHASE, TSL_CLOCK_CHASED, TSL_CLOCK_PAIRS, TSL_CLOCK_VALUES, TSL_CLOCK_KINDS
} tsl_clock_kind;

/* Kinds of work: large products; solves, factors and columns of panels; copies; chases of a band, and what is done of a
 * tridiagonal matrix but for products */
typedef enum tsl_clock_work {
    TSL_CLOCK_PRODUCTS, TSL_CLOCK_PANELS, TSL_CLOCK_COPIES, TSL_CLOCK_TRIDIAGONAL, TSL_CLOCK_WORKS
} tsl_clock_work;

enum { TSL_CLOCK_POINTS = 48 };

/* Ordered by a, then by b */
typedef struct tsl_clock_curve {
    struct { double a, b, rate; } point[TSL_CLOCK_POINTS];
    int count;
} tsl_clock_curve;

typedef struct tsl_clock_table {
    tsl_clock_curve curve[TSL_CLOCK_KINDS];
    double best;                /* flop/s of large products: what shares are of */
    double launch, move, touch; /* seconds of a launch; bytes copied, and read or written, in a second */
    double core_move, link; /* bytes a core copies, and that cross to a device, in a second; 0: that takes no time */
    double core_chase;      /* flop/s of a core that chases */
    double round;           /* seconds of a chunk of a chase on a device */
    double term, cores;     /* seconds of a term of a sum over poles, by a core; cores of a GPU's process, which share them */
    double lu_column, qr_column; /* seconds of a column of a panel, beside its traffic and its messages */
    double message, byte, near_message, near_byte; /* seconds of a message and of a byte of it; and within a node */
    double node;                /* GPUs of one */
} tsl_clock_table;

TSL_PRIVATE extern const char tsl_clock_h200[];
/* Lines of `name value` and `kind a b rate`, as h200.inc has them, on top of what is in *t; says what is wrong. */
TSL_PRIVATE tsl_status tsl_clock_read(const char *text, tsl_clock_table *t);
/* All products at one rate, solves, panels and factors of diagonal blocks so many times slower; all else takes no time */
TSL_PRIVATE void tsl_clock_flat(tsl_clock_table *t, double rate, double panel, double diagonal);
/* The name of a line that it lacks, or NULL; pairs: of those for an eigenproblem too */
const char *tsl_clock_lacks(const tsl_clock_table *t, bool pairs);
TSL_PRIVATE double tsl_clock_rate(const tsl_clock_table *t, tsl_clock_kind kind, double a, double b);
double tsl_clock_seconds(const tsl_clock_table *t, const tsl_told *what);
tsl_clock_work tsl_clock_work_of(const tsl_told *what);

#endif
