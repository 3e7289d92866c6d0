/* On a GPU a batch of small problems is a few launches, however many problems it has: none of these is computed problem by
 * problem. Nor does one that has failed send the others another way. */
#include "batch_forms.h"
#include "context.h"

enum { COUNT = 300 };

static tsl_context *ctx;
static int64_t begun; /* launches when the call in hand began */

static int64_t launches(void)
{
    tsl_counters c = {0};
    tsl_counters_get(ctx, &c);
    return c.launches;
}

/* The launches of a call, whose status is st */
#define LAUNCHES(st, call) (begun = launches(), st = call, launches() - begun)

#define IN_FEW(name, call)                                                                                                     \
    do {                                                                                                                       \
        tsl_status st;                                                                                                         \
        int64_t took = LAUNCHES(st, call);                                                                                     \
        check(!st && took < 40, "%s of order %d: %d launches for %d problems, %s", name, (int)n, (int)took, COUNT,             \
              tsl_error(ctx));                                                                                                 \
    } while (0)

static void all(tsl_type t, int64_t n)
{
    layout how = DENSE;
    stack A = definite_stack(t, how, n, COUNT), F = stack_copy(&A), B = random_stack(t, how, n, 1, COUNT);
    stack p = stack_make(TSL_INDEX, how, n, 1, COUNT), tau = stack_make(t, how, n, 1, COUNT), P = stack_copy(&A);
    stack one = stack_make(real_of(t), DENSE, 1, 1, COUNT), two = stack_copy(&one), phase = stack_make(t, DENSE, 1, 1, COUNT);
    stack rank = stack_make(TSL_INDEX, DENSE, 1, 1, COUNT), logabs = stack_make(TSL_D, DENSE, 1, 1, COUNT);
    stack R = random_stack(t, how, n + 2, n, COUNT), S = random_stack(t, how, n + 2, 1, COUNT),
          U = stack_make(t, how, n + 2, n + 2, COUNT), w = stack_make(real_of(t), how, n, 1, COUNT), p1 = stack_copy(&tau);
    int64_t info[COUNT];
#define GETRF(M, V) n, n, M(F), V(p), COUNT, info
#define LANGE(M, V) '1', n, n, M(A), (void *)one.data, COUNT
#define GECON(M, V) '1', n, M(F), (void *)one.data, (void *)two.data, COUNT
#define LOGDET(M, V) 'G', n, M(F), V(p), (void *)phase.data, (void *)logabs.data, COUNT
#define GETRI(M, V) n, M(F), V(p), COUNT, info
#define TRTRI(M, V) 'L', 'N', n, M(F), COUNT, info
#define POTRI(M, V) 'L', n, M(F), COUNT, info
#define SYTRF(M, V) 'U', n, M(F), V(p), COUNT, info
#define SYTRS(M, V) 'U', n, 1, M(F), V(p), M(B), COUNT
#define GEQRF(M, V) n, n, M(F), V(tau), COUNT
#define ORGQR(M, V) n, n, n, M(F), V(tau), COUNT
#define GEQP3(M, V) n, n, M(F), V(p), V(tau), COUNT
#define GELSY(M, V) n, n, 1, M(F), M(B), V(p), 0, (void *)rank.data, COUNT
#define EXPM(M, V) n, M(F), COUNT, info
#define POLAR(M, V) n, n, M(F), M(P), COUNT, info
#define SYGV(M, V) 1, 'V', 'L', n, M(F), M(A), V(w), COUNT, info
#define GESVD(M, V) 'A', 'S', n + 2, n, M(R), V(w), M(U), M(P), COUNT, info
#define GELSD(M, V) n + 2, n, 1, M(R), M(S), V(w), 0, (void *)rank.data, COUNT, info
#define GEEV(M, V) 'N', 'N', n, M(F), V(tau), V(p1), M(P), M(P), COUNT, info
    IN_FEW("getrf", BY_FORM(t, how, getrf, getrf, GETRF));
    IN_FEW("lange", BY_FORM(t, how, lange, lange, LANGE));
    IN_FEW("gecon", BY_FORM(t, how, gecon, gecon, GECON));
    IN_FEW("logdet", BY_FORM(t, how, logdet, logdet, LOGDET));
    IN_FEW("getri", BY_FORM(t, how, getri, getri, GETRI));
    IN_FEW("trtri", BY_FORM(t, how, trtri, trtri, TRTRI));
    IN_FEW("potri", BY_FORM(t, how, potri, potri, POTRI));
    IN_FEW("sytrf", BY_FORM(t, how, sytrf, sytrf, SYTRF));
    IN_FEW("sytrs", BY_FORM(t, how, sytrs, sytrs, SYTRS));
    memcpy(F.data, A.data, A.elements * element_size(t));
    IN_FEW("geqrf", BY_FORM(t, how, geqrf, geqrf, GEQRF));
    IN_FEW("orgqr", BY_FORM(t, how, orgqr, ungqr, ORGQR));
    memset(p.data, 0, p.elements * element_size(TSL_INDEX));
    IN_FEW("geqp3", BY_FORM(t, how, geqp3, geqp3, GEQP3));
    memset(p.data, 0, p.elements * element_size(TSL_INDEX));
    IN_FEW("gelsy", BY_FORM(t, how, gelsy, gelsy, GELSY));
    memcpy(F.data, A.data, A.elements * element_size(t));
    IN_FEW("polar", BY_FORM(t, how, polar, polar, POLAR));
    IN_FEW("expm", BY_FORM(t, how, expm, expm, EXPM));
    memcpy(F.data, A.data, A.elements * element_size(t));
    if (!is_complex(t))
        IN_FEW("geev", REAL_FORM(t, how, geev, GEEV));
    IN_FEW("sygv", BY_FORM(t, how, sygv, hegv, SYGV));
    IN_FEW("gesvd", BY_FORM(t, how, gesvd, gesvd, GESVD));
    IN_FEW("gelsd", BY_FORM(t, how, gelsd, gelsd, GELSD));
    stack_free(&A), stack_free(&F), stack_free(&B), stack_free(&p), stack_free(&tau), stack_free(&P), stack_free(&one);
    stack_free(&two), stack_free(&phase), stack_free(&rank), stack_free(&logabs), stack_free(&R), stack_free(&S);
    stack_free(&U), stack_free(&w), stack_free(&p1);
}

