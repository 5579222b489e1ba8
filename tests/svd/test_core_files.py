"""What the files of the core peripherals say.

Numbers are written by hand from the Armv6-M, Armv7-M and Armv8-M Architecture Reference Manuals,
the cores' Technical Reference Manuals and user guides, and the structures of CMSIS-Core.
"""

from __future__ import annotations

from importlib.resources import files

import pytest
from lxml import etree

from datasheet_lsp.model import Lookup, Register
from datasheet_lsp.svd import parse_svd
from datasheet_lsp.svd.cores.sources.families import CORES, render

FILES = (
    "cortex-m0.svd",
    "cortex-m0plus.svd",
    "cortex-m3.svd",
    "cortex-m4.svd",
    "cortex-m7.svd",
    "cortex-m23.svd",
    "cortex-m33.svd",
)
M0, M0P, M3, M4, M7, M23, M33 = FILES
V6 = (M0, M0P)
V7 = (M3, M4, M7)
V8 = (M23, M33)
MAIN = (*V7, M33)


def data(name: str) -> bytes:
    return files("datasheet_lsp.svd.cores").joinpath(name).read_bytes()


@pytest.fixture(scope="module")
def cores() -> dict[str, Lookup]:
    return {name: Lookup(parse_svd(data(name), name)) for name in FILES}


def one(lookup: Lookup, path: str) -> Register:
    found = lookup.find(path)
    assert len(found) == 1, path
    assert found[0].register is not None
    return found[0].register


# Addresses and widths -------------------------------------------------------------------

