/* What is done by tiles, for the dispatcher. */
#include "tiled/tiled.h"

void tsl_tiles_register(void)
{
    tsl_by_tiles = (tsl_tiles_table){.decide = tsl_decide, .takes = tsl_tiled_takes, .check_room = tsl_tiled_check_room,
                                     .call = tsl_tiled_call, .run = tsl_tiled_run, .temp = tsl_tiled_temp,
                                     .runtime = tsl_tiled_runtime, .read = tsl_tiled_read, .write = tsl_tiled_write,
                                     .place = tsl_in_one_piece, .panel_from = tsl_tiled_panel};
}
