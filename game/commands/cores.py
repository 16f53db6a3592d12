"""``perwatt cores``: the catalogue as a table, one core in full, JSON, or the page docs/cores.md."""

from __future__ import annotations

from typing import Any

from engine.catalog import CORES, SUPPLY_SETTINGS, CoreType, Port, Setting
from engine.errors import UsageError, nearest
from engine.parts import DTYPE, allowed
from engine.technology import technology
from game.commands.output import command, emit, say, table
from levels.codes import clean

TECHNOLOGY = "n45"

FAULTS = {
    "wrong-value": "a word is not what the kernel's truth says",
    "outside": "an index outside the array",
    "written-twice": "an output word that is written a second time",
    "extra-word": "more words at a sink than its array has",
    "lost-words": "a launch that has no packet left, and output words missing",
    "burnt-out": "a core that is 100 K hotter than what is around the chip, in levels with heat",
    "parity-error": "a word that a parity code finds wrong at the end of its wire, in levels with encodings",
    "uncorrectable": "a word with two wrong lines at the end of a SECDED wire, in levels with encodings",
    "unwritten": "a load of an output word that was not stored in this launch",
    "no-launch": "a delay's first word where a launch is needed",
    "mixed-launches": "packets of two launches at one core",
    "open-group": "a packet of another launch in the middle of a group",
    "divide-by-zero": "a division by zero",
    "not-finite": "a float result that is infinite or not a number",
    "shared-outside": "an index outside a shared memory's page",
    "read-before-write": "a read of a shared word that was not written",
    "given-back": "a read of a page that was given back",
    "overwrite": "a write to a shared word that is written",
    "race": "a read of another thread's shared word without a barrier in between",
    "deep-split": "a packet that has been split three times, at a fourth switch",
    "not-split": "a packet at a join that no switch has split",
    "other-half": "halves of different packets at a join",
    "lane-twice": "a lane that is in both halves at a join",
    "lanes-missing": "halves at a join that do not make the whole: an arm masked some lanes",
}
"""Every way in which a run can end in a fault."""

ANYWHERE = ("lost-words", "burnt-out", "parity-error", "uncorrectable")
"""Those that are of no core's rule."""

FAMILIES = {
    "pad": "Pads",
    "arithmetic": "Arithmetic",
    "steering": "Steering",
    "storage": "Storage",
    "reduction": "Reduction",
}

WIDTHS = {"one": "one word", "any": "any words", "rank": "one word per dimension of the array"}


@command
def cores(name: str | None, *, json: bool, markdown: bool) -> int:
    """Print the catalogue, or the core ``name``."""
    if name is not None and name not in CORES:
        guess = nearest(name, CORES)
        hint = f"did you mean {guess}?" if guess else "see perwatt cores"
        raise UsageError(f"there is no core '{clean(name, 40)}': {hint}")
    chosen = [CORES[name]] if name else list(CORES.values())
    if json:
        emit({"format": 1, "technology": TECHNOLOGY, "cores": [as_json(core) for core in chosen]})
    elif markdown:
        print(page(), end="")
    elif name:
        for line in _lines(chosen[0]):
            say(line)
    else:
        rows = [
            [c.name, ports(c.inputs), ports(c.outputs), settings(c), timing(c), energy(c), c.summary] for c in chosen
        ]
        table(("core", "in", "out", "settings", "cycles", "fJ", "what it does"), rows)
        say(f"  every core, where a level offers it: {', '.join(SUPPLY_SETTINGS)}")
    return 0


