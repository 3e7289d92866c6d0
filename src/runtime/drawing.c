/* The task graph as Graphviz text, in the file that option `graph` names. Whenever tasks have been waited for the file is
 * whole: its last line is then written over. */
#include <errno.h>
#include <string.h>

#include "runtime/runtime.h"

static const char CLOSING[] = "}\n";

static tsl_status refused(tsl_context *x, int why)
{
    tsl_status st = tsl_fail(x, TSL_ERR_FILE, "the graph %s cannot be written: %s", x->graph, strerror(why));
    tsl_log(TSL_LOG_ERROR, "%s", x->detail);
    x->graph[0] = 0;
    return st;
}

tsl_status tsl_drawing_open(tsl_runtime *rt)
{
    tsl_context *x = rt->x;
    if (rt->graph || !x->graph[0]) return TSL_OK;
    rt->graph = fopen(x->graph, "w");
    if (!rt->graph) return refused(x, errno);
    fputs("digraph tasks {\n", rt->graph);
    return TSL_OK;
}

void tsl_drawing_task(tsl_runtime *rt, const tsl_task *t)
{
    const tsl_view *v = &t->call.v[tsl_output(t->call.op)];
    fprintf(rt->graph, "  t%llu [label=\"%s %lld,%lld\"];\n", (unsigned long long)t->id, tsl_ops[t->call.op].name,
            (long long)(v->i / v->mat->tiles->mb), (long long)(v->j / v->mat->tiles->nb));
}

void tsl_drawing_edge(tsl_runtime *rt, tsl_task_ref from, const tsl_task *to)
{
    fprintf(rt->graph, "  t%llu -> t%llu;\n", (unsigned long long)from.id, (unsigned long long)to->id);
}

tsl_status tsl_drawing_flush(tsl_runtime *rt)
{
    FILE *f = rt->graph;
    if (!f || ftell(f) < 0) return TSL_OK; /* nothing can be taken back from a pipe: its last line comes when it is closed */
    fputs(CLOSING, f);
    if (!fflush(f) && !ferror(f) && !fseek(f, -(long)(sizeof CLOSING - 1), SEEK_CUR)) return TSL_OK;
    int why = errno;
    rt->graph = NULL;
    fclose(f);
    return refused(rt->x, why);
}

tsl_status tsl_drawing_close(tsl_runtime *rt)
{
    FILE *f = rt->graph;
    if (!f) return TSL_OK;
    rt->graph = NULL;
    bool whole = fputs(CLOSING, f) >= 0 && !ferror(f);
    return fclose(f) || !whole ? refused(rt->x, errno) : TSL_OK;
}
