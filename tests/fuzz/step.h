/* One random operation: what it should give, by hand; and the call itself, on views or in its typed form. */
#ifndef FUZZ_STEP_H
#define FUZZ_STEP_H

#include "world.h"

typedef enum kind {
    GEMM, GEMMT, SYMM, HEMM, SYRK, HERK, SYR2K, HER2K, TRMM, TRSM, COPY, SCALE, EXPAND, GEADD, LASET, POTRF, POTRS, POSV, TRTRI, LAUUM, POTRI,
    GETRF, GETRS, GESV, GETRI, /* on one device; all others on tiles too */
    GEMV, SYMV, HEMV, GER, TRMV, TRSV, SYR, HER, SYR2, HER2, AXPY, SCAL, SWAP, DOT, NRM2, ASUM, IAMAX, NORM, KINDS
} kind;
static const char *const kind_name[KINDS] = {"gemm", "gemmt", "symm", "hemm", "syrk", "herk", "syr2k", "her2k", "trmm", "trsm", "copy",
    "scale", "expand", "geadd", "laset", "potrf", "potrs", "posv", "trtri", "lauum", "potri", "getrf", "getrs", "gesv", "getri", "gemv", "symv", "hemv", "ger", "trmv", "trsv", "syr", "her",
    "syr2", "her2", "axpy", "scal", "swap", "dot", "nrm2", "asum", "iamax", "norm"};

/* A block of a thing, in the coordinates of its storage, and how it is seen. */
typedef struct block {
    int of;
    int64_t i, j, m, n;
    tsl_op op;
    tsl_uplo uplo;
    tsl_diag diag;
} block;

typedef struct step {
    kind what;
    tsl_side side;
    tsl_scalar alpha, beta;
    block b[3];
    int blocks, out; /* out: how many of the last are written */
    int matrix;      /* level 2: which is no vector */
    tsl_structure structure;
    tsl_norm_kind norm;
    tsl_op op;         /* getrs */
    int64_t shift;     /* LU: which rows are exchanged first */
    tsl_scalar number; /* of a reduction */
    int64_t info;
} step;

static inline int64_t seen_m(const block *b) { return b->op & 1 ? b->n : b->m; }
static inline int64_t seen_n(const block *b) { return b->op & 1 ? b->m : b->n; }
static inline tsl_uplo seen_half(const block *b) { return b->uplo && b->op & 1 ? (tsl_uplo)(3 - b->uplo) : b->uplo; }

static inline tsl_view view_of(world *w, const block *b)
{
    tsl_view v = tsl_sub(tsl_whole(w->thing[b->of].mat), b->i, b->j, b->m, b->n);
    v.op = b->op, v.uplo = b->uplo, v.diag = b->diag;
    return v;
}

/* The block as seen, whole or for what its triangle stands for. */
static inline plain look(world *w, const block *b, shape s)
{
    plain stored = plain_make(b->m, b->n);
    for (int64_t j = 0; j < b->n; j++)
        for (int64_t i = 0; i < b->m; i++) *plain_at(&stored, i, j) = *plain_at(&w->thing[b->of].truth, b->i + i, b->j + j);
    plain turned = plain_op(&stored, b->op), all = plain_whole(&turned, s, seen_half(b), b->diag);
    plain_free(&stored), plain_free(&turned);
    return all;
}

/* A vector, row or column, as a column. */
static inline plain column(world *w, const block *b)
{
    plain p = look(w, b, AS_IS);
    p.m *= p.n;
    p.n = 1;
    return p;
}

static inline bool by_vectors(kind k) { return k >= GEMV && k <= HER2; }

/* An operand of a product: level 2's are columns but for the matrix. */
static inline plain factor(world *w, const step *s, const block *b)
{
    return by_vectors(s->what) && (b->m == 1 || b->n == 1) && b != &s->b[s->matrix] ? column(w, b) : look(w, b, AS_IS);
}

