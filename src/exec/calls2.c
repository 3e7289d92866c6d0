/* Arguments of level 2's typed calls, checked in BLAS's order and made views. Operands that cannot influence the result (a size
 * or alpha is zero) may be anything, null included. */
#include "exec/typed2.h"

/* Rows of band storage; past what can be addressed, more than any leading dimension. */
static int64_t band_rows(int64_t kl, int64_t ku)
{
    kl = tsl_max(kl, 0), ku = tsl_max(ku, 0); /* negative ones are refused on their own */
    return kl > INT64_MAX - 1 - ku ? INT64_MAX : kl + ku + 1;
}

/* Argument i and the next: a vector of n elements and its increment. used: its elements matter. Returns the next argument. */
static int vector(tsl_door *d, int i, const char *name, const char *inc_name, tsl_type t, const void *p, int64_t n, int64_t inc,
                  bool used)
{
    if (used) tsl_arg_vector(d, i, name, t, p, n, inc);
    tsl_arg_inc(d, i + 1, inc_name, inc);
    return i + 2;
}

/* Argument i and the next: a matrix, or band storage, and its leading dimension. */
static int array(tsl_door *d, int i, tsl_type t, const void *A, int64_t m, int64_t n, int64_t lda, bool used)
{
    if (used) tsl_arg_array(d, i, "A", t, A, m, n, tsl_max(lda, m));
    tsl_arg_ld(d, i + 1, "lda", lda, m);
    return i + 2;
}

/* The same of a square matrix, however it is stored. A packed one has no leading dimension. */
static int square(tsl_door *d, int i, tsl_opcode op, tsl_type t, const void *A, int64_t n, int64_t k, int64_t lda, bool used)
{
    if (tsl_stored(op) != TSL_PACKED) return array(d, i, t, A, tsl_stored(op) == TSL_BAND ? band_rows(k, 0) : n, n, lda, used);
    int64_t length = tsl_packed_length(n);
    if (used) tsl_arg_array(d, i, "AP", t, A, length, 1, length);
    return i + 1;
}

static tsl_matrix borrow_square(tsl_door *d, tsl_opcode op, tsl_type t, const void *A, int64_t n, int64_t k, int64_t lda)
{
    int64_t length = tsl_packed_length(n);
    if (tsl_stored(op) == TSL_PACKED) return tsl_borrow(d->x, t, length, 1, A, tsl_max(1, length));
    return tsl_borrow(d->x, t, tsl_stored(op) == TSL_BAND ? band_rows(k, 0) : n, n, A, lda);
}

/* A square matrix as the operation's view: of a dense one its triangle, else the storage. */
static tsl_view seen_square(tsl_opcode op, tsl_matrix *a, tsl_op trans, tsl_uplo uplo, tsl_diag diag)
{
    return tsl_stored(op) == TSL_DENSE ? tsl_seen(a, trans, uplo, diag) : tsl_whole(a);
}

tsl_status tsl_call_product(tsl_context *ctx, tsl_type t, tsl_opcode op, char trans, int64_t m, int64_t n, int64_t kl, int64_t ku,
                            tsl_scalar alpha, const void *A, int64_t lda, const void *x, int64_t incx, tsl_scalar beta, void *y,
                            int64_t incy)
{
    tsl_door d = tsl_door_open(ctx, t, tsl_ops[op].name);
    bool band = op == TSL_OP_GBMV;
    tsl_op opA = tsl_arg_op(&d, 1, trans, "NTC", tsl_is_complex(t));
    tsl_arg_size(&d, 2, "m", m);
    tsl_arg_size(&d, 3, "n", n);
    if (band) tsl_arg_size(&d, 4, "kl", kl);
    if (band) tsl_arg_size(&d, 5, "ku", ku);
    int64_t rows = band ? band_rows(kl, ku) : m, nx = opA & TSL_TRANS ? m : n, ny = opA & TSL_TRANS ? n : m;
    bool some = m && n, product = some && alpha != 0;
    int i = array(&d, band ? 7 : 5, t, A, rows, n, lda, product);
    i = vector(&d, i, "x", "incx", t, x, nx, incx, product);
    vector(&d, i + 1, "y", "incy", t, y, ny, incy, some);
    if (d.st || !some) return tsl_door_close(&d, d.st); /* BLAS does not scale y where there is no matrix */
    tsl_matrix a = tsl_borrow(d.x, t, rows, n, product ? A : NULL, lda);
    tsl_matrix vx = tsl_borrow_vector(d.x, t, nx, product ? x : NULL, incx), vy = tsl_borrow_vector(d.x, t, ny, y, incy);
    tsl_call call = {.op = op, .trans = opA, .m = m, .n = n, .kl = kl, .ku = ku, .alpha = alpha, .beta = beta,
                     .v = {tsl_seen(&a, band ? TSL_NOTRANS : opA, TSL_GENERAL, TSL_NONUNIT), tsl_whole(&vx), tsl_whole(&vy)}};
    return tsl_door_close(&d, tsl_execute(d.x, &call));
}