/* Launches of a call, made twice on the same memory, and what it takes with a zero matrix among its problems */
#define AS_MANY(name, call)                                                                                                    \
    do {                                                                                                                       \
        int64_t took[2];                                                                                                       \
        tsl_status st = TSL_OK;                                                                                                \
        for (int spoilt = 0; spoilt < 2 && !st; spoilt++) {                                                                    \
            memcpy(F.data, A.data, A.elements * element_size(t));                                                              \
            memcpy(G.data, A.data, A.elements * element_size(t));                                                              \
            for (int64_t j = 0; j < n && spoilt; j++)                                                                          \
                for (int64_t i = 0; i < n; i++)                                                                                \
                    stack_set(&F, COUNT / 2, i, j, 0);                                                                         \
            took[spoilt] = LAUNCHES(st, call);                                                                                 \
        }                                                                                                                      \
        check(!st && info[COUNT / 2] && took[1] <= took[0], "%s of order %d: %d launches, with one that fails %d, %s", name,   \
              (int)n, (int)took[0], (int)took[1], tsl_error(ctx));                                                             \
    } while (0)

static void with_one_that_fails(tsl_type t, int64_t n)
{
    layout how = DENSE;
    stack A = definite_stack(t, how, n, COUNT), F = stack_copy(&A), G = stack_copy(&A), B = random_stack(t, how, n, 2, COUNT);
    stack p = stack_make(TSL_INDEX, how, n, 1, COUNT), w = stack_make(real_of(t), how, n, 1, COUNT);
    int64_t info[COUNT];
    for (int64_t k = 0; k < COUNT; k++)
        for (int64_t i = 0; i < n; i++)
            stack_set(&p, k, i, 0, (double)(i + 1));
#define POTRI_F(M, V) 'L', n, M(F), COUNT, info
#define TRTRI_F(M, V) 'U', 'N', n, M(F), COUNT, info
#define GETRI_F(M, V) n, M(F), V(p), COUNT, info
#define POSV_F(M, V) 'U', n, 2, M(F), M(B), COUNT, info
#define GESV_F(M, V) n, 2, M(F), V(p), M(B), COUNT, info
#define SYSV_F(M, V) 'L', n, 2, M(F), V(p), M(B), COUNT, info
#define SYGV_F(M, V) itype, 'V', 'L', n, M(G), M(F), V(w), COUNT, info
    AS_MANY("potri", BY_FORM(t, how, potri, potri, POTRI_F));
    AS_MANY("trtri", BY_FORM(t, how, trtri, trtri, TRTRI_F));
    AS_MANY("getri", BY_FORM(t, how, getri, getri, GETRI_F));
    AS_MANY("posv", BY_FORM(t, how, posv, posv, POSV_F));
    AS_MANY("gesv", BY_FORM(t, how, gesv, gesv, GESV_F));
    AS_MANY("sysv", BY_FORM(t, how, sysv, sysv, SYSV_F));
    for (int itype = 1; itype <= 2; itype++)
        AS_MANY("sygv", BY_FORM(t, how, sygv, hegv, SYGV_F));
    stack_free(&A), stack_free(&F), stack_free(&G), stack_free(&B), stack_free(&p), stack_free(&w);
}

int main(void)
{
    ctx = context_on("cuda");
    for (int t = TSL_S; t <= TSL_Z && ctx; t++) {
        for (int64_t n = 1; n <= 96; n = n < 32 ? 3 * n + 1 : 3 * n - 24) all((tsl_type)t, n);
        checked("%c: few launches", tsl_type_letter((tsl_type)t));
        for (int64_t n = 10; n <= 150; n += 70) with_one_that_fails((tsl_type)t, n);
        checked("%c: not more with one that fails", tsl_type_letter((tsl_type)t));
    }
    if (ctx) tsl_context_destroy(ctx);
    return tap_done();
}
