/* Vector table and reset handler: copies .data, clears .bss and calls main. */
#include <stdint.h>

extern uint32_t _data_load, _data_start, _data_end, _bss_start, _bss_end, _stack_top;

int main(void);
void SysTick_Handler(void);
void TIM3_IRQHandler(void);
void USART2_IRQHandler(void);

static void stop(void)
{
    for (;;) {
    }
}

void Reset_Handler(void)
{
    uint32_t *from = &_data_load;

    for (uint32_t *to = &_data_start; to < &_data_end;) {
        *to++ = *from++;
    }
    for (uint32_t *to = &_bss_start; to < &_bss_end;) {
        *to++ = 0;
    }
    main();
    stop();
}

typedef void (*handler)(void);

__attribute__((section(".vectors"), used)) static const handler vectors[16 + 39] = {
    [0] = (handler)&_stack_top,
    [1] = Reset_Handler,
    [2] = stop, /* NMI */
    [3] = stop, /* HardFault */
    [15] = SysTick_Handler,
    [16 + 29] = TIM3_IRQHandler,
    [16 + 38] = USART2_IRQHandler,
};