tsl_status tsl_call_symmetric(tsl_context *ctx, tsl_type t, tsl_opcode op, char uplo, int64_t n, int64_t k, tsl_scalar alpha,
                              const void *A, int64_t lda, const void *x, int64_t incx, tsl_scalar beta, void *y, int64_t incy)
{
    tsl_door d = tsl_door_open(ctx, t, tsl_ops[op].name);
    bool band = tsl_stored(op) == TSL_BAND, product = alpha != 0;
    tsl_uplo u = tsl_arg_uplo(&d, 1, uplo);
    tsl_arg_size(&d, 2, "n", n);
    if (band) tsl_arg_size(&d, 3, "k", k);
    int i = square(&d, band ? 5 : 4, op, t, A, n, k, lda, product);
    i = vector(&d, i, "x", "incx", t, x, n, incx, product);
    vector(&d, i + 1, "y", "incy", t, y, n, incy, true);
    if (d.st) return tsl_door_close(&d, d.st);
    tsl_matrix a = borrow_square(&d, op, t, product ? A : NULL, n, k, lda);
    tsl_matrix vx = tsl_borrow_vector(d.x, t, n, product ? x : NULL, incx), vy = tsl_borrow_vector(d.x, t, n, y, incy);
    tsl_call call = {.op = op, .uplo = u, .n = n, .kl = k, .alpha = alpha, .beta = beta,
                     .v = {seen_square(op, &a, TSL_NOTRANS, u, TSL_NONUNIT), tsl_whole(&vx), tsl_whole(&vy)}};
    return tsl_door_close(&d, tsl_execute(d.x, &call));
}

tsl_status tsl_call_ger(tsl_context *ctx, tsl_type t, const char *name, tsl_op seen, int64_t m, int64_t n, tsl_scalar alpha,
                        const void *x, int64_t incx, const void *y, int64_t incy, void *A, int64_t lda)
{
    tsl_door d = tsl_door_open(ctx, t, name);
    tsl_arg_size(&d, 1, "m", m);
    tsl_arg_size(&d, 2, "n", n);
    bool product = m && n && alpha != 0;
    int i = vector(&d, 4, "x", "incx", t, x, m, incx, product);
    i = vector(&d, i, "y", "incy", t, y, n, incy, product);
    array(&d, i, t, A, m, n, lda, product);
    if (d.st || !product) return tsl_door_close(&d, d.st);
    tsl_matrix vx = tsl_borrow_vector(d.x, t, m, x, incx), vy = tsl_borrow_vector(d.x, t, n, y, incy);
    tsl_matrix a = tsl_borrow(d.x, t, m, n, A, lda);
    tsl_view Y = tsl_seen(&vy, seen, TSL_GENERAL, TSL_NONUNIT);
    return tsl_door_close(&d, tsl_ger(d.x, alpha, tsl_whole(&vx), Y, tsl_whole(&a)));
}

tsl_status tsl_call_update(tsl_context *ctx, tsl_type t, tsl_opcode op, char uplo, int64_t n, tsl_scalar alpha, const void *x,
                           int64_t incx, const void *y, int64_t incy, void *A, int64_t lda)
{
    tsl_door d = tsl_door_open(ctx, t, tsl_ops[op].name);
    bool two = tsl_ops[op].operands == 3, product = n && alpha != 0;
    tsl_uplo u = tsl_arg_uplo(&d, 1, uplo);
    tsl_arg_size(&d, 2, "n", n);
    int i = vector(&d, 4, "x", "incx", t, x, n, incx, product);
    if (two) i = vector(&d, i, "y", "incy", t, y, n, incy, product);
    square(&d, i, op, t, A, n, 0, lda, product);
    if (d.st || !product) return tsl_door_close(&d, d.st);
    tsl_matrix vx = tsl_borrow_vector(d.x, t, n, x, incx), vy = tsl_borrow_vector(d.x, t, n, y, incy);
    tsl_matrix a = borrow_square(&d, op, t, A, n, 0, lda);
    tsl_call call = {.op = op, .uplo = u, .n = n, .alpha = alpha, .beta = 1, .v = {tsl_whole(&vx), tsl_whole(&vy)}};
    call.v[two ? 2 : 1] = seen_square(op, &a, TSL_NOTRANS, u, TSL_NONUNIT);
    return tsl_door_close(&d, tsl_execute(d.x, &call));
}

tsl_status tsl_call_triangular(tsl_context *ctx, tsl_type t, tsl_opcode op, char uplo, char trans, char diag, int64_t n, int64_t k,
                               const void *A, int64_t lda, void *x, int64_t incx)
{
    tsl_door d = tsl_door_open(ctx, t, tsl_ops[op].name);
    bool band = tsl_stored(op) == TSL_BAND;
    tsl_uplo u = tsl_arg_uplo(&d, 1, uplo);
    tsl_op opA = tsl_arg_op(&d, 2, trans, "NTC", tsl_is_complex(t));
    tsl_diag unit = tsl_arg_diag(&d, 3, diag);
    tsl_arg_size(&d, 4, "n", n);
    if (band) tsl_arg_size(&d, 5, "k", k);
    int i = square(&d, band ? 6 : 5, op, t, A, n, k, lda, true);
    vector(&d, i, "x", "incx", t, x, n, incx, true);
    if (d.st || n == 0) return tsl_door_close(&d, d.st);
    tsl_matrix a = borrow_square(&d, op, t, A, n, k, lda), vx = tsl_borrow_vector(d.x, t, n, x, incx);
    tsl_call call = {.op = op, .uplo = u, .trans = opA, .diag = unit, .n = n, .kl = k,
                     .v = {seen_square(op, &a, opA, u, unit), tsl_whole(&vx)}};
    return tsl_door_close(&d, tsl_execute(d.x, &call));
}
