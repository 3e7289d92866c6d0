/* A problem that is not a number does not touch the others of its batch: every typed call on batches is made twice on the same
 * memory, once with a NaN in one problem, and the other problems have the same results and infos. */
#include "batch_forms.h"
#include "context.h"

enum { COUNT = 9, SPOILED = 4, MOST = 6, SAME = 1000 };

static const char *where;
static tsl_context *ctx;
static int64_t info[COUNT], again[COUNT];

/* Hermitian and definite, far from singular */
static stack definite(tsl_type t, layout how, int64_t n)
{
    stack s = random_stack(t, how, n, n, COUNT);
    for (int64_t k = 0; k < COUNT; k++)
        for (int64_t j = 0; j < n; j++) {
            for (int64_t i = 0; i < j; i++)
                stack_set(&s, k, j, i, conj(stack_get(&s, k, i, j)));
            stack_set(&s, k, j, j, 4.0 * (double)n + (double)(j * j) / 8);
        }
    return s;
}

static void restore(stack *const io[], const stack was[], int stacks)
{
    for (int i = 0; i < stacks; i++)
        memcpy(io[i]->data, was[i].data, was[i].elements * element_size(was[i].t));
}

/* How far problem k of one is from that of the other */
static double difference(const stack *a, const stack *b, int64_t k)
{
    double most = 0, size = 1e-300;
    for (int64_t j = 0; j < a->n; j++)
        for (int64_t i = 0; i < a->m; i++) {
            most = worse(most, cabs(stack_get(a, k, i, j) - stack_get(b, k, i, j)));
            size = worse(size, cabs(stack_get(b, k, i, j)));
        }
    return most / size;
}

static void judge(const char *name, tsl_type t, int64_t n, layout how, stack *const io[], const stack clean[], int stacks,
                  tsl_status st)
{
    double worst = 0;
    int infos = 1;
    for (int64_t k = 0; k < COUNT && !st; k++) {
        if (k == SPOILED)
            continue;
        infos &= info[k] == again[k];
        for (int i = 0; i < stacks; i++)
            worst = worse(worst, difference(io[i], &clean[i], k));
    }
    check(!st && infos && worst <= SAME * eps(t), "%s %c %s of order %d, layout %d: infos %d, results off by %g, %s", where,
          tsl_type_letter(t), name, (int)n, how, infos, worst, tsl_error(ctx));
}

/* call: an expression; then the stacks that it changes, of which a NaN is put into the first */
#define APART(name, call, ...)                                                                                                 \
    do {                                                                                                                       \
        stack *const io[] = {__VA_ARGS__};                                                                                     \
        int stacks = (int)(sizeof io / sizeof *io);                                                                            \
        stack was[MOST], clean[MOST];                                                                                          \
        for (int i = 0; i < stacks; i++)                                                                                       \
            was[i] = stack_copy(io[i]);                                                                                        \
        memset(info, 0, sizeof info);                                                                                          \
        tsl_status st = call;                                                                                                  \
        memcpy(again, info, sizeof info);                                                                                      \
        for (int i = 0; i < stacks; i++)                                                                                       \
            clean[i] = stack_copy(io[i]);                                                                                      \
        restore(io, was, stacks);                                                                                              \
        stack_set(io[0], SPOILED, n / 2, n / 3, NAN);                                                                          \
        stack_set(io[0], SPOILED, n / 3, n / 2, NAN);                                                                          \
        if (!st)                                                                                                               \
            st = call;                                                                                                         \
        judge(name, t, n, how, io, clean, stacks, st);                                                                         \
        restore(io, was, stacks);                                                                                              \
        for (int i = 0; i < stacks; i++)                                                                                       \
            stack_free(&was[i]), stack_free(&clean[i]);                                                                        \
    } while (0)

/* The second call after the first */
#define THEN(first, second) ((first) ? TSL_ERR_DEVICE : (second))

