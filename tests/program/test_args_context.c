/* Bad arguments of the functions that make and ask contexts and matrices. */
#include <stdlib.h>
#include <string.h>

#include "tap.h"
#include "tesela.h"

static tsl_context *ctx;

static void is(tsl_status got, tsl_status want, const char *what)
{
    ok(got == want, "%s: %s (want %s)", what, tsl_status_name(got), tsl_status_name(want));
}

/* As is(), and the context's line names the function. */
static void says(tsl_status got, tsl_status want, const char *function, const char *what)
{
    const char *line = tsl_error(ctx);
    is(got, want, what);
    ok(strstr(line, function) && !strchr(line, '\n'), "%s: says '%s'", what, line);
}

static void test_specs(void)
{
    static const struct {
        const char *text;
        tsl_status st;
    } specs[] = {
        {"", TSL_ERR_SPEC},          {"gpu", TSL_ERR_SPEC},          {"host:0", TSL_ERR_SPEC},     {"host:-1", TSL_ERR_SPEC},
        {"host:x", TSL_ERR_SPEC},    {"host:4,mem=", TSL_ERR_SPEC},  {"host,foo=1", TSL_ERR_SPEC}, {"host:4,mem=12Q", TSL_ERR_SPEC},
        {"host:", TSL_ERR_SPEC},     {"host:2x", TSL_ERR_SPEC},      {"host,", TSL_ERR_SPEC},      {"host:4,mem=0", TSL_ERR_SPEC},
        {"+host", TSL_ERR_SPEC},     {"host+", TSL_ERR_SPEC},        {"host++host", TSL_ERR_SPEC}, {"host,mem=-5", TSL_ERR_SPEC},
        {"Host", TSL_ERR_SPEC},      {" host", TSL_ERR_SPEC},        {"host:99999", TSL_ERR_SPEC}, {"host,mem=1MM", TSL_ERR_SPEC},
        {"cuda:99", TSL_ERR_NO_DEVICE}, {"host,mem=99999999999999999999", TSL_ERR_SPEC}, {"host,mem=99999999999T", TSL_ERR_SPEC},
        {"host,mem=1.5", TSL_ERR_SPEC}, {"host,mem=1.M", TSL_ERR_SPEC}, {"host,mem=.5M", TSL_ERR_SPEC}, {"host,mem=0.0M", TSL_ERR_SPEC},
        {"host,mem=1,5M", TSL_ERR_SPEC}, {"host,mem=1.5.5M", TSL_ERR_SPEC}, {"host,mem=0.0000001K", TSL_ERR_SPEC},
    };
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        tsl_config cfg = tsl_config_default();
        tsl_context *none = (tsl_context *)&cfg;
        cfg.devices = specs[i].text;
        tsl_status st = tsl_context_create(&cfg, &none);
        ok(st == specs[i].st, "devices '%s': %s", specs[i].text, tsl_status_name(st));
        ok(st == TSL_OK || !none, "devices '%s': no context is handed out", specs[i].text);
        if (!st) tsl_context_destroy(none);
    }
}

static void *no_alloc(void *user, int device, size_t bytes)
{
    (void)user, (void)device, (void)bytes;
    return NULL;
}

static void test_create(void)
{
    tsl_config cfg = tsl_config_default();
    tsl_context *x = NULL;
    tsl_allocator half = {no_alloc, NULL, NULL};
    ok(cfg.size == sizeof cfg && !cfg.devices && !cfg.stream && !cfg.allocator, "the default configuration says nothing");
    cfg.devices = "host";
    is(tsl_context_create(&cfg, NULL), TSL_ERR_NULL, "context_create without a place for it");
    is(tsl_default_context(NULL), TSL_ERR_NULL, "default_context without a place for it");
    cfg.size = 0;
    is(tsl_context_create(&cfg, &x), TSL_ERR_SIZE, "context_create with a configuration of no size");
    cfg.size = SIZE_MAX;
    is(tsl_context_create(&cfg, &x), TSL_ERR_SIZE, "context_create with a configuration of no sensible size");
    cfg.size = sizeof cfg;
    cfg.allocator = &half;
    is(tsl_context_create(&cfg, &x), TSL_ERR_NULL, "context_create with half an allocator");
    ok(!x, "none of them made a context");
    tsl_context_destroy(NULL);
    tsl_matrix_free(NULL);
    ok(!tsl_matrix_data(NULL) && tsl_matrix_ld(NULL) == 0, "no matrix has no data");
}

