"""run, why, check, match and diff on a level: what they print and how they exit."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.simulation import simulate
from game.commands.quick import simulate_quickly
from levels import load_design, load_level
from levels.lookup import find_level
from tests.game.conftest import Perwatt


def beside(level: Path, role: str) -> Path:
    return level.with_suffix(f".{role}.yaml")


def test_a_passing_run_as_json(perwatt: Perwatt, doubling: Path) -> None:
    answer = perwatt("run", doubling, beside(doubling, "best"), "--json")
    report = answer.json
    assert answer.code == 0
    assert report["verdict"] == "pass"
    assert report["metrics"].keys() == {
        "efficiency_launches_per_nj",
        "throughput_launches_per_us",
        "power_mw",
        "latency_ns",
        "footprint_tiles",
        "cores",
        "wire_tiles",
        "launches",
    }
    assert report["metrics"]["latency_ns"].keys() == {"median", "worst"}
    assert sum(report["energy_exact"]["by_cause"].values()) == report["energy_exact"]["total"]
    assert {"utilisation", "busy_ns", "starved_ns", "blocked_ns"} <= report["elements"][0].keys()
    assert report["fault"] is None


def test_a_passing_run_for_a_person(perwatt: Perwatt, doubling: Path) -> None:
    answer = perwatt("run", doubling, "best")
    m = perwatt("run", doubling, "best", "--json").json["metrics"]
    line = next(line for line in answer.out.splitlines() if "÷" in line)
    throughput, power, efficiency = (float(word) for word in line.split() if word[0].isdigit())
    assert throughput / power == pytest.approx(efficiency, rel=1e-3)
    assert efficiency == pytest.approx(m["efficiency_launches_per_nj"], rel=1e-3)
    assert answer.out.startswith("PASS  Doubling · just in time\n")
    for word in ("standby", "switching", "busy", "starved", "blocked"):
        assert word in answer.out
    assert "\x1b" not in answer.out


def test_the_two_engines_give_one_report(perwatt: Perwatt, doubling: Path) -> None:
    pytest.importorskip("numba")
    plain, compiled = (perwatt("run", doubling, "best", "--engine", e, "--json").json for e in ("plain", "compiled"))
    assert (plain.pop("engine"), compiled.pop("engine")) == ("plain", "compiled")
    assert plain == compiled


def test_a_fault(perwatt: Perwatt, doubling: Path) -> None:
    wrong = beside(doubling, "wrong-half")
    answer = perwatt("run", doubling, wrong, "--json")
    fault = answer.json["fault"]
    assert (answer.code, answer.json["verdict"]) == (1, "fault")
    assert (fault["core"], fault["code"], fault["launch"], fault["index"]) == ("out", "wrong-value", 0, [0])
    assert fault["expected"] == 2 * fault["got"]
    assert fault["time_ns"] > 0
    text = perwatt("why", doubling, wrong).out
    assert text.startswith("FAULT: out at ")
    assert f"expected {fault['expected']}, got {fault['got']}" in text


def test_a_limit(perwatt: Perwatt, doubling: Path) -> None:
    doubling.write_text(doubling.read_text().replace("time_us: 50}", "time_us: 50, power_mw: 2.5}"))
    answer = perwatt("run", doubling, "naive")
    assert answer.code == 1
    assert "MISSED" in answer.out
    assert "power is 2.967 and should be at most 2.5" in answer.out
    assert perwatt("run", doubling, "best").code == 0


def test_a_timeout(perwatt: Perwatt, doubling: Path) -> None:
    doubling.write_text(doubling.read_text().replace("time_us: 50}", "time_us: 0.1}"))
    answer = perwatt("run", doubling, "best")
    assert answer.code == 1
    assert answer.out.startswith("TIMEOUT")
    assert "4 launches were done when the time limit came, at 0.100 µs" in answer.out


def test_a_passing_design_is_said_to_pass_with_delays_varied(perwatt: Perwatt, doubling: Path) -> None:
    assert "also with delays varied 2 times" in perwatt("run", doubling, "best", "--jitter", 2).out


def test_a_role_that_is_none_suggests_one(perwatt: Perwatt, doubling: Path) -> None:
    answer = perwatt("run", doubling, "bst")
    assert answer.code == 2
    assert "did you mean best?" in answer.err


def test_a_deadlock_names_the_chain(perwatt: Perwatt, doubling: Path) -> None:
    stopped = (
        beside(doubling, "best")
        .read_text()
        .replace("path: [[4, 1], [8, 1]], every_ns: 4", "path: [[4, 1], [8, 1]], speed: 0")
    )
    Path("stopped.yaml").write_text(stopped)
    answer = perwatt("run", doubling, "stopped.yaml")
    assert answer.code == 1
    assert answer.out.startswith("DEADLOCK")
    assert "is stopped" in answer.out
    chain = perwatt("why", doubling, "stopped.yaml", "--json").json["deadlock"]["chain"]
    assert chain


def test_a_board_error_points_into_the_design(perwatt: Perwatt, doubling: Path) -> None:
    Path("bad.yaml").write_text(beside(doubling, "best").read_text().replace("core: add", "core: ad"))
    answer = perwatt("run", doubling, "bad.yaml", "--json")
    assert (answer.code, answer.json["verdict"]) == (1, "invalid")
    [problem] = [p for p in answer.json["problems"] if p["code"] == "unknown-core"]
    assert (problem["file"], problem["line"], problem["path"]) == ("bad.yaml", 6, "cores[0].core")
    text = perwatt("run", doubling, "bad.yaml")
    assert text.out.startswith("INVALID")
    assert "bad.yaml:6:" in text.err


def test_quiet_says_nothing(perwatt: Perwatt, doubling: Path) -> None:
    answer = perwatt("run", doubling, "best", "--quiet")
    assert (answer.code, answer.out, answer.err) == (0, "", "")
    assert perwatt("run", doubling, beside(doubling, "wrong-half"), "-q").code == 1


def test_a_long_run_says_what_was_simulated(perwatt: Perwatt, doubling: Path) -> None:
    out = perwatt("run", doubling, "best", "--launches", 100_000).out
    assert "every output word of the simulated launches is right" in out
    assert " of 100,000; the others repeat the period" in out
    assert "(standard error) is uncertain; --full simulates all" in out
    full = perwatt("run", doubling, "best", "--launches", 4000, "--full").out
    assert "every output word is right, launch after launch" in full
    assert "simulated launches" not in full
    assert "period of 1 launch in" in full


def test_a_machine_that_works_by_luck_is_told_where(perwatt: Perwatt, tmp_path: Path) -> None:
    from levels.save import save_design
    from tests.engine.test_hazard import page

    level, design = page(4.5)
    save_design(design, tmp_path / "luck.yaml")
    answer = perwatt("run", level.id, tmp_path / "luck.yaml", "--jitter", 1)
    assert answer.code == 1
    assert "passes, and fails with delays varied (seed 1): page (read) read word 0" in answer.out
    hazard = perwatt("run", level.id, tmp_path / "luck.yaml", "--jitter", 1, "--json").json["hazard"]
    assert (hazard["kind"], hazard["place"], hazard["seed"]) == ("memory", "page", 1)


def test_launches_seed_and_jitter(perwatt: Perwatt, doubling: Path) -> None:
    report = perwatt("run", doubling, "best", "--launches", 40, "--seed", 7, "--jitter", 2, "--json").json
    assert report["metrics"]["launches"] >= 40
    assert (report["seed"], report["jitter"], report["hazard"]) == (7, 2, None)


@pytest.mark.parametrize(
    "args", [("--engine", "steam"), ("--launches", "0"), ("--jitter", "-1"), ("--seed", "x"), ("--wat",)]
)
def test_wrong_use(perwatt: Perwatt, doubling: Path, args: tuple[str, ...]) -> None:
    assert perwatt("run", doubling, "best", *args).code == 2


def test_a_role_that_the_level_does_not_have(perwatt: Perwatt, doubling: Path) -> None:
    answer = perwatt("run", doubling, "start")
    assert answer.code == 2
    assert "has no start design" in answer.err


def test_a_design_as_text_runs(perwatt: Perwatt, doubling: Path) -> None:
    text = perwatt("encode", beside(doubling, "best")).out.strip()
    assert perwatt("run", doubling, text, "-q").code == 0


def test_a_design_of_another_level_does_not_run(perwatt: Perwatt, doubling: Path) -> None:
    Path("other.yaml").write_text(beside(doubling, "best").read_text().replace("mine-01-doubling", "x-01-y"))
    answer = perwatt("run", doubling, "other.yaml")
    assert answer.code == 1
    assert answer.err.startswith("other.yaml:2:8: level: ")


def test_markup_and_control_characters_of_files_are_text(perwatt: Perwatt, doubling: Path) -> None:
    text = beside(doubling, "best").read_text().replace("name: just in time", 'name: "[bold]a\\u202eb"')
    Path("odd.yaml").write_text(text)
    out = perwatt("run", doubling, "odd.yaml").out
    assert "[bold]a" in out
    assert "\u202e" not in out


# --- check, match, diff ----------------------------------------------------------------------------------


def test_check(perwatt: Perwatt, doubling: Path) -> None:
    answer = perwatt("check", doubling, "--json")
    assert answer.code == 0
    [level] = answer.json["levels"]
    assert (level["id"], level["file"], level["ok"], level["problems"]) == (
        "mine-01-doubling",
        doubling.as_posix(),
        True,
        [],
    )
    assert [(r["file"], r["verdict"]) for r in level["references"]] == [
        ("01-doubling.naive.yaml", "pass"),
        ("01-doubling.best.yaml", "pass"),
    ]
    assert level["references"][0].keys() >= {"file", "verdict", "efficiency_launches_per_nj", "medal"}
    assert level["wrong"] == [
        {"name": "half", "file": "01-doubling.wrong-half.yaml", "verdict": "fault", "failed_as_expected": True}
    ]


def test_what_new_writes_is_sound(perwatt: Perwatt, doubling: Path) -> None:
    answer = perwatt("check", "--bless", doubling)
    assert answer.code == 0
    assert answer.err == ""
    assert "none with problems, no warnings" in answer.out
    assert perwatt("check", ".").err == ""


def test_check_fails_with_the_place(perwatt: Perwatt, doubling: Path) -> None:
    doubling.write_text(doubling.read_text().replace("where: out", "where: a"))
    answer = perwatt("check", doubling, "--json")
    assert answer.code == 1
    [level] = answer.json["levels"]
    [problem] = level["problems"]
    assert (level["ok"], problem["where"]) == (False, "wrong.half.where")
    assert "should fail at a" in problem["message"]
    assert not level["wrong"][0]["failed_as_expected"]
    assert "PROBLEMS" in perwatt("check", doubling).out


def test_check_of_nothing(perwatt: Perwatt, folder: Path) -> None:
    assert perwatt("check", "nowhere/").code == 2
    assert perwatt("check", "nonsense").code == 2
    assert perwatt("check", ".").code == 2
    assert perwatt("check").code == 2


def test_check_of_an_unreadable_level(perwatt: Perwatt, doubling: Path) -> None:
    doubling.write_text("kernel: [\n")
    answer = perwatt("check", doubling, "--json")
    assert answer.code == 2
    assert not answer.json["levels"][0]["ok"]


def test_check_annotates_under_github(perwatt: Perwatt, doubling: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    doubling.write_text(doubling.read_text().replace("where: out", "where: a"))
    assert "::error file=01-doubling.yaml,line=" in perwatt("check", "01-doubling.yaml").out


def test_a_folder_with_a_stray_design(perwatt: Perwatt, doubling: Path) -> None:
    Path("mine.yaml").write_text(beside(doubling, "best").read_text())
    answer = perwatt("check", ".", "--json")
    assert answer.code == 1
    assert [(c["file"], c["ok"]) for c in answer.json["levels"]] == [("01-doubling.yaml", True), ("mine.yaml", False)]


def test_match_and_diff(perwatt: Perwatt, doubling: Path) -> None:
    naive = beside(doubling, "naive")
    answer = perwatt("match", doubling, naive, "-o", "matched.yaml")
    assert answer.code == 0
    assert [wire.every_ticks for wire in load_design("matched.yaml").wires] == [400, 400]
    assert perwatt("match", doubling, naive, "-o", "matched.yaml").code == 2
    document = perwatt("diff", naive, "matched.yaml", "--level", doubling, "--json").json
    assert len(document["changes"]) == 2
    before, after = (run["metrics"]["efficiency_launches_per_nj"] for run in document["runs"])
    assert after > before
    table = perwatt("diff", naive, "matched.yaml", "--level", doubling).out
    assert f"{100 * (after / before - 1):+.1f} %" in table


def test_match_of_a_design_that_cannot_be_built(perwatt: Perwatt, doubling: Path) -> None:
    Path("bad.yaml").write_text(beside(doubling, "best").read_text().replace("core: add", "core: ad"))
    answer = perwatt("match", doubling, "bad.yaml", "-o", "out.yaml")
    assert answer.code == 1
    assert "bad.yaml:6:" in answer.err
    assert not Path("out.yaml").exists()


def test_why_names_what_bounds_the_pace(perwatt: Perwatt, doubling: Path) -> None:
    document = perwatt("why", doubling, "naive", "--json").json
    assert document["bound"]["launches_per_us"] == 62.5
    assert document["bound"]["elements"] == ["a"]
    assert "at most 62.50 launches/µs" in perwatt("why", doubling, "naive").out


def test_what_is_proved_is_said(perwatt: Perwatt, doubling: Path) -> None:
    document = perwatt("run", doubling, "best", "--json").json
    bound, limit = document["bound"], document["energy_limit"]
    assert bound["exact"]
    assert bound["launches_per_us"] == pytest.approx(document["metrics"]["throughput_launches_per_us"])
    score = document["metrics"]["efficiency_launches_per_nj"]
    assert limit["within"] == pytest.approx(limit["launches_per_nj"] / score)
    assert limit["within"] >= 1
    assert sum(limit["by_cause"].values()) == pytest.approx(limit["pj_per_launch"])
    text = perwatt("run", doubling, "best").out
    assert f"within {limit['within']:.2f} × of the proven limit" in text
    assert bound["sentence"] in text
    assert perwatt("why", doubling, "best", "--json").json["energy_limit"] == limit


@pytest.mark.parametrize("role", ["naive", "best"])
def test_a_quick_run_tells_all_that_a_run_tells(role: str) -> None:
    """Also where the run is followed by what its heat does."""
    path = find_level("physics/10")
    level, design = load_level(path), load_design(beside(path, role))
    quick, full = simulate_quickly(level, design), simulate(level, design, engine="plain", sampled=True)
    assert quick.heat is not None
    assert quick == full
