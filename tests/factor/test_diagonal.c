/* Where diagonal blocks are factored when nobody says: by the rates of the tuning tables. What the rule says of tables in which
 * a core is faster, slower, too far away or unknown; that it is followed, which the tiles moved tell; and what the shipped
 * tables lead to. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dense.h"
#include "tiled/tiled.h"
#include "tap.h"
#include "tune/tune.h"

enum { NB = 8, T = 6, N = T * NB - 3 };

static char path[] = "/tmp/tesela-diagonal-XXXXXX", device[96];

static tsl_context *make(const char *devices, const char *entries)
{
    tsl_config cfg = tsl_config_default();
    tsl_context *x = NULL;
    FILE *f = fopen(path, "w");
    check(f && fprintf(f, "tesela-tune 1 host %s\n%s", device, entries) > 0 && !fclose(f), "a table is written");
    cfg.devices = devices;
    check(!tsl_context_create(&cfg, &x) && strstr(tsl_tuning(x), path), "%s: %s", devices, x ? tsl_tuning(x) : "no context");
    return x;
}

static bool near(double a, double b) { return fabs(a - b) <= 1e-12 * fabs(b); }

/* potrf of order 100: a third of a million operations; 80 kB there and back */
#define DEVICE "potrf d 100 * - leaf leaf=1\n"
#define CORE "core potrf d 100 * - leaf leaf=4\n"

