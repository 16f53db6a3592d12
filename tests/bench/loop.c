/* The event loop of engine/kernel.py in C, for comparison: the same record arrays, packets, accounting and core switch.
 *
 * engine/bench.py makes "program.h" from the record types of engine/program.py (structs Run, Node, Wire, Packet, Port,
 * Pick, Pair, Event, Launch, Array; constants K_… for kinds and for sizes), compiles this with cc -O2 as a shared
 * library, and gives advance() the very arrays that the compiled engine takes. Cores that choose among their wires or
 * keep state of their own are left out: advance() returns UNKNOWN for them. Faults stop the run without details.
 */
#include <stdint.h>
#include "program.h"

#define NEVER ((int64_t)1 << 62)
#define RING (LOOKAHEAD - 1)
#define DATA (DATA_RING - 1)
enum { ANY = 1, MASKED = 2, VALUE_MASKED = 4 };
enum { UNTIL, WINDOW, EXTENSION, FAULT, IDLE, NEED_DATA, NEED_SPACE, TICK, UNKNOWN };

typedef struct {
    Run *run; Node *nodes; Wire *wires; Packet *packets; int32_t *words, *ids; Port *ports; Pick *picks; Pair *counts;
    int64_t *by_port; Event *events; int32_t *heads; uint64_t *bits; Launch *launches; Array *arrays;
    int32_t *data, *stored, *stored_tag, *pool, *tokens; int64_t *completions;
} Machine;

static inline int64_t max64(int64_t a, int64_t b) { return a > b ? a : b; }
static inline int64_t min64(int64_t a, int64_t b) { return a < b ? a : b; }

static void link_event(Machine *m, int32_t e, int64_t t) {
    int64_t base = m->run->base, epoch = t >> EPOCH, slot;
    if (epoch == base) slot = t & (SLOTS - 1);
    else if (epoch - base < SLOTS) slot = SLOTS + (epoch & (SLOTS - 1));
    else slot = 2 * SLOTS;
    int32_t head = m->heads[slot];
    Event *event = &m->events[e];
    event->due = t;
    event->next = head;
    event->prev = (int32_t)(-1 - slot);
    if (head >= 0) m->events[head].prev = e;
    m->heads[slot] = e;
    if (slot < 2 * SLOTS) m->bits[slot >> 6] |= 1ull << (slot & 63);
}

static inline void schedule(Machine *m, int32_t e, int64_t t) {
    Event *event = &m->events[e];
    if (event->due <= t) return;
    if (event->due != NEVER) {
        int32_t after = event->next, before = event->prev;
        if (after >= 0) m->events[after].prev = before;
        if (before >= 0) m->events[before].next = after;
        else {
            int32_t slot = -1 - before;
            m->heads[slot] = after;
            if (after < 0 && slot < 2 * SLOTS) m->bits[slot >> 6] &= ~(1ull << (slot & 63));
        }
    }
    link_event(m, e, t);
}

static int turn_wheel(Machine *m) {
    Run *s = m->run;
    int64_t place = (s->base + 1) & (SLOTS - 1), w = place >> 6, slot;
    uint64_t mask = ~0ull << (place & 63);
    int found = 0;
    for (int i = 0; i <= SLOTS / 64; i++) {
        uint64_t seen = m->bits[SLOTS / 64 + w] & mask;
        if (seen) {
            slot = w << 6 | __builtin_ctzll(seen);
            s->base += (slot - s->base) & (SLOTS - 1);
            found = 1;
            break;
        }
        mask = ~0ull;
        w = (w + 1) & (SLOTS / 64 - 1);
    }
    if (!found) {
        int32_t e = m->heads[2 * SLOTS];
        if (e < 0) return 0;
        int64_t base = NEVER;
        for (; e >= 0; e = m->events[e].next) base = min64(base, m->events[e].due >> EPOCH);
        s->base = base;
    }
    slot = SLOTS + (s->base & (SLOTS - 1));
    int32_t e = m->heads[slot], after;
    m->heads[slot] = -1;
    m->bits[slot >> 6] &= ~(1ull << (slot & 63));
    for (; e >= 0; e = after) { after = m->events[e].next; link_event(m, e, m->events[e].due); }
    e = m->heads[2 * SLOTS];
    m->heads[2 * SLOTS] = -1;
    for (; e >= 0; e = after) { after = m->events[e].next; link_event(m, e, m->events[e].due); }
    return 1;
}

