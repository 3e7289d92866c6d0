/* A program outside the library: factors a 3 x 3 matrix on the host. Compiles as C and as C++. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <tesela.h>

static int fail(const char *what, tsl_status st, tsl_context *ctx)
{
    fprintf(stderr, "%s: %s: %s\n", what, tsl_status_name(st), ctx ? tsl_error(ctx) : "");
    return 1;
}

int main(void)
{
    /* A = L L^T, by columns; the strict upper triangle must stay as it is */
    double A[9] = {4, 12, -16, 99, 37, -43, 99, 99, 98};
    const double L[9] = {2, 6, -8, 99, 1, 5, 99, 99, 3};
    char version[32];
    int64_t info = -1;
    tsl_context *ctx = NULL;

    snprintf(version, sizeof version, "%d.%d.%d", TSL_VERSION_MAJOR, TSL_VERSION_MINOR, TSL_VERSION_PATCH);
    if (strcmp(version, tsl_version()) != 0) {
        fprintf(stderr, "the header is %s and the library %s\n", version, tsl_version());
        return 1;
    }

    tsl_config cfg = tsl_config_default();
    cfg.devices = "host";
    tsl_status st = tsl_context_create(&cfg, &ctx);
    if (st != TSL_OK)
        return fail("tsl_context_create", st, NULL);
    st = tsl_dpotrf(ctx, 'L', 3, A, 3, &info);
    if (st != TSL_OK)
        return fail("tsl_dpotrf", st, ctx);
    if (info != 0) {
        fprintf(stderr, "info is %ld\n", (long)info);
        return 1;
    }
    for (int i = 0; i < 9; i++) {
        if (!(fabs(A[i] - L[i]) <= 1e-13)) {
            fprintf(stderr, "L(%d,%d) is %g, not %g\n", i % 3, i / 3, A[i], L[i]);
            return 1;
        }
    }
    tsl_context_destroy(ctx);
    printf("tesela %s: ok\n", tsl_version());
    return 0;
}
