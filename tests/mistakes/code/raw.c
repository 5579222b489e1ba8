#define REG32(a) (*(volatile uint32_t *)(a))
#define GHOST 0x40004444u

void raw(void)
{
    *(volatile uint32_t *)0x40004444 = 1;  // expect: no-register
    *(volatile uint32_t *)(0x40020000 + 0x3C) = 1; // expect: no-register
    *((volatile uint32_t *)GHOST) |= 4;    // expect: no-register
    *(volatile uint32_t *)0x4000440C = 1u << 27; // expect: reserved-bits
    *(volatile uint32_t *)0x40020010 = 1;  // expect: read-only-register
    if (*(volatile uint32_t *)0x400003F8) { } // expect: no-register
    uart0_hw->fr = 1;                      // expect: read-only-register
    uart0_hw->cr = 1u << 4;                // expect: reserved-bits
    hw_set_bits(&uart0_hw->cr, 1u << 5);   // expect: reserved-bits
    uart0_hw->icr |= 1u << 4;              // expect: clears-other-flags
    sys_write32(1u << 27, 0x4000440C);     // expect-any: reserved-bits
    UART7->CR = 1;                         // expect: unknown-peripheral
}
