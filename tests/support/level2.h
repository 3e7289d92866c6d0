/* One level-2 problem: its operands on the host among canaries, its call each way into the library, and a naive reference. */
#ifndef LEVEL2_H
#define LEVEL2_H

#include "ops/ops.h"
#include "job.h"

typedef enum family { PRODUCT, UPDATE, TRIANGULAR } family;
typedef enum shape { WHOLE, SYMMETRIC, HERMITIAN, TRIANGLE } shape;

typedef struct problem {
    tsl_opcode op;
    tsl_type t;
    int64_t m, n, kl, ku; /* as BLAS takes them; kl is the k of sbmv, hbmv, tbmv, tbsv */
    tsl_op trans;         /* what the matrix is seen through */
    tsl_uplo uplo;        /* as stored */
    tsl_diag diag;
    tsl_op opx, opy;
    int64_t incx, incy;
    tsl_scalar alpha, beta;
    dense A, x, y;
} problem;

/* A pointer and its leading dimension or increment. */
typedef struct slot {
    void *p;
    int64_t ld;
} slot;

static inline family family_of(tsl_opcode op)
{
    const char *name = tsl_ops[op].name;
    return name[0] == 't' ? TRIANGULAR : strstr(name, "mv") ? PRODUCT : UPDATE;
}

static inline tsl_storage storage_of(tsl_opcode op)
{
    char c = tsl_ops[op].name[1];
    return c == 'b' ? TSL_BAND : c == 'p' ? TSL_PACKED : TSL_DENSE;
}

static inline shape shape_of(tsl_opcode op)
{
    char c = tsl_ops[op].name[0];
    return c == 'g' ? WHOLE : c == 's' ? SYMMETRIC : c == 'h' ? HERMITIAN : TRIANGLE;
}

static inline int has_y(tsl_opcode op) { return tsl_ops[op].operands == 3; }

/* ---- the matrix, element by element ------------------------------------------------------------------------------------- */

static inline int64_t rows_of(const problem *p) { return shape_of(p->op) == WHOLE ? p->m : p->n; }

/* Is the element stored, and read? */
static inline int referenced(const problem *p, int64_t i, int64_t j)
{
    int whole = shape_of(p->op) == WHOLE;
    int64_t below = whole || p->uplo == TSL_LOWER ? p->kl : 0, above = whole ? p->ku : p->uplo == TSL_UPPER ? p->kl : 0;
    if (storage_of(p->op) == TSL_BAND && (i - j > below || j - i > above)) return 0;
    if (whole) return 1;
    return in_triangle(p->uplo, i, j) && !(p->diag == TSL_UNIT && i == j);
}

/* Where BLAS stores it, as an element of the array A. */
static inline void locate(const problem *p, int64_t i, int64_t j, int64_t *r, int64_t *c)
{
    *r = i, *c = j;
    if (storage_of(p->op) == TSL_BAND) *r = i - j + (shape_of(p->op) == WHOLE ? p->ku : p->uplo == TSL_UPPER ? p->kl : 0);
    if (storage_of(p->op) == TSL_PACKED)
        *r = p->uplo == TSL_UPPER ? i + j * (j + 1) / 2 : i + j * (2 * p->n - j - 1) / 2, *c = 0;
}

static inline tsl_scalar stored(const problem *p, const dense *A, int64_t i, int64_t j)
{
    int64_t r, c;
    locate(p, i, j, &r, &c);
    return dense_get(A, r, c);
}

static inline int is_hermitian(const problem *p) { return shape_of(p->op) == HERMITIAN && tsl_is_complex(p->t); }

/* The matrix that is stored, and what is seen of it. */
static inline tsl_scalar element(const problem *p, const dense *A, int64_t i, int64_t j)
{
    shape s = shape_of(p->op);
    int mirrored = (s == SYMMETRIC || s == HERMITIAN) && !in_triangle(p->uplo, i, j);
    if (s == TRIANGLE && p->diag == TSL_UNIT && i == j) return 1;
    if (!referenced(p, mirrored ? j : i, mirrored ? i : j)) return 0;
    tsl_scalar v = mirrored ? stored(p, A, j, i) : stored(p, A, i, j);
    return !is_hermitian(p) ? v : i == j ? creal(v) : mirrored ? conj(v) : v;
}

static inline tsl_scalar through(tsl_op op, tsl_scalar v) { return op & TSL_CONJ ? conj(v) : v; }

static inline tsl_scalar seen_element(const problem *p, const dense *A, int64_t i, int64_t j)
{
    return through(p->trans, p->trans & TSL_TRANS ? element(p, A, j, i) : element(p, A, i, j));
}

/* ---- vectors ------------------------------------------------------------------------------------------------------------ */

static inline int64_t length_x(const problem *p)
{
    int turn = p->trans & TSL_TRANS;
    return family_of(p->op) == PRODUCT ? (turn ? rows_of(p) : p->n) : turn ? p->n : rows_of(p);
}

