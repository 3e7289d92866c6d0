/* Products by residues (core/numbers/residue.h), plainly: what they are to be, on GPUs too, bit by bit. C is cut into small
 * blocks, and the inner dimension where 32 bits end. */
#include <complex.h>

#include "core/numbers/residue.h"
#include "core/values.h"
#include "kernel/host/leaf.h"

enum { SIDE = 16 }; /* of a block */
enum { RE, IM, SUM, PLANES }; /* of a modulus; real elements have the first */

/* So many lines, rows of op(A) or columns of op(B), of k elements each */
typedef struct lines {
    const tsl_leaf *l;
    bool left;
    int64_t first, count, from, k; /* elements from.. */
    int64_t *integer[2];           /* of real and imaginary parts, k to a line */
    int8_t *residue[PLANES];
    int exponent[SIDE], kind[SIDE];
} lines;

static double complex element(const lines *s, int64_t i, int64_t h)
{
    const tsl_array *a = s->left ? &s->l->A : &s->l->B;
    bool along = s->left == !(a->op & TSL_TRANS); /* lines are rows of what is stored */
    int64_t line = s->first + i, at = s->from + h;
    const char *p = (const char *)a->p + (size_t)(along ? line + at * a->ld : at + line * a->ld) * tsl_type_size(s->l->type);
    double complex v = s->l->type == TSL_S ? *(const float *)p : s->l->type == TSL_D ? *(const double *)p
                     : s->l->type == TSL_C ? *(const tsl_cfloat *)p : *(const tsl_cdouble *)p;
    return a->op & TSL_CONJ ? conj(v) : v;
}

static uint64_t largest_of(const lines *s, int64_t i, int64_t from, int64_t to)
{
    uint64_t largest = 0;
    for (int64_t h = from; h < to; ++h) {
        double complex v = element(s, i, h);
        uint64_t re = tsl_magnitude_bits(creal(v)), im = tsl_magnitude_bits(cimag(v));
        largest = re > largest ? re : largest;
        largest = im > largest ? im : largest;
    }
    return largest;
}

/* Of a finite line, for its E: by pieces, as on GPUs */
static uint64_t squares_of(const lines *s, int64_t i, int E)
{
    uint64_t all = 0;
    for (int64_t from = 0; from < s->k; from += TSL_MEASURED) {
        int64_t to = tsl_min(from + TSL_MEASURED, s->k);
        int own = tsl_line_exponent(largest_of(s, i, from, to));
        uint64_t squares = 0;
        for (int64_t h = from; h < to; ++h) {
            double complex v = element(s, i, h);
            squares += tsl_squared(creal(v), own) + tsl_squared(cimag(v), own);
        }
        all += tsl_squares_for(squares, own, E);
    }
    return all;
}

static void scale(lines *s, const tsl_residues *r)
{
    for (int64_t i = 0; i < s->count; ++i) {
        uint64_t largest = largest_of(s, i, 0, s->k);
        bool finite = tsl_is_finite_bits(largest);
        int E = tsl_line_exponent(largest);
        s->kind[i] = finite ? TSL_LINE_EXACT : TSL_LINE_NATIVE;
        uint64_t squares = finite ? squares_of(s, i, E) : 0;
        s->exponent[i] = tsl_scaling(squares, E, r->limit);
        for (int64_t h = 0; h < s->k; ++h) {
            double complex v = s->kind[i] == TSL_LINE_NATIVE ? 0 : element(s, i, h);
            int e = s->exponent[i];
            s->integer[0][h + i * s->k] = tsl_as_integer(creal(v), e);
            s->integer[1][h + i * s->k] = tsl_as_integer(cimag(v), e);
            if (tsl_is_rounded(creal(v), e) || tsl_is_rounded(cimag(v), e)) s->kind[i] = TSL_LINE_ROUNDED;
        }
    }
}

static void residues(lines *s, int modulus)
{
    for (int64_t h = 0; h < s->count * s->k; ++h) {
        int32_t re = tsl_residue(s->integer[0][h], modulus), im = tsl_residue(s->integer[1][h], modulus);
        s->residue[RE][h] = (int8_t)re, s->residue[IM][h] = (int8_t)im;
        s->residue[SUM][h] = (int8_t)tsl_residue_of_sum(re, im, modulus);
    }
}

static void lows(lines *s, int shift)
{
    for (int64_t h = 0; h < s->count * s->k; ++h) {
        int32_t re = tsl_low(s->integer[0][h], shift), im = tsl_low(s->integer[1][h], shift);
        s->residue[RE][h] = (int8_t)(re > im ? re : im);
    }
}

/* Modulo 2^32 where it goes past that */
static int32_t dot(const lines *A, const lines *B, int plane, int64_t i, int64_t j)
{
    const int8_t *a = A->residue[plane] + i * A->k, *b = B->residue[plane] + j * B->k;
    uint32_t sum = 0;
    for (int64_t h = 0; h < A->k; ++h) sum += (uint32_t)(a[h] * b[h]);
    return (int32_t)sum;
}

/* The element itself, in the order of its terms */
static double complex native(const lines *A, const lines *B, int64_t i, int64_t j)
{
    double re = 0, im = 0;
    for (int64_t h = 0; h < A->k; ++h) {
        double complex a = element(A, i, h), b = element(B, j, h);
        re = fma(creal(a), creal(b), re);
        if (!tsl_is_complex(A->l->type)) continue;
        re = fma(-cimag(a), cimag(b), re);
        im = fma(creal(a), cimag(b), fma(cimag(a), creal(b), im));
    }
    return CMPLX(re, im);
}

