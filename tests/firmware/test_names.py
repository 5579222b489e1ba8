"""How headers name what SVDs name otherwise: one device by hand for each habit."""

from __future__ import annotations

import pytest

from tests.firmware.devices import (
    GPIO,
    STM,
    USART,
    addresses,
    array,
    at,
    block,
    device,
    first,
    named,
    peripheral,
    register,
)


def code(expression: str) -> str:
    cut = expression.rindex(".") + 1 if "." in expression else expression.index("->") + 2
    return f"void f(void) {{ {expression[:cut]}|{expression[cut:]} = 1; }}"


def test_the_svd_name_comes_before_every_habit() -> None:
    lookup = device(
        peripheral("NRF_UART0", 0x1000, named(BAUDRATE=0x24)),
        peripheral("UART0", 0x2000, named(BAUDRATE=0x24)),
        prefix="NRF_",
    )
    assert addresses(code("NRF_UART0->BAUDRATE"), lookup) == [0x1024]


@pytest.mark.parametrize(
    ("svd", "c"),
    [
        ("UART0", "NRF_UART0"),
        ("USART0", "LPC_USART0"),
        ("SCI0", "R_SCI0"),
        ("UART0", "MXC_UART0"),
        ("Flash", "FLASH"),
        ("SPDIF_RX", "SPDIFRX"),
        ("CAN", "CAN1"),
        ("DMA", "DMA0"),
        ("UART0", "uart0_hw"),
        ("UART0", "uart0_hw_set"),
        ("UART0", "uart0_hw_clear"),
        ("UART0", "uart0_hw_xor"),
        ("IO_BANK0", "iobank0_hw"),
        ("BUSCTRL", "bus_ctrl_hw"),
        ("USBCTRL_REGS", "usb_hw"),
        ("XIP_SSI", "ssi_hw"),
        ("DBG", "DBGMCU"),
        ("STK", "SysTick"),
        ("PFIC", "NVIC"),
        ("P0", "NRF_GPIO"),
        ("C_ADC", "ADC123_COMMON"),
        ("ADC_Common", "ADC1_COMMON"),
        ("GPIOB", "PTB"),
        ("FGPIOB", "FPTB"),
        ("SYSCFG_VREFBUF", "SYSCFG"),
        ("FMC", "FMC_Bank5_6"),
        ("UARTE0_NS", "NRF_UARTE0_NS"),
    ],
)
def test_peripherals_by_the_headers_name(svd: str, c: str) -> None:
    lookup = device(
        peripheral("OTHER", 0x40000000, named(ISR=0x40)),
        peripheral(svd, 0x40001000, named(CFG=0x0, MASK=0x30)),
    )
    assert addresses(code(f"{c}->MASK"), lookup) == [0x40001030]


def test_a_prefix_given_by_the_device_counts() -> None:
    lookup = device(peripheral("I2C", 0x40001000, named(CTRL=4)), prefix="ACME_")
    assert addresses(code("ACME_I2C->CTRL"), lookup) == [0x40001004]
    assert at(code("ACNE_I2C->CTRL"), lookup) is None


def test_prepend_and_append_of_the_svd_are_part_of_the_c_name() -> None:
    lookup = device(
        peripheral("I2C", 0x1000, named(DATA=4), prepend_to_name="I2C_", append_to_name="_X")
    )
    assert addresses(code("I2C->DATA"), lookup) == [0x1004]
    kinetis = device(peripheral("MCG", 0x2000, named(C1=0, C2=1), prepend_to_name="MCG_"))
    assert addresses(code("MCG->MCG_C2"), kinetis) == [0x2001]


def test_two_of_a_kind_are_not_one() -> None:
    lookup = device(
        peripheral("CAN", 0x1000, named(MCR=0)), peripheral("CAN2", 0x2000, named(MCR=0))
    )
    assert at(code("CAN1->MCR"), lookup) is None


