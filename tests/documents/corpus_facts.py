"""What stands on pages of several vendors' manuals, read off the rendered pages by eye."""

from __future__ import annotations

import pytest


def param(name: str, *values: object) -> object:
    """A case of a manual; with several processes all cases of one manual are run by the same."""
    ident = "-".join([name, *(str(v) for v in values if isinstance(v, str | int))])
    return pytest.param(name, *values, id=ident, marks=pytest.mark.xdist_group(name))


# Manual, register, page of its description, where it is, reset value, fields that are described.
# The place is an offset below 0x1000 and an address above; the values None where none is printed
# or they are printed so that they hold for one instance only.
REGISTERS = [
    param(
        "nxp_lpc82x_um",
        "BRG",
        198,
        [0x4006_4020, 0x4006_8020],
        None,
        {"BRGVAL": (15, 0)},
    ),
    param("nxp_lpc82x_um", "MAINCLKSEL", 39, [0x4004_8070], None, {"SEL": (1, 0)}),
    param("nxp_lpc82x_um", "SYSPLLCLKUEN", 39, [0x4004_8044], None, {"ENA": (0, 0)}),
    param("nxp_lpc82x_um", "MAINCLKUEN", 39, [0x4004_8074], None, {"ENA": (0, 0)}),
    param(
        "nxp_lpc82x_um",
        "RXDATSTAT",
        197,
        [0x4006_4018, 0x4006_8018, 0x4006_C018],
        None,
        {"RXDAT": (8, 0), "FRAMERR": (13, 13), "PARITYERR": (14, 14), "RXNOISE": (15, 15)},
    ),
    param(
        "nxp_lpc82x_um",
        "TXDAT",
        198,
        [0x4006_401C, 0x4006_801C, 0x4006_C01C],
        None,
        {"TXDAT": (8, 0)},
    ),
    param(
        "nxp_lpc82x_um",
        "INTSTAT",
        199,
        [0x4006_4024, 0x4006_8024],
        None,
        {
            "RXRDY": (0, 0),
            "TXRDY": (2, 2),
            "TXIDLE": (3, 3),
            "DELTACTS": (5, 5),
            "TXDISINT": (6, 6),
            "OVERRUNINT": (8, 8),
            "DELTARXBRK": (11, 11),
            "START": (12, 12),
            "FRAMERRINT": (13, 13),
            "PARITYERRINT": (14, 14),
            "RXNOISEINT": (15, 15),
            "ABERR": (16, 16),
        },
    ),
    param(
        "nxp_lpc81x_um",
        "BRG",
        202,
        [0x4006_4020, 0x4006_8020, 0x4006_C020],
        None,
        {"BRGVAL": (15, 0)},
    ),
    param(
        "nxp_lpc81x_um",
        "DPDCTRL",
        60,
        [0x4002_0014],
        None,
        {"WAKEUPHYS": (0, 0), "WAKEPAD_DISABLE": (1, 1)},
    ),
    param("nordic_nrf51_rm", "PSELRTS", 156, [0x508], 0xFFFF_FFFF, {"PSELRTS": (31, 0)}),
    param("nordic_nrf51_rm", "RXD", 156, [0x518], 0, {"RXD": (7, 0)}),
    param("nordic_nrf51_rm", "TXD", 156, [0x51C], 0, {"TXD": (7, 0)}),
    param("nordic_nrf51_rm", "BAUDRATE", 156, [0x524], 0x0400_0000, {"BAUDRATE": (31, 0)}),
    param("nordic_nrf51_rm", "CONFIG", 157, [0x56C], 0, {"HWFC": (0, 0), "PARITY": (3, 1)}),
    param("nordic_nrf51_rm", "ENABLE", 155, [0x500], 0, {"ENABLE": (2, 0)}),
    param(
        "nordic_nrf51_rm",
        "ERRORSRC",
        155,
        [0x480],
        0,
        {"OVERRUN": (0, 0), "PARITY": (1, 1), "FRAMING": (2, 2), "BREAK": (3, 3)},
    ),
    # This one goes on over the page break.
    param(
        "nordic_nrf51_rm",
        "INTENSET",
        154,
        [0x304],
        0,
        {
            "CTS": (0, 0),
            "NCTS": (1, 1),
            "RXDRDY": (2, 2),
            "TXDRDY": (7, 7),
            "ERROR": (9, 9),
            "RXTO": (17, 17),
        },
    ),
    param(
        "wch_ch32v003_rm",
        "USART_STATR",
        136,
        [0],
        0xC0,
        {
            "CTS": (9, 9),
            "LBD": (8, 8),
            "TXE": (7, 7),
            "TC": (6, 6),
            "RXNE": (5, 5),
            "IDLE": (4, 4),
            "ORE": (3, 3),
            "NE": (2, 2),
        },
    ),
    param(
        "wch_ch32v003_rm",
        "RCC_CFGR0",
        19,
        [0x04],
        None,
        {
            "MCO": (26, 24),
            "PLLSRC": (16, 16),
            "ADCPRE": (15, 14),
            "PPRE2": (13, 11),
            "PPRE1": (10, 8),
            "HPRE": (7, 4),
        },
    ),
    param(
        "st_stm32h723_rcc",
        "RCC_D2CFGR",
        69,
        [0x1C],
        0,
        {"D2PPRE2": (10, 8), "D2PPRE1": (6, 4)},
    ),
    param(
        "st_stm32h723_rcc",
        "RCC_APB4LPENR",
        165,
        [],
        0x0421_DEAA,
        {
            "DTSLPEN": (26, 26),
            "SAI4LPEN": (21, 21),
            "RTCAPBLPEN": (16, 16),
            "VREFLPEN": (15, 15),
        },
    ),
    param(
        "st_stm32h723_gpio",
        "GPIOx_OSPEEDR",
        12,
        [0x08],
        None,
        {"OSPEEDR15": (31, 30), "OSPEEDR8": (17, 16), "OSPEEDR0": (1, 0)},
    ),
    param(
        "st_stm32h723_gpio",
        "GPIOx_PUPDR",
        12,
        [0x0C],
        None,
        {"PUPDR15": (31, 30), "PUPDR1": (3, 2)},
    ),
    param("st_stm32h723_gpio", "GPIOx_IDR", 13, [0x10], None, {"IDR": (15, 0)}),
    param("st_stm32h723_gpio", "GPIOx_ODR", 13, [0x14], 0, {"ODR": (15, 0)}),
    param(
        "st_pm0075",
        "FLASH_ACR",
        23,
        [0x00],
        0x30,
        {"PRFTBS": (5, 5), "PRFTBE": (4, 4), "HLFCYA": (3, 3), "LATENCY": (2, 0)},
    ),
    param(
        "st_pm0075",
        "FLASH_SR",
        25,
        [0x0C],
        0,
        {"EOP": (5, 5), "WRPRTERR": (4, 4), "PGERR": (2, 2), "BSY": (0, 0)},
    ),
    param(
        "bouffalo_bl602_rm",
        "urx_config",
        134,
        [0x4000_A004],
        None,
        {
            "RXLEN": (31, 16),
            "DEGCNT": (15, 12),
            "DEGEN": (11, 11),
            "RXBCNTD": (10, 8),
            "IRRXINV": (7, 7),
            "RXPRSEL": (5, 5),
            "ABREN": (3, 3),
            "RTSSWV": (2, 2),
            "EN": (0, 0),
        },
    ),
    # The last row stands alone on the next page.
    param(
        "bouffalo_bl602_rm",
        "utx_config",
        133,
        [0x4000_A000],
        None,
        {"TXLEN": (31, 16), "TXBCNTP": (13, 12), "FRMEN": (2, 2), "CTSEN": (1, 1), "EN": (0, 0)},
    ),
    param(
        "bouffalo_bl602_rm",
        "GPIO_CFGCTL10",
        40,
        [0x4000_0128],
        None,
        {"GP21FUNC": (27, 24), "GP21DRV": (19, 18), "GP20FUNC": (11, 8)},
    ),
    param(
        "invensense_mpu6000_regmap",
        "PWR_MGMT_1",
        40,
        [0x6B],
        None,
        {
            "DEVICE_RESET": (7, 7),
            "SLEEP": (6, 6),
            "CYCLE": (5, 5),
            "TEMP_DIS": (3, 3),
            "CLKSEL": (2, 0),
        },
    ),
    param(
        "invensense_mpu6000_regmap",
        "GYRO_CONFIG",
        14,
        [0x1B],
        None,
        {"XG_ST": (7, 7), "YG_ST": (6, 6), "ZG_ST": (5, 5), "FS_SEL": (4, 3)},
    ),
    param(
        "arm_cm4_guide",
        "HFSR",
        246,
        [],
        None,
        {"DEBUGEVT": (31, 31), "FORCED": (30, 30), "VECTTBL": (1, 1)},
    ),
    param("arm_cm4_guide", "SYST_CSR", 249, [], None, {"COUNTFLAG": (16, 16)}),
    param(
        "bosch_bme280_ds",
        "ctrl_meas",
        29,
        [0xF4],
        None,
        {"osrs_t": (7, 5), "osrs_p": (4, 2), "mode": (1, 0)},
    ),
]

