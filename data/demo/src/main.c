/*
 * Blinks the LEDs of port D with timer 3 and echoes what comes in on USART2.
 * The chip runs on its internal 16 MHz oscillator, all bus dividers at 1.
 */
#include "stm32f407_demo.h"
#include "uart.h"

static volatile uint32_t milliseconds;

static void clock_init(void)
{
    RCC->CR |= 1u << 0; /* HSION */
    while (!(RCC->CR & (1u << 1))) {
        /* wait for HSIRDY */
    }

    RCC->CFGR &= ~((3u << 0)     /* SW: HSI */
                   | (0xFu << 4) /* HPRE: HCLK = SYSCLK */
                   | (7u << 10)  /* PPRE1: PCLK1 = HCLK = 16 MHz */
                   | (7u << 13)); /* PPRE2: PCLK2 = HCLK */
    while (RCC->CFGR & (3u << 2)) {
        /* wait until SWS says HSI */
    }
}

static void led_init(void)
{
    RCC->AHB1ENR |= 1u << 3; /* port D */

    GPIOD->MODER = (GPIOD->MODER & ~(0xFFu << 24)) | (0x55u << 24); /* PD12 to PD15: outputs */
    GPIOD->OTYPER &= ~(0xFu << 12);
    GPIOD->BSRR = 0xF000u << 16; /* all off */
}

static void led_toggle(unsigned led)
{
    GPIOD->ODR ^= 1u << (12u + led);
}

static void timer_start(TIM_TypeDef *timer)
{
    timer->CR1 = 0x81; /* reload buffered, counter on */
}

/* Timer 3: 16 MHz / 16000 = 1 kHz, an update every 500 counts. */
static void timer_init(void)
{
    RCC->APB1ENR |= 1u << 1; /* TIM3 */

    TIM3->PSC = 16000 - 1;
    TIM3->ARR = 500 - 1;
    TIM3->EGR = 1u; /* take both over now */
    TIM3->SR = 0;
    TIM3->DIER = 1u;
    timer_start(TIM3);

    NVIC->ISER[TIM3_IRQn / 32] = 1u << (TIM3_IRQn % 32);
}

/* The core's own timer: 16 MHz / 16000 = 1 kHz. */
static void systick_init(void)
{
    SysTick->LOAD = 16000 - 1;
    SysTick->VAL = 0;
    SysTick->CTRL = 7;
}

void SysTick_Handler(void)
{
    milliseconds++;
}

void TIM3_IRQHandler(void)
{
    TIM3->SR = ~1u; /* clear UIF only: the other flags are left by a 1 */
    led_toggle(0);
}

int main(void)
{
    clock_init();
    led_init();
    timer_init();
    systick_init();
    uart_init();

    uart_print("ready\r\n");
    for (;;) {
        int c = uart_get();

        if (c >= 0) {
            uart_put((char)c);
            led_toggle(1);
        }
        if (GPIOA->IDR & 1u) { /* the button on PA0 */
            GPIOD->BSRR = 1u << 14;
        } else {
            GPIOD->BSRR = 1u << (14 + 16);
        }
    }
}
