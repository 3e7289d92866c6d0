/* Every bad argument of every typed call, alone and in pairs: the first in LAPACK's order is reported, nothing is touched, and
 * the context goes on. */
#include <ctype.h>

#include "dense.h"
#include "eig_calls.h"
#include "tap.h"
#include "typed.h"

enum { ORDER = 6, ARGS = 14 };
enum { GEMM, TRSM, SYRK, HERK, POTRF, TRTRI, LAUUM, POTRI, POTRS, POSV, GETRF, GETRS, GESV, GETRI, GESV_INCPIV, /* from POTRF on with info */
       GEQRF, GELQF, MQR, MLQ, GQR, GLQ, GELS, GELS_INC, TRD, MTR, GTR, EVD, GVD, STEDC, ROUTINES };

/* Kinds of the arguments, the first after the context at index 1: t trans, u uplo, e side, d diag, j jobz, z compz, n size, p
 * array, i pivots, v factors of reflectors, l leading dimension, . a scalar or anything else that cannot be wrong. Q of real
 * elements is orthogonal, of complex ones unitary: 'or' is 'un' of those, and the 'sy' of sytrd 'he'. */
static const struct routine {
    const char *name, *kinds;
} routines[ROUTINES] = {
    {"gemm", " ttnnn.plpl.pl"}, {"trsm", " eutdnn.plpl"}, {"syrk", " utnn.pl.pl"}, {"herk", " utnn.pl.pl"}, {"potrf", " unpl."},
    {"trtri", " udnpl."}, {"lauum", " unpl."}, {"potri", " unpl."}, {"potrs", " unnplpl."}, {"posv", " unnplpl."},
    {"getrf", " nnpli."}, {"getrs", " tnnplipl."}, {"gesv", " nnplipl."}, {"getri", " npli."}, {"gesv_incpiv", " nnplpl."},
    {"geqrf", " nnplv."}, {"gelqf", " nnplv."}, {"ormqr", " etnnnplvpl."}, {"ormlq", " etnnnplvpl."}, {"orgqr", " nnnplv."}, {"orglq", " nnnplv."},
    {"gels", " tnnnplpl."}, {"gels_inc", " nnnplpl."},
    {"sytrd", " unplppv."}, {"ormtr", " eutnnplvpl."}, {"orgtr", " unplv."}, {"syevd", " junplp."}, {"sygvd", " .junplplp."}, {"stedc", " znpppl."},
};

typedef struct arg {
    char f;
    int64_t n;
    void *p;
} arg;

static tsl_context *ctx;
static dense arrays[3];
static int64_t info, ipiv[ORDER];
static tsl_cdouble factors[ORDER]; /* of any type: all zeros */