def test_secure_and_non_secure() -> None:
    lookup = device(
        peripheral("GPIOA", 0x42020000, GPIO), peripheral("SEC_GPIOA", 0x52020000, GPIO)
    )
    assert addresses(code("GPIOA_NS->ODR"), lookup) == [0x42020014]
    assert addresses(code("GPIOA_S->ODR"), lookup) == [0x52020014]
    assert addresses(code("GPIOA->ODR"), lookup) == [0x42020014]
    plain = device(peripheral("GPIOA", 0x42020000, GPIO))
    assert at(code("GPIOA_S->ODR"), plain) is None


def test_a_name_for_both_views_names_both() -> None:
    lookup = device(
        peripheral("UARTE0_S", 0x50008000, named(ENABLE=0x500)),
        peripheral("UARTE0_NS", 0x40008000, named(ENABLE=0x500)),
        prefix="NRF_",
    )
    found = at("void f(void) { g(|NRF_UARTE0); }", lookup)
    assert found is not None
    assert [x.path for x in found.locations] == ["UARTE0_S", "UARTE0_NS"]


def test_registers_that_repeat_the_name_of_their_peripheral() -> None:
    lookup = device(
        peripheral("MPU", 0x1000, named(MPU_CTRL=0x4, MPU_RNR=0x8)),
        peripheral("MCG", 0x2000, named(MCG_C1=0x0, MCG_C2=0x1)),
        peripheral("TC5", 0x3000, named(TC_CTRLA=0x0, TC_COUNT16_COUNT=0x10)),
        peripheral("DBG", 0x4000, named(DBGMCU_CR=0x4, DBGMCU_IDCODE=0x0)),
        peripheral("SPI1", 0x5000, named(CTRL=0x8), group_name="SPI"),
    )
    assert addresses(code("MPU->CTRL"), lookup) == [0x1004]
    assert addresses(code("MCG->C2"), lookup) == [0x2001]
    assert addresses(code("TC5->CTRLA"), lookup) == [0x3000]
    assert addresses(code("TC5->COUNT16.COUNT"), lookup) == [0x3010]
    assert addresses(code("DBGMCU->CR"), lookup) == [0x4004]
    assert addresses(code("SPI1->SPI_CTRL"), lookup) == [0x5008]


def test_a_prefix_all_registers_share() -> None:
    lookup = device(
        peripheral(
            "UART0", 0x40034000, named(UARTDR=0, UARTRSR=4, UARTFR=24, UARTIBRD=36, UARTCR=48)
        ),
        peripheral("I2C0", 0x40044000, named(IC_CON=0, IC_TAR=4, IC_SAR=8)),
    )
    assert addresses(code("uart0_hw->ibrd"), lookup) == [0x40034024]
    assert addresses(code("i2c0_hw->tar"), lookup) == [0x40044004]
    assert at(code("uart0_hw->nothing"), lookup) is None


def test_a_unit_whose_registers_are_in_another_peripheral() -> None:
    lookup = device(
        peripheral(
            "SIO",
            0xD0000000,
            block(array("INTERP0_ACCUM%s", 2, 0x80), array("INTERP1_ACCUM%s", 2, 0xC0)),
        ),
        peripheral("PFIC", 0xE000E000, named(STK_CTLR=0x1000, STK_SR=0x1004)),
    )
    assert addresses(code("interp0->accum[1]"), lookup) == [0xD0000084]
    assert addresses(code("interp1->accum[0]"), lookup) == [0xD00000C0]
    assert addresses(code("SysTick->SR"), lookup) == [0xE000F004]
    assert at("void f(void) { g(|interp0); }", lookup) is None
    assert at("void f(struct i *interp0) { interp0->|accum[1] = 1; }", lookup) is None


def test_parts_of_a_path_joined_by_an_underscore() -> None:
    lookup = device(peripheral("PDM", 0x4001D000, named(PSEL_CLK=0x540, SAMPLE_PTR=0x560)))
    assert addresses(code("NRF_PDM->PSEL.CLK"), lookup) == [0x4001D540]
    assert addresses(code("NRF_PDM->SAMPLE.PTR"), lookup) == [0x4001D560]


