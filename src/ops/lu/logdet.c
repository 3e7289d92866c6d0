/* log |det| and the phase of a determinant, from the factors of LU or Cholesky: the product of a diagonal, and the parity of
 * exchanges. */
#include <complex.h>
#include <math.h>
#include <string.h>

#include "ops/lu/lu.h"

enum { BLOCK = 128 }; /* of a tiled or distributed matrix, diagonal blocks of so many are brought here */

/* A product that neither overflows nor underflows: value * 2^exponent, the larger part of value in 1/2 .. 1 */
typedef struct product {
    tsl_scalar value;
    int64_t exponent;
} product;

static double larger_part(tsl_scalar a) { return fmax(fabs(creal(a)), fabs(cimag(a))); }

static void normalize(product *p)
{
    int e = 0;
    double most = larger_part(p->value);
    if (!(most > 0) || isinf(most))
        return; /* zero, NaN and infinities stay */
    (void)frexp(most, &e);
    p->value = CMPLX(ldexp(creal(p->value), -e), ldexp(cimag(p->value), -e));
    p->exponent += e;
}

/* Within these the product of two needs no scaling yet. */
static bool is_moderate(tsl_scalar a) { return larger_part(a) > 0x1p-400 && larger_part(a) < 0x1p400; }

static void multiply(product *p, tsl_scalar by)
{
    if (is_moderate(p->value) && is_moderate(by)) {
        p->value *= by;
        return;
    }
    normalize(p);
    product f = {by, p->exponent};
    normalize(&f);
    p->value *= f.value;
    p->exponent = f.exponent;
    normalize(p);
}

static tsl_scalar element(tsl_type t, const char *p)
{
    tsl_typed_scalar a;
    memcpy(&a, p, tsl_type_size(t));
    return tsl_untyped(t, a);
}

/* A, in one memory of this process or spread over tiles or processes, to a dense array here */
static tsl_status bring(tsl_context *x, tsl_view A, void *to)
{
    tsl_matrix here = tsl_borrow(x, A.mat->type, A.m, A.n, to, tsl_max(1, A.m));
    A.op = TSL_NOTRANS, A.uplo = TSL_GENERAL, A.diag = TSL_NONUNIT;
    if (A.mat->remote)
        return A.mat->remote->fetch(x, TSL_OK, A, to, here.ld);
    return tsl_copy(x, A, tsl_whole(&here));
}

/* The diagonal of a flat matrix is a row whose elements are ld + 1 apart. */
static tsl_status bring_diagonal(tsl_context *x, tsl_view A, void *to)
{
    tsl_matrix row = {
        .ctx = x, .type = A.mat->type, .m = 1, .n = A.n, .ld = A.mat->ld + 1, .data = tsl_at(&A), .home = A.mat->home};
    return bring(x, tsl_whole(&row), to);
}

static tsl_status no_room(tsl_context *x, const tsl_call *c)
{
    return tsl_refuse(x, c, TSL_ERR_MEMORY, "%s", tsl_status_text(TSL_ERR_MEMORY));
}

/* Of a batch the diagonals, one after the other, and the pivots */
static tsl_status bring_batch(tsl_context *x, const tsl_call *c, void *diagonals, int64_t *piv)
{
    const tsl_view *A = &c->v[0];
    int64_t n = A->n, count = tsl_count_of(c), at = A->i + A->j * A->mat->ld;
    tsl_matrix rows = *A->mat;
    rows.m = at + 1, rows.n = n, rows.ld = A->mat->ld + 1;
    tsl_matrix here = tsl_borrow_batch(x, rows.type, count, &(tsl_array){.p = diagonals, .ld = 1, .m = 1, .n = n, .stride = n});
    tsl_status st = tsl_copy(x, (tsl_view){.mat = &rows, .i = at, .m = 1, .n = n}, tsl_whole(&here));
    tsl_matrix pivots =
        tsl_borrow_batch(x, TSL_INDEX, count, &(tsl_array){.p = piv, .ld = tsl_max(1, n), .m = n, .n = 1, .stride = n});
    return st || !piv ? st : tsl_copy(x, c->v[1], tsl_whole(&pivots));
}

