/* Vectors of a merge of divide and conquer (grid/eig/merge.h), some of their elements at a time, beside the same sums here. */
#include "sb2st.h"

/* Poles that ascend, weights of either sign, and roots between poles, as origins and distances */
static void numbers(dense *P, dense *L)
{
    for (int64_t i = 0; i < P->m; i++) {
        dense_put(P, i, 0, (double)i + 0.3 * sin((double)i));
        dense_put(P, i, 1, (i % 3 ? 1 : -1) * exp2(-(double)(i % 40)));
    }
    for (int64_t j = 0; j < L->m; j++) dense_put(L, j, 0, dense_get(P, j, 0)), dense_put(L, j, 1, exp2(-(double)(j % 30) - 3));
}

static double wanted(const dense *P, const dense *L, int64_t i, int64_t j)
{
    double sum = 0, own = 0;
    for (int64_t k = 0; k < P->m; k++) {
        double apart = creal(dense_get(P, k, 0)) - creal(dense_get(L, j, 0));
        double t = creal(dense_get(P, k, 1)) / (apart - creal(dense_get(L, j, 1)));
        sum += t * t, own = k == i ? t : own;
    }
    return own / sqrt(sum);
}

static void vectors(env *x, tsl_type t, int64_t k, int64_t columns, int64_t from, int64_t rows, bool spoiled)
{
    dense S = dense_make(t, rows, columns, CANARY_FINITE), was = dense_copy(&S);
    dense P = dense_make(TSL_D, k, 2, CANARY_FINITE), L = dense_make(TSL_D, columns, 2, CANARY_FINITE);
    numbers(&P, &L);
    if (spoiled) dense_put(&P, k / 2, 1, NAN);
    tsl_status st = run(x, (tsl_call){.op = TSL_OP_MERGE_VECTORS, .k = from}, (dense *const[]){&S, &P, &L}, 3);
    double most = 0;
    for (int64_t i = 0; i < rows && !st; i++)
        for (int64_t j = 0; j < columns; j++) {
            double v = creal(dense_get(&S, i, j));
            most = spoiled ? fmax(most, isnan(v) ? 0 : INFINITY) : larger(most, fabs(v - wanted(&P, &L, from + i, j)));
        }
    check(!st && most <= 8 * tsl_type_eps(t) && !dense_strays(&S, &was, TSL_GENERAL),
          "%c, %d poles, %d vectors, elements %d to %d: %s, off %g, %s", tsl_type_letter(t), (int)k, (int)columns, (int)from,
          (int)(from + rows), tsl_status_name(st), most, tsl_error(x->ctx));
    dense_free(&S), dense_free(&P), dense_free(&L), dense_free(&was);
}

static void on(const char *devices)
{
    env x = {.spec = devices, .tile = "0", .ctx = context_on(devices), .via = VIA_WRAPPED};
    for (int i = 0; i < 2 && x.ctx; i++) {
        tsl_type t = i ? TSL_D : TSL_S;
        vectors(&x, t, 1, 1, 0, 1, false), vectors(&x, t, 7, 7, 0, 7, false), vectors(&x, t, 300, 9, 0, 300, false);
        vectors(&x, t, 513, 30, 200, 100, false), vectors(&x, t, 1000, 3, 999, 1, false), vectors(&x, t, 50, 6, 10, 20, true);
        checked("%s: %c, vectors of a merge", env_name(&x), tsl_type_letter(t));
    }
    tsl_context_destroy(x.ctx);
}

int main(void)
{
    on("host");
    on("cuda");
    return tap_done();
}
