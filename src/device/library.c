#include "device/library.h"

#include <dlfcn.h>
#include <string.h>

#include "core/log.h"

static bool fill(void *library, const char *name, const tsl_symbol *s, void *table)
{
    for (; s->name; s++) {
        void *p = dlsym(library, s->name);
        if (!p) {
            tsl_log(TSL_LOG_INFO, "%s has no %s", name, s->name);
            return false;
        }
        /* data and function pointers have one representation under POSIX; copying the bytes needs no cast between them */
        memcpy((char *)table + s->offset, &p, sizeof p);
    }
    return true;
}

bool tsl_library_load(const char *what, const char *const *names, const tsl_symbol *symbols, void *table)
{
    for (; *names; names++) {
        void *library = dlopen(*names, RTLD_NOW | RTLD_LOCAL);
        if (!library) {
            tsl_log(TSL_LOG_INFO, "%s", dlerror());
        } else if (fill(library, *names, symbols, table)) {
            tsl_log(TSL_LOG_INFO, "%s is %s", what, *names);
            return true;
        } else {
            dlclose(library);
        }
    }
    return false;
}
