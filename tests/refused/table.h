/* The table of refusals: a line says how one public call is made, argument by argument. Each kind of argument is a macro, which is once the description of the
 * argument and once what the call is given.
 *   V(name, rows, cols, flags)   a view; A(...) an array of a typed call, then LD(name, rows) or INC(name)
 *   PUT(name, flags)             a place in host memory for a result
 *   L(name, letters), E(type, name, values)  a letter, a member of an enum; the first value is the one that uses all operands. LX, EX: with others some may be left
 *                                alone, or have another shape
 *   N(name, size, wrong)         a number, and some that it must not be; SEL(name) a selection of eigenvalues
 *   Z, S, D                      a scalar: of a call on views, of a typed call, real
 * Sizes: m n k, the band's width b, p elements of a packed triangle, digits, and sums of these. Flags: w it is written; L U a triangle; i indices, r the real type, o the
 * other precision, d double; ? it may be missing; = it may be the same as another;
 * * of any type; 0 without a matrix it has the wrong shape. */
#ifndef REFUSED_TABLE_H
#define REFUSED_TABLE_H

#include <complex.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "context/context.h"
#include "tap.h"

enum { MOST = 24, WORDS = 16 };

typedef enum kind { VIEW, ARRAY, LEAD, STEP, PLACE, LETTER, MEMBER, NUMBER, SELECTION, SCALAR, REAL } kind;

typedef struct argument {
    kind kind;
    const char *name, *rows, *cols, *flags; /* flags: of a letter all of them, of a member of an enum digits, of a number wrong ones */
    bool lax;
} argument;

typedef union value {
    tsl_view v;
    tsl_scalar z;
    int64_t i;
    char c;
    void *p;
} value;

typedef struct line {
    const char *name;
    const char *types; /* of a typed call its own */
    bool typed;
    tsl_status (*call)(tsl_context *x, const value *end); /* past the last argument */
    const argument *arguments;
    int count;
    const char *function; /* of a typed call its whole name */
} line;

/* views.c, typed.c: ends with a line without a name */
extern const line refused_views[], refused_typed[];

static inline bool has(const argument *a, char flag) { return strchr(a->flags, flag) != NULL; }

#endif