static tsl_status invoke(int routine, tsl_type t, const arg *a)
{
    const typed_calls *f = typed_for(t);
    switch (routine) {
    case GEMM:
        return f->gemm(ctx, a[1].f, a[2].f, a[3].n, a[4].n, a[5].n, 1, a[7].p, a[8].n, a[9].p, a[10].n, 1, a[12].p, a[13].n);
    case TRSM:
        return f->trsm(ctx, a[1].f, a[2].f, a[3].f, a[4].f, a[5].n, a[6].n, 1, a[8].p, a[9].n, a[10].p, a[11].n);
    case SYRK: return f->syrk(ctx, a[1].f, a[2].f, a[3].n, a[4].n, 1, a[6].p, a[7].n, 1, a[9].p, a[10].n);
    case HERK: return f->herk(ctx, a[1].f, a[2].f, a[3].n, a[4].n, 1, a[6].p, a[7].n, 1, a[9].p, a[10].n);
    case TRTRI: return f->trtri(ctx, a[1].f, a[2].f, a[3].n, a[4].p, a[5].n, &info);
    case LAUUM: return f->lauum(ctx, a[1].f, a[2].n, a[3].p, a[4].n, &info);
    case POTRI: return f->potri(ctx, a[1].f, a[2].n, a[3].p, a[4].n, &info);
    case POTRS: return f->potrs(ctx, a[1].f, a[2].n, a[3].n, a[4].p, a[5].n, a[6].p, a[7].n, &info);
    case POSV: return f->posv(ctx, a[1].f, a[2].n, a[3].n, a[4].p, a[5].n, a[6].p, a[7].n, &info);
    case GETRF: return f->getrf(ctx, a[1].n, a[2].n, a[3].p, a[4].n, a[5].p, &info);
    case GETRS: return f->getrs(ctx, a[1].f, a[2].n, a[3].n, a[4].p, a[5].n, a[6].p, a[7].p, a[8].n, &info);
    case GESV: return f->gesv(ctx, a[1].n, a[2].n, a[3].p, a[4].n, a[5].p, a[6].p, a[7].n, &info);
    case GESV_INCPIV: return f->gesv_incpiv(ctx, a[1].n, a[2].n, a[3].p, a[4].n, a[5].p, a[6].n, &info);
    case GETRI: return f->getri(ctx, a[1].n, a[2].p, a[3].n, a[4].p, &info);
    case GEQRF: return f->geqrf(ctx, a[1].n, a[2].n, a[3].p, a[4].n, a[5].p, &info);
    case GELQF: return f->gelqf(ctx, a[1].n, a[2].n, a[3].p, a[4].n, a[5].p, &info);
    case MQR: return f->mqr(ctx, a[1].f, a[2].f, a[3].n, a[4].n, a[5].n, a[6].p, a[7].n, a[8].p, a[9].p, a[10].n, &info);
    case MLQ: return f->mlq(ctx, a[1].f, a[2].f, a[3].n, a[4].n, a[5].n, a[6].p, a[7].n, a[8].p, a[9].p, a[10].n, &info);
    case GQR: return f->gqr(ctx, a[1].n, a[2].n, a[3].n, a[4].p, a[5].n, a[6].p, &info);
    case GLQ: return f->glq(ctx, a[1].n, a[2].n, a[3].n, a[4].p, a[5].n, a[6].p, &info);
    case GELS: return f->gels(ctx, a[1].f, a[2].n, a[3].n, a[4].n, a[5].p, a[6].n, a[7].p, a[8].n, &info);
    case TRD: return f->trd(ctx, a[1].f, a[2].n, a[3].p, a[4].n, a[5].p, a[6].p, a[7].p, &info);
    case MTR: return f->mtr(ctx, a[1].f, a[2].f, a[3].f, a[4].n, a[5].n, a[6].p, a[7].n, a[8].p, a[9].p, a[10].n, &info);
    case GTR: return f->gtr(ctx, a[1].f, a[2].n, a[3].p, a[4].n, a[5].p, &info);
    case EVD: return eig_typed[t].evd(ctx, a[1].f, a[2].f, a[3].n, a[4].p, a[5].n, a[6].p, &info);
    case GVD: return eig_typed[t].gvd(ctx, 1, a[2].f, a[3].f, a[4].n, a[5].p, a[6].n, a[7].p, a[8].n, a[9].p, &info);
    case STEDC: return eig_typed[t].stedc(ctx, a[1].f, a[2].n, a[3].p, a[4].p, a[5].p, a[6].n, &info);
    case GELS_INC: return f->gels_inc(ctx, a[1].n, a[2].n, a[3].n, a[4].p, a[5].n, a[6].p, a[7].n, &info);
    default: return f->potrf(ctx, a[1].f, a[2].n, a[3].p, a[4].n, &info);
    }
}

/* A good call: all sizes ORDER, no transpose, lower, left, the arrays in turn. */
static void good_args(const char *kinds, arg *a)
{
    int array = 0;
    for (int i = 1; kinds[i]; i++) {
        const char *flag = strchr("tNuLeLdNjVzI", kinds[i]); /* each kind of flag and its letter */
        a[i] = (arg){flag ? flag[1] : 0, kinds[i] == 'l' ? arrays[0].ld : ORDER, NULL};
        if (kinds[i] == 'p') a[i].p = arrays[array++].data;
        if (kinds[i] == 'i') a[i].p = ipiv;
        if (kinds[i] == 'v') a[i].p = factors;
    }
}

/* Makes argument i wrong in one of its ways; returns the status that should follow, TSL_OK if there is no such way. */
static tsl_status spoil(char kind, int way, arg *a)
{
    static const char flags[] = {'X', 0, '*', (char)0xc3};
    static const int64_t sizes[] = {-1, INT64_MIN}, lds[] = {ORDER - 1, 0, -ORDER, INT64_MIN};
    switch (kind) {
    case 'n':
        if (way >= 2) return TSL_OK;
        a->n = sizes[way];
        return TSL_ERR_SIZE;
    case 'l': a->n = lds[way]; return TSL_ERR_LD;
    case 'i':
    case 'v':
    case 'p': a->p = NULL; return way ? TSL_OK : TSL_ERR_NULL;
    case '.':
    case '\0': return TSL_OK;
    default: a->f = flags[way]; return TSL_ERR_FLAG;
    }
}

