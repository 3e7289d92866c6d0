/* Argument checks shared by all typed calls. */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>

#include "api/typed.h"

__attribute__((format(printf, 4, 5))) static void refuse(tsl_args *d, int i, tsl_status st, const char *format, ...)
{
    if (d->st) return;
    char why[160];
    va_list args;
    va_start(args, format);
    vsnprintf(why, sizeof why, format, args);
    va_end(args);
    d->argument = i;
    const char letter[2] = {d->type < 0 ? 0 : tsl_type_letter((tsl_type)d->type)};
    d->st = tsl_enter(&d->x);
    if (!d->st) d->st = tsl_leave(d->x, tsl_fail(d->x, st, "%s%s: argument %d %s", letter, d->routine, i, why));
}

void tsl_refuse_letter(tsl_args *d, int i, char c, const char *what, const char *letters)
{
    refuse(d, i, TSL_ERR_FLAG, "(%s) is '%c', must be one of %s", what, isprint((unsigned char)c) ? c : '?', letters);
}

tsl_norm_kind tsl_arg_norm(tsl_args *d, int i, char c)
{
    switch (tsl_arg_letter(d, i, c, "norm", "M1OIFE")) {
    case '1':
    case 'O': return TSL_NORM_ONE;
    case 'I': return TSL_NORM_INF;
    case 'F':
    case 'E': return TSL_NORM_FRO;
    default: return TSL_NORM_MAX;
    }
}

void tsl_refuse_size(tsl_args *d, int i, const char *what, int64_t value)
{
    refuse(d, i, TSL_ERR_SIZE, "(%s) is %lld, must not be negative", what, (long long)value);
}

void tsl_arg_most(tsl_args *d, int i, const char *what, int64_t value, int64_t most, const char *name)
{
    if (value > most) refuse(d, i, TSL_ERR_SIZE, "(%s) is %lld, must be at most %s, %lld", what, (long long)value, name, (long long)most);
}

void tsl_arg_least(tsl_args *d, int i, const char *what, int64_t value, int64_t least, const char *name)
{
    if (value < least) refuse(d, i, TSL_ERR_SIZE, "(%s) is %lld, must be at least %s, %lld", what, (long long)value, name, (long long)least);
}

void tsl_arg_interval(tsl_args *d, int i, double from, double to)
{
    if (!(from < to)) refuse(d, i, TSL_ERR_SIZE, "(vu) is %g, must be above vl, %g", to, from);
}

void tsl_arg_itype(tsl_args *d, int i, int64_t itype)
{
    if (itype < 1 || itype > 3) refuse(d, i, TSL_ERR_FLAG, "(itype) is %lld, must be 1, 2 or 3", (long long)itype);
}

void tsl_arg_sign(tsl_args *d, int i, int64_t isgn)
{
    if (isgn != 1 && isgn != -1) refuse(d, i, TSL_ERR_FLAG, "(isgn) is %lld, must be 1 or -1", (long long)isgn);
}

void tsl_refuse_ld(tsl_args *d, int i, const char *what, int64_t ld, int64_t rows)
{
    refuse(d, i, TSL_ERR_LD, "(%s) is %lld, must be at least %lld", what, (long long)ld, (long long)tsl_max(1, rows));
}

void tsl_weigh_array(tsl_args *d, int i, const char *what, tsl_type t, const void *p, int64_t m, int64_t n, int64_t ld)
{
    size_t bytes;
    if (d->st || m == 0 || n == 0) return;
    if (!p) refuse(d, i, TSL_ERR_NULL, "(%s) is null", what);
    else if (!tsl_block_bytes(t, m, n, ld, &bytes)) refuse(d, i, TSL_ERR_OVERFLOW, "(%s) is too large to address", what);
}

void tsl_refuse_inc(tsl_args *d, int i, const char *what) { refuse(d, i, TSL_ERR_SIZE, "(%s) must not be zero", what); }

void tsl_refuse_step(tsl_args *d, int i, const char *what)
{
    if (!d->st) d->st = tsl_enter(&d->x);
    if (d->st) return;
    bool copied = !d->x->dev->shares_host;
    tsl_leave(d->x, TSL_OK);
    if (copied) tsl_refuse_inc(d, i, what);
}

void tsl_refuse_place(tsl_args *d, int i, const char *what) { refuse(d, i, TSL_ERR_NULL, "(%s) is null", what); }

void tsl_arg_rows(tsl_args *d, int64_t k1, int64_t k2, int64_t incx)
{
    if (k1 < 1) refuse(d, 4, TSL_ERR_SIZE, "(k1) is %lld, must be at least 1", (long long)k1);
    else if (k2 < k1 - 1) refuse(d, 5, TSL_ERR_SIZE, "(k2) is %lld, must be at least k1 - 1, %lld", (long long)k2, (long long)k1 - 1);
    if (incx != 1 && incx != -1) refuse(d, 7, TSL_ERR_SIZE, "(incx) is %lld, must be 1 or -1", (long long)incx);
}

/* Pivots in memory of the context's are read in their turn, after the work that may still write them. */
static tsl_status read_pivots(tsl_context *x, const int64_t *ipiv, int64_t *to, int64_t count)
{
    tsl_status st = tsl_enter(&x);
    return st ? st : tsl_leave(x, tsl_read_word(x, to, ipiv, (size_t)count * sizeof *to));
}

int64_t tsl_arg_last_row(tsl_args *d, int i, const int64_t *ipiv, int64_t k1, int64_t k2, int64_t lda)
{
    enum { FEW = 256 };
    int64_t last = k2, part[FEW];
    if (!d->st) d->st = tsl_enter(&d->x);
    if (d->st) return 0;
    bool ours = tsl_borrow(d->x, TSL_INDEX, k2, 1, ipiv, k2).home != NULL;
    tsl_leave(d->x, TSL_OK);
    for (int64_t k = k1 - 1; k < k2; ++k) {
        int64_t at = (k - (k1 - 1)) % FEW;
        tsl_status st = ours && at == 0 ? read_pivots(d->x, ipiv + k, part, tsl_min(FEW, k2 - k)) : TSL_OK;
        int64_t row = ours ? part[at] : ipiv[k];
        if (st) refuse(d, i, st, "(ipiv) cannot be read: %s", tsl_status_text(st));
        else if (row < k1 || row > lda)
            refuse(d, i, TSL_ERR_PIVOT, "(ipiv) has row %lld, must be one of %lld..%lld", (long long)row, (long long)k1, (long long)lda);
        if (d->st) return 0;
        last = tsl_max(last, row);
    }
    return last;
}
