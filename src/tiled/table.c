/* What the layers below ask of tiles, of the runtime and of the tuning tables. */
#include "tiled/tiled.h"

const tsl_tiles_table tsl_by_tiles = {.decide = tsl_decide, .takes = tsl_tiled_takes, .call = tsl_tiled_call, .run = tsl_tiled_run,
                                      .temp = tsl_tiled_temp, .runtime = tsl_tiled_runtime, .read = tsl_tiled_read};

const tsl_above tsl_layers_above = {
    .tune_open = tsl_tune_open, .tune_close = tsl_tune_close, .runtime_close = tsl_runtime_close, .runtime_trim = tsl_runtime_trim,
    .region_pause = tsl_region_pause, .region_end = tsl_region_end, .region_info = tsl_region_info, .set = tsl_set_tiled,
    .dispose = tsl_tiled_dispose, .counters = tsl_tiled_counters, .counters_reset = tsl_tiled_counters_reset, .idle = tsl_tiled_idle,
};