/* The other way: into the truth, as far as the block's triangle goes; a unit diagonal is left alone. */
static inline void commit(world *w, const block *b, plain *p)
{
    tsl_uplo half = seen_half(b);
    p->m = seen_m(b), p->n = seen_n(b); /* a vector has its own direction again */
    for (int64_t j = 0; j < p->n; j++)
        for (int64_t i = 0; i < p->m; i++) {
            if (half && (half == TSL_LOWER ? i < j : i > j)) continue;
            if (half && b->diag == TSL_UNIT && i == j) continue;
            tsl_scalar v = *plain_at(p, i, j);
            if (b->op & 2) v = conj(v);
            if (w->t == TSL_S || w->t == TSL_D) v = creal(v);
            *plain_at(&w->thing[b->of].truth, b->i + (b->op & 1 ? j : i), b->j + (b->op & 1 ? i : j)) = v;
        }
}

/* ---- LU: the rows of a dominant matrix are exchanged by laswp, so that there are pivots to be found, then it is factored, and
 * so on. ---- */

static inline bool by_lu(kind k) { return k >= GETRF && k <= GETRI; }

enum { MOST = 256 };

static inline void exchanges(const step *s, int64_t *p)
{
    int64_t n = s->b[0].n;
    for (int64_t i = 0; i < n; i++) p[i] = 1 + i + (i * 7 + s->shift) % (n - i);
}

static inline void exchange_rows(plain *A, int64_t i, int64_t k)
{
    for (int64_t j = 0; j < A->n && i != k; j++) {
        tsl_scalar t = *plain_at(A, i, j);
        *plain_at(A, i, j) = *plain_at(A, k, j), *plain_at(A, k, j) = t;
    }
}

static inline plain exchanged(world *w, const step *s)
{
    int64_t p[MOST];
    plain a = look(w, &s->b[0], AS_IS);
    exchanges(s, p);
    for (int64_t i = 0; i < a.n; i++) exchange_rows(&a, i, p[i] - 1);
    return a;
}

/* ---- what it should give ---------------------------------------------------------------------------------------------------- */

static inline bool is_herm(kind k) { return k == HERK || k == HER2K || k == HEMM || k == HEMV || k == HER || k == HER2; }

static inline void real_diagonal(plain *p)
{
    for (int64_t i = 0; i < p->m && i < p->n; i++) *plain_at(p, i, i) = creal(*plain_at(p, i, i));
}

/* alpha A op(B) (+ its mirror) + beta C */
static inline plain updated(world *w, const step *s, const block *A, const block *B, const block *C, bool twice, bool herm)
{
    plain c = look(w, C, AS_IS);
    if ((s->alpha == 0 || A->m == 0 || A->n == 0) && s->beta == 1) return c; /* nothing to do: not touched */
    if (herm) real_diagonal(&c);
    plain a = factor(w, s, A), b = factor(w, s, B);
    plain_scale(s->beta, &c);
    if (s->alpha != 0) {
        plain bt = plain_op(&b, herm ? TSL_HERM : TSL_TRANS), at = plain_op(&a, herm ? TSL_HERM : TSL_TRANS);
        plain_product(s->alpha, &a, &bt, &c);
        if (twice) plain_product(herm ? conj(s->alpha) : s->alpha, &b, &at, &c);
        plain_free(&bt), plain_free(&at);
    }
    if (herm) real_diagonal(&c);
    plain_free(&a), plain_free(&b);
    return c;
}

static inline plain times(tsl_scalar alpha, plain A, plain B, tsl_scalar beta, plain C)
{
    plain_scale(beta, &C);
    if (alpha != 0) plain_product(alpha, &A, &B, &C);
    plain_free(&A), plain_free(&B);
    return C;
}

/* inv(A) B or B inv(A) */
static inline plain solved(tsl_side side, plain A, plain B)
{
    if (side == TSL_LEFT) {
        plain_solve(&A, &B);
        plain_free(&A);
        return B;
    }
    plain at = plain_op(&A, TSL_TRANS), bt = plain_op(&B, TSL_TRANS);
    plain_solve(&at, &bt);
    plain c = plain_op(&bt, TSL_TRANS);
    plain_free(&A), plain_free(&B), plain_free(&at), plain_free(&bt);
    return c;
}

