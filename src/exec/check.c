/* What must hold of the operands of a call, and a line about what does not. */
#include <complex.h>
#include <stdarg.h>
#include <stdio.h>

#include "exec/exec.h"

/* As the caller wrote it: zgemm, or gemm of views. */
static const char *called(const tsl_call *c, char letter[2])
{
    letter[0] = c->args && c->args->type >= 0 ? tsl_type_letter((tsl_type)c->args->type) : 0;
    letter[1] = 0;
    return c->args ? c->args->routine : tsl_rule[c->op]->called ? tsl_rule[c->op]->called : tsl_ops[c->op].name;
}

tsl_status tsl_refuse(tsl_context *x, const tsl_call *c, tsl_status st, const char *format, ...)
{
    char why[TSL_DETAIL], letter[2];
    va_list args;
    va_start(args, format);
    vsnprintf(why, sizeof why, format, args);
    va_end(args);
    const char *routine = called(c, letter);
    return tsl_fail(x, st, "%s%s: %s", letter, routine, why);
}

static const char *name(const tsl_call *c, int i) { return tsl_ops[c->op].operand[i].name; }

tsl_status tsl_bad(tsl_context *x, const tsl_call *c, int i, tsl_status st)
{
    return tsl_refuse(x, c, st, "%s: %s", name(c, i), tsl_status_text(st));
}

tsl_status tsl_misfit(tsl_context *x, const tsl_call *c, const char *what)
{
    char sizes[TSL_DETAIL] = "";
    int used = 0;
    for (int i = 0; i < tsl_ops[c->op].operands; ++i)
        used += snprintf(sizes + used, sizeof sizes - (size_t)used, "%s%s is %lld x %lld", i ? ", " : "", name(c, i),
                         (long long)tsl_rows(c->v[i]), (long long)tsl_cols(c->v[i]));
    return tsl_refuse(x, c, TSL_ERR_SHAPE, "%s: %s", what, sizes);
}

tsl_status tsl_shared(tsl_context *x, const tsl_call *c, int k, int i)
{
    tsl_args *d = c->args;
    if (!d || !d->array[k].argument) return tsl_refuse(x, c, TSL_ERR_OVERLAP, "%s overlaps %s", name(c, k), name(c, i));
    d->argument = d->array[k].argument;
    return tsl_refuse(x, c, TSL_ERR_OVERLAP, "argument %d (%s) overlaps argument %d (%s)", d->array[k].argument, name(c, k),
                      d->array[i].argument, name(c, i));
}

static bool inside(const tsl_view *v)
{
    const tsl_matrix *a = v->mat;
    return v->i >= 0 && v->j >= 0 && v->m >= 0 && v->n >= 0 && v->i <= a->m - v->m && v->j <= a->n - v->n;
}

static tsl_status check_flags(tsl_context *x, const tsl_call *c, int i, const tsl_view *v)
{
    if ((unsigned)v->op <= TSL_HERM && (unsigned)v->uplo <= TSL_UPPER && (unsigned)v->diag <= TSL_UNIT) return TSL_OK;
    return tsl_refuse(x, c, TSL_ERR_FLAG, "%s has op %d, uplo %d, diag %d: one of them has no such value", name(c, i), (int)v->op, (int)v->uplo, (int)v->diag);
}

void tsl_put_triangle(tsl_context *x, tsl_call *c, int i, tsl_view A)
{
    c->uplo = A.uplo;
    c->v[i] = A;
    tsl_status st = check_flags(x, c, i, &A);
    if (!st) st = tsl_need_diagonal(x, c, i);
    if (!c->refused) c->refused = st;
    c->v[i] = tsl_general(A);
}

