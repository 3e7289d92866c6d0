/* A program without shared libraries cannot open the host library, and is told so. */
#include <stdio.h>
#include <string.h>
#include <tesela.h>

int main(void)
{
    tsl_context *x = NULL;
    tsl_config cfg = tsl_config_default();
    cfg.devices = "host";
    tsl_status st = tsl_context_create(&cfg, &x);
    printf("%s: %s\n", tsl_status_name(st), tsl_error(x));
    return st != TSL_ERR_NO_DEVICE || !strstr(tsl_error(x), "-static");
}
