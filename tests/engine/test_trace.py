"""Traces: what an independent parser reads in a VCD is what report and ground truth say; likewise trace events."""

from __future__ import annotations

import json
import re
import shutil
import struct
import subprocess
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from engine.errors import UsageError
from engine.machine import Options, Stop
from engine.netlist import Netlist
from engine.plain import PlainMachine
from engine.simulation import Simulation
from engine.trace import Chosen, choose, record
from engine.trace_events import TraceEventWriter
from engine.units import ticks_from_ns
from engine.vcd import VcdWriter, _code
from levels import find_level, load_design, load_level
from tests.differential import case_of
from tests.engine import test_lines, test_shared_lanes
from tests.engine.netlists import Words, array, make, node, wire

VCDVCD = pytest.importorskip("vcdvcd").VCDVCD

LEVELS = [
    "first-light/05",
    "first-light/06",
    "first-light/09",
    "gpu-puzzles/03",
    "gpu-puzzles/09",
    "gpu-puzzles/12",
    "gpu-puzzles/13",
]


LANES = {
    "lines": (test_lines.level(), test_lines.copy(test_lines.level(), 8, load="w0 + 8*w1")),
    "banks": (test_shared_lanes.level(), test_shared_lanes.transpose(test_shared_lanes.level())),
}
"""Machines with lanes, of which a firing may take several intervals."""


def machine_of(name: str, role: str = "best") -> Simulation:
    if name in LANES:
        return Simulation(*LANES[name], engine="plain")
    path = find_level(name)
    level = load_level(path)
    assert level.reference
    return Simulation(level, load_design(path.parent / getattr(level.reference, role)), engine="plain")


def vcd(simulation: Simulation, **span: Any) -> tuple[Any, str]:
    """The trace of a run, parsed."""
    text = StringIO()
    net = simulation.netlist
    record(PlainMachine(net, simulation.workload), VcdWriter(net, "run", text.write), choose(net, ()), **span)
    return VCDVCD(vcd_string=text.getvalue()), text.getvalue()


class Signal:
    """A variable of a parsed VCD."""

    def __init__(self, parsed: Any, name: str) -> None:
        [found] = [full for full in parsed.signals if full.partition("[")[0] == f"run.{name}"]
        self.tv = [(int(t), None if "x" in v else float(v) if "." in v else int(v, 2)) for t, v in parsed[found].tv]

    def before(self, tick: int) -> Any:
        """The value just before a tick."""
        return [v for t, v in self.tv if t < tick][-1] if self.tv[0][0] < tick else 0

    def time(self, start: int, end: int) -> int:
        """Ticks from ``start`` to ``end`` in which it is 1."""
        ends = [t for t, _ in self.tv[1:]] + [end]
        return sum(max(0, min(to, end) - max(t, start)) for (t, v), to in zip(self.tv, ends, strict=True) if v == 1)


def scope(text: str) -> str:
    return "_".join("".join(c if c.isalnum() or c in "_$" else " " for c in text.replace("→", "to")).split())


# --- VCD ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*LEVELS, *LANES])
def test_a_vcd_says_what_the_report_says(name: str) -> None:
    """Firings, times in each state, entries, completions: of all elements, over the report's window."""
    simulation = machine_of(name)
    report, net = simulation.report(), simulation.netlist
    window, counters = report.window, simulation.outcome().counters
    assert window and counters is not None
    start, end = ticks_from_ns(window.start_ns), ticks_from_ns(window.end_ns)
    parsed, _ = vcd(simulation, until=end)
    assert (parsed.timescale["timescale"], parsed.endtime) == (Decimal("1e-11"), end)

    launches = Signal(parsed, "launches")
    completions = simulation.machine.completions()[: window.last_launch + 1].tolist()
    changes = dict(launches.tv)
    assert [t for t in changes if t in set(completions)] == sorted(set(completions))
    assert [changes[t] for t in sorted(set(completions))] == [
        sum(c <= t for c in completions) for t in sorted(set(completions))
    ]

    elements = {element.id: element for element in report.elements}
    for e, element in enumerate(net.elements):
        members = [i for i, n in enumerate(net.nodes) if n.element == e]
        sides = {i: net.nodes[i].params.get("port_name") for i in members}
        scopes = {i: f"cores.{element.id}" + (f".{sides[i]}" if sides[i] else "") for i in members}
        fired = {i: Signal(parsed, f"{scopes[i]}.firings") for i in members}
        assert sum(f.before(end) - f.before(start) for f in fired.values()) == elements[element.id].events
        for state in ("busy", "blocked", "starved"):
            times = [Signal(parsed, f"{scopes[i]}.{state}").time(start, end) for i in members]
            assert sum(times) / len(times) / 100 == pytest.approx(
                getattr(elements[element.id], f"{state}_ns"), abs=1e-9
            )
    for w, wire_ in enumerate(net.wires):
        place = f"wires.{scope(wire_.id)}"
        held, passed = Signal(parsed, f"{place}.held"), Signal(parsed, f"{place}.passed")
        entered = [held.before(t) + passed.before(t) for t in (start, end)]
        assert entered[1] - entered[0] == elements[wire_.id].events == counters.wire_entries[w]
        # The time of packets that have left; one may still wait at the window's ends.
        waits = Signal(parsed, f"{place}.blocked").time(start, end)
        assert abs(waits - counters.wire_waits[w]) <= max(
            [0, *(t for t in _stays(Signal(parsed, f"{place}.blocked"), start, end))]
        )