static tsl_status check_view(tsl_context *x, const tsl_call *c, int i)
{
    const tsl_view *v = &c->v[i];
    if (!v->mat) return tsl_refuse(x, c, TSL_ERR_VIEW, "%s has no matrix, or is a block of another view that lies outside it", name(c, i));
    if (!inside(v))
        return tsl_refuse(x, c, TSL_ERR_VIEW, "%s, %lld x %lld from row %lld and column %lld, lies outside its matrix of %lld x %lld",
                          name(c, i), (long long)v->m, (long long)v->n, (long long)v->i, (long long)v->j, (long long)v->mat->m,
                          (long long)v->mat->n);
    tsl_status st = check_flags(x, c, i, v);
    if (st) return st;
    if (v->mat->ctx != x) return tsl_refuse(x, c, TSL_ERR_CONTEXT, "%s was made in another context than the one of this call", name(c, i));
    tsl_element e = tsl_ops[c->op].operand[i].element;
    tsl_type has = v->mat->type, first = c->v[0].mat->type;
    if ((e == TSL_OF_INDEX) != (has == TSL_INDEX) && e != TSL_OF_ANY)
        return tsl_refuse(x, c, TSL_ERR_TYPE, e == TSL_OF_INDEX ? "%s must be a matrix of indices (TSL_INDEX)" : "%s has indices for elements, not numbers", name(c, i));
    if (e == TSL_OF_OTHER && has != tsl_element_type(e, first))
        return tsl_refuse(x, c, TSL_ERR_TYPE, "%s is %c, must be the other precision of %s, which is %c", name(c, i), tsl_type_letter(has), name(c, 0),
                          tsl_type_letter(first));
    if (e == TSL_OF_REAL && has != tsl_element_type(e, first))
        return tsl_refuse(x, c, TSL_ERR_TYPE, "%s is %c, must be the real type of %s, which is %c", name(c, i), tsl_type_letter(has), name(c, 0),
                          tsl_type_letter(first));
    if (has != tsl_element_type(e, first))
        return tsl_refuse(x, c, TSL_ERR_TYPE, "the element types differ: %s is %c, %s is %c", name(c, 0), tsl_type_letter(first), name(c, i),
                          tsl_type_letter(has));
    bool written = !tsl_only_read(c->op, i);
    return written && v->diag == TSL_UNIT && !tsl_rule[c->op]->takes_unit ? tsl_need_diagonal(x, c, i) : TSL_OK;
}

/* Scalars are double complex for every type; with real operands they must be real. */
static tsl_status check_scalars(tsl_context *x, const tsl_call *c)
{
    tsl_type t = c->v[0].mat->type;
    bool second = cimag(c->beta) != 0;
    if (tsl_is_complex(t) || tsl_rule[c->op]->complex_scalars || (cimag(c->alpha) == 0 && !second)) return TSL_OK;
    tsl_scalar a = second ? c->beta : c->alpha;
    const char *beta = tsl_rule[c->op]->beta ? tsl_rule[c->op]->beta : "beta";
    return tsl_refuse(x, c, TSL_ERR_TYPE, "%s is %g%+gi, a complex number, and the elements of %s are real (%c)",
                      second ? beta : "alpha", creal(a), cimag(a), name(c, 0), tsl_type_letter(t));
}

tsl_status tsl_check_operands(tsl_context *x, const tsl_call *c)
{
    tsl_status st = c->refused;
    for (int i = 0; i < tsl_ops[c->op].operands && !st; ++i) st = check_view(x, c, i);
    return st ? st : check_scalars(x, c);
}

tsl_status tsl_need_general(tsl_context *x, const tsl_call *c, int i)
{
    if (c->v[i].uplo == TSL_GENERAL) return TSL_OK;
    return tsl_refuse(x, c, TSL_ERR_UPLO, "%s is a triangle, must be a whole block (tsl_general)", name(c, i));
}

tsl_status tsl_need_triangle(tsl_context *x, const tsl_call *c, int i)
{
    const tsl_view *v = &c->v[i];
    if (v->uplo == TSL_GENERAL) return tsl_refuse(x, c, TSL_ERR_UPLO, "%s must be a triangle (tsl_lower or tsl_upper)", name(c, i));
    if (v->m == v->n) return TSL_OK;
    return tsl_refuse(x, c, TSL_ERR_SHAPE, "%s is %lld x %lld, must be square", name(c, i), (long long)tsl_rows(*v), (long long)tsl_cols(*v));
}

tsl_status tsl_need_diagonal(tsl_context *x, const tsl_call *c, int i)
{
    if (c->v[i].diag == TSL_NONUNIT) return TSL_OK;
    return tsl_refuse(x, c, TSL_ERR_UPLO, "%s has a unit diagonal (tsl_unit), must have one of its own", name(c, i));
}