PLACES: list[tuple[str, int, int, tuple[str, ...]]] = [
    ("SysTick.CTRL", 0xE000E010, 32, FILES),
    ("SysTick.LOAD", 0xE000E014, 32, FILES),
    ("SysTick.VAL", 0xE000E018, 32, FILES),
    ("SysTick.CALIB", 0xE000E01C, 32, FILES),
    ("NVIC.ISER[0]", 0xE000E100, 32, FILES),
    ("NVIC.ISER[7]", 0xE000E11C, 32, (*V7, *V8)),
    ("NVIC.ISER[15]", 0xE000E13C, 32, V8),
    ("NVIC.ICER[0]", 0xE000E180, 32, FILES),
    ("NVIC.ISPR[0]", 0xE000E200, 32, FILES),
    ("NVIC.ICPR[0]", 0xE000E280, 32, FILES),
    ("NVIC.IABR[7]", 0xE000E31C, 32, (*V7, *V8)),
    ("NVIC.ITNS[0]", 0xE000E380, 32, V8),
    ("NVIC.ITNS[15]", 0xE000E3BC, 32, V8),
    ("NVIC.IP[0]", 0xE000E400, 32, V6),
    ("NVIC.IP[7]", 0xE000E41C, 32, V6),
    ("NVIC.IPR[7]", 0xE000E41C, 32, V6),
    ("NVIC.IP[0]", 0xE000E400, 8, V7),
    ("NVIC.IP[38]", 0xE000E426, 8, V7),
    ("NVIC.IP[239]", 0xE000E4EF, 8, V7),
    ("NVIC.IPR[239]", 0xE000E4EF, 8, V7),
    ("NVIC.IPR[123]", 0xE000E5EC, 32, (M23,)),
    ("NVIC.IPR[495]", 0xE000E5EF, 8, (M33,)),
    ("NVIC.STIR", 0xE000EF00, 32, MAIN),
    ("SCB.CPUID", 0xE000ED00, 32, FILES),
    ("SCB.ICSR", 0xE000ED04, 32, FILES),
    ("SCB.VTOR", 0xE000ED08, 32, (M0P, *V7, *V8)),
    ("SCB.AIRCR", 0xE000ED0C, 32, FILES),
    ("SCB.SCR", 0xE000ED10, 32, FILES),
    ("SCB.CCR", 0xE000ED14, 32, FILES),
    ("SCB.SHP[0]", 0xE000ED1C, 32, V6),
    ("SCB.SHP[1]", 0xE000ED20, 32, V6),
    ("SCB.SHP[0]", 0xE000ED18, 8, (M3, M4)),
    ("SCB.SHP[11]", 0xE000ED23, 8, (M3, M4)),
    ("SCB.SHPR[11]", 0xE000ED23, 8, MAIN),
    ("SCB.SHPR[1]", 0xE000ED20, 32, (*V6, M23)),
    ("SCB.SHCSR", 0xE000ED24, 32, FILES),
    ("SCB.CFSR", 0xE000ED28, 32, MAIN),
    ("SCB.HFSR", 0xE000ED2C, 32, MAIN),
    ("SCB.DFSR", 0xE000ED30, 32, MAIN),
    ("SCB.MMFAR", 0xE000ED34, 32, MAIN),
    ("SCB.BFAR", 0xE000ED38, 32, MAIN),
    ("SCB.AFSR", 0xE000ED3C, 32, MAIN),
    ("SCB.PFR[1]", 0xE000ED44, 32, (M3, M4)),
    ("SCB.DFR", 0xE000ED48, 32, (M3, M4)),
    ("SCB.ADR", 0xE000ED4C, 32, (M3, M4)),
    ("SCB.MMFR[3]", 0xE000ED5C, 32, (M3, M4)),
    ("SCB.ISAR[4]", 0xE000ED70, 32, (M3, M4)),
    ("SCB.ID_PFR[0]", 0xE000ED40, 32, MAIN),
    ("SCB.ID_DFR", 0xE000ED48, 32, MAIN),
    ("SCB.ID_AFR", 0xE000ED4C, 32, MAIN),
    ("SCB.ID_MFR[3]", 0xE000ED5C, 32, (M7,)),
    ("SCB.ID_MMFR[3]", 0xE000ED5C, 32, MAIN),
    ("SCB.ID_ISAR[4]", 0xE000ED70, 32, MAIN),
    ("SCB.ID_ISAR[5]", 0xE000ED74, 32, (M33,)),
    ("SCB.CLIDR", 0xE000ED78, 32, (M7, M33)),
    ("SCB.CTR", 0xE000ED7C, 32, (M7, M33)),
    ("SCB.CCSIDR", 0xE000ED80, 32, (M7, M33)),
    ("SCB.CSSELR", 0xE000ED84, 32, (M7, M33)),
    ("SCB.CPACR", 0xE000ED88, 32, MAIN),
    ("SCB.NSACR", 0xE000ED8C, 32, (M33,)),
    ("SCB.SFSR", 0xE000EDE4, 32, (M33,)),
    ("SCB.SFAR", 0xE000EDE8, 32, (M33,)),
    ("SCB.STIR", 0xE000EF00, 32, MAIN),
    ("SCB.MVFR0", 0xE000EF40, 32, (M7, M33)),
    ("SCB.ICIALLU", 0xE000EF50, 32, (M7, M33)),
    ("SCB.ICIMVAU", 0xE000EF58, 32, (M7, M33)),
    ("SCB.DCIMVAC", 0xE000EF5C, 32, (M7, M33)),
    ("SCB.DCISW", 0xE000EF60, 32, (M7, M33)),
    ("SCB.DCCMVAU", 0xE000EF64, 32, (M7, M33)),
    ("SCB.DCCMVAC", 0xE000EF68, 32, (M7, M33)),
    ("SCB.DCCSW", 0xE000EF6C, 32, (M7, M33)),
    ("SCB.DCCIMVAC", 0xE000EF70, 32, (M7, M33)),
    ("SCB.DCCISW", 0xE000EF74, 32, (M7, M33)),
    ("SCB.BPIALL", 0xE000EF78, 32, (M7, M33)),
    ("SCB.ITCMCR", 0xE000EF90, 32, (M7,)),
    ("SCB.DTCMCR", 0xE000EF94, 32, (M7,)),
    ("SCB.AHBPCR", 0xE000EF98, 32, (M7,)),
    ("SCB.CACR", 0xE000EF9C, 32, (M7,)),
    ("SCB.AHBSCR", 0xE000EFA0, 32, (M7,)),
    ("SCB.ABFSR", 0xE000EFA8, 32, (M7,)),
    ("SCnSCB.ICTR", 0xE000E004, 32, MAIN),
    ("SCnSCB.ACTLR", 0xE000E008, 32, MAIN),
    ("SCnSCB.CPPWR", 0xE000E00C, 32, (M33,)),
    ("MPU.TYPE", 0xE000ED90, 32, FILES[1:]),
    ("MPU.CTRL", 0xE000ED94, 32, FILES[1:]),
    ("MPU.RNR", 0xE000ED98, 32, FILES[1:]),
    ("MPU.RBAR", 0xE000ED9C, 32, FILES[1:]),
    ("MPU.RASR", 0xE000EDA0, 32, (M0P, *V7)),
    ("MPU.RBAR_A1", 0xE000EDA4, 32, MAIN),
    ("MPU.RASR_A3", 0xE000EDB8, 32, V7),
    ("MPU.RLAR", 0xE000EDA0, 32, V8),
    ("MPU.RLAR_A3", 0xE000EDB8, 32, (M33,)),
    ("MPU.MAIR0", 0xE000EDC0, 32, V8),
    ("MPU.MAIR[1]", 0xE000EDC4, 32, V8),
    ("SAU.CTRL", 0xE000EDD0, 32, V8),
    ("SAU.RLAR", 0xE000EDE0, 32, V8),
    ("SAU.SFSR", 0xE000EDE4, 32, (M33,)),
    ("CoreDebug.DHCSR", 0xE000EDF0, 32, (*V7, *V8)),
    ("CoreDebug.DCRSR", 0xE000EDF4, 32, (*V7, *V8)),
    ("CoreDebug.DCRDR", 0xE000EDF8, 32, (*V7, *V8)),
    ("CoreDebug.DEMCR", 0xE000EDFC, 32, (*V7, *V8)),
    ("DCB.DEMCR", 0xE000EDFC, 32, (*V7, *V8)),
    ("DCB.DAUTHCTRL", 0xE000EE04, 32, V8),
    ("DCB.DSCSR", 0xE000EE08, 32, V8),
    ("FPU.FPCCR", 0xE000EF34, 32, (M4, M7, M33)),
    ("FPU.FPCAR", 0xE000EF38, 32, (M4, M7, M33)),
    ("FPU.FPDSCR", 0xE000EF3C, 32, (M4, M7, M33)),
    ("FPU.MVFR0", 0xE000EF40, 32, (M4, M7, M33)),
    ("FPU.MVFR2", 0xE000EF48, 32, (M4, M7, M33)),
    ("DWT.CTRL", 0xE0001000, 32, (*V7, *V8)),
    ("DWT.CYCCNT", 0xE0001004, 32, MAIN),
    ("DWT.FOLDCNT", 0xE0001018, 32, MAIN),
    ("DWT.PCSR", 0xE000101C, 32, (*V7, *V8)),
    ("DWT.COMP0", 0xE0001020, 32, (*V7, *V8)),
    ("DWT.MASK3", 0xE0001054, 32, V7),
    ("DWT.FUNCTION3", 0xE0001058, 32, (*V7, *V8)),
    ("DWT.LAR", 0xE0001FB0, 32, (M7,)),
    ("ITM.PORT[0].u8", 0xE0000000, 8, MAIN),
    ("ITM.PORT[0].u16", 0xE0000000, 16, MAIN),
    ("ITM.PORT[0].u32", 0xE0000000, 32, MAIN),
    ("ITM.PORT[31].u32", 0xE000007C, 32, MAIN),
    ("ITM.TER", 0xE0000E00, 32, MAIN),
    ("ITM.TPR", 0xE0000E40, 32, MAIN),
    ("ITM.TCR", 0xE0000E80, 32, MAIN),
    ("ITM.LAR", 0xE0000FB0, 32, MAIN),
    ("TPI.CSPSR", 0xE0040004, 32, (*V7, *V8)),
    ("TPI.ACPR", 0xE0040010, 32, (*V7, *V8)),
    ("TPI.SPPR", 0xE00400F0, 32, (*V7, *V8)),
    ("TPI.FFCR", 0xE0040304, 32, (*V7, *V8)),
    ("TPI.FSCR", 0xE0040308, 32, V7),
    ("TPI.PSCR", 0xE0040308, 32, V8),
    ("TPIU.DEVID", 0xE0040FC8, 32, (*V7, *V8)),
    ("ERRBNK.DEBR1", 0xE000EFBC, 32, (M7,)),
    ("DIB.DAUTHSTATUS", 0xE000EFB8, 32, V8),
    ("DIB.DDEVTYPE", 0xE000EFCC, 32, V8),
    ("SysTick_NS.CTRL", 0xE002E010, 32, V8),
    ("NVIC_NS.ISER[0]", 0xE002E100, 32, V8),
    ("SCB_NS.VTOR", 0xE002ED08, 32, V8),
    ("MPU_NS.CTRL", 0xE002ED94, 32, V8),
    ("FPU_NS.FPCCR", 0xE002EF34, 32, (M33,)),
    ("CoreDebug_NS.DEMCR", 0xE002EDFC, 32, V8),
]