def _stays(blocked: Signal, start: int, end: int) -> Iterator[int]:
    """How long packets wait that do so at ``start`` or ``end``."""
    ends = [t for t, _ in blocked.tv[1:]] + [end]
    for (t, v), to in zip(blocked.tv, ends, strict=True):
        if v == 1 and (t < start < to or t < end <= to):
            yield to - t


@pytest.mark.parametrize("name", ["first-light/05", "gpu-puzzles/03", "gpu-puzzles/11"])
def test_the_words_at_the_out_pad_are_the_truth(name: str) -> None:
    """Every word that the out pad took, in order, with its launch: by launch they are the expected ones."""
    simulation = machine_of(name)
    net = simulation.netlist
    simulation.machine.run()
    end = int(simulation.machine.completions()[7]) + 1
    parsed, _ = vcd(simulation, until=end)
    [pad] = [n for n in net.nodes if n.kind in ("sink", "store")]
    [w] = pad.input("value").wires
    place = f"wires.{scope(net.wires[w].id)}"
    assert len(net.wires[w].words) == 1
    passed, value, launch, masked = (
        Signal(parsed, f"{place}.{name}") for name in ("passed", "value", "launch", "masked")
    )
    got: dict[int, list[int]] = {}
    for (tick, count), (_, before) in zip(passed.tv[1:], passed.tv, strict=False):
        assert count == before + 1
        if not masked.before(tick + 1):
            word = value.before(tick + 1)
            bits = struct.unpack("<i", struct.pack("<f", word))[0] if isinstance(word, float) else _signed(word)
            got.setdefault(int(launch.before(tick + 1)), []).append(bits)
    expected = simulation.workload.expected(0, 8)
    [words] = expected.values()
    for k in range(8):
        truth = words[k].reshape(-1).tolist()
        assert (got[k] if pad.kind == "sink" else sorted(got[k])) == (truth if pad.kind == "sink" else sorted(truth))


def test_words_of_lanes_are_told_lane_by_lane() -> None:
    """The value of warp 0 of a copy: words 0, 8 ... 56 of the array, on lines of their own; its address is linear."""
    simulation = machine_of("lines")
    simulation.machine.run()
    parsed, text = vcd(simulation, until=15_000)
    net = simulation.netlist
    [w] = next(n for n in net.nodes if n.id == "out").input("value").wires
    place = f"wires.{scope(net.wires[w].id)}"
    first = next(t for t, v in Signal(parsed, f"{place}.valid").tv if v)
    row = simulation.workload.inputs(0, 1)["a"][0].tolist()
    lanes = [Signal(parsed, f"{place}.value_lane{lane}").before(first + 1) for lane in range(8)]
    assert lanes == row[0::8]
    assert Signal(parsed, f"{place}.live").before(first + 1) == 0xFF
    [at] = next(n for n in net.nodes if n.id == "a").input("at").wires
    assert f"module {scope(net.wires[at].id)} $end" in text
    bases = [v for _, v in Signal(parsed, f"wires.{scope(net.wires[at].id)}.value").tv if v is not None]
    assert bases[-8:] and set(bases) == set(range(8)), "a linear word is told by its base: warp w begins at word w"
    events = StringIO()
    record(
        PlainMachine(net, simulation.workload), TraceEventWriter(net, "run", events.write), choose(net, ()), until=9000
    )
    names = {event.get("name") for event in json.loads(events.getvalue())["traceEvents"]}
    assert "0 + 8·lane" in names
    assert f"[{' '.join(map(str, row[0::8]))}]" in names


def _signed(word: int) -> int:
    return word - 2**32 if word >= 2**31 else word


def test_a_part_of_a_trace_is_that_part_of_the_whole() -> None:
    simulation = machine_of("gpu-puzzles/09")
    whole, _ = vcd(simulation, until=30_000)
    part, text = vcd(simulation, start=10_000, until=20_000)
    assert text.count("\n#10000\n") == 1 and re.findall(r"^#(\d+)$", text, re.M)[-1] == "20000"
    for name in whole.signals:
        if (
            ".value" in name
            or ".word" in name
            or any(name.endswith(x) for x in (".launch", ".masked", ".block", ".thread"))
        ):
            continue  # known from the first packet on
        there = {t: v for t, v in whole[name].tv if 10_000 < t <= 20_000}
        assert {t: v for t, v in part[name].tv if t > 10_000} == there, name