static tsl_status product_of(tsl_context *x, const tsl_call *c, product *p)
{
    tsl_view A = c->v[0];
    bool flat = !A.mat->tiles && !A.mat->remote;
    tsl_type t = A.mat->type;
    size_t size = tsl_type_size(t), bytes = flat ? tsl_dense_bytes(t, 1, A.n) : tsl_dense_bytes(t, BLOCK, BLOCK);
    char *room = tsl_host_alloc(&x->allocator, bytes);
    tsl_status st = room ? TSL_OK : no_room(x, c);
    int64_t step = flat ? A.n : BLOCK;
    for (int64_t k = 0; k < A.n && !st; k += step) {
        tsl_view D = {.mat = A.mat, .i = A.i + k, .j = A.j + k, .m = tsl_min(step, A.n - k), .n = tsl_min(step, A.n - k)};
        st = flat ? bring_diagonal(x, D, room) : bring(x, D, room);
        for (int64_t i = 0; i < D.n && !st; ++i)
            multiply(p, element(t, room + (size_t)(flat ? i : i * (D.m + 1)) * size));
    }
    if (room)
        tsl_host_free(&x->allocator, room, bytes);
    return st;
}

/* Each exchange of two rows changes the sign. */
static tsl_status exchanged(tsl_context *x, const tsl_call *c, const int64_t *piv, int64_t n, product *p)
{
    for (int64_t i = 0; i < n; ++i) {
        if (piv[i] < 1 || piv[i] > n)
            return tsl_refuse(x, c, TSL_ERR_PIVOT, "pivot %lld is %lld, of %lld rows", (long long)(i + 1), (long long)piv[i],
                              (long long)n);
        if (piv[i] != i + 1)
            p->value = -p->value;
    }
    return TSL_OK;
}

static tsl_status exchanges(tsl_context *x, const tsl_call *c, product *p)
{
    tsl_view v = c->v[1];
    size_t bytes = tsl_dense_bytes(TSL_INDEX, v.m, 1);
    int64_t *piv = tsl_host_alloc(&x->allocator, bytes);
    tsl_status st = piv ? bring(x, v, piv) : no_room(x, c);
    if (!st)
        st = exchanged(x, c, piv, v.m, p);
    if (piv)
        tsl_host_free(&x->allocator, piv, bytes);
    return st;
}

static tsl_status check(tsl_context *x, const tsl_call *c, const void *phase, const void *logabs)
{
    const tsl_view *A = &c->v[0];
    bool cholesky = A->uplo != TSL_GENERAL;
    tsl_status st = phase && logabs ? tsl_check_operands(x, c) : tsl_refuse(x, c, TSL_ERR_NULL, "no place for the result");
    if (!st && cholesky)
        st = tsl_need_diagonal(x, c, 0);
    if (!st && A->m != A->n)
        st = tsl_refuse(x, c, TSL_ERR_SHAPE, "A is %lld x %lld, must be square", (long long)tsl_rows(*A),
                        (long long)tsl_cols(*A));
    if (!st && !cholesky)
        st = tsl_need_pivots(x, c, 1, A->m);
    if (!st && !cholesky && (A->mat->remote != NULL) != (c->v[1].mat->remote != NULL))
        st = tsl_refuse(x, c, TSL_ERR_GRID, "of A and p one is distributed and the other is not");
    const tsl_remote_ops *remote = tsl_remote_of(x, c);
    return remote ? remote->fetch(x, st, *A, NULL, 0) : st; /* all processes agree, before any begins */
}