/* The call must be refused for argument i and leave all memory as it was. */
static void refused(int routine, tsl_type t, const arg *a, int i, tsl_status want, const char *what)
{
    const struct routine *r = &routines[routine];
    char who[16], where[16];
    dense was[3] = {dense_copy(&arrays[0]), dense_copy(&arrays[1]), dense_copy(&arrays[2])};
    int64_t pivots[ORDER];
    memcpy(pivots, ipiv, sizeof ipiv);
    snprintf(who, sizeof who, "%c%s", tsl_type_letter(t), r->name);
    if (tsl_is_complex(t) && !strncmp(r->name, "or", 2)) memcpy(who + 1, "un", 2);
    if (tsl_is_complex(t) && !strncmp(r->name, "sy", 2) && routine >= TRD) memcpy(who + 1, "he", 2);
    snprintf(where, sizeof where, " %d ", i);
    info = 4711;
    tsl_status st = invoke(routine, t, a);
    const char *line = tsl_error(ctx);
    check(st == want, "%s argument %d %s: %s, not %s", who, i, what, tsl_status_name(st), tsl_status_name(want));
    check(strstr(line, who) && strstr(line, where) && !strchr(line, '\n'), "%s argument %d %s: says '%s'", who, i, what, line);
    check(info == (routine >= POTRF ? -i : 4711), "%s argument %d %s: info %d", who, i, what, (int)info);
    check(!memcmp(pivots, ipiv, sizeof ipiv), "%s argument %d %s: the pivots were touched", who, i, what);
    for (int d = 0; d < 3; d++) {
        check(dense_same(&arrays[d], &was[d]), "%s argument %d %s: array %d was touched", who, i, what, d);
        dense_free(&was[d]);
    }
}

/* The good call itself succeeds, which also shows that the context survived what came before. */
static void accepted(int routine, tsl_type t, const arg *a, const char *what)
{
    info = 4711;
    tsl_status st = invoke(routine, t, a);
    check(st == TSL_OK, "%c%s %s: %s, %s", tsl_type_letter(t), routines[routine].name, what, tsl_status_name(st), tsl_error(ctx));
    check(routine < POTRF || info == 0, "%s %s: info %d", routines[routine].name, what, (int)info);
}

static void renew_arrays(tsl_type t)
{
    for (int d = 0; d < 3; d++) {
        dense_free(&arrays[d]);
        arrays[d] = dense_make(t, ORDER, ORDER, CANARY_FINITE);
        dense_dominant(&arrays[d], (uint64_t)d);
    }
    for (int i = 0; i < ORDER; i++) ipiv[i] = i + 1;
}

static void bad_arguments(int routine, tsl_type t)
{
    const char *kinds = routines[routine].kinds;
    arg a[ARGS];
    for (int i = 1; kinds[i]; i++)
        for (int way = 0; way < 4; way++) {
            good_args(kinds, a);
            tsl_status want = spoil(kinds[i], way, &a[i]);
            if (want) refused(routine, t, a, i, want, "alone");
            for (int j = i + 1; want && kinds[j]; j++) {
                arg keep = a[j];
                if (spoil(kinds[j], 0, &a[j])) refused(routine, t, a, i, want, "with a later one");
                a[j] = keep;
            }
        }
    good_args(kinds, a);
    accepted(routine, t, a, "after errors");
}

/* Sizes whose product does not fit in memory, with leading dimensions that are right for them. */
static void overflows(int routine, tsl_type t)
{
    const char *kinds = routines[routine].kinds;
    arg a[ARGS];
    good_args(kinds, a);
    int first = 0;
    for (int i = 1; kinds[i]; i++) {
        if (kinds[i] == 'n' || kinds[i] == 'l') a[i].n = (int64_t)1 << 40;
        if (kinds[i] == 'p' && kinds[i + 1] == 'l' && !first) first = i; /* a matrix */
    }
    refused(routine, t, a, first, TSL_ERR_OVERFLOW, "too large");
}