static inline int64_t next_due(Machine *m) {
    for (;;) {
        int64_t base = m->run->base, start = m->run->now + 1, w = (start & (SLOTS - 1)) >> 6;
        if (start >> EPOCH > base) w = SLOTS / 64;
        else if (start >> EPOCH < base) w = 0;
        for (; w < SLOTS / 64; w++)
            if (m->bits[w]) return base << EPOCH | w << 6 | __builtin_ctzll(m->bits[w]);
        if (!turn_wheel(m)) return NEVER;
    }
}

static inline int segment(const Run *s, int32_t launch) {
    return (launch >= s->first) + (launch > s->last) + (launch > s->ext);
}

static inline void account(Machine *m, Node *node, int64_t t) {
    int64_t mark = node->mark;
    if (t > mark) {
        int64_t end = t;
        if (node->length > 0) {
            int64_t ready = m->packets[node->queue + node->head].time;
            if (ready < t) {
                ready = max64(ready, mark);
                node->blocked += t - ready;
                end = ready;
            }
        }
        int64_t idle = node->last + node->interval;
        if (idle > mark) node->busy += min64(idle, end) - mark;
        node->mark = t;
    }
}

static inline int32_t word(Machine *m, int64_t port, int64_t k) {
    Pick *pick = &m->picks[m->ports[port].pick + k];
    if (pick->position < 0) return pick->value;
    Wire *wire = &m->wires[m->ports[port].chosen];
    return m->words[(int64_t)(wire->ring + wire->head) * m->run->stride + pick->position];
}

static inline void enter(Machine *m, int32_t w, int64_t p, int64_t t) {
    Run *s = m->run;
    Wire *wire = &m->wires[w];
    Packet *pk = &m->packets[p];
    int64_t stride = s->stride, place = wire->head + wire->held;
    if (place > wire->length) place -= wire->length + 1;
    int64_t q = wire->ring + place;
    Packet *copy = &m->packets[q];
    int masked = pk->flags & wire->mask_bit;
    copy->time = t;
    copy->launch = pk->launch;
    copy->block = pk->block;
    copy->thread = pk->thread;
    copy->barriers = pk->barriers;
    copy->flags = (pk->flags & ANY) | (masked ? MASKED : 0);
    int64_t toggled = 0;
    for (int i = 0; i < wire->width; i++) {
        int32_t value = m->words[p * stride + m->ids[wire->words + i]];
        m->words[q * stride + i] = value;
        if (!masked) {
            toggled += __builtin_popcount((uint32_t)(value ^ m->words[wire->bits + i]));
            m->words[wire->bits + i] = value;
        }
    }
    Pair *count = &m->counts[4 * (s->nodes + w) + segment(s, pk->launch)];
    count->a += 1;
    count->b += toggled;
    wire->entries += 1;
    wire->last_entry = t;
    wire->held += 1;
    s->last_active = t;
    if (!(pk->flags & ANY)) m->launches[pk->launch & RING].packets += 1;
    if (wire->held == 1) {
        int64_t ready = max64(t + wire->transit, wire->last_exit + wire->every);
        wire->head_ready = ready;
        int32_t n = wire->target;
        Node *node = &m->nodes[n];
        node->missing -= 1;
        node->ready_at = max64(node->ready_at, ready);
        if (node->missing == 0) {
            if (node->always && node->length >= node->room) node->waiting = 1;
            else schedule(m, s->nodes + n, node->ready_at);
        }
    }
}

static inline void pop(Machine *m, Wire *wire, int64_t t) {
    Packet *pk = &m->packets[wire->ring + wire->head];
    if (!(pk->flags & ANY)) m->launches[pk->launch & RING].packets -= 1;
    wire->waits += t - wire->head_ready;
    wire->last_exit = t;
    int32_t head = wire->head + 1;
    if (head > wire->length) head = 0;
    wire->head = head;
    wire->held -= 1;
    if (wire->held > 0) wire->head_ready = max64(m->packets[wire->ring + head].time + wire->transit, t + wire->every);
    if (wire->blocked) {
        wire->blocked = 0;
        schedule(m, wire->source, t + wire->every);
    }
}

