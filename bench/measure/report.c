/* Records as a table for people and as JSON for programs. */
#include <math.h>
#include <string.h>

#include "bench/measure/json.h"
#include "bench/measure/measure.h"

void bench_params(const bench_case *c, char out[64])
{
    /* transb follows trans */
    static const char *const names[BENCH_FLAGS] = {"side", "uplo", "trans", NULL, "diag", "norm", "jobz"};
    int at = 0;
    out[0] = 0;
    for (int f = 0; f < BENCH_FLAGS; f++) {
        if (!names[f] || !c->flag[f])
            continue;
        at += snprintf(out + at, 64 - (size_t)at, "%s%s=%c", at ? "," : "", names[f], c->flag[f]);
        if (f == BENCH_TRANS && c->flag[BENCH_TRANSB])
            at += snprintf(out + at, 64 - (size_t)at, "%c", c->flag[BENCH_TRANSB]);
    }
}

static bool has(const bench_routine *r, char size) { return strchr(r->sizes, size) != NULL; }

double bench_rate(const bench_record *r)
{
    double work = r->routine->by_bytes ? bench_bytes(r->routine, &r->c) : bench_flops(r->routine, &r->c);
    return work / r->seconds;
}

/* A number, or `absent` for one that was not measured. */
static void number(FILE *f, const char *format, double v, const char *absent)
{
    if (isfinite(v))
        fprintf(f, format, v);
    else
        fputs(absent, f);
}

void bench_table_head(FILE *f, const bench_session *s)
{
    fprintf(f, "%-12s %-31s %-19s %10s %10s %10s", "routine", "params", "size", "seconds", "Gflop/s", s->limit_name);
    for (int i = 0; i < s->rivals; i++)
        fprintf(f, " %11s", s->rival[i]->name);
    if (s->grid)
        fprintf(f, " %9s %9s", "messages", "MB sent");
    fprintf(f, "  %8s %s\n", "residual", "ok");
}

/* Of the last run. */
static void counters(FILE *f, const tsl_counters *n)
{
    fprintf(f, "         %lld tasks; tiles: %lld to devices (%.4g GB), %lld to the host (%.4g GB), %lld between devices (%.4g GB), ",
            (long long)n->tasks, (long long)n->to_device, 1e-9 * (double)n->bytes_to_device, (long long)n->to_host,
            1e-9 * (double)n->bytes_to_host, (long long)n->peer, 1e-9 * (double)n->bytes_peer);
    fprintf(f, "%lld hits, %lld evictions; idle %.3g s\n", (long long)n->hits, (long long)n->evictions, n->idle);
}

/* Of the library and of each rival; per watt of what computes, and how many those are */
static void energy(FILE *f, const bench_session *s, const bench_record *r)
{
    char text[3 * BENCH_LINE];
    double joules = bench_energy_of(s->meter, r->joules[0]);
    bench_energy_text(s->meter, r->joules[0], text, sizeof text);
    fprintf(f, "         energy: %s", text);
    if (isfinite(joules))
        fprintf(f, "; %.4g %s per W at %.0f W", bench_rate(r) * r->seconds / joules / 1e9, r->routine->by_bytes ? "GB/s" : "Gflop/s", joules / r->seconds);
    for (int i = 0; i < s->rivals; i++)
        if (isfinite(bench_energy_of(s->meter, r->joules[1 + i]))) {
            bench_energy_text(s->meter, r->joules[1 + i], text, sizeof text);
            fprintf(f, "; %s: %s (%.2fx)", s->rival[i]->name, text, bench_energy_of(s->meter, r->joules[1 + i]) / joules);
        }
    putc('\n', f);
}

/* Of the library and of each rival */
static void accuracy(FILE *f, const bench_session *s, const bench_record *r)
{
    fprintf(f, "         elements: off by at most %.2g u (|A| |B|)", r->accuracy[0]);
    for (int i = 0; i < s->rivals; i++)
        if (!isnan(r->accuracy[1 + i]))
            fprintf(f, "; %s: %.2g", s->rival[i]->name, r->accuracy[1 + i]);
    putc('\n', f);
}