/* Letters of either case mean the same; C means T for real types. */
static void letters(int routine, tsl_type t)
{
    static const char *const choices[][2] = {{"t", "NTC"}, {"u", "LU"}, {"e", "LR"}, {"d", "NU"}};
    const char *kinds = routines[routine].kinds;
    arg a[ARGS];
    for (int i = 1; kinds[i]; i++)
        for (int c = 0; c < 4; c++)
            for (const char *up = choices[c][1]; choices[c][0][0] == kinds[i] && *up; up++) {
                renew_arrays(t);
                good_args(kinds, a);
                a[i].f = *up;
                int barred = tsl_is_complex(t) && ((routine == SYRK && *up == 'C') || (routine == HERK && *up == 'T'));
                barred |= routine >= GEQRF && *up == (tsl_is_complex(t) ? 'T' : 'C');
                if (barred) {
                    refused(routine, t, a, i, TSL_ERR_FLAG, "of the other kind");
                    a[i].f = (char)tolower((unsigned char)*up);
                    refused(routine, t, a, i, TSL_ERR_FLAG, "of the other kind");
                    continue;
                }
                accepted(routine, t, a, "upper case");
                dense upper[3] = {dense_copy(&arrays[0]), dense_copy(&arrays[1]), dense_copy(&arrays[2])};
                renew_arrays(t);
                good_args(kinds, a);
                a[i].f = (char)(!tsl_is_complex(t) && *up == 'C' ? 't' : tolower((unsigned char)*up));
                accepted(routine, t, a, "lower case");
                for (int d = 0; d < 3; d++) {
                    check(dense_same(&arrays[d], &upper[d]), "%s: '%c' and '%c' differ", routines[routine].name, *up, a[i].f);
                    dense_free(&upper[d]);
                }
            }
}

static bool is_of_q(int routine) { return routine >= MQR && routine <= GLQ; }

static int last_size(const char *kinds) { return (int)(strrchr(kinds, 'n') - kinds); }

/* Sizes that must not exceed others */
static void bounded(int routine, tsl_type t)
{
    const char *kinds = routines[routine].kinds;
    int k = last_size(kinds);
    arg a[ARGS];
    good_args(kinds, a);
    a[k].n = ORDER + 1;
    refused(routine, t, a, k, TSL_ERR_SIZE, "more reflectors than the order");
    good_args(kinds, a);
    a[routine == GLQ ? k - 2 : k - 1].n = ORDER + 1;
    for (int i = k; kinds[i]; i++)
        if (kinds[i] == 'l') a[i].n = ORDER + 1;
    if (routine >= GQR) refused(routine, t, a, k - 1, TSL_ERR_SIZE, "too many columns or rows of Q");
}

/* Arrays that no element is taken from may be null, but flags and leading dimensions are still looked at. */
static void empty_calls(int routine, tsl_type t)
{
    const char *kinds = routines[routine].kinds;
    arg a[ARGS];
    for (int i = 1; kinds[i]; i++) {
        if (kinds[i] != 'n' || (kinds[i + 1] != 'n' && (routine == SYRK || routine == HERK))) continue;
        good_args(kinds, a);
        a[i].n = 0;
        for (int s = i; is_of_q(routine) && kinds[s] == 'n'; s++) a[s].n = 0; /* k is bounded by others, these by each other */
        if (routine == GELS_INC && i == 1) a[2].n = 0;
        if (routine == GLQ && i == 2) continue;
        int needed = routine == GEMM && i == 5 ? 12 : routine == POSV && i == 3 ? 4
                     : (routine == GESV || routine == GESV_INCPIV) && i == 2 ? 3 : 0; /* C is still scaled, A still factored, */
        if (routine == GELS) needed = i == 4 ? 5 : 7; /* B set to zero, A there, */
        if (routine == GELS_INC) needed = i == 3 ? 4 : i == 2 ? 6 : 0;
        if (is_of_q(routine) && i == last_size(kinds)) needed = routine >= GQR ? 4 : 9; /* Q the identity */
        for (int p = 1; kinds[p]; p++)
            if ((kinds[p] == 'p' && p != needed) || (strchr("iv", kinds[p]) && routine != GESV)) a[p].p = NULL;
        accepted(routine, t, a, "with nothing to do");
        if (strchr("tued", kinds[1])) {
            a[1].f = 'X';
            refused(routine, t, a, 1, TSL_ERR_FLAG, "with nothing to do");
        }
    }
}

int main(void)
{
    tsl_config cfg = tsl_config_default();
    cfg.devices = "host";
    ok(tsl_context_create(&cfg, &ctx) == TSL_OK, "context");
    for (int i = 0; ctx && i < 4; i++)
        for (int r = 0; r < ROUTINES; r++) {
            tsl_type t = all_types[i];
            if (r == HERK && !tsl_is_complex(t)) continue;
            renew_arrays(t);
            bad_arguments(r, t);
            overflows(r, t);
            letters(r, t);
            empty_calls(r, t);
            if (is_of_q(r)) bounded(r, t);
            checked("%c%s: bad arguments, letters, empty calls", tsl_type_letter(t), routines[r].name);
        }
    for (int d = 0; d < 3; d++) dense_free(&arrays[d]);
    tsl_context_destroy(ctx);
    return tap_done();
}
