/* USART2 on PA2 (TX) and PA3 (RX): 9600 baud, 8 bits, no parity, received by DMA. */
#ifndef UART_H
#define UART_H

#include <stddef.h>
#include <stdint.h>

/* Clocks, pins, divider and the receive stream. PCLK1 must be 16 MHz. */
void uart_init(void);

/* Sends one character, waiting until the transmitter can take it. */
void uart_put(char c);

/* Sends a text that ends in 0. */
void uart_print(const char *text);

/* The next received character, or -1 when there is none. */
int uart_get(void);

/* How often the line fell idle since the start: the end of a message, mostly. */
uint32_t uart_idle_count(void);

#endif
