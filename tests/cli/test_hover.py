"""``hover``: what an editor shows, by line and column."""

from __future__ import annotations

import json
import shutil
import zipfile
from pathlib import Path

import pytest

from tests.cli.command import CODE, GOLDEN, answer, refused, run

LINES = CODE.split(b"\n")


def place(line: int, code: str) -> str:
    """LINE:COLUMN of the character after ``@``; the column counts bytes from 1, as compilers do."""
    before, _, after = code.partition("@")
    return f"{line}:{LINES[line - 1].index((before + after).encode()) + len(before) + 1}"


@pytest.mark.parametrize(
    ("where", "address", "path", "start", "end"),
    [
        (place(4, "UART1->@CTRL"), 0x40004000, "UART1.CTRL", 2, 13),
        (place(4, "@UART1->CTRL"), 0x40004000, "UART1.CTRL", 2, 13),
        # Byte columns: the comment before it has a letter of two bytes.
        (place(5, "UART2->@DATA"), 0x40005008, "UART2.DATA", 14, 25),
    ],
)
def test_json_says_address_registers_and_range(project, where, address, path, start, end) -> None:
    found = answer("hover", f"{project}/src/main.c:{where}")
    assert set(found) == {"address", "registers", "range", "markdown"}
    assert found["address"] == address
    assert found["registers"][0] == {"device": "GOLD1", "path": path, "address": address}
    line = int(where.split(":")[0])
    assert found["range"] == {
        "start": {"line": line, "column": start},
        "end": {"line": line, "column": end},
    }
    assert found["markdown"].startswith(f"**{path}** ")


def test_elements_of_an_array_give_a_list_of_addresses(project: Path) -> None:
    found = answer("hover", f"src/main.c:{place(6, 'UART1->@FILTER')}", folder=project)
    assert found["address"] == [0x40004010, 0x40004014, 0x40004018, 0x4000401C]


@pytest.mark.parametrize("where", [place(7, "other->@CTRL"), "1:1", "99:1", "4:999"])
def test_where_nothing_is_nothing_is_shown(project: Path, where: str) -> None:
    found = answer("hover", f"src/main.c:{where}", folder=project)
    assert found == {"address": None, "registers": [], "range": None, "markdown": None}
    done = run("hover", f"src/main.c:{where}", folder=project)
    assert (done.returncode, done.stdout) == (0, f"No register is known at src/main.c:{where}.\n")


def test_text_for_the_terminal(project: Path) -> None:
    done = run("hover", f"src/main.c:{place(4, 'UART1->@CTRL')}", folder=project)
    golden = (GOLDEN.parent / "register" / "plain.txt").read_text(encoding="utf-8")
    missing = "\nNo manual indexed for GOLD1 (add one: datasheet-lsp index FILE).\n"
    head, _, rest = done.stdout.partition("\n\nThis line writes 0x01: EN\n\n")
    written, _, rest = rest.partition("\n\n")
    rows = [line.split()[:5] for line in written.splitlines()]
    assert ["15:8", "DIV", "1", "->", "0"] in rows and ["0", "EN", "0", "->", "1"] in rows
    assert f"{head}\n\n{rest}" == golden + missing


def test_svd_overrides_the_workspace(project: Path, tmp_path: Path) -> None:
    text = GOLDEN.read_text(encoding="utf-8").replace("0x40004000", "0x50004000")
    (tmp_path / "other.svd").write_text(text, encoding="utf-8")
    where = f"src/main.c:{place(4, 'UART1->@CTRL')}"
    found = answer("hover", where, "--svd", tmp_path / "other.svd", folder=project)
    assert found["address"] == 0x50004000


def test_a_pack_with_its_device(project: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "x.pack", "w") as pack:
        pack.write(GOLDEN, "one.svd")
        pack.writestr("two.svd", GOLDEN.read_text("utf-8").replace("0x40004000", "0x60004000"))
    where = f"src/main.c:{place(4, 'UART1->@CTRL')}"
    arguments = ["hover", where, "--svd", tmp_path / "x.pack"]
    assert answer(*arguments, "--device", "two", folder=project)["address"] == 0x60004000
    assert "2 SVD files" in refused(*arguments, folder=project)


def test_device_chooses_between_two(project: Path) -> None:
    text = GOLDEN.read_text(encoding="utf-8").replace("GOLD1", "GOLD2").replace("40004", "70004")
    (project / "two.svd").write_text(text, encoding="utf-8")
    (project / "datasheet.toml").write_text(
        '[[context]]\nsvd = "chip.svd"\n[[context]]\nsvd = "two.svd"\n'
    )
    where = f"src/main.c:{place(4, 'UART1->@CTRL')}"
    both = answer("hover", where, folder=project)
    assert both["address"] == [0x40004000, 0x70004000]
    assert "(GOLD1)" in both["markdown"] and "(GOLD2)" in both["markdown"]
    one = answer("hover", where, "--device", "gold2", folder=project)
    assert one["address"] == 0x70004000
    assert "GOLD1" in refused("hover", where, "--device", "GOLD3", folder=project)


