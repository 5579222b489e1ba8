"""Instrumentation trace and the trace port."""

from __future__ import annotations

from datasheet_lsp.svd.cores.sources.dwt import architecture, device_type, lock
from datasheet_lsp.svd.cores.sources.notation import (
    SET,
    Cluster,
    Core,
    Field,
    Peripheral,
    Register,
    Value,
    bits,
)


def itm(core: Core) -> Peripheral:
    """ITM as ITM_Type has it. PORT is a union of a byte, a halfword and a word."""
    status = [Field("FIFOREADY", 0, "The port can take a value.", "ro")]
    if core.v8:
        status.insert(0, Field("DISABLED", 1, "The port is off.", "ro"))
    port = Cluster(
        "PORT",
        0x000,
        "Stimulus port %s: what is written is traced; reading tells whether it can take more.",
        32,
        tuple(
            Register(
                f"u{size}",
                0,
                f"Trace {size} bits.",
                size=size,
                fields=(
                    Field("STIMULUS", f"{size - 1}:0", "Value to trace.", "wo"),
                    *status,
                ),
                alternate="" if size == 32 else "u32",
            )
            for size in (32, 16, 8)
        ),
    )
    items: list[Register] = [
        Register(
            "TER",
            0xE00,
            "Switches the stimulus ports on.",
            reset=0,
            fields=(Field("STIMENA", "31:0", "One bit a port."),),
        ),
        Register(
            "TPR",
            0xE40,
            "Which ports unprivileged code may not use.",
            reset=0,
            fields=(Field("PRIVMASK", "3:0", "One bit for eight ports: 1 is privileged only."),),
        ),
        _control(core),
        *_integration(core),
        *lock(0xFB0),
    ]
    if core.v8:
        items += [architecture(0xFBC), device_type(0xFCC)]
    items += _identification(core)
    return Peripheral(
        "ITM",
        0xE000_0000,
        0x1000,
        "Instrumentation trace macrocell: text and values traced by software",
        (port, *items),
    )


def _control(core: Core) -> Register:
    names = {
        4: ("SWOENA", "Count timestamps by the clock of the trace port."),
        3: ("DWTENA", "Pass packets of the DWT on."),
        2: ("SYNCENA", "Emit synchronisation packets."),
        1: ("TSENA", "Emit local timestamps."),
        0: ("ITMENA", "The unit is on."),
    }
    if core.v8:
        names = {5: ("STALLENA", "Stall the core rather than lose packets."), **names}
    return Register(
        "TCR",
        0xE80,
        "Switches the instrumentation trace on.",
        reset=0,
        fields=(
            Field("BUSY", 23, "The unit is handling events.", "ro"),
            Field("TRACEBUSID", "22:16", "Identity on the trace bus; 0 when it is alone."),
            Field(
                "GTSFREQ",
                "11:10",
                "How often global timestamps are emitted.",
                values=(
                    Value("OFF", 0),
                    Value("CYCLES_128", 1, "About every 128 cycles"),
                    Value("CYCLES_8192", 2, "About every 8192 cycles"),
                    Value("ALWAYS", 3, "After every packet"),
                ),
            ),
            Field(
                "TSPRESCALE",
                "9:8",
                "Divider of the local timestamp clock.",
                values=tuple(
                    Value(f"DIV{4**n}", n, f"Divided by {4**n}" if n else "Not divided")
                    for n in range(4)
                ),
            ),
            *bits(names),
        ),
    )