static void test_options(void)
{
    static const struct {
        const char *option, *value;
        tsl_status st;
    } rows[] = {
        {"colour", "red", TSL_ERR_OPTION},  {"", "1", TSL_ERR_OPTION},       {"Tile", "16", TSL_ERR_OPTION},
        {"tile", "", TSL_ERR_OPTION},       {"tile", "-1", TSL_ERR_OPTION},  {"tile", "x", TSL_ERR_OPTION},
        {"tile", "16x", TSL_ERR_OPTION},    {"variant", "", TSL_ERR_OPTION}, {"variant", "fastest", TSL_ERR_OPTION},
        {NULL, "1", TSL_ERR_NULL},          {"tile", NULL, TSL_ERR_NULL},    {"tile", "99999999999999999999", TSL_ERR_OPTION},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        says(tsl_set(ctx, rows[i].option, rows[i].value), rows[i].st, "set", rows[i].value ? rows[i].value : "a null value");
    static const char *const good[][2] = {
        {"tile", "16"}, {"tile", "0"}, {"variant", "1"}, {"variant", "ahead"}, {"variant", "auto"}};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) is(tsl_set(ctx, good[i][0], good[i][1]), TSL_OK, good[i][1]);
}

static void test_matrices(void)
{
    double data[12] = {0};
    tsl_matrix *A = (tsl_matrix *)data; /* nothing of ours: a failure stores NULL */
    int64_t big = (int64_t)1 << 40;
    tsl_type none = (tsl_type)(TSL_INDEX + 1);
    const char *f = "matrix_create";
    says(tsl_matrix_create(ctx, TSL_D, 3, 4, NULL), TSL_ERR_NULL, f, "create without a place for it");
    says(tsl_matrix_create(ctx, none, 3, 4, &A), TSL_ERR_FLAG, f, "create of no type");
    says(tsl_matrix_create(ctx, (tsl_type)-1, 3, 4, &A), TSL_ERR_FLAG, f, "create of type -1");
    says(tsl_matrix_create(ctx, TSL_D, -1, 4, &A), TSL_ERR_SIZE, f, "create with negative rows");
    says(tsl_matrix_create(ctx, TSL_D, 3, INT64_MIN, &A), TSL_ERR_SIZE, f, "create with negative columns");
    says(tsl_matrix_create(ctx, TSL_D, big, big, &A), TSL_ERR_OVERFLOW, f, "create too large");
    says(tsl_matrix_create(ctx, TSL_Z, INT64_MAX, 1, &A), TSL_ERR_OVERFLOW, f, "create too tall");
    says(tsl_matrix_create(ctx, TSL_S, 1, INT64_MAX, &A), TSL_ERR_OVERFLOW, f, "create too wide");
    f = "matrix_wrap";
    says(tsl_matrix_wrap(ctx, TSL_D, 3, 4, data, 3, NULL), TSL_ERR_NULL, f, "wrap without a place for it");
    says(tsl_matrix_wrap(ctx, TSL_D, 3, 4, NULL, 3, &A), TSL_ERR_NULL, f, "wrap of nothing");
    says(tsl_matrix_wrap(ctx, none, 3, 4, data, 3, &A), TSL_ERR_FLAG, f, "wrap of no type");
    says(tsl_matrix_wrap(ctx, TSL_D, 3, -4, data, 3, &A), TSL_ERR_SIZE, f, "wrap with negative columns");
    says(tsl_matrix_wrap(ctx, TSL_D, -3, 4, data, 3, &A), TSL_ERR_SIZE, f, "wrap with negative rows");
    says(tsl_matrix_wrap(ctx, TSL_D, 3, 4, data, 2, &A), TSL_ERR_LD, f, "wrap with a small ld");
    says(tsl_matrix_wrap(ctx, TSL_D, 3, 4, data, INT64_MAX, &A), TSL_ERR_OVERFLOW, f, "wrap with an ld past all memory");
    says(tsl_matrix_wrap(ctx, TSL_D, big, big, data, big, &A), TSL_ERR_OVERFLOW, f, "wrap of all memory");
    ok(!A, "none of them made a matrix");
    is(tsl_matrix_wrap(ctx, TSL_D, 0, 4, NULL, 1, &A), TSL_OK, "an empty matrix needs no data");
    tsl_matrix_free(A);
    is(tsl_matrix_create(ctx, TSL_D, 4, 0, &A), TSL_OK, "an empty matrix can be made");
    tsl_matrix_free(A);
}