def test_numbers_in_names_for_arrays_of_structs() -> None:
    lookup = device(
        peripheral(
            "PORT",
            0x41004400,
            block(
                array("DIRSET%s", 2, 0x8, 0x80),
                array("PMUX0_%s", 16, 0x30, 1, size=8),
                array("PMUX1_%s", 16, 0xB0, 1, size=8),
            ),
        ),
        peripheral(
            "PIT", 0x40037000, block(array("LDVAL%s", 2, 0x100, 16), array("TCTRL%s", 2, 0x108, 16))
        ),
        peripheral("TPM0", 0x40038000, block(array("C%sSC", 6, 0xC, 8), array("C%sV", 6, 0x10, 8))),
        peripheral("DMA", 0x50000000, block(array("CH%s_CTRL_TRIG", 12, 0xC, 0x40))),
        peripheral(
            "PWM",
            0x40050000,
            block(array("CH%s_TOP", 8, 0x10, 0x14), array("CH%s_CC", 8, 0xC, 0x14)),
        ),
        peripheral("CCU", 0x40060000, block(array("C%sV", 4, 0x174))),
    )
    assert addresses(code("PORT->Group[1].DIRSET.reg"), lookup) == [0x41004488]
    assert addresses("void f(void) { PORT->|Group[1].PMUX[12].reg = 1; }", lookup) == [0x410044BC]
    assert addresses(code("PIT->CHANNEL[1].LDVAL"), lookup) == [0x40037110]
    assert addresses(code("TPM0->CONTROLS[2].CnSC"), lookup) == [0x4003801C]
    assert addresses(code("dma_hw->ch[3].ctrl_trig"), lookup) == [0x500000CC]
    assert addresses(code("pwm_hw->slice[2].top"), lookup) == [0x40050038]
    assert addresses(code("CCU->CV[2]"), lookup) == [0x4006017C]
    assert at(code("PIT->CHANNEL[2].LDVAL"), lookup) is None


def test_letters_for_an_index() -> None:
    contents = block(
        [
            register("SC1A", 0x0, "SC1%s"),
            register("SC1B", 0x4, "SC1%s"),
            register("RA", 0x10, "R%s"),
            register("RB", 0x14, "R%s"),
        ]
    )
    lookup = device(peripheral("ADC0", 0x4003B000, contents))
    assert addresses(code("ADC0->SC1[0]"), lookup) == [0x4003B000]
    assert addresses(code("ADC0->R[1]"), lookup) == [0x4003B014]


def test_numbers_that_do_not_follow_one_another_in_memory_are_no_array() -> None:
    lookup = device(
        peripheral("A", 0x1000, named(DIV0=0x1C, DIV1=0x18, DIV2=0x14)),
        peripheral("B", 0x2000, named(T1=0x0, T2=0x8, T3=0x10)),
        peripheral("C", 0x3000, named(X4=0x0, X5=0x4)),
    )
    assert at(code("A->DIV[0]"), lookup) is None
    assert at(code("B->T[1]"), lookup) is None  # between them stand other registers
    assert at(code("C->X[0]"), lookup) is None
    assert addresses(code("C->X[4]"), lookup) == [0x3000]


def test_an_index_on_a_register_that_is_no_array() -> None:
    lookup = device(peripheral("GPIO_PORT", 0xA0000000, block(array("B%s", 18, 0, 1, size=8))))
    assert at(code("LPC_GPIO_PORT->B0[1]"), lookup) is None


def test_a_letter_for_the_index_of_a_struct() -> None:
    ports = named(PA_CTRL=0x0, PA_DOUT=0xC, PB_CTRL=0x24, PB_DOUT=0x30, PC_CTRL=0x48, PC_DOUT=0x54)
    lookup = device(peripheral("GPIO", 0x40006000, ports))
    assert addresses(code("GPIO->P[2].CTRL"), lookup) == [0x40006048]
    assert at(code("GPIO->P[3].CTRL"), lookup) is None
    found = at(code("GPIO->P[n].DOUT"), lookup)
    assert found is not None and found.index_unknown
    assert [x.address for x in found.locations] == [0x4000600C, 0x40006030, 0x40006054]


def test_an_array_of_one_with_an_index_not_known() -> None:
    lookup = device(peripheral("NVIC", 0xE000E100, block(array("ISER[%s]", 1, 0))))
    found = at(code("NVIC->ISER[n >> 5]"), lookup)
    assert found is not None and found.index_unknown
    assert [x.address for x in found.locations] == [0xE000E100]
    assert at(code("NVIC->ISER[1]"), lookup) is None


