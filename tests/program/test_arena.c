/* Workspace: a stack whose memory is given back to a mark, used again, and only then freed. */
#include "context/context.h"
#include "tap.h"

enum { SMALL = 1000, LARGE = 3 << 20 };

static tsl_device dev = {.be = &tsl_host_backend, .limit = 32 << 20};
static tsl_arena arena = {.dev = &dev};

static char *get(size_t bytes)
{
    void *p = NULL;
    tsl_status st = tsl_arena_get(&arena, bytes, &p);
    check(st == TSL_OK && p && (uintptr_t)p % 256 == 0, "%zu bytes: %s", bytes, tsl_status_name(st));
    return p;
}

/* What is taken after a mark is taken again, at the same place, once it has been given back; what is older stays. */
static void test_marks(void)
{
    tsl_mark bottom = tsl_arena_mark(&arena);
    char *a = get(SMALL);
    tsl_mark mark = tsl_arena_mark(&arena);
    char *b = get(SMALL);
    check(b >= a + SMALL || b + SMALL <= a, "blocks do not overlap");
    tsl_arena_back(&arena, mark);
    check(get(SMALL) == b, "what was given back is taken again");
    get(LARGE);
    tsl_arena_back(&arena, mark);
    check(get(SMALL) == b, "also after another chunk was needed");
    tsl_arena_back(&arena, bottom);
    checked("marks");
}

/* The same pattern of use, over several chunks and of mixed sizes, holds no more the second time. */
static void test_reuse(void)
{
    static const size_t sizes[] = {LARGE, SMALL, LARGE / 2, LARGE, SMALL};
    size_t settled = 0;
    for (int round = 0; round < 10; round++) {
        tsl_mark bottom = tsl_arena_mark(&arena);
        for (int i = 0; i < 5; i++) {
            tsl_mark mark = tsl_arena_mark(&arena);
            get(sizes[i]);
            get(LARGE);
            tsl_arena_back(&arena, mark);
            get(sizes[i]);
        }
        tsl_arena_back(&arena, bottom);
        if (round == 0) settled = arena.held;
        check(arena.held == settled && dev.used == settled, "round %d: %zu held, %zu at first", round, arena.held, settled);
    }
    checked("memory is used again");
}

static void test_limits(void)
{
    void *p = &arena;
    size_t before = arena.held;
    check(tsl_arena_get(&arena, 64 << 20, &p) == TSL_ERR_DEVICE_MEMORY && p == &arena, "past the device's limit");
    check(tsl_arena_get(&arena, SIZE_MAX - 5, &p) != TSL_OK && p == &arena, "past all memory");
    check(arena.held == before, "refusals hold nothing");
    tsl_arena_trim(&arena, LARGE);
    check(arena.held <= LARGE && dev.used == arena.held, "trimmed to %zu", arena.held);
    get(SMALL);
    tsl_arena_back(&arena, (tsl_mark){0});
    tsl_arena_trim(&arena, 0);
    check(arena.held == 0 && dev.used == 0, "trimmed to nothing: %zu, %zu", arena.held, (size_t)dev.used);
    checked("limits");
}

int main(void)
{
    ok(tsl_device_open(&dev) == TSL_OK, "a device");
    test_marks();
    test_reuse();
    test_limits();
    tsl_device_close(&dev);
    return tap_done();
}
