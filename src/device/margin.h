/* The address sanitizer is told that what follows a block is nobody's: it sees who reads there, but for host libraries, which
 * it does not watch. Of long margins the first part, since it writes a byte for eight. */
#ifndef TSL_MARGIN_H
#define TSL_MARGIN_H

#include <stddef.h>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
static inline size_t tsl_barred(size_t margin) { return margin < (1 << 20) ? margin : 1 << 20; }
static inline void tsl_bar_margin(void *p, size_t bytes, size_t all)
{
    __asan_poison_memory_region((char *)p + bytes, tsl_barred(all - bytes));
}
static inline void tsl_open_margin(void *p, size_t bytes, size_t all)
{
    __asan_unpoison_memory_region((char *)p + bytes, tsl_barred(all - bytes));
}
#else
static inline void tsl_bar_margin(void *p, size_t bytes, size_t all) { (void)p, (void)bytes, (void)all; }
static inline void tsl_open_margin(void *p, size_t bytes, size_t all) { (void)p, (void)bytes, (void)all; }
#endif

#endif
