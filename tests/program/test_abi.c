/* The binary interface: where fields are does not change within a soname, and structs of callers compiled with an earlier or a
 * later version are neither read nor written past their size. A line that does not compile any more is a break of that promise:
 * a new soname. */
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "tap.h"
#include "tesela.h"

#define AT(type, field, place) _Static_assert(offsetof(type, field) == (place), #type "." #field " has moved")
#define SIZE(type, bytes) _Static_assert(sizeof(type) == (bytes), #type " has another size")

/* That may grow: their first fields. */
AT(tsl_config, size, 0); AT(tsl_config, devices, 8); AT(tsl_config, stream, 16); AT(tsl_config, workspace_limit, 24); AT(tsl_config, allocator, 32);
AT(tsl_device_info, name, 0); AT(tsl_device_info, backend, 96); AT(tsl_device_info, ordinal, 112); AT(tsl_device_info, is_virtual, 116);
AT(tsl_device_info, limit, 120); AT(tsl_device_info, used, 128); AT(tsl_device_info, peak, 136); AT(tsl_device_info, total, 144); AT(tsl_device_info, idle, 152);
AT(tsl_counters, to_device, 0); AT(tsl_counters, bytes_to_device, 24); AT(tsl_counters, launches, 48); AT(tsl_counters, tasks, 56);
AT(tsl_counters, hits, 64); AT(tsl_counters, evictions, 72); AT(tsl_counters, idle, 80);
AT(tsl_solve_options, lowest, 0); AT(tsl_solve_options, accuracy, 8);
AT(tsl_solution, info, 0); AT(tsl_solution, iterations, 8); AT(tsl_solution, method, 16); AT(tsl_solution, precision, 20);
AT(tsl_solution, backward_error, 24); AT(tsl_solution, forward_error, 32); AT(tsl_solution, condition, 40); AT(tsl_solution, singular, 48);
/* That may not. */
SIZE(tsl_allocator, 24); SIZE(tsl_view, 56); SIZE(tsl_part2, 4 * 56); SIZE(tsl_part3, 9 * 56); SIZE(tsl_strips, 3 * 56); SIZE(tsl_scalar, 16);
AT(tsl_view, mat, 0); AT(tsl_view, i, 8); AT(tsl_view, n, 32); AT(tsl_view, op, 40); AT(tsl_view, uplo, 44); AT(tsl_view, diag, 48);

enum { GUARD = 0x5a, MORE = 16 };

/* Nothing but bytes [0, size) differ from the guard; those of the later version, if there are any, are zero. */
static bool within(const unsigned char *bytes, size_t size, size_t known, size_t all)
{
    for (size_t i = size; i < all; i++)
        if (bytes[i] != GUARD) return false;
    for (size_t i = known; i < size; i++)
        if (bytes[i]) return false;
    return true;
}

static void results(tsl_context *x)
{
    unsigned char bytes[sizeof(tsl_device_info) + 2 * MORE];
    static const size_t sizes[] = {offsetof(tsl_device_info, total), sizeof(tsl_device_info), sizeof(tsl_device_info) + MORE};
    for (int i = 0; i < 3; i++) {
        memset(bytes, GUARD, sizeof bytes);
        ok(!tsl_device_query_sized(x, 0, (void *)bytes, sizes[i]) && within(bytes, sizes[i], sizeof(tsl_device_info), sizeof bytes) &&
               !strcmp((char *)bytes + offsetof(tsl_device_info, backend), "host"), "device_query into %zu bytes", sizes[i]);
    }
    memset(bytes, GUARD, sizeof bytes);
    ok(!tsl_counters_get_sized(x, (void *)bytes, 16) && within(bytes, 16, sizeof bytes, sizeof bytes), "counters_get into 16 bytes");
    memset(bytes, GUARD, sizeof bytes);
    ok(!tsl_counters_get_sized(x, (void *)bytes, sizeof(tsl_counters) + MORE) &&
           within(bytes, sizeof(tsl_counters) + MORE, sizeof(tsl_counters), sizeof bytes), "counters_get into more than there are");
}

static void solution(tsl_context *x)
{
    double a[4] = {2, 1, 1, 3}, b[2] = {3, 4}, y[2] = {0, 0};
    unsigned char bytes[sizeof(tsl_solution) + MORE];
    struct { tsl_solve_options known; double later; } o = {{.lowest = TSL_FP64}, 0};
    tsl_matrix *A, *B, *X;
    if (tsl_matrix_wrap(x, TSL_D, 2, 2, a, 2, &A) || tsl_matrix_wrap(x, TSL_D, 2, 1, b, 2, &B) || tsl_matrix_wrap(x, TSL_D, 2, 1, y, 2, &X))
        return ok(false, "matrices");
    memset(bytes, GUARD, sizeof bytes);
    size_t size = offsetof(tsl_solution, forward_error);
    ok(!tsl_solve_sized(x, tsl_whole(A), tsl_whole(B), tsl_whole(X), &o.known, sizeof o, (void *)bytes, size) &&
           within(bytes, size, sizeof bytes, sizeof bytes) && y[0] == 1 && y[1] == 1, "solve with longer options, into a shorter result");
    o.later = 1;
    y[0] = 7;
    ok(tsl_solve_sized(x, tsl_whole(A), tsl_whole(B), tsl_whole(X), &o.known, sizeof o, NULL, 0) == TSL_ERR_SIZE && y[0] == 7,
       "an option of a later version that is set is refused");
    o.known = (tsl_solve_options){.lowest = TSL_FP64, .accuracy = -1}; /* which is not read */
    ok(!tsl_solve_sized(x, tsl_whole(A), tsl_whole(B), tsl_whole(X), &o.known, offsetof(tsl_solve_options, accuracy), NULL, 0), "shorter options");
    ok(tsl_solve_sized(x, tsl_whole(A), tsl_whole(B), tsl_whole(X), &o.known, 0, NULL, 0) == TSL_ERR_SIZE, "options of no size");
    tsl_matrix_free(A);
    tsl_matrix_free(B);
    tsl_matrix_free(X);
}

static void configuration(void)
{
    struct { tsl_config known; void *later; } c = {tsl_config_default(), NULL};
    tsl_context *x = NULL;
    c.known.devices = "host";
    c.known.size = sizeof c;
    ok(!tsl_context_create(&c.known, &x) && x, "a configuration of a later version, whose field is not set");
    tsl_context_destroy(x);
    c.later = &c;
    ok(tsl_context_create(&c.known, &x) == TSL_ERR_SIZE && !x, "... and one whose field is");
    c.known.size = offsetof(tsl_config, allocator);
    c.known.allocator = (void *)1; /* which is not read */
    ok(!tsl_context_create(&c.known, &x) && x, "a configuration of an earlier version");
    tsl_context_destroy(x);
}

int main(void)
{
    tsl_config cfg = tsl_config_default();
    tsl_context *x = NULL;
    cfg.devices = "host";
    ok(!tsl_context_create(&cfg, &x), "a context");
    results(x);
    solution(x);
    tsl_context_destroy(x);
    configuration();
    return tap_done();
}