static inline plain identity(int64_t n)
{
    plain p = plain_make(n, n);
    for (int64_t i = 0; i < n; i++) *plain_at(&p, i, i) = 1;
    return p;
}

/* F F^H of a lower factor, F^H F of an upper one */
static inline plain multiplied(const block *F, plain f)
{
    plain h = plain_op(&f, TSL_HERM), c = plain_make(f.m, f.n);
    if (seen_half(F) == TSL_LOWER) plain_product(1, &f, &h, &c);
    else plain_product(1, &h, &f, &c);
    plain_free(&f), plain_free(&h);
    return c;
}

static inline plain factored(world *w, step *s, const block *A)
{
    plain a = look(w, A, HERMITIAN);
    s->info = plain_cholesky(&a);
    if (seen_half(A) == TSL_LOWER) return a;
    plain u = plain_op(&a, TSL_HERM);
    plain_free(&a);
    return u;
}

static inline double reduced(const step *s, const plain *p)
{
    double sum = 0, most = 0;
    for (int64_t j = 0; j < p->n; j++) {
        double column = 0;
        for (int64_t i = 0; i < p->m; i++) {
            tsl_scalar v = *plain_at(p, i, j);
            double size = s->what == ASUM || s->what == IAMAX ? fabs(creal(v)) + fabs(cimag(v)) : cabs(v);
            column += size;
            sum += s->what == ASUM ? size : size * size;
            if (s->norm == TSL_NORM_MAX) most = tsl_larger(most, size);
        }
        if (s->norm == TSL_NORM_ONE) most = tsl_larger(most, column);
    }
    for (int64_t i = 0; i < p->m && s->norm == TSL_NORM_INF; i++) {
        double row = 0;
        for (int64_t j = 0; j < p->n; j++) row += cabs(*plain_at(p, i, j));
        most = tsl_larger(most, row);
    }
    if (s->what == NRM2) return sqrt(sum);
    if (s->what == ASUM) return sum;
    return s->norm == TSL_NORM_FRO ? sqrt(sum) : most;
}