def as_json(core: CoreType) -> dict[str, Any]:
    """A core with its resolved figures."""
    pad = core.family == "pad"
    return {
        "name": core.name,
        "family": core.family,
        "summary": core.summary,
        "rule": core.rule,
        "inputs": [{"name": p.name, "width": p.width, "required": p.required} for p in core.inputs],
        "outputs": [{"name": p.name, "width": p.width} for p in core.outputs],
        "settings": [
            {"name": s.name, "kind": s.kind, "doc": s.doc, "default": s.default, "allowed": allowed(s)}
            for s in _settings(core)
        ],
        "latency_cycles": None if pad else core.latency,
        "interval_cycles": None if pad else core.interval,
        "operation_fj": _operation_fj(core),
        "control_fj": 0 if pad else technology(TECHNOLOGY).event_aj["control"] / 1000,
        "leakage_uw": 0 if pad else technology(TECHNOLOGY).core_leakage_nw(core.name) / 1000,
        "faults": list(core.faults),
    }


# --- Words -----------------------------------------------------------------------------------------------


def _settings(core: CoreType) -> tuple[Setting, ...]:
    """The core's settings, ``dtype`` included where it works on floats as well."""
    if not core.floats or core.name == "exp":  # exp works on floats only
        return core.settings
    return (*core.settings, DTYPE)


def _operation_fj(core: CoreType) -> dict[str, float]:
    """fJ of an operation on int32 words and, where it differs, on float32 words."""
    figures = technology(TECHNOLOGY)
    if core.op is None:
        return {}
    if core.op == "reduce":
        return {op: figures.operation_aj(_REDUCTION.get(op, "logic"), False) / 1000 for op in ("add", "mul", "min")}
    found = {"int32": figures.operation_aj(core.op, False) / 1000}
    if core.floats and (on_floats := figures.operation_aj(core.op, True) / 1000) != found["int32"]:
        found["float32"] = on_floats
    return found


_REDUCTION = {"add": "add", "mul": "mul", "min": "minmax", "max": "minmax"}


def energy(core: CoreType) -> str:
    """The energy of an operation, as a cell."""
    if core.family == "pad":
        return "memory word" if core.name in ("load", "store") else "0"
    if core.op == "reduce":
        return "as its op"
    found = _operation_fj(core)
    text = " / float ".join(f"{fj:g}" for fj in found.values()) if found else "0"
    per = {"slot": " per word", "shared_word": " per word", "guard": " per limited word", "address": " per sum"}
    return text + per.get(core.op or "", "")


def ports(found: tuple[Port, ...]) -> str:
    """Ports as a cell; optional ones in brackets."""
    return ", ".join(p.name if p.required else f"[{p.name}]" for p in found)


def settings(core: CoreType) -> str:
    """Settings as a cell; those with a default in brackets."""
    return ", ".join(s.name if _default(s) == "required" else f"[{s.name}]" for s in _settings(core))


def timing(core: CoreType) -> str:
    """Latency/interval in cycles."""
    if core.family == "pad":
        return "see text"
    return "as its op" if core.op == "reduce" else f"{core.latency}/{core.interval}"


def _lines(core: CoreType) -> list[str]:
    """One core in full, for a terminal."""
    lines = [f"{core.name} ({core.family})", f"  {core.summary}", f"  {core.rule}", ""]
    for word, found in (("in", core.inputs), ("out", core.outputs)):
        for p in found:
            lines.append(f"  {word:<8}{p.name}: {WIDTHS[p.width]}{'' if p.required else ', optional'}")
    for s in _settings(core):
        lines.append(f"  set     {s.name}: {_describe(s)}")
    if core.family != "pad":
        lines.append(f"  where a level offers it: {', '.join(SUPPLY_SETTINGS)}")
    lines.append(f"  cycles  {timing(core)} (latency/interval)")
    lines.append(f"  energy  {energy(core)} fJ and control {as_json(core)['control_fj']:g} fJ")
    lines.append(f"  leaks   {as_json(core)['leakage_uw']:g} µW")
    lines += [f"  fault   {code}: {FAULTS[code]}" for code in core.faults]
    return lines


