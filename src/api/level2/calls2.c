/* Arguments of level 2's typed calls, checked in BLAS's order. Operands that cannot influence the result (a size
 * or alpha is zero) may be anything, null included. */
#include "api/level2/typed2.h"

/* Argument i and the next: a vector of n elements and its increment. used: its elements matter. Returns the next argument. */
static int vector(tsl_args *d, int i, const char *name, const char *inc_name, tsl_type t, const void *p, int64_t n, int64_t inc,
                  bool used)
{
    if (used) tsl_arg_vector(d, i, name, t, p, n, inc);
    tsl_arg_inc(d, i + 1, inc_name, inc);
    return i + 2;
}

/* Argument i and the next: a matrix, or band storage, and its leading dimension. */
static int array(tsl_args *d, int i, tsl_type t, const void *A, int64_t m, int64_t n, int64_t lda, bool used)
{
    if (used) tsl_arg_array(d, i, "A", t, A, m, n, tsl_max(lda, m));
    tsl_arg_ld(d, i + 1, "lda", lda, m);
    return i + 2;
}

/* The same of a square matrix, however it is stored. A packed one has no leading dimension. */
static int square(tsl_args *d, int i, tsl_opcode op, tsl_type t, const void *A, int64_t n, int64_t k, int64_t lda, bool used)
{
    if (tsl_stored(op) != TSL_PACKED) return array(d, i, t, A, tsl_stored(op) == TSL_BAND ? tsl_band_rows(k, 0) : n, n, lda, used);
    int64_t length = tsl_packed_length(n);
    if (used) tsl_arg_array(d, i, "AP", t, A, length, 1, length);
    return i + 1;
}

static tsl_array square_array(tsl_opcode op, void *A, int64_t n, int64_t k, int64_t lda)
{
    int64_t length = tsl_packed_length(n);
    if (tsl_stored(op) == TSL_PACKED) return (tsl_array){.p = A, .ld = tsl_max(1, length), .m = length, .n = 1};
    return (tsl_array){.p = A, .ld = lda, .m = tsl_stored(op) == TSL_BAND ? tsl_band_rows(k, 0) : n, .n = n};
}

tsl_status tsl_call_product(tsl_context *ctx, tsl_type t, tsl_opcode op, char trans, int64_t m, int64_t n, int64_t kl, int64_t ku,
                            tsl_scalar alpha, const void *A, int64_t lda, const void *x, int64_t incx, tsl_scalar beta, void *y,
                            int64_t incy)
{
    tsl_args d = tsl_args_begin(ctx, t, tsl_ops[op].name);
    bool band = tsl_stored(op) == TSL_BAND;
    tsl_op opA = tsl_arg_op(&d, 1, trans, "NTC", tsl_is_complex(t));
    tsl_arg_size(&d, 2, "m", m);
    tsl_arg_size(&d, 3, "n", n);
    if (band) tsl_arg_size(&d, 4, "kl", kl);
    if (band) tsl_arg_size(&d, 5, "ku", ku);
    int64_t rows = band ? tsl_band_rows(kl, ku) : m, nx = opA & TSL_TRANS ? m : n, ny = opA & TSL_TRANS ? n : m;
    bool some = m && n, product = some && alpha != 0;
    int i = array(&d, band ? 7 : 5, t, A, rows, n, lda, product);
    i = vector(&d, i, "x", "incx", t, x, nx, incx, product);
    vector(&d, i + 1, "y", "incy", t, y, ny, incy, some);
    if (d.st || !some) return d.st; /* BLAS does not scale y where there is no matrix */
    tsl_leaf l = {.op = op, .type = t, .m = m, .n = n, .band = {.kl = kl, .ku = ku}, .alpha = alpha, .beta = beta, .A = {USED(A, product), lda, rows, n, opA},
                  .B = {USED(x, product), tsl_inc(nx, incx), nx, 1}, .C = {y, tsl_inc(ny, incy), ny, 1}};
    return tsl_run(&d, product && tsl_few(m, n, 1), &l);
}

