/* What dispatch.c asks of tiles. */
#include "tiled/tiled.h"

const tsl_tiles_table tsl_by_tiles = {.decide = tsl_decide, .takes = tsl_tiled_takes, .call = tsl_tiled_call, .run = tsl_tiled_run,
                                      .temp = tsl_tiled_temp, .runtime = tsl_tiled_runtime, .read = tsl_tiled_read};
