#include "device/nccl.h"

#include <stdlib.h>
#include <string.h>

#include "core/log.h"
#include "device/device.h"
#include "device/library.h"

enum { BYTES = 1 }; /* ncclUint8: counts are size_t, so a message of any size is one */

static const tsl_symbol symbols[] = {
    {offsetof(tsl_nccl, version), "ncclGetVersion"},
    {offsetof(tsl_nccl, error_string), "ncclGetErrorString"},
    {offsetof(tsl_nccl, unique_id), "ncclGetUniqueId"},
    {offsetof(tsl_nccl, init_rank), "ncclCommInitRank"},
    {offsetof(tsl_nccl, destroy), "ncclCommDestroy"},
    {offsetof(tsl_nccl, abort), "ncclCommAbort"},
    {offsetof(tsl_nccl, async_error), "ncclCommGetAsyncError"},
    {offsetof(tsl_nccl, group_start), "ncclGroupStart"},
    {offsetof(tsl_nccl, group_end), "ncclGroupEnd"},
    {offsetof(tsl_nccl, send), "ncclSend"},
    {offsetof(tsl_nccl, receive), "ncclRecv"},
    {offsetof(tsl_nccl, broadcast), "ncclBroadcast"},
    {0, NULL},
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static tsl_nccl table;
static bool loaded;

static void load(void)
{
    const char *asked = getenv("TESELA_NCCL");
    if (asked && !strcmp(asked, "off")) return;
    bool named = asked && *asked;
    loaded = tsl_library_load("NCCL", (const char *[]){named ? asked : "libnccl.so.2", NULL}, symbols, &table);
    if (!loaded && named) tsl_ignored(TSL_SETTING_NCCL, "TESELA_NCCL=%s ignored: no such library", asked);
}

const tsl_nccl *tsl_nccl_get(void)
{
    pthread_once(&once, load);
    return loaded ? &table : NULL;
}

/* X.Y.Z is coded X * 10000 + Y * 100 + Z, and was X * 1000 + Y * 100 + Z up to 2.8 */
void tsl_nccl_version(int version[3])
{
    int code = 0;
    if (!tsl_nccl_get() || table.version(&code)) code = 0;
    int unit = code < 10000 ? 1000 : 10000;
    version[0] = code / unit, version[1] = code % unit / 100, version[2] = code % 100;
}

bool tsl_nccl_stands_in(void)
{
    int code;
    return tsl_nccl_get() && !table.version(&code) && code == 0;
}

static tsl_status check(int result, const char *what)
{
    if (result == 0) return TSL_OK;
    tsl_log(TSL_LOG_ERROR, "%s: %s", what, table.error_string(result));
    return TSL_ERR_DEVICE;
}

tsl_status tsl_nccl_ticket(tsl_ticket *t) { return check(table.unique_id(t), "ncclGetUniqueId"); }

tsl_status tsl_nccl_open(const tsl_device *dev, const tsl_ticket *t, int rank, int size, tsl_channel *ch)
{
    void *comm = NULL;
    tsl_status st = check(table.init_rank(&comm, size, *t, rank), "ncclCommInitRank");
    if (!st) *ch = (tsl_channel){.comm = comm, .ordinal = dev->ordinal};
    return st;
}

void tsl_nccl_close(tsl_channel *ch, bool broken)
{
    if (ch->comm && broken) (void)check(table.abort(ch->comm), "ncclCommAbort");
    else if (ch->comm) (void)check(table.destroy(ch->comm), "ncclCommDestroy");
    ch->comm = NULL;
}

static tsl_status hand_over(const tsl_channel *ch, void *stream, const tsl_channel_message *k)
{
    switch (k->way) {
    case TSL_SEND: return check(table.send(k->p, k->bytes, BYTES, k->rank, ch->comm, stream), "ncclSend");
    case TSL_RECEIVE: return check(table.receive(k->p, k->bytes, BYTES, k->rank, ch->comm, stream), "ncclRecv");
    default: return check(table.broadcast(k->p, k->p, k->bytes, BYTES, k->rank, ch->comm, stream), "ncclBroadcast");
    }
}

tsl_status tsl_nccl_check(const tsl_channel *ch)
{
    int later = 0; /* what went wrong after its call had returned */
    tsl_status st = check(table.async_error(ch->comm, &later), "ncclCommGetAsyncError");
    return st ? st : check(later, "NCCL");
}

tsl_status tsl_nccl_group(const tsl_channel *ch, void *stream, const tsl_channel_message *message, int count)
{
    tsl_status st = check(table.group_start(), "ncclGroupStart");
    if (st) return st;
    for (int i = 0; i < count && !st; i++) st = hand_over(ch, stream, &message[i]);
    tsl_status end = check(table.group_end(), "ncclGroupEnd");
    return st ? st : end;
}
