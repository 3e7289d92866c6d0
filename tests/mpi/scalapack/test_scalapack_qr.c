/* ScaLAPACK's symbols of QR, LQ and least squares, preloaded: each call is made twice, through the preloaded symbol and by the
 * ScaLAPACK underneath, on blocks of matrices whose first block is on any process: the same factors, tau, products, solutions;
 * the same answers about workspace, and the same info of what is wrong. */
#if !WITH_SCALAPACK
#include "tap.h"
int main(void)
{
    skip("no ScaLAPACK was found when this was built");
    return tap_done();
}
#else
#include "parts.h"

#define lapack_complex_float float _Complex
#define lapack_complex_double double _Complex
#include <lapacke.h>

extern void pdgeqrf_(void);

enum { NB = 5, AT = 6, LENGTH = 20000, WIDE = 13 }; /* blocks; where the block factored starts; workspace; right-hand sides */

typedef struct call {
    const char *name;
    int m, n, k;
    char side, trans; /* t: T or of complex elements C; x: neither */
} call;

/* All that a call is given, but for lwork, which is -1 where it only asks */
typedef struct given {
    part A, C;
    void *tau, *work;
} given;

#define M(x) x.d.data, &at, &at, x.desc

static char letter(const given *g, char trans) { return trans != 't' ? trans : g->A.t >= TSL_C ? 'C' : 'T'; }

static int make_call(any *fn, const call *c, const given *g, int lwork)
{
    int at = AT, m = c->m, n = c->n, k = c->k, info = 77;
    char trans = letter(g, c->trans);
    if (!strcmp(c->name, "geqrf") || !strcmp(c->name, "gelqf"))
        ((void (*)(int *, int *, void *, int *, int *, const int *, void *, void *, int *, int *))fn)(&m, &n, M(g->A), g->tau, g->work, &lwork, &info);
    else if (c->name[0] == 'm')
        ((void (*)(const char *, const char *, int *, int *, int *, void *, int *, int *, const int *, void *, void *, int *, int *, const int *, void *, int *,
                   int *, size_t, size_t))fn)(&c->side, &trans, &m, &n, &k, M(g->A), g->tau, M(g->C), g->work, &lwork, &info, 1, 1);
    else if (!strcmp(c->name, "gels"))
        ((void (*)(const char *, int *, int *, int *, void *, int *, int *, const int *, void *, int *, int *, const int *, void *, int *, int *, size_t))fn)(
            &trans, &m, &n, &k, M(g->A), M(g->C), g->work, &lwork, &info, 1);
    else
        ((void (*)(int *, int *, int *, void *, int *, int *, const int *, void *, void *, int *, int *))fn)(&m, &n, &k, M(g->A), g->tau, g->work, &lwork, &info);
    return info;
}

/* The name of a type's symbol: products with Q, and Q itself, are or.. of real and un.. of complex elements. */
static any *symbol(void *where, tsl_type type, const char *name, char text[16])
{
    bool of_q = strlen(name) == 3;
    snprintf(text, 16, "p%c%s%s_", tsl_type_letter(type), !of_q ? "" : type >= TSL_C ? "un" : "or", name);
    return (any *)dlsym(where, text);
}

static given prepare(tsl_type type, int rsrc, int csrc)
{
    given g = {part_make(type, NB, NB, rsrc, csrc, 4, 1), part_make(type, NB, NB, rsrc, csrc, 5, 0), calloc(4 * N, 16), calloc(LENGTH, 16)};
    if (!g.tau || !g.work) abort();
    return g;
}

static void drop(given *g)
{
    dense_free(&g->A.d), dense_free(&g->C.d);
    free(g->tau), free(g->work);
}

static tsl_scalar element(const given *g, const void *from, int i)
{
    dense d = {.t = g->A.t, .m = i + 1, .n = 1, .ld = i + 1, .data = (unsigned char *)from};
    return dense_get(&d, i, 0);
}