# Reset values printed for fields.
FIELD_RESETS = [
    param("nxp_lpc82x_um", "INTSTAT", 199, "TXRDY", 1),
    param("nxp_lpc82x_um", "INTSTAT", 199, "RXRDY", 0),
    param("wch_ch32v003_rm", "USART_STATR", 136, "TXE", 1),
    param("bouffalo_bl602_rm", "urx_config", 134, "RXBCNTD", 7),
    param("bouffalo_bl602_rm", "utx_config", 133, "TXBCNTP", 1),
    param("bouffalo_bl602_rm", "GPIO_CFGCTL10", 40, "GP21FUNC", 0xB),
]

# Paths of the SVD that a description is about.
MATCHES = [
    param("nxp_lpc82x_um", "BRG", 198, ["USART0.BRG", "USART1.BRG", "USART2.BRG"]),
    param("nxp_lpc82x_um", "MAINCLKSEL", 39, ["SYSCON.MAINCLKSEL"]),
    param("nordic_nrf51_rm", "BAUDRATE", 156, ["UART0.BAUDRATE"]),
    param("wch_ch32v003_rm", "USART_STATR", 136, ["USART1.STATR"]),
    param("wch_ch32v003_rm", "RCC_CFGR0", 19, ["RCC.CFGR0"]),
    param("st_stm32h723_rcc", "RCC_D2CFGR", 69, ["RCC.D2CFGR"]),
    param("st_stm32h723_gpio", "GPIOx_OSPEEDR", 12, ["GPIOA.OSPEEDR", "GPIOK.OSPEEDR"]),
    param("st_pm0075", "FLASH_SR", 25, ["FLASH.SR"]),
    param("bouffalo_bl602_rm", "urx_config", 134, ["UART0.urx_config"]),
]

