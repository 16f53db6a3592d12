"""Finding levels and their designs by name."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.errors import InvalidError
from levels import campaign, designs_beside, find_level, iter_level_files, sibling
from levels.lookup import campaign_root, kind_of

HEAD = "perwatt: 1\nid: {id}\ntitle: {title}\nkernel: {{}}\n"


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    """Two chapters, out of order, with designs, hidden files and things that are no levels."""
    for name, ident, title in [
        ("10-late/01-first.yaml", "late-01-first", "'The: first'"),
        ("7-early/08b-mirror.yaml", "early-08b-mirror", "Mirror"),
        ("7-early/08-map.yaml", "early-08-map", "Map"),
        ("7-early/10-last.yaml", "early-10-last", "Last"),
    ]:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(HEAD.format(id=ident, title=title))
    early = tmp_path / "7-early"
    (early / "11-broken.yaml").write_bytes(b"id: [\n\xff\n")
    for role in ("naive", "best", "wrong-reads", "without-echo", "unheard-of"):
        (early / f"08-map.{role}.yaml").write_text("perwatt: 1\ncores: []\n")
    (early / ".08-map.yaml").write_text(HEAD.format(id="hidden", title="Hidden"))
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "loose.yaml").write_text(HEAD.format(id="loose", title="Loose"))
    return tmp_path


def entries(pack: Path) -> list[tuple[str, int, str, str, str]]:
    return [(e.id, e.chapter, e.number, e.title, e.file) for e in campaign([pack]) if e.root == pack]


def test_campaign_lists_levels_in_order_from_their_heads(pack: Path) -> None:
    assert entries(pack) == [
        ("early-08-map", 7, "08", "Map", "7-early/08-map.yaml"),
        ("early-08b-mirror", 7, "08b", "Mirror", "7-early/08b-mirror.yaml"),
        ("early-10-last", 7, "10", "Last", "7-early/10-last.yaml"),
        ("early-11-broken", 7, "11", "11-broken", "7-early/11-broken.yaml"),
        ("late-01-first", 10, "01", "The: first", "10-late/01-first.yaml"),
    ]


def test_packaged_campaign_agrees_with_its_file_names() -> None:
    for entry in campaign():
        assert entry.root == campaign_root()
        assert entry.path.is_file()
        assert entry.id == f"{entry.chapter_slug}-{entry.path.stem}"


def test_levels_are_found_by_path_id_and_number(pack: Path) -> None:
    mirror = pack / "7-early" / "08b-mirror.yaml"
    for ref in (str(mirror), mirror, "early-08b-mirror", "early/08b", "early/8b", "7/08b"):
        assert find_level(ref, [pack]) == mirror
    for ref, message in [
        ("early-08b-miror", "did you mean early-08b-mirror?"),
        ("early/99", "no such file, nor a level"),
        ("early", "there is no level 'early'"),
        ("x" * 5000, "there is no level 'xxx"),
        ("nul\0", r"there is no level 'nul\\u0000'"),
    ]:
        with pytest.raises(InvalidError, match=message):
            find_level(ref, [pack])


def test_levels_to_check_are_found_by_folder_chapter_and_word(pack: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def names(ref: str | Path) -> list[str]:
        root, found = iter_level_files(ref, [pack])
        return [p.relative_to(root).as_posix() for p in found]

    early = ["08-map.yaml", "08b-mirror.yaml", "10-last.yaml", "11-broken.yaml"]
    everywhere = [*(f"7-early/{name}" for name in early), "10-late/01-first.yaml", "notes/loose.yaml"]
    assert names(pack) == everywhere
    assert names(str(pack / "7-early")) == early
    assert names(pack / "7-early" / "08-map.yaml") == ["08-map.yaml"]
    monkeypatch.chdir(pack)
    assert names("early") == names("7") == [f"7-early/{name}" for name in early]
    assert names("early/8") == names("early-08-map") == ["7-early/08-map.yaml"]
    assert names("levels") == [entry.file for entry in campaign()]
    with pytest.raises(InvalidError, match="did you mean early"):
        iter_level_files("earlly", [pack])


def test_designs_are_known_by_their_role(pack: Path) -> None:
    level = pack / "7-early" / "08-map.yaml"
    assert list(designs_beside(level)) == ["best", "naive", "without-echo", "wrong-reads"]
    assert designs_beside(pack / "7-early" / "08b-mirror.yaml") == {}
    assert kind_of(level) == "level"
    assert kind_of(level.with_name("08-map.best.yaml")) == "design"
    assert kind_of(level.with_name("none.yaml")) is None


def test_files_that_a_level_names_lie_beside_it(pack: Path) -> None:
    level = pack / "7-early" / "08-map.yaml"
    assert sibling(level, "08-map.best.yaml") == level.with_name("08-map.best.yaml")
    (level.parent / "inside.yaml").symlink_to("08-map.best.yaml")
    assert sibling(level, "inside.yaml").name == "inside.yaml"
    (level.parent / "outside.yaml").symlink_to(pack / "notes" / "loose.yaml")
    (level.parent / "folder.yaml").mkdir()
    with (level.parent / "large.yaml").open("wb") as stream:
        stream.truncate(2 * 1024 * 1024)
    for name, code in [
        ("../notes/loose.yaml", "bad-file-name"),
        ("/etc/passwd", "bad-file-name"),
        ("..", "bad-file-name"),
        ("08-map.bset.yaml", "no-such-file"),
        ("outside.yaml", "file-outside"),
        ("folder.yaml", "not-a-file"),
        ("large.yaml", "file-too-large"),
    ]:
        with pytest.raises(InvalidError) as caught:
            sibling(level, name)
        assert [p.code for p in caught.value.problems] == [code]