static void tell(const tsl_call *c, product det, tsl_scalar *phase, double *logabs)
{
    static const double LN2 = 0.69314718055994530942;
    bool cholesky = c->v[0].uplo != TSL_GENERAL;
    normalize(&det);
    double size = cabs(det.value), all = size > 0 ? log(size) + (double)det.exponent * LN2 : size == 0 ? -INFINITY : size;
    tsl_scalar turn = size > 0 ? det.value / size : det.value;
    *phase = cholesky ? (size > 0 ? 1 : size) : c->v[0].op & TSL_CONJ ? conj(turn) : turn;
    *logabs = cholesky ? 2 * all : all;
}

/* Of a batch a phase and a logarithm for each problem. Nothing is told before all pivots are known to be some. */
static tsl_status of_batch(tsl_context *x, const tsl_call *c, bool cholesky, tsl_scalar *phase, double *logabs)
{
    int64_t n = c->v[0].n, count = tsl_count_of(c);
    tsl_type t = c->v[0].mat->type;
    size_t bytes = tsl_times((size_t)count, tsl_dense_bytes(t, n, 1)),
           indices = cholesky ? 0 : tsl_times((size_t)count, tsl_dense_bytes(TSL_INDEX, n, 1));
    char *diagonals = tsl_host_alloc(&x->allocator, bytes);
    int64_t *piv = indices ? tsl_host_alloc(&x->allocator, indices) : NULL;
    tsl_status st = diagonals && (piv || !indices) ? TSL_OK : no_room(x, c);
    if (!st && n && count)
        st = bring_batch(x, c, diagonals, piv);
    product none = {1, 0};
    for (int64_t k = 0; k < count && !st && piv; ++k)
        st = exchanged(x, c, piv + k * n, n, &none);
    for (int64_t k = 0; k < count && !st; ++k) {
        product det = {1, 0};
        for (int64_t i = 0; i < n; ++i)
            multiply(&det, element(t, diagonals + (size_t)(k * n + i) * tsl_type_size(t)));
        if (piv)
            (void)exchanged(x, c, piv + k * n, n, &det);
        tell(c, det, &phase[k], &logabs[k]);
    }
    if (diagonals)
        tsl_host_free(&x->allocator, diagonals, bytes);
    if (piv)
        tsl_host_free(&x->allocator, piv, indices);
    return st;
}

tsl_status tsl_logdet_of(tsl_context *x, tsl_args *d, tsl_view A, tsl_view p, tsl_scalar *phase, double *logabs)
{
    product det = {1, 0};
    bool cholesky = A.uplo != TSL_GENERAL;
    tsl_status st = tsl_enter(&x);
    if (st)
        return st;
    tsl_call c = {.op = cholesky ? TSL_OP_POTRF : TSL_OP_GETRF, .args = d, .v = {A, p}};
    tsl_matrix picked[TSL_MAX_OPERANDS];
    st = tsl_pick_problems(x, &c, picked);
    if (!st && tsl_is_batch(&c)) {
        st = check(x, &c, phase, logabs);
        if (!st && !cholesky && !(tsl_is_all(&c.v[0]) && tsl_is_all(&c.v[1])))
            st = tsl_refuse(x, &c, TSL_ERR_SHAPE, "of A and p one is a batch and the other is not");
        if (!st && !cholesky && c.v[1].mat->count != tsl_count_of(&c))
            st = tsl_refuse(x, &c, TSL_ERR_SHAPE, "A and p have not the same number of problems");
        return tsl_leave(x, st ? st : of_batch(x, &c, cholesky, phase, logabs));
    }
    if (!st)
        st = check(x, &c, phase, logabs);
    if (!st && A.m)
        st = product_of(x, &c, &det);
    if (!st && A.m && !cholesky)
        st = exchanges(x, &c, &det);
    if (!st)
        tell(&c, det, phase, logabs);
    return tsl_leave(x, st);
}

tsl_status tsl_logdet(tsl_context *x, tsl_view A, tsl_view p, tsl_scalar *phase, double *logabs)
{
    tsl_args d = {.routine = "logdet", .type = -1};
    return tsl_logdet_of(x, &d, A, p, phase, logabs);
}