# Manual, page, a piece of the caption, a row (None where the text does not matter).
ROWS = [
    param(
        "nxp_lpc82x_um",
        31,
        "Register overview: System configuration",
        ["SYSAHBCLKCTRL", "R/W", "0x080", "System clock control", "0xDF", "", "Table 35"],
    ),
    param(
        "nxp_lpc82x_um",
        39,
        "Main clock source select register",
        ["1:0", "SEL", "0x2", "Watchdog oscillator", None],
    ),
    param(
        "wch_ch32v003_rm",
        136,
        "USART-related registers list",
        ["R32_USART_BRR", "0x40013808", "UASRT baud rate register", "0x00000000"],
    ),
    param("wch_ch32v003_rm", 136, "Relationship between interrupts", ["Noise flag (NE)", "EIE"]),
    param(
        "st_stm32f446_ds",
        71,
        "register boundary addresses",
        ["APB1", "0x4000 4400 - 0x4000 47FF", "USART2"],
    ),
    param(
        "st_stm32f446_ds",
        55,
        "pin and ball descriptions",
        ["53", "80", "A2", "C10", "113", "PC12", "I/O", "FT", "-", None, "-"],
    ),
    param(
        "st_pm0075",
        9,
        "Flash module organization (connectivity line devices)",
        ["Flash memory interface registers", "FLASH_SR", "0x4002 200C - 0x4002 200F", "4"],
    ),
    param(
        "st_stm32h723_rcc",
        165,
        "RCC_APB4LPENR address offset and reset value",
        ["RCC_C1_APB4LPENR", "0x17C", "0x0421 DEAA"],
    ),
    param(
        "arm_cm4_guide",
        249,
        "System timer registers summary",
        ["0xE000E014", "SYST_RVR", "RW", "Privileged", "Unknown", None],
    ),
    param(
        "bosch_bme280_ds",
        9,
        "Humidity parameter specification",
        ["Long term stability", None, "10…90 %RH, 25 °C", "", "0.5", "", "%RH/ year"],
    ),
    param("bosch_bme280_ds", 29, "register settings osrs_p", ["011", "oversampling ×4"]),
    param(
        "nxp_kl25_ds",
        16,
        "EMC radiated emissions operating behaviors",
        [None, "Radiated emissions voltage, band 3", "150–500", "12", None, None],
    ),
    param(
        "nxp_kl25_ds",
        9,
        "Voltage and current operating behaviors",
        [None, "Internal pullup resistors", "20", "50", "kΩ", "4"],
    ),
    param("nordic_nrf51_rm", 154, "Register Overview", ["BAUDRATE", "0x524", "Baud rate"]),
    param("nordic_nrf51_rm", 154, "Instances", ["0x40002000", "UART", "UART0", None]),
    param("invensense_mpu6000_regmap", 40, "", ["3", "PLL with Z axis gyroscope reference"]),
    param(
        "geehy_apm32f407_ds",
        25,
        "",
        ["PD4", "I/O", "5T", "SMC_NOE, USART2_RTS, EVENTOUT", "-", "-", "85", "118", "146"],
    ),
    param(
        "gigadevice_gd32f450_ds",
        25,
        "",
        ["PD5", "C11", "119", "86", "I/O", "5VT", None],
    ),
    param(
        "gigadevice_gd32f450_ds",
        13,
        "",
        [None, "AHB1", "0x4002 3800 - 0x4002 3BFF", "RCU"],
    ),
]