static void test_rule(void)
{
    static const struct {
        const char *table;
        bool known, cores;
    } cases[] = {
        {"", false, false},
        {DEVICE CORE, false, false},
        {DEVICE "link 10\n", false, false},
        {CORE "link 10\n", false, false},
        {DEVICE "core potrf d 99 * - leaf leaf=4\nlink 10\n", false, false},
        {DEVICE "core potrf s 100 * - leaf leaf=4\nlink 10\n", false, false},
        {DEVICE CORE "link 10\n", true, true},
        {DEVICE CORE "link 0.5\n", true, false},
        {"potrf d 100 * - leaf leaf=5\n" CORE "link 10\n", true, false},
        {"potrf d 100 * - 1 1=1 leaf=0.9\n" CORE "link 10\n", true, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tsl_context *x = make("host:2", cases[i].table);
        tsl_diagonal d = tsl_diagonal_on(x, TSL_OP_POTRF, TSL_D, 100), same = tsl_diagonal_on(x, TSL_OP_POTRF, TSL_D, 100);
        check(d.on_cores == cases[i].cores && (d.device > 0) == cases[i].known && (d.core > 0) == cases[i].known && *d.why, "%zu: %s", i, d.why);
        check(same.on_cores == d.on_cores && same.device == d.device && same.core == d.core, "%zu: the same again", i);
        check(!tsl_diagonal_on(x, TSL_OP_POTRF, TSL_D, 101).on_cores && !tsl_diagonal_on(x, TSL_OP_POTRF, TSL_Z, 100).on_cores, "%zu: other sizes and types", i);
        if (i == 6) check(near(d.device, 338350 / 1e9) && near(d.core, 338350 / 4e9 + 160e3 / 10e9), "%g s and %g s", d.device, d.core);
        check(!tsl_set(x, "diag-on", "host") && tsl_diagonal_on(x, TSL_OP_POTRF, TSL_D, 100).on_cores, "%zu: the caller's host", i);
        check(!tsl_set(x, "diag-on", "device") && !tsl_diagonal_on(x, TSL_OP_POTRF, TSL_D, 100).on_cores, "%zu: the caller's device", i);
        check(!tsl_set(x, "diag-on", "auto") && tsl_diagonal_on(x, TSL_OP_POTRF, TSL_D, 100).on_cores == d.on_cores, "%zu: and the rule again", i);
        tsl_context_destroy(x);
    }
    tsl_context *x = make("host", DEVICE CORE "link 10\n");
    check(!tsl_diagonal_on(x, TSL_OP_POTRF, TSL_D, 100).on_cores, "cores alone");
    tsl_context_destroy(x);
    x = make("host:1", "potrf z 100 * - leaf leaf=1\ncore potrf z 100 * - leaf leaf=1.5\nlink 10\n");
    tsl_diagonal z = tsl_diagonal_on(x, TSL_OP_POTRF, TSL_Z, 100);
    check(z.on_cores && near(z.device, 4 * 338350 / 1e9) && near(z.core, 4 * 338350 / 1.5e9 + 320e3 / 10e9), "complex: %g s and %g s", z.device, z.core);
    tsl_context_destroy(x);
    checked("the rule");
}

static tsl_counters factor(tsl_context *x, const char *diag, const char *policy, tsl_type t, dense *out)
{
    tsl_matrix *A = NULL;
    tsl_counters c = {0};
    int64_t info = -1;
    dense_dominant(out, 3);
    check(!tsl_set(x, "variant", "1") && !tsl_set(x, "diag-on", diag) && !tsl_set(x, "policy", policy) &&
              !tsl_tiled_wrap(x, t, N, N, out->data, out->ld, NB, &A), "wrap: %s", tsl_error(x));
    check(!tsl_counters_reset(x) && !tsl_potrf(x, tsl_lower(tsl_whole(A)), &info) && info == 0 && !tsl_counters_get(x, &c), "potrf: %s", tsl_error(x));
    tsl_matrix_free(A);
    return c;
}

/* The policies whose counts do not depend on the schedule. Cores and virtual devices have the same kernels: the same bits. */
static void test_followed(bool cores)
{
    static const char *const policies[] = {"basic", "cache", "write-back"};
    tsl_context *x = make("host:4", cores ? "link 10\npotrf d * * - leaf leaf=1\ncore potrf d * * - leaf leaf=100\n"
                                          : "link 10\npotrf d * * - leaf leaf=100\ncore potrf d * * - leaf leaf=1\n");
    dense a = dense_make(TSL_D, N, N, CANARY_FINITE), b = dense_copy(&a), s = dense_make(TSL_S, N, N, CANARY_FINITE);
    for (int p = 0; p < 3; p++) {
        tsl_counters said = factor(x, cores ? "host" : "device", policies[p], TSL_D, &a), other = factor(x, cores ? "device" : "host", policies[p], TSL_D, &b);
        check(dense_same(&a, &b), "%s: other bits", policies[p]);
        for (int round = 0; round < 3; round++) {
            tsl_counters c = factor(x, "auto", policies[p], TSL_D, &b);
            check(c.to_device == said.to_device && c.to_host == said.to_host, "%s: %d to devices, %d to the host", policies[p],
                  (int)c.to_device, (int)c.to_host);
            check(c.to_device != other.to_device, "%s: told apart", policies[p]);
            check(dense_same(&a, &b), "%s: other bits by itself", policies[p]);
        }
        tsl_counters single = factor(x, "auto", policies[p], TSL_S, &s), on_device = factor(x, "device", policies[p], TSL_S, &s);
        check(single.to_device == on_device.to_device && single.to_host == on_device.to_host, "%s: a type without rates", policies[p]);
    }
    tsl_context_destroy(x);
    dense_free(&a), dense_free(&b), dense_free(&s);
    checked("tiles go as for diag-on %s", cores ? "host" : "device");
}

/* In a region the cores may be opened for a later call; outcomes of earlier ones stay what they are. */
static void test_opened_late(void)
{
    tsl_context *x = make("host:2", "link 10\npotrf d * * - leaf leaf=1\ncore potrf d * * - leaf leaf=100\n");
    dense a = dense_make(TSL_S, N, N, CANARY_FINITE), b = dense_make(TSL_D, N, N, CANARY_FINITE);
    tsl_matrix *A = NULL, *B = NULL;
    int64_t info = -1;
    dense_dominant(&a, 1), dense_dominant(&b, 2);
    dense_put(&b, 11, 11, -1);
    check(!tsl_tiled_wrap(x, TSL_S, N, N, a.data, a.ld, NB, &A) && !tsl_tiled_wrap(x, TSL_D, N, N, b.data, b.ld, NB, &B), "wrap");
    check(!tsl_begin(x) && !tsl_potrf(x, tsl_lower(tsl_whole(A)), NULL) && !tsl_potrf(x, tsl_lower(tsl_whole(B)), NULL) && !tsl_wait(x), "region");
    check(!tsl_info(x, &info) && info == 12, "info %d", (int)info);
    tsl_matrix_free(A), tsl_matrix_free(B);
    tsl_context_destroy(x);
    dense_free(&a), dense_free(&b);
    checked("cores opened in the middle of a region");
}

static void test_explained(void)
{
    static const struct {
        const char *table, *routine, *want;
    } cases[] = {
        {"", "dpotrf", "diagonal blocks: on the device that owns them, because the tuning tables"},
        {"link 10\npotrf d * * - leaf leaf=1\ncore potrf d * * - leaf leaf=9\n", "dposv",
         "diagonal blocks: on the host's cores, because a core is faster"},
        {"link 10\npotrf d * * - leaf leaf=9\ncore potrf d * * - leaf leaf=1\n", "dpotrf",
         "diagonal blocks: on the device that owns them, because a core is slower"},
        {"", "dtrsm", NULL},
    };
    char text[2000];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tsl_context *x = make("host:2", cases[i].table);
        check(!tsl_explain(x, cases[i].routine, 2000, 2000, 10, text, sizeof text), "%s: %s", cases[i].routine, tsl_error(x));
        check(cases[i].want ? strstr(text, cases[i].want) != NULL : !strstr(text, "diagonal"), "%s: %s", cases[i].routine, text);
        for (size_t room = 1; room < strlen(text); room += 7)
            check(!tsl_explain(x, cases[i].routine, 2000, 2000, 10, text, room) && strlen(text) < room, "room for %zu", room);
        tsl_context_destroy(x);
    }
    checked("tsl_explain says which and why");
}