static inline void make(Machine *m, int32_t n, int64_t t) {
    Run *s = m->run;
    Node *node = &m->nodes[n];
    int32_t launch = node->launch;
    Launch *record = &m->launches[launch & RING];
    if (launch >= s->issued) {
        s->issued = launch + 1;
        record->packets = 0;
        record->words_left = s->output_words;
        record->sources_left = s->sources;
        record->dropper = -1;
        record->done = -1;
        record->issued = t;
        for (int i = 0; i < s->arrays; i++) m->pool[s->pool_access + (launch & RING) * s->arrays + i] = 0;
    }
    account(m, node, t);
    int64_t p = node->queue;
    Packet *pk = &m->packets[p];
    pk->time = t;
    pk->launch = launch;
    pk->barriers = 0;
    pk->flags = 0;
    pk->port = -1;
    if (node->kind == K_THREADS) {
        int64_t width = node->width, at = (int64_t)node->made * (width + 2);
        for (int64_t i = 0; i < width; i++) m->words[p * s->stride + i] = m->tokens[at + i];
        pk->block = m->tokens[at + width];
        pk->thread = m->tokens[at + width + 1];
    } else {
        Array *array = &m->arrays[node->a];
        m->words[p * s->stride] = m->data[(int64_t)array->data * DATA_RING + (int64_t)(launch & DATA) * array->words + node->made];
        pk->block = -1;
        pk->thread = -1;
    }
    record->packets += 1;
    node->made += 1;
    if (node->made == node->b) {
        node->made = 0;
        node->launch = launch + 1;
        record->sources_left -= 1;
        s->check_gone = 1;
    }
    node->burst += 1;
    node->head = 0;
    node->length = 1;
    node->last = t;
    node->firings += 1;
    s->events += 1;
    s->last_active = t;
    Pair *count = &m->counts[4 * n + segment(s, launch)];
    count->a += 1;
    count->b += 1;
}

static inline void hand_out(Machine *m, int32_t n, int64_t t) {
    Run *s = m->run;
    Node *node = &m->nodes[n];
    int source = node->kind >= K_THREADS;
    for (;;) {
        if (node->length == 0) {
            if (!source) break;
            if (node->make_at > t) { schedule(m, n, node->make_at); break; }
            if (node->made == 0 && node->launch >= s->oldest + LOOKAHEAD) {
                node->waiting = 1;
                s->waiting_sources += 1;
                break;
            }
            make(m, n, t);
        }
        int64_t p = node->queue + node->head;
        Packet *pk = &m->packets[p];
        if (pk->time > t) { schedule(m, n, pk->time); break; }
        int32_t start = node->out_start, count = node->out_n;
        if (pk->port >= 0) {
            start = m->ids[node->out_ports + 2 * pk->port];
            count = m->ids[node->out_ports + 2 * pk->port + 1];
        }
        if (node->left == 0) node->left = count;
        int64_t again = NEVER;
        for (int32_t i = 0; i < count; i++) {
            int32_t w = m->ids[start + i];
            Wire *wire = &m->wires[w];
            if (wire->taken == 0 && wire->every > 0) {
                if (wire->held <= wire->length) {
                    int64_t at = wire->last_entry + wire->every;
                    if (wire->held == wire->length) at = max64(at, wire->last_exit + wire->every);
                    if (at <= t) {
                        enter(m, w, p, t);
                        wire->taken = 1;
                        node->left -= 1;
                    } else again = min64(again, at);
                } else wire->blocked = 1;
            }
        }
        if (node->left > 0) {
            if (again < NEVER) schedule(m, n, again);
            break;
        }
        for (int32_t i = 0; i < count; i++) m->wires[m->ids[start + i]].taken = 0;
        account(m, node, t);
        if (!(pk->flags & ANY)) m->launches[pk->launch & RING].packets -= 1;
        node->head += 1;
        if (node->head == node->room) node->head = 0;
        node->length -= 1;
        if (source) {
            node->make_at = max64(node->last + node->interval, t);
            if (node->burst == node->d) {
                node->make_at = t + node->interval + node->rest;
                node->burst = 0;
            }
        } else if (node->waiting) {
            node->waiting = 0;
            if (node->ready_at > t) schedule(m, s->nodes + n, node->ready_at);
            else m->bits[FIRE_BITS + (n >> 6)] |= 1ull << (n & 63);
        }
    }
}

