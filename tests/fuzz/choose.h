/* Draws a step that is legal: shapes fit, what is written overlaps nothing else, triangles that are solved with are dominant. */
#ifndef FUZZ_CHOOSE_H
#define FUZZ_CHOOSE_H

#include "step.h"

static inline int64_t size(world *w) { return chance(w, 12) ? 0 : chance(w, 4) ? tsl_min(w->n, 1 + below(w, 5)) : below(w, w->n + 1); }
static inline tsl_op any_op(world *w) { return chance(w, 2) ? TSL_NOTRANS : (tsl_op)below(w, 4); }
static inline tsl_uplo any_half(world *w) { return chance(w, 2) ? TSL_LOWER : TSL_UPPER; }

/* m x n as seen, anywhere in a thing */
static inline block anywhere(world *w, int of, int64_t m, int64_t n, tsl_op op)
{
    block b = {.of = of, .m = op & 1 ? n : m, .n = op & 1 ? m : n, .op = op};
    b.i = below(w, w->n - b.m + 1);
    b.j = below(w, w->n - b.n + 1);
    return b;
}

static inline bool clash(const block *a, const block *b)
{
    return a->of == b->of && a->i < b->i + b->m && b->i < a->i + a->m && a->j < b->j + b->n && b->j < a->j + a->n;
}

/* A block to write: of a general thing. */
static inline block written(world *w, int64_t m, int64_t n, tsl_op op) { return anywhere(w, 2 + (int)below(w, THINGS - 2), m, n, op); }

/* A block to read, of any thing with known contents, apart from all given. */
static inline bool read_apart(world *w, block *b, int64_t m, int64_t n, const block *out, int outs)
{
    for (int tries = 0; tries < 30; tries++) {
        *b = anywhere(w, (int)below(w, THINGS), m, n, any_op(w));
        bool good = w->thing[b->of].state != UNKNOWN;
        for (int k = 0; k < outs; k++) good = good && !clash(b, &out[k]);
        if (good) return true;
    }
    return false;
}

static inline bool vector_apart(world *w, block *b, int64_t n, const block *out, int outs)
{
    bool found = chance(w, 2) ? read_apart(w, b, n, 1, out, outs) : read_apart(w, b, 1, n, out, outs);
    b->op = (tsl_op)(b->op & (chance(w, 2) ? 3 : 0));
    return found && (b->m == 1 || b->n == 1);
}

/* A triangle that can be solved with: on the diagonal of a dominant matrix, or of a factor. */
static inline bool solvable(world *w, block *b, int64_t n)
{
    int of = chance(w, 2) ? TRI : SPD;
    const thing *s = &w->thing[of];
    if (s->state != DOMINANT && s->state != FACTOR) return false;
    *b = anywhere(w, of, n, n, any_op(w));
    b->j = b->i;
    b->uplo = s->state == FACTOR ? s->half : any_half(w);
    b->diag = n <= 5 && chance(w, 4) ? TSL_UNIT : TSL_NONUNIT;
    return true;
}

/* All of a thing in this state. */
static inline bool all_of(world *w, block *b, int of, state s)
{
    if (w->thing[of].state != s) return false;
    *b = (block){.of = of, .m = w->n, .n = w->n, .op = any_op(w), .uplo = s == FACTOR ? w->thing[of].half : any_half(w)};
    return true;
}

static inline tsl_scalar factor_of(world *w, bool complex_too)
{
    double scale = 1 / (2.0 * (double)w->n + 2), re = (double)(1 + below(w, 16)) / 16, im = (double)below(w, 16) / 16;
    if (chance(w, 10)) return 0;
    return scale * (complex_too && tsl_is_complex(w->t) && chance(w, 2) ? CMPLX(re, im) : chance(w, 2) ? re : -re);
}

static inline tsl_scalar beta_of(world *w, bool complex_too)
{
    static const double some[] = {0, 1, 1, 0.5, -0.25};
    double re = ONE_OF(w, some);
    return complex_too && tsl_is_complex(w->t) && chance(w, 4) ? CMPLX(re, 0.5) : re;
}