static void products_and_factors(tsl_type t, layout how, int64_t n)
{
    stack A = definite(t, how, n), B = random_stack(t, how, n, 2, COUNT), C = random_stack(t, how, n, n, COUNT);
    stack p = stack_make(TSL_INDEX, how, n, 1, COUNT), tau = random_stack(t, how, n, 1, COUNT),
          R = random_stack(t, how, n + 3, n, COUNT);
    stack S = random_stack(t, how, n + 3, 2, COUNT), rank = stack_make(TSL_INDEX, DENSE, 1, 1, COUNT);
    stack s = random_stack(real_of(t), how, n, 1, COUNT);
    double rcond = 10 * eps(t);
    for (int64_t k = 0; k < COUNT; k++)
        for (int64_t j = 0; j < n; j++)
            stack_set(&p, k, j, 0, 0);
#define GEMM(M, V) 'N', 'T', n, n, n, 1, M(A), M(A), 0, M(C)
#define TRSM(M, V) 'L', 'U', 'N', 'N', n, 2, 1, M(A), M(B)
#define POTRF(M, V) 'L', n, M(A), COUNT, info
#define POTRS(M, V) 'L', n, 2, M(A), M(B), COUNT
#define POSV(M, V) 'U', n, 2, M(A), M(B), COUNT, info
#define POTRI(M, V) 'L', n, M(A), COUNT, info
#define TRTRI(M, V) 'L', 'N', n, M(A), COUNT, info
#define GETRF(M, V) n, n, M(A), V(p), COUNT, info
#define GETRS(M, V) 'N', n, 2, M(A), V(p), M(B), COUNT
#define GESV(M, V) n, 2, M(A), V(p), M(B), COUNT, info
#define GETRI(M, V) n, M(A), V(p), COUNT, info
#define SYTRF(M, V) 'L', n, M(A), V(p), COUNT, info
#define SYTRS(M, V) 'L', n, 2, M(A), V(p), M(B), COUNT
#define SYSV(M, V) 'U', n, 2, M(A), V(p), M(B), COUNT, info
#define GEQRF(M, V) n + 3, n, M(R), V(tau), COUNT
#define ORMQR(M, V) 'L', herm(t), n + 3, 2, n, M(R), V(tau), M(S), COUNT
#define ORGQR(M, V) n + 3, n, n, M(R), V(tau), COUNT
#define GEQP3(M, V) n + 3, n, M(R), V(p), V(tau), COUNT
#define GELS(M, V) 'N', n + 3, n, 2, M(R), M(S), COUNT, info
#define GELSY(M, V) n + 3, n, 2, M(R), M(S), V(p), rcond, (void *)rank.data, COUNT
#define GELSD(M, V) n + 3, n, 2, M(R), M(S), V(s), rcond, (void *)rank.data, COUNT, info
#define CALL(name, LIST) BY_FORM(t, how, name, name, LIST)
    APART("gemm", batch_of[t].gemm(ctx, 'N', 'T', n, n, n, 1, &A, &A, 0, &C), &A, &C);
    APART("trsm", batch_of[t].trsm(ctx, 'L', 'U', 'N', 'N', n, 2, 1, &A, &B), &A, &B);
    APART("potrf", CALL(potrf, POTRF), &A);
    APART("potrs", THEN(CALL(potrf, POTRF), CALL(potrs, POTRS)), &A, &B);
    APART("posv", CALL(posv, POSV), &A, &B);
    APART("potri", THEN(CALL(potrf, POTRF), CALL(potri, POTRI)), &A);
    APART("trtri", CALL(trtri, TRTRI), &A);
    APART("getrf", CALL(getrf, GETRF), &A, &p);
    APART("getrs", THEN(CALL(getrf, GETRF), CALL(getrs, GETRS)), &A, &p, &B);
    APART("gesv", CALL(gesv, GESV), &A, &p, &B);
    APART("getri", THEN(CALL(getrf, GETRF), CALL(getri, GETRI)), &A, &p);
    APART("sytrf", CALL(sytrf, SYTRF), &A, &p);
    APART("sytrs", THEN(CALL(sytrf, SYTRF), CALL(sytrs, SYTRS)), &A, &p, &B);
    APART("sysv", CALL(sysv, SYSV), &A, &p, &B);
    APART("hesv", BY_FORM(t, how, sysv, hesv, SYSV), &A, &p, &B);
    APART("geqrf", CALL(geqrf, GEQRF), &R, &tau);
    APART("ormqr", THEN(CALL(geqrf, GEQRF), BY_FORM(t, how, ormqr, unmqr, ORMQR)), &R, &tau, &S);
    APART("orgqr", THEN(CALL(geqrf, GEQRF), BY_FORM(t, how, orgqr, ungqr, ORGQR)), &R, &tau);
    APART("geqp3", CALL(geqp3, GEQP3), &R, &p, &tau);
    APART("gels", CALL(gels, GELS), &R, &S);
    APART("gelsy", CALL(gelsy, GELSY), &R, &S, &p, &rank);
    APART("gelsd", CALL(gelsd, GELSD), &R, &S, &s, &rank);
    stack *all[] = {&A, &B, &C, &p, &tau, &R, &S, &rank, &s};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        stack_free(all[i]);
}

