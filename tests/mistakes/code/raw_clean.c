#define REG32(a) (*(volatile uint32_t *)(a))

void raw(void)
{
    *(volatile uint32_t *)0x4000440C = 1u << 13;
    *(volatile uint32_t *)0x20000000 = 1;
    *(volatile uint32_t *)0x08000000;
    *(volatile uint32_t *)0x42000004 = 1;
    *(volatile uint32_t *)0x40006408 = 1;
    uint32_t value = *(volatile uint32_t *)0x40020010;
    uart0_hw->cr = 0x301;
    hw_set_bits(&uart0_hw->cr, 1u << 8);
    hw_clear_bits(&uart0_hw->cr, 1u << 8);
    uart0_hw->icr = 1u << 4;
    while (uart0_hw->fr & (1u << 3)) { }
    sys_write32(1u << 13, 0x4000440C);
    *(volatile uint8_t *)0x40004405 = 0x01;
    int x = 0x40004444;
}