/* Results in the order of the written blocks, which are the last; for a reduction s->number. */
static inline void expect(world *w, step *s, plain out[2])
{
    const block *A = &s->b[0], *B = &s->b[1], *C = &s->b[2];
    shape whole = s->what == HEMM || s->what == HEMV ? HERMITIAN : SYMMETRIC;
    bool left = s->side == TSL_LEFT;
    switch (s->what) {
    case GEMM: case GEMMT: case GEMV: out[0] = times(s->alpha, look(w, A, AS_IS), factor(w, s, B), s->beta, factor(w, s, C)); break;
    case SYMM: case HEMM: case SYMV: case HEMV:
        out[0] = left ? times(s->alpha, look(w, A, whole), factor(w, s, B), s->beta, factor(w, s, C))
                      : times(s->alpha, look(w, B, AS_IS), look(w, A, whole), s->beta, look(w, C, AS_IS));
        break;
    case SYRK: case HERK: case SYR: case HER: out[0] = updated(w, s, A, A, B, false, is_herm(s->what)); break;
    case SYR2K: case HER2K: case SYR2: case HER2: out[0] = updated(w, s, A, B, C, true, is_herm(s->what)); break;
    case GER: out[0] = updated(w, s, A, B, C, false, false); break;
    case TRMM: case TRMV: {
        plain b = factor(w, s, B), none = plain_make(b.m, b.n);
        out[0] = left ? times(s->alpha, look(w, A, TRIANGLE), b, 1, none)
                      : times(s->alpha, b, look(w, A, TRIANGLE), 1, none);
        break;
    }
    case TRSM: case TRSV: out[0] = solved(s->side, look(w, A, TRIANGLE), factor(w, s, B)), plain_scale(s->alpha, &out[0]); break;
    case COPY: out[0] = look(w, A, AS_IS); break;
    case SCALE: case SCAL: out[0] = look(w, A, AS_IS), plain_scale(s->alpha, &out[0]); break;
    case EXPAND: out[0] = look(w, A, s->structure == TSL_SYMMETRIC ? SYMMETRIC : s->structure == TSL_HERMITIAN ? HERMITIAN : TRIANGLE); break;
    case LASET:
        out[0] = look(w, A, AS_IS);
        for (int64_t k = 0; k < out[0].m * out[0].n; k++) out[0].a[k] = k % out[0].m == k / out[0].m ? s->beta : s->alpha;
        break;
    case AXPY: case GEADD: out[0] = look(w, B, AS_IS); {
        if (s->what == GEADD) plain_scale(s->beta, &out[0]);
        plain x = look(w, A, AS_IS);
        for (int64_t k = 0; k < x.m * x.n; k++) out[0].a[k] += s->alpha * x.a[k];
        plain_free(&x);
        break;
    }
    case SWAP: out[0] = look(w, B, AS_IS), out[1] = look(w, A, AS_IS); break;
    case POTRF: out[0] = factored(w, s, A); break;
    case POSV: {
        plain a = look(w, A, HERMITIAN);
        out[0] = factored(w, s, A);
        out[1] = s->info ? (plain_free(&a), look(w, B, AS_IS)) : solved(TSL_LEFT, a, look(w, B, AS_IS));
        break;
    }
    case POTRS: out[0] = solved(TSL_LEFT, multiplied(A, look(w, A, TRIANGLE)), look(w, B, AS_IS)); break;
    case TRTRI: out[0] = solved(TSL_LEFT, look(w, A, TRIANGLE), identity(A->n)); break;
    case LAUUM: { /* L^H L, U U^H: what the other triangle's factor would give */
        block other = *A;
        other.uplo = (tsl_uplo)(3 - A->uplo);
        out[0] = multiplied(&other, look(w, A, TRIANGLE));
        break;
    }
    case POTRI: out[0] = solved(TSL_LEFT, multiplied(A, look(w, A, TRIANGLE)), identity(A->n)); break;
    case GETRI: out[0] = solved(TSL_LEFT, exchanged(w, s), identity(A->n)); break;
    case GETRF: case GETRS: case GESV: {
        plain a = exchanged(w, s);
        out[0] = plain_copy(&a);
        plain_lu(&out[0]);
        if (s->what != GETRF) out[1] = solved(TSL_LEFT, plain_op(&a, s->op), look(w, B, AS_IS));
        plain_free(&a);
        break;
    }
    default: {
        plain a = look(w, A, s->what != NORM || !A->uplo ? AS_IS : s->structure == TSL_SYMMETRIC ? SYMMETRIC : s->structure == TSL_HERMITIAN ? HERMITIAN : TRIANGLE);
        if (s->what == DOT) {
            plain b = look(w, B, AS_IS);
            s->number = 0;
            for (int64_t k = 0; k < a.m * a.n; k++) s->number += a.a[k] * b.a[k];
            plain_free(&b);
        } else {
            s->number = reduced(s, &a);
        }
        plain_free(&a);
    }
    }
}

static inline tsl_status lu_views(world *w, const step *s, tsl_view a, tsl_view b, int64_t *info)
{
    int64_t q[MOST], n = s->b[0].n;
    tsl_matrix *rows = NULL, *pivots = NULL;
    tsl_view A = a;
    exchanges(s, q);
    A.op = s->op;
    tsl_status st = tsl_matrix_wrap(w->x, TSL_INDEX, n, 1, q, n > 0 ? n : 1, &rows);
    if (!st) st = tsl_matrix_create(w->x, TSL_INDEX, n, 1, &pivots);
    if (!st) st = tsl_laswp(w->x, a, tsl_whole(rows), 0);
    if (!st && s->what != GESV) st = tsl_getrf(w->x, a, tsl_whole(pivots), info);
    if (!st && s->what == GETRS) st = tsl_getrs(w->x, A, tsl_whole(pivots), b);
    if (!st && s->what == GESV) st = tsl_gesv(w->x, a, tsl_whole(pivots), b, info);
    if (!st && s->what == GETRI) st = tsl_getri(w->x, a, tsl_whole(pivots), info);
    tsl_matrix_free(rows), tsl_matrix_free(pivots);
    return st;
}