/* Of the factors that go with the block's columns, or rows, here */
static double factors_apart(const given *a, const given *b, bool rows, int count, int src)
{
    int d = rows ? 0 : 1, n = AT - 1 + count, before = AT - 1, nb = NB;
    double worst = 0;
    for (int i = numroc_(&before, &nb, &shape[2 + d], &src, &shape[d]); i < numroc_(&n, &nb, &shape[2 + d], &src, &shape[d]); i++)
        worst = worse(worst, cabs(element(a, a->tau, i) - element(b, b->tau, i)));
    return worst / tsl_type_eps(a->A.t);
}

/* ScaLAPACK's gels calls what is preloaded: LAPACK's in double complex instead, its solutions in C's part */
static void by_lapack(const call *c, given *g)
{
    dense A = part_whole(g->A.t, 4, 1), B = part_whole(g->A.t, 5, 0);
    int longest = c->m > c->n ? c->m : c->n;
    tsl_scalar *a = calloc((size_t)(c->m * c->n), sizeof *a), *b = calloc((size_t)(longest * c->k), sizeof *b);
    if (!a || !b) abort();
    for (int i = 0; i < c->m * c->n; i++) a[i] = dense_get(&A, AT - 1 + i % c->m, AT - 1 + i / c->m);
    for (int i = 0; i < longest * c->k; i++) b[i] = dense_get(&B, AT - 1 + i % longest, AT - 1 + i / longest);
    if (LAPACKE_zgels(LAPACK_COL_MAJOR, c->trans == 't' ? 'C' : 'N', c->m, c->n, c->k, (void *)a, c->m, (void *)b, longest)) abort();
    for (int i = 0; i < longest * c->k; i++) dense_put(&B, AT - 1 + i % longest, AT - 1 + i / longest, b[i]);
    part now = part_of(&B, NB, NB, g->C.desc[6], g->C.desc[7]);
    dense_free(&g->C.d), dense_free(&A), dense_free(&B);
    g->C = now;
    free(a), free(b);
}

static const call calls[] = {
    {"geqrf", 31, 23, 0, 0, 0},     {"geqrf", 22, 36, 0, 0, 0},     {"gelqf", 31, 23, 0, 0, 0},     {"gelqf", 22, 36, 0, 0, 0},
    {"mqr", 31, 17, 12, 'L', 'N'},  {"mqr", 31, 17, 12, 'L', 't'},  {"mqr", 17, 31, 22, 'R', 'N'},  {"mqr", 17, 31, 22, 'R', 't'},
    {"mlq", 31, 17, 12, 'L', 'N'},  {"mlq", 31, 17, 12, 'L', 't'},  {"mlq", 17, 31, 22, 'R', 'N'},  {"mlq", 17, 31, 22, 'R', 't'},
    {"gqr", 31, 23, 23, 0, 0},      {"gqr", 31, 23, 11, 0, 0},      {"glq", 23, 31, 23, 0, 0},      {"glq", 23, 31, 11, 0, 0},
    {"gels", 31, 23, WIDE, 0, 'N'}, {"gels", 31, 23, WIDE, 0, 't'}, {"gels", 22, 36, WIDE, 0, 'N'}, {"gels", 22, 36, WIDE, 0, 't'},
};