static inline bool level3(world *w, step *s)
{
    int64_t m = size(w), n = size(w), k = size(w);
    bool herm = is_herm(s->what), square = s->what != GEMM && s->what != SYMM && s->what != HEMM;
    s->alpha = factor_of(w, s->what != HERK);
    s->beta = beta_of(w, s->what != HERK && s->what != HER2K);
    s->side = s->what == SYMM || s->what == HEMM ? (tsl_side)below(w, 2) : TSL_LEFT;
    s->blocks = s->what == SYRK || s->what == HERK ? 2 : 3, s->out = 1;
    block *C = &s->b[s->blocks - 1];
    if (square) m = n;
    *C = written(w, m, n, any_op(w));
    if (square) C->uplo = any_half(w);
    if (herm && square && chance(w, 2)) C->op = TSL_NOTRANS;
    if (s->what == SYMM || s->what == HEMM) {
        int64_t order = s->side == TSL_LEFT ? m : n;
        if (!read_apart(w, &s->b[0], order, order, C, 1) || !read_apart(w, &s->b[1], m, n, C, 1)) return false;
        s->b[0].uplo = any_half(w);
        return true;
    }
    bool product = s->what == GEMM || s->what == GEMMT;
    if (!read_apart(w, &s->b[0], m, k, C, 1)) return false;
    return s->blocks == 2 || (product ? read_apart(w, &s->b[1], k, n, C, 1) : read_apart(w, &s->b[1], n, k, C, 1));
}

static inline bool triangular(world *w, step *s)
{
    int64_t m = size(w), n = size(w);
    s->blocks = 2, s->out = 1;
    s->side = (tsl_side)below(w, 2);
    s->alpha = s->what == TRMM ? factor_of(w, true) : beta_of(w, true);
    s->b[1] = written(w, m, n, any_op(w));
    return solvable(w, &s->b[0], s->side == TSL_LEFT ? m : n);
}

static inline bool lapack(world *w, step *s)
{
    bool system = s->what == POTRS || s->what == POSV;
    s->blocks = system ? 2 : 1;
    s->out = s->what == POSV ? 2 : 1;
    if (system) s->b[1] = written(w, w->n, size(w), any_op(w));
    if (s->what == POTRF || s->what == POSV)
        return all_of(w, &s->b[0], SPD, w->thing[SPD].state == INDEFINITE ? INDEFINITE : DOMINANT);
    if (s->what == TRTRI && chance(w, 2)) return all_of(w, &s->b[0], TRI, DOMINANT);
    return all_of(w, &s->b[0], SPD, FACTOR);
}

/* The pivots of the call must outlive it, so not in a region; and in one piece, so where there is room. */
static inline bool lu(world *w, step *s)
{
    bool system = s->what == GETRS || s->what == GESV;
    s->blocks = s->out = system ? 2 : 1;
    s->op = s->what == GETRS ? any_op(w) : TSL_NOTRANS;
    s->shift = below(w, 100);
    if (w->region || w->limited || w->n > MOST || !all_of(w, &s->b[0], TRI, DOMINANT)) return false;
    s->b[0].op = TSL_NOTRANS, s->b[0].uplo = TSL_GENERAL;
    if (system) s->b[1] = written(w, w->n, size(w), any_op(w));
    for (int k = 0; k < s->blocks; k++)
        if (w->thing[s->b[k].of].place >= TILED_HOST) return false;
    return true;
}

static inline bool level2(world *w, step *s)
{
    int64_t m = size(w), n = size(w);
    bool updates = s->what == GER || s->what == SYR || s->what == HER || s->what == SYR2 || s->what == HER2;
    s->out = 1;
    s->alpha = factor_of(w, s->what != HER);
    if (updates) {
        s->beta = 1;
        s->blocks = s->what == SYR || s->what == HER ? 2 : 3;
        s->matrix = s->blocks - 1;
        block *A = &s->b[s->matrix];
        *A = written(w, s->what == GER ? m : n, n, any_op(w));
        if (s->what != GER) A->uplo = any_half(w);
        if (!vector_apart(w, &s->b[0], s->what == GER ? m : n, A, 1)) return false;
        return s->blocks == 2 || vector_apart(w, &s->b[1], n, A, 1);
    }
    s->matrix = 0;
    if (s->what == TRMV || s->what == TRSV) {
        s->blocks = 2;
        s->alpha = 1;
        s->b[1] = chance(w, 2) ? written(w, n, 1, TSL_NOTRANS) : written(w, 1, n, TSL_NOTRANS);
        return (s->b[1].m == 1 || s->b[1].n == 1) && solvable(w, &s->b[0], n);
    }
    if (s->what != GEMV) m = n;
    if (s->what == GEMV && (m == 0 || n == 0)) return false; /* y is left alone then */
    s->blocks = 3;
    s->beta = beta_of(w, true);
    s->b[2] = chance(w, 2) ? written(w, m, 1, TSL_NOTRANS) : written(w, 1, m, TSL_NOTRANS);
    if (!read_apart(w, &s->b[0], m, n, &s->b[2], 1) || !vector_apart(w, &s->b[1], n, &s->b[2], 1)) return false;
    if (s->what != GEMV) s->b[0].uplo = any_half(w);
    return s->b[2].m == 1 || s->b[2].n == 1;
}

