/* Sockets between any two processes. Each listens, all learn from the all-gather they bring where the others do, and each
 * connects to those of lower rank. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include "grid/comm/tcp.h"

/* What a process tells the others of itself; name: of it in all grids; key: of this grid, that of the first process */
typedef struct card {
    char host[256];
    uint32_t address;
    uint16_t port;
    int32_t status, size;
    uint64_t name, key;
} card;

typedef struct hello {
    uint64_t key;
    int32_t rank;
} hello;

static uint64_t drawn(void)
{
    uint64_t n = 0;
    if (getrandom(&n, sizeof n, 0) != sizeof n) n = (uint64_t)getpid() << 32 ^ (uint64_t)(1e9 * tsl_now());
    return n;
}

/* The same in every grid this process is in, and in no child of it */
static uint64_t own_name(void)
{
    static uint64_t name;
    static pid_t of;
    if (of != getpid()) of = getpid(), name = drawn();
    return name;
}

/* The first address of this machine that others may reach */
static uint32_t own_address(void)
{
    struct ifaddrs *all = NULL;
    uint32_t found = htonl(INADDR_LOOPBACK);
    if (getifaddrs(&all)) return found;
    for (struct ifaddrs *i = all; i; i = i->ifa_next)
        if (i->ifa_addr && i->ifa_addr->sa_family == AF_INET && i->ifa_flags & IFF_UP && !(i->ifa_flags & IFF_LOOPBACK)) {
            found = ((struct sockaddr_in *)i->ifa_addr)->sin_addr.s_addr;
            break;
        }
    freeifaddrs(all);
    return found;
}

static int listener(int size, uint16_t *port)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_ANY)};
    socklen_t length = sizeof at;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct sockaddr *address = (struct sockaddr *)&at;
    bool good = fd >= 0 && !bind(fd, address, sizeof at) && !listen(fd, size) && !getsockname(fd, address, &length);
    *port = at.sin_port;
    if (good || fd < 0) return fd;
    close(fd);
    return -1;
}

/* Waits for data or a connection, as long as the others are given; false: there is none. */
static bool ready(int fd, short events, tsl_patience *patience)
{
    struct pollfd p = {fd, events, 0};
    int n;
    while ((n = poll(&p, 1, 20)) == 0 || (n < 0 && errno == EINTR))
        if (tsl_patience_ends(patience)) return false;
    return n > 0;
}

static bool use(tsl_tcp *w, int rank, int fd)
{
    int one = 1;
    if (fcntl(fd, F_SETFL, O_NONBLOCK) || setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one)) return false;
    w->peer[rank].fd = fd;
    return true;
}

static bool call(tsl_tcp *w, const card *all, int rank)
{
    const card *to = &all[rank], *own = &all[w->head.rank];
    bool near = !strcmp(to->host, own->host);
    uint32_t address = near ? htonl(INADDR_LOOPBACK) : to->address;
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = to->port, .sin_addr.s_addr = address};
    hello h = {all[0].key, w->head.rank};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool there = fd >= 0 && !connect(fd, (struct sockaddr *)&at, sizeof at);
    if (there && send(fd, &h, sizeof h, MSG_NOSIGNAL) == sizeof h && use(w, rank, fd)) return true;
    if (fd >= 0) close(fd);
    return false;
}

/* One of higher rank; who does not know the key is none. */
static bool answer(tsl_tcp *w, const card *all, int listening, tsl_patience *patience)
{
    hello h = {0, 0};
    if (!ready(listening, POLLIN, patience)) return false;
    int fd = accept4(listening, NULL, NULL, SOCK_CLOEXEC);
    if (fd < 0) return errno == EINTR || errno == ECONNABORTED;
    bool good = ready(fd, POLLIN, patience) && recv(fd, &h, sizeof h, MSG_WAITALL) == sizeof h && h.key == all[0].key;
    good = good && h.rank > w->head.rank && h.rank < w->head.size && w->peer[h.rank].fd < 0 && use(w, h.rank, fd);
    if (!good) close(fd);
    return true;
}

static int missing(const tsl_tcp *w)
{
    int count = -1; /* itself */
    for (int i = 0; i < w->head.size; ++i) count += w->peer[i].fd < 0;
    return count;
}