static inline int related(int relation, int64_t a, int64_t b) {
    switch (relation) {
        case 0: return a < b;
        case 1: return a <= b;
        case 2: return a == b;
        case 3: return a != b;
        case 4: return a >= b;
        default: return a > b;
    }
}

static inline int64_t floor_div(int64_t a, int64_t b) { int64_t q = a / b; return q - ((a % b != 0) & ((a < 0) != (b < 0))); }

/* The low 32 bits are the result; bit 32 is set at a fault. */
static inline uint64_t integer(int kind, int64_t a, int64_t b, int64_t c, int relation) {
    int64_t r;
    switch (kind) {
        case K_ADD: r = a + b; break;
        case K_SUB: r = a - b; break;
        case K_MUL: case K_MUL_SERIAL: r = a * b; break;
        case K_MAC: r = a * b + c; break;
        case K_DIV: if (b == 0) return 1ull << 32; r = floor_div(a, b); break;
        case K_MOD: if (b == 0) return 1ull << 32; r = a - b * floor_div(a, b); break;
        case K_MIN: r = a <= b ? a : b; break;
        case K_MAX: r = a >= b ? a : b; break;
        case K_ABS: r = a >= 0 ? a : -a; break;
        case K_NEG: r = -a; break;
        case K_AND: r = a & b; break;
        case K_OR: r = a | b; break;
        case K_XOR: r = a ^ b; break;
        case K_SHL: r = (int64_t)((uint64_t)a << (b & 31)); break;
        case K_SHR: r = a >> (b & 31); break;
        case K_SELECT: r = a ? b : c; break;
        default: r = related(relation, a, b);
    }
    return (uint64_t)r & 0xFFFFFFFFu;
}

static inline int32_t joined(int32_t one, int32_t other) {
    if (other == -1 || one == -2) return one;
    if (one == -1 || one == other) return other;
    return -2;
}

static inline void copy_words(Machine *m, int64_t port, int64_t to) {
    for (int64_t k = 0; k < m->ports[port].width; k++) m->words[to + k] = word(m, port, k);
}

static inline int64_t flat_index(Machine *m, const Array *array, int64_t port) {
    const int32_t sizes[4] = {array->d0, array->d1, array->d2, array->d3};
    int64_t index = 0;
    for (int k = 0; k < array->rank; k++) {
        int32_t i = word(m, port, k);
        if (i < 0 || i >= sizes[k]) return -1;
        index = index * sizes[k] + i;
    }
    return index;
}

static inline void echo_words(Machine *m, int64_t port, int64_t to, int count, int clear) {
    if (m->ports[port].given == 1) {
        Wire *wire = &m->wires[m->ports[port].chosen];
        int64_t p = (int64_t)(wire->ring + wire->head) * m->run->stride;
        for (int k = 0; k < count; k++) m->words[to + k] = clear ? 0 : m->words[p + k];
    } else
        for (int k = 0; k < count; k++)
            m->words[to + k] = clear || k >= m->ports[port].width ? 0 : m->picks[m->ports[port].pick + k].value;
}

