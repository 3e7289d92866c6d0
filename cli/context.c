#include "cli/cli.h"

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
    return st ? NULL : ctx;
}