tsl_status tsl_call_symmetric(tsl_context *ctx, tsl_type t, tsl_opcode op, char uplo, int64_t n, int64_t k, tsl_scalar alpha,
                              const void *A, int64_t lda, const void *x, int64_t incx, tsl_scalar beta, void *y, int64_t incy)
{
    tsl_args d = tsl_args_begin(ctx, t, tsl_ops[op].name);
    bool band = tsl_stored(op) == TSL_BAND, product = alpha != 0;
    tsl_uplo u = tsl_arg_uplo(&d, 1, uplo);
    tsl_arg_size(&d, 2, "n", n);
    if (band) tsl_arg_size(&d, 3, "k", k);
    int i = square(&d, band ? 5 : 4, op, t, A, n, k, lda, product);
    i = vector(&d, i, "x", "incx", t, x, n, incx, product);
    vector(&d, i + 1, "y", "incy", t, y, n, incy, true);
    if (d.st) return d.st;
    tsl_leaf l = {.op = op, .type = t, .uplo = u, .m = n, .n = n, .k = k, .band = {.kl = k}, .alpha = alpha, .beta = beta, .A = square_array(op, USED(A, product), n, k, lda),
                  .B = {USED(x, product), tsl_inc(n, incx), n, 1}, .C = {y, tsl_inc(n, incy), n, 1}};
    return tsl_run(&d, product && tsl_few(n, n, 1), &l);
}

tsl_status tsl_call_ger(tsl_context *ctx, tsl_type t, const char *name, bool herm, int64_t m, int64_t n, tsl_scalar alpha,
                        const void *x, int64_t incx, const void *y, int64_t incy, void *A, int64_t lda)
{
    tsl_args d = tsl_args_begin(ctx, t, name);
    tsl_arg_size(&d, 1, "m", m);
    tsl_arg_size(&d, 2, "n", n);
    bool product = m && n && alpha != 0;
    int i = vector(&d, 4, "x", "incx", t, x, m, incx, product);
    i = vector(&d, i, "y", "incy", t, y, n, incy, product);
    array(&d, i, t, A, m, n, lda, product);
    if (d.st || !product) return d.st;
    tsl_leaf l = {.op = TSL_OP_GER, .type = t, .herm = herm, .m = m, .n = n, .alpha = alpha, .beta = 1, .A = {(void *)x, tsl_inc(m, incx), m, 1},
                  .B = {(void *)y, tsl_inc(n, incy), n, 1, herm ? TSL_CONJ : TSL_NOTRANS}, .C = {A, lda, m, n}};
    return tsl_run(&d, tsl_few(m, n, 1), &l);
}

tsl_status tsl_call_update(tsl_context *ctx, tsl_type t, tsl_opcode op, char uplo, int64_t n, tsl_scalar alpha, const void *x,
                           int64_t incx, const void *y, int64_t incy, void *A, int64_t lda)
{
    tsl_args d = tsl_args_begin(ctx, t, tsl_ops[op].name);
    bool two = tsl_ops[op].operands == 3, product = n && alpha != 0;
    tsl_uplo u = tsl_arg_uplo(&d, 1, uplo);
    tsl_arg_size(&d, 2, "n", n);
    int i = vector(&d, 4, "x", "incx", t, x, n, incx, product);
    if (two) i = vector(&d, i, "y", "incy", t, y, n, incy, product);
    square(&d, i, op, t, A, n, 0, lda, product);
    if (d.st || !product) return d.st;
    tsl_leaf l = {.op = op, .type = t, .uplo = u, .n = n, .alpha = alpha, .beta = 1, .A = {(void *)x, tsl_inc(n, incx), n, 1}};
    if (two) l.B = (tsl_array){.p = (void *)y, .ld = tsl_inc(n, incy), .m = n, .n = 1};
    l.v[1 + two] = square_array(op, A, n, 0, lda);
    return tsl_run(&d, tsl_few(n, n, 1), &l);
}

tsl_status tsl_call_triangular(tsl_context *ctx, tsl_type t, tsl_opcode op, char uplo, char trans, char diag, int64_t n, int64_t k,
                               const void *A, int64_t lda, void *x, int64_t incx)
{
    tsl_args d = tsl_args_begin(ctx, t, tsl_ops[op].name);
    bool band = tsl_stored(op) == TSL_BAND;
    tsl_uplo u = tsl_arg_uplo(&d, 1, uplo);
    tsl_op opA = tsl_arg_op(&d, 2, trans, "NTC", tsl_is_complex(t));
    tsl_diag unit = tsl_arg_diag(&d, 3, diag);
    tsl_arg_size(&d, 4, "n", n);
    if (band) tsl_arg_size(&d, 5, "k", k);
    int i = square(&d, band ? 6 : 5, op, t, A, n, k, lda, true);
    vector(&d, i, "x", "incx", t, x, n, incx, true);
    if (d.st || n == 0) return d.st;
    tsl_leaf l = {.op = op, .type = t, .uplo = u, .diag = unit, .n = n, .k = k, .band = {.kl = k}, .A = square_array(op, (void *)A, n, k, lda),
                  .B = {x, tsl_inc(n, incx), n, 1}};
    l.A.op = opA;
    return tsl_run(&d, tsl_few(n, n, 1), &l);
}