/* 0, FAULT or UNKNOWN. */
static inline int visit(Machine *m, int32_t n, int64_t t) {
    Run *s = m->run;
    Node *node = &m->nodes[n];
    int kind = node->kind;
    int64_t stride = s->stride, first = node->port_start;
    if (!node->simple || (node->is_float && kind <= K_COMPARE) || kind > K_DELAY) return UNKNOWN;
    if (node->missing > 0) return 0;
    if (node->ready_at > t) { schedule(m, s->nodes + n, node->ready_at); return 0; }
    int32_t take = node->in_start, taken = node->in_n;
    int full = node->length >= node->room;
    if (full && node->always) { node->waiting = 1; return 0; }

    int32_t launch = -1, block = -1, thread = -1, barriers = 0;
    int any = 1, masked = 0, mixed = -1;
    for (int32_t i = 0; i < taken; i++) {
        int32_t w = m->ids[take + i];
        Packet *pk = &m->packets[m->wires[w].ring + m->wires[w].head];
        if (pk->flags & ANY) { if (any && pk->launch > launch) launch = pk->launch; }
        else if (any) { any = 0; launch = pk->launch; }
        else if (pk->launch != launch && mixed < 0) mixed = w;
        block = joined(block, pk->block);
        thread = joined(thread, pk->thread);
        if (pk->barriers > barriers) barriers = pk->barriers;
        masked |= pk->flags & MASKED;
    }
    if (block < 0) block = -1;
    if (thread < 0) thread = -1;
    masked >>= 1;

    int live = 1 - masked, yields = node->out_n > 0, port = -1, fault = 0, r_any = any, r_masked = masked;
    int32_t r_block = block, r_thread = thread, r_barriers = barriers, got = 0;
    int value_masked;
    int64_t r = 0, index = -1;
    if (!full) {
        int32_t place = node->head + node->length;
        if (place >= node->room) place -= node->room;
        r = node->queue + place;
    }
    int64_t to = r * stride;
    if (kind <= K_SELECT) {
        m->words[to] = 0;
        if (live) {
            int64_t a = word(m, first, 0), b = 0, c = 0;
            if (node->port_n > 1) {
                b = word(m, first + 1, 0);
                if (node->port_n > 2) c = word(m, first + 2, 0);
            }
            uint64_t result = integer(kind, a, b, c, node->a);
            m->words[to] = (int32_t)result;
            fault = (int)(result >> 32);
        }
    } else if (kind <= K_TUPLE) {
        if (kind == K_ADDRESS) {
            for (int k = 0; k < node->width; k++) {
                m->words[to + k] = 0;
                if (live) {
                    int64_t at = node->a + 7 * k, total = m->ids[at];
                    for (int i = 0; i < m->ports[first].width; i++) total += (int64_t)m->ids[at + 1 + i] * word(m, first, i);
                    m->words[to + k] = (int32_t)total;
                }
            }
        } else if (kind == K_TUPLE) {
            int64_t k = 0;
            for (int64_t q = first; q < first + node->port_n; q++) {
                copy_words(m, q, to + k);
                k += m->ports[q].width;
            }
        } else {
            copy_words(m, first, to);
            if (kind == K_GATE) { if (live && word(m, first + 1, 0) == 0) yields = 0; }
            else if (kind == K_SWITCH) port = word(m, first + 1, 0) != 0 ? 0 : 1;
            else if (kind == K_GUARD && live) {
                int outside = 0;
                for (int k = 0; k < node->width; k++) {
                    int32_t limit = m->ids[node->a + k];
                    if (limit >= 0 && (m->words[to + k] < 0 || m->words[to + k] >= limit)) outside = 1;
                }
                if (outside) {
                    if (node->b) {
                        r_masked = 1;
                        for (int k = 0; k < node->width; k++) m->words[to + k] = 0;
                    } else yields = 0;
                }
            }
        }
    }
    value_masked = r_masked;
    if (kind > K_TUPLE && kind <= K_SINK) {
        Array *array = &m->arrays[node->a];
        if (kind == K_LOAD) {
            masked = 0;
            if (m->ports[first].given == 1) {
                Wire *wire = &m->wires[m->ports[first].chosen];
                masked = (m->packets[wire->ring + wire->head].flags & MASKED) >> 1;
            }
            live = 1 - masked;
            r_masked = value_masked = masked;
            echo_words(m, first, to + 1, node->width - 1, masked);
            m->words[to] = 0;
            if (masked) {
                if (m->ports[first + 1].given) { value_masked = 0; m->words[to] = word(m, first + 1, 0); }
            } else if (any) fault = 1;
            else if ((index = flat_index(m, array, first)) < 0) fault = 1;
            else if (array->is_input)
                m->words[to] = m->data[(int64_t)array->data * DATA_RING + (int64_t)(launch & DATA) * array->words + index];
            else {
                int64_t at = (int64_t)array->stored * LOOKAHEAD + (int64_t)(launch & RING) * array->words + index;
                if (m->stored_tag[at] != s->tag + launch + 1) fault = 1;
                m->words[to] = m->stored[at];
            }
        } else {
            if (kind == K_STORE) {
                echo_words(m, first, to, node->width, masked);
                got = word(m, first + 1, 0);
            } else {
                yields = 0;
                got = word(m, first, 0);
            }
            if (live) {
                if (any) fault = 1;
                else if (kind == K_STORE) {
                    index = flat_index(m, array, first);
                    int64_t at = (int64_t)array->stored * LOOKAHEAD + (int64_t)(launch & RING) * array->words + index;
                    if (index < 0 || m->stored_tag[at] == s->tag + launch + 1) fault = 1;
                } else {
                    index = m->pool[node->b + (launch & RING)] - (int64_t)(launch / LOOKAHEAD) * array->words;
                    if (index >= array->words) fault = 1;
                }
                if (!fault && m->data[(int64_t)array->data * DATA_RING + (int64_t)(launch & DATA) * array->words + index] != got)
                    fault = 1;
            }
        }
    } else if (kind > K_SINK) {
        copy_words(m, first, to);
        if (kind == K_TAKE) yields = yields && node->count < node->b;
        else if (kind == K_SKIP) yields = yields && node->count >= node->b;
        else if (kind == K_DEAL) port = node->count;
        else if (kind == K_DELAY && node->count >= node->b) {
            r_any = 1; r_block = -1; r_thread = -1; r_barriers = 0; r_masked = value_masked = 0;
            for (int k = 0; k < node->width; k++) m->words[to + k] = m->ids[node->c + k];
        }
        value_masked = r_masked;
        if (!any && node->group >= 0 && node->group != launch) fault = 1;
    }
    if (port >= 0) yields = m->ids[node->out_ports + 2 * port + 1] > 0;
    if (yields && full) { node->waiting = 1; return 0; }
    if (mixed >= 0 || fault) return FAULT;

    s->events += 1 + taken;
    s->last_active = t;
    int64_t delay = node->latency, latest = -NEVER, ready = t + node->interval;
    int32_t latest_port = 0, missing = 0;
    for (int32_t i = 0; i < taken; i++) {
        Wire *wire = &m->wires[m->ids[take + i]];
        if (wire->head_ready > latest) { latest = wire->head_ready; latest_port = wire->port; }
        pop(m, wire, t);
        if (wire->held > 0) ready = max64(ready, wire->head_ready);
        else missing += 1;
    }
    account(m, node, t);
    if (taken > 0) {
        int64_t starved = t - s->time_start - node->busy - node->blocked;
        m->by_port[first + latest_port] += starved - node->starved_before;
        node->starved_before = starved;
    }
    node->last = t;
    node->firings += 1;
    Pair *count = &m->counts[4 * n + segment(s, launch)];
    count->a += 1;
    count->b += live;
    if (kind >= K_LOAD) {
        if (kind <= K_SINK) {
            if (live) {
                Array *array = &m->arrays[node->a];
                Launch *record = &m->launches[launch & RING];
                if (kind != K_SINK) m->pool[s->pool_access + (launch & RING) * s->arrays + node->a] += 1;
                if (kind != K_LOAD) {
                    if (kind == K_STORE) {
                        int64_t at = (int64_t)array->stored * LOOKAHEAD + (int64_t)(launch & RING) * array->words + index;
                        m->stored_tag[at] = s->tag + launch + 1;
                        m->stored[at] = got;
                    } else m->pool[node->b + (launch & RING)] += 1;
                    record->words_left -= 1;
                    record->done = max64(record->done, t + delay);
                    if (record->words_left == 0 && launch == s->completed) schedule(m, 2 * s->nodes, record->done);
                }
            }
        } else {
            node->count += 1;
            if (node->group < 0 && !any) node->group = launch;
            if (node->count == node->a) { node->count = 0; node->group = -1; }
        }
    }
    if (yields) {
        Packet *pk = &m->packets[r];
        pk->time = t + delay;
        pk->launch = launch;
        pk->block = r_block;
        pk->thread = r_thread;
        pk->barriers = r_barriers;
        pk->flags = r_any | (r_masked ? MASKED : 0) | (value_masked ? VALUE_MASKED : 0);
        pk->port = port;
        if (!r_any) m->launches[launch & RING].packets += 1;
        if (node->length == 0) schedule(m, n, t + delay);
        node->length += 1;
    } else if (taken > 0 && !any && (kind < K_STORE || kind > K_SINK)) m->launches[launch & RING].dropper = n;
    if (!any) {
        Launch *record = &m->launches[launch & RING];
        if (record->packets <= 0) {
            s->check_gone = 1;
            if (record->sources_left == 0 && record->words_left > 0) return FAULT;
        }
    }
    node->missing = missing;
    node->ready_at = ready;
    if (missing == 0) {
        if (node->always && node->length >= node->room) node->waiting = 1;
        else schedule(m, s->nodes + n, ready);
    }
    return 0;
}

