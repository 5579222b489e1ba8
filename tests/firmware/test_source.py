from datasheet_lsp.firmware import Source


def test_lines_end_at_the_line_ends_of_c_only() -> None:
    source = Source(b"a\r\nb\nc\rd\x0ce\xe2\x80\xa8f\x85g\x0bh")
    assert [source.line(i) for i in range(4)] == [
        b"a",
        b"b",
        b"c",
        b"d\x0ce\xe2\x80\xa8f\x85g\x0bh",
    ]
    assert source.line_count == 4


def test_positions_and_offsets_are_each_others_inverse() -> None:
    data = b"ab\r\n\ncd\re"
    source = Source(data)
    assert source.position(0) == (0, 0)
    assert source.position(4) == (1, 0)
    assert source.position(5) == (2, 0)
    assert source.position(6) == (2, 1)
    assert source.position(8) == (3, 0)
    assert source.position(len(data)) == (3, 1)
    for offset in (0, 1, 4, 5, 6, 8, 9):
        assert source.offset(*source.position(offset)) == offset


def test_positions_outside_are_moved_inside() -> None:
    source = Source(b"abc\ndef")
    assert source.offset(0, 99) == 3
    assert source.offset(9, 0) == 7
    assert source.offset(-1, 5) == 0
    assert source.position(99) == (1, 3)
    assert source.line(9) == b""


def test_an_empty_file_has_one_line() -> None:
    source = Source(b"")
    assert source.line_count == 1
    assert source.offset(0, 0) == 0
    assert source.position(0) == (0, 0)


def test_columns_are_bytes() -> None:
    source = Source("/* größe */ x".encode())
    assert source.offset(0, 14) == 14
    assert source.line(0)[14:15] == b"x"