def test_the_non_secure_window_of_the_core_is_not_the_core() -> None:
    lookup = device(peripheral("SCB", 0xE000ED00, named(VTOR=8)), cpu="CM33")
    assert addresses(code("SCB->VTOR"), lookup) == [0xE000ED08]
    assert at(code("SCB_NS->VTOR"), lookup) is None


def test_low_and_high_half_as_array_only_when_they_touch() -> None:
    assert addresses(code("GPIOA->AFR[1]"), STM) == [0x40020024]
    found = at(code("GPIOA->AFR[pin >> 3]"), STM)
    assert found is not None and found.index_unknown
    assert [x.address for x in found.locations] == [0x40020020, 0x40020024]
    apart = device(peripheral("T", 0x1000, named(XL=0, XH=0x10)))
    assert at(code("T->X[1]"), apart) is None


def test_channels_and_streams_as_pointers_of_their_own() -> None:
    wch = device(peripheral("DMA1", 0x40020000, block(array("CFGR%s", 7, 0x8, 20, first=1))))
    assert addresses(code("DMA1_Channel1->CFGR"), wch) == [0x40020008]
    assert addresses(code("DMA1_Channel3->CFGR"), wch) == [0x40020030]
    assert at(code("DMA1_Channel8->CFGR"), wch) is None
    assert addresses(code("DMA1_Stream2->CR"), STM) == [0x40026040]
    assert addresses(code("DMA1_Stream2->M0AR"), STM) == [0x4002604C]
    assert at(code("DMA1_Stream8->CR"), STM) is None
    sai = device(peripheral("SAI1", 0x1000, named(ACR1=4, BCR1=0x24)))
    assert addresses(code("SAI1_Block_B->CR1"), sai) == [0x1024]
    ltdc = device(peripheral("LTDC", 0x1000, block(array("L%sCR", 2, 0x84, 0x80, first=1))))
    assert addresses(code("LTDC_Layer2->CR"), ltdc) == [0x1104]


def test_channels_the_header_counts_from_zero_and_the_svd_from_one() -> None:
    lookup = device(peripheral("BDMA", 0x58025400, block(array("CCR%s", 8, 0x8, 20, first=1))))
    assert addresses(code("BDMA_Channel0->CCR"), lookup) == [0x58025408]
    assert addresses(code("BDMA_Channel7->CCR"), lookup) == [0x58025494]


def test_mailboxes_have_their_number_inside_the_name() -> None:
    assert addresses(code("CAN1->sTxMailBox[1].TIR"), STM) == [0x40006590]
    assert addresses(code("CAN1->sTxMailBox[2].TDTR"), STM) == [0x400065A4]


def test_one_register_in_several_views() -> None:
    lookup = device(
        peripheral(
            "TIM2", 0x40000000, named(CCMR1_Output=0x18, CCMR1_Input=0x18, CCMR2_Output=0x1C)
        )
    )
    found = at(code("TIM2->CCMR1"), lookup)
    assert found is not None
    assert [x.path for x in found.locations] == ["TIM2.CCMR1_Output", "TIM2.CCMR1_Input"]
    apart = device(peripheral("X", 0x1000, named(A_LOW=0, A_HIGH=4)))
    assert at(code("X->A"), apart) is None


def test_small_differences_in_a_registers_name() -> None:
    lookup = device(
        peripheral("DCMI", 0x1000, named(RIS=0x8, CWSTRTR=0x20)),
        peripheral("DBG", 0x2000, named(APB1_FZ=0x8)),
        peripheral("SCT", 0x3000, named(CTRL=0x4)),
        peripheral("AFIO", 0x4000, named(PCFR=0x4, EXTICR=0x8)),
        peripheral("GPIO", 0x5000, named(OUT_W1TS=0x8)),
    )
    assert addresses(code("DCMI->RISR"), lookup) == [0x1008]
    assert addresses(code("DCMI->CWSTRT"), lookup) == [0x1020]
    assert addresses(code("DBG->APB1FZ"), lookup) == [0x2008]
    assert addresses(code("LPC_SCT->CTRL_L"), lookup) == [0x3004]
    assert addresses(code("AFIO->PCFR1"), lookup) == [0x4004]
    assert addresses(code("GPIO.out_w1ts"), lookup) == [0x5008]


