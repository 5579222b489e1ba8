#define USART_CR1_UE (1u << 13)
#define USART_CR1_TE (1u << 3)
#define USART_CR2_STOP_Pos 12

static volatile uint32_t *led_port;

void set_up(uint32_t baud, int pin)
{
    RCC->AHB1ENR |= 1;
    RCC->APB1ENR |= (1u << 17) | 3;
    RCC->CR = 0x83;                        // the reset value, read-only bits among it
    RCC->CR |= 1u << 16;
    while (!(RCC->CR & (1u << 17))) { }
    RCC->CFGR = (RCC->CFGR & ~3u) | 1;
    RCC->CFGR &= ~0x1C00u;
    USART2->SR = 0;
    USART2->SR = 0xFFFFFFFF;
    USART2->SR &= ~(1u << 5);
    USART2->CR1 = USART_CR1_UE | USART_CR1_TE;
    USART2->CR1 |= 1u << pin;
    USART2->BRR = 0x683;
    USART2->BRR = baud;
    TIM2->CNT = 0xFFFF;
    TIM2->CNT = ~0u;
    USART2->CR2 = 2 << USART_CR2_STOP_Pos;
    USART2->CR2 |= 1u << 13;
    TIM2->SR = ~1u;
    TIM2->SR &= ~1u;
    TIM2->CR1 |= 1;
    uint8_t byte = USART2->DR;
    log_debug("%u", byte);
    (void)USART2->DR;
    GPIOA->MODER &= ~(3u << 2 * pin);
    GPIOA->ODR ^= 1u << 5;
    GPIOB->BSRR = 1u << 21;
    config->CR1 = 1;
    TIMx->CR1 |= 1;
    device->USART9->x = 3;
    struct uart *USART8 = find();
    USART8->CR1 = 1;
    uint32_t tmp = RCC->CFGR;
    tmp &= ~3u;
    tmp |= 2u;
    RCC->CFGR = tmp;
    *led_port = 0x40004444;
    USART2->
    GPIOA->ODR = 1;
    // datasheet: ignore reserved-bits
    USART2->CR1 |= 1u << 31;
    USART2->CR1 |= 1u << 31;               // datasheet: ignore
}
