"""The player's designs on the disk: nothing is lost, nothing is hidden, nothing is written over."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import InvalidError, UsageError
from levels.generations import older_versions
from levels.names import KEY, clean_name, free_name, generated_name
from levels.shelf import Item, Shelf
from tests.levels.shelf_designs import LEVEL, design, state_of

ANY_TEXT = st.text(st.characters(exclude_categories=[]), max_size=120)


def names(shelf: Shelf) -> list[str]:
    return [item.name for item in shelf.designs(LEVEL)]


def files(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


# --- names -----------------------------------------------------------------------------------------------


@given(ANY_TEXT)
@settings(max_examples=200, deadline=None)
def test_any_text_makes_a_name_that_stays(text: str) -> None:
    name = clean_name(text)
    assert 0 < len(name) <= 80
    assert clean_name(name) == name
    assert name.strip() == name


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("  three\ttaps \n", "three taps"),
        ("\u202egnp.taps", "gnp.taps"),
        ("../../etc/passwd", "../../etc/passwd"),
        ("\x00\u200d\ud800", "design"),
        ("e\u0301", "é"),
        ("ж" * 100, "ж" * 80),
        ("👩‍🚀", "👩‍🚀"),
    ],
)
def test_names(text: str, name: str) -> None:
    assert clean_name(text) == name


def test_a_taken_name_gets_a_number() -> None:
    assert free_name("taps", []) == "taps"
    assert free_name("Taps", ["taps"]) == "Taps 2"
    assert free_name("taps 2", ["taps", "taps 2"]) == "taps 3"
    long = free_name("x" * 90, ["x" * 80])
    assert long == "x" * 78 + " 2"


def test_generated_names_are_the_same_for_the_same_machine() -> None:
    assert generated_name("0123456789abcdef") == generated_name("0123456789abcdef")
    assert len({generated_name(f"{n:016x}") for n in range(500)}) > 490


# --- the shelf -------------------------------------------------------------------------------------------


def test_nothing_is_created_before_something_is_saved(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path / "data")
    assert shelf.designs(LEVEL) == shelf.trashed(LEVEL) == []
    with pytest.raises(InvalidError):
        shelf.load(Item(LEVEL, "001-x-00000000", "x"))
    assert not (tmp_path / "data").exists()


@given(ANY_TEXT, st.integers(0, 10**6))
@settings(max_examples=40, deadline=None)
def test_what_is_saved_is_loaded(tmp_path_factory: pytest.TempPathFactory, name: str, state: int) -> None:
    data = tmp_path_factory.mktemp("data")
    shelf = Shelf(data)
    item = shelf.create(design(0), name)
    shelf.save(item, design(state))
    again = Shelf(data)
    assert again.designs(LEVEL) == [item]
    assert again.load(item) == design(state, item.name)
    assert item.name == (clean_name(name) if name else "three taps")
    assert KEY.fullmatch(item.key)
    assert shelf.path(item).parent.parent == data / "designs" / LEVEL
    assert again.take_notices() == []


def test_folders_are_private(tmp_path: Path) -> None:
    item = Shelf(tmp_path / "data").create(design(1))
    for folder in ("", "designs", f"designs/{LEVEL}", f"designs/{LEVEL}/{item.key}"):
        assert stat.S_IMODE((tmp_path / "data" / folder).stat().st_mode) == 0o700


def test_any_number_of_designs_in_the_order_in_which_they_were_made(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path)
    items = [shelf.create(design(n), name) for n, name in enumerate(["zeta", "alpha", "Zeta", "", "alpha"])]
    assert names(shelf) == ["zeta", "alpha", "Zeta 2", "three taps", "alpha 2"]
    shelf.save(items[1], design(7))
    renamed = shelf.rename(items[0], "alpha")
    assert names(Shelf(tmp_path)) == ["alpha 3", "alpha", "Zeta 2", "three taps", "alpha 2"]
    assert renamed.key == items[0].key
    assert shelf.load(renamed) == design(0, "alpha 3")
    assert shelf.rename(renamed, "alpha 3") == renamed


def test_levels_are_apart(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path)
    shelf.create(design(1))
    other = shelf.create(design(2, level="other"))
    assert names(shelf) == ["three taps"]
    assert shelf.designs("other") == [other]
    with pytest.raises(UsageError):
        shelf.save(other, design(3))


@pytest.mark.parametrize("bad", ["..", "a/b", "", "A", "a\n", "con\x00"])
def test_no_path_is_made_from_what_is_given(tmp_path: Path, bad: str) -> None:
    shelf = Shelf(tmp_path)
    with pytest.raises(UsageError):
        shelf.designs(bad)
    with pytest.raises(UsageError):
        shelf.load(Item(LEVEL, bad, "x"))
    with pytest.raises(UsageError):
        shelf.delete(Item(LEVEL, f"001-x-00000000/{bad}", "x"))


def test_a_duplicate_is_a_design_of_its_own(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path)
    item = shelf.create(design(1))
    copy = shelf.duplicate(item)
    shelf.save(copy, design(2))
    assert state_of(shelf.load(item)) == 1
    assert state_of(shelf.load(copy)) == 2
    assert names(shelf) == ["three taps", "three taps 2"]


def test_delete_and_undo(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path)
    items = [shelf.create(design(n), f"n{n}") for n in range(3)]
    shelf.save(items[1], design(8))
    gone = shelf.delete(items[1])
    assert names(shelf) == ["n0", "n2"]
    assert Shelf(tmp_path).trashed(LEVEL) == [gone]
    assert shelf.restore(gone) == items[1]
    assert names(shelf) == ["n0", "n1", "n2"]
    assert state_of(shelf.load(items[1])) == 8
    assert [state_of(v.design) for v in shelf.older(items[1])] == [1]
    assert shelf.trashed(LEVEL) == []


def test_undo_of_a_delete_meets_a_new_design_of_that_name(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path)
    gone = shelf.delete(shelf.create(design(1)))
    shelf.create(design(2))
    back = shelf.restore(gone)
    assert [(item.name, state_of(shelf.load(item))) for item in shelf.designs(LEVEL)] == [
        ("three taps 2", 1),
        ("three taps", 2),
    ]
    # The same key twice: the design is deleted, saved again by a window that still shows it, deleted again.
    first = shelf.delete(back)
    shelf.save(back, design(3))
    assert [notice.message for notice in shelf.take_notices()] == [
        "The design 'three taps 2' had been deleted elsewhere; it is saved again."
    ]
    second = shelf.delete(back)
    assert {state_of(shelf.load(shelf.restore(item))) for item in (second, first)} == {1, 3}
    assert len(names(shelf)) == len(set(names(shelf))) == 3


def test_older_versions_reach_ever_farther_back(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path)
    item = shelf.create(design(0))
    for state in range(1, 136):
        shelf.save(item, design(state))
    shelf.save(item, design(135))  # no change, no version
    # The version with number n is the state n - 1.
    assert [state_of(v.design) for v in shelf.older(item)] == [134, 133, 129, 119, 99]
    assert len(list(shelf.path(item).parent.iterdir())) == 6


def test_without_second_names_for_files_versions_are_copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.EPERM, "no links here")

    monkeypatch.setattr(os, "link", refuse)
    shelf = Shelf(tmp_path)
    item = shelf.create(design(0))
    shelf.save(item, design(1))
    assert [state_of(v.design) for v in shelf.older(item)] == [0]
    assert state_of(shelf.load(item)) == 1


# --- what goes wrong -------------------------------------------------------------------------------------


def good_text() -> bytes:
    from levels.save import design_text

    return design_text(design(5)).encode()


BROKEN = {
    "empty": b"",
    "truncated": good_text()[: len(good_text()) * 2 // 3],
    "NULs": bytes(len(good_text())),
    "NUL-tail": good_text()[:200] + bytes(100),
    "noise": bytes(range(256)) * 4,
    "newer": good_text().replace(b"perwatt: 1", b"perwatt: 2"),
    "other-level": good_text().replace(LEVEL.encode(), b"first-light-02-match"),
    "a-level": b"perwatt: 1\nkernel: {}\n",
    "huge": b"# " + b"x" * 2**20 + b"\n" + good_text(),
    "list": b"- 1\n- 2\n",
}


@pytest.mark.parametrize("kind", BROKEN)
def test_a_broken_file_is_set_aside_and_its_last_version_comes_back(tmp_path: Path, kind: str) -> None:
    shelf = Shelf(tmp_path)
    items = [shelf.create(design(n), f"n{n}") for n in range(3)]
    shelf.save(items[1], design(8))
    shelf.path(items[1]).write_bytes(BROKEN[kind])

    again = Shelf(tmp_path)
    assert again.designs(LEVEL) == items
    assert state_of(again.load(items[1])) == 1
    (notice,) = again.take_notices()
    assert "'n1'" in notice.message
    assert notice.aside is not None
    assert notice.aside.parent == tmp_path / "set-aside"
    assert notice.aside.name in notice.message
    assert notice.aside.read_bytes() == BROKEN[kind]
    assert again.designs(LEVEL) == items
    assert again.take_notices() == []


@pytest.mark.parametrize("kind", BROKEN)
def test_without_a_good_version_the_others_are_still_there(tmp_path: Path, kind: str) -> None:
    shelf = Shelf(tmp_path)
    items = [shelf.create(design(n), f"n{n}") for n in range(3)]
    shelf.save(items[1], design(8))
    folder = shelf.path(items[1]).parent
    for path in (shelf.path(items[1]), *older_versions(folder)):
        path.write_bytes(BROKEN[kind])

    again = Shelf(tmp_path)
    assert again.designs(LEVEL) == [items[0], items[2]]
    (notice,) = again.take_notices()
    assert "No older version is good" in notice.message
    assert [p.read_bytes() for p in (tmp_path / "set-aside").iterdir()] == [BROKEN[kind]] * 2
    with pytest.raises(InvalidError):
        again.load(items[1])
    assert again.take_notices() == []


@pytest.mark.parametrize("kind", BROKEN)
def test_a_save_never_writes_over_a_broken_file(tmp_path: Path, kind: str) -> None:
    shelf = Shelf(tmp_path)
    item = shelf.create(design(0))
    shelf.path(item).write_bytes(BROKEN[kind])
    shelf.save(item, design(1))
    (notice,) = shelf.take_notices()
    assert notice.aside is not None
    assert notice.aside.read_bytes() == BROKEN[kind]
    assert state_of(shelf.load(item)) == 1


def test_opening_changes_no_file(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path)
    item = shelf.create(design(0))
    path = shelf.path(item)
    path.write_bytes(b"# mine\n" + path.read_bytes().replace(b"1.25", b"1.250"))
    before = files(tmp_path)
    again = Shelf(tmp_path)
    assert [state_of(again.load(i)) for i in again.designs(LEVEL)] == [0]
    assert files(tmp_path) == before


def test_a_missing_file_comes_back_and_foreign_things_are_left_alone(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path)
    item = shelf.create(design(0))
    shelf.save(item, design(1))
    shelf.path(item).unlink()
    folder = tmp_path / "designs" / LEVEL
    (folder / "notes.txt").write_text("mine")
    (folder / "some folder").mkdir()
    (folder / "009-empty-00000000").mkdir()
    (folder / "010-file-00000000").write_text("no folder")
    assert [state_of(shelf.load(i)) for i in shelf.designs(LEVEL)] == [0]
    (notice,) = shelf.take_notices()
    assert "its file is missing" in notice.message
    assert (folder / "notes.txt").read_text() == "mine"
    assert (folder / "some folder").is_dir()


def test_a_folder_in_place_of_the_file_is_set_aside(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path)
    item = shelf.create(design(0))
    shelf.save(item, design(1))
    shelf.path(item).unlink()
    shelf.path(item).mkdir()
    assert state_of(shelf.load(item)) == 0


def test_a_file_that_the_system_refuses_stays_and_is_not_written_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shelf = Shelf(tmp_path)
    items = [shelf.create(design(n), f"n{n}") for n in range(2)]
    locked_path = shelf.path(items[0])
    plain = Path.open

    def refuse(self: Path, *args: object, **more: object) -> object:
        if self == locked_path:
            raise PermissionError(errno.EACCES, "Permission denied")
        return plain(self, *args, **more)  # type: ignore[call-overload]

    again = Shelf(tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(Path, "open", refuse)
        assert again.designs(LEVEL) == [items[1]]
        assert again.designs(LEVEL) == [items[1]]
        with pytest.raises(OSError, match="Permission denied"):
            again.save(items[0], design(9))
    (notice,) = again.take_notices()  # once, however often it is met
    assert "Permission denied" in notice.message
    assert not (tmp_path / "set-aside").exists()
    assert again.designs(LEVEL) == items
    assert state_of(again.load(items[0])) == 0


@pytest.mark.parametrize("place", ["open", "write", "fsync", "replace"])
def test_a_full_disk_leaves_what_was_saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str) -> None:
    shelf = Shelf(tmp_path)
    item = shelf.create(design(0))
    shelf.save(item, design(1))
    before = files(tmp_path)

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        if place == "open":
            plain_open = os.open
            patch.setattr(os, "open", lambda p, *a, **k: plain_open(p, *a, **k) if str(p).endswith(".lock") else full())
        elif place == "write":
            plain_fdopen = os.fdopen

            def fdopen(*args: object, **more: object) -> object:
                stream = plain_fdopen(*args, **more)  # type: ignore[call-overload]
                return _FullStream(stream)

            patch.setattr(os, "fdopen", fdopen)
        elif place == "fsync":
            patch.setattr(os, "fsync", full)
        else:
            patch.setattr(Path, "replace", full)
        for _ in range(8):
            with pytest.raises(OSError, match="No space left"):
                shelf.save(item, design(2))
        with pytest.raises(OSError, match="No space left"):
            shelf.create(design(3))
        assert files(tmp_path) == before
        assert [state_of(shelf.load(i)) for i in shelf.designs(LEVEL)] == [1]
    shelf.save(item, design(2))
    assert state_of(Shelf(tmp_path).load(item)) == 2
    assert shelf.take_notices() == []


class _FullStream:
    """A file on a disk that takes ten more bytes."""

    def __init__(self, stream: object) -> None:
        self.stream = stream

    def __enter__(self) -> _FullStream:
        return self

    def __exit__(self, *_: object) -> None:
        self.stream.close()  # type: ignore[attr-defined]

    def write(self, data: bytes) -> None:
        self.stream.write(data[:10])  # type: ignore[attr-defined]
        raise OSError(errno.ENOSPC, "No space left on device")


def test_a_design_that_no_file_can_hold_is_refused(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path)
    item = shelf.create(design(0))
    before = files(tmp_path)
    with pytest.raises(InvalidError):
        shelf.save(item, design(1).model_copy(update={"note": "\x07"}))
    assert files(tmp_path) == before


def test_another_window_saves_the_same_design(tmp_path: Path) -> None:
    one, two = Shelf(tmp_path), Shelf(tmp_path)
    item = one.create(design(0))
    two.save(item, design(1))
    one.save(item, design(2))
    assert "changed elsewhere" in one.take_notices()[0].message
    assert [state_of(v.design) for v in one.older(item)] == [1, 0]
    assert two.designs(LEVEL) == [item]
    assert state_of(two.load(item)) == 2


def test_a_stopped_process_with_the_lock_does_not_keep_others_from_saving(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from levels import datafolder

    shelf = Shelf(tmp_path)
    item = shelf.create(design(0))
    with datafolder.locked(tmp_path / "designs" / LEVEL) as held:
        assert held
        monkeypatch.setattr(datafolder.locked.__wrapped__, "__defaults__", (0.05,))  # type: ignore[attr-defined]
        shelf.save(item, design(1))
    assert state_of(shelf.load(item)) == 1
