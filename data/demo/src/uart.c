#include "uart.h"

#include "stm32f407_demo.h"

#define RX_SIZE 64u

static volatile uint8_t rx_buffer[RX_SIZE];
static uint32_t rx_next;
static volatile uint32_t idle_count;

static void pins_init(void)
{
    RCC->AHB1ENR |= 1u << 0; /* port A */

    /* PA2 and PA3: alternate function 7, pull-up on the receiver */
    GPIOA->MODER = (GPIOA->MODER & ~(0xFu << 4)) | (0xAu << 4);
    GPIOA->AFR[0] = (GPIOA->AFR[0] & ~(0xFFu << 8)) | (0x77u << 8);
    GPIOA->OSPEEDR |= 1u << 4;
    GPIOA->PUPDR = (GPIOA->PUPDR & ~(3u << 6)) | (1u << 6);
}

/* USART2_RX is request channel 4 of stream 5 of DMA1. */
static void receive_stream_init(void)
{
    RCC->AHB1ENR |= 1u << 21; /* DMA1 */

    DMA1->S5CR = 0;
    while (DMA1->S5CR & 1u) {
        /* a stream that was running needs a moment to stop */
    }
    DMA1->HIFCR = 0x3Du << 6; /* all flags of stream 5 */

    DMA1->S5PAR = (uint32_t)(uintptr_t)&USART2->DR;
    DMA1->S5M0AR = (uint32_t)(uintptr_t)rx_buffer;
    DMA1->S5NDTR = RX_SIZE;
    DMA1->S5FCR = 0x21; /* direct mode, as after reset */
    DMA1->S5CR = (4u << 25) /* channel 4 */
                 | (2u << 16) /* high priority */
                 | (1u << 10) /* memory address grows */
                 | (1u << 8); /* circular */
    DMA1->S5CR |= 1u;
}

void uart_init(void)
{
    pins_init();
    receive_stream_init();

    RCC->APB1ENR |= 1u << 17; /* USART2 */
    (void)RCC->APB1ENR;       /* the clock needs two cycles to arrive */

    /* 16 MHz / (16 * 9600) = 104.17: mantissa 104, fraction 3/16 */
    USART2->BRR = 0x0683;
    USART2->CR2 = 0;
    USART2->CR3 = 1u << 6; /* received words go to DMA */
    USART2->CR1 = 0x200C;  /* on, transmitter and receiver */
    USART2->CR1 |= 1u << 4; /* interrupt when the line falls idle */

    NVIC->ISER[USART2_IRQn / 32] = 1u << (USART2_IRQn % 32);
}

void uart_put(char c)
{
    while (!(USART2->SR & (1u << 7))) {
        /* wait for TXE */
    }
    USART2->DR = (uint8_t)c;
}

void uart_print(const char *text)
{
    while (*text) {
        uart_put(*text++);
    }
}

int uart_get(void)
{
    uint32_t written = RX_SIZE - DMA1->S5NDTR;

    if (rx_next == written) {
        return -1;
    }
    int c = rx_buffer[rx_next];
    rx_next = (rx_next + 1u) % RX_SIZE;
    return c;
}

uint32_t uart_idle_count(void)
{
    return idle_count;
}

void USART2_IRQHandler(void)
{
    if (USART2->SR & (1u << 4)) { /* IDLE */
        (void)USART2->DR;         /* reading SR, then DR clears it */
        idle_count++;
    }
}