@pytest.mark.parametrize(("path", "address", "size", "where"), PLACES, ids=lambda v: str(v)[:40])
def test_register_stands_where_the_architecture_puts_it(
    cores: dict[str, Lookup], path: str, address: int, size: int, where: tuple[str, ...]
) -> None:
    for name in where:
        found = cores[name].find(path)
        assert [at.address for at in found] == [address], name
        assert found[0].register is not None
        assert found[0].register.size == size, name


@pytest.mark.parametrize(
    ("path", "where"),
    [
        ("SCB.VTOR", (M0,)),
        ("SCB.CFSR", (M0, M0P, M23)),
        ("SCB.HFSR", (M0, M0P, M23)),
        ("SCB.CPACR", (M0, M0P, M23)),
        ("SCB.CLIDR", (M0, M0P, M3, M4, M23)),
        ("SCB.ITCMCR", (M0, M0P, M3, M4, M23, M33)),
        ("NVIC.IABR[0]", V6),
        ("NVIC.ISER[1]", V6),
        ("NVIC.ISER[8]", V7),
        ("NVIC.IP[8]", V6),
        ("NVIC.IP[240]", V7),
        ("NVIC.ITNS[0]", (*V6, *V7)),
        ("NVIC.STIR", (*V6, M23)),
        ("SCnSCB", (*V6, M23)),
        ("MPU", (M0,)),
        ("MPU.RBAR_A1", (M0P, M23)),
        ("MPU.RASR", V8),
        ("FPU", (M0, M0P, M3, M23)),
        ("SAU", (*V6, *V7)),
        ("SAU.SFSR", (M23,)),
        ("DWT", V6),
        ("DWT.CYCCNT", (M23,)),
        ("DWT.MASK0", V8),
        ("ITM", (*V6, M23)),
        ("CoreDebug", V6),
        ("SCB_NS", (*V6, *V7)),
        ("SAU_NS", V8),
    ],
)
def test_core_has_not_what_only_others_have(
    cores: dict[str, Lookup], path: str, where: tuple[str, ...]
) -> None:
    for name in where:
        assert cores[name].find(path) == [], name


