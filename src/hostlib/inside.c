/* What the library's functions call of each other: LAPACK takes the norms of columns by BLAS's, which may be wrong. A shared
 * library finds what it calls in a table of addresses, one for every symbol, which the loader fills so that another library can
 * stand in for it. Of a symbol that does something wrong ours does. Others who call the library get right results by that too;
 * this room's own libraries are never unloaded. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "hostlib/hostlib.h"

typedef struct object {
    const struct link_map *map;
    uintptr_t sealed[2]; /* from where to where its pages cannot be written */
} object;

#if defined __x86_64__
static bool is_address(ElfW(Xword) info) { return ELF64_R_TYPE(info) == R_X86_64_JUMP_SLOT || ELF64_R_TYPE(info) == R_X86_64_GLOB_DAT; }
#elif defined __aarch64__
static bool is_address(ElfW(Xword) info) { return ELF64_R_TYPE(info) == R_AARCH64_JUMP_SLOT || ELF64_R_TYPE(info) == R_AARCH64_GLOB_DAT; }
#else
static bool is_address(ElfW(Xword) info) { return (void)info, false; } /* nobody has tried */
#endif

static int find_sealed(struct dl_phdr_info *of, size_t size, void *to)
{
    object *o = to;
    (void)size;
    if (of->dlpi_addr != o->map->l_addr) return 0;
    for (int i = 0; i < of->dlpi_phnum; ++i)
        if (of->dlpi_phdr[i].p_type == PT_GNU_RELRO) {
            o->sealed[0] = of->dlpi_addr + of->dlpi_phdr[i].p_vaddr;
            o->sealed[1] = o->sealed[0] + of->dlpi_phdr[i].p_memsz;
        }
    return 1;
}

static void put(const object *o, uintptr_t place, void *function)
{
    const uintptr_t size = (uintptr_t)sysconf(_SC_PAGESIZE);
    void *page = (void *)(place / size * size);
    bool sealed = place >= o->sealed[0] && place < o->sealed[1];
    if (sealed && mprotect(page, size, PROT_READ | PROT_WRITE)) return;
    __atomic_store_n((void **)place, function, __ATOMIC_RELEASE);
    if (sealed) (void)mprotect(page, size, PROT_READ);
}

/* An entry of the dynamic section: an address, which the loader has made absolute, or not */
static uintptr_t entry(const object *o, ElfW(Sxword) tag)
{
    for (const ElfW(Dyn) *d = o->map->l_ld; d->d_tag != DT_NULL; ++d)
        if (d->d_tag == tag) return d->d_un.d_ptr;
    return 0;
}

static uintptr_t address(const object *o, ElfW(Sxword) tag)
{
    uintptr_t at = entry(o, tag);
    return at && at < o->map->l_addr ? at + o->map->l_addr : at;
}

static void redirect(const object *o, ElfW(Sxword) table, ElfW(Sxword) bytes, const char *symbol, void *function)
{
    const ElfW(Rela) *rows = (const ElfW(Rela) *)address(o, table);
    const ElfW(Sym) *symbols = (const ElfW(Sym) *)address(o, DT_SYMTAB);
    const char *names = (const char *)address(o, DT_STRTAB);
    for (size_t i = 0; rows && i < entry(o, bytes) / sizeof *rows; ++i)
        if (is_address(rows[i].r_info) && !strcmp(names + symbols[ELF64_R_SYM(rows[i].r_info)].st_name, symbol))
            put(o, o->map->l_addr + rows[i].r_offset, function);
}

void tsl_hostlib_redirect(void *inside, const char *symbol, void *function)
{
    Dl_info unused;
    struct link_map *map = NULL;
    if (!dladdr1(inside, &unused, (void **)&map, RTLD_DL_LINKMAP) || !map) return;
    object o = {.map = map};
    (void)dl_iterate_phdr(find_sealed, &o);
    if (entry(&o, DT_PLTREL) == DT_RELA) redirect(&o, DT_JMPREL, DT_PLTRELSZ, symbol, function);
    redirect(&o, DT_RELA, DT_RELASZ, symbol, function);
}
