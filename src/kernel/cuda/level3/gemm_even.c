/* Products of operands that cuBLAS has slower kernels for, computed on copies in workspace that it has its fastest for.
 *
 * Its products of double precision are a quarter slower (H200) unless every operand's columns begin at multiples of 16 bytes
 * and have an even number of rows, as stored. So sizes are rounded up to even ones. Copies of both factors have zeros past the
 * inner dimension, which add nothing; what there is past the other two only reaches rows and columns of the copy of C that are
 * not copied back. Where that moves too much for the product, as with a small inner dimension, aligned copies of the factors
 * alone still help a little. Complex products of double precision are as fast for any sizes and any C, but not for factors
 * whose columns begin within a piece of 64 bytes. Those of single precision gain at some sizes and lose at others: they stay as
 * they are. The bounds are from an H200 (bench/results/h200-2026-11-16/gemm-odd.txt). */
#include "core/matrix.h"
#include "core/values.h"
#include "kernel/cuda/leaf.h"
#include "kernel/cuda/level3/level3.h"

enum { A, B, C, OPERANDS };
enum { ALIGNED = 256 }; /* bytes, of a copy */

typedef struct plan {
    tsl_leaf even;         /* the product that is computed, by its sizes */
    bool copied[OPERANDS]; /* from, or for C to and from, operands as given */
} plan;

static void *array(const tsl_leaf *l, int i) { return i == A ? l->A.p : i == B ? l->B.p : l->C.p; }
static int64_t leading(const tsl_leaf *l, int i) { return i == A ? l->A.ld : i == B ? l->B.ld : l->C.ld; }

/* Is a factor stored with the inner dimension along its columns? */
static bool inner_rows(const tsl_leaf *l, int i) { return i == A ? (l->A.op & TSL_TRANS) != 0 : !(l->B.op & TSL_TRANS); }

static int64_t other(const tsl_leaf *l, int i) { return i == A ? l->m : l->n; }
static int64_t rows(const tsl_leaf *l, int i) { return i == C ? l->m : inner_rows(l, i) ? l->k : other(l, i); }
static int64_t cols(const tsl_leaf *l, int i) { return i == C ? l->n : inner_rows(l, i) ? other(l, i) : l->k; }

static bool aligned(const tsl_leaf *l, int i, size_t bytes)
{
    return (uintptr_t)array(l, i) % bytes == 0 && (size_t)leading(l, i) * tsl_type_size(l->type) % bytes == 0;
}

static int64_t rounded(int64_t n) { return n + n % 2; }

/* All that is not as it should be, if that pays */
static bool whole(const tsl_leaf *l, plan *p)
{
    /* multiplications for each element that moves; with factors that are aligned cuBLAS is not as slow */
    const double PAYS = aligned(l, A, 16) && aligned(l, B, 16) ? 900 : 450;
    tsl_leaf *e = &p->even;
    double moved = 0;
    *e = *l;
    e->m = rounded(l->m);
    if (inner_rows(l, A) || inner_rows(l, B)) e->k = rounded(l->k);
    if (!inner_rows(l, B)) e->n = rounded(l->n);
    for (int i = 0; i < OPERANDS; ++i) {
        p->copied[i] = !aligned(l, i, 16) || rows(e, i) != rows(l, i) || cols(e, i) != cols(l, i);
        if (p->copied[i]) moved += (double)rows(l, i) * (double)cols(l, i) * (i == C && l->beta != 0 ? 2 : 1);
    }
    return (double)l->m * (double)l->n * (double)l->k >= PAYS * moved;
}

/* Factors that are not aligned, and whose elements are used at least so often */
static void factors(const tsl_leaf *l, size_t bytes, int64_t often, plan *p)
{
    *p = (plan){.even = *l};
    p->copied[A] = l->n >= often && !aligned(l, A, bytes);
    p->copied[B] = l->m >= often && !aligned(l, B, bytes);
}

/* Is anything copied? */
static bool planned(const tsl_leaf *l, plan *p)
{
    const double MANY = l->type == TSL_D ? 0x1p31 : 0x1p28; /* multiplications: what is saved of fewer takes no longer than the copies' launches */
    if (l->frugal || (l->type != TSL_D && l->type != TSL_Z) || (double)l->m * (double)l->n * (double)l->k < MANY) return false;
    if (l->type == TSL_Z) factors(l, 64, l->k >= 64 ? 1200 : INT64_MAX, p);
    else if (!whole(l, p)) factors(l, 16, l->k >= 128 ? 2000 : INT64_MAX, p);
    return p->copied[A] || p->copied[B] || p->copied[C];
}

static size_t bytes_of(const tsl_leaf *e, int i)
{
    return tsl_rounded(tsl_dense_bytes(e->type, tsl_padded(e->type, rows(e, i)), cols(e, i)), ALIGNED);
}

size_t tsl_cuda_even_workspace(const tsl_leaf *l)
{
    plan p;
    size_t bytes = 0;
    if (!planned(l, &p)) return 0;
    for (int i = 0; i < OPERANDS; ++i)
        if (p.copied[i]) bytes = tsl_plus(bytes, bytes_of(&p.even, i));
    return bytes;
}

static tsl_status copy(tsl_queue *q, const tsl_leaf *l, int i, void *from, int64_t from_ld, void *to, int64_t to_ld)
{
    tsl_leaf c = {.op = TSL_OP_COPY, .type = l->type, .m = rows(l, i), .n = cols(l, i), .A.p = from, .A.ld = from_ld, .B.p = to, .B.ld = to_ld};
    return tsl_cuda_copy(q, &c);
}

/* Zeros past the inner dimension of a factor's copy */
static tsl_status fill(tsl_queue *q, const tsl_leaf *l, const tsl_leaf *e, int i)
{
    bool along = inner_rows(l, i);
    int64_t more = e->k - l->k, ld = leading(e, i), at = along ? l->k : l->k * ld;
    tsl_leaf zero = {.op = TSL_OP_SCALE, .type = l->type, .m = along ? more : rows(e, i), .n = along ? cols(e, i) : more,
                     .A.p = (char *)array(e, i) + (size_t)at * tsl_type_size(l->type), .A.ld = ld};
    return more ? tsl_cuda_scale(q, &zero) : TSL_OK;
}

tsl_status tsl_cuda_gemm_even(tsl_queue *q, const tsl_leaf *l, bool *done)
{
    plan p;
    tsl_leaf *e = &p.even;
    char *work = l->work;
    tsl_status st = TSL_OK;
    *done = planned(l, &p);
    if (!*done) return TSL_OK;
    for (int i = 0; i < OPERANDS && st == TSL_OK; ++i) {
        if (!p.copied[i]) continue;
        int64_t ld = tsl_padded(l->type, rows(e, i));
        if (i == A) e->A.p = work, e->A.ld = ld;
        else if (i == B) e->B.p = work, e->B.ld = ld;
        else e->C.p = work, e->C.ld = ld;
        work += bytes_of(e, i);
        if (i != C || l->beta != 0) st = copy(q, l, i, array(l, i), leading(l, i), array(e, i), ld);
        if (i != C && st == TSL_OK) st = fill(q, l, e, i);
    }
    if (st == TSL_OK) st = tsl_cuda_gemm(q, e);
    return st == TSL_OK && p.copied[C] ? copy(q, l, C, e->C.p, e->C.ld, l->C.p, l->C.ld) : st;
}