# Bits -----------------------------------------------------------------------------------

BITS: list[tuple[str, int, int, tuple[str, ...]]] = [
    ("SysTick.CTRL.ENABLE", 0, 0, FILES),
    ("SysTick.CTRL.TICKINT", 1, 1, FILES),
    ("SysTick.CTRL.CLKSOURCE", 2, 2, FILES),
    ("SysTick.CTRL.COUNTFLAG", 16, 16, FILES),
    ("SysTick.LOAD.RELOAD", 0, 23, FILES),
    ("SysTick.CALIB.NOREF", 31, 31, FILES),
    ("NVIC.IP[3].PRI_N1", 14, 15, V6),
    ("NVIC.IPR[3].PRI_N3", 30, 31, (M23,)),
    ("NVIC.IP[3].PRI", 0, 7, V7),
    ("NVIC.STIR.INTID", 0, 8, MAIN),
    ("SCB.CPUID.PARTNO", 4, 15, FILES),
    ("SCB.ICSR.NMIPENDSET", 31, 31, (*V6, *V7)),
    ("SCB.ICSR.PENDNMISET", 31, 31, V8),
    ("SCB.ICSR.PENDNMICLR", 30, 30, V8),
    ("SCB.ICSR.PENDSVSET", 28, 28, FILES),
    ("SCB.ICSR.PENDSTCLR", 25, 25, FILES),
    ("SCB.ICSR.VECTPENDING", 12, 20, FILES),
    ("SCB.ICSR.RETTOBASE", 11, 11, (*V7, *V8)),
    ("SCB.ICSR.VECTACTIVE", 0, 8, FILES),
    ("SCB.VTOR.TBLOFF", 8, 31, (M0P,)),
    ("SCB.VTOR.TBLOFF", 7, 31, (*V7, *V8)),
    ("SCB.AIRCR.VECTKEY", 16, 31, FILES),
    ("SCB.AIRCR.PRIGROUP", 8, 10, MAIN),
    ("SCB.AIRCR.SYSRESETREQ", 2, 2, FILES),
    ("SCB.AIRCR.SYSRESETREQS", 3, 3, V8),
    ("SCB.AIRCR.PRIS", 14, 14, V8),
    ("SCB.AIRCR.BFHFNMINS", 13, 13, V8),
    ("SCB.SCR.SLEEPONEXIT", 1, 1, FILES),
    ("SCB.SCR.SLEEPDEEP", 2, 2, FILES),
    ("SCB.SCR.SEVONPEND", 4, 4, FILES),
    ("SCB.CCR.UNALIGN_TRP", 3, 3, FILES),
    ("SCB.CCR.STKALIGN", 9, 9, (*V6, *V7)),
    ("SCB.CCR.DIV_0_TRP", 4, 4, MAIN),
    ("SCB.CCR.BFHFNMIGN", 8, 8, MAIN),
    ("SCB.CCR.DC", 16, 16, (M7, M33)),
    ("SCB.CCR.IC", 17, 17, (M7, M33)),
    ("SCB.CCR.BP", 18, 18, (M7, M33)),
    ("SCB.SHCSR.MEMFAULTENA", 16, 16, MAIN),
    ("SCB.SHCSR.BUSFAULTENA", 17, 17, MAIN),
    ("SCB.SHCSR.USGFAULTENA", 18, 18, MAIN),
    ("SCB.SHCSR.SECUREFAULTENA", 19, 19, (M33,)),
    ("SCB.SHCSR.SVCALLPENDED", 15, 15, FILES),
    ("SCB.SHCSR.SYSTICKACT", 11, 11, (*V7, *V8)),
    ("SCB.CFSR.IACCVIOL", 0, 0, MAIN),
    ("SCB.CFSR.DACCVIOL", 1, 1, MAIN),
    ("SCB.CFSR.MUNSTKERR", 3, 3, MAIN),
    ("SCB.CFSR.MSTKERR", 4, 4, MAIN),
    ("SCB.CFSR.MLSPERR", 5, 5, (M4, M7, M33)),
    ("SCB.CFSR.MMARVALID", 7, 7, MAIN),
    ("SCB.CFSR.IBUSERR", 8, 8, MAIN),
    ("SCB.CFSR.PRECISERR", 9, 9, MAIN),
    ("SCB.CFSR.IMPRECISERR", 10, 10, MAIN),
    ("SCB.CFSR.UNSTKERR", 11, 11, MAIN),
    ("SCB.CFSR.STKERR", 12, 12, MAIN),
    ("SCB.CFSR.LSPERR", 13, 13, (M4, M7, M33)),
    ("SCB.CFSR.BFARVALID", 15, 15, MAIN),
    ("SCB.CFSR.UNDEFINSTR", 16, 16, MAIN),
    ("SCB.CFSR.INVSTATE", 17, 17, MAIN),
    ("SCB.CFSR.INVPC", 18, 18, MAIN),
    ("SCB.CFSR.NOCP", 19, 19, MAIN),
    ("SCB.CFSR.STKOF", 20, 20, (M33,)),
    ("SCB.CFSR.UNALIGNED", 24, 24, MAIN),
    ("SCB.CFSR.DIVBYZERO", 25, 25, MAIN),
    ("SCB.HFSR.VECTTBL", 1, 1, MAIN),
    ("SCB.HFSR.FORCED", 30, 30, MAIN),
    ("SCB.HFSR.DEBUGEVT", 31, 31, MAIN),
    ("SCB.DFSR.EXTERNAL", 4, 4, MAIN),
    ("SCB.CPACR.CP10", 20, 21, (M4, M7, M33)),
    ("SCB.CPACR.CP11", 22, 23, (M4, M7, M33)),
    ("SCB.NSACR.CP10", 10, 10, (M33,)),
    ("SCB.CCSIDR.NUMSETS", 13, 27, (M7,)),
    ("SCB.CCSIDR.ASSOCIATIVITY", 3, 12, (M7,)),
    ("SCB.DCCISW.SET", 5, 13, (M7,)),
    ("SCB.DCCISW.WAY", 30, 31, (M7,)),
    ("SCB.ITCMCR.SZ", 3, 6, (M7,)),
    ("SCnSCB.ICTR.INTLINESNUM", 0, 3, MAIN),
    ("SCnSCB.ACTLR.DISFOLD", 2, 2, MAIN),
    ("SCnSCB.ACTLR.DISDEFWBUF", 1, 1, (M3, M4)),
    ("SCnSCB.ACTLR.DISFPCA", 8, 8, (M4,)),
    ("SCnSCB.ACTLR.DISDYNADD", 26, 26, (M7,)),
    ("MPU.TYPE.DREGION", 8, 15, FILES[1:]),
    ("MPU.CTRL.PRIVDEFENA", 2, 2, FILES[1:]),
    ("MPU.RBAR.ADDR", 8, 31, (M0P,)),
    ("MPU.RBAR.ADDR", 5, 31, V7),
    ("MPU.RBAR.VALID", 4, 4, (M0P, *V7)),
    ("MPU.RASR.SIZE", 1, 5, (M0P, *V7)),
    ("MPU.RASR.SRD", 8, 15, (M0P, *V7)),
    ("MPU.RASR.TEX", 19, 21, V7),
    ("MPU.RASR.AP", 24, 26, (M0P, *V7)),
    ("MPU.RASR.XN", 28, 28, (M0P, *V7)),
    ("MPU.RBAR.BASE", 5, 31, V8),
    ("MPU.RBAR.SH", 3, 4, V8),
    ("MPU.RBAR.AP", 1, 2, V8),
    ("MPU.RLAR.AttrIndx", 1, 3, V8),
    ("MPU.MAIR1.Attr7", 24, 31, V8),
    ("SAU.CTRL.ALLNS", 1, 1, V8),
    ("SAU.RLAR.NSC", 1, 1, V8),
    ("SAU.SFSR.LSERR", 7, 7, (M33,)),
    ("FPU.FPCCR.LSPACT", 0, 0, (M4, M7, M33)),
    ("FPU.FPCCR.LSPEN", 30, 30, (M4, M7, M33)),
    ("FPU.FPCCR.ASPEN", 31, 31, (M4, M7, M33)),
    ("FPU.FPCCR.TS", 26, 26, (M33,)),
    ("FPU.FPDSCR.RMode", 22, 23, (M4, M7, M33)),
    ("DWT.CTRL.CYCCNTENA", 0, 0, MAIN),
    ("DWT.CTRL.POSTPRESET", 1, 4, MAIN),
    ("DWT.CTRL.SYNCTAP", 10, 11, MAIN),
    ("DWT.CTRL.NOCYCCNT", 25, 25, (*V7, *V8)),
    ("DWT.CTRL.NUMCOMP", 28, 31, (*V7, *V8)),
    ("DWT.CTRL.CYCDISS", 23, 23, (M33,)),
    ("DWT.FUNCTION0.CYCMATCH", 7, 7, V7),
    ("DWT.FUNCTION1.DATAVMATCH", 8, 8, V7),
    ("DWT.FUNCTION0.MATCHED", 24, 24, (*V7, *V8)),
    ("DWT.FUNCTION0.ACTION", 4, 5, V8),
    ("ITM.TCR.ITMENA", 0, 0, MAIN),
    ("ITM.TCR.TRACEBUSID", 16, 22, MAIN),
    ("ITM.TCR.STALLENA", 5, 5, (M33,)),
    ("ITM.TPR.PRIVMASK", 0, 3, MAIN),
    ("TPI.ACPR.PRESCALER", 0, 12, (*V7, *V8)),
    ("TPI.SPPR.TXMODE", 0, 1, (*V7, *V8)),
    ("TPI.FFCR.EnFCont", 1, 1, (*V7, *V8)),
    ("CoreDebug.DEMCR.TRCENA", 24, 24, (*V7, *V8)),
    ("CoreDebug.DEMCR.MON_EN", 16, 16, MAIN),
    ("CoreDebug.DEMCR.VC_HARDERR", 10, 10, (*V7, *V8)),
    ("CoreDebug.DHCSR.C_DEBUGEN", 0, 0, (*V7, *V8)),
    ("CoreDebug.DHCSR.DBGKEY", 16, 31, (*V7, *V8)),
    ("CoreDebug.DHCSR.S_HALT", 17, 17, (*V7, *V8)),
]


