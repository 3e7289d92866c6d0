#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "bench/energy/energy.h"

/* No package draws more. A counter that was not looked at for as long as this would take to go around may have done so twice. */
static const double MOST_WATTS = 1000;

static bool first_line(const char *file, char *out, int size)
{
    FILE *f = fopen(file, "r");
    bool found = f && fgets(out, size, f);
    if (f)
        fclose(f);
    if (found)
        out[strcspn(out, "\n")] = 0;
    return found;
}

static bool number(const char *file, uint64_t *value, char line[BENCH_LINE])
{
    char text[64], more;
    errno = 0;
    if (first_line(file, text, sizeof text) && sscanf(text, "%" SCNu64 "%c", value, &more) == 1)
        return true;
    snprintf(line, BENCH_LINE, "%.180s: %s", file, errno ? strerror(errno) : "no number");
    return false;
}

/* Packages, and memory beside them. A package's cores are part of it, and psys counts all of them again. */
static bool counts(const char *folder, const char *entry)
{
    char file[BENCH_PATH], name[64];
    if (strncmp(entry, "intel-rapl:", 11) || snprintf(file, sizeof file, "%s/%s/name", folder, entry) >= (int)sizeof file)
        return false;
    return first_line(file, name, sizeof name) && (!strncmp(name, "package", 7) || !strcmp(name, "dram"));
}

static bool open_zone(bench_zone *z, const char *folder, const char *entry, char line[BENCH_LINE])
{
    char range[BENCH_PATH];
    bool fits = snprintf(range, sizeof range, "%s/%s/max_energy_range_uj", folder, entry) < (int)sizeof range;
    snprintf(z->file, sizeof z->file, "%s/%s/energy_uj", folder, entry);
    if (!fits)
        snprintf(line, BENCH_LINE, "too long a name");
    return fits && number(range, &z->range, line) && number(z->file, &z->last, line);
}

bool bench_rapl_open(bench_rapl *r, const char *folder, double now, char line[BENCH_LINE])
{
    *r = (bench_rapl){.last = now};
    DIR *d = opendir(folder);
    bool good = d != NULL;
    if (!d)
        snprintf(line, BENCH_LINE, "%.180s: %s", folder, strerror(errno));
    for (struct dirent *e; good && (e = readdir(d));) {
        if (!counts(folder, e->d_name))
            continue;
        good = r->zones < BENCH_ZONES && open_zone(&r->zone[r->zones++], folder, e->d_name, line);
    }
    if (d)
        closedir(d);
    if (good && r->zones == 0)
        snprintf(line, BENCH_LINE, "%.180s has no package of intel-rapl", folder);
    return good && r->zones > 0;
}

bool bench_rapl_read(bench_rapl *r, double now, double *joules, char line[BENCH_LINE])
{
    for (int i = 0; i < r->zones; i++) {
        bench_zone *z = &r->zone[i];
        uint64_t value;
        if (!number(z->file, &value, line))
            return false;
        if (now - r->last > (double)z->range * 1e-6 / MOST_WATTS) {
            snprintf(line, BENCH_LINE, "a round took %.0f s, in which a counter of %.0f J may have gone around twice", now - r->last, (double)z->range * 1e-6);
            return false;
        }
        r->microjoules += value >= z->last ? value - z->last : value + (z->range - z->last); /* it went around */
        z->last = value;
    }
    r->last = now;
    *joules = 1e-6 * (double)r->microjoules;
    return true;
}