def test_the_choice_may_stand_before_the_verb(project: Path, tmp_path: Path) -> None:
    text = GOLDEN.read_text(encoding="utf-8").replace("0x40004000", "0x50004000")
    (tmp_path / "other.svd").write_text(text, encoding="utf-8")
    where = f"src/main.c:{place(4, 'UART1->@CTRL')}"
    first = ["--svd", tmp_path / "other.svd", "--device=whatever"]
    assert answer(*first, "hover", where, folder=project)["address"] == 0x50004000


def test_device_picks_an_svd_that_nothing_else_chooses(project: Path) -> None:
    (project / "chip.svd").rename(project / "STM32F103.svd")
    text = GOLDEN.read_text(encoding="utf-8").replace("0x40004000", "0x50004000")
    (project / "STM32F407.svd").write_text(text.replace("GOLD1", "STM32F407"), encoding="utf-8")
    where = f"src/main.c:{place(4, 'UART1->@CTRL')}"
    assert "STM32F407.svd" in refused("hover", where, folder=project)
    found = answer("hover", where, "--device", "STM32F407VGT6", folder=project)
    assert found["address"] == 0x50004000


def test_batch_gives_a_line_of_json_for_each_place(project: Path) -> None:
    good = f"src/main.c:{place(4, 'UART1->@CTRL')}"
    places = [good, "src/main.c:1:1", "src/gone.c:1:1", "nonsense", good]
    done = run("hover", "--batch", "-", folder=project, text="\n".join(places) + "\n\n")
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert [line["place"] for line in found] == places
    addresses = [line["address"] for line in found]
    assert addresses == [0x40004000, None, None, None, 0x40004000]
    assert ["error" in line for line in found] == [False, False, True, True, False]
    assert done.returncode == 1 and done.stderr == ""
    (project / "places").write_text(good + "\r\n", encoding="utf-8-sig")
    done = run("hover", "--batch", "places", folder=project)
    assert done.returncode == 0 and json.loads(done.stdout)["address"] == 0x40004000


def test_a_drive_s_colon_is_part_of_the_file() -> None:
    from datasheet_lsp.cli.hover import parse_place

    assert parse_place(r"C:\fw\main.c:12:5") == (Path(r"C:\fw\main.c"), 12, 5)
    assert parse_place("a:b.c:1:2") == (Path("a:b.c"), 1, 2)


def test_a_file_that_is_not_there(project: Path) -> None:
    assert "gone.c cannot be read" in refused("hover", "src/gone.c:1:1", folder=project)
    assert "none.svd is not there" in refused(
        "hover", "src/main.c:4:2", "--svd", "none.svd", folder=project
    )


def test_without_any_svd_it_says_so(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "main.c").write_bytes(CODE)
    assert "--svd" in refused("hover", "main.c:4:2", folder=tmp_path)


def test_the_nearest_project_with_a_device_counts(project: Path) -> None:
    """A build file may stand in any folder; only a folder that has a device ends the search."""
    (project / "src" / "Makefile").write_text("all:\n\tcc main.c\n")
    found = answer("hover", f"src/main.c:{place(4, 'UART1->@CTRL')}", folder=project)
    assert found["address"] == 0x40004000
    inner = project / "board"
    shutil.copytree(project / "src", inner / "src")
    text = GOLDEN.read_text(encoding="utf-8").replace("0x40004000", "0x48004000")
    (inner / "inner.svd").write_text(text, encoding="utf-8")
    found = answer("hover", f"{inner}/src/main.c:{place(4, 'UART1->@CTRL')}")
    assert found["address"] == 0x48004000


def test_an_index_is_kept_in_a_project_and_nowhere_else(project: Path, tmp_path: Path) -> None:
    where = place(4, "UART1->@CTRL")
    answer("hover", f"{project}/src/main.c:{where}")
    assert (project / ".datasheet" / "index.sqlite").is_file()
    loose = tmp_path / "loose"
    shutil.copytree(project / "src", loose)
    answer("hover", f"{loose}/main.c:{where}", "--svd", GOLDEN)
    assert sorted(path.name for path in loose.iterdir()) == ["main.c"]


def test_from_the_top_of_a_project_all_of_it_is_meant(tmp_path: Path) -> None:
    for name, data in {
        "svd/chip.svd": GOLDEN.read_bytes(),
        "board/Makefile": b"all:\n",
        "board/m.c": b"void f(void) { UART1->CTRL = 1; }\n",
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(data)
    done = run("hover", "board/m.c:1:18", folder=tmp_path)
    assert done.stdout.startswith("UART1.CTRL "), done.stdout + done.stderr
    assert not (tmp_path / ".datasheet").exists()
