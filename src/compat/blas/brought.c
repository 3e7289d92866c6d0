/* A BLAS that the program brought along under names of its own, as the wheels of NumPy and SciPy do: what is small goes on to
 * that, as it came, and not to one more library with one more set of threads. Such a library is loaded for its module alone, so
 * it is looked for among all that are loaded. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "compat/blas/blas.h"

typedef struct names {
    char **name;
    size_t count, room;
} names;

/* Not 0: it ends there, without memory */
static int note(struct dl_phdr_info *info, size_t size, void *list)
{
    names *n = list;
    (void)size;
    if (!info->dlpi_name || !*info->dlpi_name) return 0;
    if (n->count == n->room) {
        size_t room = 2 * n->room + 64;
        char **more = realloc(n->name, room * sizeof *more);
        if (!more) return 1;
        n->name = more, n->room = room;
    }
    n->name[n->count] = strdup(info->dlpi_name);
    return !n->name[n->count++];
}

/* The function, unless it is this library's own */
static void *of_another(void *handle, const char *symbol)
{
    Dl_info here, there;
    void *found = dlsym(handle, symbol);
    bool other = found && dladdr(found, &there) && dladdr((void *)&tsl_blas_brought, &here) && here.dli_fbase != there.dli_fbase;
    return other ? found : NULL;
}

void *tsl_blas_brought(const char *symbol)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static void *last; /* has had one before, and stays */
    names n = {0};
    pthread_mutex_lock(&lock);
    void *found = last ? of_another(last, symbol) : NULL;
    if (!found) dl_iterate_phdr(note, &n);
    for (size_t i = 0; i < n.count; ++i) {
        void *handle = n.name[i] && !found ? dlopen(n.name[i], RTLD_LAZY | RTLD_NOLOAD) : NULL;
        if (handle) found = of_another(handle, symbol);
        if (handle && found) last = handle;
        else if (handle) dlclose(handle);
        free(n.name[i]);
    }
    free(n.name);
    pthread_mutex_unlock(&lock);
    return found;
}
