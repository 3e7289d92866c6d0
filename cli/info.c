#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/measure/json.h"
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

static void print_device(int device, const tsl_device_info *d)
{
    printf("  %d: %s (%s:%d%s), memory ", device, d->name, d->backend, d->ordinal, d->is_virtual ? ", virtual" : "");
    print_bytes(d->total);
    printf(", limit ");
    if (d->limit == SIZE_MAX)
        printf("none");
    else
        print_bytes(d->limit);
    putchar('\n');
}

static void json_device(int device, const tsl_device_info *d)
{
    printf("%s{\"number\": %d", device ? ", " : "", device);
    json_text(stdout, "name", d->name);
    json_text(stdout, "backend", d->backend);
    printf(", \"ordinal\": %d, \"virtual\": %s, \"memory\": %zu", d->ordinal, d->is_virtual ? "true" : "false", d->total);
    printf(d->limit == SIZE_MAX ? ", \"limit\": null}" : ", \"limit\": %zu}", d->limit);
}

static int each_device(tsl_context *ctx, void (*show)(int, const tsl_device_info *))
{
    int status = CLI_OK;
    for (int i = 0; i < tsl_device_count(ctx); i++) {
        tsl_device_info d;
        tsl_status st = tsl_device_query(ctx, i, &d);
        if (st)
            status = cli_fail("device %d: %s", i, tsl_status_text(st));
        else
            show(i, &d);
    }
    return status;
}

/* Every line of a text: after two blanks, or as a list of strings. */
static void each_line(const char *text, bool json)
{
    for (int i = 0; *text; i++) {
        char line[512];
        size_t length = strcspn(text, "\n");
        snprintf(line, sizeof line, "%.*s", (int)length, text);
        if (json) {
            fputs(i ? ", " : "", stdout);
            json_string(stdout, line);
        } else {
            printf("  %s\n", line);
        }
        text += length + (text[length] == '\n');
    }
}

static const char *const variables[] = {"TESELA_DEADLINE", "TESELA_DEVICES", "TESELA_HOST_BLAS", "TESELA_LOG",
                                        "TESELA_NCCL", "TESELA_PRODUCTS", "TESELA_TRACE", "TESELA_TUNE"};
enum { VARIABLES = sizeof variables / sizeof *variables };

static int as_text(tsl_context *ctx)
{
    printf("tesela %s\n\ndevices\n", tsl_version());
    int status = each_device(ctx, print_device);
    printf("\nlibraries\n");
    each_line(tsl_libraries(), false);
    printf("\ntuning\n  %s\n", tsl_tuning(ctx));
    printf("\nlimits\n  sizes are 64-bit; element types s, d, c, z\n");
    printf("\nenvironment\n");
    for (int i = 0; i < VARIABLES; i++)
        printf("  %-17s %s\n", variables[i], getenv(variables[i]) ? getenv(variables[i]) : "(not set)");
    return status;
}

static int as_json(tsl_context *ctx)
{
    printf("{\"version\": \"%s\", \"devices\": [", tsl_version());
    int status = each_device(ctx, json_device);
    printf("], \"libraries\": [");
    each_line(tsl_libraries(), true);
    printf("]");
    json_text(stdout, "tuning", tsl_tuning(ctx));
    printf(", \"environment\": {");
    for (int i = 0; i < VARIABLES; i++) {
        const char *value = getenv(variables[i]);
        printf("%s\"%s\": ", i ? ", " : "", variables[i]);
        if (value)
            json_string(stdout, value);
        else
            fputs("null", stdout);
    }
    printf("}}\n");
    return status;
}

static int run(int argc, char **argv)
{
    const char *devices = NULL;
    bool json = false;
    const cli_option options[] = {{"--devices", &devices, NULL}, {"--json", NULL, &json}, {NULL, NULL, NULL}};
    if (cli_parse("info", argc, argv, options, NULL, 0) < 0)
        return CLI_USAGE;
    int status;
    tsl_context *ctx = cli_context(devices, &status);
    if (!ctx)
        return status;
    status = json ? as_json(ctx) : as_text(ctx);
    tsl_context_destroy(ctx);
    return status;
}

const cli_command cli_info = {
    "info",
    run,
    "what is here: devices, libraries, settings",
    "tesela info [--devices SPEC] [--json]\n"
    "\n"
    "Lists the devices of SPEC (by default TESELA_DEVICES, else all GPUs, else the host), the libraries\n"
    "in use with their versions, the tuning table in force, and the environment variables in force.\n",
    NULL,
};
