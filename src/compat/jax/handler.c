/* The two handlers that XLA calls, on the host and on GPUs: tesela_jax_host and tesela_jax_cuda. The attribute "call" names a
 * routine (calls.inc), "letters" are its flags, "tolerance" is its number. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include <xla/ffi/api/c_api.h>

#include "compat/jax/jax.h"

enum { DEVICES = 64, HOST = DEVICES, LETTERS = 4, TEXT = 512 };

typedef struct place {
    pthread_mutex_t lock; /* calls on one context take turns; follow, the call and precede belong together */
    tsl_context *x;
} place;

static place places[DEVICES + 1];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void begin(void)
{
    for (int i = 0; i <= DEVICES; ++i) pthread_mutex_init(&places[i].lock, NULL);
}

/* A context of our own, with a queue of its own: XLA's stream may end before the process does. */
static tsl_status ready(place *p, int device)
{
    char name[32] = "host";
    if (device != HOST) snprintf(name, sizeof name, "cuda:%d", device);
    tsl_config config = tsl_config_default();
    config.devices = name;
    return p->x ? TSL_OK : tsl_context_create(&config, &p->x);
}

static XLA_FFI_Error *fail(const XLA_FFI_CallFrame *f, XLA_FFI_Error_Code code, const char *text)
{
    XLA_FFI_Error_Create_Args args = {.struct_size = XLA_FFI_Error_Create_Args_STRUCT_SIZE, .message = text, .errc = code};
    return f->api->XLA_FFI_Error_Create(&args);
}

static XLA_FFI_Error *outcome(const XLA_FFI_CallFrame *f, tsl_context *x, tsl_status st)
{
    char text[TEXT];
    bool memory = st == TSL_ERR_MEMORY || st == TSL_ERR_DEVICE_MEMORY;
    if (!st) return NULL;
    snprintf(text, sizeof text, "tesela: %s: %s", tsl_status_name(st), tsl_error(x)[0] ? tsl_error(x) : tsl_status_text(st));
    return fail(f, memory ? XLA_FFI_Error_Code_RESOURCE_EXHAUSTED : XLA_FFI_Error_Code_INTERNAL, text);
}

/* What XLA asks before it calls: the version of the interface this is built with */
static bool tells_version(const XLA_FFI_CallFrame *f)
{
    const XLA_FFI_Metadata_Extension *asked = (const void *)f->extension_start;
    if (!asked || f->extension_start->type != XLA_FFI_Extension_Metadata) return false;
    asked->metadata->api_version.major_version = XLA_FFI_API_MAJOR;
    asked->metadata->api_version.minor_version = XLA_FFI_API_MINOR;
    return true;
}

static void *attribute(const XLA_FFI_CallFrame *f, const char *name, XLA_FFI_AttrType type)
{
    for (int64_t i = 0; i < f->attrs.size; ++i) {
        const XLA_FFI_ByteSpan *own = f->attrs.names[i];
        bool same = own->len == strlen(name) && memcmp(own->ptr, name, own->len) == 0;
        if (same && f->attrs.types[i] == type) return f->attrs.attrs[i];
    }
    return NULL;
}

static int type_of(int dtype)
{
    switch (dtype) {
    case XLA_FFI_DataType_F32: return TSL_S;
    case XLA_FFI_DataType_F64: return TSL_D;
    case XLA_FFI_DataType_C64: return TSL_C;
    case XLA_FFI_DataType_C128: return TSL_Z;
    default: return -1;
    }
}

static jax_array array(const void *buffer)
{
    const XLA_FFI_Buffer *b = buffer;
    return (jax_array){.data = b->data, .rank = b->rank, .dims = b->dims, .type = b->dtype};
}

static bool is_empty(const jax_array *a)
{
    for (int64_t i = 0; i < a->rank; ++i)
        if (a->dims[i] == 0) return true;
    return false;
}