@pytest.mark.parametrize(("path", "lsb", "msb", "where"), BITS, ids=lambda v: str(v)[:40])
def test_field_has_the_bits_of_the_architecture(
    cores: dict[str, Lookup], path: str, lsb: int, msb: int, where: tuple[str, ...]
) -> None:
    for name in where:
        found = cores[name].find(path)
        assert [(at.field.lsb, at.field.msb) for at in found if at.field] == [(lsb, msb)], name


@pytest.mark.parametrize(
    ("path", "where"),
    [
        ("SCB.CFSR.LSPERR", (M3,)),
        ("SCB.CFSR.STKOF", V7),
        ("SCB.AIRCR.PRIGROUP", (*V6, M23)),
        ("SCB.AIRCR.VECTRESET", (*V6, *V8)),
        ("SCB.CCR.IC", (M3, M4)),
        ("SCB.CCR.DIV_0_TRP", (*V6, M23)),
        ("SCB.CPACR.CP10", (M3,)),
        ("SCB.SHCSR.USGFAULTENA", (*V6, M23)),
        ("SCnSCB.ACTLR.DISFPCA", (M3, M7)),
        ("MPU.RASR.TEX", (M0P,)),
        ("CoreDebug.DEMCR.MON_EN", (M23,)),
    ],
)
def test_core_has_not_the_fields_of_others(
    cores: dict[str, Lookup], path: str, where: tuple[str, ...]
) -> None:
    for name in where:
        assert cores[name].find(path) == [], name


