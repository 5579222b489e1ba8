"""Layouts of structs and unions, as the 32-bit ABI of Arm and RISC-V lays them out."""

from __future__ import annotations

import pytest

from tests.firmware.headers import headers_of

REGISTERS = """
#define __IO volatile
typedef struct {
  __IO uint32_t CR;          /* 0x00 */
  __IO uint16_t SR;          /* 0x04 */
  uint16_t RESERVED0;        /* 0x06 */
  __IO uint32_t CCR[4];      /* 0x08 */
  uint32_t RESERVED1[0x10 - 6];  /* 0x18 */
  __IO uint8_t DR;           /* 0x40 */
  __IO uint32_t LAST;        /* 0x44 */
} UART_TypeDef;
"""


def offsets(text: str, name: str) -> dict[str, int]:
    layout = headers_of(text).layout(name)
    assert layout is not None
    assert layout.certain
    return {member.name: member.offset for member in layout.members.values()}


def size(text: str, name: str) -> int:
    layout = headers_of(text).layout(name)
    assert layout is not None
    return layout.size


def test_registers_and_gaps() -> None:
    assert offsets(REGISTERS, "UART_TypeDef") == {
        "CR": 0x00, "SR": 0x04, "RESERVED0": 0x06, "CCR": 0x08, "RESERVED1": 0x18, "DR": 0x40,
        "LAST": 0x44,
    }  # fmt: skip
    assert size(REGISTERS, "UART_TypeDef") == 0x48


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("uint8_t a; uint32_t b; uint8_t c;", {"a": 0, "b": 4, "c": 8}),
        ("uint8_t a; uint64_t b;", {"a": 0, "b": 8}),
        ("union { uint32_t w; struct { uint16_t lo, hi; }; }; uint8_t z;",
         {"w": 0, "lo": 0, "hi": 2, "z": 4}),
        ("struct { uint32_t x; uint32_t y; } p[2]; uint32_t q;", {"p": 0, "q": 16}),
        ("void (*f)(int, char *); int *p, q;", {"f": 0, "p": 4, "q": 8}),
        ("uint8_t a[3]; uint16_t b[2][3]; uint8_t c;", {"a": 0, "b": 4, "c": 16}),
        ("enum { RED, BLUE } colour; uint8_t b;", {"colour": 0, "b": 4}),
        ("const char *name; volatile unsigned long long big;", {"name": 0, "big": 8}),
        ("__attribute__((aligned(4))) uint32_t a; uint32_t b;", {"a": 0, "b": 4}),
        ("#if 0\nuint32_t x;\n#else\nuint16_t x;\n#endif\nuint16_t y;", {"x": 0, "y": 2}),
    ],
)  # fmt: skip
def test_members(body: str, expected: dict[str, int]) -> None:
    assert offsets(f"typedef struct {{\n{body}\n}} T;", "T") == expected


def test_packed() -> None:
    text = "typedef struct { uint8_t a; uint32_t b; } __attribute__((packed)) T;"
    assert offsets(text, "T") == {"a": 0, "b": 1}
    assert size(text, "T") == 5
    assert size("struct __attribute__((packed)) S { uint8_t a; uint16_t b; };", "S") == 3


def test_bit_fields() -> None:
    text = """
    typedef union {
      struct {
        uint32_t en : 1; uint32_t : 3; uint32_t mode : 2; uint32_t rest : 26;
        uint32_t next : 8; uint32_t wide : 30;
      } bit;
      uint32_t reg;
    } CTRL_Type;
    """
    headers = headers_of(text)
    union = headers.layout("CTRL_Type")
    assert union is not None
    inner = headers.reader.layout_of(union.members["bit"].type)
    assert inner is not None
    assert {m.name: (m.offset, m.bits) for m in inner.members.values()} == {
        "en": (0, (0, 1)), "mode": (0, (4, 2)), "rest": (0, (6, 26)), "next": (4, (0, 8)),
        "wide": (8, (0, 30)),
    }  # fmt: skip
    assert union.size == 12


def test_types_by_names_that_lead_to_others() -> None:
    text = """
    struct dev_s { uint32_t a; uint32_t b; };
    typedef struct dev_s dev_t;
    typedef dev_t *dev_p;
    typedef volatile uint8_t reg8;
    typedef struct { dev_t first; reg8 c; dev_p p; } all_t;
    """
    assert offsets(text, "all_t") == {"first": 0, "c": 8, "p": 12}
    pointer = headers_of(text).type("dev_p")
    assert pointer is not None and pointer.kind == "pointer"


def test_enumerators_count_on() -> None:
    headers = headers_of(
        "#define BASE 0x10\n"
        "typedef enum { A = -14, B, C = BASE + 1, D, E = (1 << 3) | C, F = sizeof(int) } e_t;"
    )
    values = [headers.constant(name) for name in "ABCDEF"]
    assert values == [-14, -13, 0x11, 0x12, 0x19, 4]


def test_a_member_of_unknown_size_leaves_the_rest_uncertain() -> None:
    layout = headers_of("typedef struct { other_t a; uint32_t b; } T;").layout("T")
    assert layout is not None
    assert not layout.certain


def test_classes_of_cplusplus() -> None:
    text = """
    class Serial : public Stream {
     public:
      void begin(int baud) { x = baud; }
      int available() const;
     private:
      Sercom *sercom;
      uint8_t pad;
    };
    """
    layout = headers_of(text).layout("Serial")
    assert layout is not None
    assert layout.members["sercom"].type.kind == "pointer"


def test_declarations_that_begin_in_more_than_one_way() -> None:
    text = """
    #if (USE_CALLBACKS == 1)
    typedef struct __handle
    #else
    typedef struct
    #endif
    {
      uint32_t *Instance;
      uint32_t State;
    } handle_t;
    """
    assert offsets(text, "handle_t") == {"Instance": 0, "State": 4}
