/* The routines, by families. */
#include "bench/bench.h"

#include <stdio.h>
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
    static char names[1024];
    const bench_routine *r;
    size_t at = 0;
    for (int i = 0; (r = bench_routine_at(i)) && at < sizeof names; i++)
        at += (size_t)snprintf(names + at, sizeof names - at, "%s%s", i ? ", " : "", r->name);
    return names;
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

static double weight_of(tsl_type t) { return bench_is_complex(t) ? 4 : 1; }

/* Real Hermitian routines are only on views, and so are complex orthogonal ones: they count as those of the other kind, weighed. */
double bench_flops(const bench_routine *r, const bench_case *c)
{
    tsl_type counted = r->typed[c->type] ? c->type : r->typed[TSL_Z] ? TSL_Z : TSL_D;
    bool right = c->flag[BENCH_SIDE] == 'R'; /* tsl_flops counts as from the left */
    char name[16];
    snprintf(name, sizeof name, "%c%s", tsl_type_letter(counted), r->name);
    return tsl_flops(name, right ? c->n : c->m, right ? c->m : c->n, c->k) * weight_of(c->type) / weight_of(counted);
}

double bench_bytes(const bench_routine *r, const bench_case *c) { return r->elements(c) * (double)tsl_type_size(c->type); }
