// The events of events.c under SimGrid, whose messages are flows that share links fairly. A process has a link out and one
// in to its node, and others to the rest. Messages of many pieces are sent a few at a time, and passed on by an actor beside
// the process that has them. Messages of a process leave one after the other, as on a stream of NCCL and on the clock; or,
// fair, all at once. Usage: replay PART [fair] < EVENTS: prints both times; fails where they differ by more than that part.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <simgrid/s4u.hpp>
#include <string>
#include <vector>

namespace sg = simgrid::s4u;

enum { WORK, SEND, PASS, WAIT };
struct event { int kind, peer, times, in_turn; unsigned long long key, of; double amount; };
struct passing { sg::SemaphorePtr here; std::vector<const event *> to; const event *sent; int waits; };

static int processes, node;
static double late, near_late;
static bool fair;
static std::vector<std::vector<event>> events;
static std::map<unsigned long long, std::map<int, passing>> passings; // by message, then by who passes it on
static std::map<unsigned long long, std::pair<int, const event *>> sent;  // by whom, and as what

static std::map<std::pair<int, bool>, sg::MutexPtr> line; // of a process to its node, and to others

static sg::Mailbox *box(unsigned long long key) { return sg::Mailbox::by_name(std::to_string(key)); }
static bool near(int a, int b) { return a / node == b / node; }
static double latency(int a, int b) { return near(a, b) ? near_late : late; }
static int pieces_of(const event *e) { return e->in_turn ? 1 : e->times; }

// At most four pieces at once, from the first one on that is here
static void send_pieces(const event *e, sg::SemaphorePtr ready)
{
    int pieces = pieces_of(e), me = sent[e->key].first;
    std::vector<sg::CommPtr> out;
    if (ready) ready->acquire(), ready->release();
    if (!fair) line[{me, near(me, e->peer)}]->lock();
    for (int i = 0; i < pieces; i++) {
        if (ready) ready->acquire();
        if (out.size() == 4) out[0]->wait(), out.erase(out.begin());
        out.push_back(box(e->key)->put_async(new int(i), (uint64_t)(e->amount / pieces)));
    }
    for (auto &c : out) c->wait();
    if (!fair) line[{me, near(me, e->peer)}]->unlock();
}

static void receive(const event *e, int me)
{
    for (int i = 0; i < pieces_of(e); i++) delete box(e->key)->get<int>();
    if (e->in_turn) sg::this_actor::sleep_for((e->times - 1) * latency(sent[e->key].first, me));
}

// Takes in a message that this process passes on, and gives each piece to those who send it
static void pass(passing *p)
{
    std::vector<sg::SemaphorePtr> ready;
    for (const event *e : p->to) {
        ready.push_back(sg::Semaphore::create(0));
        sg::Actor::create("pass", sg::this_actor::get_host(), send_pieces, e, ready.back());
    }
    for (int i = 0; i < pieces_of(p->sent); i++) {
        delete box(p->sent->key)->get<int>();
        for (auto &r : ready) r->release();
    }
    for (int i = 0; i < p->waits; i++) p->here->release();
}

static void process(int me)
{
    for (const event &e : events[me])
        if (e.kind == WORK) sg::this_actor::sleep_for(e.amount);
        else if (e.kind == SEND) sg::Actor::create("send", sg::this_actor::get_host(), send_pieces, &e, sg::SemaphorePtr());
        else if (e.kind == WAIT) {
            auto p = passings.find(e.of);
            if (p != passings.end() && p->second.count(me)) p->second[me].here->acquire();
            else receive(sent[e.of].second, me);
        }
}

int main(int argc, char **argv)
{
    sg::Engine engine(&argc, argv);
    double byte, near_byte, clock_says, part = argc > 1 ? atof(argv[1]) : 0;
    fair = argc > 2 && !strcmp(argv[2], "fair");
    for (const char *s : {"network/TCP-gamma:0", "network/crosstraffic:0", "network/weight-S:0", "network/bandwidth-factor:1",
                          "network/latency-factor:1"})
        sg::Engine::set_config(s);
    if (scanf("%d %d %lf %lf %lf %lf %lf", &processes, &node, &late, &byte, &near_late, &near_byte, &clock_says) != 7) return 2;
    events.resize(processes);
    int rank;
    event e;
    while (scanf("%d %d %d %d %d %llu %llu %lf", &rank, &e.kind, &e.peer, &e.times, &e.in_turn, &e.key, &e.of, &e.amount) == 8)
        events[rank].push_back(e);
    auto *zone = sg::create_full_zone("all");
    std::vector<sg::Host *> host;
    std::vector<std::array<std::array<sg::Link *, 2>, 2>> link(processes); // near, in
    for (int i = 0; i < processes; i++) {
        host.push_back(zone->create_host("p" + std::to_string(i), 1e12));
        for (int k = 0; k < 2; k++) {
            line[{i, k}] = sg::Mutex::create();
            for (int in = 0; in < 2; in++) {
                std::string name = "l" + std::to_string(i) + (k ? "near" : "far") + (in ? "in" : "out");
                link[i][k][in] = zone->create_link(name, 1 / (k ? near_byte : byte))
                                     ->set_latency((k ? near_late : late) / 2)
                                     ->seal();
            }
        }
    }
    for (int i = 0; i < processes; i++)
        for (int j = 0; j < processes; j++)
            if (i != j) {
                zone->add_route(host[i]->get_netpoint(), host[j]->get_netpoint(), nullptr, nullptr,
                                {sg::LinkInRoute(link[i][near(i, j)][0]), sg::LinkInRoute(link[j][near(i, j)][1])}, false);
            }
    zone->seal();
    for (int i = 0; i < processes; i++)
        for (const event &k : events[i])
            if (k.kind == SEND || k.kind == PASS) sent[k.key] = {i, &k};
    for (int i = 0; i < processes; i++)
        for (const event &k : events[i])
            if (k.kind == PASS) {
                passing &p = passings[k.of][i];
                p.here = sg::Semaphore::create(0), p.sent = sent[k.of].second;
                p.to.push_back(&k);
            }
    for (int i = 0; i < processes; i++) {
        auto actor = sg::Actor::create("process", host[i], process, i);
        for (const event &k : events[i])
            if (k.kind == WAIT && passings[k.of].count(i)) passings[k.of][i].waits++;
            else if (k.kind == WAIT) box(k.of)->set_receiver(actor);
        for (auto &m : passings)
            if (m.second.count(i)) box(m.first)->set_receiver(sg::Actor::create("pass on", host[i], pass, &m.second[i]));
    }
    engine.run();
    double says = sg::Engine::get_clock();
    printf("clock %.6g s, SimGrid %.6g s, ratio %.4f\n", clock_says, says, clock_says / says);
    return !(clock_says > (1 - part) * says && clock_says < (1 + part) * says);
}