# Manual, page, a piece of the caption, the column heads.
HEADS = [
    param(
        "nxp_lpc82x_um",
        31,
        "Register overview: System configuration",
        [
            "Name",
            "Access",
            "Offset",
            "Description",
            "Reset value",
            "Reset value after boot",
            "Reference",
        ],
    ),
    param("wch_ch32v003_rm", 136, "USART-related", ["Name", "Offset address", None, "Reset value"]),
    param("nxp_kl25_ds", 9, "Voltage and current", [None, None, "Min.", "Max.", "Unit", "Notes"]),
    param(
        "nxp_kl25_ds",
        16,
        "EMC radiated",
        ["Symbol", "Description", "Frequency band (MHz)", "Typ.", "Unit", "Notes"],
    ),
    param(
        "bosch_bme280_ds",
        9,
        "Humidity parameter",
        ["Parameter", "Symbol", "Condition", "Min", "Typ", "Max", "Unit"],
    ),
    param("arm_cm4_guide", 246, "HFSR bit assignments", ["Bits", "Name", "Function"]),
]

# Manual, number, title, page.
SECTIONS = [
    param("nxp_lpc82x_um", "13.6.9", "USART Baud Rate Generator register", 198),
    param("nxp_lpc82x_um", "13.6.10", "USART Interrupt Status register", 199),
    param("nxp_lpc82x_um", "5.6", "Register description", 31),
    param("nxp_lpc82x_um", "5.6.11", "Main clock source select register", 39),
    param("nxp_lpc81x_um", "15.6.9", "USART Baud Rate Generator register", 202),
    param("nxp_lpc81x_um", "5.6.3", "Deep power-down control register", 60),
    param("st_stm32h723_rcc", "8", "Reset and clock control (RCC)", 1),
    param("st_stm32h723_rcc", "8.1", "RCC main features", 1),
    param("st_stm32h723_rcc", "8.7", "RCC registers", 56),
    param("st_stm32h723_rcc", "8.7.1", "Register mapping overview", 56),
    param(
        "st_stm32h723_rcc", "8.7.8", "RCC domain 2 clock configuration register (RCC_D2CFGR)", 69
    ),
    param("st_stm32h723_rcc", "8.7.56", "RCC APB4 Sleep clock register (RCC_APB4LPENR)", 165),
    param("st_stm32h723_gpio", "11.3.13", "Analog configuration", 9),
    # Wrapped headings, two before either body.
    param(
        "st_stm32h723_gpio",
        "11.4.3",
        "GPIO port output speed register (GPIOx_OSPEEDR) (x = A to H, J, K)",
        12,
    ),
    param(
        "st_stm32h723_gpio",
        "11.4.4",
        "GPIO port pull-up/pull-down register (GPIOx_PUPDR) (x = A to H, J, K)",
        12,
    ),
    param("st_pm0075", "3", "Register descriptions", 23),
    param("st_pm0075", "3.1", "Flash access control register (FLASH_ACR)", 23),
    param("st_pm0075", "3.4", "Flash status register (FLASH_SR)", 25),
    param("arm_cm4_guide", "4.4", "System timer, SysTick", 249),
    param("arm_cm4_guide", "4.4.1", "SysTick Control and Status Register", 249),
    param("arm_cm4_guide", "4.2.2", "Interrupt Set-enable Registers", 220),
    param("bouffalo_bl602_rm", "10.4.2", "urx_config", 134),
    param("bouffalo_bl602_rm", "3.3.15", "GPIO_CFGCTL10", 40),
    param("wch_ch32v003_rm", "12.10.1", "USART Status register (USART_STATR)", 136),
    param("wch_ch32v003_rm", "3.4.2", "Clock configuration register0 (RCC_CFGR0)", 19),
    param("wch_ch32v003_rm", "10.3.2", "Compare output modes", 90),
    param("invensense_mpu6000_regmap", "3", "Register Map", 6),
    param("invensense_mpu6000_regmap", "4.28", "Register 107 – Power Management 1 PWR_MGMT_1", 40),
    param("bosch_bme280_ds", "5.4.3", 'Register 0xF2 "ctrl_hum"', 27),
    param("bosch_bme280_ds", "1.2", "Humidity parameter specification", 9),
    param("nxp_kl25_ds", "2.2.6", "EMC radiated emissions operating behaviors", 16),
    param("nxp_kl25_ds", "2.2.4", "Power mode transition operating behaviors", 9),
    param("st_stm32f446_ds", "3.3", "Memory protection unit", 17),
    param("nordic_nrf51_rm", "29.10", "Register Overview", 154),
    param("nordic_nrf51_rm", "29.11", "Register Details", 154),
    param("gigadevice_gd32f450_ds", "2.4", "Memory map", 13),
]