# Reset values, side effects, named values ------------------------------------------------


@pytest.mark.parametrize(
    ("name", "path", "value", "mask"),
    [
        (M0, "SCB.CPUID", 0x410CC200, 0xFF0FFFF0),
        (M0P, "SCB.CPUID", 0x410CC600, 0xFF0FFFF0),
        (M3, "SCB.CPUID", 0x410FC230, 0xFF0FFFF0),
        (M4, "SCB.CPUID", 0x410FC240, 0xFF0FFFF0),
        (M7, "SCB.CPUID", 0x410FC270, 0xFF0FFFF0),
        (M23, "SCB.CPUID", 0x410CD200, 0xFF0FFFF0),
        (M33, "SCB.CPUID", 0x410FD210, 0xFF0FFFF0),
        (M0, "SCB.CCR", 0x208, 0xFFFFFFFF),
        (M0P, "SCB.CCR", 0x208, 0xFFFFFFFF),
        (M3, "SCB.CCR", 0x200, 0xFFFFFFFF),
        (M4, "SCB.CCR", 0x200, 0xFFFFFFFF),
        (M7, "SCB.CCR", 0x40200, 0xFFFFFFFF),
        (M23, "SCB.CCR", 0x208, 0xFFFFFFFF),
        (M33, "SCB.CCR", 0x201, 0xFFFFFFFF),
        (M4, "SCB.AIRCR", 0xFA050000, 0xFFFF7FFF),
        (M4, "SCB.ICSR", 0, 0xFFFFFFFF),
        (M4, "SCB.VTOR", 0, 0xFFFFFFFF),
        (M4, "SCB.SCR", 0, 0xFFFFFFFF),
        (M4, "SCB.SHCSR", 0, 0xFFFFFFFF),
        (M4, "SCB.CFSR", 0, 0xFFFFFFFF),
        (M4, "SCB.HFSR", 0, 0xFFFFFFFF),
        (M4, "SCB.CPACR", 0, 0xFFFFFFFF),
        (M4, "SCnSCB.ACTLR", 0, 0xFFFFFFFF),
        (M4, "NVIC.ISER[0]", 0, 0xFFFFFFFF),
        (M4, "NVIC.IP[0]", 0, 0xFF),
        (M4, "MPU.TYPE", 0x800, 0xFFFFFFFF),
        (M4, "MPU.CTRL", 0, 0xFFFFFFFF),
        (M4, "FPU.FPCCR", 0xC0000000, 0xFFFFFFFF),
        (M33, "FPU.FPCCR", 0xC0000000, 0xFFFFFFFB),
        (M4, "FPU.FPDSCR", 0, 0xFFFFFFFF),
        (M4, "FPU.MVFR0", 0x10110021, 0xFFFFFFFF),
        (M4, "FPU.MVFR1", 0x11000011, 0xFFFFFFFF),
        (M7, "FPU.MVFR0", 0x10110021, 0xFFFFF0FF),
        (M7, "FPU.MVFR1", 0x10000011, 0xF0FFFFFF),
        (M7, "FPU.MVFR2", 0x40, 0xFFFFFFFF),
        (M4, "CoreDebug.DEMCR", 0, 0xFFFFFFFF),
        (M4, "TPI.SPPR", 1, 0xFFFFFFFF),
        (M4, "TPI.FFCR", 0x102, 0xFFFFFFFF),
        (M4, "SysTick.CTRL", 0, 0x00010003),
    ],
)
def test_reset_value(cores: dict[str, Lookup], name: str, path: str, value: int, mask: int) -> None:
    register = one(cores[name], path)
    assert (register.reset_value, register.reset_mask) == (value, mask)