/* C := alpha v + beta C, which may be known to be real */
static void store(const tsl_leaf *l, int64_t i, int64_t j, double complex v, tsl_scalar beta, bool real)
{
    char *c = (char *)l->C.p + (size_t)(i + j * l->C.ld) * tsl_type_size(l->type);
    double re = creal(v), im = cimag(v);
    if (!tsl_is_complex(l->type)) {
        re *= creal(l->alpha);
        if (creal(beta) != 0) re = fma(creal(beta), l->type == TSL_S ? *(float *)c : *(double *)c, re);
        if (l->type == TSL_S) *(float *)c = (float)re;
        else *(double *)c = re;
        return;
    }
    v = CMPLX(fma(-cimag(l->alpha), im, creal(l->alpha) * re), fma(cimag(l->alpha), re, creal(l->alpha) * im));
    if (beta != 0) {
        double complex old = l->type == TSL_C ? *(tsl_cfloat *)c : *(tsl_cdouble *)c;
        if (real) old = creal(old);
        v = CMPLX(fma(creal(beta), creal(old), fma(-cimag(beta), cimag(old), creal(v))),
                  fma(creal(beta), cimag(old), fma(cimag(beta), creal(old), cimag(v))));
    }
    if (real) v = creal(v);
    if (l->type == TSL_C) *(tsl_cfloat *)c = (tsl_cfloat)v;
    else *(tsl_cdouble *)c = v;
}

static bool is_written(tsl_uplo part, int64_t i, int64_t j)
{
    return part == TSL_GENERAL || (part == TSL_LOWER ? i >= j : i <= j);
}

static void block(const tsl_leaf *l, tsl_uplo part_of_C, const tsl_residues *r, lines *A, lines *B, tsl_scalar beta)
{
    double high[2][SIDE][SIDE] = {0}, low[2][SIDE][SIDE] = {0};
    bool complex_type = tsl_is_complex(l->type);
    for (int p = 0; p < r->count; ++p) {
        residues(A, p), residues(B, p);
        for (int64_t j = 0; j < B->count; ++j)
            for (int64_t i = 0; i < A->count; ++i) {
                int32_t part[2] = {tsl_reduced_sum(dot(A, B, RE, i, j), p), 0};
                if (complex_type) {
                    int32_t im = tsl_reduced_sum(dot(A, B, IM, i, j), p), both = tsl_reduced_sum(dot(A, B, SUM, i, j), p);
                    part[1] = tsl_reduced_difference(tsl_reduced_difference(both, part[0], p), im, p);
                    part[0] = tsl_reduced_difference(part[0], im, p);
                }
                for (int q = 0; q <= complex_type; ++q) {
                    high[q][i][j] = fma(r->high[p], part[q], high[q][i][j]);
                    low[q][i][j] = fma(r->low[p], part[q], low[q][i][j]);
                }
            }
    }
    lows(A, r->shift), lows(B, r->shift);
    for (int64_t j = 0; j < B->count; ++j)
        for (int64_t i = 0; i < A->count; ++i) {
            int64_t row = A->first + i, col = B->first + j;
            if (!is_written(part_of_C, row, col)) continue;
            int e = -A->exponent[i] - B->exponent[j];
            double re = tsl_rebuilt(r, high[0][i][j], low[0][i][j]), im = tsl_rebuilt(r, high[1][i][j], low[1][i][j]);
            double complex v = CMPLX(tsl_shifted(re, e), tsl_shifted(im, e));
            if (tsl_fails(r, A->kind[i], B->kind[j], dot(A, B, RE, i, j))) v = native(A, B, i, j);
            store(l, row, col, v, beta, part_of_C != TSL_GENERAL && l->herm && row == col);
        }
}

static size_t lines_bytes(int64_t k) { return tsl_times((size_t)(SIDE * k), 2 * sizeof(int64_t) + PLANES); }

static lines lines_at(const tsl_leaf *l, bool left, int64_t k, void *work)
{
    lines s = {.l = l, .left = left, .k = k, .integer = {work, (int64_t *)work + SIDE * k}};
    for (int p = 0; p < PLANES; ++p) s.residue[p] = (int8_t *)(s.integer[1] + SIDE * k) + p * SIDE * k;
    return s;
}

size_t tsl_host_emulated_workspace(const tsl_leaf *l)
{
    return tsl_is_emulated(l, l->m, l->n, l->k) ? 2 * lines_bytes(tsl_min(l->k, TSL_INNER_MOST)) : 0;
}

size_t tsl_host_gemmt_workspace(const tsl_leaf *l)
{
    tsl_leaf g = tsl_as_square(l);
    return tsl_host_emulated_workspace(&g);
}

size_t tsl_host_rank_k_workspace(const tsl_leaf *l)
{
    size_t emulated = tsl_host_gemmt_workspace(l);
    return emulated ? emulated : tsl_host_rank_long_workspace(l);
}

void tsl_host_emulated(const tsl_leaf *l, tsl_uplo part)
{
    for (int64_t from = 0; from < l->k; from += TSL_INNER_MOST) {
        int64_t k = tsl_min(l->k - from, TSL_INNER_MOST);
        tsl_residues r = tsl_residues_for(l, k);
        lines A = lines_at(l, true, k, l->work), B = lines_at(l, false, k, (char *)l->work + lines_bytes(k));
        A.from = B.from = from;
        for (B.first = 0; B.first < l->n; B.first += SIDE) {
            B.count = tsl_min(SIDE, l->n - B.first);
            scale(&B, &r);
            for (A.first = 0; A.first < l->m; A.first += SIDE) {
                A.count = tsl_min(SIDE, l->m - A.first);
                scale(&A, &r);
                block(l, part, &r, &A, &B, from ? 1 : l->beta);
            }
        }
    }
}
