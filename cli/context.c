#include "cli/cli.h"

void cli_trace_check(void)
{
    static bool told;
    if (!told && tsl_trace_flush()) {
        told = true;
        cli_warn("TESELA_TRACE: %s; there will be no trace, or a part of it", tsl_error(NULL));
    }
}

tsl_context *cli_context(const char *devices, int *status)
{
    tsl_context *ctx = NULL;
    tsl_config config = tsl_config_default();
    config.devices = devices;
    tsl_status st = tsl_context_create(&config, &ctx);
    *status = CLI_OK;
    const char *why = *tsl_error(NULL) ? tsl_error(NULL) : tsl_status_text(st);
    if (st == TSL_ERR_SPEC)
        *status = cli_usage("devices '%s': %s; one is host, host:N, cuda, cuda:I or cuda:IxN, with ',mem=SIZE', joined by '+'",
                            devices ? devices : "of TESELA_DEVICES", why);
    else if (st)
        *status = cli_fail("devices '%s': %s", devices ? devices : "by default", why);
    if (!st)
        cli_trace_check(); /* before the work, not after hours of it */
    return st ? NULL : ctx;
}
