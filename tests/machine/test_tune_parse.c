/* What is a tuning table and what is not; the shipped tables of all backends are. */
#include <string.h>

#include "tap.h"
#include "tune/tune.h"

static tsl_status parse(const char *text, tsl_table *t)
{
    static const tsl_allocator plain = {0};
    char why[100];
    tsl_status st = tsl_table_parse(&plain, text, strlen(text), t, why, sizeof why);
    if (st) check(strstr(why, "line ") != NULL, "a reason for '%.40s'", text);
    return st;
}

static void test_parse(void)
{
    static const tsl_allocator plain = {0};
    static const char *const good[] = {
        "", "\n\n", "# nothing\n", "gemm d 64 * 32 rec", "gemm d 64 * 32 rec\ngemm d 64 10 16 mp\ngemm d * * - leaf\n",
        "potrf z * * - auto\n", "  trsm\ts 7 * 3 pp  \n", "syr2k c 100 512 - fused fused=2 rec/64=1.5 leaf=2.1\n", "gemmt s 9 9 9 rec\n",
        "symv d 64 * - leaf:2 leaf:2=5 leaf:1=4.9 leaf=3\n", "trsm z 64 8 32 rec:3\n", "trsm z 64 8 - auto:1\nturned gemv s * * - leaf:64\n",
        "emulated d 40 30\nemulated s - -\nemulated z 9 -\n",
        "emulated potrf d 8192\n emulated  getrf\td 9 \nemulated potrf z -\n",
        "gemv s 5 * - leaf\nturned gemv s 5 * - leaf:1\n", "link 50\n", " link 0.5 \npotrf d 9 * - leaf leaf=2\ncore potrf d 9 * - leaf leaf=1\n",
    };
    static const char *const bad[] = {
        "getrf d 64 * 32 nopiv\n", "getrf z * * 32 tournament\n", /* must be asked for by name */
        "gemm", "gemm d", "gemm d 64 * 32", "gemm d 64 * 32 nonesuch", "gemm d 64 * 32 1", "copy d 64 * 32 leaf",
        "nonesuch d 64 * 32 rec", "gemm q 64 * 32 rec", "gemm sd 64 * 32 rec", "gemm d 0 * 32 rec", "gemm d -4 * 32 rec",
        "gemm d 64x * 32 rec", "gemm d 64 * 0 rec", "gemm d 64 * 99999999999 rec", "gemm d 9999999999999999999999 * 32 rec",
        "gemm d 64 * 32 rec fast", "gemm d 64 * 32 rec rec/32=", "gemm d 64 * 32 rec rec/32=-1", "gemm d 64 * 32 rec rec/32=nan",
        "gemm d 64 * 32 rec rec/32=1e3", "gemm d 64 * 32 rec rec/x=1", "gemm d 64 * 32 rec auto=1", "gemm d 64 * 32 rec mp/32=1",
        "gemm d 64 * 32 rec rec/32=8.9 leaf=10", "gemm d 64 * 32 rec\ngemm d 64 * 16 mp", "gemm d 64 * 32 rec\r\n",
        "symv d 64 * - leaf:", "symv d 64 * - leaf:0", "symv d 64 * - leaf:65", "symv d 64 * - leaf:x", "symv d 64 * - leaf:-1",
        "symv d 64 * - leaf:2 leaf:2=4 leaf:1=5", "symv d 64 * - leaf:2 leaf:x=4", "gemm d 64 * - leaf:1", "symv d 64 * - rec",
        "turned", "turned trsm d 9 * - leaf", "turned core gemv d 9 * - leaf", "core turned gemv d 9 * - leaf",
        "link", "link fast", "link -1", "link 0", "link 5 6", "link 5\nlink 5", "core", "core link 5", "core core potrf d 9 * - leaf",
        "emulated", "emulated d", "emulated d 40", "emulated d 40 x", "emulated d 40 0", "emulated d * 8", "emulated d 40 30 20",
        "emulated q 40 30", "emulated d 40 30\nemulated d - -", "emulated potrf", "emulated potrf d", "emulated potrf q 9",
        "emulated potrf d 0", "emulated potrf d *", "emulated potrf d 9 9", "emulated potrf d 9\nemulated potrf d 8",
        "emulated gemm d 9", "emulated nonesuch d 9",
        "core potrf d 9 * -", "core potrf d 9 * - leaf\ncore potrf d 9 * - 1",
    };
    static const char *const headers[] = {"", "# only a remark\n", "gemm d 64 * 32 rec\n", "tesela-tune\n", "tesela-tune 1\n",
                                          "tesela-tune 1 host\n", "tesela-tune 2 host any\n", "tesela-tune one host any\n"};
    char text[400];
    tsl_table t;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        snprintf(text, sizeof text, "# a remark\ntesela-tune 1 host any host\n%s", good[i]);
        check(parse(text, &t) == TSL_OK && !strcmp(t.device, "any host") && !strcmp(t.backend, "host"), "good: %s", good[i]);
        tsl_table_free(&plain, &t);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        snprintf(text, sizeof text, "tesela-tune 1 host any\ngemm s 5 * 2 pm\n%s", bad[i]);
        check(parse(text, &t) == TSL_ERR_SPEC && !t.entry && !t.count, "bad: %s", bad[i]);
    }
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) check(parse(headers[i], &t) == TSL_ERR_SPEC, "%s", headers[i]);
    checked("tables are read, and what is not a table is refused");
}

/* No entry chooses what was measured slower than 0.9 of its best. */
static void test_shipped(void)
{
    static const char *const backends[] = {"host", "cuda"};
    static const tsl_allocator plain = {0};
    for (size_t i = 0; i < 2; i++) {
        tsl_table t;
        const char *text = tsl_shipped(backends[i]);
        check(text && !parse(text, &t) && t.count > 0 && !strcmp(t.backend, backends[i]), "%s: a table", backends[i]);
        for (int e = 0; e < t.count; e++)
            check(t.entry[e].rate >= TSL_TUNE_SLOWEST * t.entry[e].best, "%s: entry %d", backends[i], e);
        tsl_table_free(&plain, &t);
    }
    checked("the shipped tables are tables, and choose the fastest they know");
    ok(!tsl_shipped("nonesuch"), "no table for no backend");
}

int main(void)
{
    test_parse();
    test_shipped();
    return tap_done();
}
