"""Writing: regular files in one step, everything else as it is."""

from __future__ import annotations

import os
import stat
import threading
from pathlib import Path

import pytest

from levels.writing import is_stream, need_place, replacing, write_file

pipes = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes")


@pipes
def test_a_pipe_is_written_and_stays_a_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.csv"
    os.mkfifo(pipe)
    heard: list[bytes] = []
    reader = threading.Thread(target=lambda: heard.append(pipe.read_bytes()))
    reader.start()
    write_file(pipe, b"words")
    reader.join(10)
    assert heard == [b"words"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert [p.name for p in tmp_path.iterdir()] == ["pipe.csv"]


@pytest.mark.skipif(os.name == "nt", reason="a device by its path")
def test_a_device_stays_a_device(tmp_path: Path) -> None:
    link = tmp_path / "null.csv"
    link.symlink_to(os.devnull)
    assert is_stream(link)
    write_file(link, b"words")
    assert stat.S_ISCHR(Path(os.devnull).stat().st_mode) and link.is_symlink()


def test_what_is_open_already_is_gone_on_with(tmp_path: Path) -> None:
    """Even where it leads to a regular file, which is not begun anew."""
    path = tmp_path / "x.txt"
    with path.open("wb", buffering=0) as stream:
        stream.write(b"one ")
        write_file(Path(f"/dev/fd/{stream.fileno()}"), b"two")
        stream.write(b" three")
    assert path.read_bytes() == b"one two three"
    assert not is_stream(path) and is_stream(Path("/dev/stdout"))


@pytest.mark.parametrize("write", [lambda p: need_place(p), lambda p: write_file(p, b"x")])
def test_a_place_that_is_none_is_told_by_its_name(tmp_path: Path, write: object) -> None:
    (tmp_path / "file").write_text("x")
    for place, told, names in (
        ("none/x.vcd", "there is no such folder; make it first", "none"),
        ("file/x.vcd", "this is a file, no folder", "file"),
        (".", "this is a folder", ""),
    ):
        with pytest.raises(OSError, match=told) as caught:
            write(tmp_path / place)  # type: ignore[operator]
        assert caught.value.filename == str(tmp_path / names)


def test_no_error_names_the_temporary_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.vcd"

    def refuse(*_: object) -> int:
        raise PermissionError(13, "Permission denied", *_[:1])

    with monkeypatch.context() as patched:
        patched.setattr(os, "open", lambda p, *_: refuse(str(p)))
        with pytest.raises(PermissionError) as caught:
            write_file(path, b"x")
    assert caught.value.filename == str(path)
    with pytest.raises(OSError) as clash, replacing(path):
        path.mkdir()  # meanwhile, by somebody else
        (path / "x").touch()
    assert clash.value.filename == str(path)
    assert [p.name for p in tmp_path.iterdir()] == ["x.vcd"]
