"""``perwatt why``: chains of waits, the buffer that breaks a deadlock, and what to change first."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from tests.game.conftest import Perwatt

CORPUS = Path(__file__).parent.parent / "corpus" / "waits"


def files(name: str) -> tuple[Path, Path]:
    """A level and a design of the corpus, as files in the present folder."""
    document = yaml.safe_load((CORPUS / f"{name}.yaml").read_text(encoding="utf-8"))
    level, design = Path("level.yaml"), Path("design.yaml")
    level.write_text(yaml.safe_dump(document["level"]), encoding="utf-8")
    design.write_text(yaml.safe_dump(document["design"]), encoding="utf-8")
    return level, design


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_the_chain_of_an_output_and_when_it_began(perwatt: Perwatt) -> None:
    text = perwatt("why", "first-light-06-the-jam", "naive").out
    assert "Why does out wait, from 788 ns on? (92 % of the time)" in text
    assert "    ROOT eighth takes a word every 12 ns" in text
    assert "→ Nothing after this point can be faster than 0.083 words per ns. It began at 17 ns." in text


def test_any_element_may_be_asked_about_at_any_time(perwatt: Perwatt) -> None:
    answer = perwatt("why", "first-light-06-the-jam", "naive", "--of", "a.value -> three.a", "--at", 40, "--json")
    chain = answer.json["chain"]
    assert (chain["of"], chain["kind"], chain["root"]) == ("a.value → three.a", "core", "eighth")
    assert (chain["began_ns"], chain["at_ns"]) == (19.0, 40.0)
    assert [step["wire"] for step in chain["chain"]] == [None, "three.out → five.a", "five.out → eighth.a", None]
    for name in ("a.value->three.a", "a.value→three.a", "a.value", "three.a"):
        same = perwatt("why", "first-light-06-the-jam", "naive", "--of", name, "--at", 40, "--json")
        assert same.json["chain"] == chain
    wrong = perwatt("why", "first-light-06-the-jam", "naive", "--of", "nobody")
    assert wrong.code == 2
    assert "give a pad, core or wire of the design: " in wrong.err


def test_a_time_after_the_end_is_told(perwatt: Perwatt) -> None:
    late = ("why", "first-light-06-the-jam", "naive", "--at", 999_999_999)
    assert "(the run had ended before 999999999 ns: this is its end)" in perwatt(*late).out
    chain = perwatt(*late, "--json").json["chain"]
    assert chain["ended_before_ns"] == 999_999_999 and chain["at_ns"] < 20_000
    in_time = perwatt(*late[:-1], 40)
    assert "ended" not in in_time.out


def test_what_to_change_first(perwatt: Perwatt) -> None:
    text = perwatt("why", "first-light-06-the-jam", "naive").out
    assert "Time: a launch takes 96.00 ns; the pads would allow 8.000 (a)" in text
    assert "56.3 pJ: a → three is ready for a word every 1 ns and gets one every 12 ns. Slow it to 0.0833" in text
    assert "First: eighth works once per 12.00 ns" in text
    document = perwatt("why", "first-light-06-the-jam", "naive", "--json").json
    assert (document["period_ns"], document["least_ns"]) == (96, 8)
    assert [item["elements"] for item in document["lost_time"]] == [["eighth"]]
    assert len(document["lost_energy"]) == 3
    assert document["first"].startswith("eighth works once")


@pytest.mark.parametrize("name", ["run", "why"])
def test_a_deadlock_tells_the_smallest_buffer(perwatt: Perwatt, name: str) -> None:
    level, design = files("roads-greatest")
    answer = perwatt(name, level, design)
    assert answer.code == 1
    assert "and so the ring is closed" in answer.out
    assert "→ A buffer of 4 on a.value → j.a would break it." in answer.out
    found = perwatt(name, level, design, "--json").json["deadlock"]
    assert found["buffers"] == [{"wire": "a.value → j.a", "slots": 4}]


def test_long_chains_are_folded(perwatt: Perwatt) -> None:
    level, design = files("roads-two-sums")
    text = perwatt("run", level, design).out
    document = perwatt("run", level, design, "--json").json
    assert len(document["deadlock"]["chain"]) > 5
    assert f"and {len(document['deadlock']['chain']) - 4} like it" in text


def test_a_fault_has_a_chain_only_where_it_is_asked_for(perwatt: Perwatt) -> None:
    level, design = files("gate-drops-all")
    assert perwatt("why", level, design, "--json").json["chain"] is None
    chain = perwatt("why", level, design, "--json", "--of", "out").json["chain"]
    assert chain["of"] == "out"


@pytest.mark.parametrize(
    ("name", "role", "there"),
    [
        ("first-light-06-the-jam", "naive", True),
        ("gpu-puzzles-01-map", "best", False),
        ("gpu-puzzles-13-axis-sum", "best", False),
        ("gpu-puzzles-14b-matmul-tiles", "best", False),
    ],
)
def test_what_sets_the_pace_is_what_sets_the_bound(perwatt: Perwatt, name: str, role: str, there: bool) -> None:
    """The chain of one output may end elsewhere: then that is said."""
    document = perwatt("why", name, role, "--json").json
    pace, bound = document["chain"]["pace"], document["bound"]
    assert (pace["sentence"], pace["elements"]) == (bound["sentence"], bound["elements"])
    assert pace["chain_ends_there"] is there
    text = perwatt("why", name, role).out
    assert f"What sets the pace: {bound['sentence']}" in text
    assert (f"The chain above ends elsewhere: {document['chain']['root']}" in text) is not there