static inline bool level1(world *w, step *s)
{
    int64_t n = size(w);
    s->alpha = beta_of(w, true);
    s->norm = s->what == NORM ? (tsl_norm_kind)below(w, 4) : TSL_NORM_MAX;
    if (s->what == NORM) {
        s->blocks = 1;
        s->structure = TSL_TRIANGULAR;
        if (chance(w, 2)) return read_apart(w, &s->b[0], size(w), n, NULL, 0);
        s->structure = (tsl_structure)below(w, 3);
        if (!read_apart(w, &s->b[0], n, n, NULL, 0)) return false;
        s->b[0].uplo = any_half(w);
        return true;
    }
    bool two = s->what == AXPY || s->what == SWAP || s->what == DOT;
    s->blocks = two ? 2 : 1;
    s->out = s->what == SWAP ? 2 : s->what == AXPY || s->what == SCAL ? 1 : 0;
    block *last = &s->b[s->blocks - 1];
    if (s->out) *last = chance(w, 2) ? written(w, n, 1, TSL_NOTRANS) : written(w, 1, n, TSL_NOTRANS);
    else if (!vector_apart(w, last, n, NULL, 0)) return false;
    if (s->out == 2) { /* another general thing */
        bool across = last->m == 1;
        s->b[0] = across ? written(w, 1, n, TSL_NOTRANS) : written(w, n, 1, TSL_NOTRANS);
        if (clash(&s->b[0], last)) return false;
    } else if (two && !vector_apart(w, &s->b[0], n, last, s->out)) {
        return false;
    }
    for (int k = 0; k < s->blocks; k++)
        if (s->b[k].m != 1 && s->b[k].n != 1) return false;
    return true;
}

static inline bool choose(world *w, step *s)
{
    *s = (step){.what = (kind)below(w, KINDS)};
    switch (s->what) {
    case COPY: case EXPAND: case GEADD: {
        int64_t m = size(w), n = s->what == EXPAND ? m : size(w);
        s->blocks = 2, s->out = 1;
        s->b[1] = written(w, m, n, any_op(w));
        if (!read_apart(w, &s->b[0], m, n, &s->b[1], 1)) return false;
        s->structure = (tsl_structure)below(w, 3);
        s->alpha = s->what == GEADD ? beta_of(w, true) : 0;
        s->beta = s->what == GEADD ? beta_of(w, true) : 0;
        if (s->what == EXPAND) s->b[0].uplo = any_half(w);
        return true;
    }
    case SCALE: case LASET:
        s->blocks = s->out = 1;
        s->alpha = beta_of(w, true);
        s->beta = beta_of(w, true);
        s->b[0] = written(w, size(w), size(w), any_op(w));
        if (s->b[0].m == s->b[0].n && chance(w, 2)) s->b[0].uplo = any_half(w);
        return true;
    case TRMM: case TRSM: return triangular(w, s);
    case POTRF: case POTRS: case POSV: case TRTRI: case LAUUM: case POTRI: return lapack(w, s);
    case GETRF: case GETRS: case GESV: case GETRI: return lu(w, s);
    default:
        if (s->what >= GEMV && w->n == 0) return false; /* no room for a column */
        return s->what < COPY ? level3(w, s) : s->what <= HER2 ? level2(w, s) : level1(w, s);
    }
}

#endif