/* NULL: what has been asked for is no call of ours; why, says `wrong`. */
static const jax_routine *read_call(const XLA_FFI_CallFrame *f, jax_call *c, char letters[LETTERS], char wrong[TEXT])
{
    const XLA_FFI_ByteSpan *name = attribute(f, "call", XLA_FFI_AttrType_STRING), none = {.ptr = "", .len = 0};
    const XLA_FFI_ByteSpan *given = attribute(f, "letters", XLA_FFI_AttrType_STRING);
    const XLA_FFI_Scalar *tolerance = attribute(f, "tolerance", XLA_FFI_AttrType_SCALAR);
    int64_t args = f->args.size, rets = f->rets.size;
    name = name ? name : &none, given = given ? given : &none;
    int type = args ? type_of(array(f->args.args[0]).type) : -1;
    if (type < 0) return snprintf(wrong, TEXT, "tesela: the first array has no elements of a type of ours"), NULL;
    const jax_routine *r = jax_find((tsl_type)type, name->ptr, name->len);
    if (!r) return snprintf(wrong, TEXT, "tesela: no such call: %.*s", (int)name->len, name->ptr), NULL;
    bool letters_fit = given->len >= (size_t)r->letters && given->len < LETTERS;
    if (args != r->args || rets < r->rets || rets > JAX_ARRAYS || !letters_fit)
        return snprintf(wrong, TEXT, "tesela: %s has not %lld arrays, %lld results and %lld letters", r->name, (long long)args,
                        (long long)rets, (long long)given->len), NULL;
    if (given->len) memcpy(letters, given->ptr, given->len);
    *c = (jax_call){.letters = letters, .args = (int)args, .rets = (int)rets, .tolerance = -1};
    if (tolerance && tolerance->dtype == XLA_FFI_DataType_F64) c->tolerance = *(const double *)tolerance->value;
    for (int64_t i = 0; i < args; ++i) c->arg[i] = array(f->args.args[i]);
    for (int64_t i = 0; i < rets; ++i) c->ret[i] = array(f->rets.rets[i]);
    if (c->arg[0].rank < 2 || c->ret[0].rank < 2) return snprintf(wrong, TEXT, "tesela: %s: no matrices", r->name), NULL;
    if (c->arg[r->place].data == c->ret[0].data) return r;
    return snprintf(wrong, TEXT, "tesela: %s computes in place, and the first result is elsewhere", r->name), NULL;
}

/* On XLA's stream the work has its place between what is there and what comes. */
static tsl_status compute(const jax_call *c, const jax_routine *r, bool on_gpu, void *stream)
{
    tsl_status st = on_gpu ? tsl_follow(c->x, stream) : TSL_OK;
    if (st) return st;
    st = r->work(c);
    tsl_status after = on_gpu ? tsl_precede(c->x, stream) : tsl_wait(c->x);
    return st ? st : after;
}

static XLA_FFI_Error *handle(XLA_FFI_CallFrame *f, bool on_gpu)
{
    if (tells_version(f) || f->stage != XLA_FFI_ExecutionStage_EXECUTE) return NULL;
    char letters[LETTERS] = "", wrong[TEXT];
    jax_call c;
    const jax_routine *r = read_call(f, &c, letters, wrong);
    if (!r) return fail(f, XLA_FFI_Error_Code_INVALID_ARGUMENT, wrong);
    if (is_empty(&c.ret[0])) return NULL;
    XLA_FFI_Stream_Get_Args stream = {.struct_size = XLA_FFI_Stream_Get_Args_STRUCT_SIZE, .ctx = f->ctx};
    XLA_FFI_DeviceOrdinal_Get_Args device = {.struct_size = XLA_FFI_DeviceOrdinal_Get_Args_STRUCT_SIZE, .ctx = f->ctx};
    device.device_ordinal = HOST;
    XLA_FFI_Error *error = NULL;
    if (on_gpu) error = f->api->XLA_FFI_Stream_Get(&stream);
    if (on_gpu && !error) error = f->api->XLA_FFI_DeviceOrdinal_Get(&device);
    if (error) return error;
    if (device.device_ordinal < 0 || device.device_ordinal > DEVICES)
        return fail(f, XLA_FFI_Error_Code_INTERNAL, "tesela: too many devices");
    pthread_once(&once, begin);
    place *p = &places[device.device_ordinal];
    pthread_mutex_lock(&p->lock);
    tsl_status st = ready(p, device.device_ordinal);
    c.x = p->x;
    if (!st) st = compute(&c, r, on_gpu, stream.stream);
    error = outcome(f, p->x, st);
    pthread_mutex_unlock(&p->lock);
    return error;
}

TSL_API XLA_FFI_Error *tesela_jax_host(XLA_FFI_CallFrame *f);
XLA_FFI_Error *tesela_jax_host(XLA_FFI_CallFrame *f) { return handle(f, false); }

TSL_API XLA_FFI_Error *tesela_jax_cuda(XLA_FFI_CallFrame *f);
XLA_FFI_Error *tesela_jax_cuda(XLA_FFI_CallFrame *f) { return handle(f, true); }
