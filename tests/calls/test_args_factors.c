/* Bad arguments of the typed calls of L D L^T and of singular values, alone and with a later one: the first in LAPACK's order
 * is told, nothing is touched. */
#include <complex.h>
#include <string.h>

#include "context.h"

enum { N = 5, LD = 7, ARRAYS = 3, ARGS = 13 };

typedef struct arg {
    char f;
    int64_t n;
    void *p;
} arg;

/* Kinds of the arguments, from the first after the context on: u uplo, j job, n size, p array, i pivots, l leading dimension */
static const struct routine {
    const char *name, *kinds;
} routines[] = {{"sytrf", "unpli"}, {"sytrs", "unnplipl"}, {"sysv", "unnplipl"}, {"sytri", "unpli"},
                {"hetrf", "unpli"}, {"hetrs", "unnplipl"}, {"hesv", "unnplipl"}, {"hetri", "unpli"},
                {"gesvd", "jjnnplpplpl"}, {"gesdd", "jnnplpplpl"}};
enum { ROUTINES = sizeof routines / sizeof *routines, HERMITIAN = 4, GESVD = 8, GESDD };

#define EACH(t, f, ...) \
    ((t) == TSL_S ? tsl_s##f(__VA_ARGS__) : (t) == TSL_D ? tsl_d##f(__VA_ARGS__) : (t) == TSL_C ? tsl_c##f(__VA_ARGS__) : tsl_z##f(__VA_ARGS__))
#define COMPLEX(t, f, ...) ((t) == TSL_C ? tsl_c##f(__VA_ARGS__) : tsl_z##f(__VA_ARGS__))

static tsl_status invoke(tsl_context *x, int routine, tsl_type t, const arg *a, int64_t *info)
{
    switch (routine) {
    case 0: return EACH(t, sytrf, x, a[0].f, a[1].n, a[2].p, a[3].n, a[4].p, info);
    case 1: return EACH(t, sytrs, x, a[0].f, a[1].n, a[2].n, a[3].p, a[4].n, a[5].p, a[6].p, a[7].n, info);
    case 2: return EACH(t, sysv, x, a[0].f, a[1].n, a[2].n, a[3].p, a[4].n, a[5].p, a[6].p, a[7].n, info);
    case 3: return EACH(t, sytri, x, a[0].f, a[1].n, a[2].p, a[3].n, a[4].p, info);
    case 4: return COMPLEX(t, hetrf, x, a[0].f, a[1].n, a[2].p, a[3].n, a[4].p, info);
    case 5: return COMPLEX(t, hetrs, x, a[0].f, a[1].n, a[2].n, a[3].p, a[4].n, a[5].p, a[6].p, a[7].n, info);
    case 6: return COMPLEX(t, hesv, x, a[0].f, a[1].n, a[2].n, a[3].p, a[4].n, a[5].p, a[6].p, a[7].n, info);
    case 7: return COMPLEX(t, hetri, x, a[0].f, a[1].n, a[2].p, a[3].n, a[4].p, info);
    case GESVD: return EACH(t, gesvd, x, a[0].f, a[1].f, a[2].n, a[3].n, a[4].p, a[5].n, a[6].p, a[7].p, a[8].n, a[9].p, a[10].n, info);
    default: return EACH(t, gesdd, x, a[0].f, a[1].n, a[2].n, a[3].p, a[4].n, a[5].p, a[6].p, a[7].n, a[8].p, a[9].n, info);
    }
}

typedef struct memory {
    tsl_cdouble a[ARRAYS][LD * N], s[N]; /* enough for any type */
    int64_t p[N];
} memory;

static void good(const char *kinds, memory *m, arg *a)
{
    int arrays = 0;
    for (int i = 0; kinds[i]; i++) {
        a[i] = (arg){kinds[i] == 'u' ? 'L' : 'S', kinds[i] == 'l' ? LD : N, NULL};
        if (kinds[i] == 'i') a[i].p = m->p;
        if (kinds[i] == 'p') a[i].p = kinds[i + 1] == 'l' ? (void *)m->a[arrays++] : (void *)m->s;
    }
}

/* In one of its ways; the status that should follow, TSL_OK if there is no such way */
static tsl_status spoil(char kind, int way, arg *a)
{
    static const char letters[] = {'X', 0, '*'};
    static const int64_t sizes[] = {-1, INT64_MIN}, lds[] = {N - 1, 0, -LD};
    if (kind == 'n') return way < 2 ? (a->n = sizes[way], TSL_ERR_SIZE) : TSL_OK;
    if (kind == 'l') return a->n = lds[way], TSL_ERR_LD;
    if (kind == 'p' || kind == 'i') return way ? TSL_OK : (a->p = NULL, TSL_ERR_NULL);
    return a->f = letters[way], TSL_ERR_FLAG;
}

static void refused(tsl_context *x, int routine, tsl_type t, const arg *a, const memory *m, int i, tsl_status want)
{
    memory was = *m;
    int64_t info = 4711;
    char where[16];
    tsl_status st = invoke(x, routine, t, a, &info);
    snprintf(where, sizeof where, " %d ", i + 1);
    check(st == want && info == -(i + 1), "%c%s, argument %d: %s, info %d", tsl_type_letter(t), routines[routine].name, i + 1, tsl_status_name(st), (int)info);
    check(strstr(tsl_error(x), routines[routine].name) && strstr(tsl_error(x), where), "%c%s, argument %d: says '%s'", tsl_type_letter(t), routines[routine].name, i + 1,
          tsl_error(x));
    check(!memcmp(&was, m, sizeof was), "%c%s, argument %d: memory was touched", tsl_type_letter(t), routines[routine].name, i + 1);
}

static void fill(tsl_type t, memory *m)
{
    memset(m, 0, sizeof *m);
    for (int k = 0; k < ARRAYS; k++)
        for (int i = 0; i < N; i++) {
            char *at = (char *)m->a[k] + (size_t)(i + i * LD) * tsl_type_size(t);
            if (t == TSL_S || t == TSL_C) *(float *)(void *)at = (float)(i + 1);
            else *(double *)(void *)at = i + 1;
        }
    for (int i = 0; i < N; i++) m->p[i] = i + 1;
}

static void arguments(tsl_context *x, int routine, tsl_type t)
{
    const char *kinds = routines[routine].kinds;
    memory m;
    arg a[ARGS];
    int64_t info = 4711;
    for (int i = 0; kinds[i]; i++)
        for (int way = 0; way < 3; way++) {
            fill(t, &m);
            good(kinds, &m, a);
            tsl_status want = spoil(kinds[i], way, &a[i]);
            if (want) refused(x, routine, t, a, &m, i, want);
            for (int j = i + 1; want && kinds[j]; j++) {
                arg keep = a[j];
                if (spoil(kinds[j], 0, &a[j])) refused(x, routine, t, a, &m, i, want);
                a[j] = keep;
            }
        }
    fill(t, &m);
    good(kinds, &m, a);
    tsl_status st = invoke(x, routine, t, a, &info);
    check(!st && !info, "%c%s after errors: %s, info %d", tsl_type_letter(t), routines[routine].name, tsl_status_name(st), (int)info);
    for (int i = 0; kinds[i]; i++)
        if (kinds[i] == 'n') a[i].n = 0;
        else if (kinds[i] == 'l') a[i].n = 1;
        else a[i].p = NULL;
    st = invoke(x, routine, t, a, &info);
    check(!st && !info, "%c%s of nothing: %s, info %d", tsl_type_letter(t), routines[routine].name, tsl_status_name(st), (int)info);
    for (int i = 0; kinds[i]; i++)
        if (kinds[i] == 'n' || kinds[i] == 'l') a[i].n = (int64_t)1 << 40;
        else a[i].p = kinds[i] == 'p' && kinds[i + 1] == 'l' ? (void *)m.a[0] : kinds[i] == 'i' ? (void *)m.p : (void *)m.s;
    st = invoke(x, routine, t, a, &info);
    check(st == TSL_ERR_OVERFLOW && info == -(int64_t)(1 + strcspn(kinds, "p")), "%c%s too large: %s, info %d", tsl_type_letter(t), routines[routine].name,
          tsl_status_name(st), (int)info);
}

int main(void)
{
    static const char *const where[] = {"host", "host:1"};
    for (int k = 0; k < 2; k++) {
        tsl_context *x = context_on(where[k]);
        for (int r = 0; r < ROUTINES && x; r++)
            for (int t = TSL_S; t <= TSL_Z; t++)
                if (t >= TSL_C || r < HERMITIAN || r >= GESVD) arguments(x, r, (tsl_type)t);
        if (x) checked("%s: L D L^T, singular values: bad arguments", where[k]);
        tsl_context_destroy(x);
    }
    return tap_done();
}