/* Launches count; the window is the caller's business (it is never reached in the comparisons). */
static void count_launches(Machine *m, int64_t t) {
    Run *s = m->run;
    while (s->completed < s->issued) {
        Launch *record = &m->launches[s->completed & RING];
        if (record->words_left > 0) break;
        if (record->done > t) { schedule(m, 2 * s->nodes, record->done); break; }
        m->completions[s->completed] = t;
        s->completed += 1;
        s->check_gone = 1;
        s->last_active = t;
    }
}

int advance(Run *run, Node *nodes, Wire *wires, Packet *packets, int32_t *words, int32_t *ids, Port *ports, Pick *picks,
            Pair *counts, int64_t *by_port, Event *events, int32_t *heads, uint64_t *bits, Launch *launches, Array *arrays,
            int32_t *data, int32_t *stored, int32_t *stored_tag, int32_t *pool, int32_t *tokens, int64_t *completions,
            int64_t space, int64_t until) {
    Machine machine = {run, nodes, wires, packets, words, ids, ports, picks, counts, by_port, events, heads, bits, launches,
                       arrays, data, stored, stored_tag, pool, tokens, completions}, *m = &machine;
    for (;;) {
        int64_t t = next_due(m);
        if (t == NEVER) return IDLE;
        if (t > until) return UNTIL;
        if (run->issued + 2 > run->filled) return NEED_DATA;
        if (run->completed + LOOKAHEAD > space) return NEED_SPACE;
        run->now = t;
        int64_t slot = t & (SLOTS - 1);
        int32_t e = heads[slot], chain = -1, after;
        int counting = 0;
        heads[slot] = -1;
        bits[slot >> 6] &= ~(1ull << (slot & 63));
        for (; e >= 0; e = after) {
            Event *event = &events[e];
            after = event->next;
            event->due = NEVER;
            if (e < run->nodes) {
                event->next = chain;
                chain = e;
            } else if (e < 2 * run->nodes) {
                int32_t n = e - run->nodes;
                bits[FIRE_BITS + (n >> 6)] |= 1ull << (n & 63);
            } else counting = 1;
        }
        if (counting) count_launches(m, t);
        for (; chain >= 0; chain = after) {
            after = events[chain].next;
            hand_out(m, chain, t);
        }
        for (int32_t w = 0; w <= run->nodes >> 6; w++) {
            uint64_t seen = bits[FIRE_BITS + w];
            if (!seen) continue;
            bits[FIRE_BITS + w] = 0;
            for (; seen; seen &= seen - 1) {
                int stop = visit(m, w << 6 | __builtin_ctzll(seen), t);
                if (stop) return stop;
            }
        }
        if (run->check_gone) {
            run->check_gone = 0;
            int64_t before = run->oldest;
            while (run->oldest < run->completed) {
                Launch *record = &launches[run->oldest & RING];
                if (record->packets > 0 || record->sources_left > 0) break;
                run->oldest += 1;
            }
            if (run->oldest > before && run->waiting_sources > 0) {
                for (int32_t n = 0; n < run->nodes; n++)
                    if (nodes[n].kind >= K_THREADS && nodes[n].waiting) {
                        nodes[n].waiting = 0;
                        schedule(m, n, t + 1);
                    }
                run->waiting_sources = 0;
            }
        }
    }
}