def _default(setting: Setting) -> str:
    """A setting's default in words; empty where its text tells it."""
    if setting is DTYPE:
        return "default float32 where the kernel has float32 arrays, else int32"
    if "default" in setting.doc:
        return ""
    match setting.default:
        case None:
            return "required"
        case dict() as ports_of_each:
            return "default {" + ", ".join(f"{k}: {v}" for k, v in ports_of_each.items()) + "}"
        case bool() as value:
            return f"default {str(value).lower()}"
        case value:
            return f"default {value}"


def _describe(setting: Setting) -> str:
    return "; ".join(part for part in (setting.doc, allowed(setting), _default(setting)) if part)


# --- The page --------------------------------------------------------------------------------------------

INTRODUCTION = """\
# The cores

<!-- Written by `perwatt cores --markdown > docs/cores.md` from engine/catalog.py; a test compares. -->

Each core's ports, settings, timing, energy and exact rule. Together with [model.md](model.md) this is what the engines
are written from. Optional ports and settings with a default stand in [brackets]. Latency and interval are in cycles of
1 ns. Energies are of the technology `n45`, per firing whose packets are not masked; every firing of a core also costs
{control:g} fJ of control, and every core leaks {core:g} µW (`mul.serial` {serial:g} µW), slots and shared words
{slot:g} µW each on top. Pads have neither control energy nor leakage; a far memory pad's standby is {far:g} µW, a near
word costs {near_word:g} fJ and a far word {far_word:g} fJ. Every figure and its source: `assets/technology/n45.toml`.

Where a level lets them be set, every core has two more settings: `voltage_mv`, 500 to 1300 in steps of 25 (default
900), and `clock_ticks`, 50 to 1000 (default 100); latency and interval are then cycles of so many ticks of 10 ps, and
energies and leakage those of the voltage. See "Physics: voltage and clock" in model.md. Others are `oxide`, standard or
thin ("Physics: tunnelling" there), and `gate` with `sleep_after` and `ahead`, which far pads have too ("Physics:
gating").
"""


def page() -> str:
    """The page docs/cores.md."""
    figures = technology(TECHNOLOGY)
    standing = {key: nw / 1000 for key, nw in figures.standing_nw.items()}
    event = {key: aj / 1000 for key, aj in figures.event_aj.items()}
    text = INTRODUCTION.format(
        control=event["control"],
        core=standing["core"],
        serial=standing["core_mul_serial"],
        slot=standing["slot"],
        far=standing["far_pad"],
        near_word=event["near_line"] + event["near_line_word"],
        far_word=event["far_line"] + event["far_line_word"],
    )
    for family, title in FAMILIES.items():
        members = [core for core in CORES.values() if core.family == family]
        text += f"\n## {title}\n\n| core | in | out | settings | cycles | fJ |\n|---|---|---|---|---|---|\n"
        for core in members:
            cells = (core.name, ports(core.inputs), ports(core.outputs), settings(core), timing(core), energy(core))
            text += f"| {' | '.join(cells)} |\n"
        for core in members:
            text += _section(core)
    text += (
        "\n## Faults\n\nA run ends at the first fault, which names the core, the packet, the launch and the time.\n\n"
    )
    text += "| code | meaning | at |\n|---|---|---|\n"
    for code, meaning in FAULTS.items():
        at = ", ".join(core.name for core in CORES.values() if code in core.faults) or "any core"
        if code == "not-finite":
            at = "any core on float32 words"
        text += f"| {code} | {meaning} | {at} |\n"
    return text


def _section(core: CoreType) -> str:
    text = f"\n### {core.name}\n\n{core.summary} {_escape(core.rule)}\n"
    rows = [f"- `{s.name}`: {_escape(_describe(s))}" for s in _settings(core)]
    if rows:
        text += "\n" + "\n".join(rows) + "\n"
    if core.faults:
        text += f"\nFaults: {', '.join(core.faults)}.\n"
    return text


def _escape(text: str) -> str:
    """Stars and pipes that Markdown would read."""
    return text.replace("*", "\\*").replace("|", "\\|").replace("<", "&lt;")
