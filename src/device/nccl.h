/* NCCL, found at run time and never linked. TESELA_NCCL=off: none is looked for; a path: that library. */
#ifndef TSL_NCCL_H
#define TSL_NCCL_H

#include "device/device.h"

/* As nccl.h declares them: results are ncclResult_t, `type` ncclDataType_t, streams cudaStream_t, and an id has 128 bytes. */
typedef struct tsl_nccl {
    int (*version)(int *version);
    const char *(*error_string)(int result);
    int (*unique_id)(tsl_ticket *id);
    int (*init_rank)(void **comm, int size, tsl_ticket id, int rank);
    int (*destroy)(void *comm);
    int (*abort)(void *comm);
    int (*async_error)(void *comm, int *result);
    int (*group_start)(void);
    int (*group_end)(void);
    int (*send)(const void *p, size_t count, int type, int rank, void *comm, void *stream);
    int (*receive)(void *p, size_t count, int type, int rank, void *comm, void *stream);
    int (*broadcast)(const void *from, void *to, size_t count, int type, int root, void *comm, void *stream);
} tsl_nccl;

/* Loaded on the first call; NULL where it is not there or lacks one of the symbols. */
const tsl_nccl *tsl_nccl_get(void);
void tsl_nccl_version(int version[3]); /* zeros: none */
/* Is it one that calls itself version 0? Such is a stand-in, for tests: it takes host memory too, and many processes on a
 * GPU. */
bool tsl_nccl_stands_in(void);

/* What the fabrics of all backends have in common. The device is the calling thread's. */
tsl_status tsl_nccl_ticket(tsl_ticket *t);
tsl_status tsl_nccl_open(const tsl_device *dev, const tsl_ticket *t, int rank, int size, tsl_channel *ch);
void tsl_nccl_close(tsl_channel *ch, bool broken);
tsl_status tsl_nccl_check(const tsl_channel *ch);
tsl_status tsl_nccl_group(const tsl_channel *ch, void *stream, const tsl_channel_message *message, int count);

#endif