def _integration(core: Core) -> list[Register]:
    if core.v8:
        return [
            Register(
                "ITREAD",
                0xEF0,
                "Signals of the trace bus, for tests.",
                "ro",
                fields=bits({1: ("AFVALID", "A flush is asked for."), 0: ("ATREADY", "Ready.")}),
            ),
            Register(
                "ITWRITE",
                0xEF8,
                "Drives signals of the trace bus, for tests.",
                "wo",
                fields=bits({1: ("AFREADY", "The flush is done."), 0: ("ATVALID", "Valid.")}),
            ),
            _test_mode(0xF00, "ITCTRL"),
        ]
    return [
        Register(
            "IWR",
            0xEF8,
            "Drives ATVALID, for tests.",
            "wo",
            fields=bits({0: ("ATVALIDM", "Value of the signal in integration mode.")}),
        ),
        Register(
            "IRR",
            0xEFC,
            "Shows ATREADY, for tests.",
            "ro",
            fields=bits({0: ("ATREADYM", "Value of the signal in integration mode.")}),
        ),
        Register(
            "IMCR",
            0xF00,
            "Switches integration mode on, for tests.",
            reset=0,
            fields=bits({0: ("INTEGRATION", "Integration mode.")}),
        ),
    ]


def _test_mode(offset: int, name: str) -> Register:
    return Register(
        name,
        offset,
        "Switches integration mode on, for tests.",
        reset=0,
        fields=(
            Field(
                "Mode",
                "1:0",
                "Integration mode.",
                values=(Value("NORMAL", 0), Value("TEST", 1), Value("DATA_TEST", 2)),
            ),
        ),
    )


def _identification(core: Core) -> list[Register]:
    found = [
        Register(f"PID{n}", 0xFD0 + 4 * ((n + 4) % 8), f"Peripheral identification {n}.", "ro")
        for n in (4, 5, 6, 7, 0, 1, 2, 3)
    ]
    # The preamble of every CoreSight component; 0xE0 is a generic IP, 0x90 a debug component.
    values = (0x0D, 0x90 if core.v8 else 0xE0, 0x05, 0xB1)
    found += [
        Register(f"CID{n}", 0xFF0 + 4 * n, f"Component identification {n}.", "ro", reset=value)
        for n, value in enumerate(values)
    ]
    return found


def tpi(core: Core) -> Peripheral:
    """TPI as TPI_Type has it; CMSIS 6 calls it TPIU."""
    items = [
        Register(
            "SSPSR",
            0x000,
            "Possible widths of the parallel port: bit n is n + 1 pins.",
            "ro",
        ),
        Register(
            "CSPSR",
            0x004,
            "Width of the parallel port: one bit set, bit n is n + 1 pins.",
            reset=1,
        ),
        Register(
            "ACPR",
            0x010,
            "Divider of the asynchronous output.",
            reset=0,
            fields=(
                Field("PRESCALER", "12:0", "Divider less 1: SWO bits come at clock / (this + 1)."),
            ),
        ),
        Register(
            "SPPR",
            0x0F0,
            "Protocol of the trace pins.",
            reset=1,
            fields=(
                Field(
                    "TXMODE",
                    "1:0",
                    "Protocol.",
                    values=(
                        Value("PARALLEL", 0, "Parallel port"),
                        Value("SWO_MANCHESTER", 1, "Serial wire output, Manchester"),
                        Value("SWO_NRZ", 2, "Serial wire output, as a UART"),
                    ),
                ),
            ),
        ),
        Register(
            "FFSR",
            0x300,
            "State of the formatter.",
            "ro",
            fields=bits(
                {
                    3: ("FtNonStop", "The formatter cannot be stopped."),
                    2: ("TCPresent", "There is a TRACECTL pin."),
                    1: ("FtStopped", "The formatter has stopped."),
                    0: ("FlInProg", "A flush is going on."),
                }
            ),
        ),
        Register(
            "FFCR",
            0x304,
            "How the formatter works.",
            reset=0x102,
            fields=bits(
                {
                    8: ("TrigIn", "Mark triggers in the stream: always 1."),
                    **(
                        {6: ("FOnMan", "Write 1 to flush; reads 1 while it goes on.")}
                        if core.v8
                        else {}
                    ),
                    1: ("EnFCont", "Format the stream; 0 passes one source through, as SWO needs."),
                }
            ),
        ),
        Register(
            "PSCR",
            0x308,
            "How often synchronisation packets are emitted.",
            fields=(Field("PSCount", "4:0", "Every 2 to the power of this bytes; 0 is never."),),
        )
        if core.v8
        else Register("FSCR", 0x308, "Counter of the formatter's synchronisation.", "ro"),
        Register(
            "TRIGGER",
            0xEE8,
            "Trigger input, for tests.",
            "ro",
            fields=bits({0: ("TRIGGER", "Value of the signal.")}),
        ),
        *_fifos(core),
        _test_mode(0xF00, "ITCTRL"),
        Register(
            "CLAIMSET",
            0xFA0,
            "Claims bits for a debugger; reads which there are.",
            reset=0xF,
            write=SET,
        ),
        Register(
            "CLAIMCLR",
            0xFA4,
            "Gives claimed bits back; reads which are claimed.",
            reset=0,
            write="oneToClear",
        ),
        _device_id(core),
        Register(
            "DEVTYPE",
            0xFCC,
            "What kind of unit this is.",
            "ro",
            reset=0x11,
            fields=(
                Field("SubType", "7:4", "1: trace port."),
                Field("MajorType", "3:0", "1: trace sink."),
            ),
        ),
    ]
    return Peripheral(
        "TPI",
        0xE004_0000,
        0x1000,
        "Trace port interface: parallel trace port and serial wire output",
        tuple(items),
    )