static void one_call(const team *t, tsl_type type, const call *c, int turn)
{
    char name[16], by[16];
    any *ours = symbol(RTLD_DEFAULT, type, c->name, name), *theirs = symbol(real, type, c->name, by);
    bool lq = !strcmp(c->name, "gelqf") || strstr(c->name, "lq"), factored = strlen(c->name) == 3;
    int src = turn % 2 ? shape[lq ? 0 : 1] - 1 : 0, count = factored ? c->k : c->m < c->n ? c->m : c->n, info[2] = {77, 77}, room[2] = {0};
    given g[2];
    for (int i = 0; i < 2; i++) { /* the same reflectors for both */
        g[i] = prepare(type, lq ? src : 0, lq ? 0 : src);
        call first = {lq ? "gelqf" : "geqrf", 31, 31, 0, 0, 0};
        any *fn = symbol(real, type, first.name, by);
        if (factored && fn) make_call(fn, &first, &g[i], LENGTH);
        any *which = i ? theirs : ours;
        int asked = which ? make_call(which, c, &g[i], -1) : 77;
        room[i] = asked ? -1 : (int)creal(element(&g[i], g[i].work, 0));
        info[i] = which ? make_call(which, c, &g[i], LENGTH) : 77;
    }
    if (!strcmp(c->name, "gels")) by_lapack(c, &g[1]);
    double far = worse(worse(0, apart(&g[0].A, &g[1].A, 4 * N * N)), apart(&g[0].C, &g[1].C, 4 * N * N));
    if (strcmp(c->name, "gels")) far = worse(far, factors_apart(&g[0], &g[1], lq, count, src) / N);
    int told = (int)creal(element(&g[0], g[0].work, 0)) == room[1];
    all_ok(t, preloaded(ours) && theirs && !info[0] && !info[1] && room[0] == room[1] && room[1] > 0 && told && far < 30,
           "%s %d %d %d %c%c on %dx%d: off by %.2g; info %d, %d; workspace %d, %d", name, c->m, c->n, c->k, c->side ? c->side : '-', c->trans ? c->trans : '-', shape[0],
           shape[1], far, info[0], info[1], room[0], room[1]);
    drop(&g[0]), drop(&g[1]);
}

/* Wrong on all processes, or on one of them: the info of the ScaLAPACK underneath, and nothing is touched. */
static void refused(const team *t)
{
    static const call bad[] = {{"geqrf", -1, 9, 0, 0, 0}, {"gelqf", 9, 77, 0, 0, 0},       {"mqr", 20, 20, 21, 'L', 'N'}, {"mqr", 20, 20, 5, 'X', 'N'},
                               {"mlq", 20, 20, 5, 'L', 'x'}, {"gqr", 20, 23, 9, 0, 0}, {"glq", 23, 20, 9, 0, 0},      {"gels", 20, 20, 3, 0, 'x'},
                               {"gels", 20, 10, -3, 0, 'N'}};
    for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++)
        for (int type = TSL_D; type <= TSL_Z; type += 2) {
            given g = prepare((tsl_type)type, 0, 0), was = prepare((tsl_type)type, 0, 0);
            char name[16];
            any *ours = symbol(RTLD_DEFAULT, (tsl_type)type, bad[i].name, name), *theirs = symbol(real, (tsl_type)type, bad[i].name, name);
            int info[2] = {make_call(ours, &bad[i], &g, LENGTH), make_call(theirs, &bad[i], &g, LENGTH)};
            all_ok(t, info[0] == info[1] && info[0] < 0 && dense_same(&g.A.d, &was.A.d) && dense_same(&g.C.d, &was.C.d), "%s refused: info is %d and %d", name, info[0], info[1]);
            drop(&g), drop(&was);
        }
    for (unsigned i = 0; i < sizeof calls / sizeof *calls; i++) {
        given g = prepare(TSL_D, 0, 0), was = prepare(TSL_D, 0, 0);
        char name[16];
        any *ours = symbol(RTLD_DEFAULT, TSL_D, calls[i].name, name), *theirs = symbol(real, TSL_D, calls[i].name, name);
        int lwork = t->rank == t->size - 1 ? 3 : LENGTH, info[2] = {make_call(ours, &calls[i], &g, lwork), make_call(theirs, &calls[i], &was, lwork)};
        int any_bad = !everywhere(info[1] == 0);
        all_ok(t, info[0] == info[1] && any_bad, "%s: too little workspace on one process: info is %d and %d", name, info[0], info[1]);
        drop(&g), drop(&was);
    }
}

int main(int argc, char **argv)
{
    team t = team_open(argc, argv);
    all_ok(&t, find_real(), "the ScaLAPACK underneath is loaded");
    open_grid("Row", t.rows, t.cols);
    for (int type = TSL_S; type <= TSL_Z; type++)
        for (int i = 0; i < (int)(sizeof calls / sizeof *calls); i++) one_call(&t, (tsl_type)type, &calls[i], i + type);
    refused(&t);
    Cblacs_gridexit(context);
    return team_close(&t);
}
#endif
