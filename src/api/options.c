/* Options of a context. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "api/enter.h"
#include "tiled/tiled.h"

tsl_status tsl_set(tsl_context *x, const char *option, const char *value)
{
    tsl_status st = tsl_enter_public(&x);
    if (st) return st;
    if (!option || !value) {
        st = tsl_fail(x, TSL_ERR_NULL, "set: option or value is null");
    } else if (!strcmp(option, "tile")) {
        char *end;
        errno = 0;
        long long tile = strtoll(value, &end, 10);
        if (errno || !*value || *end || tile < 0) st = tsl_fail(x, TSL_ERR_OPTION, "set: tile '%s' is not a size", value);
        else x->tile = tsl_min(tile, TSL_LARGEST_TILE);
    } else if (!strcmp(option, "shape")) {
        char *end;
        long shape = strtol(value, &end, 10);
        if (!*value || *end || shape < 0 || shape > INT_MAX) st = tsl_fail(x, TSL_ERR_OPTION, "set: shape '%s' is not a number", value);
        else x->shape = (int)shape;
    } else if (!strcmp(option, "policy") || !strcmp(option, "dist") || !strcmp(option, "diag-on") ||
               !strcmp(option, "path") || !strcmp(option, "graph")) {
        st = tsl_set_tiled(x, option, value);
    } else if (!strcmp(option, "watch")) {
        if (strcmp(value, "on") && strcmp(value, "off")) st = tsl_fail(x, TSL_ERR_OPTION, "set: watch '%s' is neither on nor off", value);
        else tsl_watch_option(x, !strcmp(value, "on"));
    } else if (!strcmp(option, "deadline")) {
        if (!tsl_seconds(value, &x->deadline)) st = tsl_fail(x, TSL_ERR_OPTION, "set: deadline '%s' is not a number of seconds", value);
    } else if (!strcmp(option, "products")) {
        if (!tsl_products_named(value, &x->rest.products))
            st = tsl_fail(x, TSL_ERR_OPTION, "set: products '%s' is none of auto, native, emulated, emulated-fast", value);
    } else if (!strcmp(option, "variant")) {
        if (!tsl_is_variant(value)) st = tsl_fail(x, TSL_ERR_OPTION, "set: no operation has a variant '%s'", value);
        else strcpy(x->variant, value);
    } else {
        st = tsl_fail(x, TSL_ERR_OPTION,
                      "set: no option '%s' (tile, variant, shape, products, watch, deadline, policy, dist, diag-on, path, graph)", option);
    }
    tsl_small_allow(x);
    return tsl_leave(x, st);
}
