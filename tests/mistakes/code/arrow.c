#define USART_CR1_UE (1u << 13)
#define USART_CR1_TE (1u << 3)
#define USART_CR2_STOP_Pos 12
#define MAGIC_BIT (1u << 20)

void set_up(uint32_t baud, int pin)
{
    RCC->AHB1ENR |= 1;
    RCC->APB1ENR |= (1u << 17) | 3;
    GPIOA->IDR = 1;                        // expect: read-only-register
    GPIOA->IDR |= 1u << pin;               // expect: read-only-register
    GPIOB->IDR &= ~4u;                     // expect: read-only-register
    RCC->CR |= 1u << 17;                   // expect: read-only-field
    RCC->CFGR = (RCC->CFGR & ~0xFu) | 0xA; // expect: read-only-field
    USART2->SR = 1u << 4;                  // expect: read-only-field
    USART2->SR &= ~(1u << 3);              // expect: read-only-field
    USART2->CR1 |= 1u << 31;               // expect: reserved-bits
    USART2->CR1 = 0x1200C;                 // expect: reserved-bits
    RCC->AHB1ENR |= 1u << 7;               // expect: reserved-bits
    USART2->CR1 ^= 1u << 30;               // expect: reserved-bits
    USART2->BRR = 0x10000;                 // expect: reserved-bits
    TIM2->CNT = 0x12345;                   // expect: value-too-wide
    USART2->CR2 = 4 << USART_CR2_STOP_Pos; // expect: value-too-wide
    TIM2->SR |= 1;                         // expect: clears-other-flags
    TIM3->SR |= 1u << 1;                   // expect: clears-other-flags
    log_debug("%u", USART2->DR);           // expect: read-side-effect
    printf("%lu\n", USART3->DR & 0xFF);    // expect: read-side-effect
    USART9->CR1 = USART_CR1_UE;            // expect: unknown-peripheral
    GPIOG->ODR = 1;                        // expect: unknown-peripheral
    TIM7->CR1 |= 1;                        // expect: unknown-peripheral
    USART2->CR9 = 0;                       // expect: unknown-register
    USART2->CR2 |= 3u << 12;               // expect: unlisted-value
    RCC->CFGR = 3;                         // expect: unlisted-value
    uint32_t tmp = RCC->CFGR;
    tmp &= ~3u;
    tmp |= 3u;
    RCC->CFGR = tmp;                       // expect: unlisted-value
    uint32_t bits = USART2->CR1;
    bits |= 1u << 14;
    USART2->CR1 = bits;                    // expect: reserved-bits
    USART_TypeDef *port = USART3;
    SET_BIT(USART2->CR1, 1u << 29);        // expect-any: reserved-bits
}
