/* Argument checks shared by all typed calls. */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "exec/typed.h"

tsl_door tsl_door_open(tsl_context *x, tsl_type t, const char *routine)
{
    char name[sizeof((tsl_door *)0)->name];
    snprintf(name, sizeof name, "%c%s", tsl_type_letter(t), routine);
    return tsl_door_named(x, name);
}

tsl_door tsl_door_named(tsl_context *x, const char *name)
{
    tsl_door d = {.x = x};
    d.st = tsl_enter(&d.x);
    snprintf(d.name, sizeof d.name, "%s", name);
    return d;
}

tsl_status tsl_door_close(tsl_door *d, tsl_status st) { return d->x ? tsl_leave(d->x, st) : st; }

__attribute__((format(printf, 4, 5))) static void refuse(tsl_door *d, int i, tsl_status st, const char *format, ...)
{
    if (d->st) return;
    char why[160];
    va_list args;
    va_start(args, format);
    vsnprintf(why, sizeof why, format, args);
    va_end(args);
    d->argument = i;
    d->st = tsl_fail(d->x, st, "%s: argument %d %s", d->name, i, why);
}

/* The letter in upper case if it is one of `letters`, else 0 and the call is refused. */
static char letter(tsl_door *d, int i, char c, const char *what, const char *letters)
{
    char up = (char)toupper((unsigned char)c);
    if (up && strchr(letters, up)) return up;
    refuse(d, i, TSL_ERR_FLAG, "(%s) is '%c', must be one of %s", what, isprint((unsigned char)c) ? c : '?', letters);
    return 0;
}

tsl_op tsl_arg_op(tsl_door *d, int i, char c, const char *letters, bool is_complex)
{
    switch (letter(d, i, c, "trans", letters)) {
    case 'T': return TSL_TRANS;
    case 'C': return is_complex ? TSL_HERM : TSL_TRANS;
    default: return TSL_NOTRANS;
    }
}

tsl_uplo tsl_arg_uplo(tsl_door *d, int i, char c) { return letter(d, i, c, "uplo", "LU") == 'U' ? TSL_UPPER : TSL_LOWER; }
tsl_side tsl_arg_side(tsl_door *d, int i, char c) { return letter(d, i, c, "side", "LR") == 'R' ? TSL_RIGHT : TSL_LEFT; }
tsl_diag tsl_arg_diag(tsl_door *d, int i, char c) { return letter(d, i, c, "diag", "NU") == 'U' ? TSL_UNIT : TSL_NONUNIT; }

tsl_norm_kind tsl_arg_norm(tsl_door *d, int i, char c)
{
    switch (letter(d, i, c, "norm", "M1OIFE")) {
    case '1':
    case 'O': return TSL_NORM_ONE;
    case 'I': return TSL_NORM_INF;
    case 'F':
    case 'E': return TSL_NORM_FRO;
    default: return TSL_NORM_MAX;
    }
}

void tsl_arg_size(tsl_door *d, int i, const char *what, int64_t value)
{
    if (value < 0) refuse(d, i, TSL_ERR_SIZE, "(%s) is %lld, must not be negative", what, (long long)value);
}

void tsl_arg_ld(tsl_door *d, int i, const char *what, int64_t ld, int64_t rows)
{
    if (ld < tsl_max(1, rows))
        refuse(d, i, TSL_ERR_LD, "(%s) is %lld, must be at least %lld", what, (long long)ld, (long long)tsl_max(1, rows));
}

void tsl_arg_array(tsl_door *d, int i, const char *what, tsl_type t, const void *p, int64_t m, int64_t n, int64_t ld)
{
    size_t bytes;
    if (d->st || m == 0 || n == 0) return;
    if (!p) refuse(d, i, TSL_ERR_NULL, "(%s) is null", what);
    else if (!tsl_block_bytes(t, m, n, ld, &bytes)) refuse(d, i, TSL_ERR_OVERFLOW, "(%s) is too large to address", what);
}

void tsl_arg_inc(tsl_door *d, int i, const char *what, int64_t inc)
{
    if (inc == 0) refuse(d, i, TSL_ERR_SIZE, "(%s) must not be zero", what);
}

void tsl_arg_step(tsl_door *d, int i, const char *what, int64_t inc)
{
    if (!d->st && !d->x->dev->shares_host) tsl_arg_inc(d, i, what, inc);
}

void tsl_arg_place(tsl_door *d, int i, const char *what, const void *p)
{
    if (!p) refuse(d, i, TSL_ERR_NULL, "(%s) is null", what);
}

void tsl_arg_vector(tsl_door *d, int i, const char *what, tsl_type t, const void *p, int64_t n, int64_t inc)
{
    tsl_arg_array(d, i, what, t, p, 1, n, inc == INT64_MIN ? INT64_MAX : inc < 0 ? -inc : tsl_max(inc, 1));
}