def test_a_second_register_the_svd_may_lack_is_not_the_first() -> None:
    lookup = device(peripheral("FLASH", 0x40023C00, named(CR=0x10, OPTCR=0x14)))
    assert addresses(code("FLASH->OPTCR"), lookup) == [0x40023C14]
    assert at(code("FLASH->OPTCR1"), lookup) is None


def test_letter_case_counts_where_no_habit_says_otherwise() -> None:
    lookup = device(peripheral("USART1", 0x1000, USART))
    assert at(code("Usart1->BRR"), lookup) is None
    assert at(code("usart1->brr"), lookup) is None
    assert at(code("USART1->Brr"), lookup) is None


def test_a_peripheral_in_four_is_searched_in_all() -> None:
    lookup = device(
        peripheral("Ethernet_MAC", 0x40028000, named(MACCR=0)),
        peripheral("Ethernet_DMA", 0x40029000, named(DMABMR=0)),
    )
    assert addresses(code("ETH->DMABMR"), lookup) == [0x40029000]
    assert addresses(code("ETH->MACCR"), lookup) == [0x40028000]


def test_core_registers_by_their_fixed_address() -> None:
    """Addresses of Armv7-M, names of CMSIS, names in the SVD as some vendors have them."""
    lookup = device(
        peripheral("STK", 0xE000E010, named(CTRL=0, LOAD=4, VAL=8)),
        peripheral("SCB", 0xE000ED00, named(CPUID=0, VTOR=8, SHCRS=0x24)),
        peripheral("FPU_CPACR", 0xE000ED88, named(CPACR=0)),
        peripheral("NVIC", 0xE000E100, block(array("ISER%s", 3, 0), array("IPR%s", 20, 0x300))),
        cpu="CM4",
    )
    assert addresses(code("SysTick->LOAD"), lookup) == [0xE000E014]
    assert addresses(code("SCB->VTOR"), lookup) == [0xE000ED08]
    assert first(code("SCB->SHCSR"), lookup) == "SCB.SHCRS"
    assert first(code("SCB->CPACR"), lookup) == "FPU_CPACR.CPACR"
    assert addresses(code("NVIC->ISER[1]"), lookup) == [0xE000E104]
    assert first(code("NVIC->IP[38]"), lookup) == "NVIC.IPR9"
    riscv = device(peripheral("X", 0xE000ED00, named(A=0x24)), cpu="other")
    assert at(code("SCB->SHCSR"), riscv) is None


def test_priorities_are_bytes_on_armv7_and_words_on_armv6() -> None:
    def nvic(cpu: str):
        return device(peripheral("NVIC", 0xE000E100, block(array("IPR%s", 8, 0x300))), cpu=cpu)

    assert addresses(code("NVIC->IP[1]"), nvic("CM4")) == [0xE000E400]
    assert addresses(code("NVIC->IP[1]"), nvic("CM0PLUS")) == [0xE000E404]


def test_alias_functions_lead_to_the_register() -> None:
    lookup = device(peripheral("USBCTRL_REGS", 0x50110000, named(SIE_CTRL=0x4C)))
    text = (
        "#define usb_hw_set ((usb_hw_t *)hw_set_alias_untyped(usb_hw))\n"
        "void f(void) { usb_hw_set->|sie_ctrl = 1; }"
    )
    assert addresses(text, lookup) == [0x5011004C]
    assert addresses("void f(void) { hw_set_alias(usb_hw)->|sie_ctrl = 1; }", lookup) == [
        0x5011004C
    ]


def test_of_two_peripherals_of_a_name_the_one_with_the_exact_path_is_meant() -> None:
    vendor = peripheral("NVIC", 0xE000E100, block(array("IPR%s", 20, 0x300)))
    core = peripheral("NVIC", 0xE000E100, block(array("IPR[%s]", 240, 0x300, step=1, size=8)))
    lookup = device(vendor, core)
    assert first(code("NVIC->IPR[5]"), lookup) == "NVIC.IPR[5]"
