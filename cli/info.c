#include <stdio.h>
#include <stdlib.h>

#include "cli/cli.h"

/* A number of bytes with the largest unit that leaves it above 1. */
static void print_bytes(size_t bytes)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    double v = (double)bytes;
    int u = 0;
    for (; v >= 1024 && u < 4; u++)
        v /= 1024;
    printf(u ? "%.1f %s" : "%.0f %s", v, units[u]);
}

static tsl_status print_device(tsl_context *ctx, int device)
{
    tsl_device_info d;
    tsl_status st = tsl_device_query(ctx, device, &d);
    if (st)
        return st;
    printf("  %d: %s (%s:%d%s), memory ", device, d.name, d.backend, d.ordinal, d.is_virtual ? ", virtual" : "");
    print_bytes(d.total);
    printf(", limit ");
    if (d.limit == SIZE_MAX)
        printf("none");
    else
        print_bytes(d.limit);
    putchar('\n');
    return TSL_OK;
}

static void print_lines(const char *text)
{
    for (int fresh = 1; *text; text++) {
        if (fresh)
            printf("  ");
        putchar(*text);
        fresh = *text == '\n';
        if (!fresh && !text[1])
            putchar('\n');
    }
}

static int run(int argc, char **argv)
{
    const char *devices = NULL;
    const cli_option options[] = {{"--devices", &devices, NULL}, {NULL, NULL, NULL}};
    if (cli_parse("info", argc, argv, options, NULL, 0) < 0)
        return CLI_USAGE;
    int status;
    tsl_context *ctx = cli_context(devices, &status);
    if (!ctx)
        return status;
    printf("tesela %s\n\ndevices\n", tsl_version());
    for (int i = 0; i < tsl_device_count(ctx); i++) {
        tsl_status st = print_device(ctx, i);
        if (st)
            status = cli_fail("device %d: %s", i, tsl_status_text(st));
    }
    printf("\nlibraries\n");
    print_lines(tsl_libraries());
    printf("\ntuning\n  %s\n", tsl_tuning(ctx));
    printf("\nlimits\n  sizes are 64-bit; element types s, d, c, z\n");
    printf("\nenvironment\n");
    static const char *const variables[] = {"TESELA_DEVICES", "TESELA_LOG", "TESELA_NCCL", "TESELA_TRACE", "TESELA_TUNE"};
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        const char *value = getenv(variables[i]);
        printf("  %-15s %s\n", variables[i], value ? value : "(not set)");
    }
    tsl_context_destroy(ctx);
    return status;
}

const cli_command cli_info = {
    "info",
    run,
    "what is here: devices, libraries, settings",
    "tesela info [--devices SPEC]\n"
    "\n"
    "Lists the devices of SPEC (by default TESELA_DEVICES, else all GPUs, else the host), the libraries\n"
    "in use with their versions, the tuning table in force, and the environment variables in force.\n",
    NULL,
};