void bench_table_row(FILE *f, bench_session *s, const bench_record *r)
{
    char params[96], name[16], size[48] = "";
    int at = 0;
    const int64_t sizes[] = {r->c.m, r->c.n, r->c.k};
    bench_params(&r->c, params);
    if (s->products)
        snprintf(params + strlen(params), sizeof params - strlen(params), "%sproducts=%s", *params ? "," : "", s->products);
    snprintf(name, sizeof name, "%c%s", tsl_type_letter(r->c.type), r->routine->name);
    for (int i = 0; i < 3; i++)
        if (has(r->routine, "mnk"[i]))
            at += snprintf(size + at, sizeof size - (size_t)at, "%s%lld", at ? "x" : "", (long long)sizes[i]);
    if (r->c.count)
        snprintf(size + at, sizeof size - (size_t)at, "*%lld", (long long)r->c.count);
    fprintf(f, "%-12s %-31s %-19s ", name, params, size);
    double limit = bench_limit(s, r);
    number(f, "%10.3e", r->seconds, "         -");
    number(f, r->routine->by_bytes ? " %6.1fGB/s" : " %10.2f", bench_rate(r) / 1e9, "          -");
    number(f, " %9.1f%%", limit > 0 ? 100 * bench_rate(r) / limit : NAN, "          -");
    for (int i = 0; i < s->rivals; i++)
        number(f, " %10.2fx", r->rival_seconds[i] / r->seconds, "           -");
    bool ran = isfinite(r->seconds);
    if (s->grid) {
        number(f, " %9.0f", ran ? r->messages : NAN, "         -");
        number(f, " %9.3g", ran ? 1e-6 * r->bytes_sent : NAN, "         -");
    }
    number(f, "  %8.2g", r->residual, ran && s->check ? "   wrong" : "       -");
    fprintf(f, " %s\n", !ran ? "failed" : !s->check ? "-" : r->ok ? "yes" : "NO");
    if (ran && r->moved.tasks)
        counters(f, &r->moved);
    if (ran && !isnan(r->accuracy[0]))
        accuracy(f, s, r);
    if (ran && s->meter)
        energy(f, s, r);
    fflush(f);
}

/* What of the energy is known, and why the rest is not */
static void json_energy(FILE *f, const bench_session *s, const bench_record *r)
{
    const bench_meter *m = s->meter;
    double joules = bench_energy_of(m, r->joules[0]);
    fprintf(f, ", \"energy\": {\"repeated\": %.6g", s->energy_seconds);
    json_number(f, "gpu_joules", r->joules[0][BENCH_GPU]);
    json_number(f, "cpu_joules", r->joules[0][BENCH_CPU]);
    json_number(f, "watts", joules / r->seconds);
    json_number(f, r->routine->by_bytes ? "gbytes_per_watt" : "gflops_per_watt", bench_rate(r) * r->seconds / joules / 1e9);
    json_text(f, "gpu", m->readable[BENCH_GPU] ? "NVML" : m->why[BENCH_GPU]);
    json_text(f, "cpu", m->readable[BENCH_CPU] ? "RAPL" : m->why[BENCH_CPU]);
    fputs("}", f);
}

