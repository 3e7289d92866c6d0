/* The routines, by families. */
#include "bench/bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BENCH_ROUTINES(family) extern const bench_family bench_##family;
#include "bench/families.def"
#undef BENCH_ROUTINES

static const bench_family *const families[] = {
#define BENCH_ROUTINES(family) &bench_##family,
#include "bench/families.def"
#undef BENCH_ROUTINES
};

const bench_routine *bench_routine_at(int i)
{
    for (size_t f = 0; f < sizeof families / sizeof *families; i -= families[f++]->count)
        if (i < families[f]->count)
            return &families[f]->routine[i];
    return NULL;
}

const bench_routine *bench_find(const char *name, size_t length)
{
    const bench_routine *r;
    for (int i = 0; (r = bench_routine_at(i)); i++)
        if (strlen(r->name) == length && !memcmp(r->name, name, length))
            return r;
    return NULL;
}

bool bench_has_type(const bench_routine *r, tsl_type t) { return !r->types || strchr(r->types, tsl_type_letter(t)); }

const char *bench_variant(const bench_routine *r, int i)
{
    const char *name = tsl_variant_name(r->name, i);
    return name && strcmp(name, "parts") ? name : NULL;
}

bool bench_takes_variants(const bench_routine *r) { return tsl_variant_name(r->operation ? r->operation : r->name, 0); }

bool bench_no_pivots(const char *variant) { return variant && !strcmp(variant, "nopiv"); }
bool bench_other_pivots(const char *variant)
{
    return bench_no_pivots(variant) || !strcmp(variant, "tournament") || !strcmp(variant, "window");
}

const char *bench_usual_type(const char *routine)
{
    const bench_routine *r = bench_find(routine, strlen(routine));
    return r && !bench_has_type(r, TSL_D) ? "z" : "d";
}

const char *bench_names(void)
{
    static char *names;
    const bench_routine *r;
    size_t size = 1, at = 0;
    for (int i = 0; (r = bench_routine_at(i)); i++)
        size += strlen(r->name) + 2;
    names = names ? names : calloc(size, 1);
    for (int i = 0; names && (r = bench_routine_at(i)); i++)
        at += (size_t)snprintf(names + at, size - at, "%s%s", i ? ", " : "", r->name);
    return names ? names : "";
}

const char *bench_letters(const bench_routine *r, tsl_type t, bench_flag f, bench_interface by)
{
    const char *letters = r->flags[bench_is_complex(t)][f];
    bool is_op = f == BENCH_TRANS || f == BENCH_TRANSB;
    return !letters ? "" : by == BENCH_VIEWS && is_op ? "NTJC" : letters;
}

tsl_op bench_op(char letter)
{
    switch (letter) {
    case 'T': return TSL_TRANS;
    case 'J': return TSL_CONJ;
    case 'C': return TSL_HERM;
    default: return TSL_NOTRANS;
    }
}

static const bench_routine *single(const bench_routine *r) { return bench_find(r->batch_of, strlen(r->batch_of)); }
static int64_t problems(const bench_case *c) { return c->count ? c->count : 1; }

/* One problem of a batch: square if the batch has no m. */
static bench_case single_case(const bench_routine *r, const bench_case *c)
{
    bench_case one = *c;
    one.count = 0;
    if (!strchr(r->sizes, 'm'))
        one.m = c->n;
    return one;
}

int bench_shapes(const bench_routine *r, const bench_case *c, bench_shape *is)
{
    if (!r->batch_of)
        return r->shape(c, is);
    bench_case one = single_case(r, c);
    is[0] = (bench_shape){.rows = 1, .cols = 1, .fill = BENCH_FOR_PIVOTS};
    int count = r->has_infos + single(r)->shape(&one, is + r->has_infos);
    for (int i = 0; i < count; i++)
        is[i].problems = problems(c);
    return count;
}

enum { MOST_PROBLEMS = 100000 };

int64_t bench_usual_count(const bench_routine *r, const bench_case *c, int64_t bytes)
{
    bench_shape is[BENCH_OPERANDS];
    double most = MOST_PROBLEMS;
    for (int i = bench_shapes(r, c, is); i-- > 0;) {
        double each = (double)is[i].rows * (double)is[i].cols * (double)tsl_type_size(c->type);
        if (each * most > (double)bytes)
            most = (double)bytes / each;
    }
    return most < 1 ? 1 : (int64_t)most;
}

bench_problem bench_first(const bench_problem *p)
{
    bench_problem one = *p;
    int infos = p->routine->has_infos;
    one.routine = single(p->routine);
    one.c = single_case(p->routine, &p->c);
    one.count -= infos;
    memmove(one.a, one.a + infos, (size_t)one.count * sizeof *one.a);
    return one;
}

void bench_further(bench_problem *one, int64_t by)
{
    for (int i = 0; i < one->count; i++)
        one->a[i].col0 += by * one->a[i].is.cols;
}

static double weight_of(tsl_type t) { return bench_is_complex(t) ? 4 : 1; }

/* Real Hermitian routines are only on views, and so are complex orthogonal ones: they count as those of the other kind,
 * weighed. */
double bench_flops(const bench_routine *r, const bench_case *c)
{
    if (r->batch_of) {
        bench_case one = single_case(r, c);
        return (double)problems(c) * bench_flops(single(r), &one);
    }
    if (r->flops)
        return r->flops(c) * weight_of(c->type);
    tsl_type counted = r->typed[c->type] ? c->type : r->typed[TSL_Z] ? TSL_Z : TSL_D;
    bool right = c->flag[BENCH_SIDE] == 'R'; /* tsl_flops counts as from the left */
    char name[16];
    snprintf(name, sizeof name, "%c%s", tsl_type_letter(counted), r->name);
    return tsl_flops(name, right ? c->n : c->m, right ? c->m : c->n, c->k) * weight_of(c->type) / weight_of(counted);
}

double bench_bytes(const bench_routine *r, const bench_case *c)
{
    if (r->batch_of) {
        bench_case one = single_case(r, c);
        return (double)problems(c) * bench_bytes(single(r), &one);
    }
    return r->elements(c) * (double)tsl_type_size(c->type);
}
