/* ScaLAPACK's redistribution, preloaded: the same elements in the same places, and nothing else touched, as by the ScaLAPACK
 * underneath, between matrices of one context, of two that have all processes, and of one process and all. */
#if !WITH_SCALAPACK
#include "tap.h"
int main(void)
{
    skip("no ScaLAPACK was found when this was built");
    return tap_done();
}
#else
#include "parts.h"

extern void pdgemr2d_(void), Cblacs_gridmap(int *, int *, int, int, int);

/* A context and this process's place in it: as of parts.h, which reads `context` and `shape` */
typedef struct place {
    int context, shape[4];
} place;

static void stand(const place *p)
{
    context = p->context;
    memcpy(shape, p->shape, sizeof shape);
}

static place place_of(int blacs)
{
    place p = {.context = blacs, .shape = {0, 0, -1, -1}};
    if (blacs >= 0) Cblacs_gridinfo(blacs, &p.shape[0], &p.shape[1], &p.shape[2], &p.shape[3]);
    return p;
}

/* The part of a process outside of the context: nothing, and a descriptor of which only the context means something */
static part part_there(const place *p, tsl_type type, int mb, int nb, uint64_t seed)
{
    stand(p);
    if (shape[2] >= 0) return part_make(type, mb, nb, shape[0] - 1, 0, seed, 0);
    part q = {.t = type, .d = dense_make(type, 1, 1, CANARY_FINITE), .desc = {1, -1, -7, -7, -7, -7, -7, -7, -7}};
    return q;
}

typedef struct call {
    char uplo, diag; /* uplo 0: gemr2d */
    int m, n, ia, ja, ib, jb;
    bool c; /* as C calls it */
} call;

#define OF(X) X.d.data, i##X, j##X, X.desc
static void make_call(any *fn, const call *c, part *from, part *to, int all)
{
    part A = *from, B = *to;
    int m = c->m, n = c->n, iA = c->ia, jA = c->ja, iB = c->ib, jB = c->jb;
    if (c->c && !c->uplo) {
        ((void (*)(int, int, void *, int, int, int *, void *, int, int, int *, int))fn)(m, n, OF(A), OF(B), all);
    } else if (c->c) {
        ((void (*)(const char *, const char *, int, int, void *, int, int, int *, void *, int, int, int *, int))fn)(
            &c->uplo, &c->diag, m, n, OF(A), OF(B), all);
    } else {
        char uplo = c->uplo, diag = c->diag;
        void *a[FORTRAN_MOST] = {&uplo,  &diag,    &m,  &n,  A.d.data, &iA,  &jA,
                                 A.desc, B.d.data, &iB, &jB, B.desc,   &all, FORTRAN_LENGTHS};
        call_fortran(fn, c->uplo ? a : a + 2);
    }
}

static void one_call(const team *t, tsl_type type, const call *c, const place *from, const place *to, int all, const char *what)
{
    char text[20];
    const char *name = c->uplo ? "trmr2d" : "gemr2d";
    snprintf(text, sizeof text, c->c ? "Cp%c%s" : "p%c%s_", tsl_type_letter(type), name);
    any *fn[] = {(any *)dlsym(RTLD_DEFAULT, text), (any *)dlsym(real, text)};
    part A[2], B[2];
    for (int i = 0; i < 2; i++) {
        A[i] = part_there(from, type, 4, 3, 1), B[i] = part_there(to, type, 7, 2, 2);
        if (fn[i]) make_call(fn[i], c, &A[i], &B[i], all);
    }
    all_ok(t, preloaded(fn[0]) && fn[1] && dense_same(&A[0].d, &A[1].d) && dense_same(&B[0].d, &B[1].d),
           "%s %c%c %d x %d from (%d, %d) to (%d, %d), %s", text, c->uplo ? c->uplo : '-', c->diag, c->m, c->n, c->ia, c->ja,
           c->ib, c->jb, what);
    for (int i = 0; i < 2; i++) dense_free(&A[i].d), dense_free(&B[i].d);
}

int main(int argc, char **argv)
{
    static const call calls[] = {{0, '-', N, N, 1, 1, 1, 1, false},     {0, '-', 23, 17, 6, 9, 2, 20, true},
                                 {0, '-', 0, 5, 1, 1, 1, 1, false},     {'U', 'N', 20, 20, 3, 4, 1, 2, false},
                                 {'L', 'U', 20, 20, 3, 4, 1, 2, true},  {'U', 'U', 25, 14, 1, 1, 6, 6, false},
                                 {'L', 'N', 25, 14, 2, 5, 6, 6, true},  {'U', 'N', 14, 25, 2, 5, 6, 6, false},
                                 {'L', 'U', 14, 25, 2, 5, 6, 6, false}, {'L', 'N', 1, 9, 2, 5, 6, 6, false}};
    team t = team_open(argc, argv);
    all_ok(&t, find_real(), "the ScaLAPACK underneath is loaded");
    place all, turned, line, last;
    int blacs, mine[1] = {t.size - 1};
    open_grid("Row", t.rows, t.cols), all = place_of(context);
    open_grid("Col", t.cols, t.rows), turned = place_of(context);
    open_grid("Row", 1, t.size), line = place_of(context);
    Cblacs_get(-1, 0, &blacs);
    Cblacs_gridmap(&blacs, mine, 1, 1, 1);
    last = place_of(t.rank == t.size - 1 ? blacs : -1);
    for (int type = TSL_S; type <= TSL_Z; type++)
        for (int i = 0; i < 10; i++) {
            one_call(&t, (tsl_type)type, &calls[i], &all, &all, all.context, "one context");
            one_call(&t, (tsl_type)type, &calls[i], &all, &turned, line.context, "two of all processes");
            one_call(&t, (tsl_type)type, &calls[i], &last, &all, line.context, "from one process");
            one_call(&t, (tsl_type)type, &calls[i], &line, &last, all.context, "to one process");
        }
    const place *made[] = {&all, &turned, &line, &last};
    for (int i = 0; i < 4; i++)
        if (made[i]->context >= 0) Cblacs_gridexit(made[i]->context);
    return team_close(&t);
}
#endif
