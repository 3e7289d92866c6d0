/* The coherence protocol of tiles. Pure: it knows spaces (memories) by number and nothing of devices, queues or threads.
 *
 * A tile has a home, the memory its storage belongs to, and may have a copy in any other space. Per tile the directory keeps
 *   valid   the spaces whose copy is the tile's present contents
 *   coming  of those, the ones whose transfer is not yet on a queue: nobody may use or chain on such a copy
 * A copy in a space is Invalid (not in valid), Coming, or Valid; a Valid copy is Shared if others are valid too, Only if it
 * alone is, and Dirty if the home is not valid. valid = {} is a tile nobody has written: its contents are undefined.
 *
 * Transitions, all of them made by the runtime, under its lock:
 *   read at s s Invalid: fetch. The source is the home if that is valid; else another valid space directly if the policy has
 *                 peers and s is a device's; else the contents go home first, and from there to s if that is not the home
 *                 itself. Then valid += s (Coming, until the transfer is queued). The host's memory has no queue of its own: to
 *                 and from the copy it has of a tile with another home, the home's device carries.
 *   write at s the writer has read s, or overwrites all of it. When it is done: valid = {s}. The task graph guarantees that no
 *                 other reader or writer of the tile is at work.
 *   discard a writer that overwrites all of the tile begins, and no copy is Coming: valid = {}. Else the old contents might
 *                 still be cleaned, into the very memory that is being written.
 *   clean s       s Dirty: the contents go home; valid += home.
 *   drop s        s not the home, not in use, not Only: valid -= s. (An Only copy is cleaned first.)
 * Invariants: all valid copies are equal; only discard makes valid empty; a dropped copy was not the last one. */
#ifndef TSL_COHERENCE_H
#define TSL_COHERENCE_H

#include <stdbool.h>
#include <stdint.h>

/* Device d of the context is space d + 1. After these comes the memory of device d as the caller has it: a home, where nothing
 * is computed. A space is a bit of a line's masks. */
enum { TSL_HOST_SPACE = 0, TSL_MAX_SPACES = 64 };

typedef struct tsl_line {
    uint64_t valid, coming;
    int home;
} tsl_line;

static inline uint64_t tsl_space_bit(int s) { return (uint64_t)1 << s; }
static inline bool tsl_line_valid(const tsl_line *l, int s) { return l->valid & tsl_space_bit(s); }
static inline bool tsl_line_coming(const tsl_line *l, int s) { return l->coming & tsl_space_bit(s); }
static inline bool tsl_line_dirty(const tsl_line *l) { return l->valid && !tsl_line_valid(l, l->home); }

/* Where a copy for s comes from. */
typedef enum tsl_source { TSL_HERE, TSL_NOTHING, TSL_FROM_HOME, TSL_FROM_PEER, TSL_VIA_HOME } tsl_source;
/* *from: the space to read, for FROM_PEER and, of the part that goes home, VIA_HOME. Deterministic: the lowest that is
 * queued. */
tsl_source tsl_line_source(const tsl_line *l, int s, bool peers, int *from);

void tsl_line_fetch(tsl_line *l, int s);  /* s becomes Coming */
void tsl_line_queued(tsl_line *l, int s); /* its transfer is on a queue, or there was none */
void tsl_line_lost(tsl_line *l, int s);   /* its transfer failed: s is Invalid again */
void tsl_line_discard(tsl_line *l);       /* they will be overwritten */
void tsl_line_write(tsl_line *l, int s);
bool tsl_line_only(const tsl_line *l, int s);
void tsl_line_drop(tsl_line *l, int s);

/* The thesis' four versions of the runtime, and one beyond. */
typedef struct tsl_policy {
    const char *name;
    bool keep_own;      /* a tile stays with the device that owns it */
    bool keep_alien;    /* copies of other devices' tiles stay as long as there is room */
    bool write_through; /* what a task has written goes home at once; else when somebody else needs it, or at the end */
    bool peers;         /* device to device without the home between */
    /* a task may run on another device of the owner's kind: where its operands are, or where there is time */
    bool free;
    int ahead;          /* tasks whose operands are fetched while others compute */
} tsl_policy;

extern const tsl_policy tsl_policies[];
const tsl_policy *tsl_policy_find(const char *name); /* NULL: none of that name */

#endif
