/* The address sanitizer is told that what follows a block is nobody's: it sees who reads there, but for host libraries, which
 * it does not watch. */
#ifndef TSL_MARGIN_H
#define TSL_MARGIN_H

#include <stddef.h>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
static inline void tsl_bar_margin(void *p, size_t bytes, size_t all)
{
    __asan_poison_memory_region((char *)p + bytes, all - bytes);
}
static inline void tsl_open_margin(void *p, size_t all) { __asan_unpoison_memory_region(p, all); }
#else
static inline void tsl_bar_margin(void *p, size_t bytes, size_t all) { (void)p, (void)bytes, (void)all; }
static inline void tsl_open_margin(void *p, size_t all) { (void)p, (void)all; }
#endif

#endif