def test_launches_end_a_trace_with_their_tick() -> None:
    simulation = machine_of("first-light/05")
    parsed, _ = vcd(simulation, launches=5)
    simulation.machine.run()
    assert parsed.endtime == simulation.machine.completions()[4]
    assert Signal(parsed, "launches").tv[-1] == (parsed.endtime, 5)


def test_codes_of_variables_are_all_different() -> None:
    codes = [_code(k) for k in range(20_000)]
    assert len(set(codes)) == len(codes)
    assert all("!" <= c <= "~" for code in codes for c in code)


def test_random_machines_parse_and_agree() -> None:
    """Whatever a machine does, faults and deadlocks too: the parser's last values are the machine's counters."""
    seen: Counter[str] = Counter()
    for number in range(20):
        case = case_of(21, number)
        text, machine = StringIO(), PlainMachine(case.net, case.truth, case.options)  # type: ignore[arg-type]
        stop, follower = record(machine, VcdWriter(case.net, "run", text.write), choose(case.net, ()), launches=10**6)
        parsed = VCDVCD(vcd_string=text.getvalue())
        seen[stop.value] += 1
        counters, end = machine.counters(), machine.now + 1
        assert Signal(parsed, "launches").before(end) == machine.completed
        assert Signal(parsed, "fault").before(end) == (stop is Stop.FAULT)
        fired: Counter[int] = Counter()
        for name in parsed.signals:
            if name.endswith(".firings"):
                fired[Signal(parsed, name.removeprefix("run.")).before(end)] += 1
        assert fired == Counter(counters.firings.sum(axis=0).tolist())
        assert follower.end is not None
    assert len(seen) >= 3, seen


def test_names_that_look_alike_stay_apart() -> None:
    net = make(
        [node("a", "stream", array="a"), node("m", "relay"), node("n", "relay"), node("out", "sink", array="out")],
        [wire("a.value", "m.in"), wire("m.out", "n.in"), wire("n.out", "out.value")],
        [array("a", 1), array("out", 1, output=True)],
    )
    net = replace(net, wires=tuple(replace(w, id="1 [x]") for w in net.wires))
    text = StringIO()
    machine = PlainMachine(net, Words(net, out=lambda launch, k: 100 * launch + 1))  # type: ignore[arg-type]
    record(machine, VcdWriter(net, "$end a level", text.write), choose(net, ()), until=2_000)
    names = {line.split()[2] for line in text.getvalue().splitlines() if line.startswith("$scope")}
    assert {"_1_x", "_1_x_2", "_1_x_3"} <= names
    assert VCDVCD(vcd_string=text.getvalue()).endtime == 2_000


def test_what_is_chosen() -> None:
    net = machine_of("gpu-puzzles/09").netlist
    everything = choose(net, ())
    assert everything == Chosen(tuple(range(len(net.nodes))), tuple(range(len(net.wires))))
    first = net.wires[0]
    assert choose(net, [first.id]) == choose(net, [first.id.replace(" → ", "->")]) == Chosen((), (0,))
    pad = net.nodes[first.source]
    chosen = choose(net, [net.elements[pad.element].id])
    assert first.source in chosen.nodes and 0 in chosen.wires and len(chosen.wires) < len(net.wires)
    port = first.id.partition(" → ")[0]
    assert 0 in choose(net, [port]).wires and choose(net, [port]).nodes == ()
    with pytest.raises(UsageError, match="did you mean"):
        choose(net, [pad.id + "x"])


# --- trace events ------------------------------------------------------------------------------------------


def events_of(simulation: Simulation, net: Netlist | None = None, **span: Any) -> dict[str, Any]:
    text = StringIO()
    net = simulation.netlist
    machine = PlainMachine(net, simulation.workload, Options())
    record(machine, TraceEventWriter(net, "run", text.write), choose(net, ()), **span)
    document: dict[str, Any] = json.loads(text.getvalue(), parse_float=Decimal)
    return document


def check_format(document: dict[str, Any]) -> None:
    """What "Trace Event Format" (Google, 2016) asks of the kinds of events that we write."""
    assert document["displayTimeUnit"] in ("ms", "ns")
    needed = {"X": {"name", "cat", "ts", "dur"}, "M": {"name", "args"}, "C": {"name", "ts", "args"}}
    needed |= {"s": {"name", "cat", "id", "ts"}, "f": {"name", "cat", "id", "ts", "bp"}}
    for event in document["traceEvents"]:
        assert needed[event["ph"]] | {"pid"} <= event.keys(), event
        assert all(type(event[key]) is int for key in ("pid", "tid", "id") if key in event)
        for key in ("ts", "dur"):
            if key in event:
                assert event[key] >= 0 and (100 * event[key]) % 1 == 0
        if event["ph"] == "M":
            [(key, value)] = event["args"].items()
            assert event["name"] in (f"{what}_{key}" for what in ("process", "thread"))
            assert type(value) is (str if key == "name" else int)
        if event["ph"] == "C":
            assert all(type(value) is int for value in event["args"].values())