@pytest.mark.parametrize(
    "path", ["SysTick.LOAD", "SysTick.VAL", "SysTick.CALIB", "SCB.MMFAR", "SCB.BFAR", "SCB.PFR[0]"]
)
def test_no_reset_value_where_the_documents_give_none(cores: dict[str, Lookup], path: str) -> None:
    assert one(cores[M4], path).reset_value is None


def test_registers_with_side_effects_say_so(cores: dict[str, Lookup]) -> None:
    for name, lookup in cores.items():
        count = one(lookup, "SysTick.CTRL").field("COUNTFLAG")
        assert count is not None and count.read_action == "clear", name
        assert count.access == "read-only"
        assert one(lookup, "SysTick.VAL").modified_write_values == "clear"
        for path, effect in (
            ("NVIC.ISER[0]", "oneToSet"),
            ("NVIC.ICER[0]", "oneToClear"),
            ("NVIC.ISPR[0]", "oneToSet"),
            ("NVIC.ICPR[0]", "oneToClear"),
        ):
            assert one(lookup, path).modified_write_values == effect
        icsr = one(lookup, "SCB.ICSR")
        clear = icsr.field("PENDSVCLR")
        assert clear is not None and clear.access == "write-only"
        assert icsr.field("VECTACTIVE").access == "read-only"  # type: ignore[union-attr]
        aircr = one(lookup, "SCB.AIRCR")
        key, status = aircr.field("VECTKEY"), aircr.field("VECTKEYSTAT")
        assert key is not None and key.access == "write-only"
        assert status is not None and status.access == "read-only"
        named = key.named(0x05FA, "write")
        assert named is not None and named.name == "KEY"
    for name in MAIN:
        for path in ("SCB.CFSR", "SCB.HFSR", "SCB.DFSR", "SCB.AFSR"):
            assert one(cores[name], path).modified_write_values == "oneToClear"
        assert one(cores[name], "NVIC.STIR").access == "write-only"
        assert one(cores[name], "NVIC.IABR[0]").access == "read-only"
        matched = one(cores[name], "DWT.FUNCTION0").field("MATCHED")
        assert matched is not None and matched.read_action == "clear"


