"""What `perwatt run` says of physics."""

from __future__ import annotations

from pathlib import Path

from engine.simulation import simulate
from game.commands.physics import physics_sentences
from levels import find_level, load_design_file, load_level_file
from tests.engine.side_by_side import board, wire
from tests.engine.side_by_side import design as beside
from tests.engine.test_gating import burst
from tests.engine.test_heat import row


def test_heat_tells_the_hottest_and_who_is_slowed() -> None:
    close, far = simulate(*row(12, 13)), simulate(*row(8, 16))
    assert close.heat and far.heat
    first, *slow = physics_sentences(close)
    assert first.startswith(f"heat: {close.heat.hottest_k:.1f} K above 45 °C at [")
    assert [line.split()[0] for line in slow] == ["m12", "m13"]
    assert f"falls from 100 to {close.heat.cores[0].clock_ticks} ticks" in slow[0]
    assert physics_sentences(far)[1].endswith("K left before its clock falls")


def test_noise_tells_who_is_nearest() -> None:
    report = simulate(board(2, 8), beside([wire(i, 1 + i, 8) for i in range(2)]))
    assert report.crosstalk
    [line] = physics_sentences(report)
    worst = min(report.crosstalk.wires, key=lambda each: each.spare_mv)
    assert worst.id in line and line.startswith("crosstalk: ")


def test_sleep_tells_what_pays_least_first() -> None:
    report = simulate(*burst())
    assert report.gating
    lines = physics_sentences(report)
    worst = min(report.gating, key=lambda gate: gate.margin or 0)
    assert lines[0].startswith(f"sleep: {worst.id} ") and "it pays: from 11.1 ns on" in lines[0]
    assert physics_sentences(simulate(*burst(False))) == []


PHYSICS = Path(__file__).parents[2] / "levels" / "3-physics"


def sentences(number: str, file: str) -> list[str]:
    level = load_level_file(find_level(f"physics/{number}")).level
    return physics_sentences(simulate(level, load_design_file(PHYSICS / file).design))


def test_what_was_mended_what_is_kept_and_what_pays() -> None:
    (mended,) = (line for line in sentences("04", "04-trust-but-verify.best.yaml") if line.startswith("mended: "))
    assert mended.endswith("words on seventh.out → out.value by secded")
    assert sentences("09", "09-thin-walls.best.yaml")[0].endswith("ns to spare")
    assert "; it pays: from " in sentences("11", "11-sleep.best.yaml")[0]


def test_a_fault_names_the_code_that_nobody_decodes() -> None:
    level = load_level_file(find_level("physics/08")).level
    fault = simulate(level, load_design_file(PHYSICS / "08-upside-down.wrong-no-decoder.yaml").design).fault
    assert fault and "are lines of bus-invert-4: its receiver is raw" in fault.message
    assert "r.value → random.value" in fault.others