static void spectra_and_numbers(tsl_type t, layout how, int64_t n)
{
    stack A = definite(t, how, n), B = definite(t, how, n), G = random_stack(t, how, n, n, COUNT),
          p = stack_make(TSL_INDEX, how, n, 1, COUNT);
    stack w = random_stack(real_of(t), how, n, 1, COUNT), Z = random_stack(t, how, n, 2, COUNT),
          V = random_stack(t, how, n, n, COUNT);
    stack c = random_stack(t, how, n, 1, COUNT), d = random_stack(t, how, n, 1, COUNT),
          R = random_stack(t, how, n + 2, n, COUNT);
    stack U = random_stack(t, how, n + 2, n + 2, COUNT), P = random_stack(t, how, n, n + 2, COUNT),
          rank = stack_make(TSL_INDEX, DENSE, 1, 1, COUNT);
    stack one = random_stack(real_of(t), DENSE, 1, 1, COUNT), two = stack_copy(&one),
          phase = random_stack(t, DENSE, 1, 1, COUNT),
          logs = stack_make(TSL_D, DENSE, 1, 1, COUNT);
    int64_t sdim[COUNT];
    for (int64_t k = 0; k < COUNT; k++)
        stack_set(&one, k, 0, 0, 5.0 * (double)n);
#define SYEV(M, V_) 'V', 'L', n, M(A), V_(w), COUNT, info
#define SYEV_N(M, V_) 'N', 'U', n, M(A), V_(w), COUNT, info
#define SYEVX(M, V_) 'V', 'L', n, M(A), (n + 1) / 2, (n + 1) / 2 + 1, V_(w), M(Z), COUNT, info
#define SYGV(M, V_) 1, 'V', 'L', n, M(A), M(B), V_(w), COUNT, info
#define GESVD(M, V_) 'A', 'S', n + 2, n, M(R), V_(w), M(U), M(V), COUNT, info
#define GESVD_N(M, V_) 'N', 'N', n, n, M(G), V_(w), NULL, NO_##M NULL, NO_##M COUNT, info
#define NO_STRIDED_M 1, 0,
#define NO_POINTERS_M 1,
#define POLAR(M, V_) n + 2, n, M(R), M(V), COUNT, info
#define PINV(M, V_) n + 2, n, M(R), -1, M(P), (void *)rank.data, COUNT, info
#define EXPM(M, V_) n, M(G), COUNT, info
#define GEEV(M, V_) 'N', 'V', n, M(G), V_(c), V_(d), M(V), M(V), COUNT, info
#define GEEVC(M, V_) 'N', 'V', n, M(G), V_(c), M(V), M(V), COUNT, info
#define GEES(M, V_) 'V', 'L', n, M(G), sdim, V_(c), V_(d), M(V), COUNT, info
#define GEESC(M, V_) 'V', 'L', n, M(G), sdim, V_(c), M(V), COUNT, info
#define LANGE(M, V_) '1', n, n, M(G), (void *)two.data, COUNT
#define FACTOR(M, V_) n, n, M(A), V_(p), COUNT, info
#define GECON(M, V_) '1', n, M(A), (void *)one.data, (void *)two.data, COUNT
#define LOGDET(M, V_) 'G', n, M(A), V_(p), (void *)phase.data, (void *)logs.data, COUNT
#define COMPLEX_OR_REAL(name, C, R) (is_complex(t) ? COMPLEX_FORM(t, how, name, C) : REAL_FORM(t, how, name, R))
    APART("syev", BY_FORM(t, how, syev, heev, SYEV), &A, &w);
    APART("syev N", BY_FORM(t, how, syev, heev, SYEV_N), &A, &w);
    APART("syevx", BY_FORM(t, how, syevx, heevx, SYEVX), &A, &w, &Z);
    APART("sygv", BY_FORM(t, how, sygv, hegv, SYGV), &A, &B, &w);
    APART("sygv, B", BY_FORM(t, how, sygv, hegv, SYGV), &B, &A, &w);
    APART("gesvd", CALL(gesvd, GESVD), &R, &w, &U, &V);
    APART("gesvd N", CALL(gesvd, GESVD_N), &G, &w);
    APART("polar", CALL(polar, POLAR), &R, &V);
    APART("pinv", CALL(pinv, PINV), &R, &P, &rank);
    APART("expm", CALL(expm, EXPM), &G);
    APART("geev", COMPLEX_OR_REAL(geev, GEEVC, GEEV), &G, &c, &V);
    APART("gees", COMPLEX_OR_REAL(gees, GEESC, GEES), &G, &c, &V);
    APART("lange", CALL(lange, LANGE), &G, &two);
    APART("gecon", THEN(CALL(getrf, FACTOR), CALL(gecon, GECON)), &A, &p, &two);
    APART("logdet", THEN(CALL(getrf, FACTOR), CALL(logdet, LOGDET)), &A, &p, &phase, &logs);
    stack *all[] = {&A, &B, &G, &p, &w, &Z, &V, &c, &d, &R, &U, &P, &rank, &one, &two, &phase, &logs};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        stack_free(all[i]);
}

int main(void)
{
    static const struct {
        const char *devices;
        int64_t largest;
    } on[] = {{"host", 40}, {"host:2,mem=300K", 6}, {"cuda", 150}};
    for (size_t i = 0; i < sizeof on / sizeof *on; i++) {
        where = on[i].devices;
        ctx = context_on(where);
        if (!ctx)
            continue;
        for (int t = TSL_S; t <= TSL_Z; t++) {
            static const int64_t orders[] = {6, 20, 40, 70, 150};
            for (int o = 0; o < 5 && orders[o] <= on[i].largest; o++) {
                state = (uint64_t)(t + 10 * o);
                layout how = (layout)((t + o) % LAYOUTS);
                products_and_factors((tsl_type)t, how, orders[o]);
                spectra_and_numbers((tsl_type)t, how, orders[o]);
            }
            checked("%s: %c: problems apart", where, tsl_type_letter((tsl_type)t));
        }
        tsl_context_destroy(ctx);
    }
    return tap_done();
}
