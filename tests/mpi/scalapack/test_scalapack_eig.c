/* ScaLAPACK's symbols of the symmetric eigenproblem, preloaded, on blocks of matrices whose first block is on any process:
 * eigenvalues as LAPACK's, on every process; residual and orthogonality of the vectors; the same answers about workspace as the
 * ScaLAPACK underneath, and the same info of what is wrong. */
#if !WITH_SCALAPACK
#include "tap.h"
int main(void)
{
    skip("no ScaLAPACK was found when this was built");
    return tap_done();
}
#else
#include "parts.h"

#include "eig.h"

extern void pdsyev_(void);

enum { NB = 5, ROOM = 60000 };

/* d: by divide and conquer. at: where the block starts, from 1 on */
typedef struct call {
    bool d;
    char jobz, uplo;
    int n, at;
} call;

typedef struct given {
    part A, Z;
    dense w;
    void *work, *reals;
    int *integers;
} given;

#define M(x) x.d.data, &at, &at, x.desc
typedef void ev(const char *, const char *, const int *, void *, const int *, const int *, const int *, void *, void *, const int *, const int *, const int *, void *,
                const int *, int *, size_t, size_t);
typedef void evd(const char *, const char *, const int *, void *, const int *, const int *, const int *, void *, void *, const int *, const int *, const int *, void *,
                 const int *, int *, const int *, int *, size_t, size_t);
typedef void ev_complex(const char *, const char *, const int *, void *, const int *, const int *, const int *, void *, void *, const int *, const int *, const int *,
                        void *, const int *, void *, const int *, int *, size_t, size_t);
typedef void evd_complex(const char *, const char *, const int *, void *, const int *, const int *, const int *, void *, void *, const int *, const int *,
                         const int *, void *, const int *, void *, const int *, int *, const int *, int *, size_t, size_t);

static int make_call(any *fn, const call *c, given *g, int room)
{
    int at = c->at, n = c->n, info = 77;
    bool complex_one = g->A.t >= TSL_C;
    if (complex_one && c->d)
        ((evd_complex *)fn)(&c->jobz, &c->uplo, &n, M(g->A), g->w.data, M(g->Z), g->work, &room, g->reals, &room, g->integers, &room, &info, 1, 1);
    else if (complex_one) ((ev_complex *)fn)(&c->jobz, &c->uplo, &n, M(g->A), g->w.data, M(g->Z), g->work, &room, g->reals, &room, &info, 1, 1);
    else if (c->d) ((evd *)fn)(&c->jobz, &c->uplo, &n, M(g->A), g->w.data, M(g->Z), g->work, &room, g->integers, &room, &info, 1, 1);
    else ((ev *)fn)(&c->jobz, &c->uplo, &n, M(g->A), g->w.data, M(g->Z), g->work, &room, &info, 1, 1);
    return info;
}

static any *symbol(void *where, tsl_type type, bool d, char text[16])
{
    snprintf(text, 16, "p%c%sev%s_", tsl_type_letter(type), type >= TSL_C ? "he" : "sy", d ? "d" : "");
    return (any *)dlsym(where, text);
}

static given prepare(tsl_type type, const call *c, int rsrc, int csrc)
{
    dense full = eig_matrix(type, c->n, EIG_RANDOM), all = part_whole(type, 3, 0), zeros = dense_make(type, N, N, 0);
    for (int64_t j = 0; j < c->n; j++)
        for (int64_t i = 0; i < c->n; i++)
            if (c->uplo == 'L' ? i >= j : i <= j) dense_put(&all, c->at - 1 + i, c->at - 1 + j, dense_get(&full, i, j));
    dense_fill(&zeros, 0);
    given g = {part_of(&all, NB, NB, rsrc, csrc), part_of(&zeros, NB, NB, rsrc, csrc), dense_make(eig_real(type), c->n, 1, 0), calloc(ROOM, 16), calloc(ROOM, 8), calloc(ROOM, sizeof(int))};
    if (!g.work || !g.reals || !g.integers) abort();
    dense_free(&full), dense_free(&all), dense_free(&zeros);
    return g;
}

static void drop(given *g)
{
    dense_free(&g->A.d), dense_free(&g->Z.d), dense_free(&g->w);
    free(g->work), free(g->reals), free(g->integers);
}

static double first_of(tsl_type t, const void *work)
{
    dense d = {.t = t, .m = 1, .n = 1, .ld = 1, .data = (unsigned char *)work};
    return creal(dense_get(&d, 0, 0));
}