# Manual, page, figure's number, a piece of its caption.
FIGURES = [
    param("nxp_lpc82x_um", 133, "12", "Pattern match engine connections"),
    param("st_stm32h723_rcc", 54, "64", "Bus clock enable logic"),
    param("st_stm32h723_rcc", 56, "65", "RCC mapping overview"),
    param("st_stm32h723_gpio", 9, "75", "Alternate function configuration"),
    param("st_stm32h723_gpio", 9, "76", "High impedance-analog configuration"),
    param("wch_ch32v003_rm", 132, "12-1", "Block diagram of a general-purpose"),
    param("wch_ch32v003_rm", 30, "5-2", "Counting mode of Window Watchdog"),
    param("nxp_kl25_ds", 16, "4", "VLPR mode current vs. core frequency"),
]

# Manual, physical page, the page number printed on it.
LABELS = [
    param("st_stm32h723_rcc", 69, "375"),
    param("st_stm32h723_gpio", 12, "519"),
    param("arm_cm4_guide", 249, "4-33"),
    param("wch_ch32v003_rm", 19, "18"),
    param("wch_ch32v003_rm", 136, "136"),
    param("gigadevice_gd32f450_ds", 25, "24"),
    param("geehy_apm32f407_ds", 25, "24"),
]

# Manual, words of its title, its revision.
TITLES = [
    param("nordic_nrf51_rm", "nRF51 Series Reference Manual", "3.0"),
    param("nxp_lpc81x_um", "LPC81x User manual", "1.6"),
    param("wch_ch32v003_rm", "CH32V003 Reference Manual", "1.2"),
]

# Manual and texts that run through its pages and belong to none.
RUNNING = [
    param("nxp_lpc82x_um", "subject to legal disclaimers"),
    param("st_stm32h723_rcc", "RM0468 Rev 3"),
    param("wch_ch32v003_rm", "http://wch.cn"),
    param("bouffalo_bl602_rm", "@2020 Bouffalo Lab"),
    param("arm_cm4_guide", "Non-Confidential"),
    param("invensense_mpu6000_regmap", "Release Date: 08/19/2013"),
]

# Two columns: texts of a page in the order they are to be read.
ORDER = [
    param(
        "motorola_mc6850_scan",
        8,
        ["CONTROL REGISTER", "Word length, Parity", "Information on the status", "Framing Error"],
    ),
    param(
        "motorola_mc6850_scan",
        8,
        ["Receive Interrupt Enable Bit", "STATUS REGISTER Information", "Receiver Overrun"],
    ),
]