static void test_queries(void)
{
    tsl_device_info d;
    tsl_counters before, after;
    double seconds = -3;
    memset(&d, 0x5a, sizeof d);
    tsl_device_info was = d;
    says(tsl_device_query(ctx, 0, NULL), TSL_ERR_NULL, "device_query", "device_query without a place");
    says(tsl_device_query(ctx, -1, &d), TSL_ERR_NO_DEVICE, "device_query", "device -1");
    says(tsl_device_query(ctx, tsl_device_count(ctx), &d), TSL_ERR_NO_DEVICE, "device_query", "a device past the last");
    ok(!memcmp(&d, &was, sizeof d), "device_query: nothing touched");
    is(tsl_device_query(ctx, 0, &d), TSL_OK, "device 0");
    ok(!strcmp(d.backend, "host") && d.name[0] && !d.is_virtual && d.limit == SIZE_MAX, "device 0 is the host: '%s'", d.name);
    is(tsl_counters_get(ctx, &before), TSL_OK, "counters");
    says(tsl_counters_get(ctx, NULL), TSL_ERR_NULL, "counters_get", "counters_get without a place");
    is(tsl_counters_get(ctx, &after), TSL_OK, "counters again");
    ok(!memcmp(&before, &after, sizeof before), "counters are as they were");
    says(tsl_info(ctx, NULL), TSL_ERR_NULL, "info", "info without a place");
    says(tsl_info_into(ctx, NULL), TSL_ERR_NULL, "info_into", "info_into without a place");
    for (int64_t n = 2; n <= 600; n += 598) { /* a small call, and one by queues */
        int64_t outcome = -1, ld = n;
        double *a = calloc((size_t)(n * n), sizeof *a);
        for (int64_t i = 0; i < n; i++) a[i + i * ld] = i == 1 ? -1 : 1;
        tsl_status st = tsl_dpotrf(ctx, 'L', n, a, ld, NULL);
        ok(!st && !tsl_info_into(ctx, &outcome) && outcome == 2, "info_into: %d", (int)outcome);
        free(a);
    }
    ok(!tsl_begin(ctx) && tsl_info_into(ctx, &(int64_t){0}) == TSL_ERR_CONTEXT && !tsl_wait(ctx), "info_into in a region");
    says(tsl_timer_stop(ctx, NULL), TSL_ERR_NULL, "timer_stop", "timer_stop without a place");
    ok(tsl_timer_stop(ctx, &seconds) != TSL_OK && seconds == -3, "timer_stop before any start");
    ok(tsl_timer_start(ctx) == TSL_OK && tsl_timer_stop(ctx, &seconds) == TSL_OK && seconds >= 0, "a timer after all that");
    ok(!tsl_stream(ctx), "the host has no stream");
    says(tsl_follow(ctx, NULL), TSL_ERR_NO_DEVICE, "follow", "the host follows no stream");
    says(tsl_precede(ctx, NULL), TSL_ERR_NO_DEVICE, "precede", "nor precedes one");
    says(tsl_adopt(ctx, NULL), TSL_ERR_NO_DEVICE, "adopt", "and computes on none");
}

int main(void)
{
    tsl_config cfg = tsl_config_default();
    cfg.devices = "host";
    is(tsl_context_create(&cfg, &ctx), TSL_OK, "context");
    if (ctx) {
        ok(!strcmp(tsl_error(ctx), ""), "no error yet");
        test_specs();
        test_create();
        test_options();
        test_matrices();
        test_queries();
        is(tsl_wait(ctx), TSL_OK, "the context works after all that");
    }
    tsl_context_destroy(ctx);
    return tap_done();
}
