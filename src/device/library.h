/* Libraries found at run time and never linked. */
#ifndef TSL_LIBRARY_H
#define TSL_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

typedef struct tsl_symbol {
    size_t offset; /* of its pointer in the table */
    const char *name;
} tsl_symbol;

/* Fills the table from the first library that has all the symbols; both lists end with NULL. False: none has, and the log says
 * what each lacks. It stays for the life of the process: such libraries have threads and destructors of their own. */
bool tsl_library_load(const char *what, const char *const *names, const tsl_symbol *symbols, void *table);

#endif