void bench_json(FILE *f, bench_session *s, const bench_record *r)
{
    char params[64];
    bool ran = isfinite(r->seconds);
    bench_params(&r->c, params);
    fprintf(f, "  {\"routine\": \"%s\", \"type\": \"%c\"", r->routine->name, tsl_type_letter(r->c.type));
    const int64_t sizes[] = {r->c.m, r->c.n, r->c.k};
    for (int i = 0; i < 3; i++) {
        fprintf(f, ", \"%c\": ", "mnk"[i]);
        fprintf(f, has(r->routine, "mnk"[i]) ? "%lld" : "null", (long long)sizes[i]);
    }
    if (r->c.count)
        fprintf(f, ", \"count\": %lld", (long long)r->c.count);
    json_text(f, "params", params);
    json_text(f, "devices", s->devices);
    fprintf(f, ", \"tile\": %lld", (long long)s->tile);
    json_text(f, "variant", s->variant);
    json_text(f, "policy", s->policy);
    if (s->products)
        json_text(f, "products", s->products);
    if (s->grid) {
        fprintf(f, ", \"grid\": \"%dx%d\", \"nb\": %lld", s->grid->rows, s->grid->cols, (long long)s->grid->nb);
        json_text(f, "storage", s->grid->on_device ? "device" : "host");
        json_number(f, "messages_sent", ran ? r->messages : NAN);
        json_number(f, "bytes_sent", ran ? r->bytes_sent : NAN);
    }
    json_number(f, "seconds", r->seconds);
    json_number(f, "gflops", r->routine->by_bytes ? NAN : bench_rate(r) / 1e9);
    json_number(f, "gbytes", bench_bytes(r->routine, &r->c) / r->seconds / 1e9);
    double limit = ran ? bench_limit(s, r) : 0;
    json_number(f, "limit", limit > 0 ? limit / 1e9 : NAN);
    if (s->meter)
        json_energy(f, s, r);
    json_number(f, "residual", r->residual);
    if (!isnan(r->accuracy[0]))
        json_number(f, "accuracy", r->accuracy[0]);
    fprintf(f, ", \"ok\": %s", !r->ok ? "false" : s->check ? "true" : "null");
    json_number(f, "to_device", ran ? (double)r->moved.to_device : NAN);
    json_number(f, "to_host", ran ? (double)r->moved.to_host : NAN);
    json_number(f, "peer", ran ? (double)r->moved.peer : NAN);
    json_number(f, "bytes_to_device", ran ? (double)r->moved.bytes_to_device : NAN);
    json_number(f, "bytes_to_host", ran ? (double)r->moved.bytes_to_host : NAN);
    json_number(f, "bytes_peer", ran ? (double)r->moved.bytes_peer : NAN);
    json_number(f, "tasks", ran ? (double)r->moved.tasks : NAN);
    json_number(f, "hits", ran ? (double)r->moved.hits : NAN);
    json_number(f, "evictions", ran ? (double)r->moved.evictions : NAN);
    json_number(f, "idle", ran ? r->moved.idle : NAN);
    json_text(f, "date", r->date);
    json_text(f, "cpu", s->machine.cpu);
    fprintf(f, ", \"cores\": %d", s->machine.cores);
    if (*s->machine.gpu)
        json_text(f, "gpu", s->machine.gpu);
    else
        fputs(", \"gpu\": null", f);
    json_text(f, "libraries", s->machine.libraries);
    json_text(f, "version", tsl_version());
    json_text(f, "commit", s->machine.commit);
    fputs(", \"vs\": {", f);
    for (int i = 0, any = 0; i < s->rivals; i++) {
        if (!s->rival[i]->offers(r->routine))
            continue;
        fputs(any++ ? ", " : "", f);
        json_string(f, s->rival[i]->name);
        fputs(": {\"seconds\": ", f);
        number(f, "%.6g", r->rival_seconds[i], "null");
        json_number(f, "ratio", r->rival_seconds[i] / r->seconds);
        if (s->meter) {
            json_number(f, "gpu_joules", r->joules[1 + i][BENCH_GPU]);
            json_number(f, "cpu_joules", r->joules[1 + i][BENCH_CPU]);
        }
        if (!isnan(r->accuracy[1 + i]))
            json_number(f, "accuracy", r->accuracy[1 + i]);
        fputs("}", f);
    }
    fputs("}}", f);
}