static void one_call(const team *t, tsl_type type, const call *c, int turn)
{
    char name[16];
    any *fn[] = {symbol(RTLD_DEFAULT, type, c->d, name), symbol(real, type, c->d, name)};
    given g[2];
    int info[2] = {77, 77}, asked[2] = {77, 77};
    bool same = true;
    double room[2][3] = {{0}};
    for (int i = 0; i < 2; i++) {
        g[i] = prepare(type, c, turn % 2 ? shape[0] - 1 : 0, turn % 2 ? shape[1] - 1 : 0);
        if (fn[i]) asked[i] = make_call(fn[i], c, &g[i], -1);
        room[i][0] = first_of(type, g[i].work), room[i][1] = first_of(eig_real(type), g[i].reals), room[i][2] = g[i].integers[0];
        if (fn[i]) info[i] = make_call(fn[i], c, &g[i], ROOM);
    }
    for (int k = 0; k < 3; k++) same &= room[0][k] == room[1][k];
    dense full = eig_matrix(type, c->n, EIG_RANDOM), Z = part_together(&g[0].Z, c->at - 1, c->at - 1, c->n, c->n);
    dense w = eig_lapack(&full); /* ScaLAPACK's by divide and conquer are wrong, or info is -9, where the block does not begin with the matrix */
    double values = eig_off(&g[0].w, &w, 0, c->n), off = 0, q = 0;
    if (c->jobz == 'V') off = eig_residual(&full, &Z, &g[0].w, c->n, 1), q = eig_apart(&Z, c->n);
    all_ok(t, preloaded(fn[0]) && fn[1] && !info[0] && !asked[0] && !asked[1] && same && room[0][0] > 0 && values < BOUND && off < BOUND && q < BOUND,
           "%s %c%c of order %d on %dx%d: eigenvalues %.2g, residual %.2g, orthogonality %.2g; info %d, %d; workspace %g, %g", name, c->jobz, c->uplo, c->n, shape[0], shape[1],
           values, off, q, info[0], info[1], room[0][0], room[1][0]);
    dense_free(&full), dense_free(&w), dense_free(&Z), drop(&g[0]), drop(&g[1]);
}

/* Wrong on all processes, or too little workspace on one of them: the info of the ScaLAPACK underneath, and nothing is touched. */
static void refused(const team *t)
{
    static const call bad[] = {{false, 'X', 'L', 20, 1}, {true, 'V', 'x', 20, 1}, {true, 'V', 'L', 37, 6}, {true, 'V', 'L', -1, 1}, {true, 'V', 'L', 20, 1}};
    enum { SHORT = 4 };
    for (int type = TSL_S; type <= TSL_Z; type++)
        for (int i = 0; i <= SHORT; i++) {
            char name[16];
            call shape_of = {.uplo = 'L', .n = 20, .at = 1};
            given g[2];
            int info[2], room = i == SHORT && t->rank == t->size - 1 ? 3 : ROOM;
            for (int k = 0; k < 2; k++) g[k] = prepare((tsl_type)type, &shape_of, 0, 0);
            for (int k = 0; k < 2; k++) info[k] = make_call(symbol(k ? real : RTLD_DEFAULT, (tsl_type)type, bad[i].d, name), &bad[i], &g[k], room);
            int any_bad = !everywhere(info[1] == 0);
            /* of a negative order the complex evd tells a number that it has not set */
            bool alike = info[0] == info[1] || (bad[i].n < 0 && info[0] < 0 && info[1] < 0);
            all_ok(t, alike && any_bad && (i == SHORT || dense_same(&g[0].A.d, &g[1].A.d)),
                   "%s refused: info is %d and %d", name, info[0], info[1]);
            drop(&g[0]), drop(&g[1]);
        }
}

int main(int argc, char **argv)
{
    static const call calls[] = {{false, 'N', 'L', N, 1}, {false, 'V', 'U', N, 1}, {false, 'V', 'L', 31, 6}, {true, 'V', 'L', N, 1}, {true, 'V', 'U', 31, 6}};
    team t = team_open(argc, argv);
    all_ok(&t, find_real(), "the ScaLAPACK underneath is loaded");
    open_grid("Row", t.rows, t.cols);
    for (int type = TSL_S; type <= TSL_Z; type++)
        for (int i = 0; i < 5; i++) one_call(&t, (tsl_type)type, &calls[i], i + type);
    refused(&t);
    Cblacs_gridexit(context);
    return team_close(&t);
}
#endif
