/* Every bad argument of every typed call of level 2, alone and in pairs: the first in BLAS's order is reported, nothing is
 * touched, and the context goes on. */
#include <ctype.h>

#include "dense.h"
#include "tap.h"
#include "typed.h"

enum { ORDER = 6, LD = 20, ARGS = 14, WAYS = 4 };

/* Kinds of the arguments, the first after the context at index 1: t trans, u uplo, d diag, n size, k number of diagonals, A
 * matrix, l its leading dimension, v vector, i its increment, . a scalar. w is a written vector. In updates, which = 'u', alpha
 * = 0 needs no operand at all; types says which have the routine. */
static const struct routine {
    const char *name, *kinds, *types;
    char which;
} routines[] = {
    {"gemv", " tnn.Alvi.wi", "sdcz", 'p'},     {"gbmv", " tnnkk.Alvi.wi", "sdcz", 'p'}, {"symv", " un.Alvi.wi", "sdcz", 'p'},
    {"hemv", " un.Alvi.wi", "cz", 'p'},        {"sbmv", " unk.Alvi.wi", "sd", 'p'},     {"hbmv", " unk.Alvi.wi", "cz", 'p'},
    {"spmv", " un.Avi.wi", "sd", 'p'},         {"hpmv", " un.Avi.wi", "cz", 'p'},       {"ger", " nn.viviAl", "sd", 'u'},
    {"geru", " nn.viviAl", "cz", 'u'},         {"gerc", " nn.viviAl", "cz", 'u'},       {"syr", " un.viAl", "sdcz", 'u'},
    {"her", " un.viAl", "cz", 'u'},            {"syr2", " un.viviAl", "sdcz", 'u'},     {"her2", " un.viviAl", "cz", 'u'},
    {"spr", " un.viA", "sd", 'u'},             {"hpr", " un.viA", "cz", 'u'},           {"spr2", " un.viviA", "sd", 'u'},
    {"hpr2", " un.viviA", "cz", 'u'},          {"trmv", " utdnAlwi", "sdcz", 't'},      {"trsv", " utdnAlwi", "sdcz", 't'},
    {"tbmv", " utdnkAlwi", "sdcz", 't'},       {"tbsv", " utdnkAlwi", "sdcz", 't'},     {"tpmv", " utdnAwi", "sdcz", 't'},
    {"tpsv", " utdnAwi", "sdcz", 't'},
};
enum { ROUTINES = sizeof routines / sizeof *routines };

typedef struct arg {
    char f;
    int64_t n;
    void *p;
} arg;

static tsl_context *ctx;
static dense arrays[3];
static double scalar; /* alpha */

#define FN(name) PASTE3(typed_, P, name)
#define CALL(name) PASTE3(tsl_, P, name)
#define BODY "tests/blas/level2_args.inc"
#include "core/types.inc"

static tsl_status invoke(const struct routine *r, tsl_type t, const arg *a)
{
    static tsl_status (*const calls[])(const char *, const arg *) = {typed_sinvoke, typed_dinvoke, typed_cinvoke, typed_zinvoke};
    return calls[t](r->name, a);
}

static int is_array(char kind) { return strchr("Avw", kind) != NULL; }

/* A good call: all sizes ORDER, no transpose, lower, the arrays in turn. */
static void good_args(const struct routine *r, arg *a)
{
    int array = 0;
    scalar = 1;
    for (int i = 1; r->kinds[i]; i++) {
        char kind = r->kinds[i];
        const char *flag = strchr("tNuLdN", kind); /* each kind of flag and its letter */
        a[i] = (arg){flag ? flag[1] : 0, kind == 'l' ? LD : kind == 'i' ? 1 : ORDER, NULL};
        if (is_array(kind)) a[i].p = arrays[array++].data;
    }
}

/* Makes an argument wrong in one of its ways; returns the status that should follow, TSL_OK if there is no such way. */
static tsl_status spoil(char kind, int way, arg *a)
{
    static const char flags[WAYS] = {'X', 0, '*', (char)0xc3};
    static const int64_t sizes[] = {-1, INT64_MIN}, lds[WAYS] = {ORDER - 1, 0, -LD, INT64_MIN};
    switch (kind) {
    case 'n':
    case 'k':
        if (way >= 2) return TSL_OK;
        a->n = sizes[way];
        return TSL_ERR_SIZE;
    case 'l': a->n = lds[way]; return TSL_ERR_LD;
    case 'i': a->n = 0; return way ? TSL_OK : TSL_ERR_SIZE;
    case 'A':
    case 'v':
    case 'w': a->p = NULL; return way ? TSL_OK : TSL_ERR_NULL;
    case '.': return TSL_OK;
    default: a->f = flags[way]; return TSL_ERR_FLAG;
    }
}

/* The call must be refused for argument i and leave all memory as it was. */
static void refused(const struct routine *r, tsl_type t, const arg *a, int i, tsl_status want, const char *what)
{
    char who[16], where[16];
    dense was[3] = {dense_copy(&arrays[0]), dense_copy(&arrays[1]), dense_copy(&arrays[2])};
    snprintf(who, sizeof who, "%c%s:", tsl_type_letter(t), r->name);
    snprintf(where, sizeof where, " %d ", i);
    tsl_status st = invoke(r, t, a);
    const char *line = tsl_error(ctx);
    check(st == want, "%s argument %d %s: %s, not %s", who, i, what, tsl_status_name(st), tsl_status_name(want));
    check(strstr(line, who) && strstr(line, where) && !strchr(line, '\n'), "%s argument %d %s: says '%s'", who, i, what, line);
    for (int d = 0; d < 3; d++) {
        check(dense_same(&arrays[d], &was[d]), "%s argument %d %s: array %d was touched", who, i, what, d);
        dense_free(&was[d]);
    }
}