/* The rule under the tables that ship with the library: on no device they know is a core faster, at any tile size. */
static void test_shipped(void)
{
    static const char *const backends[] = {"host", "cuda"};
    for (size_t b = 0; b < 2; b++) {
        tsl_context *x = make("host:1", "");
        const char *text = tsl_shipped(backends[b]);
        tsl_table *t = &x->tune->table[TSL_TABLE_SHIPPED];
        char why[100];
        tsl_table_free(&x->allocator, t);
        check(!tsl_table_parse(&x->allocator, text, strlen(text), t, why, sizeof why), "%s: %s", backends[b], why);
        for (int type = TSL_S; type <= TSL_Z; type++)
            for (int64_t nb = 16; nb <= 8192; nb += 16) {
                tsl_diagonal d = tsl_diagonal_on(x, TSL_OP_POTRF, (tsl_type)type, nb);
                check(!d.on_cores, "%s %c %d: %s", backends[b], tsl_type_letter((tsl_type)type), (int)nb, d.why);
            }
        tsl_context_destroy(x);
    }
    checked("the shipped tables keep diagonal blocks on the device");
}

int main(void)
{
    int made = mkstemp(path);
    tsl_context *x = NULL;
    tsl_device_info d = {0};
    ok(made >= 0 && !close(made) && !tsl_context_create(&(tsl_config){.size = sizeof(tsl_config), .devices = "host"}, &x) &&
           !tsl_device_query(x, 0, &d), "a host");
    snprintf(device, sizeof device, "%s", d.name);
    tsl_context_destroy(x);
    setenv("TESELA_TUNE", path, 1);
    test_rule();
    test_followed(true);
    test_followed(false);
    test_opened_late();
    test_explained();
    test_shipped();
    unlink(path);
    return tap_done();
}