static inline int64_t length_y(const problem *p) { return rows_of(p) + p->n - length_x(p); }

/* A column, or a row of an array whose leading dimension is the increment. */
static inline dense make_vector(tsl_type t, int64_t n, int64_t inc, int canary)
{
    int64_t step = inc < 0 ? -inc : inc;
    dense d = step == 1 ? dense_make(t, n, 1, canary) : (dense){t, 1, n, step, n + 2, 0, NULL};
    if (d.data) return d;
    d.bytes = (size_t)(d.ld * d.cols) * tsl_type_size(t);
    d.data = malloc(d.bytes);
    if (!d.data) abort();
    memset(d.data, canary, d.bytes);
    return d;
}

static inline void vector_place(const dense *d, int64_t inc, int64_t i, int64_t *r, int64_t *c)
{
    int64_t n = inc == 1 || inc == -1 ? d->m : d->n, at = inc < 0 ? n - 1 - i : i;
    *r = inc == 1 || inc == -1 ? at : 0;
    *c = inc == 1 || inc == -1 ? 0 : at;
}

static inline tsl_scalar entry(const dense *d, int64_t inc, tsl_op op, int64_t i)
{
    int64_t r, c;
    vector_place(d, inc, i, &r, &c);
    return through(op, dense_get(d, r, c));
}

/* ---- calls -------------------------------------------------------------------------------------------------------------- */

#define FN(name) PASTE3(typed_, P, name)
#define CALL(name) PASTE3(tsl_, P, name)
#define BODY "tests/support/level2.inc"
#include "core/types.inc"
#undef FN
#undef CALL
#undef BODY

static inline tsl_status call_typed(tsl_context *x, const problem *p, const slot *A, const slot *X, const slot *Y)
{
    static tsl_status (*const calls[])(tsl_context *, const problem *, const slot *, const slot *, const slot *) = {
        typed_scall, typed_dcall, typed_ccall, typed_zcall};
    return calls[p->t](x, p, A, X, Y);
}

static inline tsl_status call_views(tsl_context *c, const problem *p, tsl_view A, tsl_view X, tsl_view Y)
{
    const tsl_scalar alpha = p->alpha, beta = p->beta;
    const int64_t n = p->n, k = p->kl;
    switch (p->op) {
    case TSL_OP_GEMV: return tsl_gemv(c, alpha, A, X, beta, Y);
    case TSL_OP_SYMV: return tsl_symv(c, alpha, A, X, beta, Y);
    case TSL_OP_HEMV: return tsl_hemv(c, alpha, A, X, beta, Y);
    case TSL_OP_GBMV: return tsl_gbmv(c, p->trans, p->m, n, k, p->ku, alpha, A, X, beta, Y);
    case TSL_OP_SBMV: return tsl_sbmv(c, p->uplo, n, k, alpha, A, X, beta, Y);
    case TSL_OP_HBMV: return tsl_hbmv(c, p->uplo, n, k, alpha, A, X, beta, Y);
    case TSL_OP_SPMV: return tsl_spmv(c, p->uplo, n, alpha, A, X, beta, Y);
    case TSL_OP_HPMV: return tsl_hpmv(c, p->uplo, n, alpha, A, X, beta, Y);
    case TSL_OP_GER: return tsl_ger(c, alpha, X, Y, A);
    case TSL_OP_SYR: return tsl_syr(c, alpha, X, A);
    case TSL_OP_HER: return tsl_her(c, creal(alpha), X, A);
    case TSL_OP_SYR2: return tsl_syr2(c, alpha, X, Y, A);
    case TSL_OP_HER2: return tsl_her2(c, alpha, X, Y, A);
    case TSL_OP_SPR: return tsl_spr(c, p->uplo, n, alpha, X, A);
    case TSL_OP_HPR: return tsl_hpr(c, p->uplo, n, creal(alpha), X, A);
    case TSL_OP_SPR2: return tsl_spr2(c, p->uplo, n, alpha, X, Y, A);
    case TSL_OP_HPR2: return tsl_hpr2(c, p->uplo, n, alpha, X, Y, A);
    case TSL_OP_TRMV: return tsl_trmv(c, A, X);
    case TSL_OP_TRSV: return tsl_trsv(c, A, X);
    case TSL_OP_TBMV: return tsl_tbmv(c, p->uplo, p->trans, p->diag, n, k, A, X);
    case TSL_OP_TBSV: return tsl_tbsv(c, p->uplo, p->trans, p->diag, n, k, A, X);
    case TSL_OP_TPMV: return tsl_tpmv(c, p->uplo, p->trans, p->diag, n, A, X);
    case TSL_OP_TPSV: return tsl_tpsv(c, p->uplo, p->trans, p->diag, n, A, X);
    default: return TSL_ERR_OPTION;
    }
}

#endif
