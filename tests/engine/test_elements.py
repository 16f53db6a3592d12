"""Names of elements mean the same for every command."""

from __future__ import annotations

import pytest

from engine.elaborate import elaborate
from engine.elements import Meant, meant, plain_name
from engine.errors import UsageError
from engine.trace import choose
from levels.search.knobs import parse_setting, wire_name
from tests.levels.searching import load

LEVELS = ("first-light/05", "gpu-puzzles/14b")


@pytest.mark.parametrize("ref", LEVELS)
def test_all_forms_of_a_wires_name_mean_it(ref: str) -> None:
    level, design = load(ref)
    netlist = elaborate(level, design)
    for w, wire in enumerate(netlist.wires):
        for form in (wire.id, wire.id.replace("→", "->"), plain_name(wire.id), wire.id.replace(" ", "  ")):
            assert meant(netlist, form) == Meant(wires=(w,)), form
    # A setting of a sweep takes the names of the netlist, and the other way round.
    for wire in design.wires:
        [found] = meant(netlist, wire_name(wire)).wires
        knob, _ = parse_setting(f"{netlist.wires[found].id}.every_ns=1", level, design)
        assert [wire_name(design.wires[int(i)]) for i in knob.places] == [wire_name(wire)]


def test_elements_ports_and_patterns() -> None:
    netlist = elaborate(*load("gpu-puzzles/14b"))
    names = [wire.id for wire in netlist.wires]

    def wires(name: str) -> list[str]:
        return [names[w] for w in meant(netlist, name).wires]

    tile = meant(netlist, "tile")
    assert {netlist.nodes[n].id for n in tile.nodes} == {"tile"} and len(tile.nodes) > 1
    assert wires("walk.out") == [n for n in names if n.partition(" ")[0].partition("[")[0] == "walk.out"]
    assert wires("tile.write.at") == ["cell.out[0] → tile.write.at"]
    assert wires("walk.*->*") == wires("walk.out")
    assert choose(netlist, ["tile.write.at"]).wires == meant(netlist, "tile.write.at").wires
    touching = [w for w, x in enumerate(netlist.wires) if {x.source, x.target} & set(tile.nodes)]
    assert choose(netlist, ["tile"]).wires == tuple(touching)


def test_what_there_is_is_told() -> None:
    netlist = elaborate(*load("first-light/05"))
    with pytest.raises(UsageError, match=r"no 'nope': give a pad, core or wire of the design: a, out, .*a\.value → "):
        meant(netlist, "nope")
    with pytest.raises(UsageError, match="did you mean 'three'"):
        meant(netlist, "thre")
