/* What has a capacity is tested where something is added: devices of a context, tiles of a task. */
#include "dense.h"
#include "runtime/runtime.h"
#include "tiled.h"

/* As many devices as there may be: every one of them owns tiles, and the product is right under every policy. */
static void test_most(const char *spec)
{
    enum { NB = 2, ROWS = NB * (TSL_MAX_DEVICES + 2), K = 5 };
    tsl_context *x = make(spec);
    dense A = dense_make(TSL_D, ROWS, K, CANARY_NAN), B = dense_make(TSL_D, K, 3, CANARY_NAN), C = dense_make(TSL_D, ROWS, 3, CANARY_FINITE);
    tsl_matrix *a = NULL, *b = NULL, *c = NULL;
    dense_random(&A, 1), dense_random(&B, 2);
    check(tsl_device_count(x) == TSL_MAX_DEVICES && !tsl_set(x, "dist", "rows"), "%s: %d devices", spec, tsl_device_count(x));
    check(!tsl_tiled_wrap(x, TSL_D, ROWS, K, A.data, A.ld, NB, &a) && !tsl_tiled_wrap(x, TSL_D, K, 3, B.data, B.ld, NB, &b) &&
              !tsl_tiled_wrap(x, TSL_D, ROWS, 3, C.data, C.ld, NB, &c), "wrap: %s", tsl_error(x));
    for (int p = 0; p < 5; p++) {
        dense_fill(&C, NAN);
        check(!tsl_set(x, "policy", policies[p]) && !tsl_gemm(x, 1, tsl_whole(a), tsl_whole(b), 0, tsl_whole(c)), "gemm: %s", tsl_error(x));
        double worst = 0;
        for (int64_t j = 0; j < C.n; j++)
            for (int64_t i = 0; i < ROWS; i++) {
                tsl_scalar sum = 0;
                for (int64_t k = 0; k < K; k++) sum += dense_get(&A, i, k) * dense_get(&B, k, j);
                worst = worse(worst, cabs(sum - dense_get(&C, i, j)));
            }
        check(worst <= 4 * K * tsl_type_eps(TSL_D), "%s %s: off by %g", spec, policies[p], worst);
    }
    tsl_matrix_free(a), tsl_matrix_free(b), tsl_matrix_free(c);
    tsl_context_destroy(x);
    dense_free(&A), dense_free(&B), dense_free(&C);
    checked("%s: as many devices as there may be", spec);
}

/* One more is refused, however it is written, and the limit is named. */
static void test_too_many(void)
{
    static const char *const specs[] = {"host:64", "host:32+host:32", "host:63+host", "host+host:63", "host:1000000"};
    tsl_device_spec d[TSL_MAX_DEVICES];
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        tsl_config cfg = tsl_config_default();
        tsl_context *x = NULL;
        char detail[TSL_DETAIL] = "";
        int n = -1;
        cfg.devices = specs[i];
        check(tsl_context_create(&cfg, &x) == TSL_ERR_SPEC && !x, "%s", specs[i]);
        check(tsl_parse_devices(specs[i], d, TSL_MAX_DEVICES, &n, detail, sizeof detail) == TSL_ERR_SPEC && strstr(detail, "63"), "%s: %s",
              specs[i], detail);
    }
    checked("one device too many");
}

/* A task may use any number of tiles: in place, where it may reach over several. */
static void test_uses(void)
{
    enum { NB = 4, TILES = 50 * TSL_FEW_USES };
    tsl_context *x = make("host");
    dense A = dense_make(TSL_D, NB * TILES, NB, CANARY_FINITE);
    tsl_matrix *a = NULL;
    tsl_runtime *rt;
    dense_fill(&A, 1);
    check(!tsl_tiled_wrap(x, TSL_D, A.m, A.n, A.data, A.ld, NB, &a) && !tsl_scale(x, 1.5, tsl_whole(a)), "wrap: %s", tsl_error(x));
    rt = x->runtime;
    check(!tsl_runtime_start(rt), "start");
    for (int64_t tiles = 1; tiles <= TILES; tiles = 2 * tiles + 1) {
        tsl_call wide = {.op = TSL_OP_SCALE, .alpha = 2, .v = {tsl_block_rows(tsl_whole(a), 0, NB * tiles).A1}};
        tsl_runtime_lock(rt);
        tsl_status st = tsl_submit(rt, &wide, (tsl_hints){.weight = 1});
        tsl_runtime_unlock(rt);
        check(!st, "%d tiles: %s", (int)tiles, tsl_status_name(st));
    }
    check(!tsl_runtime_finish(rt, false) && !rt->spent, "the end");
    check(creal(dense_get(&A, 0, 0)) == 1.5 * 256 && creal(dense_get(&A, NB * 127 - 1, 3)) == 1.5 * 4 && creal(dense_get(&A, NB * 255, 0)) == 1.5,
          "%g %g %g", creal(dense_get(&A, 0, 0)), creal(dense_get(&A, NB * 127 - 1, 3)), creal(dense_get(&A, NB * 255, 0)));
    tsl_matrix_free(a);
    tsl_context_destroy(x);
    dense_free(&A);
    checked("tiles of a task");
}

int main(void)
{
    test_most("host:63");
    test_most("host:31+host:32");
    test_too_many();
    test_uses();
    return tap_done();
}