def _fifos(core: Core) -> list[Register]:
    first, second = ("ATB_IF1", "ATB_IF2") if core.v8 else ("ETM", "ITM")
    found = []
    for n, (name, source) in enumerate(
        zip(("ITFTTD0", "ITFTTD1") if core.v8 else ("FIFO0", "FIFO1"), (first, second), strict=True)
    ):
        data = f"{source}_data" if core.v8 else source
        found.append(
            Register(
                name,
                (0xEEC, 0xEFC)[n],
                f"Trace data of input {n + 1} in the queue, for tests.",
                "ro",
                fields=(
                    Field(f"{second}_ATVALID", 29, "Input 2 is valid."),
                    Field(f"{second}_bytecount", "28:27", "Bytes of input 2, less 1."),
                    Field(f"{first}_ATVALID", 26, "Input 1 is valid."),
                    Field(f"{first}_bytecount", "25:24", "Bytes of input 1, less 1."),
                    Field(f"{data}2", "23:16", "Third byte."),
                    Field(f"{data}1", "15:8", "Second byte."),
                    Field(f"{data}0", "7:0", "First byte."),
                ),
            )
        )
    ready = {0: ("ATREADY", "The inputs may send.")}
    if core.v8:
        ready = {1: ("AFVALID", "The inputs are to flush."), **ready}
    return [
        found[0],
        Register(
            "ITATBCTR2",
            0xEF0,
            "Signals to the inputs, for tests.",
            "rw" if core.v8 else "ro",
            fields=bits(ready),
        ),
        Register(
            "ITATBCTR0",
            0xEF8,
            "Signals from the inputs, for tests.",
            "ro",
            fields=bits({0: ("ATVALID", "An input has data.")}),
        ),
        found[1],
    ]


def _device_id(core: Core) -> Register:
    names = {
        11: ("NRZVALID", "Serial wire output as a UART is possible."),
        10: ("MANCVALID", "Serial wire output in Manchester code is possible."),
        9: ("PTINVALID", "There is no parallel port."),
    }
    rest: tuple[Field, ...]
    if core.v8:
        rest = (
            Field("FIFOSZ", "8:6", "Size of the queue, log2 of bytes."),
            Field("NrTraceInput", "5:0", "Number of trace inputs, less 1."),
        )
    else:
        rest = (
            Field("MinBufSz", "8:6", "Size of the queue, log2 of bytes."),
            Field("AsynClkIn", 5, "The trace clock may be asynchronous."),
            Field("NrTraceInput", "4:0", "Number of trace inputs, less 1."),
        )
    return Register("DEVID", 0xFC8, "What the unit can do.", "ro", fields=(*bits(names), *rest))