static tsl_status connect_all(tsl_tcp *w, const card *all, int listening)
{
    enum { UNASKED = 60 }; /* seconds */
    double deadline = tsl_deadline();
    tsl_patience patience = tsl_patience_now(deadline > 0 ? deadline : UNASKED);
    for (int i = 0; i < w->head.rank; ++i)
        if (!call(w, all, i)) return tsl_fail(NULL, TSL_ERR_MPI, "grid: process %d on %s cannot be reached", i, all[i].host);
    while (missing(w))
        if (!answer(w, all, listening, &patience))
            return tsl_fail(NULL, TSL_ERR_LATE, "grid: %d processes have not connected", missing(w));
    return TSL_OK;
}

void tsl_tcp_free(tsl_tcp *w)
{
    for (int i = 0; i < w->head.size && w->peer; ++i) {
        tsl_peer *p = &w->peer[i];
        tsl_parcels *const lists[] = {&p->out, &p->asked, &p->wanted, &p->come, &p->placed};
        if (p->fd >= 0) shutdown(p->fd, SHUT_WR), close(p->fd);
        for (int l = 0; l < 5; ++l)
            for (tsl_parcel *k; (k = lists[l]->first);) {
                lists[l]->first = k->next;
                if (k->kept) free(k->data);
                free(k);
            }
        if (p->in && p->in->kept) free(p->in->data);
        free(p->in);
    }
    for (int tag = 0; tag <= TSL_TAG_NEWS; ++tag) free(w->said[tag]), free(w->spoke[tag]);
    free(w->peer), free(w->name), free(w);
}

static tsl_tcp *make(int rank, int size)
{
    tsl_tcp *w = calloc(1, sizeof *w);
    if (!w) return NULL;
    w->head = (tsl_wire){.ops = &tsl_tcp_ops, .rank = rank, .size = size, .left = -1, .most = tsl_wire_most(PTRDIFF_MAX)};
    w->peer = calloc((size_t)size, sizeof *w->peer);
    w->name = calloc((size_t)size, sizeof *w->name);
    bool good = w->peer && w->name;
    for (int i = 0; i < size && w->peer; ++i) w->peer[i].fd = -1;
    for (int tag = 0; tag <= TSL_TAG_NEWS; ++tag) {
        w->said[tag] = calloc((size_t)size, sizeof(int));
        w->spoke[tag] = calloc((size_t)size, sizeof(bool));
        good = good && w->said[tag] && w->spoke[tag];
    }
    if (good) return w;
    tsl_tcp_free(w);
    return NULL;
}

/* What all processes are told before they connect, or why they do not */
static tsl_status judge(const card *all, int rank, int size)
{
    for (int i = 0; i < size; ++i) {
        tsl_status st = (tsl_status)all[i].status;
        if (all[i].size != size)
            return tsl_fail(NULL, TSL_ERR_GRID, "grid: %d processes here, %d on process %d", size, (int)all[i].size, i);
        if (st) return i == rank ? st : tsl_fail(NULL, st, "grid: process %d: %s", i, tsl_status_text(st));
    }
    return TSL_OK;
}

tsl_status tsl_grid_create_tcp(int rank, int size, tsl_all_gatherer gather, void *user, int rows, int cols, tsl_grid **grid)
{
    if (grid) *grid = NULL;
    if (!gather) return tsl_fail(NULL, TSL_ERR_NULL, "grid: no all-gather");
    if (size < 1 || rank < 0 || rank >= size) return tsl_fail(NULL, TSL_ERR_GRID, "grid: process %d of %d", rank, size);
    card own = {.address = own_address(), .size = size, .name = own_name(), .key = drawn()};
    gethostname(own.host, sizeof own.host - 1);
    card *all = calloc((size_t)size, sizeof *all);
    if (!all) return tsl_fail(NULL, TSL_ERR_MEMORY, "grid: no host memory"); /* alone: the others wait for it */
    tsl_tcp *w = make(rank, size);
    int listening = w ? listener(size, &own.port) : -1;
    if (!w) own.status = tsl_fail(NULL, TSL_ERR_MEMORY, "grid: no host memory");
    else if (listening < 0) own.status = tsl_fail(NULL, TSL_ERR_MPI, "grid: no socket to listen on: %s", strerror(errno));
    bool bad = gather(user, &own, all, sizeof own);
    tsl_status st = bad ? tsl_fail(NULL, TSL_ERR_MPI, "grid: the all-gather failed") : judge(all, rank, size);
    for (int i = 0; i < size && !st; ++i) w->name[i] = all[i].name;
    if (!st) st = connect_all(w, all, listening);
    if (listening >= 0) close(listening);
    free(all);
    if (!st) return tsl_grid_over(&w->head, TSL_OK, rows, cols, grid);
    if (w) tsl_tcp_free(w);
    return st;
}