static void accepted(const struct routine *r, tsl_type t, const arg *a, const char *what)
{
    tsl_status st = invoke(r, t, a);
    check(st == TSL_OK, "%c%s %s: %s, %s", tsl_type_letter(t), r->name, what, tsl_status_name(st), tsl_error(ctx));
}

static void renew_arrays(tsl_type t)
{
    for (int d = 0; d < 3; d++) {
        dense_free(&arrays[d]);
        arrays[d] = dense_make(t, LD, LD, CANARY_FINITE);
        dense_dominant(&arrays[d], (uint64_t)d);
    }
}

static void bad_arguments(const struct routine *r, tsl_type t)
{
    arg a[ARGS];
    for (int i = 1; r->kinds[i]; i++)
        for (int way = 0; way < WAYS; way++) {
            good_args(r, a);
            tsl_status want = spoil(r->kinds[i], way, &a[i]);
            if (want) refused(r, t, a, i, want, "alone");
            for (int j = i + 1; want && r->kinds[j]; j++) {
                arg keep = a[j];
                if (spoil(r->kinds[j], 0, &a[j])) refused(r, t, a, i, want, "with a later one");
                a[j] = keep;
            }
        }
    good_args(r, a);
    accepted(r, t, a, "after errors");
}

/* Sizes, or increments, whose product does not fit in memory, with leading dimensions that are right for them. */
static void overflows(const struct routine *r, tsl_type t)
{
    arg a[ARGS];
    good_args(r, a);
    int matrix = 0;
    for (int i = 1; r->kinds[i]; i++) {
        if (strchr("nk", r->kinds[i])) a[i].n = (int64_t)1 << 40;
        if (r->kinds[i] == 'l') a[i].n = (int64_t)1 << 42;
        if (r->kinds[i] == 'A') matrix = i;
    }
    refused(r, t, a, matrix, TSL_ERR_OVERFLOW, "too large");
    for (int i = 1; r->kinds[i]; i++) {
        good_args(r, a);
        a[i].n = i % 2 ? INT64_MIN : INT64_MAX;
        if (r->kinds[i] == 'i') refused(r, t, a, i - 1, TSL_ERR_OVERFLOW, "too far apart");
        if (r->kinds[i] != 'k') continue;
        a[i].n = INT64_MAX;
        refused(r, t, a, matrix, TSL_ERR_OVERFLOW, "too many diagonals");
    }
}

/* Letters of either case mean the same. */
static void letters(const struct routine *r, tsl_type t)
{
    static const char *const choices[][2] = {{"t", "NTC"}, {"u", "LU"}, {"d", "NU"}};
    arg a[ARGS];
    for (int i = 1; r->kinds[i]; i++)
        for (int c = 0; c < 3; c++)
            for (const char *up = choices[c][1]; choices[c][0][0] == r->kinds[i] && *up; up++) {
                dense upper[3];
                for (int lower = 0; lower < 2; lower++) {
                    renew_arrays(t);
                    good_args(r, a);
                    a[i].f = (char)(lower ? tolower((unsigned char)*up) : *up);
                    accepted(r, t, a, "either case");
                    for (int d = 0; d < 3; d++) {
                        if (lower) check(dense_same(&arrays[d], &upper[d]), "%s: the cases of '%c' differ", r->name, *up);
                        if (lower) dense_free(&upper[d]);
                        else upper[d] = dense_copy(&arrays[d]);
                    }
                }
            }
}

/* Arrays that no element is taken from may be null, whatever their increment, but flags are still looked at. */
static void empty_calls(const struct routine *r, tsl_type t)
{
    arg a[ARGS];
    for (int i = 1; r->kinds[i]; i++) {
        if (r->kinds[i] != 'n') continue;
        good_args(r, a);
        a[i].n = 0;
        for (int p = 1; r->kinds[p]; p++) {
            if (is_array(r->kinds[p])) a[p].p = NULL;
            if (r->kinds[p] == 'i') a[p].n = p % 2 ? INT64_MIN : INT64_MAX;
        }
        accepted(r, t, a, "with nothing to do");
        spoil(r->kinds[1], 0, &a[1]);
        refused(r, t, a, 1, r->kinds[1] == 'n' ? TSL_ERR_SIZE : TSL_ERR_FLAG, "with nothing to do");
    }
    if (r->which == 't') return;
    good_args(r, a); /* alpha = 0: what is only read may be null, and in updates what is written, too */
    scalar = 0;
    for (int p = 1; r->kinds[p]; p++)
        if (r->kinds[p] == 'v' || r->kinds[p] == 'A') a[p].p = NULL;
    accepted(r, t, a, "with alpha = 0");
}

int main(void)
{
    tsl_config cfg = tsl_config_default();
    cfg.devices = "host";
    ok(tsl_context_create(&cfg, &ctx) == TSL_OK, "context");
    for (int i = 0; ctx && i < ROUTINES; i++)
        for (const char *letter = routines[i].types; *letter; letter++) {
            const struct routine *r = &routines[i];
            tsl_type t = *letter == 's' ? TSL_S : *letter == 'd' ? TSL_D : *letter == 'c' ? TSL_C : TSL_Z;
            renew_arrays(t);
            bad_arguments(r, t);
            overflows(r, t);
            letters(r, t);
            empty_calls(r, t);
            checked("%c%s: bad arguments, letters, empty calls", *letter, r->name);
        }
    for (int d = 0; d < 3; d++) dense_free(&arrays[d]);
    tsl_context_destroy(ctx);
    return tap_done();
}