/* ---- the call on views ------------------------------------------------------------------------------------------------------ */

static inline tsl_status call_views(world *w, const step *s, int64_t *info, tsl_scalar *number)
{
    tsl_view a = view_of(w, &s->b[0]), b = s->blocks > 1 ? view_of(w, &s->b[1]) : a, c = s->blocks > 2 ? view_of(w, &s->b[2]) : b;
    tsl_context *x = w->x;
    double r = 0;
    int64_t place = 0;
    tsl_status st;
    switch (s->what) {
    case GEMM: return tsl_gemm(x, s->alpha, a, b, s->beta, c);
    case GEMMT: return tsl_gemmt(x, s->alpha, a, b, s->beta, c);
    case SYMM: return tsl_symm(x, s->side, s->alpha, a, b, s->beta, c);
    case HEMM: return tsl_hemm(x, s->side, s->alpha, a, b, s->beta, c);
    case SYRK: return tsl_syrk(x, s->alpha, a, s->beta, b);
    case HERK: return tsl_herk(x, creal(s->alpha), a, creal(s->beta), b);
    case SYR2K: return tsl_syr2k(x, s->alpha, a, b, s->beta, c);
    case HER2K: return tsl_her2k(x, s->alpha, a, b, creal(s->beta), c);
    case TRMM: return tsl_trmm(x, s->side, s->alpha, a, b);
    case TRSM: return tsl_trsm(x, s->side, s->alpha, a, b);
    case COPY: return tsl_copy(x, a, b);
    case SCALE: return tsl_scale(x, s->alpha, a);
    case EXPAND: return tsl_expand(x, s->structure, a, b);
    case GEADD: return tsl_geadd(x, s->alpha, a, s->beta, b);
    case LASET: return tsl_laset(x, s->alpha, s->beta, a);
    case POTRF: return tsl_potrf(x, a, info);
    case POTRS: return tsl_potrs(x, a, b);
    case POSV: return tsl_posv(x, a, b, info);
    case TRTRI: return tsl_trtri(x, a, info);
    case LAUUM: return tsl_lauum(x, a);
    case POTRI: return tsl_potri(x, a, info);
    case GETRF: case GETRS: case GESV: case GETRI: return lu_views(w, s, a, b, info);
    case GEMV: return tsl_gemv(x, s->alpha, a, b, s->beta, c);
    case SYMV: return tsl_symv(x, s->alpha, a, b, s->beta, c);
    case HEMV: return tsl_hemv(x, s->alpha, a, b, s->beta, c);
    case GER: return tsl_ger(x, s->alpha, a, b, c);
    case TRMV: return tsl_trmv(x, a, b);
    case TRSV: return tsl_trsv(x, a, b);
    case SYR: return tsl_syr(x, s->alpha, a, b);
    case HER: return tsl_her(x, creal(s->alpha), a, b);
    case SYR2: return tsl_syr2(x, s->alpha, a, b, c);
    case HER2: return tsl_her2(x, s->alpha, a, b, c);
    case AXPY: return tsl_axpy(x, s->alpha, a, b);
    case SCAL: return tsl_scal(x, s->alpha, a);
    case SWAP: return tsl_swap(x, a, b);
    case DOT: return tsl_dot(x, a, b, number);
    case NRM2: st = tsl_nrm2(x, a, &r); break;
    case ASUM: st = tsl_asum(x, a, &r); break;
    case NORM: st = tsl_norm(x, s->norm, s->structure, a, &r); break;
    default: st = tsl_iamax(x, a, &place), r = (double)place;
    }
    *number = r;
    return st;
}

#endif