@pytest.mark.parametrize(
    ("name", "path", "value", "word"),
    [
        (M0, "SysTick.CTRL.CLKSOURCE", 1, "PROCESSOR"),
        (M4, "SysTick.CTRL.CLKSOURCE", 0, "EXTERNAL"),
        (M4, "SCB.CPACR.CP10", 3, "FULL"),
        (M4, "SCB.CPACR.CP11", 0, "DENIED"),
        (M4, "SCB.CPUID.PARTNO", 0xC24, "CORTEX_M4"),
        (M4, "MPU.RASR.SIZE", 4, "SIZE_32B"),
        (M4, "MPU.RASR.SIZE", 9, "SIZE_1KB"),
        (M4, "MPU.RASR.SIZE", 19, "SIZE_1MB"),
        (M4, "MPU.RASR.SIZE", 31, "SIZE_4GB"),
        (M0P, "MPU.RASR.SIZE", 7, "SIZE_256B"),
        (M4, "MPU.RASR.AP", 3, "FULL"),
        (M33, "MPU.RBAR.SH", 3, "INNER"),
        (M4, "TPI.SPPR.TXMODE", 2, "SWO_NRZ"),
        (M7, "SCB.DTCMCR.SZ", 7, "SIZE_64KB"),
        (M7, "SCB.DTCMCR.SZ", 11, "SIZE_1MB"),
        (M7, "SCB.AHBPCR.SZ", 4, "SIZE_512MB"),
    ],
)
def test_value_has_its_name(
    cores: dict[str, Lookup], name: str, path: str, value: int, word: str
) -> None:
    (found,) = cores[name].find(path)
    assert found.field is not None
    entry = found.field.named(value)
    assert entry is not None and entry.name == word


def test_smallest_region_is_that_of_the_architecture(cores: dict[str, Lookup]) -> None:
    (small,) = cores[M4].find("MPU.RASR.SIZE")
    (large,) = cores[M0P].find("MPU.RASR.SIZE")
    assert small.field is not None and small.field.named(3) is None
    assert large.field is not None and large.field.named(6) is None


def test_priority_grouping_is_worded_right(cores: dict[str, Lookup]) -> None:
    # Cortex-M4 user guide, table 4-18: 0b011 gives group bits 7:4 and subpriority bits 3:0.
    (found,) = cores[M4].find("SCB.AIRCR.PRIGROUP")
    assert found.field is not None
    entry = found.field.named(3)
    assert entry is not None and "7:4" in entry.description and "3:0" in entry.description
    last = found.field.named(7)
    assert last is not None and last.description.startswith("No preemption")


# The files ------------------------------------------------------------------------------


def test_every_file_is_what_its_source_gives() -> None:
    assert tuple(core.file for core in CORES) == FILES
    for core in CORES:
        assert data(core.file) == render(core), f"{core.file}: make it anew"


@pytest.mark.parametrize("name", FILES)
def test_file_is_sound(name: str) -> None:
    content = data(name)
    etree.fromstring(content)
    device = parse_svd(content, name)
    assert device.diagnostics == ()
    names = [peripheral.name for peripheral in device.peripherals]
    assert len(set(names)) == len(names)
    for peripheral in device.peripherals:
        paths = [register.path for register in peripheral.registers]
        assert len(set(paths)) == len(paths), peripheral.name
        (block,) = peripheral.address_blocks
        for register in peripheral.registers:
            where = f"{peripheral.name}.{register.path}"
            assert register.description, where
            assert 0 <= register.offset <= block.size - register.size_bytes, where
            assert register.offset % register.size_bytes == 0, where
            _fields_are_sound(register, where)


def _fields_are_sound(register: Register, where: str) -> None:
    used = {"read": 0, "write": 0}
    names = [field.name for field in register.fields]
    assert len(set(names)) == len(names), where
    for field in register.fields:
        assert field.description, f"{where}.{field.name}"
        assert 0 <= field.lsb <= field.msb < register.size, f"{where}.{field.name}"
        for side, hidden in (("read", "write-only"), ("write", "read-only")):
            if field.access != hidden:
                # A key that is only written may share its bits with a status only read.
                assert not used[side] & field.mask, f"{where}.{field.name}"
                used[side] |= field.mask
        for entries in field.enumerated_values:
            values = [entry.value for entry in entries.values]
            assert len(set(values)) == len(values), f"{where}.{field.name}"
            assert all(v is not None and v < 1 << field.width for v in values)


@pytest.mark.parametrize("name", FILES)
def test_registers_at_one_address_are_second_names_or_parts(name: str) -> None:
    device = parse_svd(data(name), name)
    for peripheral in device.peripherals:
        seen: dict[tuple[int, int], Register] = {}
        for register in peripheral.registers:
            other = seen.setdefault((register.offset, register.size), register)
            assert other is register or register.alternate_register, register.path