def slices(document: dict[str, Any]) -> dict[tuple[str, str], list[dict[str, Any]]]:
    """Slices by the names of process and thread, in the order of their beginning, the longer first."""
    names: dict[Any, str] = {}
    found: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for event in document["traceEvents"]:
        if event["ph"] == "M" and event["name"].endswith("_name"):
            names[event["pid"], event["tid"]] = event["args"]["name"]
        elif event["ph"] == "X":
            place = names[event["pid"], 0], names[event["pid"], event["tid"]]
            found.setdefault(place, []).append(event)
    for rows in found.values():
        rows.sort(key=lambda event: (event["ts"], -event["dur"]))
    return found


@pytest.mark.parametrize("name", LEVELS[:5])
def test_trace_events_are_valid_and_say_what_the_vcd_says(name: str) -> None:
    simulation = machine_of(name)
    document = events_of(simulation, until=20_000)
    check_format(document)
    parsed, _ = vcd(simulation, until=20_000)
    found = slices(document)
    for (process, thread), rows in found.items():
        open_: list[Decimal] = []
        for event in rows:
            while open_ and open_[-1] <= event["ts"]:
                open_.pop()
            assert all(event["ts"] + event["dur"] <= end for end in open_), "slices nest"
            open_.append(event["ts"] + event["dur"])
        if process == "wires":
            place = f"wires.{scope(thread)}"
            blocked = sum(event["dur"] for event in rows if event["cat"] == "blocked")
            assert 100 * blocked == Signal(parsed, f"{place}.blocked").time(0, 20_000)
            valid = sum(event["dur"] for event in rows if event["cat"] == "word")
            assert 100 * valid == Signal(parsed, f"{place}.valid").time(0, 20_000)
        elif process != "shared":
            assert sum(event["dur"] for event in rows) == 200
            for state in ("busy", "blocked", "starved"):
                time = sum(event["dur"] for event in rows if event["cat"] == state)
                assert 100 * time == Signal(parsed, f"cores.{thread}.{state}").time(0, 20_000)
    assert {thread for process, thread in found if process == "wires"} == {w.id for w in simulation.netlist.wires}
    flows: dict[int, dict[str, Decimal]] = {}
    for event in document["traceEvents"]:
        if event["ph"] in "sf":
            assert event["ph"] not in flows.setdefault(event["id"], {})
            flows[event["id"]][event["ph"]] = event["ts"]
    assert len(flows) > 100
    assert all(ends["s"] < ends["f"] for ends in flows.values())


def test_a_blocked_word_is_blocked_until_it_is_taken() -> None:
    """A sink of 3 ns a word behind a wire of 1 ns: from the second word on each waits."""
    net = make(
        [node("a", "stream", array="a"), node("out", "sink", array="out", interval=300)],
        [wire("a.value", "out.value")],
        [array("a", 8), array("out", 8, output=True)],
    )
    text = StringIO()
    machine = PlainMachine(net, Words(net, out=lambda launch, k: 100 * launch + k + 1))  # type: ignore[arg-type]
    record(machine, TraceEventWriter(net, "run", text.write), choose(net, ()), until=1_200)
    [found] = [rows for (kind, _), rows in slices(json.loads(text.getvalue())).items() if kind == "wires"]
    seen = [(event["name"], event["ts"], event["dur"]) for event in found]
    assert seen == [
        ("1", 1.0, 1.0),
        ("2", 2.0, 3.0),
        ("blocked", 2.0, 2.0),
        ("3", 5.0, 3.0),
        ("blocked", 5.0, 2.0),
        ("4", 8.0, 3.0),
        ("blocked", 8.0, 2.0),
        ("5", 11.0, 1.0),
        ("blocked", 11.0, 1.0),
    ]


@pytest.mark.skipif(shutil.which("trace_processor_shell") is None, reason="needs Perfetto's trace processor")
def test_perfetto_opens_trace_events(tmp_path: Path) -> None:
    document = events_of(machine_of("first-light/05"), until=5_000)
    (tmp_path / "a.json").write_text(json.dumps(document, default=float), encoding="utf-8")
    (tmp_path / "q.sql").write_text("select count(*) from slice;", encoding="utf-8")
    command = ["trace_processor_shell", "-q", str(tmp_path / "q.sql"), str(tmp_path / "a.json")]
    out = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert str(sum(event["ph"] == "X" for event in document["traceEvents"])) in out
